/* Archived telemetry of a real vehicle: a record (table, NetCDF, log, or lines of NAME=VALUE) as the motion of a
 * vehicle over time, for overlays on a run (telemetry/overlay.h). docs/records.md lists the names. */
#ifndef FM_ANALYSIS_ARCHIVE_H
#define FM_ANALYSIS_ARCHIVE_H

#include "analysis/record.h"
#include "telemetry/overlay.h"

#include <fathom/frames.h>

/* Maps a column to a quantity, if its name does not do so. */
typedef struct fm_archive_map {
    const char *quantity; /* "depth" */
    const char *column;
    double factor, shift; /* column · factor + shift is in SI, if `scaled`; otherwise its unit decides */
    int scaled;
} fm_archive_map;

typedef struct fm_archive_options {
    const char *vehicle; /* of a log: channel /VEHICLE/odom, or else the only Odometry */
    fm_record_options record;
    const fm_geodetic *origin; /* of the scenario, for latitude and longitude; NULL: not known */
    double offset;             /* s, added to its times */
    double gap;                /* s: samples farther apart are a gap; 0: FM_ARCHIVE_GAP */
    const fm_archive_map *maps;
    size_t map_count;
} fm_archive_options;

#define FM_ARCHIVE_GAP 5.0

typedef struct fm_archive {
    fm_record_series series[FM_KINEMATICS_COUNT]; /* SI, only samples with a value; count 0: not in the record */
    size_t at[FM_KINEMATICS_COUNT];               /* where the last answer was found */
    double first, last;                           /* s, with the offset */
    double offset, gap;
    fm_arena arena;
} fm_archive;

/* Free the archive in any case. */
fm_status fm_archive_read(fm_archive *archive, const char *file, const fm_archive_options *options, fm_error *error);
void fm_archive_free(fm_archive *archive);
/* The measurement at a time, linear between samples, angles the shorter way. Returns the number of quantities. */
size_t fm_archive_at(fm_archive *archive, double time, fm_kinematics *motion);
/* The source of an overlay; takes ownership of the archive, which was allocated with fm_alloc. */
fm_overlay_source fm_archive_source(fm_archive *archive);
/* "north east depth heading": its quantities. */
void fm_archive_list(const fm_archive *archive, char *text, size_t size);

/* The offset within `reach` s that best fits the motion of the model, from the quantity with the highest correlation;
 * `model`: series by quantity, count 0: none. Applies the offset. */
fm_status fm_archive_align(fm_archive *archive, const fm_record_series model[FM_KINEMATICS_COUNT], double reach,
                           double *correlation, fm_kinematics_quantity *by, fm_error *error);

#endif
