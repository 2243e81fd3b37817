/* Batches on a GPU against those in lanes, which have the bits of a world: every body model, 1,000 steps. Skipped where
 * there is no GPU or no libfathom-cuda.so. */
#include <glob.h>

#include "support/scenario.h"

#include "batch/batch.h"

enum { VEHICLES = 64, ROUNDS = 10, ROUND = 100 };

static fm_model *load_body(const char *name)
{
    char text[1024];
    int surface = !strcmp(name, "otter") || !strncmp(name, "wavesim-b", 9);
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.01 s' seed='5'><current velocity='0.1 -0.2 0.05 m/s'/></world><vehicle "
        "name='v' model='%s' position='1 2 %d m' attitude='0.1 0.05 1 rad' velocity='0.3 0.05 -0.02 m/s'/></fathom>",
        name, surface ? 0 : 20);
    return load(text);
}

static void run(fm_batch *batch, double *seen)
{
    static double orders[64 * VEHICLES];
    fm_error error = {0};
    fm_batch_view view;
    assert_int_equal(fm_batch_look(batch, FM_BATCH_ORDERS, &view, &error), FM_OK);
    for (int k = 0; k < ROUNDS; k++) {
        for (int64_t a = 0; a < view.shape[0]; a++)
            for (int i = 0; i < VEHICLES; i++)
                orders[a * VEHICLES + i] = 0.3 * sin(0.7 * i + 2.3 * (double)a + 1.3 * k);
        assert_int_equal(fm_batch_put(batch, FM_BATCH_ORDERS, orders, &error), FM_OK);
        if (fm_batch_step(batch, ROUND, &error) != FM_OK)
            fail_msg("%s", error.text);
    }
    assert_int_equal(fm_batch_get(batch, FM_BATCH_OBSERVATIONS, seen, &error), FM_OK);
}

/* The greatest difference of poses and velocities, relative to 1 + the number; of angles by their sines. */
static double difference(const double *a, const double *b)
{
    double worst = 0;
    for (size_t row = 0; row < 12; row++)
        for (size_t i = 0; i < VEHICLES; i++) {
            double x = a[row * VEHICLES + i], off = b[row * VEHICLES + i] - x;
            off = row >= 3 && row < 6 ? sin(off) : off / (1 + fabs(x));
            worst = fabs(off) <= worst ? worst : fabs(off);
        }
    return worst;
}

/* 1: compared; 0: no body that a batch takes; -1: there is no GPU. */
static int compare_on(const char *name, int single, double tolerance)
{
    static double lanes[80 * VEHICLES], device[80 * VEHICLES];
    fm_error error = {0};
    fm_model *model = load_body(name);
    fm_batch *here = fm_batch_create(model, VEHICLES, &(fm_batch_options){.backend = FM_BATCH_SIMD}, &error);
    fm_batch *there =
        here ? fm_batch_create(model, VEHICLES, &(fm_batch_options){.backend = FM_BATCH_CUDA, .single = single}, &error)
             : NULL;
    if (here && !there && error.status == FM_ERR_MISSING) {
        print_message("%s\n", error.text);
        fm_batch_free(here);
        fm_model_free(model);
        return -1;
    }
    if (there) {
        run(here, lanes);
        run(there, device);
        double off = difference(lanes, device);
        print_message("%s, %s: off by %.3g\n", name, fm_batch_describe(there), off);
        if (!(off <= tolerance))
            fail_msg("%s: off by %g", name, off);
    }
    fm_batch_free(here);
    fm_batch_free(there);
    fm_model_free(model);
    return there != NULL;
}

static void compare_all(int single, double tolerance)
{
    glob_t files;
    int bodies = 0, missing = 0;
    assert_int_equal(glob(FATHOM_SOURCE_DIR "/models/*.xml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc && !missing; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s", strrchr(files.gl_pathv[i], '/') + 1);
        *strrchr(name, '.') = 0;
        int done = compare_on(name, single, tolerance);
        missing = done < 0;
        bodies += done > 0;
    }
    globfree(&files);
    if (missing)
        skip();
    assert_true(bodies >= 7);
}

static void in_double_a_gpu_moves_every_body_model_as_lanes_do(void **unused)
{
    (void)unused;
    compare_all(0, 1e-12);
}

static void in_float_a_gpu_moves_every_body_model_to_a_hundredth(void **unused)
{
    (void)unused;
    compare_all(1, 1e-2);
}

/* --- whole runs --- */

static const char approach[] =
    "<fathom version='1'><world dt='10 ms' seed='7'><wall name='wall' position='3 0 0 m' normal='-1 0 "
    "0'/></world><vehicle "
    "name='snookie' model='snookie' position='0 0 1 m'><contact response='count' ends='true'/><lateral-line "
    "noise='0.05 "
    "mV'/><approach to='wall' angle='60 deg' gap='0.4 m' speed='0.15 m/s'/></vehicle></fathom>";

static double *run_approach(fm_batch *batch, fm_batch_field field)
{
    static double state[2][13 * VEHICLES];
    static int which;
    fm_error error = {0};
    which = !which;
    if (fm_batch_step(batch, 1000, &error) != FM_OK || fm_batch_get(batch, field, state[which], &error) != FM_OK)
        fail_msg("%s", error.text);
    return state[which];
}

/* Noise, flow, reflex and controller of ten seconds, a seed a vehicle: what it feels decides where it goes. */
static void a_gpu_feels_walls_as_lanes_do(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_model *model = load(approach);
    fm_batch *here = fm_batch_create_whole(model, VEHICLES, &(fm_batch_options){.backend = FM_BATCH_SIMD}, &error);
    fm_batch *there = fm_batch_create_whole(model, VEHICLES, &(fm_batch_options){.backend = FM_BATCH_CUDA}, &error);
    assert_non_null(here);
    if (there) {
        const double *a = run_approach(here, FM_BATCH_STATE), *b = run_approach(there, FM_BATCH_STATE);
        double worst = 0;
        for (size_t i = 0; i < 13 * VEHICLES; i++)
            worst = fmax(worst, fabs(a[i] - b[i]) / (1 + fabs(a[i])));
        print_message("snookie, %s: off by %.3g\n", fm_batch_describe(there), worst);
        assert_true(worst < 1e-9);
    }
    fm_batch_free(here);
    fm_batch_free(there);
    fm_model_free(model);
    if (!there)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_double_a_gpu_moves_every_body_model_as_lanes_do),
        cmocka_unit_test(in_float_a_gpu_moves_every_body_model_to_a_hundredth),
        cmocka_unit_test(a_gpu_feels_walls_as_lanes_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
