/* Are the places where vehicles begin free? */
#include <stdio.h>
#include <string.h>

#include "environment/solids.h"
#include "physics/posture.h"
#include "scenario/build.h"
#include "world/world.h"

enum { SHAPES_MOST = 8 };
static const double tolerance = 1e-3; /* m of overlap that is taken for touching */

/* Shapes of the hull in body axes; a hull that bends is as its kind begins. */
static fm_status first_shapes(fm_builder *b, const fm_type *type, const fm_placement *p, fm_shape *out)
{
    if (!type->kind->shapes) {
        memcpy(out, type->shapes, type->shape_count * sizeof *out);
        return FM_OK;
    }
    fm_vehicle *record = fm_alloc((size_t)type->record_words * 8);
    if (!record)
        return fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the model");
    memcpy(record->body.position, p->position, sizeof p->position);
    fm_quat_from_euler(p->euler, record->body.attitude);
    if (type->kind->start)
        type->kind->start(b->model, type, record);
    type->kind->shapes(type, record, out);
    fm_free(record);
    return FM_OK;
}

/* The thing that a hull is deepest in. */
typedef struct overlap {
    const fm_shape *shape;
    double depth; /* m */
    uint32_t body;
} overlap;

static void meet(overlap *o, const fm_sweep_side *side, uint32_t body)
{
    fm_separation s;
    fm_sweep_separation(o->shape, side, &s);
    if (-s.distance > o->depth) {
        o->depth = -s.distance;
        o->body = body;
    }
}

static void meet_solid(void *user, const fm_solid *solid)
{
    meet(user, &solid->side, solid->body);
}

static void meet_everything(const fm_environment *e, overlap *o)
{
    fm_aabb box;
    fm_shape_aabb(o->shape, &box);
    fm_solids_visit(e, &box, meet_solid, o);
    for (size_t i = 0; i < e->moving_count; i++) {
        fm_shape there = fm_obstacle_at(&e->obstacles[e->moving[i]], 0);
        meet(o, &(fm_sweep_side){.shape = &there}, FM_BODY_OBSTACLE + e->moving[i]);
    }
    double buried = fm_solids_burial(e, o->shape->position);
    if (buried > o->depth) {
        o->depth = buried;
        o->body = FM_BODY_BOTTOM;
    }
}

static fm_status check_start(fm_builder *b, const fm_node *node, const fm_placement *p)
{
    const fm_environment *e = b->model->environment;
    const fm_type *type = &b->model->types[p->type];
    fm_shape shapes[SHAPES_MOST];
    overlap worst = {.depth = tolerance};
    double q[4];
    if (!type->shape_count || type->contact.response == FM_CONTACT_NONE)
        return FM_OK;
    fm_status status = first_shapes(b, type, p, shapes);
    fm_quat_from_euler(p->euler, q);
    for (size_t i = 0; status == FM_OK && i < type->shape_count; i++) {
        fm_shape placed = fm_shape_carried(&shapes[i], p->position, q);
        worst.shape = &placed;
        meet_everything(e, &worst);
    }
    if (status != FM_OK || worst.depth <= tolerance)
        return status;
    if (worst.body == FM_BODY_BOTTOM)
        return fm_node_fail(node, "position", b->report, FM_ERR_MODEL,
                            "the hull of '%s' begins %.3g m inside the bottom; accepted are places where it is free",
                            p->name, worst.depth);
    return fm_node_fail(node, "position", b->report, FM_ERR_MODEL,
                        "the hull of '%s' begins %.3g m inside '%s'; accepted are places where it is free", p->name,
                        worst.depth, e->obstacles[worst.body - FM_BODY_OBSTACLE].name);
}

fm_status fm_build_check_starts(fm_builder *b)
{
    fm_status first = FM_OK;
    size_t at = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(b->tree->root, "vehicle", node));)
        for (int64_t i = 0, count = fm_node_value(node, "count")->integer; i < count; i++, at++) {
            fm_status status = check_start(b, node, &b->model->vehicles[at]);
            first = first == FM_OK ? status : first;
        }
    return first;
}
