/* `fathom identify`: its options, and declarations shared by its files. */
#ifndef CLI_IDENTIFY_H
#define CLI_IDENTIFY_H

#include "options.h"
#include "scenario.h"
#include "studies/fit.h"

typedef struct cli_identify_options {
    cli_scenario scenario;
    cli_list data, fit, maps, inputs, sigmas, where, between, skip, priors, biases, delays;
    const char *time, *out, *csv, *title, *save, *set_list;
    double from, to, segment, check; /* s, s, s, % */
    int start, loss;                 /* fm_fit_start, fm_fit_loss */
    int64_t threads, iterations, searches;
    bool json, quiet, dark, resume;
} cli_identify_options;

/* Text or JSON on standard output; a table of rows. */
void cli_identify_print(const cli_identify_options *options, const fm_fit *fit);
fm_status cli_identify_table(const cli_identify_options *options, const fm_fit *fit, fm_error *error);
/* The scenario with the values found, as one file; or "--set" and the value, one per line. */
fm_status cli_identify_save(const cli_identify_options *options, const fm_fit *fit, fm_error *error);
fm_status cli_identify_list(const cli_identify_options *options, const fm_fit *fit, fm_error *error);

/* Data, fit and residuals, as a figure or a page by the suffix of its name. */
fm_status cli_identify_draw(const cli_identify_options *options, const fm_fit *fit, fm_error *error);

#endif
