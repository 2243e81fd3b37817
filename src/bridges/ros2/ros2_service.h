/* ROS 2 services: requests and replies as bytes. Cyclone's middleware begins a request with 16 bytes that its reply
 * repeats; Fast DDS relates the two beside the message (dds_wire.h). No input or output here. */
#ifndef FM_BRIDGES_ROS2_ROS2_SERVICE_H
#define FM_BRIDGES_ROS2_ROS2_SERVICE_H

#include "telemetry/message.h"
#include "world/command.h"

enum { FM_ROS2_FRAME = 16 }; /* bytes: the client's identity and the number of the request */

typedef enum fm_ros2_service_kind {
    FM_ROS2_CALL_PAUSE, /* std_srvs/SetBool: true pauses, false resumes */
    FM_ROS2_CALL_STEP,  /* std_srvs/Trigger: one step */
    FM_ROS2_CALL_RESET, /* std_srvs/Trigger */
    FM_ROS2_CALL_SET,   /* rcl_interfaces/SetParameters, and so on */
    FM_ROS2_CALL_SET_ATOMICALLY,
    FM_ROS2_CALL_GET,
    FM_ROS2_CALL_TYPES,
    FM_ROS2_CALL_DESCRIBE,
    FM_ROS2_CALL_LIST,
    FM_ROS2_CALL_COMMAND, /* fathom_msgs/<Title>: FM_ROS2_CALL_COMMAND + kind of the command */
    FM_ROS2_SERVICE_KINDS = FM_ROS2_CALL_COMMAND + FM_COMMAND_KINDS
} fm_ros2_service_kind;

typedef struct fm_ros2_service {
    const char *name;                     /* behind the node's */
    const fm_message *request, *response; /* NULL: the command is not offered */
} fm_ros2_service;
fm_ros2_service fm_ros2_service_of(fm_ros2_service_kind kind);

/* A received request: its frame (NULL: it has none), and the message in its C struct. FM_ERR_SYNTAX: not such a
 * message; FM_ERR_ARGUMENT: too short for a frame. */
fm_status fm_ros2_request_read(fm_ros2_service_kind kind, const void *data, size_t size, uint8_t *frame, void **message,
                               fm_arena *arena, fm_error *error);
/* A reply with its frame (NULL: none), in memory of the arena; NULL: no memory. */
uint8_t *fm_ros2_reply_write(fm_ros2_service_kind kind, const uint8_t *frame, const void *message, fm_arena *arena,
                             size_t *size);

/* The command for setting a parameter ("speed", or the path of a live parameter). FM_ERR_RANGE: not a number. */
fm_status fm_ros2_parameter_read(const fm_msg_parameter *parameter, fm_command *command, fm_error *error);
/* The command of a request of fathom_msgs; FM_ERR_RANGE, FM_ERR_ARGUMENT: an argument is invalid. */
fm_status fm_ros2_command_read(fm_command_kind kind, const void *request, fm_command *command, fm_error *error);
/* A number as the value of a parameter; NaN: not set. */
fm_msg_parameter_value fm_ros2_parameter_value(double value);

#endif
