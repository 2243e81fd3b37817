#include "ocean/netcdf_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ocean/netcdf_classic.h"

#include <netcdf.h>

#include "ocean/netcdf_trial.h"

enum { MOST_VALUES = 1 << 27 }; /* 1 GiB of doubles */

static fm_status library_failure(const fm_netcdf *file, int code, const char *doing)
{
    return fm_fail_at(file->error, FM_ERR_FILE, file->path, 0, "%s: %s", doing, nc_strerror(code));
}

static fm_status check_length(const char *path, fm_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return fm_fail_at(error, FM_ERR_FILE, path, 0, "cannot be opened");
    fm_status status = fm_netcdf_classic_check(file, path, error);
    fclose(file);
    return status;
}

fm_status fm_netcdf_open(fm_netcdf *file, const char *path, fm_error *error)
{
    *file = (fm_netcdf){.id = -1, .path = path, .error = error};
    fm_status status = check_length(path, error);
    if (status == FM_OK)
        status = fm_netcdf_trial(path, error);
    if (status != FM_OK)
        return status;
    int code = nc_open(path, NC_NOWRITE, &file->id);
    if (code != NC_NOERR) {
        file->id = -1;
        return library_failure(file, code, "cannot open as NetCDF");
    }
    return FM_OK;
}

void fm_netcdf_close(fm_netcdf *file)
{
    if (file->id >= 0)
        nc_close(file->id);
    file->id = -1;
}

/* A text attribute, cut to size; empty where absent or not text. */
static void text_attribute(const fm_netcdf *file, int variable, const char *name, char *out, size_t size)
{
    nc_type type;
    size_t length;
    out[0] = 0;
    if (nc_inq_att(file->id, variable, name, &type, &length) != NC_NOERR || type != NC_CHAR || length >= size)
        return;
    if (nc_get_att_text(file->id, variable, name, out) != NC_NOERR)
        length = 0;
    out[length] = 0;
}

static bool number_attribute(const fm_netcdf *file, int variable, const char *name, double *value)
{
    nc_type type;
    size_t length;
    if (nc_inq_att(file->id, variable, name, &type, &length) != NC_NOERR || type == NC_CHAR || length != 1)
        return false;
    return nc_get_att_double(file->id, variable, name, value) == NC_NOERR;
}

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(word, *list))
            return true;
    return false;
}

static int find(const fm_netcdf *file, const char *const *standard_names, const char *const *names)
{
    int count = 0;
    char text[NC_MAX_NAME + 1];
    nc_inq_nvars(file->id, &count);
    for (int v = 0; v < count; v++) {
        text_attribute(file, v, "standard_name", text, sizeof text);
        if (text[0] && is_one_of(text, standard_names))
            return v;
    }
    for (int v = 0; v < count; v++)
        if (nc_inq_varname(file->id, v, text) == NC_NOERR && is_one_of(text, names))
            return v;
    return -1;
}

bool fm_netcdf_has(const fm_netcdf *file, const char *const *standard_names, const char *const *names)
{
    return find(file, standard_names, names) >= 0;
}

fm_status fm_netcdf_find(const fm_netcdf *file, const char *what, const char *const *standard_names,
                         const char *const *names, int *variable)
{
    *variable = find(file, standard_names, names);
    if (*variable >= 0)
        return FM_OK;
    return fm_fail_at(file->error, FM_ERR_NAME, file->path, 0,
                      "no variable for %s: must be the name '%s' or the standard_name '%s' (and their usual variants)",
                      what, names[0], standard_names[0]);
}

/* Name, shape and attributes of a variable; refuses text, too many dimensions and too many values. */
static fm_status inquire(const fm_netcdf *file, int variable, fm_netcdf_array *out)
{
    nc_type type;
    int code = nc_inq_var(file->id, variable, out->name, &type, &out->rank, NULL, NULL);
    if (code != NC_NOERR)
        return library_failure(file, code, "cannot inspect a variable");
    if (type == NC_CHAR || type > NC_UINT64 || type == NC_STRING)
        return fm_fail_at(file->error, FM_ERR_SYNTAX, file->path, 0, "variable '%s' does not hold numbers", out->name);
    if (out->rank < 1 || out->rank > FM_NETCDF_RANK)
        return fm_fail_at(file->error, FM_ERR_SYNTAX, file->path, 0, "variable '%s' has %d dimensions: must be 1 … %d",
                          out->name, out->rank, FM_NETCDF_RANK);
    code = nc_inq_vardimid(file->id, variable, out->dimension);
    out->count = 1;
    for (int i = 0; i < out->rank && code == NC_NOERR; i++) {
        code = nc_inq_dimlen(file->id, out->dimension[i], &out->length[i]);
        if (code == NC_NOERR && (out->length[i] == 0 || out->length[i] > MOST_VALUES / out->count))
            return fm_fail_at(file->error, FM_ERR_RANGE, file->path, 0, "variable '%s' has %s", out->name,
                              out->length[i] ? "more than 134217728 values" : "no values");
        out->count *= code == NC_NOERR ? out->length[i] : 1;
    }
    text_attribute(file, variable, "units", out->units, sizeof out->units);
    text_attribute(file, variable, "standard_name", out->standard_name, sizeof out->standard_name);
    text_attribute(file, variable, "positive", out->positive, sizeof out->positive);
    return code == NC_NOERR ? FM_OK : library_failure(file, code, out->name);
}

static void unpack(const fm_netcdf *file, int variable, fm_netcdf_array *array)
{
    double fill, missing, scale = 1, offset = 0;
    bool has_fill = number_attribute(file, variable, "_FillValue", &fill);
    bool has_missing = number_attribute(file, variable, "missing_value", &missing);
    number_attribute(file, variable, "scale_factor", &scale);
    number_attribute(file, variable, "add_offset", &offset);
    for (size_t i = 0; i < array->count; i++) {
        double *v = &array->values[i];
        if ((has_fill && *v == fill) || (has_missing && *v == missing))
            *v = NAN;
        else
            *v = *v * scale + offset;
    }
}

fm_status fm_netcdf_read(const fm_netcdf *file, int variable, fm_arena *arena, fm_netcdf_array *out)
{
    *out = (fm_netcdf_array){0};
    fm_status status = inquire(file, variable, out);
    if (status != FM_OK)
        return status;
    out->values = fm_arena_alloc(arena, out->count * sizeof *out->values);
    if (!out->values)
        return fm_fail_at(file->error, FM_ERR_MEMORY, file->path, 0, "no memory for the %zu values of '%s'", out->count,
                          out->name);
    int code = nc_get_var_double(file->id, variable, out->values);
    if (code != NC_NOERR)
        return library_failure(file, code, out->name);
    unpack(file, variable, out);
    return FM_OK;
}

fm_status fm_netcdf_read_coordinate(const fm_netcdf *file, int dimension, fm_arena *arena, fm_netcdf_array *out)
{
    char name[NC_MAX_NAME + 1] = "";
    int variable;
    nc_inq_dimname(file->id, dimension, name);
    if (nc_inq_varid(file->id, name, &variable) != NC_NOERR)
        return fm_fail_at(file->error, FM_ERR_NAME, file->path, 0,
                          "dimension '%s' has no coordinate variable of that name", name);
    fm_status status = fm_netcdf_read(file, variable, arena, out);
    if (status == FM_OK && (out->rank != 1 || out->dimension[0] != dimension))
        return fm_fail_at(file->error, FM_ERR_SYNTAX, file->path, 0,
                          "coordinate '%s' is not one-dimensional: must have one dimension", name);
    for (size_t i = 0; status == FM_OK && i < out->count; i++)
        if (!isfinite(out->values[i]))
            return fm_fail_at(file->error, FM_ERR_RANGE, file->path, 0,
                              "coordinate '%s' has a missing or non-finite value at %zu", name, i);
    return status;
}
