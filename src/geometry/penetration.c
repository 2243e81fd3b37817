/* Penetration of two overlapping convex shapes.
 *
 * Along a unit normal n (from b to a), a separates from b after h(n) = max_b(n·p) − min_a(n·p). The depth is the
 * least h over all normals. The portal (portal.h) finds one crossing of the Minkowski difference's surface, which
 * need not be the least; so its normal and the local axes of both shapes compete, and the winner is improved: with a
 * moved just clear of b along n, GJK gives the normal between them, which is taken while h falls. The result is a
 * valid separating translation whatever happened before: h is evaluated exactly. */
#include "geometry/distance.h"
#include "geometry/gjk.h"
#include "geometry/portal.h"

enum { IMPROVEMENTS = 20 };

/* h(n), and the points of a and b that meet when a is moved out by it. */
static double escape(const fm_shape *a, const fm_shape *b, fm_d3 n, fm_d3 *pa, fm_d3 *pb)
{
    double along[3], against[3], on_a[3], on_b[3];
    fm_d3_store(n, along);
    fm_d3_store(fm_d3_scale(n, -1), against);
    fm_shape_support(a, against, on_a);
    fm_shape_support(b, along, on_b);
    *pa = fm_d3_of(on_a);
    *pb = fm_d3_of(on_b);
    return fm_d3_dot(n, fm_d3_sub(*pb, *pa));
}

static void compete(const fm_shape *a, const fm_shape *b, fm_d3 n, fm_d3 *best, double *least)
{
    fm_d3 pa, pb;
    double h = escape(a, b, n, &pa, &pb);
    if (h < *least) {
        *least = h;
        *best = n;
    }
}

static void compete_axes(const fm_shape *a, const fm_shape *b, const fm_shape *of, fm_d3 *best, double *least)
{
    for (int axis = 0; axis < 3; axis++) {
        fm_d3 n = {of->rotation[axis], of->rotation[3 + axis], of->rotation[6 + axis]};
        compete(a, b, n, best, least);
        compete(a, b, fm_d3_scale(n, -1), best, least);
    }
}

static void improve(const fm_shape *a, const fm_shape *b, fm_d3 *best, double *least)
{
    fm_shape moved = *a;
    for (int i = 0; i < IMPROVEMENTS; i++) {
        fm_d3 clear = fm_d3_add_scaled(fm_d3_of(a->position), 1.1 * *least, *best);
        double before = *least;
        fm_gjk_result gap;
        fm_d3_store(clear, moved.position);
        fm_gjk(&moved, b, &gap);
        if (gap.distance <= 0)
            return;
        compete(a, b, fm_d3_scale(gap.difference, 1 / gap.distance), best, least);
        if (!(*least < before * (1 - 1e-12)))
            return;
    }
}

/* The contact point: the portal's, or the midpoint of the two extreme points if they belong together. */
static void write(const fm_shape *a, const fm_shape *b, fm_d3 n, double depth, fm_d3 inside, fm_separation *out)
{
    fm_d3 pa, pb, middle = inside;
    escape(a, b, n, &pa, &pb);
    fm_d3 offset = fm_d3_sub(fm_d3_sub(pb, pa), fm_d3_scale(n, depth));
    if (fm_d3_norm(offset) <= 1e-6 * depth + 1e-12)
        middle = fm_d3_scale(fm_d3_add(pa, pb), 0.5);
    else /* flat against flat: any point between the two faces; the portal's, moved into their middle */
        middle = fm_d3_add_scaled(middle, 0.5 * (fm_d3_dot(n, pa) + fm_d3_dot(n, pb)) - fm_d3_dot(n, middle), n);
    out->distance = -depth;
    fm_d3_store(n, out->normal);
    fm_d3_store(fm_d3_add_scaled(middle, -0.5 * depth, n), out->point_a);
    fm_d3_store(fm_d3_add_scaled(middle, 0.5 * depth, n), out->point_b);
}

void fm_shape_penetration(const fm_shape *a, const fm_shape *b, fm_separation *out)
{
    fm_d3 best = {0, 0, -1}, pa, pb;
    fm_d3 inside = fm_d3_scale(fm_d3_add(fm_d3_of(a->position), fm_d3_of(b->position)), 0.5);
    double least = escape(a, b, best, &pa, &pb);
    fm_portal portal;
    if (fm_portal_find(a, b, &portal)) {
        inside = portal.point;
        compete(a, b, portal.normal, &best, &least);
    }
    compete_axes(a, b, a, &best, &least);
    compete_axes(a, b, b, &best, &least);
    improve(a, b, &best, &least);
    write(a, b, best, fmax(least, 0), inside, out);
}
