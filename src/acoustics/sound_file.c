#include "acoustics/sound_file.h"

#include <stdio.h>
#include <string.h>

#include "base/outfile.h"

static int ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a > b && strcmp(text + a - b, end) == 0;
}

int fm_sound_file_is_table(const char *path)
{
    return ends_with(path, ".csv") || ends_with(path, ".nc");
}

static double range_of(const fm_field_options *o, size_t column)
{
    return o->range * ((double)column + 0.5) / (double)o->columns;
}

static double depth_of(const fm_field_options *o, size_t row)
{
    return o->depth * ((double)row + 0.5) / (double)o->rows;
}

/* --- what is known of an arrival --- */

enum { NUMBERS = 9 };
static const struct {
    const char *name, *unit, *text;
} columns[NUMBERS] = {{"time", "s", "travel time"},
                      {"launch", "rad", "angle at the source, downwards positive"},
                      {"arrival", "rad", "angle at the receiver, downwards positive"},
                      {"loss", "dB", "transmission loss against 1 m"},
                      {"phase", "rad", "turn of phase by reflections and caustics"},
                      {"length", "m", "length of the ray"},
                      {"surface", "", "reflections at the surface"},
                      {"bottom", "", "reflections at the bottom"},
                      {"caustics", "", "caustics that the ray has touched"}};

static double number_of(const fm_arrival *a, double absorption, size_t column)
{
    const double all[NUMBERS] = {a->time,
                                 a->launch,
                                 a->arrival,
                                 a->loss + absorption * a->length,
                                 a->phase,
                                 a->length,
                                 (double)a->surface,
                                 (double)a->bottom,
                                 (double)a->caustics};
    return all[column];
}

/* --- CSV --- */

static fm_status write_field_csv(const char *path, const fm_field_options *o, const double *loss, fm_error *error)
{
    fm_outfile out;
    fm_status status = fm_outfile_open(&out, path, error);
    if (status != FM_OK)
        return status;
    fprintf(out.file, "range [m],depth [m],loss [dB]\n");
    for (size_t i = 0; i < o->columns; i++)
        for (size_t k = 0; k < o->rows; k++)
            fprintf(out.file, "%.12g,%.12g,%.9g\n", range_of(o, i), depth_of(o, k), loss[k * o->columns + i]);
    return fm_outfile_close(&out, error);
}

static fm_status write_arrivals_csv(const char *path, const fm_arrival *arrivals, size_t count, double absorption,
                                    fm_error *error)
{
    fm_outfile out;
    fm_status status = fm_outfile_open(&out, path, error);
    if (status != FM_OK)
        return status;
    for (size_t k = 0; k < NUMBERS; k++)
        fprintf(out.file, columns[k].unit[0] ? "%s%s [%s]" : "%s%s", k ? "," : "", columns[k].name, columns[k].unit);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < NUMBERS; k++)
            fprintf(out.file, "%s%.12g", k ? "," : "\n", number_of(&arrivals[i], absorption, k));
    fprintf(out.file, "\n");
    return fm_outfile_close(&out, error);
}

/* --- NetCDF --- */

#ifndef FM_HAVE_NETCDF

static fm_status tell_missing(const char *path, fm_error *error)
{
    return fm_fail(error, FM_ERR_MISSING, "%s: this build has no NetCDF (libnetcdf-dev was not there)", path);
}

static fm_status write_field_netcdf(const char *path, const fm_field_options *o, double source, const double *loss,
                                    fm_error *error)
{
    (void)o, (void)source, (void)loss;
    return tell_missing(path, error);
}

static fm_status write_arrivals_netcdf(const char *path, const fm_arrival *arrivals, size_t count, double absorption,
                                       fm_error *error)
{
    (void)arrivals, (void)count, (void)absorption;
    return tell_missing(path, error);
}

#else

#include <netcdf.h>

static int put_text(int file, int variable, const char *name, const char *text)
{
    return nc_put_att_text(file, variable, name, strlen(text), text);
}

static int define(int file, const char *name, const char *unit, const char *text, int count, const int *dimensions,
                  int *id)
{
    int code = nc_def_var(file, name, NC_DOUBLE, count, dimensions, id);
    code = code ? code : put_text(file, *id, "long_name", text);
    return code ? code : put_text(file, *id, "units", unit[0] ? unit : "1");
}

static int begin(const fm_outfile *out, const char *title, int *file)
{
    int code = nc_create(fm_outfile_name(out), NC_CLOBBER | NC_NETCDF4, file);
    code = code ? code : put_text(*file, NC_GLOBAL, "Conventions", "CF-1.10");
    code = code ? code : put_text(*file, NC_GLOBAL, "title", title);
    return code ? code : put_text(*file, NC_GLOBAL, "source", "fathom " FATHOM_VERSION);
}

static fm_status end(fm_outfile *out, int file, int code, fm_error *error)
{
    int closed = file >= 0 ? nc_close(file) : 0;
    code = code ? code : closed;
    if (!code)
        return fm_outfile_close(out, error);
    fm_status status = fm_fail(error, FM_ERR_LIBRARY, "%s: NetCDF: %s", out->path, nc_strerror(code));
    fm_outfile_abandon(out);
    return status;
}

static int put_field(int file, const fm_field_options *o, double source, const double *loss)
{
    int sizes[2], range, depth, losses;
    int code = nc_def_dim(file, "depth", o->rows, &sizes[0]);
    code = code ? code : nc_def_dim(file, "range", o->columns, &sizes[1]);
    code = code ? code : define(file, "range", "m", "range from the source", 1, &sizes[1], &range);
    code = code ? code : define(file, "depth", "m", "depth", 1, &sizes[0], &depth);
    code = code ? code : put_text(file, depth, "positive", "down");
    code = code ? code : define(file, "loss", "dB", "transmission loss against 1 m", 2, sizes, &losses);
    code = code ? code : nc_put_att_double(file, NC_GLOBAL, "source_depth", NC_DOUBLE, 1, &source);
    code = code ? code : nc_put_att_double(file, NC_GLOBAL, "frequency", NC_DOUBLE, 1, &o->frequency);
    code = code ? code : nc_enddef(file);
    for (size_t i = 0; i < o->columns && !code; i++)
        code = nc_put_var1_double(file, range, &i, &(double){range_of(o, i)});
    for (size_t k = 0; k < o->rows && !code; k++)
        code = nc_put_var1_double(file, depth, &k, &(double){depth_of(o, k)});
    return code ? code : nc_put_var_double(file, losses, loss);
}

static fm_status write_field_netcdf(const char *path, const fm_field_options *o, double source, const double *loss,
                                    fm_error *error)
{
    fm_outfile out;
    int file = -1;
    fm_status status = fm_outfile_open(&out, path, error);
    if (status != FM_OK)
        return status;
    int code = begin(&out, "transmission loss of a source of sound", &file);
    return end(&out, file, code ? code : put_field(file, o, source, loss), error);
}

static int put_arrivals(int file, const fm_arrival *arrivals, size_t count, double absorption)
{
    int dimension, ids[NUMBERS], code = nc_def_dim(file, "arrival", count, &dimension);
    for (size_t k = 0; k < NUMBERS && !code; k++) /* a variable must not be called as the dimension */
        code = define(file, strcmp(columns[k].name, "arrival") ? columns[k].name : "arrival_angle", columns[k].unit,
                      columns[k].text, 1, &dimension, &ids[k]);
    code = code ? code : nc_enddef(file);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < NUMBERS && !code; k++)
            code = nc_put_var1_double(file, ids[k], &i, &(double){number_of(&arrivals[i], absorption, k)});
    return code;
}

static fm_status write_arrivals_netcdf(const char *path, const fm_arrival *arrivals, size_t count, double absorption,
                                       fm_error *error)
{
    fm_outfile out;
    int file = -1;
    fm_status status = fm_outfile_open(&out, path, error);
    if (status != FM_OK)
        return status;
    int code = begin(&out, "rays of sound that meet a receiver", &file);
    return end(&out, file, code ? code : put_arrivals(file, arrivals, count, absorption), error);
}

#endif

fm_status fm_field_write(const char *path, const fm_field_options *options, double source_depth, const double *loss,
                         fm_error *error)
{
    return ends_with(path, ".nc") ? write_field_netcdf(path, options, source_depth, loss, error)
                                  : write_field_csv(path, options, loss, error);
}

fm_status fm_arrivals_write(const char *path, const fm_arrival *arrivals, size_t count, double absorption,
                            fm_error *error)
{
    return ends_with(path, ".nc") ? write_arrivals_netcdf(path, arrivals, count, absorption, error)
                                  : write_arrivals_csv(path, arrivals, count, absorption, error);
}
