/* Every function of model.h and world.h takes NULL and indexes out of range with an error or an empty answer. */
#include "support/scenario.h"

#include "world/scenes.h"

static void a_model_that_is_not_there_is_answered_empty(void **unused)
{
    (void)unused;
    fm_error error = {0};
    assert_null(fm_model_load(NULL, NULL, &error));
    assert_int_equal(error.status, FM_ERR_ARGUMENT);
    assert_null(fm_model_load_memory(NULL, 0, "x.xml", NULL, &error));
    assert_null(fm_model_load_memory("<fathom/>", 9, NULL, NULL, NULL));
    assert_null(fm_model_load("no-such-file.xml", NULL, NULL));
    fm_model_free(NULL);
    assert_same(fm_model_dt(NULL), 0);
    assert_same(fm_model_duration(NULL), 0);
    assert_same(fm_model_seed(NULL), 0);
    assert_same(fm_model_vehicle_count(NULL), 0);
    assert_same(fm_model_file_count(NULL), 0);
    assert_same(fm_model_param_count(NULL), 0);
    assert_same(fm_model_ticks(NULL, 1), 0);
    assert_null(fm_model_write(NULL));
    assert_string_equal(fm_model_title(NULL), "");
    fm_model *model = load(scenes[0].text);
    assert_null(fm_model_file(model, 1000).path);
    assert_null(fm_model_param(model, 1000000).path);
    assert_null(fm_model_file(NULL, 0).path);
    assert_null(fm_model_param(NULL, 0).path);
    fm_model_free(model);
}

static void a_world_that_is_not_there_is_answered_empty(void **unused)
{
    (void)unused;
    fm_error error = {0};
    const fm_event *events;
    const fm_input *inputs;
    char text[8] = "x";
    fm_pose pose = {0};
    double value, three[3] = {0};
    assert_null(fm_world_create(NULL, NULL, &error));
    assert_int_equal(error.status, FM_ERR_ARGUMENT);
    fm_world_free(NULL);
    assert_int_equal(fm_world_step(NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_run_until(NULL, 1, &error), FM_ERR_ARGUMENT);
    assert_same(fm_world_time(NULL), 0);
    assert_same(fm_world_tick(NULL), 0);
    assert_true(!fm_world_model(NULL));
    assert_same(fm_world_slots(NULL), 0);
    assert_same(fm_world_find(NULL, "a"), -1);
    assert_true(!fm_world_name(NULL, 0));
    assert_int_equal(fm_world_pose(NULL, 0, &pose), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_order(NULL, "a", "b", 1, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_set(NULL, "/a/b", 1, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_get(NULL, "/a/b", &value, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_spawn(NULL, "a", "b", three, three, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_remove(NULL, "a", &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_input(NULL, &(fm_input){0}, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_place(NULL, "a", &pose, &error), FM_ERR_NAME);
    assert_int_equal(fm_world_restore(NULL, three, sizeof three, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_save(NULL, three, sizeof three, &error), FM_ERR_ARGUMENT);
    assert_same(fm_world_inputs(NULL, &inputs), 0);
    assert_same(fm_world_events(NULL, &events), 0);
    assert_same(fm_world_metric_count(NULL, 0), 0);
    assert_true(isnan(fm_world_metric(NULL, 0, 0).value));
    assert_same(fm_world_column_count(NULL, 0), 0);
    assert_true(!fm_world_column_name(NULL, 0, 0));
    assert_true(isnan(fm_world_column(NULL, 0, 0)));
    assert_same(fm_world_joint_count(NULL, 0), 0);
    assert_null(fm_world_joint_name(NULL, 0, 0));
    fm_world_joints(NULL, 0, three, three);
    fm_world_verdict(NULL, 0, text, sizeof text);
    assert_string_equal(text, "");
    assert_same(fm_world_period(NULL, 0), 0);
    assert_same(fm_world_hash(NULL), 0);
    assert_same(fm_world_state_size(NULL), 0);
    assert_int_equal(fm_world_bytes_per_vehicle(NULL, 0), 0);
}

static void a_world_answers_what_it_does_not_have_and_goes_on(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_world *world = start(scenes[0].text);
    static const int slots[] = {-1, 1000000};
    fm_pose pose;
    double value;
    for (int i = 0; i < 2; i++) {
        int slot = slots[i];
        assert_null(fm_world_name(world, slot));
        assert_int_equal(fm_world_pose(world, slot, &pose), FM_ERR_ARGUMENT);
        assert_same(fm_world_metric_count(world, slot), 0);
        assert_same(fm_world_column_count(world, slot), 0);
        assert_true(isnan(fm_world_metric(world, slot, 0).value) && isnan(fm_world_column(world, slot, 0)));
        assert_true(!fm_world_column_name(world, slot, 0) && !fm_world_joint_name(world, slot, 0));
        assert_same(fm_world_period(world, slot), 0);
        assert_same(fm_world_bytes_per_vehicle(world, slot), 0);
    }
    assert_string_equal(fm_world_metric(world, 0, 1000).name, "");
    assert_true(!fm_world_column_name(world, 0, 100000) && isnan(fm_world_column(world, 0, 100000)));
    assert_null(fm_world_joint_name(world, 0, 1000));
    assert_int_equal(fm_world_find(world, NULL), -1);
    assert_int_equal(fm_world_pose(world, 0, NULL), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_get(world, NULL, &value, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_get(world, "/nothing/there", &value, &error), FM_ERR_NAME);
    assert_int_equal(fm_world_get(world, "/nothing/there", NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_order(world, NULL, NULL, 1, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_spawn(world, "new", fm_world_name(world, 0), NULL, NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_place(world, fm_world_name(world, 0), NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_input(world, NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_restore(world, NULL, 1000000, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_save(world, NULL, 1000000, &error), FM_ERR_ARGUMENT);
    fm_world_joints(world, 0, NULL, NULL);
    fm_world_verdict(world, 0, NULL, 10);
    fm_world_inputs(world, NULL);
    fm_world_events(world, NULL);
    step(world, 5);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_that_is_not_there_is_answered_empty),
        cmocka_unit_test(a_world_that_is_not_there_is_answered_empty),
        cmocka_unit_test(a_world_answers_what_it_does_not_have_and_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
