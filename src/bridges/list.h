/* The built-in bridges. Each has its own folder here: NAME/NAME_element.c defines its class, fm_NAME_class, which is
 * part of libfathom; another file defines its calls, fm_NAME_calls, which are part of libfathom-net. */
#ifndef FM_BRIDGES_LIST_H
#define FM_BRIDGES_LIST_H

#include <fathom/bridge.h>

/* B(name, text of the option --name, …), followed by the list's own arguments. */
#define FM_BUILT_IN_BRIDGES(B, ...)                                                                                    \
    B(dis, "Distributed Interactive Simulation (docs/dis.md)", __VA_ARGS__)                                            \
    B(ros2, "ROS 2 (docs/ros2.md)", __VA_ARGS__)                                                                       \
    B(ardupilot, "ArduPilot's SITL (docs/ardupilot.md)", __VA_ARGS__)                                                  \
    B(mavlink, "PX4's simulator link, ground stations (docs/mavlink.md)", __VA_ARGS__)                                 \
    B(nmea, "NMEA 0183 (docs/nmea.md)", __VA_ARGS__)                                                                   \
    B(ping, "Blue Robotics Ping1D and Ping360 (docs/ping.md)", __VA_ARGS__)                                            \
    B(odometry, "a DVL to ArduSub over MAVLink (docs/ping.md)", __VA_ARGS__)

#define FM_DECLARE_BRIDGE(name, ...)                                                                                   \
    extern const fm_bridge_class fm_##name##_class;                                                                    \
    extern const fm_bridge_calls fm_##name##_calls;
FM_BUILT_IN_BRIDGES(FM_DECLARE_BRIDGE)

#endif
