/* Results of a sweep: a NetCDF file, a table, and during the sweep a journal that survives a crash.
 *
 * NetCDF: a dimension `run`; every varied parameter and every metric a variable of it, with unit, long name and
 * path; `seed` and `outcome` are variables too. Series are variables over `run` and `time`. */
#ifndef FM_STUDIES_RESULT_H
#define FM_STUDIES_RESULT_H

#include <stdio.h>

#include "studies/sweep.h"

/* --- the journal: one record per run, in the order in which they ended --- */

typedef struct fm_journal {
    int file; /* -1: closed */
    char path[4096];
    double *record;
    size_t words;    /* of a record */
    bool empty;      /* it holds no run */
    fm_error failed; /* the first write that failed */
} fm_journal;

/* PATH.journal, locked while it is open. With `resume` the runs of an earlier journal are loaded into the sweep;
 * without it an earlier journal is refused. */
fm_status fm_journal_open(fm_journal *journal, const char *result, fm_sweep *sweep, bool resume, fm_error *error);
/* Adds a run that has ended; failures are recorded in `failed`. */
void fm_journal_add(fm_journal *journal, const fm_sweep *sweep, size_t run);
/* Closes; `remove` if its runs are in a result. A journal without runs is removed in any case. */
void fm_journal_close(fm_journal *journal, bool remove);

/* --- the result --- */

/* All or nothing. FM_ERR_MISSING in a build without NetCDF. `command` is stored in the file. */
fm_status fm_sweep_write_netcdf(const fm_sweep *sweep, const char *path, const char *command, fm_error *error);
/* Loads the runs of a result of the same plan; a missing file is not an error. */
fm_status fm_sweep_take_netcdf(fm_sweep *sweep, const char *path, fm_error *error);
void fm_sweep_write_csv(const fm_sweep *sweep, FILE *out);

/* --- reading results, for plots --- */

typedef struct fm_result_variable {
    char name[160]; /* "/snookie/approach/angle", "snookie.min_clearance" */
    char unit[FM_AXIS_UNIT], text[256];
    double *values; /* a run each */
    char **words;   /* of a parameter that is a text: its values are indices in this list; NULL: none */
    size_t word_count;
    bool input; /* a varied parameter */
    bool drawn; /* from a distribution */
} fm_result_variable;

/* A number of each run over time. */
typedef struct fm_result_series {
    char name[160], unit[FM_AXIS_UNIT], text[256];
    double *values; /* [run][sample]; NaN: none, as after the end of a run */
} fm_result_series;

typedef struct fm_result {
    fm_arena arena;
    fm_result_series *series;
    size_t series_count, samples; /* samples: of each series */
    double *times;                /* of the samples, s */
    fm_result_variable *variables;
    size_t variable_count, runs, finished;
    uint8_t *outcomes;
    char title[256], command[4096];
    char design[16]; /* as fm_design_name; "": not known */
    size_t drawn;    /* its pairs of points, or paths; other designs: runs of a combination */
} fm_result;

fm_status fm_result_read(fm_result *result, const char *path, fm_error *error);
void fm_result_free(fm_result *result);

#endif
