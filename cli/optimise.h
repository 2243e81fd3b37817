/* `fathom optimise`: its options, its result, and declarations shared by its files. */
#ifndef CLI_OPTIMISE_H
#define CLI_OPTIMISE_H

#include "options.h"
#include "ranks.h"
#include "scenario.h"
#include "studies/search.h"

typedef struct cli_optimise_options {
    cli_scenario scenario;
    cli_list vary, minimise, maximise, constraints;
    double duration, step; /* s; part of a range */
    int64_t generations, population, restarts, noise_runs, seed, threads;
    int backend;
    const char *out, *csv, *title;
    bool pareto, resume, json, quiet, dark;
} cli_optimise_options;

typedef struct cli_optimise_case {
    const cli_optimise_options *o;
    cli_ranks *ranks;
    fm_model *model;
    fm_search *search;
    char journal[4096]; /* "": none */
    bool broken;        /* a rank was lost */
    atomic_int stop;
} cli_optimise_case;

/* Text or JSON on standard output; a table of points (optimise_report.c). */
void cli_optimise_print(const cli_optimise_case *c);
fm_status cli_optimise_table(const cli_optimise_case *c, fm_error *error);
/* Costs over evaluations and the values of each parameter, or the front. */
fm_status cli_optimise_draw(const cli_optimise_options *options, const fm_search *search, fm_error *error);

#endif
