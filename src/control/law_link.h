/* Laws (control/law.h) in a flat block, and the step of one: the same ids and kernels as in a world. */
#ifndef FM_CONTROL_LAW_LINK_H
#define FM_CONTROL_LAW_LINK_H

#include "control/laws.h"
#include "control/link.h"

/* A record of FM_FLAT_LAWS: integers alone. */
typedef struct fm_law_record {
    int32_t id;                         /* FM_LAW_… */
    int32_t params;                     /* its first number of FM_FLAT_LAW_NUMBERS */
    int32_t kept;                       /* its first number of those that are kept: state, outputs, metrics */
    int32_t state, outputs;             /* how many */
    int32_t channel;                    /* of its random numbers */
    int32_t source[FM_LAW_SOURCES];     /* the first number kept of the outputs that it reads; -1: none */
    int32_t actuator[FM_LAW_ACTUATORS]; /* -1: none */
    int32_t metric[FM_LAW_METRICS];     /* fm_law_metric; -1: none */
} fm_law_record;
static_assert(sizeof(fm_law_record) == 16 * sizeof(int32_t), "the shape of physics/flat.h");

/* Numbers of the laws of a block, as a step reads them. */
typedef struct fm_law_craft {
    const fm_law_record *each;
    const fm_var *numbers;
} fm_law_craft;

FM_FN fm_law_craft fm_flat_laws(const fm_flat *flat)
{
    const char *block = (const char *)flat;
    fm_law_craft c;
    c.each = (const fm_law_record *)(const void *)(block + flat->at[FM_FLAT_LAWS]);
    c.numbers = (const fm_var *)(const void *)(block + flat->at[FM_FLAT_LAW_NUMBERS]);
    return c;
}

/* One law's step, on numbers of its own. */
FM_FN void fm_law_run(int32_t id, const fm_var *params, fm_real *kept, fm_law_io *io)
{
    switch (id) {
#define FM_LAW_CASE(x)                                                                                                 \
    case FM_LAW_##x:                                                                                                   \
        fm_##x##_step((const fm_##x##_params *)(const void *)params, (fm_##x##_state *)(void *)kept, io);              \
        break;
        FM_LAW_EACH(FM_LAW_CASE)
#undef FM_LAW_CASE
    default: break;
    }
}

/* The law of a link; euler [rad]: of the vehicle. */
FM_WHOLE void fm_law_link(const fm_law_craft *c, const fm_link *link, const fm_body_state *state,
                          const fm_real euler[3], const fm_step_moment *now, fm_par dt, fm_real *kept,
                          fm_actuator_state *actuators)
{
    const fm_law_record *r = &c->each[link->at];
    fm_law_io io;
    io.time = (fm_par)now->tick * dt;
    io.period = (fm_par)link->period * dt;
    io.position = state->position;
    io.velocity = state->velocity;
    for (int k = 0; k < 3; k++)
        io.euler[k] = euler[k];
    io.output = kept + r->kept + r->state;
    for (int k = 0; k < FM_LAW_SOURCES; k++)
        io.source[k] = r->source[k] >= 0 ? kept + r->source[k] : NULL;
    io.now = *now;
    io.entity = 0;
    io.channel = (uint32_t)r->channel;
    fm_law_clear(&io);
    fm_law_run(r->id, c->numbers + r->params, kept + r->kept, &io);
    for (int k = 0; k < FM_LAW_ACTUATORS; k++)
        if (r->actuator[k] >= 0)
            actuators[r->actuator[k]].order = fm_select(io.orders, io.order[k], actuators[r->actuator[k]].order);
    for (int k = 0; k < FM_LAW_METRICS; k++)
        if (r->metric[k] >= 0)
            fm_law_keep(r->metric[k], io.notes[k], io.noted[k], io.output + r->outputs + 2 * k);
}

#endif
