/* Units (control/law.h) in a flat block, and their steps: the same ids and kernels as in a world. */
#ifndef FM_BATCH_LAWS_H
#define FM_BATCH_LAWS_H

#include "control/laws.h"
#include "physics/flat.h"

/* A record of FM_FLAT_LAWS: only integers. */
typedef struct fm_law_record {
    int32_t id, period;                 /* FM_LAW_…; steps */
    int32_t early;                      /* it runs before the parts of physics/chain.h, as in the file */
    int32_t params;                     /* index of its first number in FM_FLAT_LAW_NUMBERS */
    int32_t kept, state;                /* index of its first stored number, and how many are state; metrics follow */
    int32_t actuator[FM_LAW_ACTUATORS]; /* -1: none */
    int32_t metric[FM_LAW_METRICS];     /* fm_law_metric; -1: none */
} fm_law_record;
static_assert(sizeof(fm_law_record) == 14 * sizeof(int32_t), "the shape of physics/flat.h");

FM_FN const fm_law_record *fm_law_at(const fm_flat *flat, uint32_t i)
{
    const char *block = (const char *)flat;
    const uint32_t size = (uint32_t)sizeof(fm_law_record);
    const uint32_t bytes = (size + flat->var_bytes - 1) / flat->var_bytes * flat->var_bytes;
    return (const fm_law_record *)(const void *)(block + flat->at[FM_FLAT_LAWS] + i * bytes);
}

/* One law's step, on numbers of its own. */
FM_FN void fm_law_run(const fm_law_record *r, const fm_var *params, fm_real *kept, fm_law_io *io)
{
    switch (r->id) {
#define FM_LAW_CASE(x)                                                                                                 \
    case FM_LAW_##x:                                                                                                   \
        fm_##x##_step((const fm_##x##_params *)(const void *)params, (fm_##x##_state *)(void *)kept, io);              \
        break;
        FM_LAW_EACH(FM_LAW_CASE)
#undef FM_LAW_CASE
    default: break;
    }
}

/* All due laws, in file order: those before the chain, or those after it. */
FM_FN void fm_laws_step(const fm_flat *flat, int early, const fm_body *body, const fm_body_state *state, uint64_t tick,
                        fm_par dt, fm_real *kept, fm_actuator_state *actuators)
{
    const fm_var *numbers = (const fm_var *)(const void *)((const char *)flat + flat->at[FM_FLAT_LAW_NUMBERS]);
    for (uint32_t i = 0; i < flat->count[FM_FLAT_LAWS]; i++) {
        const fm_law_record *r = fm_law_at(flat, i);
        if (r->early != early || !fm_part_is_due(r->period, tick))
            continue;
        fm_real R[9];
        fm_law_io io;
        io.time = (fm_par)tick * dt;
        io.period = (fm_par)r->period * dt;
        io.position = state->position;
        io.velocity = state->velocity;
        fm_body_matrix(body, state->attitude, R);
        fm_euler_from_matrix(R, io.euler);
        fm_law_clear(&io);
        fm_law_run(r, numbers + r->params, kept + r->kept, &io);
        for (int k = 0; k < FM_LAW_ACTUATORS; k++)
            if (r->actuator[k] >= 0)
                actuators[r->actuator[k]].order = fm_select(io.orders, io.order[k], actuators[r->actuator[k]].order);
        for (int k = 0; k < FM_LAW_METRICS; k++)
            if (r->metric[k] >= 0)
                fm_law_keep(r->metric[k], io.notes[k], io.noted[k], kept + r->kept + r->state + 2 * k);
    }
}

#endif
