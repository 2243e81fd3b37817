/* The bottom by numbers, as kernels see it: water depth at a place, and whether a hull may come to touch it in a step.
 * docs/theory/ocean.md (O7.1) */
#ifndef FM_PHYSICS_GROUND_H
#define FM_PHYSICS_GROUND_H

#include "physics/solid.h"

/* --- formulas, m --- */

FM_FN fm_real fm_ground_plane(fm_var depth, fm_var slope_x, fm_var slope_y, fm_real x, fm_real y)
{
    return depth + slope_x * x + slope_y * y;
}

FM_FN fm_real fm_ground_between(fm_real low, fm_real high, fm_real fraction)
{
    return low + fraction * (high - low);
}

/* (O7.1) α²Δx² + β²Δy²; beyond FM_MOUND_END a mound adds nothing. */
#define FM_MOUND_END 700
FM_FN fm_real fm_mound_exponent(fm_var alpha, fm_var beta, fm_real dx, fm_real dy)
{
    const fm_var a2 = alpha * alpha, b2 = beta * beta;
    return a2 * dx * dx + b2 * dy * dy;
}

/* --- records of physics/flat.h --- */

enum { FM_GROUND_NONE, FM_GROUND_PLANE, FM_GROUND_NODES };

typedef struct fm_ground {
    int32_t kind;                   /* FM_GROUND_… */
    int32_t nodes, mounds, solids;  /* how many */
    int32_t span;                   /* nodes that a hull may be above at once */
    int32_t touches;                /* 1: hull and surroundings may touch */
    int32_t shapes;                 /* of the hull */
    int32_t ends;                   /* a contact ends the run, and changes nothing else */
    int32_t clearance;              /* min_clearance is wanted */
    int32_t crushes;                /* there is a depth that ends the run */
    fm_var depth, slope_x, slope_y; /* of a plane */
    fm_var x0, dx;                  /* of the nodes, m */
    fm_var reach;                   /* m, from the body's origin to the end of the hull */
    fm_var touch, crush;            /* m: nearer is a contact; depth */
    fm_var up[3];                   /* unit, NED, out of the plane */
} fm_ground;
enum { FM_GROUND_INTEGERS = 10, FM_GROUND_NUMBERS = 11 };

typedef struct fm_ground_mound {
    fm_var height, centre[2], alpha, beta; /* m of water depth, m, 1/m */
} fm_ground_mound;

typedef struct fm_ground_craft {
    const fm_ground *p;
    const fm_var *nodes; /* depths, m */
    const fm_ground_mound *mounds;
    const fm_ground_solid *solids;
    const fm_ground_solid *shapes;   /* of the hull, body axes */
    const fm_ground_station *tracks; /* of the solids */
    fm_par dt;                       /* s of a step */
} fm_ground_craft;

/* Entry `at` (whole, lane by lane) of a list of parameters. */
FM_FN fm_real fm_ground_entry(const fm_var *list, fm_real at)
{
#if defined(FM_LANES) && !defined(FM_ONE_TYPE) && !defined(__CUDACC__)
    for (int i = 0; i < FM_LANES; i++)
        at[i] = list[(int32_t)at[i]][i];
    return at;
#else
    return fm_table_entry(list, at);
#endif
}

/* --- water depth --- */

FM_FN fm_real fm_ground_base(const fm_ground_craft *c, fm_real x, fm_real y)
{
    const fm_ground *p = c->p;
    if (p->kind == FM_GROUND_PLANE)
        return fm_ground_plane(p->depth, p->slope_x, p->slope_y, x, y);
    const fm_real last = fm_const((fm_par)(p->nodes - 1));
    const fm_real u = fm_clamp((x - p->x0) / p->dx, fm_const(0), last), low = fm_real_floor(u);
    return fm_ground_between(fm_ground_entry(c->nodes, low), fm_ground_entry(c->nodes, fm_min(low + fm_const(1), last)),
                             u - low);
}

/* Water depth [m], not less than 0; kind is not FM_GROUND_NONE. */
FM_FN fm_real fm_ground_depth(const fm_ground_craft *c, fm_real x, fm_real y)
{
    fm_real depth = fm_ground_base(c, x, y);
    for (int i = 0; i < c->p->mounds; i++) {
        const fm_ground_mound *m = &c->mounds[i];
        const fm_real exponent = fm_mound_exponent(m->alpha, m->beta, x - m->centre[0], y - m->centre[1]);
        const fm_real h = m->height * fm_exp(-fm_min(exponent, fm_const(FM_MOUND_END)));
        depth = fm_select(exponent > fm_const(FM_MOUND_END), depth, depth + h);
    }
    return fm_select(depth < fm_const(0), fm_const(0), depth);
}

/* --- what may be touched --- */

/* A depth that no ground within `half` m along each axis is above. */
FM_FN fm_real fm_ground_least(const fm_ground_craft *c, fm_real x, fm_real y, fm_real half)
{
    const fm_ground *p = c->p;
    const fm_real zero = fm_const(0);
    fm_real least;
    if (p->kind == FM_GROUND_PLANE) {
        least = fm_ground_base(c, x, y) - half * (fm_abs(fm_real_wide(p->slope_x)) + fm_abs(fm_real_wide(p->slope_y)));
    } else {
        const fm_real last = fm_const((fm_par)(p->nodes - 1));
        const fm_real first = fm_real_floor(fm_clamp((x - half - p->x0) / p->dx, zero, last));
        least = fm_ground_entry(c->nodes, first);
        for (int k = 1; k <= p->span; k++)
            least = fm_min(least, fm_ground_entry(c->nodes, fm_min(first + fm_const((fm_par)k), last)));
    }
    for (int i = 0; i < p->mounds; i++) {
        const fm_ground_mound *m = &c->mounds[i];
        const fm_real dx = fm_max(fm_abs(x - m->centre[0]) - half, zero),
                      dy = fm_max(fm_abs(y - m->centre[1]) - half, zero);
        const fm_real q = fm_min(fm_mound_exponent(m->alpha, m->beta, dx, dy), fm_const(FM_MOUND_END));
        least += fm_min(m->height * fm_exp(-q), zero);
    }
    return least;
}

/* Whether the bottom is one plane, to which distances are known. */
FM_FN int fm_ground_is_flat(const fm_ground *p)
{
    return p->kind == FM_GROUND_PLANE && !p->mounds;
}

/* Where a hull within `half` m may have touched the bottom. The others are certain not to. */
FM_FN fm_mask fm_ground_may_touch(const fm_ground_craft *c, const fm_real position[3], fm_real half)
{
    const fm_ground *p = c->p;
    fm_mask may = fm_ground_least(c, position[0], position[1], half) < position[2] + half;
    if (p->kind == FM_GROUND_NODES)
        may = may | (fm_const(2) * half > fm_real_wide((fm_par)(p->span - 1) * p->dx));
    return may;
}

#endif
