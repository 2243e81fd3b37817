/* fathom run: a scenario from its start to its end. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "csv.h"
#include "scenario.h"
#include "summary.h"
#include "telemetry/run_log.h"

typedef struct run_options {
    cli_scenario scenario;
    double speed;    /* times real time; 0: as fast as it goes */
    double duration; /* s; NaN: the scenario's */
    int64_t seed;    /* -1: the scenario's */
    int64_t threads;
    const char *csv, *summary, *log;
    double csv_rate, log_rate, log_chunk; /* Hz, Hz, s */
    fm_compression log_compression;
    bool fast, quiet;
} run_options;

static const cli_choice compressions[] = {
    {"zstd", FM_COMPRESSION_ZSTD}, {"lz4", FM_COMPRESSION_LZ4}, {"none", FM_COMPRESSION_NONE}, {0}};

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(run_options, scenario.file), .noun = "scenario", .required = true, .path = CLI_FILE,
     .endings = ".xml", .text = "the scenario"},
};

static const cli_option option_table[] = {
    {"fast", CLI_FIELD(run_options, fast), .excludes = "speed", .section = "run", .text = "as fast as possible"},
    {"speed", CLI_FIELD(run_options, speed), .value = "X", .min = 1e-6, .max = 1e9, .text = "X times real time"},
    {"duration", CLI_FIELD(run_options, duration), .value = "S", .min = 0, .max = 1e9,
     .text = "seconds to simulate, instead of the scenario's"},
    {"seed", CLI_FIELD(run_options, seed), .value = "N", .min = 0, .max = 9007199254740992.0,
     .text = "of the random numbers, instead of the scenario's"},
    {"threads", CLI_FIELD(run_options, threads), .value = "N", .min = 1, .max = 1024, .fallback = "1",
     .text = "threads that share the vehicles; the result does not depend on it"},
    {"set", CLI_FIELD(run_options, scenario.sets), .value = "PATH=VALUE",
     .text = "set a parameter (see `fathom params FILE`); may be repeated"},
    {"csv", CLI_FIELD(run_options, csv), .section = "tables", .value = "DIR", .path = CLI_FOLDER,
     .text = "write DIR/NAME.csv for each vehicle: t, x, y, z, phi, theta, psi, u, v, w, p, q, r, actuators, sensors"},
    {"csv-rate", CLI_FIELD(run_options, csv_rate), .value = "HZ", .min = 1e-6, .max = 1e6, .needs = "csv",
     .text = "rows per second, instead of one per vehicle step"},
    {"log", CLI_FIELD(run_options, log), .section = "log", .value = "FILE.mcap", .path = CLI_FILE, .endings = ".mcap",
     .text = "record all channels (see `fathom info`, `fathom plot`, `fathom replay`)"},
    {"log-rate", CLI_FIELD(run_options, log_rate), .value = "HZ", .min = 1e-6, .max = 1e6, .needs = "log",
     .text = "samples per second in the log, instead of every step and sample"},
    {"log-chunk", CLI_FIELD(run_options, log_chunk), .value = "S", .min = 1e-3, .max = 1e6, .fallback = "1",
     .needs = "log",
     .text = "seconds of simulated time between two writes to the disk: what a killed run loses at most"},
    {"log-compression", CLI_FIELD(run_options, log_compression), .choices = compressions, .fallback = "zstd",
     .needs = "log", .text = "of the chunks"},
    {"summary", CLI_FIELD(run_options, summary), .section = "output", .value = "FILE", .path = CLI_FILE,
     .endings = ".json", .text = "write a JSON summary; - is standard output"},
    {"quiet", CLI_FIELD(run_options, quiet), .text = "no progress, no closing line"},
};

const cli_command cli_run_command = {
    .name = "run",
    .section = "simulate",
    .text = "run a scenario",
    .about = "Runs a scenario. On a terminal it runs in real time and shows its progress; otherwise, and with --fast, "
             "as fast as it goes.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom run scenarios/phoenix-turn.xml --summary -\n"
                "  fathom run scenarios/fish-pool.xml --log fish.mcap\n",
    .main = cli_run,
};

/* --- time and progress --- */

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_until(double moment)
{
    double left;
    while (!interrupted && (left = moment - now()) > 0) {
        struct timespec t = {(time_t)left, (long)((left - floor(left)) * 1e9)};
        nanosleep(&t, NULL);
    }
}

static void show_progress(const fm_world *world, double end, double seconds)
{
    double time = fm_world_time(world), factor = seconds > 0 ? time / seconds : 0;
    double left = factor > 0 ? (end - time) / factor : 0;
    fprintf(stderr, "\r  %8.1f s of %.0f s   %s%.3g x real time   %.0f s left   ", time, end, "", factor, left);
    fflush(stderr);
}

typedef struct run_state {
    fm_world *world;
    cli_csv *csv;
    fm_run_log *log;
    double start, end, shown;
    int progress;
} run_state;

static void print_events(const run_state *run, const run_options *o)
{
    const fm_event *events;
    size_t count = fm_world_events(run->world, &events);
    for (size_t i = 0; i < count && !o->quiet && run->progress; i++)
        fprintf(stderr, "\r\033[K  t = %.2f s: %s: %s (%g)\n",
                (double)events[i].tick * fm_model_dt(fm_world_model(run->world)),
                fm_world_name(run->world, events[i].slot), events[i].kind, events[i].value);
}

static fm_status run_loop(run_state *run, const run_options *o, fm_error *error)
{
    double last_tick = floor(run->end / fm_model_dt(fm_world_model(run->world)) + 0.5);
    while ((double)fm_world_tick(run->world) < last_tick && !interrupted) {
        fm_status status = fm_world_step(run->world, error);
        if (status != FM_OK)
            return status;
        if (run->csv && (status = cli_csv_write(run->csv, run->world, 0, error)) != FM_OK)
            return status;
        if (run->log)
            fm_run_log_step(run->log, run->world);
        if (run->progress) {
            print_events(run, o);
            double t = now();
            if (t - run->shown > 0.2) {
                show_progress(run->world, run->end, t - run->start);
                run->shown = t;
            }
        }
        if (o->speed > 0)
            wait_until(run->start + fm_world_time(run->world) / o->speed);
    }
    return FM_OK;
}

/* --- the log --- */

static int open_log(run_state *run, const run_options *o, uint64_t seed)
{
    fm_error error = {0};
    fm_run_log_options options = {.path = o->log,
                                  .compression = o->log_compression,
                                  .chunk = o->log_chunk,
                                  .rate = o->log_rate,
                                  .wait = o->speed == 0,
                                  .duration = run->end,
                                  .seed = seed,
                                  .set = o->scenario.sets.items,
                                  .set_count = o->scenario.sets.count};
    if (fm_run_log_open(run->world, &options, &run->log, &error) == FM_OK)
        return 1;
    fprintf(stderr, "fathom run: --log %s: %s\n", o->log, error.text);
    return 0;
}

static int close_log(run_state *run, const run_options *o, const fm_error *failure)
{
    fm_error error = {0};
    fm_recorder_result result = {0};
    const char *ending = failure->status != FM_OK ? failure->text : interrupted ? "interrupted" : "finished";
    fm_status status = fm_run_log_close(run->log, run->world, ending, &result, &error);
    if (status != FM_OK)
        fprintf(stderr, "fathom run: --log %s: %s\n", o->log, error.text);
    if (result.dropped + result.lost > 0)
        fprintf(stderr, "fathom run: --log %s: %llu messages did not reach the disk in time and are missing\n", o->log,
                (unsigned long long)(result.dropped + result.lost));
    return status == FM_OK;
}

static int write_summary(const run_options *o, const fm_world *world, double seconds)
{
    if (!o->summary)
        return 1;
    FILE *out = strcmp(o->summary, "-") ? fopen(o->summary, "w") : stdout;
    if (!out)
        return fprintf(stderr, "fathom run: --summary %s: %s\n", o->summary, strerror(errno)), 0;
    cli_write_summary(out, world, seconds);
    if (out == stdout ? fflush(out) : fclose(out))
        return fprintf(stderr, "fathom run: --summary %s: %s\n", o->summary, strerror(errno)), 0;
    return 1;
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

static int run_world(const run_options *o, fm_world *world)
{
    const fm_model *model = fm_world_model(world);
    run_state run = {.world = world,
                     .start = now(),
                     .end = isnan(o->duration) ? fm_model_duration(model) : o->duration,
                     .progress = isatty(STDERR_FILENO) && !o->quiet};
    if (o->csv && !(run.csv = cli_csv_open(o->csv, world, o->csv_rate)))
        return CLI_FAILED;
    fm_error error = {0};
    if (run.csv && cli_csv_write(run.csv, world, 0, &error) != FM_OK)
        return cli_print_error(&error), cli_csv_close(run.csv), CLI_FAILED;
    if (o->log && !open_log(&run, o, o->seed >= 0 ? (uint64_t)o->seed : fm_model_seed(model))) {
        if (run.csv)
            cli_csv_close(run.csv);
        return CLI_FAILED;
    }
    fm_status status = run_loop(&run, o, &error);
    double seconds = now() - run.start;
    int ok = status == FM_OK;
    if (run.progress)
        fprintf(stderr, "\r\033[K");
    if (run.csv) {
        fm_error late = {0};
        if (cli_csv_write(run.csv, world, 1, &late) != FM_OK)
            cli_print_error(&late);
        ok &= cli_csv_close(run.csv);
    }
    if (run.log)
        ok &= close_log(&run, o, &error);
    if (status != FM_OK)
        cli_print_error(&error);
    if (run.progress)
        fprintf(stderr, "%s: %.1f s simulated in %.2f s (%.3g x real time)\n", o->scenario.file, fm_world_time(world),
                seconds, fm_world_time(world) / seconds);
    ok &= write_summary(o, world, seconds);
    if (!o->quiet && status == FM_OK)
        print_verdicts(o, world);
    return ok ? CLI_DONE : CLI_FAILED;
}

int cli_run(int argc, char **argv)
{
    run_options o = {.duration = NAN, .seed = -1};
    int status;
    if (!cli_options_read(&cli_run_command, argc, argv, &o, &status))
        return status;
    if (!o.fast && o.speed == 0 && isatty(STDOUT_FILENO))
        o.speed = 1;
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    fm_model *model = cli_load(&o.scenario);
    if (!model)
        return CLI_FAILED;
    fm_error error = {0};
    fm_world_options options = {.seeded = o.seed >= 0, .seed = (uint64_t)o.seed, .threads = (int)o.threads};
    fm_world *world = fm_world_create(model, &options, &error);
    int result = CLI_FAILED;
    if (world)
        result = run_world(&o, world);
    else
        cli_print_error(&error);
    fm_world_free(world);
    fm_model_free(model);
    return result;
}
