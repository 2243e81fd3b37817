/* <bridge kind="ros2">. */
#ifndef FM_BRIDGES_ROS2_ROS2_CONFIG_H
#define FM_BRIDGES_ROS2_ROS2_CONFIG_H

#include <stdint.h>

typedef struct fm_ros2_config {
    const char *vehicle; /* NULL: all */
    const char *address; /* NULL: as Cyclone DDS is configured */
    double rate;         /* Hz of simulated time; 0: every sample */
    int64_t domain;      /* -1: that of ROS_DOMAIN_ID, or 0 */
    const char *node;
    const char *distribution; /* of ROS 2; NULL: that of ROS_DISTRO, or a recent one */
} fm_ros2_config;

#endif
