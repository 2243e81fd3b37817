/* Queries of controllers about their vehicle at load time: actuators, earlier parts, its diving model. */
#include <stdlib.h>
#include <string.h>

#include "acoustics/parts.h"
#include "acoustics/transducer.h"
#include "control/facts.h"
#include "environment/environment.h"
#include "scenario/build.h"
#include "sensors/parts.h"
#include "world/surface.h"

/* --- actuators --- */

size_t fm_load_actuator_count(fm_part_load *load)
{
    return load ? load->type->actuator_count : 0;
}

fm_actuator_info fm_load_actuator_info(fm_part_load *load, size_t i)
{
    if (i >= fm_load_actuator_count(load))
        return (fm_actuator_info){0};
    const fm_type *type = load->type;
    const fm_actuator *a = &type->actuators[i];
    fm_actuator_info info = {.name = type->actuator_names[i],
                             .group = type->actuator_groups[i],
                             .thruster = a->kind == FM_ACT_THRUST && !fm_actuator_is_commanded(a),
                             .fin = a->kind == FM_ACT_FIN,
                             .low = a->low,
                             .high = a->high,
                             .square = fm_actuator_is_square(a),
                             .gain = a->gain,
                             .gain_reverse = a->gain_reverse};
    if (info.thruster)
        memcpy(info.column, a->column, sizeof info.column);
    if (info.fin && type->kind->fin_column)
        type->kind->fin_column(type, a->fin, info.column);
    return info;
}

double fm_load_actuator_efficiency(fm_part_load *load, size_t i)
{
    return i < fm_load_actuator_count(load) ? load->type->faults[i].efficiency : 0;
}

/* --- earlier parts --- */

size_t fm_load_part_count(fm_part_load *load)
{
    return load ? load->type->part_count : 0;
}

fm_part_info fm_load_part_info(fm_part_load *load, size_t i)
{
    if (i >= fm_load_part_count(load))
        return (fm_part_info){0};
    const fm_part *part = &load->type->parts[i];
    return (fm_part_info){part->name, part->part_class, part->config};
}

int fm_load_transducer(fm_part_load *load, const char *name, fm_error *error)
{
    for (size_t i = 0; !name && i < fm_load_part_count(load); i++)
        if (load->type->parts[i].role == FM_ROLE_TRANSDUCER)
            return (int)i;
    int found = name ? fm_load_sensor(load, name, error) : -1;
    if (found >= 0 && load->type->parts[found].role == FM_ROLE_TRANSDUCER)
        return found;
    if (found >= 0)
        fm_load_fail(load, error, FM_ERR_NAME, "'%s' is no transducer", name);
    if (!name)
        fm_load_fail(load, error, FM_ERR_NAME, "the vehicle has no transducer before it");
    return -1;
}

int fm_load_any_part(fm_part_load *load, const char *class_name)
{
    static const char *const groups[] = {"sensor", "controller", "force"}; /* in the order of fm_build_parts */
    int index = 0;
    for (size_t g = 0; g < FM_COUNT(groups); g++)
        for (const fm_node *node = NULL; (node = fm_node_next_part(load->vehicle, groups[g], node)); index++)
            if (strcmp(node->element->name, class_name) == 0)
                return index;
    return -1;
}

/* --- its kind --- */

fm_status fm_load_diving_model(fm_part_load *load, double speed, const int *fins, size_t fin_count,
                               fm_diving_model *out, fm_error *error)
{
    const fm_kind *kind = load->type->kind;
    if (!kind->diving_model)
        return fm_load_fail(load, error, FM_ERR_MODEL, "a vehicle of kind %s does not dive by fins", kind->name);
    *out = kind->diving_model(load->type, speed, fins, fin_count);
    return FM_OK;
}

double fm_load_own_speed(fm_part_load *load)
{
    return load->type->kind->own_speed ? load->type->kind->own_speed(load->type) : 0;
}

const char *fm_load_kind(fm_part_load *load)
{
    return load ? load->type->kind->name : "";
}

const void *fm_load_kind_config(fm_part_load *load)
{
    return load ? load->type->kind_config : NULL;
}

void fm_load_antenna(fm_part_load *load, double point[3])
{
    fm_type_antenna(load->type, point);
}

void fm_load_keel(fm_part_load *load, double point[3])
{
    double top, bottom;
    fm_type_extent(load->type, &top, &bottom);
    point[0] = point[1] = 0;
    point[2] = fm_type_floats(load->type) ? bottom + FM_KEEL_DEPTH : 0;
}

/* --- the scenario around --- */

/* NAME, or NAME-1 … NAME-count. */
static int names_vehicle(const fm_node *vehicle, const char *name)
{
    const char *own = fm_node_name(vehicle);
    size_t length = own ? strlen(own) : 0;
    if (!own || strncmp(own, name, length) != 0)
        return 0;
    int64_t count = fm_node_value(vehicle, "count")->integer;
    if (count <= 1)
        return name[length] == '\0';
    char *end;
    long number = name[length] == '-' ? strtol(name + length + 1, &end, 10) : 0;
    return number >= 1 && number <= count && *end == '\0';
}

int fm_load_find_target(fm_part_load *load, const char *name, int *obstacle)
{
    int nowhere;
    obstacle = obstacle ? obstacle : &nowhere;
    *obstacle = -1;
    if (!load || !name)
        return 0;
    const fm_environment *e = load->builder->model->environment;
    for (const fm_node *node = NULL; (node = fm_node_next(load->builder->tree->root, "vehicle", node));)
        if (names_vehicle(node, name))
            return 1;
    for (size_t i = 0; i < e->obstacle_count; i++)
        if (strcmp(e->obstacles[i].name, name) == 0)
            return *obstacle = (int)i, 1;
    return load->builder->gaps; /* it may be what was left out */
}
