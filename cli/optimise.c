/* `fathom optimise`: values of parameters that minimise a cost of the runs. */
#include "optimise.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/text.h"
#include "commands.h"
#include "inputs.h"
#include "interrupt.h"
#include "progress.h"
#include "studies/parameter.h"
#include "summary.h"

static const cli_choice backends[] = {
    {"auto", FM_SWEEP_AUTO}, {"worlds", FM_SWEEP_WORLDS}, {"simd", FM_SWEEP_SIMD}, {"cuda", FM_SWEEP_CUDA}, {0}};

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(cli_optimise_options, scenario.file), .noun = "scenario", .required = true, .path = CLI_FILE,
     .endings = ".xml", .text = "the scenario: a file, or a name listed by `fathom scenarios`"},
};

static const cli_option option_table[] = {
    {"vary", CLI_FIELD(cli_optimise_options, vary), .section = "parameters and goal", .value = "PATH=A:B",
     .required = true,
     .text = "a parameter (see `fathom params FILE`) between two numbers, followed by a unit; may be repeated"},
    {"minimise", CLI_FIELD(cli_optimise_options, minimise), .value = "METRIC",
     .text =
         "minimise a metric at the end of the run (VEHICLE.NAME, or WEIGHT*VEHICLE.NAME) or an expression, as in "
         "`fathom sweep --metric`; for a shell pattern the mean of all matches; may be repeated for a weighted sum"},
    {"maximise", CLI_FIELD(cli_optimise_options, maximise), .value = "METRIC", .text = "the same, maximised"},
    {"set", CLI_FIELD(cli_optimise_options, scenario.sets), .value = "PATH=VALUE",
     .text = "set a parameter in all runs; may be repeated"},
    {"duration", CLI_FIELD(cli_optimise_options, duration), .value = "S", .min = 0, .max = 1e9,
     .text = "seconds to simulate; default: the scenario's duration"},
    {"generations", CLI_FIELD(cli_optimise_options, generations), .section = "how", .value = "N", .min = 1,
     .max = 100000, .fallback = "60", .text = "maximum number of generations; fewer if the search converges"},
    {"population", CLI_FIELD(cli_optimise_options, population), .value = "N", .min = 4, .max = 128,
     .text = "points per generation; default: 4 + 3 ln(parameters)"},
    {"step", CLI_FIELD(cli_optimise_options, step), .value = "PART", .min = 0.001, .max = 1, .fallback = "0.2",
     .text = "size of the first steps, as a fraction of each range"},
    {"noise-runs", CLI_FIELD(cli_optimise_options, noise_runs), .value = "N", .min = 1, .max = 100000, .fallback = "1",
     .text = "runs per point with different seeds, averaged"},
    {"seed", CLI_FIELD(cli_optimise_options, seed), .value = "S", .min = 0, .max = 9007199254740992.0,
     .text = "seed of the search and of the runs (S, S + 1 …); default: the scenario's"},
    {"backend", CLI_FIELD(cli_optimise_options, backend), .choices = backends, .fallback = "auto",
     .text = "backend for the runs, as in `fathom sweep`"},
    {"threads", CLI_FIELD(cli_optimise_options, threads), .value = "N", .min = 1, .max = 1024,
     .text = "number of threads; the results do not depend on it. Default: one per processor"},
    {"json", CLI_FIELD(cli_optimise_options, json), .section = "results", .text = "one JSON object instead of text"},
    {"csv", CLI_FIELD(cli_optimise_options, csv), .value = "FILE", .path = CLI_FILE, .endings = ".csv",
     .text = "write every point with its cost"},
    {"output", 'o', CLI_FIELD(cli_optimise_options, out), .value = "FILE", .path = CLI_FILE,
     .endings = ".png .svg .pdf", .checked = true, .text = "draw the progress of the search"},
    {"dark", CLI_FIELD(cli_optimise_options, dark), .needs = "output", .text = "light text on a dark background"},
    {"title", CLI_FIELD(cli_optimise_options, title), .value = "TEXT", .needs = "output",
     .text = "title of the figure"},
    {"quiet", CLI_FIELD(cli_optimise_options, quiet), .text = "no progress"},
};

const cli_command cli_optimise_command = {
    .name = "optimise",
    .section = "simulate",
    .text = "find the parameters that optimise a metric",
    .about = "Finds the parameter values, within bounds, that minimise or maximise a metric of the runs, or a weighted "
             "sum of several, with CMA-ES. Each generation runs on all cores, as in `fathom sweep`. The search starts "
             "at the values of the scenario and --set. Failed runs are worse than all others. The same seed gives the "
             "same result on any number of threads.\n\nSee docs/sweeps.md.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom optimise remus-rise --vary /remus/avoid/gain=0:10 --maximise remus.min_altitude -o gain.png\n"
                "  fathom optimise phoenix-dive --vary /phoenix/autopilot/depth/kp=0.1:3 --minimise phoenix.max_depth "
                "--json\n",
    .done = "values were found",
    .failed = "a run cannot be made, or every run failed",
    .interrupted = "the best values so far are printed",
    .main = cli_optimise,
};

/* --- what was asked --- */

static bool read_axis(cli_optimise_case *c, const char *text)
{
    const char *sign = strchr(text, '='), *at = sign ? sign + 1 : text;
    cli_optimise_axis *a = &c->axes[c->axis_count];
    bool fine = sign && c->axis_count < FM_AXES_MOST && (size_t)(sign - text) < sizeof a->path &&
                fm_text_number_read(&at, &a->low) && *at++ == ':' && fm_text_number_read(&at, &a->high) &&
                a->low < a->high && *at != ':';
    if (!fine)
        return fprintf(stderr,
                       "fathom optimise: --vary %s: must be PATH=A:B, two numbers with A less than B, followed by a "
                       "unit; at most %d of them\n",
                       text, FM_AXES_MOST),
               false;
    snprintf(a->path, sizeof a->path, "%.*s", (int)(sign - text), text);
    snprintf(a->unit, sizeof a->unit, "%s", at + strspn(at, " "));
    fm_parameter p;
    bool known = fm_parameter_find(c->model, a->path, &p) && fm_parameter_value(&p, a->unit, &a->start);
    if (known && (a->start < a->low || a->start > a->high) && !c->o->quiet)
        fprintf(stderr, "fathom optimise: note: %s is %g%s%s, outside its range; the search starts in the middle\n",
                a->path, a->start, a->unit[0] ? " " : "", a->unit);
    if (!known || a->start < a->low || a->start > a->high)
        a->start = 0.5 * (a->low + a->high);
    c->axis_count++;
    return true;
}

/* "[WEIGHT*]PATTERN"; a pattern may have a '*' of its own. */
static bool read_term(cli_optimise_case *c, const char *text, double sign)
{
    cli_optimise_term *t = &c->terms[c->term_count];
    const char *at = text;
    if (c->term_count == CLI_OPTIMISE_TERMS)
        return fprintf(stderr, "fathom optimise: more than %d metrics\n", CLI_OPTIMISE_TERMS), false;
    t->weight = 1;
    if (!fm_text_number_read(&at, &t->weight) || *at++ != '*') {
        t->weight = 1;
        at = text;
    }
    if (!(t->weight > 0) || strlen(at) >= sizeof t->pattern)
        return fprintf(stderr, "fathom optimise: '%s': must be [WEIGHT*]VEHICLE.METRIC with a weight above 0\n", text),
               false;
    t->weight *= sign;
    snprintf(t->pattern, sizeof t->pattern, "%s", at);
    c->term_count++;
    return true;
}

static bool read_request(cli_optimise_case *c)
{
    const cli_optimise_options *o = c->o;
    bool fine = o->minimise.count + o->maximise.count > 0;
    if (!fine)
        fprintf(stderr, "fathom optimise: no goal: give --minimise or --maximise\n");
    for (size_t i = 0; i < o->vary.count && fine; i++)
        fine = read_axis(c, o->vary.items[i]);
    for (size_t i = 0; i < o->minimise.count && fine; i++)
        fine = read_term(c, o->minimise.items[i], 1);
    for (size_t i = 0; i < o->maximise.count && fine; i++)
        fine = read_term(c, o->maximise.items[i], -1);
    return fine;
}

/* --- a generation is a sweep over its points --- */

/* Mean of the columns that a term matches, over the runs of a point. */
static double term_value(const fm_sweep *s, const cli_optimise_term *t, size_t point)
{
    double sum = 0;
    size_t count = 0, runs = s->plan->runs;
    for (size_t run = point * runs; run < (point + 1) * runs; run++)
        for (size_t k = 0; k < s->column_count; k++)
            if (s->columns[k].asked
                    ? !strcmp(s->columns[k].asked, t->pattern)
                    : !strcmp(s->columns[k].name, t->pattern) || fnmatch(t->pattern, s->columns[k].name, 0) == 0) {
                sum += s->outcomes[run] == FM_OUTCOME_FINISHED ? s->values[run * s->column_count + k] : NAN;
                count++;
            }
    return count ? sum / (double)count : NAN;
}

static void note_failure(void *user, const fm_sweep *sweep, size_t run, const fm_error *failure)
{
    cli_optimise_case *c = user;
    (void)sweep;
    (void)run;
    if (failure && !c->failure.text[0])
        c->failure = *failure;
    c->failed += failure != NULL;
}

static bool make_plan(const cli_optimise_case *c, const double *points, size_t count, fm_sweep_plan *plan)
{
    fm_error error = {0};
    for (size_t i = 0; i < c->axis_count; i++) {
        char text[2 * FM_AXIS_PATH];
        snprintf(text, sizeof text, "%s=0 %s", c->axes[i].path, c->axes[i].unit);
        if (fm_plan_vary(plan, text, &error) != FM_OK)
            return fprintf(stderr, "fathom optimise: --vary %s\n", error.text), false;
        fm_sweep_axis *axis = &plan->axes[i];
        axis->count = count;
        axis->values = fm_arena_alloc(&plan->arena, count * sizeof *axis->values);
        for (size_t k = 0; axis->values && k < count; k++)
            axis->values[k] = points[k * c->axis_count + i];
        if (!axis->values)
            return fprintf(stderr, "fathom optimise: no memory\n"), false;
    }
    plan->design = FM_DESIGN_POINTS;
    plan->runs = (size_t)c->o->noise_runs;
    plan->seed = c->o->seed >= 0 ? (uint64_t)c->o->seed : fm_model_seed(c->model);
    return true;
}

/* Costs of points, in units of the axes. */
static bool evaluate(cli_optimise_case *c, const double *points, size_t count, double *costs)
{
    const cli_optimise_options *o = c->o;
    const char *metrics[CLI_OPTIMISE_TERMS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    fm_load_options load = {.set = o->scenario.sets.items, .set_count = o->scenario.sets.count};
    fm_sweep_options options = {.load = &load,
                                .metrics = metrics,
                                .metric_count = c->term_count,
                                .duration = o->duration,
                                .threads = (int)(o->threads > 0   ? o->threads
                                                 : processors > 0 ? processors
                                                                  : 1),
                                .backend = (fm_sweep_backend)o->backend,
                                .done = note_failure,
                                .user = c};
    fm_sweep_plan plan = {0};
    fm_sweep *sweep = NULL;
    fm_error error = {0};
    for (size_t i = 0; i < c->term_count; i++)
        metrics[i] = c->terms[i].pattern;
    bool fine = make_plan(c, points, count, &plan);
    if (fine && fm_sweep_create(&plan, c->model, &options, &sweep, &error) == FM_OK) {
        cli_interrupt_tell(&sweep->stop);
        fine = fm_sweep_run(sweep, &error) == FM_OK;
        cli_interrupt_tell(&c->stop);
    } else
        fine = false;
    for (size_t k = 0; fine && k < count; k++) {
        costs[k] = 0;
        for (size_t i = 0; i < c->term_count; i++)
            costs[k] += c->terms[i].weight * term_value(sweep, &c->terms[i], k);
        c->runs += plan.runs;
    }
    if (fine)
        snprintf(c->engine, sizeof c->engine, "%s", sweep->engine);
    else if (error.text[0])
        cli_print_error(&error);
    fm_sweep_free(sweep);
    fm_plan_free(&plan);
    return fine;
}

/* --- the search --- */

static bool grow(cli_optimise_case *c, size_t more)
{
    if (c->count + more > c->room) {
        size_t room = 2 * c->room + more + 256;
        double *points = fm_realloc(c->points, room * c->axis_count * sizeof *points);
        c->points = points ? points : c->points;
        double *costs = points ? fm_realloc(c->costs, room * sizeof *costs) : NULL;
        c->costs = costs ? costs : c->costs;
        if (!costs)
            return fprintf(stderr, "fathom optimise: no memory\n"), false;
        c->room = room;
    }
    return true;
}

static void note_generation(cli_optimise_case *c, const double *costs, size_t count)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    size_t g = c->generations++;
    for (size_t k = 0; k < count; k++)
        if (!isnan(costs[k]))
            low = fmin(low, costs[k]), high = fmax(high, costs[k]);
    c->spread[0][g] = low <= high ? low : NAN;
    c->spread[1][g] = low <= high ? high : NAN;
    c->best[g] = c->search.best_value;
    c->width[g] = fm_cma_width(&c->search);
}

static bool run_generation(cli_optimise_case *c)
{
    fm_cma *s = &c->search;
    double asked[4 * FM_CMA_MOST * FM_CMA_MOST];
    if (!grow(c, s->lambda))
        return false;
    double *points = c->points + c->count * c->axis_count, *costs = c->costs + c->count;
    fm_cma_ask(s, asked);
    for (size_t k = 0; k < s->lambda * c->axis_count; k++) {
        const cli_optimise_axis *a = &c->axes[k % c->axis_count];
        points[k] = fm_cma_bounded(asked[k], a->low, a->high);
    }
    if (!evaluate(c, points, s->lambda, costs))
        return false;
    if (cli_interrupt_signal())
        return true; /* half a generation counts for nothing */
    c->count += s->lambda;
    fm_cma_tell(s, asked, costs);
    note_generation(c, costs, s->lambda);
    return true;
}

static void show_progress(const cli_optimise_case *c)
{
    if (isatty(STDERR_FILENO) && !c->o->quiet)
        cli_progress("  generation %zu: least cost %.6g, search %.2g of the ranges", c->generations,
                     c->search.best_value, fm_cma_width(&c->search));
}

static bool search(cli_optimise_case *c)
{
    double start[FM_AXES_MOST], values[FM_AXES_MOST];
    for (size_t i = 0; i < c->axis_count; i++) {
        values[i] = c->axes[i].start;
        start[i] = fm_cma_free(values[i], c->axes[i].low, c->axes[i].high);
    }
    if (!evaluate(c, values, 1, &c->start_cost))
        return false;
    uint64_t seed = c->o->seed >= 0 ? (uint64_t)c->o->seed : fm_model_seed(c->model);
    fm_cma_begin(&c->search, c->axis_count, start, c->o->step, (size_t)c->o->population, seed);
    c->ended = "all generations were run";
    for (int64_t g = 0; g < c->o->generations; g++) {
        if (!run_generation(c))
            return false;
        show_progress(c);
        if (cli_interrupt_signal()) {
            c->ended = "interrupted";
            break;
        }
        if (fm_cma_width(&c->search) < 1e-4) {
            c->ended = "the search has converged";
            break;
        }
    }
    return true;
}

/* --- what was found --- */

static void print_json(const cli_optimise_case *c)
{
    printf("{\"parameters\": [");
    for (size_t i = 0; i < c->axis_count; i++) {
        const cli_optimise_axis *a = &c->axes[i];
        printf("%s\n  ", i ? "," : "");
        cli_json_parameter(stdout, a->path, a->unit);
        cli_json_member(stdout, "low", a->low);
        cli_json_member(stdout, "high", a->high);
        cli_json_member(stdout, "start", a->start);
        cli_json_member(stdout, "best", fm_cma_bounded(c->search.best[i], a->low, a->high));
        cli_json_member(stdout, "mean", fm_cma_bounded(c->search.mean[i], a->low, a->high));
        printf("}");
    }
    printf("],\n \"generations\": %zu, \"evaluations\": %zu, \"runs\": %zu, \"failed\": %zu, \"ended\": ",
           c->generations, c->search.evaluations, c->runs, c->failed);
    cli_json_text(stdout, c->ended);
    cli_json_member(stdout, "start_cost", c->start_cost);
    cli_json_member(stdout, "cost", c->search.best_value);
    cli_json_member(stdout, "width", fm_cma_width(&c->search));
    printf("}\n");
}

static void print_text(const cli_optimise_case *c)
{
    printf("%-44s %14s %14s %14s %14s  %s\n", "parameter", "from", "to", "start", "best", "unit");
    for (size_t i = 0; i < c->axis_count; i++) {
        const cli_optimise_axis *a = &c->axes[i];
        printf("%-44s %14.7g %14.7g %14.7g %14.7g  %s\n", a->path, a->low, a->high, a->start,
               fm_cma_bounded(c->search.best[i], a->low, a->high), a->unit);
    }
    printf("\ncost %.9g, at the start %.9g\n%zu generations, %zu runs (%s), %zu failed; %s\n", c->search.best_value,
           c->start_cost, c->generations, c->runs, c->engine, c->failed, c->ended);
}

static fm_status write_table(const cli_optimise_case *c, fm_error *error)
{
    fm_outfile out;
    char number[40];
    fm_status status = fm_outfile_open(&out, c->o->csv, error);
    if (status != FM_OK)
        return status;
    fprintf(out.file, "point,generation");
    for (size_t i = 0; i < c->axis_count; i++)
        fprintf(out.file, c->axes[i].unit[0] ? ",%s [%s]" : ",%s%s", c->axes[i].path, c->axes[i].unit);
    fprintf(out.file, ",cost\n");
    for (size_t k = 0; k < c->count; k++) {
        fprintf(out.file, "%zu,%zu", k, k / c->search.lambda);
        for (size_t i = 0; i < c->axis_count; i++)
            fprintf(out.file, ",%s", fm_text_number_write(number, sizeof number, c->points[k * c->axis_count + i]));
        fprintf(out.file, ",%s\n", isnan(c->costs[k]) ? "" : fm_text_number_write(number, sizeof number, c->costs[k]));
    }
    return fm_outfile_close(&out, error);
}

static int finish(const cli_optimise_case *c)
{
    fm_error error = {0};
    int code = cli_interrupt_signal() ? 128 + cli_interrupt_signal() : CLI_DONE;
    if (isatty(STDERR_FILENO) && !c->o->quiet)
        cli_progress_clear();
    if (c->failure.text[0] && !c->o->quiet) {
        fprintf(stderr, "fathom optimise: note: %zu of %zu runs failed; the first: ", c->failed, c->runs);
        cli_print_error(&c->failure);
    }
    if (c->generations && c->start_cost == c->search.best_value && c->spread[0][0] == c->spread[1][0] && !c->o->quiet)
        fprintf(stderr, "fathom optimise: note: every point of the first generation has the cost of the start; the "
                        "metric may not depend on what varies\n");
    if (!isfinite(c->search.best_value))
        return fprintf(stderr, "fathom optimise: no run has given a cost\n"), code == CLI_DONE ? CLI_FAILED : code;
    if (c->o->json)
        print_json(c);
    else
        print_text(c);
    if (c->o->csv && write_table(c, &error) != FM_OK)
        code = (fprintf(stderr, "fathom optimise: --csv %s\n", error.text), CLI_FAILED);
    if (c->o->out && cli_optimise_draw(c->o, c, &error) != FM_OK)
        code = (fprintf(stderr, "fathom optimise: --output %s\n", error.text), CLI_FAILED);
    return code;
}

static bool make_room(cli_optimise_case *c)
{
    size_t count = (size_t)c->o->generations;
    c->spread[0] = fm_alloc(4 * count * sizeof(double));
    if (!c->spread[0])
        return fprintf(stderr, "fathom optimise: no memory\n"), false;
    c->spread[1] = c->spread[0] + count;
    c->best = c->spread[1] + count;
    c->width = c->best + count;
    return true;
}

int cli_optimise(int argc, char **argv)
{
    cli_optimise_options o = {.duration = NAN, .seed = -1};
    int status;
    if (!cli_options_read(&cli_optimise_command, argc, argv, &o, &status))
        return status;
    cli_interrupt_watch();
    cli_optimise_case *c = fm_alloc(sizeof *c);
    if (!c)
        return fprintf(stderr, "fathom optimise: no memory\n"), CLI_FAILED;
    c->o = &o;
    int code = CLI_FAILED;
    if ((c->model = cli_load(&o.scenario))) {
        bool apart = (!o.out || cli_output_apart_from_model("optimise", "--output", o.out, c->model)) &&
                     (!o.csv || cli_output_apart_from_model("optimise", "--csv", o.csv, c->model)) &&
                     cli_outputs_apart("optimise", "--output", o.out, "--csv", o.csv);
        code = CLI_USAGE;
        if (apart && read_request(c))
            code = cli_output_ready("optimise", "--output", o.out) && cli_output_ready("optimise", "--csv", o.csv) &&
                           make_room(c) && search(c)
                       ? finish(c)
                       : CLI_FAILED;
    }
    cli_interrupt_tell(NULL);
    fm_free(c->points);
    fm_free(c->costs);
    fm_free(c->spread[0]);
    fm_model_free(c->model);
    fm_free(c);
    return code;
}
