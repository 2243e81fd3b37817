/* ENU/FLU from NED/FRD on poses that one can check with one's hands. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "telemetry/frames.h"

/* Rotates v by the quaternion, as ROS does: v + 2w (u × v) + 2 u × (u × v). */
static fm_msg_vector3 turn(fm_msg_quaternion q, fm_msg_vector3 v)
{
    fm_msg_vector3 t = {2 * (q.y * v.z - q.z * v.y), 2 * (q.z * v.x - q.x * v.z), 2 * (q.x * v.y - q.y * v.x)};
    return (fm_msg_vector3){v.x + q.w * t.x + q.y * t.z - q.z * t.y, v.y + q.w * t.y + q.z * t.x - q.x * t.z,
                            v.z + q.w * t.z + q.x * t.y - q.y * t.x};
}

static void expect(fm_msg_vector3 v, double x, double y, double z)
{
    assert_nearer(v.x, x, 1e-15 * 4);
    assert_nearer(v.y, y, 4e-15);
    assert_nearer(v.z, z, 4e-15);
}

static const fm_msg_vector3 forward = {1, 0, 0}, port = {0, 1, 0}, up = {0, 0, 1};

static void depth_becomes_a_negative_height(void **state)
{
    (void)state;
    expect(fm_enu_from_ned((double[]){3, 4, 10}), 4, 3, -10);
}

static void heading_north_looks_along_y(void **state)
{
    (void)state;
    fm_msg_quaternion q = fm_enu_attitude_from_ned((double[]){1, 0, 0, 0});
    expect(turn(q, forward), 0, 1, 0);
    expect(turn(q, port), -1, 0, 0); /* west */
    expect(turn(q, up), 0, 0, 1);
}

static void heading_east_is_the_identity(void **state)
{
    (void)state;
    double h = sqrt(0.5);
    fm_msg_quaternion q = fm_enu_attitude_from_ned((double[]){h, 0, 0, h});
    expect(turn(q, forward), 1, 0, 0);
    assert_nearer(q.w, 1, 1e-15);
    assert_nearer(q.x, 0, 1e-15);
    assert_nearer(q.y, 0, 1e-15);
    assert_nearer(q.z, 0, 1e-15);
}

static void nose_up_looks_up(void **state)
{
    (void)state;
    double a = 0.5 * 30 * acos(-1) / 180; /* pitch +30°, heading north */
    fm_msg_quaternion q = fm_enu_attitude_from_ned((double[]){cos(a), 0, sin(a), 0});
    expect(turn(q, forward), 0, cos(2 * a), sin(2 * a));
}

static void rolled_to_starboard_the_port_side_rises(void **state)
{
    (void)state;
    double a = 0.5 * 20 * acos(-1) / 180;
    fm_msg_quaternion q = fm_enu_attitude_from_ned((double[]){cos(a), sin(a), 0, 0});
    assert_greater(turn(q, port).z, 0.3);
}

static void attitude_survives_the_way_out_and_back(void **state)
{
    (void)state;
    double q[4] = {0.5, -0.1, 0.7, 0.5}, back[4];
    fm_ned_attitude_from_enu(fm_enu_attitude_from_ned(q), back);
    for (int i = 0; i < 4; i++)
        assert_nearer(q[i], back[i], 1e-15);
}

/* A sensor mounted with a yaw of 90° to starboard looks to starboard: -y in FLU. */
static void a_mount_turned_to_starboard_looks_to_minus_y(void **state)
{
    (void)state;
    double h = sqrt(0.5);
    expect(turn(fm_flu_attitude_from_frd((double[]){h, 0, 0, h}), forward), 0, -1, 0);
}

static void body_vectors_flip_starboard_and_down(void **state)
{
    (void)state;
    expect(fm_flu_from_frd((double[]){1, 2, 3}), 1, -2, -3);
}

static void the_frames_of_the_world_are_map_and_odom(void **state)
{
    (void)state;
    assert_true(fm_frame_is_world("map", 3) && fm_frame_is_world("odom", 4));
    assert_false(fm_frame_is_world("map2", 4) || fm_frame_is_world("odo", 3) || fm_frame_is_world("a/odom", 6));
}

static void the_frame_of_a_vehicle_begins_with_its_name(void **state)
{
    (void)state;
    assert_int_equal(fm_frame_vehicle_length("phoenix/base_link"), 7);
    assert_int_equal(fm_frame_vehicle_length("phoenix"), 7); /* as in older logs */
    assert_int_equal(fm_frame_vehicle_length("base_link"), 9);
    assert_int_equal(fm_frame_vehicle_length("a/base_links"), 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_becomes_a_negative_height),
        cmocka_unit_test(heading_north_looks_along_y),
        cmocka_unit_test(heading_east_is_the_identity),
        cmocka_unit_test(nose_up_looks_up),
        cmocka_unit_test(rolled_to_starboard_the_port_side_rises),
        cmocka_unit_test(attitude_survives_the_way_out_and_back),
        cmocka_unit_test(a_mount_turned_to_starboard_looks_to_minus_y),
        cmocka_unit_test(body_vectors_flip_starboard_and_down),
        cmocka_unit_test(the_frames_of_the_world_are_map_and_odom),
        cmocka_unit_test(the_frame_of_a_vehicle_begins_with_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
