/* <bridge kind="dis">: its attributes and their check. Part of libfathom. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bridges/dis/dis_config.h"
#include "bridges/list.h"
#include "bridges/vehicle_values.h"

static const char *const paces[] = {"adaptive", "fine", "step", NULL};
static const char *const reckonings[] = {"static", "fpw", "rpw", "rvw", "fvw", "fpb", "rpb", "rvb", "fvb", NULL};

static const char *const forces[] = {"other", "friendly", "opposing", "neutral", NULL};

static const fm_attr attrs[] = {
    FM_NAME_ATTR(fm_dis_config, vehicle, "vehicle", NULL, 0, "that it sends; default: all"),
    FM_TEXT_ATTR(fm_dis_config, address, "address", "239.1.2.3", 0,
                 "IPv4 address in numbers: of one computer, broadcast or multicast"),
    FM_INT_ATTR(fm_dis_config, port, "port", 1, 65535, "3000", 0, "UDP port that it sends to"),
    FM_INT_ATTR(fm_dis_config, listen_port, "listen-port", 0, 65535, "0", 0,
                "UDP port that it receives at; 0: `port`. Two on one computer that use unicast need two"),
    FM_REAL_ATTR(fm_dis_config, rate, "rate", "Hz", 1e-3, 1e4, "10 Hz", 0, "of send=\"fine\", in simulated time"),
    FM_INT_ATTR(fm_dis_config, version, "version", 6, 7, "7", 0, "of the protocol, 6 (1998) or 7 (2012)"),
    FM_INT_ATTR(fm_dis_config, exercise, "exercise", 1, 255, "1", 0, "messages of other exercises are ignored"),
    FM_INT_ATTR(fm_dis_config, site, "site", 1, 65533, "1", 0, "of its entities' ids"),
    FM_INT_ATTR(fm_dis_config, application, "application", 1, 65533, "1", 0, "of its entities' ids"),
    FM_CHOICE_ATTR(fm_dis_config, pace, paces, "send", "adaptive", 0,
                   "adaptive: when a receiver would be wrong, and at the heartbeat; fine: at `rate`; step: after every "
                   "step"),
    FM_CHOICE_ATTR(fm_dis_config, reckoning, reckonings, "algorithm", "rvw", 0,
                   "dead reckoning: attitude Fixed or Rotating, constant velocity (P) or acceleration (V), in World or "
                   "Body axes; or static"),
    FM_REAL_ATTR(fm_dis_config, position_threshold, "position-threshold", "m", 0, 1e4, "1 m", 0,
                 "greatest position error of a receiver"),
    FM_REAL_ATTR(fm_dis_config, angle_threshold, "orientation-threshold", "rad", 0, 3.2, "3 deg", 0,
                 "greatest attitude error of a receiver"),
    FM_REAL_ATTR(fm_dis_config, heartbeat, "heartbeat", "s", 0.1, 5, "5 s", 0,
                 "maximum interval between updates of an entity"),
    FM_REAL_ATTR(fm_dis_config, timeout, "timeout", "s", 0.1, 3600, "12 s", 0,
                 "an entity without an update for this time is removed: 2.4 heartbeats"),
    FM_INT_ATTR(fm_dis_config, ttl, "ttl", 0, 255, "1", 0, "routers that multicast may pass, and one more"),
    FM_TEXT_ATTR(fm_dis_config, interface, "interface", NULL, 0,
                 "address of the interface for multicast; default: the system's choice"),
    FM_TEXT_ATTR(fm_dis_config, entity_type, "entity-type", NULL, 0,
                 "kind.domain.country.category.subcategory.specific.extra of its vehicles; default: 1.4.0.8 (unmanned "
                 "underwater vehicle), 1.3.0.87 for those that float"),
    FM_TEXT_ATTR(fm_dis_config, entity_types, "entity-types", NULL, 0,
                 "of single vehicles, \"otter=1.3.225.61 ghost=1.4.0.8\""),
    FM_CHOICE_ATTR(fm_dis_config, force, forces, "force", "friendly", 0, "force id of its vehicles"),
    FM_TEXT_ATTR(fm_dis_config, forces, "forces", NULL, 0,
                 "of single vehicles, \"ghost=opposing otter=neutral\": other, friendly, opposing or neutral"),
    FM_NAME_ATTR(fm_dis_config, foreign, "foreign", NULL, 0,
                 "the <type> with <foreign/> that vehicles of others appear as; default: the first of the scenario"),
    FM_BOOL_ATTR(fm_dis_config, manage, "manage", "false", 0, "starts and stops others together with this run"),
    FM_TEXT_ATTR(fm_dis_config, allow, "allow", "127.0.0.1", 0,
                 "addresses, separated by spaces, that may start and stop this run"),
};

static const fm_element element =
    FM_BRIDGE_ELEMENT(fm_dis_config, "dis", attrs,
                      "Distributed Interactive Simulation, IEEE 1278: the vehicles appear in other simulators, and "
                      "theirs in this one (docs/dis.md).");

bool fm_dis_entity_type_read(const char *text, uint16_t numbers[7])
{
    static const unsigned long most[7] = {255, 255, 65535, 255, 255, 255, 255};
    memset(numbers, 0, 7 * sizeof *numbers);
    for (int i = 0; i < 7; i++) {
        char *end;
        unsigned long number = strtoul(text, &end, 10);
        if (!isdigit((unsigned char)*text) || number > most[i])
            return false;
        numbers[i] = (uint16_t)number;
        if (*end == 0)
            return true;
        if (*end != '.')
            return false;
        text = end + 1;
    }
    return false;
}

int fm_dis_force_find(const char *name)
{
    for (int i = 0; forces[i]; i++)
        if (strcmp(forces[i], name) == 0)
            return i;
    return -1;
}

#define ENTITY_TYPE                                                                                                    \
    "must be up to seven numbers separated by dots, kind.domain.country.category…, each 0 to 255, the country to "   \
    "65535"

static bool check_entity_type(const char *value, char *why, size_t size)
{
    uint16_t numbers[7];
    snprintf(why, size, "is not an entity type: " ENTITY_TYPE);
    return fm_dis_entity_type_read(value, numbers);
}

static bool check_force(const char *value, char *why, size_t size)
{
    snprintf(why, size, "is not a force: must be other, friendly, opposing or neutral");
    return fm_dis_force_find(value) >= 0;
}

/* The type that foreign entities use: the named one, or the first of kind foreign. */
static fm_status find_foreign(const fm_model *model, fm_dis_config *c, fm_error *error)
{
    fm_nearest nearest = {.wanted = c->foreign ? c->foreign : ""};
    char near[160];
    for (size_t i = 0; i < model->type_count; i++) {
        if (!model->types[i].kind->sight)
            continue;
        if (!c->foreign || strcmp(c->foreign, model->types[i].name) == 0) {
            c->foreign = model->types[i].name;
            return FM_OK;
        }
        fm_nearest_offer(&nearest, model->types[i].name);
    }
    if (!c->foreign)
        return FM_OK;
    return fm_fail(error, FM_ERR_NAME, "no <type> '%.60s' with <foreign/>%s", c->foreign,
                   fm_nearest_write(&nearest, near, sizeof near));
}

static fm_status check(const fm_model *model, void *config, const char **attribute, fm_error *error)
{
    fm_dis_config *c = config;
    uint16_t numbers[7];
    *attribute = "entity-type";
    if (c->entity_type && !fm_dis_entity_type_read(c->entity_type, numbers))
        return fm_fail(error, FM_ERR_RANGE, "'%.60s' is not an entity type: " ENTITY_TYPE, c->entity_type);
    *attribute = "entity-types";
    fm_status status = fm_vehicle_values_check(model, c->entity_types, check_entity_type, error);
    if (status != FM_OK)
        return status;
    *attribute = "forces";
    if ((status = fm_vehicle_values_check(model, c->forces, check_force, error)) != FM_OK)
        return status;
    *attribute = "foreign";
    return find_foreign(model, c, error);
}

const fm_bridge_class fm_dis_class = {.size = sizeof(fm_bridge_class), .element = &element, .check = check};
