/* `fathom identify`: its options, and declarations shared by its files. */
#ifndef CLI_IDENTIFY_H
#define CLI_IDENTIFY_H

#include "options.h"
#include "scenario.h"
#include "studies/fit.h"

typedef struct cli_identify_options {
    cli_scenario scenario;
    cli_list data, fit, maps, inputs, sigmas, where, between, skip;
    const char *time, *out, *csv, *title;
    double from, to, segment, check; /* s, s, s, % */
    int start;                       /* CLI_START_… */
    int64_t threads, iterations, searches;
    bool json, quiet, dark;
} cli_identify_options;

enum { CLI_START_AUTO, CLI_START_SCENARIO, CLI_START_DATA, CLI_START_STATE };

/* Text or JSON on standard output; a table of rows. */
void cli_identify_print(const cli_identify_options *options, const fm_fit *fit);
fm_status cli_identify_table(const cli_identify_options *options, const fm_fit *fit, fm_error *error);
/* One line per warning about the reliability of the intervals; returns their number. */
size_t cli_identify_warn(const fm_fit *fit, void (*line)(void *user, const char *text), void *user);

/* Data, fit and residuals, as a figure or a page by the suffix of its name. */
fm_status cli_identify_draw(const cli_identify_options *options, const fm_fit *fit, fm_error *error);

#endif
