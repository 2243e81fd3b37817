/* Start-up: fresh processes, from exec to exit, in CPU time of all their threads. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

/* s of CPU time of `fathom ARGUMENTS`, with FATHOM_CACHE set to `cache`; NaN: it failed. *bytes: the most memory that
 * it had. */
static double run_program(const char *const *arguments, const char *cache, double *bytes)
{
    struct rusage used;
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_RDWR);
        if (dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || setenv("FATHOM_CACHE", cache, 1) != 0)
            _exit(126);
        execv("/proc/self/exe", (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return NAN;
    *bytes = 1024.0 * (double)used.ru_maxrss;
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* The best of as many as the time allows, after one that fills caches. */
static double time_program(bench_report *report, const char *const *arguments, const char *cache, double *bytes)
{
    double best = INFINITY, end = bench_now() + report->seconds;
    for (int i = 0; i < 2 || bench_now() < end; i++) {
        double seconds = run_program(arguments, cache, bytes);
        if (isnan(seconds)) {
            report->failed = 1;
            return NAN;
        }
        best = i > 0 ? fmin(best, seconds) : best;
    }
    return best;
}

static void bench_program(bench_report *report, const char *name, const char *const *arguments, const char *cache)
{
    bench_result *result = bench_begin(report, "start-up/%s", name);
    double bytes;
    if (!result)
        return;
    result->value = 1e3 * time_program(report, arguments, cache, &bytes);
    result->unit = "ms of CPU time";
}

/* Two steps of a shipped scenario. */
static void bench_start_of(bench_report *report, const char *name, const char *scenario, const char *cache)
{
    char path[2400] = "";
    if (!report->listing && !bench_find_scenario(scenario, path, sizeof path)) {
        fprintf(stderr, "fathom bench: unknown scenario %s\n", scenario);
        report->failed = 1;
        return;
    }
    bench_program(report, name, (const char *[]){"fathom", "run", path, "--duration", "0.1", "--quiet", NULL}, cache);
}

/* `count` vehicles, each with an element of its own. */
static int write_vehicles(const char *path, int count)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return 0;
    fputs("<fathom version='1'><world dt='0.01 s' duration='1 s'/>\n", out);
    for (int i = 0; i < count; i++)
        fprintf(out, "<vehicle name='v%d' model='lauv' position='%d %d 20 m'/>\n", i, i % 60 * 20, i / 60 * 20);
    fputs("</fathom>\n", out);
    return fclose(out) == 0;
}

/* The difference between 3,000 and one, per vehicle. */
static void bench_vehicle_load(bench_report *report, const char *folder)
{
    enum { COUNT = 3000 };
    bench_result *result = bench_begin(report, "start-up/%d-vehicles", COUNT);
    double seconds[2] = {NAN, NAN}, bytes[2] = {NAN, NAN};
    char path[80];
    snprintf(path, sizeof path, "%s/vehicles.xml", folder);
    for (int k = 0; k < 2 && result; k++) {
        if (!write_vehicles(path, k ? COUNT : 1))
            fprintf(stderr, "fathom bench: %s cannot be written\n", path);
        seconds[k] = time_program(report, (const char *[]){"fathom", "check", path, NULL}, "off", &bytes[k]);
        remove(path);
    }
    if (!result)
        return;
    result->value = 1e6 * (seconds[1] - seconds[0]) / COUNT;
    result->unit = "us of CPU time per vehicle";
    result->bytes_per_vehicle = (bytes[1] - bytes[0]) / COUNT;
}

void bench_start(bench_report *report)
{
    char folder[] = "/tmp/fathom-bench-XXXXXX", line[80];
    if (!report->listing && !mkdtemp(folder)) {
        perror("fathom bench: /tmp");
        report->failed = 1;
        return;
    }
    bench_program(report, "program", (const char *[]){"fathom", "--version", NULL}, "off");
    bench_start_of(report, "lauv-survey", "lauv-survey.xml", "off");
    bench_start_of(report, "showcase", "showcase.xml", "off");
    bench_start_of(report, "snookie-hardware/solved", "snookie-hardware.xml", "off");
    bench_start_of(report, "snookie-hardware/cached", "snookie-hardware.xml", folder);
    bench_vehicle_load(report, folder);
    if (report->listing)
        return;
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    if (system(line) != 0)
        fprintf(stderr, "fathom bench: %s could not be removed\n", folder);
}
