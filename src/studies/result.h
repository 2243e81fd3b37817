/* What a sweep leaves: a NetCDF file, a table, and while it goes a journal that a crash leaves behind.
 *
 * NetCDF: a dimension `run`; every varied parameter and every metric a variable of it, with unit, long name and path;
 * `seed` and `outcome` beside them. */
#ifndef FM_STUDIES_RESULT_H
#define FM_STUDIES_RESULT_H

#include <stdio.h>

#include "studies/sweep.h"

/* --- the journal: a record a run, in the order in which they ended --- */

typedef struct fm_journal {
    int file; /* -1: closed */
    char path[4096];
    double *record;
    size_t words;    /* of a record */
    bool empty;      /* it holds no run */
    fm_error failed; /* the first write that failed */
} fm_journal;

/* PATH.journal, locked while it is open. With `resume` what an earlier one holds is taken into the sweep; without it an
 * earlier one is refused. */
fm_status fm_journal_open(fm_journal *journal, const char *result, fm_sweep *sweep, bool resume, fm_error *error);
/* Adds a run that has ended; failures are kept in `failed`. */
void fm_journal_add(fm_journal *journal, const fm_sweep *sweep, size_t run);
/* Closes; `remove` where its runs are in a result. One without runs goes in any case. */
void fm_journal_close(fm_journal *journal, bool remove);

/* --- the result --- */

/* Whole or not at all. FM_ERR_MISSING in a build without NetCDF. `command` is told in the file. */
fm_status fm_sweep_write_netcdf(const fm_sweep *sweep, const char *path, const char *command, fm_error *error);
/* Takes the runs of a result of the same plan; no file is no error. */
fm_status fm_sweep_take_netcdf(fm_sweep *sweep, const char *path, fm_error *error);
void fm_sweep_write_csv(const fm_sweep *sweep, FILE *out);

/* --- reading one again, for plots --- */

typedef struct fm_result_variable {
    char name[160]; /* "/snookie/approach/angle", "snookie.min_clearance" */
    char unit[FM_AXIS_UNIT], text[256];
    double *values; /* a run each */
    char **words;   /* of a parameter that is a text: its values are places in this list; NULL: none */
    size_t word_count;
    bool input; /* a varied parameter */
    bool drawn; /* from a distribution */
} fm_result_variable;

typedef struct fm_result {
    fm_arena arena;
    fm_result_variable *variables;
    size_t variable_count, runs, finished;
    uint8_t *outcomes;
    char title[256], command[4096];
} fm_result;

fm_status fm_result_read(fm_result *result, const char *path, fm_error *error);
void fm_result_free(fm_result *result);

#endif
