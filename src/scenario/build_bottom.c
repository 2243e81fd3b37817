/* The sea floor of a scenario. */
#include <math.h>
#include <string.h>

#include "scenario/build_environment.h"

#define REAL .type = FM_ATTR_REAL
#define VEC3 .type = FM_ATTR_VECTOR, .count = 3

typedef struct mound_config {
    double height, centre[3], sigma[3];
} mound_config;
static const fm_attr mound_attrs[] = {
    {.name = "height", REAL, .offset = offsetof(mound_config, height), .unit = "m", .min = -12000, .max = 12000, .flags = FM_ATTR_REQUIRED,
     .text = "added to the water depth, as WaVeSim has it: above 0 it is a hole, below 0 a mound"},
    {.name = "centre", VEC3, .offset = offsetof(mound_config, centre), .unit = "m", .flags = FM_ATTR_REQUIRED, .text = "north, east (the third number is ignored)"},
    {.name = "sigma", VEC3, .offset = offsetof(mound_config, sigma), .unit = "m", .min = 1e-3, .max = 1e6, .flags = FM_ATTR_REQUIRED,
     .text = "standard deviations of the Gaussian north and east (the third number is ignored)"}};
static const fm_element mound_element = {.name = "mound", .text = "A Gaussian mound or hole.", .attrs = mound_attrs, .attr_count = FM_COUNT(mound_attrs), .config_size = sizeof(mound_config)};

typedef struct nodes_config {
    double x0, spacing;
    fm_list depths;
} nodes_config;
static const fm_attr nodes_attrs[] = {
    {.name = "x0", REAL, .offset = offsetof(nodes_config, x0), .unit = "m", .fallback = "0 m", .text = "of the first node, along north"},
    {.name = "spacing", REAL, .offset = offsetof(nodes_config, spacing), .unit = "m", .min = 1e-3, .max = 1e5, .fallback = "0.5 m", .text = "of the nodes"},
    {.name = "depths", .type = FM_ATTR_LIST, .count = 100000, .offset = offsetof(nodes_config, depths), .unit = "m", .min = 0, .max = 12000, .flags = FM_ATTR_REQUIRED, .text = "water depth at each node"}};
static const fm_element nodes_element = {.name = "nodes", .text = "Bottom profile along north by nodes, straight between them, the same at all easts.", .attrs = nodes_attrs,
                                         .attr_count = FM_COUNT(nodes_attrs), .config_size = sizeof(nodes_config), .flags = FM_ELEMENT_ONCE};

typedef struct rise_config {
    double x, height, spacing, start, length;
} rise_config;
#define RISE(field) .offset = offsetof(rise_config, field)
static const fm_attr rise_attrs[] = {
    {.name = "x", REAL, RISE(x), .unit = "m", .flags = FM_ATTR_REQUIRED, .text = "where the bottom has risen: the step is the node interval that ends here"},
    {.name = "height", REAL, RISE(height), .unit = "m", .min = -12000, .max = 12000, .flags = FM_ATTR_REQUIRED, .text = "of the step; the water is shallower by it beyond"},
    {.name = "spacing", REAL, RISE(spacing), .unit = "m", .min = 1e-2, .max = 100, .fallback = "0.5 m", .text = "of the nodes"},
    {.name = "start", REAL, RISE(start), .unit = "m", .fallback = "-50 m", .text = "north of the first node"},
    {.name = "length", REAL, RISE(length), .unit = "m", .min = 1, .max = 1e5, .fallback = "1000 m", .text = "over which there are nodes"}};
static const fm_element rise_element = {.name = "rise", .text = "A bottom profile that rises in one step, by nodes.", .attrs = rise_attrs, .attr_count = FM_COUNT(rise_attrs),
                                        .config_size = sizeof(rise_config), .flags = FM_ELEMENT_ONCE};

typedef struct bottom_config {
    double depth, slope_x, slope_y;
} bottom_config;
static const fm_attr bottom_attrs[] = {
    {.name = "depth", REAL, .offset = offsetof(bottom_config, depth), .unit = "m", .min = 0, .max = 12000, .flags = FM_ATTR_REQUIRED, .text = "water depth D0 at the origin"},
    {.name = "slope-north", REAL, .offset = offsetof(bottom_config, slope_x), .unit = "", .min = -10, .max = 10, .fallback = "0", .text = "D1: depth gained per metre north"},
    {.name = "slope-east", REAL, .offset = offsetof(bottom_config, slope_y), .unit = "", .min = -10, .max = 10, .fallback = "0", .text = "D2: depth gained per metre east"}};
static const fm_element *const bottom_children[] = {&mound_element, &nodes_element, &rise_element, NULL};
const fm_element fm_bottom_element = {.name = "bottom", .text = "The sea floor.", .attrs = bottom_attrs, .attr_count = FM_COUNT(bottom_attrs), .children = bottom_children,
                                      .config_size = sizeof(bottom_config), .flags = FM_ELEMENT_ONCE};

static fm_status add_mounds(fm_builder *b, const fm_node *parent, fm_bottom *bottom)
{
    size_t count = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(parent, "mound", node));)
        count++;
    fm_mound *mounds = fm_build_alloc(b, (count + 1) * sizeof *mounds);
    if (!mounds)
        return FM_ERR_MEMORY;
    bottom->mounds = mounds;
    bottom->mound_count = count;
    for (const fm_node *node = NULL; (node = fm_node_next(parent, "mound", node)); mounds++) {
        mound_config c;
        fm_node_fill(node, &c);
        *mounds = (fm_mound){c.height, {c.centre[0], c.centre[1]}, 1 / (c.sigma[0] * sqrt(2)), 1 / (c.sigma[1] * sqrt(2))};
    }
    return FM_OK;
}

static fm_status add_rise(fm_builder *b, const fm_node *node, fm_bottom *bottom)
{
    rise_config c;
    fm_node_fill(node, &c);
    double after = bottom->depth - c.height;
    if (!(after >= 0))
        return fm_node_fail(node, "height", b->report, FM_ERR_RANGE, "found %g m, accepted at most the water depth of %g m", c.height, bottom->depth);
    double wanted = ceil(c.length / c.spacing) + 1;
    if (wanted > 1e7)
        return fm_node_fail(node, "spacing", b->report, FM_ERR_RANGE, "found %g nodes, accepted at most 1e7", wanted);
    size_t count = (size_t)wanted;
    double *depths = fm_build_alloc(b, count * sizeof *depths);
    if (!depths)
        return FM_ERR_MEMORY;
    fm_bottom_rise(depths, count, c.start, c.spacing, c.x, bottom->depth, after);
    bottom->kind = FM_BOTTOM_NODES;
    bottom->x0 = c.start;
    bottom->dx = c.spacing;
    bottom->nx = count;
    bottom->depths = depths;
    return FM_OK;
}

fm_status fm_build_bottom(fm_builder *b, const fm_node *world, fm_environment *e)
{
    const fm_node *node = fm_node_child(world, "bottom"), *child;
    if (!node)
        return FM_OK;
    bottom_config c;
    fm_node_fill(node, &c);
    fm_bottom *bottom = fm_build_alloc(b, sizeof *bottom);
    if (!bottom)
        return FM_ERR_MEMORY;
    *bottom = (fm_bottom){.kind = FM_BOTTOM_PLANE, .depth = c.depth, .slope_x = c.slope_x, .slope_y = c.slope_y};
    fm_status status = add_mounds(b, node, bottom);
    if (status == FM_OK && (child = fm_node_child(node, "nodes"))) {
        nodes_config nodes;
        fm_node_fill(child, &nodes);
        bottom->kind = FM_BOTTOM_NODES;
        bottom->x0 = nodes.x0;
        bottom->dx = nodes.spacing;
        bottom->nx = nodes.depths.count;
        bottom->depths = nodes.depths.values;
    }
    if (status == FM_OK && (child = fm_node_child(node, "rise")))
        status = add_rise(b, child, bottom);
    fm_error error = {0};
    if (status == FM_OK && fm_bottom_check(bottom, &error) != FM_OK)
        return fm_node_fail(node, NULL, b->report, error.status, "%s", error.text);
    e->bottom = bottom;
    return status;
}
