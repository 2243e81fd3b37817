/* <bridge kind="ardupilot">: its attributes and their check. Part of libfathom. */
#include "base/error.h"
#include "bridges/ardupilot/ardupilot_config.h"
#include "bridges/list.h"
#include "bridges/pilot/pilot_attrs.h"

static const char *const restarts[] = {"reset", "continue", NULL};

static const fm_attr attrs[] = {
    FM_PILOT_ATTRS(fm_ardupilot_config),
    FM_TEXT_ATTR(fm_ardupilot_config, address, "address", "127.0.0.1", 0, "at which SITL's packets are received"),
    FM_INT_ATTR(fm_ardupilot_config, port, "port", 1, 65535, "9002", 0,
                "UDP port; instance n of sim_vehicle.py sends to 9002 + 10 n"),
    FM_VECTOR_ATTR(fm_ardupilot_config, pulses, 3, "pulses", "s", 1e-4, 1e-2, "1100 1500 1900 us", 0,
                   "full astern, neutral and full ahead"),
    FM_CHOICE_ATTR(fm_ardupilot_config, restart, restarts, "restart", "reset", 0,
                   "what the run does when SITL starts again"),
};

static const fm_element element =
    FM_BRIDGE_ELEMENT(fm_ardupilot_config, "ardupilot", attrs,
                      "ArduPilot's SITL controls one vehicle and steps the run (docs/ardupilot.md).");

static fm_status check(const fm_model *model, void *config, const char **attribute, fm_error *error)
{
    const double *pulses = ((fm_ardupilot_config *)config)->pulses;
    (void)model;
    if (pulses[0] < pulses[1] && pulses[1] < pulses[2])
        return FM_OK;
    *attribute = "pulses";
    return fm_fail(error, FM_ERR_RANGE, "%g %g %g us are not in order: must be least, neutral, greatest",
                   pulses[0] * 1e6, pulses[1] * 1e6, pulses[2] * 1e6);
}

const fm_bridge_class fm_ardupilot_class = {.size = sizeof(fm_bridge_class), .element = &element, .check = check};
