/* <station>: a place and a heading to keep for a time. docs/theory/control.md (C10), "Parts" */
#ifndef FM_CONTROL_STAY_H
#define FM_CONTROL_STAY_H

#include "control/guide.h"
#include "physics/angle.h"

/* A record of physics/flat.h. */
typedef struct fm_stay_params {
    int32_t turned;     /* a heading was given; 0: that of the beginning is kept */
    fm_var position[3]; /* m, NED */
    fm_var heading;     /* rad */
    fm_var from, until; /* s */
    fm_var settle;      /* s after the beginning; from then on it is measured */
} fm_stay_params;
enum { FM_STAY_NUMBERS = 7 };

/* State from decision to decision. Zeroed = not begun. */
typedef struct fm_stay_state {
    fm_real begun;   /* 0 or 1 */
    fm_real since;   /* s */
    fm_real heading; /* rad, at the beginning */
} fm_stay_state;
enum { FM_STAY_KEPT = 3 };

/* Outputs of a decision besides its orders. */
typedef struct fm_stay_told {
    fm_mask on, settled; /* keeps its place; after its settling time */
    fm_real away;        /* m, truly, from the place */
    fm_real off;         /* rad, truly, of the heading */
} fm_stay_told;

FM_WHOLE void fm_stay_step(const fm_stay_params *p, const fm_guide_view *v, fm_stay_state *s, fm_guidance *g,
                           fm_stay_told *told)
{
    const fm_real now = fm_const(v->time);
    const fm_mask on = (now >= fm_real_wide(p->from)) & (now < fm_real_wide(p->until));
    fm_real point[3];
    *g = fm_guidance_nothing();
    told->on = told->settled = on;
    if (!fm_any(on))
        return;
    const fm_mask first = on & (s->begun < fm_const(0.5));
    s->begun = fm_select(on, fm_const(1), s->begun);
    s->since = fm_select(first, now, s->since);
    s->heading = fm_select(first, v->heading, s->heading);
    for (int k = 0; k < 3; k++)
        point[k] = fm_real_wide(p->position[k]);
    const fm_real heading = p->turned ? fm_real_wide(p->heading) : s->heading;
    const fm_guidance to = fm_guidance_to_stay(heading, point, fm_guidance_distance(point, v->position));
    fm_guidance_set(g, on, &to);
    told->settled = on & (now - s->since >= fm_real_wide(p->settle));
    told->away = fm_guidance_distance(point, v->truth);
    told->off = fm_angle_wrap_pi(heading - v->true_heading);
}

#endif
