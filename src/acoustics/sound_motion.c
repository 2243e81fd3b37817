/* Positions of transducers, and which of them are near. */
#include <math.h>
#include <string.h>

#include "acoustics/sound.h"
#include "base/error.h"
#include "geometry/sort.h"
#include "physics/posture.h"
#include "world/vicinity.h"

/* --- one transducer --- */

int fm_sound_device_find(const fm_world *world, int64_t transducer, fm_sound_device *device)
{
    const fm_sound_config *c = world->sound->config;
    int slot = (int)(transducer / (int64_t)c->per_slot);
    const fm_type *type = world->slots[slot].type;
    fm_vehicle *vehicle = world->slots[slot].vehicle;
    if (!type || vehicle->life != FM_ALIVE)
        return 0;
    int index = c->parts[(size_t)vehicle->type * c->per_slot + (size_t)(transducer % (int64_t)c->per_slot)];
    if (index < 0)
        return 0;
    const fm_part *part = &type->parts[index];
    *device = (fm_sound_device){.is = part->config,
                                .live = (const fm_transducer *)(const void *)fm_vehicle_words(vehicle, part->live),
                                .state = (fm_transducer_state *)(void *)fm_vehicle_words(vehicle, part->state),
                                .output = (fm_transducer_output *)(void *)fm_vehicle_words(vehicle, part->output),
                                .part = part,
                                .slot = slot};
    return 1;
}

/* Position, velocity and acceleration of a point of a body: R(v̇ + ω̇×l + ω×(v + ω×l)). */
static void follow_point(const fm_vehicle *vehicle, const double R[9], const double lever[3], fm_sound_motion *motion)
{
    const double *v = vehicle->body.velocity, *a = vehicle->acceleration;
    double arm[3], turn[3], velocity[3], swing[3], spin[3], acceleration[3];
    fm_vector_to_world(R, lever, arm);
    fm_cross(v + 3, lever, turn);
    fm_cross(a + 3, lever, spin);
    for (int i = 0; i < 3; i++) {
        motion->position[i] = vehicle->body.position[i] + arm[i];
        velocity[i] = v[i] + turn[i];
    }
    fm_cross(v + 3, velocity, swing);
    for (int i = 0; i < 3; i++)
        acceleration[i] = a[i] + spin[i] + swing[i];
    fm_vector_to_world(R, velocity, motion->velocity);
    fm_vector_to_world(R, acceleration, motion->acceleration);
}

fm_sound_motion *fm_sound_motion_of(fm_world *world, int64_t transducer)
{
    fm_sound *sound = world->sound;
    fm_sound_motion *motion = &sound->motions[transducer];
    uint64_t tick = world->head->tick;
    if (motion->tick == tick + 1)
        return motion;
    fm_sound_device d;
    *motion = (fm_sound_motion){.tick = tick + 1};
    if (!fm_sound_device_find(world, transducer, &d))
        return motion;
    motion->exists = 1;
    motion->device = d;
    motion->born = world->slots[d.slot].vehicle->born;
    const fm_type *type = world->slots[d.slot].type;
    const double *R = fm_slot_rotation(world, d.slot), *m = d.is->mount.rotation;
    double forward[3] = {m[0], m[3], m[6]};
    motion->time = (double)(tick - tick % type->period) * world->model->settings.dt;
    follow_point(world->slots[d.slot].vehicle, R, d.is->mount.position, motion);
    fm_vector_to_world(R, forward, motion->axis);
    motion->there = fm_medium_wet(&sound->medium, motion->position);
    return motion;
}

/* Backwards along the step just made, forwards in a straight line. */
void fm_sound_position(const fm_sound_motion *motion, double time, double out[3])
{
    double h = time - motion->time, curve = h < 0 ? 0.5 * h * h : 0;
    for (int i = 0; i < 3; i++)
        out[i] = motion->position[i] + h * motion->velocity[i] + curve * motion->acceleration[i];
}

/* --- receivers --- */

enum { FEW = 48 }; /* so few are looked at one by one */

static void visit_slot(fm_world *world, size_t slot, fm_sound_visit *visit, void *user)
{
    const size_t per_slot = world->sound->config->per_slot;
    for (size_t i = slot * per_slot; i < (slot + 1) * per_slot; i++)
        if (fm_sound_motion_of(world, (int64_t)i)->there)
            visit(world, (int64_t)i, user);
}

void fm_sound_near(fm_world *world, const double point[3], double reach, fm_sound_visit *visit, void *user)
{
    fm_sound *sound = world->sound;
    fm_region region;
    region.count = 0;
    if (sound->count <= FEW) {
        for (size_t slot = 0; slot < (size_t)world->slot_count; slot++)
            visit_slot(world, slot, visit, user);
        return;
    }
    if (sound->near_tick != world->head->tick + 1)
        fm_vicinity_follow(world);
    sound->near_tick = world->head->tick + 1;
    for (int k = 0; k < 3; k++) {
        region.box.low[k] = point[k] - reach - sound->config->lever;
        region.box.high[k] = point[k] + reach + sound->config->lever;
    }
    size_t found = fm_vicinity_find(world, &region, sound->near, (size_t)world->slot_count);
    fm_numbers_sort(sound->near, found);
    for (size_t i = 0; i < found; i++)
        visit_slot(world, sound->near[i], visit, user);
}

/* --- memory --- */

enum { RECORDS_MOST = 16384 }; /* reported in one step; more are only counted */

/* Space for layers with twice as many nodes as those of the model, plus a margin. */
static fm_status reserve_layers(fm_world *world, fm_error *error)
{
    fm_sound *sound = world->sound;
    if (!sound->medium.column || !world->model->waters_count)
        return FM_OK;
    sound->nodes = 2 * sound->medium.layers.layers + 512;
    if (!fm_arena_alloc(&sound->room, FM_MEDIUM_ARRAYS * ((sound->nodes + 3) * sizeof(double) + 16)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a sound profile");
    return FM_OK;
}

void fm_sound_follow_sea(fm_world *world)
{
    fm_sound *sound = world->sound;
    fm_medium medium;
    fm_error error;
    if (!sound || !sound->nodes)
        return;
    medium = sound->medium;
    fm_arena_rewind(&sound->room);
    if (fm_medium_follow_column(&medium, sound->nodes, &sound->room, &error) == FM_OK)
        sound->medium = medium;
}

int fm_sound_refresh(fm_world *world)
{
    fm_sound *sound = world->sound;
    if (!sound)
        return 0;
    if (sound->config->noise)
        sound->medium.noise_level = world->live[sound->config->noise - 1];
    const double before = sound->medium.speed;
    if (sound->config->speed)
        sound->medium.speed = sound->medium.slowest = world->live[sound->config->speed - 1];
    return sound->medium.speed != before;
}

fm_status fm_sound_create(fm_world *world, const void *its_config, double *state, fm_error *error)
{
    (void)state;
    const fm_sound_config *config = its_config;
    fm_sound *sound = world->sound = fm_alloc(sizeof *sound);
    if (!sound)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for sound");
    sound->config = config;
    sound->medium = config->medium;
    sound->medium.water = world->environment;
    fm_status status = reserve_layers(world, error);
    if (status != FM_OK)
        return status;
    sound->count = (size_t)world->slot_count * config->per_slot;
    sound->record_room = (size_t)fmin(fmax((double)config->size.moments, 256), RECORDS_MOST);
    sound->motions = fm_alloc((sound->count + 1) * sizeof *sound->motions);
    sound->near = fm_alloc(((size_t)world->slot_count + 1) * sizeof *sound->near);
    sound->records = fm_alloc(sound->record_room * sizeof *sound->records);
    if (!sound->motions || !sound->near || !sound->records)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu transducers", sound->count);
    fm_sound_forget(world);
    return FM_OK;
}

void fm_sound_free(fm_world *world)
{
    if (!world->sound)
        return;
    fm_arena_free(&world->sound->room);
    fm_free(world->sound->motions);
    fm_free(world->sound->near);
    fm_free(world->sound->records);
    fm_free(world->sound);
}

void fm_sound_forget(fm_world *world)
{
    fm_sound *sound = world->sound;
    if (!sound)
        return;
    sound->waiting = 1;
    sound->record_count = 0;
    sound->near_tick = 0;
    for (size_t i = 0; i < sound->count; i++)
        sound->motions[i].tick = 0;
}

void fm_sound_notice(fm_world *world, int slot)
{
    fm_sound *sound = world->sound;
    if (!sound)
        return;
    sound->waiting = 1;
    sound->near_tick = 0;
    for (size_t i = 0; i < sound->config->per_slot; i++)
        sound->motions[(size_t)slot * sound->config->per_slot + i].tick = 0;
}
