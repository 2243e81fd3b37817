/* <bridge kind="odometry">. */
#ifndef FM_BRIDGES_ODOMETRY_ODOMETRY_CONFIG_H
#define FM_BRIDGES_ODOMETRY_ODOMETRY_CONFIG_H

#include <stdint.h>

enum fm_odometry_mode { FM_ODOMETRY_LISTEN, FM_ODOMETRY_SEND };

typedef struct fm_odometry_config {
    const char *vehicle;    /* NULL: the first */
    const char *instrument; /* NULL: the first DVL */
    int64_t mode;           /* enum fm_odometry_mode */
    const char *address;
    int64_t port;
    int64_t system, component; /* of its messages */
    int64_t altitude;          /* 1: DISTANCE_SENSOR too */
    double patience;           /* s of the clock after which a silent autopilot gets no more */

    /* derived by the check */
    const char *of, *part; /* names of the vehicle and its instrument */
} fm_odometry_config;

#endif
