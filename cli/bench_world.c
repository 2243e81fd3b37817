/* Worlds under the stopwatch: one vehicle alone against its bare kernel, and a fleet against real time. */
#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "scenario.h"
#include "world/world.h"

enum { SLICE = 2000 /* steps at a time: shorter than what a scheduler grants */, FLEET = 10000 };

static fm_world *create(bench_report *report, const char *text, int threads)
{
    fm_error error = {0};
    fm_model *model = cli_load_text(text, "bench");
    fm_world_options options = {.threads = threads};
    fm_world *world = model ? fm_world_create(model, &options, &error) : NULL;
    if (model && !world) {
        cli_print_error(&error);
        fm_model_free(model);
    }
    report->failed |= !world;
    return world;
}

static void discard(fm_world *world)
{
    const fm_model *model = fm_world_model(world);
    fm_world_free(world);
    fm_model_free((fm_model *)(uintptr_t)model);
}

static int steps_fail(fm_world *world, int steps)
{
    fm_error error = {0};
    for (int i = 0; i < steps; i++)
        if (fm_world_step(world, &error) != FM_OK) {
            cli_print_error(&error);
            return 1;
        }
    return 0;
}

/* --- one vehicle --- */

/* Best times of world and kernel for as many steps, taken in turns. */
static void race(bench_report *report, fm_world *world, bench_result *result)
{
    const fm_slot *slot = &world->slots[0];
    volatile double sink = 0;
    double world_best = INFINITY, kernel_best = INFINITY, end = bench_now() + report->seconds;
    int is_body = slot->type->kind->rigid && slot->type->substeps == 1 && slot->type->tolerance == 0;
    do {
        double t0 = bench_now();
        if (is_body)
            sink += bench_kernel(slot->type, slot->vehicle, &world->stream, SLICE);
        double t1 = bench_now();
        report->failed |= steps_fail(world, SLICE);
        double t2 = bench_now();
        kernel_best = fmin(kernel_best, t1 - t0);
        world_best = fmin(world_best, t2 - t1);
    } while (!report->failed && bench_now() < end);
    (void)sink;
    result->steps_per_s = SLICE / world_best;
    result->ratio = is_body ? kernel_best / world_best : NAN;
    result->bytes_per_vehicle = (double)fm_world_bytes_per_vehicle(world, 0);
}

typedef struct subject {
    const char *model, *strips, *attributes, *inside; /* strips: what stands in the name */
} subject;

#define PHOENIX_ORDERS "<orders><at t='0 s' propellers='700 rpm' bow-rudder='15 deg' stern-rudder='-15 deg'/></orders>"

static const subject subjects[] = {
    {"nps-auv-ii", "15", "velocity='2 0 0 ft/s'", "<cross-flow rule='equal' count='15'/>" PHOENIX_ORDERS},
    {"nps-auv-ii", "gauss28", "velocity='2 0 0 ft/s'", PHOENIX_ORDERS},
    {"nps-auv-ii", "112", "velocity='2 0 0 ft/s'", "<cross-flow rule='midpoint' count='8'/>" PHOENIX_ORDERS},
};

static const char *const integrators[] = {"euler", "heun", "rk4", "text"};

static void bench_one(bench_report *report, const subject *s, const char *integrator)
{
    bench_result *result = bench_begin(report, "%s/%s/%s", s->model, integrator, s->strips);
    if (!result)
        return;
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='1 s' gravity='32.174 ft/s2'><water density='1.94 "
             "slug/ft3'/></world>"
             "<vehicle name='v' model='%s' integrator='%s' %s>%s</vehicle></fathom>",
             s->model, integrator, s->attributes, s->inside);
    fm_world *world = create(report, text, 1);
    if (!world)
        return;
    race(report, world, result);
    discard(world);
}

void bench_vehicles(bench_report *report)
{
    for (size_t s = 0; s < FM_COUNT(subjects); s++)
        for (size_t i = 0; i < FM_COUNT(integrators); i++)
            bench_one(report, &subjects[s], integrators[i]);
}

/* --- a fleet --- */

static void fleet_on(bench_report *report, const char *suffix, int threads)
{
    bench_result *result = bench_begin(report, "fleet/%d%s", FLEET, suffix);
    if (!result)
        return;
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='1 s'/><vehicle name='v' model='nps-auv-ii' "
             "integrator='heun' count='%d' "
             "position='0 0 20 m' spacing='0 10 0 m' velocity='2 0 0 ft/s'><cross-flow rule='equal' "
             "count='15'/>" PHOENIX_ORDERS "</vehicle></fathom>",
             FLEET);
    fm_world *world = create(report, text, threads);
    if (!world)
        return;
    enum { STEPS = 1 };
    double best = INFINITY, end = bench_now() + report->seconds;
    do {
        double t0 = bench_now();
        report->failed |= steps_fail(world, STEPS);
        best = fmin(best, bench_now() - t0);
    } while (!report->failed && bench_now() < end);
    result->steps_per_s = (double)STEPS * FLEET / best;
    result->real_time_factor = STEPS * fm_model_dt(fm_world_model(world)) / best;
    result->bytes_per_vehicle = (double)fm_world_bytes_per_vehicle(world, 0);
    discard(world);
}

void bench_fleet(bench_report *report)
{
    fleet_on(report, "/one-thread", 1);
    fleet_on(report, "", 2);
}
