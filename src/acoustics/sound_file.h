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

#endif
