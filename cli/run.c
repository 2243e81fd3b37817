/* fathom run: a scenario from its start to its end. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/outfile.h"
#include "bridges.h"
#include "clock.h"
#include "commands.h"
#include "csv.h"
#include "inputs.h"
#include "interrupt.h"
#include "local.h"
#include "metrics.h"
#include "overlay.h"
#include "progress.h"
#include "realtime.h"
#include "scenario.h"
#include "summary.h"
#include "world/model.h"

typedef struct run_options {
    cli_scenario scenario;
    double speed;    /* times real time; 0: as fast as possible */
    double duration; /* s; NaN: the scenario's */
    int until;       /* fm_run_goal */
    int64_t seed;    /* -1: the scenario's */
    int64_t threads, priority;
    const char *csv, *summary, *log, *http;
    double csv_rate, log_rate, log_chunk; /* Hz, Hz, s */
    fm_compression log_compression;
    bool fast, realtime, quiet;
    cli_local local;
    cli_bridges bridges;
    cli_overlays overlays;
    cli_list metrics;
} run_options;

static const cli_choice untils[] = {{"waypoints", FM_RUN_UNTIL_WAYPOINTS}, {"duration", FM_RUN_UNTIL_DURATION}, {0}};

static const cli_choice compressions[] = {
    {"zstd", FM_COMPRESSION_ZSTD}, {"lz4", FM_COMPRESSION_LZ4}, {"none", FM_COMPRESSION_NONE}, {0}};

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(run_options, scenario.file), .noun = "scenario", .required = true, .path = CLI_FILE,
     .endings = ".xml", .text = "the scenario: a file, or a name listed by `fathom scenarios`"},
};

static const cli_option option_table[] = {
    {"realtime", CLI_FIELD(run_options, realtime), .excludes = "speed fast", .section = "run",
     .text = "run in real time, as --speed 1"},
    {"speed", CLI_FIELD(run_options, speed), .value = "X", .min = 1e-6, .max = 1e9, .text = "run at X times real time"},
    {"fast", CLI_FIELD(run_options, fast), .excludes = "speed",
     .text = "run as fast as possible; the default unless --realtime or --speed is given"},
    {"duration", CLI_FIELD(run_options, duration), .value = "S", .min = 0, .max = 1e9,
     .text = "seconds to simulate; default: the scenario's duration"},
    {"until", CLI_FIELD(run_options, until), .value = "END", .choices = untils,
     .text = "end the run when all vehicles have reached the last of their waypoints, at the duration at the latest; "
             "duration: also run on where the scenario has then=\"end\""},
    {"seed", CLI_FIELD(run_options, seed), .value = "N", .min = 0, .max = 9007199254740992.0,
     .text = "seed of the random numbers; default: the scenario's"},
    {"threads", CLI_FIELD(run_options, threads), .value = "N", .min = 1, .max = 1024, .fallback = "1",
     .text = "number of threads; the result does not depend on it"},
    CLI_PRIORITY_OPTION(run_options, priority),
    {"set", CLI_FIELD(run_options, scenario.sets), .value = "PATH=VALUE",
     .text = "set a parameter (see `fathom params FILE`); may be repeated"},
    {"csv", CLI_FIELD(run_options, csv), .section = "tables", .value = "DIR", .path = CLI_FOLDER,
     .text = "write DIR/NAME.csv for each vehicle: t, x, y, z, phi, theta, psi, u, v, w, p, q, r, actuators, sensors, "
             "orders, with their units"},
    {"csv-rate", CLI_FIELD(run_options, csv_rate), .value = "HZ", .min = 1e-6, .max = 1e6, .needs = "csv",
     .text = "rows per second; default: one per vehicle step"},
    {"log", CLI_FIELD(run_options, log), .section = "log", .value = "FILE.mcap", .path = CLI_FILE, .endings = ".mcap",
     .text = "record all channels (see `fathom info`, `fathom plot`, `fathom replay`)"},
    {"log-rate", CLI_FIELD(run_options, log_rate), .value = "HZ", .min = 1e-6, .max = 1e6, .needs = "log",
     .text = "samples per second in the log; default: every step and sample"},
    {"log-chunk", CLI_FIELD(run_options, log_chunk), .value = "S", .min = 1e-3, .max = 1e6, .needs = "log",
     .text = "simulated seconds between two writes to disk: the most that a killed run loses; default: 1, or up to 30 "
             "if there is little to write"},
    {"log-compression", CLI_FIELD(run_options, log_compression), .choices = compressions, .fallback = "zstd",
     .needs = "log", .text = "compression of the log"},
    {"metric", CLI_FIELD(run_options, metrics), .section = "output", .value = "NAME=EXPRESSION",
     .text = "print the value of an expression about the run at its end, such as 'far=max(hypot(rov.x, rov.y))', and "
             "write it into the summary (docs/expressions.md); may be repeated"},
    {"summary", CLI_FIELD(run_options, summary), .value = "FILE", .path = CLI_FILE, .endings = ".json",
     .text = "write a JSON summary; - is standard output"},
    {"shared", CLI_FIELD(run_options, local.shared), .section = "other programs", .value = "NAME",
     .text = "publish the run in shared memory, /fathom-simulation-NAME and /fathom-clients-NAME, and accept values "
             "from emulators there (docs/shared-memory.md)"},
    {"telemetry-loop", CLI_FIELD(run_options, local.telemetry), .value = "PORT", .min = 0, .max = 65535,
     .text = "advance only with telemetry records of the NPS AUV's software on this UDP port of 127.0.0.1, and answer "
             "them with the sensor values (docs/shared-memory.md); 0: any free port, which is printed"},
    {"hardware-loop", CLI_FIELD(run_options, local.hardware), .value = "PORT", .min = 0, .max = 65535,
     .excludes = "telemetry-loop",
     .text = "the same with the hardware record of Snookie: depth, angles and rates for six motor commands"},
    {"http", CLI_FIELD(run_options, http), .value = "ADDR:PORT",
     .text = "serve the page during the run (see `fathom view`)"},
    CLI_OVERLAY_OPTIONS(run_options, overlays),
    CLI_BRIDGE_OPTIONS(run_options, bridges),
    {"quiet", CLI_FIELD(run_options, quiet), .section = "output",
     .text = "print no progress, warnings or closing line"},
};

const cli_command cli_run_command = {
    .name = "run",
    .section = "simulate",
    .text = "run a scenario",
    .about = "Runs a scenario as fast as possible, unless --realtime or --speed is given. On a terminal it shows its "
             "progress.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom run scenarios/phoenix-turn.xml --summary -\n"
                "  fathom run scenarios/fish-pool.xml --log fish.mcap\n"
                "  fathom run showcase --realtime\n",
    .interrupted = "the run was stopped; all outputs are complete up to that time",
    .main = cli_run,
};

/* --- progress --- */

typedef struct progress {
    double start, shown;       /* s of the clock */
    double first, first_shown; /* s simulated, and of the clock, when it was shown first */
} progress;

/* The rate is that since the line was first shown: the first steps also fill caches, and tell little. */
static void show_progress(progress *p, const fm_world *world, double end, double now)
{
    double time = fm_world_time(world), since = now - p->first_shown;
    char left[40] = "", rate[40] = "";
    if (p->first_shown == 0)
        p->first = time, p->first_shown = now;
    if (p->first_shown < now && time > p->first) {
        double factor = (time - p->first) / since;
        snprintf(rate, sizeof rate, "   %.3g x real time", factor);
        if (end < HUGE_VAL)
            snprintf(left, sizeof left, "   %.0f s left", (end - time) / factor);
    }
    char whole[40] = "";
    if (end < HUGE_VAL)
        snprintf(whole, sizeof whole, " of %.0f s", end);
    cli_progress("  %8.1f s%s%s%s", time, whole, rate, left);
}

static void print_event(void *user, fm_sink *sink, const fm_event *event)
{
    (void)user;
    const fm_world *world = fm_run_world(fm_sink_run(sink));
    fprintf(stderr, "\r\033[K  t = %.2f s: %s: %s\n", (double)event->tick * fm_model_dt(fm_world_model(world)),
            fm_world_name(world, event->slot), event->text);
}

static fm_status step_progress(void *user, fm_sink *sink, fm_error *error)
{
    (void)error;
    progress *p = user;
    double t = cli_clock(NULL);
    if (t - p->shown <= 0.2)
        return FM_OK;
    show_progress(p, fm_run_world(fm_sink_run(sink)), fm_run_end(fm_sink_run(sink)), t);
    p->shown = t;
    return FM_OK;
}

/* --- a run and its sinks --- */

typedef struct run_case {
    const run_options *options;
    fm_run *run;
    int visible; /* progress is shown */
    progress progress;
    double seconds;       /* that it took */
    cli_metrics *metrics; /* NULL: none */
    fm_log_result log;
} run_case;

static int attach_progress(run_case *c)
{
    fm_sink_config sink = {.step = step_progress, .event = print_event, .user = &c->progress};
    return !c->visible || fm_run_attach(c->run, &sink, NULL, NULL) == FM_OK;
}

/* A run in step with the clock continues without the messages that do not fit; any other run ends and reports it. */
static void tell_trouble(void *user, const fm_error *error)
{
    const run_case *c = user;
    if (c->options->speed > 0)
        fprintf(stderr, "%sfathom run: --log %s\n", c->visible ? "\r\033[K" : "", error->text);
}

static int attach_log(run_case *c)
{
    const run_options *o = c->options;
    fm_error error = {0};
    fm_log_options log = {.compression = o->log_compression,
                          .chunk = o->log_chunk,
                          .rate = o->log_rate,
                          .result = &c->log,
                          .trouble = tell_trouble,
                          .user = c};
    if (!o->log || fm_run_record(c->run, o->log, &log, &error) == FM_OK)
        return 1;
    return fprintf(stderr, "fathom run: --log %s: %s\n", o->log, error.text), 0;
}

static bool outputs_apart(const run_options *o, const fm_model *model)
{
    if (o->log && o->summary && (!strcmp(o->log, o->summary) || fm_file_same(o->log, o->summary)))
        return fprintf(stderr, "fathom run: --log and --summary name the same file, %s\n", o->log), false;
    return (!o->log || cli_output_apart_from_model("run", "--log", o->log, model)) &&
           (!o->summary || cli_output_apart_from_model("run", "--summary", o->summary, model));
}

static bool asks_local(const cli_local *local)
{
    return local->shared || local->telemetry >= 0 || local->hardware >= 0;
}

static int attach_all(run_case *c)
{
    const run_options *o = c->options;
    fm_error error = {0};
    if (o->csv && cli_csv_attach(c->run, o->csv, o->csv_rate, &error) != FM_OK)
        return fprintf(stderr, "fathom run: %s\n", error.text), 0;
    if ((asks_local(&o->local) && !cli_local_attach("run", c->run, &o->local)) || !attach_log(c) || !attach_progress(c))
        return 0;
    if (o->metrics.count &&
        cli_metrics_attach(c->run, o->metrics.items, o->metrics.count, &c->metrics, &error) != FM_OK)
        return cli_print_error(&error), 0;
    if (o->summary && cli_summary_attach(c->run, o->summary, &c->seconds, c->metrics, &error) != FM_OK)
        return fprintf(stderr, "fathom run: %s\n", error.text), 0;
    return 1;
}

static void print_log_result(const run_case *c)
{
    if (c->log.error.status != FM_OK)
        fprintf(stderr, "fathom run: --log %s: %s\n", c->options->log, c->log.error.text);
    if (c->log.dropped + c->log.lost > 0)
        fprintf(stderr, "fathom run: --log %s: %llu messages were not written to disk in time and are missing\n",
                c->options->log, (unsigned long long)(c->log.dropped + c->log.lost));
}

/* How it ended for each vehicle that has something to say; apart from a summary on standard output. */
static void print_verdicts(const run_options *o, const fm_world *world)
{
    FILE *out = o->summary && !strcmp(o->summary, "-") ? stderr : stdout;
    char text[256];
    for (int i = 0; i < fm_world_slots(world); i++) {
        fm_world_verdict(world, i, text, sizeof text);
        if (text[0])
            fprintf(out, "%s %s\n", fm_world_name(world, i), text);
    }
    fflush(out);
}

static void print_metrics(const run_case *c)
{
    const char *summary = c->options->summary;
    cli_metrics_print(c->metrics, summary && !strcmp(summary, "-") ? stderr : stdout);
}

/* Whether a signal came before the end; prints it if so. */
static int was_interrupted(const run_case *c)
{
    double time = fm_world_time(fm_run_world(c->run)), end = fm_run_end(c->run);
    if (!cli_interrupt_signal() || time >= end)
        return 0;
    fprintf(stderr, "fathom run: interrupted at %.1f s of %g s\n", time, end);
    return 1;
}

static int go(run_case *c)
{
    const run_options *o = c->options;
    const fm_run_clock clock = {.now = cli_clock, .sleep_until = cli_clock_sleep_until};
    const fm_world *world = fm_run_world(c->run);
    fm_error error = {0};
    if (o->speed > 0 || o->priority > 0)
        cli_realtime_begin("run", o->priority);
    c->progress.start = c->progress.shown = cli_clock(NULL);
    fm_status status = fm_run_go(c->run, &clock, &error);
    c->seconds = cli_clock(NULL) - c->progress.start;
    if (c->visible)
        cli_progress_clear();
    int ok = fm_run_finish(c->run, NULL) == FM_OK && status == FM_OK;
    print_log_result(c);
    if (status != FM_OK)
        cli_print_error(&error);
    if (c->visible)
        fprintf(stderr, "%s: %.1f s simulated in %.2f s (%.3g x real time)\n", o->scenario.file, fm_world_time(world),
                c->seconds, fm_world_time(world) / c->seconds);
    const fm_run_counts counts = fm_run_get_counts(c->run);
    if (!o->quiet && o->speed > 0)
        cli_realtime_print("run", &counts);
    if (!o->quiet && status == FM_OK)
        print_verdicts(o, world);
    if (status == FM_OK)
        print_metrics(c);
    int interrupted = was_interrupted(c);
    if (error.status == FM_ERR_CANCELLED)
        return 128 + cli_interrupt_signal();
    return !ok ? CLI_FAILED : interrupted ? 128 + cli_interrupt_signal() : CLI_DONE;
}

static bool has_run_host(const run_options *o, const fm_model *model)
{
    return o->http || model->bridge_count > 0;
}

static int run_model(const run_options *o, const fm_model *model)
{
    run_case c = {.options = o, .visible = isatty(STDERR_FILENO) && !o->quiet};
    fm_error error = {0};
    const fm_world_options seed = {.seeded = o->seed >= 0, .seed = (uint64_t)o->seed, .threads = (int)o->threads};
    fm_run_options options = {.world = &seed, .pace = {.speed = o->speed}};
    c.run = fm_run_create(model, &options, &error);
    if (!c.run || (!isnan(o->duration) && fm_run_set_end(c.run, o->duration, &error) != FM_OK))
        return cli_print_error(&error), fm_run_free(c.run), CLI_FAILED;
    if (fm_run_set_until(c.run, (fm_run_goal)o->until, &error) != FM_OK)
        return fprintf(stderr, "fathom run: --until waypoints: %s\n", error.text), fm_run_free(c.run), CLI_FAILED;
    cli_interrupt_give(c.run);
    cli_run_host *run_host = NULL;
    cli_overlay_counts *counts = NULL;
    cli_run_host_options around = {"run", o->speed, o->http, o->scenario.file, NULL};
    int ready = cli_overlays_attach("run", c.run, &o->overlays, NULL, &counts) &&
                (!has_run_host(o, model) || cli_run_host_open(&around, c.run, &run_host)) && attach_all(&c);
    int result = ready ? go(&c) : CLI_FAILED;
    cli_interrupt_give(NULL);
    fm_run_finish(c.run, NULL);
    cli_metrics_free(c.metrics);
    cli_run_host_close("run", run_host);
    fm_run_free(c.run);
    cli_overlays_close("run", counts);
    return result;
}

int cli_run(int argc, char **argv)
{
    run_options o = {.duration = NAN, .seed = -1, .local = {.telemetry = -1, .hardware = -1}};
    int status;
    if (!cli_options_read(&cli_run_command, argc, argv, &o, &status))
        return status;
    if (o.realtime)
        o.speed = 1;
    cli_interrupt_watch();
    o.scenario.warned = !o.quiet;
    cli_bridges_give(&o.bridges, &o.scenario);
    fm_model *model = cli_load(&o.scenario);
    if (!model)
        return CLI_FAILED;
    int result = outputs_apart(&o, model) ? run_model(&o, model) : CLI_USAGE;
    fm_model_free(model);
    return result;
}
