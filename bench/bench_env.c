/* Environments under the stopwatch, beside the bare engine that moves their rows, in turn. */
#include <fathom/env.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fathom/batch.h>

#include "bench.h"
#include "scenario.h"

enum { LANES = 4096, DEVICE = 1 << 20, WORLDS = 64, TICKS = 20, WORLD_CALLS = 10 };

static const char rov[] = "<fathom version='1'><world dt='0.01 s' duration='1e6 s'/><vehicle name='rov' "
                          "model='bluerov2' position='0 0 20 m'/></fathom>";
static const char reef[] =
    "<fathom version='1'><world dt='0.05 s' duration='1e6 s'><bottom depth='8 m'/><sphere name='rock' "
    "position='12 1 7 m' radius='1.5 m'/></world><vehicle name='remus' model='remus-100' position='0 0 4 m' "
    "velocity='1.5 0 0 m/s'><multibeam name='sonar' position='0.6 0 0 m' attitude='90 0 0 deg' period='1 s' range='40 "
    "m' sector='70 deg' "
    "beams='141' bins='200' beam-height='0 deg' rays='1'/></vehicle></fathom>";

/* What is measured of a scenario. */
typedef struct subject {
    const char *name, *text;
    const char *observations[3];
    fm_env_engine engine;
    fm_batch_backend backend;
    size_t rows;
    int steps; /* of the vehicle, from one step of the environments to the next */
    int single;
} subject;

static const subject subjects[] = {
    {"simd/double/bluerov2/1", rov, {"position", "euler", "velocity"}, FM_ENV_SIMD, FM_BATCH_SIMD, LANES, 1, 0},
    {"simd/double/bluerov2/10", rov, {"position", "euler", "velocity"}, FM_ENV_SIMD, FM_BATCH_SIMD, LANES, 10, 0},
    {"simd/float/bluerov2/10", rov, {"position", "euler", "velocity"}, FM_ENV_SIMD, FM_BATCH_SIMD, LANES, 10, 1},
    {"cuda/double/bluerov2/10", rov, {"position", "euler", "velocity"}, FM_ENV_CUDA, FM_BATCH_CUDA, DEVICE, 10, 0},
    {"cuda/float/bluerov2/10", rov, {"position", "euler", "velocity"}, FM_ENV_CUDA, FM_BATCH_CUDA, DEVICE, 10, 1},
    {"worlds/double/remus-reef/2", reef, {"position", "velocity", NULL}, FM_ENV_WORLDS, FM_BATCH_SIMD, WORLDS, 2, 0},
};

/* --- the bare engines --- */

typedef struct bare {
    fm_batch *batch;
    fm_world *worlds[WORLDS];
} bare;

static int open_bare(bare *b, const subject *s, const fm_model *model, fm_error *error)
{
    if (s->engine != FM_ENV_WORLDS) {
        const fm_batch_options options = {.size = sizeof options, .backend = s->backend, .single = s->single};
        return (b->batch = fm_batch_create(model, s->rows, &options, error)) != NULL;
    }
    for (int i = 0; i < WORLDS; i++)
        if (!(b->worlds[i] = fm_world_create(model, NULL, error)))
            return 0;
    return 1;
}

static int step_bare(bare *b, int steps, fm_error *error)
{
    fm_status status = FM_OK;
    if (b->batch)
        return fm_batch_step(b->batch, (size_t)steps, error) == FM_OK;
    for (int i = 0; i < WORLDS; i++)
        for (int k = 0; k < steps && status == FM_OK; k++)
            status = fm_world_step(b->worlds[i], error);
    return status == FM_OK;
}

static void close_bare(bare *b)
{
    fm_batch_free(b->batch);
    for (int i = 0; i < WORLDS; i++)
        fm_world_free(b->worlds[i]);
}

/* --- one subject --- */

static size_t count_observations(const subject *s)
{
    size_t count = 0;
    while (count < 3 && s->observations[count])
        count++;
    return count;
}

static fm_env *open_env(const subject *s, const fm_model *model, fm_error *error)
{
    const fm_env_options options = {.size = sizeof options,
                                    .engine = s->engine,
                                    .autoreset = FM_ENV_NEXT_STEP,
                                    .single = s->single,
                                    .observations = s->observations,
                                    .observation_count = count_observations(s),
                                    .normalised = 1,
                                    .end_on_contact = 1,
                                    .interval = s->steps * fm_model_dt(model),
                                    .time_limit = INFINITY};
    return fm_env_create(model, s->rows, &options, error);
}

/* Some steps of both in turn, as many times as there is time for; the best of each counts. */
static void measure(bench_report *report, bench_result *result, const subject *s, fm_env *env, bare *b)
{
    fm_error error = {0};
    const int calls = s->engine == FM_ENV_WORLDS ? WORLD_CALLS : TICKS;
    double best = INFINITY, bare_best = INFINITY, end = bench_now() + 2 * report->seconds;
    do {
        double begin = bench_now();
        for (int k = 0; k < calls && !report->failed; k++)
            report->failed |= fm_env_step(env, &error) != FM_OK;
        report->failed |= fm_env_wait(env, &error) != FM_OK;
        const double middle = bench_now();
        for (int k = 0; k < calls && !report->failed; k++)
            report->failed |= !step_bare(b, s->steps, &error);
        best = fmin(best, middle - begin);
        bare_best = fmin(bare_best, bench_now() - middle);
    } while (!report->failed && bench_now() < end);
    if (report->failed)
        fprintf(stderr, "fathom bench: %s\n", error.text);
    result->steps_per_s = (double)s->rows * s->steps * calls / best;
    result->ratio = bare_best / best;
}

static void bench_subject_env(bench_report *report, const subject *s)
{
    bench_result *result = bench_begin(report, "env/%s", s->name);
    fm_error error = {0};
    bare b = {0};
    if (!result)
        return;
    fm_model *model = cli_load_text(s->text, "bench");
    fm_env *env = model ? open_env(s, model, &error) : NULL;
    if (env && open_bare(&b, s, model, &error)) {
        measure(report, result, s, env, &b);
    } else {
        const int device = s->engine == FM_ENV_CUDA;
        if (model && !(device && report->no_device))
            fprintf(stderr, "fathom bench: %s\n", error.text);
        report->no_device |= device;
        report->failed |= !device;
        result->steps_per_s = result->ratio = NAN;
    }
    close_bare(&b);
    fm_env_free(env);
    fm_model_free(model);
}

void bench_env(bench_report *report)
{
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        bench_subject_env(report, &subjects[i]);
}
