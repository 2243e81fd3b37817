#include "environment/solids.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/map_tree.h"

/* Trees over all that stands still. */
struct fm_solids {
    uint32_t *numbers; /* of obstacles: those in the tree, then walls, then those on tracks */
    size_t tree_count, wall_count;
    fm_box_tree *obstacles; /* NULL: none */
    fm_box_tree *mesh;      /* of the bottom's triangles; NULL: it has none */
    fm_map_tree *map;       /* of the bottom's cells; NULL: it has none */
};

void fm_solid_face(const double (*p)[3], bool ground, double face[3])
{
    fm_d3 a = fm_d3_of(p[0]), n = fm_d3_cross(fm_d3_sub(fm_d3_of(p[1]), a), fm_d3_sub(fm_d3_of(p[2]), a));
    n = fm_d3_unit(n, (fm_d3){0, 0, -1});
    fm_d3_store(ground && n.z > 0 ? fm_d3_scale(n, -1) : n, face);
}

/* --- building --- */

static void obstacle_box(const void *user, uint32_t item, fm_aabb *out)
{
    const fm_environment *e = user;
    fm_shape_aabb(&e->obstacles[e->solids->numbers[item]].shape, out);
}

static void triangle_points(const fm_mesh *mesh, uint32_t item, double points[3][3])
{
    for (int i = 0; i < 3; i++)
        memcpy(points[i], mesh->vertices[mesh->triangles[item][i]], sizeof points[i]);
}

static void triangle_box(const void *user, uint32_t item, fm_aabb *out)
{
    double p[3][3];
    triangle_points(user, item, p);
    for (int k = 0; k < 3; k++) {
        out->low[k] = fmin(p[0][k], fmin(p[1][k], p[2][k]));
        out->high[k] = fmax(p[0][k], fmax(p[1][k], p[2][k]));
    }
}

static void sort_obstacles(fm_environment *e, struct fm_solids *solids)
{
    size_t at = 0;
    for (size_t i = 0; i < e->obstacle_count; i++)
        if (!e->obstacles[i].track_count && e->obstacles[i].shape.kind != FM_SHAPE_PLANE)
            solids->numbers[at++] = (uint32_t)i;
    solids->tree_count = at;
    for (size_t i = 0; i < e->obstacle_count; i++)
        if (!e->obstacles[i].track_count && e->obstacles[i].shape.kind == FM_SHAPE_PLANE)
            solids->numbers[at++] = (uint32_t)i;
    solids->wall_count = at - solids->tree_count;
    e->moving = solids->numbers + at;
    for (size_t i = 0; i < e->obstacle_count; i++)
        if (e->obstacles[i].track_count)
            solids->numbers[at++] = (uint32_t)i;
    e->moving_count = at - solids->tree_count - solids->wall_count;
}

fm_status fm_solids_build(fm_environment *e, fm_error *error)
{
    struct fm_solids *solids = fm_alloc(sizeof *solids);
    if (!solids)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the objects in the sea");
    e->solids = solids;
    solids->numbers = fm_alloc((e->obstacle_count + 1) * sizeof *solids->numbers);
    if (!solids->numbers)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu obstacles", e->obstacle_count);
    sort_obstacles(e, solids);
    if (solids->tree_count && !(solids->obstacles = fm_box_tree_create(solids->tree_count, obstacle_box, e, error)))
        return FM_ERR_MEMORY;
    if (e->map.depth && !(solids->map = fm_map_tree_create(&e->map, error)))
        return FM_ERR_MEMORY;
    if (e->floor.triangle_count && !e->map.depth &&
        !(solids->mesh = fm_box_tree_create(e->floor.triangle_count, triangle_box, &e->floor, error)))
        return FM_ERR_MEMORY;
    return FM_OK;
}

void fm_solids_free(fm_environment *e)
{
    if (!e->solids)
        return;
    fm_free(e->solids->numbers);
    fm_box_tree_free(e->solids->obstacles);
    fm_box_tree_free(e->solids->mesh);
    fm_map_tree_free(e->solids->map);
    fm_free(e->solids);
    e->solids = NULL;
}

/* --- visiting --- */

typedef struct walk {
    const fm_environment *environment;
    const fm_aabb *box;
    fm_solid_visitor *visit;
    void *user;
} walk;

static void visit_obstacle(void *user, uint32_t item)
{
    const walk *w = user;
    uint32_t number = w->environment->solids->numbers[item];
    w->visit(w->user, &(fm_solid){{.shape = &w->environment->obstacles[number].shape}, FM_BODY_OBSTACLE + number});
}

/* A box that is completely in front of a wall does not meet it. */
static bool behind_wall(const fm_shape *wall, const fm_aabb *box)
{
    fm_d3 n = fm_shape_plane_normal(wall);
    double deepest[3], normal[3];
    fm_d3_store(n, normal);
    for (int k = 0; k < 3; k++)
        deepest[k] = (normal[k] > 0 ? box->low[k] : box->high[k]) - wall->position[k];
    return fm_d3_dot(n, fm_d3_of(deepest)) <= 0;
}

static void visit_walls(const walk *w)
{
    const struct fm_solids *solids = w->environment->solids;
    for (size_t i = 0; i < solids->wall_count; i++) {
        uint32_t number = solids->numbers[solids->tree_count + i];
        const fm_shape *wall = &w->environment->obstacles[number].shape;
        if (behind_wall(wall, w->box))
            w->visit(w->user, &(fm_solid){{.shape = wall}, FM_BODY_OBSTACLE + number});
    }
}

static void give_triangle(const walk *w, const double (*points)[3], bool ground)
{
    double face[3];
    fm_shape shape = fm_shape_hull(points, 3);
    fm_solid_face(points, ground, face);
    w->visit(w->user, &(fm_solid){{.shape = &shape, .face = face, .ground = ground}, FM_BODY_BOTTOM});
}

static void visit_triangle(void *user, uint32_t item)
{
    const walk *w = user;
    double points[3][3];
    fm_aabb box;
    triangle_box(&w->environment->floor, item, &box);
    if (!fm_aabb_meet(&box, w->box))
        return;
    triangle_points(&w->environment->floor, item, points);
    give_triangle(w, (const double(*)[3])points, false);
}

/* The two triangles of a cell, as in fm_heightmap_mesh. */
static void visit_cell(void *user, size_t row, size_t column)
{
    const walk *w = user;
    uint32_t first = (uint32_t)(2 * (row * (w->environment->map.columns - 1) + column));
    for (uint32_t i = 0; i < 2; i++) {
        double points[3][3];
        triangle_points(&w->environment->floor, first + i, points);
        give_triangle(w, (const double(*)[3])points, true);
    }
}

void fm_solids_visit(const fm_environment *e, const fm_aabb *box, fm_solid_visitor *visit, void *user)
{
    walk w = {e, box, visit, user};
    const struct fm_solids *solids = e->solids;
    if (solids->obstacles)
        fm_box_tree_visit(solids->obstacles, box, visit_obstacle, &w);
    visit_walls(&w);
    if (solids->map)
        fm_map_tree_visit(solids->map, box, visit_cell, &w);
    if (solids->mesh)
        fm_box_tree_visit(solids->mesh, box, visit_triangle, &w);
    if (e->bottom && e->bottom->kind != FM_BOTTOM_SAMPLED)
        fm_ground_visit(e->bottom, box, visit, user);
}

double fm_solids_clearance(const fm_environment *e, const double point[3], double limit)
{
    const struct fm_solids *solids = e->solids;
    for (size_t i = 0; i < solids->wall_count; i++) {
        const fm_shape *wall = &e->obstacles[solids->numbers[solids->tree_count + i]].shape;
        double height = fm_d3_dot(fm_shape_plane_normal(wall), fm_d3_sub(fm_d3_of(point), fm_d3_of(wall->position)));
        limit = fmin(limit, fmax(height, 0));
    }
    if (solids->obstacles)
        limit = fm_box_tree_clearance(solids->obstacles, point, limit);
    if (solids->map)
        limit = fm_map_tree_clearance(solids->map, point, limit);
    if (solids->mesh)
        limit = fm_box_tree_clearance(solids->mesh, point, limit);
    if (e->bottom && e->bottom->kind != FM_BOTTOM_SAMPLED)
        limit = fm_ground_clearance(e->bottom, point, limit);
    return fm_solids_burial(e, point) > 0 ? 0 : limit;
}

/* --- the nearest --- */

typedef struct nearest {
    const fm_shape *shape;
    fm_aabb box, own; /* the box shrinks to the closest hit */
    double reach;
    fm_separation *out;
    uint32_t body;
    bool found;
} nearest;

static void offer_solid(void *user, const fm_solid *solid)
{
    nearest *n = user;
    fm_separation s;
    fm_sweep_separation(n->shape, &solid->side, &s);
    if (!(s.distance <= n->reach))
        return;
    *n->out = s;
    n->body = solid->body;
    n->found = true;
    n->reach = s.distance;
    for (int k = 0; k < 3; k++) {
        n->box.low[k] = n->own.low[k] - fmax(n->reach, 0);
        n->box.high[k] = n->own.high[k] + fmax(n->reach, 0);
    }
}

static bool search_within(const fm_environment *e, nearest *n, double reach)
{
    n->reach = reach;
    for (int k = 0; k < 3; k++) {
        n->box.low[k] = n->own.low[k] - reach;
        n->box.high[k] = n->own.high[k] + reach;
    }
    fm_solids_visit(e, &n->box, offer_solid, n);
    return n->found;
}

/* Searches nearby first, then twice as far, so that a large radius does not visit half the sea. */
bool fm_solids_nearest(const fm_environment *e, const fm_shape *shape, double reach, fm_separation *out, uint32_t *body)
{
    nearest n = {.shape = shape, .out = out};
    double size = fm_shape_bounding_radius(shape);
    fm_shape_aabb(shape, &n.own);
    double near = 1.5 * (fm_solids_clearance(e, shape->position, reach + size) - size) + 0.1 * size;
    for (near = fmax(near, 0); near < reach && !search_within(e, &n, near); near = fmax(2 * near, size))
        ;
    bool found = n.found || search_within(e, &n, reach);
    *body = n.body;
    return found;
}

/* --- inside the ground --- */

/* The triangles directly above and below a point. */
typedef struct plumb {
    const fm_mesh *mesh;
    const double *point;
    double above, below; /* m, distances; infinite: none */
    bool above_back, below_back;
} plumb;

/* Depth of the triangle at the point's position, if it is above it. */
static bool plumb_depth(const double p[3][3], const double at[3], double *depth)
{
    double area = 0, weight[3];
    for (int i = 0; i < 3; i++) {
        const double *a = p[(i + 1) % 3], *b = p[(i + 2) % 3];
        weight[i] = (a[0] - at[0]) * (b[1] - at[1]) - (b[0] - at[0]) * (a[1] - at[1]);
        area += weight[i];
    }
    if (area == 0 || weight[0] * area < 0 || weight[1] * area < 0 || weight[2] * area < 0)
        return false;
    *depth = (weight[0] * p[0][2] + weight[1] * p[1][2] + weight[2] * p[2][2]) / area;
    return true;
}

static void drop_plumb(void *user, uint32_t item)
{
    plumb *l = user;
    double p[3][3], depth, face[3];
    triangle_points(l->mesh, item, p);
    if (!plumb_depth((const double(*)[3])p, l->point, &depth))
        return;
    fm_solid_face((const double(*)[3])p, false, face);
    double down = depth - l->point[2];
    if (down <= 0 && -down < l->above) {
        l->above = -down;
        l->above_back = face[2] < 0;
    } else if (down > 0 && down < l->below) {
        l->below = down;
        l->below_back = face[2] > 0;
    }
}

static double mesh_burial(const fm_environment *e, const double point[3])
{
    plumb l = {.mesh = &e->floor, .point = point, .above = HUGE_VAL, .below = HUGE_VAL};
    fm_aabb column = {{point[0], point[1], -HUGE_VAL}, {point[0], point[1], HUGE_VAL}};
    fm_box_tree_visit(e->solids->mesh, &column, drop_plumb, &l);
    bool buried = l.above < HUGE_VAL && (l.below == HUGE_VAL || (l.above_back && l.below_back));
    return buried ? l.above : 0;
}

double fm_solids_burial(const fm_environment *e, const double point[3])
{
    double depth = HUGE_VAL;
    if (e->solids->mesh)
        return mesh_burial(e, point);
    if (e->solids->map)
        fm_heightmap_depth(&e->map, point[0], point[1], &depth, NULL);
    else if (e->bottom)
        depth = fm_bottom_ground(e->bottom, point[0], point[1]);
    return fmax(point[2] - depth, 0);
}
