/* The wake of a pile is felt by the lateral line, searched and followed. */
#include "control/wake_sense.h"
#include "support/scenario.h"

/* Power of a signal at a frequency, Hz. */
static double power_at(const double *x, int count, double dt, double frequency)
{
    double re = 0, im = 0;
    for (int i = 0; i < count; i++) {
        double window = 0.5 - 0.5 * cos(2 * 3.14159265358979 * i / (count - 1)),
               w = 2 * 3.14159265358979 * frequency * i * dt;
        re += window * x[i] * cos(w), im += window * x[i] * sin(w);
    }
    return re * re + im * im;
}

/* A line that stands still beside the middle of the wake: the greatest power is at the shedding frequency St U/D. */
static void the_line_swings_at_the_shedding_frequency(void **state)
{
    (void)state;
    static const char text[] =
        "<fathom version='1'><world dt='0.05 s'><water density='1000 kg/m3' surface='none'/><current velocity='-0.2 0 "
        "0 "
        "m/s'><vortex-street behind='pile' strouhal='%g'/></current><column name='pile' position='0 0 -1 m' "
        "radius='0.1 m' "
        "height='6 m'/></world><vehicle name='probe' model='towed-sphere' position='-3 0.25 2 m'/></fathom>";
    static const double strouhal[] = {0.2, 0.24};
    enum { COUNT = 1200 };
    for (int k = 0; k < 2; k++) {
        char scenario[1024];
        static double x[COUNT];
        double best = 0, most = 0;
        snprintf(scenario, sizeof scenario, text, strouhal[k]);
        fm_world *world = start(scenario);
        fm_pose held = pose_of(world, 0);
        for (int i = 0; i < COUNT; i++) {
            step(world, 1);
            assert_int_equal(fm_world_place(world, "probe", &held, NULL), FM_OK); /* by its axis */
            x[i] = column_of(world, 0, "lateral-line.voltages[0]") - column_of(world, 0, "lateral-line.voltages[1]");
        }
        for (double f = 0.05; f < 1; f += 0.002) {
            double power = power_at(x, COUNT, 0.05, f);
            best = power > most ? f : best;
            most = fmax(power, most);
        }
        near("frequency", best, strouhal[k] * 0.2 / 0.2, 0.01);
        finish(world);
    }
}

static void snookie_tells_the_wake_that_it_crosses(void **state)
{
    (void)state;
    fm_world *world = start_scenario("snookie-wake", NULL);
    run_until(world, 120);
    assert_true(isfinite(metric_of(world, 0, "wake_found")));
    assert_greater(metric_of(world, 0, "wake_found"), 10);
    near("frequency", metric_of(world, 0, "wake_frequency"), 0.2, 0.02); /* it moves, and few vortices pass */
    assert_same(metric_of(world, 0, "contacts"), 0);
    finish(world);
    world = start_scenario("snookie-wake", (const char *const[]){"/snookie/position=-2.5 -8 2 m", NULL});
    run_until(world, 60);
    assert_true(isnan(metric_of(world, 0, "wake_found"))); /* none out there */
    finish(world);
}

/* --- by which side --- */

/* d = cos ωt and q = 0.4 cos(ωt − φ): side = −Im(Q D*)/|D|² = 0.4 sin φ. */
static void the_phase_between_along_and_across_tells_the_side(void **state)
{
    (void)state;
    for (double phase = -3; phase < 3.1; phase += 0.5) {
        fm_wake_sense s;
        double f = 0.2, dt = 0.02, w = 2 * FM_PI * f;
        fm_wake_sense_begin(0, 0, &s);
        for (int i = 0; i < 6000; i++)
            fm_wake_sense_step(10, dt, f, 0.1 + 0.05 * cos(w * i * dt), 0.2 + 0.02 * cos(w * i * dt - phase), &s);
        near("side", fm_wake_side(&s, 1e-6), 0.4 * sin(phase), 0.06);
        near("amplitude", fm_wake_amplitude(&s), 0.05, 0.006);
    }
}

/* --- and steered by --- */

static void assert_told(const fm_world *world, const char *what)
{
    const fm_event *events;
    for (size_t i = 0, count = fm_world_events(world, &events); i < count; i++)
        if (strstr(events[i].text, what))
            return;
    fail_msg("no event says '%s'", what);
}

static void snookie_searches_the_wake_and_follows_it_to_the_pile(void **state)
{
    (void)state;
    fm_world *world = start_scenario("snookie-wake-search", NULL);
    run_until(world, 140);
    double found = metric_of(world, 0, "wake_found");
    assert_between(20, found, 60);
    /* going against vortices that drift with U_c = 0.172 m/s it meets f (1 + u/U_c) of them */
    near("frequency met", column_of(world, 0, "wake-finder.frequency"), 0.2 * (1 + 0.03 / 0.172), 0.006);
    run_until(world, 260);
    fm_pose pose = pose_of(world, 0);
    assert_between(-1.3, pose.position[0], -0.5); /* behind the pile, 4 m from where it began */
    near("beside the wake's middle", pose.position[1], 0, 0.3);
    near("frequency at rest", column_of(world, 0, "wake-finder.frequency"), 0.2, 0.006);
    assert_greater(metric_of(world, 0, "wake_source"), found + 30);
    assert_same(metric_of(world, 0, "contacts"), 0);
    finish(world);
}

static void the_place_of_the_wake_is_told(void **state)
{
    (void)state;
    fm_world *world = start_scenario("snookie-wake-search", NULL);
    while (!(metric_of(world, 0, "wake_found") > 0))
        step(world, 1);
    assert_told(world, "wake found: 0.2");
    assert_told(world, "m east");
    finish(world);
}

/* Whether a wake is followed depends on the line and nothing else. */
static void with_a_dead_line_no_wake_is_found(void **state)
{
    (void)state;
    fm_world *world =
        start_scenario("snookie-wake-search", (const char *const[]){"/snookie/lateral-line/fault=dead", NULL});
    run_until(world, 170);
    assert_true(isnan(metric_of(world, 0, "wake_found")) && isnan(metric_of(world, 0, "wake_source")));
    fm_pose pose = pose_of(world, 0);
    if (!(pose.position[0] < -2))
        assert_greater(fabs(pose.position[1]), 0.6); /* not behind the pile */
    finish(world);
}

static void a_line_that_dies_on_the_way_loses_the_wake(void **state)
{
    (void)state;
    fm_error error;
    fm_world *world = start_scenario("snookie-wake-search", NULL);
    run_until(world, 80);
    near("follows", column_of(world, 0, "wake-finder.state"), 2, 0);
    assert_int_equal(fm_world_set(world, "/snookie/lateral-line/fault", 1, &error), FM_OK);
    run_until(world, 110);
    near("searches", column_of(world, 0, "wake-finder.state"), 1, 0);
    finish(world);
}

/* --- what is refused --- */

static void refused(const char *current, const char *told)
{
    char text[1024];
    fm_error error = {0};
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.1 s'>%s<column name='pile' position='0 0 0 m' radius='0.1 m' height='5 m'/>"
        "</world></fathom>",
        current);
    assert_null(try_load(text, &error));
    if (!strstr(error.text, told))
        fail_msg("'%s' does not say '%s'", error.text, told);
}

static void a_street_without_a_column_or_a_stream_is_refused(void **state)
{
    (void)state;
    refused("<current velocity='0.1 0 0 m/s'><vortex-street behind='pole'/></current>",
            "no <column> of the name 'pole'");
    refused("<current><vortex-street behind='pile'/></current>", "stands still");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_swings_at_the_shedding_frequency),
        cmocka_unit_test(snookie_tells_the_wake_that_it_crosses),
        cmocka_unit_test(the_phase_between_along_and_across_tells_the_side),
        cmocka_unit_test(snookie_searches_the_wake_and_follows_it_to_the_pile),
        cmocka_unit_test(the_place_of_the_wake_is_told),
        cmocka_unit_test(with_a_dead_line_no_wake_is_found),
        cmocka_unit_test(a_line_that_dies_on_the_way_loses_the_wake),
        cmocka_unit_test(a_street_without_a_column_or_a_stream_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
