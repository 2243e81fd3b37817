/* What ROS 2 nodes can send to a run: topics, their types, and the orders in their messages. Converts bytes to
 * commands, without input or output. */
#ifndef FM_BRIDGES_ROS2_ROS2_INLET_H
#define FM_BRIDGES_ROS2_ROS2_INLET_H

#include "telemetry/message.h"
#include "world/command.h"

typedef enum fm_ros2_inlet_kind {
    /* of the run: /NODE/… */
    FM_ROS2_PAUSE,         /* std_msgs/Bool: true pauses, false resumes */
    FM_ROS2_STEP,          /* std_msgs/UInt32: makes this number of steps, then pauses */
    FM_ROS2_RESET,         /* std_msgs/Empty: restarts the run */
    FM_ROS2_SPEED,         /* std_msgs/Float64: times real time; 0: as fast as possible */
    FM_ROS2_SET_PARAMETER, /* diagnostic_msgs/KeyValue: path and number, SI */
    FM_ROS2_RUN_KINDS,
    /* of a vehicle: /NAME/… */
    FM_ROS2_TWIST = FM_ROS2_RUN_KINDS, /* geometry_msgs/Twist, forward-port-up */
    FM_ROS2_TWIST_STAMPED,             /* geometry_msgs/TwistStamped, on the same topic; its header is ignored */
    FM_ROS2_WRENCH,                    /* geometry_msgs/Wrench, forward-port-up */
    FM_ROS2_ORDERS,                    /* sensor_msgs/JointState: actuators by name */
    FM_ROS2_ORDER,                     /* std_msgs/Float64: one actuator, SI */
    FM_ROS2_SETPOINT,                  /* std_msgs/Float64: a set point of a controller, SI; NaN: released */
    FM_ROS2_TAKE,                      /* std_msgs/String: an actuator; "": all */
    FM_ROS2_RELEASE,                   /* std_msgs/String: an actuator or a set point; "": all */
    FM_ROS2_ENGAGE,                    /* std_msgs/String: a controller; "": all */
    FM_ROS2_DISENGAGE,                 /* std_msgs/String: a controller; "": all */
    FM_ROS2_INLET_KINDS
} fm_ros2_inlet_kind;

typedef struct fm_ros2_inlet {
    fm_ros2_inlet_kind kind;
    char owner[32];  /* the node, or the vehicle */
    char target[96]; /* actuator, or what is to be held */
} fm_ros2_inlet;

const fm_message *fm_ros2_inlet_type(fm_ros2_inlet_kind kind);
/* "/phoenix/cmd_vel", "/phoenix/order/stern-rudder", "/fathom/reset" … */
void fm_ros2_inlet_name(const fm_ros2_inlet *inlet, char *name, size_t room);

/* The command in a message; for a twist NULL and its six velocities, body axes (m/s, rad/s). */
typedef void fm_ros2_take(void *user, const fm_ros2_inlet *inlet, const fm_command *command, const double *velocity);
/* FM_ERR_SYNTAX: the bytes are not such a message; FM_ERR_RANGE: an invalid number, a name that is too long. `arena` is
 * for the decoder; the caller rewinds it. A refused message has no effect. */
fm_status fm_ros2_inlet_read(const fm_ros2_inlet *inlet, const void *data, size_t size, fm_arena *arena,
                             fm_ros2_take *take, void *user, fm_error *error);

#endif
