/* Gains and thresholds of a paper stand in the files of its vehicle; a part without them orders nothing or is refused.
 */
#include "support/scenario.h"

static const char body[] =
    "<fathom version='1'><world dt='0.01 s'/><vehicle name='a' position='0 0 5 m' attitude='10 -10 0 deg' "
    "velocity='0.3 0 0 m/s'><mass mass='30 kg' centre='0 0 0.01 m' inertia='1 1 1 kg*m2'/>"
    "<thruster name='port' group='forward' position='0 -0.2 0 m' direction='1 0 0' thrust='7 N'/>"
    "<thruster name='starboard' group='forward' position='0 0.2 0 m' direction='1 0 0' thrust='7 N'/>"
    "<thruster name='fore' position='0.2 0 0 m' direction='0 0 1' thrust='7 N'/>"
    "<thruster name='aft' position='-0.2 0 0 m' direction='0 0 1' thrust='7 N'/>%s</vehicle></fathom>";

static double greatest_order(const char *controller)
{
    static const char *const names[] = {"port", "starboard", "fore", "aft"};
    char text[2000];
    double most = 0;
    snprintf(text, sizeof text, body, controller);
    fm_world *world = start(text);
    for (int i = 1; i <= 20; i++) {
        run_until(world, 0.1 * i);
        for (int k = 0; k < 4; k++)
            most = fmax(most, fabs(column_of(world, 0, names[k])));
    }
    finish(world);
    return most;
}

static void a_hovering_controller_without_gains_orders_nothing(void **state)
{
    (void)state;
    near("without gains", greatest_order("<imu-record/><hover-pd/>"), 0, 0);
    assert_greater(greatest_order("<imu-record/><hover-pd><pitch kp='5 N*m' kd='2 N*m*s'/></hover-pd>"), 0.1);
}

static void refused(const char *parts, const char *told)
{
    char text[2000];
    fm_error error = {0};
    snprintf(text, sizeof text, body, parts);
    if (try_load(text, &error))
        fail_msg("accepted: %s", parts);
    if (!strstr(error.text, told))
        fail_msg("'%s' does not say '%s'", error.text, told);
}

static void thresholds_that_only_a_paper_can_give_must_be_written(void **state)
{
    (void)state;
    refused("<reflex back-speed='0.5 m/s'/>", "'brake-speed' is missing");
    refused("<obstacle-map/>", "'gap' is missing");
    refused("<node-sonar spacing='0.5 m'/>", "'range' is missing");
    refused("<node-sonar range='40 m'/>", "'spacing' is missing");
    refused("<node-sonar range='40 m' spacing='0.5 m'/><avoid altitude='3 m'/>", "'zone' is missing");
    refused("<bottom-following altitude='3 m'/>", "'poles' is missing");
}

static void a_controller_without_an_instrument_for_its_motion_is_refused(void **state)
{
    (void)state;
    refused("<depth/><hover-pd/>", "no sensor that gives Euler angles");
    refused("<imu/><hover-pd/>", "no sensor that gives depth");
}

static void following_the_bottom_needs_an_altitude_or_someone_who_orders_it(void **state)
{
    (void)state;
    fm_error error = {0};
    static const char remus[] =
        "<fathom version='1'><world dt='0.05 s'><bottom depth='20 m'/></world><vehicle name='r' model='remus-diving' "
        "position='0 0 15 m'><bottom-following%s poles='-1 -1.05 -1.1 1/s' sliding-rate='1.1 m/s' "
        "boundary-layer='0.5 m'/></vehicle></fathom>";
    char text[1000];
    snprintf(text, sizeof text, remus, "");
    assert_null(try_load(text, &error));
    assert_non_null(strstr(error.text, "altitude is missing"));
    snprintf(text, sizeof text, remus, " altitude='4 m'");
    fm_world *world = start(text);
    run_until(world, 60);
    near("altitude", 20 - pose_of(world, 0).position[2], 4, 0.1);
    finish(world);
}

/* The paper's run with its own thresholds of the measures, and with those that hold where none are written. */
static void swings_and_lateness_are_measured_as_the_file_says(void **state)
{
    (void)state;
    static const char *const none[] = {"/remus/bottom_following/reversal=0 deg", "/remus/bottom_following/late=0 s",
                                       NULL};
    fm_world *paper = start_scenario("remus-rise", NULL), *plain = start_scenario("remus-rise", none);
    run_until(paper, 150);
    run_until(plain, 150);
    near("motion", pose_of(plain, 0).position[2], pose_of(paper, 0).position[2], 0);
    near("reversals above 10 deg", metric_of(paper, 0, "pitch_reversals"), 6, 0);
    assert_greater(metric_of(plain, 0, "pitch_reversals"), 6);
    near("range of pitch after 100 s", metric_of(paper, 0, "late_pitch_pp") / DEGREE, 0, 0.1);
    assert_greater(metric_of(plain, 0, "late_pitch_pp") / DEGREE,
                   30.8); /* all of the run, its greatest pitch included */
    finish(paper);
    finish(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hovering_controller_without_gains_orders_nothing),
        cmocka_unit_test(thresholds_that_only_a_paper_can_give_must_be_written),
        cmocka_unit_test(a_controller_without_an_instrument_for_its_motion_is_refused),
        cmocka_unit_test(swings_and_lateness_are_measured_as_the_file_says),
        cmocka_unit_test(following_the_bottom_needs_an_altitude_or_someone_who_orders_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
