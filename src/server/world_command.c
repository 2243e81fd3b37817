#include "server/world_command.h"

#include <math.h>

#include "world/admission.h"
#include "world/inputs.h"

uint64_t fm_stamp_of(double seconds)
{
    return seconds > 0 ? (uint64_t)floor(seconds * 1e4 + 1e-6) : 0;
}

fm_wire_code fm_command_code(fm_status status)
{
    switch (status) {
    case FM_OK: return FM_WIRE_DONE;
    case FM_ERR_NAME: return FM_WIRE_UNKNOWN_NAME;
    case FM_ERR_RANGE:
    case FM_ERR_ARGUMENT: return FM_WIRE_BAD_VALUE;
    case FM_ERR_FULL: return FM_WIRE_FULL;
    default: return FM_WIRE_FAILED;
    }
}

/* An unknown name is not a taken one. */
fm_wire_code fm_spawn_code(const fm_world *world, const char *name, const char *model, fm_status status)
{
    if (status == FM_OK || status == FM_ERR_FULL)
        return fm_command_code(status);
    if (fm_model_find_type(fm_world_model(world), model) < 0)
        return FM_WIRE_UNKNOWN_MODEL;
    if (status == FM_ERR_STATE)
        return FM_WIRE_ADDRESS_TAKEN;
    return status == FM_ERR_NAME && fm_world_expects(world, name) ? FM_WIRE_NAME_TAKEN : FM_WIRE_BAD_VALUE;
}

fm_wire_code fm_command_do(fm_world *world, const fm_command *command, const char *holder, fm_error *error)
{
    fm_input input = {.command = *command};
    fm_input_set_holder(&input, holder);
    fm_status status = fm_world_input(world, &input, error);
    if (command->kind == FM_COMMAND_SPAWN)
        return fm_spawn_code(world, command->spawn.name, command->spawn.like, status);
    return fm_command_code(status);
}
