/* --metric of `fathom run`: expressions about the run (ask/probe.h). */
#ifndef CLI_METRICS_H
#define CLI_METRICS_H

#include <fathom/fathom.h>
#include <stdio.h>

typedef struct cli_metrics cli_metrics;

/* Evaluates expressions at every step of a run. */
fm_status cli_metrics_attach(fm_run *run, const char *const *texts, size_t count, cli_metrics **metrics,
                             fm_error *error);
/* After the run; NULL is allowed. */
void cli_metrics_free(cli_metrics *metrics);
size_t cli_metrics_count(const cli_metrics *metrics);
const char *cli_metrics_name(const cli_metrics *metrics, size_t i);
/* The answer so far: SI; NaN: unknown. */
double cli_metrics_value(const cli_metrics *metrics, size_t i);
/* One line for each: "far = 14.6 m"; NULL: none. */
void cli_metrics_print(const cli_metrics *metrics, FILE *out);

#endif
