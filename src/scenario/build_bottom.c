/* The sea floor of a scenario. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "physics/posture.h"
#include "scenario/build_environment.h"

#define REAL .type = FM_ATTR_REAL
#define VEC3 .type = FM_ATTR_VECTOR, .count = 3

typedef struct mound_config {
    double height, centre[3], sigma[3];
} mound_config;
static const fm_attr mound_attrs[] = {
    {.name = "height",
     REAL,
     .offset = offsetof(mound_config, height),
     .unit = "m",
     .min = -12000,
     .max = 12000,
     .flags = FM_ATTR_REQUIRED,
     .text = "added to the water depth, as WaVeSim has it: above 0 it is a hole, below 0 a mound"},
    {.name = "centre",
     VEC3,
     .offset = offsetof(mound_config, centre),
     .unit = "m",
     .flags = FM_ATTR_REQUIRED,
     .text = "north, east (the third number is ignored)"},
    {.name = "sigma",
     VEC3,
     .offset = offsetof(mound_config, sigma),
     .unit = "m",
     .min = 1e-3,
     .max = 1e6,
     .flags = FM_ATTR_REQUIRED,
     .text = "standard deviations of the Gaussian north and east (the third number is ignored)"}};
static const fm_element mound_element = {.name = "mound",
                                         .text = "A Gaussian mound or hole.",
                                         .attrs = mound_attrs,
                                         .attr_count = FM_COUNT(mound_attrs),
                                         .config_size = sizeof(mound_config)};

typedef struct nodes_config {
    double x0, spacing;
    fm_list depths;
} nodes_config;
static const fm_attr nodes_attrs[] = {{.name = "x0",
                                       REAL,
                                       .offset = offsetof(nodes_config, x0),
                                       .unit = "m",
                                       .fallback = "0 m",
                                       .text = "of the first node, along north"},
                                      {.name = "spacing",
                                       REAL,
                                       .offset = offsetof(nodes_config, spacing),
                                       .unit = "m",
                                       .min = 1e-3,
                                       .max = 1e5,
                                       .fallback = "0.5 m",
                                       .text = "of the nodes"},
                                      {.name = "depths",
                                       .type = FM_ATTR_LIST,
                                       .count = 100000,
                                       .offset = offsetof(nodes_config, depths),
                                       .unit = "m",
                                       .min = 0,
                                       .max = 12000,
                                       .flags = FM_ATTR_REQUIRED,
                                       .text = "water depth at each node"}};
static const fm_element nodes_element = {
    .name = "nodes",
    .text = "Bottom profile along north by nodes, straight between them, the same at all easts.",
    .attrs = nodes_attrs,
    .attr_count = FM_COUNT(nodes_attrs),
    .config_size = sizeof(nodes_config),
    .flags = FM_ELEMENT_ONCE};

typedef struct rise_config {
    double x, height, spacing, start, length;
} rise_config;
#define RISE(field) .offset = offsetof(rise_config, field)
static const fm_attr rise_attrs[] = {
    {.name = "x",
     REAL,
     RISE(x),
     .unit = "m",
     .flags = FM_ATTR_REQUIRED,
     .text = "where the bottom has risen: the step is the node interval that ends here"},
    {.name = "height",
     REAL,
     RISE(height),
     .unit = "m",
     .min = -12000,
     .max = 12000,
     .flags = FM_ATTR_REQUIRED,
     .text = "of the step; the water is shallower by it beyond"},
    {.name = "spacing",
     REAL,
     RISE(spacing),
     .unit = "m",
     .min = 1e-2,
     .max = 100,
     .fallback = "0.5 m",
     .text = "of the nodes"},
    {.name = "start", REAL, RISE(start), .unit = "m", .fallback = "-50 m", .text = "north of the first node"},
    {.name = "length",
     REAL,
     RISE(length),
     .unit = "m",
     .min = 1,
     .max = 1e5,
     .fallback = "1000 m",
     .text = "over which there are nodes"}};
static const fm_element rise_element = {.name = "rise",
                                        .text = "A bottom profile that rises in one step, by nodes.",
                                        .attrs = rise_attrs,
                                        .attr_count = FM_COUNT(rise_attrs),
                                        .config_size = sizeof(rise_config),
                                        .flags = FM_ELEMENT_ONCE};

typedef struct map_config {
    const char *file;
    fm_heightmap_options options;
} map_config;
#define MAP(field) .offset = offsetof(map_config, options.field)
static const fm_attr map_attrs[] = {
    {.name = "file",
     .type = FM_ATTR_FILE,
     .offset = offsetof(map_config, file),
     .flags = FM_ATTR_REQUIRED,
     .text = "PNG (.png), GeoTIFF (.tif, .tiff) or NetCDF (.nc, .grd) of depths or elevations"},
    {.name = "window",
     .type = FM_ATTR_VECTOR,
     .count = 4,
     MAP(window),
     .unit = "m",
     .fallback = "0 0 0 0 m",
     .text = "limits south, north, west, east of what is taken; all 0: everything"},
    {.name = "spacing",
     .type = FM_ATTR_VECTOR,
     .count = 2,
     MAP(spacing),
     .unit = "m",
     .min = 1e-3,
     .max = 1e6,
     .fallback = "1 1 m",
     .text = "PNG: distance of pixels along north and along east"},
    {.name = "centre",
     .type = FM_ATTR_VECTOR,
     .count = 2,
     MAP(centre),
     .unit = "m",
     .fallback = "0 0 m",
     .text = "PNG: north and east of the picture's centre"},
    {.name = "depth-black",
     REAL,
     MAP(depth_black),
     .unit = "m",
     .min = -9000,
     .max = 12000,
     .fallback = "0 m",
     .text = "PNG: depth of the darkest value"},
    {.name = "depth-white",
     REAL,
     MAP(depth_white),
     .unit = "m",
     .min = -9000,
     .max = 12000,
     .fallback = "100 m",
     .text = "PNG: depth of the brightest value"},
    {.name = "origin-northing",
     REAL,
     MAP(origin_northing),
     .unit = "m",
     .fallback = "0 m",
     .text = "GeoTIFF in metres: northing of the world's origin in its projection"},
    {.name = "origin-easting",
     REAL,
     MAP(origin_easting),
     .unit = "m",
     .fallback = "0 m",
     .text = "GeoTIFF in metres: easting of the world's origin in its projection"}};
static const fm_element map_element = {.name = "heightmap",
                                       .text = "The bottom from a grid in a file; files in degrees are placed by the "
                                               "world's latitude and longitude. Beyond it there is no bottom.",
                                       .attrs = map_attrs,
                                       .attr_count = FM_COUNT(map_attrs),
                                       .config_size = sizeof(map_config),
                                       .flags = FM_ELEMENT_ONCE};

typedef struct mesh_config {
    const char *file;
    double position[3], attitude[3], scale[3];
} mesh_config;
static const fm_attr mesh_attrs[] = {{.name = "file",
                                      .type = FM_ATTR_FILE,
                                      .offset = offsetof(mesh_config, file),
                                      .flags = FM_ATTR_REQUIRED,
                                      .text = "OBJ or STL, in metres: x north, y east, z down"},
                                     {.name = "position",
                                      VEC3,
                                      .offset = offsetof(mesh_config, position),
                                      .unit = "m",
                                      .fallback = "0 0 0 m",
                                      .text = "of the file's origin"},
                                     {.name = "attitude",
                                      VEC3,
                                      .offset = offsetof(mesh_config, attitude),
                                      .unit = "rad",
                                      .fallback = "0 0 0 deg",
                                      .text = "roll, pitch, heading; 180 0 0 deg for files with z up"},
                                     {.name = "scale",
                                      VEC3,
                                      .offset = offsetof(mesh_config, scale),
                                      .unit = "",
                                      .fallback = "1 1 1",
                                      .text = "along the file's axes"}};
static const fm_element mesh_element = {.name = "mesh",
                                        .text = "The bottom from triangles in a file. Beyond them there is no bottom; "
                                                "the uppermost triangle counts for depths.",
                                        .attrs = mesh_attrs,
                                        .attr_count = FM_COUNT(mesh_attrs),
                                        .config_size = sizeof(mesh_config),
                                        .flags = FM_ELEMENT_ONCE};

typedef struct bottom_config {
    double depth, slope_x, slope_y, colour[3], reflectivity;
} bottom_config;
static const fm_attr bottom_attrs[] = {
    {.name = "colour",
     VEC3,
     .offset = offsetof(bottom_config, colour),
     .unit = "",
     .min = 0,
     .max = 1,
     .fallback = "0.55 0.5 0.42",
     .text = "red, green, blue"},
    {.name = "reflectivity",
     REAL,
     .offset = offsetof(bottom_config, reflectivity),
     .unit = "",
     .min = 0,
     .max = 1,
     .fallback = "0.5",
     .text = "of sound and infrared at normal incidence"},
    {.name = "depth",
     REAL,
     .offset = offsetof(bottom_config, depth),
     .unit = "m",
     .min = 0,
     .max = 12000,
     .text = "water depth D0 at the origin; needed unless the bottom comes from a file"},
    {.name = "slope-north",
     REAL,
     .offset = offsetof(bottom_config, slope_x),
     .unit = "",
     .min = -10,
     .max = 10,
     .fallback = "0",
     .text = "D1: depth gained per metre north"},
    {.name = "slope-east",
     REAL,
     .offset = offsetof(bottom_config, slope_y),
     .unit = "",
     .min = -10,
     .max = 10,
     .fallback = "0",
     .text = "D2: depth gained per metre east"}};
static const fm_element *const bottom_children[] = {&mound_element, &nodes_element, &rise_element,
                                                    &map_element,   &mesh_element,  NULL};
const fm_element fm_bottom_element = {.name = "bottom",
                                      .text = "The sea floor.",
                                      .attrs = bottom_attrs,
                                      .attr_count = FM_COUNT(bottom_attrs),
                                      .children = bottom_children,
                                      .config_size = sizeof(bottom_config),
                                      .flags = FM_ELEMENT_ONCE};

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
        *mounds =
            (fm_mound){c.height, {c.centre[0], c.centre[1]}, 1 / (c.sigma[0] * sqrt(2)), 1 / (c.sigma[1] * sqrt(2))};
    }
    return FM_OK;
}

static fm_status add_rise(fm_builder *b, const fm_node *node, fm_bottom *bottom)
{
    rise_config c;
    fm_node_fill(node, &c);
    double after = bottom->depth - c.height;
    if (!(after >= 0))
        return fm_node_fail(node, "height", b->report, FM_ERR_RANGE,
                            "found %g m, accepted at most the water depth of %g m", c.height, bottom->depth);
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

/* --- bottoms from files --- */

static int sample_map(const void *user, double x, double y, double *depth, double normal[3])
{
    return fm_heightmap_depth(user, x, y, depth, normal);
}

/* The uppermost triangle at a place: a ray from high above, straight down. */
static int sample_mesh(const void *user, double x, double y, double *depth, double normal[3])
{
    const fm_environment *e = user;
    double origin[1][3] = {{x, y, -20000}}, down[1][3] = {{0, 0, 1}};
    fm_ray_hit hit;
    fm_rays_cast(e->floor_scene, NULL, 0, 1, (const double(*)[3])origin, (const double(*)[3])down, 40000, FM_RAY_NOBODY,
                 &hit);
    if (!(hit.distance < HUGE_VAL))
        return 0;
    *depth = hit.distance - 20000;
    memcpy(normal, hit.normal, sizeof hit.normal);
    return 1;
}

/* What is wrong with a file, told at the element that names it. */
static fm_status file_fault(fm_builder *b, const fm_node *node, const char *file, const fm_error *error)
{
    char line[32] = "";
    if (error->line > 0)
        snprintf(line, sizeof line, ", line %d", error->line);
    return fm_node_fail(node, "file", b->report, error->status, "%s%s: %s", file, line, error->text);
}

static fm_status read_map(fm_builder *b, const fm_node *node, fm_environment *e, fm_bottom *bottom)
{
    map_config c;
    fm_error error = {0};
    fm_node_fill(node, &c);
    c.options.origin_latitude = e->latitude;
    c.options.origin_longitude = e->longitude;
    fm_status status = fm_heightmap_read(c.file, &c.options, &e->map, &error);
    if (status == FM_OK)
        status = fm_heightmap_mesh(&e->map, &e->floor, &error);
    if (status != FM_OK)
        return file_fault(b, node, c.file, &error);
    bottom->sample = sample_map;
    bottom->user = &e->map;
    return FM_OK;
}

static fm_status read_mesh(fm_builder *b, const fm_node *node, fm_environment *e, fm_bottom *bottom)
{
    mesh_config c;
    double q[4];
    fm_error error = {0};
    fm_node_fill(node, &c);
    fm_status status = fm_mesh_read(c.file, &e->floor, &error);
    if (status == FM_OK) {
        fm_quat_from_euler(c.attitude, q);
        fm_mesh_transform(&e->floor, c.scale, c.position, q);
        fm_ray_mesh mesh = {.mesh = &e->floor, .body = FM_BODY_BOTTOM};
        e->floor_scene = fm_ray_scene_create(&(fm_ray_static){.meshes = &mesh, .mesh_count = 1}, &error);
        status = e->floor_scene ? FM_OK : error.status;
    }
    if (status != FM_OK)
        return file_fault(b, node, c.file, &error);
    bottom->sample = sample_mesh;
    bottom->user = e;
    return FM_OK;
}

/* A bottom from a file stands alone. */
static fm_status read_file(fm_builder *b, const fm_node *node, fm_environment *e, fm_bottom *bottom)
{
    const fm_node *map = fm_node_child(node, "heightmap"), *mesh = fm_node_child(node, "mesh");
    if ((map && mesh) || fm_node_written(node, "depth") || fm_node_child(node, "mound") ||
        fm_node_child(node, "nodes") || fm_node_child(node, "rise"))
        return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL,
                            "a bottom is given by a file or by depth, mounds and nodes, not by both");
    bottom->kind = FM_BOTTOM_SAMPLED;
    e->bottom = bottom;
    return map ? read_map(b, map, e, bottom) : read_mesh(b, mesh, e, bottom);
}

/* --- bottoms by numbers --- */

static fm_status read_profile(fm_builder *b, const fm_node *node, fm_bottom *bottom)
{
    const fm_node *child;
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
    if (status == FM_OK)
        fm_bottom_measure(bottom);
    return status;
}

fm_status fm_build_bottom(fm_builder *b, const fm_node *world, fm_environment *e)
{
    const fm_node *node = fm_node_child(world, "bottom");
    if (!node)
        return FM_OK;
    bottom_config c;
    fm_node_fill(node, &c);
    fm_bottom *bottom = fm_build_alloc(b, sizeof *bottom);
    if (!bottom)
        return FM_ERR_MEMORY;
    *bottom = (fm_bottom){.kind = FM_BOTTOM_PLANE, .depth = c.depth, .slope_x = c.slope_x, .slope_y = c.slope_y};
    memcpy(e->ground.colour, c.colour, sizeof c.colour);
    e->ground.reflectivity = c.reflectivity;
    if (fm_node_child(node, "heightmap") || fm_node_child(node, "mesh"))
        return read_file(b, node, e, bottom);
    if (!fm_node_written(node, "depth"))
        return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL,
                            "<bottom> needs depth=\"…\", or a <heightmap> or <mesh> from a file");
    e->bottom = bottom;
    return read_profile(b, node, bottom);
}
