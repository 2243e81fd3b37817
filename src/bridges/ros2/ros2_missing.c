/* The bridge to ROS 2 in a build without Cyclone DDS. */
#include "bridges/list.h"

const fm_bridge_calls fm_ros2_calls = {
    .size = sizeof(fm_bridge_calls),
    .missing = "this program was built without Cyclone DDS (Debian's cyclonedds-dev; build it again)"};
