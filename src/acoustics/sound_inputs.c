/* Inputs that speak: bytes for a modem, and sounds of a transducer. */
#include <fathom/modem.h>
#include <math.h>
#include <string.h>

#include "acoustics/modem.h"
#include "acoustics/parts.h"
#include "acoustics/sound.h"
#include "base/error.h"
#include "world/inputs.h"

#define WHOLE_MOST 9007199254740992.0 /* 2^53: what a number of the log keeps */

/* The part that is meant, and a context to ask it. */
static int find_part(const fm_world *world, const fm_input *input, fm_part_role role, fm_part_context *context)
{
    const int index = fm_world_find(world, input->vehicle);
    const fm_slot *slot = index < 0 ? NULL : &world->slots[index];
    const int part = slot ? fm_type_find_part(slot->type, role, input->target) : -1;
    if (part < 0)
        return -1;
    *context = (fm_part_context){.tick = world->head->tick,
                                 .time = fm_world_time(world),
                                 .seed = world->head->seed,
                                 .config = slot->type->parts[part].config,
                                 .state = fm_vehicle_words(slot->vehicle, slot->type->parts[part].state),
                                 .output = fm_vehicle_words(slot->vehicle, slot->type->parts[part].output),
                                 .world = (fm_world *)(uintptr_t)world, /* checks only read it */
                                 .slot = index};
    return part;
}

static fm_status not_found(const fm_world *world, const fm_input *input, const char *what, fm_error *error)
{
    if (fm_world_find(world, input->vehicle) < 0)
        return fm_fail(error, FM_ERR_NAME, "no vehicle '%s' in the world", input->vehicle);
    return fm_fail(error, FM_ERR_NAME, "vehicle '%s' has no <%s>%s%s%s", input->vehicle, what,
                   input->target[0] ? " '" : "", input->target, input->target[0] ? "'" : "");
}

/* How many inputs of this kind wait already for this part. */
static size_t count_waiting(const fm_world *world, const fm_input *of, fm_part_role role, int part)
{
    size_t count = 0;
    fm_part_context context;
    for (size_t i = world->input_first; i < world->input_count; i++) {
        const fm_input *input = &world->inputs[i];
        count += input->kind == of->kind && strcmp(input->vehicle, of->vehicle) == 0 &&
                 find_part(world, input, role, &context) == part;
    }
    return count;
}

static fm_status check_address(const fm_input *input, fm_error *error)
{
    if (input->to < 0 || input->to > 65535)
        return fm_fail(error, FM_ERR_RANGE, "'%s' is to send to %lld: found, accepted 1 … 65535, 0: to everybody",
                       input->vehicle, (long long)input->to);
    return FM_OK;
}

/* --- bytes for a modem --- */

fm_status fm_message_check(const fm_world *world, const fm_input *input, fm_error *error)
{
    fm_part_context context;
    const int part = find_part(world, input, FM_ROLE_MODEM, &context);
    if (part < 0)
        return not_found(world, input, "modem", error);
    const fm_modem *modem = context.config;
    if (input->size > (uint64_t)modem->size)
        return fm_fail(error, FM_ERR_RANGE, "a message of %llu bytes for '%s', its modem accepts at most %lld",
                       (unsigned long long)input->size, input->vehicle, (long long)modem->size);
    if (fm_modem_room(context.state) <= count_waiting(world, input, FM_ROLE_MODEM, part))
        return fm_fail(error, FM_ERR_FULL, "the modem of '%s' has %d messages that wait to be sent; it takes no more",
                       input->vehicle, FM_MODEM_WAITING);
    return check_address(input, error);
}

void fm_message_take(fm_world *world, const fm_input *input)
{
    fm_part_context context;
    if (find_part(world, input, FM_ROLE_MODEM, &context) >= 0) /* else removed by an input before this one */
        fm_modem_put(&context, context.config, context.state, input->to, input->data, (size_t)input->size);
}

/* --- sounds --- */

static fm_emission emission_of(const fm_input *input)
{
    const double *p = input->pose;
    return (fm_emission){.time = input->value,
                         .frequency = p[0],
                         .level = p[1],
                         .duration = p[2],
                         .kind = (int64_t)p[3],
                         .to = input->to,
                         .code = (int64_t)p[4],
                         .answers = (int64_t)p[5],
                         .data = input->data,
                         .size = (size_t)input->size};
}

/* Numbers that are none, or that the log would not keep. */
static fm_status check_numbers(const fm_input *input, fm_error *error)
{
    const double *p = input->pose;
    for (int i = 0; i < 6; i++)
        if (!(p[i] >= 0 && p[i] <= WHOLE_MOST) || (i >= 3 && p[i] != floor(p[i])))
            return fm_fail(error, FM_ERR_RANGE,
                           "a sound for '%s' with %g: accepted are numbers from 0 to 2^53, kind, code and what it "
                           "answers whole ones",
                           input->vehicle, p[i]);
    if (!(fabs(input->value) <= 1e9))
        return fm_fail(error, FM_ERR_RANGE, "a sound for '%s' at %g s: accepted are times up to 1e9 s", input->vehicle,
                       input->value);
    if (p[3] < FM_SOUND_PING || p[3] > FM_SOUND_DATA)
        return fm_fail(error, FM_ERR_RANGE, "a sound for '%s' of kind %g: accepted 0 (ping) to 3 (data)",
                       input->vehicle, p[3]);
    return check_address(input, error);
}

fm_status fm_emission_check(const fm_world *world, const fm_input *input, fm_error *error)
{
    fm_part_context context;
    const int part = find_part(world, input, FM_ROLE_TRANSDUCER, &context);
    if (part < 0)
        return not_found(world, input, "transducer", error);
    fm_status status = check_numbers(input, error);
    if (status != FM_OK)
        return status;
    const fm_emission emission = emission_of(input);
    const fm_sound_answer answer = fm_sound_ask(&context, part, &emission);
    const fm_transducer *is = context.config;
    const char *name = world->slots[context.slot].type->parts[part].name;
    if (answer == FM_SOUND_REFUSED)
        return fm_fail(error, FM_ERR_RANGE,
                       "'%s' of '%s' cannot send %g Hz at %g dB with %llu bytes: accepted are %g to %g Hz, at most its "
                       "own level and %lld bytes, and durations of 0 s or more",
                       name, input->vehicle, emission.frequency, emission.level, (unsigned long long)input->size,
                       is->band[0], is->band[1], (long long)is->payload);
    if (answer == FM_SOUND_BUSY || count_waiting(world, input, FM_ROLE_TRANSDUCER, part) > 0)
        return fm_fail(error, FM_ERR_FULL, "'%s' of '%s' is busy: it has something to send already, or recharges", name,
                       input->vehicle);
    return FM_OK;
}

void fm_emission_take(fm_world *world, const fm_input *input)
{
    fm_part_context context;
    const int part = find_part(world, input, FM_ROLE_TRANSDUCER, &context);
    const fm_emission emission = emission_of(input);
    if (part >= 0)
        fm_sound_emit(&context, part, &emission);
}
