/* REMUS over a rise of the bottom, through the world, with the sonar and weights of an independent program: every node
 * is a return, an image every 2.5 s. Its trajectories and measures. The sonar of rays: test_remus_rays.c. */
#include "support/scenario.h"

typedef struct run_case {
    const char *gain, *stabilised;
} run_case;

static const run_case a0 = {"/remus/avoid/gain=0", "/remus/avoid/stabilised=true"},
                      a3 = {"/remus/avoid/gain=3", "/remus/avoid/stabilised=true"},
                      a7 = {"/remus/avoid/gain=7", "/remus/avoid/stabilised=true"},
                      a3_unstabilised = {"/remus/avoid/gain=3", "/remus/avoid/stabilised=false"};

static fm_world *begin(const run_case *which, const char *more)
{
    const char *sets[] = {"/remus/sonar/mode=nodes",
                          "/remus/sonar/frame=2.5 s",
                          "/remus/avoid/weight=1.3",
                          "/remus/avoid/end-weight=0",
                          "/remus/avoid/reference-spacing=0.5 m",
                          which->gain,
                          which->stabilised,
                          more,
                          NULL};
    return start_scenario("remus-rise", sets);
}

static fm_world *run(const run_case *which, const char *more)
{
    fm_world *world = begin(which, more);
    run_until(world, fm_model_duration(fm_world_model(world)));
    return world;
}

/* --- trajectories --- */

/* Rows every 0.2 s: t, X, Z, H, h, h_com, threat, theta, q, w, delta with six digits. Orders and threat of a step are
 * seen after it, pose and velocity before it. */
static void compare_row(fm_world *world, const double v[11])
{
    const fm_pose p = pose_of(world, 0);
    fm_error error = {0};
    assert_int_equal(fm_world_step(world, &error), FM_OK);
    const double theta = remainder(p.euler[1], 2 * 3.14159265358979323846);
    const double found[8] = {
        p.position[0], p.position[2], column_of(world, 0, "avoid.altitude"), column_of(world, 0, "avoid.threat"), theta,
        p.velocity[4], p.velocity[2], column_of(world, 0, "stern-planes")};
    const double expected[8] = {v[1], v[2], v[5], v[6], v[7], v[8], v[9], v[10]};
    static const char *const names[8] = {"X", "Z", "hcom", "threat", "theta", "q", "w", "delta"};
    for (int i = 0; i < 8; i++)
        if (!(fabs(found[i] - expected[i]) <= 1e-5 + 1e-5 * fabs(expected[i])))
            fail_msg("t = %g s: %s is %.9g, the reference has %.9g", v[0], names[i], found[i], expected[i]);
}

static void follows_reference(const char *name, const run_case *which)
{
    char path[512], line[512];
    snprintf(path, sizeof path, "%s/remus/remus_%s.csv", TEST_DATA, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fm_world *world = begin(which, NULL);
    int rows = 0;
    for (double v[11]; fgets(line, sizeof line, file); rows++) {
        assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &v[0], &v[1], &v[2], &v[3], &v[4],
                                &v[5], &v[6], &v[7], &v[8], &v[9], &v[10]),
                         11);
        run_until(world, v[0]);
        compare_row(world, v);
    }
    fclose(file);
    assert_int_equal(rows, 751);
    finish(world);
}

static void every_reference_trajectory_is_followed_to_its_last_digit(void **state)
{
    (void)state;
    follows_reference("no_lookahead_a0", &a0);
    follows_reference("a3_stabilised", &a3);
    follows_reference("a7_stabilised", &a7);
    follows_reference("a3_unstabilised", &a3_unstabilised);
}

/* --- measures --- */

/* Least altitude [m], reversals, late range of pitch [deg], late mean altitude [m], greatest threat, contacts. */
static void measures_are(const run_case *which, const double expected[6])
{
    fm_world *world = run(which, NULL);
    near("min_altitude", metric_of(world, 0, "min_altitude"), expected[0], 1e-6);
    near("pitch_reversals", metric_of(world, 0, "pitch_reversals"), expected[1], 0);
    near("late_pitch_pp", metric_of(world, 0, "late_pitch_pp") / DEGREE, expected[2], 1e-3);
    near("late_altitude", metric_of(world, 0, "late_altitude"), expected[3], 1e-3); /* without the last sample */
    near("threat_peak", metric_of(world, 0, "threat_peak"), expected[4], 1e-6);
    near("contacts", metric_of(world, 0, "contacts"), expected[5], 0);
    finish(world);
}

static void without_look_ahead_the_vehicle_passes_through_the_step(void **state)
{
    (void)state;
    measures_are(&a0, (double[]){-1.0010253081607132, 1, 0, 2.999878078145497, 14.70079350347987, 1});
}

static void with_gain_3_the_step_is_cleared_and_with_gain_7_the_vehicle_never_settles(void **state)
{
    (void)state;
    measures_are(&a3, (double[]){1.678169108159997, 6, 1.7723146886097243, 3.2243874690454324, 6.1525034954183315, 0});
    measures_are(&a7, (double[]){2.2663275034630797, 31, 17.117103128308138, 3.319523672791155, 4.256457932410715, 0});
}

static void peak_pitch_is_the_greatest_pitch_nose_up(void **state)
{
    (void)state;
    static const struct {
        const run_case *which;
        double peak;
    } rows[] = {{&a0, 32.138641651256926}, {&a3, 38.38296966815153}, {&a7, 39.58324632319106}};
    for (size_t i = 0; i < 3; i++) {
        fm_world *world = run(rows[i].which, NULL);
        near("peak_pitch", metric_of(world, 0, "peak_pitch") / DEGREE, rows[i].peak, 1e-6);
        finish(world);
    }
}

static void without_pitch_stabilisation_the_pitch_bangs(void **state)
{
    (void)state;
    measures_are(&a3_unstabilised,
                 (double[]){-0.8819233072928867, 55, 37.28764850982334, 4.574907099475174, 8.564259496526681, 1});
}

/* Over seven places of the step, which are seven phases of the sonar's frame. */
static void ranges_are(const run_case *which, const double low[3], const double high[3])
{
    double least[3] = {1e9, 1e9, 1e9}, most[3] = {-1e9, -1e9, -1e9};
    static const char *const names[3] = {"min_altitude", "pitch_reversals", "late_pitch_pp"};
    for (int phase = 0; phase < 7; phase++) {
        char place[64];
        snprintf(place, sizeof place, "/bottom/rise/x=%g m", 60 + 0.5 * phase);
        fm_world *world = run(which, place);
        for (int i = 0; i < 3; i++) {
            double value = metric_of(world, 0, names[i]) / (i == 2 ? DEGREE : 1);
            least[i] = fmin(least[i], value);
            most[i] = fmax(most[i], value);
        }
        finish(world);
    }
    for (int i = 0; i < 3; i++) {
        near(names[i], least[i], low[i], 1e-5);
        near(names[i], most[i], high[i], 1e-5);
    }
}

static void the_place_of_the_step_changes_the_results_only_within_the_reference_ranges(void **state)
{
    (void)state;
    ranges_are(&a0, (double[]){-1.0010276180995525, 1, 0}, (double[]){-1.001006741406517, 1, 0});
    ranges_are(&a3, (double[]){1.4737594559445917, 4, 1.7662583833555356},
               (double[]){2.9992295199550973, 6, 1.7741381286049216});
    ranges_are(&a7, (double[]){1.7549200638697577, 27, 17.117103128308138},
               (double[]){2.9990650374339154, 31, 19.71335145917856});
    ranges_are(&a3_unstabilised, (double[]){-0.9177337340753269, 55, 37.28746067698219},
               (double[]){1.538850852723673, 58, 37.288109089666875});
}

/* (R12): with nodes the published instabilities need the delay of the sonar. */
static void with_a_continuous_sonar_gain_7_settles_and_the_pitch_does_not_bang(void **state)
{
    (void)state;
    fm_world *world = run(&a7, "/remus/sonar/frame=0 s");
    below("late_pitch_pp", metric_of(world, 0, "late_pitch_pp") / DEGREE, 1);
    finish(world);
    world = run(&a3_unstabilised, "/remus/sonar/frame=0 s");
    near("pitch_reversals", metric_of(world, 0, "pitch_reversals"), 1, 0);
    finish(world);
}

static void at_another_speed_gains_and_trim_are_those_of_that_speed(void **state)
{
    (void)state;
    fm_world *world = run(&a3, "/remus/diving/speed=2 m/s");
    near("speed", pose_of(world, 0).velocity[0], 2, 1e-12);
    assert_greater(metric_of(world, 0, "min_altitude"), 1);
    near("late_altitude", metric_of(world, 0, "late_altitude"), 3.2, 0.2);
    finish(world);
}

static void a_higher_rise_costs_altitude_and_hidden_nodes_are_no_threat(void **state)
{
    (void)state;
    fm_world *low = run(&a3, "/bottom/rise/height=1 m"), *high = run(&a3, "/bottom/rise/height=8 m");
    assert_greater(metric_of(low, 0, "min_altitude"), metric_of(high, 0, "min_altitude"));
    finish(low);
    finish(high);
    /* 7 m before the step and 1 m below its top: the whole top is hidden behind its edge */
    fm_world *open = begin(&a0, NULL), *hidden = begin(&a0, "/remus/sonar/occlusion=true");
    run_until(open, 35);
    run_until(hidden, 35);
    assert_greater(column_of(hidden, 0, "avoid.threat"), 0);
    assert_less(column_of(hidden, 0, "avoid.threat"), 0.5 * column_of(open, 0, "avoid.threat"));
    finish(open);
    finish(hidden);
}

static void only_heun_and_rk4_integrate_the_diving_model(void **state)
{
    (void)state;
    static const char *const refused[] = {"/remus/integrator=euler", "/remus/integrator=text"};
    for (int i = 0; i < 2; i++) {
        fm_error error = {0};
        assert_null(try_load_scenario("remus-rise", (const char *const[]){refused[i], NULL}, &error));
        assert_non_null(strstr(error.text, "heun or rk4"));
    }
    fm_world *world = run(&a3, "/remus/integrator=heun");
    near("min_altitude", metric_of(world, 0, "min_altitude"), 1.678, 0.2);
    finish(world);
}

/* The gains of a 6-DOF vehicle come from differences of its own equations. */
static void a_six_dof_vehicle_follows_the_bottom_by_its_stern_planes(void **state)
{
    (void)state;
    fm_world *world = start(
        "<fathom version='1'><world dt='0.05 s' duration='400 s'><bottom depth='20 m' slope-north='0.02'/></world>"
        "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 14 m' velocity='0.6 0 0 m/s'>"
        "<bottom-following altitude='5 m' speed='0.6 m/s' planes='stern-planes' poles='-0.3 -0.35 -0.4 1/s'"
        " sliding-rate='0.05 m/s' boundary-layer='1 m' trim='false'/>"
        "<orders><at t='0 s' propellers='690 rpm'/></orders></vehicle></fathom>");
    run_until(world, 300);
    for (double t = 300; t < 400; t += 5) {
        run_until(world, t);
        const double *at = pose_of(world, 0).position;
        near("altitude", 20 + 0.02 * at[0] - at[2], 5, 0.5);
    }
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reference_trajectory_is_followed_to_its_last_digit),
        cmocka_unit_test(without_look_ahead_the_vehicle_passes_through_the_step),
        cmocka_unit_test(with_gain_3_the_step_is_cleared_and_with_gain_7_the_vehicle_never_settles),
        cmocka_unit_test(peak_pitch_is_the_greatest_pitch_nose_up),
        cmocka_unit_test(without_pitch_stabilisation_the_pitch_bangs),
        cmocka_unit_test(the_place_of_the_step_changes_the_results_only_within_the_reference_ranges),
        cmocka_unit_test(with_a_continuous_sonar_gain_7_settles_and_the_pitch_does_not_bang),
        cmocka_unit_test(at_another_speed_gains_and_trim_are_those_of_that_speed),
        cmocka_unit_test(a_higher_rise_costs_altitude_and_hidden_nodes_are_no_threat),
        cmocka_unit_test(only_heun_and_rk4_integrate_the_diving_model),
        cmocka_unit_test(a_six_dof_vehicle_follows_the_bottom_by_its_stern_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
