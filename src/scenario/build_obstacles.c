/* Walls, columns, spheres, boxes and pools of a scenario; fixed, or moving on given tracks. */
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "environment/solids.h"
#include "scenario/build_environment.h"

typedef struct obstacle_config {
    const char *name;
    double position[3], normal[3], size[3], attitude[3];
    double radius, height, colour[3], reflectivity;
    int64_t floats; /* it is meant to hang in the water; read by build_advice_scene.c */
} obstacle_config;
#define COMMON                                                                                                         \
    FM_NAME_ATTR(obstacle_config, name, "name", NULL, FM_ATTR_REQUIRED,                                                \
                 "by which placements, events and figures call it"),                                                   \
        FM_VECTOR_ATTR(obstacle_config, colour, 3, "colour", "", 0, 1, "0.55 0.55 0.5", 0, "red, green, blue"),        \
        FM_REAL_ATTR(obstacle_config, reflectivity, "reflectivity", "", 0, 1, "0.5", 0,                                \
                     "of sound and infrared at normal incidence")

#define SOLID                                                                                                          \
    COMMON, FM_BOOL_ATTR(obstacle_config, floats, "floats", "false", 0,                                                \
                         "it is meant to hang in the water, as a moored mine does: `fathom check` does not ask for "   \
                         "the ground below it")

typedef struct track_config {
    fm_list t, x, y, z;
    int64_t loops;
} track_config;
static const fm_attr track_attrs[] = {
    FM_LIST_ATTR(track_config, t, 10000, "t", "s", 0, 0, FM_ATTR_REQUIRED, "times, increasing"),
    FM_LIST_ATTR(track_config, x, 10000, "x", "m", 0, 0, FM_ATTR_REQUIRED, "north at these times"),
    FM_LIST_ATTR(track_config, y, 10000, "y", "m", 0, 0, FM_ATTR_REQUIRED, "east"),
    FM_LIST_ATTR(track_config, z, 10000, "z", "m", 0, 0, FM_ATTR_REQUIRED, "depth (of a column: of its top)"),
    FM_BOOL_ATTR(track_config, loops, "loop", "false", 0, "start again at the end"),
};
static const fm_element track_element =
    FM_TABLE_ELEMENT(track_config, "track", track_attrs, NULL, FM_ELEMENT_ONCE,
                     "Where its position is over time, straight between the points.");
static const fm_element *const tracked[] = {&track_element, NULL};

static const fm_attr wall_attrs[] = {
    COMMON,
    FM_VECTOR_ATTR(obstacle_config, position, 3, "position", "m", 0, 0, NULL, FM_ATTR_REQUIRED, "a point of the wall"),
    FM_VECTOR_ATTR(obstacle_config, normal, 3, "normal", "", -1, 1, NULL, FM_ATTR_REQUIRED,
                   "from the wall into the water: north, east, down"),
};
const fm_element fm_wall_element =
    FM_TABLE_ELEMENT(obstacle_config, "wall", wall_attrs, NULL, 0, "An infinite plane wall, solid behind its surface.");

static const fm_attr column_attrs[] = {
    SOLID,
    FM_VECTOR_ATTR(
        obstacle_config, position, 3, "position", "m", 0, 0, NULL, FM_ATTR_REQUIRED,
        "middle of its top end, not its centre: north, east, depth of the top. 0 m: the top is level with the "
        "surface; -0.1 m: it rises 0.1 m above the water. The foot is `height` below"),
    FM_REAL_ATTR(obstacle_config, radius, "radius", "m", 1e-4, 1e4, NULL, FM_ATTR_REQUIRED, "of the column"),
    FM_REAL_ATTR(obstacle_config, height, "height", "m", 1e-4, 12000, NULL, FM_ATTR_REQUIRED,
                 "from the top down to the foot"),
};
const fm_element fm_column_obstacle_element =
    FM_TABLE_ELEMENT(obstacle_config, "column", column_attrs, tracked, 0, "An upright cylinder.");

static const fm_attr sphere_attrs[] = {
    SOLID,
    FM_VECTOR_ATTR(obstacle_config, position, 3, "position", "m", 0, 0, NULL, FM_ATTR_REQUIRED, "of the centre"),
    FM_REAL_ATTR(obstacle_config, radius, "radius", "m", 1e-4, 1e4, NULL, FM_ATTR_REQUIRED, "of the sphere"),
};
const fm_element fm_sphere_element = FM_TABLE_ELEMENT(obstacle_config, "sphere", sphere_attrs, tracked, 0, "A sphere.");

static const fm_attr box_attrs[] = {
    SOLID,
    FM_VECTOR_ATTR(obstacle_config, position, 3, "position", "m", 0, 0, NULL, FM_ATTR_REQUIRED, "of the centre"),
    FM_VECTOR_ATTR(obstacle_config, size, 3, "size", "m", 1e-4, 1e5, NULL, FM_ATTR_REQUIRED, "along its x, y, z"),
    FM_VECTOR_ATTR(obstacle_config, attitude, 3, "attitude", "rad", -7, 7, "0 0 0 deg", 0, "roll, pitch, heading"),
};
const fm_element fm_box_element = FM_TABLE_ELEMENT(obstacle_config, "box", box_attrs, tracked, 0, "A box.");

static const fm_attr pool_attrs[] = {
    COMMON,
    FM_VECTOR_ATTR(obstacle_config, position, 3, "position", "m", 0, 0, "0 0 0 m", 0,
                   "of its south-west corner at the surface"),
    FM_VECTOR_ATTR(obstacle_config, size, 3, "size", "m", 1e-2, 1e5, NULL, FM_ATTR_REQUIRED,
                   "north, east and depth; four walls and a floor"),
};
const fm_element fm_pool_element = FM_TABLE_ELEMENT(
    obstacle_config, "pool", pool_attrs, NULL, 0,
    "A rectangular pool: four walls NAME-south, NAME-north, NAME-west, NAME-east and the floor NAME-floor.");

typedef struct obstacle_list {
    fm_builder *builder;
    fm_obstacle *all;
    fm_material *materials;
    size_t count;
} obstacle_list;

static fm_obstacle *add(obstacle_list *list, const obstacle_config *c, const char *suffix, fm_shape shape)
{
    char name[96];
    snprintf(name, sizeof name, "%.60s%s", c->name, suffix);
    fm_obstacle *o = &list->all[list->count];
    fm_material *m = &list->materials[list->count + 1];
    snprintf(m->name, sizeof m->name, "%.31s", c->name);
    memcpy(m->colour, c->colour, sizeof m->colour);
    m->reflectivity = c->reflectivity;
    shape.material = (uint32_t)list->count + 1;
    *o = (fm_obstacle){.name = fm_arena_text(&list->builder->model->arena, name), .shape = shape};
    list->count++;
    return o;
}

static void place_upright(fm_shape *shape, const double position[3])
{
    static const double level[4] = {1, 0, 0, 0};
    fm_shape_place(shape, position, level);
}

static fm_status add_wall(obstacle_list *list, const fm_node *node, const obstacle_config *c)
{
    if (c->normal[0] == 0 && c->normal[1] == 0 && c->normal[2] == 0)
        return fm_node_fail(node, "normal", list->builder->report, FM_ERR_RANGE,
                            "0 0 0 is invalid: a direction must not be zero");
    add(list, c, "", fm_shape_wall(c->position, c->normal));
    return FM_OK;
}

static void add_pool(obstacle_list *list, const obstacle_config *c)
{
    static const char *const names[5] = {"-south", "-north", "-west", "-east", "-floor"};
    static const double normals[5][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, -1}};
    for (int i = 0; i < 5; i++) {
        double point[3];
        for (int k = 0; k < 3; k++)
            point[k] = c->position[k] + (normals[i][k] < 0 ? c->size[k] : 0);
        add(list, c, names[i], fm_shape_wall(point, normals[i]));
    }
}

/* below: m from the position in the file to the shape's centre. */
static fm_status add_track(obstacle_list *list, const fm_node *node, double below, fm_obstacle *o)
{
    track_config c;
    fm_node_fill(node, &c);
    if (c.x.count != c.t.count || c.y.count != c.t.count || c.z.count != c.t.count)
        return fm_node_fail(node, "t", list->builder->report, FM_ERR_MODEL,
                            "%zu times, %zu x, %zu y, %zu z: must be one of each", c.t.count, c.x.count, c.y.count,
                            c.z.count);
    for (size_t i = 1; i < c.t.count; i++)
        if (!(c.t.values[i] > c.t.values[i - 1]))
            return fm_node_fail(node, "t", list->builder->report, FM_ERR_MODEL, "time %zu is not after time %zu", i + 1,
                                i);
    double(*track)[3] = fm_build_alloc(list->builder, c.t.count * sizeof *track);
    if (!track)
        return FM_ERR_MEMORY;
    for (size_t i = 0; i < c.t.count; i++) {
        track[i][0] = c.x.values[i];
        track[i][1] = c.y.values[i];
        track[i][2] = c.z.values[i] + below;
    }
    o->track_time = c.t.values;
    o->track = (const double(*)[3])track;
    o->track_count = c.t.count;
    o->loops = (int)c.loops;
    return FM_OK;
}

static fm_status add_obstacle(obstacle_list *list, const fm_node *node)
{
    obstacle_config c;
    memset(&c, 0, sizeof c);
    fm_node_fill(node, &c);
    fm_shape shape;
    if (fm_node_is(node, "wall"))
        return add_wall(list, node, &c);
    if (fm_node_is(node, "pool"))
        return add_pool(list, &c), FM_OK;
    if (fm_node_is(node, "column")) {
        shape = fm_shape_cylinder(c.radius, c.height / 2, 2);
        c.position[2] += c.height / 2;
        place_upright(&shape, c.position);
    } else if (fm_node_is(node, "sphere")) {
        shape = fm_shape_sphere(c.radius);
        place_upright(&shape, c.position);
    } else {
        double q[4];
        shape = fm_shape_box(c.size[0] / 2, c.size[1] / 2, c.size[2] / 2);
        fm_quat_from_euler(c.attitude, q);
        fm_shape_place(&shape, c.position, q);
    }
    fm_obstacle *o = add(list, &c, "", shape);
    const fm_node *track = fm_node_child(node, "track");
    return track ? add_track(list, track, fm_node_is(node, "column") ? c.height / 2 : 0, o) : FM_OK;
}

size_t fm_build_obstacle_count(const fm_node *node)
{
    if (fm_node_is(node, "pool"))
        return 5;
    return fm_node_is(node, "wall") || fm_node_is(node, "column") || fm_node_is(node, "sphere") ||
           fm_node_is(node, "box");
}

static fm_status check_names(fm_builder *b, const fm_node *world, const obstacle_list *list)
{
    fm_name_set names = {0};
    fm_status status = fm_name_set_create(&names, list->count, NULL);
    for (size_t i = 0; status == FM_OK && i < list->count; i++) {
        const char *name = list->all[i].name;
        if (!name)
            status = FM_ERR_MEMORY;
        else if (fm_name_set_at(&names, name)->count++)
            status = fm_node_fail(world, NULL, b->report, FM_ERR_NAME, "two obstacles are called '%s'", name);
    }
    fm_name_set_free(&names);
    return status == FM_ERR_MEMORY ? fm_report_add(b->report, status, NULL, 0, "no memory for the model") : status;
}

fm_status fm_build_obstacles(fm_builder *b, const fm_node *world, fm_environment *e)
{
    size_t most = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(world, NULL, node));)
        most += fm_build_obstacle_count(node);
    obstacle_list list = {.builder = b};
    list.all = fm_build_alloc(b, (most + 1) * sizeof *list.all);
    list.materials = fm_build_alloc(b, (most + 1) * sizeof *list.materials);
    if (!list.all || !list.materials)
        return FM_ERR_MEMORY;
    list.materials[0] = (fm_material){.name = "default", .reflectivity = 0.5, .colour = {0.55, 0.5, 0.42}};
    if (e->bottom)
        list.materials[0] = e->ground;
    fm_status first = FM_OK;
    for (const fm_node *node = NULL; (node = fm_node_next(world, NULL, node));) {
        fm_status status = fm_build_obstacle_count(node) ? add_obstacle(&list, node) : FM_OK;
        first = first == FM_OK ? status : first;
    }
    e->obstacles = list.all;
    e->obstacle_count = list.count;
    e->materials = list.materials;
    e->material_count = list.count + 1;
    return first == FM_OK ? check_names(b, world, &list) : first;
}

/* The scene for rays: obstacles that are fixed, and the bottom if it consists of triangles. */
fm_status fm_build_scene(fm_builder *b, fm_environment *e)
{
    fm_ray_body *shapes = fm_build_alloc(b, (e->obstacle_count + 1) * sizeof *shapes);
    fm_ray_mesh floor = {.mesh = &e->floor, .body = FM_BODY_BOTTOM};
    size_t count = 0;
    fm_error error = {0};
    if (!shapes)
        return FM_ERR_MEMORY;
    for (size_t i = 0; i < e->obstacle_count; i++)
        if (!e->obstacles[i].track_count)
            shapes[count++] = (fm_ray_body){e->obstacles[i].shape, FM_BODY_OBSTACLE + (uint32_t)i};
    e->scene = fm_ray_scene_create(&(fm_ray_static){&floor, e->floor.triangle_count > 0, shapes, count}, &error);
    if (!e->scene)
        return fm_report_add(b->report, error.status, NULL, 0, "rays: %s", error.text);
    return fm_solids_build(e, &error) == FM_OK ? FM_OK
                                               : fm_report_add(b->report, error.status, NULL, 0, "%s", error.text);
}
