#include "bridges/ros2/ros2_service.h"

#include <math.h>
#include <string.h>

#include "bridges/ros2/ros2_names.h"

/* Types of rcl_interfaces/ParameterType. */
enum { NOT_SET = 0, BOOL = 1, INTEGER = 2, DOUBLE = 3 };
enum { ENCAPSULATION = 4 }; /* bytes */

const fm_ros2_service fm_ros2_services[FM_ROS2_SERVICE_KINDS] = {
    [FM_ROS2_CALL_PAUSE] = {"pause", &fm_msg_set_bool_request_type, &fm_msg_set_bool_response_type},
    [FM_ROS2_CALL_STEP] = {"step", &fm_ros2_trigger_request, &fm_msg_trigger_response_type},
    [FM_ROS2_CALL_RESET] = {"reset", &fm_ros2_trigger_request, &fm_msg_trigger_response_type},
    [FM_ROS2_CALL_SET] = {"set_parameters", &fm_msg_set_parameters_request_type, &fm_msg_set_parameters_response_type},
    [FM_ROS2_CALL_GET] = {"get_parameters", &fm_msg_get_parameters_request_type, &fm_msg_get_parameters_response_type},
    [FM_ROS2_CALL_LIST] = {"list_parameters", &fm_msg_list_parameters_request_type,
                           &fm_msg_list_parameters_response_type},
};

/* The frame is a multiple of 8 bytes, so that what follows is aligned as if it stood alone. */
_Static_assert(FM_ROS2_FRAME % 8 == 0, "a frame keeps the alignment");

fm_status fm_ros2_request_read(fm_ros2_service_kind kind, const void *data, size_t size, uint8_t frame[FM_ROS2_FRAME],
                               void **message, fm_arena *arena, fm_error *error)
{
    const fm_message *type = fm_ros2_services[kind].request;
    const uint8_t *bytes = data;
    if (size <= ENCAPSULATION + FM_ROS2_FRAME)
        return fm_fail(error, FM_ERR_ARGUMENT, "a request of %zu bytes has no frame", size);
    uint8_t *body = fm_arena_alloc(arena, size - FM_ROS2_FRAME);
    *message = fm_arena_alloc(arena, type->struct_size);
    if (!body || !*message)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a request");
    memcpy(body, bytes, ENCAPSULATION);
    memcpy(frame, bytes + ENCAPSULATION, FM_ROS2_FRAME);
    memcpy(body + ENCAPSULATION, bytes + ENCAPSULATION + FM_ROS2_FRAME, size - ENCAPSULATION - FM_ROS2_FRAME);
    return fm_message_decode(type, body, size - FM_ROS2_FRAME, *message, arena, error);
}

uint8_t *fm_ros2_reply_write(fm_ros2_service_kind kind, const uint8_t frame[FM_ROS2_FRAME], const void *message,
                             fm_arena *arena, size_t *size)
{
    const fm_message *type = fm_ros2_services[kind].response;
    size_t plain = fm_message_size(type, message);
    uint8_t *reply = fm_arena_alloc(arena, plain + FM_ROS2_FRAME);
    if (!reply)
        return NULL;
    fm_message_encode(type, message, reply + FM_ROS2_FRAME, plain);
    memmove(reply, reply + FM_ROS2_FRAME, ENCAPSULATION);
    memcpy(reply + ENCAPSULATION, frame, FM_ROS2_FRAME);
    *size = plain + FM_ROS2_FRAME;
    return reply;
}

fm_status fm_ros2_parameter_read(const fm_msg_parameter *parameter, fm_wire_command *command, fm_error *error)
{
    const fm_msg_parameter_value *v = &parameter->value;
    int speed = strcmp(parameter->name, "speed") == 0;
    *command = (fm_wire_command){.verb = speed ? FM_WIRE_SPEED : FM_WIRE_SET};
    command->value = v->type == DOUBLE    ? v->double_value
                     : v->type == INTEGER ? (double)v->integer_value
                     : v->type == BOOL    ? (double)(v->bool_value != 0)
                                          : (double)NAN;
    if (!isfinite(command->value))
        return fm_fail(error, FM_ERR_RANGE, "no number; accepted are double, integer and bool");
    if (strlen(parameter->name) >= sizeof command->target)
        return fm_fail(error, FM_ERR_RANGE, "a name of more than %zu characters", sizeof command->target - 1);
    strcpy(command->target, parameter->name);
    return FM_OK;
}

fm_msg_parameter_value fm_ros2_parameter_value(double value)
{
    return (fm_msg_parameter_value){.type = isnan(value) ? NOT_SET : DOUBLE, .double_value = isnan(value) ? 0 : value};
}
