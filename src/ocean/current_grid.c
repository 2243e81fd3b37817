/* Gridded currents from NetCDF. */
#include <math.h>
#include <string.h>

#include "ocean/current.h"
#include "ocean/netcdf_file.h"
#include "physics/earth.h"
#include "physics/real.h"

enum { TIME, DEPTH, NORTH, EAST, AXES };

/* One axis of the grid in the order of the file. */
typedef struct axis {
    double *nodes; /* increasing, in s or m */
    size_t count;
    int dimension;   /* id in the file; -1: absent, one node at 0 */
    bool reversed;   /* the file's order decreases */
    bool geographic; /* latitude or longitude */
} axis;

typedef struct grid_reader {
    fm_netcdf file;
    fm_arena *arena;            /* keeps the result */
    fm_arena scratch;           /* the file's own arrays */
    double latitude, longitude; /* rad, of the world's origin */
    axis axes[AXES];
} grid_reader;

static bool starts_with(const char *text, const char *start)
{
    return !strncasecmp(text, start, strlen(start));
}

static bool one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcasecmp(word, *list))
            return true;
    return false;
}
#define ONE_OF(word, ...) one_of(word, (const char *const[]){__VA_ARGS__, NULL})

/* The axis of a coordinate variable; AXES if it is unknown. */
static int role_of(const fm_netcdf_array *c, bool *geographic)
{
    *geographic =
        ONE_OF(c->standard_name, "latitude", "longitude") || ONE_OF(c->name, "lat", "latitude", "lon", "longitude");
    if (ONE_OF(c->standard_name, "time") || ONE_OF(c->name, "time", "t"))
        return TIME;
    if (ONE_OF(c->standard_name, "depth") || ONE_OF(c->name, "depth", "z", "lev", "level", "deptht"))
        return DEPTH;
    if (ONE_OF(c->standard_name, "latitude", "projection_y_coordinate") || ONE_OF(c->name, "lat", "latitude", "north"))
        return NORTH;
    if (ONE_OF(c->standard_name, "longitude", "projection_x_coordinate") || ONE_OF(c->name, "lon", "longitude", "east"))
        return EAST;
    if (ONE_OF(c->name, "x"))
        return NORTH;
    return ONE_OF(c->name, "y") ? EAST : AXES;
}

static fm_status bad_unit(const grid_reader *r, const fm_netcdf_array *c, const char *accepted)
{
    return fm_fail_at(r->file.error, FM_ERR_UNIT, r->file.path, 0, "coordinate '%s' is in '%s': must be %s", c->name,
                      c->units, accepted);
}

static fm_status scale_time(const grid_reader *r, fm_netcdf_array *c)
{
    double unit =
        starts_with(c->units, "day")                              ? 86400
        : starts_with(c->units, "hour") || !strcmp(c->units, "h") ? 3600
        : starts_with(c->units, "min")                            ? 60
        : starts_with(c->units, "sec") || starts_with(c->units, "s ") || !strcmp(c->units, "s") || c->units[0] == 0 ? 1
                                                                                                                    : 0;
    if (unit == 0)
        return bad_unit(r, c, "s, minutes, hours or days, with or without 'since …',");
    bool lower = c->count > 1 && c->values[c->count - 1] < c->values[0];
    double origin = strstr(c->units, " since ") ? c->values[lower ? c->count - 1 : 0] : 0;
    for (size_t i = 0; i < c->count; i++)
        c->values[i] = unit * (c->values[i] - origin);
    return FM_OK;
}

static fm_status scale_geographic(const grid_reader *r, int role, fm_netcdf_array *c)
{
    double north, across;
    if (c->units[0] && !starts_with(c->units, "degree"))
        return bad_unit(r, c, "degrees_north or degrees_east");
    fm_earth_radii(r->latitude, &north, &across);
    double east = across * fm_cos(r->latitude); /* of the parallel */
    for (size_t i = 0; i < c->count; i++) {
        double angle = c->values[i] * FM_PI / 180 - (role == NORTH ? r->latitude : r->longitude);
        if (role == EAST)
            angle -= 2 * FM_PI * floor(angle / (2 * FM_PI) + 0.5); /* the turn nearest to the origin */
        c->values[i] = angle * (role == NORTH ? north : east);
    }
    return FM_OK;
}

static fm_status scale_metres(const grid_reader *r, fm_netcdf_array *c)
{
    double unit = !strcmp(c->units, "km")                                                           ? 1000
                  : c->units[0] == 0 || ONE_OF(c->units, "m", "meter", "metre", "meters", "metres") ? 1
                                                                                                    : 0;
    if (unit == 0)
        return bad_unit(r, c, "m or km");
    if (ONE_OF(c->positive, "up"))
        unit = -unit;
    for (size_t i = 0; i < c->count; i++)
        c->values[i] *= unit;
    return FM_OK;
}

/* Reverses a decreasing axis; refuses one that is not monotonic. */
static fm_status order_axis(const grid_reader *r, const fm_netcdf_array *c, axis *a)
{
    a->reversed = c->count > 1 && c->values[1] < c->values[0];
    for (size_t i = 0; a->reversed && i < c->count / 2; i++) {
        double swap = c->values[i];
        c->values[i] = c->values[c->count - 1 - i];
        c->values[c->count - 1 - i] = swap;
    }
    for (size_t i = 1; i < c->count; i++)
        if (!(c->values[i] > c->values[i - 1]))
            return fm_fail_at(r->file.error, FM_ERR_RANGE, r->file.path, 0,
                              "coordinate '%s' is not monotonic: must increase or decrease throughout (near value %zu)",
                              c->name, i);
    a->nodes = c->values;
    a->count = c->count;
    return FM_OK;
}

static fm_status read_axis(grid_reader *r, int dimension)
{
    fm_netcdf_array c;
    fm_status status = fm_netcdf_read_coordinate(&r->file, dimension, r->arena, &c);
    if (status != FM_OK)
        return status;
    bool geographic;
    int role = role_of(&c, &geographic);
    if (role == AXES)
        return fm_fail_at(r->file.error, FM_ERR_NAME, r->file.path, 0,
                          "coordinate '%s' is none of time, depth, latitude, longitude, x, y", c.name);
    if (r->axes[role].dimension >= 0)
        return fm_fail_at(r->file.error, FM_ERR_SYNTAX, r->file.path, 0,
                          "coordinate '%s' is a second axis of the same kind", c.name);
    status = role == TIME ? scale_time(r, &c) : geographic ? scale_geographic(r, role, &c) : scale_metres(r, &c);
    r->axes[role].dimension = dimension;
    r->axes[role].geographic = geographic;
    return status == FM_OK ? order_axis(r, &c, &r->axes[role]) : status;
}

static fm_status read_axes(grid_reader *r, const fm_netcdf_array *u)
{
    for (int i = 0; i < AXES; i++)
        r->axes[i] = (axis){.dimension = -1, .count = 1};
    for (int i = 0; i < u->rank; i++) {
        fm_status status = read_axis(r, u->dimension[i]);
        if (status != FM_OK)
            return status;
    }
    if (r->axes[NORTH].dimension < 0 || r->axes[EAST].dimension < 0)
        return fm_fail_at(r->file.error, FM_ERR_SYNTAX, r->file.path, 0,
                          "'%s' needs two horizontal axes: latitude and longitude, or x and y", u->name);
    if (r->axes[NORTH].geographic != r->axes[EAST].geographic)
        return fm_fail_at(r->file.error, FM_ERR_SYNTAX, r->file.path, 0,
                          "'%s' has one axis in degrees and one in metres", u->name);
    for (int i = 0; i < AXES; i++)
        if (!r->axes[i].nodes && !(r->axes[i].nodes = fm_arena_alloc(r->arena, sizeof(double))))
            return fm_fail_at(r->file.error, FM_ERR_MEMORY, r->file.path, 0, "no memory for an axis");
    return FM_OK;
}

/* Copies one velocity component into place, whatever the file's order of axes; missing values become 0. */
static fm_status place_component(const grid_reader *r, const fm_netcdf_array *u, int component, double sign,
                                 double (*velocity)[3])
{
    size_t step[AXES] = {0}, stride = 1;
    for (int i = u->rank; i-- > 0; stride *= u->length[i])
        for (int a = 0; a < AXES; a++)
            if (r->axes[a].dimension == u->dimension[i])
                step[a] = stride;
    const axis *ax = r->axes;
    size_t total = ax[TIME].count * ax[DEPTH].count * ax[NORTH].count * ax[EAST].count;
    for (size_t n = 0; n < total; n++) {
        size_t rest = n, from = 0;
        for (int a = AXES; a-- > 0; rest /= ax[a].count) {
            size_t i = rest % ax[a].count;
            from += step[a] * (ax[a].reversed ? ax[a].count - 1 - i : i);
        }
        double value = isnan(u->values[from]) ? 0 : sign * u->values[from];
        if (!(fabs(value) <= 100))
            return fm_fail_at(r->file.error, FM_ERR_RANGE, r->file.path, 0,
                              "%s[%zu] is %g m/s: must be at most 100 m/s", u->name, from, value);
        velocity[n][component] = value;
    }
    return FM_OK;
}

static fm_status check_shape(const grid_reader *r, const fm_netcdf_array *u, const fm_netcdf_array *v)
{
    bool same = u->rank == v->rank;
    for (int i = 0; same && i < u->rank; i++)
        same = u->dimension[i] == v->dimension[i];
    if (!same)
        return fm_fail_at(r->file.error, FM_ERR_SYNTAX, r->file.path, 0, "'%s' and '%s' have different dimensions",
                          u->name, v->name);
    if (v->units[0] && !ONE_OF(v->units, "m/s", "m s-1", "m s^-1", "m.s-1", "meter second-1", "meters/second"))
        return bad_unit(r, v, "m/s");
    return FM_OK;
}

static const char *const east_standard[] = {"eastward_sea_water_velocity", "sea_water_x_velocity", NULL};
static const char *const east_names[] = {"u", "uo", "water_u", NULL};
static const char *const north_standard[] = {"northward_sea_water_velocity", "sea_water_y_velocity", NULL};
static const char *const north_names[] = {"v", "vo", "water_v", NULL};
static const char *const up_standard[] = {"upward_sea_water_velocity", NULL};
static const char *const up_names[] = {"w", "wo", NULL};

static fm_status read_variable(grid_reader *r, const char *what, const char *const *standard, const char *const *names,
                               fm_netcdf_array *out)
{
    int variable;
    fm_status status = fm_netcdf_find(&r->file, what, standard, names, &variable);
    return status == FM_OK ? fm_netcdf_read(&r->file, variable, &r->scratch, out) : status;
}

/* In a file over x (north) and y (east), u is along x; over latitude and longitude, u is eastward. */
static bool first_is_east(const grid_reader *r, const fm_netcdf_array *u)
{
    return r->axes[NORTH].geographic || !strcmp(u->standard_name, "eastward_sea_water_velocity");
}

static fm_status read_velocity(grid_reader *r, double (**velocity)[3])
{
    fm_netcdf_array u, v, w;
    fm_status status = read_variable(r, "eastward velocity", east_standard, east_names, &u);
    if (status == FM_OK)
        status = read_variable(r, "northward velocity", north_standard, north_names, &v);
    if (status == FM_OK)
        status = read_axes(r, &u);
    if (status == FM_OK)
        status = check_shape(r, &u, &u);
    if (status == FM_OK)
        status = check_shape(r, &u, &v);
    if (status != FM_OK)
        return status;
    if (!(*velocity = fm_arena_alloc(r->arena, u.count * sizeof **velocity)))
        return fm_fail_at(r->file.error, FM_ERR_MEMORY, r->file.path, 0, "no memory for %zu velocities", u.count);
    int east = first_is_east(r, &u) ? 1 : 0;
    status = place_component(r, &u, east, 1, *velocity);
    if (status == FM_OK)
        status = place_component(r, &v, 1 - east, 1, *velocity);
    if (status != FM_OK || !fm_netcdf_has(&r->file, up_standard, up_names))
        return status;
    status = read_variable(r, "upward velocity", up_standard, up_names, &w);
    if (status == FM_OK)
        status = check_shape(r, &u, &w);
    return status == FM_OK ? place_component(r, &w, 2, -1, *velocity) : status;
}

fm_status fm_current_grid_read_netcdf(fm_current_grid *grid, const char *path, double latitude, double longitude,
                                      fm_arena *arena, fm_error *error)
{
    grid_reader r = {.arena = arena, .latitude = latitude, .longitude = longitude};
    double(*velocity)[3] = NULL;
    fm_status status = fm_netcdf_open(&r.file, path, error);
    if (status != FM_OK)
        return status;
    status = read_velocity(&r, &velocity);
    fm_netcdf_close(&r.file);
    fm_arena_free(&r.scratch);
    if (status != FM_OK)
        return status;
    const axis *a = r.axes;
    *grid = (fm_current_grid){a[TIME].count,  a[DEPTH].count, a[NORTH].count,
                              a[EAST].count,  a[TIME].nodes,  a[DEPTH].nodes,
                              a[NORTH].nodes, a[EAST].nodes,  (const double(*)[3])velocity};
    return FM_OK;
}
