/* What controllers ask about their vehicle at load time: actuators, earlier parts, the diving model. */
#include <string.h>

#include "control/facts.h"
#include "scenario/build.h"

int fm_load_child_has(fm_part_load *load, const char *element, size_t i, const char *attribute)
{
    const fm_node *node = NULL;
    for (size_t k = 0; k <= i; k++)
        if (!(node = fm_node_next(load->node, element, node)))
            return 0;
    return fm_node_written(node, attribute);
}

const fm_diving_params *fm_load_diving(fm_part_load *load)
{
    return load->type->kind == &fm_kind_diving ? load->type->kind_config : NULL;
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
        const fm_diving_params *p = type->kind_config;
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
    return (fm_part_info){part->name, part->class, part->config};
}
