/* Impulses at contact points. Along the normal of each point, an impulse that leaves no approach (or −e of a fast one);
 * across it, one that stops sliding, limited to friction × normal impulse: solved point by point until convergence
 * (projected Gauss–Seidel), through the virtual mass M of each vehicle: Δν = M⁻¹ Jᵀ λ. */
#include <math.h>
#include <string.h>

#include "physics/posture.h"
#include "physics/vector.h"
#include "world/contact_internal.h"

enum { ROUNDS_MOST = 400 };
static const double HASTE = 1.3,
                    JOINT_TOLERANCE = 1e-6; /* for many bodies: over-relaxation, and the remaining approach */
static const double bounce_speed = 0.01; /* m/s above the change of one step: slower approaches do not bounce, so that a
                                          * resting contact stays at rest */

static fm_contact_row *row_of(fm_contact_point *p, int i)
{
    return i == 0 ? &p->normal : &p->across[i - 1];
}

static double dot6(const double a[6], const double b[6])
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += a[i] * b[i];
    return sum;
}

static void make_row(const fm_touch_side *s, const double point[3], const double direction[3], double row[6])
{
    double arm[3] = {point[0] - s->position[0], point[1] - s->position[1], point[2] - s->position[2]}, r[3];
    fm_vector_to_body(s->R, arm, r);
    fm_vector_to_body(s->R, direction, row);
    fm_cross(r, row, row + 3);
}

double fm_contact_yield(const fm_touch_side *s, const double point[3], const double direction[3])
{
    double row[6], pushed[6];
    if (!s->inverse)
        return 0;
    make_row(s, point, direction, row);
    fm_matrix6_mul(s->inverse, row, pushed);
    return dot6(row, pushed);
}

static void set_row(const fm_touch_side *a, const fm_touch_side *b, const fm_touch *t, const double direction[3],
                    fm_contact_row *out)
{
    memset(out, 0, sizeof *out);
    make_row(a, t->point, direction, out->row_a);
    fm_matrix6_mul(a->inverse, out->row_a, out->pushed_a);
    out->softness = dot6(out->row_a, out->pushed_a);
    out->still = fm_dot(t->drift, direction);
    if (!b)
        return;
    make_row(b, t->point, direction, out->row_b);
    if (b->inverse) {
        fm_matrix6_mul(b->inverse, out->row_b, out->pushed_b);
        out->softness += dot6(out->row_b, out->pushed_b);
    }
}

static double speed_along(const fm_touch_side *a, const fm_touch_side *b, const fm_contact_row *r)
{
    return dot6(r->row_a, a->velocity) - (b ? dot6(r->row_b, b->velocity) : 0) - r->still;
}

static void push(fm_touch_side *a, fm_touch_side *b, fm_contact_row *r, double impulse)
{
    r->impulse += impulse;
    for (int i = 0; i < 6; i++) {
        a->velocity[i] += impulse * r->pushed_a[i];
        if (b)
            b->velocity[i] -= impulse * r->pushed_b[i];
    }
}

/* Two unit vectors across the normal. */
static void tangents(const double n[3], double first[3], double second[3])
{
    int least = fabs(n[1]) < fabs(n[0]) ? 1 : 0;
    least = fabs(n[2]) < fabs(n[least]) ? 2 : least;
    double axis[3] = {least == 0, least == 1, least == 2};
    fm_cross(n, axis, first);
    double length = sqrt(fm_dot(first, first));
    for (int k = 0; k < 3; k++)
        first[k] /= length;
    fm_cross(n, first, second);
}

/* Approach speed caused by the forces of the step alone, m/s: that of a body at rest. */
static double speed_of_a_step(const fm_touch_side *a, const fm_touch_side *b, const fm_contact_row *r)
{
    return fmax((b ? dot6(r->row_b, b->gained) : 0) - dot6(r->row_a, a->gained), 0);
}

/* The part of the approach speed that belongs to the part of the step after the contact, m/s. */
static double speed_to_come(const fm_touch_side *a, const fm_touch_side *b, const fm_contact_row *r)
{
    return (b ? dot6(r->row_b, b->coming) : 0) - dot6(r->row_a, a->coming);
}

/* Velocities are those at the end of the step. So the separation speed is −e times the approach at the contact, minus
 * the change by the forces until then: a bounce gains no energy from its position within the step. */
static void set_point(const fm_touch_side *a, const fm_touch_side *b, const fm_touch *t, double restitution,
                      fm_contact_point *p)
{
    double first[3], second[3];
    tangents(t->normal, first, second);
    set_row(a, b, t, t->normal, &p->normal);
    set_row(a, b, t, first, &p->across[0]);
    set_row(a, b, t, second, &p->across[1]);
    double approach = -speed_along(a, b, &p->normal);
    p->gained = speed_of_a_step(a, b, &p->normal);
    double to_come = speed_to_come(a, b, &p->normal);
    p->target = approach > bounce_speed + 1.5 * p->gained ? fmax(restitution * (approach - to_come) - to_come, 0) : 0;
    p->stays = false;
    for (int i = 0; i < 3; i++)
        p->met[i] = speed_along(a, b, row_of(p, i));
}

/* Returns the largest change of velocity at the point. */
static double relax_point(fm_touch_side *a, fm_touch_side *b, fm_contact_point *p, double friction, double haste)
{
    double need = haste * ((p->target - speed_along(a, b, &p->normal)) / p->normal.softness);
    double give = p->stays ? need : fmax(need, -p->normal.impulse), change = fabs(give) * p->normal.softness;
    push(a, b, &p->normal, give);
    double most = friction * fmax(p->normal.impulse, 0), wanted[2], length = 0;
    for (int i = 0; i < 2; i++) {
        wanted[i] = p->across[i].impulse - haste * (speed_along(a, b, &p->across[i]) / p->across[i].softness);
        length += wanted[i] * wanted[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 2; i++) {
        double allowed = length > most ? wanted[i] * (most / length) : wanted[i];
        change = fmax(change, fabs(allowed - p->across[i].impulse) * p->across[i].softness);
        push(a, b, &p->across[i], allowed - p->across[i].impulse);
    }
    return change;
}

static void relax(fm_touch_side *a, fm_touch_side *b, fm_contact_point *points, size_t count, double friction,
                  double scale)
{
    for (int round = 0; round < ROUNDS_MOST; round++) {
        double change = 0;
        for (size_t i = 0; i < count; i++)
            change = fmax(change, relax_point(a, b, &points[i], friction, 1));
        if (change <= 1e-12 * scale)
            return;
    }
}

/* A point that separates more slowly than the step's own forces bring it back is kept: otherwise a body that rocks from
 * one foot to the other would do so forever, one step each. */
static bool keep_down(const fm_touch_side *a, const fm_touch_side *b, fm_contact_point *points, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        double leaving = speed_along(a, b, &points[i].normal);
        points[i].stays = points[i].target == 0 && leaving > 0 && leaving < points[i].gained;
        any |= points[i].stays;
    }
    return any;
}

static void settle(fm_touch_side *a, fm_touch_side *b, fm_contact_point *points, size_t count, double friction,
                   double scale)
{
    relax(a, b, points, count, friction, scale);
    if (keep_down(a, b, points, count))
        relax(a, b, points, count, friction, scale);
}

/* --- restitution without energy gain --- */

/* Twice the energy, J, that the impulses of one solution add to the motion of another: Σ λ (v before + v after). */
static double given_by(const fm_touch_side *a, const fm_touch_side *b, fm_contact_point *points,
                       const double (*impulse)[3], size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < 3; i++)
            sum += impulse[k][i] * (points[k].met[i] + speed_along(a, b, row_of(&points[k], i)));
    return sum;
}

static void take_impulses(fm_contact_point *points, size_t count, double (*out)[3])
{
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < 3; i++)
            out[k][i] = row_of(&points[k], i)->impulse;
}

static void mix(fm_touch_side *side, const fm_touch_side *dull, double part)
{
    for (int i = 0; side && i < 6; i++)
        side->velocity[i] = dull->velocity[i] + part * (side->velocity[i] - dull->velocity[i]);
}

/* Several points, or friction that redirects the rebound, can increase the energy. In that case the bounce is scaled so
 * that it does not: ν = ν₀ + α (ν_e − ν₀), where ν₀ is the solution without bounce, which never gains. */
static void temper(fm_touch_side *a, fm_touch_side *b, const fm_touch_side *before_a, const fm_touch_side *before_b,
                   fm_contact_point *points, size_t count, double friction, double scale)
{
    double lively[FM_CONTACT_POINTS][3], dull[FM_CONTACT_POINTS][3];
    take_impulses(points, count, lively);
    double most = given_by(a, b, points, lively, count), size = 0;
    for (size_t k = 0; k < count; k++)
        size += fabs(lively[k][0]) * fabs(points[k].met[0]);
    if (most <= 1e-9 * size)
        return;
    fm_touch_side rest_a = *before_a, rest_b = before_b ? *before_b : *before_a, *other = b ? &rest_b : NULL;
    for (size_t k = 0; k < count; k++) {
        points[k].target = 0;
        points[k].stays = false;
        for (int i = 0; i < 3; i++)
            row_of(&points[k], i)->impulse = 0;
    }
    settle(&rest_a, other, points, count, friction, scale);
    take_impulses(points, count, dull);
    /* twice the gain is least + α (cross − 2 least) + α² (least + most − cross) */
    double least = fmin(given_by(&rest_a, other, points, dull, count), 0);
    double cross = given_by(a, b, points, dull, count) + given_by(&rest_a, other, points, lively, count);
    double low = 0, high = 1;
    for (int i = 0; i < 50; i++) {
        double part = 0.5 * (low + high);
        double gain = (1 - part) * (1 - part) * least + part * (1 - part) * cross + part * part * most;
        if (gain <= 0)
            low = part;
        else
            high = part;
    }
    mix(a, &rest_a, low);
    mix(b, other, low);
}

void fm_contact_solve(fm_touch_side *a, fm_touch_side *b, const fm_touch *touches, size_t count, double restitution,
                      double friction)
{
    fm_contact_point points[FM_CONTACT_POINTS];
    fm_touch_side before_a = *a, before_b = b ? *b : *a;
    double scale = 0;
    bool bounces = false;
    for (size_t i = 0; i < count; i++) {
        set_point(a, b, &touches[i], restitution, &points[i]);
        scale = fmax(scale, fabs(speed_along(a, b, &points[i].normal)));
        bounces |= points[i].target > 0;
    }
    settle(a, b, points, count, friction, scale);
    if (bounces)
        temper(a, b, &before_a, b ? &before_b : NULL, points, count, friction, scale);
}

/* --- many at once --- */

static fm_touch_side *second_side(fm_touch_side *sides, const fm_joint *j)
{
    return j->b == FM_NO_SIDE ? NULL : &sides[j->b];
}

void fm_contact_solve_joints(fm_touch_side *sides, fm_joint *joints, size_t count, double scale, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        double change = 0;
        for (size_t i = 0; i < count; i++) {
            fm_joint *j = &joints[i];
            if (j->open)
                change = fmax(change, relax_point(&sides[j->a], second_side(sides, j), &j->point, j->friction, HASTE));
        }
        if (change <= JOINT_TOLERANCE * scale)
            return;
    }
}

void fm_joint_open(fm_touch_side *sides, fm_joint *j, double *scale)
{
    set_point(&sides[j->a], second_side(sides, j), &j->touch, 0, &j->point);
    *scale = fmax(*scale, fabs(j->point.met[0]));
    j->open = true;
}

bool fm_joint_bounces(fm_touch_side *sides, fm_joint *j, double restitution)
{
    if (!(restitution > 0))
        return false;
    set_point(&sides[j->a], second_side(sides, j), &j->touch, restitution, &j->point);
    return j->point.target > 0;
}

double fm_joint_approach(const fm_touch_side *sides, const fm_joint *j)
{
    double row_a[6], row_b[6];
    make_row(&sides[j->a], j->touch.point, j->touch.normal, row_a);
    make_row(&sides[j->b], j->touch.point, j->touch.normal, row_b);
    return dot6(row_b, sides[j->b].velocity) - dot6(row_a, sides[j->a].velocity);
}
