/* <bridge kind="ardupilot">. */
#ifndef FM_BRIDGES_ARDUPILOT_ARDUPILOT_CONFIG_H
#define FM_BRIDGES_ARDUPILOT_ARDUPILOT_CONFIG_H

#include <stdint.h>

enum { FM_ARDUPILOT_RESET, FM_ARDUPILOT_CONTINUE }; /* action when SITL restarts */

typedef struct fm_ardupilot_config {
    const char *vehicle; /* NULL: the first */
    const char *address;
    int64_t port;
    const char *outputs; /* frame, or "1:actuator 2:-actuator"; NULL: a suitable frame */
    double pulses[3];    /* s: least, neutral, greatest */
    double patience;     /* s of the clock without a packet after which the run continues alone */
    int64_t restart;     /* FM_ARDUPILOT_… */
} fm_ardupilot_config;

#endif
