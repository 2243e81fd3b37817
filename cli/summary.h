/* The JSON summary of a run. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include <fathom/fathom.h>
#include <stdio.h>

#include "metrics.h"

/* At the end of the run, writes one JSON object into a file ("-": standard output): ending ("finished", "interrupted"
 * or "failed", then with the error), duration, steps, real_time_factor, state_hash, metrics.NAME (of --metric;
 * `metrics` NULL: none), vehicles.NAME. *seconds is then the wall-clock time of the run. Prints errors. */
fm_status cli_summary_attach(fm_run *run, const char *file, const double *seconds, const cli_metrics *metrics,
                             fm_error *error);
/* A number as JSON: null if it is not finite. */
void cli_json_number(FILE *out, double value);
void cli_json_text(FILE *out, const char *text);
/* `, "name": value`, in the shortest form that reads back the same. */
void cli_json_member(FILE *out, const char *name, double value);
/* `{"path": …, "unit": …`, the beginning of a parameter; members follow. */
void cli_json_parameter(FILE *out, const char *path, const char *unit);

#endif
