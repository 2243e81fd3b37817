/* Vehicles that another simulator moves: they go on by dead reckoning, are seen and touched, and repeat from inputs. */
#include "support/scenario.h"

static const char sea[] =
    "<fathom version='1'><world dt='0.05 s' duration='60 s' seed='2' capacity='4'><water density='1025 kg/m3'/></world>"
    "<type name='other'><foreign/><hull kind='sphere' size='1 1 1 m'/></type>"
    "<vehicle name='rov' model='nps-auv-ii' position='0 0 5 m'>"
    "<sonar name='ahead' range='30 m' half-angle='2 deg' rays='3'/></vehicle></fathom>";

static const fm_sighting coming = {
    .algorithm = 2, .position = {20, 0, 5}, .euler = {0, 0, 3.14159265358979}, .velocity = {-1, 0, 0}};

/* The other comes from the north at 1 m/s. */
static fm_world *meet(void)
{
    fm_world *world = start(sea);
    const double far_away[3] = {100, 0, 5}, level[3] = {0};
    assert_int_equal(fm_world_spawn(world, "other-1", "other", far_away, level, NULL), FM_OK);
    step(world, 1);
    assert_int_equal(fm_world_sight(world, "other-1", &coming, NULL), FM_OK);
    return world;
}

static void a_foreign_vehicle_goes_on_by_dead_reckoning(void **state)
{
    (void)state;
    fm_world *world = meet();
    fm_pose pose;
    step(world, 100);
    assert_int_equal(fm_world_pose(world, fm_world_find(world, "other-1"), &pose), FM_OK);
    near("north", pose.position[0], 15, 1e-9);
    near("ahead", pose.velocity[0], 1, 1e-12); /* it looks south */
    fm_sighting turning = {.algorithm = 7, .position = {15, 0, 5}, .velocity = {1, 0, 0}, .rates = {0, 0, 0.5}};
    assert_int_equal(fm_world_sight(world, "other-1", &turning, NULL), FM_OK);
    step(world, 63); /* 3.15 s: a turn of 1.575 rad on a circle of 2 m */
    fm_world_pose(world, fm_world_find(world, "other-1"), &pose);
    near("north", pose.position[0], 15 + 2 * sin(1.575), 1e-9);
    near("east", pose.position[1], 2 - 2 * cos(1.575), 1e-9);
    near("heading", pose.euler[2], 1.575, 1e-9);
    finish(world);
}

static void a_sonar_sees_it_and_a_hull_bounces_off_it(void **state)
{
    (void)state;
    fm_world *world = meet();
    fm_sample range;
    double metres = 0;
    step(world, 100);
    assert_int_equal(fm_world_instrument_read(world, "rov", "ahead", "range", &range, NULL), FM_OK);
    assert_int_equal(fm_sample_values(&range, &metres, 1), 1);
    near("range", metres, 14.5, 0.5); /* to its hull, from the middle of the vehicle or its bow */
    fm_pose before, after, other;
    fm_world_pose(world, fm_world_find(world, "rov"), &before);
    step(world, 400);
    fm_world_pose(world, fm_world_find(world, "rov"), &after);
    fm_world_pose(world, fm_world_find(world, "other-1"), &other);
    near("the other goes its way", other.position[0], 20 - 25, 1e-9);
    assert_less(after.position[0], before.position[0] - 1); /* and pushes the vehicle before it */
    finish(world);
}

static void inputs_repeat_it_bit_for_bit(void **state)
{
    (void)state;
    fm_world *world = meet(), *again = start(sea);
    const double far_away[3] = {100, 0, 5}, level[3] = {0};
    fm_world_spawn(again, "other-1", "other", far_away, level, NULL);
    step(again, 1);
    for (int k = 0; k < 500; k++) {
        const fm_sighting later = {8, {6, 1, 5}, {0, 0.1, 2}, {1, 0.2, 0}, {0.1, 0, 0}, {0, 0, 0.3}};
        const fm_input *inputs;
        if (k == 77)
            fm_world_sight(world, "other-1", &later, NULL);
        if (k == 400)
            fm_world_remove(world, "other-1", NULL);
        step(world, 1);
        size_t count = fm_world_inputs(world, &inputs);
        assert_int_equal(count, k == 0 || k == 77 || k == 400);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(fm_world_input(again, &inputs[i], NULL), FM_OK);
        step(again, 1);
        assert_same(fm_world_hash(world), fm_world_hash(again));
    }
    finish(world);
    finish(again);
}

static void a_sighting_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    fm_world *world = meet();
    fm_error error;
    fm_sighting bad = coming;
    assert_int_equal(fm_world_sight(world, "rov", &coming, &error), FM_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "foreign"));
    assert_int_equal(fm_world_sight(world, "nobody", &coming, NULL), FM_ERR_NAME);
    bad.algorithm = 10;
    assert_int_equal(fm_world_sight(world, "other-1", &bad, &error), FM_ERR_RANGE);
    bad = coming;
    bad.rates[2] = NAN;
    assert_int_equal(fm_world_sight(world, "other-1", &bad, &error), FM_ERR_RANGE);
    assert_int_equal(fm_world_sight(world, "other-1", NULL, &error), FM_ERR_ARGUMENT);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_foreign_vehicle_goes_on_by_dead_reckoning),
        cmocka_unit_test(a_sonar_sees_it_and_a_hull_bounces_off_it),
        cmocka_unit_test(inputs_repeat_it_bit_for_bit),
        cmocka_unit_test(a_sighting_that_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
