/* One touch: where two shapes meet, and the impulse that parts them. */
#include <math.h>
#include <string.h>

#include "world/contact_internal.h"

static const double bounce_speed =
    0.01; /* m/s over what one step gives: slower approaches do not bounce, so that resting contact rests */

/* Points of a shape that lie in a half-space: several, so that flat hulls rest flat. */
static size_t plane_contacts(const fm_shape *shape, const fm_shape *plane, fm_touch out[FM_CONTACT_POINTS])
{
    fm_separation s;
    fm_d3 n = fm_shape_plane_normal(plane);
    const double normal[3] = {n.x, n.y, n.z};
    size_t count = 0;
    fm_shape_separation(shape, plane, &s);
    if (s.distance >= 0)
        return 0;
    if (shape->kind != FM_SHAPE_BOX && shape->kind != FM_SHAPE_CAPSULE) {
        memcpy(out[0].point, s.point_a, sizeof s.point_a);
        memcpy(out[0].normal, normal, sizeof normal);
        out[0].depth = -s.distance;
        return 1;
    }
    for (int corner = 0; corner < (shape->kind == FM_SHAPE_BOX ? 8 : 2); corner++) {
        double local[3] = {0}, p[3], height = 0;
        if (shape->kind == FM_SHAPE_BOX)
            for (int i = 0; i < 3; i++)
                local[i] = corner >> i & 1 ? shape->size[i] : -shape->size[i];
        else
            local[shape->axis] = corner ? shape->size[1] : -shape->size[1];
        fm_vector_to_world(shape->rotation, local, p);
        for (int i = 0; i < 3; i++) {
            p[i] += shape->position[i] - (shape->kind == FM_SHAPE_CAPSULE ? shape->size[0] * normal[i] : 0);
            height += (p[i] - plane->position[i]) * normal[i];
        }
        if (height >= 0)
            continue;
        memcpy(out[count].point, p, sizeof p);
        memcpy(out[count].normal, normal, sizeof normal);
        out[count++].depth = -height;
    }
    return count;
}

size_t fm_contact_find_touches(const fm_shape *shape, const fm_shape *other, fm_touch out[FM_CONTACT_POINTS])
{
    if (other->kind == FM_SHAPE_PLANE)
        return plane_contacts(shape, other, out);
    fm_separation s;
    fm_shape_separation(shape, other, &s);
    if (s.distance >= 0)
        return 0;
    memcpy(out[0].point, s.point_b, sizeof s.point_b);
    memcpy(out[0].normal, s.normal, sizeof s.normal);
    out[0].depth = -s.distance;
    return 1;
}

/* Row of the contact in body axes: velocity along `direction` of the touched point = row · ν. */
static void contact_row(const double R[9], const double position[3], const double point[3], const double direction[3],
                        double row[6])
{
    double arm[3] = {point[0] - position[0], point[1] - position[1], point[2] - position[2]}, r[3];
    fm_vector_to_body(R, arm, r);
    fm_vector_to_body(R, direction, row);
    fm_cross(r, row, row + 3);
}

static double dot6(const double a[6], const double b[6])
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += a[i] * b[i];
    return sum;
}

double fm_contact_touch_row(fm_touch_side *s, const double point[3], const double direction[3])
{
    if (!s->vehicle)
        return 0;
    contact_row(s->R, s->vehicle->body.position, point, direction, s->row);
    fm_matrix6_mul(s->mass->inverse, s->row, s->pushed);
    return dot6(s->row, s->pushed);
}

/* Along the direction of the row that was set last. */
static double speed_along(const fm_touch_side *s, const double direction[3])
{
    return s->vehicle ? dot6(s->row, s->vehicle->body.velocity) : fm_dot(s->drift, direction);
}

/* Speed towards the other that the forces of this one step have given; what a body at rest arrives with. */
static double speed_of_a_step(const fm_touch_side *s)
{
    return s->vehicle ? fabs(dot6(s->row, s->vehicle->acceleration)) * s->step : 0;
}

static void push(fm_touch_side *s, double impulse)
{
    for (int i = 0; s->vehicle && i < 6; i++)
        s->vehicle->body.velocity[i] += impulse * s->pushed[i];
}

/* Velocity of the touched point of one side, NED. */
static void point_velocity(const fm_touch_side *s, const double point[3], double out[3])
{
    memcpy(out, s->drift, sizeof s->drift);
    if (!s->vehicle)
        return;
    double arm[3], r[3], turned[3], v[3];
    for (int i = 0; i < 3; i++)
        arm[i] = point[i] - s->vehicle->body.position[i];
    fm_vector_to_body(s->R, arm, r);
    fm_cross(s->vehicle->body.velocity + 3, r, turned);
    for (int i = 0; i < 3; i++)
        v[i] = s->vehicle->body.velocity[i] + turned[i];
    fm_vector_to_world(s->R, v, out);
}

/* Velocity of the touched point of a over that of b, NED. */
static void relative_velocity(const fm_touch_side *a, const fm_touch_side *b, const double point[3], double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int k = 0; k < 2; k++) {
        const fm_touch_side *s = k ? b : a;
        double w[3];
        point_velocity(s, point, w);
        for (int i = 0; i < 3; i++)
            out[i] += k ? -w[i] : w[i];
    }
}

/* Impulse along the normal through the virtual masses: λ = −(1 + e) v_n / (Jᵀ M⁻¹ J), then Coulomb friction across it.
 */
void fm_contact_exchange(fm_touch_side *a, fm_touch_side *b, const fm_touch *touch, double restitution, double friction)
{
    double k =
        fm_contact_touch_row(a, touch->point, touch->normal) + fm_contact_touch_row(b, touch->point, touch->normal);
    double approach = speed_along(a, touch->normal) - speed_along(b, touch->normal);
    if (!(k > 0) || approach >= 0)
        return;
    double resting = bounce_speed + 1.5 * (speed_of_a_step(a) + speed_of_a_step(b));
    double bounce = -approach > resting ? restitution : 0;
    double normal_impulse = -(1 + bounce) * approach / k;
    push(a, normal_impulse);
    push(b, -normal_impulse);
    double v[3], across = 0, along;
    relative_velocity(a, b, touch->point, v);
    along = fm_dot(v, touch->normal);
    for (int i = 0; i < 3; i++) {
        v[i] -= along * touch->normal[i];
        across += v[i] * v[i];
    }
    across = sqrt(across);
    if (friction <= 0 || across < 1e-9)
        return;
    for (int i = 0; i < 3; i++)
        v[i] /= across;
    double kt = fm_contact_touch_row(a, touch->point, v) + fm_contact_touch_row(b, touch->point, v);
    double impulse = fmin(across / kt, friction * normal_impulse);
    push(a, -impulse);
    push(b, impulse);
}
