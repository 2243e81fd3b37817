/* The vertical-plane diving model as a vehicle: pose, velocity and pitch in fm_vehicle, heading constant. */
#include "kinds/diving.h"

#include <string.h>

#include "world/stream.h"

/* The kind's own words: pitch is kept as an angle, so that it may pass the vertical. */
typedef struct diving_words {
    double theta;   /* rad */
    double w;       /* m/s through the water */
    double heading; /* rad */
} diving_words;

static void set_pose(const fm_diving_model *m, fm_vehicle *vehicle, const diving_words *words, double q,
                     const double current[3])
{
    double euler[3] = {0, words->theta, words->heading}, R[9], stream[3];
    fm_quat_from_euler(euler, vehicle->body.attitude);
    fm_quat_matrix(vehicle->body.attitude, R);
    fm_vector_to_body(R, current, stream);
    double velocity[6] = {m->speed + stream[0], stream[1], words->w + stream[2], 0, q, 0};
    memcpy(vehicle->body.velocity, velocity, sizeof velocity);
}

/* Starts from the pose and velocity of the scenario; the forward speed is the model's. */
static void start(const fm_model *model, const fm_type *type, fm_vehicle *vehicle)
{
    (void)model;
    const fm_diving_type *diving = type->kind_config;
    fm_diving_model m = fm_diving_derive(&diving->params);
    diving_words *words = (diving_words *)(void *)fm_vehicle_words(vehicle, type->kind_block);
    double R[9], euler[3];
    fm_quat_matrix(vehicle->body.attitude, R);
    fm_euler_from_matrix(R, euler);
    words->theta = euler[1];
    words->heading = euler[2];
    words->w = vehicle->body.velocity[2];
    if (diving->trimmed) {
        words->w = diving->trim_w;
        words->theta = diving->trim_theta;
    }
    set_pose(&m, vehicle, words, vehicle->body.velocity[4], vehicle->water);
}

/* Velocity of the water (m/s, NED) that the vehicle meets `later` seconds from the step's start, `h` from now: at the
 * place to which its present velocity brings it. */
static void meet_water(const fm_stream_source *water, const fm_type *type, const fm_body_state *now, double later,
                       double h, double out[3])
{
    fm_stream room;
    fm_body_state then = *now;
    if (water->fields) {
        double R[9], over_ground[3];
        fm_quat_matrix(now->attitude, R);
        fm_vector_to_world(R, now->velocity, over_ground);
        for (int i = 0; i < 3; i++)
            then.position[i] += h * over_ground[i];
    }
    memcpy(out, fm_stream_at(water, &type->body, later, &then, &room)->velocity, 3 * sizeof *out);
}

/* (R1), (R2) over h seconds with this current, which carries the vehicle along: heave and pitch are those through the
 * water. */
static void sub_step(const fm_diving_model *m, const fm_type *type, fm_vehicle *vehicle, diving_words *words,
                     const double current[3], double h)
{
    double c = fm_cos(words->heading), s = fm_sin(words->heading);
    fm_diving_input input = {
        .delta = vehicle->input.fin[1], .current_x = c * current[0] + s * current[1], .current_z = current[2]};
    fm_diving_state state = {
        .w = words->w, .q = vehicle->body.velocity[4], .theta = words->theta, .x = 0, .z = vehicle->body.position[2]};
    double side = -s * current[0] + c * current[1];
    if (type->integrator == FM_RK4)
        fm_diving_step_rk4(m, &state, &input, h);
    else
        fm_diving_step_heun(m, &state, &input, h);
    words->w = state.w;
    words->theta = state.theta;
    vehicle->body.position[0] += c * state.x - s * side * h;
    vehicle->body.position[1] += s * state.x + c * side * h;
    vehicle->body.position[2] = state.z;
    set_pose(m, vehicle, words, state.q, current);
}

/* With an empty battery there is no flight, and the model knows no other motion: the water carries the vehicle. */
static void drift(const fm_type *type, fm_vehicle *vehicle, const fm_stream_source *water, diving_words *words,
                  double dt)
{
    double current[3], R[9];
    words->w = 0;
    meet_water(water, type, &vehicle->body, dt / 2, dt / 2, current);
    fm_quat_matrix(vehicle->body.attitude, R);
    memset(vehicle->body.velocity, 0, sizeof vehicle->body.velocity);
    fm_vector_to_body(R, current, vehicle->body.velocity);
    for (int i = 0; i < 3; i++)
        vehicle->body.position[i] += current[i] * dt;
}

/* The water is taken half-way through each sub-step (midpoint rule), and at the end for the velocity over ground. */
static double step(const fm_environment *sea, const fm_type *type, fm_vehicle *vehicle, const fm_stream_source *water,
                   const fm_mass *mass, const double thrust[6], double dt)
{
    (void)sea, (void)mass, (void)thrust;
    const fm_diving_type *diving = type->kind_config;
    fm_diving_model m = fm_diving_derive(&diving->params);
    diving_words *words = (diving_words *)(void *)fm_vehicle_words(vehicle, type->kind_block);
    double h = dt / type->substeps, current[3];
    if (type->battery.capacity > 0 && vehicle->charge <= 0) {
        drift(type, vehicle, water, words, dt);
        return 1;
    }
    for (int i = 0; i < type->substeps; i++) {
        meet_water(water, type, &vehicle->body, (i + 0.5) * h, h / 2, current);
        sub_step(&m, type, vehicle, words, current, h);
    }
    if (water->fields) {
        meet_water(water, type, &vehicle->body, dt, 0, current);
        set_pose(&m, vehicle, words, vehicle->body.velocity[4], current);
    }
    return 1;
}

/* --- what controllers ask --- */

static void fin_column(const fm_type *type, int fin, double column[6])
{
    (void)fin;
    const fm_diving_params *p = &((const fm_diving_type *)type->kind_config)->params;
    column[2] = p->z_delta / (p->table_speed * p->table_speed);
    column[4] = p->m_delta / (p->table_speed * p->table_speed);
}

static fm_diving_model diving_model(const fm_type *type, double speed, const int *fins, size_t fin_count)
{
    (void)speed, (void)fins, (void)fin_count;
    return fm_diving_derive(&((const fm_diving_type *)type->kind_config)->params);
}

static double own_speed(const fm_type *type)
{
    return ((const fm_diving_type *)type->kind_config)->params.speed;
}

/* --- another gravity --- */

static void weigh(fm_type *type, double ratio)
{
    fm_diving_params *p = &((fm_diving_type *)(uintptr_t)type->kind_config)->params;
    p->weight *= ratio;
    p->buoyancy *= ratio;
}

const fm_kind fm_kind_diving = {.name = "diving",
                                .element = &fm_diving_element,
                                .state_size = sizeof(diving_words),
                                .contact = FM_CONTACT_COUNT,
                                .build = fm_diving_build,
                                .fin_column = fin_column,
                                .diving_model = diving_model,
                                .own_speed = own_speed,
                                .weigh = weigh,
                                .config_size = sizeof(fm_diving_type),
                                .start = start,
                                .step = step};
