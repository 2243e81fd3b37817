/* A search (fathom/search.h): its parameters, goals and constraints, the method that proposes points, and all points
 * with their values. Its runs are sweeps over the points of a generation. */
#ifndef FM_STUDIES_SEARCH_H
#define FM_STUDIES_SEARCH_H

#include <fathom/search.h>
#include <stdatomic.h>

#include "studies/cma.h"
#include "studies/front.h"
#include "studies/rows.h"
#include "studies/sweep.h"

enum { FM_SEARCH_GOALS = 32, FM_SEARCH_CONSTRAINTS = 32, FM_SEARCH_POINTS = 128, FM_SEARCH_COLUMNS = 4096 };

/* A parameter that varies between two numbers, in `unit`. */
typedef struct fm_search_axis {
    char path[FM_AXIS_PATH], unit[FM_AXIS_UNIT];
    double low, high, start;
    double outside; /* value of the model if it is out of range, in `unit`; NaN: it is not */
} fm_search_axis;

/* "10*remus-*.late_pitch_pp": the mean of the matches, times a weight; a negative weight maximises it. */
typedef struct fm_search_goal {
    const char *pattern;
    double weight;
    char name[256];
} fm_search_goal;

/* What has to hold, and the number that is asked of each run: at most 0 where it holds. */
typedef struct fm_search_constraint {
    const char *text;
    char asked[1200];
    bool condition; /* `asked` is a condition: 1 where it holds */
} fm_search_constraint;

/* How a constraint counts in the cost: (multiplier + weight/2 · g) g, (G8). */
typedef struct fm_search_penalty {
    double multiplier, weight, first; /* first: weight at the beginning */
    double moved;                     /* part by which the last generation changed the multiplier */
    double mean;                      /* of the constraint over the better points of the last generation */
} fm_search_penalty;

/* What one generation looked like. */
typedef struct fm_search_generation {
    size_t first, count; /* points */
    size_t restart;
    double best;  /* least cost of a feasible point so far */
    double width; /* as fm_search_width */
} fm_search_generation;

struct fm_search {
    const fm_model *model; /* NULL: the caller evaluates */
    fm_search_options options;
    fm_load_options load;
    fm_arena arena;
    fm_search_axis axes[FM_CMA_MOST];
    size_t axis_count;
    fm_search_goal goals[FM_SEARCH_GOALS];
    size_t goal_count;
    fm_search_constraint constraints[FM_SEARCH_CONSTRAINTS];
    size_t objectives, limits; /* columns of the values */
    uint64_t seed;
    fm_cma cma;
    fm_front front;
    size_t restart, since; /* searches before the present one; its generations */
    double *coordinates;   /* [point][axis]: of the generation that was asked for, as the method has them */
    double *asked;         /* the same, in units */
    bool is_asked;
    fm_search_penalty penalties[FM_SEARCH_CONSTRAINTS]; /* with one objective */
    double *points, *values;                            /* [point][axis], [point][objective, constraint] */
    size_t count, room;
    size_t best;
    size_t *front_points, front_count;
    fm_search_generation *generations;
    size_t generation_count, generation_room;
    const char *ended; /* NULL: it goes on */
    /* runs */
    double *start_values; /* [objective, constraint] of the start */
    bool started;
    size_t runs, failed;
    fm_error failure; /* the first */
    char engine[160];
    fm_rows rows;
    uint64_t ticket; /* of the sweep that is made: 0 the start, then one per generation */
    atomic_int cancelled, holders;
    _Atomic(atomic_int *) stop; /* of the sweep that is made */
    /* Makes the runs of a sweep; fm_sweep_run, unless the program has ranks. The outcomes of all runs are known
     * afterwards. */
    fm_status (*make)(void *user, fm_sweep *sweep, fm_error *error);
    void *make_user;
    bool records; /* this process has the journal */
};

/* Reads parameters, goals and constraints (search_request.c). */
fm_status fm_search_read(fm_search *search, fm_error *error);
/* Values of points, in units (search_run.c). */
fm_status fm_search_evaluate(fm_search *search, const double *points, size_t count, double *values, fm_error *error);
/* Summed violation of a row of values; HUGE_VAL: it failed. */
double fm_search_violation(const fm_search *search, const double *values);
/* Costs of a generation for CMA-ES: the objective and penalties, which are adapted first (search_cost.c): (G8). */
void fm_search_costs(fm_search *search, const double *values, size_t count, double *costs);
/* Whether the last generation left the multipliers nearly as they were, and had a feasible point. */
bool fm_search_settled(const fm_search *search);

#endif
