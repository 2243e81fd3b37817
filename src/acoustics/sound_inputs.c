/* Inputs that send: bytes for a modem, and sounds of a transducer. */
#include <fathom/modem.h>
#include <string.h>

#include "acoustics/modem.h"
#include "acoustics/parts.h"
#include "acoustics/sound.h"
#include "base/error.h"
#include "world/inputs.h"

/* The addressed part, and a context for queries to it. */
static int find_part(const fm_world *world, const fm_command *command, fm_part_role role, fm_part_context *context)
{
    const int index = fm_world_find(world, fm_command_vehicle(command));
    const fm_slot *slot = index < 0 ? NULL : &world->slots[index];
    const int part = slot ? fm_type_find_part(slot->type, role, fm_command_target(command)) : -1;
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

static fm_status not_found(const fm_world *world, const fm_command *command, const char *what, fm_error *error)
{
    const char *vehicle = fm_command_vehicle(command), *part = fm_command_target(command);
    if (fm_world_find(world, vehicle) < 0)
        return fm_fail(error, FM_ERR_NAME, "no vehicle '%s' in the world", vehicle);
    return fm_fail(error, FM_ERR_NAME, "vehicle '%s' has no <%s>%s%s%s", vehicle, what, part[0] ? " '" : "", part,
                   part[0] ? "'" : "");
}

/* Number of inputs of this kind already waiting for this part. */
static size_t count_waiting(const fm_world *world, const fm_command *of, fm_part_role role, int part)
{
    size_t count = 0;
    fm_part_context context;
    for (size_t i = world->input_first; i < world->input_count; i++) {
        const fm_command *command = &world->inputs[i].command;
        count += command->kind == of->kind && strcmp(fm_command_vehicle(command), fm_command_vehicle(of)) == 0 &&
                 find_part(world, command, role, &context) == part;
    }
    return count;
}

/* --- bytes for a modem --- */

fm_status fm_message_check(fm_world *world, const fm_input *input, fm_error *error)
{
    const fm_command_message *message = &input->command.message;
    fm_part_context context;
    const int part = find_part(world, &input->command, FM_ROLE_MODEM, &context);
    if (part < 0)
        return not_found(world, &input->command, "modem", error);
    const fm_modem *modem = context.config;
    if (message->data.size > (uint64_t)modem->size)
        return fm_fail(error, FM_ERR_RANGE, "a message of %llu bytes for '%s', its modem accepts at most %lld",
                       (unsigned long long)message->data.size, message->vehicle, (long long)modem->size);
    if (fm_modem_room(context.state) <= count_waiting(world, &input->command, FM_ROLE_MODEM, part))
        return fm_fail(error, FM_ERR_FULL, "the modem of '%s' has %d messages that wait to be sent; it takes no more",
                       message->vehicle, FM_MODEM_WAITING);
    return FM_OK;
}

int fm_message_take(fm_world *world, const fm_input *input)
{
    const fm_command_message *message = &input->command.message;
    fm_part_context context;
    if (find_part(world, &input->command, FM_ROLE_MODEM, &context) >= 0) /* otherwise removed by an earlier input */
        fm_modem_put(&context, context.config, context.state, message->to, message->data.items,
                     (size_t)message->data.size);
    return 1;
}

/* --- sounds --- */

static fm_emission emission_of(const fm_command_emission *e)
{
    return (fm_emission){.time = e->time,
                         .frequency = e->frequency,
                         .level = e->level,
                         .duration = e->duration,
                         .kind = e->kind,
                         .to = e->to,
                         .code = e->code,
                         .answers = e->answers,
                         .data = e->data.items,
                         .size = (size_t)e->data.size};
}

fm_status fm_emission_check(fm_world *world, const fm_input *input, fm_error *error)
{
    const char *vehicle = input->command.emission.vehicle;
    fm_part_context context;
    const int part = find_part(world, &input->command, FM_ROLE_TRANSDUCER, &context);
    if (part < 0)
        return not_found(world, &input->command, "transducer", error);
    const fm_emission emission = emission_of(&input->command.emission);
    const fm_sound_answer answer = fm_sound_ask(&context, part, &emission);
    const fm_transducer *is = context.config;
    const char *name = world->slots[context.slot].type->parts[part].name;
    if (answer == FM_SOUND_REFUSED)
        return fm_fail(error, FM_ERR_RANGE,
                       "'%s' of '%s' cannot send %g Hz at %g dB with %zu bytes: must be %g to %g Hz, at most its own "
                       "level and %lld bytes, and durations of 0 s or more",
                       name, vehicle, emission.frequency, emission.level, emission.size, is->band[0], is->band[1],
                       (long long)is->payload);
    if (answer == FM_SOUND_BUSY || count_waiting(world, &input->command, FM_ROLE_TRANSDUCER, part) > 0)
        return fm_fail(error, FM_ERR_FULL, "'%s' of '%s' is busy: it has something to send already, or recharges", name,
                       vehicle);
    return FM_OK;
}

int fm_emission_take(fm_world *world, const fm_input *input)
{
    fm_part_context context;
    const int part = find_part(world, &input->command, FM_ROLE_TRANSDUCER, &context);
    const fm_emission emission = emission_of(&input->command.emission);
    if (part >= 0)
        fm_sound_emit(&context, part, &emission);
    return 1;
}
