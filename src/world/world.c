/* Creating and stepping a world. */
#include "world/world.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "base/threads.h"
#include "world/contact.h"
#include "world/formation.h"
#include "world/owners.h"
#include "world/parts.h"
#include "world/runaway.h"
#include "world/stream.h"
#include "world/stretch.h"
#include "world/vehicle_names.h"
#include "world/vicinity.h"

_Static_assert(sizeof(fm_vehicle) % 8 == 0, "a record is made of words");
_Static_assert(sizeof(fm_vehicle) == FM_NAME_SIZE + 8 * (7 + 13 + 6 + 3 + 6 + 17 + 7 + 1 + 6 + 4),
               "no padding in a record");

enum { INPUT_ROOM = 4096 };

/* --- the step --- */

static void take_inputs(fm_world *world)
{
    world->bad_slot = world->bad_tether = -1;
    if (world->any_runaway)
        fm_runaway_take_out(world);
    fm_stage_deliver(world);
    fm_parts_list_due(world);
}

static void pull(fm_world *world)
{
    for (int i = 0; world->any_pulls && i < world->slot_count; i++)
        memset(world->slots[i].external, 0, sizeof world->slots[i].external);
    fm_subsystems_pull(world);
}

static void collide(fm_world *world)
{
    if (world->bad_slot < 0 && world->bad_tether < 0) /* a diverged state has no course */
        fm_subsystems_collide(world);
}

static void sum_up(fm_world *world)
{
    fm_subsystems_sum(world);
    fm_stage_publish(world);
    world->head->tick++;
}

static const struct {
    const char *name;
    void (*make)(fm_world *world);
} stages[] = {
    {"inputs", take_inputs},
    {"water and sound", fm_subsystems_deliver},
    {"live parameters", fm_subsystems_refresh},
    {"placing of hulls", fm_subsystems_place_bodies},
    {"sensors", fm_stage_sense},
    {"controllers", fm_stage_decide},
    {"sending of sound", fm_subsystems_collect},
    {"tethers", pull},
    {"motion", fm_stage_move}, /* actuators, forces, integration */
    {"contact", collide},
};

static fm_status report_cancelled(fm_world *world, fm_error *error)
{
    const char *stage, *vehicle;
    fm_world_progress(world, &stage, &vehicle);
    world->cut_short = 1;
    __atomic_store_n(&world->cancelled, 0, __ATOMIC_RELAXED);
    return fm_fail(error, FM_ERR_CANCELLED, "the step of tick %llu (t = %g s) was cancelled in its stage '%s'%s%s%s",
                   (unsigned long long)world->head->tick, fm_world_time(world), stage,
                   vehicle[0] ? ", at vehicle '" : "", vehicle, vehicle[0] ? "'" : "");
}

static fm_status make_stages(fm_world *world, fm_error *error)
{
    fm_status status = FM_OK;
    for (size_t i = 0; status == FM_OK && i < FM_COUNT(stages); i++) {
        fm_world_work_on(world, -1);
        __atomic_store_n(&world->stage, stages[i].name, __ATOMIC_RELAXED);
        stages[i].make(world);
        status = fm_world_is_cancelled(world) ? report_cancelled(world, error) : FM_OK;
    }
    __atomic_store_n(&world->stage, NULL, __ATOMIC_RELAXED);
    return status;
}

fm_status fm_world_step(fm_world *world, fm_error *error)
{
    if (!world)
        return fm_fail(error, FM_ERR_ARGUMENT, "world must not be NULL");
    if (world->cut_short)
        return fm_fail(error, FM_ERR_CANCELLED, "a step of this world was cancelled: reset or restore it first");
    fm_status status = fm_subsystems_permit(world, error);
    if (status == FM_OK)
        status = make_stages(world, error);
    if (status == FM_OK)
        status = fm_stage_check(world, error);
    if (status == FM_OK)
        sum_up(world);
    return status;
}

/* Several ticks in one call if only motion happens in them. */
fm_status fm_world_advance(fm_world *world, uint64_t ticks, uint64_t *made, fm_error *error)
{
    uint64_t count = 0;
    fm_status status = world ? FM_OK : fm_fail(error, FM_ERR_ARGUMENT, "world must not be NULL");
    while (status == FM_OK && count < ticks && (!count || !fm_world_over(world))) {
        uint64_t stretch = fm_stretch_make(world, ticks - count);
        if (!stretch)
            status = fm_world_step(world, error);
        count += stretch ? stretch : 1;
    }
    if (made)
        *made = count;
    return status;
}

static int is_last_waypoint_reached(const fm_world *world)
{
    const fm_route_counts now = fm_world_routes(world);
    return now.marked && now.marked_done == now.marked;
}

int fm_world_over(const fm_world *world)
{
    if (!world)
        return 0;
    const double *state = fm_subsystem_state(world, FM_SUBSYSTEM_END);
    return (state && state[0] != 0) || (world->ends_by_route && is_last_waypoint_reached(world));
}

void fm_world_cancel(fm_world *world)
{
    if (world)
        __atomic_store_n(&world->cancelled, 1, __ATOMIC_RELAXED);
}

void fm_world_progress(const fm_world *world, const char **stage, const char **vehicle)
{
    const char *now = world ? __atomic_load_n(&world->stage, __ATOMIC_RELAXED) : NULL;
    int slot = world ? __atomic_load_n(&world->at_slot, __ATOMIC_RELAXED) : -1;
    if (stage)
        *stage = now ? now : "";
    if (vehicle)
        *vehicle = now && slot >= 0 ? world->slots[slot].vehicle->name : "";
}

/* --- threads --- */

typedef struct chunk_work {
    fm_world *world;
    void (*work)(fm_world *world, const void *user, int first, int end);
    const void *user;
} chunk_work;

static void work_on_chunk(void *user, size_t i)
{
    const chunk_work *w = user;
    int first = (int)i * FM_WORLD_CHUNK, count = w->world->slot_count;
    w->work(w->world, w->user, first, first + FM_WORLD_CHUNK < count ? first + FM_WORLD_CHUNK : count);
}

void fm_world_for_chunks(fm_world *world, void (*work)(fm_world *world, const void *user, int first, int end),
                         const void *user)
{
    chunk_work w = {world, work, user};
    size_t chunks = ((size_t)world->slot_count + FM_WORLD_CHUNK - 1) / FM_WORLD_CHUNK;
    if (world->threads && chunks > 1) {
        fm_threads_share(world->threads, chunks, work_on_chunk, &w);
        return;
    }
    for (size_t i = 0; i < chunks; i++)
        work_on_chunk(&w, i);
}

typedef struct slot_work {
    void (*work)(fm_world *world, int slot);
} slot_work;

static void work_on_slots(fm_world *world, const void *user, int first, int end)
{
    const slot_work *w = user;
    for (int slot = first; slot < end && !fm_world_is_cancelled(world); slot++) {
        fm_world_share_on(world, slot);
        w->work(world, slot);
        if (world->threads)
            fm_world_share_on(world, slot);
    }
}

void fm_world_for_slots(fm_world *world, void (*work)(fm_world *world, int slot))
{
    slot_work w = {work};
    fm_world_for_chunks(world, work_on_slots, &w);
}

static fm_status start_threads(fm_world *world, int threads, fm_error *error)
{
    if (threads <= 1)
        return FM_OK;
    world->threads = fm_threads_create(threads);
    return world->threads && fm_threads_count(world->threads) == threads
               ? FM_OK
               : fm_fail(error, FM_ERR_MEMORY, "%d threads could not be started", threads);
}

/* --- limits --- */

static fm_status check_posture(fm_world *world, int index, fm_error *error)
{
    fm_vehicle *vehicle = world->slots[index].vehicle;
    double theta = vehicle->body.attitude[1];
    if (fm_body_posture_sound(vehicle->body.attitude))
        return FM_OK;
    if (world->on_runaway == FM_RUNAWAY_REMOVE) {
        fm_runaway_mark(world, index, "removed: its pitch has reached 90 deg, where posture=\"euler\" is singular");
        vehicle->body.attitude[1] = 0;
        return FM_OK;
    }
    return fm_fail(error, FM_ERR_STATE,
                   "vehicle '%s': pitch is %.3f deg at tick %llu; posture=\"euler\" is singular at ±90 deg, use "
                   "posture=\"quaternion\"",
                   vehicle->name, theta * 180 / FM_PI, (unsigned long long)world->head->tick);
}

/* Rated and crush depth, and the singularity of Euler angles. */
static fm_status check_limits(fm_world *world, int index, fm_error *error)
{
    fm_slot *slot = &world->slots[index];
    fm_vehicle *vehicle = slot->vehicle;
    if (vehicle->life != FM_ALIVE)
        return FM_OK;
    double depth = vehicle->body.position[2];
    if (slot->type->rated_depth > 0) {
        int below = depth > slot->type->rated_depth;
        if (below && !(vehicle->passed & FM_PASSED_RATED))
            fm_event_measure(world, index, "rated depth passed", depth, "m");
        vehicle->passed = (vehicle->passed & ~(int64_t)FM_PASSED_RATED) | (below ? FM_PASSED_RATED : 0);
    }
    if (slot->type->crush_depth > 0 && depth > slot->type->crush_depth) {
        fm_event_measure(world, index, "crushed", depth, "m");
        vehicle->life = FM_ENDED;
    }
    return slot->type->body.euler ? check_posture(world, index, error) : FM_OK;
}

fm_status fm_stage_check(fm_world *world, fm_error *error)
{
    fm_status status = fm_subsystems_check(world, error);
    if (status == FM_OK && world->bad_slot >= 0)
        status = fm_runaway_report(world, world->bad_slot, error);
    for (int i = 0; status == FM_OK && i < world->slot_count; i++) {
        const fm_type *type = world->slots[i].type;
        if (type && (type->rated_depth > 0 || type->crush_depth > 0 || type->body.euler))
            status = check_limits(world, i, error);
    }
    return status;
}

/* --- create and free --- */

static uint32_t largest_record(const fm_model *model)
{
    uint32_t words = 0;
    for (size_t i = 0; i < model->type_count; i++)
        if (model->types[i].record_words > words)
            words = model->types[i].record_words;
    return words;
}

static size_t slots_of(const fm_model *model)
{
    return model->settings.capacity > model->vehicle_count ? model->settings.capacity : model->vehicle_count;
}

static uint32_t slot_words(const fm_model *model, size_t i)
{
    return i < model->vehicle_count ? model->types[model->vehicles[i].type].record_words : largest_record(model);
}

static int has_moving_masses(const fm_model *model)
{
    for (size_t i = 0; i < model->type_count; i++)
        if (model->types[i].moving_count)
            return 1;
    return 0;
}

/* All memory of a world: the struct, the state block, slots, queues. */
static fm_status allocate(fm_world *world, const fm_model *model, fm_error *error)
{
    size_t slots = slots_of(model), words = sizeof(fm_world_head) / 8 + model->live_count + model->subsystem_words;
    for (size_t i = 0; i < slots; i++)
        words += slot_words(model, i);
    world->state_words = words;
    world->slot_count = (int)slots;
    world->input_room = INPUT_ROOM + slots;
    world->event_room = slots * FM_EVENTS_PER_VEHICLE;
    world->head = fm_alloc(words * 8);
    world->slots = fm_alloc((slots + 1) * sizeof *world->slots);
    /* not zeroed: megabytes that most worlds never touch, and a sweep creates a world per run */
    world->inputs = fm_realloc(NULL, world->input_room * sizeof *world->inputs);
    world->taken = fm_realloc(NULL, (world->input_room + model->change_count) * sizeof *world->taken);
    world->events = fm_alloc((world->event_room + 1) * sizeof *world->events);
    if (!world->head || !world->slots || !world->inputs || !world->taken || !world->events)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a world of %zu vehicles (%zu MiB)", slots, words / 131072);
    world->live = (double *)(void *)(world->head + 1);
    world->subsystems = world->live + model->live_count;
    uint64_t *at = (uint64_t *)(void *)(world->subsystems + model->subsystem_words);
    for (size_t i = 0; i < slots; i++) {
        world->slots[i].vehicle = (fm_vehicle *)(void *)at;
        world->slots[i].room = slot_words(model, i);
        at += world->slots[i].room;
        if (has_moving_masses(model) && !(world->slots[i].own_mass = fm_alloc(sizeof(fm_mass))))
            return fm_fail(error, FM_ERR_MEMORY, "no memory for the mass of vehicle %zu", i);
    }
    return FM_OK;
}

static void note_parts(fm_world *world)
{
    for (size_t i = 0; i < world->model->type_count; i++) {
        world->any_sensors |= world->model->types[i].sensor_count > 0;
        world->any_controllers |= world->model->types[i].controller_count > 0;
        world->any_forces |= world->model->types[i].force_count > 0;
    }
    for (size_t i = 0; i < world->model->subsystem_count; i++)
        world->any_pulls |= world->model->subsystems[i].subsystem->pull != NULL;
}

static void place_vehicles(fm_world *world)
{
    const fm_model *model = world->model;
    for (size_t i = 0; i < model->vehicle_count; i++) {
        const fm_placement *p = &model->vehicles[i];
        fm_vehicle_start(world, (int)i, p->type, p->name, p->position, p->euler, p->velocity, (int64_t)i);
    }
}

/* Initial data for the first call is all zero. */
void fm_world_begin(fm_world *world)
{
    const fm_model *model = world->model;
    uint64_t seed = world->head->seed;
    world->epoch += world->head->tick;
    memset((void *)world->head, 0, world->state_words * 8);
    world->head->seed = seed;
    world->cut_short = world->any_runaway = 0;
    memcpy(world->live, model->live_start, model->live_count * sizeof(double));
    world->live_written = 1;
    world->next_change = 0;
    fm_subsystems_forget(world);
    for (int i = 0; i < world->slot_count; i++) {
        fm_owners_clear(world, i);
        fm_slot_refresh(world, i);
    }
    fm_stream_prepare(world);
    place_vehicles(world);
    fm_subsystems_start(world);
}

fm_runaway fm_world_on_runaway(const fm_world *world)
{
    return world ? world->on_runaway : FM_RUNAWAY_END;
}

uint64_t fm_world_steps(const fm_world *world)
{
    return world ? world->epoch + world->head->tick : 0;
}

fm_world *fm_world_create(const fm_model *model, const fm_world_options *options, fm_error *error)
{
    fm_world_options o;
    if (FM_READ_OPTIONS(&o, options, fm_world_options, error) != FM_OK)
        return NULL;
    fm_world *world = model ? fm_alloc(sizeof *world) : NULL;
    if (!world) {
        fm_fail(error, model ? FM_ERR_MEMORY : FM_ERR_ARGUMENT,
                model ? "no memory for a world" : "model must not be NULL");
        return NULL;
    }
    world->model = model;
    world->bad_slot = world->bad_tether = world->at_slot = -1;
    world->on_runaway = model->settings.on_runaway ? model->settings.on_runaway : o.on_runaway;
    world->on_runaway = world->on_runaway ? world->on_runaway : FM_RUNAWAY_END;
    fm_status status = allocate(world, model, error);
    if (status == FM_OK)
        status = fm_vehicle_names_create(world, error);
    if (status == FM_OK)
        status = fm_owners_create(world, error);
    if (status == FM_OK)
        status = fm_parts_create(world, error);
    if (status == FM_OK)
        status = fm_stretch_create(world, error);
    if (status == FM_OK)
        status = fm_formation_create(world, error);
    if (status == FM_OK)
        status = fm_vicinity_create(world, fm_contact_pair_room(world), error);
    if (status == FM_OK)
        status = fm_subsystems_create(world, error);
    if (status == FM_OK)
        status = start_threads(world, o.threads, error);
    if (status != FM_OK) {
        fm_world_free(world);
        return NULL;
    }
    world->head->seed = o.seeded ? o.seed : model->settings.seed;
    note_parts(world);
    fm_world_begin(world);
    world->ends_by_route = fm_world_routes(world).marked > 0;
    return world;
}

void fm_world_free(fm_world *world)
{
    if (!world)
        return;
    fm_threads_free(world->threads);
    fm_subsystems_free(world);
    fm_vicinity_free(world);
    fm_vehicle_names_free(world);
    fm_owners_free(world);
    for (int i = 0; world->slots && i < world->slot_count; i++)
        fm_free(world->slots[i].own_mass);
    fm_free(world->head);
    fm_free(world->slots);
    fm_free(world->due);
    fm_stretch_free(world);
    fm_formation_free(world);
    fm_free(world->inputs);
    fm_free(world->taken);
    fm_free(world->events);
    fm_free(world);
}
