/* Errors of instruments beyond white noise and a bias: distributions, scale factors, what is drawn at the start, drift,
 * outliers; on every instrument that gives numbers. */
#include "sensors/gyro_record.h"

/* --- distributions --- */

/* Probability of less than x, of mean 0 and standard deviation 1. */
static double uniform(double x)
{
    return fmin(fmax(0.5 + x / sqrt(12), 0), 1);
}
static double triangular(double x)
{
    double t = fmin(fabs(x) / sqrt(6), 1), tail = 0.5 * (1 - t) * (1 - t);
    return x < 0 ? tail : 1 - tail;
}
static double laplace(double x)
{
    double tail = 0.5 * exp(-sqrt(2) * fabs(x));
    return x < 0 ? tail : 1 - tail;
}

/* Kolmogorov and Smirnov at 1 %, and the standard deviation. */
static void check_distribution(const char *name, double (*share_below)(double))
{
    char flaws[128];
    snprintf(flaws, sizeof flaws, "noise='0.01 rad/s' distribution='%s'", name);
    double *x = record_gyro(flaws), square = 0, distance = 0;
    for (int i = 0; i < SAMPLES; i++)
        square += x[i] * x[i] / SAMPLES;
    assert_near(sqrt(square), 0.01, 3e-4);
    qsort(x, SAMPLES, sizeof *x, by_size);
    for (int i = 0; i < SAMPLES; i++) {
        double p = share_below(x[i] / 0.01);
        distance = fmax(distance, fmax(fabs((double)(i + 1) / SAMPLES - p), fabs(p - (double)i / SAMPLES)));
    }
    assert_less(distance * sqrt(SAMPLES), 1.63);
    free(x);
}

static void noise_has_the_distribution_that_is_chosen(void **state)
{
    (void)state;
    check_distribution("uniform", uniform);
    check_distribution("triangular", triangular);
    check_distribution("laplace", laplace);
}

static void a_drift_forgets_itself_in_its_time_constant(void **state)
{
    (void)state;
    double *x = record_gyro("drift='0.02 rad/s' drift-time='0.2 s'"), square = 0, lagged = 0, far = 0;
    for (int i = 0; i < SAMPLES; i++)
        square += x[i] * x[i] / SAMPLES;
    for (int i = 0; i + 200 < SAMPLES; i++) {
        lagged += x[i] * x[i + 20] / (SAMPLES - 200);
        far += x[i] * x[i + 200] / (SAMPLES - 200);
    }
    double deviation = sqrt(2.0 * 40 / SAMPLES); /* 500 independent pieces of two time constants */
    assert_near(square, 4e-4, 4e-4 * 4 * deviation);
    assert_near(lagged / square, exp(-1), 4 * deviation);
    assert_near(far / square, 0, 4 * deviation);
    free(x);
}

static void outliers_come_with_their_probability_and_size(void **state)
{
    (void)state;
    double *x = record_gyro("outliers='0.05' outlier-size='0.5 rad/s'"), square = 0;
    int count = 0;
    for (int i = 0; i < SAMPLES; i++) {
        count += x[i] != 0;
        square += x[i] * x[i];
    }
    assert_near(count, 0.05 * SAMPLES, 4 * sqrt(SAMPLES * 0.05 * 0.95));
    assert_near(sqrt(square / count), 0.5, 4 * 0.5 / sqrt(2.0 * count));
    free(x);
}

/* --- scale factors --- */

/* Of a probe that moves and turns: of the instrument with and without a scale error. */
static double value_with(const char *instrument, const char *flaws, double (*read)(const fm_world *, const char *),
                         const char *name)
{
    char text[512];
    snprintf(text, sizeof text, instrument, flaws);
    fm_world *world = start_probe("<bottom depth='30 m'/><wall name='w' position='12 0 0 m' normal='-1 0 0'/>",
                                  "position='0 0 10 m' velocity='1 0.2 0 m/s' attitude='0 0 20 deg'", text);
    step(world, 3);
    double value = read(world, name);
    finish(world);
    return value;
}

static double dvl_speed(const fm_world *world, const char *name)
{
    return ((const fm_dvl_reading *)reading(world, name))->velocity[0];
}
static double dvl_altitude(const fm_world *world, const char *name)
{
    return ((const fm_dvl_reading *)reading(world, name))->altitude;
}
static double ctd_temperature(const fm_world *world, const char *name)
{
    return ((const fm_ctd_reading *)reading(world, name))->temperature;
}
static double imu_force(const fm_world *world, const char *name)
{
    return ((const fm_imu_reading *)reading(world, name))->linear_acceleration[2];
}
/* The first number of its sample. */
static double first_value(const fm_world *world, const char *name)
{
    return *(const double *)((const fm_reading *)reading(world, name) + 1);
}

static const struct {
    const char *name, *text; /* %s: its errors */
    double (*read)(const fm_world *, const char *);
} scaled[] = {
    {"depth", "<depth %s/>", value_of},
    {"pressure", "<pressure %s/>", value_of},
    {"speed-log", "<speed-log %s/>", value_of},
    {"compass", "<compass %s/>", value_of},
    {"echosounder", "<echosounder %s/>", range_of},
    {"sonar", "<sonar %s/>", range_of},
    {"infrared", "<infrared range='20 m' %s/>", range_of},
    {"dvl", "<dvl %s/>", dvl_speed},
    {"dvl", "<dvl><ranges %s/></dvl>", dvl_altitude},
    {"ctd", "<ctd><temperature %s/></ctd>", ctd_temperature},
    {"ctd", "<ctd><conductivity %s/></ctd>", first_value},
    {"imu-record", "<imu-record><depth %s/></imu-record>", first_value},
};

static void a_scale_error_is_told_by_every_instrument(void **state)
{
    (void)state;
    for (size_t i = 0; i < FM_COUNT(scaled); i++) {
        double truth = value_with(scaled[i].text, "", scaled[i].read, scaled[i].name);
        double told = value_with(scaled[i].text, "scale-error='0.07'", scaled[i].read, scaled[i].name);
        assert_true(isfinite(truth));
        assert_different(truth, 0);
        assert_near(told / truth, 1.07, 1e-12);
    }
    double truth = value_with("<imu><accelerometer %s/></imu>", "", imu_force, "imu");
    double told = value_with("<imu><accelerometer %s/></imu>", "scale-error='0 0 -0.1'", imu_force, "imu");
    assert_near(told / truth, 0.9, 1e-12);
}

static void scale_errors_are_set_live(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 10 m'", "<depth/>");
    step(world, 1);
    assert_near(value_of(world, "depth"), 10, 1e-9);
    set_live(world, "/probe/depth/scale-error", 0.1);
    step(world, 1);
    assert_near(value_of(world, "depth"), 11, 1e-9);
    finish(world);
}

/* "less than 5-10 % error over their operating range": drawn again by every seed, and constant in a run. */
static void a_spread_is_drawn_evenly_once_a_run(void **state)
{
    (void)state;
    enum { RUNS = 400 };
    double mean = 0, square = 0, products = 0;
    for (int seed = 1; seed <= RUNS; seed++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<fathom version='1'><world dt='0.01 s' seed='%d'/><vehicle name='probe' position='0 0 10 m' "
                 "velocity='0 0 1 m/s'>" PROBE_BODY "<depth scale-spread='0.1' bias-spread='2 m'/></vehicle></fathom>",
                 seed);
        fm_world *world = start(text);
        step(world, 1);
        double first = value_of(world, "depth");
        step(world, 200);
        double scale = (value_of(world, "depth") - first) / 2 - 1, bias = first - 10 * (1 + scale);
        step(world, 100);
        assert_near(value_of(world, "depth"), 13 * (1 + scale) + bias, 1e-9);
        assert_near(scale, 0, 0.1);
        assert_near(bias, 0, 2);
        mean += scale / RUNS;
        square += scale * scale / RUNS;
        products += scale * bias / RUNS;
        finish(world);
    }
    assert_near(mean, 0, 4 * 0.1 / sqrt(3.0 * RUNS));
    assert_near(square, 0.01 / 3, 4 * 0.01 * sqrt(4 / 45.0 / RUNS));
    assert_near(products, 0, 4 * 0.1 * 2 / 3 / sqrt(RUNS));
}

static void unknown_distributions_are_refused_with_those_there_are(void **state)
{
    (void)state;
    fm_error error = {0};
    static const char text[] = "<fathom version='1'><world dt='0.01 s'/><vehicle name='probe'>" PROBE_BODY
                               "<depth noise='1 m' distribution='poisson'/></vehicle></fathom>";
    assert_null(fm_model_load_memory(text, sizeof text - 1, "probe.xml", NULL, &error));
    assert_non_null(strstr(error.text, "laplace"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_has_the_distribution_that_is_chosen),
        cmocka_unit_test(a_drift_forgets_itself_in_its_time_constant),
        cmocka_unit_test(outliers_come_with_their_probability_and_size),
        cmocka_unit_test(a_scale_error_is_told_by_every_instrument),
        cmocka_unit_test(scale_errors_are_set_live),
        cmocka_unit_test(a_spread_is_drawn_evenly_once_a_run),
        cmocka_unit_test(unknown_distributions_are_refused_with_those_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
