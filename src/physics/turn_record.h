/* <turning-circle> as a kernel: a turn measured from the moment the rudder is put over. docs/theory/control.md
 * (C22)-(C24) */
#ifndef FM_PHYSICS_TURN_RECORD_H
#define FM_PHYSICS_TURN_RECORD_H

#include "physics/body.h"
#include "physics/due.h"
#include "physics/metrics.h"

/* A record of physics/flat.h. */
typedef struct fm_turn_record {
    int32_t period;      /* steps */
    fm_var from, steady; /* s, rad */
} fm_turn_record;

/* State from step to step: only numbers. */
typedef struct fm_turn_kept {
    fm_turn turn;
    fm_real advance[2], transfer[2], diameter[2], radius[2]; /* metrics: value and how often */
} fm_turn_kept;
enum { FM_TURN_NUMBERS = 22 + 8 };

/* Metrics of a turn so far. */
typedef struct fm_turn_told {
    fm_mask quarter, half; /* 90 and 180 deg were passed: advance and transfer, diameter */
    fm_mask steady;        /* there is a radius */
    fm_real radius;        /* m */
} fm_turn_told;

/* One more sample at a time [s], where the turn has begun: true position [m, NED] and heading [rad]. */
FM_FN fm_turn_told fm_turn_take(const fm_turn_record *p, fm_par time, fm_par period, const fm_real position[3],
                                fm_real heading, fm_turn *turn)
{
    const fm_mask on = (fm_const(time) < fm_real_wide(p->from - period / 2)) == 0;
    const fm_real half = fm_const(0.5);
    fm_turn next = *turn;
    fm_real *kept = (fm_real *)turn;
    const fm_real *numbers = (const fm_real *)&next;
    fm_turn_add(&next, position[0], position[1], heading, p->steady);
    for (int i = 0; i < FM_TURN_NUMBERS - 8; i++)
        kept[i] = fm_select(on, numbers[i], kept[i]);
    fm_turn_told told;
    told.radius = fm_turn_radius(turn);
    told.quarter = on & (turn->quarter > half);
    told.half = on & (turn->half > half);
    told.steady = on & (told.radius > fm_const(0));
    return told;
}

/* For a kernel: of the metrics but the last the first value counts. */
FM_FN void fm_turn_record_step(const fm_turn_record *p, const fm_body *body, const fm_body_state *state, uint64_t tick,
                               fm_par dt, fm_turn_kept *s)
{
    if (!fm_part_is_due(p->period, tick))
        return;
    const fm_real none = fm_const(0);
    fm_real R[9], euler[3];
    fm_body_matrix(body, state->attitude, R);
    fm_euler_from_matrix(R, euler);
    const fm_turn_told told =
        fm_turn_take(p, (fm_par)tick * dt, (fm_par)p->period * dt, state->position, euler[2], &s->turn);
    fm_metric_keep(s->advance, told.quarter & (s->advance[1] == none), s->turn.advance);
    fm_metric_keep(s->transfer, told.quarter & (s->transfer[1] == none), s->turn.transfer);
    fm_metric_keep(s->diameter, told.half & (s->diameter[1] == none), s->turn.diameter);
    fm_metric_keep(s->radius, told.steady, told.radius);
}

FM_FN void fm_turn_record_begin(fm_turn_kept *s)
{
    fm_real *numbers = (fm_real *)s;
    for (int i = 0; i < FM_TURN_NUMBERS; i++)
        numbers[i] = fm_const(0);
}

#endif
