/* fathom sweep: many runs of a scenario, over parameters and seeds. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/text.h"
#include "clock.h"
#include "commands.h"
#include "inputs.h"
#include "interrupt.h"
#include "progress.h"
#include "ranks.h"
#include "studies/cluster/spread.h"
#include "studies/result.h"
#include "sweep.h"

static const cli_choice designs[] = {{"factorial", FM_DESIGN_FACTORIAL},
                                     {"random", FM_DESIGN_RANDOM},
                                     {"latin", FM_DESIGN_LATIN},
                                     {"sobol", FM_DESIGN_SOBOL},
                                     {"saltelli", FM_DESIGN_SALTELLI},
                                     {"morris", FM_DESIGN_MORRIS},
                                     {0}};
static const cli_choice backends[] = {
    {"auto", FM_SWEEP_AUTO}, {"worlds", FM_SWEEP_WORLDS}, {"simd", FM_SWEEP_SIMD}, {"cuda", FM_SWEEP_CUDA}, {0}};
static const cli_choice precisions[] = {{"double", 0}, {"float", 1}, {0}};

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(cli_sweep_options, scenario.file), .noun = "scenario", .required = true, .path = CLI_FILE,
     .endings = ".xml", .text = "the scenario: a file, or a name listed by `fathom scenarios`"},
};

static const cli_option option_table[] = {
    {"vary", CLI_FIELD(cli_sweep_options, vary), .section = "what varies", .value = "PATH=VALUES",
     .text = "vary a parameter (see `fathom params FILE`): PATH=A:B:STEP, PATH=a,b,c, PATH~normal(MEAN,DEVIATION), "
             "PATH~normal(MEAN,DEVIATION,LOW,HIGH), PATH~lognormal(MEAN,DEVIATION), PATH~uniform(A,B) or "
             "PATH~triangular(LOW,MODE,HIGH), followed by a unit; /world/seed too; may be repeated"},
    {"vary-fit", CLI_FIELD(cli_sweep_options, fits), .value = "FIT.json", .path = CLI_FILE, .endings = ".json",
     .text = "draw the parameters of a result of `fathom identify --json`, with their deviations and correlations; may "
             "be repeated"},
    {"correlate", CLI_FIELD(cli_sweep_options, correlations), .value = "PATH,PATH=R",
     .text = "correlation of two parameters that vary with a distribution, -1 to 1; may be repeated"},
    {"points", CLI_FIELD(cli_sweep_options, points), .value = "FILE", .path = CLI_FILE, .endings = ".csv .nc",
     .text =
         "one run (or --runs) per row of a table (CSV) whose columns are named by paths, '/v/mass/mass [kg]', or of "
         "the inputs of a NetCDF file; --vary may add distributions"},
    {"design", CLI_FIELD(cli_sweep_options, design), .choices = designs, .fallback = "factorial",
     .text =
         "factorial: all combinations of the listed values, distributions drawn again in each run; random, latin "
         "(hypercube), sobol: --runs points, each value drawn from its list or distribution; saltelli: --runs pairs "
         "of points with one more per parameter, for Sobol indices; morris: --runs paths, for elementary effects"},
    {"runs", CLI_FIELD(cli_sweep_options, runs), .value = "N", .min = 1, .max = 4294967295.0,
     .text = "runs per combination (factorial), each with its own seed; with other designs in total; default: 1"},
    {"seed", CLI_FIELD(cli_sweep_options, seed), .value = "S", .min = 0, .max = 9007199254740992.0,
     .text = "the K-th run, from 0, of each combination (or overall) has the seed S + K; random values depend on it "
             "too; default: the scenario's"},
    {"set", CLI_FIELD(cli_sweep_options, scenario.sets), .value = "PATH=VALUE",
     .text = "set a parameter in all runs; may be repeated"},
    {"duration", CLI_FIELD(cli_sweep_options, duration), .value = "S", .min = 0, .max = 1e9,
     .text = "seconds to simulate; default: the scenario's duration"},
    {"metric", CLI_FIELD(cli_sweep_options, metrics), .section = "results", .value = "VEHICLE.NAME",
     .text = "output of each run: a metric (`fathom run FILE --summary -` lists them), or x, y, z, phi, theta, psi, u "
             "… r; a shell pattern selects several; or an expression, NAME=EXPRESSION, such as "
             "'miss=min(hypot(rov.x - 10 m, rov.y))' (docs/expressions.md); may be repeated; default: every metric"},
    {"series", CLI_FIELD(cli_sweep_options, series), .value = "NAME,…", .needs = "every",
     .text = "keep numbers of each run over time (run x time): names, as rov.x,rov.u, or expressions; may be repeated"},
    {"every", CLI_FIELD(cli_sweep_options, every), .value = "TIME", .needs = "series",
     .text =
         "interval of the samples of --series, a multiple of the world's dt: 0.1 s, 500 ms; without a unit seconds"},
    {"record", CLI_FIELD(cli_sweep_options, records), .value = "RUN",
     .text = "write the log of a run, counted from 0, next to the result: FILE.nc and 17 give FILE-run-17.mcap; may be "
             "repeated"},
    {"output", 'o', CLI_FIELD(cli_sweep_options, out), .value = "FILE.nc", .path = CLI_FILE, .endings = ".nc",
     .checked = true, .text = "write NetCDF: every input and output of each run"},
    {"csv", CLI_FIELD(cli_sweep_options, csv), .value = "FILE", .path = CLI_FILE, .endings = ".csv",
     .text = "write the same as a table; - is standard output"},
    {"resume", CLI_FIELD(cli_sweep_options, resume),
     .text = "continue an earlier sweep with the same options from FILE.nc, or from FILE.nc.journal after a crash"},
    {"backend", CLI_FIELD(cli_sweep_options, backend), .section = "how", .choices = backends, .fallback = "auto",
     .text = "worlds: one world per run, any scenario; simd: runs in the lanes of vector registers, the same bits; "
             "cuda: one run per GPU thread; auto: simd if it supports the scenario, else worlds, with a message"},
    {"precision", CLI_FIELD(cli_sweep_options, precision), .choices = precisions, .fallback = "double",
     .text = "float: faster and less precise, with simd and cuda"},
    {"threads", CLI_FIELD(cli_sweep_options, threads), .value = "N", .min = 1, .max = 1024,
     .text = "number of threads; the results do not depend on it; default: one per processor, shared by the ranks of a "
             "computer"},
    {"quiet", CLI_FIELD(cli_sweep_options, quiet), .text = "print no progress and no closing line"},
};

const cli_command cli_sweep_command = {
    .name = "sweep",
    .section = "simulate",
    .text = "run a scenario many times over parameters and seeds",
    .about = "Runs a scenario once for each combination of the values of --vary, or for points drawn from them, and "
             "writes a table with one row per run: all inputs and outputs. Each run is the same as `fathom run --set … "
             "--seed …`. On a terminal it shows its progress.\n\nDuring the sweep FILE.nc.journal contains the "
             "finished runs; it is removed when FILE.nc is written. `fathom plot FILE.nc` draws it.\n\nUnder mpirun or "
             "srun all ranks make runs, and rank 0 writes the one result.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .one_of = "output csv",
    .examples = "  fathom sweep snookie-wall --vary '/snookie/approach/angle=10:90:5 deg' -o wall.nc\n"
                "  fathom sweep snookie-wall --vary '/snookie/approach/angle=30,60 deg' --runs 100 "
                "--set '/snookie/lateral_line/noise=0.1 mV' --metric snookie.min_clearance -o noise.nc\n"
                "  fathom sweep phoenix-turn --design latin --runs 50 --vary '/phoenix/velocity/x~normal(2,0.1) ft/s' "
                "--csv -\n"
                "  mpirun -n 64 fathom sweep snookie-wall --runs 100000 -o cluster.nc\n",
    .done = "every run finished",
    .failed = "the sweep could not be made, or runs failed; the rest is written",
    .interrupted = "finished runs are written, and --resume continues from there",
    .main = cli_sweep,
};

/* --- progress --- */

typedef struct sweep_case {
    const cli_sweep_options *options;
    fm_sweep *sweep;
    fm_journal journal;
    cli_ranks *ranks;
    fm_spread_report spread;
    bool visible;        /* on a terminal; under mpirun an occasional line */
    double start, shown; /* s of the clock */
    size_t first_failed; /* run */
    fm_error failure;    /* of that run */
} sweep_case;

static void write_time(char *text, size_t size, double seconds)
{
    long s = lround(fmin(seconds, 1e9));
    if (seconds < 10)
        snprintf(text, size, "%.2g s", seconds);
    else if (s < 60)
        snprintf(text, size, "%ld s", s);
    else if (s < 3600)
        snprintf(text, size, "%ld min %02ld s", s / 60, s % 60);
    else
        snprintf(text, size, "%ld h %02ld min", s / 3600, s / 60 % 60);
}

static void show_progress(const sweep_case *c, double now)
{
    size_t made = atomic_load(&c->sweep->made), done = c->sweep->found + made, total = c->sweep->plan->total;
    double rate = (double)made / (now - c->start);
    char bar[31], left[40];
    if (c->ranks->self.module) {
        write_time(left, sizeof left, (double)(total - done) / rate);
        fprintf(stderr, "fathom sweep: %zu of %zu runs   %.3g runs/s   %s left\n", done, total, rate, left);
        return;
    }
    size_t filled = done * (sizeof bar - 1) / total;
    for (size_t i = 0; i < sizeof bar - 1; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[sizeof bar - 1] = 0;
    write_time(left, sizeof left, (double)(total - done) / rate);
    cli_progress("  %zu of %zu runs [%s]   %.3g runs/s   %s left", done, total, bar, rate, left);
    fflush(stderr);
}

/* After each run, by one thread at a time. */
static void run_done(void *user, const fm_sweep *sweep, size_t run, const fm_error *failure)
{
    sweep_case *c = user;
    bool noted = c->journal.failed.status == FM_OK;
    fm_journal_add(&c->journal, sweep, run);
    if (noted && c->journal.failed.status != FM_OK)
        fprintf(stderr,
                "%sfathom sweep: the journal cannot be written, so a crash would lose the runs from now on: %s\n",
                c->visible ? "\n" : "", c->journal.failed.text);
    if (failure && (!c->failure.text[0] || run < c->first_failed)) {
        c->first_failed = run;
        c->failure = *failure;
    }
    double now = cli_clock(NULL);
    if (c->visible && now - c->shown > (c->ranks->self.module ? 10 : 0.2)) {
        show_progress(c, now);
        c->shown = now;
    }
}

/* --- before --- */

/* What was typed, for the file. */
static char *join_words(int argc, char **argv)
{
    fm_text text = {0};
    fm_text_add(&text, "fathom");
    for (int i = 0; i < argc; i++) {
        bool plain = argv[i][0] && !strpbrk(argv[i], " \t\n'\"$*?[](){}<>|&;~\\");
        fm_text_add(&text, plain ? " %s" : " '%s'", argv[i]);
    }
    return text.data;
}

static bool outputs_apart(const cli_sweep_options *o, const fm_model *model)
{
    char journal[FM_OUTFILE_PATH];
    snprintf(journal, sizeof journal, "%s.journal", o->out ? o->out : "");
    return cli_outputs_apart("sweep", "--output", o->out, "--csv", o->csv) &&
           cli_outputs_apart("sweep", "--csv", o->csv, "the journal of --output", o->out ? journal : NULL) &&
           (!o->out || cli_output_apart_from_model("sweep", "--output", o->out, model)) &&
           (!o->csv || cli_output_apart_from_model("sweep", "--csv", o->csv, model));
}

/* The file that the journal belongs to. */
static const char *result_name(const cli_sweep_options *o)
{
    return o->out ? o->out : strcmp(o->csv, "-") != 0 ? o->csv : NULL;
}

static bool open_journal(sweep_case *c)
{
    const cli_sweep_options *o = c->options;
    fm_error error = {0};
    fm_status status = FM_OK;
    if (o->resume && !result_name(o))
        return fprintf(stderr, "fathom sweep: --resume needs a file to continue, not standard output\n"), false;
    if (!cli_sweep_records_ready(o, c->sweep) || !cli_output_ready("sweep", "--output", o->out) ||
        !cli_output_ready("sweep", "--csv", o->csv))
        return false;
    if (o->resume && o->out)
        status = fm_sweep_take_netcdf(c->sweep, o->out, &error);
    if (status == FM_OK && result_name(o))
        status = fm_journal_open(&c->journal, result_name(o), c->sweep, o->resume, &error);
    if (status != FM_OK)
        fprintf(stderr, "fathom sweep: %s\n", error.text);
    else if (o->resume && c->sweep->found == 0 && !o->quiet)
        fprintf(stderr, "fathom sweep: note: %s contains no finished runs; all runs are made\n", result_name(o));
    return status == FM_OK;
}

/* --- after --- */

static bool write_csv(const sweep_case *c)
{
    const char *path = c->options->csv;
    fm_outfile out;
    fm_error error = {0};
    if (!strcmp(path, "-")) {
        fm_sweep_write_csv(c->sweep, stdout);
        return true;
    }
    if (fm_outfile_open(&out, path, &error) != FM_OK)
        return fprintf(stderr, "fathom sweep: --csv %s\n", error.text), false;
    fm_sweep_write_csv(c->sweep, out.file);
    return fm_outfile_close(&out, &error) == FM_OK || (fprintf(stderr, "fathom sweep: --csv %s\n", error.text), false);
}

static bool write_results(const sweep_case *c, const char *command)
{
    fm_error error = {0};
    bool ok = true;
    if (c->options->out && fm_sweep_write_netcdf(c->sweep, c->options->out, command, &error) != FM_OK)
        ok = (fprintf(stderr, "fathom sweep: --output %s\n", error.text), false);
    return (!c->options->csv || write_csv(c)) && ok;
}

/* Whether the runs of each combination, which differ only in their seed, all had the same outcome. */
static bool seeds_do_nothing(const fm_sweep *s)
{
    const fm_sweep_plan *plan = s->plan;
    size_t bytes = s->width * sizeof *s->values;
    if (plan->design != FM_DESIGN_FACTORIAL || plan->runs < 2 || s->found + atomic_load(&s->made) < plan->total)
        return false;
    for (size_t i = 0; i < plan->axis_count; i++)
        if (fm_axis_drawn(&plan->axes[i]))
            return false;
    for (size_t run = 0; run < plan->total; run++)
        if (run % plan->runs && memcmp(s->values + run * s->width, s->values + (run - 1) * s->width, bytes) != 0)
            return false;
    return true;
}

static void tell_end(const sweep_case *c, double seconds)
{
    const fm_sweep *s = c->sweep;
    size_t made = atomic_load(&s->made), done = s->found + made, total = s->plan->total;
    char took[40];
    write_time(took, sizeof took, seconds);
    if (s->failed)
        fprintf(stderr, "fathom sweep: %zu of %zu runs failed\n", s->failed, done);
    if (c->failure.text[0]) {
        fprintf(stderr, "fathom sweep: run %zu: ", c->first_failed);
        cli_print_error(&c->failure);
    }
    if (c->spread.lost)
        fprintf(stderr, "fathom sweep: %zu of %d ranks stopped responding; the others made their runs\n",
                c->spread.lost, c->ranks->self.count);
    if (done < total)
        fprintf(stderr, "fathom sweep: interrupted after %zu of %zu runs%s\n", done, total,
                result_name(c->options) ? "; --resume continues" : "");
    if (c->options->quiet)
        return;
    if (c->options->backend == FM_SWEEP_AUTO && s->refused.text[0])
        fprintf(stderr, "fathom sweep: run by worlds: %s\n", s->refused.text);
    if (atomic_load(&s->by_worlds))
        fprintf(stderr,
                "fathom sweep: %zu of these runs were repeated by worlds: they need features that a batch does not "
                "support\n",
                atomic_load(&s->by_worlds));
    if (seeds_do_nothing(s))
        fprintf(stderr,
                "fathom sweep: note: the %zu runs of each combination have the same results: no output depends on the "
                "seed\n",
                s->plan->runs);
    char ranks[40] = "";
    if (c->ranks->self.module)
        snprintf(ranks, sizeof ranks, ", %d ranks", c->ranks->self.count);
    fprintf(stderr, "%s: %zu of %zu runs, %zu of them now, in %s (%.3g runs/s, %s%s)\n", c->options->scenario.file,
            done, total, made, took, seconds > 0 ? (double)made / seconds : 0, s->engine[0] ? s->engine : "no engine",
            ranks);
}

static int finish(sweep_case *c, const char *command)
{
    const fm_sweep *s = c->sweep;
    double seconds = cli_clock(NULL) - c->start;
    if (c->visible && !c->ranks->self.module)
        cli_progress_clear();
    bool written = write_results(c, command), whole = s->found + atomic_load(&s->made) == s->plan->total;
    tell_end(c, seconds);
    if (!written && result_name(c->options) && !c->journal.empty && c->journal.failed.status == FM_OK)
        fprintf(stderr, "fathom sweep: the runs are kept in %s; --resume writes them\n", c->journal.path);
    fm_journal_close(&c->journal, written && (whole || c->options->out));
    if (!written || (whole && !cli_sweep_record(c->options, c->sweep)))
        return CLI_FAILED;
    return !whole ? 128 + cli_interrupt_signal() : s->failed ? CLI_FAILED : CLI_DONE;
}

/* All runs, shared with other ranks if there are any; these leave the rest to rank 0. */
static int make_runs(sweep_case *c, const char *command)
{
    fm_error error = {0};
    bool shared = c->ranks->self.module;
    fm_status status =
        shared ? fm_spread_run(c->sweep, &c->ranks->self, &c->spread, &error) : fm_sweep_run(c->sweep, &error);
    if (status != FM_OK)
        cli_print_error(&error);
    if (status != FM_OK)
        return CLI_FAILED;
    return c->ranks->self.rank == 0 ? finish(c, command) : CLI_DONE;
}

static int sweep_model(const cli_sweep_options *o, const fm_model *model, fm_sweep_plan *plan, cli_ranks *ranks,
                       const char *command)
{
    sweep_case c = {.options = o,
                    .ranks = ranks,
                    .visible = (isatty(STDERR_FILENO) || ranks->self.module) && !o->quiet,
                    .journal = {.file = -1}};
    fm_load_options load = {.set = o->scenario.sets.items, .set_count = o->scenario.sets.count};
    cli_list series = {0};
    double every = 0;
    char *names = cli_sweep_every(o->every, &every) ? cli_sweep_series(&o->series, &series) : NULL;
    fm_sweep_options options = {.load = &load,
                                .metrics = o->metrics.items,
                                .metric_count = o->metrics.count,
                                .series = series.items,
                                .series_count = series.count,
                                .every = every,
                                .duration = o->duration,
                                .threads = o->threads > 0 ? (int)o->threads : cli_ranks_threads(ranks),
                                .backend = (fm_sweep_backend)o->backend,
                                .single = o->precision,
                                .done = run_done,
                                .user = &c};
    fm_error error = {0};
    int result = CLI_FAILED;
    bool made = names && fm_sweep_create(plan, model, &options, &c.sweep, &error) == FM_OK;
    if (!made && error.text[0])
        cli_print_error(&error);
    if (cli_ranks_ready(ranks, made && (ranks->self.rank > 0 || open_journal(&c)))) {
        cli_interrupt_tell(&c.sweep->stop);
        c.start = c.shown = cli_clock(NULL);
        result = make_runs(&c, command);
        cli_interrupt_tell(NULL);
    }
    fm_journal_close(&c.journal, false);
    cli_ranks_close(ranks, c.spread.broken, result);
    fm_sweep_free(c.sweep);
    fm_free(names);
    return result;
}

static bool read_options(int argc, char **argv, cli_sweep_options *o, int *status)
{
    bool hushed = cli_ranks_hushed(); /* rank 0 prints for all of them */
    if (hushed)
        cli_ranks_hush(true);
    bool read = cli_options_read(&cli_sweep_command, argc, argv, o, status);
    if (hushed)
        cli_ranks_hush(false);
    if (hushed && !read)
        *status = CLI_DONE; /* mpirun would end rank 0 before it has printed */
    return read;
}

int cli_sweep(int argc, char **argv)
{
    cli_sweep_options o = {.duration = NAN, .seed = -1};
    cli_ranks ranks;
    int status;
    if (!read_options(argc, argv, &o, &status))
        return status;
    cli_interrupt_watch();
    if (!cli_ranks_open(&ranks, "sweep", o.backend == FM_SWEEP_CUDA))
        return CLI_FAILED;
    fm_sweep_plan plan = {0};
    char *command = join_words(argc, argv);
    bool begin = cli_ranks_wait(&ranks);
    int result = begin ? CLI_FAILED : CLI_DONE;
    fm_model *model = begin ? cli_load(&o.scenario) : NULL;
    if (model && command && outputs_apart(&o, model) && cli_sweep_plan(&o, model, &plan))
        result = sweep_model(&o, model, &plan, &ranks, command);
    else if (model)
        result = CLI_USAGE;
    cli_ranks_close(&ranks, false, result);
    fm_free(command);
    fm_plan_free(&plan);
    fm_model_free(model);
    return result;
}
