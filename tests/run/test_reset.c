/* A world that goes back to its start is the world that it was, and its log repeats. */
#include "run/run_case.h"
#include "support/program.h"

static void disturb(fm_world *world)
{
    fm_error error = {0};
    const double somewhere[3] = {30, 40, 5}, level[3] = {0};
    for (size_t i = 0; i < fm_model_param_count(fm_world_model(world)); i++) {
        fm_param_info p = fm_model_param(fm_world_model(world), i);
        double value;
        if (p.live && fm_world_get(world, p.path, &value, NULL) == FM_OK)
            fm_world_set(world, p.path, 0.9 * value, NULL);
    }
    fm_world_spawn(world, "guest", fm_world_name(world, 0), somewhere, level, &error);
    step(world, 20);
    if (fm_world_slots(world) > 1)
        assert_int_equal(fm_world_remove(world, fm_world_name(world, 1), &error), FM_OK);
    step(world, 20);
}

/* Waves, currents, faults, sound, contact, fish, tethers: whatever a world keeps. */
static void after_a_reset_a_world_is_a_new_one_bit_for_bit(void **state)
{
    (void)state;
    static const char *const names[] = {"phoenix-hover", "otter-harbour", "wavesim-survey", "wavesim-ctd",
                                        "fish-school",   "remus-rise",    "snookie-orders", "bluerov2-hover"};
    fm_error error = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        fm_world *world = start_scenario(names[i], NULL), *fresh = create(fm_world_model(world), 1);
        assert_same(fm_world_hash(world), fm_world_hash(fresh));
        step(world, 60);
        disturb(world);
        assert_int_equal(fm_world_reset(world, &error), FM_OK);
        for (int k = 0; k < 60; k++) {
            step(world, 1);
            step(fresh, 1);
            if (fm_world_hash(world) != fm_world_hash(fresh))
                fail_msg("%s: step %d after the reset differs", names[i], k + 1);
        }
        assert_same(fm_world_tick(world), 60);
        assert_same(fm_world_steps(world), 160);
        fm_world_free(fresh);
        finish(world);
    }
}

static void inputs_behind_a_reset_belong_to_the_new_start(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start(case_text);
    step(world, 30);
    assert_int_equal(fm_world_order(world, "a", "propellers", 1, &error), FM_OK); /* is lost */
    assert_int_equal(fm_world_reset(world, &error), FM_OK);
    assert_int_equal(fm_world_order(world, "b", "propellers", 50, &error), FM_OK);
    step(world, 100);
    const fm_pose a = pose_of(world, 0), b = pose_of(world, 1);
    fm_world *fresh = create(fm_world_model(world), 1);
    assert_int_equal(fm_world_order(fresh, "b", "propellers", 50, &error), FM_OK);
    step(fresh, 100);
    assert_greater(b.position[0], 0.1);
    assert_same(pose_of(fresh, 1).position[0], b.position[0]);
    assert_same(pose_of(fresh, 0).position[0], a.position[0]);
    fm_world_free(fresh);
    finish(world);
}

static void a_reset_shows_the_start_at_once_and_names_are_free_again(void **state)
{
    (void)state;
    fm_error error = {0};
    const double there[3] = {5, 60, 5}, level[3] = {0};
    fm_world *world = start(case_text), *fresh = create(fm_world_model(world), 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fm_world_spawn(world, "guest", "a", there, level, &error), FM_OK);
        assert_int_equal(fm_world_spawn(world, "guest", "a", there, level, &error), FM_ERR_NAME);
        if (i == 1)
            step(world, 30);
        assert_int_equal(fm_world_reset(world, &error), FM_OK);
        assert_same(fm_world_tick(world), 0);
        assert_same(fm_world_hash(world), fm_world_hash(fresh));
        assert_int_equal(fm_world_find(world, "guest"), -1);
    }
    fm_world_free(fresh);
    finish(world);
}

/* The clock of the messages goes on, the world's own begins again, and so does the time to the end. */
static void a_log_with_resets_repeats(void **state)
{
    (void)state;
    static program_run r;
    fm_run *run = case_run(model, NULL);
    assert_well(fm_run_record(run, "run_reset.mcap", &(fm_log_options){.rate = 0}, e));
    assert_well(fm_run_until(run, 4, e));
    assert_well(fm_run_order(run, "a", "bow-rudder", 0.2, e));
    assert_well(fm_run_until(run, 6, e));
    assert_well(fm_run_reset(run, e));
    assert_well(fm_run_step(run, e));
    assert_same(fm_world_tick(fm_run_world(run)), 1);
    assert_well(fm_run_until(run, 3, e));
    assert_well(fm_run_set(run, "/current/velocity/x", 0.5, e));
    assert_well(fm_run_reset(run, e));
    assert_well(fm_run_step(run, e));
    assert_well(fm_run_go(run, NULL, e));
    assert_same(fm_world_tick(fm_run_world(run)), 200);
    assert_same(fm_world_steps(fm_run_world(run)), 120 + 60 + 200);
    assert_well(fm_run_finish(run, e));
    fm_run_free(run);
    assert_int_equal(run_fathom(&r, "replay run_reset.mcap --verify"), 0);
    expect_run(&r, 0, "the same");
    assert_true(said(&r, "4 inputs"));
}

static void a_reset_does_not_upset_the_schedule(void **state)
{
    (void)state;
    double wait;
    fm_run *run = case_run(model, &(fm_run_options){.pace = {.speed = 1}});
    assert_well(fm_run_advance(run, 100, &wait, e));
    assert_well(fm_run_advance(run, 103.01, &wait, e));
    assert_int_equal(fm_run_get_counts(run).steps, 60);
    assert_well(fm_run_reset(run, e));
    assert_well(fm_run_advance(run, 104.01, &wait, e));
    assert_int_equal(fm_run_get_counts(run).steps, 80);
    assert_int_equal(fm_world_tick(fm_run_world(run)), 20);
    near("to the next step", wait, 0.04, 1e-9);
    fm_run_free(run);
}

int main(void)
{
    const struct CMUnitTest facts[] = {
        cmocka_unit_test(after_a_reset_a_world_is_a_new_one_bit_for_bit),
        cmocka_unit_test(inputs_behind_a_reset_belong_to_the_new_start),
        cmocka_unit_test(a_reset_shows_the_start_at_once_and_names_are_free_again),
        cmocka_unit_test(a_log_with_resets_repeats),
        cmocka_unit_test(a_reset_does_not_upset_the_schedule),
    };
    return cmocka_run_group_tests(facts, load_case, free_case);
}
