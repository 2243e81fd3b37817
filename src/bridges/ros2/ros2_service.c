#include "bridges/ros2/ros2_service.h"

#include <math.h>
#include <string.h>

#include "bridges/ros2/ros2_names.h"

/* Types of rcl_interfaces/ParameterType. */
enum { NOT_SET = 0, BOOL = 1, INTEGER = 2, DOUBLE = 3 };
enum { ENCAPSULATION = 4 }; /* bytes */

static const fm_ros2_service services[FM_ROS2_SERVICE_KINDS] = {
    [FM_ROS2_CALL_PAUSE] = {"pause", &fm_msg_set_bool_request_type, &fm_msg_set_bool_response_type},
    [FM_ROS2_CALL_STEP] = {"step", &fm_ros2_trigger_request, &fm_msg_trigger_response_type},
    [FM_ROS2_CALL_RESET] = {"reset", &fm_ros2_trigger_request, &fm_msg_trigger_response_type},
    [FM_ROS2_CALL_SET] = {"set_parameters", &fm_msg_set_parameters_request_type, &fm_msg_set_parameters_response_type},
    [FM_ROS2_CALL_SET_ATOMICALLY] = {"set_parameters_atomically", &fm_msg_set_parameters_atomically_request_type,
                                     &fm_msg_set_parameters_atomically_response_type},
    [FM_ROS2_CALL_TYPES] = {"get_parameter_types", &fm_msg_get_parameter_types_request_type,
                            &fm_msg_get_parameter_types_response_type},
    [FM_ROS2_CALL_DESCRIBE] = {"describe_parameters", &fm_msg_describe_parameters_request_type,
                               &fm_msg_describe_parameters_response_type},
    [FM_ROS2_CALL_GET] = {"get_parameters", &fm_msg_get_parameters_request_type, &fm_msg_get_parameters_response_type},
    [FM_ROS2_CALL_LIST] = {"list_parameters", &fm_msg_list_parameters_request_type,
                           &fm_msg_list_parameters_response_type},
#define FM_COMMAND_PLAIN(...)
#define FM_COMMAND_WITH(name, NAME, ...)                                                                               \
    [FM_ROS2_CALL_COMMAND + FM_COMMAND_##NAME] = {#name, &fm_msg_##name##_request_type, &fm_msg_##name##_response_type},
#include <fathom/command_table.h>
};

fm_ros2_service fm_ros2_service_of(fm_ros2_service_kind kind)
{
    const int command = (int)kind - FM_ROS2_CALL_COMMAND;
    const fm_command_row *row = command > 0 ? fm_command_row_of((fm_command_kind)command) : NULL;
    return row && row->refused[FM_COMMAND_DOOR_ROS2] ? (fm_ros2_service){row->word, NULL, NULL} : services[kind];
}

/* The frame is a multiple of 8 bytes, so that the message after it is aligned as if it were alone. */
_Static_assert(FM_ROS2_FRAME % 8 == 0, "a frame keeps the alignment");

fm_status fm_ros2_request_read(fm_ros2_service_kind kind, const void *data, size_t size, uint8_t *frame, void **message,
                               fm_arena *arena, fm_error *error)
{
    const fm_message *type = fm_ros2_service_of(kind).request;
    const uint8_t *bytes = data;
    if (frame && size <= ENCAPSULATION + FM_ROS2_FRAME)
        return fm_fail(error, FM_ERR_ARGUMENT, "a request of %zu bytes has no frame", size);
    *message = fm_arena_alloc(arena, type->struct_size);
    if (*message && !frame)
        return fm_message_decode(type, data, size, *message, arena, error);
    uint8_t *body = *message ? fm_arena_alloc(arena, size - FM_ROS2_FRAME) : NULL;
    if (!body)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a request");
    memcpy(body, bytes, ENCAPSULATION);
    memcpy(frame, bytes + ENCAPSULATION, FM_ROS2_FRAME);
    memcpy(body + ENCAPSULATION, bytes + ENCAPSULATION + FM_ROS2_FRAME, size - ENCAPSULATION - FM_ROS2_FRAME);
    return fm_message_decode(type, body, size - FM_ROS2_FRAME, *message, arena, error);
}

uint8_t *fm_ros2_reply_write(fm_ros2_service_kind kind, const uint8_t *frame, const void *message, fm_arena *arena,
                             size_t *size)
{
    const fm_message *type = fm_ros2_service_of(kind).response;
    size_t plain = fm_message_size(type, message);
    uint8_t *reply = fm_arena_alloc(arena, plain + FM_ROS2_FRAME);
    if (!reply)
        return NULL;
    *size = plain;
    if (!frame)
        return fm_message_encode(type, message, reply, plain), reply;
    fm_message_encode(type, message, reply + FM_ROS2_FRAME, plain);
    memmove(reply, reply + FM_ROS2_FRAME, ENCAPSULATION);
    memcpy(reply + ENCAPSULATION, frame, FM_ROS2_FRAME);
    *size = plain + FM_ROS2_FRAME;
    return reply;
}

fm_status fm_ros2_parameter_read(const fm_msg_parameter *parameter, fm_command *command, fm_error *error)
{
    const fm_msg_parameter_value *v = &parameter->value;
    const int speed = strcmp(parameter->name, "speed") == 0;
    const double value = v->type == DOUBLE    ? v->double_value
                         : v->type == INTEGER ? (double)v->integer_value
                         : v->type == BOOL    ? (double)(v->bool_value != 0)
                                              : (double)NAN;
    fm_command_begin(command, speed ? FM_COMMAND_SPEED : FM_COMMAND_SET, NULL);
    if (!isfinite(value))
        return fm_fail(error, FM_ERR_RANGE, "not a number: must be double, integer or bool");
    if (speed) {
        command->speed.speed = value;
        return FM_OK;
    }
    command->set.value = value;
    if (strlen(parameter->name) >= sizeof command->set.path)
        return fm_fail(error, FM_ERR_RANGE, "a name of more than %zu characters", sizeof command->set.path - 1);
    strcpy(command->set.path, parameter->name);
    return FM_OK;
}

/* The fields of a request are the arguments of its command, in the same order. */
static fm_status read_argument(const fm_argument *a, const void *field, fm_command *command, fm_error *error)
{
    const fm_sequence *bytes = field;
    double whole;
    switch (a->type) {
    case FM_ARGUMENT_NAME: return fm_argument_write_name(a, command, *(const char *const *)field, error);
    case FM_ARGUMENT_BYTES: return fm_argument_write_bytes(a, command, bytes->items, bytes->count, error);
    case FM_ARGUMENT_WHOLE:
        whole = (double)*(const int64_t *)field;
        return fm_argument_write(a, command, &whole, error);
    default: return fm_argument_write(a, command, field, error);
    }
}

fm_status fm_ros2_command_read(fm_command_kind kind, const void *request, fm_command *command, fm_error *error)
{
    const fm_command_row *row = fm_command_row_of(kind);
    const fm_message *type = services[FM_ROS2_CALL_COMMAND + kind].request;
    fm_status status = fm_command_begin(command, kind, error);
    for (size_t i = 0; status == FM_OK && i < row->argument_count; i++)
        status = read_argument(&row->arguments[i], (const char *)request + type->fields[i].offset, command, error);
    return status;
}

fm_msg_parameter_value fm_ros2_parameter_value(double value)
{
    return (fm_msg_parameter_value){.type = isnan(value) ? NOT_SET : DOUBLE, .double_value = isnan(value) ? 0 : value};
}
