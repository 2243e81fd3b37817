#include "world/formation.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "physics/flat.h"
#include "world/flatten.h"

enum { FEWEST = 3 }; /* a group of fewer takes longer in lanes than one by one */

struct fm_formation {
    const fm_glide_build *build;
    struct {
        void *room, *craft; /* as allocated, and aligned; NULL: vehicles of this type move one by one */
    } of[];                 /* per type */
};

/* --- types --- */

/* Does its step consist of the integration of a rigid body whose mass and hull stay the same? */
static int is_plain(const fm_type *type)
{
    return type->kind->step_of_craft && type->tolerance == 0 && !type->moving_count && !type->body.appendages;
}

static size_t count_of(const fm_model *model, size_t type)
{
    size_t count = 0;
    for (size_t i = 0; i < model->vehicle_count; i++)
        count += (size_t)model->vehicles[i].type == type;
    return count +
           (model->settings.capacity > model->vehicle_count ? model->settings.capacity - model->vehicle_count : 0);
}

static fm_status prepare(struct fm_formation *f, const fm_type *type, size_t number, fm_error *error)
{
    fm_flat *flat = fm_type_flatten(type, error);
    if (!flat)
        return FM_ERR_MEMORY;
    void *room = f->of[number].room = fm_alloc(f->build->bytes(flat) + FM_FLAT_ALIGN);
    if (room) {
        f->of[number].craft = (char *)room + (FM_FLAT_ALIGN - (uintptr_t)room % FM_FLAT_ALIGN) % FM_FLAT_ALIGN;
        f->build->prepare(flat, f->of[number].craft);
    }
    fm_free(flat);
    return room ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for vehicles of type '%s' in lanes", type->name);
}

fm_status fm_formation_create(fm_world *world, fm_error *error)
{
    const fm_model *model = world->model;
    const fm_glide_build *build = fm_glide_find();
    if (!build || world->slot_count < FEWEST)
        return FM_OK;
    struct fm_formation *f = world->formation = fm_alloc(sizeof *f + model->type_count * sizeof *f->of);
    if (!f)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for vehicles in lanes");
    f->build = build;
    for (size_t i = 0; i < model->type_count; i++)
        if (is_plain(&model->types[i]) && count_of(model, i) >= FEWEST) {
            fm_status status = prepare(f, &model->types[i], i, error);
            if (status != FM_OK)
                return status;
        }
    return FM_OK;
}

void fm_formation_free(fm_world *world)
{
    for (size_t i = 0; world->formation && i < world->model->type_count; i++)
        fm_free(world->formation->of[i].room);
    fm_free(world->formation);
}

static const void *craft_of(const fm_world *world, const fm_type *type)
{
    return world->formation->of[type - world->types].craft;
}

int fm_formation_takes(const fm_world *world, const fm_type *type)
{
    return world->formation && world->types == world->model->types && !world->stream.fields && !world->energy &&
           craft_of(world, type);
}

/* --- groups --- */

/* Takes the first of these slots and others of its type out of the list. */
static int take_group(const fm_world *world, int *waiting, int *count, int *group)
{
    const fm_type *type = world->slots[waiting[0]].type;
    const int lanes = world->formation->build->lanes;
    int taken = 0, left = 0;
    for (int i = 0; i < *count; i++) {
        if (taken < lanes && world->slots[waiting[i]].type == type)
            group[taken++] = waiting[i];
        else
            waiting[left++] = waiting[i];
    }
    *count = left;
    return taken;
}

static void work_one_by_one(fm_world *world, const fm_formation_work *work, const int *slots, int count)
{
    for (int i = 0; i < count && !fm_world_is_cancelled(world); i++) {
        fm_world_share_on(world, slots[i]);
        work->one(world, slots[i]);
    }
}

static void work_on_chunk(fm_world *world, const void *user, int first, int end)
{
    const fm_formation_work *work = user;
    int waiting[FM_WORLD_CHUNK], alone[FM_WORLD_CHUNK], group[FM_GLIDE_WIDEST], count = 0, others = 0;
    for (int slot = first; slot < end; slot++) {
        if (world->formation && work->takes(world, slot))
            waiting[count++] = slot;
        else
            alone[others++] = slot;
    }
    while (count && !fm_world_is_cancelled(world)) {
        int taken = take_group(world, waiting, &count, group);
        if (taken < FEWEST) {
            work_one_by_one(world, work, group, taken);
        } else {
            fm_world_share_on(world, group[0]);
            work->several(world, group, taken);
        }
    }
    work_one_by_one(world, work, alone, others);
}

void fm_formation_for_slots(fm_world *world, const fm_formation_work *work)
{
    fm_world_for_chunks(world, work_on_chunk, work);
}

_Static_assert(sizeof(fm_body_state) == FM_GLIDE_BODY * sizeof(double) &&
                   sizeof(fm_tally) == FM_GLIDE_TALLY * sizeof(double) &&
                   offsetof(fm_vehicle, peak_sine_pitch) == offsetof(fm_vehicle, distance) + 3 * sizeof(double),
               "a record has these numbers next to each other");

fm_glider fm_formation_glider(const fm_vehicle *v, fm_glided *out)
{
    return (fm_glider){v->body.position, v->input.force, &v->distance, out};
}

uint64_t fm_formation_move(const fm_world *world, const fm_type *type, fm_glide_job *job)
{
    job->craft = craft_of(world, type);
    memcpy(job->water, world->stream.fixed.velocity, sizeof job->water);
    return world->formation->build->step(job);
}
