/* What a program outside does to a world: forces as an input, vehicles of declared types. */
#include "support/scenario.h"

#include "support/program.h"

/* Neutral, without drag and added mass: F = m a. */
#define BALL                                                                                                           \
    "<vehicle name='ball' position='0 0 50 m'><mass mass='10 kg' inertia='2 2 4 kg*m2'/><buoyancy force='98.0665 N'/>" \
    "</vehicle>"
static const char ball[] = "<fathom version='1'><world dt='0.02 s' duration='60 s' capacity='3'/>" BALL "</fathom>";

static void force(fm_world *world, const char *vehicle, double x, double y, double z, double k, double m, double n)
{
    fm_error error = {0};
    if (fm_world_force(world, vehicle, (const double[6]){x, y, z, k, m, n}, &error) != FM_OK)
        fail_msg("%s", error.text);
}

static void a_force_from_outside_accelerates_by_newtons_law_until_it_ends(void **unused)
{
    (void)unused;
    fm_world *world = start(ball);
    force(world, "ball", 5, 0, -2, 0, 0, 0);
    run_until(world, 4);
    near("speed ahead", pose_of(world, 0).velocity[0], 5.0 / 10 * 4, 1e-12);
    near("way ahead", pose_of(world, 0).position[0], 0.5 * 5 / 10 * 16, 1e-9);
    near("depth", pose_of(world, 0).position[2], 50 - 0.5 * 2 / 10 * 16, 1e-9);
    force(world, "ball", 0, 0, 0, 0, 0, 0);
    run_until(world, 10);
    near("it coasts", pose_of(world, 0).velocity[0], 2, 1e-12);
    near("so far", pose_of(world, 0).position[0], 4 + 6 * 2, 1e-9);
    finish(world);
}

static void a_moment_from_outside_turns_it_and_its_force_turns_with_it(void **unused)
{
    (void)unused;
    fm_world *world = start(ball);
    force(world, "ball", 0, 0, 0, 0, 0, 2);
    run_until(world, 1);
    near("rate of turn", pose_of(world, 0).velocity[5], 0.5, 1e-12);
    near("heading", pose_of(world, 0).euler[2], 0.25, 1e-4);
    force(world, "ball", 0, 0, 0, 0, 0, 0);
    run_until(world, 1 + (acos(-1) / 2 - 0.25) / 0.5); /* to 90 degrees, to the nearest step */
    force(world, "ball", 0, 0, 0, 0, 0, -100); /* stops in one step: 100 N·m · 0.02 s = 4 kg·m² · 0.5 rad/s */
    step(world, 1);
    force(world, "ball", 10, 0, 0, 0, 0, 0);
    double east = pose_of(world, 0).position[1], north = pose_of(world, 0).position[0];
    double then = fm_world_time(world);
    run_until(world, then + 2);
    near("goes east", pose_of(world, 0).position[1] - east, 2, 0.01);
    near("not north", pose_of(world, 0).position[0] - north, 0, 0.05);
    finish(world);
}

static void a_force_that_makes_no_sense_is_refused(void **unused)
{
    (void)unused;
    fm_error error = {0};
    const double push[6] = {1}, wrong[6] = {0, NAN}, huge[6] = {1e13};
    fm_world *world = start("<fathom version='1'><world/><vehicle name='fish' model='robotic-fish'/>" BALL "</fathom>");
    assert_int_equal(fm_world_force(world, "fish", push, &error), FM_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "'fish' is of kind 'fish'"));
    assert_int_equal(fm_world_force(world, "bal", push, &error), FM_ERR_NAME);
    assert_int_equal(fm_world_force(world, "ball", wrong, &error), FM_ERR_RANGE);
    assert_int_equal(fm_world_force(world, "ball", huge, &error), FM_ERR_RANGE);
    assert_int_equal(fm_world_force(world, "ball", NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_force(world, "ball", push, &error), FM_OK);
    finish(world);
}

/* --- types --- */

static const char declared[] =
    "<fathom version='1'><world dt='0.05 s' duration='10 s' capacity='3'/>" BALL
    "<type name='scout' model='nps-auv-ii' integrator='rk4'><depth name='gauge' period='0.1 s'/></type></fathom>";

static void a_vehicle_of_a_declared_type_is_spawned_with_all_its_parts(void **unused)
{
    (void)unused;
    fm_error error = {0};
    const double there[3] = {30, 0, 7}, level[3] = {0};
    fm_sample depth;
    fm_world *world = start(declared);
    assert_int_equal(fm_model_vehicle_count(fm_world_model(world)), 1); /* it is not there at the start */
    assert_int_equal(fm_world_find(world, "scout"), -1);
    step(world, 3);
    assert_int_equal(fm_world_spawn(world, "one", "scout", there, level, &error), FM_OK);
    assert_int_equal(fm_world_spawn(world, "two", "scout", level, level, &error), FM_OK);
    step(world, 4);
    order(world, "one", "stern-rudder", 0.1);
    set_live(world, "/one/stern-rudder/efficiency", 0.5);
    assert_int_equal(fm_world_instrument_read(world, "one", "gauge", NULL, &depth, &error), FM_OK);
    double value;
    assert_int_equal(fm_sample_values(&depth, &value, 1), 1);
    near("its depth", value, 7, 0.05);
    assert_int_equal(fm_world_spawn(world, "three", "scout", there, level, &error), FM_ERR_FULL);
    assert_int_equal(fm_world_spawn(world, "three", "scot", there, level, &error), FM_ERR_NAME);
    finish(world);
}

static void refused(const char *text, const char *words)
{
    fm_error error = {0};
    fm_model *model = try_load(text, &error);
    if (model || !strstr(error.text, words))
        fail_msg("'%s' instead of '%s'", error.text, words);
}

static void a_type_has_a_name_of_its_own_and_no_place(void **unused)
{
    (void)unused;
    refused("<fathom version='1'><world/>" BALL "<type name='ball' model='lauv'/></fathom>", "used by another vehicle");
    refused("<fathom version='1'><world/><vehicle name='a' model='lauv'/><type name='lauv' model='lauv'/></fathom>",
            "used by another type or model");
    refused("<fathom version='1'><world/><type name='a' model='lauv' position='0 0 1 m'/></fathom>", "position");
    refused("<fathom version='1'><world/><type name='a' model='no-such'/></fathom>",
            "model 'no-such' (no-such.xml) not found");
}

/* Pushed, spawned and removed by a run's queue, recorded, and made again by the program. */
static void what_came_from_outside_is_repeated_from_the_log(void **unused)
{
    (void)unused;
    fm_error error = {0};
    const double push[6] = {3, -1, 0, 0, 0.1, 0.2}, there[3] = {30, 0, 7}, level[3] = {0};
    fm_model *model = load(declared);
    fm_run *run = fm_run_create(model, NULL, &error);
    assert_int_equal(fm_run_record(run, "outside.mcap", NULL, &error), FM_OK);
    assert_int_equal(fm_run_force(run, "ball", push, &error), FM_OK);
    assert_int_equal(fm_run_spawn(run, "one", "scout", there, level, &error), FM_OK);
    assert_int_equal(fm_run_until(run, 5, &error), FM_OK);
    assert_at_least(fm_world_find(fm_run_world(run), "one"), 0);
    assert_int_equal(fm_run_remove(run, "one", &error), FM_OK);
    assert_int_equal(fm_run_until(run, 10, &error), FM_OK);
    assert_int_equal(fm_world_find(fm_run_world(run), "one"), -1);
    assert_int_equal(fm_run_finish(run, &error), FM_OK);
    fm_run_free(run);
    fm_model_free(model);
    static program_run r;
    run_fathom(&r, "replay outside.mcap --verify");
    expect_run(&r, 0, "outside.mcap: the same");
    expect_run(&r, 0, "3 inputs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_from_outside_accelerates_by_newtons_law_until_it_ends),
        cmocka_unit_test(a_moment_from_outside_turns_it_and_its_force_turns_with_it),
        cmocka_unit_test(a_force_that_makes_no_sense_is_refused),
        cmocka_unit_test(a_vehicle_of_a_declared_type_is_spawned_with_all_its_parts),
        cmocka_unit_test(a_type_has_a_name_of_its_own_and_no_place),
        cmocka_unit_test(what_came_from_outside_is_repeated_from_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
