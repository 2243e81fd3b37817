/* What messages of other nodes order, from bytes written down as DDS carries them. */
#include "bridges/ros2/ros2_inlet.h"
#include "bridges/ros2/ros2_service.h"
#include "support/cmocka_all.h"

#include <math.h>
#include <string.h>

typedef struct taken {
    size_t count;
    fm_command commands[8];
    double velocity[6]; /* of a twist */
} taken;

static void take(void *user, const fm_ros2_inlet *inlet, const fm_command *command, const double *velocity)
{
    taken *t = user;
    (void)inlet;
    assert_less(t->count, 8);
    assert_different(command != NULL, velocity != NULL);
    if (command)
        t->commands[t->count++] = *command;
    else
        memcpy(t->velocity, velocity, sizeof t->velocity);
}

static fm_status read_bytes(fm_ros2_inlet inlet, const void *bytes, size_t size, taken *t)
{
    fm_arena arena = {0};
    fm_error error = {0};
    *t = (taken){0};
    fm_status status = fm_ros2_inlet_read(&inlet, bytes, size, &arena, take, t, &error);
    assert_int_equal(status == FM_OK, error.text[0] == 0);
    fm_arena_free(&arena);
    return status;
}

static fm_status read_message(fm_ros2_inlet inlet, const void *message, taken *t)
{
    static uint8_t bytes[4096];
    size_t size = fm_message_encode(fm_ros2_inlet_type(inlet.kind), message, bytes, sizeof bytes);
    assert_greater(size, 0);
    return read_bytes(inlet, bytes, size, t);
}

static void bytes_of_another_vendor_are_an_order(void **state)
{
    (void)state;
    /* std_msgs/Float64 data: 0.5, as `ros2 topic pub` puts it on the wire */
    static const uint8_t half[] = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f};
    taken t;
    assert_int_equal(read_bytes((fm_ros2_inlet){FM_ROS2_ORDER, "auv", "stern-rudder"}, half, sizeof half, &t), FM_OK);
    assert_int_equal(t.count, 1);
    assert_int_equal(t.commands[0].kind, FM_COMMAND_ORDER);
    assert_string_equal(t.commands[0].order.vehicle, "auv");
    assert_string_equal(t.commands[0].order.actuator, "stern-rudder");
    assert_same(t.commands[0].order.value, 0.5);
    assert_int_equal(read_bytes((fm_ros2_inlet){FM_ROS2_SETPOINT, "auv", "depth"}, half, sizeof half, &t), FM_OK);
    assert_int_equal(t.commands[0].kind, FM_COMMAND_DESIRE);
    /* cut short, and in the other order of bytes */
    assert_int_equal(read_bytes((fm_ros2_inlet){FM_ROS2_ORDER, "auv", "x"}, half, 11, &t), FM_ERR_SYNTAX);
    static const uint8_t big[] = {0, 0, 0, 0, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0};
    assert_int_equal(read_bytes((fm_ros2_inlet){FM_ROS2_ORDER, "auv", "x"}, big, sizeof big, &t), FM_ERR_SYNTAX);
    assert_int_equal(t.count, 0);
}

static void a_wrench_and_a_twist_come_in_port_and_up(void **state)
{
    (void)state;
    taken t;
    fm_msg_wrench wrench = {{1, 2, 3}, {4, 5, 6}};
    static const double starboard_down[6] = {1, -2, -3, 4, -5, -6};
    assert_int_equal(read_message((fm_ros2_inlet){FM_ROS2_WRENCH, "auv", ""}, &wrench, &t), FM_OK);
    assert_int_equal(t.commands[0].kind, FM_COMMAND_PUSH);
    assert_memory_equal(t.commands[0].push.force, starboard_down, 3 * sizeof(double));
    assert_memory_equal(t.commands[0].push.moment, starboard_down + 3, 3 * sizeof(double));
    fm_msg_twist twist = {{1, 2, 3}, {4, 5, 6}};
    assert_int_equal(read_message((fm_ros2_inlet){FM_ROS2_TWIST, "auv", ""}, &twist, &t), FM_OK);
    assert_int_equal(t.count, 0);
    assert_memory_equal(t.velocity, starboard_down, sizeof starboard_down);
    twist.angular.z = (double)NAN;
    assert_int_equal(read_message((fm_ros2_inlet){FM_ROS2_TWIST, "auv", ""}, &twist, &t), FM_ERR_RANGE);
    wrench.force.x = (double)INFINITY;
    assert_int_equal(read_message((fm_ros2_inlet){FM_ROS2_WRENCH, "auv", ""}, &wrench, &t), FM_ERR_RANGE);
}

static void joints_order_actuators_by_name_whichever_field_is_filled(void **state)
{
    (void)state;
    taken t;
    static const char *const names[] = {"fin", "propeller", "thruster"};
    static const double position[] = {0.25, (double)NAN, (double)NAN}, velocity[] = {9, 70, (double)NAN},
                        effort[] = {9, 9, -3};
    fm_msg_joint_state m = {
        .name = {names, 3}, .position = {position, 3}, .velocity = {velocity, 3}, .effort = {effort, 3}};
    assert_int_equal(read_message((fm_ros2_inlet){FM_ROS2_ORDERS, "auv", ""}, &m, &t), FM_OK);
    assert_int_equal(t.count, 3);
    assert_same(t.commands[0].order.value, 0.25);
    assert_same(t.commands[1].order.value, 70);
    assert_same(t.commands[2].order.value, -3);
    assert_string_equal(t.commands[2].order.actuator, "thruster");
    /* one without a number: none of them is taken */
    m.effort.count = 2;
    assert_int_equal(read_message((fm_ros2_inlet){FM_ROS2_ORDERS, "auv", ""}, &m, &t), FM_ERR_RANGE);
    assert_int_equal(t.count, 0);
}

static void nan_releases_what_is_held(void **state)
{
    (void)state;
    taken t;
    fm_msg_float64_value none = {(double)NAN}, endless = {(double)INFINITY};
    assert_int_equal(read_message((fm_ros2_inlet){FM_ROS2_SETPOINT, "auv", "heading"}, &none, &t), FM_OK);
    assert_int_equal(t.commands[0].kind, FM_COMMAND_RELEASE);
    assert_string_equal(t.commands[0].release.what, "heading");
    assert_int_equal(read_message((fm_ros2_inlet){FM_ROS2_SETPOINT, "auv", "heading"}, &endless, &t), FM_ERR_RANGE);
}

static void the_run_is_paused_stepped_reset_and_set(void **state)
{
    (void)state;
    taken t;
    assert_int_equal(read_message((fm_ros2_inlet){.kind = FM_ROS2_PAUSE}, &(fm_msg_bool_value){1}, &t), FM_OK);
    assert_int_equal(t.commands[0].kind, FM_COMMAND_STOP);
    assert_int_equal(read_message((fm_ros2_inlet){.kind = FM_ROS2_PAUSE}, &(fm_msg_bool_value){0}, &t), FM_OK);
    assert_int_equal(t.commands[0].kind, FM_COMMAND_START);
    assert_int_equal(read_message((fm_ros2_inlet){.kind = FM_ROS2_STEP}, &(fm_msg_uint32_value){7}, &t), FM_OK);
    assert_same(t.commands[0].kind, FM_COMMAND_STEP);
    assert_same(t.commands[0].step.steps, 7);
    assert_int_equal(read_message((fm_ros2_inlet){.kind = FM_ROS2_STEP}, &(fm_msg_uint32_value){0}, &t), FM_ERR_RANGE);
    assert_int_equal(read_message((fm_ros2_inlet){.kind = FM_ROS2_SPEED}, &(fm_msg_float64_value){-1}, &t),
                     FM_ERR_RANGE);
    static const uint8_t empty[] = {0, 1, 0, 0, 0};
    assert_int_equal(read_bytes((fm_ros2_inlet){.kind = FM_ROS2_RESET}, empty, sizeof empty, &t), FM_OK);
    assert_int_equal(t.commands[0].kind, FM_COMMAND_RESET);
    fm_msg_key_value set = {"/water/density", "1.02e3"};
    assert_int_equal(read_message((fm_ros2_inlet){.kind = FM_ROS2_SET_PARAMETER}, &set, &t), FM_OK);
    assert_same(t.commands[0].kind, FM_COMMAND_SET);
    assert_same(t.commands[0].set.value, 1020);
    assert_string_equal(t.commands[0].set.path, "/water/density");
    set.value = "much";
    assert_int_equal(read_message((fm_ros2_inlet){.kind = FM_ROS2_SET_PARAMETER}, &set, &t), FM_ERR_RANGE);
}

/* --- services --- */

static void a_reply_begins_with_the_sixteen_bytes_of_its_request(void **state)
{
    (void)state;
    static const uint8_t request[] = {0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1};
    fm_arena arena = {0};
    fm_error error = {0};
    uint8_t frame[FM_ROS2_FRAME];
    void *message;
    size_t size;
    assert_int_equal(fm_ros2_request_read(FM_ROS2_CALL_PAUSE, request, sizeof request, frame, &message, &arena, &error),
                     FM_OK);
    assert_int_equal(((fm_msg_set_bool_request *)message)->data, 1);
    fm_msg_set_bool_response response = {1, "ok"};
    uint8_t *reply = fm_ros2_reply_write(FM_ROS2_CALL_PAUSE, frame, &response, &arena, &size);
    static const uint8_t expected[] = {0,  1,  0,  0,  1, 2, 3, 4, 5, 6, 7, 8, 9,   10,  11, 12,
                                       13, 14, 15, 16, 1, 0, 0, 0, 3, 0, 0, 0, 'o', 'k', 0};
    assert_int_equal(size, sizeof expected);
    assert_memory_equal(reply, expected, sizeof expected);
    /* as Fast DDS frames it: nothing before the message */
    static const uint8_t bare[] = {0, 1, 0, 0, 1};
    assert_int_equal(fm_ros2_request_read(FM_ROS2_CALL_PAUSE, bare, sizeof bare, frame, &message, &arena, &error),
                     FM_ERR_ARGUMENT);
    fm_arena_free(&arena);
}

static void a_request_has_the_arguments_of_its_command(void **state)
{
    (void)state;
    fm_command command;
    fm_error error = {0};
    fm_msg_spawn_request spawn = {"second", "auv", {1, 2, 3}, {0, 0, 0.5}, 7};
    assert_int_equal(fm_ros2_command_read(FM_COMMAND_SPAWN, &spawn, &command, &error), FM_OK);
    assert_string_equal(command.spawn.name, "second");
    assert_string_equal(command.spawn.like, "auv");
    assert_memory_equal(command.spawn.position, spawn.position, sizeof spawn.position);
    assert_same(command.spawn.euler[2], 0.5);
    assert_same(command.spawn.address, 7);
    spawn.address = 70000;
    assert_int_equal(fm_ros2_command_read(FM_COMMAND_SPAWN, &spawn, &command, &error), FM_ERR_RANGE);
    const fm_msg_message_request message = {"auv", 3, {(const uint8_t *)"abc", 3}, ""};
    assert_int_equal(fm_ros2_command_read(FM_COMMAND_MESSAGE, &message, &command, &error), FM_OK);
    assert_int_equal(command.message.data.size, 3);
    assert_memory_equal(command.message.data.items, "abc", 3);
}

/* Every command has a service, or the table says why not. */
static void every_command_that_is_offered_has_a_service(void **state)
{
    (void)state;
    for (int kind = 1; kind < FM_COMMAND_KINDS; kind++) {
        const fm_command_row *row = fm_command_row_of((fm_command_kind)kind);
        const fm_ros2_service service = fm_ros2_service_of((fm_ros2_service_kind)(FM_ROS2_CALL_COMMAND + kind));
        assert_int_equal(service.request != NULL, row->refused[FM_COMMAND_DOOR_ROS2] == NULL);
        if (service.request)
            assert_int_equal(service.request->field_count, row->argument_count);
    }
}

static void parameters_are_numbers_of_any_type(void **state)
{
    (void)state;
    fm_command command;
    fm_error error = {0};
    fm_msg_parameter p = {"/auv/mass", {.type = 2, .integer_value = 12}};
    assert_int_equal(fm_ros2_parameter_read(&p, &command, &error), FM_OK);
    assert_same(command.kind, FM_COMMAND_SET);
    assert_same(command.set.value, 12);
    p = (fm_msg_parameter){"speed", {.type = 3, .double_value = 2.5}};
    assert_int_equal(fm_ros2_parameter_read(&p, &command, &error), FM_OK);
    assert_same(command.kind, FM_COMMAND_SPEED);
    assert_same(command.speed.speed, 2.5);
    p = (fm_msg_parameter){"/auv/name", {.type = 4, .string_value = "x"}};
    assert_int_equal(fm_ros2_parameter_read(&p, &command, &error), FM_ERR_RANGE);
    assert_int_equal(fm_ros2_parameter_value((double)NAN).type, 0);
    assert_int_equal(fm_ros2_parameter_value(1).type, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_of_another_vendor_are_an_order),
        cmocka_unit_test(a_wrench_and_a_twist_come_in_port_and_up),
        cmocka_unit_test(joints_order_actuators_by_name_whichever_field_is_filled),
        cmocka_unit_test(nan_releases_what_is_held),
        cmocka_unit_test(the_run_is_paused_stepped_reset_and_set),
        cmocka_unit_test(a_reply_begins_with_the_sixteen_bytes_of_its_request),
        cmocka_unit_test(a_request_has_the_arguments_of_its_command),
        cmocka_unit_test(every_command_that_is_offered_has_a_service),
        cmocka_unit_test(parameters_are_numbers_of_any_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
