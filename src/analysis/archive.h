/* Archived telemetry of a real vehicle: a record (table, NetCDF, log, or lines of NAME=VALUE) as the motion of a
 * vehicle over time, to be laid over a run (telemetry/overlay.h). docs/records.md lists the names. */
#ifndef FM_ANALYSIS_ARCHIVE_H
#define FM_ANALYSIS_ARCHIVE_H

#include "analysis/record.h"
#include "telemetry/overlay.h"

#include <fathom/frames.h>

/* Which column is a quantity, where its name does not say so. */
typedef struct fm_archive_map {
    const char *quantity; /* "depth" */
    const char *column;
    double factor, shift; /* column · factor + shift is in SI, where `scaled`; else its unit says how */
    int scaled;
} fm_archive_map;

typedef struct fm_archive_options {
    const char *vehicle; /* of a log: that of channel /VEHICLE/odom, or else of the only Odometry */
    fm_record_options record;
    const fm_geodetic *origin; /* of the scenario, for latitude and longitude; NULL: not known */
    double offset;             /* s, added to its times */
    double gap;                /* s: between samples farther apart nothing was measured; 0: FM_ARCHIVE_GAP */
    const fm_archive_map *maps;
    size_t map_count;
} fm_archive_options;

#define FM_ARCHIVE_GAP 5.0

typedef struct fm_archive {
    fm_record_series series[FM_KINEMATICS_COUNT]; /* SI, samples with a value only; count 0: not in the record */
    size_t at[FM_KINEMATICS_COUNT];               /* where the last answer was found */
    double first, last;                           /* s, with the offset */
    double offset, gap;
    fm_arena arena;
} fm_archive;

/* Free the archive whatever comes back. */
fm_status fm_archive_read(fm_archive *archive, const char *file, const fm_archive_options *options, fm_error *error);
void fm_archive_free(fm_archive *archive);
/* What was measured at a time, along straight lines between samples, angles the short way. Returns the number of
 * quantities. */
size_t fm_archive_at(fm_archive *archive, double time, fm_kinematics *motion);
/* The source of an overlay; it owns the archive, which fm_alloc has given. */
fm_overlay_source fm_archive_source(fm_archive *archive);
/* "north east depth heading": the quantities that it has. */
void fm_archive_list(const fm_archive *archive, char *text, size_t size);

/* The offset within `reach` s at which it fits the motion of the model best, by the quantity that correlates best;
 * `model`: series by quantity, count 0: none. It is put into force. */
fm_status fm_archive_align(fm_archive *archive, const fm_record_series model[FM_KINEMATICS_COUNT], double reach,
                           double *correlation, fm_kinematics_quantity *by, fm_error *error);

#endif
