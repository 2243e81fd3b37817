/* Names of ROS 2 on DDS: topics, services, types and the hashes of types. No input or output. */
#ifndef FM_BRIDGES_ROS2_ROS2_NAMES_H
#define FM_BRIDGES_ROS2_ROS2_NAMES_H

#include "telemetry/message.h"

enum {
    FM_ROS2_NAME = 256,     /* maximum bytes of a topic or type on DDS, including NUL */
    FM_ROS2_HASH = 7 + 65,  /* bytes of "RIHS01_" and 64 digits, including NUL */
    FM_ROS2_EMPTY_SIZE = 5, /* size of an encoded message without fields: one byte represents them */
};

/* std_msgs/Empty and the request of std_srvs/Trigger: ROS 2 writes one byte for a message without fields, which is not
 * part of its definition. */
extern const fm_message fm_ros2_empty, fm_ros2_trigger_request;

/* Converts a name to one that ROS 2 accepts: "/phoenix/stern-rudder" to "/phoenix/stern_rudder". A character other than
 * a letter, digit, '_' or '/' becomes '_'; a token that begins with a digit gets the prefix 'n'. Truncated if it does
 * not fit. */
void fm_ros2_plain_name(const char *name, char *plain, size_t room);

/* "/phoenix/odom" on DDS: "rt/phoenix/odom". */
void fm_ros2_topic_name(const char *name, char *topic, size_t room);
/* "/fathom/reset": "rq/fathom/resetRequest", "rr/fathom/resetReply". */
void fm_ros2_service_names(const char *name, char *request, char *reply, size_t room);

/* "nav_msgs::msg::dds_::Odometry_"; of requests and responses "std_srvs::srv::dds_::Trigger_Request_". */
void fm_ros2_type_name(const fm_message *type, char *name, size_t room);

/* The hash by which ROS 2 (since Iron) distinguishes versions of a type: "RIHS01_…", SHA-256 of its description (REP
 * 2011). FM_ERR_MEMORY when out of memory. */
fm_status fm_ros2_type_hash(const fm_message *type, char hash[FM_ROS2_HASH], fm_error *error);

#endif
