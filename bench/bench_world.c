/* Timing of worlds: one vehicle compared with its bare kernel, and a fleet compared with real time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "scenario.h"
#include "world/world.h"

enum { SLICE = 2000 /* steps at a time: shorter than a scheduler's time slice */, FLEET = 10000 };

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

/* As a run without listeners makes them: several in one call where only motion happens in them. */
static int steps_fail(fm_world *world, int steps)
{
    fm_error error = {0};
    double end = ((double)fm_world_tick(world) + steps) * fm_model_dt(fm_world_model(world));
    if (fm_world_run_until(world, end, &error) == FM_OK)
        return 0;
    cli_print_error(&error);
    return 1;
}

/* --- one vehicle --- */

/* Best times of world and kernel for the same number of steps, measured alternately. */
static void race(bench_report *report, fm_world *world, bench_result *result)
{
    const fm_slot *slot = &world->slots[0];
    volatile double sink = 0;
    double world_best = INFINITY, kernel_best = INFINITY, end = bench_now() + report->seconds;
    int is_body = slot->type->kind->rigid && slot->type->substeps == 1 && slot->type->tolerance == 0;
    fm_pose pose;
    if (fm_world_pose(world, 0, &pose) != FM_OK)
        return;
    do { /* each time from the same place: a vehicle that comes up would be compared with a kernel that does not */
        report->failed |= fm_world_place(world, fm_world_name(world, 0), &pose, NULL) != FM_OK;
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
    const char *model, *strips, *attributes, *inside; /* strips: as they appear in the name */
} subject;

#define PHOENIX_START "position='0 0 50 m' velocity='2 0 0 ft/s'"
#define PHOENIX_ORDERS "<orders><at t='0 s' propellers='700 rpm' bow-rudder='15 deg' stern-rudder='-15 deg'/></orders>"

static const subject subjects[] = {
    {"nps-auv-ii", "/15", PHOENIX_START, "<cross-flow rule='equal' count='15'/>" PHOENIX_ORDERS},
    {"nps-auv-ii", "/gauss28", PHOENIX_START, PHOENIX_ORDERS},
    {"nps-auv-ii", "/112", PHOENIX_START, "<cross-flow rule='midpoint' count='8'/>" PHOENIX_ORDERS},
    {"lauv", "", "position='0 0 50 m' velocity='1.5 0 0 m/s'",
     "<orders><at t='0 s' propeller='1500 rpm' rudders='10 deg'/></orders>"},
};

static const char *const integrators[] = {"euler", "heun", "rk4", "text"};

const char *bench_subject(size_t i, const char *integrator, char *text, size_t size, const char **model,
                          const char **strips)
{
    if (i >= FM_COUNT(subjects))
        return NULL;
    const subject *s = &subjects[i];
    snprintf(text, size,
             "<fathom version='1'><world dt='0.01 s' duration='1 s' gravity='32.174 ft/s2'><water density='1.94 "
             "slug/ft3'/></world>"
             "<vehicle name='v' model='%s' integrator='%s' %s>%s</vehicle></fathom>",
             s->model, integrator, s->attributes, s->inside);
    *model = s->model;
    *strips = s->strips;
    return text;
}

static void race_vehicle(bench_report *report, const char *text, bench_result *result)
{
    fm_world *world = result ? create(report, text, 1) : NULL;
    if (!world)
        return;
    race(report, world, result);
    discard(world);
}

static void bench_one(bench_report *report, size_t i, const char *integrator)
{
    char text[2048];
    const char *model = "", *strips = "";
    bench_subject(i, integrator, text, sizeof text, &model, &strips);
    race_vehicle(report, text, bench_begin(report, "%s/%s%s", model, integrator, strips));
}

void bench_strip_sizes(bench_report *report)
{
    static const int counts[] = {5, 10, 20, 50, 100, 200};
    for (size_t i = 0; i < FM_COUNT(counts); i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "<fathom version='1'><world dt='0.01 s' duration='1 s'/><vehicle name='v' model='nps-auv-ii' "
                 "integrator='heun' " PHOENIX_START "><cross-flow rule='equal' count='%d'/>" PHOENIX_ORDERS
                 "</vehicle></fathom>",
                 counts[i]);
        race_vehicle(report, text, bench_begin(report, "sizes/strips/%d", counts[i]));
    }
}

void bench_vehicles(bench_report *report)
{
    for (size_t s = 0; s < FM_COUNT(subjects); s++)
        for (size_t i = 0; i < FM_COUNT(integrators); i++)
            bench_one(report, s, integrators[i]);
}

/* --- a fleet --- */

/* Vehicles under way, 10 m apart on a line to the east, above `floor` (XML). */
static fm_world *create_fleet(bench_report *report, const char *floor, int threads, int count)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='1 s'>%s</world><vehicle name='v' model='nps-auv-ii' "
             "integrator='heun' count='%d' "
             "position='0 0 20 m' spacing='0 10 0 m' velocity='2 0 0 ft/s'><cross-flow rule='equal' "
             "count='15'/>" PHOENIX_ORDERS "</vehicle></fathom>",
             floor, count);
    return create(report, text, threads);
}

/* s of one step, from several together: reading a clock takes as long as a vehicle. */
static double time_step(bench_report *report, fm_world *world, int steps, double (*clock)(void))
{
    double begin = clock();
    report->failed |= steps_fail(world, steps);
    return (clock() - begin) / steps;
}

static void note_fleet(const fm_world *world, double best, int count, bench_result *result)
{
    result->steps_per_s = count / best;
    result->real_time_factor = fm_model_dt(fm_world_model(world)) / best;
    result->bytes_per_vehicle = (double)fm_world_bytes_per_vehicle(world, 0);
}

static void time_fleet(bench_report *report, int threads, int count, double (*clock)(void), bench_result *result)
{
    fm_world *world = result ? create_fleet(report, "", threads, count) : NULL;
    if (!world)
        return;
    double best = INFINITY, end = bench_now() + report->seconds;
    do
        best = fmin(best, time_step(report, world, count < 50 ? 1000 / count : 20, clock));
    while (!report->failed && bench_now() < end);
    note_fleet(world, best, count, result);
    discard(world);
}

void bench_vehicle_sizes(bench_report *report)
{
    static const int counts[] = {1, 10, 100, 1000, 10000, 100000};
    for (size_t i = 0; i < FM_COUNT(counts); i++)
        time_fleet(report, 1, counts[i], bench_worked, bench_begin(report, "sizes/vehicles/%d", counts[i]));
}

/* --- a fleet with instruments --- */

/* LAUVs 10 m apart over a level bottom, each with instruments that sample at every step. */
static char *write_instrumented(const char *formation, int count)
{
    const int rows = strcmp(formation, "square") == 0 ? (int)sqrt(count) : 1;
    bench_text text;
    if (!bench_text_begin(&text))
        return NULL;
    fprintf(text.out, "<fathom version='1'><world dt='0.01 s' duration='1 s'><bottom depth='60 m'/></world>");
    for (int row = 0; row < rows; row++)
        fprintf(text.out,
                "<vehicle name='v%d_' model='lauv' count='%d' position='%d 0 20 m' spacing='%s' velocity='1.5 0 0 "
                "m/s'><orders><at t='0 s' propeller='1500 rpm' rudders='10 deg'/></orders><imu/><dvl/><pressure/>"
                "<compass/></vehicle>",
                row, count / rows, 10 * row, strcmp(formation, "north") == 0 ? "10 0 0 m" : "0 10 0 m");
    fprintf(text.out, "</fathom>");
    return bench_text_end(&text);
}

static void bench_instruments(bench_report *report)
{
    static const char *const formations[] = {"east", "north", "square"};
    for (size_t i = 0; i < FM_COUNT(formations); i++) {
        bench_result *result = bench_begin(report, "fleet/%d/instruments/%s", FLEET, formations[i]);
        char *text = result ? write_instrumented(formations[i], FLEET) : NULL;
        fm_world *world = text ? create(report, text, 1) : NULL;
        double best = INFINITY, end = bench_now() + report->seconds;
        free(text);
        if (!world)
            continue;
        do
            best = fmin(best, time_step(report, world, 1, bench_worked));
        while (!report->failed && bench_now() < end);
        note_fleet(world, best, FLEET, result);
        discard(world);
    }
}

/* --- a fleet over triangles --- */

enum { CELLS_NORTH = 100, CELLS_EAST = FLEET }; /* of 10 m, two triangles each: 2 million */

static void floor_point(int i, int k, float out[3])
{
    int row = i - CELLS_NORTH / 2;
    out[0] = 10.0f * (float)row;
    out[1] = 10.0f * (float)k - 5;
    out[2] = row * row <= 1 ? 28 : (float)(28 + 2 * sin(0.7 * i) * cos(0.9 * k));
}

/* A level lane 8 m below the fleet, between hills, as STL. */
static int write_floor(const char *path)
{
    FILE *out = fopen(path, "wb");
    const char head[80] = {0};
    uint32_t count = 2 * CELLS_NORTH * CELLS_EAST;
    if (!out)
        return 0;
    fwrite(head, 1, sizeof head, out);
    fwrite(&count, sizeof count, 1, out);
    for (uint32_t i = 0; i < count; i++) {
        static const int corner[2][3][2] = {{{0, 0}, {1, 1}, {1, 0}}, {{0, 0}, {0, 1}, {1, 1}}};
        int cell = (int)(i / 2), row = cell % CELLS_NORTH, column = cell / CELLS_NORTH;
        float facet[4][3] = {{0}};
        for (int p = 0; p < 3; p++)
            floor_point(row + corner[i % 2][p][0], column + corner[i % 2][p][1], facet[p + 1]);
        fwrite(facet, sizeof facet, 1, out);
        fwrite("\0", 1, 2, out);
    }
    int written = !ferror(out);
    return fclose(out) == 0 && written;
}

/* Steps of a fleet without a floor and over it, alternately. */
static void race_fleets(bench_report *report, const char *floor, bench_result *result)
{
    fm_world *free_fleet = create_fleet(report, "", 1, FLEET), *fleet = create_fleet(report, floor, 1, FLEET);
    double best = INFINITY, free_best = INFINITY, end = bench_now() + report->seconds;
    while (free_fleet && fleet && !report->failed && bench_now() < end) {
        free_best = fmin(free_best, time_step(report, free_fleet, 20, bench_now));
        best = fmin(best, time_step(report, fleet, 20, bench_now));
    }
    if (fleet)
        note_fleet(fleet, best, FLEET, result);
    result->ratio = free_best / best;
    if (free_fleet)
        discard(free_fleet);
    if (fleet)
        discard(fleet);
}

/* Landers of 100 kg on two skids each. */
static void rest_fleet(bench_report *report, const char *floor, bench_result *result)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='1 s'>%s</world><vehicle name='v' count='%d' "
             "position='0 0 27.56 m' spacing='0 10 0 m'><mass mass='100 kg' centre='0 0 0.1 m' inertia='10 20 20 "
             "kg*m2'/><buoyancy "
             "force='700 N'/><drag X_u='-50 N*s/m' Y_v='-50 N*s/m' Z_w='-50 N*s/m' K_p='-20 N*m*s/rad' M_q='-20 "
             "N*m*s/rad' N_r='-20 N*m*s/rad'/><hull kind='capsule' size='0.9 0.06 0.06 m' centre='0 0.25 0.4 m'/><hull "
             "kind='capsule' size='0.9 0.06 0.06 m' centre='0 -0.25 0.4 m'/><contact friction='1'/></vehicle></fathom>",
             floor, FLEET);
    fm_world *world = create(report, text, 1);
    if (!world)
        return;
    report->failed |= steps_fail(world, 100); /* down by a centimetre, and at rest */
    double best = INFINITY, end = bench_now() + report->seconds;
    do
        best = fmin(best, time_step(report, world, 1, bench_now));
    while (!report->failed && bench_now() < end);
    note_fleet(world, best, FLEET, result);
    discard(world);
}

static void bench_floor(bench_report *report)
{
    bench_result *swimming = bench_begin(report, "fleet/%d/triangles", FLEET);
    bench_result *resting = bench_begin(report, "fleet/%d/resting", FLEET);
    char folder[] = "/tmp/fathom-bench-XXXXXX", path[64], floor[128];
    if ((!swimming && !resting) || !mkdtemp(folder))
        return;
    snprintf(path, sizeof path, "%s/floor.stl", folder);
    snprintf(floor, sizeof floor, "<bottom><mesh file='%s'/></bottom>", path);
    if (!write_floor(path)) {
        fprintf(stderr, "fathom bench: %s cannot be written\n", path);
        report->failed = 1;
    } else {
        if (swimming)
            race_fleets(report, floor, swimming);
        if (resting)
            rest_fleet(report, floor, resting);
    }
    remove(path);
    rmdir(folder);
}

void bench_fleet(bench_report *report)
{
    time_fleet(report, 1, FLEET, bench_worked, bench_begin(report, "fleet/%d/one-thread", FLEET));
    time_fleet(report, 2, FLEET, bench_now, bench_begin(report, "fleet/%d", FLEET));
    bench_instruments(report);
    bench_floor(report);
}
