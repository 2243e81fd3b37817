/* Timing of batches, compared with a single vehicle in a world. */
#include <fathom/batch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/threads.h"
#include "bench.h"
#include "scenario.h"

enum {
    SLICE = 2000 /* steps at a time: shorter than a scheduler's time slice */,
    LANES = 256 /* the same for batches: some milliseconds */,
    DEVICE = 1 << 22,
    STEPS = 100
};

/* --- worlds --- */

typedef struct worlds_work {
    fm_world *worlds[256];
    int failed[256];
} worlds_work;

static void step_world(void *user, size_t i)
{
    worlds_work *w = user;
    fm_error error = {0};
    for (int k = 0; k < SLICE && !w->failed[i]; k++)
        w->failed[i] = fm_world_step(w->worlds[i], &error) != FM_OK;
}

/* Vehicle-steps per second of a number of worlds, each on a thread of its own. */
static double worlds_rate(bench_report *report, const fm_model *model, int threads)
{
    static worlds_work w;
    fm_error error = {0};
    fm_threads *pool = fm_threads_create(threads);
    double best = INFINITY, end = bench_now() + report->seconds;
    for (int i = 0; i < threads; i++) {
        w.worlds[i] = fm_world_create(model, NULL, &error);
        w.failed[i] = !w.worlds[i];
    }
    do {
        double begin = bench_now();
        fm_threads_share(pool, (size_t)threads, step_world, &w);
        best = fmin(best, bench_now() - begin);
    } while (bench_now() < end);
    for (int i = 0; i < threads; i++) {
        report->failed |= w.failed[i];
        fm_world_free(w.worlds[i]);
    }
    fm_threads_free(pool);
    return (double)threads * SLICE / best;
}

/* --- batches --- */

/* Orders of the scenario's first moment, for all. */
static void give_orders(fm_batch *batch, const fm_model *model)
{
    fm_error error = {0};
    fm_world *world = fm_world_create(model, NULL, &error);
    size_t count = 0, n = fm_batch_count(batch);
    while (fm_batch_row_name(batch, FM_BATCH_ORDERS, count))
        count++;
    double *orders = calloc(count * n + 1, sizeof *orders);
    if (world && orders && fm_world_step(world, &error) == FM_OK)
        for (size_t a = 0; a < count; a++)
            for (size_t i = 0; i < n; i++)
                orders[a * n + i] = fm_world_column(world, 0, a) * (1 - 1e-7 * (double)(i % 1000));
    if (orders)
        (void)fm_batch_put(batch, FM_BATCH_ORDERS, orders, &error);
    free(orders);
    fm_world_free(world);
}

static double batch_rate(bench_report *report, const fm_model *model, fm_batch_backend backend, int single)
{
    fm_error error = {0};
    size_t n = backend == FM_BATCH_CUDA ? DEVICE : LANES;
    fm_batch_options options = {.backend = backend, .single = single};
    fm_batch *batch = fm_batch_create(model, n, &options, &error);
    if (!batch) {
        if (!(report->no_device && backend == FM_BATCH_CUDA)) /* once for all */
            fprintf(stderr, "fathom bench: %s\n", error.text);
        report->no_device |= backend == FM_BATCH_CUDA;
        return NAN;
    }
    give_orders(batch, model);
    double best = INFINITY, end = bench_now() + report->seconds;
    do {
        double begin = bench_now();
        report->failed |= fm_batch_step(batch, STEPS, &error) != FM_OK;
        best = fmin(best, bench_now() - begin);
    } while (!report->failed && bench_now() < end);
    fm_batch_free(batch);
    return (double)n * STEPS / best;
}

/* --- the family --- */

static const char *const integrators[] = {"euler", "heun", "rk4"};
static const char *const fish[] = {"robotic-fish", "robotic-fish-fins", "robotic-fish-elongated"};
static const char swims[] = "<fathom version='1'><world dt='0.05 s' duration='1 s'/><vehicle name='v' model='%s' "
                            "position='0 0 9 m'><orders><at t='0 s' frequency='2 Hz' deflection='10 deg'/></orders>"
                            "</vehicle></fathom>";

static void bench_kinds(bench_report *report, const char *text, const char *name)
{
    static const struct {
        const char *name;
        fm_batch_backend backend;
        int single;
    } kinds[] = {{"simd/double", FM_BATCH_SIMD, 0},
                 {"simd/float", FM_BATCH_SIMD, 1},
                 {"cuda/double", FM_BATCH_CUDA, 0},
                 {"cuda/float", FM_BATCH_CUDA, 1}};
    double live = NAN;
    fm_model *model = NULL;
    bench_result *worlds = bench_begin(report, "batch/worlds/double/%s", name), *results[4];
    for (int k = 0; k < 4; k++)
        results[k] = bench_begin(report, "batch/%s/%s", kinds[k].name, name);
    if (!worlds && !results[0] && !results[1] && !results[2] && !results[3])
        return;
    if (!(model = cli_load_text(text, "bench"))) {
        report->failed = 1;
        return;
    }
    live = worlds_rate(report, model, 1);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (worlds) {
        worlds->steps_per_s = worlds_rate(report, model, (int)fmin(256, fmax(1, (double)processors)));
        worlds->ratio = worlds->steps_per_s / live;
    }
    for (int k = 0; k < 4; k++)
        if (results[k]) {
            results[k]->steps_per_s = batch_rate(report, model, kinds[k].backend, kinds[k].single);
            results[k]->ratio = results[k]->steps_per_s / live;
        }
    fm_model_free(model);
}

void bench_batch(bench_report *report)
{
    char text[2048], name[64];
    const char *model, *strips;
    for (size_t i = 0; bench_subject(i, "heun", text, sizeof text, &model, &strips); i++)
        for (size_t k = 0; k < sizeof integrators / sizeof *integrators; k++) {
            bench_subject(i, integrators[k], text, sizeof text, &model, &strips);
            snprintf(name, sizeof name, "%s/%s%s", model, integrators[k], strips[0] ? strips : "/0");
            bench_kinds(report, text, name);
        }
    for (size_t i = 0; i < sizeof fish / sizeof *fish; i++) {
        snprintf(text, sizeof text, swims, fish[i]);
        snprintf(name, sizeof name, "%s/heun/0", fish[i]); /* a vehicle's defaults */
        bench_kinds(report, text, name);
    }
}
