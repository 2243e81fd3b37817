/* Outputs of an <autopilot>: demand, error and integral of each of its loops. */
#include <math.h>

#include "control/autopilot_part.h"

/* A loop, its element, and the units of its outputs. */
typedef struct told_loop {
    const char *element;
    size_t at; /* in fm_autopilot_output */
    const char *unit, *fin_integral, *thrust_integral;
    const char *names[4]; /* of demand, error, integral, and that of the thrusters of a hybrid */
} told_loop;

#define TOLD(loop, its_unit, by_fins, by_thrust)                                                                       \
    {                                                                                                                  \
#loop, offsetof(fm_autopilot_output, loop), its_unit, by_fins, by_thrust,                                      \
        {                                                                                                              \
#loop ".demand", #loop ".error", #loop ".integral", #loop ".thrust-integral"                               \
        }                                                                                                              \
    }
static const told_loop loops[] = {TOLD(depth, "m", "rad", "N"),     TOLD(heading, "rad", "rad", "N*m"),
                                  TOLD(pitch, "rad", "rad", "N*m"), TOLD(roll, "rad", "rad", "N*m"),
                                  TOLD(sway, "m/s", NULL, "N"),     TOLD(speed, "m/s", "N", "N")};

static size_t add_loop(const told_loop *loop, int64_t steering, fm_output *outputs)
{
    const char *fins = steering == FM_STEER_THRUSTERS ? NULL : loop->fin_integral,
               *thrust = steering == FM_STEER_FINS ? NULL : loop->thrust_integral;
    const char *units[4] = {loop->unit, loop->unit, fins ? fins : thrust, fins ? thrust : NULL};
    static const size_t fields[4] = {offsetof(fm_loop_told, demand), offsetof(fm_loop_told, error),
                                     offsetof(fm_loop_told, integral), offsetof(fm_loop_told, thrust_integral)};
    size_t count = 0;
    for (size_t i = 0; i < 4; i++) {
        size_t field = i == 2 && !fins ? fields[3] : fields[i];
        if (units[i])
            outputs[count++] =
                (fm_output){.field = loop->names[i], .unit = units[i], .offset = loop->at + field, .count = 1};
    }
    return count;
}

fm_status fm_autopilot_outputs_load(fm_part_load *load, const fm_autopilot_config *c, fm_error *error)
{
    fm_output *outputs = fm_load_alloc(load, 4 * FM_COUNT(loops) * sizeof *outputs);
    size_t count = 0;
    if (!outputs)
        return fm_load_fail(load, error, FM_ERR_MEMORY, "out of memory for an autopilot");
    for (size_t i = 0; i < FM_COUNT(loops); i++)
        if (fm_load_has_child(load, loops[i].element) && (loops[i].fin_integral || c->steering != FM_STEER_FINS))
            count += add_loop(&loops[i], c->steering, outputs + count);
    fm_load_outputs(load, outputs, count);
    return FM_OK;
}

static fm_loop_told tell(double demand, double measured, double integral, double thrust_integral)
{
    return (fm_loop_told){demand, demand - measured, integral, thrust_integral};
}

static fm_loop_told tell_angle(double demand, double measured, double integral, double thrust_integral)
{
    return (fm_loop_told){demand, fm_angle_wrap_pi(demand - measured), integral, thrust_integral};
}

void fm_autopilot_outputs_write(const fm_autopilot_state *state, const fm_autopilot_orders *o,
                                const fm_autopilot_sensed *m, double pitch, fm_autopilot_output *out)
{
    const fm_fin_pilot_state *fins = &state->loops.fins;
    const fm_thruster_pilot_state *thrust = &state->loops.thrusters;
    *out = (fm_autopilot_output){.depth = tell(o->depth, m->depth, fins->depth.integral, thrust->depth.integral),
                                 .heading =
                                     tell_angle(o->heading, m->psi, fins->heading.integral, thrust->heading.integral),
                                 .pitch = tell(pitch, m->theta, fins->pitch.integral, thrust->pitch.integral),
                                 .roll = tell(o->roll, m->phi, fins->roll.integral, thrust->roll.integral),
                                 .sway = tell(o->sway, m->v, 0, thrust->sway.integral),
                                 .speed = tell(o->speed, m->u, fins->speed.integral, thrust->surge.integral)};
    if (state->keeping > 0) /* a place is kept, no speed */
        out->sway.demand = out->sway.error = out->speed.demand = out->speed.error = NAN;
}

void fm_autopilot_outputs_clear(fm_autopilot_output *out)
{
    const fm_loop_told nothing = {NAN, NAN, NAN, NAN};
    *out = (fm_autopilot_output){nothing, nothing, nothing, nothing, nothing, nothing};
}
