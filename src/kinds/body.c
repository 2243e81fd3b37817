/* The 6-DOF body as a vehicle: its step, and how its fins act on it. */
#include "kinds/body.h"

#include <string.h>

#include "environment/environment.h"
#include "kinds/body_elements.h"
#include "world/stream.h"

/* --- the step --- */

static double step(const fm_environment *sea, const fm_type *type, fm_vehicle *vehicle, const fm_stream_source *water,
                   const fm_mass *mass, const double thrust[6], double dt)
{
    (void)sea, (void)dt;
    return fm_craft_integrate(&type->craft, mass, &vehicle->input, thrust, water, &vehicle->body);
}

/* --- what controllers ask --- */

/* The terms u|u| of the deflection; the small-angle lift of a foil. */
static void fin_column(const fm_type *type, int fin, double column[6])
{
    const fm_hydro *hydro = &type->body.hydro;
    for (int t = 0; t < hydro->term_count; t++)
        if (hydro->terms[t].fin == fin && hydro->terms[t].i == FM_BASIS_U && hydro->terms[t].j == FM_BASIS_AU)
            memcpy(column, hydro->terms[t].c, 6 * sizeof *column);
    for (size_t k = 0; k < type->foil_count; k++)
        if (type->foils[k].input == fin) {
            const fm_foil *foil = &type->foils[k];
            for (int i = 0; i < 3; i++)
                column[i] = foil->half_area * foil->slope * foil->lift[i];
            fm_cross(foil->position, column, column + 3);
        }
}

/* Heave and pitch acceleration of a level body at speed u with heave w, pitch rate q, pitch theta and fins at delta. */
static void diving_rate(const fm_type *type, double u, const double x[4], const int *fins, size_t fin_count,
                        double rate[2])
{
    fm_body_state state = {.attitude = {1}, .velocity = {u, 0, x[0], 0, x[1], 0}}, change;
    fm_body_input input = {.fin = {1}, .density_ratio = 1};
    fm_stream still = {0};
    const double euler[3] = {0, x[2], 0};
    memset(&still, 0, sizeof still);
    if (type->body.euler)
        memcpy(state.attitude, euler, sizeof euler);
    else
        fm_quat_from_euler(euler, state.attitude);
    for (size_t i = 0; i < fin_count; i++) {
        fm_actuator_deflect(&type->actuators[fins[i]], x[3], &input);
    }
    state.position[2] = 100; /* far below the surface */
    fm_body_rate(&type->body, &type->mass, &input, &still, &state, &change);
    rate[0] = change.velocity[2];
    rate[1] = change.velocity[4];
}

/* By differences about level flight. */
static fm_diving_model diving_model(const fm_type *type, double speed, const int *fins, size_t fin_count)
{
    const double h = 1e-3; /* m/s, rad/s, rad: small against what the vehicle does, large against rounding */
    fm_diving_model m = {.speed = speed, .large_angle_statics = 1};
    double zero[4] = {0}, low[2], high[2];
    diving_rate(type, speed, zero, fins, fin_count, m.d);
    for (int k = 0; k < 4; k++) {
        double x[4] = {0};
        x[k] = -h;
        diving_rate(type, speed, x, fins, fin_count, low);
        x[k] = h;
        diving_rate(type, speed, x, fins, fin_count, high);
        for (int row = 0; row < 2; row++)
            *(k < 3 ? &m.a[row][k] : &m.b[row]) = (high[row] - low[row]) / (2 * h);
    }
    return m;
}

static const char *lanes_verdict(const fm_environment *sea, const fm_type *type)
{
    (void)type;
    return sea->noise ? "the water is noisy" : NULL;
}
static const fm_kind_lanes lanes = {.verdict = lanes_verdict};

const fm_kind fm_kind_body = {.name = "body",
                              .elements = fm_body_elements,
                              .rigid = 1,
                              .contact = FM_CONTACT_IMPULSE,
                              .build = fm_body_build,
                              .fin_column = fin_column,
                              .diving_model = diving_model,
                              .judge_step = fm_body_judge_step,
                              .inspect = fm_body_inspect,
                              .top_speed = fm_body_top_speed,
                              .weigh = fm_body_weigh,
                              .step = step,
                              .step_of_craft = 1,
                              .lanes = &lanes};
