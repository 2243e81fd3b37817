#include "server/world_command.h"

#include <math.h>
#include <string.h>

#include "base/accept.h"
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

/* A name that is not known is not one that is taken. */
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

static fm_status make_input(const fm_wire_command *c, fm_input *input, fm_error *error)
{
    const char *list = c->target[0] ? c->target : NULL;
    fm_status status;
    fm_waypoint waypoint = {.speed = c->pose[3], .hold = c->pose[4]};
    memcpy(waypoint.position, c->pose, sizeof waypoint.position);
    switch ((fm_wire_verb)c->verb) {
    case FM_WIRE_SET: return fm_input_parameter(input, c->target, c->value, error);
    case FM_WIRE_SPAWN: return fm_input_spawn(input, c->name, c->target, c->pose, c->pose + 3, error);
    case FM_WIRE_REMOVE: return fm_input_remove(input, c->name, error);
    case FM_WIRE_ORDER: return fm_input_order(input, c->name, c->target, c->value, error);
    case FM_WIRE_DESIRE: return fm_input_desire(input, c->name, c->target, c->value, error);
    case FM_WIRE_TAKE: return fm_input_steer(input, FM_INPUT_TAKE, c->name, list, error);
    case FM_WIRE_RELEASE: return fm_input_steer(input, FM_INPUT_RELEASE, c->name, list, error);
    case FM_WIRE_ENGAGE: return fm_input_steer(input, FM_INPUT_ENGAGE, c->name, list, error);
    case FM_WIRE_DISENGAGE: return fm_input_steer(input, FM_INPUT_DISENGAGE, c->name, list, error);
    case FM_WIRE_WAYPOINT:
        status = fm_number_accept("waypoint", c->value, (fm_number_range){-1, 1e6, true}, error);
        return status == FM_OK
                   ? fm_input_waypoint(input, FM_INPUT_WAYPOINT_ADD, c->name, list, (int)c->value, &waypoint, error)
                   : status;
    case FM_WIRE_WAYPOINTS_CLEAR:
        return fm_input_waypoint(input, FM_INPUT_WAYPOINT_CLEAR, c->name, list, 0, NULL, error);
    case FM_WIRE_PUSH: return fm_input_force(input, c->name, c->pose, error);
    default: return fm_fail(error, FM_ERR_ARGUMENT, "there is no command %u", c->verb);
    }
}

fm_status fm_command_input(const fm_wire_command *command, const char *holder, fm_input *input, fm_error *error)
{
    fm_status status = make_input(command, input, error);
    if (status == FM_OK)
        fm_input_set_holder(input, holder);
    return status;
}

fm_status fm_command_apply(fm_world *world, const fm_wire_command *command, const char *holder, fm_error *error)
{
    fm_input input;
    fm_status status = fm_command_input(command, holder, &input, error);
    return status == FM_OK ? fm_world_input(world, &input, error) : status;
}

fm_wire_code fm_command_do(fm_world *world, const fm_wire_command *c, const char *holder, fm_error *error)
{
    fm_status status = fm_command_apply(world, c, holder, error);
    return c->verb == FM_WIRE_SPAWN ? fm_spawn_code(world, c->name, c->target, status) : fm_command_code(status);
}
