#include "look/scene_look.h"

#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "look/look.h"
#include "telemetry/frames.h"

size_t fm_scene_look_count(const fm_type *type)
{
    return type->look_count + (type->kind->skin ? 1 : 0);
}

size_t fm_scene_look_mesh_count(const fm_type *type)
{
    size_t count = type->kind->skin ? 1 : 0;
    for (size_t i = 0; i < type->look_count; i++)
        count += type->looks[i].mesh != NULL;
    return count;
}

/* --- meshes --- */

static fm_msg_scene_mesh mesh_of(const fm_look_mesh *mesh)
{
    return (fm_msg_scene_mesh){.name = mesh->name,
                               .vertices = {mesh->vertices, 3 * mesh->vertex_count},
                               .triangles = {mesh->triangles, 3 * mesh->triangle_count},
                               .format = mesh->data ? "glb" : "",
                               .data = {mesh->data, mesh->size}};
}

fm_vehicle *fm_scene_rest(const fm_model *model, const fm_type *type, fm_arena *arena)
{
    fm_vehicle *vehicle = fm_arena_alloc(arena, 8 * (size_t)type->record_words + sizeof *vehicle);
    if (vehicle && model && type->kind->start)
        type->kind->start(model, type, vehicle);
    return vehicle;
}

/* The skin of a vehicle whose joints are straight, in forward-port-up. */
static int make_skin(const fm_type *type, fm_arena *arena, fm_msg_scene_mesh *mesh)
{
    fm_vehicle *straight = fm_scene_rest(NULL, type, arena);
    fm_skin *skin = fm_arena_alloc(arena, sizeof *skin);
    if (!straight || !skin)
        return 0;
    type->kind->skin(type, straight, skin);
    float *vertices = fm_arena_alloc(arena, 3 * skin->vertices * sizeof *vertices + 1);
    float *colours = fm_arena_alloc(arena, 3 * skin->vertices * sizeof *colours + 1);
    if (!vertices || !colours)
        return 0;
    for (size_t i = 0; i < skin->vertices; i++)
        for (size_t k = 0; k < 3; k++) {
            vertices[3 * i + k] = (float)(k ? -skin->point[i][k] : skin->point[i][k]);
            colours[3 * i + k] = (float)skin->colour[i][k];
        }
    *mesh = (fm_msg_scene_mesh){.name = "skin",
                                .vertices = {vertices, 3 * skin->vertices},
                                .triangles = {skin->index, 3 * skin->triangles},
                                .colours = {colours, 3 * skin->vertices}};
    return 1;
}

/* --- looks --- */

static fm_msg_scene_look look_of(const fm_type *type, uint32_t number, const fm_look *look)
{
    const fm_actuator *actuator = look->actuator >= 0 ? &type->actuators[look->actuator] : NULL;
    const double *c = look->colour;
    return (fm_msg_scene_look){.type = number,
                               .name = look->name,
                               .kind = (uint8_t)look->kind,
                               .pose = fm_flu_pose_from_frd(look->position, look->quaternion),
                               .size = {look->size, look->size_count},
                               .mesh = -1,
                               .colour = {(float)c[0], (float)c[1], (float)c[2], (float)c[3]},
                               .glows = look->glows != 0,
                               .actuator = actuator ? type->actuator_names[look->actuator] : "",
                               .unit = actuator ? type->actuator_units[look->actuator] : "",
                               .turn = look->turn,
                               .full = actuator ? fmax(fabs(actuator->high), fabs(actuator->low)) : 0};
}

int fm_scene_looks(const fm_type *type, uint32_t number, int32_t first_mesh, fm_arena *arena, fm_msg_scene_look *looks,
                   fm_msg_scene_mesh *meshes)
{
    int32_t mesh = 0;
    for (size_t i = 0; i < type->look_count; i++) {
        looks[i] = look_of(type, number, &type->looks[i]);
        if (!type->looks[i].mesh)
            continue;
        meshes[mesh] = mesh_of(type->looks[i].mesh);
        looks[i].mesh = first_mesh + mesh++;
    }
    if (!type->kind->skin)
        return 1;
    looks[type->look_count] = (fm_msg_scene_look){.type = number,
                                                  .name = "skin",
                                                  .kind = FM_MSG_scene_look_SKIN,
                                                  .pose.orientation.w = 1,
                                                  .mesh = first_mesh + mesh,
                                                  .colour = {1, 1, 1, 1}};
    return make_skin(type, arena, &meshes[mesh]);
}

/* --- waves --- */

int fm_scene_waves_room(const fm_world *world, fm_arena *arena, fm_msg_scene *scene)
{
    size_t count = world->model->settings.no_surface ? 0 : world->environment->sea.count;
    fm_msg_scene_wave *waves = fm_arena_alloc(arena, (count + 1) * sizeof *waves);
    scene->waves.items = waves;
    scene->waves.count = count;
    return waves != NULL;
}

/* Times of messages continue across a reset of the world, whose own time restarts: the phases compensate for it. */
void fm_scene_take_waves(const fm_world *world, fm_msg_scene *scene)
{
    fm_msg_scene_wave *waves = (fm_msg_scene_wave *)(uintptr_t)scene->waves.items;
    double before = (double)world->epoch * world->model->settings.dt;
    for (size_t i = 0; i < scene->waves.count; i++) {
        const fm_wave *w = &world->environment->sea.waves[i];
        waves[i] = (fm_msg_scene_wave){.amplitude = w->amplitude,
                                       .wave_number = {w->number * w->travel[1], w->number * w->travel[0], 0},
                                       .frequency = w->frequency,
                                       .phase = w->phase + w->frequency * before};
    }
}
