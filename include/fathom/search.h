/* Searches: values of parameters, within bounds, that minimise one or several numbers under constraints. As
 * `fathom optimise` does it (docs/sweeps.md): with one objective CMA-ES, with restarts; with several a Pareto front
 * (NSGA-II). The same options and the same values give the same points, on any number of threads.
 *
 * With a model the runs are made here:
 *
 *     static const char *const vary[] = {"/remus/avoid/gain=2:10"}, *const most[] = {"remus.min_altitude"};
 *     fm_search_options options = {
 *         .size = sizeof options, .vary = vary, .vary_count = 1, .maximise = most, .maximise_count = 1, .threads = 8};
 *     fm_search *search = fm_search_create(model, &options, &error);
 *     if (fm_search_run(search, &error) == FM_OK && fm_search_best(search) < fm_search_count(search))
 *         … fm_search_points(search)[fm_search_best(search)] …
 *     fm_search_free(search);
 *
 * Without a model the caller evaluates the points:
 *
 *     while ((count = fm_search_ask(search, points, room)) > 0) {
 *         … values[i] = cost of points[i] …
 *         fm_search_tell(search, values, count, &error);
 *     }
 */
#ifndef FATHOM_SEARCH_H
#define FATHOM_SEARCH_H

#include <fathom/study.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A search and all points that it has tried. One thread may use it at a time, except where "any thread" is said. */
typedef struct fm_search fm_search;

/* Zero-initialise for the defaults and set `size`. Read only during fm_search_create, which copies it; `user` is
 * passed on. */
typedef struct fm_search_options {
    size_t size;                 /* sizeof(fm_search_options) */
    const fm_load_options *load; /* as the model was loaded; NULL: no options. `report` and `warn` are not used */
    /* Parameters, each between two numbers: "PATH=A:B UNIT". Without a model any name and any unit. At most 32. */
    const char *const *vary;
    size_t vary_count;
    /* Where the search starts, in the units of `vary`; NULL: at the values of the model, or in the middle. */
    const double *start;
    /* What becomes small or great, each "VEHICLE.METRIC", a shell pattern (the mean of all matches) or an expression
     * (docs/expressions.md), with an optional weight: "10*remus.late_pitch_pp". None: the caller evaluates the points
     * with fm_search_ask and fm_search_tell. */
    const char *const *minimise;
    size_t minimise_count;
    const char *const *maximise;
    size_t maximise_count;
    /* What has to hold, each a comparison of expressions, "max(remus.z) < 10 m", or another condition. */
    const char *const *constraints;
    size_t constraint_count;
    size_t told_objectives;  /* without goals: values per point that the caller reports; 0: 1 */
    size_t told_constraints; /* without goals: further values per point, each fulfilled where it is at most 0 */
    int pareto;              /* 1: each goal is an objective of its own; 0: their weighted sum is the only one */
    size_t generations;      /* at most, in each search; 0: 60 */
    size_t population;       /* points per generation, 4 … 128; 0: 4 + 3 ln(parameters), or 40 for a front */
    double step;             /* first steps, as a fraction of each range; 0: 0.2 */
    size_t restarts;   /* further searches from other starts, each with twice the population (IPOP), at most 128 */
    size_t noise_runs; /* runs per point, with seeds that count up; their mean counts; 0: 1 */
    int seeded;        /* 1: random numbers and runs follow from `seed`; 0: from the scenario's, or 1 */
    uint64_t seed;
    double duration; /* s; 0: the scenario's */
    int threads;     /* 0 or 1: the calling thread alone */
    fm_study_backend backend;
    int single; /* 1: float instead of double, in lanes or on a GPU */
    /* A file that records every run as it ends; NULL: none. `resume`: the runs that it holds are not made again, and
     * the search goes on as if it had not been interrupted; 0: an existing file is refused. */
    const char *journal;
    int resume;
    /* After each generation, by the thread that reports its values; a result other than 0 cancels. May be NULL. */
    int (*progress)(void *user, const fm_search *search);
    void *user;
} fm_search_options;

/* Creates a search that has not begun. `model` NULL: fm_search_run is refused. The model must outlive it. Free it with
 * fm_search_free. NULL and *error where an option is refused. */
FM_API fm_search *fm_search_create(const fm_model *model, const fm_search_options *options, fm_error *error);
/* Frees a search; NULL is allowed. */
FM_API void fm_search_free(fm_search *search);

/* Makes the runs of all generations until the search ends. FM_ERR_CANCELLED: fm_search_cancel or `progress` ended it;
 * its points remain. A run that fails is no error here: its point is worse than all others. */
FM_API fm_status fm_search_run(fm_search *search, fm_error *error);
/* Writes the points of the next generation into `points`, [point][parameter] in the units of `vary`, and returns their
 * number; 0: the search has ended. The same points again until their values are reported. `room` is the number of
 * points that fit: if it is less than fm_search_ready, the result is 0. */
FM_API size_t fm_search_ask(fm_search *search, double *points, size_t room);
/* The number of points that the next fm_search_ask returns; 0: the search has ended. It may differ between
 * generations. */
FM_API size_t fm_search_ready(const fm_search *search);
/* Reports the values of the `count` points last asked for, [point][value]: the objectives, which become small, then the
 * constraints, which are fulfilled at most 0. NaN: the point failed. */
FM_API fm_status fm_search_tell(fm_search *search, const double *values, size_t count, fm_error *error);
/* Ends fm_search_run as soon as possible; present runs are abandoned. Any thread, also a signal handler. */
FM_API void fm_search_cancel(fm_search *search);

/* --- what it searches --- */

/* The number of parameters: the columns of the points. */
FM_API size_t fm_search_parameter_count(const fm_search *search);
/* The path of a parameter; NULL: no such parameter. */
FM_API const char *fm_search_parameter_name(const fm_search *search, size_t parameter);
/* Its unit; "": none; NULL: no such parameter. */
FM_API const char *fm_search_parameter_unit(const fm_search *search, size_t parameter);
/* The number of objectives: the first columns of the values. */
FM_API size_t fm_search_objective_count(const fm_search *search);
/* The number of constraints: the other columns. */
FM_API size_t fm_search_constraint_count(const fm_search *search);
/* The name of a column of the values: "-remus.min_altitude", "max(remus.z) < 10 m"; NULL: no such column. */
FM_API const char *fm_search_value_name(const fm_search *search, size_t column);

/* --- what it has found --- */

/* The number of points with values so far. */
FM_API size_t fm_search_count(const fm_search *search);
/* All of them, [point][parameter] in the units of `vary`; valid until the next fm_search_tell or fm_search_run. */
FM_API const double *fm_search_points(const fm_search *search);
/* Their values, [point][objective, then constraint]; valid as long. NaN: the point failed. */
FM_API const double *fm_search_values(const fm_search *search);
/* 1: a point fulfils all constraints and did not fail; 0 otherwise, or out of range. */
FM_API int fm_search_feasible(const fm_search *search, size_t point);
/* The best point: feasible, with the least first objective; without a feasible one that with the least violation.
 * SIZE_MAX: none. */
FM_API size_t fm_search_best(const fm_search *search);
/* The feasible points that no other one is better than in all objectives, in order of the first objective: writes at
 * most `room` of them and returns their number. With one objective: the best one. */
FM_API size_t fm_search_front(const fm_search *search, size_t *points, size_t room);
/* Generations with values so far, of all searches. */
FM_API size_t fm_search_generations(const fm_search *search);
/* The generation of a point, and from it on of which search (0: the first, then restarts); 0: out of range. */
FM_API size_t fm_search_generation_of(const fm_search *search, size_t point, size_t *restart);
/* Present width of the distribution, in ranges; of a front: NaN. */
FM_API double fm_search_width(const fm_search *search);
/* Runs made so far, those of a journal included. */
FM_API size_t fm_search_runs(const fm_search *search);
/* Why it ended: "the search has converged"; "": it goes on. */
FM_API const char *fm_search_ended(const fm_search *search);
/* What makes the runs: "simd avx2 double"; "": none was made. */
FM_API const char *fm_search_engine(const fm_search *search);

#ifdef __cplusplus
}
#endif
#endif
