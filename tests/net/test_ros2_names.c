/* Names and hashes of ROS 2, against those that ROS 2 itself has: hashes as its generated code and its middleware show
 * them (Jazzy). */
#include "bridges/ros2/ros2_names.h"
#include "support/cmocka_all.h"

#include <string.h>

static void expect_type(const fm_message *type, const char *expected)
{
    char name[FM_ROS2_NAME];
    fm_ros2_type_name(type, name, sizeof name);
    assert_string_equal(name, expected);
}

static void types_are_called_as_ros_generates_them(void **state)
{
    (void)state;
    expect_type(&fm_msg_odometry_type, "nav_msgs::msg::dds_::Odometry_");
    expect_type(&fm_msg_clock_type, "rosgraph_msgs::msg::dds_::Clock_");
    expect_type(&fm_msg_tf_type, "tf2_msgs::msg::dds_::TFMessage_");
    expect_type(&fm_ros2_empty, "std_msgs::msg::dds_::Empty_");
    expect_type(&fm_ros2_trigger_request, "std_srvs::srv::dds_::Trigger_Request_");
    expect_type(&fm_msg_set_parameters_response_type, "rcl_interfaces::srv::dds_::SetParameters_Response_");
}

static void expect_topic(const char *name, const char *expected)
{
    char topic[FM_ROS2_NAME];
    fm_ros2_topic_name(name, topic, sizeof topic);
    assert_string_equal(topic, expected);
}

static void topics_have_only_what_ros_allows(void **state)
{
    (void)state;
    char request[FM_ROS2_NAME], reply[FM_ROS2_NAME], cut[8];
    expect_topic("/phoenix/odom", "rt/phoenix/odom");
    expect_topic("/clock", "rt/clock");
    expect_topic("/nps-auv/stern-rudder", "rt/nps_auv/stern_rudder");
    expect_topic("/auv/2nd/3 d.\xc3\xa9", "rt/auv/n2nd/n3_d___");
    fm_ros2_service_names("/fathom/set_parameters", request, reply, sizeof request);
    assert_string_equal(request, "rq/fathom/set_parametersRequest");
    assert_string_equal(reply, "rr/fathom/set_parametersReply");
    fm_ros2_plain_name("/abcdefghij", cut, sizeof cut);
    assert_string_equal(cut, "/abcdef");
}

static void expect_hash(const fm_message *type, const char *expected)
{
    char hash[FM_ROS2_HASH];
    fm_error error;
    assert_int_equal(fm_ros2_type_hash(type, hash, &error), FM_OK);
    assert_string_equal(hash, expected);
}

static void types_have_the_hashes_that_ros_publishes(void **state)
{
    (void)state;
    static const fm_field text[] = {{"data", FM_FIELD_string, FM_SHAPE_ONE, 1, 0, NULL, "", NULL}};
    const fm_message string = {"std_msgs", "String", text, 1, sizeof(char *)};
    expect_hash(&string, "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18");
    expect_hash(&fm_msg_clock_type, "RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564");
    expect_hash(&fm_msg_range_type, "RIHS01_b42b62562e93cbfe9d42b82fe5994dfa3d63d7d5c90a317981703f7388adff3a");
    expect_hash(&fm_msg_imu_type, "RIHS01_7d9a00ff131080897a5ec7e26e315954b8eae3353c3f995c55faf71574000b5b");
}

static void every_type_of_the_table_has_a_hash_of_its_own(void **state)
{
    (void)state;
    static char hashes[256][FM_ROS2_HASH];
    fm_error error;
    assert_less(fm_message_count, 256);
    for (size_t i = 0; i < fm_message_count; i++) {
        assert_int_equal(fm_ros2_type_hash(fm_messages[i], hashes[i], &error), FM_OK);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(hashes[k], hashes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_called_as_ros_generates_them),
        cmocka_unit_test(topics_have_only_what_ros_allows),
        cmocka_unit_test(types_have_the_hashes_that_ros_publishes),
        cmocka_unit_test(every_type_of_the_table_has_a_hash_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
