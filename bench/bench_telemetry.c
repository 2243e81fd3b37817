/* The cost of recording: 100 vehicles at 100 Hz with all channels; reading the log, and exporting it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "scenario.h"
#include "telemetry/export.h"

enum { VEHICLES = 100, RATE = 100 };

/* Of all threads of this program, s. */
static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Each vehicle moves differently: their data must not compress well because it is alike. */
static fm_model *load_fleet(fm_error *error)
{
    bench_text text;
    if (!bench_text_begin(&text))
        return NULL;
    fprintf(text.out,
            "<fathom version='1'><world dt='%g s' duration='3600 s' seed='1'><water density='1025 kg/m3'/></world>",
            1.0 / RATE);
    for (int i = 0; i < VEHICLES; i++)
        fprintf(text.out,
                "<vehicle name='auv-%d' model='nps-auv-ii' position='0 %d %d m' attitude='0 0 %g deg' velocity='%g "
                "0 0 m/s'><orders>"
                "<at t='0 s' propellers='%d rpm' bow-rudder='%g deg' stern-rudder='%g deg'/><at t='1 s' "
                "port-stern-plane='%g deg'/></orders></vehicle>",
                i, 10 * i, 5 + i % 17, 3.7 * i, 0.3 + 0.007 * i, 400 + 3 * i, 15 - 0.31 * i, 0.29 * i - 14,
                6 - 0.13 * i);
    fprintf(text.out, "</fathom>");
    char *scenario = bench_text_end(&text);
    fm_model *model = scenario ? fm_model_load_memory(scenario, strlen(scenario), "fleet.xml", NULL, error) : NULL;
    free(scenario);
    return model;
}

/* Steps the fleet; returns the processor time, s, or NaN. */
static double step_fleet(const fm_model *model, int steps, const char *path, fm_error *error)
{
    fm_run *run = fm_run_create(model, &(fm_run_options){.duration = (double)steps / RATE}, error);
    if (!run || (path && fm_run_record(run, path, NULL, error) != FM_OK))
        return fm_run_free(run), NAN;
    double start = cpu_now();
    fm_status status = fm_run_go(run, NULL, error);
    if (status == FM_OK)
        status = fm_run_finish(run, error);
    double spent = cpu_now() - start;
    fm_run_free(run);
    return status == FM_OK ? spent : NAN;
}

static void set(bench_result *result, double value, const char *unit)
{
    if (!result)
        return;
    result->value = value;
    result->unit = unit;
}

static void measure_recording(bench_report *report, const fm_model *model, int steps, const char *path, fm_error *error)
{
    struct stat info;
    double bare = INFINITY, logged = INFINITY;
    for (int i = 0; i < 3; i++) {
        bare = fmin(bare, step_fleet(model, steps, NULL, error));
        logged = fmin(logged, step_fleet(model, steps, path, error));
    }
    double seconds = (double)steps / RATE;
    set(bench_begin(report, "telemetry/record"), 100 * (logged - bare) / seconds,
        "% of a core for 100 vehicles at 100 Hz (goal: under 10)");
    if (stat(path, &info) == 0)
        set(bench_begin(report, "telemetry/size"), (double)info.st_size / ((double)steps * VEHICLES),
            "B per vehicle and sample (goal: under 300)");
}

static void measure_reading(bench_report *report, const char *path, fm_error *error)
{
    fm_mcap_reader *reader;
    fm_mcap_cursor *cursor;
    fm_mcap_message message = {0};
    double start = bench_now(), best = 0;
    for (int i = 0; i < 3; i++) {
        start = bench_now();
        if (fm_mcap_open(path, &reader, error) != FM_OK)
            return;
        uint64_t bytes = fm_mcap_get_info(reader)->chunk_bytes;
        fm_status status = fm_mcap_query_open(reader, &(fm_mcap_query){0}, &cursor, error);
        while (status == FM_OK && (status = fm_mcap_next(cursor, &message, error)) == FM_OK && message.data)
            ;
        fm_mcap_query_close(cursor);
        fm_mcap_reader_close(reader);
        best = fmax(best, (double)bytes / (bench_now() - start));
    }
    bench_result *result = bench_begin(report, "telemetry/read");
    set(result, 1e-6 * best, "MB/s of messages (goal: over 200)");
    if (result)
        result->more_is_better = 1;
}

static void measure_export(bench_report *report, const char *path, const char *folder, fm_error *error)
{
    fm_mcap_reader *reader;
    fm_export_result result = {0};
    if (fm_mcap_open(path, &reader, error) != FM_OK)
        return;
    double start = bench_now();
    if (fm_export_csv(reader, folder, &(fm_export_options){0}, &result, error) == FM_OK && result.values > 0)
        set(bench_begin(report, "telemetry/csv"), (bench_now() - start) * 1e6 / (double)result.values,
            "s per million values to CSV (goal: under 2)");
    fm_mcap_reader_close(reader);
}

static void remove_folder(const char *folder)
{
    char command[400];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        fprintf(stderr, "fathom bench: %s could not be removed\n", folder);
}

void bench_telemetry(bench_report *report)
{
    char folder[] = "/tmp/fathom-bench-XXXXXX", path[64], csv[64];
    fm_error error = {0};
    if (report->only && strncmp("telemetry/", report->only, strlen(report->only) < 10 ? strlen(report->only) : 10) != 0)
        return;
    static const char *const names[] = {"telemetry/record", "telemetry/size", "telemetry/read", "telemetry/csv"};
    for (size_t i = 0; report->listing && i < sizeof names / sizeof *names; i++)
        bench_begin(report, "%s", names[i]);
    if (report->listing)
        return;
    fm_model *model = load_fleet(&error);
    int steps =
        (int)fmin(fmax(report->seconds * 5, 10), 100) * RATE; /* scene and schemas, once per log, are a fifth of 2 s */
    if (model && mkdtemp(folder)) {
        snprintf(path, sizeof path, "%s/fleet.mcap", folder);
        snprintf(csv, sizeof csv, "%s/csv", folder);
        measure_recording(report, model, steps, path, &error);
        measure_reading(report, path, &error);
        measure_export(report, path, csv, &error);
        remove_folder(folder);
    }
    if (error.status != FM_OK) {
        cli_print_error(&error);
        report->failed = 1;
    }
    fm_model_free(model);
}
