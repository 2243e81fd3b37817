/* The glider's pilot: down, up, and to the surface for a fix. */
#include "support/scenario.h"

static void it_dives_to_its_depth_climbs_and_comes_up_for_a_fix(void **unused)
{
    (void)unused;
    fm_world *world = start_scenario("glider-survey", NULL);
    double deepest = 0, up = 100;
    while (fm_world_time(world) < 1750) {
        step(world, 10);
        double depth = pose_of(world, 0).position[2];
        if (fm_world_time(world) < 600)
            deepest = fmax(deepest, depth);
        up = fmin(up, depth);
    }
    assert_near(deepest, 42, 2.5); /* it turns at 40 m; the pump takes 20 s */
    assert_less(up, 0.5);
    assert_at_least(metric_of(world, 0, "dives"), 2);
    assert_at_least(metric_of(world, 0, "surfacings"), 1);
    finish(world);
}

/* Down nose down, up nose up, at the pitch that is asked for. */
static void its_nose_points_where_it_goes(void **unused)
{
    (void)unused;
    fm_world *world = start_scenario("glider-survey", NULL);
    run_until(world, 150);
    fm_pose pose = pose_of(world, 0);
    assert_near(pose.euler[1], -22 * 3.14159265358979 / 180, 0.03);
    assert_near(pose.velocity[0], 0.35, 0.1);
    finish(world);
}

static void it_needs_a_tank_a_mass_and_instruments(void **unused)
{
    (void)unused;
    fm_error error = {0};
    assert_null(try_load("<fathom version='1'><world/><vehicle name='g' model='slocum'><glider-pilot depth='20 m' "
                         "heavy='0.4 kg' pump='none'/></vehicle></fathom>",
                         &error));
    assert_non_null(strstr(error.text, "none"));
    assert_null(try_load("<fathom version='1'><world/><vehicle name='g' model='slocum'><glider-pilot depth='20 m' "
                         "heavy='0.4 kg'/></vehicle></fathom>",
                         &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_dives_to_its_depth_climbs_and_comes_up_for_a_fix),
        cmocka_unit_test(its_nose_points_where_it_goes),
        cmocka_unit_test(it_needs_a_tank_a_mass_and_instruments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
