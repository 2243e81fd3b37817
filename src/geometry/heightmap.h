/* Sea floors given as a regular grid of depths, and their files.
 *
 * Nodes lie at (north + row · north_step, east + column · east_step), NED metres; depth is positive down. Between nodes
 * the floor is flat triangles: each cell is cut from its south-west to its north-east node, so that fm_heightmap_depth,
 * the triangles of fm_heightmap_mesh and rays cast at them agree. */
#ifndef FM_GEOMETRY_HEIGHTMAP_H
#define FM_GEOMETRY_HEIGHTMAP_H

#include "geometry/mesh.h"

#define FM_HEIGHTMAP_NODES ((size_t)1 << 27) /* nodes: larger maps are refused, a window helps */

typedef struct fm_heightmap {
    size_t rows, columns;         /* nodes along north and along east, 2 or more of each */
    double north, east;           /* m, of node (0, 0): the south-west corner */
    double north_step, east_step; /* m, above 0 */
    double *depth;                /* m, positive down; node (row, column) at [row · columns + column] */
} fm_heightmap;

/* How a file's grid is placed in the world. Angles in rad. */
typedef struct fm_heightmap_options {
    double origin_latitude, origin_longitude; /* rad: the world's origin, for files in degrees */
    double origin_northing, origin_easting;   /* m: the world's origin in the file's projection, for files in metres */
    double window[4];                         /* m, NED: south, north, west, east limits; all 0: everything */
    double spacing[2];                        /* m: PNG, distance of pixels along north and along east */
    double centre[2];                         /* m, NED: PNG, north and east of the picture's centre */
    double depth_black, depth_white;          /* m: PNG, depth of the darkest and of the brightest value */
} fm_heightmap_options;

/* An all-zero map with room for rows × columns. */
fm_status fm_heightmap_create(size_t rows, size_t columns, fm_heightmap *map, fm_error *error);
void fm_heightmap_free(fm_heightmap *map);

/* Greyscale, 1 to 16 bits, rows from north to south. */
fm_status fm_heightmap_read_png(const char *path, const fm_heightmap_options *options, fm_heightmap *map,
                                fm_error *error);
fm_status fm_heightmap_parse_png(const char *name, const void *data, size_t size, const fm_heightmap_options *options,
                                 fm_heightmap *map, fm_error *error);
/* GeoTIFF of elevations (metres, positive up): one sample of 16 or 32 bit integers or 32 or 64 bit floats, with
 * ModelPixelScale (33550) and ModelTiepoint (33922); degrees or a projection in metres by its GeoKeys (34735). */
fm_status fm_heightmap_read_tiff(const char *path, const fm_heightmap_options *options, fm_heightmap *map,
                                 fm_error *error);
fm_status fm_heightmap_parse_tiff(const char *name, const void *data, size_t size, const fm_heightmap_options *options,
                                  fm_heightmap *map, fm_error *error);
/* NetCDF bathymetry in GEBCO's format: axes lat and lon in degrees and elevation(lat, lon) in metres, positive up; a
 * variable `depth`, or one with positive = "down", is read as depth. Only the window is read. */
fm_status fm_heightmap_read_netcdf(const char *path, const fm_heightmap_options *options, fm_heightmap *map,
                                   fm_error *error);
/* By the suffix of the name: .png, .tif, .tiff, .nc, .grd. */
fm_status fm_heightmap_read(const char *path, const fm_heightmap_options *options, fm_heightmap *map, fm_error *error);

/* Depth of the floor below (x, y), m, NED, and its upward unit normal (which may be NULL); false outside the map. */
bool fm_heightmap_depth(const fm_heightmap *map, double x, double y, double *depth, double normal[3]);
/* Two triangles per cell, anticlockwise seen from above (normals up). */
fm_status fm_heightmap_mesh(const fm_heightmap *map, fm_mesh *mesh, fm_error *error);

/* For readers: FM_ERR_RANGE when a depth is not finite or beyond ±20,000 m, or the steps are not finite and positive.
 */
fm_status fm_heightmap_check(const char *name, const fm_heightmap *map, fm_error *error);
/* Cuts to the nodes within options->window; FM_ERR_RANGE when fewer than 2 × 2 are left. */
fm_status fm_heightmap_cut(const char *name, const fm_heightmap_options *options, fm_heightmap *map, fm_error *error);
/* Metres of north a radian of latitude and of east a radian of longitude at the origin (WGS 84). */
void fm_heightmap_scales(double latitude, double *north, double *east);
/* Refuses a grid that a file of `size` bytes cannot hold: under 2 × 2, over FM_HEIGHTMAP_NODES, or over 2,048 nodes a
 * byte. */
fm_status fm_heightmap_plausible(const char *name, size_t rows, size_t columns, size_t size, fm_error *error);

#endif
