/* fathom bench: the speed of the program on this machine. */
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_against.h"
#include "clock.h"
#include "commands.h"
#include "realtime.h"
#include "scenario.h"
#include "summary.h"

static const struct family {
    void (*run)(bench_report *report);
} families[] = {
    {bench_vehicles},  {bench_fleet}, {bench_telemetry}, {bench_sensors}, {bench_planner}, {bench_scenarios},
    {bench_acoustics}, {bench_start}, {bench_serve},     {bench_bridges}, {bench_dis},     {bench_realtime},
};

static const struct family sizes[] = {
    {bench_vehicle_sizes}, {bench_strip_sizes}, {bench_beam_sizes}, {bench_transducer_sizes}, {bench_client_sizes}};

typedef struct bench_options {
    const char *only, *against;
    double seconds;
    int64_t priority;
    bool json, list, batch, env, sizes;
} bench_options;

static const cli_option option_table[] = {
    {"json", CLI_FIELD(bench_options, json),
     .text = "one JSON object: {\"results\": [{\"name\": …, \"steps_per_s\": …, \"ratio\": …}, …]}"},
    {"batch", CLI_FIELD(bench_options, batch),
     .text = "batches instead: batch/ENGINE/PRECISION/MODEL/INTEGRATOR/STRIPS (worlds, simd or cuda; double or float), "
             "vehicle-steps per second and the ratio to one vehicle alone in a world; worlds on all processors, simd "
             "on one"},
    {"env", CLI_FIELD(bench_options, env), .excludes = "batch",
     .text =
         "environments instead: env/ENGINE/PRECISION/SCENARIO/STEPS (vehicle steps from one step of the environments "
         "to the next), vehicle-steps per second and the ratio to the bare engine, measured in turn; on one "
         "processor"},
    {"sizes", CLI_FIELD(bench_options, sizes), .excludes = "batch env",
     .text =
         "what a size costs instead: sizes/KIND/COUNT for vehicles (a step is that of one of them), strips of a hull, "
         "beams (a step is a ping), transducers that all hear each other (a step is a second) and clients (a step is a "
         "state, sent and answered); `fathom "
         "plot` "
         "draws the JSON"},
    {"list", CLI_FIELD(bench_options, list), .excludes = "json", .text = "the names of the results, without measuring"},
    {"only", CLI_FIELD(bench_options, only), .value = "PREFIX", .offer = "bench --list",
     .text = "only results whose name begins so, for example nps-auv-ii/heun"},
    {"against", CLI_FIELD(bench_options, against), .value = "FILE.json", .path = CLI_FILE, .endings = ".json",
     .excludes = "list",
     .text =
         "beside each result its speed divided by that of an earlier run, which was written with --json: 2 is twice "
         "as fast, in half the time or with half the delay (99 %)"},
    {"seconds", CLI_FIELD(bench_options, seconds), .value = "S", .min = 1e-3, .max = 600, .fallback = "1",
     .text = "to spend on each result"},
    CLI_PRIORITY_OPTION(bench_options, priority),
};

const cli_command cli_bench_command = {
    .name = "bench",
    .section = "tools",
    .text = "how fast worlds step on this machine",
    .about =
        "Measures ns per step and steps per second for each model, integrator and strip count on one core, the "
        "ratio of the bare physics kernel's time to that of a whole world step (same strips, same run, in turns, "
        "best of many), the bytes of world per vehicle, how much faster than real time a fleet moves on two "
        "threads, what recording costs and how fast logs are read and exported. For sensors a step is a ray of a "
        "sonar (the ratio is to bare Embree) or a picture of a camera. Whole scenarios (Snookie, REMUS, Phoenix, the "
        "Otter at rest, in level water and in waves, other craft, a "
        "filter that navigates, a thousand fish, the showcase) give how much faster than real time they run; for sea a "
        "step is the water's "
        "motion at "
        "one place and moment, for planner/replan one search after the map has grown (the ratio is to a search "
        "from nothing); the other planners are whole scenarios. For acoustics a step is a reception among a thousand "
        "transducers that ping at 1 Hz, or one search for eigenrays, one fan, one field of loss (the ratio is that of "
        "a "
        "plain loop over as many rays). For start-up a fresh process loads a scenario and makes its first steps. For "
        "serve a thousand clients get states 20 times a second and answer each (a "
        "step, of all processors' time): p99 "
        "of the age of a state when it is received, late steps, dropped datagrams. For bridges all of them tell twenty "
        "vehicles fifty times a second on one core, each flown by an autopilot in lock-step: how nearly real time is "
        "kept, part of the core, and which bridges took part. For realtime the showcase runs at 1 kHz in step with the "
        "clock (lateness: from the moment that a step is due to its begin), and software outside exchanges records "
        "with a run (response: from a record to its answer, with one step in between). Scenarios are measured in CPU "
        "time.",
    CLI_OPTIONS(option_table),
    .examples = "  fathom bench --only nps-auv-ii/heun --seconds 0.2\n"
                "  fathom bench --json >before.json; fathom bench --against before.json\n"
                "  fathom bench --sizes --json >sizes.json && fathom plot sizes.json -o sizes.png\n",
    .main = cli_bench,
};

int bench_text_begin(bench_text *text)
{
    text->data = NULL;
    text->out = open_memstream(&text->data, &text->size);
    return text->out != NULL;
}

char *bench_text_end(bench_text *text)
{
    if (fclose(text->out) == 0)
        return text->data;
    free(text->data);
    return NULL;
}

double bench_now(void)
{
    return cli_clock(NULL);
}

double bench_worked(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bench_result *bench_begin(bench_report *report, const char *format, ...)
{
    bench_result result = {.steps_per_s = NAN,
                           .ratio = NAN,
                           .bytes_per_vehicle = NAN,
                           .real_time_factor = NAN,
                           .p99_ms = NAN,
                           .late_steps = NAN,
                           .drops = NAN,
                           .value = NAN};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result.name, sizeof result.name, format, arguments);
    va_end(arguments);
    if (report->count == BENCH_RESULTS_MOST ||
        (report->only && strncmp(result.name, report->only, strlen(report->only)) != 0))
        return NULL;
    report->results[report->count++] = result;
    return report->listing ? NULL : &report->results[report->count - 1];
}

static void write_json(const bench_report *report, const bench_earlier *earlier)
{
    char machine[256];
    bench_machine(machine, sizeof machine);
    fputs("{\"version\": \"" FATHOM_VERSION "\", \"machine\": ", stdout);
    cli_json_text(stdout, machine);
    fputs(",\n \"results\": [", stdout);
    for (size_t i = 0; i < report->count; i++) {
        const bench_result *r = &report->results[i];
        fputs(i ? ",\n  {\"name\": " : "\n  {\"name\": ", stdout);
        cli_json_text(stdout, r->name);
        const struct {
            const char *key;
            double value;
        } numbers[] = {{"steps_per_s", r->steps_per_s},
                       {"ns_per_step", 1e9 / r->steps_per_s},
                       {"ratio", r->ratio},
                       {"bytes_per_vehicle", r->bytes_per_vehicle},
                       {"real_time_factor", r->real_time_factor},
                       {"value", r->value}};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            printf(", \"%s\": ", numbers[k].key);
            cli_json_number(stdout, numbers[k].value);
        }
        if (isfinite(r->p99_ms))
            printf(", \"p99_ms\": %.4f, \"late_steps\": %.0f, \"drops\": %.0f", r->p99_ms, r->late_steps, r->drops);
        if (r->what)
            printf(", \"%s_s\": {\"count\": %llu, \"p50\": %.3g, \"p99\": %.3g, \"p99.9\": %.3g, \"worst\": %.3g}",
                   r->what, (unsigned long long)r->delays.count, r->delays.p50, r->delays.p99, r->delays.p999,
                   r->delays.worst);
        if (r->unit) {
            fputs(", \"unit\": ", stdout);
            cli_json_text(stdout, r->unit);
        }
        if (r->with[0]) {
            fputs(", \"with\": ", stdout);
            cli_json_text(stdout, r->with);
        }
        if (earlier->text) {
            fputs(", \"against\": ", stdout);
            cli_json_number(stdout, bench_earlier_ratio(earlier, r));
        }
        fputs("}", stdout);
    }
    fputs("\n]}\n", stdout);
}

static void cell(int width, const char *format, double value)
{
    char text[32];
    snprintf(text, sizeof text, format, value);
    printf("%*s", width, isfinite(value) ? text : "-");
}

static int widest_name(const bench_report *report)
{
    int widest = 36;
    for (size_t i = 0; i < report->count; i++)
        widest = (int)strlen(report->results[i].name) > widest ? (int)strlen(report->results[i].name) : widest;
    return widest;
}

static void write_table(const bench_report *report, const bench_earlier *earlier)
{
    const int names = widest_name(report);
    printf("%-*s %10s %12s %8s %8s %10s%s\n", names, "name", "ns/step", "steps/s", "ratio", "bytes", "real time",
           earlier->text ? "    against" : "");
    for (size_t i = 0; i < report->count; i++) {
        const bench_result *r = &report->results[i];
        printf("%-*s ", names, r->name);
        cell(10, 1e9 / r->steps_per_s < 10 ? "%.3g" : "%.1f", 1e9 / r->steps_per_s);
        cell(13, "%.4g", r->steps_per_s);
        cell(9, r->ratio < 1000 ? "%.3f" : "%.0f", r->ratio);
        cell(9, "%.0f", r->bytes_per_vehicle);
        cell(11, "%.1f x", r->real_time_factor);
        if (earlier->text)
            cell(11, "%.3f x", bench_earlier_ratio(earlier, r));
        if (r->unit)
            printf("  %.4g %s", r->value, r->unit);
        if (r->what)
            printf("  %s p50 %.3g, p99 %.3g, p99.9 %.3g, worst %.3g us", r->what, 1e6 * r->delays.p50,
                   1e6 * r->delays.p99, 1e6 * r->delays.p999, 1e6 * r->delays.worst);
        if (isfinite(r->p99_ms))
            printf(", p99 %.3f ms, %.0f late steps, %.0f drops", r->p99_ms, r->late_steps, r->drops);
        if (r->with[0])
            printf(", with %s", r->with);
        putchar('\n');
    }
}

/* A ratio between two machines is that of the machines too. */
static void warn_of_other_machine(const bench_earlier *earlier, const char *path)
{
    char machine[256];
    bench_machine(machine, sizeof machine);
    if (!bench_earlier_same_machine(earlier, machine))
        fprintf(stderr, "fathom bench: --against: %s was measured on another machine than this one (%s)\n", path,
                machine);
}

int cli_bench(int argc, char **argv)
{
    static bench_report report;
    bench_options o = {0};
    bench_earlier earlier = {0};
    int status;
    if (!cli_options_read(&cli_bench_command, argc, argv, &o, &status))
        return status;
    if (o.against && !bench_earlier_read(&earlier, o.against))
        return CLI_FAILED;
    if (o.against)
        warn_of_other_machine(&earlier, o.against);
    report.seconds = o.seconds;
    report.only = o.only;
    report.listing = o.list;
    report.priority = o.priority;
    if (o.batch)
        bench_batch(&report);
    if (o.env)
        bench_env(&report);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && o.sizes; i++)
        sizes[i].run(&report);
    for (size_t i = 0; i < sizeof families / sizeof *families && !o.batch && !o.env && !o.sizes; i++)
        families[i].run(&report);
    if (report.only && !report.count)
        return fprintf(stderr, "fathom bench: no result begins with '%s'; `fathom bench --list` lists them\n",
                       report.only),
               CLI_USAGE;
    for (size_t i = 0; o.list && i < report.count; i++)
        printf("  %s\n", report.results[i].name);
    if (o.list)
        return CLI_DONE;
    if (o.json)
        write_json(&report, &earlier);
    else
        write_table(&report, &earlier);
    bench_earlier_free(&earlier);
    return report.failed ? CLI_FAILED : CLI_DONE;
}
