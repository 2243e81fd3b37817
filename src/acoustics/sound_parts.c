/* Sound functions for parts and programs (fathom/sound.h). */
#include <math.h>
#include <string.h>

#include "acoustics/sound.h"
#include "base/error.h"
#include "world/inputs.h"

/* A transducer by slot and number of its part; 0: none with that number. */
static int find_device(const fm_world *world, int index, int transducer, fm_sound_device *d)
{
    const fm_slot *slot = &world->slots[index];
    if (transducer < 0 || (size_t)transducer >= slot->type->part_count ||
        slot->type->parts[transducer].role != FM_ROLE_TRANSDUCER)
        return 0;
    const fm_part *part = &slot->type->parts[transducer];
    *d = (fm_sound_device){.is = part->config,
                           .live = (const fm_transducer *)(const void *)fm_vehicle_words(slot->vehicle, part->live),
                           .state = (fm_transducer_state *)(void *)fm_vehicle_words(slot->vehicle, part->state),
                           .output = (fm_transducer_output *)(void *)fm_vehicle_words(slot->vehicle, part->output),
                           .part = part,
                           .slot = index};
    return 1;
}

/* One of the vehicle of a part. */
static int find_own(const fm_part_context *context, int transducer, fm_sound_device *d)
{
    return context && context->world && context->world->sound &&
           find_device(context->world, context->slot, transducer, d);
}

static int is_sendable(const fm_sound_device *d, const fm_emission *e)
{
    double frequency = e->frequency > 0 ? e->frequency : d->is->frequency;
    return frequency >= d->is->band[0] && frequency <= d->is->band[1] && e->level <= d->live->level &&
           e->size <= (size_t)d->is->payload && (e->data || !e->size) && e->duration >= 0 && e->time < HUGE_VAL;
}

static fm_sound_answer answer(const fm_part_context *context, int transducer, const fm_emission *e, fm_sound_device *d)
{
    if (!e || !find_own(context, transducer, d) || !is_sendable(d, e))
        return FM_SOUND_REFUSED;
    double time = fmax(e->time, context->time);
    int busy = d->state->request.waits || d->state->scheduled > 0 || time < d->state->ready;
    return busy ? FM_SOUND_BUSY : FM_SOUND_TAKEN;
}

fm_sound_answer fm_sound_ask(const fm_part_context *context, int transducer, const fm_emission *e)
{
    fm_sound_device d;
    return answer(context, transducer, e, &d);
}

fm_sound_answer fm_sound_emit(const fm_part_context *context, int transducer, const fm_emission *e)
{
    fm_sound_device d;
    fm_sound_answer taken = answer(context, transducer, e, &d);
    if (taken != FM_SOUND_TAKEN)
        return taken;
    double time = fmax(e->time, context->time);
    d.state->request = (fm_sound_request){.waits = 1,
                                          .kind = e->kind,
                                          .to = e->to,
                                          .code = e->code,
                                          .answers = e->answers,
                                          .size = (int64_t)e->size,
                                          .time = time,
                                          .frequency = e->frequency,
                                          .level = e->level,
                                          .duration = e->duration};
    if (e->size)
        memcpy(fm_transducer_request_data(d.state), e->data, e->size);
    __atomic_store_n(&context->world->sound->waiting, 1, __ATOMIC_RELAXED);
    return FM_SOUND_TAKEN;
}

double fm_sound_ready(const fm_part_context *context, int transducer)
{
    fm_sound_device d;
    return find_own(context, transducer, &d) ? d.state->ready : HUGE_VAL;
}

int64_t fm_sound_address(const fm_part_context *context, int transducer)
{
    fm_sound_device d;
    return find_own(context, transducer, &d) ? d.live->address : 0;
}

static int hear(const fm_sound_device *d, int64_t *seen, fm_reception *reception, void *data, size_t room)
{
    if (!seen || !reception || *seen >= d->output->count)
        return 0;
    int64_t oldest = d->output->count - d->is->inbox + 1, number = *seen + 1 > oldest ? *seen + 1 : oldest;
    const fm_reception *kept = fm_transducer_inbox(d->is, d->state, number);
    size_t size = (size_t)kept->size < (size_t)d->is->payload ? (size_t)kept->size : (size_t)d->is->payload;
    *reception = *kept;
    *seen = number;
    if (data)
        memcpy(data, kept + 1, size < room ? size : room);
    return 1;
}

int fm_sound_hear(const fm_part_context *context, int transducer, int64_t *seen, fm_reception *reception, void *data,
                  size_t room)
{
    fm_sound_device d;
    return find_own(context, transducer, &d) && hear(&d, seen, reception, data, room);
}

int fm_world_hear(const fm_world *world, const char *vehicle, const char *transducer, int64_t *seen,
                  fm_reception *reception, void *data, size_t room)
{
    fm_sound_device d;
    int slot = world && world->sound && vehicle ? fm_world_find(world, vehicle) : -1;
    int part = slot < 0 ? -1 : fm_type_find_part(world->slots[slot].type, FM_ROLE_TRANSDUCER, transducer);
    return part >= 0 && find_device(world, slot, part, &d) && hear(&d, seen, reception, data, room);
}

int fm_slot_hear(const fm_world *world, int slot, int part, int64_t *seen, fm_reception *reception, void *data,
                 size_t room)
{
    fm_sound_device d;
    return world->sound && find_device(world, slot, part, &d) && hear(&d, seen, reception, data, room);
}

int fm_slot_voice(const fm_world *world, int slot, int part, fm_sound_device *device)
{
    return world->sound && find_device(world, slot, part, device);
}

int fm_sound_listen(const fm_part_context *context, int transducer, double frequency, fm_sound_here *here)
{
    fm_sound_device d;
    if (!here || !find_own(context, transducer, &d))
        return 0;
    const fm_medium *medium = &context->world->sound->medium;
    fm_instrument_pose at = fm_instrument_where(context, &d.is->mount);
    double hz = frequency > 0 ? frequency : d.is->frequency;
    fm_signal heard = {.frequency = hz, .ambient = fm_medium_noise(medium, hz)};
    *here = (fm_sound_here){fm_medium_speed(medium, at.position[2]), fm_medium_absorption(medium, hz, at.position),
                            fm_sound_noise(context->world, &d, &heard)};
    return fm_medium_wet(medium, at.position);
}

int fm_sound_trace(const fm_part_context *context, double depth, double elevation, double slant, double point[2])
{
    if (!context || !context->world || !context->world->sound || !point)
        return 0;
    return fm_medium_trace(&context->world->sound->medium, depth, elevation, slant, point);
}

/* --- the record --- */

size_t fm_world_sounds(const fm_world *world, const fm_sound_record **records)
{
    if (!records)
        return 0;
    *records = world && world->sound ? world->sound->records : NULL;
    return *records ? world->sound->record_count : 0;
}

const char *fm_world_sound_source(const fm_world *world, int64_t source, const char **vehicle)
{
    fm_sound_device d;
    if (!vehicle)
        return NULL;
    *vehicle = NULL;
    if (!world || !world->sound || source < 0 || (size_t)source >= world->sound->count ||
        !fm_sound_device_find(world, source, &d))
        return NULL;
    *vehicle = world->slots[d.slot].vehicle->name;
    return d.part->name;
}

const char *fm_sound_path_name(const fm_reception *r)
{
    if (!r)
        return "";
    if (r->surface + r->bottom > 1)
        return "multiple";
    return r->surface ? "surface" : r->bottom ? "bottom" : "direct";
}

uint64_t fm_world_sounds_lost(const fm_world *world)
{
    if (!world || !world->sound)
        return 0;
    const fm_signals *signals = (const fm_signals *)(const void *)fm_subsystem_state(world, FM_SUBSYSTEM_SOUND);
    return (uint64_t)signals->lost + world->sound->records_lost;
}
