/* Fields and arrivals as NetCDF-4 after the CF conventions. */
#include <netcdf.h>
#include <string.h>

#include "acoustics/sound_file.h"
#include "base/outfile.h"

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
        code = nc_put_var1_double(file, range, &i, &(double){fm_field_range(o, i)});
    for (size_t k = 0; k < o->rows && !code; k++)
        code = nc_put_var1_double(file, depth, &k, &(double){fm_field_depth(o, k)});
    return code ? code : nc_put_var_double(file, losses, loss);
}

fm_status fm_field_write_netcdf(const char *path, const fm_field_options *o, double source, const double *loss,
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
    int dimension, ids[FM_ARRIVAL_COLUMNS], code = nc_def_dim(file, "arrival", count, &dimension);
    for (size_t k = 0; k < FM_ARRIVAL_COLUMNS && !code; k++) /* a variable must not be called as the dimension */
        code =
            define(file, strcmp(fm_arrival_columns[k].name, "arrival") ? fm_arrival_columns[k].name : "arrival_angle",
                   fm_arrival_columns[k].unit, fm_arrival_columns[k].text, 1, &dimension, &ids[k]);
    code = code ? code : nc_enddef(file);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < FM_ARRIVAL_COLUMNS && !code; k++)
            code = nc_put_var1_double(file, ids[k], &i, &(double){fm_arrival_number(&arrivals[i], absorption, k)});
    return code;
}

fm_status fm_arrivals_write_netcdf(const char *path, const fm_arrival *arrivals, size_t count, double absorption,
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
