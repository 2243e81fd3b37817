#include "geometry/heightmap.h"

#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "geometry/file.h"
#include "physics/earth.h"

static const double DEEPEST = 2e4; /* m */

fm_status fm_heightmap_create(size_t rows, size_t columns, fm_heightmap *map, fm_error *error)
{
    *map = (fm_heightmap){.rows = rows, .columns = columns, .north_step = 1, .east_step = 1};
    if (rows < 2 || columns < 2 || rows > FM_HEIGHTMAP_NODES / columns)
        return fm_fail(error, FM_ERR_RANGE, "a height map of %zu × %zu nodes: must be 2 × 2 to %zu nodes", rows,
                       columns, FM_HEIGHTMAP_NODES);
    map->depth = fm_alloc(rows * columns * sizeof *map->depth);
    if (!map->depth)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a height map of %zu × %zu nodes", rows, columns);
    return FM_OK;
}

void fm_heightmap_free(fm_heightmap *map)
{
    fm_free(map->depth);
    *map = (fm_heightmap){0};
}

fm_status fm_heightmap_plausible(const char *name, size_t rows, size_t columns, size_t size, fm_error *error)
{
    /* deflate, the densest packing of these formats, reaches about 1,032 : 1 */
    if (rows < 2 || columns < 2 || rows > FM_HEIGHTMAP_NODES / columns)
        return fm_fail_at(error, FM_ERR_RANGE, name, 0, "%zu × %zu nodes given: must be 2 × 2 to %zu nodes", rows,
                          columns, FM_HEIGHTMAP_NODES);
    if (rows * columns / 2048 > size)
        return fm_fail_at(error, FM_ERR_RANGE, name, 0, "claims %zu × %zu nodes in %zu bytes, which no packing reaches",
                          rows, columns, size);
    return FM_OK;
}

fm_status fm_heightmap_check(const char *name, const fm_heightmap *map, fm_error *error)
{
    if (!(map->north_step > 0) || !(map->east_step > 0) || !isfinite(map->north_step) || !isfinite(map->east_step) ||
        !(fabs(map->north) < FM_MESH_REACH) || !(fabs(map->east) < FM_MESH_REACH))
        return fm_fail_at(
            error, FM_ERR_RANGE, name, 0,
            "nodes %g m and %g m apart from (%g, %g) m: must be finite distances above 0 and corners within ±%g m",
            map->north_step, map->east_step, map->north, map->east, FM_MESH_REACH);
    for (size_t i = 0; i < map->rows * map->columns; i++)
        if (!(fabs(map->depth[i]) <= DEEPEST))
            return fm_fail_at(error, FM_ERR_RANGE, name, 0,
                              "depth at row %zu from the south, column %zu from the west is %g m: must be within ±%g m",
                              i / map->columns + 1, i % map->columns + 1, map->depth[i], DEEPEST);
    return FM_OK;
}

/* First and last node within low … high of nodes at start + i · step. */
static bool clip(double start, double step, size_t count, double low, double high, size_t *first, size_t *last)
{
    double a = ceil((low - start) / step - 1e-9), b = floor((high - start) / step + 1e-9);
    a = fmax(a, 0);
    b = fmin(b, (double)(count - 1));
    if (!(b >= a + 1))
        return false;
    *first = (size_t)a;
    *last = (size_t)b;
    return true;
}

fm_status fm_heightmap_cut(const char *name, const fm_heightmap_options *o, fm_heightmap *map, fm_error *error)
{
    const double *w = o->window;
    size_t south, north, west, east;
    if (w[0] == 0 && w[1] == 0 && w[2] == 0 && w[3] == 0)
        return FM_OK;
    if (!clip(map->north, map->north_step, map->rows, w[0], w[1], &south, &north) ||
        !clip(map->east, map->east_step, map->columns, w[2], w[3], &west, &east))
        return fm_fail_at(
            error, FM_ERR_RANGE, name, 0,
            "the window north %g to %g m, east %g to %g m holds fewer than 2 × 2 nodes of a map from (%g, %g) m to "
            "(%g, %g) m",
            w[0], w[1], w[2], w[3], map->north, map->east, map->north + (double)(map->rows - 1) * map->north_step,
            map->east + (double)(map->columns - 1) * map->east_step);
    size_t rows = north - south + 1, columns = east - west + 1;
    for (size_t i = 0; i < rows; i++)
        memmove(map->depth + i * columns, map->depth + (south + i) * map->columns + west, columns * sizeof *map->depth);
    map->north += (double)south * map->north_step;
    map->east += (double)west * map->east_step;
    map->rows = rows;
    map->columns = columns;
    return FM_OK;
}

void fm_heightmap_scales(double latitude, double *north, double *east)
{
    double meridian, across;
    fm_earth_radii(latitude, &meridian, &across);
    *north = meridian;
    *east = across * fm_cos(latitude); /* of the parallel */
}

/* Plane of the triangle of the cell that (u, v), its fractions of north and east, falls into: depth = d + u · du + v ·
 * dv. */
static void cell_plane(const fm_heightmap *m, size_t row, size_t column, bool north_west, double *d, double *du,
                       double *dv)
{
    const double *sw = m->depth + row * m->columns + column, *nw = sw + m->columns;
    *d = sw[0];
    *du = north_west ? nw[0] - sw[0] : nw[1] - sw[1];
    *dv = north_west ? nw[1] - nw[0] : sw[1] - sw[0];
}

bool fm_heightmap_depth(const fm_heightmap *map, double x, double y, double *depth, double normal[3])
{
    double u = (x - map->north) / map->north_step, v = (y - map->east) / map->east_step, d, du, dv;
    if (!(u >= 0 && u <= (double)(map->rows - 1) && v >= 0 && v <= (double)(map->columns - 1)))
        return false;
    size_t row = (size_t)fmin(floor(u), (double)(map->rows - 2));
    size_t column = (size_t)fmin(floor(v), (double)(map->columns - 2));
    u -= (double)row;
    v -= (double)column;
    cell_plane(map, row, column, u > v, &d, &du, &dv);
    *depth = d + u * du + v * dv;
    if (normal) {
        /* the floor z = depth(x, y): upward normal (∂z/∂x, ∂z/∂y, −1) */
        fm_d3 n = {du / map->north_step, dv / map->east_step, -1};
        fm_d3_store(fm_d3_scale(n, 1 / fm_d3_norm(n)), normal);
    }
    return true;
}

static void fill_mesh(const fm_heightmap *m, fm_mesh *mesh)
{
    size_t n = 0;
    for (size_t i = 0; i < m->rows; i++)
        for (size_t j = 0; j < m->columns; j++) {
            double *v = mesh->vertices[i * m->columns + j];
            v[0] = m->north + (double)i * m->north_step;
            v[1] = m->east + (double)j * m->east_step;
            v[2] = m->depth[i * m->columns + j];
        }
    for (size_t i = 0; i + 1 < m->rows; i++)
        for (size_t j = 0; j + 1 < m->columns; j++) {
            uint32_t sw = (uint32_t)(i * m->columns + j), nw = sw + (uint32_t)m->columns;
            uint32_t *t = mesh->triangles[n++];
            t[0] = sw;
            t[1] = nw + 1;
            t[2] = nw;
            t = mesh->triangles[n++];
            t[0] = sw;
            t[1] = sw + 1;
            t[2] = nw + 1;
        }
}

fm_status fm_heightmap_mesh(const fm_heightmap *map, fm_mesh *mesh, fm_error *error)
{
    size_t vertices = map->rows * map->columns, triangles = 2 * (map->rows - 1) * (map->columns - 1);
    *mesh = (fm_mesh){.vertex_count = vertices, .triangle_count = triangles};
    mesh->vertices = fm_alloc(vertices * sizeof *mesh->vertices);
    mesh->triangles = fm_alloc(triangles * sizeof *mesh->triangles);
    if (!mesh->vertices || !mesh->triangles) {
        fm_mesh_free(mesh);
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the %zu triangles of a height map", triangles);
    }
    fill_mesh(map, mesh);
    return FM_OK;
}

fm_status fm_heightmap_read(const char *path, const fm_heightmap_options *options, fm_heightmap *map, fm_error *error)
{
    const char *dot = strrchr(path, '.');
    if (dot && strcasecmp(dot, ".png") == 0)
        return fm_heightmap_read_png(path, options, map, error);
    if (dot && (strcasecmp(dot, ".tif") == 0 || strcasecmp(dot, ".tiff") == 0))
        return fm_heightmap_read_tiff(path, options, map, error);
    if (dot && (strcasecmp(dot, ".nc") == 0 || strcasecmp(dot, ".grd") == 0))
        return fm_heightmap_read_netcdf(path, options, map, error);
    return fm_fail_at(error, FM_ERR_NAME, path, 0,
                      "is not a height map by its name: must be .png, .tif, .tiff, .nc or .grd");
}

fm_status fm_heightmap_read_tiff(const char *path, const fm_heightmap_options *options, fm_heightmap *map,
                                 fm_error *error)
{
    char *data;
    size_t size;
    *map = (fm_heightmap){0};
    fm_status status = fm_geometry_file(path, &data, &size, error);
    if (status == FM_OK)
        status = fm_heightmap_parse_tiff(path, data, size, options, map, error);
    fm_free(data);
    return status;
}
