/* A controller from a shared object, built from examples/plugin. */
#include "support/scenario.h"

static const char scenario[] = "<fathom version=\"1\"><world dt=\"0.02 s\" gravity=\"32.174 ft/s2\"/>"
                               "<vehicle name=\"phoenix\" model=\"nps-auv-ii\" velocity=\"2 0 0 ft/s\">"
                               "<controller plugin=\"" PLUGIN_FILE
                               "\" angle=\"15 deg\" heading=\"20 deg\" rudder=\"bow-rudder\" counter=\"stern-rudder\"/>"
                               "<orders><at t=\"0 s\" propellers=\"700 rpm\"/></orders></vehicle></fathom>";

static void a_plugin_steers_a_zigzag_and_its_angle_is_a_live_parameter(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start(scenario);
    int reversals = 0;
    double furthest = 0;
    for (int i = 0; i < 60 * 50; i++) {
        const fm_event *events;
        step(world, 1);
        reversals += (int)fm_world_events(world, &events);
        furthest = fmax(furthest, fabs(angle_between(pose_of(world, 0).euler[2], 0)));
    }
    assert_at_least(reversals, 3);
    assert_between(20 * DEGREE, furthest, 45 * DEGREE); /* overshoots, and comes back */
    double angle;
    assert_int_equal(fm_world_get(world, "/phoenix/controller/angle", &angle, &error), FM_OK);
    assert_near(angle, 15 * DEGREE, 1e-12);
    set_live(world, "/phoenix/controller/angle", 0.1);
    step(world, 1);
    assert_nearer(fabs(fm_world_column(world, 0, 6)), 0.1, 1e-12); /* bow rudder */
    assert_int_equal(fm_world_set(world, "/phoenix/controller/angle", 5, &error), FM_ERR_RANGE);
    finish(world);
}

static void the_state_of_a_plugin_is_saved_and_restored_with_the_world(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start(scenario);
    run_until(world, 13);
    void *saved = malloc(fm_world_state_size(world));
    assert_int_equal(fm_world_save(world, saved, fm_world_state_size(world), NULL), FM_OK);
    run_until(world, 40);
    uint64_t hash = fm_world_hash(world);
    assert_int_equal(fm_world_restore(world, saved, fm_world_state_size(world), &error), FM_OK);
    run_until(world, 40);
    assert_same(fm_world_hash(world), hash);
    free(saved);
    finish(world);
}

static void a_shared_object_that_is_no_plugin_is_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    const char *text = "<fathom version=\"1\"><world/><vehicle name=\"a\" model=\"nps-auv-ii\"><controller "
                       "plugin=\"./no-such.so\"/></vehicle></fathom>";
    assert_null(try_load(text, &error));
    assert_int_equal(error.status, FM_ERR_FILE);
    assert_non_null(strstr(error.text, "no-such.so"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plugin_steers_a_zigzag_and_its_angle_is_a_live_parameter),
        cmocka_unit_test(the_state_of_a_plugin_is_saved_and_restored_with_the_world),
        cmocka_unit_test(a_shared_object_that_is_no_plugin_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
