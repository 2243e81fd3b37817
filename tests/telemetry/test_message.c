/* Messages: bytes on the wire against hand-made ones, round trips, sizes, schema texts, layouts, hostile input. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "telemetry/frames.h"
#include "telemetry/layout.h"
#include "telemetry/schema.h"

static fm_msg_odometry sample_odometry(void)
{
    fm_msg_odometry o = {.header = {{12, 345}, "odom"}, .child_frame_id = "base_link"};
    o.pose.pose.position = (fm_msg_point){1, 2, -3};
    o.pose.pose.orientation.w = 1;
    o.twist.twist.linear.x = 0.5;
    o.pose.covariance[0] = -1;
    o.twist.covariance[35] = 7;
    return o;
}

/* 4 (encapsulation) + 8 stamp + 4+5 "odom" + pad 3 + 4+10 "base_link" + pad 6 … = 724, as seen on the wire of another
 * vendor's DDS with the same frame names. */
static void an_odometry_message_has_724_bytes(void **state)
{
    (void)state;
    uint8_t buffer[1024];
    fm_msg_odometry o = sample_odometry();
    assert_int_equal(fm_message_size(&fm_msg_odometry_type, &o), 724);
    assert_int_equal(fm_message_encode(&fm_msg_odometry_type, &o, buffer, sizeof buffer), 724);
    assert_int_equal(fm_message_encode(&fm_msg_odometry_type, &o, buffer, 723), 0);
}

static void values_are_aligned_from_the_start_of_the_body(void **state)
{
    (void)state;
    static const uint8_t expected[] = {
        0, 1, 0, 0,                       /* XCDR1, little endian */
        1, 0, 0, 0, 2,   0,   0,    0,    /* stamp */
        3, 0, 0, 0, 'a', 'b', 0,          /* frame_id */
        0,                                /* padding to 16 */
        0, 0, 0, 0, 0,   0,   0xf0, 0x3f, /* 1.0 at 16 */
        0, 0, 0, 0, 0,   0,   0,    0xc0, /* -2.0 */
    };
    uint8_t buffer[64];
    fm_msg_temperature t = {{{1, 2}, "ab"}, 1.0, -2.0};
    assert_int_equal(fm_message_encode(&fm_msg_temperature_type, &t, buffer, sizeof buffer), sizeof expected);
    assert_memory_equal(buffer, expected, sizeof expected);
}

static void every_message_of_the_table_survives_a_round_trip_of_zeros(void **state)
{
    (void)state;
    static uint8_t message[4096], again[4096], buffer[8192], second[8192];
    for (size_t i = 0; i < fm_message_count; i++) {
        fm_arena arena = {0};
        fm_error error;
        memset(message, 0, sizeof message);
        assert_at_most(fm_messages[i]->struct_size, sizeof message);
        size_t size = fm_message_encode(fm_messages[i], message, buffer, sizeof buffer);
        assert_greater(size, 4);
        assert_int_equal(fm_message_decode(fm_messages[i], buffer, size, again, &arena, &error), FM_OK);
        assert_int_equal(fm_message_encode(fm_messages[i], again, second, sizeof second), size);
        assert_memory_equal(buffer, second, size);
        fm_arena_free(&arena);
    }
}

static fm_msg_scene sample_scene(void)
{
    static const float vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t triangles[] = {0, 1, 2};
    static const fm_msg_scene_mesh mesh = {.name = "hull", .vertices = {vertices, 9}, .triangles = {triangles, 3}};
    static const fm_msg_scene_shape shapes[] = {
        {.name = "wall", .frame = "map", .kind = FM_MSG_scene_shape_BOX, .size = {1, 2, 3}, .mesh = -1},
        {.name = "body", .frame = "phoenix", .kind = FM_MSG_scene_shape_MESH, .size = {1, 1, 1}, .mesh = 0}};
    fm_msg_scene scene = {.name = "tank", .latitude = 36.6};
    scene.shapes.items = shapes;
    scene.shapes.count = 2;
    scene.meshes.items = &mesh;
    scene.meshes.count = 1;
    return scene;
}

static void a_scene_survives_a_round_trip(void **state)
{
    (void)state;
    uint8_t buffer[2048];
    fm_msg_scene scene = sample_scene(), again;
    fm_arena arena = {0};
    fm_error error;
    size_t size = fm_message_encode(&fm_msg_scene_type, &scene, buffer, sizeof buffer);
    assert_int_equal(size, fm_message_size(&fm_msg_scene_type, &scene));
    assert_int_equal(fm_message_decode(&fm_msg_scene_type, buffer, size, &again, &arena, &error), FM_OK);
    assert_int_equal(again.shapes.count, 2);
    assert_string_equal(again.shapes.items[1].frame, "phoenix");
    assert_int_equal(again.shapes.items[0].mesh, -1);
    assert_same(again.meshes.items[0].vertices.items[3], 1.0f);
    assert_int_equal(again.meshes.items[0].triangles.items[2], 2);
    for (size_t cut = 0; cut < size; cut++)
        assert_int_not_equal(fm_message_decode(&fm_msg_scene_type, buffer, cut, &again, &arena, &error), FM_OK);
    fm_arena_free(&arena);
}

static void no_message_within_its_limits_is_longer_than_the_largest_size(void **state)
{
    (void)state;
    /* "name" bounds both the number of names and their letters */
    const fm_message_limit limits[] = {
        {"name", 5}, {"position", 3}, {"velocity", 3}, {"effort", 0}, {"header.frame_id", 5}};
    const fm_message_limit any[] = {{"*", 5}};
    const char *joints[] = {"abcde", "abc", "12345"};
    const double values[] = {1, 2, 3};
    fm_msg_joint_state j = {
        .header = {{0, 0}, "12345"}, .name = {joints, 3}, .position = {values, 3}, .velocity = {values, 3}};
    size_t largest;
    fm_error error;
    assert_int_equal(fm_message_max_size(&fm_msg_joint_state_type, limits, 5, &largest, &error), FM_OK);
    assert_in_range(largest, fm_message_size(&fm_msg_joint_state_type, &j),
                    fm_message_size(&fm_msg_joint_state_type, &j) + 128);
    assert_int_equal(fm_message_max_size(&fm_msg_joint_state_type, any, 1, &largest, &error), FM_OK);
    assert_in_range(largest, fm_message_size(&fm_msg_joint_state_type, &j), 400);
    assert_int_equal(fm_message_max_size(&fm_msg_joint_state_type, limits, 3, &largest, &error), FM_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "header.frame_id"));
    const fm_message_limit apart[] = {{"name", 3},     {"name[]", 5}, {"position", 3},
                                      {"velocity", 3}, {"effort", 0}, {"header.frame_id", 5}};
    size_t less;
    assert_int_equal(fm_message_max_size(&fm_msg_joint_state_type, limits, 5, &largest, &error), FM_OK);
    assert_int_equal(fm_message_max_size(&fm_msg_joint_state_type, apart, 6, &less, &error), FM_OK);
    assert_in_range(less, fm_message_size(&fm_msg_joint_state_type, &j), largest - 2 * (4 + 5 + 1));
}

static void same_fields(const fm_message *a, const fm_message *b)
{
    assert_int_equal(a->field_count, b->field_count);
    for (size_t i = 0; i < a->field_count; i++) {
        assert_string_equal(a->fields[i].name, b->fields[i].name);
        assert_string_equal(a->fields[i].unit, b->fields[i].unit);
        assert_int_equal(a->fields[i].type, b->fields[i].type);
        assert_int_equal(a->fields[i].shape, b->fields[i].shape);
        if (a->fields[i].shape == FM_SHAPE_ARRAY)
            assert_int_equal(a->fields[i].count, b->fields[i].count);
        if (a->fields[i].message)
            same_fields(a->fields[i].message, b->fields[i].message);
    }
}

static void a_schema_text_read_back_is_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < fm_message_count; i++) {
        fm_arena arena = {0};
        fm_error error;
        const fm_message *parsed;
        char name[128], *text = fm_schema_text(fm_messages[i]);
        fm_schema_name(fm_messages[i], name, sizeof name);
        assert_ptr_equal(fm_message_find(name), fm_messages[i]);
        assert_int_equal(fm_schema_parse(name, text, strlen(text), &arena, &parsed, &error), FM_OK);
        same_fields(fm_messages[i], parsed);
        fm_free(text);
        fm_arena_free(&arena);
    }
}

static void refuse_schema(const char *text, const char *why)
{
    fm_arena arena = {0};
    fm_error error;
    const fm_message *parsed;
    assert_int_equal(fm_schema_parse("a/B", text, strlen(text), &arena, &parsed, &error), FM_ERR_SYNTAX);
    assert_non_null(strstr(error.text, why));
    fm_arena_free(&arena);
}

static void bad_schemas_are_refused_with_the_line(void **state)
{
    (void)state;
    refuse_schema("float64 x\nfloat65 y\n", "line 2: unknown type: 'float65'");
    refuse_schema("float64\n", "expected 'type name'");
    refuse_schema("float64[x] y\n", "array length");
    refuse_schema("float64[0] y\n", "one item or more");
    refuse_schema("B b\n", "nests too deeply");
    refuse_schema("float64 x\n===\nfloat64 y\n", "MSG:");
}

static void foreign_schema_forms_are_understood(void **state)
{
    (void)state;
    const char *text =
        "# a comment\n\nuint8 A = 3\nHeader header\nstring<=10 s \"default\"\nfloat32[<=4] v\nchar c 7 # [m]\n"
        "================\nMSG: std_msgs/Header\nstring frame_id\n";
    fm_arena arena = {0};
    fm_error error;
    const fm_message *m;
    assert_int_equal(fm_schema_parse("a/msg/B", text, strlen(text), &arena, &m, &error), FM_OK);
    assert_int_equal(m->field_count, 5);
    assert_int_equal(m->fields[0].shape, FM_SHAPE_CONSTANT);
    assert_string_equal(m->fields[0].value, "3");
    assert_string_equal(m->fields[1].message->name, "Header");
    assert_int_equal(m->fields[2].type, FM_FIELD_string);
    assert_int_equal(m->fields[3].shape, FM_SHAPE_SEQUENCE);
    assert_int_equal(m->fields[4].type, FM_FIELD_uint8);
    assert_string_equal(m->fields[4].unit, "m");
    fm_arena_free(&arena);
}

static void a_layout_names_every_value_with_path_and_unit(void **state)
{
    (void)state;
    uint8_t buffer[1024];
    fm_msg_odometry o = sample_odometry();
    fm_layout layout;
    fm_cell row[128];
    fm_error error;
    size_t size = fm_message_encode(&fm_msg_odometry_type, &o, buffer, sizeof buffer);
    assert_int_equal(fm_layout_init(&layout, &fm_msg_odometry_type, &error), FM_OK);
    assert_int_equal(fm_layout_measure(&layout, buffer, size, &error), FM_OK);
    assert_int_equal(fm_layout_finish(&layout, 4096, &error), FM_OK);
    assert_int_equal(layout.count, 2 + 1 + 1 + 7 + 36 + 6 + 36);
    assert_int_equal(fm_layout_read(&layout, buffer, size, row, &error), FM_OK);
    long z = fm_layout_find(&layout, "pose.pose.position.z"), u = fm_layout_find(&layout, "twist.twist.linear.x");
    assert_same(fm_cell_number(&row[z]), -3);
    assert_string_equal(layout.columns[z].unit, "m");
    assert_same(fm_cell_number(&row[u]), 0.5);
    assert_string_equal(layout.columns[u].unit, "m/s");
    assert_same(fm_cell_number(&row[fm_layout_find(&layout, "twist.covariance[35]")]), 7);
    assert_memory_equal(row[fm_layout_find(&layout, "child_frame_id")].value.text.start, "base_link", 9);
    assert_int_equal(fm_layout_find(&layout, "pose.nothing"), -1);
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(fm_layout_read(&layout, buffer, cut, row, &error), FM_ERR_SYNTAX);
    fm_layout_free(&layout);
}

static void sequences_take_the_columns_of_their_longest_message(void **state)
{
    (void)state;
    uint8_t buffer[1024];
    const double values[] = {1, 2};
    static const char *const names[] = {"b"};
    fm_msg_input j = {.vehicle = "a", .texts = {names, 1}, .values = {values, 2}, .holder = "c"},
                 shorter = {.vehicle = "a", .texts = {names, 1}, .values = {values, 1}, .holder = "c"};
    fm_layout layout;
    fm_cell row[16];
    fm_error error;
    assert_int_equal(fm_layout_init(&layout, &fm_msg_input_type, &error), FM_OK);
    size_t size = fm_message_encode(&fm_msg_input_type, &j, buffer, sizeof buffer);
    assert_int_equal(fm_layout_measure(&layout, buffer, size, &error), FM_OK);
    assert_int_equal(fm_layout_finish(&layout, 4096, &error), FM_OK);
    assert_int_equal(layout.count, 5 + 2);
    assert_string_equal(layout.columns[5].path, "values[1]");
    size = fm_message_encode(&fm_msg_input_type, &shorter, buffer, sizeof buffer);
    assert_int_equal(fm_layout_read(&layout, buffer, size, row, &error), FM_OK);
    assert_same(fm_cell_number(&row[4]), 1);
    assert_int_equal(row[5].kind, FM_CELL_EMPTY);
    fm_layout_free(&layout);
}

/* Encodes and lets the layout see it. */
static size_t measured(fm_layout *layout, const fm_message *type, const void *message, uint8_t *buffer, size_t room)
{
    fm_error error;
    size_t size = fm_message_encode(type, message, buffer, room);
    assert_greater(size, 0);
    assert_int_equal(fm_layout_measure(layout, buffer, size, &error), FM_OK);
    return size;
}

static double value_of(const fm_layout *layout, const fm_cell *row, const char *path)
{
    long at = fm_layout_find(layout, path);
    if (at < 0)
        fail_msg("no column '%s'", path);
    return fm_cell_number(&row[at]);
}

static void items_are_called_by_the_names_that_their_message_lists(void **state)
{
    (void)state;
    uint8_t buffer[1024];
    const char *names[] = {"rudder-top", "propeller"}, *units[] = {"rad", "rad/s"};
    const double orders[] = {0.1, 100}, values[] = {0.09, 98};
    fm_msg_actuator_state m = {.names = {names, 2}, .units = {units, 2}, .orders = {orders, 2}, .values = {values, 2}};
    fm_layout layout;
    fm_cell row[16];
    fm_error error;
    assert_int_equal(fm_layout_init(&layout, &fm_msg_actuator_state_type, &error), FM_OK);
    size_t size = measured(&layout, &fm_msg_actuator_state_type, &m, buffer, sizeof buffer);
    assert_int_equal(fm_layout_finish(&layout, 4096, &error), FM_OK);
    assert_int_equal(layout.count, 3 + 2 + 2);
    assert_int_equal(fm_layout_read(&layout, buffer, size, row, &error), FM_OK);
    assert_same(value_of(&layout, row, "rudder-top"), 0.09);
    assert_same(value_of(&layout, row, "propeller.orders"), 100);
    assert_string_equal(layout.columns[fm_layout_find(&layout, "propeller")].unit, "rad/s");
    assert_string_equal(layout.columns[fm_layout_find(&layout, "rudder-top.orders")].unit, "rad");
    assert_true(layout.columns[0].stamp && layout.columns[1].stamp && !layout.columns[2].stamp);
    fm_layout_free(&layout);
}

static void a_name_keeps_its_column_when_others_come_and_go(void **state)
{
    (void)state;
    uint8_t first[512], second[512];
    const char *early[] = {"a/way", "b/way"}, *late[] = {"b/way", "new", "b/way"};
    const double one[] = {1, 2}, two[] = {3, 4, 5, 6};
    fm_msg_metrics before = {.names = {early, 2}, .values = {one, 2}}, after = {.names = {late, 3}, .values = {two, 4}};
    fm_layout layout;
    fm_cell row[16];
    fm_error error;
    assert_int_equal(fm_layout_init(&layout, &fm_msg_metrics_type, &error), FM_OK);
    size_t size = measured(&layout, &fm_msg_metrics_type, &before, first, sizeof first);
    size_t other = measured(&layout, &fm_msg_metrics_type, &after, second, sizeof second);
    assert_int_equal(fm_layout_finish(&layout, 4096, &error), FM_OK);
    assert_int_equal(layout.count, 2 + 5);
    assert_int_equal(fm_layout_read(&layout, first, size, row, &error), FM_OK);
    assert_same(value_of(&layout, row, "a/way"), 1);
    assert_same(value_of(&layout, row, "b/way"), 2);
    assert_true(isnan(value_of(&layout, row, "new")) && isnan(value_of(&layout, row, "values[0]")));
    assert_int_equal(fm_layout_read(&layout, second, other, row, &error), FM_OK);
    assert_true(isnan(value_of(&layout, row, "a/way")));
    assert_same(value_of(&layout, row, "b/way"), 3);
    assert_same(value_of(&layout, row, "new"), 4);
    assert_same(value_of(&layout, row, "b/way#2"), 5);
    assert_same(value_of(&layout, row, "values[0]"), 6); /* it has no name */
    fm_layout_free(&layout);
}

/* Outer products of a vector are covariances: they turn as the vector does. */
static void rows_in_our_frames_are_those_that_went_in(void **state)
{
    (void)state;
    static uint8_t buffer[2048];
    const double place[3] = {3, -4, 5}, q[4] = {0.5, -0.1, 0.7, 0.5}, speed[3] = {1, 0.2, -0.3},
                 rates[3] = {0.1, 0.2, 0.3};
    fm_msg_odometry o = {.header.frame_id = "map", .child_frame_id = "a", .pose.pose = fm_enu_pose_from_ned(place, q)};
    o.twist.twist.linear = fm_flu_from_frd(speed);
    o.twist.twist.angular = fm_flu_from_frd(rates);
    const double enu[6] = {-4, 3, -5, -40, 30, -50}, ned[6] = {3, -4, 5, 30, -40, 50};
    for (int i = 0; i < 36; i++)
        o.pose.covariance[i] = enu[i / 6] * enu[i % 6];
    o.twist.covariance[0] = -1;
    fm_layout layout;
    fm_cell row[128];
    fm_error error;
    assert_int_equal(fm_layout_init(&layout, &fm_msg_odometry_type, &error), FM_OK);
    size_t size = measured(&layout, &fm_msg_odometry_type, &o, buffer, sizeof buffer);
    assert_int_equal(fm_layout_finish(&layout, 4096, &error), FM_OK);
    assert_int_equal(fm_layout_use_ned(&layout, &fm_msg_odometry_type, &error), FM_OK);
    assert_int_equal(fm_layout_read(&layout, buffer, size, row, &error), FM_OK);
    assert_same(value_of(&layout, row, "pose.pose.position.north"), 3);
    assert_same(value_of(&layout, row, "pose.pose.position.y"), -4); /* its other name */
    assert_same(value_of(&layout, row, "pose.pose.position.down"), 5);
    assert_nearer(value_of(&layout, row, "pose.pose.orientation.w"), q[0], 1e-15);
    assert_nearer(value_of(&layout, row, "pose.pose.orientation.x"), q[1], 1e-15);
    assert_nearer(value_of(&layout, row, "pose.pose.orientation.y"), q[2], 1e-15);
    assert_nearer(value_of(&layout, row, "pose.pose.orientation.z"), q[3], 1e-15);
    assert_same(value_of(&layout, row, "twist.twist.linear.starboard"), 0.2);
    assert_same(value_of(&layout, row, "twist.twist.angular.yaw"), 0.3);
    for (int i = 0; i < 36; i++) {
        char path[40];
        snprintf(path, sizeof path, "pose.covariance[%d]", i);
        assert_same(value_of(&layout, row, path), ned[i / 6] * ned[i % 6]);
    }
    assert_same(value_of(&layout, row, "twist.covariance[0]"), -1);
    assert_same(value_of(&layout, row, "twist.covariance[7]"), 0);
    fm_layout_free(&layout);
}

/* A transform below the map is one in the world, one below a vehicle is on a body. */
static void the_header_tells_the_frame_of_a_transform(void **state)
{
    (void)state;
    static uint8_t buffer[1024];
    fm_msg_transform_stamped items[2] = {
        {.header.frame_id = "map", .child_frame_id = "a", .transform.translation = {1, 2, 3}},
        {.header.frame_id = "a", .child_frame_id = "a/b", .transform.translation = {1, 2, 3}}};
    fm_msg_tf tf = {{items, 2}};
    fm_layout layout;
    fm_cell row[64];
    fm_error error;
    assert_int_equal(fm_layout_init(&layout, &fm_msg_tf_type, &error), FM_OK);
    size_t size = measured(&layout, &fm_msg_tf_type, &tf, buffer, sizeof buffer);
    assert_int_equal(fm_layout_finish(&layout, 4096, &error), FM_OK);
    assert_int_equal(fm_layout_use_ned(&layout, &fm_msg_tf_type, &error), FM_OK);
    assert_int_equal(fm_layout_read(&layout, buffer, size, row, &error), FM_OK);
    assert_same(value_of(&layout, row, "transforms[0].transform.translation.x"), 2);
    assert_same(value_of(&layout, row, "transforms[0].transform.translation.z"), -3);
    assert_same(value_of(&layout, row, "transforms[1].transform.translation.x"), 1);
    assert_same(value_of(&layout, row, "transforms[1].transform.translation.y"), -2);
    fm_layout_free(&layout);
}

static void more_names_than_a_table_has_columns_are_numbered(void **state)
{
    (void)state;
    static uint8_t buffer[1 << 10];
    const double value = 7;
    fm_layout layout;
    fm_cell row[16];
    fm_error error;
    size_t size = 0;
    assert_int_equal(fm_layout_init(&layout, &fm_msg_metrics_type, &error), FM_OK);
    for (int i = 0; i < 5000; i++) {
        char text[16];
        const char *name = text;
        snprintf(text, sizeof text, "n%d", i);
        fm_msg_metrics m = {.names = {&name, 1}, .values = {&value, 1}};
        size = measured(&layout, &fm_msg_metrics_type, &m, buffer, sizeof buffer);
    }
    assert_int_equal(fm_layout_finish(&layout, 4096, &error), FM_OK);
    assert_int_equal(layout.count, 2 + 1 + 1);
    assert_int_equal(fm_layout_read(&layout, buffer, size, row, &error), FM_OK);
    assert_same(value_of(&layout, row, "values[0]"), 7);
    assert_memory_equal(row[fm_layout_find(&layout, "names[0]")].value.text.start, "n4999", 5);
    fm_layout_free(&layout);
}

static void a_sequence_that_is_too_long_for_columns_is_left_out_and_named(void **state)
{
    (void)state;
    static uint8_t pixels[5000], buffer[8192];
    fm_msg_image image = {.width = 100, .height = 50, .data = {pixels, sizeof pixels}};
    fm_layout layout;
    fm_cell row[16];
    fm_error error;
    size_t size = fm_message_encode(&fm_msg_image_type, &image, buffer, sizeof buffer);
    assert_int_equal(fm_layout_init(&layout, &fm_msg_image_type, &error), FM_OK);
    assert_int_equal(fm_layout_measure(&layout, buffer, size, &error), FM_OK);
    assert_int_equal(fm_layout_finish(&layout, 4096, &error), FM_OK);
    assert_int_equal(layout.left_out_count, 1);
    assert_string_equal(layout.left_out[0], "data");
    assert_int_equal(fm_layout_read(&layout, buffer, size, row, &error), FM_OK);
    assert_same(fm_cell_number(&row[fm_layout_find(&layout, "width")]), 100);
    fm_layout_free(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_odometry_message_has_724_bytes),
        cmocka_unit_test(values_are_aligned_from_the_start_of_the_body),
        cmocka_unit_test(every_message_of_the_table_survives_a_round_trip_of_zeros),
        cmocka_unit_test(a_scene_survives_a_round_trip),
        cmocka_unit_test(no_message_within_its_limits_is_longer_than_the_largest_size),
        cmocka_unit_test(a_schema_text_read_back_is_the_table),
        cmocka_unit_test(bad_schemas_are_refused_with_the_line),
        cmocka_unit_test(foreign_schema_forms_are_understood),
        cmocka_unit_test(a_layout_names_every_value_with_path_and_unit),
        cmocka_unit_test(sequences_take_the_columns_of_their_longest_message),
        cmocka_unit_test(items_are_called_by_the_names_that_their_message_lists),
        cmocka_unit_test(a_name_keeps_its_column_when_others_come_and_go),
        cmocka_unit_test(rows_in_our_frames_are_those_that_went_in),
        cmocka_unit_test(the_header_tells_the_frame_of_a_transform),
        cmocka_unit_test(more_names_than_a_table_has_columns_are_numbered),
        cmocka_unit_test(a_sequence_that_is_too_long_for_columns_is_left_out_and_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
