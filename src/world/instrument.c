/* Queries of callers to instruments. */
#include <fathom/instrument.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "sensors/imperfect.h"
#include "world/vehicle_names.h"
#include "world/world.h"

static int is_told(const fm_output *output)
{
    return output->reach != FM_OUTPUT_INNER;
}

static size_t count_fields(const fm_part *part)
{
    size_t count = 0;
    for (size_t i = 0; i < part->output_count; i++)
        count += (size_t)is_told(&part->outputs[i]);
    return count;
}

static const fm_part *find_part(const fm_slot *slot, size_t i)
{
    for (size_t k = 0; slot && k < slot->type->part_count; k++)
        if (count_fields(&slot->type->parts[k]) && i-- == 0)
            return &slot->type->parts[k];
    return NULL;
}

size_t fm_world_instrument_count(const fm_world *world, int slot)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    size_t count = 0;
    while (find_part(s, count))
        count++;
    return count;
}

int fm_world_instrument_find(const fm_world *world, int slot, const char *name)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    const fm_part *part;
    for (size_t i = 0; name && (part = find_part(s, i)); i++)
        if (strcmp(part->name, name) == 0)
            return (int)i;
    return -1;
}

/* The time and number of its samples. A part without a head samples at every whole period of its vehicle's life. */
static void note_samples(const fm_world *world, const fm_slot *slot, const fm_part *part, fm_instrument_info *info)
{
    const void *output = fm_vehicle_words(slot->vehicle, part->output);
    uint64_t born = (uint64_t)slot->vehicle->born, first = (born + part->period - 1) / part->period;
    uint64_t next = (world->head->tick + part->period - 1) / part->period; /* the run that is still to come */
    fm_reading head;
    info->time = NAN;
    if (part->part_class->counts >= FM_COUNTS_READING) {
        memcpy(&head, output, sizeof head);
        info->samples = (uint64_t)head.count;
        info->valid = head.valid != 0;
        info->time = head.count > 0 ? head.time : NAN;
    } else if (slot->vehicle->life == FM_ALIVE && next > first) {
        info->samples = next - first;
        info->valid = 1;
        info->time = (double)((next - 1) * part->period) * world->model->settings.dt;
    }
}

fm_instrument_info fm_world_instrument(const fm_world *world, int slot, size_t i)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    const fm_part *part = find_part(s, i);
    fm_instrument_info info = {.time = NAN};
    if (!part)
        return info;
    info.name = part->name;
    info.kind = part->part_class->element->name;
    info.message = part->part_class->message ? part->part_class->message : "";
    info.period = (double)part->period * world->model->settings.dt;
    info.field_count = count_fields(part);
    info.external = part->fault && *((const int64_t *)(const void *)s->vehicle + part->fault) == FM_FAULT_EXTERNAL;
    note_samples(world, s, part, &info);
    return info;
}

/* Its unit as SI, and the linear conversion to it. */
static void convert(const fm_output *output, fm_sample *sample)
{
    fm_unit unit;
    fm_error ignored;
    sample->scale = 1;
    snprintf(sample->unit, sizeof sample->unit, "%s", output->unit ? output->unit : "");
    if (!sample->unit[0] || fm_unit_parse(sample->unit, &unit, &ignored) != FM_OK)
        return;
    sample->scale = unit.num / unit.den;
    sample->shift = unit.offset;
    if (sample->scale != 1 || sample->shift != 0)
        fm_unit_write(&unit, sample->unit, sizeof sample->unit);
}

fm_sample fm_world_instrument_field(const fm_world *world, int slot, size_t i, size_t field)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    const fm_part *part = find_part(s, i);
    fm_sample sample = {.time = NAN};
    for (size_t k = 0; part && k < part->output_count; k++) {
        const fm_output *output = &part->outputs[k];
        if (!is_told(output) || field-- > 0)
            continue;
        sample.name = output->field;
        sample.time = fm_world_instrument(world, slot, i).time;
        sample.type = output->type;
        sample.count = output->type == FM_OUTPUT_TEXT ? 1 : output->count;
        sample.data = output->type == FM_OUTPUT_TEXT
                          ? (const void *)output->text
                          : (const char *)fm_vehicle_words(s->vehicle, part->output) + output->offset;
        convert(output, &sample);
        break;
    }
    return sample;
}

/* --- by names --- */

static fm_status no_instrument(const fm_world *world, int slot, const char *name, fm_error *error)
{
    char near[256];
    fm_nearest nearest = {.wanted = name};
    for (size_t i = 0; i < fm_world_instrument_count(world, slot); i++)
        fm_nearest_offer(&nearest, fm_world_instrument(world, slot, i).name);
    return fm_fail(error, FM_ERR_NAME, "'%s' has no instrument '%s'%s", fm_world_name(world, slot), name,
                   fm_nearest_write(&nearest, near, sizeof near));
}

fm_status fm_world_instrument_read(const fm_world *world, const char *vehicle, const char *instrument,
                                   const char *field, fm_sample *sample, fm_error *error)
{
    char near[256];
    if (sample)
        *sample = (fm_sample){.time = NAN};
    if (!world || !vehicle || !instrument || !sample)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s must not be NULL",
                       !world    ? "world"
                       : !sample ? "sample"
                                 : "vehicle and instrument");
    int slot = fm_world_find(world, vehicle), found = fm_world_instrument_find(world, slot, instrument);
    if (slot < 0)
        return fm_world_no_vehicle(world, vehicle, error);
    if (found < 0)
        return no_instrument(world, slot, instrument, error);
    fm_nearest nearest = {.wanted = field};
    for (size_t i = 0;; i++) {
        fm_sample one = fm_world_instrument_field(world, slot, (size_t)found, i);
        if (!one.name)
            break;
        if (!field || strcmp(one.name, field) == 0) {
            *sample = one;
            return FM_OK;
        }
        fm_nearest_offer(&nearest, one.name);
    }
    return fm_fail(error, FM_ERR_NAME, "'%s' of '%s' has no field '%s'%s", instrument, vehicle, field,
                   fm_nearest_write(&nearest, near, sizeof near));
}

static double value_at(const fm_sample *sample, size_t i)
{
    const char *data = sample->data;
    double real;
    float single;
    int64_t whole;
    switch (sample->type) {
    case FM_OUTPUT_UINT8: return (double)((const uint8_t *)data)[i];
    case FM_OUTPUT_FLOAT32: return memcpy(&single, data + 4 * i, sizeof single), (double)single;
    case FM_OUTPUT_INT64: return memcpy(&whole, data + 8 * i, sizeof whole), (double)whole;
    case FM_OUTPUT_NAME:
    case FM_OUTPUT_REAL: return memcpy(&real, data + 8 * i, sizeof real), real;
    case FM_OUTPUT_TEXT: break;
    }
    return NAN;
}

size_t fm_sample_values(const fm_sample *sample, double *values, size_t room)
{
    if (!sample || !sample->data || sample->type == FM_OUTPUT_TEXT)
        return 0;
    for (size_t i = 0; values && i < room && i < sample->count; i++)
        values[i] = sample->scale * value_at(sample, i) + sample->shift;
    return sample->count;
}
