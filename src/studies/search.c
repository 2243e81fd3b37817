#include "studies/search.h"

#include <math.h>
#include <sched.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "studies/options.h"

enum { RESTART = 0x69706f70u, GENERATIONS = 60, FRONT_POINTS = 40 };
#define NARROW 1e-4 /* of the ranges: a search that is narrower has converged */

/* --- create --- */

static fm_status check_options(const fm_model *model, const fm_search_options *o, fm_error *error)
{
    const size_t goals = o->minimise_count + o->maximise_count;
    if (!(o->step >= 0) || o->step > 1)
        return fm_fail(error, FM_ERR_RANGE, "step is %g: must be between 0 and 1", o->step);
    if (o->population && (o->population < 4 || o->population > FM_SEARCH_POINTS))
        return fm_fail(error, FM_ERR_RANGE, "population is %zu: must be 4 … %d", o->population, FM_SEARCH_POINTS);
    if (!(o->duration >= 0) || !isfinite(o->duration))
        return fm_fail(error, FM_ERR_RANGE, "duration is %g s: must be 0 or more", o->duration);
    if (!o->vary_count || o->vary_count > FM_CMA_MOST)
        return fm_fail(error, FM_ERR_ARGUMENT, "%zu parameters: must be 1 … %d", o->vary_count, FM_CMA_MOST);
    if (goals > FM_SEARCH_GOALS || (!goals && o->told_objectives > FM_SEARCH_GOALS))
        return fm_fail(error, FM_ERR_FULL, "more than %d goals", FM_SEARCH_GOALS);
    if (o->constraint_count > FM_SEARCH_CONSTRAINTS || o->told_constraints > FM_SEARCH_CONSTRAINTS)
        return fm_fail(error, FM_ERR_FULL, "more than %d constraints", FM_SEARCH_CONSTRAINTS);
    if (!model && (goals || o->constraint_count || o->journal))
        return fm_fail(error, FM_ERR_ARGUMENT,
                       "a search without a model makes no runs: leave goals, constraints and journal out, and "
                       "give told_objectives and told_constraints");
    if (goals && (o->told_objectives || o->told_constraints))
        return fm_fail(error, FM_ERR_ARGUMENT, "told_objectives and told_constraints are for searches without goals");
    if (!goals && o->constraint_count)
        return fm_fail(error, FM_ERR_ARGUMENT, "no goal: give minimise or maximise");
    return FM_OK;
}

static bool copy_options(fm_search *s, const fm_search_options *o)
{
    s->options = *o;
    bool fine = fm_options_copy_load(&s->arena, o->load, &s->load) &&
                fm_options_copy_texts(&s->arena, &s->options.vary, o->vary_count) &&
                fm_options_copy_texts(&s->arena, &s->options.minimise, o->minimise_count) &&
                fm_options_copy_texts(&s->arena, &s->options.maximise, o->maximise_count) &&
                fm_options_copy_texts(&s->arena, &s->options.constraints, o->constraint_count) &&
                (!o->journal || (s->options.journal = fm_arena_text(&s->arena, o->journal)));
    s->options.load = &s->load;
    s->options.generations = o->generations ? o->generations : GENERATIONS;
    s->options.step = o->step > 0 ? o->step : 0.2;
    s->options.noise_runs = o->noise_runs ? o->noise_runs : 1;
    return fine;
}

/* Columns of the values. */
static void count_values(fm_search *s)
{
    const fm_search_options *o = &s->options;
    if (s->goal_count) {
        s->objectives = o->pareto ? s->goal_count : 1;
        s->limits = o->constraint_count;
    } else {
        s->objectives = o->told_objectives ? o->told_objectives : 1;
        s->limits = o->told_constraints;
    }
}

static void begin_cma(fm_search *s)
{
    const size_t n = s->axis_count;
    double start[FM_CMA_MOST];
    for (size_t i = 0; i < n; i++) {
        const fm_search_axis *a = &s->axes[i];
        const double u = fm_random_uniform((fm_random_key){s->seed, RESTART, (uint32_t)i}, s->restart, 0);
        start[i] = fm_cma_free(s->restart ? a->low + u * (a->high - a->low) : a->start, a->low, a->high);
    }
    const uint64_t seed = s->seed + s->restart * UINT64_C(0x9e3779b97f4a7c15);
    fm_cma_begin(&s->cma, n, start, s->options.step, s->options.population, seed);
    size_t lambda = s->cma.lambda;
    for (size_t i = 0; i < s->restart && lambda < FM_SEARCH_POINTS; i++)
        lambda *= 2;
    if (s->restart)
        fm_cma_begin(&s->cma, n, start, s->options.step, lambda < FM_SEARCH_POINTS ? lambda : FM_SEARCH_POINTS, seed);
}

static bool begin_front(fm_search *s)
{
    double start[FM_CMA_MOST];
    for (size_t i = 0; i < s->axis_count; i++)
        start[i] = (s->axes[i].start - s->axes[i].low) / (s->axes[i].high - s->axes[i].low);
    return fm_front_begin(&s->front, s->axis_count, s->objectives, s->limits, start,
                          s->options.population ? s->options.population : FRONT_POINTS, s->seed);
}

static fm_status begin(fm_search *s, fm_error *error)
{
    const size_t most = FM_SEARCH_POINTS + 1;
    fm_status status = fm_search_read(s, error);
    if (status != FM_OK)
        return status;
    count_values(s);
    s->seed = s->options.seeded ? s->options.seed : s->model ? fm_model_seed(s->model) : 1;
    s->coordinates = fm_arena_alloc(&s->arena, most * s->axis_count * sizeof(double));
    s->asked = fm_arena_alloc(&s->arena, most * s->axis_count * sizeof(double));
    s->start_values = fm_arena_alloc(&s->arena, (s->objectives + s->limits) * sizeof(double));
    if (!s->coordinates || !s->asked || !s->start_values)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a search");
    if (s->objectives == 1)
        return begin_cma(s), FM_OK;
    if (s->options.restarts)
        return fm_fail(error, FM_ERR_ARGUMENT, "a search for a front has no restarts");
    return begin_front(s) ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for a search");
}

static fm_status run_sweep(void *user, fm_sweep *sweep, fm_error *error)
{
    (void)user;
    return fm_sweep_run(sweep, error);
}

fm_search *fm_search_create(const fm_model *model, const fm_search_options *options, fm_error *error)
{
    if (!options || options->size != sizeof *options) {
        fm_fail(error, FM_ERR_ARGUMENT, "options must not be NULL and their size must be %zu", sizeof *options);
        return NULL;
    }
    if (check_options(model, options, error) != FM_OK)
        return NULL;
    fm_search *s = fm_alloc(sizeof *s);
    if (!s) {
        fm_fail(error, FM_ERR_MEMORY, "no memory for a search");
        return NULL;
    }
    s->model = model;
    s->best = SIZE_MAX;
    s->rows.file = -1;
    s->make = run_sweep;
    s->records = true;
    fm_status status =
        copy_options(s, options) ? begin(s, error) : fm_fail(error, FM_ERR_MEMORY, "no memory for a search");
    if (status == FM_OK)
        return s;
    fm_search_free(s);
    return NULL;
}

void fm_search_free(fm_search *s)
{
    if (!s)
        return;
    fm_rows_close(&s->rows, false);
    fm_front_free(&s->front);
    fm_free(s->points);
    fm_free(s->values);
    fm_free(s->front_points);
    fm_free(s->generations);
    fm_arena_free(&s->arena);
    fm_free(s);
}

/* --- ask and tell --- */

size_t fm_search_ready(const fm_search *s)
{
    return !s || s->ended ? 0 : s->objectives > 1 ? s->front.size : s->cma.lambda;
}

size_t fm_search_ask(fm_search *s, double *points, size_t room)
{
    const size_t count = fm_search_ready(s);
    if (!points || room < count || !count)
        return 0;
    if (!s->is_asked && s->objectives > 1)
        fm_front_ask(&s->front, s->coordinates);
    else if (!s->is_asked)
        fm_cma_ask(&s->cma, s->coordinates);
    for (size_t k = 0; k < count * s->axis_count; k++) {
        const fm_search_axis *a = &s->axes[k % s->axis_count];
        s->asked[k] = s->objectives > 1 ? fmax(a->low, fmin(a->low + s->coordinates[k] * (a->high - a->low), a->high))
                                        : fm_cma_bounded(s->coordinates[k], a->low, a->high);
    }
    s->is_asked = true;
    memcpy(points, s->asked, count * s->axis_count * sizeof *points);
    return count;
}

static bool grow(fm_search *s, size_t more)
{
    const size_t width = s->objectives + s->limits;
    if (s->count + more > s->room) {
        size_t room = 2 * s->room + more + 256;
        double *points = fm_realloc(s->points, room * s->axis_count * sizeof *points);
        s->points = points ? points : s->points;
        double *values = points ? fm_realloc(s->values, room * width * sizeof *values) : NULL;
        s->values = values ? values : s->values;
        size_t *front = values ? fm_realloc(s->front_points, room * sizeof *front) : NULL;
        s->front_points = front ? front : s->front_points;
        if (!front)
            return false;
        s->room = room;
    }
    if (s->generation_count == s->generation_room) {
        size_t room = 2 * s->generation_room + 64;
        fm_search_generation *more_of_them = fm_realloc(s->generations, room * sizeof *more_of_them);
        if (!more_of_them)
            return false;
        s->generations = more_of_them;
        s->generation_room = room;
    }
    return true;
}

/* Feasible points by the first objective, others by their violation. */
static bool is_better(const fm_search *s, size_t a, size_t b)
{
    const size_t width = s->objectives + s->limits;
    const double *va = s->values + a * width, *vb = s->values + b * width;
    const double far = fm_search_violation(s, va), near = fm_search_violation(s, vb);
    return far > 0 || near > 0 ? far < near : va[0] < vb[0];
}

/* Keeps the points that no other one is better than, in order of the first objective; of equal ones the first. */
static void add_to_front(fm_search *s, size_t point)
{
    const size_t width = s->objectives + s->limits;
    const double *own = s->values + point * width;
    size_t kept = 0, at;
    for (size_t i = 0; i < s->front_count; i++) {
        const double *other = s->values + s->front_points[i] * width;
        if (fm_front_dominates(other, own, s->objectives) || memcmp(other, own, s->objectives * sizeof *own) == 0)
            return; /* then it is better than none of the others */
        if (!fm_front_dominates(own, other, s->objectives))
            s->front_points[kept++] = s->front_points[i];
    }
    for (at = kept; at > 0 && own[0] < s->values[s->front_points[at - 1] * width]; at--)
        s->front_points[at] = s->front_points[at - 1];
    s->front_points[at] = point;
    s->front_count = kept + 1;
}

static void note_generation(fm_search *s, size_t count)
{
    for (size_t k = s->count; k < s->count + count; k++)
        if (!(fm_search_violation(s, s->values + k * (s->objectives + s->limits)) > 0))
            add_to_front(s, k);
    for (size_t k = s->count; k < s->count + count; k++)
        if (fm_search_violation(s, s->values + k * (s->objectives + s->limits)) < HUGE_VAL &&
            (s->best == SIZE_MAX || is_better(s, k, s->best)))
            s->best = k;
    const bool feasible =
        s->best != SIZE_MAX && !(fm_search_violation(s, s->values + s->best * (s->objectives + s->limits)) > 0);
    s->generations[s->generation_count++] =
        (fm_search_generation){.first = s->count,
                               .count = count,
                               .restart = s->restart,
                               .best = feasible ? s->values[s->best * (s->objectives + s->limits)] : (double)NAN,
                               .width = fm_search_width(s)};
    s->count += count;
    s->since++;
}

/* Ends the search, or begins the next one. (G9) */
static void look_whether_it_ended(fm_search *s)
{
    const bool converged = s->objectives == 1 && fm_cma_width(&s->cma) < NARROW && fm_search_settled(s),
               over = s->since >= s->options.generations;
    if (!converged && !over)
        return;
    if (s->restart < s->options.restarts) {
        s->restart++;
        s->since = 0;
        begin_cma(s);
        return;
    }
    s->ended = converged ? "the search has converged" : "all generations were run";
}

fm_status fm_search_tell(fm_search *s, const double *values, size_t count, fm_error *error)
{
    if (!s || !values)
        return fm_fail(error, FM_ERR_ARGUMENT, "search and values must not be NULL");
    if (!s->is_asked || count != fm_search_ready(s))
        return fm_fail(error, FM_ERR_ARGUMENT, "%zu points are reported, %zu were asked for: call fm_search_ask first",
                       count, s->is_asked ? fm_search_ready(s) : 0);
    if (!grow(s, count))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the points of a search");
    const size_t width = s->objectives + s->limits;
    memcpy(s->points + s->count * s->axis_count, s->asked, count * s->axis_count * sizeof *values);
    memcpy(s->values + s->count * width, values, count * width * sizeof *values);
    if (s->objectives > 1) {
        fm_front_tell(&s->front, s->coordinates, values);
    } else {
        double costs[FM_SEARCH_POINTS];
        fm_search_costs(s, values, count, costs);
        fm_cma_tell(&s->cma, s->coordinates, costs);
    }
    s->is_asked = false;
    note_generation(s, count);
    look_whether_it_ended(s);
    if (s->options.progress && s->options.progress(s->options.user, s))
        fm_search_cancel(s);
    return FM_OK;
}

/* The stop of a sweep is only written to while the sweep exists: search_run.c waits for `holders`. */
void fm_search_cancel(fm_search *s)
{
    if (!s)
        return;
    atomic_store(&s->cancelled, 1);
    atomic_fetch_add(&s->holders, 1);
    atomic_int *stop = atomic_load(&s->stop);
    if (stop)
        atomic_store(stop, 1);
    atomic_fetch_sub(&s->holders, 1);
}

/* --- what it searches --- */

size_t fm_search_parameter_count(const fm_search *s)
{
    return s ? s->axis_count : 0;
}

const char *fm_search_parameter_name(const fm_search *s, size_t parameter)
{
    return parameter < fm_search_parameter_count(s) ? s->axes[parameter].path : NULL;
}

const char *fm_search_parameter_unit(const fm_search *s, size_t parameter)
{
    return parameter < fm_search_parameter_count(s) ? s->axes[parameter].unit : NULL;
}

size_t fm_search_objective_count(const fm_search *s)
{
    return s ? s->objectives : 0;
}

size_t fm_search_constraint_count(const fm_search *s)
{
    return s ? s->limits : 0;
}

const char *fm_search_value_name(const fm_search *s, size_t column)
{
    if (!s || column >= s->objectives + s->limits)
        return NULL;
    if (column >= s->objectives)
        return s->goal_count ? s->constraints[column - s->objectives].text : "constraint";
    if (!s->goal_count)
        return "objective";
    return s->objectives == 1 && s->goal_count > 1 ? "cost" : s->goals[column].name;
}

/* --- what it has found --- */

size_t fm_search_count(const fm_search *s)
{
    return s ? s->count : 0;
}

const double *fm_search_points(const fm_search *s)
{
    return s ? s->points : NULL;
}

const double *fm_search_values(const fm_search *s)
{
    return s ? s->values : NULL;
}

int fm_search_feasible(const fm_search *s, size_t point)
{
    return point < fm_search_count(s) && !(fm_search_violation(s, s->values + point * (s->objectives + s->limits)) > 0);
}

size_t fm_search_best(const fm_search *s)
{
    return s ? s->best : SIZE_MAX;
}

size_t fm_search_front(const fm_search *s, size_t *points, size_t room)
{
    const size_t count = s && s->front_points ? s->front_count : 0;
    for (size_t i = 0; points && i < count && i < room; i++)
        points[i] = s->front_points[i];
    return points && count > room ? room : count;
}

size_t fm_search_generations(const fm_search *s)
{
    return s ? s->generation_count : 0;
}

size_t fm_search_generation_of(const fm_search *s, size_t point, size_t *restart)
{
    size_t low = 0, high = fm_search_generations(s);
    if (restart)
        *restart = 0;
    if (point >= fm_search_count(s))
        return 0;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(s->generations[middle].first <= point ? &low : &high) = middle;
    }
    if (restart)
        *restart = s->generations[low].restart;
    return low;
}

double fm_search_width(const fm_search *s)
{
    return s && s->objectives == 1 ? fm_cma_width(&s->cma) : (double)NAN;
}

size_t fm_search_runs(const fm_search *s)
{
    return s ? s->runs : 0;
}

const char *fm_search_ended(const fm_search *s)
{
    return s && s->ended ? s->ended : "";
}

const char *fm_search_engine(const fm_search *s)
{
    return s ? s->engine : "";
}
