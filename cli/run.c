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
#include "suggest.h"
#include "summary.h"
#include "telemetry/run_log.h"

typedef struct run_options {
    cli_scenario scenario;
    double speed;    /* times real time; 0: as fast as it goes */
    double duration; /* s; NaN: the scenario's */
    int seeded;
    double seed;
    int threads;
    const char *csv, *summary, *log;
    double csv_rate, log_rate, log_chunk;
    fm_compression log_compression;
    int fast, quiet;
} run_options;

static void print_help(void)
{
    puts("usage: fathom run FILE [OPTIONS]\n\n"
         "Runs a scenario. On a terminal it runs in real time and shows its progress; otherwise, and with --fast, as "
         "fast as\n"
         "it goes.\n\n"
         "  --fast              as fast as possible\n"
         "  --speed X           X times real time\n"
         "  --duration S        seconds to simulate, instead of the scenario's\n"
         "  --seed N            of the random numbers, instead of the scenario's\n"
         "  --threads N         threads that share the vehicles; the result does not depend on it\n"
         "  --set PATH=VALUE    set a parameter (see `fathom params FILE`); may be repeated\n"
         "  --csv DIR           write DIR/NAME.csv for each vehicle: t,x,y,z,phi,theta,psi,u,v,w,p,q,r, actuators, "
         "sensors\n"
         "  --csv-rate HZ       rows per second, instead of one per vehicle step\n"
         "  --log FILE.mcap     record all channels (see `fathom info`, `fathom plot`, `fathom replay`)\n"
         "  --log-rate HZ       samples per second in the log, instead of every step and sample\n"
         "  --log-chunk S       seconds of simulated time between two writes to the disk (1): what a killed run loses "
         "at most\n"
         "  --log-compression zstd|lz4|none\n"
         "  --summary FILE|-    write a JSON summary\n"
         "  --quiet             no progress, no closing line");
}

static const char *const option_names[] = {
    "--fast",     "--speed",     "--duration",        "--seed",    "--threads", "--set", "--csv", "--csv-rate", "--log",
    "--log-rate", "--log-chunk", "--log-compression", "--summary", "--quiet",   "--help"};

static int unknown_option(const char *word)
{
    const char *near = cli_nearest(word, option_names, sizeof option_names / sizeof *option_names);
    fprintf(stderr, "fathom run: unknown option '%s'", word);
    if (near)
        fprintf(stderr, "; did you mean '%s'?", near);
    fputc('\n', stderr);
    return CLI_USAGE;
}

static int read_compression(const char *value, fm_compression *out)
{
    static const char *const names[] = {
        [FM_COMPRESSION_NONE] = "none", [FM_COMPRESSION_LZ4] = "lz4", [FM_COMPRESSION_ZSTD] = "zstd"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(value, names[i]))
            return *out = (fm_compression)i, 1;
    return fprintf(stderr, "fathom run: --log-compression: found '%s', accepted zstd, lz4 or none\n", value), 0;
}

static int read_log_option(run_options *o, const char *name, const char *value)
{
    if (!strcmp(name, "--log"))
        return o->log = value, 1;
    if (!strcmp(name, "--log-rate"))
        return cli_number("run", name, value, 1e-6, 1e6, &o->log_rate);
    if (!strcmp(name, "--log-chunk"))
        return cli_number("run", name, value, 1e-3, 1e6, &o->log_chunk);
    if (!strcmp(name, "--log-compression"))
        return read_compression(value, &o->log_compression);
    return -1;
}

static int is_option(const char *word)
{
    for (size_t i = 0; i < sizeof option_names / sizeof *option_names; i++)
        if (!strcmp(word, option_names[i]))
            return 1;
    return 0;
}

/* Reads an option that takes a value; -1: not one of these. */
static int read_valued(run_options *o, const char *name, const char *value)
{
    double number = 0;
    if (!strcmp(name, "--speed"))
        return cli_number("run", name, value, 1e-6, 1e9, &o->speed);
    if (!strcmp(name, "--duration"))
        return cli_number("run", name, value, 0, 1e9, &o->duration);
    if (!strcmp(name, "--seed")) {
        o->seeded = 1;
        return cli_whole("run", name, value, 0, 9007199254740992.0, &o->seed);
    }
    if (!strcmp(name, "--threads")) {
        int ok = cli_whole("run", name, value, 1, 1024, &number);
        o->threads = (int)number;
        return ok;
    }
    if (!strcmp(name, "--csv-rate"))
        return cli_number("run", name, value, 1e-6, 1e6, &o->csv_rate);
    if (!strcmp(name, "--csv"))
        return o->csv = value, 1;
    if (!strcmp(name, "--summary"))
        return o->summary = value, 1;
    if (strcmp(name, "--set"))
        return read_log_option(o, name, value);
    if (o->scenario.set_count == CLI_SETS_MOST)
        return fprintf(stderr, "fathom run: at most %d --set options\n", CLI_SETS_MOST), 0;
    o->scenario.sets[o->scenario.set_count++] = value;
    return 1;
}

static int read_options(int argc, char **argv, run_options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!strcmp(word, "--help") || !strcmp(word, "-h"))
            return print_help(), CLI_DONE - 1;
        if (!strcmp(word, "--fast"))
            o->fast = 1;
        else if (!strcmp(word, "--quiet"))
            o->quiet = 1;
        else if (word[0] == '-' && word[1]) {
            if (!is_option(word))
                return unknown_option(word);
            if (i + 1 >= argc)
                return fprintf(stderr, "fathom run: %s needs a value\n", word), CLI_USAGE;
            if (read_valued(o, word, argv[++i]) <= 0)
                return CLI_USAGE;
        } else if (o->scenario.file)
            return fprintf(stderr, "fathom run: one scenario at a time, found '%s' and '%s'\n", o->scenario.file, word),
                   CLI_USAGE;
        else
            o->scenario.file = word;
    }
    if (!o->scenario.file)
        return fprintf(stderr, "fathom run: which scenario? `fathom run --help` explains\n"), CLI_USAGE;
    if (o->fast && o->speed > 0)
        return fprintf(stderr, "fathom run: give --fast or --speed, not both\n"), CLI_USAGE;
    return CLI_DONE;
}

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
                                  .set = o->scenario.sets,
                                  .set_count = o->scenario.set_count};
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
    if (o->log && !open_log(&run, o, o->seeded ? (uint64_t)o->seed : fm_model_seed(model))) {
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
    run_options o = {.duration = NAN, .log_compression = FM_COMPRESSION_ZSTD};
    int usage = read_options(argc, argv, &o);
    if (usage != CLI_DONE)
        return usage < 0 ? CLI_DONE : usage;
    if (!o.fast && o.speed == 0 && isatty(STDOUT_FILENO))
        o.speed = 1;
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    fm_model *model = cli_load(&o.scenario);
    if (!model)
        return CLI_FAILED;
    fm_error error = {0};
    fm_world_options options = {.seeded = o.seeded, .seed = (uint64_t)o.seed, .threads = o.threads};
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
