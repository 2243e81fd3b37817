/* <turning-circle> as a kernel: a turn measured from the moment the rudder is put over. docs/theory/control.md
 * (C22)-(C24) */
#ifndef FM_PHYSICS_TURN_RECORD_H
#define FM_PHYSICS_TURN_RECORD_H

#include "physics/body.h"
#include "physics/metrics.h"

/* A record of physics/flat.h. */
typedef struct fm_turn_record {
    int32_t period;      /* steps */
    fm_var from, steady; /* s, rad */
} fm_turn_record;

/* What is kept from step to step: numbers alone. */
typedef struct fm_turn_kept {
    fm_turn turn;
    fm_real advance[2], transfer[2], diameter[2], radius[2]; /* metrics: value and how often */
} fm_turn_kept;
enum { FM_TURN_NUMBERS = 22 + 8 };

FM_FN void fm_turn_note(fm_real metric[2], fm_mask wanted, fm_real value)
{
    metric[0] = fm_select(wanted, value, metric[0]);
    metric[1] = fm_select(wanted, metric[1] + fm_const(1), metric[1]);
}

/* A sample at the time of this step, where the turn has begun. */
FM_FN void fm_turn_record_step(const fm_turn_record *p, const fm_body *body, const fm_body_state *state, uint64_t tick,
                               fm_par dt, fm_turn_kept *s)
{
    if (p->period != 1 && tick % (uint64_t)p->period != 0)
        return;
    const fm_real half = fm_const(0.5);
    const fm_mask on = (fm_const((fm_par)tick * dt) < fm_real_wide(p->from - (fm_par)p->period * dt / 2)) == 0;
    fm_real R[9], euler[3];
    fm_turn next = s->turn;
    fm_real *kept = (fm_real *)&s->turn;
    const fm_real *numbers = (const fm_real *)&next;
    fm_body_matrix(body, state->attitude, R);
    fm_euler_from_matrix(R, euler);
    fm_turn_add(&next, state->position[0], state->position[1], euler[2], p->steady);
    for (int i = 0; i < FM_TURN_NUMBERS - 8; i++)
        kept[i] = fm_select(on, numbers[i], kept[i]);
    const fm_real radius = fm_turn_radius(&s->turn);
    fm_turn_note(s->advance, on & (s->turn.quarter > half) & (s->advance[1] == fm_const(0)), s->turn.advance);
    fm_turn_note(s->transfer, on & (s->turn.quarter > half) & (s->transfer[1] == fm_const(0)), s->turn.transfer);
    fm_turn_note(s->diameter, on & (s->turn.half > half) & (s->diameter[1] == fm_const(0)), s->turn.diameter);
    fm_turn_note(s->radius, on & (radius > fm_const(0)), radius);
}

FM_FN void fm_turn_record_begin(fm_turn_kept *s)
{
    fm_real *numbers = (fm_real *)s;
    for (int i = 0; i < FM_TURN_NUMBERS; i++)
        numbers[i] = fm_const(0);
}

#endif
