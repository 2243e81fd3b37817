/* <bridge kind="ping">: its attributes and their check. Part of libfathom. */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "bridges/list.h"
#include "bridges/ping/ping_config.h"
#include "bridges/ping/ping_source.h"

static const fm_attr attrs[] = {
    FM_NAME_ATTR(fm_ping_config, vehicle, "vehicle", NULL, 0, "that carries the device; default: the first"),
    FM_TEXT_ATTR(
        fm_ping_config, instrument, "instrument", NULL, 0,
        "name of an instrument with one range, which becomes a Ping1D, or of a scanning sonar, which becomes a "
        "Ping360; default: the first of them"),
    FM_TEXT_ATTR(fm_ping_config, address, "address", "127.0.0.1", 0,
                 "at which requests are received, IPv4 or IPv6, in numbers"),
    FM_INT_ATTR(fm_ping_config, port, "port", 0, 65535, "0", 0, "UDP port; 0: 9090 for a Ping1D, 9092 for a Ping360"),
    FM_REAL_ATTR(fm_ping_config, beam_width, "beam-width", "rad", 0, 3.1, "25 deg", 0,
                 "of a Ping1D: the cone from which its profile comes"),
    FM_REAL_ATTR(fm_ping_config, patience, "patience", "s", 0.1, 1e6, "10 s", 0,
                 "of the clock: after this silence a client gets no more of a stream"),
};

static const fm_element element =
    FM_BRIDGE_ELEMENT(fm_ping_config, "ping", attrs,
                      "An echosounder as a Blue Robotics Ping1D, or a scanning sonar as a Ping360 (docs/ping.md).");

static const fm_placement *find_vehicle(const fm_model *model, const char *name)
{
    for (size_t i = 0; i < model->vehicle_count; i++)
        if (!name || strcmp(model->vehicles[i].name, name) == 0)
            return &model->vehicles[i];
    return NULL;
}

/* Another name that fits: an instrument of another kind was named, or none. */
static fm_status refuse(const fm_type *type, const fm_placement *vehicle, const char *wanted, fm_error *error)
{
    char near[160];
    fm_nearest nearest = {.wanted = wanted ? wanted : ""};
    int has = 0;
    for (size_t i = 0; i < type->sensor_count; i++) {
        const int fits = fm_ping_device_of(&type->parts[i]) != FM_PING_NO_DEVICE;
        has |= fits;
        if (fits)
            fm_nearest_offer(&nearest, type->parts[i].name);
        if (wanted && !fits && strcmp(type->parts[i].name, wanted) == 0)
            return fm_fail(error, FM_ERR_ARGUMENT,
                           "'%s' of '%s' has neither one range nor a scanning head: must be an echosounder, a sonar or "
                           "a scanning sonar",
                           wanted, vehicle->name);
    }
    if (!has)
        return fm_fail(error, FM_ERR_ARGUMENT, "'%s' has no echosounder, sonar or scanning sonar", vehicle->name);
    return fm_fail(error, FM_ERR_NAME, "'%s' has no instrument '%s'%s", vehicle->name, wanted,
                   fm_nearest_write(&nearest, near, sizeof near));
}

static fm_status check(const fm_model *model, void *config, const char **attribute, fm_error *error)
{
    fm_ping_config *c = config;
    const fm_placement *vehicle = find_vehicle(model, c->vehicle);
    if (!vehicle)
        return fm_fail(error, FM_ERR_ARGUMENT, "the scenario has no vehicle: a device needs one that carries it");
    const fm_type *type = &model->types[vehicle->type];
    const fm_part *part = fm_ping_part_find(type, c->instrument);
    *attribute = c->instrument ? "instrument" : NULL;
    if (!part)
        return refuse(type, vehicle, c->instrument, error);
    c->of = vehicle->name;
    c->part = part->name;
    c->scanning = fm_ping_device_of(part) == FM_PING_DEVICE_360;
    c->range = fm_part_mount(part)->farthest;
    return FM_OK;
}

const fm_bridge_class fm_ping_class = {.size = sizeof(fm_bridge_class), .element = &element, .check = check};
