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
    FM_DESIGN_SALTELLI, /* for Sobol indices: `runs` pairs of points, each with one point per axis */
    FM_DESIGN_MORRIS,   /* for elementary effects: `runs` paths, on which one axis after the other changes */
    FM_DESIGN_POINTS    /* the i-th values of all axes together, `runs` times each */
} fm_design;

typedef enum fm_axis_kind {
    FM_AXIS_NUMBERS, /* a list or a range */
    FM_AXIS_WORDS,   /* a list of texts; their values are their indices in it, from 0 */
    /* distributions: plan_distribution.c */
    FM_AXIS_NORMAL,
    FM_AXIS_TRUNCATED, /* normal, within two bounds */
    FM_AXIS_LOGNORMAL,
    FM_AXIS_UNIFORM,
    FM_AXIS_TRIANGULAR,
    FM_AXIS_KINDS
} fm_axis_kind;

enum { FM_AXES_MOST = 128, FM_AXIS_PATH = 512, FM_AXIS_UNIT = 48, FM_AXIS_GIVEN = 4 };

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
    double given[FM_AXIS_GIVEN]; /* numbers of the distribution, as written; in `unit` */
    bool seed;                   /* the seed of a run: needs no new model */
} fm_sweep_axis;

typedef struct fm_sweep_plan {
    fm_arena arena;
    fm_sweep_axis axes[FM_AXES_MOST];
    size_t axis_count;
    fm_design design;
    size_t runs;       /* of each combination (factorial), or in all */
    uint64_t seed;     /* of the first run, and of what is drawn */
    size_t total;      /* runs in all; after fm_plan_close */
    size_t cells;      /* combinations of the listed values */
    size_t points;     /* FM_DESIGN_POINTS: how many; 0: as many as the first axis has values */
    size_t point_axes; /* the first axes, whose values are those of the points of a file */
    uint32_t **order;  /* Latin hypercube: for each axis a permutation of the runs */
    /* [axis][FM_AXES_MOST], of the normal numbers that the draws of two axes come from; NULL: they are independent */
    double *correlation;
    double *factor; /* its Cholesky factor; after fm_plan_close */
} fm_sweep_plan;

/* Adds "PATH=A:B:STEP", "PATH=a,b,c" or "PATH~DISTRIBUTION(…)", with an optional unit after
 * the numbers. */
fm_status fm_plan_vary(fm_sweep_plan *plan, const char *text, fm_error *error);
/* Correlates the draws of two axes that were added: "PATH,PATH=0.7". */
fm_status fm_plan_correlate(fm_sweep_plan *plan, const char *text, fm_error *error);
/* Axes without correlations, if it has none yet. */
fm_status fm_plan_begin_correlation(fm_sweep_plan *plan, fm_error *error);
/* Adds one normal axis per parameter of a result of `fathom identify --json`, with their correlations (plan_fit.c). */
fm_status fm_plan_vary_fit(fm_sweep_plan *plan, const char *file, fm_error *error);
/* The same from its text; `file` is for messages. */
fm_status fm_plan_parse_fit(fm_sweep_plan *plan, const char *file, const char *text, fm_error *error);
/* Adds the columns of a table, or the inputs of a result of a sweep, that are named by a path ("/v/mass/mass [kg]"):
 * one point per row. The design becomes FM_DESIGN_POINTS (plan_points.c). */
fm_status fm_plan_vary_points(fm_sweep_plan *plan, const char *file, fm_error *error);
/* Call when all axes, design, runs and seed are set. */
fm_status fm_plan_close(fm_sweep_plan *plan, fm_error *error);
void fm_plan_free(fm_sweep_plan *plan);

/* Whether its values are drawn from a distribution. */
static inline bool fm_axis_drawn(const fm_sweep_axis *axis)
{
    return axis->kind >= FM_AXIS_NORMAL;
}
/* Runs that belong together, with one seed: those of a pair of points, or of a path; 1 with other designs. */
size_t fm_plan_group(const fm_sweep_plan *plan);

/* The value of each axis in a run. */
void fm_plan_values(const fm_sweep_plan *plan, size_t run, double *values);
/* Stream of the random numbers of a run: the axis that is the seed, or the plan's and the number of the run in its
 * cell. */
uint64_t fm_plan_seed(const fm_sweep_plan *plan, size_t run);
/* A value in the syntax of a file or --set: "15 deg". Returns `buffer`. */
const char *fm_axis_write(const fm_sweep_axis *axis, double value, char *buffer, size_t size);
/* "sobol": as --design has it. */
const char *fm_design_name(fm_design design);
/* The axes as one text, equal for equal plans; free with fm_free. NULL: no memory. */
char *fm_plan_write(const fm_sweep_plan *plan);

/* --- numbers that fill a cube (plan_draw.c) --- */

/* Coordinate `axis` of point `i` of the Sobol sequence, 0 … 2^32 − 1 for 0 … 1; axis < FM_SOBOL_AXES. */
uint32_t fm_sobol_point(size_t axis, uint32_t i);
/* Quantile of the normal distribution (mean 0, deviation 1); 0 < part < 1. */
double fm_normal_quantile(double part);
/* Part of the normal distribution below x. */
double fm_normal_part(double x);
/* A number in (0, 1) for an axis of a run; on a path of Morris 0 and 1 too. */
double fm_plan_draw(const fm_sweep_plan *plan, size_t axis, size_t run);
fm_status fm_plan_shuffle(fm_sweep_plan *plan, fm_error *error);
/* The Cholesky factor of the correlations. */
fm_status fm_plan_factorise(fm_sweep_plan *plan, fm_error *error);
/* On a path of Morris an axis moves by this part of its range. */
#define FM_MORRIS_STEP (2.0 / 3)

/* --- distributions (plan_distribution.c) --- */

/* Reads "normal(m,s)" and the like, of which `take` reads a number and moves the text; NULL: fine, else what is wrong.
 */
const char *fm_distribution_read(fm_sweep_axis *axis, const char *text,
                                 bool (*take)(const char **at, const char *ends, double *number, fm_sweep_axis *axis));
/* The value below which this part of its draws lies, 0 … 1. */
double fm_distribution_quantile(const fm_sweep_axis *axis, double part);
/* Name and number of the given numbers: "normal", 2. */
const char *fm_distribution_name(fm_axis_kind kind, size_t *count);
/* For CF: "truncated_normal". */
const char *fm_distribution_sampling(fm_axis_kind kind);

#endif
