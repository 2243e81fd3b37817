/* <bridge>: software of others that a run speaks with. Nothing of it acts in the world by itself. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scenario/build.h"

enum {
    DIS = 1 << FM_BRIDGE_DIS,
    ROS2 = 1 << FM_BRIDGE_ROS2,
    ARDUPILOT = 1 << FM_BRIDGE_ARDUPILOT,
    MAVLINK = 1 << FM_BRIDGE_MAVLINK,
    NMEA = 1 << FM_BRIDGE_NMEA,
    ALL = DIS | ROS2 | ARDUPILOT | MAVLINK | NMEA
};

static const char *const kinds[] = {"dis", "ros2", "ardupilot", "mavlink", "nmea", NULL};

static const char *const restarts[] = {"reset", "continue", NULL};
static const char *const transports[] = {"udp", "tcp", "pty", NULL};
static const char *const paces[] = {"adaptive", "fine", "step", NULL};
static const char *const reckonings[] = {"static", "fpw", "rpw", "rvw", "fvw", "fpb", "rpb", "rvb", "fvb", NULL};

static const fm_attr bridge_attrs[] = {
    FM_CHOICE_ATTR(fm_bridge_settings, kind, kinds, "kind", NULL, FM_ATTR_REQUIRED, "what is spoken"),
    FM_NAME_ATTR(fm_bridge_settings, vehicle, "vehicle", NULL, 0,
                 "that it speaks of; left out: the first, or all where the kind can"),
    FM_TEXT_ATTR(fm_bridge_settings, address, "address", NULL, 0, "in numbers, instead of that of the kind"),
    FM_INT_ATTR(fm_bridge_settings, port, "port", 0, 65535, "0", 0, "0: that of the kind"),
    FM_REAL_ATTR(fm_bridge_settings, rate, "rate", "Hz", 0, 1e4, "0 Hz", 0,
                 "of what is sent, in simulated time; 0: that of the kind"),
    FM_TEXT_ATTR(
        fm_bridge_settings, outputs, "outputs", NULL, 0,
        "ardupilot, mavlink: what the autopilot's outputs drive: a frame (vectored, vectored-6dof, "
        "px4-bluerov2-heavy, skid-steering, steering-throttle), or one by one as in \"3:propeller 1:-rudder\"; "
        "left out: a frame that fits the vehicle"),
    FM_VECTOR_ATTR(fm_bridge_settings, pulses, 3, "pulses", "s", 1e-4, 1e-2, "1100 1500 1900 us", 0,
                   "ardupilot: full astern, neutral and full ahead"),
    FM_REAL_ATTR(fm_bridge_settings, patience, "patience", "s", 0.1, 1e6, "10 s", 0,
                 "ardupilot, mavlink: of the clock: after such a silence the autopilot is not waited for any more"),
    FM_CHOICE_ATTR(fm_bridge_settings, restart, restarts, "restart", "reset", 0,
                   "ardupilot: what the run does when SITL restarts"),
    FM_INT_ATTR(fm_bridge_settings, simulator, "simulator", 0, 65535, "0", 0,
                "mavlink: TCP port at which PX4 finds its simulator (4560); the run then waits for it; 0: none"),
    FM_INT_ATTR(fm_bridge_settings, system, "system", 1, 250, "1", 0,
                "mavlink: system number of the first vehicle; those that follow count on"),
    FM_INT_ATTR(fm_bridge_settings, domain, "domain", -1, 232, "-1", 0,
                "ros2: of DDS; -1: that of ROS_DOMAIN_ID, or 0"),
    FM_NAME_ATTR(fm_bridge_settings, node, "node", NULL, 0, "ros2: what its node is called; left out: fathom"),
    FM_NAME_ATTR(fm_bridge_settings, distribution, "distribution", NULL, 0,
                 "ros2: of the nodes that are to see its name (humble, jazzy …); left out: that of ROS_DISTRO"),
    FM_INT_ATTR(fm_bridge_settings, listen_port, "listen-port", 0, 65535, "0", 0,
                "dis, nmea: where it listens; 0: at `port`. Two on one computer that speak by unicast need two"),
    FM_INT_ATTR(fm_bridge_settings, version, "version", 6, 7, "7", 0, "dis: of the protocol, 6 (1998) or 7 (2012)"),
    FM_INT_ATTR(fm_bridge_settings, exercise, "exercise", 1, 255, "1", 0,
                "dis: those of other exercises are not heard"),
    FM_INT_ATTR(fm_bridge_settings, site, "site", 1, 65533, "1", 0, "dis: of its entities' ids"),
    FM_INT_ATTR(fm_bridge_settings, application, "application", 1, 65533, "1", 0, "dis: of its entities' ids"),
    FM_CHOICE_ATTR(
        fm_bridge_settings, pace, paces, "send", "adaptive", 0,
        "dis: adaptive, when a receiver would be wrong, and at the heartbeat; fine, at `rate`, ten times a second "
        "unless it is given; step, after every step"),
    FM_CHOICE_ATTR(
        fm_bridge_settings, reckoning, reckonings, "algorithm", "rvw", 0,
        "dis: dead reckoning, attitude Fixed or Rotating, constant velocity (P) or acceleration (V), in World or "
        "Body axes; or static"),
    FM_REAL_ATTR(fm_bridge_settings, position_threshold, "position-threshold", "m", 0, 1e4, "1 m", 0,
                 "dis: by which a receiver may be wrong"),
    FM_REAL_ATTR(fm_bridge_settings, angle_threshold, "orientation-threshold", "rad", 0, 3.2, "3 deg", 0,
                 "dis: by which a receiver may be wrong"),
    FM_REAL_ATTR(fm_bridge_settings, heartbeat, "heartbeat", "s", 0.1, 5, "5 s", 0,
                 "dis: maximum interval between updates of an entity"),
    FM_REAL_ATTR(fm_bridge_settings, timeout, "timeout", "s", 0.1, 3600, "12 s", 0,
                 "dis: after which one that is silent is gone: 2.4 heartbeats"),
    FM_INT_ATTR(fm_bridge_settings, ttl, "ttl", 0, 255, "1", 0, "dis: routers that multicast may pass, and one more"),
    FM_TEXT_ATTR(fm_bridge_settings, interface, "interface", NULL, 0,
                 "dis: address of the interface for multicast; left out: the system's choice"),
    FM_TEXT_ATTR(
        fm_bridge_settings, entity_type, "entity-type", NULL, 0,
        "dis: kind.domain.country.category.subcategory.specific.extra of its vehicles; left out: 1.4.0.8 (unmanned "
        "underwater vehicle), 1.3.0.87 for those that float"),
    FM_NAME_ATTR(fm_bridge_settings, foreign, "foreign", NULL, 0,
                 "dis: the <type> with <foreign/> that others appear as; left out: the first there is"),
    FM_BOOL_ATTR(fm_bridge_settings, manage, "manage", "false", 0,
                 "dis: starts and stops other simulators together with this one"),
    FM_TEXT_ATTR(fm_bridge_settings, allow, "allow", NULL, 0,
                 "dis: addresses, apart by blanks, that may start and stop this one; left out: this computer's own"),
    FM_CHOICE_ATTR(fm_bridge_settings, transport, transports, "transport", "udp", 0,
                   "nmea: datagrams to `address` and `port`; tcp: clients connect to them; pty: a pseudo-terminal, "
                   "`device`"),
    FM_TEXT_ATTR(fm_bridge_settings, talker, "talker", NULL, 0,
                 "nmea: two letters that its sentences begin with; left out: II"),
    FM_TEXT_ATTR(fm_bridge_settings, device, "device", NULL, 0, "nmea: path of the link to the pseudo-terminal"),
    FM_REAL_ATTR(fm_bridge_settings, epoch, "epoch", "s", 0, 4e9, "1577836800 s", 0,
                 "nmea: seconds since 1970 at which the simulation begins; the default is the first of January 2020"),
};

/* Which kinds have an attribute; those that do not stand here belong to all. */
static const struct {
    const char *attr;
    unsigned kinds;
} owners[] = {
    {"rate", ALL & ~ARDUPILOT},
    {"outputs", ARDUPILOT | MAVLINK},
    {"pulses", ARDUPILOT},
    {"patience", ARDUPILOT | MAVLINK},
    {"restart", ARDUPILOT},
    {"simulator", MAVLINK},
    {"port", ALL & ~ROS2},
    {"domain", ROS2},
    {"node", ROS2},
    {"distribution", ROS2},
    {"system", MAVLINK},
    {"listen-port", DIS | NMEA},
    {"version", DIS},
    {"exercise", DIS},
    {"site", DIS},
    {"application", DIS},
    {"send", DIS},
    {"algorithm", DIS},
    {"position-threshold", DIS},
    {"orientation-threshold", DIS},
    {"heartbeat", DIS},
    {"timeout", DIS},
    {"ttl", DIS},
    {"interface", DIS},
    {"entity-type", DIS},
    {"foreign", DIS},
    {"manage", DIS},
    {"allow", DIS},
    {"transport", NMEA},
    {"talker", NMEA},
    {"device", NMEA},
    {"epoch", NMEA},
};

const fm_element fm_bridge_element = FM_TABLE_ELEMENT(
    fm_bridge_settings, "bridge", bridge_attrs, NULL, 0,
    "A connection of `fathom run`, `serve` and `view` to other software. By itself it changes nothing in the world.");

/* --- from an option: "KIND attribute=value …" --- */

static fm_status set_attr(fm_tree *tree, fm_node *node, const char *name, const char *text, fm_error *error)
{
    size_t i = fm_attr_index(node->element, name);
    fm_error inner = {0};
    if (i == node->element->attr_count) {
        fm_nearest nearest = {.wanted = name};
        char near[160];
        for (size_t k = 0; k < node->element->attr_count; k++)
            fm_nearest_offer(&nearest, node->element->attrs[k].name);
        return fm_fail_at(error, FM_ERR_NAME, "--bridge", 0, "a bridge has no '%.60s'%s", name,
                          fm_nearest_write(&nearest, near, sizeof near));
    }
    fm_value value = {0};
    const char *copy = fm_arena_text(&tree->arena, text);
    fm_status status = copy
                           ? fm_value_parse(&tree->arena, &node->element->attrs[i], copy, "--bridge", 0, &value, &inner)
                           : FM_ERR_MEMORY;
    if (status != FM_OK)
        return fm_fail_at(error, status, "--bridge", 0, "%.60s: %s", name, inner.text);
    node->values[i] = value;
    return FM_OK;
}

/* A value with blanks stands in single quotes: rate='10 Hz'. */
static fm_status next_word(const char **at, char *word, size_t size, fm_error *error)
{
    size_t length = 0;
    int quoted = 0;
    for (*at += strspn(*at, " \t"); **at && (quoted || !strchr(" \t", **at)); ++*at)
        if (**at == '\'')
            quoted = !quoted;
        else if (length + 1 < size)
            word[length++] = **at;
        else
            return fm_fail_at(error, FM_ERR_SYNTAX, "--bridge", 0, "a word is longer than %zu characters", size - 1);
    word[length] = 0;
    return quoted ? fm_fail_at(error, FM_ERR_SYNTAX, "--bridge", 0, "a ' is missing") : FM_OK;
}

static fm_status add_bridge(fm_tree *tree, const char *text, fm_error *error)
{
    char word[512];
    fm_node *node = fm_node_add(tree, tree->root, &fm_bridge_element, NULL, "--bridge", 0, error);
    fm_status status = node ? next_word(&text, word, sizeof word, error) : FM_ERR_MEMORY;
    if (status == FM_OK)
        status = set_attr(tree, node, "kind", word, error);
    while (status == FM_OK && (status = next_word(&text, word, sizeof word, error)) == FM_OK && word[0]) {
        char *equals = strchr(word, '=');
        if (!equals)
            return fm_fail_at(error, FM_ERR_SYNTAX, "--bridge", 0,
                              "'%.60s' is invalid: must be attribute=value, e.g. \"dis port=3000 rate='10 Hz'\"", word);
        *equals = 0;
        status = set_attr(tree, node, word, equals + 1, error);
    }
    return status;
}

fm_status fm_build_add_bridges(fm_tree *tree, const fm_load_options *options, fm_report *report)
{
    fm_status first = FM_OK;
    for (fm_node *node; options->no_bridges && (node = fm_node_child(tree->root, "bridge"));)
        fm_node_remove(tree->root, node);
    for (size_t i = 0; i < options->bridge_count; i++) {
        fm_error error = {0};
        fm_status status = add_bridge(tree, options->bridges[i], &error);
        if (status != FM_OK) {
            fm_report_add_error(report, &error);
            tree->root->last->broken = true;
        }
        first = first ? first : status;
    }
    return first;
}

/* --- the model's --- */

/* Written, and not just as its default has it: a scenario that was written out in full names every attribute. */
static bool is_chosen(fm_builder *b, const fm_node *node, const char *name)
{
    const fm_attr *attr = &node->element->attrs[fm_attr_index(node->element, name)];
    const fm_value *value = fm_node_value(node, name);
    fm_value usual = {0};
    if (!fm_node_written(node, name) || !attr->fallback ||
        fm_value_parse(&b->tree->arena, attr, attr->fallback, "", 0, &usual, NULL) != FM_OK)
        return fm_node_written(node, name);
    bool same = value->integer == usual.integer && value->count == usual.count;
    for (size_t i = 0; same && i < usual.count; i++)
        same = value->numbers[i] == usual.numbers[i];
    return !same;
}

static fm_status check_owners(fm_builder *b, const fm_node *node, const fm_bridge_settings *s)
{
    for (size_t i = 0; i < FM_COUNT(owners); i++)
        if (!(owners[i].kinds >> s->kind & 1) && is_chosen(b, node, owners[i].attr))
            return fm_node_fail(node, owners[i].attr, b->report, FM_ERR_NAME, "a bridge of kind '%s' does not have it",
                                kinds[s->kind]);
    return FM_OK;
}

static fm_status check_vehicle(fm_builder *b, const fm_node *node, const fm_bridge_settings *s)
{
    fm_nearest nearest = {.wanted = s->vehicle ? s->vehicle : ""};
    char near[160];
    if (!s->vehicle)
        return FM_OK;
    for (size_t i = 0; i < b->model->vehicle_count; i++) {
        if (strcmp(b->model->vehicles[i].name, s->vehicle) == 0)
            return FM_OK;
        fm_nearest_offer(&nearest, b->model->vehicles[i].name);
    }
    return fm_node_fail(node, "vehicle", b->report, FM_ERR_NAME, "there is no vehicle '%s'%s", s->vehicle,
                        fm_nearest_write(&nearest, near, sizeof near));
}

/* "1.4.225.8": up to seven numbers apart by dots. */
static bool read_entity_type(const char *text, uint16_t numbers[7])
{
    static const unsigned long most[7] = {255, 255, 65535, 255, 255, 255, 255};
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

static fm_status check_entity_type(fm_builder *b, const fm_node *node, fm_bridge_settings *s)
{
    if (!s->entity_type || read_entity_type(s->entity_type, s->entity))
        return FM_OK;
    return fm_node_fail(node, "entity-type", b->report, FM_ERR_RANGE,
                        "'%.60s' is invalid: must be up to seven numbers separated by dots, "
                        "kind.domain.country.category…, each 0 to 255, the country to 65535",
                        s->entity_type);
}

/* The type that others appear as: the one that is named, or the first of kind foreign. */
static fm_status find_foreign(fm_builder *b, const fm_node *node, fm_bridge_settings *s)
{
    const fm_model *model = b->model;
    fm_nearest nearest = {.wanted = s->foreign ? s->foreign : ""};
    char near[160];
    for (size_t i = 0; s->kind == FM_BRIDGE_DIS && i < model->type_count; i++) {
        if (!model->types[i].kind->sight)
            continue;
        if (!s->foreign || strcmp(s->foreign, model->types[i].name) == 0) {
            s->foreign = model->types[i].name;
            return FM_OK;
        }
        fm_nearest_offer(&nearest, model->types[i].name);
    }
    if (!s->foreign || s->kind != FM_BRIDGE_DIS)
        return FM_OK;
    return fm_node_fail(node, "foreign", b->report, FM_ERR_NAME, "there is no <type> '%.60s' with <foreign/>%s",
                        s->foreign, fm_nearest_write(&nearest, near, sizeof near));
}

fm_status fm_build_bridges(fm_builder *b)
{
    size_t count = 0;
    fm_status first = FM_OK;
    for (fm_node *node = NULL; (node = fm_node_next(b->tree->root, "bridge", node));)
        count++;
    fm_bridge_settings *all = fm_build_alloc(b, (count + 1) * sizeof *all), *s = all;
    if (!all)
        return FM_ERR_MEMORY;
    for (fm_node *node = NULL; (node = fm_node_next(b->tree->root, "bridge", node)); s++) {
        fm_node_fill(node, s);
        const fm_status checks[] = {check_owners(b, node, s), check_vehicle(b, node, s), check_entity_type(b, node, s),
                                    find_foreign(b, node, s)};
        for (size_t i = 0; i < FM_COUNT(checks); i++)
            first = first ? first : checks[i];
    }
    b->model->bridges = all;
    b->model->bridge_count = count;
    return first;
}
