/* A controller from a shared object, built from examples/plugin. */
#include "support/scenario.h"

#include <fathom/part.h>
#include <fathom/variant.h>

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

/* --- a part of the calling program --- */

typedef struct push_config {
    double force; /* N */
} push_config;

static void push(const fm_part_context *context)
{
    const push_config *live = context->live;
    context->force[0] += live->force;
    *(double *)context->state += 1;
}

static const fm_attr push_attrs[] = {
    FM_REAL_ATTR(push_config, force, "force", "N", 0, 0, "40 N", FM_ATTR_LIVE, "ahead"),
};
static const fm_element push_element = FM_TABLE_ELEMENT(push_config, "push", push_attrs, NULL, 0, "Pushes.");
static const fm_part_class push_class = {
    .kind = FM_PART_FORCE, .element = &push_element, .live_size = 8, .state_size = 8, .run = push};

static fm_model *load_pushed(const char *text, const char *vehicle, fm_error *error)
{
    const fm_load_part part = {.part_class = &push_class, .vehicle = vehicle};
    fm_load_options options = tree_options(NULL);
    options.parts = &part;
    options.part_count = 1;
    return fm_model_load_memory(text, strlen(text), TEST_DATA "/test.xml", &options, error);
}

static double speed_after(const fm_model *model, double seconds)
{
    fm_error error = {0};
    fm_world *world = fm_world_create(model, NULL, &error);
    assert_int_equal(fm_world_run_until(world, seconds, &error), FM_OK);
    double speed = pose_of(world, 0).velocity[0];
    fm_world_free(world);
    return speed;
}

static void a_part_of_the_program_acts_as_one_that_is_written(void **state)
{
    (void)state;
    fm_error error = {0};
    const char *bare = "<fathom version=\"1\"><world/><vehicle name=\"a\" model=\"nps-auv-ii\"/>"
                       "<vehicle name=\"b\" model=\"nps-auv-ii\" position=\"0 50 0 m\"/></fathom>";
    const char *written = "<fathom version=\"1\"><world/><vehicle name=\"a\" model=\"nps-auv-ii\"><push/></vehicle>"
                          "<vehicle name=\"b\" model=\"nps-auv-ii\" position=\"0 50 0 m\"/></fathom>";
    fm_model *attached = loaded(load_pushed(bare, "a", &error), &error);
    fm_model *own = loaded(load_pushed(written, NULL, &error), &error);
    assert_at_least(speed_after(attached, 5), 0.05);
    assert_same(speed_after(attached, 5), speed_after(own, 5));
    size_t number = 0;
    double more = 80;
    assert_int_equal(fm_model_param_find(attached, "/a/push/force", &number, &error), FM_OK);
    fm_model *variant = loaded(fm_model_variant(attached, &number, &more, 1, &error), &error);
    assert_at_least(speed_after(variant, 5), 1.5 * speed_after(attached, 5));
    fm_model_free(variant);
    fm_model_free(attached);
    fm_model_free(own);
    assert_null(load_pushed(bare, "c", &error));
    assert_non_null(strstr(error.text, "no vehicle 'c'"));
    fm_model *plain = try_load(written, &error);
    assert_null(plain);
    assert_int_equal(error.status, FM_ERR_NAME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plugin_steers_a_zigzag_and_its_angle_is_a_live_parameter),
        cmocka_unit_test(the_state_of_a_plugin_is_saved_and_restored_with_the_world),
        cmocka_unit_test(a_shared_object_that_is_no_plugin_is_refused),
        cmocka_unit_test(a_part_of_the_program_acts_as_one_that_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
