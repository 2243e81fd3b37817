#include "geometry/heightmap.h"

#include <netcdf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "ocean/netcdf_file.h"

static const char *const LATITUDES[] = {"lat", "latitude", "y", NULL};
static const char *const LONGITUDES[] = {"lon", "longitude", "x", NULL};
static const char *const GRIDS[] = {"elevation", "z", "Band1", "topo", "depth", NULL};

typedef struct axis {
    int dimension;
    size_t count;
    double first, step; /* degrees; step may be negative */
    size_t low, high;   /* first and last index within the window */
} axis;

typedef struct chart {
    const char *name;
    fm_error *error;
    int file, grid;
    axis latitude, longitude;
} chart;

static fm_status nc_failed(const chart *c, const char *what, int code)
{
    return fm_fail_at(c->error, FM_ERR_SYNTAX, c->name, 0, "%s: %s", what, nc_strerror(code));
}

static fm_status find_variable(const chart *c, const char *const names[], const char *what, int *variable)
{
    for (int i = 0; names[i]; i++)
        if (nc_inq_varid(c->file, names[i], variable) == NC_NOERR)
            return FM_OK;
    char accepted[128] = "";
    for (int i = 0; names[i]; i++)
        snprintf(accepted + strlen(accepted), sizeof accepted - strlen(accepted), "%s%s", i ? ", " : "", names[i]);
    return fm_fail_at(c->error, FM_ERR_NAME, c->name, 0, "has no %s: valid names are %s", what, accepted);
}

static fm_status check_even(const chart *c, const axis *a, const char *what, const double *values)
{
    for (size_t i = 0; i < a->count; i++)
        if (!(fabs(values[i] - (a->first + (double)i * a->step)) <= 0.01 * fabs(a->step)))
            return fm_fail_at(c->error, FM_ERR_RANGE, c->name, 0,
                              "%s %zu is %.9g degrees: must be evenly spaced (here %.9g)", what, i + 1, values[i],
                              a->first + (double)i * a->step);
    return FM_OK;
}

static fm_status read_axis(chart *c, const char *const names[], const char *what, axis *a)
{
    int variable, dimensions, code;
    fm_status status = find_variable(c, names, what, &variable);
    if (status != FM_OK)
        return status;
    if ((code = nc_inq_varndims(c->file, variable, &dimensions)) != NC_NOERR)
        return nc_failed(c, what, code);
    if (dimensions != 1)
        return fm_fail_at(c->error, FM_ERR_SYNTAX, c->name, 0, "%s has %d dimensions: must be 1", what, dimensions);
    if ((code = nc_inq_vardimid(c->file, variable, &a->dimension)) != NC_NOERR ||
        (code = nc_inq_dimlen(c->file, a->dimension, &a->count)) != NC_NOERR)
        return nc_failed(c, what, code);
    if (a->count < 2 || a->count > 1u << 24)
        return fm_fail_at(c->error, FM_ERR_RANGE, c->name, 0, "%s has %zu values: must be 2 to %u", what, a->count,
                          1u << 24);
    double *values = fm_alloc(a->count * sizeof *values);
    if (!values)
        return fm_fail_at(c->error, FM_ERR_MEMORY, c->name, 0, "no memory for the %zu values of %s", a->count, what);
    code = nc_get_var_double(c->file, variable, values);
    a->first = values[0];
    a->step = (values[a->count - 1] - values[0]) / (double)(a->count - 1);
    status = code != NC_NOERR ? nc_failed(c, what, code) : check_even(c, a, what, values);
    if (status == FM_OK && (!(fabs(a->step) > 0) || !(fabs(a->first) <= 360)))
        status = fm_fail_at(c->error, FM_ERR_RANGE, c->name, 0, "%s begins at %g degrees with steps of %g", what,
                            a->first, a->step);
    fm_free(values);
    return status;
}

/* Indices of the axis between two angles (degrees). */
static bool clip(axis *a, double low, double high)
{
    double i = (low - a->first) / a->step, k = (high - a->first) / a->step;
    double first = ceil(fmax(fmin(i, k), 0) - 1e-9), last = floor(fmin(fmax(i, k), (double)(a->count - 1)) + 1e-9);
    if (!(last >= first + 1))
        return false;
    a->low = (size_t)first;
    a->high = (size_t)last;
    return true;
}

static fm_status clip_window(chart *c, const fm_heightmap_options *o, double metre_north, double metre_east)
{
    const double degree = M_PI / 180, *w = o->window;
    c->latitude.low = c->longitude.low = 0;
    c->latitude.high = c->latitude.count - 1;
    c->longitude.high = c->longitude.count - 1;
    if (w[0] == 0 && w[1] == 0 && w[2] == 0 && w[3] == 0)
        return FM_OK;
    double south = (o->origin_latitude + w[0] / metre_north) / degree,
           north = (o->origin_latitude + w[1] / metre_north) / degree;
    double west = (o->origin_longitude + w[2] / metre_east) / degree,
           east = (o->origin_longitude + w[3] / metre_east) / degree;
    if (clip(&c->latitude, south, north) && clip(&c->longitude, west, east))
        return FM_OK;
    return fm_fail_at(
        c->error, FM_ERR_RANGE, c->name, 0,
        "the window latitude %.6f to %.6f, longitude %.6f to %.6f holds fewer than 2 × 2 nodes of a map that begins "
        "at %.6f, %.6f with steps of %.6g, %.6g degrees",
        south, north, west, east, c->latitude.first, c->longitude.first, c->latitude.step, c->longitude.step);
}

static double attribute(const chart *c, const char *name, double fallback)
{
    nc_type type;
    size_t length;
    double value;
    if (nc_inq_att(c->file, c->grid, name, &type, &length) != NC_NOERR || length != 1 || type == NC_CHAR ||
        type == NC_STRING)
        return fallback;
    return nc_get_att_double(c->file, c->grid, name, &value) == NC_NOERR ? value : fallback;
}

static bool is_depth(const chart *c)
{
    char name[NC_MAX_NAME + 1] = "", positive[8] = "";
    size_t length = 0;
    nc_type type;
    if (nc_inq_att(c->file, c->grid, "positive", &type, &length) == NC_NOERR && type == NC_CHAR &&
        length < sizeof positive && nc_get_att_text(c->file, c->grid, "positive", positive) == NC_NOERR)
        return strncmp(positive, "down", 4) == 0;
    return nc_inq_varname(c->file, c->grid, name) == NC_NOERR && strcmp(name, "depth") == 0;
}

static fm_status check_grid(chart *c, bool *transposed)
{
    int dimensions, ids[NC_MAX_VAR_DIMS], code;
    if ((code = nc_inq_varndims(c->file, c->grid, &dimensions)) != NC_NOERR)
        return nc_failed(c, "grid", code);
    if (dimensions != 2)
        return fm_fail_at(c->error, FM_ERR_SYNTAX, c->name, 0, "the grid has %d dimensions: must be 2", dimensions);
    if ((code = nc_inq_vardimid(c->file, c->grid, ids)) != NC_NOERR)
        return nc_failed(c, "grid", code);
    *transposed = ids[0] == c->longitude.dimension && ids[1] == c->latitude.dimension;
    if (!*transposed && (ids[0] != c->latitude.dimension || ids[1] != c->longitude.dimension))
        return fm_fail_at(c->error, FM_ERR_SYNTAX, c->name, 0,
                          "the grid does not run along the latitudes and longitudes");
    return FM_OK;
}

/* Row by row, so that the file's order and direction do not matter; NaN and fill values are found here. */
static fm_status read_grid(chart *c, bool transposed, fm_heightmap *m)
{
    double scale = attribute(c, "scale_factor", 1), offset = attribute(c, "add_offset", 0),
           fill = attribute(c, "_FillValue", NAN);
    double sign = is_depth(c) ? 1 : -1;
    double *line = fm_alloc(m->columns * sizeof *line);
    if (!line)
        return fm_fail_at(c->error, FM_ERR_MEMORY, c->name, 0, "no memory for a row of %zu nodes", m->columns);
    fm_status status = FM_OK;
    for (size_t i = 0; i < m->rows && status == FM_OK; i++) {
        size_t row = c->latitude.step > 0 ? c->latitude.low + i : c->latitude.high - i;
        size_t start[2] = {row, c->longitude.low}, count[2] = {1, m->columns};
        size_t start_t[2] = {c->longitude.low, row}, count_t[2] = {m->columns, 1};
        int code =
            nc_get_vara_double(c->file, c->grid, transposed ? start_t : start, transposed ? count_t : count, line);
        if (code != NC_NOERR)
            status = nc_failed(c, "grid", code);
        for (size_t j = 0; j < m->columns && status == FM_OK; j++) {
            double value = line[c->longitude.step > 0 ? j : m->columns - 1 - j];
            if (value == fill || isnan(value))
                status = fm_fail_at(c->error, FM_ERR_RANGE, c->name, 0,
                                    "no data at row %zu, column %zu: must be a map without holes: cut out a window",
                                    row + 1, c->longitude.low + j + 1);
            m->depth[i * m->columns + j] = sign * (value * scale + offset);
        }
    }
    fm_free(line);
    return status;
}

static void place(const chart *c, const fm_heightmap_options *o, double metre_north, double metre_east, fm_heightmap *m)
{
    const double degree = M_PI / 180;
    const axis *a = &c->latitude, *b = &c->longitude;
    double south = a->first + a->step * (double)(a->step > 0 ? a->low : a->high);
    double west = b->first + b->step * (double)(b->step > 0 ? b->low : b->high);
    m->north = (south * degree - o->origin_latitude) * metre_north;
    m->east = (west * degree - o->origin_longitude) * metre_east;
    m->north_step = fabs(a->step) * degree * metre_north;
    m->east_step = fabs(b->step) * degree * metre_east;
}

static fm_status read_chart(chart *c, size_t size, const fm_heightmap_options *o, fm_heightmap *map)
{
    double metre_north, metre_east;
    bool transposed = false;
    fm_heightmap_scales(o->origin_latitude, &metre_north, &metre_east);
    fm_status status = read_axis(c, LATITUDES, "latitude", &c->latitude);
    if (status == FM_OK)
        status = read_axis(c, LONGITUDES, "longitude", &c->longitude);
    if (status == FM_OK)
        status = find_variable(c, GRIDS, "elevation", &c->grid);
    if (status == FM_OK)
        status = check_grid(c, &transposed);
    if (status == FM_OK)
        status = clip_window(c, o, metre_north, metre_east);
    size_t rows = c->latitude.high - c->latitude.low + 1, columns = c->longitude.high - c->longitude.low + 1;
    if (status == FM_OK)
        status = fm_heightmap_plausible(c->name, rows, columns, size, c->error);
    if (status == FM_OK)
        status = fm_heightmap_create(rows, columns, map, c->error);
    if (status == FM_OK)
        status = read_grid(c, transposed, map);
    if (status != FM_OK)
        return status;
    place(c, o, metre_north, metre_east, map);
    return fm_heightmap_check(c->name, map, c->error);
}

fm_status fm_heightmap_read_netcdf(const char *path, const fm_heightmap_options *options, fm_heightmap *map,
                                   fm_error *error)
{
    struct stat info;
    fm_netcdf file;
    *map = (fm_heightmap){0};
    fm_status status = fm_netcdf_open(&file, path, error); /* its header is checked before the library trusts it */
    if (status != FM_OK)
        return status;
    chart c = {.name = path, .error = error, .file = file.id};
    size_t size = stat(path, &info) == 0 ? (size_t)info.st_size : 0;
    status = read_chart(&c, size, options, map);
    fm_netcdf_close(&file);
    if (status != FM_OK)
        fm_heightmap_free(map);
    return status;
}
