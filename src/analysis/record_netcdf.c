/* Time-dependent variables of a NetCDF file: those with one dimension that has a time coordinate, and with two if the
 * second is short. Packed values (scale_factor, add_offset) are unpacked, missing ones (_FillValue) are NaN. */
#include "analysis/record.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"

#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <strings.h>

#include "base/units.h"

enum { SERIES_MOST = 4096, WIDTH_MOST = 64, GROUPS_MOST = 1024 };

typedef struct nc_group {
    fm_record *record;
    const fm_record_options *options;
    int id;
    char path[300];  /* "/phoenix/odom."; "": the root */
    int time, along; /* variable and dimension of time; -1: none */
    double *t;       /* s */
    size_t rows;
    fm_error *error;
} nc_group;

static fm_status nc_failed(const nc_group *g, int code, const char *what)
{
    return fm_fail(g->error, FM_ERR_LIBRARY, "%s: NetCDF, %s: %s", g->record->file, what, nc_strerror(code));
}

static void read_text(int group, int variable, const char *attribute, char *text, size_t size)
{
    size_t length;
    nc_type type;
    *text = 0;
    if (nc_inq_att(group, variable, attribute, &type, &length) == NC_NOERR && type == NC_CHAR && length < size &&
        nc_get_att_text(group, variable, attribute, text) == NC_NOERR)
        text[length] = 0;
}

static double read_number(int group, int variable, const char *attribute, double otherwise)
{
    double value;
    size_t length;
    return nc_inq_attlen(group, variable, attribute, &length) == NC_NOERR && length == 1 &&
                   nc_get_att_double(group, variable, attribute, &value) == NC_NOERR
               ? value
               : otherwise;
}

/* All values of a variable, unpacked; NULL: no memory or no numbers. */
static double *read_values(const nc_group *g, int variable, size_t count)
{
    double *values = fm_arena_alloc(&g->record->arena, (count + 1) * sizeof *values);
    if (!values || nc_get_var_double(g->id, variable, values) != NC_NOERR)
        return NULL;
    double fill = read_number(g->id, variable, "_FillValue", NAN),
           missing = read_number(g->id, variable, "missing_value", NAN),
           factor = read_number(g->id, variable, "scale_factor", 1),
           shift = read_number(g->id, variable, "add_offset", 0);
    for (size_t i = 0; i < count; i++) {
        bool none = values[i] == fill || values[i] == missing || values[i] == NC_FILL_DOUBLE ||
                    values[i] == (double)NC_FILL_FLOAT;
        values[i] = none ? NAN : values[i] * factor + shift;
    }
    return values;
}

/* --- time --- */

static bool is_time(const nc_group *g, int variable)
{
    static const char *const usual[] = {"time", "t", "t_s", "time_s", "timestamp", "stamp", "seconds"};
    char name[NC_MAX_NAME + 1], standard[64];
    int dimensions;
    if (nc_inq_varname(g->id, variable, name) != NC_NOERR ||
        nc_inq_varndims(g->id, variable, &dimensions) != NC_NOERR || dimensions != 1)
        return false;
    if (g->options && g->options->time)
        return !strcmp(name, g->options->time);
    read_text(g->id, variable, "standard_name", standard, sizeof standard);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (!strcasecmp(name, usual[i]))
            return true;
    return !strcmp(standard, "time");
}

/* "seconds since 1970-01-01 00:00" is in s; the first word identifies days and hours. */
static double seconds_in(const char *units)
{
    static const struct {
        const char *word;
        double seconds;
    } words[] = {{"second", 1},         {"s", 1},    {"sec", 1}, {"minute", 60}, {"hour", 3600}, {"day", 86400},
                 {"millisecond", 1e-3}, {"ms", 1e-3}};
    size_t length = strcspn(units, " ");
    length -= length > 3 && units[length - 1] == 's';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == length && !strncmp(units, words[i].word, length))
            return words[i].seconds;
    return *units ? NAN : 1;
}

/* Samples with a header count at the time of its stamp, as in a log (record_log.c). */
static void use_stamps(nc_group *g)
{
    int seconds, rest;
    if (nc_inq_varid(g->id, "header_stamp_sec", &seconds) != NC_NOERR ||
        nc_inq_varid(g->id, "header_stamp_nanosec", &rest) != NC_NOERR)
        return;
    double *s = read_values(g, seconds, g->rows), *ns = read_values(g, rest, g->rows);
    for (size_t i = 0; s && ns && i < g->rows; i++) {
        s[i] += 1e-9 * ns[i];
        if (!fm_record_is_sample_time(s[i], g->t[i]) || (i && !(s[i] > s[i - 1])))
            return;
    }
    g->t = s && ns ? s : g->t;
}

static fm_status read_time(nc_group *g)
{
    int variables = 0;
    char units[200];
    g->time = -1;
    nc_inq_nvars(g->id, &variables);
    for (int i = 0; i < variables && g->time < 0; i++)
        g->time = is_time(g, i) ? i : -1;
    if (g->time < 0)
        return FM_OK;
    int code = nc_inq_vardimid(g->id, g->time, &g->along);
    if (code != NC_NOERR || (code = nc_inq_dimlen(g->id, g->along, &g->rows)) != NC_NOERR)
        return nc_failed(g, code, "the time");
    if (!(g->t = read_values(g, g->time, g->rows)))
        return fm_fail(g->error, FM_ERR_MEMORY, "%s: no memory for %zu times", g->record->file, g->rows);
    read_text(g->id, g->time, "units", units, sizeof units);
    double factor = seconds_in(units);
    if (isnan(factor))
        return fm_fail(g->error, FM_ERR_UNIT, "%s: the time is in '%.60s': must be a unit of time", g->record->file,
                       units);
    for (size_t i = 0; i < g->rows; i++) {
        g->t[i] *= factor;
        if (!isfinite(g->t[i]) || (i && !(g->t[i] > g->t[i - 1])))
            return fm_fail(g->error, FM_ERR_RANGE, "%s: time %zu, %.17g s, is not after the previous one",
                           g->record->file, i + 1, g->t[i]);
    }
    use_stamps(g);
    return FM_OK;
}

/* --- variables --- */

static fm_status add_series(const nc_group *g, const char *name, const char *unit, double *y)
{
    fm_record *r = g->record;
    if (r->count == SERIES_MOST)
        return FM_OK;
    r->series[r->count] = (fm_record_series){.name = fm_arena_text(&r->arena, name),
                                             .unit = fm_arena_text(&r->arena, unit),
                                             .t = g->t,
                                             .y = y,
                                             .count = g->rows};
    return r->series[r->count].name && r->series[r->count++].unit
               ? FM_OK
               : fm_fail(g->error, FM_ERR_MEMORY, "%s: out of memory", r->file);
}

/* One column of a variable of two dimensions. */
static fm_status add_column(const nc_group *g, const char *name, const char *unit, const double *all, size_t width,
                            size_t k)
{
    char numbered[NC_MAX_NAME + 400];
    double *y = fm_arena_alloc(&g->record->arena, (g->rows + 1) * sizeof *y);
    for (size_t i = 0; y && i < g->rows; i++)
        y[i] = all[i * width + k];
    snprintf(numbered, sizeof numbered, "%s[%zu]", name, k);
    return y ? add_series(g, numbered, unit, y)
             : fm_fail(g->error, FM_ERR_MEMORY, "%s: out of memory", g->record->file);
}

static fm_status read_variable(const nc_group *g, int variable)
{
    char name[NC_MAX_NAME + 1], unit[64], whole[NC_MAX_NAME + 310];
    int dimensions, along[NC_MAX_VAR_DIMS];
    size_t width = 1;
    nc_type type;
    if (nc_inq_var(g->id, variable, name, &type, &dimensions, along, NULL) != NC_NOERR || type == NC_CHAR ||
        type == NC_STRING || dimensions < 1 || dimensions > 2 || along[0] != g->along)
        return FM_OK;
    if (dimensions == 2 && (nc_inq_dimlen(g->id, along[1], &width) != NC_NOERR || width > WIDTH_MOST))
        return FM_OK;
    snprintf(whole, sizeof whole, "%s%s", g->path, name);
    read_text(g->id, variable, "units", unit, sizeof unit);
    double *all = variable == g->time ? g->t : read_values(g, variable, g->rows * width);
    if (!all)
        return fm_fail(g->error, FM_ERR_LIBRARY, "%s: '%s' cannot be read", g->record->file, whole);
    fm_status status = dimensions == 1 ? add_series(g, whole, variable == g->time ? "s" : unit, all) : FM_OK;
    for (size_t k = 0; dimensions == 2 && k < width && status == FM_OK; k++)
        status = add_column(g, whole, unit, all, width, k);
    return status;
}

static fm_status read_group(nc_group *g, int depth)
{
    int variables = 0, count = 0, groups[GROUPS_MOST];
    fm_status status = read_time(g);
    nc_inq_nvars(g->id, &variables);
    for (int i = 0; g->time >= 0 && i < variables && status == FM_OK; i++)
        status = read_variable(g, i);
    if (depth == 0 || nc_inq_grps(g->id, &count, NULL) != NC_NOERR || count > GROUPS_MOST)
        return status;
    nc_inq_grps(g->id, &count, groups);
    for (int i = 0; i < count && status == FM_OK; i++) {
        nc_group inner = {.record = g->record, .options = g->options, .id = groups[i], .error = g->error};
        char name[NC_MAX_NAME + 1] = "";
        nc_inq_grpname(groups[i], name);
        size_t length = strlen(g->path);
        snprintf(inner.path, sizeof inner.path, "%.*s/%.200s.", length ? (int)length - 1 : 0, g->path, name);
        status = read_group(&inner, depth - 1);
    }
    return status;
}

fm_status fm_record_read_netcdf(fm_record *record, const char *file, const fm_record_options *options, fm_error *error)
{
    nc_group root = {.record = record, .options = options, .error = error};
    *record = (fm_record){.file = file};
    if (options && options->where_count)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s: rows are chosen in tables (CSV) alone", file);
    record->series = fm_arena_alloc(&record->arena, SERIES_MOST * sizeof *record->series);
    if (!record->series)
        return fm_fail(error, FM_ERR_MEMORY, "%s: out of memory", file);
    int code = nc_open(file, NC_NOWRITE, &root.id);
    if (code != NC_NOERR)
        return nc_failed(&root, code, "opening it");
    fm_status status = read_group(&root, 4);
    nc_close(root.id);
    if (status == FM_OK && !record->count)
        return fm_fail(error, FM_ERR_NAME,
                       "%s: no variable of one dimension is a time (called time, t …, or named by --time-column)",
                       file);
    return status;
}
