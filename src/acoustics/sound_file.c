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

double fm_field_range(const fm_field_options *o, size_t column)
{
    return o->range * ((double)column + 0.5) / (double)o->columns;
}

double fm_field_depth(const fm_field_options *o, size_t row)
{
    return o->depth * ((double)row + 0.5) / (double)o->rows;
}

/* --- properties of an arrival --- */

const fm_arrival_column fm_arrival_columns[FM_ARRIVAL_COLUMNS] = {
    {"time", "s", "travel time"},
    {"launch", "rad", "angle at the source, downwards positive"},
    {"arrival", "rad", "angle at the receiver, downwards positive"},
    {"loss", "dB", "transmission loss against 1 m"},
    {"phase", "rad", "turn of phase by reflections and caustics"},
    {"length", "m", "length of the ray"},
    {"surface", "", "reflections at the surface"},
    {"bottom", "", "reflections at the bottom"},
    {"caustics", "", "caustics that the ray has touched"}};

double fm_arrival_number(const fm_arrival *a, double absorption, size_t column)
{
    const double all[FM_ARRIVAL_COLUMNS] = {a->time,
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
            fprintf(out.file, "%.12g,%.12g,%.9g\n", fm_field_range(o, i), fm_field_depth(o, k),
                    loss[k * o->columns + i]);
    return fm_outfile_close(&out, error);
}

static fm_status write_arrivals_csv(const char *path, const fm_arrival *arrivals, size_t count, double absorption,
                                    fm_error *error)
{
    fm_outfile out;
    fm_status status = fm_outfile_open(&out, path, error);
    if (status != FM_OK)
        return status;
    for (size_t k = 0; k < FM_ARRIVAL_COLUMNS; k++)
        fprintf(out.file, fm_arrival_columns[k].unit[0] ? "%s%s [%s]" : "%s%s", k ? "," : "",
                fm_arrival_columns[k].name, fm_arrival_columns[k].unit);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < FM_ARRIVAL_COLUMNS; k++)
            fprintf(out.file, "%s%.12g", k ? "," : "\n", fm_arrival_number(&arrivals[i], absorption, k));
    fprintf(out.file, "\n");
    return fm_outfile_close(&out, error);
}

fm_status fm_field_write(const char *path, const fm_field_options *options, double source_depth, const double *loss,
                         fm_error *error)
{
    return ends_with(path, ".nc") ? fm_field_write_netcdf(path, options, source_depth, loss, error)
                                  : write_field_csv(path, options, loss, error);
}

fm_status fm_arrivals_write(const char *path, const fm_arrival *arrivals, size_t count, double absorption,
                            fm_error *error)
{
    return ends_with(path, ".nc") ? fm_arrivals_write_netcdf(path, arrivals, count, absorption, error)
                                  : write_arrivals_csv(path, arrivals, count, absorption, error);
}
