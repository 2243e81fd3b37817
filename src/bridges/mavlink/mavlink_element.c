/* <bridge kind="mavlink">: its attributes and their check. Part of libfathom. */
#include "bridges/list.h"
#include "bridges/mavlink/mavlink_config.h"
#include "bridges/pilot/pilot_attrs.h"

static const char *const autopilots[] = {"generic", "px4", NULL};

static const fm_attr attrs[] = {
    FM_PILOT_ATTRS(fm_mavlink_config),
    FM_TEXT_ATTR(fm_mavlink_config, address, "address", "127.0.0.1", 0,
                 "of the ground station, and at which PX4 is received"),
    FM_INT_ATTR(fm_mavlink_config, port, "port", 1, 65535, "14550", 0, "UDP port of the ground station"),
    FM_REAL_ATTR(fm_mavlink_config, rate, "rate", "Hz", 1e-3, 1e4, "10 Hz", 0,
                 "of the messages to the ground station, in simulated time"),
    FM_INT_ATTR(fm_mavlink_config, simulator, "simulator", 0, 65535, "0", 0,
                "TCP port at which PX4 finds its simulator (4560); the run then waits for it; 0: none"),
    FM_INT_ATTR(fm_mavlink_config, system, "system", 1, 250, "1", 0,
                "system number of the first vehicle; the others follow in order"),
    FM_CHOICE_ATTR(fm_mavlink_config, autopilot, autopilots, "autopilot", "generic", 0,
                   "whose mode numbers a ground station is sent: px4 if it changes modes of PX4 alone"),
};

static const fm_element element =
    FM_BRIDGE_ELEMENT(fm_mavlink_config, "mavlink", attrs,
                      "MAVLink: ground stations see and fly the vehicles, and PX4 controls one (docs/mavlink.md).");

const fm_bridge_class fm_mavlink_class = {.size = sizeof(fm_bridge_class), .element = &element};
