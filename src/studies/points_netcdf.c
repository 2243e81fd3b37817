/* Points of a plan from a NetCDF file. */
#include <math.h>
#include <netcdf.h>
#include <string.h>

#include "base/error.h"
#include "studies/points.h"

static fm_status failed(int code, const fm_points *p, fm_error *error)
{
    return fm_fail(error, FM_ERR_LIBRARY, "%s: NetCDF: %s", p->file, nc_strerror(code));
}

static void get_text(int file, int variable, const char *name, char *text, size_t size)
{
    size_t length;
    nc_type type;
    text[0] = 0;
    if (nc_inq_att(file, variable, name, &type, &length) != NC_NOERR || type != NC_CHAR || length >= size ||
        nc_get_att_text(file, variable, name, text) != NC_NOERR)
        length = 0;
    text[length] = 0;
}

/* The words that the numbers of a variable are the places of, as fathom sweep writes them. */
static int get_words(int file, int id, fm_points *p, fm_points_column *c)
{
    size_t count;
    if (nc_inq_attlen(file, id, "words", &count) != NC_NOERR || count == 0 || count > 100000)
        return NC_NOERR;
    char **words = fm_alloc(count * sizeof *words);
    c->words = fm_arena_alloc(p->arena, count * sizeof *c->words);
    int code = words && c->words ? nc_get_att_string(file, id, "words", words) : NC_ENOMEM;
    for (size_t i = 0; i < count && !code; i++)
        if (!(c->words[i] = fm_arena_text(p->arena, words[i] ? words[i] : "")))
            code = NC_ENOMEM;
    if (words && !code)
        nc_free_string(count, words);
    fm_free(words);
    c->word_count = count;
    return code;
}

static fm_status check_values(const fm_points *p, const fm_points_column *c, fm_error *error)
{
    for (size_t i = 0; i < p->rows; i++) {
        const double v = c->values[i];
        if (!isfinite(v) || (c->words && !(v >= 0 && v < (double)c->word_count && floor(v) == v)))
            return fm_fail(error, FM_ERR_SYNTAX, "%s: '%s' has no value in row %zu", p->file, c->path, i);
    }
    return FM_OK;
}

static fm_status take_variable(int file, int id, fm_points *p, fm_error *error)
{
    int dimensions = 0, dimension[NC_MAX_VAR_DIMS];
    size_t rows = 0;
    char path[FM_AXIS_PATH];
    get_text(file, id, "path", path, sizeof path);
    if (path[0] != '/' || nc_inq_varndims(file, id, &dimensions) != NC_NOERR || dimensions != 1)
        return FM_OK;
    if (p->count == FM_AXES_MOST)
        return fm_fail(error, FM_ERR_FULL, "%s: more than %d parameters", p->file, FM_AXES_MOST);
    fm_points_column *c = &p->columns[p->count];
    memcpy(c->path, path, sizeof path);
    get_text(file, id, "unit_as_written", c->unit, sizeof c->unit);
    if (!c->unit[0])
        get_text(file, id, "units", c->unit, sizeof c->unit);
    int code = nc_inq_vardimid(file, id, dimension);
    code = code ? code : nc_inq_dimlen(file, dimension[0], &rows);
    if (!code && p->count && rows != p->rows)
        return fm_fail(error, FM_ERR_SYNTAX, "%s: '%s' has %zu values: must be %zu, as '%s' has", p->file, path, rows,
                       p->rows, p->columns[0].path);
    p->rows = rows;
    c->values = fm_arena_alloc(p->arena, (rows + 1) * sizeof *c->values);
    code = code ? code : c->values ? nc_get_var_double(file, id, c->values) : NC_ENOMEM;
    code = code ? code : get_words(file, id, p, c);
    p->count++;
    return code ? failed(code, p, error) : check_values(p, c, error);
}

fm_status fm_points_read_netcdf(fm_points *points, fm_error *error)
{
    int file, count = 0;
    const int code = nc_open(points->file, NC_NOWRITE, &file);
    if (code)
        return failed(code, points, error);
    nc_inq_nvars(file, &count);
    fm_status status = FM_OK;
    for (int i = 0; i < count && status == FM_OK; i++)
        status = take_variable(file, i, points, error);
    nc_close(file);
    if (status == FM_OK && (points->count == 0 || points->rows == 0))
        status =
            fm_fail(error, FM_ERR_SYNTAX,
                    "%s: no variable of one dimension has an attribute 'path' with the path of a parameter, such as "
                    "'/v/mass/mass'",
                    points->file);
    return status;
}
