/* `fathom optimise`: values of parameters that minimise a cost of the runs. */
#include "optimise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "commands.h"
#include "inputs.h"
#include "interrupt.h"
#include "progress.h"
#include "studies/cluster/spread.h"

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
    {"constraint", CLI_FIELD(cli_optimise_options, constraints), .value = "CONDITION",
     .text = "what has to hold, a comparison of expressions such as 'max(rov.z) < 10 m', or another condition; may be "
             "repeated"},
    {"pareto", CLI_FIELD(cli_optimise_options, pareto),
     .text = "each metric is an objective of its own: find the values that no others are better than in all of them "
             "(a Pareto front)"},
    {"set", CLI_FIELD(cli_optimise_options, scenario.sets), .value = "PATH=VALUE",
     .text = "set a parameter in all runs; may be repeated"},
    {"duration", CLI_FIELD(cli_optimise_options, duration), .value = "S", .min = 0, .max = 1e9,
     .text = "seconds to simulate; default: the scenario's duration"},
    {"generations", CLI_FIELD(cli_optimise_options, generations), .section = "how", .value = "N", .min = 1,
     .max = 100000, .fallback = "60", .text = "maximum number of generations of a search; fewer if it converges"},
    {"population", CLI_FIELD(cli_optimise_options, population), .value = "N", .min = 4, .max = 128,
     .text = "points per generation; default: 4 + 3 ln(parameters), with --pareto 40"},
    {"restarts", CLI_FIELD(cli_optimise_options, restarts), .value = "N", .min = 0, .max = 1000, .fallback = "0",
     .text = "search again from N random starts, each time with twice the population (at most 128), and keep the best: "
             "for costs with several minima"},
    {"step", CLI_FIELD(cli_optimise_options, step), .value = "PART", .min = 0.001, .max = 1, .fallback = "0.2",
     .text = "size of the first steps, as a fraction of each range"},
    {"noise-runs", CLI_FIELD(cli_optimise_options, noise_runs), .value = "N", .min = 1, .max = 100000, .fallback = "1",
     .text = "runs per point with different seeds, averaged"},
    {"seed", CLI_FIELD(cli_optimise_options, seed), .value = "S", .min = 0, .max = 9007199254740992.0,
     .text = "seed of the search and of the runs (S, S + 1 …); default: the scenario's"},
    {"backend", CLI_FIELD(cli_optimise_options, backend), .choices = backends, .fallback = "auto",
     .text = "backend for the runs, as in `fathom sweep`"},
    {"threads", CLI_FIELD(cli_optimise_options, threads), .value = "N", .min = 1, .max = 1024,
     .text = "number of threads of each rank; the results do not depend on it. Default: one per processor"},
    {"resume", CLI_FIELD(cli_optimise_options, resume),
     .text = "continue an interrupted search of the same --csv or --output: its runs are not repeated, and the result "
             "is the same"},
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
             "sum of several, with CMA-ES; with --pareto the front of several metrics, with NSGA-II. Each generation "
             "runs on all cores, as in `fathom sweep`, and under mpirun or srun on all ranks. The search starts at the "
             "values of the scenario and --set. Failed runs are worse than all others. The same seed gives the same "
             "result on any number of threads and ranks.\n\nSee docs/sweeps.md.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom optimise remus-rise --vary /remus/avoid/gain=0:10 --maximise remus.min_altitude -o gain.png\n"
                "  fathom optimise phoenix-dive --vary /phoenix/autopilot/depth/kp=0.1:3 --minimise phoenix.max_depth "
                "--json\n"
                "  fathom optimise phoenix-dive --vary /phoenix/autopilot/depth/kp=0.1:3 --minimise phoenix.max_depth "
                "--constraint 'max(phoenix.pitch) < 20 deg'\n",
    .done = "values were found",
    .failed = "a run cannot be made, every run failed, or no values fulfil the constraints",
    .interrupted = "the best values so far are printed; --resume continues",
    .main = cli_optimise,
};

/* --- the search --- */

/* What rank 0 has collected goes to the others: all of them search alike. */
static fm_status share_results(cli_optimise_case *c, fm_sweep *sweep, fm_status status, fm_error *error)
{
    const fm_ranks_module *module = c->ranks->self.module;
    char fine = status == FM_OK && !c->broken;
    const char *failed = c->broken ? "a rank was lost" : module->broadcast(&fine, 1);
    if (!failed && !fine && status == FM_OK)
        failed = "rank 0 failed";
    if (!failed && fine)
        failed = module->broadcast(sweep->outcomes, sweep->plan->total);
    if (!failed && fine)
        failed = module->broadcast(sweep->values, sweep->plan->total * sweep->column_count * sizeof *sweep->values);
    if (!failed && fine && c->ranks->self.rank > 0) {
        sweep->failed = 0;
        for (size_t run = 0; run < sweep->plan->total; run++)
            sweep->failed += sweep->outcomes[run] == FM_OUTCOME_FAILED;
    }
    return !failed ? status : fm_fail(error, FM_ERR_LIBRARY, "%s", failed);
}

static fm_status make_runs(void *user, fm_sweep *sweep, fm_error *error)
{
    cli_optimise_case *c = user;
    fm_spread_report report = {0};
    cli_interrupt_tell(&sweep->stop);
    fm_status status =
        c->ranks->self.module ? fm_spread_run(sweep, &c->ranks->self, &report, error) : fm_sweep_run(sweep, error);
    cli_interrupt_tell(&c->stop);
    c->broken |= report.broken || report.lost;
    return c->ranks->self.module ? share_results(c, sweep, status, error) : status;
}

/* After each generation. */
static int show(void *user, const fm_search *s)
{
    const cli_optimise_case *c = user;
    const fm_search_generation *g = &s->generations[s->generation_count - 1];
    const bool visible = isatty(STDERR_FILENO) && !c->o->quiet && c->ranks->self.rank == 0;
    if (visible && s->objectives > 1)
        cli_progress("  generation %zu: %zu values on the front", s->generation_count, s->front_count);
    else if (visible)
        cli_progress("  generation %zu: least cost %.6g, search %.2g of the ranges", s->generation_count, g->best,
                     g->width);
    return cli_interrupt_signal() && !c->ranks->self.module; /* ranks agree after the next runs */
}

static const char *result_name(const cli_optimise_options *o)
{
    return o->csv ? o->csv : o->out;
}

static bool create(cli_optimise_case *c, fm_error *error)
{
    const cli_optimise_options *o = c->o;
    const fm_load_options load = {.set = o->scenario.sets.items, .set_count = o->scenario.sets.count};
    static const fm_study_backend same[] = {[FM_SWEEP_AUTO] = FM_STUDY_AUTO,
                                            [FM_SWEEP_WORLDS] = FM_STUDY_WORLDS,
                                            [FM_SWEEP_SIMD] = FM_STUDY_SIMD,
                                            [FM_SWEEP_CUDA] = FM_STUDY_CUDA};
    if (result_name(o))
        fm_text_print(c->journal, sizeof c->journal, "%s.journal", result_name(o));
    const fm_search_options options = {.size = sizeof options,
                                       .load = &load,
                                       .vary = o->vary.items,
                                       .vary_count = o->vary.count,
                                       .minimise = o->minimise.items,
                                       .minimise_count = o->minimise.count,
                                       .maximise = o->maximise.items,
                                       .maximise_count = o->maximise.count,
                                       .constraints = o->constraints.items,
                                       .constraint_count = o->constraints.count,
                                       .pareto = o->pareto,
                                       .generations = (size_t)o->generations,
                                       .population = (size_t)o->population,
                                       .step = o->step,
                                       .restarts = (size_t)o->restarts,
                                       .noise_runs = (size_t)o->noise_runs,
                                       .seeded = o->seed >= 0,
                                       .seed = o->seed >= 0 ? (uint64_t)o->seed : 0,
                                       .duration = isnan(o->duration) ? 0 : o->duration,
                                       .threads = o->threads > 0 ? (int)o->threads : cli_ranks_threads(c->ranks),
                                       .backend = same[o->backend],
                                       .journal = c->journal[0] ? c->journal : NULL,
                                       .resume = o->resume,
                                       .progress = show,
                                       .user = c};
    if (!(c->search = fm_search_create(c->model, &options, error)))
        return false;
    c->search->make = make_runs;
    c->search->make_user = c;
    c->search->records = c->ranks->self.rank == 0;
    for (size_t i = 0; i < c->search->axis_count && !o->quiet; i++) {
        const fm_search_axis *a = &c->search->axes[i];
        if (!isnan(a->outside) && c->ranks->self.rank == 0)
            fprintf(stderr, "fathom optimise: note: %s is %g%s%s, outside its range; the search starts in the middle\n",
                    a->path, a->outside, a->unit[0] ? " " : "", a->unit);
    }
    return true;
}

/* --- what was found --- */

/* Whether every point of the first generation has the values of the start. */
static bool changes_nothing(const fm_search *s)
{
    const size_t width = s->objectives + s->limits, count = s->generation_count ? s->generations[0].count : 0;
    for (size_t k = 0; k < count; k++)
        if (memcmp(s->values + k * width, s->start_values, s->objectives * sizeof *s->values) != 0)
            return false;
    return count > 0;
}

static int finish(cli_optimise_case *c)
{
    fm_search *s = c->search;
    fm_error error = {0};
    int code = cli_interrupt_signal() ? 128 + cli_interrupt_signal() : CLI_DONE;
    if (isatty(STDERR_FILENO) && !c->o->quiet)
        cli_progress_clear();
    if (s->failed && !c->o->quiet) {
        fprintf(stderr, "fathom optimise: note: %zu of %zu runs failed%s", s->failed, s->runs,
                s->failure.text[0] ? "; the first: " : "\n");
        if (s->failure.text[0])
            cli_print_error(&s->failure);
    }
    if (changes_nothing(s) && !c->o->quiet)
        fprintf(stderr, "fathom optimise: note: every point of the first generation has the cost of the start; the "
                        "metric may not depend on what varies\n");
    if (s->best == SIZE_MAX) {
        fprintf(stderr, "fathom optimise: no run has given a cost\n");
        fm_rows_close(&s->rows, s->ended);
        return code == CLI_DONE ? CLI_FAILED : code;
    }
    if (!fm_search_feasible(s, s->best)) {
        fprintf(stderr, "fathom optimise: no values fulfil every constraint; those with the least violation follow\n");
        code = code == CLI_DONE ? CLI_FAILED : code;
    }
    cli_optimise_print(c);
    bool written = true;
    if (c->o->csv && cli_optimise_table(c, &error) != FM_OK)
        written = (fprintf(stderr, "fathom optimise: --csv %s\n", error.text), false);
    if (c->o->out && cli_optimise_draw(c->o, s, &error) != FM_OK)
        written = (fprintf(stderr, "fathom optimise: --output %s\n", error.text), false);
    fm_rows_close(&s->rows, written && s->ended);
    return written ? code : CLI_FAILED;
}

static int search(cli_optimise_case *c)
{
    fm_error error = {0};
    const bool first = c->ranks->self.rank == 0;
    fm_status status = fm_search_run(c->search, &error);
    if (status != FM_OK && status != FM_ERR_CANCELLED) {
        if (first || !cli_ranks_end_together(c->ranks))
            cli_print_error(&error);
        c->broken |= c->ranks->self.module != NULL; /* the others wait */
        return CLI_FAILED;
    }
    return first ? finish(c) : CLI_DONE;
}

/* --- the command --- */

static bool outputs_ready(const cli_optimise_case *c)
{
    const cli_optimise_options *o = c->o;
    return cli_output_ready("optimise", "--output", o->out) && cli_output_ready("optimise", "--csv", o->csv);
}

static bool outputs_apart(const cli_optimise_case *c)
{
    const cli_optimise_options *o = c->o;
    return (!o->out || cli_output_apart_from_model("optimise", "--output", o->out, c->model)) &&
           (!o->csv || cli_output_apart_from_model("optimise", "--csv", o->csv, c->model)) &&
           cli_outputs_apart("optimise", "--output", o->out, "--csv", o->csv);
}

static int optimise_model(cli_optimise_case *c)
{
    const bool first = c->ranks->self.rank == 0;
    fm_error error = {0};
    if (c->o->minimise.count + c->o->maximise.count == 0)
        return fprintf(stderr, "fathom optimise: no goal: give --minimise or --maximise\n"), CLI_USAGE;
    if (c->o->resume && !result_name(c->o))
        return fprintf(stderr, "fathom optimise: --resume needs the --csv or --output of the interrupted search\n"),
               CLI_USAGE;
    if (!create(c, &error)) {
        fprintf(stderr, "fathom optimise: %s\n", error.text);
        return error.status == FM_ERR_SYNTAX || error.status == FM_ERR_ARGUMENT ? CLI_USAGE : CLI_FAILED;
    }
    if (!cli_ranks_ready(c->ranks, !first || outputs_ready(c)))
        return CLI_FAILED;
    return search(c);
}

static bool read_options(int argc, char **argv, cli_optimise_options *o, int *status)
{
    const bool hushed = cli_ranks_hushed(); /* rank 0 prints for all of them */
    if (hushed)
        cli_ranks_hush(true);
    const bool read = cli_options_read(&cli_optimise_command, argc, argv, o, status);
    if (hushed)
        cli_ranks_hush(false);
    if (hushed && !read)
        *status = CLI_DONE; /* mpirun would end rank 0 before it has printed */
    return read;
}

int cli_optimise(int argc, char **argv)
{
    cli_optimise_options o = {.duration = NAN, .seed = -1};
    cli_ranks ranks;
    int status;
    if (!read_options(argc, argv, &o, &status))
        return status;
    cli_interrupt_watch();
    if (!cli_ranks_open(&ranks, "optimise", o.backend == FM_SWEEP_CUDA))
        return CLI_FAILED;
    cli_optimise_case c = {.o = &o, .ranks = &ranks};
    const bool begin = cli_ranks_wait(&ranks);
    int code = begin ? CLI_FAILED : CLI_DONE;
    if (begin && (c.model = cli_load(&o.scenario)))
        code = outputs_apart(&c) ? optimise_model(&c) : CLI_USAGE;
    cli_interrupt_tell(NULL);
    cli_ranks_close(&ranks, c.broken, code);
    fm_search_free(c.search);
    fm_model_free(c.model);
    return code;
}
