/* REMUS over a rise of the bottom, through the world: trajectories and measures of an independent program. */
#include "control/world_case.h"

typedef struct run_case {
    const char *gain, *stabilised;
} run_case;

static const run_case a0 = {"/remus/avoid/gain=0", "/remus/avoid/stabilised=true"},
                      a3 = {"/remus/avoid/gain=3", "/remus/avoid/stabilised=true"},
                      a7 = {"/remus/avoid/gain=7", "/remus/avoid/stabilised=true"},
                      a3_unstabilised = {"/remus/avoid/gain=3", "/remus/avoid/stabilised=false"};

static world_case start(const run_case *which, const char *more)
{
    const char *sets[] = {which->gain, which->stabilised, more, NULL};
    return start_scenario("remus-rise.xml", sets);
}

static world_case run(const run_case *which, const char *more)
{
    world_case c = start(which, more);
    run_until(&c, fm_model_duration(c.model));
    return c;
}

/* --- trajectories --- */

/* Rows every 0.2 s: t, X, Z, H, h, h_com, threat, theta, q, w, delta with six digits. Orders and threat of a step are
 * seen after it, pose and velocity before it. */
static void compare_row(const world_case *c, const double v[11])
{
    const fm_pose p = pose_of(c);
    fm_error error = {0};
    assert_int_equal(fm_world_step(c->world, &error), FM_OK);
    const double theta = remainder(p.euler[1], 2 * 3.14159265358979323846);
    const double found[8] = {
        p.position[0], p.position[2], column(c, "avoid.altitude"), column(c, "avoid.threat"), theta,
        p.velocity[4], p.velocity[2], column(c, "stern-planes")};
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
    world_case c = start(which, NULL);
    int rows = 0;
    for (double v[11]; fgets(line, sizeof line, file); rows++) {
        assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &v[0], &v[1], &v[2], &v[3], &v[4],
                                &v[5], &v[6], &v[7], &v[8], &v[9], &v[10]),
                         11);
        run_until(&c, v[0]);
        compare_row(&c, v);
    }
    fclose(file);
    assert_int_equal(rows, 751);
    end_case(&c);
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
    world_case c = run(which, NULL);
    near("min_altitude", metric(&c, "min_altitude"), expected[0], 1e-6);
    near("pitch_reversals", metric(&c, "pitch_reversals"), expected[1], 0);
    near("late_pitch_pp", metric(&c, "late_pitch_pp") / DEGREE, expected[2], 1e-3);
    near("late_altitude", metric(&c, "late_altitude"), expected[3], 1e-3); /* without the last sample */
    near("threat_peak", metric(&c, "threat_peak"), expected[4], 1e-6);
    near("contacts", metric(&c, "contacts"), expected[5], 0);
    end_case(&c);
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
        world_case c = run(rows[i].which, NULL);
        near("peak_pitch", metric(&c, "peak_pitch") / DEGREE, rows[i].peak, 1e-6);
        end_case(&c);
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
        world_case c = run(which, place);
        for (int i = 0; i < 3; i++) {
            double value = metric(&c, names[i]) / (i == 2 ? DEGREE : 1);
            least[i] = fmin(least[i], value);
            most[i] = fmax(most[i], value);
        }
        end_case(&c);
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

/* (R12): the published instabilities need the delay of the sonar. */
static void with_a_continuous_sonar_gain_7_settles_and_the_pitch_does_not_bang(void **state)
{
    (void)state;
    world_case c = run(&a7, "/remus/sonar/frame=0 s");
    below("late_pitch_pp", metric(&c, "late_pitch_pp") / DEGREE, 1);
    end_case(&c);
    c = run(&a3_unstabilised, "/remus/sonar/frame=0 s");
    near("pitch_reversals", metric(&c, "pitch_reversals"), 1, 0);
    end_case(&c);
}

static void at_another_speed_gains_and_trim_are_those_of_that_speed(void **state)
{
    (void)state;
    world_case c = run(&a3, "/remus/diving/speed=2 m/s");
    near("speed", pose_of(&c).velocity[0], 2, 1e-12);
    assert_true(metric(&c, "min_altitude") > 1);
    near("late_altitude", metric(&c, "late_altitude"), 3.2, 0.2);
    end_case(&c);
}

static void a_higher_rise_costs_altitude_and_hidden_nodes_are_no_threat(void **state)
{
    (void)state;
    world_case low = run(&a3, "/bottom/rise/height=1 m"), high = run(&a3, "/bottom/rise/height=8 m");
    assert_true(metric(&low, "min_altitude") > metric(&high, "min_altitude"));
    end_case(&low);
    end_case(&high);
    /* 7 m before the step and 1 m below its top: the whole top is hidden behind its edge */
    world_case open = start(&a0, NULL), hidden = start(&a0, "/remus/sonar/occlusion=true");
    run_until(&open, 35);
    run_until(&hidden, 35);
    assert_true(column(&hidden, "avoid.threat") > 0);
    assert_true(column(&hidden, "avoid.threat") < 0.5 * column(&open, "avoid.threat"));
    end_case(&open);
    end_case(&hidden);
}

static void only_heun_and_rk4_integrate_the_diving_model(void **state)
{
    (void)state;
    static const char *const refused[] = {"/remus/integrator=euler", "/remus/integrator=text"};
    for (int i = 0; i < 2; i++) {
        fm_error error = {0};
        fm_load_options options = {.set = &refused[i], .set_count = 1};
        assert_null(fm_model_load(FATHOM_SOURCE_DIR "/scenarios/remus-rise.xml", &options, &error));
        assert_non_null(strstr(error.text, "heun or rk4"));
    }
    world_case c = run(&a3, "/remus/integrator=heun");
    near("min_altitude", metric(&c, "min_altitude"), 1.678, 0.2);
    end_case(&c);
}

/* The gains of a 6-DOF vehicle come from differences of its own equations. */
static void a_six_dof_vehicle_follows_the_bottom_by_its_stern_planes(void **state)
{
    (void)state;
    world_case c = start_text(
        "<fathom version='1'><world dt='0.05 s' duration='400 s'><bottom depth='20 m' slope-north='0.02'/></world>"
        "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 14 m' velocity='0.6 0 0 m/s'>"
        "<bottom-following altitude='5 m' speed='0.6 m/s' planes='stern-planes' poles='-0.3 -0.35 -0.4 1/s'"
        " sliding-rate='0.05 m/s' boundary-layer='1 m' trim='false'/>"
        "<orders><at t='0 s' propellers='690 rpm'/></orders></vehicle></fathom>");
    run_until(&c, 300);
    for (double t = 300; t < 400; t += 5) {
        run_until(&c, t);
        const double *at = pose_of(&c).position;
        near("altitude", 20 + 0.02 * at[0] - at[2], 5, 0.5);
    }
    end_case(&c);
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
