/* The ROS 2 package fathom_msgs, from the tables of messages and commands. */
#ifndef FM_CLI_ROS2_PACKAGE_H
#define FM_CLI_ROS2_PACKAGE_H

#include "base/error.h"

/* Writes package.xml, CMakeLists.txt, msg/ and srv/ into an existing folder. */
fm_status cli_ros2_package_write(const char *folder, fm_error *error);

#endif
