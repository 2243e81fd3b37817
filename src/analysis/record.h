/* Records: named values over time, from a table (CSV) or NetCDF file of any origin or from a log, and the difference
 * between two of them. The layout of tables is described in docs/records.md. */
#ifndef FM_ANALYSIS_RECORD_H
#define FM_ANALYSIS_RECORD_H

#include <stdbool.h>

#include "base/memory.h"
#include "telemetry/mcap_reader.h"

typedef struct fm_record_series {
    const char *name; /* "depth", "/phoenix/odom.pose.pose.position.down" */
    const char *unit; /* "m"; "": none is given */
    double *t, *y;    /* s, increasing; in the unit, NaN without a value */
    size_t count;
    int text_line; /* of a table: first line without a number here; 0: none */
} fm_record_series;

typedef struct fm_record {
    const char *file;
    fm_record_series *series;
    size_t count;
    fm_arena arena;
} fm_record;

typedef struct fm_record_options {
    const char *time;         /* of a table: the column of time; NULL: the one with that name */
    const char *const *where; /* of a table: "trial=3": only rows in which these columns have these numbers */
    size_t where_count;
} fm_record_options;

/* Reads a table. Errors name the file and the line. Free the record in any case. */
fm_status fm_record_parse_csv(fm_record *record, const char *bytes, size_t size, const char *file,
                              const fm_record_options *options, fm_error *error);
fm_status fm_record_read_csv(fm_record *record, const char *file, const fm_record_options *options, fm_error *error);
/* Reads the time-dependent variables of a NetCDF file; those of a group are called /GROUP.NAME. */
fm_status fm_record_read_netcdf(fm_record *record, const char *file, const fm_record_options *options, fm_error *error);
/* Chooses by the suffix of its name: .nc is NetCDF. */
fm_status fm_record_read_file(fm_record *record, const char *file, const fm_record_options *options, fm_error *error);
/* Whether the time stamp of a message can be the time of its sample: at most 10 s before it was logged; both in s. */
static inline bool fm_record_is_sample_time(double stamp, double logged)
{
    return stamp <= logged && stamp >= logged - 10;
}
/* Reads fields of a log, in our frames, called CHANNEL.FIELD: the named ones, or without names all of `topics`, or
 * without either all numbers of the log. */
fm_status fm_record_read_log(fm_record *record, fm_mcap_reader *reader, const char *file, const char *const *names,
                             size_t name_count, const char *const *topics, size_t topic_count, fm_error *error);
/* NULL: there is none. */
const fm_record_series *fm_record_find(const fm_record *record, const char *name);
void fm_record_free(fm_record *record);

/* Two series that tell the same. */
typedef struct fm_record_pair {
    const fm_record_series *ours, *theirs;
    double factor, shift; /* theirs · factor + shift is in the unit of ours */
    double turn;          /* a full turn in that unit, for an angle; 0: not an angle */
} fm_record_pair;

/* Factor and shift from the units, which must have the same dimension; 1 and 0 if one has none. */
fm_status fm_record_pair_make(const fm_record_series *ours, const fm_record_series *theirs, fm_record_pair *pair,
                              fm_error *error);

typedef struct fm_record_window {
    double offset;   /* s, added to the times of theirs */
    double rate;     /* Hz at which both are compared; 0: at the times of the one with fewer samples */
    double from, to; /* s of ours; to 0: the end */
} fm_record_window;

/* ours − theirs, in the unit of ours, over the common time span. */
typedef struct fm_record_error {
    size_t samples;
    double first, last;         /* s */
    double bias, rms;           /* mean and root mean square */
    double largest, largest_at; /* with its sign; s */
    double correlation;         /* NaN where one of them is constant */
    double *t, *ours, *theirs;  /* s, and what was compared; in the arena */
} fm_record_error;

fm_status fm_record_compare(const fm_record_pair *pair, const fm_record_window *window, fm_arena *arena,
                            fm_record_error *result, fm_error *error);

/* The offset within `reach` s of the window's at which both correlate best, over at least half of the shorter one. */
fm_status fm_record_align(const fm_record_pair *pair, const fm_record_window *window, double reach, double *offset,
                          double *correlation, fm_error *error);

#endif
