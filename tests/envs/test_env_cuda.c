/* Environments and batches on a GPU, beside the same on the CPU. Skipped where there is no GPU. */
#include "support/scenario.h"

#include "base/memory.h"
#include "envs/env.h"

enum { ROWS = 300, STEPS = 60 };

static const char rov[] = "<fathom version='1'><world dt='0.02 s' duration='60 s' seed='7'>"
                          "<current velocity='0.1 -0.05 0 m/s'/></world>"
                          "<vehicle name='rov' model='bluerov2' position='1 2 20 m'/></fathom>";
static const char *const paths[] = {"/rov/mass/mass", "/rov/position/z"};

static size_t bytes(const fm_env *env, fm_env_array array)
{
    const fm_dl_tensor t = fm_env_look(env, array);
    return (size_t)(t.shape[0] * (t.ndim > 1 ? t.shape[1] : 1)) * t.bits / 8;
}

static void take(fm_status status, const fm_error *error)
{
    if (status != FM_OK)
        fail_msg("%s", error->text);
}

/* Between an array and memory of the CPU. */
static void get(fm_env *env, fm_env_array array, void *to)
{
    fm_error error = {0};
    take(fm_env_wait(env, &error), &error);
    take(fm_batch_copy(env->batch, to, fm_env_look(env, array).data, bytes(env, array), &error), &error);
}

static void put(fm_env *env, fm_env_array array, const void *from)
{
    fm_error error = {0};
    take(fm_batch_copy(env->batch, fm_env_look(env, array).data, from, bytes(env, array), &error), &error);
}

static fm_env *open(const fm_model *model, fm_env_engine engine, int parameters)
{
    fm_error error = {0};
    fm_env_options options = {.size = sizeof options,
                              .engine = engine,
                              .autoreset = FM_ENV_SAME_STEP,
                              .float64 = 1,
                              .normalised = 1,
                              .interval = 0.1,
                              .time_limit = 2.5,
                              .parameters = parameters ? paths : NULL,
                              .parameter_count = parameters ? 2 : 0};
    fm_env *env = fm_env_create(model, ROWS, &options, &error);
    if (!env && engine == FM_ENV_CUDA && error.status == FM_ERR_MISSING)
        return NULL;
    if (!env)
        fail_msg("%s", error.text);
    return env;
}

static void set_parameters(fm_env *env)
{
    fm_error error = {0};
    double *values = fm_env_look(env, FM_ENV_PARAMETERS).data;
    for (int i = 0; i < ROWS; i++) {
        values[2 * i] = 11 + 0.003 * i;
        values[2 * i + 1] = 20 + 0.01 * i;
    }
    take(fm_env_refresh(env, &error), &error);
    take(fm_env_reset(env, NULL, &error), &error);
}

/* 0: there is no GPU. */
static int compare(const fm_model *model, int parameters)
{
    static double a[ROWS * 64], b[ROWS * 64];
    static uint8_t x[ROWS], y[ROWS];
    fm_error error = {0};
    fm_env *there = open(model, FM_ENV_CUDA, parameters), *here = open(model, FM_ENV_SIMD, parameters);
    if (!there) {
        fm_env_free(here);
        return 0;
    }
    fm_env_state *saved = fm_env_state_create(there, &error), *kept = fm_env_state_create(here, &error);
    if (parameters) {
        set_parameters(there);
        set_parameters(here);
    }
    for (int step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < bytes(here, FM_ENV_ACTIONS) / 8; i++)
            a[i] = sin(0.7 * (double)i + 0.31 * step);
        if (step == 40)
            a[5 * 6 + 2] = NAN;
        put(here, FM_ENV_ACTIONS, a);
        put(there, FM_ENV_ACTIONS, a);
        take(fm_env_step(here, &error), &error);
        take(fm_env_step(there, &error), &error);
        get(here, FM_ENV_OBSERVATIONS, a);
        get(there, FM_ENV_OBSERVATIONS, b);
        for (size_t i = 0; i < bytes(here, FM_ENV_OBSERVATIONS) / 8; i++)
            if (!(fabs(a[i] - b[i]) <= 1e-9 * (1 + fabs(a[i])) || fabs(sin(a[i] - b[i])) < 1e-9))
                fail_msg("step %d, number %zu: CPU %.17g, GPU %.17g", step, i, a[i], b[i]);
        get(here, FM_ENV_REASONS, x);
        get(there, FM_ENV_REASONS, y);
        assert_memory_equal(x, y, ROWS);
        if (step == 30) {
            take(fm_env_save(there, saved, NULL, &error), &error);
            take(fm_env_save(here, kept, NULL, &error), &error);
        }
        if (step == 35) {
            take(fm_env_restore(there, saved, NULL, NULL, &error), &error);
            take(fm_env_restore(here, kept, NULL, NULL, &error), &error);
        }
    }
    fm_env_state_free(saved);
    fm_env_state_free(kept);
    fm_env_free(here);
    fm_env_free(there);
    return 1;
}

static void rows_on_a_gpu_are_those_of_the_cpu(void **state)
{
    (void)state;
    fm_model *model = load(rov);
    const int tried = compare(model, 0);
    fm_model_free(model);
    if (!tried)
        skip();
}

static void rows_with_parameters_on_a_gpu_are_those_of_the_cpu(void **state)
{
    (void)state;
    fm_model *model = load(rov);
    const int tried = compare(model, 1);
    fm_model_free(model);
    if (!tried)
        skip();
}

/* A NaN order and a variant that does not exist mark their vehicles bad, and no other. */
static void what_no_vehicle_can_be_moved_by_is_reported_by_a_gpu(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_model *model = load(rov), *heavy = load_with(rov, (const char *const[]){"/rov/mass/mass=12 kg", NULL});
    const fm_model *variants[] = {heavy};
    fm_batch *batch = fm_batch_create(
        model, ROWS, &(fm_batch_options){.backend = FM_BATCH_CUDA, .variants = variants, .variant_count = 1}, &error);
    if (!batch && error.status == FM_ERR_MISSING) {
        fm_model_free(heavy);
        fm_model_free(model);
        skip();
    }
    if (!batch)
        fail_msg("%s", error.text);
    static double orders[64 * ROWS], which[ROWS], bad[ROWS];
    orders[2 * ROWS + 7] = NAN;
    which[9] = 4000000000.0;
    which[10] = 1;
    take(fm_batch_put(batch, FM_BATCH_ORDERS, orders, &error), &error);
    take(fm_batch_put(batch, FM_BATCH_VARIANTS, which, &error), &error);
    take(fm_batch_step(batch, 10, &error), &error);
    take(fm_batch_get(batch, FM_BATCH_BAD, bad, &error), &error);
    for (int i = 0; i < ROWS; i++)
        assert_near(bad[i], i == 7 ? FM_BATCH_NAN_ORDER : i == 9 ? FM_BATCH_NO_VARIANT : FM_BATCH_SOUND, 0);
    fm_batch_free(batch);
    fm_model_free(model);
    fm_model_free(heavy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_on_a_gpu_are_those_of_the_cpu),
        cmocka_unit_test(rows_with_parameters_on_a_gpu_are_those_of_the_cpu),
        cmocka_unit_test(what_no_vehicle_can_be_moved_by_is_reported_by_a_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
