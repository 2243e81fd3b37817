/* Exports logs as CSV (one file per channel) or NetCDF (one group per channel, CF conventions). */
#ifndef FM_TELEMETRY_EXPORT_H
#define FM_TELEMETRY_EXPORT_H

#include "telemetry/layout.h"
#include "telemetry/mcap_reader.h"

typedef struct fm_export_options {
    const fm_mcap_channel *const *channels; /* NULL: all */
    size_t channel_count;
    void (*note)(void *context, const char *text); /* receives what is left out and why; may be NULL */
    void *context;
    int covariances; /* also in CSV; always in NetCDF */
    int ned;         /* vectors and attitudes in NED and forward-starboard-down; 0: as in the log */
} fm_export_options;

typedef struct fm_export_result {
    size_t channels;
    uint64_t rows, values;
} fm_export_result;

/* Writes DIR/phoenix.odometry.csv etc.; creates the folder if it is missing. The first line names the columns: "time
 * [s]", then paths with units. Sequences of more than 4096 values are left out, with a note. */
fm_status fm_export_csv(fm_mcap_reader *reader, const char *folder, const fm_export_options *options,
                        fm_export_result *result, fm_error *error);

/* FM_ERR_MISSING in a build without NetCDF. */
fm_status fm_export_netcdf(fm_mcap_reader *reader, const char *path, const fm_export_options *options,
                           fm_export_result *result, fm_error *error);

/* The tracks of all vehicles in the root of an open NetCDF file: trajectories of the CF conventions. */
fm_status fm_export_netcdf_root(fm_mcap_reader *reader, int file, fm_error *error);

/* --- shared by both formats
 * ---------------------------------------------------------------------------------------- */

enum { FM_EXPORT_COLUMNS = 4096 };

/* One channel on its way out. */
typedef struct fm_export_channel {
    const fm_mcap_channel *channel;
    const fm_message *type;
    fm_layout layout;
    size_t rows;    /* messages */
    char name[200]; /* of the file or group: letters, digits, '.', '_', '-' */
    void *output;   /* of the format */
} fm_export_channel;

typedef struct fm_export_set {
    fm_export_channel *items;
    size_t count;
    int32_t *by_id; /* index by channel id; -1: not exported */
} fm_export_set;

/* The selected channels that have messages and can be decoded, with finished layouts (one pass over the log). */
fm_status fm_export_prepare(fm_mcap_reader *reader, const fm_export_options *options, char separator,
                            fm_export_set *set, fm_error *error);
void fm_export_set_free(fm_export_set *set);

#endif
