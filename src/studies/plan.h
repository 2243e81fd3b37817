/* The plan of a sweep: the varied parameters, their values, and the run of each value.
 *
 * Values of a run depend only on its number, so that every thread, process or later session computes the same ones.
 * Listed values are crossed with each other (factorial) or drawn from (random, Latin hypercube, Sobol);
 * distributions are always drawn. */
#ifndef FM_STUDIES_PLAN_H
#define FM_STUDIES_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

typedef enum fm_design {
    FM_DESIGN_FACTORIAL,
    FM_DESIGN_RANDOM,
    FM_DESIGN_LATIN,
    FM_DESIGN_SOBOL,
    FM_DESIGN_POINTS /* the i-th values of all axes together, `runs` times each */
} fm_design;

typedef enum fm_axis_kind {
    FM_AXIS_NUMBERS, /* a list or a range */
    FM_AXIS_WORDS,   /* a list of texts; their values are their indices in it, from 0 */
    FM_AXIS_NORMAL,
    FM_AXIS_UNIFORM
} fm_axis_kind;

enum { FM_AXES_MOST = 21, FM_AXIS_PATH = 512, FM_AXIS_UNIT = 48 };

/* One varied parameter. */
typedef struct fm_sweep_axis {
    char path[FM_AXIS_PATH];
    char unit[FM_AXIS_UNIT]; /* of the numbers, as written; "": none */
    const char *text;        /* description of the parameter; "" until the model is known */
    const char *vector;      /* path of the parameter that it is one number of; NULL: a whole parameter */
    fm_axis_kind kind;
    double *values; /* in `unit` */
    char **words;
    size_t count;
    double a, b; /* mean and standard deviation, or minimum and maximum; in `unit` */
    bool seed;   /* the seed of a run: needs no new model */
} fm_sweep_axis;

typedef struct fm_sweep_plan {
    fm_arena arena;
    fm_sweep_axis axes[FM_AXES_MOST];
    size_t axis_count;
    fm_design design;
    size_t runs;      /* of each combination (factorial), or in all */
    uint64_t seed;    /* of the first run, and of what is drawn */
    size_t total;     /* runs in all; after fm_plan_close */
    size_t cells;     /* combinations of the listed values */
    uint32_t **order; /* Latin hypercube: for each axis a permutation of the runs */
} fm_sweep_plan;

/* Adds "PATH=A:B:STEP", "PATH=a,b,c", "PATH~normal(m,s)" or "PATH~uniform(a,b)", with an optional unit after the
 * numbers. */
fm_status fm_plan_vary(fm_sweep_plan *plan, const char *text, fm_error *error);
/* Call when all axes, design, runs and seed are set. */
fm_status fm_plan_close(fm_sweep_plan *plan, fm_error *error);
void fm_plan_free(fm_sweep_plan *plan);

/* The value of each axis in a run. */
void fm_plan_values(const fm_sweep_plan *plan, size_t run, double *values);
/* Stream of the random numbers of a run: the axis that is the seed, or the plan's and the number of the run in its
 * cell. */
uint64_t fm_plan_seed(const fm_sweep_plan *plan, size_t run);
/* A value in the syntax of a file or --set: "15 deg". Returns `buffer`. */
const char *fm_axis_write(const fm_sweep_axis *axis, double value, char *buffer, size_t size);
/* The axes as one text, equal for equal plans; free with fm_free. NULL: no memory. */
char *fm_plan_write(const fm_sweep_plan *plan);

/* --- numbers that fill a cube (plan_draw.c) --- */

/* Coordinate `axis` of point `i` of the Sobol sequence, 0 … 2^32 − 1 for 0 … 1; axis < FM_AXES_MOST. */
uint32_t fm_sobol_point(size_t axis, uint32_t i);
/* Quantile of the normal distribution (mean 0, deviation 1); 0 < part < 1. */
double fm_normal_quantile(double part);
/* A number in (0, 1) for an axis of a run. */
double fm_plan_draw(const fm_sweep_plan *plan, size_t axis, size_t run);
fm_status fm_plan_shuffle(fm_sweep_plan *plan, fm_error *error);

#endif
