#include "telemetry/markers.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "telemetry/frames.h"

enum {
    PIECES_MOST = 3,  /* markers of one shape: a capsule is a cylinder and two balls */
    TERRAIN_MOST = 65 /* nodes of the terrain along each side that are shown */
};

#define WALL_THICKNESS 0.02 /* m */

static fm_status out_of_memory(fm_error *error)
{
    return fm_fail(error, FM_ERR_MEMORY, "out of memory for the markers");
}

/* --- one shape --- */

static void turn(const fm_msg_quaternion *q, const double v[3], double out[3])
{
    const double x = q->x, y = q->y, z = q->z, w = q->w;
    out[0] = (1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - w * z) * v[1] + 2 * (x * z + w * y) * v[2];
    out[1] = 2 * (x * y + w * z) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - w * x) * v[2];
    out[2] = 2 * (x * z - w * y) * v[0] + 2 * (y * z + w * x) * v[1] + (1 - 2 * (x * x + y * y)) * v[2];
}

static fm_msg_marker plain(const fm_msg_scene_shape *shape, int32_t type, double x, double y, double z)
{
    return (fm_msg_marker){.header.frame_id = shape->frame,
                           .ns = shape->name,
                           .type = type,
                           .action = FM_MSG_marker_ADD,
                           .pose = shape->pose,
                           .scale = {x, y, z},
                           .color = shape->colour,
                           .frame_locked = 1};
}

/* A sphere at `along` (m) on the local z axis of the shape. */
static fm_msg_marker ball(const fm_msg_scene_shape *shape, double radius, double along)
{
    fm_msg_marker marker = plain(shape, FM_MSG_marker_SPHERE, 2 * radius, 2 * radius, 2 * radius);
    double offset[3];
    turn(&shape->pose.orientation, (const double[3]){0, 0, along}, offset);
    marker.pose.position.x += offset[0];
    marker.pose.position.y += offset[1];
    marker.pose.position.z += offset[2];
    return marker;
}

/* The square of a wall lies behind its surface. */
static fm_msg_marker wall(const fm_markers *m, const fm_msg_scene_shape *shape)
{
    fm_msg_marker marker = plain(shape, FM_MSG_marker_CUBE, m->extent, m->extent, WALL_THICKNESS);
    double offset[3];
    turn(&shape->pose.orientation, (const double[3]){0, 0, -WALL_THICKNESS / 2}, offset);
    marker.pose.position.x += offset[0];
    marker.pose.position.y += offset[1];
    marker.pose.position.z += offset[2];
    marker.color.a = 0.5f;
    return marker;
}

static fm_msg_marker triangles(const fm_markers *m, const fm_msg_scene_shape *shape)
{
    fm_msg_marker marker = plain(shape, FM_MSG_marker_TRIANGLE_LIST, shape->size[0], shape->size[1], shape->size[2]);
    if (shape->mesh >= 0) {
        marker.points.items = m->meshes[shape->mesh];
        marker.points.count = m->mesh_points[shape->mesh];
    }
    return marker;
}

/* Writes the markers of a shape; returns how many. */
static size_t draw_shape(const fm_markers *m, const fm_msg_scene_shape *shape, fm_msg_marker out[PIECES_MOST])
{
    const double *s = shape->size;
    switch (shape->kind) {
    case FM_MSG_scene_shape_BOX: out[0] = plain(shape, FM_MSG_marker_CUBE, s[0], s[1], s[2]); return 1;
    case FM_MSG_scene_shape_SPHERE: out[0] = ball(shape, s[0], 0); return 1;
    case FM_MSG_scene_shape_ELLIPSOID:
        out[0] = plain(shape, FM_MSG_marker_SPHERE, 2 * s[0], 2 * s[1], 2 * s[2]);
        return 1;
    case FM_MSG_scene_shape_CYLINDER: out[0] = plain(shape, FM_MSG_marker_CYLINDER, 2 * s[0], 2 * s[0], s[1]); return 1;
    case FM_MSG_scene_shape_CAPSULE:
        out[0] = plain(shape, FM_MSG_marker_CYLINDER, 2 * s[0], 2 * s[0], s[1]);
        out[1] = ball(shape, s[0], s[1] / 2);
        out[2] = ball(shape, s[0], -s[1] / 2);
        return 3;
    case FM_MSG_scene_shape_PLANE: out[0] = wall(m, shape); return 1;
    case FM_MSG_scene_shape_MESH: out[0] = triangles(m, shape); return 1;
    default: return 0;
    }
}

/* --- meshes and terrain --- */

static fm_status build_meshes(const fm_scene *scene, fm_arena *arena, fm_markers *m, fm_error *error)
{
    size_t count = scene->message.meshes.count;
    m->meshes = fm_arena_alloc(arena, (count + 1) * sizeof *m->meshes);
    m->mesh_points = fm_arena_alloc(arena, (count + 1) * sizeof *m->mesh_points);
    if (!m->meshes || !m->mesh_points)
        return out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        const fm_msg_scene_mesh *mesh = &scene->message.meshes.items[i];
        m->mesh_points[i] = mesh->triangles.count;
        m->meshes[i] = fm_arena_alloc(arena, (m->mesh_points[i] + 1) * sizeof *m->meshes[i]);
        if (!m->meshes[i])
            return out_of_memory(error);
        for (size_t k = 0; k < m->mesh_points[i]; k++) {
            const float *v = mesh->vertices.items + 3 * (size_t)mesh->triangles.items[k];
            m->meshes[i][k] = (fm_msg_point){v[0], v[1], v[2]};
        }
    }
    return FM_OK;
}

static fm_msg_point node(const fm_msg_scene_heightmap *map, size_t i, size_t j)
{
    return (fm_msg_point){map->x0 + (double)i * map->dx, map->y0 + (double)j * map->dy,
                          map->heights.items[j * map->columns + i]};
}

/* The k-th of `shown` nodes out of `all`. */
static size_t spread(size_t k, size_t shown, size_t all)
{
    return k * (all - 1) / (shown - 1);
}

static size_t shown_of(size_t nodes)
{
    return nodes < TERRAIN_MOST ? nodes : TERRAIN_MOST;
}

static void lay_triangles(const fm_msg_scene_heightmap *map, fm_msg_point *at)
{
    size_t columns = shown_of(map->columns), rows = shown_of(map->rows);
    for (size_t r = 0; r + 1 < rows; r++)
        for (size_t c = 0; c + 1 < columns; c++) {
            size_t i = spread(c, columns, map->columns), k = spread(c + 1, columns, map->columns);
            size_t j = spread(r, rows, map->rows), l = spread(r + 1, rows, map->rows);
            const fm_msg_point corner[4] = {node(map, i, j), node(map, k, j), node(map, i, l), node(map, k, l)};
            static const int order[6] = {0, 1, 3, 0, 3, 2}; /* counter-clockwise seen from above */
            const int whole = isfinite(corner[0].z + corner[1].z + corner[2].z + corner[3].z);
            for (int n = 0; n < 6; n++)
                *at++ = whole ? corner[order[n]] : (fm_msg_point){0}; /* no ground: a triangle without area */
        }
}

void fm_markers_sample_bottom(fm_markers *markers, const fm_scene *scene)
{
    if (scene->terrain && markers->terrain)
        lay_triangles(scene->terrain, markers->terrain);
    markers->told = 0;
}

static fm_status draw_terrain(const fm_msg_scene_heightmap *map, fm_arena *arena, fm_markers *m, fm_msg_marker *out,
                              fm_error *error)
{
    size_t count = 6 * (shown_of(map->columns) - 1) * (shown_of(map->rows) - 1);
    fm_msg_point *points = m->terrain = fm_arena_alloc(arena, count * sizeof *points);
    if (!points)
        return out_of_memory(error);
    lay_triangles(map, points);
    *out = (fm_msg_marker){.header.frame_id = FM_MAP_FRAME,
                           .ns = map->name,
                           .type = FM_MSG_marker_TRIANGLE_LIST,
                           .pose.orientation.w = 1,
                           .scale = {1, 1, 1},
                           .color = {0.62f, 0.55f, 0.42f, 1}};
    out->points.items = points;
    out->points.count = count;
    return FM_OK;
}

/* Twice the largest distance of anything from the origin, within limits. */
static double find_extent(const fm_scene *scene, const fm_world *world)
{
    double reach = 50;
    for (size_t i = 0; i < scene->obstacle_shapes; i++) {
        const fm_msg_point *p = &scene->shapes[i].pose.position;
        reach = fmax(reach, fmax(fabs(p->x), fabs(p->y)));
    }
    for (size_t i = 0; i < world->model->vehicle_count; i++)
        reach =
            fmax(reach, fmax(fabs(world->model->vehicles[i].position[0]), fabs(world->model->vehicles[i].position[1])));
    return 2 * fmin(reach, 2000);
}

static fm_status build_world(const fm_scene *scene, fm_arena *arena, fm_markers *m, fm_error *error)
{
    size_t maps = scene->message.heightmaps.count, count = 0;
    fm_msg_marker *all = fm_arena_alloc(arena, (PIECES_MOST * scene->obstacle_shapes + maps + 1) * sizeof *all);
    if (!all)
        return out_of_memory(error);
    for (size_t i = 0; i < maps; i++) {
        fm_status status = draw_terrain(&scene->message.heightmaps.items[i], arena, m, &all[count++], error);
        if (status != FM_OK)
            return status;
    }
    for (size_t i = 0; i < scene->obstacle_shapes; i++)
        count += draw_shape(m, &scene->shapes[i], &all[count]);
    for (size_t i = 0; i < count; i++)
        all[i].id = (int32_t)i;
    m->world.markers.items = all;
    m->world.markers.count = count;
    m->max_world_size = fm_message_size(&fm_msg_marker_array_type, &m->world);
    return FM_OK;
}

/* --- vehicles --- */

/* Adds the hull of a type in a frame, from index `at` on; returns the index after it. */
static size_t draw_hull(fm_markers *m, const fm_scene_type *type, const char *name, const char *frame, size_t at)
{
    for (size_t i = 0; i < type->shape_count; i++) {
        fm_msg_scene_shape shape = type->shapes[i];
        shape.frame = frame;
        size_t pieces = draw_shape(m, &shape, &m->hulls[at]);
        for (size_t k = 0; k < pieces; k++, at++) {
            m->hulls[at].ns = name;
            m->hulls[at].id = (int32_t)at;
        }
    }
    return at;
}

/* Bytes of the message when every slot holds a vehicle of this type with the longest name. */
static size_t size_of_fleet(fm_markers *m, const fm_scene_type *type, size_t slots)
{
    char longest[FM_FRAME_SIZE];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    m->vehicles.markers.count = draw_hull(m, type, longest, longest, 1);
    size_t one = fm_message_size(&fm_msg_marker_array_type, &m->vehicles);
    m->vehicles.markers.count = 1;
    size_t none = fm_message_size(&fm_msg_marker_array_type, &m->vehicles);
    return none + slots * (one - none + 8 * PIECES_MOST); /* 8: what aligning may add */
}

static fm_status build_vehicles(const fm_scene *scene, const fm_world *world, fm_arena *arena, fm_markers *m,
                                fm_error *error)
{
    size_t most = 0, slots = (size_t)world->slot_count;
    for (size_t i = 0; i < world->model->type_count; i++)
        most = scene->types[i].shape_count > most ? scene->types[i].shape_count : most;
    m->hulls = fm_arena_alloc(arena, (1 + PIECES_MOST * (most * slots + 1)) * sizeof *m->hulls);
    if (!m->hulls)
        return out_of_memory(error);
    m->hulls[0] =
        (fm_msg_marker){.header.frame_id = FM_MAP_FRAME, .action = FM_MSG_marker_DELETEALL, .pose.orientation.w = 1};
    m->vehicles.markers.items = m->hulls;
    for (size_t i = 0; i < world->model->type_count; i++) {
        size_t size = size_of_fleet(m, &scene->types[i], slots);
        m->max_vehicles_size = size > m->max_vehicles_size ? size : m->max_vehicles_size;
    }
    m->vehicles.markers.count = 1;
    size_t none = fm_message_size(&fm_msg_marker_array_type, &m->vehicles);
    m->max_vehicles_size = none > m->max_vehicles_size ? none : m->max_vehicles_size;
    return FM_OK;
}

fm_status fm_markers_build(const fm_scene *scene, const fm_world *world, fm_arena *arena, fm_markers *markers,
                           fm_error *error)
{
    *markers = (fm_markers){.extent = find_extent(scene, world)};
    fm_status status = build_meshes(scene, arena, markers, error);
    if (status == FM_OK)
        status = build_world(scene, arena, markers, error);
    return status == FM_OK ? build_vehicles(scene, world, arena, markers, error) : status;
}

void fm_markers_place(fm_markers *markers, const fm_scene *scene, const fm_world *world, fm_msg_time now)
{
    size_t count = 1;
    for (int slot = 0; slot < world->slot_count; slot++) {
        const char *name = fm_world_name(world, slot);
        if (name)
            count =
                draw_hull(markers, &scene->types[world->slots[slot].vehicle->type], name, scene->bases[slot], count);
    }
    for (size_t i = 0; i < count; i++)
        markers->hulls[i].header.stamp = now;
    markers->vehicles.markers.count = count;
}
