/* A bottom defined by numbers as a surface of contact. A plane is a half-space; a profile by nodes has a strip per
 * interval. Mounds are divided into cells until their triangles approximate them: over a right triangle with the sides
 * a and b a function whose second derivatives are at most c differs from the plane through its corners by c (a² + b²)/8
 * or less. The cells form a lattice that is fixed in the world, so that the triangles do not depend on the query. */
#include <math.h>

#include "environment/solids.h"
#include "physics/real.h"

static const double LATTICE = 32; /* m: largest cells; they begin at the nodes' ends, or at the origin */

/* --- cells along one axis --- */

typedef struct axis {
    double origin, step;
    double last; /* number of the last node */
} axis;

static axis axis_x(const fm_bottom *b)
{
    return b->kind == FM_BOTTOM_PLANE ? (axis){0, LATTICE, 0} : (axis){b->x0, b->dx, (double)(b->nx - 1)};
}

static axis axis_y(const fm_bottom *b)
{
    return b->kind != FM_BOTTOM_GRID ? (axis){0, LATTICE, 0} : (axis){b->y0, b->dy, (double)(b->ny - 1)};
}

/* Where cell i begins. */
static double edge_of(const axis *a, double i)
{
    if (i < 0)
        return a->origin + i * LATTICE;
    return a->origin + fmin(i, a->last) * a->step + fmax(i - a->last, 0) * LATTICE;
}

/* The cell that contains x, or a neighbour if x is an edge up to rounding. */
static double cell_of(const axis *a, double x)
{
    double end = a->origin + a->last * a->step;
    if (x < a->origin)
        return floor((x - a->origin) / LATTICE);
    return x < end ? fmin(floor((x - a->origin) / a->step), a->last - 1) : a->last + floor((x - end) / LATTICE);
}

/* --- bounds --- */

typedef struct rectangle {
    double low[2], high[2]; /* m: north, east */
} rectangle;

/* Minimum and maximum α²Δx² + β²Δy² over a rectangle. */
static void mound_range(const fm_mound *m, const rectangle *r, double *least, double *most)
{
    double scale[2] = {m->alpha, m->beta};
    *least = *most = 0;
    for (int k = 0; k < 2; k++) {
        double near = fmax(fmax(r->low[k] - m->centre[k], m->centre[k] - r->high[k]), 0) * scale[k];
        double far = fmax(fabs(r->low[k] - m->centre[k]), fabs(r->high[k] - m->centre[k])) * scale[k];
        *least += near * near;
        *most += far * far;
    }
}

static double faded(double exponent)
{
    return exponent > 700 ? 0 : fm_exp(-exponent);
}

static fm_bottom without_mounds(const fm_bottom *b)
{
    fm_bottom base = *b;
    base.mound_count = 0;
    return base;
}

/* Depths over a rectangle within one cell, and the curvature of its mounds and its twist (1/m). */
typedef struct cell_facts {
    double least, most, curvature;
} cell_facts;

static cell_facts measure(const fm_bottom *b, const rectangle *r)
{
    fm_bottom base = without_mounds(b);
    double d[4] = {fm_bottom_ground(&base, r->low[0], r->low[1]), fm_bottom_ground(&base, r->high[0], r->low[1]),
                   fm_bottom_ground(&base, r->low[0], r->high[1]), fm_bottom_ground(&base, r->high[0], r->high[1])};
    cell_facts f = {fmin(fmin(d[0], d[1]), fmin(d[2], d[3])), fmax(fmax(d[0], d[1]), fmax(d[2], d[3])), 0};
    f.curvature = fabs(d[0] - d[1] - d[2] + d[3]) / ((r->high[0] - r->low[0]) * (r->high[1] - r->low[1]));
    for (size_t i = 0; i < b->mound_count; i++) {
        const fm_mound *m = &b->mounds[i];
        double near, far, sharpest = fmax(m->alpha, m->beta);
        mound_range(m, r, &near, &far);
        double high = m->height * faded(near), low = m->height * faded(far);
        f.least += fmin(high, low);
        f.most += fmax(high, low);
        /* the second derivatives of h exp(−q) are at most 2 h α² exp(−q) max(1, 2q − 1) */
        f.curvature += 2 * sharpest * sharpest * fabs(high) * fmax(1, 2 * far - 1);
    }
    return f;
}

/* --- pieces --- */

typedef struct walk {
    const fm_bottom *bottom;
    const fm_aabb *box;
    fm_solid_visitor *visit;
    void *user;
} walk;

static void give(const walk *w, const double (*points)[3], size_t count)
{
    double face[3];
    fm_shape shape = fm_shape_hull(points, count);
    fm_solid_face(points, true, face);
    w->visit(w->user, &(fm_solid){{.shape = &shape, .face = face, .ground = true}, FM_BODY_BOTTOM});
}

static void give_cell(const walk *w, const rectangle *r)
{
    double sw[3] = {r->low[0], r->low[1], fm_bottom_ground(w->bottom, r->low[0], r->low[1])};
    double nw[3] = {r->high[0], r->low[1], fm_bottom_ground(w->bottom, r->high[0], r->low[1])};
    double se[3] = {r->low[0], r->high[1], fm_bottom_ground(w->bottom, r->low[0], r->high[1])};
    double ne[3] = {r->high[0], r->high[1], fm_bottom_ground(w->bottom, r->high[0], r->high[1])};
    double north[3][3] = {{sw[0], sw[1], sw[2]}, {ne[0], ne[1], ne[2]}, {nw[0], nw[1], nw[2]}};
    double south[3][3] = {{sw[0], sw[1], sw[2]}, {se[0], se[1], se[2]}, {ne[0], ne[1], ne[2]}};
    give(w, (const double(*)[3])north, 3);
    give(w, (const double(*)[3])south, 3);
}

static int apart(const walk *w, const rectangle *r, const cell_facts *f)
{
    const fm_aabb *box = w->box;
    return r->low[0] > box->high[0] || r->high[0] < box->low[0] || r->low[1] > box->high[1] ||
           r->high[1] < box->low[1] || f->least > box->high[2] || f->most < box->low[2];
}

static void visit_cell(const walk *w, const rectangle *r)
{
    cell_facts f = measure(w->bottom, r);
    if (apart(w, r, &f))
        return;
    double a = r->high[0] - r->low[0], b = r->high[1] - r->low[1];
    if (f.curvature * (a * a + b * b) <= 8 * FM_GROUND_ERROR || fmax(a, b) <= FM_GROUND_ERROR) {
        give_cell(w, r);
        return;
    }
    int longer = a >= b ? 0 : 1;
    double middle = 0.5 * (r->low[longer] + r->high[longer]);
    rectangle first = *r, second = *r;
    first.high[longer] = second.low[longer] = middle;
    visit_cell(w, &first);
    visit_cell(w, &second);
}

static void visit_cells(const walk *w)
{
    axis x = axis_x(w->bottom), y = axis_y(w->bottom);
    for (double i = cell_of(&x, w->box->low[0]); edge_of(&x, i) <= w->box->high[0]; i++)
        for (double j = cell_of(&y, w->box->low[1]); edge_of(&y, j) <= w->box->high[1]; j++) {
            rectangle r = {{edge_of(&x, i), edge_of(&y, j)}, {edge_of(&x, i + 1), edge_of(&y, j + 1)}};
            visit_cell(w, &r);
        }
}

/* Each interval is flat: one strip, as wide as the query. */
static void visit_strips(const walk *w)
{
    axis x = axis_x(w->bottom);
    double west = w->box->low[1] - 1, east = w->box->high[1] + 1;
    for (double i = cell_of(&x, w->box->low[0]); edge_of(&x, i) <= w->box->high[0]; i++) {
        double south = edge_of(&x, i), north = edge_of(&x, i + 1);
        double near = fm_bottom_ground(w->bottom, south, 0), far = fm_bottom_ground(w->bottom, north, 0);
        double strip[4][3] = {{south, west, near}, {south, east, near}, {north, east, far}, {north, west, far}};
        if (fmin(near, far) <= w->box->high[2] && fmax(near, far) >= w->box->low[2])
            give(w, (const double(*)[3])strip, 4);
    }
}

static void visit_plane(const walk *w)
{
    const fm_bottom *b = w->bottom;
    double point[3] = {0, 0, b->depth}, up[3] = {b->slope_x, b->slope_y, -1}, lowest = -w->box->high[2];
    for (int k = 0; k < 2; k++) /* the corner of the box that is deepest below the plane */
        lowest += up[k] * (up[k] > 0 ? w->box->low[k] : w->box->high[k]);
    if (lowest + b->depth > 0)
        return;
    fm_shape plane = fm_shape_wall(point, up);
    w->visit(w->user, &(fm_solid){{.shape = &plane}, FM_BODY_BOTTOM});
}

void fm_ground_visit(const fm_bottom *bottom, const fm_aabb *box, fm_solid_visitor *visit, void *user)
{
    walk w = {bottom, box, visit, user};
    if (bottom->mound_count || bottom->kind == FM_BOTTOM_GRID)
        visit_cells(&w);
    else if (bottom->kind == FM_BOTTOM_NODES)
        visit_strips(&w);
    else
        visit_plane(&w);
}

/* --- free room --- */

/* Minimum depth of the ground over a square about the point. */
static double least_around(const fm_bottom *b, const double point[3], double half)
{
    rectangle r = {{point[0] - half, point[1] - half}, {point[0] + half, point[1] + half}};
    fm_bottom base = without_mounds(b);
    axis x = axis_x(b), y = axis_y(b);
    double least = HUGE_VAL;
    for (double i = cell_of(&x, r.low[0]); edge_of(&x, i) <= r.high[0]; i++)
        for (double j = cell_of(&y, r.low[1]); edge_of(&y, j) <= r.high[1]; j++) {
            rectangle cell = {{edge_of(&x, i), edge_of(&y, j)}, {edge_of(&x, i + 1), edge_of(&y, j + 1)}};
            least = fmin(least, measure(&base, &cell).least);
        }
    for (size_t i = 0; i < b->mound_count; i++) {
        double near, far;
        mound_range(&b->mounds[i], &r, &near, &far);
        least += fmin(b->mounds[i].height * faded(near), b->mounds[i].height * faded(far));
    }
    return least;
}

double fm_ground_clearance(const fm_bottom *b, const double point[3], double limit)
{
    double height = fm_bottom_ground(b, point[0], point[1]) - point[2];
    double best = fmin(fmax(height / sqrt(1 + b->steepness * b->steepness), 0), limit);
    if (b->kind == FM_BOTTOM_PLANE && !b->mound_count)
        return best;
    for (double half = fmin(limit, height); half > 2 * best && half > 0.01 * limit; half *= 0.5)
        best = fmax(best, fmin(half, least_around(b, point, half) - point[2]));
    return fmax(best - 2 * FM_GROUND_ERROR, 0);
}
