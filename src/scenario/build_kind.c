/* Finds the kind of a vehicle from its elements. */
#include "kinds/kinds.h"
#include "scenario/build.h"

/* *at is the kind's element, or the vehicle itself if the kind has none. */
static fm_status find_kind(fm_builder *b, const fm_node *vehicle, const fm_kind **kind, const fm_node **at)
{
    const fm_node *first = fm_node_next_part(vehicle, "kind", NULL);
    *kind = first ? first->part->class_table : fm_kinds[0];
    *at = (*kind)->element ? first : vehicle;
    for (const fm_node *node = first; node; node = fm_node_next_part(vehicle, "kind", node)) {
        const fm_kind *its = node->part->class_table;
        if (its != *kind)
            return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL,
                                "is for vehicles of kind %s, but this one is of kind %s by its <%s>", its->name,
                                (*kind)->name, first->element->name);
    }
    return FM_OK;
}

fm_status fm_build_kind(fm_builder *b, const fm_node *vehicle, const fm_vehicle_config *vehicle_config, fm_type *type)
{
    const fm_node *at;
    fm_status status = find_kind(b, vehicle, &type->kind, &at);
    if (status != FM_OK)
        return status;
    if (type->body.euler && !type->kind->rigid)
        return fm_node_fail(vehicle, "posture", b->report, FM_ERR_MODEL,
                            "euler is invalid for a vehicle of kind %s: must be quaternion", type->kind->name);
    status = fm_build_hull(b, vehicle, vehicle_config, type);
    if (status != FM_OK)
        return status;
    fm_error error = {0};
    void *config = type->kind->element ? fm_node_config(b->tree, at, &error) : NULL;
    fm_part_load load = {.builder = b, .vehicle = vehicle, .node = at, .type = type};
    type->kind_block.words = (uint32_t)(type->kind->state_size / 8);
    if (type->kind->element && !config)
        status = error.status;
    else
        status = type->kind->build(&load, config, type, &error);
    return fm_build_report(b, at, status, &error);
}
