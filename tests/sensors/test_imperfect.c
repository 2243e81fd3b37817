/* Imperfections: distributions, Allan deviation, quantisation, drop-outs, faults, determinism. */
#include "sensors/gyro_record.h"

static void white_noise_is_normal_with_its_mean_and_variance(void **state)
{
    (void)state;
    double *x = record_gyro("noise='0.01 rad/s' bias='0.003 0 0 rad/s'"), mean = 0, square = 0, lagged = 0,
           distance = 0;
    for (int i = 0; i < SAMPLES; i++)
        mean += x[i] / SAMPLES;
    for (int i = 0; i < SAMPLES; i++)
        square += (x[i] - mean) * (x[i] - mean) / (SAMPLES - 1);
    for (int i = 1; i < SAMPLES; i++)
        lagged += (x[i] - mean) * (x[i - 1] - mean) / SAMPLES;
    assert_near(mean, 0.003, 4 * 0.01 / sqrt(SAMPLES));
    assert_near(square, 1e-4, 4 * 1e-4 * sqrt(2.0 / SAMPLES));
    assert_near(lagged, 0, 4 * 1e-4 / sqrt(SAMPLES));
    qsort(x, SAMPLES, sizeof *x, by_size);
    for (int i = 0; i < SAMPLES; i++) { /* Kolmogorov–Smirnov */
        double normal = 0.5 * erfc(-(x[i] - 0.003) / 0.01 / sqrt(2));
        distance = fmax(distance, fmax(fabs((double)(i + 1) / SAMPLES - normal), fabs(normal - (double)i / SAMPLES)));
    }
    assert_less(distance * sqrt(SAMPLES), 1.63); /* 1 % */
    free(x);
}

/* Allan deviation of clusters of m samples, overlapping. */
static double allan(const double *x, int m)
{
    double *sum = calloc(SAMPLES + 1, sizeof *sum), total = 0;
    int count = 0;
    for (int i = 0; i < SAMPLES; i++)
        sum[i + 1] = sum[i] + x[i];
    for (int i = 0; i + 2 * m <= SAMPLES; i++, count++) {
        double d = (sum[i + 2 * m] - 2 * sum[i + m] + sum[i]) / m;
        total += d * d;
    }
    free(sum);
    return sqrt(total / (2.0 * count));
}

static void the_allan_deviation_of_white_noise_falls_with_slope_one_half(void **state)
{
    (void)state;
    double *x = record_gyro("noise='0.01 rad/s'");
    assert_near(log(allan(x, 100) / allan(x, 1)) / log(100), -0.5, 0.05);
    assert_near(allan(x, 1), 0.01, 3e-4);
    free(x);
}

static void the_allan_deviation_of_a_bias_walk_rises_with_slope_one_half(void **state)
{
    (void)state;
    double *x = record_gyro("bias-walk='0.001'");
    assert_near(log(allan(x, 200) / allan(x, 10)) / log(20), 0.5, 0.08);
    assert_near(allan(x, 100), 0.001 * sqrt(1.0 / 3), 1.5e-4); /* K √(τ/3) at τ = 1 s */
    free(x);
}

static void components_and_instruments_have_noise_of_their_own(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 10 m'", "<depth noise='1 m'/><depth name='other' noise='1 m'/>");
    double ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < 5000; i++) {
        step(world, 1);
        double a = value_of(world, "depth") - 10, b = value_of(world, "other") - 10;
        ab += a * b, aa += a * a, bb += b * b;
    }
    assert_near(ab / sqrt(aa * bb), 0, 4 / sqrt(5000));
    finish(world);
}

static void quantised_values_are_multiples_of_the_quantum(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 10 m' velocity='0 0 0.3 m/s'",
                                  "<depth quantum='0.05 m'/><depth name='limited' maximum='10.2 m' minimum='1 m'/>");
    for (int i = 0; i < 100; i++) {
        step(world, 1);
        double v = value_of(world, "depth"), truth = 10 + 0.3 * i * 0.01;
        assert_near(v / 0.05, floor(v / 0.05 + 0.5), 1e-9);
        assert_near(v, truth, 0.025 + 1e-9);
        assert_near(value_of(world, "limited"), fmin(truth, 10.2), 1e-9);
    }
    finish(world);
}

static void drop_outs_come_with_their_probability(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 10 m'", "<depth dropout='0.3'/>");
    step(world, 10000);
    assert_near((double)((const fm_value_reading *)reading(world, "depth"))->head.count, 7000, 4 * sqrt(10000 * 0.21));
    finish(world);
}

static void faults_are_set_live(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 10 m' velocity='0 0 1 m/s'", "<depth/>");
    const fm_value_reading *r = reading(world, "depth");
    step(world, 11);
    assert_near(r->value, 10.1, 1e-9);
    set_live(world, "/probe/depth/fault", 2);
    step(world, 10);
    assert_near(r->value, 10.1, 1e-9);
    assert_int_equal(r->head.count, 21);
    set_live(world, "/probe/depth/fault", 1);
    step(world, 10);
    assert_int_equal(r->head.count, 21);
    assert_int_equal(r->head.valid, 0);
    set_live(world, "/probe/depth/fault", 0);
    set_live(world, "/probe/depth/bias", 5);
    step(world, 1);
    assert_near(r->value, 10.31 + 5, 1e-9);
    assert_int_equal(r->head.valid, 1);
    finish(world);
}

#define ALL_INSTRUMENTS                                                                                                \
    "<imu latency='0.03 s' dropout='0.1'><gyro noise='0.1 deg/s' bias-walk='1e-4'/><accelerometer noise='0.01 "        \
    "m/s2'/><orientation noise='0.1 deg'/></imu>"                                                                      \
    "<ins><gyro noise='0.1 deg/s'/></ins><compass noise='1 deg'/><pressure noise='50 Pa' bias-walk='1'/><depth "       \
    "latency='0.1 s'/><ctd><temperature noise='0.01 K'/></ctd>"                                                        \
    "<speed-log noise='0.01 m/s'/><gps noise='2 m'/><battery-monitor/><propulsion-current/><leak/><bumper "            \
    "position='1 0 0 m'/><echosounder noise='0.1 m'/>"                                                                 \
    "<dvl noise='0.01 m/s'><ranges noise='0.1 m'/></dvl><sonar noise='0.05 m'/><infrared/><multibeam beams='16' "      \
    "bins='32' period='0.1 s' noise='0.05' threshold='0.1'/>"                                                          \
    "<scanning-sonar period='0.05 s'/><profiling-sonar noise='0.02 m'/><side-scan period='0.1 s' "                     \
    "noise='0.01'/><camera width='32' height='24' noise='0.02' period='0.1 s' latency='0.1 s'/>"

static uint64_t hash_with(int threads, int restore_at)
{
    static char text[16384];
    fm_world *world;
    fm_error error = {0};
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.01 s' seed='3'><current velocity='0.1 0 0 m/s'/><bottom depth='20 m'><mound "
        "height='-3 m' centre='5 0 0 m' sigma='2 2 1 m'/></bottom>"
        "<sphere name='s' position='8 1 10 m' radius='1 m'/></world>"
        "<vehicle name='a' position='0 0 10 m' velocity='1 0 0 m/s' rates='0 0 0.2 rad/s'>" PROBE_BODY ALL_INSTRUMENTS
        "</vehicle>"
        "<vehicle name='b' position='0 5 9 m' velocity='1 0 0 m/s'>" PROBE_BODY ALL_INSTRUMENTS "</vehicle></fathom>");
    world = create(load(text), threads);
    void *saved = NULL;
    for (int i = 0; i < 100; i++) {
        if (i == restore_at) {
            saved = malloc(fm_world_state_size(world));
            assert_int_equal(fm_world_save(world, saved, fm_world_state_size(world), NULL), FM_OK);
            step(world, 17);
            assert_int_equal(fm_world_restore(world, saved, fm_world_state_size(world), &error), FM_OK);
            free(saved);
        }
        step(world, 1);
    }
    uint64_t hash = fm_world_hash(world);
    finish(world);
    return hash;
}

static void all_instruments_give_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t one = hash_with(1, -1);
    assert_same(one, hash_with(2, -1));
    assert_same(one, hash_with(1, 43));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(white_noise_is_normal_with_its_mean_and_variance),
                                       cmocka_unit_test(the_allan_deviation_of_white_noise_falls_with_slope_one_half),
                                       cmocka_unit_test(the_allan_deviation_of_a_bias_walk_rises_with_slope_one_half),
                                       cmocka_unit_test(components_and_instruments_have_noise_of_their_own),
                                       cmocka_unit_test(quantised_values_are_multiples_of_the_quantum),
                                       cmocka_unit_test(drop_outs_come_with_their_probability),
                                       cmocka_unit_test(faults_are_set_live),
                                       cmocka_unit_test(all_instruments_give_the_same_bits_on_any_number_of_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
