/* Shared by the files of `fathom sweep`. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "options.h"
#include "scenario.h"
#include "studies/sweep.h"

typedef struct cli_sweep_options {
    cli_scenario scenario;
    cli_list vary, fits, correlations, metrics, series, records;
    const char *points;
    int design, backend, precision;
    int64_t runs, seed, threads; /* 0, -1, 0: not given */
    double duration;             /* s; NaN: the scenario's */
    const char *every;           /* NULL: not given */
    const char *out, *csv;
    bool resume, quiet;
} cli_sweep_options;

/* Fills the plan with all that varies; false: it has printed why not. */
bool cli_sweep_plan(const cli_sweep_options *options, const fm_model *model, fm_sweep_plan *plan);
/* Reads --every (NULL: not given) into *every, s. */
bool cli_sweep_every(const char *text, double *every);
/* "rov.x,hypot(rov.x, rov.y)": commas between brackets separate nothing. Returns the memory of the names; NULL: it has
 * printed why not. */
char *cli_sweep_series(const cli_list *given, cli_list *names);

/* Whether the runs of --record are runs of the plan and their logs can be written. */
bool cli_sweep_records_ready(const cli_sweep_options *options, const fm_sweep *sweep);
/* Makes the runs of --record once more, each with its log. */
bool cli_sweep_record(const cli_sweep_options *options, fm_sweep *sweep);

#endif
