/* <bridge kind="nmea">: its attributes and their check. Part of libfathom. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bridges/list.h"
#include "bridges/nmea/nmea_config.h"
#include "bridges/vehicle_values.h"

static const char *const transports[] = {"udp", "tcp", "pty", NULL};

static const fm_attr attrs[] = {
    FM_NAME_ATTR(fm_nmea_config, vehicle, "vehicle", NULL, 0,
                 "the own ship, the others being its targets; default: the first"),
    FM_CHOICE_ATTR(fm_nmea_config, transport, transports, "transport", "udp", 0,
                   "udp: datagrams to `address` and `port`; tcp: clients connect to them; pty: a pseudo-terminal, "
                   "`device`"),
    FM_TEXT_ATTR(fm_nmea_config, address, "address", "127.0.0.1", 0, "IPv4 or IPv6 address, in numbers"),
    FM_INT_ATTR(fm_nmea_config, port, "port", 1, 65535, "10110", 0, "UDP or TCP port"),
    FM_INT_ATTR(fm_nmea_config, listen_port, "listen-port", 0, 65535, "0", 0,
                "UDP port at which sentences for the autopilot are received; 0: none"),
    FM_REAL_ATTR(fm_nmea_config, rate, "rate", "Hz", 1e-3, 1e4, "1 Hz", 0, "of reports, in simulated time"),
    FM_TEXT_ATTR(fm_nmea_config, talker, "talker", "II", 0, "two capital letters that its sentences begin with"),
    FM_TEXT_ATTR(fm_nmea_config, device, "device", NULL, 0, "path of the link to the pseudo-terminal"),
    FM_TEXT_ATTR(fm_nmea_config, mmsis, "mmsis", NULL, 0,
                 "of ships in AIS, \"otter=211000001 tanker=211000002\"; default: 200000001 and up, which no country "
                 "has"),
    FM_TEXT_ATTR(fm_nmea_config, call_signs, "call-signs", NULL, 0,
                 "of ships in AIS, \"tanker=DABC\", up to 7 letters"),
    FM_TEXT_ATTR(fm_nmea_config, ship_types, "ship-types", NULL, 0,
                 "of ships in AIS, \"tanker=80 otter=99\", 0 (not known) to 99"),
};

static const fm_element element = FM_BRIDGE_ELEMENT(
    fm_nmea_config, "nmea", attrs, "NMEA 0183 and AIS for charts, displays and autopilots (docs/nmea.md).");

/* Digits that make a number in a range. */
static bool is_number(const char *value, unsigned long least, unsigned long most)
{
    size_t digits = strspn(value, "0123456789");
    if (digits == 0 || digits > 9 || value[digits])
        return false;
    unsigned long number = strtoul(value, NULL, 10);
    return number >= least && number <= most;
}

static bool check_mmsi(const char *value, char *why, size_t size)
{
    snprintf(why, size, "is not the MMSI of a ship: must be 200000000 to 799999999");
    return is_number(value, 200000000, 799999999);
}

static bool check_call_sign(const char *value, char *why, size_t size)
{
    size_t length = strlen(value);
    snprintf(why, size, "is not a call sign: must be up to 7 letters and digits");
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)value[i]))
            return false;
    return length <= 7;
}

static bool check_ship_type(const char *value, char *why, size_t size)
{
    snprintf(why, size, "is not a type of ship: must be 0 to 99");
    return is_number(value, 0, 99);
}

static fm_status check_ships(const fm_model *model, const fm_nmea_config *c, const char **attribute, fm_error *error)
{
    const struct {
        const char *name, *list;
        fm_value_check *check;
    } lists[] = {{"mmsis", c->mmsis, check_mmsi},
                 {"call-signs", c->call_signs, check_call_sign},
                 {"ship-types", c->ship_types, check_ship_type}};
    fm_status status = FM_OK;
    for (size_t i = 0; i < FM_COUNT(lists) && status == FM_OK; i++) {
        *attribute = lists[i].name;
        status = fm_vehicle_values_check(model, lists[i].list, lists[i].check, error);
    }
    return status;
}

static fm_status check(const fm_model *model, void *config, const char **attribute, fm_error *error)
{
    const fm_nmea_config *c = config;
    fm_status status = check_ships(model, c, attribute, error);
    if (status != FM_OK)
        return status;
    if (strlen(c->talker) != 2 || !isupper((unsigned char)c->talker[0]) || !isupper((unsigned char)c->talker[1])) {
        *attribute = "talker";
        return fm_fail(error, FM_ERR_RANGE, "'%.20s' is not a talker: must be two capital letters", c->talker);
    }
    if (c->transport != FM_NMEA_PTY || (c->device && strlen(c->device) < FM_NMEA_DEVICE))
        return FM_OK;
    *attribute = "device";
    return fm_fail(error, FM_ERR_ARGUMENT,
                   "transport=\"pty\" needs the path of the link to the pseudo-terminal, up to %d characters",
                   FM_NMEA_DEVICE - 1);
}

const fm_bridge_class fm_nmea_class = {.size = sizeof(fm_bridge_class), .element = &element, .check = check};
