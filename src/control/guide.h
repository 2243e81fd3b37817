/* The orders of a guidance, and its inputs: for the live engine's parts (control/guidance_part.h) and for whole runs of
 * batches (control/helm.h) alike. docs/theory/control.md, "Parts" */
#ifndef FM_CONTROL_GUIDE_H
#define FM_CONTROL_GUIDE_H

#include "physics/real.h"

/* What a guidance orders: 1 or 0 for each, and the values. */
typedef struct fm_guidance {
    fm_real heads;       /* a heading */
    fm_real dives;       /* a depth */
    fm_real runs;        /* a speed */
    fm_real stays;       /* a place, kept by thrusters; the speed does not count */
    fm_real rises;       /* an altitude, in place of a depth */
    fm_real heading;     /* rad */
    fm_real depth;       /* m */
    fm_real speed;       /* m/s through the water */
    fm_real altitude;    /* m above the bottom */
    fm_real position[2]; /* m, north and east */
    fm_real error;       /* m: off the track, > 0 to starboard; or distance from the place */
} fm_guidance;
enum { FM_GUIDANCE_NUMBERS = 12 };

/* Inputs of a decision. Guidances order based on the estimate; their metrics use the true state. */
typedef struct fm_guide_view {
    fm_par time;             /* s */
    const fm_real *position; /* m, NED, as believed */
    const fm_real *truth;    /* m, NED */
    fm_real heading;         /* rad, as believed */
    fm_real true_heading;    /* rad */
} fm_guide_view;

/* Numbers that become others where `where` holds. */
FM_FN void fm_guide_put(fm_mask where, int count, const fm_real *from, fm_real *numbers)
{
    for (int i = 0; i < count; i++)
        numbers[i] = fm_select(where, from[i], numbers[i]);
}

FM_FN void fm_guidance_set(fm_guidance *g, fm_mask where, const fm_guidance *to)
{
    fm_guide_put(where, FM_GUIDANCE_NUMBERS, &to->heads, &g->heads);
}

FM_FN fm_guidance fm_guidance_nothing(void)
{
    fm_guidance g;
    g.heads = g.dives = g.runs = g.stays = g.rises = fm_const(0);
    g.heading = g.depth = g.speed = g.altitude = g.position[0] = g.position[1] = g.error = fm_const(0);
    return g;
}

/* Heading [rad], depth [m] and speed [m/s] to make. */
FM_FN fm_guidance fm_guidance_to_run(fm_real heading, fm_real depth, fm_real speed, fm_real error)
{
    fm_guidance g = fm_guidance_nothing();
    g.heads = g.dives = g.runs = fm_const(1);
    g.heading = heading, g.depth = depth, g.speed = speed, g.error = error;
    return g;
}

/* Heading [rad] and place [m, NED] to keep. */
FM_FN fm_guidance fm_guidance_to_stay(fm_real heading, const fm_real point[3], fm_real error)
{
    fm_guidance g = fm_guidance_nothing();
    g.heads = g.dives = g.stays = fm_const(1);
    g.heading = heading, g.depth = point[2], g.error = error;
    g.position[0] = point[0], g.position[1] = point[1];
    return g;
}

/* Distance of two places, m. */
FM_FN fm_real fm_guidance_distance(const fm_real a[3], const fm_real b[3])
{
    fm_real dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
    return fm_sqrt(dx * dx + dy * dy + dz * dz);
}

#endif
