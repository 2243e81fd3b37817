/* Vehicles as built: suspicious numbers, starts in the air or inside an obstacle, and orders and faults after the end
 * of the run. */
#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "scenario/build_advice.h"
#include "world/model.h"

/* The nodes of types, in the order in which they were built: <vehicle>s, then <type>s. */
static const fm_node *next_type(const fm_builder *b, const fm_node *node)
{
    const fm_node *root = b->tree->root;
    if (node && !strcmp(node->element->name, "type"))
        return fm_node_next(root, "type", node);
    const fm_node *vehicle = fm_node_next(root, "vehicle", node);
    return vehicle ? vehicle : fm_node_next(root, "type", NULL);
}

/* --- numbers --- */

typedef struct listener {
    fm_builder *builder;
    const fm_node *vehicle;
} listener;

static void take_remark(void *user, const fm_remark *remark)
{
    const listener *to = user;
    for (size_t i = 0; i < FM_REMARK_NODES && remark->nodes[i].element; i++) {
        const fm_node *child = fm_node_child(to->vehicle, remark->nodes[i].element);
        const char *attr = remark->nodes[i].attr;
        if (!child || (attr && !fm_node_written(child, attr)))
            continue;
        fm_advice_warn(to->builder, child, attr, "%s", remark->text);
        return;
    }
    fm_advice_warn(to->builder, to->vehicle, NULL, "%s %s", remark->subject, remark->text);
}

void fm_advice_numbers(fm_builder *b)
{
    size_t at = 0;
    for (const fm_node *node = NULL; at < b->model->type_count && (node = next_type(b, node)); at++) {
        const fm_type *type = &b->model->types[at];
        if (type->kind->inspect)
            type->kind->inspect(type, take_remark, &(listener){b, node});
    }
}

/* --- starts --- */

/* Distance that its hull extends from its origin, m. */
static double extent_of(const fm_type *type)
{
    double most = fmax(type->length, fmax(type->width, type->height)) / 2;
    for (size_t i = 0; i < type->shape_count; i++) {
        const double *p = type->shapes[i].position;
        most = fmax(most, sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) + fm_shape_bounding_radius(&type->shapes[i]));
    }
    return most;
}

static bool starts_in_the_air(const fm_builder *b, const fm_placement *p)
{
    const fm_model *model = b->model;
    double surface = fm_environment_surface(model->environment, 0, p->position[0], p->position[1]);
    return !model->settings.no_surface && p->position[2] + extent_of(&model->types[p->type]) < surface;
}

/* The obstacle that contains the origin of a vehicle without contact; those with a hull are refused earlier. NULL:
 * none. */
static const fm_obstacle *find_holder(const fm_builder *b, const fm_placement *p)
{
    const fm_environment *sea = b->model->environment;
    const fm_type *type = &b->model->types[p->type];
    const bool touches = type->shape_count && type->contact.response != FM_CONTACT_NONE;
    for (size_t i = 0; i < sea->obstacle_count && !touches; i++)
        if (fm_shape_contains(&sea->obstacles[i].shape, p->position))
            return &sea->obstacles[i];
    return NULL;
}

/* Whether it has warned. */
static bool advise_start(fm_builder *b, const fm_node *node, const fm_placement *p)
{
    const double floor = fm_environment_depth(b->model->environment, p->position[0], p->position[1]);
    const fm_obstacle *holder = find_holder(b, p);
    if (starts_in_the_air(b, p))
        fm_advice_warn(b, node, "position",
                       "'%s' begins %.4g m above the sea, wholly in the air: the third number is depth, positive down",
                       p->name, -p->position[2]);
    else if (holder)
        fm_advice_warn(b, node, "position", "'%s' begins inside '%s': place it where the water is free", p->name,
                       holder->name);
    else if (p->position[2] > floor)
        fm_advice_warn(b, node, "position",
                       "'%s' begins at a depth of %.4g m, below the bottom: the water is %.4g m deep there", p->name,
                       p->position[2], floor);
    else
        return false;
    return true;
}

void fm_advice_starts(fm_builder *b)
{
    size_t at = 0;
    for (const fm_node *node = NULL; !b->alone && (node = fm_node_next(b->tree->root, "vehicle", node));) {
        size_t count = (size_t)fm_node_value(node, "count")->integer;
        bool foreign = b->model->types[b->model->vehicles[at].type].kind->sight != NULL; /* aircraft too */
        for (size_t i = 0; i < count && !foreign; i++)
            if (advise_start(b, node, &b->model->vehicles[at + i]))
                break;
        at += count;
    }
}

/* --- moments --- */

static void advise_moments(fm_builder *b, const fm_node *node, double duration)
{
    const fm_value *t = strcmp(node->element->name, "at") == 0 ? fm_node_value(node, "t") : NULL;
    if (t && t->count == 1 && t->numbers[0] >= duration)
        fm_advice_warn(b, node, "t", "comes at %.6g s, after the end of the run: must be before its duration of %.6g s",
                       t->numbers[0], duration);
    for (const fm_node *child = NULL; (child = fm_node_next(node, NULL, child));)
        advise_moments(b, child, duration);
}

void fm_advice_schedule(fm_builder *b)
{
    if (!b->alone)
        advise_moments(b, b->tree->root, b->model->settings.duration);
}
