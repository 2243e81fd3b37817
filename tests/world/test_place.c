/* Vehicles put at an estimate. */
#include "support/scenario.h"

#define SEA "<fathom version='1'><world dt='0.05 s' duration='60 s'><water density='1000 kg/m3'/></world>"

static void place(fm_world *world, const char *name, const fm_pose *pose)
{
    fm_error error = {0};
    if (fm_world_place(world, name, pose, &error) != FM_OK)
        fail_msg("%s", error.text);
}

static void a_vehicle_placed_at_anothers_state_follows_the_same_path(void **unused)
{
    (void)unused;
    fm_model *model = load(SEA "<vehicle name='phoenix' model='nps-auv-ii' velocity='0.6 0 0 m/s'>"
                               "<orders><at t='0 s' propellers='700 rpm' bow-rudder='15 deg' stern-rudder='-15 "
                               "deg'/></orders></vehicle></fathom>");
    fm_world *a = create(model, 1), *b = create(model, 1);
    run_until(a, 20);
    run_until(b, 3);
    fm_pose pose = pose_of(a, 0);
    place(b, "phoenix", &pose);
    run_until(a, 30);
    run_until(b, 13);
    fm_pose pa = pose_of(a, 0), pb = pose_of(b, 0);
    for (int i = 0; i < 3; i++) {
        near("position", pb.position[i], pa.position[i], 1e-12);
        near("attitude", pb.euler[i], pa.euler[i], 1e-12);
    }
    for (int i = 0; i < 6; i++)
        near("velocity", pb.velocity[i], pa.velocity[i], 1e-12);
    fm_world_free(b);
    finish(a);
}

static void a_vehicle_that_integrates_euler_angles_is_placed_too(void **unused)
{
    (void)unused;
    fm_world *world = start(SEA "<vehicle name='phoenix' model='nps-auv-ii' posture='euler'/></fathom>");
    fm_pose pose = {.position = {1, 2, 3}, .attitude = {cos(0.4), 0, 0, sin(0.4)}, .velocity = {0.5}};
    place(world, "phoenix", &pose);
    fm_pose found = pose_of(world, 0);
    near("heading", found.euler[2], 0.8, 1e-12);
    near("east", found.position[1], 2, 0);
    finish(world);
}

static void bad_places_are_refused_by_name_kind_and_value(void **unused)
{
    (void)unused;
    fm_world *world = start(SEA "<vehicle name='phoenix' model='nps-auv-ii'/><vehicle name='fish' model='robotic-fish' "
                                "position='9 9 1 m'/></fathom>");
    fm_pose pose = {.attitude = {1}};
    fm_error error = {0};
    assert_int_equal(fm_world_place(world, "nobody", &pose, &error), FM_ERR_NAME);
    assert_int_equal(fm_world_place(world, "fish", &pose, &error), FM_ERR_ARGUMENT);
    pose.attitude[0] = 0.9;
    assert_int_equal(fm_world_place(world, "phoenix", &pose, &error), FM_ERR_RANGE);
    pose = (fm_pose){.attitude = {1}, .velocity = {NAN}};
    assert_int_equal(fm_world_place(world, "phoenix", &pose, &error), FM_ERR_RANGE);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vehicle_placed_at_anothers_state_follows_the_same_path),
        cmocka_unit_test(a_vehicle_that_integrates_euler_angles_is_placed_too),
        cmocka_unit_test(bad_places_are_refused_by_name_kind_and_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
