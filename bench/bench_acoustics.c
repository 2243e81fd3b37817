/* The speed of sound propagation: a crowd of transducers, and rays. The ratio is the time of a plain loop over the same
 * pairs or rays, which only evaluates the closed forms, divided by ours. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "acoustics/eigenray.h"
#include "acoustics/field.h"
#include "bench.h"
#include "physics/real.h"
#include "scenario.h"

/* --- a plain loop --- */

/* A ray from layer to layer by Snell's law, only range and time. Returns a number from its end. */
static double plain_ray(const fm_waveguide *g, double depth, double angle, double range, int reflections)
{
    size_t i = fm_waveguide_layer(g, depth);
    double c = fm_waveguide_speed(g, depth), a = fm_cos(angle) / c, s = fm_sin(angle), x = 0, t = 0, z = depth;
    for (int n = 0; n < 10000 && x < range && reflections >= 0; n++) {
        size_t node = i + (s > 0);
        double next = g->speed[node], squared = 1 - a * a * next * next, gradient = g->gradient[i], dx, dz;
        if (squared > 0) {
            double end = s > 0 ? sqrt(squared) : -sqrt(squared);
            dz = g->depth[node] - z;
            dx = dz * a * (c + next) / (s + end);
            s = end;
        } else { /* turns back to where it came from */
            dz = 0;
            dx = 2 * s / (a * gradient);
            s = -s;
            next = c;
        }
        t += 2 * sqrt(dx * dx + dz * dz) / (c + next);
        x += dx;
        z += dz;
        c = next;
        if (squared > 0 && (node == 0 || node == g->layers)) {
            s = -s;
            reflections--;
        } else if (squared > 0)
            i = s > 0 ? i + 1 : i - 1;
    }
    return t + z;
}

/* --- rays --- */

enum { LAYERS = 50, FAN = 1000, COLUMNS = 500, ROWS = 200 };

/* Munk's profile in uniform layers, 5 km deep. */
static int make_guide(fm_waveguide *guide, fm_arena *arena)
{
    double depth[LAYERS + 1], speed[LAYERS + 1], bottom = 5000;
    fm_error error = {0};
    fm_sound_profile profile = {LAYERS + 1, depth, speed};
    for (int i = 0; i <= LAYERS; i++) {
        depth[i] = 5000.0 * i / LAYERS;
        speed[i] = fm_sound_speed_munk(depth[i]);
    }
    return fm_waveguide_make(guide, &profile, &(fm_bottom_line){1, (const double[]){0}, &bottom},
                             &(fm_seabed){.density = 1.9, .speed = 1650, .attenuation = 0.8}, 0, arena,
                             &error) == FM_OK;
}

typedef struct ray_race {
    const fm_waveguide *guide;
    double *loss;
    double sink; /* so that nothing is optimised away */
} ray_race;

static int find_eigenrays(ray_race *race)
{
    fm_arrival arrivals[64];
    int shots = 0;
    fm_eigenray_options options = {.lowest = -0.35, .highest = 0.35, .reflections = 2};
    race->sink += (double)fm_eigenrays_count(race->guide, 1000, 1200, 20000, &options, arrivals, 64, &shots);
    return shots;
}

static int trace_fan(ray_race *race)
{
    for (int i = 0; i < FAN; i++) {
        fm_ray ray = fm_ray_launch(race->guide, 1000, 0.25 * (2.0 * i / (FAN - 1) - 1));
        fm_ray_advance(race->guide, &ray, 1e5, 100, 0, NULL, NULL);
        race->sink += ray.time;
    }
    return FAN;
}

static int compute_field(ray_race *race)
{
    fm_error error = {0};
    fm_field_options options = {
        .frequency = 50, .range = 1e5, .depth = 5000, .columns = COLUMNS, .rows = ROWS, .rays = 500};
    if (fm_field_compute(race->guide, 1000, &options, race->loss, &error) == FM_OK)
        race->sink += race->loss[COLUMNS];
    return 500;
}

/* Ours and a plain loop of as many rays over the same angles and range, in turns; steps are calls. */
static void race_rays(bench_report *report, const char *name, int (*ours)(ray_race *race), double steepest,
                      double range, int reflections)
{
    bench_result *result = bench_begin(report, "%s", name);
    fm_arena arena = {0};
    fm_waveguide guide;
    static double loss[COLUMNS * ROWS];
    if (result && make_guide(&guide, &arena)) {
        ray_race race = {&guide, loss, 0};
        double best = INFINITY, plain = INFINITY, end = bench_now() + report->seconds;
        do {
            double t0 = bench_now();
            int rays = ours(&race);
            double t1 = bench_now();
            for (int i = 0; i < rays; i++)
                race.sink += plain_ray(&guide, 1000.5, steepest * (2.0 * (i + 0.5) / rays - 1), range, reflections);
            best = fmin(best, t1 - t0);
            plain = fmin(plain, bench_now() - t1);
        } while (bench_now() < end);
        result->steps_per_s = 1 / best;
        result->ratio = plain / best;
        result->value = 1e3 * best;
        result->unit = isfinite(race.sink) ? "ms" : NULL;
    }
    fm_arena_free(&arena);
}

/* --- a crowd --- */

/* s of a plain loop over `pairs` pairs: distance, time and level of each. */
static double time_plain_pairs(double pairs)
{
    double start = bench_now(), sum = 0;
    for (double i = 0; i < pairs; i++) {
        double x = 100 + i * 1e-3, y = 300, z = 20, r = sqrt(x * x + y * y + z * z);
        sum += r / 1500 + 170 - 20 * fm_log(r) / 2.302585092994045684 - 5e-3 * r;
    }
    double took = bench_now() - start;
    return isfinite(sum) ? took : NAN;
}

/* rows · in_row transducers, each of which pings every second, `spacing` m apart; steps are receptions. */
static void bench_crowd(bench_report *report, int rows, int in_row, double spacing, bench_result *result)
{
    enum { SIMULATED = 4 };
    if (!result)
        return;
    bench_text text;
    if (!bench_text_begin(&text)) {
        report->failed = 1;
        return;
    }
    fm_error error = {0};
    fprintf(text.out, "<fathom version=\"1\"><world dt=\"0.02 s\"><acoustics arrivals=\"2500000\"/></world>");
    for (int row = 0; row < rows; row++)
        fprintf(text.out,
                "<vehicle name=\"row%d\" count=\"%d\" position=\"0 %g 50 m\" spacing=\"%g 0 0.1 m\" "
                "velocity=\"0.5 0.1 0 m/s\"><mass mass=\"40 kg\" inertia=\"1 1 1 kg*m2\"/><transducer "
                "ping-period=\"1 s\" ping-start=\"%d ms\" pulse=\"1 ms\" level=\"170 dB\"/></vehicle>",
                row, in_row, row * spacing, spacing, 37 * row % 1000);
    fprintf(text.out, "</fathom>");
    char *scenario = bench_text_end(&text);
    fm_model *model = scenario ? cli_load_text(scenario, "crowd") : NULL;
    fm_world *world = model ? fm_world_create(model, NULL, &error) : NULL;
    double heard = 0, busy = 0, end = bench_now() + report->seconds;
    report->failed |= !world || fm_world_run_until(world, 2, &error) != FM_OK;
    double first = world ? fm_world_time(world) : 0;
    while (world && !report->failed && (fm_world_time(world) < first + SIMULATED || bench_now() < end)) {
        const fm_sound_record *records;
        double start = bench_worked();
        report->failed |= fm_world_step(world, &error) != FM_OK;
        busy += bench_worked() - start;
        size_t count = fm_world_sounds(world, &records);
        for (size_t i = 0; i < count; i++)
            heard += records[i].event != FM_SOUND_SENT;
    }
    if (world) {
        result->steps_per_s = heard / busy;
        result->ratio = time_plain_pairs(heard) / busy;
        result->real_time_factor = (fm_world_time(world) - first) / busy;
        result->bytes_per_vehicle = (double)fm_world_bytes_per_vehicle(world, 0);
    }
    fm_world_free(world);
    fm_model_free(model);
    free(scenario);
}

void bench_acoustics(bench_report *report)
{
    bench_crowd(report, 25, 40, 800, bench_begin(report, "acoustics/1000")); /* 31 km by 20 km */
    bench_crowd(report, 25, 40, 30, bench_begin(report, "acoustics/1000/all-hear-all"));
    race_rays(report, "acoustics/eigenrays/50-layers", find_eigenrays, 0.35, 2e4, 2);
    race_rays(report, "acoustics/fan/1000-rays-100-km", trace_fan, 0.25, 1e5, 100);
    race_rays(report, "acoustics/field/500x200", compute_field, 1.04, 1e5, 100);
}

/* All hear all; a step is a second. */
void bench_transducer_sizes(bench_report *report)
{
    static const int sides[][2] = {{2, 5}, {5, 6}, {10, 10}, {15, 20}, {25, 40}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        bench_result *result = bench_begin(report, "sizes/transducers/%d", sides[i][0] * sides[i][1]);
        bench_crowd(report, sides[i][0], sides[i][1], 30, result);
        if (result)
            result->steps_per_s = result->real_time_factor;
    }
}
