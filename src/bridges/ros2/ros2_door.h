/* ROS 2 as a door (docs/ros2.md): a node that publishes the channels of a run and takes orders. Only built where
 * Cyclone DDS is. */
#ifndef FM_BRIDGES_ROS2_ROS2_DOOR_H
#define FM_BRIDGES_ROS2_ROS2_DOOR_H

#include "server/door.h"
#include "world/bridge_settings.h"

/* Fills the door; what it points to is released with it. The settings live as long as the model. */
fm_status fm_ros2_door(const fm_bridge_settings *settings, fm_door *door, fm_error *error);

#endif
