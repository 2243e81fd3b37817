#include "telemetry/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "environment/environment.h"
#include "geometry/mesh.h"
#include "look/scene_look.h"
#include "telemetry/frames.h"
#include "telemetry/scene_actuators.h"
#include "telemetry/scene_frames.h"
#include "telemetry/scene_hull.h"
#include "world/waters.h"

typedef struct builder {
    const fm_model *model;
    fm_arena *arena;
    fm_scene *scene;
    fm_msg_scene_mesh *meshes;
    size_t mesh_count, mesh_room;
    fm_error *error;
} builder;

static fm_status out_of_memory(const builder *b)
{
    return fm_fail(b->error, FM_ERR_MEMORY, "out of memory for the scene");
}

/* --- shapes --- */

/* w x y z */
static void multiply(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* Attitude of a shape whose axis is made its local z. */
static void along_z(const fm_shape *shape, double q[4])
{
    static const double s = 0.70710678118654752440;
    static const double turns[3][4] = {{s, 0, s, 0}, {s, -s, 0, 0}, {1, 0, 0, 0}};
    int long_one = shape->kind == FM_SHAPE_CYLINDER || shape->kind == FM_SHAPE_CAPSULE;
    multiply(shape->quaternion, turns[long_one ? shape->axis : 2], q);
}

static const uint8_t scene_kinds[] = {
    [FM_SHAPE_SPHERE] = FM_MSG_scene_shape_SPHERE,       [FM_SHAPE_BOX] = FM_MSG_scene_shape_BOX,
    [FM_SHAPE_CYLINDER] = FM_MSG_scene_shape_CYLINDER,   [FM_SHAPE_CAPSULE] = FM_MSG_scene_shape_CAPSULE,
    [FM_SHAPE_ELLIPSOID] = FM_MSG_scene_shape_ELLIPSOID, [FM_SHAPE_HULL] = FM_MSG_scene_shape_MESH,
    [FM_SHAPE_PLANE] = FM_MSG_scene_shape_PLANE};

static void scene_size(const fm_shape *shape, double size[3])
{
    memset(size, 0, 3 * sizeof *size);
    switch (shape->kind) {
    case FM_SHAPE_SPHERE: size[0] = shape->size[0]; break;
    case FM_SHAPE_BOX:
        for (int i = 0; i < 3; i++)
            size[i] = 2 * shape->size[i];
        break;
    case FM_SHAPE_CYLINDER:
    case FM_SHAPE_CAPSULE: size[0] = shape->size[0], size[1] = 2 * shape->size[1]; break;
    case FM_SHAPE_ELLIPSOID: memcpy(size, shape->size, 3 * sizeof *size); break;
    case FM_SHAPE_HULL: size[0] = size[1] = size[2] = 1; break;
    case FM_SHAPE_PLANE: break;
    }
}

/* Room for further meshes. */
static fm_status grow_meshes(builder *b, size_t more)
{
    if (b->mesh_count + more <= b->mesh_room)
        return FM_OK;
    size_t room = 2 * b->mesh_room + 8 + more;
    fm_msg_scene_mesh *meshes = fm_arena_alloc(b->arena, room * sizeof *meshes);
    if (!meshes)
        return out_of_memory(b);
    if (b->mesh_count)
        memcpy(meshes, b->meshes, b->mesh_count * sizeof *meshes);
    b->meshes = meshes;
    b->mesh_room = room;
    return FM_OK;
}

/* A convex hull of points becomes a mesh of the scene, in forward-port-up. */
static fm_status add_hull_mesh(builder *b, const fm_shape *shape, int32_t *index)
{
    fm_status status = grow_meshes(b, 1);
    if (status != FM_OK)
        return status;
    *index = (int32_t)b->mesh_count;
    return fm_scene_hull(shape, b->arena, &b->meshes[b->mesh_count++]) ? FM_OK : out_of_memory(b);
}

/* Pose in the world (NED) or on a body (forward-starboard-down). */
static fm_status make_shape(builder *b, const fm_shape *shape, const char *name, int in_world, fm_msg_scene_shape *out)
{
    double q[4];
    fm_status status = FM_OK;
    const fm_environment *e = b->model->environment;
    const double *colour = shape->material < e->material_count ? e->materials[shape->material].colour : NULL;
    *out = (fm_msg_scene_shape){.name = name, .frame = FM_MAP_FRAME, .kind = scene_kinds[shape->kind], .mesh = -1};
    out->colour = colour ? (fm_msg_colour){(float)colour[0], (float)colour[1], (float)colour[2], 1}
                         : (fm_msg_colour){0.5f, 0.5f, 0.5f, 1};
    along_z(shape, q);
    out->pose = in_world ? fm_enu_pose_from_ned(shape->position, q) : fm_flu_pose_from_frd(shape->position, q);
    scene_size(shape, out->size);
    if (shape->kind == FM_SHAPE_HULL)
        status = add_hull_mesh(b, shape, &out->mesh);
    return status;
}

/* A moving obstacle has a frame of its own name, which /tf moves; its shape keeps its attitude there. */
static fm_status make_obstacles(builder *b)
{
    const fm_environment *e = b->model->environment;
    fm_status status = FM_OK;
    for (size_t i = 0; i < e->obstacle_count && status == FM_OK; i++) {
        const fm_obstacle *o = &e->obstacles[i];
        fm_shape shape = o->shape;
        if (o->track_time)
            memset(shape.position, 0, sizeof shape.position);
        fm_msg_scene_shape *out = &b->scene->shapes[b->scene->obstacle_shapes++];
        status = make_shape(b, &shape, o->name ? o->name : "", 1, out);
        if (o->track_time)
            out->frame = out->name;
    }
    return status;
}

/* --- vehicles --- */

static void make_mount(const fm_part *part, fm_msg_scene_mount *out)
{
    static const fm_mount ahead = {.quaternion = {1, 0, 0, 0}};
    const fm_mount *mount = fm_part_mount(part) ? fm_part_mount(part) : &ahead;
    *out = (fm_msg_scene_mount){.name = part->name,
                                .kind = part->part_class->element->name,
                                .pose = fm_flu_pose_from_frd(mount->position, mount->quaternion),
                                .range_min = mount->nearest,
                                .range_max = mount->farthest,
                                .fov_horizontal = mount->width,
                                .fov_vertical = mount->height};
}

static fm_shape plain_hull(const fm_type *type)
{
    double width = type->width > 0 ? type->width : type->length / 8, height = type->height > 0 ? type->height : width;
    if (fabs(width - height) < 0.05 * width && type->length > width)
        return fm_shape_capsule(width / 2, (type->length - width) / 2, 0);
    return fm_shape_box(type->length / 2, width / 2, height / 2);
}

/* Shapes of a hull that bends, as a vehicle has them when it is added; NULL when out of memory. */
static const fm_shape *shapes_at_birth(builder *b, const fm_type *type)
{
    const fm_vehicle *vehicle = fm_scene_rest(b->model, type, b->arena);
    fm_shape *shapes = fm_arena_alloc(b->arena, (type->shape_count + 1) * sizeof *shapes);
    if (!vehicle || !shapes)
        return NULL;
    type->kind->shapes(type, vehicle, shapes);
    return shapes;
}

static fm_status make_type(builder *b, const fm_type *type, fm_scene_type *out)
{
    fm_status status = FM_OK;
    out->type = type;
    size_t own = type->shape_count ? type->shape_count : type->length > 0 ? 1 : 0;
    out->shapes = fm_arena_alloc(b->arena, (own + 1) * sizeof *out->shapes);
    out->mounts = fm_arena_alloc(b->arena, (type->sensor_count + 1) * sizeof *out->mounts);
    if (!out->shapes || !out->mounts)
        return out_of_memory(b);
    const fm_shape *shapes = type->kind->shapes ? shapes_at_birth(b, type) : type->shapes;
    if (type->shape_count && !shapes)
        return out_of_memory(b);
    for (size_t i = 0; i < own && status == FM_OK; i++) {
        fm_shape shape = type->shape_count ? shapes[i] : plain_hull(type);
        status = make_shape(b, &shape, type->name ? type->name : "hull", 0, &out->shapes[out->shape_count++]);
    }
    for (size_t i = 0; i < type->sensor_count; i++)
        make_mount(&type->parts[i], &out->mounts[out->mount_count++]);
    return status;
}

/* Looks of all types, and their meshes. */
static fm_status make_looks(builder *b)
{
    const fm_model *model = b->model;
    size_t count = 0, at = 0;
    for (size_t i = 0; i < model->type_count; i++)
        count += fm_scene_look_count(&model->types[i]);
    fm_msg_scene_look *looks = fm_arena_alloc(b->arena, (count + 1) * sizeof *looks);
    if (!looks)
        return out_of_memory(b);
    for (size_t i = 0; i < model->type_count; i++) {
        const fm_type *type = &model->types[i];
        size_t meshes = fm_scene_look_mesh_count(type);
        fm_status status = grow_meshes(b, meshes);
        if (status != FM_OK)
            return status;
        if (!fm_scene_looks(type, (uint32_t)i, (int32_t)b->mesh_count, b->arena, looks + at,
                            b->meshes ? b->meshes + b->mesh_count : NULL))
            return out_of_memory(b);
        at += fm_scene_look_count(type);
        b->mesh_count += meshes;
    }
    b->scene->message.looks.items = looks;
    b->scene->message.looks.count = count;
    return FM_OK;
}

/* Actuators of all types. */
static fm_status make_actuators(builder *b, double gravity)
{
    const fm_model *model = b->model;
    size_t count = 0, at = 0;
    for (size_t i = 0; i < model->type_count; i++)
        count += model->types[i].actuator_count;
    fm_msg_scene_actuator *actuators = fm_arena_alloc(b->arena, (count + 1) * sizeof *actuators);
    if (!actuators)
        return out_of_memory(b);
    for (size_t i = 0; i < model->type_count; i++) {
        fm_scene_actuators(model, i, gravity, actuators + at);
        at += model->types[i].actuator_count;
    }
    b->scene->message.actuators.items = actuators;
    b->scene->message.actuators.count = count;
    return FM_OK;
}

/* --- terrain --- */

/* Extent of everything at the start, north and east, with a margin. */
static void find_extent(const fm_model *model, double low[2], double high[2])
{
    low[0] = low[1] = HUGE_VAL;
    high[0] = high[1] = -HUGE_VAL;
    for (size_t i = 0; i < model->vehicle_count; i++)
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], model->vehicles[i].position[k]);
            high[k] = fmax(high[k], model->vehicles[i].position[k]);
        }
    for (size_t i = 0; i < model->environment->obstacle_count; i++) {
        fm_aabb box;
        fm_shape_aabb(&model->environment->obstacles[i].shape, &box);
        for (int k = 0; k < 2; k++)
            if (isfinite(box.low[k]) && isfinite(box.high[k])) {
                low[k] = fmin(low[k], box.low[k]);
                high[k] = fmax(high[k], box.high[k]);
            }
    }
    double margin = fmin(fmax(50, 1.5 * model->settings.duration), 2000);
    for (int k = 0; k < 2; k++) {
        low[k] = isfinite(low[k]) ? low[k] - margin : -margin;
        high[k] = isfinite(high[k]) ? high[k] + margin : margin;
    }
}

enum { NODES_MOST = 257 }; /* along each side of a bottom from a file */

static uint32_t count_nodes(size_t nodes)
{
    return (uint32_t)(nodes < 2 ? 2 : nodes > NODES_MOST ? NODES_MOST : nodes);
}

/* A bottom from a file: its nodes if it is a map, otherwise as fine along both sides. */
static void choose_file_grid(const fm_environment *e, fm_msg_scene_heightmap *map)
{
    fm_aabb box;
    fm_mesh_aabb(&e->floor, &box);
    double north = box.high[0] - box.low[0], east = box.high[1] - box.low[1], longest = fmax(north, east);
    size_t rows = e->map.rows, columns = e->map.columns;
    if (rows < 2 || columns < 2) {
        rows = (size_t)ceil(NODES_MOST * north / longest);
        columns = (size_t)ceil(NODES_MOST * east / longest);
    }
    map->rows = count_nodes(rows);
    map->columns = count_nodes(columns);
    map->x0 = box.low[1];
    map->y0 = box.low[0];
    map->dx = east / (map->columns - 1);
    map->dy = north / (map->rows - 1);
}

/* Columns lie along east, rows along north. */
static void choose_grid(const fm_model *model, fm_msg_scene_heightmap *map)
{
    const fm_bottom *bottom = model->environment->bottom;
    double low[2], high[2];
    size_t most = 129;
    if (bottom->kind == FM_BOTTOM_SAMPLED) {
        choose_file_grid(model->environment, map);
        return;
    }
    find_extent(model, low, high);
    size_t n = bottom->kind == FM_BOTTOM_PLANE && !bottom->mound_count ? 2 : most;
    if (bottom->kind != FM_BOTTOM_PLANE) {
        low[0] = bottom->x0;
        high[0] = bottom->x0 + bottom->dx * (double)(bottom->nx - 1);
    }
    if (bottom->kind == FM_BOTTOM_GRID) {
        low[1] = bottom->y0;
        high[1] = bottom->y0 + bottom->dy * (double)(bottom->ny - 1);
    }
    map->rows = (uint32_t)(bottom->kind != FM_BOTTOM_PLANE && bottom->nx < 513 ? bottom->nx : n);
    map->columns = (uint32_t)(bottom->kind == FM_BOTTOM_GRID && bottom->ny < 513        ? bottom->ny
                              : bottom->kind == FM_BOTTOM_NODES && !bottom->mound_count ? 2
                                                                                        : n);
    map->rows = map->rows < 2 ? 2 : map->rows;
    map->columns = map->columns < 2 ? 2 : map->columns;
    map->x0 = low[1];
    map->y0 = low[0];
    map->dx = (high[1] - low[1]) / (map->columns - 1);
    map->dy = (high[0] - low[0]) / (map->rows - 1);
}

static void take_heights(fm_scene *scene, const fm_world *world)
{
    const fm_msg_scene_heightmap *map = scene->terrain;
    const double inset = world->environment->bottom->kind == FM_BOTTOM_SAMPLED ? 1e-6 : 0; /* an edge is met or not */
    const double across = map->dx * (map->columns - 1), along = map->dy * (map->rows - 1);
    for (size_t j = 0; j < map->rows; j++)
        for (size_t i = 0; i < map->columns; i++) {
            double y = fmin(fmax((double)j * map->dy, inset * along), (1 - inset) * along),
                   x = fmin(fmax((double)i * map->dx, inset * across), (1 - inset) * across);
            double depth = fm_bottom_ground(world->environment->bottom, map->y0 + y, map->x0 + x);
            scene->heights[j * map->columns + i] = isfinite(depth) ? (float)-depth : NAN; /* NAN: none there */
        }
    scene->moves = fm_waters_moves(world);
}

int fm_scene_sample_bottom(fm_scene *scene, const fm_world *world)
{
    if (!scene->terrain || scene->moves == fm_waters_moves(world))
        return 0;
    take_heights(scene, world);
    return 1;
}

static fm_status make_terrain(builder *b, const fm_world *world)
{
    if (!b->model->environment->bottom)
        return FM_OK;
    fm_msg_scene_heightmap *map = fm_arena_alloc(b->arena, sizeof *map);
    if (!map)
        return out_of_memory(b);
    map->name = "bottom";
    choose_grid(b->model, map);
    float *heights = fm_arena_alloc(b->arena, (size_t)map->rows * map->columns * sizeof *heights);
    if (!heights)
        return out_of_memory(b);
    b->scene->terrain = map;
    b->scene->heights = heights;
    take_heights(b->scene, world);
    map->heights.items = heights;
    map->heights.count = (size_t)map->rows * map->columns;
    b->scene->message.heightmaps.items = map;
    b->scene->message.heightmaps.count = 1;
    return FM_OK;
}

/* --- all --- */

static size_t joint_count(const fm_scene_type *type)
{
    return type->type->kind->joint_position ? type->type->joint_count : 0;
}

static fm_status take_room(builder *b, size_t slots)
{
    fm_scene *scene = b->scene;
    size_t shapes = 0, mounts = 0, joints = 0;
    for (size_t i = 0; i < b->model->type_count; i++) {
        joints = joint_count(&scene->types[i]) > joints ? joint_count(&scene->types[i]) : joints;
        shapes = scene->types[i].shape_count > shapes ? scene->types[i].shape_count : shapes;
        mounts = scene->types[i].mount_count > mounts ? scene->types[i].mount_count : mounts;
    }
    size_t all = b->model->environment->obstacle_count + shapes * slots;
    fm_msg_scene_shape *old = scene->shapes;
    scene->shapes = fm_arena_alloc(b->arena, (all + 1) * sizeof *scene->shapes);
    scene->mounts = fm_arena_alloc(b->arena, (mounts * slots + 1) * sizeof *scene->mounts);
    scene->transforms = fm_arena_alloc(b->arena, (2 * mounts * slots + 2) * sizeof *scene->transforms);
    scene->frames = fm_arena_alloc(b->arena, (2 * mounts * slots + 2) * sizeof *scene->frames);
    scene->bases = fm_arena_alloc(b->arena, (slots + 1) * sizeof *scene->bases);
    scene->joints = fm_arena_alloc(b->arena, (joints * slots + 1) * sizeof *scene->joints);
    scene->links = fm_arena_alloc(b->arena, (joints * slots + 1) * sizeof *scene->links);
    scene->vehicles = fm_arena_alloc(b->arena, (slots + 1) * sizeof *scene->vehicles);
    if (!scene->bases || !scene->vehicles || !scene->shapes || !scene->mounts || !scene->transforms || !scene->frames ||
        !scene->joints || !scene->links)
        return out_of_memory(b);
    memcpy(scene->shapes, old, scene->obstacle_shapes * sizeof *old);
    return FM_OK;
}

/* Bytes of one message of a type whose strings have up to `text` letters. */
static size_t most_bytes(const fm_message *type, size_t text)
{
    size_t size = 0;
    fm_error ignored; /* "*" bounds all of them */
    fm_message_max_size(type, (const fm_message_limit[]){{"*", text}}, 1, &size, &ignored);
    return size;
}

static size_t longer(size_t longest, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    return length > longest ? length : longest;
}

/* Length of the longest text that a vehicle of the type adds. */
static size_t longest_text(const fm_scene_type *type)
{
    size_t longest = FM_FRAME_SIZE - 1;
    for (size_t k = 0; k < type->shape_count; k++)
        longest = longer(longest, type->shapes[k].name);
    for (size_t k = 0; k < type->mount_count; k++)
        longest = longer(longer(longest, type->mounts[k].name), type->mounts[k].kind);
    for (size_t k = 0; k < joint_count(type); k++)
        longest = longer(longest, type->type->kind->joint_names[k]);
    return longest;
}

/* The constant parts as they are, and for every slot the largest that a vehicle can add. */
static fm_status measure(fm_scene *scene, const fm_world *world, fm_error *error)
{
    size_t vehicle = 0, mounts = 0, slots = (size_t)world->slot_count;
    for (size_t i = 0; i < world->model->type_count; i++) {
        const fm_scene_type *type = &scene->types[i];
        size_t text = longest_text(type);
        size_t bytes = type->shape_count * most_bytes(&fm_msg_scene_shape_type, text) +
                       type->mount_count * most_bytes(&fm_msg_scene_mount_type, text) +
                       joint_count(type) * most_bytes(&fm_msg_scene_joint_type, text) +
                       most_bytes(&fm_msg_scene_vehicle_type, longer(text, type->type->name));
        vehicle = bytes > vehicle ? bytes : vehicle;
        mounts = type->mount_count > mounts ? type->mount_count : mounts;
    }
    fm_msg_scene empty = scene->message;
    empty.shapes.items = scene->shapes;
    empty.shapes.count = scene->obstacle_shapes;
    empty.mounts.count = empty.joints.count = empty.vehicles.count = 0;
    /* 8 each: terrain, looks, waves and actuators may start at another alignment than in the empty scene */
    scene->max_size = fm_message_size(&fm_msg_scene_type, &empty) + slots * vehicle + 32;
    const fm_message_limit limits[] = {{"transforms", 1 + 2 * slots * mounts}, {"*", FM_FRAME_SIZE - 1}};
    return fm_message_max_size(&fm_msg_tf_type, limits, 2, &scene->max_fixed_size, error);
}

fm_status fm_scene_build(const fm_world *world, fm_arena *arena, fm_scene *scene, fm_error *error)
{
    const fm_model *model = world->model;
    builder b = {.model = model, .arena = arena, .scene = scene, .error = error};
    *scene = (fm_scene){0};
    scene->types = fm_arena_alloc(arena, (model->type_count + 1) * sizeof *scene->types);
    scene->shapes = fm_arena_alloc(arena, (model->environment->obstacle_count + 1) * sizeof *scene->shapes);
    if (!scene->types || !scene->shapes)
        return out_of_memory(&b);
    scene->message = (fm_msg_scene){.header.frame_id = FM_MAP_FRAME,
                                    .name = fm_model_title(model),
                                    .latitude = model->settings.latitude * 180 / FM_PI,
                                    .longitude = model->settings.longitude * 180 / FM_PI,
                                    .attenuation = model->environment->attenuation};
    fm_status status = make_obstacles(&b);
    for (size_t i = 0; i < model->type_count && status == FM_OK; i++)
        status = make_type(&b, &model->types[i], &scene->types[i]);
    if (status == FM_OK)
        status = make_looks(&b);
    if (status == FM_OK)
        status = make_actuators(&b, world->environment->gravity);
    if (status == FM_OK)
        status = make_terrain(&b, world);
    if (status == FM_OK && !fm_scene_waves_room(world, arena, &scene->message))
        status = out_of_memory(&b);
    if (status == FM_OK)
        status = take_room(&b, (size_t)world->slot_count);
    scene->message.meshes.items = b.meshes;
    scene->message.meshes.count = b.mesh_count;
    return status == FM_OK ? measure(scene, world, error) : status;
}

static void place_mounts(fm_scene *scene, const fm_scene_type *type, const char *name, const char *base, size_t *count)
{
    for (size_t i = 0; i < type->mount_count; i++, ++*count) {
        scene->mounts[*count] = type->mounts[i];
        scene->mounts[*count].vehicle = name;
        fm_scene_frames_mount(scene, &type->type->parts[i], &type->mounts[i].pose, name, base);
    }
}

/* Joints of a vehicle, each below the one before it; they turn about body z, which points down here and up there. */
static void place_joints(fm_scene *scene, const fm_scene_type *type, const char *name, const char *base, size_t *count)
{
    const fm_kind *kind = type->type->kind;
    const char *parent = base;
    for (size_t i = 0; i < joint_count(type); i++, ++*count) {
        snprintf(scene->links[*count], FM_FRAME_SIZE, "%s/link%zu", name, i + 1);
        scene->joints[*count] = (fm_msg_scene_joint){.name = kind->joint_names[i],
                                                     .parent = parent,
                                                     .child = scene->links[*count],
                                                     .kind = FM_MSG_scene_joint_REVOLUTE,
                                                     .axis = {0, 0, -1}};
        scene->joints[*count].pose.position.x = kind->joint_position(type->type, i);
        scene->joints[*count].pose.orientation.w = 1;
        parent = scene->links[*count];
    }
}

void fm_scene_place(fm_scene *scene, const fm_world *world)
{
    size_t shapes = scene->obstacle_shapes, mounts = 0, joints = 0, vehicles = 0;
    fm_scene_frames_begin(scene);
    for (int slot = 0; slot < world->slot_count; slot++) {
        const char *name = fm_world_name(world, slot);
        char *base = scene->bases[slot];
        if (!name)
            continue;
        snprintf(base, FM_FRAME_SIZE, "%s/" FM_BASE_FRAME, name);
        const fm_scene_type *type = &scene->types[world->slots[slot].vehicle->type];
        for (size_t i = 0; i < type->shape_count; i++) {
            scene->shapes[shapes] = type->shapes[i];
            scene->shapes[shapes++].frame = base;
        }
        scene->vehicles[vehicles++] = (fm_msg_scene_vehicle){name, type->type->name ? type->type->name : "",
                                                             (uint32_t)world->slots[slot].vehicle->type};
        place_mounts(scene, type, name, base, &mounts);
        place_joints(scene, type, name, base, &joints);
    }
    scene->message.shapes.items = scene->shapes;
    scene->message.shapes.count = shapes;
    scene->message.mounts.items = scene->mounts;
    scene->message.mounts.count = mounts;
    scene->message.joints.items = scene->joints;
    scene->message.joints.count = joints;
    scene->message.vehicles.items = scene->vehicles;
    scene->message.vehicles.count = vehicles;
    fm_scene_take_waves(world, &scene->message);
}
