/* The error-state filter of <navigation>: against closed forms, and honest about itself over many seeds. */
#include "control/error_filter.h"

#include "sensors/probe.h"

enum { N = FM_ERROR_STATES };

static double variance(const fm_error_filter *filter, int i, int j)
{
    return filter->p[i * N + j];
}

static fm_reckoning to_the_north(double speed, double dt)
{
    return (fm_reckoning){.dt = dt, .velocity = {speed, 0, 0}, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

/* --- closed forms --- */

/* White noise of σ a sample every T seconds is a random walk: variance σ²T t. */
static void velocity_noise_makes_the_place_walk(void **state)
{
    (void)state;
    fm_error_filter filter = {{0}};
    fm_reckoning r = to_the_north(1, 0.1);
    r.velocity_pd[0] = 0.02 * 0.02 * 0.5;
    for (int i = 0; i < 1000; i++)
        fm_error_filter_predict(&filter, &r);
    near("north", variance(&filter, FM_ERROR_NORTH, FM_ERROR_NORTH), 0.02 * 0.02 * 0.5 * 100, 1e-12);
    near("east", variance(&filter, FM_ERROR_EAST, FM_ERROR_EAST), 0, 1e-15);
}

/* A constant bias of heading turns a straight track: σ_east = v t σ; one of velocity makes it longer. */
static void unknown_biases_grow_with_the_way(void **state)
{
    (void)state;
    fm_error_filter filter = {{0}};
    const fm_reckoning r = to_the_north(1.5, 0.1);
    filter.p[FM_ERROR_HEADING * N + FM_ERROR_HEADING] = 0.01 * 0.01;
    filter.p[FM_ERROR_AHEAD * N + FM_ERROR_AHEAD] = 0.05 * 0.05;
    for (int i = 0; i < 2000; i++)
        fm_error_filter_predict(&filter, &r);
    near("east", sqrt(variance(&filter, FM_ERROR_EAST, FM_ERROR_EAST)), 1.5 * 200 * 0.01, 1e-9);
    near("north", sqrt(variance(&filter, FM_ERROR_NORTH, FM_ERROR_NORTH)), 200 * 0.05, 1e-9);
    near("with the heading", variance(&filter, FM_ERROR_EAST, FM_ERROR_HEADING), -1.5 * 200 * 1e-4, 1e-12);
}

/* Two independent estimates: weights 1/σ². */
static void a_fix_is_weighed_by_its_variance(void **state)
{
    (void)state;
    fm_error_filter filter = {{0}};
    const double h[2 * N] = {[FM_ERROR_NORTH] = 1, [N + FM_ERROR_EAST] = 1}, noise[4] = {1, 0.3, 0.3, 2};
    const double off[2] = {2, -1};
    double correction[N];
    filter.p[0] = 4;
    filter.p[N + 1] = 9;
    const double d2 = fm_error_filter_correct(&filter, 2, h, noise, NULL, off, 4, correction);
    /* S = diag(4, 9) + R, solved by hand */
    const double a = 5, b = 0.3, d = 11, det = a * d - b * b;
    const double w[2] = {(d * off[0] - b * off[1]) / det, (a * off[1] - b * off[0]) / det};
    near("distance", d2, off[0] * w[0] + off[1] * w[1], 1e-12);
    near("north", correction[FM_ERROR_NORTH], 4 * w[0], 1e-12);
    near("east", correction[FM_ERROR_EAST], 9 * w[1], 1e-12);
    near("what is left", variance(&filter, 0, 0), 4 - 16 * d / det, 1e-12);
    near("what is left between", variance(&filter, 0, 1), 4 * 9 * b / det, 1e-12);
}

/* A sample that is late says nothing of what went wrong since: error = a + w, measured a + v. */
static void a_late_sample_leaves_what_came_after_it(void **state)
{
    (void)state;
    fm_error_filter filter = {{0}};
    const double h[N] = {[FM_ERROR_NORTH] = 1}, noise = 1, off = 3, since[9] = {2};
    double correction[N];
    filter.p[0] = 5 + 2;
    fm_error_filter_correct(&filter, 1, h, &noise, since, &off, 4, correction);
    near("correction", correction[0], 5 * 3 / 6.0, 1e-12);
    near("what is left", variance(&filter, 0, 0), 1 / (1 / 5.0 + 1) + 2, 1e-12);
}

static void beyond_the_gate_nothing_changes(void **state)
{
    (void)state;
    fm_error_filter filter = {{0}}, before;
    const double h[N] = {[FM_ERROR_NORTH] = 1}, noise = 1, off = 10;
    double correction[N];
    filter.p[0] = 3;
    before = filter;
    near("squared distance", fm_error_filter_correct(&filter, 1, h, &noise, NULL, &off, 4, correction), 25, 1e-12);
    assert_memory_equal(&filter, &before, sizeof filter);
    near("correction", correction[0], 0, 0);
}

/* --- in a vehicle --- */

/* The Phoenix under way, its antenna just under water, so that fixes come; all errors are those that the filter
 * expects. */
static fm_world *sailing_with(int seed, const char *others, const char *navigation)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.1 s' duration='1000 s' seed='%d' latitude='36 deg'><water density='1000 "
             "kg/m3'/><current velocity='0.05 -0.1 0 m/s'/><bottom depth='20 m'/><acoustics speed='constant' "
             "sound-speed='1500 m/s'/></world>"
             "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 4 m' attitude='0 0 30 deg' velocity='0.6 0 0 "
             "m/s'><compass noise='1 deg' bias-walk='0.0005' period='0.2 s'/><depth noise='0.1 m' period='0.5 s'/>"
             "<dvl noise='0.02 m/s' period='0.5 s'/><speed-log/><gps noise='2 m' period='5 s' antenna-depth='10 m'/>%s"
             "<mission><at t='0 s' heading='30 deg' depth='4 m' speed='0.6 m/s'/>"
             "<at t='60 s' heading='120 deg'/></mission>"
             "<autopilot steering='fins' design-speed='0.6 m/s'><heading kp='1.5' ki='0.05 1/s' kd='2 s' limit='25 "
             "deg'/><depth order='4 m' kp='0.25 rad/m' ki='0.004 rad/m/s' kd='0.3 rad*s/m' limit='10 deg'/><pitch "
             "kp='2' ki='0.8 1/s' kd='2 s' limit='25 deg'/><speed order='0.6 m/s' kp='100 N*s/m' ki='10 N/m' "
             "feed='19.3 kg/m'/></autopilot></vehicle>%s</fathom>",
             seed, navigation, others);
    return start(text);
}

static fm_world *sailing(int seed, const char *navigation)
{
    return sailing_with(seed, "", navigation);
}

/* Noise of a beam makes 1/(√2 sin 30°) of it ahead and to starboard, 1/(2 cos 30°) down. */
#define FILTER                                                                                                         \
    "<filter initial='1 m' heading-noise='1 deg' heading-walk='0.0005 rad' velocity-noise='0.0283 0.0283 0.0115 m/s' " \
    "depth-noise='0.1 m'/>"
#define INSTRUMENTS "heading='compass' depth='depth' velocity='dvl'"

/* Mean of what 50 seeds have at the end: 3 degrees of freedom each, 95 % of such means lie in 2.36 … 3.72. */
static double mean_consistency(const char *navigation, double until)
{
    double sum = 0;
    for (int seed = 1; seed <= 50; seed++) {
        fm_world *world = sailing(seed, navigation);
        run_until(world, until);
        sum += column_of(world, 0, "navigation.nees");
        finish(world);
    }
    return sum / 50;
}

static void dead_reckoning_is_as_wrong_as_it_says(void **state)
{
    (void)state;
    const double mean = mean_consistency("<navigation " INSTRUMENTS ">" FILTER "</navigation>", 120);
    below("mean consistency", mean, 3.72);
    below("2.36", 2.36, mean);
}

static void fixes_leave_the_error_that_the_filter_says(void **state)
{
    (void)state;
    const double mean = mean_consistency("<navigation " INSTRUMENTS " position='gps'>" FILTER "</navigation>", 120);
    below("mean consistency", mean, 3.72);
    below("2.36", 2.36, mean);
}

/* A compass that is 5 degrees off, and a filter that looks for it. */
static void fixes_find_the_bias_of_the_compass(void **state)
{
    (void)state;
    fm_world *world =
        sailing(3, "<navigation " INSTRUMENTS " position='gps'><filter initial='1 m' heading-bias='5 deg' "
                   "velocity-noise='0.0283 0.0283 0.0115 m/s'/></navigation>");
    set_live(world, "/phoenix/compass/bias", 5 * DEGREE);
    run_until(world, 600);
    near("bias", column_of(world, 0, "navigation.bias.heading") / DEGREE, 5, 1.5);
    finish(world);
}

/* A log through the water knows nothing of the current; fixes do. */
static void fixes_find_the_current(void **state)
{
    (void)state;
    fm_world *world = sailing(4, "<navigation heading='compass' depth='depth' velocity='speed-log' position='gps'>"
                                 "<filter initial='1 m' current-error='0.2 m/s'/></navigation>");
    run_until(world, 600);
    near("current north", column_of(world, 0, "navigation.current.north"), 0.05, 0.03);
    near("current east", column_of(world, 0, "navigation.current.east"), -0.1, 0.03);
    below("error", metric_of(world, 0, "navigation_error"), 3);
    finish(world);
}

/* Nothing but ranges from one beacon that pings, as the vehicle goes by: enough to find where it is. */
#define BEACON                                                                                                         \
    "<vehicle name='beacon' position='40 60 4 m'>" PROBE_BODY "<transducer address='7' ping-period='4 s'/></vehicle>"
static void ranges_from_one_beacon_keep_the_place(void **state)
{
    (void)state;
    fm_world *world =
        sailing_with(7, BEACON,
                     "<transducer/><one-way-ranging noise='0.3 m' sound-speed='1500 m/s'><beacon address='7' "
                     "position='40 60 4 m'/></one-way-ranging><navigation " INSTRUMENTS
                     " ranges='one-way-ranging'><filter initial='20 m' range-noise='0.3 m'/></navigation>");
    run_until(world, 4);
    const double before = metric_of(world, 0, "navigation_error");
    run_until(world, 300);
    below("error", metric_of(world, 0, "navigation_error"), 3);
    below("error against that at the start", metric_of(world, 0, "navigation_error"), before / 4);
    finish(world);
}

/* A fix that is late is held against where the vehicle was. */
static void late_fixes_do_not_drag_the_place_behind(void **state)
{
    (void)state;
    fm_world *world =
        sailing(5, "<gps name='late' period='5 s' latency='10 s' antenna-depth='10 m'/><navigation " INSTRUMENTS
                   " position='late'><filter initial='1 m' position-noise='0.05 m' "
                   "heading-noise='1 deg' heading-walk='0.0005 rad'/></navigation>");
    run_until(world, 100);
    below("error", metric_of(world, 0, "navigation_error"), 1);
    near("fixes", metric_of(world, 0, "fixes_taken"), 18, 1);
    finish(world);
}

static void a_wild_fix_is_refused_until_it_stays(void **state)
{
    (void)state;
    fm_world *world =
        sailing(6, "<navigation " INSTRUMENTS " position='gps'><filter initial='1 m' give-up='5'/></navigation>");
    run_until(world, 100);
    set_live(world, "/phoenix/gps/bias/x", 200);
    run_until(world, 119);
    near("refused", metric_of(world, 0, "fixes_refused"), 4, 0);
    below("error so far", metric_of(world, 0, "navigation_error"), 10);
    run_until(world, 200);
    near("then believed", metric_of(world, 0, "navigation_error"), 200, 15);
    finish(world);
}

static void a_filter_without_its_instruments_is_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_model *model = try_load("<fathom version='1'><world dt='0.1 s'/><vehicle name='a' model='nps-auv-ii'><compass/>"
                               "<depth/><navigation heading='compass' depth='depth'><filter/></navigation></vehicle>"
                               "</fathom>",
                               &error);
    assert_null(model);
    assert_non_null(strstr(error.text, "a filter needs instruments of heading, velocity and depth; velocity"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocity_noise_makes_the_place_walk),
        cmocka_unit_test(unknown_biases_grow_with_the_way),
        cmocka_unit_test(a_fix_is_weighed_by_its_variance),
        cmocka_unit_test(a_late_sample_leaves_what_came_after_it),
        cmocka_unit_test(beyond_the_gate_nothing_changes),
        cmocka_unit_test(dead_reckoning_is_as_wrong_as_it_says),
        cmocka_unit_test(fixes_leave_the_error_that_the_filter_says),
        cmocka_unit_test(fixes_find_the_bias_of_the_compass),
        cmocka_unit_test(fixes_find_the_current),
        cmocka_unit_test(ranges_from_one_beacon_keep_the_place),
        cmocka_unit_test(late_fixes_do_not_drag_the_place_behind),
        cmocka_unit_test(a_wild_fix_is_refused_until_it_stays),
        cmocka_unit_test(a_filter_without_its_instruments_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
