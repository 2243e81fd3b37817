/* Batches against worlds: every body model, in lanes of every instruction set that this processor has. In double the
 * bits are the live engine's. */
#include <fenv.h>
#include <float.h>
#include <glob.h>
#include <time.h>

#include "support/scenario.h"

#include "base/random.h"
#include "batch/lanes.h"

enum { STARTS = 3, STEPS = 300, HOLD = 60, ACTUATORS = 16 };

/* Instruction sets; NULL: the widest of this processor. */
static const char *const sets[] = {NULL, "avx512", "avx2", "sse2", "neon"};
static const char uniform[] = "<current velocity='0.1 -0.2 0.05 m/s'/><wind velocity='3 -5 0 m/s'/>";

/* Craft that float, which begin at the surface. */
static int floats(const char *model)
{
    static const char *const craft[] = {"otter", "heron", "kvlcc2", "wavesim-b", "wavesim-asv"};
    int found = 0;
    for (size_t i = 0; i < sizeof craft / sizeof *craft; i++)
        found |= !strncmp(model, craft[i], strlen(craft[i]));
    return found;
}

/* In this water, with this inside the vehicle. */
static fm_model *load_in(const char *model, int start, const char *water, const char *inside)
{
    char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='90 s' seed='5'>%s</world><vehicle name='v' model='%s' "
             "position='%d 2 %g m' attitude='0.1 %g %d rad' velocity='0.%d 0.05 -0.02 m/s' rates='0.01 0.02 -0.0%d "
             "rad/s'>%s</vehicle></fathom>",
             water, model, start, floats(model) ? 0.0 : 20.0 + start, 0.05 * start, start, start + 1, start, inside);
    return load(text);
}

static fm_model *load_start(const char *model, int start, const char *inside)
{
    return load_in(model, start, uniform, inside);
}

static double order_of(int start, size_t actuator, int step)
{
    return 0.3 * sin(1.7 * start + 2.3 * (double)actuator + 0.13 * step);
}

/* --- a world's numbers in the order of a batch: state, metrics, actuators --- */

typedef struct numbers {
    double pose[12], metrics[4], actuators[ACTUATORS];
    size_t actuator_count;
} numbers;

static numbers run_world(const fm_model *model, int start, const char *const *names, size_t count)
{
    fm_world *world = create(model, 1);
    for (int k = 0; k < STEPS; k++) {
        for (size_t a = 0; a < count && k % HOLD == 0; a++)
            order(world, "v", names[a], order_of(start, a, k));
        step(world, 1);
    }
    numbers n = {.actuator_count = count};
    fm_pose pose = pose_of(world, 0);
    memcpy(n.pose, pose.position, 24);
    memcpy(n.pose + 3, pose.euler, 24);
    memcpy(n.pose + 6, pose.velocity, 48);
    n.metrics[0] = metric_of(world, 0, "distance");
    n.metrics[1] = metric_of(world, 0, "max_depth");
    n.metrics[2] = metric_of(world, 0, "max_speed");
    n.metrics[3] = metric_of(world, 0, "peak_pitch");
    for (size_t a = 0; a < count; a++)
        n.actuators[a] = fm_world_column(world, 0, a);
    fm_world_free(world);
    return n;
}

static void order_batch(fm_batch *batch, const int *starts, int k)
{
    fm_batch_view orders;
    fm_error error = {0};
    assert_int_equal(fm_batch_map(batch, FM_BATCH_ORDERS, &orders, &error), FM_OK);
    for (int64_t a = 0; a < orders.shape[0]; a++)
        for (int64_t i = 0; i < orders.shape[1]; i++) {
            double value = order_of(starts[i], (size_t)a, k);
            int64_t at = a * orders.strides[0] + i * orders.strides[1];
            if (orders.type_bits == 64)
                ((double *)orders.data)[at] = value;
            else
                ((float *)orders.data)[at] = (float)value;
        }
}

static void run_batch(fm_batch *batch, const int *starts)
{
    fm_error error = {0};
    for (int k = 0; k < STEPS; k += HOLD) {
        order_batch(batch, starts, k);
        if (fm_batch_step(batch, HOLD, &error) != FM_OK)
            fail_msg("%s", error.text);
    }
}

static double at(fm_batch *batch, fm_batch_field field, size_t row, size_t vehicle)
{
    static double values[64 * 1024];
    fm_error error = {0};
    fm_batch_view view;
    assert_int_equal(fm_batch_map(batch, field, &view, &error), FM_OK);
    assert_at_most((size_t)view.shape[0] * fm_batch_count(batch), sizeof values / sizeof *values);
    assert_int_equal(fm_batch_get(batch, field, values, &error), FM_OK);
    return values[row * fm_batch_count(batch) + vehicle];
}

static int alike(double a, double b, double tolerance)
{
    return tolerance > 0 ? fabs(a - b) <= tolerance * (1 + fabs(a)) || fabs(sin(a - b)) < tolerance
                         : memcmp(&a, &b, sizeof a) == 0;
}

static void compare(fm_batch *batch, size_t vehicle, const numbers *n, double tolerance, const char *model)
{
    double mine[4];
    for (size_t i = 0; i < 12; i++)
        if (!alike(n->pose[i], at(batch, FM_BATCH_OBSERVATIONS, i, vehicle), tolerance))
            fail_msg("%s, %s: vehicle %zu, %s: world %.17g, batch %.17g", fm_batch_describe(batch), model, vehicle,
                     fm_batch_row_name(batch, FM_BATCH_OBSERVATIONS, i), n->pose[i],
                     at(batch, FM_BATCH_OBSERVATIONS, i, vehicle));
    for (size_t i = 0; i < 4; i++)
        mine[i] = at(batch, FM_BATCH_METRICS, i, vehicle);
    mine[2] = sqrt(mine[2]);
    mine[3] = fm_asin(mine[3]);
    for (size_t i = 0; i < 4; i++)
        assert_true(alike(n->metrics[i], mine[i], tolerance));
    for (size_t a = 0; a < n->actuator_count; a++)
        assert_true(alike(n->actuators[a], at(batch, FM_BATCH_OBSERVATIONS, 12 + a, vehicle), tolerance));
    assert_same(at(batch, FM_BATCH_BAD, 0, vehicle), 0);
}

/* Three starts as variants among seven vehicles, and each start alone; 0 where a batch cannot move it. */
static int fly_in(const char *name, int single, const char *set, const char *water, const char *inside)
{
    static const int starts[7] = {0, 1, 2, 2, 1, 0, 1};
    fm_model *models[STARTS];
    numbers expected[STARTS];
    const char *names[ACTUATORS];
    fm_error error = {0};
    for (int s = 0; s < STARTS; s++)
        models[s] = load_in(name, s, water, inside);
    fm_batch_options options = {.backend = FM_BATCH_SIMD,
                                .single = single,
                                .instructions = set,
                                .variants = (const fm_model *const *)models + 1,
                                .variant_count = STARTS - 1};
    fm_batch *batch = fm_batch_create(models[0], 7, &options, &error);
    if (batch) {
        size_t count = 0;
        while (fm_batch_row_name(batch, FM_BATCH_ORDERS, count))
            names[count] = fm_batch_row_name(batch, FM_BATCH_ORDERS, count), count++;
        for (int s = 0; s < STARTS; s++)
            expected[s] = run_world(models[s], s, names, count);
        fm_batch_view variants, seeds;
        assert_int_equal(fm_batch_map(batch, FM_BATCH_VARIANTS, &variants, &error), FM_OK);
        assert_int_equal(fm_batch_map(batch, FM_BATCH_SEEDS, &seeds, &error), FM_OK);
        for (int i = 0; i < 7; i++) {
            ((uint32_t *)variants.data)[i] = (uint32_t)starts[i];
            ((uint64_t *)seeds.data)[i] = 5;
        }
        assert_int_equal(fm_batch_refresh(batch, &error), FM_OK);
        assert_int_equal(fm_batch_reset(batch, NULL, &error), FM_OK);
        run_batch(batch, starts);
        for (size_t i = 0; i < 7; i++)
            compare(batch, i, &expected[starts[i]], single ? 1e-2 : 0, name);
        fm_batch_free(batch);
        options.variant_count = 0;
        for (int s = 0; s < STARTS; s++) {
            batch = fm_batch_create(models[s], 1, &options, &error);
            assert_non_null(batch);
            run_batch(batch, (const int[]){s});
            compare(batch, 0, &expected[s], single ? 1e-2 : 0, name);
            fm_batch_free(batch);
        }
    }
    for (int s = 0; s < STARTS; s++)
        fm_model_free(models[s]);
    return batch != NULL;
}

static int fly(const char *name, int single, const char *set)
{
    return fly_in(name, single, set, uniform, "");
}

static void fly_all(int single)
{
    glob_t files;
    int bodies = 0;
    assert_int_equal(glob(FATHOM_SOURCE_DIR "/models/*.xml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s", strrchr(files.gl_pathv[i], '/') + 1);
        *strrchr(name, '.') = 0;
        if (!strcmp(name, "snookie")) /* its own controller gives orders in a world: test_backends.c has its runs */
            continue;
        if (!fly(name, single, NULL))
            fail_msg("%s is not moved", name);
        bodies++;
    }
    assert_int_equal(bodies, (int)files.gl_pathc - 1);
    assert_at_least(bodies, 22);
    for (size_t i = 1; i < sizeof sets / sizeof *sets; i++)
        if (strstr(fm_lanes_sets(), sets[i]))
            assert_true(fly("nps-auv-ii", single, sets[i]) && fly("bluerov2", single, sets[i]));
    globfree(&files);
}

static void in_double_every_body_model_moves_with_the_bits_of_a_world(void **unused)
{
    (void)unused;
    fly_all(0);
}

static void in_float_every_body_model_moves_to_a_hundredth(void **unused)
{
    (void)unused;
    fly_all(1);
}

/* --- numbers below the least normal one --- */

/* State of a hull of equal sides, which nothing but its sway moves sideways, three steps after it was given `sway`. */
static void state_after(const char *sway, int single, const char *set, double state[13])
{
    char text[512];
    fm_error error = {0};
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s'/><vehicle name='v' model='bluerov2' position='0 0 20 m' "
             "velocity='1 %s 0 m/s'/></fathom>",
             sway);
    fm_model *model = load(text);
    fm_batch_options options = {.backend = FM_BATCH_SIMD, .single = single, .instructions = set};
    fm_batch *batch = fm_batch_create(model, 1, &options, &error);
    assert_non_null(batch);
    assert_int_equal(fm_batch_step(batch, 3, &error), FM_OK);
    assert_int_equal(fm_batch_get(batch, FM_BATCH_STATE, state, &error), FM_OK);
    if (!single) {
        fm_world *world = create(model, 1);
        step(world, 3);
        assert_same(pose_of(world, 0).velocity[1], state[8]);
        fm_world_free(world);
    }
    fm_batch_free(batch);
    fm_model_free(model);
}

/* 1e-41 is no normal float: such numbers cost a processor several times as much. */
static void in_float_numbers_below_the_least_normal_one_count_as_zero(void **unused)
{
    (void)unused;
    double with[13], without[13];
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (sets[i] && !strstr(fm_lanes_sets(), sets[i]))
            continue;
        state_after("0", 1, sets[i], without);
        state_after("1e-41", 1, sets[i], with);
        assert_same(without[8], 0);
        assert_memory_equal(with, without, sizeof with);
        state_after("1e-30", 1, sets[i], with);
        assert_near(with[8], 1e-30, 1e-31);
    }
}

/* 1e-310 is no normal double, and 1e-41 is one. */
static void in_double_numbers_below_the_least_normal_one_have_the_bits_of_a_world(void **unused)
{
    (void)unused;
    double state[13];
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (sets[i] && !strstr(fm_lanes_sets(), sets[i]))
            continue;
        state_after("1e-41", 0, sets[i], state);
        assert_near(state[8], 1e-41, 1e-42);
        state_after("1e-310", 0, sets[i], state);
        assert_near(state[8], 1e-310, 1e-311);
    }
}

/* The calling thread makes the steps, and afterwards rounds and divides as before. */
static void float_lanes_leave_the_mode_of_the_processor(void **unused)
{
    (void)unused;
    double state[13];
    volatile float least = FLT_MIN, one = 1, three = 3, half, below, nearest;
    assert_int_equal(fesetround(FE_DOWNWARD), 0);
    state_after("0.1", 1, NULL, state);
    const int rounding = fegetround();
    half = least / 2;
    below = one / three;
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    nearest = one / three;
    assert_int_equal(rounding, FE_DOWNWARD);
    assert_less(below, nearest);
    assert_same((double)half, FLT_MIN / 2.0);
}

static fm_batch *fleet(const char *motion, fm_model **model)
{
    char text[512];
    fm_error error = {0};
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s'/><vehicle name='v' model='nps-auv-ii' position='0 0 20 m' "
             "velocity='%s m/s' rates='%s rad/s'/></fathom>",
             motion, motion);
    *model = load(text);
    fm_batch_options options = {
        .backend = FM_BATCH_SIMD, .single = 1, .instructions = strstr(fm_lanes_sets(), "sse2") ? "sse2" : NULL};
    fm_batch *batch = fm_batch_create(*model, 64, &options, &error);
    assert_non_null(batch);
    return batch;
}

static double processor_time(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Without the flush 1.5 times as much, with SSE 2. The least time of many, taken in turn. */
static void in_float_idle_vehicles_cost_no_more_than_moving_ones(void **unused)
{
    (void)unused;
    static const char *const motions[] = {"0.1 0.1 0.1", "1e-40 1e-40 1e-40"};
    fm_model *models[2];
    fm_batch *batches[2];
    double least[2] = {INFINITY, INFINITY};
    fm_error error = {0};
    for (int i = 0; i < 2; i++)
        batches[i] = fleet(motions[i], &models[i]);
    for (int i = 0; i < 200; i++) {
        assert_int_equal(fm_batch_reset(batches[i % 2], NULL, &error), FM_OK);
        const double begin = processor_time();
        assert_int_equal(fm_batch_step(batches[i % 2], 20, &error), FM_OK);
        least[i % 2] = fmin(least[i % 2], processor_time() - begin);
    }
    print_message("idle: %.3f of the time of moving vehicles\n", least[1] / least[0]);
    assert_less(least[1], 1.25 * least[0]);
    for (int i = 0; i < 2; i++) {
        fm_batch_free(batches[i]);
        fm_model_free(models[i]);
    }
}

/* --- water that differs from place to place or in time, and forces --- */

static const char layered[] =
    "<column name='pile' position='-6 4.5 0 m' radius='0.2 m' height='60 m'/><current velocity='0.3 -0.1 0.02 m/s'>"
    "<layers depth='0 5 20 21 22.5 60 m' north='0.1 0.3 -0.2 0.4 0.2 0 m/s' east='0 0.1 0.2 -0.1 0.3 0.1 m/s'/>"
    "<tide constituent='M2' major='0.4 m/s' minor='-0.1 m/s' direction='0.7 rad' phase='0.2 rad'/><tide period='60 s' "
    "major='0.2 m/s'/><vortex centre='4 1 0 m' drift='0.1 0 0 m/s' circulation='2 m2/s' core='1.5 m' viscosity='0.01 "
    "m2/s'/><vortex model='rankine' centre='-2 3 0 m' circulation='-3 m2/s' core='5 m'/><vortex-street behind='pile' "
    "length='9 m'/>"
    "<jet point='0 4 0 m' direction='0.3 rad' speed='0.6 m/s' width='6 m' depth='18 m' height='8 m'/><jet point='0 -4 "
    "0 m' direction='1.3 rad' speed='-0.3 m/s' width='9 m'/></current><wind velocity='3 -5 0 m/s'/>";
static const char gusty[] = "<current velocity='0.1 0 0 m/s'><gauss-markov deviation='0.2 0.1 0.05 m/s' time='3 "
                            "s'/><gauss-markov deviation='0 0.3 0 m/s' time='0.5 s'/></current>";
static const char stratified[] =
    "<water density='1020 kg/m3' stratified='true'><temperature surface='18 degC' z1='5 m' z2='21 m' slope1='-0.3 K/m' "
    "slope2='-0.02 K/m'><spot amplitude='2 K' centre='1 2 21 m' sigma='12 12 4 m'/></temperature><salinity "
    "surface='33' z1='10 m' z2='22 m' slope1='0.01 1/m' slope2='0.001 1/m'><spot amplitude='0.5' centre='2 0 20 m' "
    "sigma='9 9 3 m'/></salinity></water>";
static const char baltic[] = "<water density='1005 kg/m3' stratified='true'><profile "
                             "file='../../models/slocum-baltic.csv'/></water>"; /* from tests/data */
static const char tubes[] = "<reynolds-drag name='a' axis='z' length='0.1 m' area='0.2 m2' reynolds='1e3 1e4 2e5 5e5 "
                            "1e7' cd='1.0 1.2 1.2 0.3 0.6'/><reynolds-drag name='b' axis='all' length='0.3 m' area='"
                            "0.02 m2' centre='0.4 0.1 -0.2 m' reynolds='1e4 1e5' cd='1.1 0.4'/><reynolds-drag name="
                            "'c' axis='x' length='1 m' area='0.01 m2' reynolds='1' cd='0.3'/>";

static void fly_around(int single)
{
    assert_true(fly_in("remus-100", single, NULL, layered, ""));
    assert_true(fly_in("remus-diving", single, NULL, layered, ""));
    assert_true(fly_in("lauv", single, NULL, gusty, ""));
    assert_true(fly_in("bluerov2", single, NULL, layered, tubes));
    assert_true(fly_in("otter", single, NULL, layered, ""));
    assert_true(fly_in("kvlcc2", single, NULL, layered, ""));
    assert_true(fly_in("nps-auv-ii", single, NULL, stratified, tubes));
    assert_true(fly_in("slocum", single, NULL, baltic, ""));
}

static void in_double_currents_densities_and_forces_give_the_bits_of_a_world(void **unused)
{
    (void)unused;
    fly_around(0);
    for (size_t i = 1; i < sizeof sets / sizeof *sets; i++)
        if (strstr(fm_lanes_sets(), sets[i]))
            assert_true(fly_in("otter", 0, sets[i], layered, tubes));
}

static void in_float_currents_densities_and_forces_are_near(void **unused)
{
    (void)unused;
    fly_around(1);
}

/* A vehicle that begins again meets the water of the start again, and not of the moment at which others are. */
static void a_vehicle_that_begins_again_begins_at_time_zero(void **unused)
{
    (void)unused;
    fm_model *model = load_in("remus-100", 1,
                              "<current><tide period='8 s' major='0.5 m/s'/><gauss-markov "
                              "deviation='0.2 0.1 0.05 m/s' time='3 s'/></current>",
                              "");
    fm_error error = {0};
    fm_batch *batch = fm_batch_create(model, 3, &(fm_batch_options){.backend = FM_BATCH_SIMD}, &error);
    double first[13], second[13];
    assert_non_null(batch);
    assert_int_equal(fm_batch_step(batch, 100, &error), FM_OK);
    for (size_t i = 0; i < 13; i++)
        first[i] = at(batch, FM_BATCH_STATE, i, 1);
    assert_int_equal(fm_batch_step(batch, 37, &error), FM_OK);
    assert_int_equal(fm_batch_reset(batch, (const unsigned char[]){0, 1, 0}, &error), FM_OK);
    assert_int_equal(fm_batch_step(batch, 100, &error), FM_OK);
    for (size_t i = 0; i < 13; i++)
        second[i] = at(batch, FM_BATCH_STATE, i, 1);
    assert_memory_equal(first, second, sizeof first);
    assert_different(at(batch, FM_BATCH_STATE, 0, 0), first[0]);
    fm_batch_free(batch);
    fm_model_free(model);
}

static void threads_do_not_change_a_batch(void **unused)
{
    (void)unused;
    fm_model *model = load_start("nps-auv-ii", 1, "");
    static double state[2][13 * 1000];
    static int starts[1000];
    fm_error error = {0};
    for (int i = 0; i < 1000; i++)
        starts[i] = i;
    for (int t = 0; t < 2; t++) {
        fm_batch_options options = {.backend = FM_BATCH_SIMD, .threads = t ? 3 : 1};
        fm_batch *batch = fm_batch_create(model, 1000, &options, &error);
        run_batch(batch, starts);
        assert_int_equal(fm_batch_get(batch, FM_BATCH_STATE, state[t], &error), FM_OK);
        fm_batch_free(batch);
    }
    assert_memory_equal(state[0], state[1], sizeof state[0]);
    fm_model_free(model);
}

static void only_masked_vehicles_begin_again(void **unused)
{
    (void)unused;
    fm_model *model = load_start("remus-100", 1, "");
    fm_error error = {0};
    fm_batch *batch = fm_batch_create(model, 5, NULL, &error);
    double x = at(batch, FM_BATCH_STATE, 0, 0);
    fm_batch_view current;
    assert_int_equal(fm_batch_map(batch, FM_BATCH_CURRENT, &current, &error), FM_OK);
    ((double *)current.data)[3] = 0.7; /* north, of vehicle 3 */
    assert_int_equal(fm_batch_step(batch, 50, &error), FM_OK);
    assert_int_equal(fm_batch_reset(batch, (const unsigned char[]){1, 0, 0, 1, 0}, &error), FM_OK);
    assert_same(at(batch, FM_BATCH_STATE, 0, 0), x);
    assert_same(at(batch, FM_BATCH_STATE, 0, 3), x);
    assert_different(at(batch, FM_BATCH_STATE, 0, 1), x);
    assert_same(at(batch, FM_BATCH_AGES, 0, 0), 0);
    assert_same(at(batch, FM_BATCH_AGES, 0, 1), 50);
    assert_same(at(batch, FM_BATCH_METRICS, 0, 3), 0);
    assert_greater(at(batch, FM_BATCH_METRICS, 0, 4), 0);
    assert_near(at(batch, FM_BATCH_CURRENT, 0, 3), 0.7, 0); /* the caller's current stays */
    fm_batch_free(batch);
    fm_model_free(model);
}

static void noise_is_drawn_by_seed_and_age(void **unused)
{
    (void)unused;
    fm_model *model = load_start("bluerov2", 1, "");
    fm_error error = {0};
    double noise[64] = {[2] = 0.25};
    fm_batch *noisy = fm_batch_create(model, 6, &(fm_batch_options){.noise = noise}, &error);
    fm_batch_view seeds;
    assert_int_equal(fm_batch_map(noisy, FM_BATCH_SEEDS, &seeds, &error), FM_OK);
    ((uint64_t *)seeds.data)[4] = 123456;
    assert_int_equal(fm_batch_step(noisy, 7, &error), FM_OK);
    for (size_t i = 0; i < 6; i++) {
        fm_random_key key = {i == 4 ? 123456 : 5 + i, 0, 2};
        double expected = at(noisy, FM_BATCH_STATE, 2, i) + 0.25 * fm_random_normal(key, 7, 0);
        assert_same(at(noisy, FM_BATCH_OBSERVATIONS, 2, i), expected);
        assert_same(at(noisy, FM_BATCH_OBSERVATIONS, 0, i), at(noisy, FM_BATCH_STATE, 0, i));
    }
    fm_batch_free(noisy);
    fm_model_free(model);
}

/* A NaN order stops no other vehicle, and is told apart from a state that diverges. */
static void a_nan_order_marks_its_vehicle_bad_with_the_reason(void **unused)
{
    (void)unused;
    fm_model *model = load_start("bluerov2", 1, "");
    fm_error error = {0};
    for (int single = 0; single < 2; single++) {
        const fm_batch_options options = {.single = single};
        fm_batch *batch = fm_batch_create(model, 70, &options, &error),
                 *sound = fm_batch_create(model, 70, &options, &error);
        fm_batch_view orders;
        assert_int_equal(fm_batch_map(batch, FM_BATCH_ORDERS, &orders, &error), FM_OK);
        const int64_t place = 2 * orders.strides[0] + 66 * orders.strides[1];
        if (single)
            ((float *)orders.data)[place] = NAN;
        else
            ((double *)orders.data)[place] = NAN;
        assert_int_equal(fm_batch_step(batch, 5, &error), FM_OK);
        assert_int_equal(fm_batch_step(sound, 5, &error), FM_OK);
        for (size_t i = 0; i < 70; i++) {
            assert_same(at(batch, FM_BATCH_BAD, 0, i), i == 66 ? FM_BATCH_NAN_ORDER : FM_BATCH_SOUND);
            assert_same(at(batch, FM_BATCH_STATE, 2, i), at(sound, FM_BATCH_STATE, 2, i));
        }
        assert_same(at(batch, FM_BATCH_ORDERS, 2, 66), 0);
        assert_int_equal(fm_batch_reset(batch, NULL, &error), FM_OK);
        assert_same(at(batch, FM_BATCH_BAD, 0, 66), FM_BATCH_SOUND);
        fm_batch_free(sound);
        fm_batch_free(batch);
    }
    fm_model_free(model);
}

static void each_episode_has_its_own_noise(void **unused)
{
    (void)unused;
    fm_model *model = load_start("bluerov2", 1, "");
    fm_error error = {0};
    double noise[64] = {[2] = 0.25}, seen[2][3];
    const unsigned char second[3] = {0, 1, 0};
    fm_batch *batch = fm_batch_create(model, 3, &(fm_batch_options){.noise = noise}, &error);
    for (int episode = 0; episode < 2; episode++) {
        assert_int_equal(fm_batch_step(batch, 7, &error), FM_OK);
        for (size_t i = 0; i < 3; i++)
            seen[episode][i] = at(batch, FM_BATCH_OBSERVATIONS, 2, i) - at(batch, FM_BATCH_STATE, 2, i);
        assert_int_equal(fm_batch_reset(batch, episode ? second : NULL, &error), FM_OK);
    }
    for (size_t i = 0; i < 3; i++) {
        assert_different(seen[0][i], seen[1][i]);
        assert_same(at(batch, FM_BATCH_EPISODES, 0, i), i == 1 ? 2 : 1);
    }
    fm_batch_free(batch);
    fm_model_free(model);
}

/* 2^53 + 1 is no double. */
static void seeds_above_two_to_the_53_are_kept(void **unused)
{
    (void)unused;
    fm_model *model = load_start("bluerov2", 1, "");
    fm_error error = {0};
    const uint64_t seeds[2] = {9007199254740993u, 18446744073709551615u};
    double noise[64] = {[2] = 0.25};
    fm_batch *batch = fm_batch_create(model, 2, &(fm_batch_options){.noise = noise}, &error);
    assert_int_equal(fm_batch_put_seeds(batch, seeds, &error), FM_OK);
    assert_int_equal(fm_batch_step(batch, 7, &error), FM_OK);
    for (size_t i = 0; i < 2; i++)
        assert_same(at(batch, FM_BATCH_OBSERVATIONS, 2, i),
                    at(batch, FM_BATCH_STATE, 2, i) + 0.25 * fm_random_normal((fm_random_key){seeds[i], 0, 2}, 7, 0));
    fm_batch_free(batch);
    fm_model_free(model);
}

static void an_exported_array_outlives_its_batch(void **unused)
{
    (void)unused;
    fm_model *model = load_start("bluerov2", 1, "");
    fm_error error = {0};
    fm_batch *batch = fm_batch_create(model, 5, NULL, &error);
    fm_dl_array *state = fm_batch_export(batch, FM_BATCH_STATE, &error),
                *metrics = fm_batch_export(batch, FM_BATCH_METRICS, &error);
    assert_int_equal(state->major, 1);
    assert_int_equal(state->minor, 0);
    assert_int_equal(state->flags, 0);
    assert_int_equal(metrics->flags, FM_DL_READ_ONLY);
    metrics->deleter(metrics);
    fm_batch_free(batch);
    assert_int_equal(state->tensor.ndim, 2);
    assert_int_equal(state->tensor.shape[0], 13);
    assert_int_equal(state->tensor.shape[1], 5);
    assert_same(((double *)state->tensor.data)[2 * state->tensor.strides[0] + 4], 21);
    state->deleter(state);
    fm_model_free(model);
}

/* A vehicle that changes its variant moves as one of that variant; a variant that is none is refused. */
static void another_variant_counts_after_a_refresh(void **unused)
{
    (void)unused;
    fm_model *plain = load_start("remus-100", 1, ""), *heavy = load_start("remus-100", 1, "<mass weight='330 N'/>");
    fm_error error = {0};
    const fm_model *variants[] = {heavy};
    fm_batch *batch = fm_batch_create(plain, 2, &(fm_batch_options){.variants = variants, .variant_count = 1}, &error);
    if (!batch)
        fail_msg("%s", error.text);
    fm_batch_view which;
    assert_int_equal(fm_batch_map(batch, FM_BATCH_VARIANTS, &which, &error), FM_OK);
    ((uint32_t *)which.data)[1] = 1;
    assert_int_equal(fm_batch_refresh(batch, &error), FM_OK);
    assert_int_equal(fm_batch_step(batch, 100, &error), FM_OK);
    double light_z = at(batch, FM_BATCH_STATE, 2, 0), heavy_z = at(batch, FM_BATCH_STATE, 2, 1);
    assert_different(light_z, heavy_z);
    ((uint32_t *)which.data)[0] = 1;
    assert_int_equal(fm_batch_refresh(batch, &error), FM_OK);
    assert_int_equal(fm_batch_reset(batch, NULL, &error), FM_OK);
    assert_int_equal(fm_batch_step(batch, 100, &error), FM_OK);
    assert_same(at(batch, FM_BATCH_STATE, 2, 0), heavy_z);
    ((uint32_t *)which.data)[1] = 9;
    assert_int_equal(fm_batch_reset(batch, NULL, &error), FM_ERR_RANGE);
    assert_int_equal(fm_batch_refresh(batch, &error), FM_ERR_RANGE);
    fm_batch_free(batch);
    fm_model_free(plain);
    fm_model_free(heavy);
}

static void what_a_batch_cannot_move_is_refused_with_the_reason(void **unused)
{
    (void)unused;
    static const struct {
        const char *scenario, *reason;
    } wrong[] = {
        {"<fathom version='1'><world dt='0.01 s'><waves><wave amplitude='1 m' period='8 s'/></waves></world><vehicle "
         "name='v' model='remus-100' position='0 0 9 m'/></fathom>",
         "the sea has waves"},
        {"<fathom version='1'><world dt='0.01 s'><water stratified='true'><conductivity surface='4 S/m' z1='5 m' "
         "z2='9 m' slope1='0 S/m2' slope2='0 S/m2'/></water></world><vehicle "
         "name='v' model='remus-100' position='0 0 9 m'/></fathom>",
         "follows from its conductivity"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fm_error error = {0};
        fm_model *model = fm_model_load_memory(wrong[i].scenario, strlen(wrong[i].scenario), "memory", NULL, &error);
        if (!model)
            fail_msg("%s", error.text);
        assert_null(fm_batch_create(model, 3, NULL, &error));
        if (!strstr(error.text, wrong[i].reason))
            fail_msg("%s", error.text);
        fm_model_free(model);
    }
    fm_model *model = load_start("remus-100", 1, "");
    fm_error error = {0};
    assert_null(fm_batch_create(model, 3, &(fm_batch_options){.instructions = "mmx"}, &error));
    assert_non_null(strstr(error.text, fm_lanes_sets()));
    assert_null(fm_batch_create(model, 3, &(fm_batch_options){.vehicle = "w"}, &error));
    assert_null(fm_batch_create(model, 0, NULL, &error));
    assert_null(fm_batch_create(model, (size_t)-1, NULL, &error));
    assert_null(fm_batch_create(NULL, 3, NULL, NULL));
    fm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_double_every_body_model_moves_with_the_bits_of_a_world),
        cmocka_unit_test(in_float_every_body_model_moves_to_a_hundredth),
        cmocka_unit_test(in_float_numbers_below_the_least_normal_one_count_as_zero),
        cmocka_unit_test(in_double_numbers_below_the_least_normal_one_have_the_bits_of_a_world),
        cmocka_unit_test(float_lanes_leave_the_mode_of_the_processor),
        cmocka_unit_test(in_float_idle_vehicles_cost_no_more_than_moving_ones),
        cmocka_unit_test(in_double_currents_densities_and_forces_give_the_bits_of_a_world),
        cmocka_unit_test(in_float_currents_densities_and_forces_are_near),
        cmocka_unit_test(a_vehicle_that_begins_again_begins_at_time_zero),
        cmocka_unit_test(threads_do_not_change_a_batch),
        cmocka_unit_test(only_masked_vehicles_begin_again),
        cmocka_unit_test(noise_is_drawn_by_seed_and_age),
        cmocka_unit_test(a_nan_order_marks_its_vehicle_bad_with_the_reason),
        cmocka_unit_test(each_episode_has_its_own_noise),
        cmocka_unit_test(seeds_above_two_to_the_53_are_kept),
        cmocka_unit_test(an_exported_array_outlives_its_batch),
        cmocka_unit_test(another_variant_counts_after_a_refresh),
        cmocka_unit_test(what_a_batch_cannot_move_is_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
