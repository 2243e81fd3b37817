/* <bridge kind="odometry">: its attributes and their check. Part of libfathom. */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "bridges/list.h"
#include "bridges/odometry/odometry_config.h"
#include "bridges/odometry/odometry_source.h"

static const char *const modes[] = {"listen", "send", NULL};

static const fm_attr attrs[] = {
    FM_NAME_ATTR(fm_odometry_config, vehicle, "vehicle", NULL, 0, "that carries the DVL; default: the first"),
    FM_TEXT_ATTR(fm_odometry_config, instrument, "instrument", NULL, 0,
                 "name of a DVL; default: the first of the vehicle"),
    FM_CHOICE_ATTR(fm_odometry_config, mode, modes, "mode", "listen", 0,
                   "listen: an autopilot, or a router, sends MAVLink to `address` and `port` and is answered; send: "
                   "datagrams go there"),
    FM_TEXT_ATTR(fm_odometry_config, address, "address", "127.0.0.1", 0, "IPv4 or IPv6 address, in numbers"),
    FM_INT_ATTR(fm_odometry_config, port, "port", 1, 65535, "14551", 0, "UDP port"),
    FM_INT_ATTR(fm_odometry_config, system, "system", 1, 255, "1", 0, "MAVLink system: that of the autopilot"),
    FM_INT_ATTR(fm_odometry_config, component, "component", 1, 255, "197", 0,
                "MAVLink component; 197: visual inertial odometry"),
    FM_BOOL_ATTR(fm_odometry_config, altitude, "altitude", "true", 0, "also sends the altitude, as DISTANCE_SENSOR"),
    FM_REAL_ATTR(fm_odometry_config, patience, "patience", "s", 0.1, 1e6, "10 s", 0,
                 "of the clock, mode=\"listen\": after this silence an autopilot receives no more"),
};

static const fm_element element = FM_BRIDGE_ELEMENT(
    fm_odometry_config, "odometry", attrs, "A DVL to an autopilot as VISION_POSITION_DELTA of MAVLink (docs/ping.md).");

static fm_status check(const fm_model *model, void *config, const char **attribute, fm_error *error)
{
    fm_odometry_config *c = config;
    char near[160];
    fm_nearest nearest = {.wanted = c->instrument ? c->instrument : ""};
    const fm_placement *vehicle = NULL;
    for (size_t i = model->vehicle_count; i-- > 0;)
        if (!c->vehicle || strcmp(model->vehicles[i].name, c->vehicle) == 0)
            vehicle = &model->vehicles[i];
    if (!vehicle)
        return fm_fail(error, FM_ERR_ARGUMENT, "the scenario has no vehicle: a DVL needs one that carries it");
    const fm_type *type = &model->types[vehicle->type];
    const fm_part *part = fm_odometry_part_find(type, c->instrument), *any = fm_odometry_part_find(type, NULL);
    *attribute = c->instrument ? "instrument" : NULL;
    if (!any)
        return fm_fail(error, FM_ERR_ARGUMENT, "'%s' has no DVL", vehicle->name);
    fm_nearest_offer(&nearest, any->name);
    if (!part)
        return fm_fail(error, FM_ERR_NAME, "'%s' has no DVL '%s'%s", vehicle->name, c->instrument,
                       fm_nearest_write(&nearest, near, sizeof near));
    c->of = vehicle->name;
    c->part = part->name;
    return FM_OK;
}

const fm_bridge_class fm_odometry_class = {.size = sizeof(fm_bridge_class), .element = &element, .check = check};
