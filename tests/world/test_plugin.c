/* A controller from a shared object, built from examples/plugin. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "world/scenario_text.h"

static const char scenario[] = "<fathom version=\"1\"><world dt=\"0.02 s\" gravity=\"32.174 ft/s2\"/>"
                               "<vehicle name=\"phoenix\" model=\"nps-auv-ii\" velocity=\"2 0 0 ft/s\">"
                               "<controller plugin=\"" PLUGIN_FILE
                               "\" angle=\"15 deg\" heading=\"20 deg\" rudder=\"bow-rudder\" counter=\"stern-rudder\"/>"
                               "<orders><at t=\"0 s\" propellers=\"700 rpm\"/></orders></vehicle></fathom>";

static void a_plugin_steers_a_zigzag_and_its_angle_is_a_live_parameter(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_model *model = model_from_text(scenario);
    assert_non_null(model);
    fm_world *world = fm_world_create(model, NULL, &error);
    int reversals = 0;
    double furthest = 0;
    for (int i = 0; i < 60 * 50; i++) {
        const fm_event *events;
        fm_pose pose;
        assert_int_equal(fm_world_step(world, &error), FM_OK);
        reversals += (int)fm_world_events(world, &events);
        fm_world_pose(world, 0, &pose);
        furthest = fmax(furthest, fabs(remainder(pose.euler[2], 2 * 3.14159265358979)));
    }
    assert_true(reversals >= 3);
    assert_true(furthest > 20 * 3.14159265 / 180 && furthest < 45 * 3.14159265 / 180); /* overshoots, and comes back */
    double angle;
    assert_int_equal(fm_world_get(world, "/phoenix/controller/angle", &angle, &error), FM_OK);
    assert_true(fabs(angle - 15 * 3.14159265358979 / 180) < 1e-12);
    assert_int_equal(fm_world_set(world, "/phoenix/controller/angle", 0.1, &error), FM_OK);
    fm_world_step(world, &error);
    assert_true(fabs(fabs(fm_world_column(world, 0, 6)) - 0.1) < 1e-12); /* bow rudder */
    assert_int_equal(fm_world_set(world, "/phoenix/controller/angle", 5, &error), FM_ERR_RANGE);
    fm_world_free(world);
    fm_model_free(model);
}

static void the_state_of_a_plugin_is_saved_and_restored_with_the_world(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_model *model = model_from_text(scenario);
    fm_world *world = fm_world_create(model, NULL, &error);
    fm_world_run_until(world, 13, &error);
    void *saved = malloc(fm_world_state_size(world));
    fm_world_save(world, saved);
    fm_world_run_until(world, 40, &error);
    uint64_t hash = fm_world_hash(world);
    assert_int_equal(fm_world_restore(world, saved, &error), FM_OK);
    fm_world_run_until(world, 40, &error);
    assert_true(fm_world_hash(world) == hash);
    free(saved);
    fm_world_free(world);
    fm_model_free(model);
}

static void a_shared_object_that_is_no_plugin_is_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    const char *text = "<fathom version=\"1\"><world/><vehicle name=\"a\" model=\"nps-auv-ii\"><controller "
                       "plugin=\"./no-such.so\"/></vehicle></fathom>";
    static const char *const dirs[] = {FATHOM_SOURCE_DIR "/models"};
    fm_load_options options = {.model_dirs = dirs, .model_dir_count = 1};
    assert_null(fm_model_load_memory(text, strlen(text), "test.xml", &options, &error));
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
