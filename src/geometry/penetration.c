/* Penetration of two overlapping convex shapes.
 *
 * Along a unit normal n (from b to a), a leaves b after h(n) = max_b(n·p) − min_a(n·p). The depth is the least h over
 * all normals. libccd's MPR finds one crossing of the Minkowski difference's surface, which need not be the least; so
 * its normal and the local axes of both shapes compete, and the winner is improved: with a moved just clear of b along
 * n, GJK gives the normal between them, which is taken while h falls. The result is a valid separating translation
 * whatever happened before: h is evaluated exactly. */
#include <ccd/ccd.h>

#include "geometry/distance.h"
#include "geometry/gjk.h"

enum { IMPROVEMENTS = 20 };

static void ccd_support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out)
{
    fm_shape_support(object, direction->v, out->v);
}

static void ccd_centre(const void *object, ccd_vec3_t *out)
{
    const fm_shape *shape = object;
    fm_d3 centre = fm_d3_of(shape->position);
    if (shape->kind == FM_SHAPE_HULL) { /* the local origin may lie outside the hull: the mean of its points does not */
        fm_d3 sum = {0, 0, 0};
        for (uint32_t i = 0; i < shape->point_count; i++)
            sum = fm_d3_add(sum, fm_d3_of(shape->points[i]));
        centre = fm_d3_add(centre, fm_d3_rotate(shape->rotation, fm_d3_scale(sum, 1.0 / shape->point_count)));
    }
    fm_d3_store(centre, out->v);
}

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

/* The contact point: MPR's, or the middle of the two extreme points where they belong together. */
static void write(const fm_shape *a, const fm_shape *b, fm_d3 n, double depth, const ccd_vec3_t *mpr_point,
                  fm_separation *out)
{
    fm_d3 pa, pb, middle = fm_d3_of(mpr_point->v);
    escape(a, b, n, &pa, &pb);
    fm_d3 offset = fm_d3_sub(fm_d3_sub(pb, pa), fm_d3_scale(n, depth));
    if (fm_d3_norm(offset) <= 1e-6 * depth + 1e-12)
        middle = fm_d3_scale(fm_d3_add(pa, pb), 0.5);
    else /* flat against flat: any point between the two faces; MPR's, moved into their middle */
        middle = fm_d3_add_scaled(middle, 0.5 * (fm_d3_dot(n, pa) + fm_d3_dot(n, pb)) - fm_d3_dot(n, middle), n);
    out->distance = -depth;
    fm_d3_store(n, out->normal);
    fm_d3_store(fm_d3_add_scaled(middle, -0.5 * depth, n), out->point_a);
    fm_d3_store(fm_d3_add_scaled(middle, 0.5 * depth, n), out->point_b);
}

void fm_shape_penetration(const fm_shape *a, const fm_shape *b, fm_separation *out)
{
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_support;
    ccd.center1 = ccd.center2 = ccd_centre;
    ccd.mpr_tolerance = 1e-10;
    ccd.max_iterations = 200;
    ccd_real_t depth = 0;
    ccd_vec3_t direction = {{0, 0, 0}}, point;
    for (int i = 0; i < 3; i++)
        point.v[i] = 0.5 * (a->position[i] + b->position[i]);
    fm_d3 best = {0, 0, -1}, pa, pb;
    double least = escape(a, b, best, &pa, &pb);
    /* libccd: moving object 2 along dir by depth separates; our normal moves a, so a is its object 2 */
    if (ccdMPRPenetration(b, a, &ccd, &depth, &direction, &point) == 0) {
        fm_d3 n = fm_d3_of(direction.v);
        if (fm_d3_norm(n) > 0.5)
            compete(a, b, fm_d3_unit(n, best), &best, &least);
    }
    compete_axes(a, b, a, &best, &least);
    compete_axes(a, b, b, &best, &least);
    improve(a, b, &best, &least);
    write(a, b, best, fmax(least, 0), &point, out);
}
