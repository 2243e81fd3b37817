/* Shapes of a vehicle's hull and its rule of contact. */
#include <string.h>

#include "environment/environment.h"
#include "scenario/build.h"

enum { SHAPES_MOST = 8 };

static double least(double a, double b)
{
    return a < b ? a : b;
}

static fm_shape make_shape(const fm_hull_config *c)
{
    double a = c->size[0] / 2, b = c->size[1] / 2, h = c->size[2] / 2, radius = least(b, h);
    switch (c->kind) {
    case FM_HULL_BOX: return fm_shape_box(a, b, h);
    case FM_HULL_SPHERE: return fm_shape_sphere(least(a, radius));
    case FM_HULL_CAPSULE: return fm_shape_capsule(least(a, radius), a > radius ? a - radius : 1e-9, 0);
    case FM_HULL_CYLINDER: return fm_shape_cylinder(radius, a, 0);
    default: return fm_shape_ellipsoid(a, b, h);
    }
}

static fm_status read_hull(fm_builder *b, const fm_node *node, fm_shape *out)
{
    fm_hull_config c;
    fm_error error = {0};
    double q[4];
    fm_node_fill(node, &c);
    *out = make_shape(&c);
    fm_quat_from_euler(c.attitude, q);
    fm_shape_place(out, c.centre, q);
    if (fm_shape_check(out, &error) != FM_OK)
        return fm_node_fail(node, NULL, b->report, error.status, "%s", error.text);
    return FM_OK;
}

static void read_contact(const fm_node *vehicle, fm_type *type)
{
    const fm_node *node = fm_node_child(vehicle, "contact");
    fm_contact_config c = {.restitution = 0.2, .friction = 0.3};
    if (node)
        fm_node_fill(node, &c);
    if (!node || !fm_node_written(node, "response"))
        c.response = type->kind->contact;
    type->contact = (fm_contact_rule){.response = (enum fm_contact_response)c.response,
                                      .clearance = (int)c.clearance,
                                      .ends = (int)c.ends,
                                      .restitution = c.restitution,
                                      .friction = c.friction,
                                      .kept_speed = c.kept_speed,
                                      .parting = c.parting};
}

static uint32_t list_words(size_t things, size_t most)
{
    return (uint32_t)(things < most ? things : most);
}

/* Space in the record for contacts. */
static void size_lists(const fm_builder *b, fm_type *type)
{
    const fm_environment *e = b->model->environment;
    if (type->contact.response == FM_CONTACT_NONE)
        return;
    type->touch_block.words = list_words(e->obstacle_count + (e->bottom != NULL), FM_TOUCHES_MOST);
    type->partner_block.words = list_words(b->slots > 0 ? b->slots - 1 : 0, FM_PARTNERS_MOST);
}

fm_status fm_build_hull(fm_builder *b, const fm_node *vehicle, const fm_vehicle_config *config, fm_type *type)
{
    size_t count = 0, at = 0;
    read_contact(vehicle, type);
    size_lists(b, type);
    if (type->contact.response == FM_CONTACT_IMPULSE && !type->kind->rigid)
        return fm_node_fail(vehicle, NULL, b->report, FM_ERR_MODEL,
                            "contact response 'impulse' works only on rigid bodies, not on a vehicle of kind %s",
                            type->kind->name);
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, "hull", node));)
        count++;
    if (type->kind->shapes)
        return count ? fm_node_fail(vehicle, NULL, b->report, FM_ERR_MODEL,
                                    "a vehicle of kind %s has shapes of its own: must have no <hull>", type->kind->name)
                     : FM_OK;
    if (count > SHAPES_MOST)
        return fm_node_fail(vehicle, NULL, b->report, FM_ERR_RANGE, "%zu <hull> shapes given: must be at most %d",
                            count, SHAPES_MOST);
    fm_shape *shapes = fm_build_alloc(b, (count + 1) * sizeof *shapes);
    if (!shapes)
        return FM_ERR_MEMORY;
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, "hull", node)); at++) {
        fm_status status = read_hull(b, node, &shapes[at]);
        if (status != FM_OK)
            return status;
    }
    if (!count && config->length > 0 && config->width > 0 && config->height > 0) {
        shapes[0] = fm_shape_ellipsoid(config->length / 2, config->width / 2, config->height / 2);
        count = 1;
    }
    type->shapes = shapes;
    type->shape_count = count;
    return FM_OK;
}
