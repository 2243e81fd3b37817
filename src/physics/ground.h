/* The bottom by numbers and what stands in the water, as kernels see them: water depth at a place, and whether a hull
 * may come to touch something in a step. docs/theory/ocean.md (O7.1) */
#ifndef FM_PHYSICS_GROUND_H
#define FM_PHYSICS_GROUND_H

#include "physics/vector.h"

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
    fm_var depth, slope_x, slope_y; /* of a plane */
    fm_var x0, dx;                  /* of the nodes, m */
    fm_var reach;                   /* m, from the body's origin to the end of the hull */
} fm_ground;
enum { FM_GROUND_INTEGERS = 6, FM_GROUND_NUMBERS = 6 };

typedef struct fm_ground_mound {
    fm_var height, centre[2], alpha, beta; /* m of water depth, m, 1/m */
} fm_ground_mound;

enum { FM_SOLID_PLANE, FM_SOLID_BALL, FM_SOLID_BOX, FM_SOLID_CYLINDER, FM_SOLID_CAPSULE };

typedef struct fm_ground_solid {
    int32_t kind;     /* FM_SOLID_… */
    fm_var centre[3]; /* m, NED */
    fm_var axes[9]; /* its own axes as columns, of a round body the first along it; a plane: the outward normal first */
    fm_var size[3]; /* m: radius; half lengths; radius and half length */
} fm_ground_solid;

typedef struct fm_ground_craft {
    const fm_ground *p;
    const fm_var *nodes; /* depths, m */
    const fm_ground_mound *mounds;
    const fm_ground_solid *solids;
    fm_par dt; /* s of a step */
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

/* Distance [m] from a point to a solid; not more than it is. */
FM_FN fm_real fm_solid_distance(const fm_ground_solid *s, const fm_real point[3])
{
    const fm_real zero = fm_const(0);
    fm_real from[3], own[3];
    for (int k = 0; k < 3; k++)
        from[k] = point[k] - s->centre[k];
    for (int k = 0; k < 3; k++)
        own[k] = s->axes[k] * from[0] + s->axes[3 + k] * from[1] + s->axes[6 + k] * from[2];
    if (s->kind == FM_SOLID_PLANE)
        return own[0];
    if (s->kind == FM_SOLID_BALL)
        return fm_norm(from) - fm_real_wide(s->size[0]);
    if (s->kind == FM_SOLID_BOX) {
        for (int k = 0; k < 3; k++)
            own[k] = fm_max(fm_abs(own[k]) - fm_real_wide(s->size[k]), zero);
        return fm_norm(own);
    }
    const fm_real beyond = fm_max(fm_abs(own[0]) - fm_real_wide(s->size[1]), zero);
    const fm_real across = fm_sqrt(own[1] * own[1] + own[2] * own[2]);
    if (s->kind == FM_SOLID_CAPSULE)
        return fm_sqrt(across * across + beyond * beyond) - fm_real_wide(s->size[0]);
    const fm_real outside = fm_max(across - fm_real_wide(s->size[0]), zero);
    return fm_sqrt(outside * outside + beyond * beyond);
}

/* Where a hull at this position, with this velocity (m/s), may have touched something in the step that led there, or
 * may do so in the next: a ball about it comes near. The others are certain not to. */
FM_FN fm_mask fm_ground_may_touch(const fm_ground_craft *c, const fm_real position[3], const fm_real velocity[3])
{
    const fm_ground *p = c->p;
    const fm_real half = p->reach + fm_const(0.01) + fm_const(2 * c->dt) * fm_norm(velocity);
    fm_mask may = fm_const(0) > fm_const(0);
    if (p->kind != FM_GROUND_NONE)
        may = fm_ground_least(c, position[0], position[1], half) < position[2] + half;
    if (p->kind == FM_GROUND_NODES)
        may = may | (fm_const(2) * half > fm_real_wide((fm_par)(p->span - 1) * p->dx));
    for (int i = 0; i < p->solids; i++)
        may = may | (fm_solid_distance(&c->solids[i], position) < half);
    return may;
}

#endif
