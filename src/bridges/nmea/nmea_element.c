/* <bridge kind="nmea">: its attributes and their check. Part of libfathom. */
#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "bridges/list.h"
#include "bridges/nmea/nmea_config.h"

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
    FM_REAL_ATTR(fm_nmea_config, epoch, "epoch", "s", 0, 4e9, "1577836800 s", 0,
                 "seconds since 1970 at which the simulation begins; the default is the first of January 2020"),
};

static const fm_element element = FM_BRIDGE_ELEMENT(
    fm_nmea_config, "nmea", attrs, "NMEA 0183 and AIS for charts, displays and autopilots (docs/nmea.md).");

static fm_status check(const fm_model *model, void *config, const char **attribute, fm_error *error)
{
    const fm_nmea_config *c = config;
    (void)model;
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
