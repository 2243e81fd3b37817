/* Contact points of a hull.
 *
 * Each solid or flat piece within reach contributes a normal. A piece below the plane of a closer contact uses that
 * contact's normal: a flat floor cut into triangles is one floor, and its inner edges do not catch a sliding hull.
 * For each normal, the outermost points in eight directions are kept. */
#include <math.h>
#include <string.h>

#include "geometry/manifold.h"
#include "world/contact_internal.h"

enum { BEARINGS = 8, DIRECTIONS = 8, PIECE_POINTS = 5 };

/* One normal of contact of a shape. */
typedef struct bearing {
    double normal[3], first[3], second[3]; /* unit, NED; two across it */
    double gap;                            /* m, of the piece that it came from */
    fm_shape piece;
    double points[PIECE_POINTS][3]; /* of a flat piece */
    double farthest[DIRECTIONS];    /* m, along directions across the normal */
    fm_touch touch[DIRECTIONS];
} bearing;

typedef struct gathering {
    const fm_shape *shape;
    double drift[3]; /* m/s, of what is offered now */
    fm_touch_list *bodies;
    fm_touch_set *set;
    bearing bearings[BEARINGS];
    int count;
} gathering;

/* Whether the plane of a normal separates a piece as well as the piece's own normal. */
static bool holds_off(const gathering *g, const double normal[3], const fm_shape *piece, double own_gap)
{
    double gap = fm_shape_gap(g->shape, piece, normal);
    return own_gap > 0 ? gap >= 0.5 * fmin(own_gap, FM_CONTACT_TOUCH) : gap >= own_gap - 1e-9;
}

static void set_bearing(bearing *b, const fm_solid *solid, const fm_separation *s)
{
    memset(b->farthest, 0, sizeof b->farthest);
    memcpy(b->normal, s->normal, sizeof b->normal);
    b->gap = s->distance;
    b->piece = *solid->side.shape;
    if (solid->side.face) {
        memcpy(b->points, b->piece.points, b->piece.point_count * sizeof b->points[0]);
        b->piece.points = (const double(*)[3])b->points;
    }
    fm_d3 n = fm_d3_of(b->normal), axis = fabs(n.x) < 0.6 ? (fm_d3){1, 0, 0} : (fm_d3){0, 1, 0};
    fm_d3 first = fm_d3_unit(fm_d3_cross(n, axis), axis);
    fm_d3_store(first, b->first);
    fm_d3_store(fm_d3_cross(n, first), b->second);
    for (int i = 0; i < DIRECTIONS; i++)
        b->farthest[i] = -INFINITY;
}

/* A copied flat piece refers to its own contact: it is updated when that moves. */
static void copy_bearing(bearing *to, const bearing *from)
{
    *to = *from;
    if (from->piece.points == (const double(*)[3])from->points)
        to->piece.points = (const double(*)[3])to->points;
}

static void find_bearing(gathering *g, const fm_solid *solid, const fm_separation *s)
{
    int kept = 0;
    for (int i = 0; i < g->count; i++)
        if (holds_off(g, g->bearings[i].normal, solid->side.shape, s->distance) && g->bearings[i].gap <= s->distance)
            return;
    for (int i = 0; i < g->count; i++)
        if (!holds_off(g, s->normal, &g->bearings[i].piece, g->bearings[i].gap) || g->bearings[i].gap < s->distance) {
            if (kept != i)
                copy_bearing(&g->bearings[kept], &g->bearings[i]);
            kept++;
        }
    g->count = kept;
    if (g->count < BEARINGS)
        set_bearing(&g->bearings[g->count++], solid, s);
}

static void meet_first(void *user, const fm_solid *solid)
{
    gathering *g = user;
    fm_separation s;
    fm_sweep_gap(g->shape, &solid->side, &s);
    if (!(s.distance <= FM_CONTACT_NEAR))
        return;
    fm_touch_list_add(g->bodies, solid->body);
    g->set->overlap |= s.distance < 0.5 * FM_CONTACT_TOUCH;
    find_bearing(g, solid, &s);
}

/* The centre of the shape's curvature at a point: it rolls about that without sinking in. */
static void set_pivot(const fm_shape *shape, fm_touch *t)
{
    fm_d3 n = fm_d3_of(t->normal), p = fm_d3_of(t->point);
    fm_d3 axis = {shape->rotation[shape->axis], shape->rotation[3 + shape->axis], shape->rotation[6 + shape->axis]};
    fm_d3 centre = fm_d3_of(shape->position);
    if (shape->kind == FM_SHAPE_SPHERE || shape->kind == FM_SHAPE_ELLIPSOID)
        p = centre;
    else if (shape->kind == FM_SHAPE_CAPSULE)
        p = fm_d3_add_scaled(p, shape->size[0] + t->gap, n);
    else if (shape->kind == FM_SHAPE_CYLINDER && fabs(fm_d3_dot(n, axis)) < 0.1)
        p = fm_d3_add_scaled(centre, fm_d3_dot(fm_d3_sub(p, centre), axis), axis);
    fm_d3_store(p, t->pivot);
}

static void offer_point(const gathering *g, bearing *b, const double point[3], double gap)
{
    static const double c = 0.70710678118654752440;
    static const double direction[DIRECTIONS][2] = {{1, 0},  {c, c},   {0, 1},  {-c, c},
                                                    {-1, 0}, {-c, -c}, {0, -1}, {c, -c}};
    fm_touch t = {.gap = gap};
    memcpy(t.point, point, sizeof t.point);
    memcpy(t.normal, b->normal, sizeof t.normal);
    memcpy(t.drift, g->drift, sizeof t.drift);
    set_pivot(g->shape, &t);
    fm_d3 arm = fm_d3_sub(fm_d3_of(point), fm_d3_of(g->shape->position));
    double u = fm_d3_dot(arm, fm_d3_of(b->first)), v = fm_d3_dot(arm, fm_d3_of(b->second));
    for (int i = 0; i < DIRECTIONS; i++) {
        double far = u * direction[i][0] + v * direction[i][1];
        if (far > b->farthest[i]) {
            b->farthest[i] = far;
            b->touch[i] = t;
        }
    }
}

static void bear(gathering *g, const fm_solid *solid, const fm_separation *s)
{
    bearing *best = NULL;
    double widest = -INFINITY;
    for (int i = 0; i < g->count; i++) {
        double gap = fm_shape_gap(g->shape, solid->side.shape, g->bearings[i].normal);
        if (gap > widest) {
            widest = gap;
            best = &g->bearings[i];
        }
    }
    if (!best || !holds_off(g, best->normal, solid->side.shape, s->distance))
        return;
    fm_manifold_point points[FM_MANIFOLD];
    size_t count = fm_shape_manifold(g->shape, solid->side.shape, best->normal, FM_CONTACT_NEAR, points);
    for (size_t i = 0; i < count; i++)
        offer_point(g, best, points[i].point, points[i].gap);
    if (!count && fm_d3_dot(fm_d3_of(best->normal), fm_d3_of(s->normal)) > 0.9999)
        offer_point(g, best, s->point_b, s->distance);
}

static void meet_again(void *user, const fm_solid *solid)
{
    gathering *g = user;
    fm_separation s;
    fm_sweep_gap(g->shape, &solid->side, &s);
    if (s.distance <= FM_CONTACT_NEAR)
        bear(g, solid, &s);
}

static void add_touch(fm_touch_set *set, size_t first, const fm_touch *t)
{
    for (size_t i = first; i < set->count; i++)
        if (memcmp(set->touch[i].point, t->point, sizeof t->point) == 0)
            return;
    if (set->count < FM_CONTACT_POINTS)
        set->touch[set->count++] = *t;
}

static void hand_over(const gathering *g)
{
    for (int k = 0; k < g->count; k++) {
        size_t first = g->set->count;
        for (int i = 0; i < DIRECTIONS; i++)
            if (g->bearings[k].farthest[i] > -INFINITY)
                add_touch(g->set, first, &g->bearings[k].touch[i]);
    }
}

static void meet_moving(const fm_environment *e, gathering *g, double t, fm_solid_visitor *visit)
{
    for (size_t i = 0; i < e->moving_count; i++) {
        const fm_obstacle *o = &e->obstacles[e->moving[i]];
        fm_shape there = fm_obstacle_at(o, t);
        fm_obstacle_velocity(o, t, g->drift);
        visit(g, &(fm_solid){{.shape = &there}, FM_BODY_OBSTACLE + e->moving[i]});
    }
    memset(g->drift, 0, sizeof g->drift);
}

void fm_contact_find_standing(const fm_environment *e, const fm_shape *shape, double t, fm_touch_set *set,
                              fm_touch_list *bodies)
{
    gathering g = {.shape = shape, .bodies = bodies, .set = set};
    fm_aabb box;
    fm_shape_aabb(shape, &box);
    for (int k = 0; k < 3; k++) {
        box.low[k] -= FM_CONTACT_NEAR;
        box.high[k] += FM_CONTACT_NEAR;
    }
    fm_solids_visit(e, &box, meet_first, &g);
    meet_moving(e, &g, t, meet_first);
    if (!g.count)
        return;
    fm_solids_visit(e, &box, meet_again, &g);
    meet_moving(e, &g, t, meet_again);
    hand_over(&g);
}

bool fm_contact_find_pair(const fm_shape *a, const fm_shape *b, fm_touch_set *set)
{
    gathering g = {.shape = a, .set = set};
    fm_solid other = {.side = {.shape = b}};
    fm_separation s;
    fm_sweep_gap(a, &other.side, &s);
    if (!(s.distance <= FM_CONTACT_NEAR))
        return false;
    set->overlap |= s.distance < 0.5 * FM_CONTACT_TOUCH;
    find_bearing(&g, &other, &s);
    bear(&g, &other, &s);
    hand_over(&g);
    return true;
}
