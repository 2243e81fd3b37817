/* `fathom optimise`: its options, its result, and declarations shared by its files. */
#ifndef CLI_OPTIMISE_H
#define CLI_OPTIMISE_H

#include "options.h"
#include "scenario.h"
#include "studies/cma.h"
#include "studies/sweep.h"

typedef struct cli_optimise_options {
    cli_scenario scenario;
    cli_list vary, minimise, maximise;
    double duration, step; /* s; part of a range */
    int64_t generations, population, noise_runs, seed, threads;
    int backend;
    const char *out, *csv, *title;
    bool json, quiet, dark;
} cli_optimise_options;

/* A parameter that varies between two numbers, in `unit`. */
typedef struct cli_optimise_axis {
    char path[FM_AXIS_PATH], unit[FM_AXIS_UNIT];
    double low, high, start; /* start: the model's value, or the middle */
} cli_optimise_axis;

/* "10*remus-*.late_pitch_pp": the mean of the matches, times a weight; a negative weight maximises it. */
typedef struct cli_optimise_term {
    char pattern[200];
    double weight;
} cli_optimise_term;

enum { CLI_OPTIMISE_TERMS = 32 };

typedef struct cli_optimise_case {
    const cli_optimise_options *o;
    fm_model *model;
    cli_optimise_axis axes[FM_AXES_MOST];
    size_t axis_count;
    cli_optimise_term terms[CLI_OPTIMISE_TERMS];
    size_t term_count;
    fm_cma search;
    /* every point that was tried */
    double *points, *costs; /* [point][axis] in units; NaN: it failed */
    size_t count, room;
    double start_cost; /* of the values of the model */
    double *spread[2]; /* of each generation: smallest and largest valid cost */
    double *best;      /* smallest cost so far, one per generation */
    double *width;     /* of the search, part of the range */
    size_t generations;
    size_t runs, failed;
    fm_error failure; /* the first */
    char engine[160];
    atomic_int stop;
    const char *ended;
} cli_optimise_case;

/* Costs over evaluations and the values of each parameter. */
fm_status cli_optimise_draw(const cli_optimise_options *options, const cli_optimise_case *c, fm_error *error);

#endif
