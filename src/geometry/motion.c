#include "geometry/motion.h"

#include <string.h>

#include "physics/posture.h"
#include "physics/vector.h"

static void set_axis(fm_motion *m, fm_d3 axis, double angle)
{
    double R[9];
    m->angle = fabs(angle);
    fm_d3_store(fm_d3_scale(axis, angle < 0 ? -1 : 1), m->axis);
    fm_quat_matrix(m->start + 3, R);
    fm_vector_to_world(R, m->axis, m->world_axis);
}

void fm_motion_rest(const double start[FM_POSE], fm_motion *out)
{
    *out = (fm_motion){.axis = {1, 0, 0}, .world_axis = {1, 0, 0}};
    memcpy(out->start, start, sizeof out->start);
}

void fm_motion_drift(const double start[FM_POSE], const double velocity[6], double time, const double pivot[3],
                     fm_motion *out)
{
    double R[9], turned[3], v[3], way[3], turn[3];
    fm_cross(velocity + 3, pivot, turned);
    for (int k = 0; k < 3; k++) {
        v[k] = (velocity[k] + turned[k]) * time;
        turn[k] = velocity[3 + k] * time;
    }
    fm_quat_matrix(start + 3, R);
    fm_vector_to_world(R, v, way);
    fm_motion_set(start, way, turn, out);
    memcpy(out->pivot, pivot, sizeof out->pivot);
}

void fm_motion_set(const double start[FM_POSE], const double way[3], const double turn[3], fm_motion *out)
{
    fm_motion_rest(start, out);
    memcpy(out->way, way, sizeof out->way);
    set_axis(out, fm_d3_unit(fm_d3_of(turn), (fm_d3){1, 0, 0}), fm_d3_norm(fm_d3_of(turn)));
}

void fm_motion_between(const double from[FM_POSE], const double to[FM_POSE], const double turn[3], fm_motion *out)
{
    double back[4] = {from[3], -from[4], -from[5], -from[6]}, q[4];
    fm_motion_rest(from, out);
    for (int k = 0; k < 3; k++)
        out->way[k] = to[k] - from[k];
    fm_quat_mul(back, to + 3, q);
    double sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), angle = sine > 0 ? 2 * fm_atan2(sine, q[0]) : 0;
    fm_d3 axis = fm_d3_unit((fm_d3){q[1], q[2], q[3]}, fm_d3_unit(fm_d3_of(turn), (fm_d3){1, 0, 0}));
    double expected = fm_d3_dot(axis, fm_d3_of(turn));
    set_axis(out, axis, angle + 2 * FM_PI * floor((expected - angle) / (2 * FM_PI) + 0.5));
}

void fm_motion_at(const fm_motion *m, double s, double pose[FM_POSE])
{
    memcpy(pose, m->start, sizeof m->start);
    if (s == 0)
        return;
    for (int k = 0; k < 3; k++)
        pose[k] += s * m->way[k];
    if (m->angle == 0)
        return;
    double half = 0.5 * s * m->angle, sine = fm_sin(half);
    double turn[4] = {fm_cos(half), sine * m->axis[0], sine * m->axis[1], sine * m->axis[2]};
    fm_quat_mul(m->start + 3, turn, pose + 3);
    if (m->pivot[0] == 0 && m->pivot[1] == 0 && m->pivot[2] == 0)
        return;
    double R[9], before[3], after[3];
    fm_quat_matrix(m->start + 3, R);
    fm_vector_to_world(R, m->pivot, before);
    fm_quat_matrix(pose + 3, R);
    fm_vector_to_world(R, m->pivot, after);
    for (int k = 0; k < 3; k++)
        pose[k] += before[k] - after[k];
}

double fm_motion_lever(const fm_motion *m, const fm_shape *shape)
{
    fm_d3 a = fm_d3_of(m->axis);
    fm_d3 arm = fm_d3_sub(fm_d3_of(shape->position), fm_d3_of(m->pivot));
    double lever = fm_d3_norm(fm_d3_cross(a, arm)), across[3];
    for (int i = 0; i < 3; i++) {
        fm_d3 e = {shape->rotation[i], shape->rotation[3 + i], shape->rotation[6 + i]};
        across[i] = fm_d3_norm(fm_d3_cross(a, e));
    }
    const double *s = shape->size;
    switch (shape->kind) {
    case FM_SHAPE_SPHERE: return lever;
    case FM_SHAPE_BOX: return lever + s[0] * across[0] + s[1] * across[1] + s[2] * across[2];
    case FM_SHAPE_CYLINDER: return lever + s[0] + s[1] * across[shape->axis];
    case FM_SHAPE_CAPSULE: return lever + s[1] * across[shape->axis];
    case FM_SHAPE_ELLIPSOID: {
        fm_d3 stretched = {s[0] * across[0], s[1] * across[1], s[2] * across[2]};
        return lever + fm_d3_norm(stretched);
    }
    default: return lever + fm_shape_bounding_radius(shape);
    }
}

/* A point at a lever r from the axis has the acceleration angle² r across it; a function whose second derivative is
 * at most c lies within c h²/8 of its chord. */
double fm_motion_bend(const fm_motion *m, double lever, fm_d3 n)
{
    if (m->angle == 0)
        return 0;
    return 0.125 * m->angle * m->angle * lever * fm_d3_norm(fm_d3_cross(n, fm_d3_of(m->world_axis)));
}
