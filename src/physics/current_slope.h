/* Gradient and rate of a current, by central differences, and the stream that a body meets in it.
 *
 * Where currents come from is fixed when an engine is compiled: FM_SLOPE_TYPE is their type, and
 * FM_SLOPE_VELOCITY(field, t, position, out) sets their velocity (m/s, NED), FM_SLOPE_SMOOTH(field, t, position, out)
 * that of those which change little over a hull: all but vortex streets. */
#ifndef FM_PHYSICS_CURRENT_SLOPE_H
#define FM_PHYSICS_CURRENT_SLOPE_H

#include "physics/body.h"

#define FM_SLOPE_STEP 0.01 /* m, s: of the differences */

/* ∂v_i/∂x_j at out[3 i + j], 1/s. */
FM_FN void fm_slope_gradient(const FM_SLOPE_TYPE *field, fm_real t, const fm_real position[3], fm_real out[9])
{
    fm_real h = fm_const(FM_SLOPE_STEP);
    for (int j = 0; j < 3; j++) {
        fm_real before[3], after[3], p[3] = {position[0], position[1], position[2]};
        p[j] = position[j] - h;
        FM_SLOPE_VELOCITY(field, t, p, before);
        p[j] = position[j] + h;
        FM_SLOPE_VELOCITY(field, t, p, after);
        for (int i = 0; i < 3; i++)
            out[3 * i + j] = (after[i] - before[i]) / (fm_const(2) * h);
    }
}

/* ∂v/∂t at a fixed point, m/s². */
FM_FN void fm_slope_rate(const FM_SLOPE_TYPE *field, fm_real t, const fm_real position[3], fm_real out[3])
{
    fm_real h = fm_const(FM_SLOPE_STEP), before[3], after[3];
    FM_SLOPE_VELOCITY(field, t - h, position, before);
    FM_SLOPE_VELOCITY(field, t + h, position, after);
    for (int i = 0; i < 3; i++)
        out[i] = (after[i] - before[i]) / (fm_const(2) * h);
}

/* The change of the field along `way` (m/s), 1/s times m/s: the mean of ∇v·way over `reach` metres to either side. */
FM_FN void fm_slope_along(const FM_SLOPE_TYPE *field, fm_real t, const fm_real position[3], const fm_real way[3],
                          fm_real reach, fm_real out[3])
{
    fm_real speed = fm_norm(way) + fm_const(FM_TINY), before[3], after[3], p[3], q[3];
    for (int i = 0; i < 3; i++) {
        p[i] = position[i] - reach * (way[i] / speed);
        q[i] = position[i] + reach * (way[i] / speed);
    }
    FM_SLOPE_SMOOTH(field, t, p, before);
    FM_SLOPE_SMOOTH(field, t, q, after);
    for (int i = 0; i < 3; i++)
        out[i] = (after[i] - before[i]) * (speed / (fm_const(2) * reach));
}

/* Adds to the stream of a body that moves at `over_ground` (m/s, NED): velocity, the current's part of Du/Dt, and the
 * rotation of the water along the hull. out->velocity already has all other motion of the water. Du/Dt = (∂c/∂t + ∇c·v)
 * − ∇c·(v − u): the exact change along the body's path, minus the change it would not see if it moved with the water,
 * as a mean over the hull. */
FM_FN void fm_slope_meet(const FM_SLOPE_TYPE *field, fm_real t, const fm_body *body, const fm_real position[3],
                         const fm_real over_ground[3], const fm_real R[9], fm_stream *out)
{
    fm_real velocity[3], gradient[9], rate[3], through[3], passed[3];
    FM_SLOPE_VELOCITY(field, t, position, velocity);
    fm_slope_gradient(field, t, position, gradient);
    fm_slope_rate(field, t, position, rate);
    for (int i = 0; i < 3; i++) {
        out->velocity[i] += velocity[i];
        through[i] = over_ground[i] - out->velocity[i];
        out->acceleration[i] += rate[i];
        for (int k = 0; k < 3; k++)
            out->acceleration[i] += gradient[3 * i + k] * over_ground[k];
    }
    fm_slope_along(field, t, position, through, fm_max(fm_real_wide(body->hull.reach), fm_const(FM_SLOPE_STEP)),
                   passed);
    for (int i = 0; i < 3; i++)
        out->acceleration[i] -= passed[i];
    for (int i = 0; i < 3; i++) { /* body gradient Rᵀ G R: rows v and w, column x */
        fm_real along = gradient[3 * i] * R[0] + gradient[3 * i + 1] * R[3] + gradient[3 * i + 2] * R[6];
        out->turn[1] += R[3 * i + 1] * along;
        out->turn[0] += R[3 * i + 2] * along;
    }
}

#endif
