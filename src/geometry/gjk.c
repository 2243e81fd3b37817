/* GJK walks a simplex of at most four points w = a − b of the Minkowski difference towards the origin. The point of the
 * simplex nearest to the origin is found by trying its features from the inside out: the interior where all
 * barycentric coordinates are positive, otherwise the nearest of the lower features. That costs a few more
 * multiplications than Johnson's recursion and has no bad cases when the simplex is nearly flat. */
#include "geometry/gjk.h"

enum { MAX_ITERATIONS = 128 };

typedef struct vertex {
    fm_d3 w, a, b; /* w = a − b */
} vertex;

typedef struct simplex {
    int count;
    vertex v[4];
    double weight[4]; /* barycentric coordinates of the nearest point */
} simplex;

/* A choice of vertices of the simplex with weights: the nearest point of one of its features. */
typedef struct feature {
    int count, index[4];
    double weight[4];
    double square; /* |nearest|² */
} feature;

static fm_d3 weigh(const simplex *s, const feature *f)
{
    fm_d3 sum = {0, 0, 0};
    for (int i = 0; i < f->count; i++)
        sum = fm_d3_add_scaled(sum, f->weight[i], s->v[f->index[i]].w);
    return sum;
}

static void keep_nearer(const simplex *s, feature *best, feature candidate)
{
    fm_d3 p = weigh(s, &candidate);
    candidate.square = fm_d3_dot(p, p);
    if (candidate.square < best->square)
        *best = candidate;
}

static void try_point(const simplex *s, int i, feature *best)
{
    keep_nearer(s, best, (feature){1, {i}, {1}, 0});
}

static void try_segment(const simplex *s, int i, int j, feature *best)
{
    fm_d3 a = s->v[i].w, ab = fm_d3_sub(s->v[j].w, a);
    double square = fm_d3_dot(ab, ab), t = -fm_d3_dot(a, ab);
    if (t > 0 && t < square) {
        t /= square;
        keep_nearer(s, best, (feature){2, {i, j}, {1 - t, t}, 0});
    } else {
        try_point(s, t > 0 ? j : i, best);
    }
}

static void try_triangle(const simplex *s, int i, int j, int k, feature *best)
{
    /* from edge vectors: they stay exact when the three points lie close together, as they do on smooth shapes */
    fm_d3 a = s->v[i].w, e = fm_d3_sub(s->v[j].w, a), f = fm_d3_sub(s->v[k].w, a);
    fm_d3 n = fm_d3_cross(e, f);
    double v = -fm_d3_dot(a, fm_d3_cross(f, n)), w = -fm_d3_dot(a, fm_d3_cross(n, e)), sum = fm_d3_dot(n, n);
    double u = sum - v - w;
    if (u > 0 && v > 0 && w > 0 && sum > 0) {
        keep_nearer(s, best, (feature){3, {i, j, k}, {u / sum, v / sum, w / sum}, 0});
        return;
    }
    try_segment(s, i, j, best);
    try_segment(s, j, k, best);
    try_segment(s, k, i, best);
}

static double volume(fm_d3 a, fm_d3 b, fm_d3 c)
{
    return fm_d3_dot(a, fm_d3_cross(b, c));
}

static void try_tetrahedron(const simplex *s, feature *best)
{
    fm_d3 a = s->v[0].w, b = s->v[1].w, c = s->v[2].w, d = s->v[3].w;
    double all = volume(fm_d3_sub(b, a), fm_d3_sub(c, a), fm_d3_sub(d, a));
    double va = volume(b, c, d) / all, vb = -volume(a, c, d) / all, vc = volume(a, b, d) / all;
    double vd = -volume(a, b, c) / all;
    if (va > 0 && vb > 0 && vc > 0 && vd > 0) {
        *best = (feature){4, {0, 1, 2, 3}, {va, vb, vc, vd}, 0}; /* the origin is inside */
        return;
    }
    try_triangle(s, 0, 1, 2, best);
    try_triangle(s, 0, 1, 3, best);
    try_triangle(s, 0, 2, 3, best);
    try_triangle(s, 1, 2, 3, best);
}

/* Shrinks the simplex to the feature nearest to the origin. */
static double reduce(simplex *s)
{
    feature best = {.square = INFINITY};
    if (s->count == 4)
        try_tetrahedron(s, &best);
    else if (s->count == 3)
        try_triangle(s, 0, 1, 2, &best);
    else if (s->count == 2)
        try_segment(s, 0, 1, &best);
    else
        try_point(s, 0, &best);
    simplex out = {.count = best.count};
    for (int i = 0; i < best.count; i++) {
        out.v[i] = s->v[best.index[i]];
        out.weight[i] = best.weight[i];
    }
    *s = out;
    return best.square;
}

static vertex support(const fm_shape *a, const fm_shape *b, fm_d3 direction)
{
    vertex v;
    v.a = fm_shape_core_support(a, direction);
    v.b = fm_shape_core_support(b, fm_d3_scale(direction, -1));
    v.w = fm_d3_sub(v.a, v.b);
    return v;
}

static void finish(const simplex *s, fm_gjk_result *result)
{
    fm_d3 a = {0, 0, 0}, b = {0, 0, 0}, w = {0, 0, 0};
    for (int i = 0; i < s->count; i++) {
        a = fm_d3_add_scaled(a, s->weight[i], s->v[i].a);
        b = fm_d3_add_scaled(b, s->weight[i], s->v[i].b);
        w = fm_d3_add_scaled(w, s->weight[i], s->v[i].w);
    }
    result->point_a = a;
    result->point_b = b;
    result->difference = w;
    result->distance = fm_d3_norm(w);
}

static bool already_in(const simplex *s, fm_d3 w)
{
    for (int i = 0; i < s->count; i++)
        if (s->v[i].w.x == w.x && s->v[i].w.y == w.y && s->v[i].w.z == w.z)
            return true;
    return false;
}

void fm_gjk(const fm_shape *a, const fm_shape *b, fm_gjk_result *result)
{
    fm_d3 start = fm_d3_sub(fm_d3_of(a->position), fm_d3_of(b->position));
    simplex s = {.count = 1, .v = {support(a, b, fm_d3_scale(fm_d3_unit(start, (fm_d3){1, 0, 0}), -1))}};
    double square = reduce(&s), scale = square;
    int i = 0;
    for (; i < MAX_ITERATIONS && s.count < 4; i++) {
        finish(&s, result);
        scale = fmax(scale, fm_d3_dot(s.v[s.count - 1].w, s.v[s.count - 1].w));
        if (square <= 1e-30 * scale)
            break;
        /* a unit direction: supports of smooth shapes then divide by no tiny number */
        vertex v = support(a, b, fm_d3_scale(result->difference, -1 / result->distance));
        if (square - fm_d3_dot(v.w, result->difference) <= 1e-15 * square || already_in(&s, v.w))
            break;
        simplex next = s;
        next.v[next.count++] = v;
        double nearer = reduce(&next);
        if (!(nearer < square))
            break;
        s = next;
        square = nearer;
    }
    finish(&s, result);
    if (s.count == 4 || square <= 1e-30 * scale)
        result->distance = 0;
    result->iterations = i;
}
