/* Fields and arrivals as files: CSV, and NetCDF after the CF conventions, by the ending of the name. */
#ifndef FM_ACOUSTICS_SOUND_FILE_H
#define FM_ACOUSTICS_SOUND_FILE_H

#include "acoustics/eigenray.h"
#include "acoustics/field.h"

/* Whether a name ends in ".csv" or ".nc". */
int fm_sound_file_is_table(const char *path);

/* CSV: "range [m],depth [m],loss [dB]", one row per cell, by range and then by depth. NetCDF: loss over depth and
 * range. Places are the centres of cells. */
fm_status fm_field_write(const char *path, const fm_field_options *options, double source_depth, const double *loss,
                         fm_error *error);
/* One row per arrival, or a dimension `arrival`. `absorption` (dB/m) is added to losses. */
fm_status fm_arrivals_write(const char *path, const fm_arrival *arrivals, size_t count, double absorption,
                            fm_error *error);

/* The same, as NetCDF. */
fm_status fm_field_write_netcdf(const char *path, const fm_field_options *options, double source_depth,
                                const double *loss, fm_error *error);
fm_status fm_arrivals_write_netcdf(const char *path, const fm_arrival *arrivals, size_t count, double absorption,
                                   fm_error *error);

/* The centre of a cell of a field (m). */
double fm_field_range(const fm_field_options *options, size_t column);
double fm_field_depth(const fm_field_options *options, size_t row);

/* The numbers of an arrival, in the order of the columns of a file. */
enum { FM_ARRIVAL_COLUMNS = 9 };
typedef struct fm_arrival_column {
    const char *name, *unit, *text;
} fm_arrival_column;
extern const fm_arrival_column fm_arrival_columns[FM_ARRIVAL_COLUMNS];
double fm_arrival_number(const fm_arrival *arrival, double absorption, size_t column);

#endif
