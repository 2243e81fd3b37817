/* <bridge kind="mavlink">. */
#ifndef FM_BRIDGES_MAVLINK_MAVLINK_CONFIG_H
#define FM_BRIDGES_MAVLINK_MAVLINK_CONFIG_H

#include <stdint.h>

typedef struct fm_mavlink_config {
    const char *vehicle; /* NULL: all for a ground station, the first for PX4 */
    const char *address;
    int64_t port;
    double rate;         /* Hz of simulated time */
    int64_t simulator;   /* TCP port for PX4; 0: none */
    const char *outputs; /* frame, or "1:actuator 2:-actuator"; NULL: a suitable frame */
    double patience;     /* s of the clock without a message after which the run continues alone */
    int64_t system;      /* number of the first vehicle */
    int64_t autopilot;   /* FM_MAV_DIALECT_… */
} fm_mavlink_config;

#endif
