/* The sea floor of a scenario. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "physics/posture.h"
#include "scenario/build_environment.h"

typedef struct mound_config {
    double height, centre[3], sigma[3];
} mound_config;
static const fm_attr mound_attrs[] = {
    FM_REAL_ATTR(mound_config, height, "height", "m", -12000, 12000, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "added to the water depth, as WaVeSim has it: above 0 it is a hole, below 0 a mound"),
    FM_VECTOR_ATTR(mound_config, centre, 3, "centre", "m", 0, 0, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                   "north, east (the third number is ignored)"),
    FM_VECTOR_ATTR(mound_config, sigma, 3, "sigma", "m", 1e-3, 1e6, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                   "standard deviations of the Gaussian north and east (the third number is ignored)"),
};
static const fm_element mound_element =
    FM_TABLE_ELEMENT(mound_config, "mound", mound_attrs, NULL, 0, "A Gaussian mound or hole.");

typedef struct nodes_config {
    double x0, spacing;
    fm_list depths;
} nodes_config;
static const fm_attr nodes_attrs[] = {
    FM_REAL_ATTR(nodes_config, x0, "x0", "m", 0, 0, "0 m", 0, "of the first node, along north"),
    FM_REAL_ATTR(nodes_config, spacing, "spacing", "m", 1e-3, 1e5, "0.5 m", 0, "of the nodes"),
    FM_LIST_ATTR(nodes_config, depths, 100000, "depths", "m", 0, 12000, FM_ATTR_REQUIRED, "water depth at each node"),
};
static const fm_element nodes_element =
    FM_TABLE_ELEMENT(nodes_config, "nodes", nodes_attrs, NULL, FM_ELEMENT_ONCE,
                     "Bottom profile along north by nodes, straight between them, the same at all easts.");

typedef struct rise_config {
    double x, height, spacing, start, length;
} rise_config;
static const fm_attr rise_attrs[] = {
    FM_REAL_ATTR(rise_config, x, "x", "m", 0, 0, NULL, FM_ATTR_REQUIRED,
                 "where the bottom has risen: the step is the node interval that ends here"),
    FM_REAL_ATTR(rise_config, height, "height", "m", -12000, 12000, NULL, FM_ATTR_REQUIRED,
                 "of the step; the water is shallower by it beyond"),
    FM_REAL_ATTR(rise_config, spacing, "spacing", "m", 1e-2, 100, "0.5 m", 0, "of the nodes"),
    FM_REAL_ATTR(rise_config, start, "start", "m", 0, 0, "-50 m", 0, "north of the first node"),
    FM_REAL_ATTR(rise_config, length, "length", "m", 1, 1e5, "1000 m", 0, "over which there are nodes"),
};
static const fm_element rise_element = FM_TABLE_ELEMENT(rise_config, "rise", rise_attrs, NULL, FM_ELEMENT_ONCE,
                                                        "A bottom profile that rises in one step, by nodes.");

typedef struct map_config {
    const char *file;
    fm_heightmap_options options;
} map_config;
static const fm_attr map_attrs[] = {
    FM_FILE_ATTR(map_config, file, "file", NULL, FM_ATTR_REQUIRED,
                 "PNG (.png), GeoTIFF (.tif, .tiff) or NetCDF (.nc, .grd) of depths or elevations"),
    FM_VECTOR_ATTR(map_config, options.window, 4, "window", "m", 0, 0, "0 0 0 0 m", 0,
                   "limits south, north, west, east of what is taken; all 0: everything"),
    FM_VECTOR_ATTR(map_config, options.spacing, 2, "spacing", "m", 1e-3, 1e6, "1 1 m", 0,
                   "PNG: distance of pixels along north and along east"),
    FM_VECTOR_ATTR(map_config, options.centre, 2, "centre", "m", 0, 0, "0 0 m", 0,
                   "PNG: north and east of the picture's centre"),
    FM_REAL_ATTR(map_config, options.depth_black, "depth-black", "m", -9000, 12000, "0 m", 0,
                 "PNG: depth of the darkest value"),
    FM_REAL_ATTR(map_config, options.depth_white, "depth-white", "m", -9000, 12000, "100 m", 0,
                 "PNG: depth of the brightest value"),
    FM_REAL_ATTR(map_config, options.origin_northing, "origin-northing", "m", 0, 0, "0 m", 0,
                 "GeoTIFF in metres: northing of the world's origin in its projection"),
    FM_REAL_ATTR(map_config, options.origin_easting, "origin-easting", "m", 0, 0, "0 m", 0,
                 "GeoTIFF in metres: easting of the world's origin in its projection"),
};
static const fm_element map_element = FM_TABLE_ELEMENT(map_config, "heightmap", map_attrs, NULL, FM_ELEMENT_ONCE,
                                                       "The bottom from a grid in a file; files in degrees are placed "
                                                       "by the world's latitude and longitude. No bottom beyond it.");

typedef struct mesh_config {
    const char *file;
    double position[3], attitude[3], scale[3];
} mesh_config;
static const fm_attr mesh_attrs[] = {
    FM_FILE_ATTR(mesh_config, file, "file", NULL, FM_ATTR_REQUIRED, "OBJ or STL, in metres: x north, y east, z down"),
    FM_VECTOR_ATTR(mesh_config, position, 3, "position", "m", 0, 0, "0 0 0 m", 0, "of the file's origin"),
    FM_VECTOR_ATTR(mesh_config, attitude, 3, "attitude", "rad", 0, 0, "0 0 0 deg", 0,
                   "roll, pitch, heading; 180 0 0 deg for files with z up"),
    FM_VECTOR_ATTR(mesh_config, scale, 3, "scale", "", 0, 0, "1 1 1", 0, "along the file's axes"),
};
static const fm_element mesh_element = FM_TABLE_ELEMENT(
    mesh_config, "mesh", mesh_attrs, NULL, FM_ELEMENT_ONCE,
    "The bottom from triangles in a file. No bottom beyond them; the uppermost triangle gives the depth.");

typedef struct bottom_config {
    double depth, slope_x, slope_y, colour[3], reflectivity;
} bottom_config;
static const fm_attr bottom_attrs[] = {
    FM_VECTOR_ATTR(bottom_config, colour, 3, "colour", "", 0, 1, "0.55 0.5 0.42", 0, "red, green, blue"),
    FM_REAL_ATTR(bottom_config, reflectivity, "reflectivity", "", 0, 1, "0.5", 0,
                 "of sound and infrared at normal incidence"),
    FM_REAL_ATTR(bottom_config, depth, "depth", "m", 0, 12000, NULL, FM_ATTR_LIVE,
                 "water depth D0 at the origin; needed unless the bottom comes from a file. Like the slopes it may "
                 "change in a run where the bottom is a plane, with or without mounds"),
    FM_REAL_ATTR(bottom_config, slope_x, "slope-north", "", -10, 10, "0", FM_ATTR_LIVE,
                 "D1: depth gained per metre north"),
    FM_REAL_ATTR(bottom_config, slope_y, "slope-east", "", -10, 10, "0", FM_ATTR_LIVE,
                 "D2: depth gained per metre east"),
};
static const fm_element *const bottom_children[] = {&mound_element, &nodes_element, &rise_element,
                                                    &map_element,   &mesh_element,  NULL};
const fm_element fm_bottom_element =
    FM_TABLE_ELEMENT(bottom_config, "bottom", bottom_attrs, bottom_children, FM_ELEMENT_ONCE, "The sea floor.");

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
                            "%g m is out of range: must be at most the water depth of %g m", c.height, bottom->depth);
    double wanted = ceil(c.length / c.spacing) + 1;
    if (wanted > 1e7)
        return fm_node_fail(node, "spacing", b->report, FM_ERR_RANGE, "%g nodes given: must be at most 1e7", wanted);
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

/* Reports an error of a file at the element that names it. */
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

/* A bottom from a file excludes all others. */
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
