/* The robotic fish as a vehicle: kinematics, water noise, joints and boxes; collision is the world's contact stage. */
#include "kinds/fish.h"

#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "kinds/fish_elements.h"
#include "world/stream.h"

_Static_assert(sizeof(fm_fish_words) % 8 == 0, "made of words");

enum { STEPS_PER_BEAT = 200, STEPS_LEAST = 4 };

const fm_fish_config *fm_fish_of(const fm_type *type)
{
    return type->kind == &fm_kind_fish ? type->kind_config : NULL;
}

fm_fish_words *fm_fish_words_of(const fm_type *type, const fm_vehicle *vehicle)
{
    return (fm_fish_words *)(void *)((uint64_t *)(uintptr_t)(const void *)vehicle + type->kind_block.offset);
}

/* --- joints --- */

/* Angles (rad) and slopes (rad/cycle) of the undeflected tail at this phase: the table, or the wave itself where a live
 * parameter has changed it. A wave that a link cannot follow leaves the table in force. */
static void tail_posture(const fm_fish_config *c, const fm_fish_words *words, const fm_fish_params *par, double cycles,
                         double *angle, double *slope)
{
    int as_loaded = words->c1 == c->par.c1 && words->c2 == c->par.c2 && words->k == c->par.k;
    const fm_fish_tail *tail = &c->table.tail;
    double after[FM_FISH_JOINTS_MOST], step = 1.0 / 256;
    fm_fish_play(c->table.angle, c->table.rows, tail->joints, cycles, angle, slope);
    if (as_loaded || c->table_given)
        return;
    double now[FM_FISH_JOINTS_MOST];
    if (fm_servo_fit_phase(par, tail, cycles, now, NULL) != FM_OK ||
        fm_servo_fit_phase(par, tail, cycles + step, after, NULL) != FM_OK)
        return;
    for (int j = 0; j < tail->joints; j++) {
        angle[j] = fm_clamp(now[j], -c->table.limit, c->table.limit);
        slope[j] = (after[j] - now[j]) / step;
    }
}

/* The same of a tail at work, deflected by (H3): angles in rad, rates in rad/s; `bending` is the deflection's rate. */
static void deflected_posture(const fm_fish_config *c, const fm_fish_words *words, const fm_fish_params *par,
                              double frequency, double deflection, double bending, double *angle, double *rate)
{
    const int joints = c->table.tail.joints, bent = fm_fish_deflected(joints);
    tail_posture(c, words, par, words->cycles, angle, rate);
    for (int j = 0; j < joints; j++)
        rate[j] = rate[j] * frequency - (j < bent ? bending / bent : 0);
    fm_fish_deflect(joints, angle, deflection);
}

/* The last step of the cycle: joints with deflection, and where the tip is. */
static void update_joints(const fm_fish_config *c, fm_fish_words *words, const fm_fish_params *par, double frequency,
                          double deflection, double dt)
{
    double x[FM_FISH_JOINTS_MOST + 1], y[FM_FISH_JOINTS_MOST + 1];
    double bending = dt > 0 ? (deflection - words->deflection) / dt : 0;
    deflected_posture(c, words, par, frequency, deflection, bending, words->angle, words->rate);
    fm_fish_chain(&c->table.tail, words->angle, x, y);
    words->tip[0] = x[c->table.tail.joints];
    words->tip[1] = y[c->table.tail.joints];
    words->deflection = deflection;
}

/* --- pose --- */

static void set_pose(fm_vehicle *vehicle, const fm_fish_words *words, double heading, double sideways,
                     const double water[3])
{
    double euler[3] = {words->roll, words->pitch, heading}, R[9], stream[3];
    fm_quat_from_euler(euler, vehicle->body.attitude);
    fm_quat_matrix(vehicle->body.attitude, R);
    fm_vector_to_body(R, water, stream);
    double velocity[6] = {words->speed + stream[0], sideways + stream[1], words->heave + stream[2],
                          words->roll_rate,         words->pitch_rate,    words->turn_rate};
    memcpy(vehicle->body.velocity, velocity, sizeof velocity);
}

static void start(const fm_model *model, const fm_type *type, fm_vehicle *vehicle)
{
    const fm_fish_config *c = type->kind_config;
    fm_fish_words *words = fm_fish_words_of(type, vehicle);
    fm_actuator_state *states = fm_actuator_states(type, vehicle);
    words->c1 = c->par.c1;
    words->c2 = c->par.c2;
    words->k = c->par.k;
    words->time = (double)vehicle->born * model->settings.dt;
    words->speed = vehicle->body.velocity[0];
    double orders[FM_FISH_ORDERS] = {c->start[0], c->start[1],
                                     c->depth_given ? c->start[2] : vehicle->body.position[2]};
    for (int i = 0; i < FM_FISH_ORDERS; i++)
        states[i].order = states[i].value = orders[i];
    fm_fish_params par = c->par;
    update_joints(c, words, &par, orders[FM_FISH_FREQUENCY], orders[FM_FISH_DEFLECTION], 0);
    double heading = fm_fish_heading(vehicle->body.attitude);
    if (c->thrust == FM_FISH_ELONGATED) {
        double angle[FM_FISH_JOINTS_MOST], rate[FM_FISH_JOINTS_MOST], v[3] = {words->speed, 0, 0};
        fm_fish_elongated_state state = {.heading = heading};
        deflected_posture(c, words, &par, orders[FM_FISH_FREQUENCY], c->turns_by_tail ? orders[FM_FISH_DEFLECTION] : 0,
                          0, angle, rate);
        fm_fish_elongated_start(&c->theory, &state, angle, rate, v);
        words->momentum[0] = state.momentum_x;
        words->momentum[1] = state.momentum_y;
        words->spin = state.spin;
    }
    set_pose(vehicle, words, heading, 0, vehicle->water);
}

/* --- kinematics: steps (H4)-(H9) of the paper, or the elongated-body theory for surge with (H9) for yaw, or for all
 * --- */

typedef struct motion {
    double x, y, heading, sideways; /* through the water from the step's start: m, rad, m/s */
} motion;

static void swim_paper(const fm_type *type, const fm_fish_params *par, fm_fish_words *words, double frequency,
                       double deflection, double dt, motion *m)
{
    fm_fish_state s = {.heading = m->heading, .speed = words->speed, .cycles = words->cycles};
    for (int i = 0; i < type->substeps; i++)
        fm_fish_step(par, &s, frequency, deflection, dt / type->substeps);
    words->speed = s.speed;
    words->cycles = s.cycles;
    words->turn_rate = fm_fish_turn_rate(par, frequency, deflection);
    words->tail_force = fm_fish_thrust(par, frequency) * fm_cos(deflection);
    words->drag = fm_fish_drag(par, s.speed);
    words->strouhal = frequency * fm_fish_beat_width(par) / fm_max(s.speed, 1e-6);
    *m = (motion){s.x, s.y, s.heading, 0};
}

static void swim_elongated(const fm_fish_config *c, const fm_fish_params *par, fm_fish_words *words, double frequency,
                           double deflection, double dt, motion *m)
{
    int steps = (int)fm_max(ceil(dt * frequency * STEPS_PER_BEAT), STEPS_LEAST);
    double h = dt / steps, force = 0, sideways = 0, drag = 0, forward = 0;
    const double turn = c->turns_by_tail ? 0 : fm_fish_turn_rate(par, frequency, deflection),
                 part = c->turns_by_tail ? 1 : fm_cos(deflection), bending = (deflection - words->deflection) / dt;
    fm_fish_elongated_state s = {
        .heading = m->heading, .momentum_x = words->momentum[0], .momentum_y = words->momentum[1], .spin = words->spin};
    fm_fish_elongated_out out = {0};
    double first = m->heading;
    for (int i = 0; i < steps; i++) {
        double angle[FM_FISH_JOINTS_MOST], rate[FM_FISH_JOINTS_MOST], before = words->cycles;
        if (c->turns_by_tail)
            deflected_posture(c, words, par, frequency, words->deflection + bending * h * i, bending, angle, rate);
        else
            deflected_posture(c, words, par, frequency, 0, 0, angle, rate);
        fm_fish_elongated_step(&c->theory, &s, angle, rate, part, h, &out);
        fm_fish_elongated_steer(&s, turn * h);
        words->cycles += frequency * h;
        words->cycles -= words->cycles >= 1 ? 1 : 0;
        fm_fish_beat_add(&words->beat, &out, frequency, fm_fish_beat_width(par), words->cycles < before, h);
        force += out.thrust / steps;
        drag -= out.drag / steps;
        sideways += out.sideways / steps;
        forward += out.forward / steps;
    }
    words->momentum[0] = s.momentum_x;
    words->momentum[1] = s.momentum_y;
    words->spin = s.spin;
    words->speed = forward;
    words->turn_rate = (s.heading - first) / dt;
    words->tail_force = force;
    words->drag = drag;
    words->efficiency = words->beat.efficiency;
    words->strouhal = words->beat.strouhal;
    *m = (motion){s.x, s.y, s.heading, sideways};
}

/* Depth: by the pectoral fins, or straight towards the order at depth_rate. */
static double change_depth(const fm_fish_config *c, fm_fish_words *words, double depth, double wanted, double dt)
{
    if (!c->has_fins)
        return depth + fm_clamp(wanted - depth, -c->depth_rate * dt, c->depth_rate * dt);
    fm_fish_fins_state s = {.depth = depth,
                            .heave = words->heave,
                            .pitch = words->pitch,
                            .pitch_rate = words->pitch_rate,
                            .roll = words->roll,
                            .roll_rate = words->roll_rate};
    fm_fish_fins_control(&c->fins, &s, wanted, words->speed, &words->fin_starboard, &words->fin_port);
    fm_fish_fins_step(&c->fins, &s, words->fin_starboard, words->fin_port, words->speed, dt);
    words->heave = s.heave;
    words->pitch = s.pitch;
    words->pitch_rate = s.pitch_rate;
    words->roll = s.roll;
    words->roll_rate = s.roll_rate;
    return s.depth;
}

/* Water noise (H1): P += E_new − E_old, `free` is the position without it. */
static void add_noise(const fm_environment *e, fm_fish_words *words, const double free[3], double position[3])
{
    memcpy(words->noise_before, words->noise, sizeof words->noise);
    if (e->noise)
        fm_water_noise_offset(e->noise, words->time, free, words->noise);
    for (int i = 0; i < 3; i++)
        position[i] = free[i] + words->noise[i];
}

static double step(const fm_environment *sea, const fm_type *type, fm_vehicle *vehicle, const fm_stream_source *water,
                   const fm_mass *mass, const double thrust[6], double dt)
{
    (void)mass, (void)thrust;
    const fm_fish_config *c = type->kind_config;
    fm_fish_words *words = fm_fish_words_of(type, vehicle);
    const fm_actuator_state *states = fm_actuator_states(type, vehicle);
    const fm_actuator_fault *faults = fm_actuator_faults(type, vehicle);
    fm_fish_params par = fm_fish_par_now(c, words);
    double frequency = states[FM_FISH_FREQUENCY].value * faults[FM_FISH_FREQUENCY].efficiency;
    double deflection = states[FM_FISH_DEFLECTION].value * faults[FM_FISH_DEFLECTION].efficiency;
    fm_stream room;
    const fm_stream *stream = fm_stream_at(water, &type->body, 0, &vehicle->body, &room);
    motion m = {.heading = fm_fish_heading(vehicle->body.attitude)};
    if (c->thrust == FM_FISH_ELONGATED)
        swim_elongated(c, &par, words, frequency, deflection, dt, &m);
    else
        swim_paper(type, &par, words, frequency, deflection, dt, &m);
    words->time += dt;
    double free[3], level = fm_cos(words->pitch);
    for (int i = 0; i < 3; i++)
        free[i] = vehicle->body.position[i] - words->noise[i] + stream->velocity[i] * dt;
    free[0] += level * m.x;
    free[1] += level * m.y;
    free[2] = change_depth(c, words, free[2], states[FM_FISH_DEPTH].value, dt);
    add_noise(sea, words, free, vehicle->body.position);
    update_joints(c, words, &par, frequency, deflection, dt);
    set_pose(vehicle, words, m.heading, m.sideways, stream->velocity);
    return 1;
}

/* --- contact --- */

/* The two boxes of Fig. 8: the head along the heading, the tail from joint 1 to the tip. */
static void shapes(const fm_type *type, const fm_vehicle *vehicle, fm_shape *out)
{
    const fm_fish_config *c = type->kind_config;
    const double *tip = fm_fish_words_of(type, vehicle)->tip;
    double length = fm_max(fm_sqrt(tip[0] * tip[0] + tip[1] * tip[1]), 1e-9), cosine = -tip[0] / length,
           sine = -tip[1] / length;
    double head[3] = {0.5 * c->head_box[0], 0, 0}, tail[3] = {0.5 * tip[0], 0.5 * tip[1], 0};
    double level[4] = {1, 0, 0, 0}, half = fm_sqrt(fm_max(0.5 * (1 + cosine), 0));
    double turned[4] = {half, 0, 0, half > 1e-6 ? 0.5 * sine / half : 1};
    out[0] = fm_shape_box(0.5 * c->head_box[0], 0.5 * c->head_box[1], 0.5 * c->head_box[2]);
    out[1] = fm_shape_box(0.5 * length, 0.5 * c->tail_box[0], 0.5 * c->tail_box[1]);
    fm_shape_place(&out[0], head, level);
    fm_shape_place(&out[1], tail, turned);
}

/* What cameras see: the body of the traverse points, bent by the joints. */
static void skin(const fm_type *type, const fm_vehicle *vehicle, fm_skin *out)
{
    const fm_fish_config *c = type->kind_config;
    fm_fish_mesh_bend(&c->seen, &c->shape, fm_fish_words_of(type, vehicle)->angle, out->point[0], out->normal[0]);
    out->vertices = c->seen.vertices;
    out->triangles = c->seen.triangles;
    out->index = c->seen.index;
    out->colour = c->seen_colour;
}

static double skin_radius(const fm_type *type)
{
    const fm_fish_config *c = type->kind_config;
    return 1.1 * fm_max(c->shape.head_length, c->par.tail_length) + c->head_box[2];
}

/* After a restored pose: kept_speed of the speed is left, and the noise of that pose. */
static void touched(const fm_type *type, fm_vehicle *vehicle)
{
    fm_fish_words *words = fm_fish_words_of(type, vehicle);
    const double kept = type->contact.kept_speed;
    words->speed *= kept;
    words->momentum[0] *= kept;
    words->momentum[1] *= kept;
    words->spin *= kept;
    memcpy(words->noise, words->noise_before, sizeof words->noise);
}

/* --- what is told of a fish --- */

static const char *const joint_names[FM_FISH_JOINTS_MOST] = {"joint1", "joint2", "joint3", "joint4",
                                                             "joint5", "joint6", "joint7", "joint8"};

static void joints(const fm_type *type, const fm_vehicle *vehicle, double *angle, double *rate)
{
    const fm_fish_words *words = fm_fish_words_of(type, vehicle);
    memcpy(angle, words->angle, type->joint_count * sizeof *angle);
    memcpy(rate, words->rate, type->joint_count * sizeof *rate);
}

/* Joint 1 is the body origin; each other one sits a link's length behind. */
static double joint_place(const fm_type *type, size_t i)
{
    const fm_fish_config *fish = type->kind_config;
    return i ? -fish->table.tail.link[i - 1] : 0;
}

static const fm_output columns[] = {
    FM_OUTPUT_NUMBER(fm_fish_words, cycles, "phase", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_fish_words, speed, "water-speed", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_fish_words, tail_force, "tail-force", "N", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_fish_words, efficiency, "efficiency", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_fish_words, strouhal, "strouhal", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_fish_words, fin_starboard, "starboard-fin", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_fish_words, fin_port, "port-fin", "rad", FM_QUANTITY_NONE),
};

const fm_kind fm_kind_fish = {.name = "fish",
                              .element = &fm_fish_kind_element,
                              .state_size = sizeof(fm_fish_words),
                              .contact = FM_CONTACT_RESTORE,
                              .build = fm_fish_build,
                              .orders = fm_fish_orders,
                              .order_count = FM_FISH_ORDERS,
                              .limit_orders = fm_fish_limit_orders,
                              .live = fm_fish_live,
                              .start = start,
                              .step = step,
                              .shapes = shapes,
                              .skin = skin,
                              .skin_radius = skin_radius,
                              .touched = touched,
                              .joint_names = joint_names,
                              .joint_offset = offsetof(fm_fish_words, angle),
                              .joints = joints,
                              .joint_place = joint_place,
                              .columns = columns,
                              .column_count = FM_COUNT(columns)};
