/* Values of instruments from outside: an input writes them into the sample, and the instrument itself is inactive (its
 * fault is "external"). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "sensors/imperfect.h"
#include "world/inputs.h"
#include "world/parts.h"
#include "world/vehicle_names.h"
#include "world/world.h"

/* One number of an instrument's sample. */
typedef struct sense_target {
    const fm_slot *slot;
    const fm_part *part;
    const fm_output *output;
    size_t i; /* which of its values */
} sense_target;

static const fm_part *find_instrument(const fm_type *type, const char *name, size_t length)
{
    for (size_t i = 0; i < type->sensor_count; i++)
        if (strlen(type->parts[i].name) == length && strncmp(type->parts[i].name, name, length) == 0)
            return &type->parts[i];
    return NULL;
}

/* "velocity[1]" is the second value of the field "velocity". */
static const fm_output *find_output(const fm_part *part, const char *field, size_t *index)
{
    const char *bracket = strchr(field, '[');
    size_t length = bracket ? (size_t)(bracket - field) : strlen(field);
    char *end = NULL;
    *index = bracket ? strtoul(bracket + 1, &end, 10) : 0;
    if (bracket && (end == bracket + 1 || strcmp(end, "]") != 0))
        return NULL;
    for (size_t i = 0; i < part->output_count; i++) {
        const fm_output *o = &part->outputs[i];
        if (o->type != FM_OUTPUT_TEXT && strlen(o->field) == length && strncmp(o->field, field, length) == 0 &&
            *index < o->count)
            return o;
    }
    return NULL;
}

static fm_status find_target(const fm_world *world, const fm_command_sense *sense, sense_target *p, fm_error *error)
{
    int index = fm_world_find(world, sense->vehicle);
    const char *field = strchr(sense->what, '/');
    if (index < 0)
        return fm_world_no_vehicle(world, sense->vehicle, error);
    if (!field)
        return fm_fail(error, FM_ERR_ARGUMENT, "'%s' is invalid: must be INSTRUMENT/FIELD", sense->what);
    p->slot = &world->slots[index];
    p->part = find_instrument(p->slot->type, sense->what, (size_t)(field - sense->what));
    if (!p->part)
        return fm_fail(error, FM_ERR_NAME, "'%s' has no sensor '%.*s'", sense->vehicle, (int)(field - sense->what),
                       sense->what);
    if (!p->part->fault)
        return fm_fail(error, FM_ERR_ARGUMENT, "the %s of '%s' takes no values from outside", p->part->name,
                       sense->vehicle);
    p->output = find_output(p->part, field + 1, &p->i);
    if (!p->output)
        return fm_fail(error, FM_ERR_NAME, "the %s of '%s' has no number '%s'", p->part->name, sense->vehicle,
                       field + 1);
    return FM_OK;
}

fm_status fm_sense_check(fm_world *world, const fm_input *input, fm_error *error)
{
    sense_target target;
    return find_target(world, &input->command.sense, &target, error);
}

/* From SI to the unit of the instrument's output. */
static double in_its_unit(const fm_output *output, double value)
{
    fm_unit unit;
    if (!output->unit || !output->unit[0] || fm_unit_parse(output->unit, &unit, NULL) != FM_OK)
        return value;
    return (value - unit.offset) * unit.den / unit.num;
}

/* As its type lies in the sample. */
static void write_value(const fm_output *output, size_t i, double value, char *sample)
{
    char *at = sample + output->offset;
    uint8_t byte = (uint8_t)fmax(0, fmin(255, floor(value + 0.5)));
    int64_t whole = (int64_t)fmax(-9e18, fmin(9e18, floor(value + 0.5)));
    float single = (float)value;
    switch (output->type) {
    case FM_OUTPUT_UINT8: memcpy(at + i, &byte, sizeof byte); break;
    case FM_OUTPUT_FLOAT32: memcpy(at + 4 * i, &single, sizeof single); break;
    case FM_OUTPUT_INT64: memcpy(at + 8 * i, &whole, sizeof whole); break;
    default: memcpy(at + 8 * i, &value, sizeof value);
    }
}

int fm_sense_take(fm_world *world, const fm_input *input)
{
    const fm_command_sense *sense = &input->command.sense;
    sense_target p;
    const int64_t external = FM_FAULT_EXTERNAL;
    if (find_target(world, sense, &p, NULL) != FM_OK)
        return 1; /* removed by an earlier input */
    uint64_t *words = fm_vehicle_words(p.slot->vehicle, p.part->output);
    fm_reading head;
    memcpy(&head, words, sizeof head);
    head.valid = !isnan(sense->value);
    if (head.valid) {
        write_value(p.output, p.i, in_its_unit(p.output, sense->value), (char *)words);
        head.count++;
        head.time = fm_world_time(world);
    }
    memcpy(words, &head, sizeof head);
    memcpy((double *)(void *)p.slot->vehicle + p.part->fault, &external, sizeof external);
    return 1;
}
