/* Actuators of a vehicle, and their timed orders. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "scenario/build_screws.h"
#include "world/screws.h"
#include "world/thruster_curve.h"

static const char *const actuator_elements[] = {"propeller", "tunnel-thruster", "thruster",
                                                "fin",       "ballast",         "moving-mass"};
static const char *const order_units[] = {"rad/s", "V", "N", "rad", "kg", "m"};
enum { PROPELLER, TUNNEL, THRUSTER, FIN, BALLAST, MOVING_MASS, ACTUATOR_KINDS };

/* The kind of actuator of a node; -1: none. */
static int actuator_kind(const fm_node *node)
{
    for (int i = 0; i < ACTUATOR_KINDS; i++)
        if (strcmp(node->element->name, actuator_elements[i]) == 0)
            return i;
    return -1;
}

static fm_status make_unit_vector(fm_builder *b, const fm_node *node, double d[3])
{
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!(length > 1e-9))
        return fm_node_fail(node, "direction", b->report, FM_ERR_RANGE,
                            "a direction of length 0 is invalid: must not be zero");
    for (int i = 0; i < 3; i++)
        d[i] /= length;
    return FM_OK;
}

static fm_status aim_thrust(fm_builder *b, const fm_node *node, fm_actuator_config *c, fm_actuator *a)
{
    fm_status status = make_unit_vector(b, node, c->direction);
    memcpy(a->column, c->direction, 3 * sizeof *a->column);
    fm_cross(c->position, c->direction, a->column + 3);
    a->kind = FM_ACT_THRUST;
    return status;
}

/* P = power (|F|/F_rated)^1.5 */
static double power_factor(double power, double thrust)
{
    return thrust > 0 ? power / (thrust * sqrt(thrust)) : 0;
}

static fm_status fill_propeller(fm_builder *b, const fm_node *node, fm_actuator_config *c, fm_actuator *a)
{
    if (fm_node_written(node, "thrust") + fm_node_written(node, "cd0") + fm_node_written(node, "diameter") != 1)
        return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL,
                            "give one of: thrust; cd0, length and rated-speed; diameter with k0, open-water or series");
    if (fm_node_written(node, "cd0"))
        c->thrust = 0.5 * b->model->settings.density * c->length * c->length * c->cd0 * c->rated_speed * c->rated_speed;
    if (!fm_node_written(node, "thrust-reverse"))
        c->thrust_reverse = c->thrust;
    a->law = FM_LAW_SQUARE;
    a->gain = c->share * c->thrust / (c->rated * c->rated);
    a->gain_reverse = c->share * c->thrust_reverse / (c->rated * c->rated);
    a->high = fm_node_written(node, "limit") ? c->high : c->rated;
    a->low = -a->high;
    a->power = power_factor(c->power, c->share * c->thrust);
    fm_status status = aim_thrust(b, node, c, a);
    for (int i = 0; i < 3 && c->thrust > 0; i++)
        a->column[3 + i] += c->torque / c->thrust * c->direction[i];
    return status;
}

static fm_status fill_tunnel(fm_builder *b, const fm_node *node, fm_actuator_config *c, fm_actuator *a)
{
    a->law = FM_LAW_SQUARE;
    a->gain = a->gain_reverse = c->thrust / (c->rated * c->rated);
    a->high = c->rated;
    a->low = -c->rated;
    a->power = power_factor(c->power, c->thrust);
    return aim_thrust(b, node, c, a);
}

static fm_status fill_thruster(fm_builder *b, const fm_node *node, fm_actuator_config *c, fm_actuator *a)
{
    if (c->table)
        return aim_thrust(b, node, c, a); /* the rest: take_table */
    if (!fm_node_written(node, "thrust"))
        return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL, "give either thrust or table");
    if (c->deduction > 0 || c->deduction_reverse > 0)
        return fm_node_fail(node, c->deduction > 0 ? "deduction" : "deduction-reverse", b->report, FM_ERR_MODEL,
                            "has no effect without a table: write the force that is left as thrust");
    a->law = FM_LAW_LINEAR;
    a->gain = a->gain_reverse = 1;
    a->high = c->thrust;
    a->low = fm_node_written(node, "thrust-reverse") ? -c->thrust_reverse : -c->thrust;
    a->power = power_factor(c->power, c->thrust);
    return aim_thrust(b, node, c, a);
}

static fm_status fill_actuator(fm_builder *b, const fm_node *node, fm_actuator_config *c, int fin, fm_actuator *a)
{
    a->dynamics = (int32_t)c->dynamics;
    a->dead_band = c->dead_band;
    a->rate_limit = c->rate_limit;
    a->tau = c->tau > 0 ? c->tau : 1;
    a->zeta = c->zeta;
    a->high = c->high;
    a->low = -c->high;
    switch (actuator_kind(node)) {
    case PROPELLER: return fill_propeller(b, node, c, a);
    case TUNNEL: return fill_tunnel(b, node, c, a);
    case THRUSTER: return fill_thruster(b, node, c, a);
    case FIN:
        a->kind = FM_ACT_FIN;
        a->fin = fin;
        a->law = c->area > 0 && !c->ahead ? FM_LAW_FOIL : FM_LAW_LINEAR;
        return FM_OK;
    case BALLAST:
        a->kind = FM_ACT_MASS;
        a->low = 0;
        return FM_OK;
    default: a->kind = FM_ACT_MASS; return make_unit_vector(b, node, c->direction);
    }
}

static void note_moving_mass(const fm_node *node, const fm_actuator_config *c, int index, fm_moving_mass *moving)
{
    moving->actuator = index;
    moving->moves = actuator_kind(node) == MOVING_MASS;
    moving->mass = c->mass;
    memcpy(moving->position, c->position, sizeof moving->position);
    memcpy(moving->axis, c->direction, sizeof moving->axis);
}

static size_t count_actuators(const fm_node *vehicle)
{
    size_t count = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, NULL, node));)
        count += actuator_kind(node) >= 0;
    return count;
}

/* --- measured tables --- */

double *fm_number_list_extend(fm_builder *b, fm_number_list *list, size_t more)
{
    double *longer = fm_build_alloc(b, (list->count + more) * sizeof *longer);
    if (!longer)
        return NULL;
    if (list->count)
        memcpy(longer, list->numbers, list->count * sizeof *longer);
    list->numbers = longer;
    list->count += more;
    return longer + list->count - more;
}

/* A table that is already in the array; thrusters of one kind share it. */
typedef struct known_table {
    const char *file;
    double volts;
    double left[2]; /* of its force: forwards, backwards */
    fm_thruster_table table;
    double low, high; /* of orders */
} known_table;

typedef struct actuator_arrays {
    fm_actuator *actuators;
    fm_screw *screws;
    uint32_t *delays;
    size_t screw_count, delayed; /* words of orders on their way */
    known_table *known;
    size_t known_count;
    fm_number_list tables;
    const char **names, **groups, **units;
    fm_actuator_fitting *fittings;
    fm_actuator_fault *faults;
    fm_moving_mass *moving;
    size_t count, moving_count;
    int fins;
} actuator_arrays;

static fm_status check_name(fm_builder *b, const fm_node *node, const actuator_arrays *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->names[i], name) == 0)
            return fm_node_fail(node, "name", b->report, FM_ERR_NAME, "the name '%s' is used by another actuator",
                                name);
    return FM_OK;
}

static const known_table *find_table(const actuator_arrays *all, const fm_actuator_config *c, double volts,
                                     const double left[2])
{
    for (size_t i = 0; i < all->known_count; i++) {
        const known_table *known = &all->known[i];
        if (strcmp(known->file, c->table) == 0 && known->volts == volts && !known->table.forces == !!c->by_command &&
            known->left[0] == left[0] && known->left[1] == left[1])
            return known;
    }
    return NULL;
}

static fm_status append_table(fm_builder *b, const fm_thruster_curve *curve, const fm_actuator_config *c, double volts,
                              actuator_arrays *all)
{
    size_t before = all->tables.count;
    if (!fm_number_list_extend(b, &all->tables, fm_thruster_curve_size(curve)))
        return FM_ERR_MEMORY;
    known_table *known = &all->known[all->known_count++];
    *known = (known_table){.file = c->table, .volts = volts, .left = {curve->left[0], curve->left[1]}};
    known->table = fm_thruster_curve_put(curve, volts, !c->by_command, all->tables.numbers, before);
    const double *head = all->tables.numbers + known->table.at;
    known->low = c->by_command ? curve->command[0] : head[FM_TABLE_FORCE];
    known->high = c->by_command ? curve->command[curve->commands - 1]
                                : known->low + (FM_CURVE_FORCES - 1) / head[FM_TABLE_FORCE_DENSITY];
    return FM_OK;
}

static fm_status read_table(fm_builder *b, const fm_node *node, const fm_actuator_config *c, double volts,
                            const double left[2], actuator_arrays *all)
{
    fm_columns file;
    fm_thruster_curve curve;
    fm_error error = {0};
    fm_arena scratch = {0};
    fm_status status = fm_columns_read(&file, c->table, &scratch, &error);
    if (status == FM_OK)
        status = fm_thruster_curve_take(&curve, &file, c->table, &error);
    if (status != FM_OK)
        status = fm_build_report(b, node, status, &error);
    else if (curve.voltages > 1 && !(volts > 0))
        status = fm_node_fail(node, "voltage", b->report, FM_ERR_MODEL,
                              "the table has %zu voltages: give one of %g to %g V here, or in <battery>",
                              curve.voltages, curve.volts[0], curve.volts[curve.voltages - 1]);
    else {
        fm_thruster_curve_deduct(&curve, left[0], left[1]);
        status = append_table(b, &curve, c, volts, all);
    }
    fm_arena_free(&scratch);
    return status;
}

/* Law and limits of a thruster with a table. */
static fm_status take_table(fm_builder *b, const fm_node *node, const fm_actuator_config *c, const fm_type *type,
                            actuator_arrays *all, fm_actuator *a)
{
    const char *idle = fm_node_written(node, "thrust")           ? "thrust"
                       : fm_node_written(node, "thrust-reverse") ? "thrust-reverse"
                       : c->dead_band > 0                        ? "dead-band"
                       : c->power > 0                            ? "power"
                                                                 : NULL;
    double volts = fm_node_written(node, "voltage") ? c->voltage : type->battery.voltage;
    double left[2] = {1 - c->deduction, 1 - c->deduction};
    if (fm_node_written(node, "deduction-reverse"))
        left[1] = 1 - c->deduction_reverse;
    if (idle)
        return fm_node_fail(node, idle, b->report, FM_ERR_MODEL, "has no effect beside table, which holds it");
    const known_table *known = find_table(all, c, volts, left);
    fm_status status = known ? FM_OK : read_table(b, node, c, volts, left, all);
    if (status != FM_OK)
        return status;
    known = known ? known : &all->known[all->known_count - 1];
    a->law = FM_LAW_TABLE;
    a->gain = a->gain_reverse = 1;
    a->table = known->table;
    a->low = known->low;
    a->high = known->high;
    return FM_OK;
}

static const char *unit_of(int kind, const fm_actuator_config *c)
{
    return kind == THRUSTER && c->by_command ? "" : order_units[kind];
}

/* The screw of a propeller or thruster in its inflow, whose position is among the deflections at the end. */
static fm_status take_inflow(fm_builder *b, const fm_node *node, const fm_actuator_config *c, actuator_arrays *all,
                             fm_actuator *a)
{
    int kind = actuator_kind(node);
    fm_screw *screw = &all->screws[all->screw_count];
    fm_status status = FM_OK;
    if (kind == PROPELLER && c->diameter > 0)
        status = fm_build_screw(b, node, c, a, screw, &all->tables);
    else if (kind == THRUSTER && c->diameter > 0 && c->table)
        fm_build_bollard(b, c, a, screw);
    else if (kind == THRUSTER && c->diameter > 0)
        return fm_node_fail(node, "diameter", b->report, FM_ERR_MODEL, "has no effect without a table");
    else if (kind == TUNNEL && c->half_speed > 0)
        fm_build_tunnel(b, c, a, screw);
    else
        return FM_OK;
    screw->actuator = (int32_t)all->count;
    all->screw_count++;
    return status;
}

static fm_status take_delay(fm_builder *b, const fm_node *node, const fm_actuator_config *c, const fm_type *type,
                            actuator_arrays *all)
{
    double steps = floor(c->delay / type->step_s + 0.5);
    if (c->delay > 0 && (steps < 1 || steps > FM_DELAY_MOST))
        return fm_node_fail(node, "delay", b->report, FM_ERR_RANGE,
                            "is %g s: must be between one and %d steps of the vehicle (%g s each)", c->delay,
                            FM_DELAY_MOST, type->step_s);
    if (c->delay > 0 && all->count >= FM_ACTUATORS_DELAYED)
        return fm_node_fail(node, "delay", b->report, FM_ERR_RANGE, "only the first %d actuators can have one",
                            FM_ACTUATORS_DELAYED);
    all->delays[all->count] = (uint32_t)steps;
    all->delayed += (size_t)steps;
    return FM_OK;
}

/* Propellers come first, in file order, so that fins can name them (kinds/body_foils.c). */
static fm_status finish_screws(fm_builder *b, const fm_node *vehicle, actuator_arrays *all, fm_type *type)
{
    fm_appendages *appendages = fm_build_alloc(b, sizeof *appendages);
    fm_screw *sorted = fm_build_alloc(b, (all->screw_count + 1) * sizeof *sorted);
    if (!appendages || !sorted)
        return FM_ERR_MEMORY;
    size_t count = 0;
    for (int others = 0; others < 2; others++)
        for (size_t i = 0; i < all->screw_count; i++)
            if ((all->screws[i].rows < 0) == others)
                sorted[count++] = all->screws[i];
    if ((size_t)all->fins + count > FM_FINS)
        return fm_node_fail(vehicle, NULL, b->report, FM_ERR_RANGE,
                            "has %d fins and %zu propellers that meet their inflow: at most %d together", all->fins,
                            count, FM_FINS);
    for (size_t i = 0; i < count; i++) {
        sorted[i].input = all->fins + (int32_t)i + 1;
        all->actuators[sorted[i].actuator].fin = sorted[i].input;
    }
    *appendages = (fm_appendages){type->foils, sorted, all->tables.numbers, (int32_t)type->foil_count, (int32_t)count};
    type->has_dynamics |= count > 0 || all->delayed > 0;
    type->body.appendages = count || type->foil_count ? appendages : NULL;
    return FM_OK;
}

static fm_status add_actuator(fm_builder *b, const fm_node *node, actuator_arrays *all, fm_type *type)
{
    fm_actuator_config c;
    memset(&c, 0, sizeof c);
    fm_node_fill(node, &c);
    fm_status status = check_name(b, node, all, c.name);
    fm_actuator *a = &all->actuators[all->count];
    if (status == FM_OK)
        status = fill_actuator(b, node, &c, actuator_kind(node) == FIN ? ++all->fins : 0, a);
    if (status == FM_OK && c.table)
        status = take_table(b, node, &c, type, all, a);
    else if (status == FM_OK && actuator_kind(node) == THRUSTER && c.by_command)
        status = fm_node_fail(node, "orders", b->report, FM_ERR_MODEL, "command needs a table");
    if (status == FM_OK)
        status = take_inflow(b, node, &c, all, a);
    if (status == FM_OK)
        status = take_delay(b, node, &c, type, all);
    if (status != FM_OK)
        return status;
    if (a->kind == FM_ACT_MASS)
        note_moving_mass(node, &c, (int)all->count, &all->moving[all->moving_count++]);
    type->has_dynamics |= a->dynamics != FM_DYN_STATIC || a->rate_limit > 0 ||
                          (a->law == FM_LAW_TABLE && type->battery.voltage > 0); /* it sags */
    all->names[all->count] = c.name;
    all->groups[all->count] = c.group;
    all->units[all->count] = unit_of(actuator_kind(node), &c);
    all->fittings[all->count] =
        (fm_actuator_fitting){node->element->name, {c.position[0], c.position[1], c.position[2]}};
    all->faults[all->count++] = (fm_actuator_fault){c.efficiency, c.stuck, c.reversed};
    return FM_OK;
}

/* Orders that the kind accepts, independent of the file. */
static void add_orders_of_kind(const fm_type *type, actuator_arrays *all)
{
    for (size_t i = 0; i < type->kind->order_count; i++) {
        all->actuators[i] = (fm_actuator){.kind = FM_ACT_FREE, .tau = 1};
        all->names[i] = type->kind->orders[i].name;
        all->units[i] = type->kind->orders[i].unit;
        all->fittings[i].element = "order";
        all->faults[i] = (fm_actuator_fault){.efficiency = 1};
    }
    if (type->kind->limit_orders)
        type->kind->limit_orders(type, all->actuators);
    all->count = type->kind->order_count;
}

/* Those of a variant in which nothing that they depend on is new. */
static int share_actuators(const fm_builder *b, const fm_node *vehicle, fm_type *type)
{
    const fm_type *base = fm_build_base_type(b, type);
    if (!base || !b->model->environment_shared || type->kind->order_count || base->body.appendages ||
        type->foil_count || base->step_s != type->step_s)
        return 0;
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, NULL, node));)
        if (node->news && (actuator_kind(node) >= 0 || fm_node_is(node, "battery")))
            return 0;
    type->delays = base->delays;
    type->delay_block.words = base->delay_block.words;
    type->actuators = base->actuators;
    type->actuator_names = base->actuator_names;
    type->actuator_groups = base->actuator_groups;
    type->actuator_units = base->actuator_units;
    type->fittings = base->fittings;
    type->actuator_count = base->actuator_count;
    type->faults = base->faults;
    type->moving = base->moving;
    type->moving_count = base->moving_count;
    type->tables = base->tables;
    type->table_numbers = base->table_numbers;
    type->has_dynamics |= base->has_dynamics;
    return 1;
}

fm_status fm_build_actuators(fm_builder *b, const fm_node *vehicle, fm_type *type)
{
    if (share_actuators(b, vehicle, type))
        return FM_OK;
    size_t count = count_actuators(vehicle) + type->kind->order_count;
    if (!count)
        return FM_OK;
    actuator_arrays all = {.actuators = fm_build_alloc(b, count * sizeof(fm_actuator)),
                           .names = fm_build_alloc(b, count * sizeof(char *)),
                           .groups = fm_build_alloc(b, count * sizeof(char *)),
                           .units = fm_build_alloc(b, count * sizeof(char *)),
                           .fittings = fm_build_alloc(b, count * sizeof(fm_actuator_fitting)),
                           .faults = fm_build_alloc(b, count * sizeof(fm_actuator_fault)),
                           .moving = fm_build_alloc(b, count * sizeof(fm_moving_mass)),
                           .known = fm_build_alloc(b, count * sizeof(known_table)),
                           .screws = fm_build_alloc(b, count * sizeof(fm_screw)),
                           .delays = fm_build_alloc(b, count * sizeof(uint32_t))};
    if (!all.screws || !all.delays || !all.known || !all.actuators || !all.names || !all.groups || !all.units ||
        !all.fittings || !all.faults || !all.moving)
        return FM_ERR_MEMORY;
    add_orders_of_kind(type, &all);
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, NULL, node));) {
        if (actuator_kind(node) < 0)
            continue;
        fm_status status = add_actuator(b, node, &all, type);
        if (status != FM_OK)
            return status;
    }
    fm_status finished = finish_screws(b, vehicle, &all, type);
    if (finished != FM_OK)
        return finished;
    type->delays = all.delayed ? all.delays : NULL;
    type->delay_block.words = (uint32_t)all.delayed;
    type->actuators = all.actuators;
    type->actuator_names = all.names;
    type->actuator_groups = all.groups;
    type->actuator_units = all.units;
    type->fittings = all.fittings;
    type->actuator_count = all.count;
    type->faults = all.faults;
    type->moving = all.moving;
    type->moving_count = all.moving_count;
    type->tables = all.tables.numbers;
    type->table_numbers = all.tables.count;
    return FM_OK;
}

/* --- orders --- */

const fm_node *fm_build_actuator_node(const fm_node *vehicle, const char *name)
{
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, NULL, node));) {
        if (actuator_kind(node) < 0)
            continue;
        const fm_value *group = fm_node_value(node, "group");
        if (strcmp(fm_node_name(node), name) == 0 || (group && group->text && strcmp(group->text, name) == 0))
            return node;
    }
    return NULL;
}

/* The unit of orders to an actuator or group; NULL: unknown name. */
static const char *order_unit(const fm_node *vehicle, const fm_type *type, const char *name)
{
    const fm_node *node = fm_build_actuator_node(vehicle, name);
    if (node) {
        fm_actuator_config c = {0};
        fm_node_fill(node, &c);
        return unit_of(actuator_kind(node), &c);
    }
    for (size_t i = 0; i < type->kind->order_count; i++)
        if (strcmp(type->kind->orders[i].name, name) == 0)
            return type->kind->orders[i].unit;
    return NULL;
}

static fm_status unknown_actuator(fm_builder *b, const fm_extra *extra, const fm_type *type)
{
    char near[160];
    fm_nearest nearest = {.wanted = extra->name};
    for (size_t i = 0; i < type->actuator_count; i++) {
        fm_nearest_offer(&nearest, type->actuator_names[i]);
        if (type->actuator_groups[i])
            fm_nearest_offer(&nearest, type->actuator_groups[i]);
    }
    fm_nearest_write(&nearest, near, sizeof near);
    return fm_report_add(b->report, FM_ERR_NAME, extra->file, extra->line, "<at>: unknown actuator '%s'%s", extra->name,
                         near);
}

static fm_status order_value(fm_builder *b, const fm_extra *extra, const char *unit, double *value)
{
    fm_amount found;
    fm_error error = {0};
    fm_status status = fm_amount_parse(extra->written, unit, value, 1, &found, &error);
    if (status == FM_ERR_UNIT && !strcmp(unit, "rad/s")) /* a shaft: its example is in rpm */
        fm_amount_parse(extra->written, "rpm", &(double){0}, 1, &found, &error);
    if (status != FM_OK)
        return fm_report_add(b->report, status, extra->file, extra->line, "<at>: %s: %s", extra->name, error.text);
    if (found.count != 1)
        return fm_report_add(b->report, FM_ERR_SYNTAX, extra->file, extra->line,
                             "<at>: %s: %zu numbers given: must be one", extra->name, found.count);
    return FM_OK;
}

static size_t count_orders(const fm_node *orders, const fm_type *type)
{
    size_t count = 0;
    for (const fm_node *at = NULL; (at = fm_node_next(orders, "at", at));)
        for (const fm_extra *extra = at->extras; extra; extra = extra->next)
            count += type->actuator_count; /* at most: a group of all */
    return count;
}

static fm_status add_orders(fm_builder *b, const fm_node *vehicle, const fm_type *type, const fm_extra *extra,
                            uint64_t tick, fm_timed_order *orders, size_t *count)
{
    const char *unit = order_unit(vehicle, type, extra->name);
    double value;
    if (!unit)
        return unknown_actuator(b, extra, type);
    fm_status status = order_value(b, extra, unit, &value);
    if (status != FM_OK)
        return status;
    for (size_t i = 0; i < type->actuator_count; i++) {
        const char *group = type->actuator_groups[i];
        if (strcmp(type->actuator_names[i], extra->name) == 0 || (group && strcmp(group, extra->name) == 0))
            orders[(*count)++] = (fm_timed_order){tick, (int)i, value};
    }
    return FM_OK;
}

/* In order of time; those of the same time stay in file order (insertion sort: stable, and the lists are short). */
static void sort_orders(fm_timed_order *orders, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        fm_timed_order order = orders[i];
        size_t k = i;
        for (; k > 0 && orders[k - 1].tick > order.tick; k--)
            orders[k] = orders[k - 1];
        orders[k] = order;
    }
}

fm_status fm_build_orders(fm_builder *b, const fm_node *vehicle, const fm_type *type, fm_placement *placement)
{
    const fm_node *list = fm_node_child(vehicle, "orders");
    size_t most = list ? count_orders(list, type) : 0, count = 0;
    if (list && !most && list->first && list->first->extras)
        return fm_node_fail(list, NULL, b->report, FM_ERR_MODEL, "the vehicle has no actuators to order");
    if (!most)
        return FM_OK;
    fm_timed_order *orders = fm_build_alloc(b, most * sizeof *orders);
    if (!orders)
        return FM_ERR_MEMORY;
    fm_status first = FM_OK;
    for (const fm_node *at = NULL; (at = fm_node_next(list, "at", at));) {
        fm_at_config c;
        fm_node_fill(at, &c);
        uint64_t tick = fm_model_ticks(b->model, c.t);
        for (const fm_extra *extra = at->extras; extra; extra = extra->next) {
            fm_status status = add_orders(b, vehicle, type, extra, tick, orders, &count);
            first = first == FM_OK ? status : first;
        }
    }
    sort_orders(orders, count);
    placement->orders = orders;
    placement->order_count = count;
    return first;
}
