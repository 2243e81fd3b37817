/* Outputs of an external autopilot, numbered channels of −1 … 1, as orders for the actuators of a vehicle. */
#ifndef FM_BRIDGES_PILOT_PILOT_OUTPUTS_H
#define FM_BRIDGES_PILOT_PILOT_OUTPUTS_H

#include "world/model.h"

enum { FM_PILOT_CHANNELS = 32, FM_PILOT_LINKS = 64 };

/* A channel drives an actuator. */
typedef struct fm_pilot_link {
    unsigned channel; /* from 0 */
    size_t actuator;
    double sign; /* 1, −1 */
} fm_pilot_link;

typedef struct fm_pilot_outputs {
    const fm_type *type;
    const char *frame; /* its name; NULL: listed one by one */
    fm_pilot_link links[FM_PILOT_LINKS];
    size_t count;
} fm_pilot_outputs;

/* From a text "1:-front-port 3:port-propeller": channel, sign, actuator; an actuator with several channels gets
 * their sum. Or from a frame, whose motors are matched to the thrusters by their direction:
 *     vectored            ArduSub's, six motors (BlueROV2)
 *     vectored-6dof       ArduSub's, eight motors (BlueROV2 Heavy)
 *     px4-bluerov2-heavy  PX4's of that name, eight motors
 *     skid-steering       ArduRover's: 1 port, 3 starboard
 *     steering-throttle   ArduRover's: 1 steering, 3 throttle */
fm_status fm_pilot_outputs_read(const fm_type *type, const char *text, fm_pilot_outputs *outputs, fm_error *error);

/* The order of an actuator at a value of −1 … 1 of full command; larger values are clamped. */
double fm_pilot_outputs_order(const fm_type *type, size_t actuator, double value);

/* The channels that drive an actuator: bit 0 is channel 1. */
uint32_t fm_pilot_outputs_channels(const fm_pilot_outputs *outputs);

/* Orders of the actuators that the channels drive; those of others are unchanged. */
void fm_pilot_outputs_mix(const fm_pilot_outputs *outputs, const double channels[FM_PILOT_CHANNELS], double *orders);

#endif
