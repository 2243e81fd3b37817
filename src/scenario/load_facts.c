/* What controllers ask about their vehicle at load time: actuators, earlier parts, how it dives. */
#include <stdlib.h>
#include <string.h>

#include "control/facts.h"
#include "environment/environment.h"
#include "scenario/build.h"

int fm_load_child_has(fm_part_load *load, const char *element, size_t i, const char *attribute)
{
    const fm_node *node = NULL;
    for (size_t k = 0; k <= i; k++)
        if (!(node = fm_node_next(load->node, element, node)))
            return 0;
    return fm_node_written(node, attribute);
}

/* --- actuators --- */

size_t fm_load_actuator_count(fm_part_load *load)
{
    return load->type->actuator_count;
}

/* Force and moment of 1 rad of a fin at 1 m/s ahead: the terms u|u| of its deflection. */
static void fin_column(const fm_type *type, int fin, double column[6])
{
    const fm_hydro *hydro = &type->body.hydro;
    for (int t = 0; t < hydro->term_count; t++)
        if (hydro->terms[t].fin == fin && hydro->terms[t].i == FM_BASIS_U && hydro->terms[t].j == FM_BASIS_AU)
            memcpy(column, hydro->terms[t].c, 6 * sizeof *column);
    if (type->kind == &fm_kind_diving) {
        const fm_diving_params *p = &((const fm_diving_type *)type->kind_config)->params;
        column[2] = p->z_delta / (p->table_speed * p->table_speed);
        column[4] = p->m_delta / (p->table_speed * p->table_speed);
    }
}

fm_actuator_info fm_load_actuator_info(fm_part_load *load, size_t i)
{
    const fm_type *type = load->type;
    const fm_actuator *a = &type->actuators[i];
    fm_actuator_info info = {.name = type->actuator_names[i],
                             .group = type->actuator_groups[i],
                             .thruster = a->kind == FM_ACT_THRUST,
                             .fin = a->kind == FM_ACT_FIN,
                             .low = a->low,
                             .high = a->high,
                             .square = a->law == FM_LAW_SQUARE,
                             .gain = a->gain,
                             .gain_reverse = a->gain_reverse};
    if (info.thruster)
        memcpy(info.column, a->column, sizeof info.column);
    if (info.fin)
        fin_column(type, a->fin, info.column);
    return info;
}

/* --- earlier parts --- */

size_t fm_load_part_count(fm_part_load *load)
{
    return load->type->part_count;
}

fm_part_info fm_load_part_info(fm_part_load *load, size_t i)
{
    const fm_part *part = &load->type->parts[i];
    return (fm_part_info){part->name, part->part_class, part->config};
}

/* --- the linear diving model --- */

/* Heave and pitch acceleration of a level body at speed u with heave w, pitch rate q, pitch theta and fins at delta. */
static void diving_rate(const fm_type *type, double u, const double x[4], const int *fins, size_t fin_count,
                        double rate[2])
{
    fm_body_state state = {.attitude = {1}, .velocity = {u, 0, x[0], 0, x[1], 0}}, change;
    fm_body_input input = {.fin = {1}, .density_ratio = 1};
    fm_stream still = {0};
    const double euler[3] = {0, x[2], 0};
    memset(&still, 0, sizeof still);
    if (type->body.euler)
        memcpy(state.attitude, euler, sizeof euler);
    else
        fm_quat_from_euler(euler, state.attitude);
    for (size_t i = 0; i < fin_count; i++) {
        int fin = type->actuators[fins[i]].fin;
        input.fin[fin] = x[3];
        input.fin[FM_FINS + fin] = x[3] * x[3];
    }
    state.position[2] = 100; /* far below the surface */
    fm_body_rate(&type->body, &type->mass, &input, &still, &state, &change);
    rate[0] = change.velocity[2];
    rate[1] = change.velocity[4];
}

fm_diving_model fm_load_diving_model(fm_part_load *load, double speed, const int *fins, size_t fin_count)
{
    const fm_type *type = load->type;
    if (type->kind == &fm_kind_diving)
        return fm_diving_derive(&((const fm_diving_type *)type->kind_config)->params);
    const double h = 1e-3; /* m/s, rad/s, rad: small against what the vehicle does, large against rounding */
    fm_diving_model m = {.speed = speed, .large_angle_statics = 1};
    double zero[4] = {0}, low[2], high[2];
    diving_rate(type, speed, zero, fins, fin_count, m.d);
    for (int k = 0; k < 4; k++) {
        double x[4] = {0};
        x[k] = -h;
        diving_rate(type, speed, x, fins, fin_count, low);
        x[k] = h;
        diving_rate(type, speed, x, fins, fin_count, high);
        for (int row = 0; row < 2; row++)
            *(k < 3 ? &m.a[row][k] : &m.b[row]) = (high[row] - low[row]) / (2 * h);
    }
    return m;
}

int fm_load_is_diving(fm_part_load *load)
{
    return load->type->kind == &fm_kind_diving;
}

/* --- the scenario around --- */

const char *fm_load_kind(fm_part_load *load)
{
    return load->type->kind->name;
}

const void *fm_load_kind_config(fm_part_load *load)
{
    return load->type->kind_config;
}

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
    const fm_environment *e = load->builder->model->environment;
    *obstacle = -1;
    for (const fm_node *node = NULL; (node = fm_node_next(load->builder->tree->root, "vehicle", node));)
        if (names_vehicle(node, name))
            return 1;
    for (size_t i = 0; i < e->obstacle_count; i++)
        if (strcmp(e->obstacles[i].name, name) == 0)
            return *obstacle = (int)i, 1;
    return 0;
}
