/* <mission>: timed set points. docs/theory/control.md, "Parts" */
#ifndef FM_CONTROL_MISSION_H
#define FM_CONTROL_MISSION_H

#include "control/guide.h"

/* What a step names. */
enum {
    FM_ORDERS_HEADING = 1,
    FM_ORDERS_DEPTH = 2,
    FM_ORDERS_SPEED = 4,
    FM_ORDERS_POSITION = 8,
    FM_ORDERS_ALTITUDE = 16
};

/* One <at>; a record of physics/flat.h. */
typedef struct fm_mission_step {
    int32_t orders;                         /* FM_ORDERS_… */
    fm_var t;                               /* s */
    fm_var heading, depth, speed, altitude; /* rad, m, m/s, m */
    fm_var position[2];                     /* m, north and east */
} fm_mission_step;
enum { FM_MISSION_STEP_NUMBERS = 7 };

typedef struct fm_mission {
    const fm_mission_step *steps; /* in rising time */
    int count;
} fm_mission;

/* What a step names; a speed ends the keeping of a place, a depth that of an altitude, and the other way round. */
FM_FN void fm_mission_take(const fm_mission_step *step, fm_mask due, fm_guidance *g)
{
    fm_real zero = fm_const(0), one = fm_const(1);
    fm_guidance to = *g;
    if (step->orders & FM_ORDERS_HEADING)
        to.heads = one, to.heading = fm_real_wide(step->heading);
    if (step->orders & FM_ORDERS_DEPTH)
        to.dives = one, to.rises = zero, to.depth = fm_real_wide(step->depth);
    if (step->orders & FM_ORDERS_ALTITUDE)
        to.rises = one, to.dives = zero, to.altitude = fm_real_wide(step->altitude);
    if (step->orders & FM_ORDERS_SPEED)
        to.runs = one, to.stays = zero, to.speed = fm_real_wide(step->speed);
    if (step->orders & FM_ORDERS_POSITION) {
        to.stays = one, to.runs = zero;
        to.position[0] = fm_real_wide(step->position[0]);
        to.position[1] = fm_real_wide(step->position[1]);
    }
    fm_guidance_set(g, due, &to);
}

/* Applies the steps that are due at a time [s] and estimated position [m, NED]; `next` is the number of the first
 * pending one. Half a period of tolerance: the sum of steps is not exact. */
FM_WHOLE void fm_mission_run(const fm_mission *m, fm_par time, fm_par period, const fm_real position[3], fm_real *next,
                             fm_guidance *g)
{
    const fm_real until = fm_const(time + period / 2), half = fm_const(0.5);
    for (int i = 0; i < m->count; i++) {
        const fm_mask due = (*next == fm_const((fm_par)i)) & (fm_real_wide(m->steps[i].t) <= until);
        if (!fm_any(due))
            continue;
        fm_mission_take(&m->steps[i], due, g);
        *next = fm_select(due, *next + fm_const(1), *next);
    }
    if (!fm_any(g->stays > half))
        return;
    const fm_real dx = g->position[0] - position[0], dy = g->position[1] - position[1];
    g->error = fm_select(g->stays > half, fm_sqrt(dx * dx + dy * dy), g->error);
}

#endif
