/* The vertical-plane diving model as a vehicle: pose, velocity and pitch in fm_vehicle, heading constant. */
#include "kinds/diving.h"

#include <string.h>

#include "control/flat_chain.h"
#include "environment/environment.h"
#include "world/stream.h"

#include "physics/diver_step.h" /* in a world's water */

/* Starts from the pose and velocity of the scenario; the forward speed is the model's. */
static void start(const fm_model *model, const fm_type *type, fm_vehicle *vehicle)
{
    (void)model;
    const fm_diving_type *diving = type->kind_config;
    fm_diving_model m = fm_diving_derive(&diving->params);
    fm_diver_words *words = (fm_diver_words *)(void *)fm_vehicle_words(vehicle, type->kind_block);
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
    fm_diver_pose(&m, words, vehicle->body.velocity[4], vehicle->water, &vehicle->body);
}

static double step(const fm_environment *sea, const fm_type *type, fm_vehicle *vehicle, const fm_stream_source *water,
                   const fm_mass *mass, const double thrust[6], double dt)
{
    (void)sea, (void)mass, (void)thrust;
    const fm_diving_type *diving = type->kind_config;
    fm_diving_model m = fm_diving_derive(&diving->params);
    fm_diver_words *words = (fm_diver_words *)(void *)fm_vehicle_words(vehicle, type->kind_block);
    if (type->battery.capacity > 0 && vehicle->charge <= 0)
        fm_diver_drift_in(water, &type->body, dt, words, &vehicle->body);
    else
        fm_diver_move(&m, type->integrator == FM_RK4, vehicle->input.fin[1], water, &type->body, type->substeps, dt,
                      words, &vehicle->body);
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

/* --- in lanes and on a GPU --- */

static const char *lanes_verdict(const fm_environment *sea, const fm_type *type)
{
    (void)type;
    return sea->noise ? "the water is noisy" : NULL;
}

static void count_lanes(const fm_type *type, fm_flat *head)
{
    (void)type;
    head->count[FM_FLAT_DIVER] = 1;
}

static void describe_lanes(const fm_environment *sea, const fm_type *type, fm_flat *flat)
{
    (void)sea;
    fm_diver *p = fm_flat_array(flat, FM_FLAT_DIVER);
    const fm_diving_model m = fm_diving_derive(&((const fm_diving_type *)type->kind_config)->params);
    p->rk4 = type->integrator == FM_RK4;
    p->large_angle = m.large_angle_statics;
    p->has_battery = type->battery.capacity > 0;
    memcpy(p->a, m.a, sizeof p->a);
    memcpy(p->b, m.b, sizeof p->b);
    memcpy(p->d, m.d, sizeof p->d);
    p->speed = m.speed;
}

static const fm_kind_lanes lanes = {
    .verdict = lanes_verdict, .count = count_lanes, .describe = describe_lanes, .begins_alone = 1};

const fm_kind fm_kind_diving = {.name = "diving",
                                .element = &fm_diving_element,
                                .state_size = sizeof(fm_diver_words),
                                .contact = FM_CONTACT_COUNT,
                                .build = fm_diving_build,
                                .fin_column = fin_column,
                                .diving_model = diving_model,
                                .own_speed = own_speed,
                                .weigh = weigh,
                                .config_size = sizeof(fm_diving_type),
                                .start = start,
                                .step = step,
                                .lanes = &lanes};
