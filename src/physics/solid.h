/* Solids for kernels: fixed and moving obstacles in the water, and the shapes of a hull. Distance of a point from one,
 * and between hulls. */
#ifndef FM_PHYSICS_SOLID_H
#define FM_PHYSICS_SOLID_H

#include "physics/track.h"
#include "physics/vector.h"

enum {
    FM_SOLID_PLANE,
    FM_SOLID_BALL,
    FM_SOLID_BOX,
    FM_SOLID_CYLINDER,
    FM_SOLID_CAPSULE,
    FM_SOLID_WITHIN /* another, within this ball */
};

/* A record of physics/flat.h. */
typedef struct fm_ground_solid {
    int32_t kind;                 /* FM_SOLID_… */
    int32_t first, points, loops; /* of its track, in the list of all; points 0: it stands still */
    fm_var centre[3];             /* m, NED; of a hull's shape: body axes */
    fm_var axes[9]; /* its own axes as columns, of a round body the first along it; a plane: the outward normal first */
    fm_var size[3]; /* m: radius; half lengths; radius and half length */
    fm_var speed;   /* m/s, the greatest on its track */
} fm_ground_solid;
enum { FM_SOLID_INTEGERS = 4, FM_SOLID_NUMBERS = 3 + 9 + 3 + 1 };

typedef struct fm_ground_station {
    fm_var t, position[3]; /* s; m, NED */
} fm_ground_station;

/* Where a solid is at time t [s]. */
FM_FN void fm_solid_where(const fm_ground_solid *s, const fm_ground_station *tracks, fm_par t, fm_real out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = fm_real_wide(s->centre[k]);
    if (!s->points)
        return;
    const fm_ground_station *track = tracks + s->first;
    const int last = s->points - 1;
    const fm_real now = fm_track_moment(fm_real_wide(track[0].t), fm_real_wide(track[last].t), s->loops, fm_const(t));
    for (int i = 0; i < (last ? last : 1); i++) {
        const fm_ground_station *a = &track[i], *b = &track[last ? i + 1 : 0];
        const fm_mask past = i ? now > fm_real_wide(a->t) : now == now;
        const fm_real part = fm_track_part(fm_real_wide(a->t), fm_real_wide(b->t), now);
        for (int k = 0; k < 3; k++)
            out[k] = fm_select(past, fm_track_between(fm_real_wide(a->position[k]), fm_real_wide(b->position[k]), part),
                               out[k]);
    }
}

/* Its velocity then, m/s; before its track begins and after it has ended it rests. */
FM_FN void fm_solid_velocity(const fm_ground_solid *s, const fm_ground_station *tracks, fm_par t, fm_real out[3])
{
    const fm_ground_station *track = tracks + s->first;
    const int last = s->points - 1;
    for (int k = 0; k < 3; k++)
        out[k] = fm_const(0);
    if (last < 1)
        return;
    const fm_real begins = fm_real_wide(track[0].t), ends = fm_real_wide(track[last].t);
    const fm_real now = fm_track_moment(begins, ends, s->loops, fm_const(t));
    fm_mask goes = fm_const(t) >= begins;
    if (!s->loops)
        goes = goes & (fm_const(t) <= ends);
    for (int i = 0; i < last; i++) {
        const fm_ground_station *a = &track[i], *b = &track[i + 1];
        const fm_mask past = goes & (i ? now > fm_real_wide(a->t) : now == now);
        for (int k = 0; k < 3; k++)
            out[k] = fm_select(past,
                               fm_track_speed(fm_real_wide(a->position[k]), fm_real_wide(b->position[k]),
                                              fm_real_wide(a->t), fm_real_wide(b->t)),
                               out[k]);
    }
}

/* Distance [m] from a point to a solid at `centre`; of one within a ball not more than it is, inside 0 or less. */
FM_FN fm_real fm_solid_distance(const fm_ground_solid *s, const fm_real centre[3], const fm_real point[3])
{
    const fm_real zero = fm_const(0);
    fm_real from[3], own[3];
    for (int k = 0; k < 3; k++)
        from[k] = point[k] - centre[k];
    for (int k = 0; k < 3; k++)
        own[k] = s->axes[k] * from[0] + s->axes[3 + k] * from[1] + s->axes[6 + k] * from[2];
    if (s->kind == FM_SOLID_PLANE)
        return own[0];
    if (s->kind == FM_SOLID_BALL || s->kind == FM_SOLID_WITHIN)
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

/* --- a hull --- */

typedef struct fm_hull_pose {
    fm_real position[3], R[9]; /* m, NED; body to world */
} fm_hull_pose;

FM_FN void fm_hull_centre(const fm_ground_solid *shape, const fm_hull_pose *at, fm_real out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = at->position[k] + at->R[3 * k] * shape->centre[0] + at->R[3 * k + 1] * shape->centre[1] +
                 at->R[3 * k + 2] * shape->centre[2];
}

/* The first of its own axes, NED. */
FM_FN void fm_hull_axis(const fm_ground_solid *shape, const fm_hull_pose *at, fm_real out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = at->R[3 * k] * shape->axes[0] + at->R[3 * k + 1] * shape->axes[3] + at->R[3 * k + 2] * shape->axes[6];
}

/* How far a shape reaches along a unit direction (NED), m from its centre. */
FM_FN fm_real fm_hull_reach(const fm_ground_solid *s, const fm_hull_pose *at, const fm_real n[3])
{
    fm_real body[3], along[3];
    for (int k = 0; k < 3; k++)
        body[k] = at->R[k] * n[0] + at->R[3 + k] * n[1] + at->R[6 + k] * n[2];
    for (int k = 0; k < 3; k++)
        along[k] = fm_abs(s->axes[k] * body[0] + s->axes[3 + k] * body[1] + s->axes[6 + k] * body[2]);
    if (s->kind == FM_SOLID_BOX)
        return along[0] * s->size[0] + along[1] * s->size[1] + along[2] * s->size[2];
    if (s->kind == FM_SOLID_CAPSULE)
        return along[0] * s->size[1] + s->size[0];
    if (s->kind == FM_SOLID_CYLINDER)
        return along[0] * s->size[1] + s->size[0] * fm_sqrt(fm_max(fm_const(1) - along[0] * along[0], fm_const(0)));
    return fm_real_wide(s->size[0]);
}

/* Radius about its centre that holds a shape, m. */
FM_FN fm_real fm_hull_radius(const fm_ground_solid *s)
{
    const fm_real a = fm_real_wide(s->size[0]), b = fm_real_wide(s->size[1]), c = fm_real_wide(s->size[2]);
    if (s->kind == FM_SOLID_BOX)
        return fm_sqrt(a * a + b * b + c * c);
    if (s->kind == FM_SOLID_CYLINDER)
        return fm_sqrt(a * a + b * b);
    return s->kind == FM_SOLID_CAPSULE ? a + b : a;
}

/* Distance [m] of two segments, each from its middle by ± a half (m, NED); at: where on the second, −1 … 1. */
FM_FN fm_real fm_segment_distance(const fm_real middle[3], const fm_real half[3], const fm_real other[3],
                                  const fm_real other_half[3], fm_real *at)
{
    const fm_real one = fm_const(1), tiny = fm_const(FM_TINY);
    fm_real r[3], d[3];
    for (int k = 0; k < 3; k++)
        r[k] = middle[k] - other[k];
    const fm_real uu = fm_max(fm_dot(half, half), tiny), vv = fm_max(fm_dot(other_half, other_half), tiny);
    const fm_real uv = fm_dot(half, other_half), ur = fm_dot(half, r), vr = fm_dot(other_half, r);
    const fm_real det = uu * vv - uv * uv;
    const fm_mask skew = det > fm_const(1e-14) * uu * vv;
    fm_real s = fm_select(skew, (uv * vr - vv * ur) / fm_select(skew, det, one), -ur / uu);
    s = fm_clamp(s, -one, one);
    fm_real t = fm_clamp((uv * s + vr) / vv, -one, one);
    s = fm_clamp((uv * t - ur) / uu, -one, one);
    t = fm_clamp((uv * s + vr) / vv, -one, one);
    for (int k = 0; k < 3; k++)
        d[k] = r[k] + s * half[k] - t * other_half[k];
    *at = t;
    return fm_norm(d);
}

/* Whether the distance of these two kinds is known exactly; otherwise only a lower bound is. */
FM_FN int fm_gap_is_known(int32_t shape, int32_t solid)
{
    if (shape == FM_SOLID_WITHIN || solid == FM_SOLID_WITHIN)
        return 0;
    return solid == FM_SOLID_PLANE || solid == FM_SOLID_BALL || shape == FM_SOLID_BALL ||
           (shape == FM_SOLID_CAPSULE && (solid == FM_SOLID_CAPSULE || solid == FM_SOLID_CYLINDER));
}

/* Distance [m] of a shape of a hull to a solid at `centre`; dim: not known, but it is not less. */
FM_WHOLE fm_real fm_hull_gap(const fm_ground_solid *shape, const fm_hull_pose *at, const fm_ground_solid *solid,
                             const fm_real centre[3], fm_mask *dim)
{
    fm_real middle[3], own[3], half[3], long_way[3], end;
    const fm_mask never = fm_const(0) > fm_const(0);
    fm_hull_centre(shape, at, middle);
    *dim = fm_gap_is_known(shape->kind, solid->kind) ? never : never == 0;
    if (solid->kind == FM_SOLID_PLANE) {
        for (int k = 0; k < 3; k++)
            own[k] = fm_real_wide(solid->axes[3 * k]);
        return fm_solid_distance(solid, centre, middle) - fm_hull_reach(shape, at, own);
    }
    if (solid->kind == FM_SOLID_BALL && shape->kind != FM_SOLID_WITHIN) {
        fm_real from[3], local[3];
        for (int k = 0; k < 3; k++)
            from[k] = centre[k] - at->position[k];
        for (int k = 0; k < 3; k++) {
            own[k] = at->R[k] * from[0] + at->R[3 + k] * from[1] + at->R[6 + k] * from[2];
            local[k] = fm_real_wide(shape->centre[k]);
        }
        return fm_solid_distance(shape, local, own) - fm_real_wide(solid->size[0]);
    }
    if (!fm_gap_is_known(shape->kind, solid->kind) || shape->kind == FM_SOLID_BALL)
        return fm_solid_distance(solid, centre, middle) - fm_hull_radius(shape);
    fm_hull_axis(shape, at, own);
    for (int k = 0; k < 3; k++) {
        half[k] = own[k] * shape->size[1];
        long_way[k] = fm_real_wide(solid->axes[3 * k]) * solid->size[1];
    }
    const fm_real gap = fm_segment_distance(middle, half, centre, long_way, &end) - fm_real_wide(shape->size[0]) -
                        fm_real_wide(solid->size[0]);
    if (solid->kind == FM_SOLID_CYLINDER) /* it ends flat: beyond its ends it is not as near */
        *dim = fm_abs(end) >= fm_const(1);
    return gap;
}

/* m along a ray to a plane that it begins `height` m above and nears by `nearing` a metre; infinite where it does not
 * come down to it. */
FM_FN fm_real fm_plane_reach(fm_real height, fm_real nearing)
{
    fm_real zero = fm_const(0);
    return fm_select(nearing > zero, fm_max(height / nearing, zero),
                     fm_select(height <= zero, zero, fm_const((fm_par)HUGE_VAL)));
}

#endif
