/* What leaves a world: frames, instruments, inputs; the log of a run; the run again. */
#include "support/scenario.h"

#include <fathom/log.h>

#include "run/verify.h"
#include "support/log.h"
#include "telemetry/part_message.h"
#include "telemetry/scene_hull.h"
#include "telemetry/world_channels.h"

static const char scenario[] =
    "<fathom version='1' title='two'><world dt='0.05 s' duration='10 s' seed='7' capacity='4'><water density='1000 "
    "kg/m3'/>"
    "<sphere name='rock' position='30 0 5 m' radius='2 m'/><bottom depth='30 m'/></world>"
    "<vehicle name='a' model='nps-auv-ii' position='3 4 10 m' attitude='0 0 90 deg' velocity='1 0.5 0.2 m/s'>"
    "<orders><at t='0 s' propellers='400 rpm' stern-rudder='5 deg'/></orders></vehicle>"
    "<vehicle name='b' model='nps-auv-ii' position='0 20 5 m'/></fathom>";

/* A run of 10 s with an order, a fault, a spawn and a removal on the way. */
static void record(const char *path, const char *set, double rate)
{
    static const double place[3] = {-10, 0, 8}, upright[3] = {0};
    static const fm_input fault = {
        .command = {.kind = FM_COMMAND_FAULT,
                    .fault = {.vehicle = "a", .part = "stern-rudder", .kind = "efficiency", .value = 0.5}}};
    fm_error error = {0};
    fm_model *model = load_with(scenario, (const char *const[]){set, NULL});
    fm_run *run = fm_run_create(model, NULL, &error);
    fm_world *world = fm_run_world(run);
    assert_int_equal(fm_run_record(run, path, &(fm_log_options){.rate = rate}, &error), FM_OK);
    for (int i = 0; i < 200; i++) {
        if (i == 20)
            assert_int_equal(fm_world_order(world, "b", "propellers", 50, &error), FM_OK);
        if (i == 40)
            assert_int_equal(fm_world_input(world, &fault, &error), FM_OK);
        if (i == 60)
            assert_int_equal(fm_world_spawn(world, "c", "a", place, upright, &error), FM_OK);
        if (i == 120)
            assert_int_equal(fm_world_remove(world, "c", &error), FM_OK);
        assert_int_equal(fm_run_step(run, &error), FM_OK);
    }
    assert_int_equal(fm_run_finish(run, &error), FM_OK);
    fm_run_free(run);
    fm_model_free(model);
}

/* The n-th message of a channel as a struct of the table. */
static void read_message(fm_mcap_reader *reader, const char *topic, size_t n, const fm_message *type, void *out,
                         fm_arena *arena)
{
    fm_error error = {0};
    fm_mcap_cursor *cursor;
    fm_mcap_message message;
    const fm_mcap_channel *channel = fm_mcap_find_channel(reader, topic);
    assert_non_null(channel);
    assert_int_equal(fm_mcap_query_open(reader, &(fm_mcap_query){.channel = channel}, &cursor, &error), FM_OK);
    for (size_t i = 0; i <= n; i++) {
        assert_int_equal(fm_mcap_next(cursor, &message, &error), FM_OK);
        assert_non_null(message.data);
    }
    assert_int_equal(fm_message_decode(type, message.data, message.size, out, arena, &error), FM_OK);
    fm_mcap_query_close(cursor);
}

static void a_vehicle_heading_east_leaves_in_east_north_up(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_msg_odometry o;
    record("world_a.mcap", NULL, 0);
    fm_mcap_reader *reader = open_log("world_a.mcap");
    read_message(reader, "/a/odom", 0, &fm_msg_odometry_type, &o, &arena);
    assert_same(o.pose.pose.position.x, 4);
    assert_same(o.pose.pose.position.y, 3);
    assert_same(o.pose.pose.position.z, -10);
    assert_greater(fabs(o.pose.pose.orientation.w), 1 - 1e-12); /* yaw is counted from east */
    assert_nearer(o.twist.twist.linear.x, 1, 1e-15);
    assert_same(o.twist.twist.linear.y, -0.5);
    assert_same(o.twist.twist.linear.z, -0.2);
    assert_string_equal(o.header.frame_id, "odom");
    assert_string_equal(o.child_frame_id, "a/base_link");
    assert_same(o.pose.covariance[0], 0); /* the truth */
    fm_arena_free(&arena);
    fm_mcap_reader_close(reader);
}

static void joints_of_a_fish_leave_as_joint_states(void **state)
{
    (void)state;
    static const char text[] =
        "<fathom version='1'><world dt='0.05 s' duration='10 s'/><vehicle name='fish' model='robotic-fish'>"
        "<fish><wave frequency='1.3 Hz'/></fish></vehicle></fathom>";
    fm_error error = {0};
    fm_arena arena = {0};
    fm_model *model = load(text);
    fm_run *run = fm_run_create(model, &(fm_run_options){.duration = 1}, &error);
    fm_world *world = fm_run_world(run);
    double angle[21][4], rate[21][4];
    assert_int_equal(fm_run_record(run, "world_fish.mcap", NULL, &error), FM_OK);
    fm_world_joints(world, 0, angle[0], rate[0]);
    for (int i = 1; i <= 20; i++) {
        assert_int_equal(fm_run_step(run, &error), FM_OK);
        fm_world_joints(world, 0, angle[i], rate[i]);
    }
    assert_int_equal(fm_run_finish(run, &error), FM_OK);
    fm_mcap_reader *reader = open_log("world_fish.mcap");
    fm_msg_scene scene;
    read_message(reader, "/scene", 0, &fm_msg_scene_type, &scene, &arena);
    assert_int_equal(scene.joints.count, 4);
    assert_string_equal(scene.joints.items[0].parent, "fish/base_link");
    assert_string_equal(scene.joints.items[1].parent, "fish/link1");
    assert_same(scene.joints.items[1].pose.position.x, -0.06);
    assert_same(scene.joints.items[3].axis.z, -1); /* the first link is 60 mm */
    for (size_t n = 0; n <= 20; n += 5) {
        fm_msg_joint_state j;
        read_message(reader, "/fish/joints", n, &fm_msg_joint_state_type, &j, &arena);
        assert_same(j.name.count, 4);
        assert_same(j.position.count, 4);
        assert_same(j.velocity.count, 4);
        assert_string_equal(j.name.items[3], "joint4");
        for (int k = 0; k < 4; k++) {
            assert_same(j.position.items[k], angle[n][k]);
            assert_same(j.velocity.items[k], rate[n][k]);
        }
    }
    fm_arena_free(&arena);
    fm_mcap_reader_close(reader);
    fm_run_free(run);
    fm_model_free(model);
}

/* A tail of one joint beside one of eight: each has its own names, and its joints hang below each other. */
static void fish_of_one_and_of_eight_joints_stand_in_one_log(void **state)
{
    (void)state;
    static const char text[] =
        "<fathom version='1'><world dt='0.05 s' duration='10 s'/><vehicle name='one' model='robotic-fish-one-joint'>"
        "<fish><wave frequency='1 Hz'/></fish></vehicle><vehicle name='eight' model='robotic-fish'><fish><wave "
        "frequency='1 Hz'/><fish-body links='0.03 0.03 0.03 0.03 0.03 0.03 0.03 0.03 m'/></fish></vehicle></fathom>";
    fm_error error = {0};
    fm_arena arena = {0};
    fm_model *model = load(text);
    fm_run *run = fm_run_create(model, &(fm_run_options){.duration = 0.5}, &error);
    assert_int_equal(fm_run_record(run, "world_joints.mcap", NULL, &error), FM_OK);
    for (int i = 0; i < 10; i++)
        assert_int_equal(fm_run_step(run, &error), FM_OK);
    double angle[8], rate[8];
    fm_world_joints(fm_run_world(run), 1, angle, rate);
    assert_int_equal(fm_run_finish(run, &error), FM_OK);
    fm_mcap_reader *reader = open_log("world_joints.mcap");
    fm_msg_scene scene;
    fm_msg_joint_state one, eight;
    read_message(reader, "/scene", 0, &fm_msg_scene_type, &scene, &arena);
    assert_int_equal(scene.joints.count, 9);
    assert_string_equal(scene.joints.items[8].name, "joint8");
    assert_string_equal(scene.joints.items[8].parent, "eight/link7");
    read_message(reader, "/one/joints", 10, &fm_msg_joint_state_type, &one, &arena);
    read_message(reader, "/eight/joints", 10, &fm_msg_joint_state_type, &eight, &arena);
    assert_same(one.name.count, 1);
    assert_same(one.position.count, 1);
    assert_same(one.velocity.count, 1);
    assert_same(eight.name.count, 8);
    assert_same(eight.position.count, 8);
    assert_same(eight.velocity.count, 8);
    assert_string_equal(eight.name.items[7], "joint8");
    for (int k = 0; k < 8; k++) {
        assert_same(eight.position.items[k], angle[k]);
        assert_same(eight.velocity.items[k], rate[k]);
    }
    fm_arena_free(&arena);
    fm_mcap_reader_close(reader);
    fm_run_free(run);
    fm_model_free(model);
}

static void inputs_stand_in_the_log_with_their_tick(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_msg_input in;
    fm_mcap_reader *reader = open_log("world_a.mcap");
    assert_int_equal(fm_mcap_find_channel(reader, "/inputs")->messages, 4);
    read_message(reader, "/inputs", 1, &fm_msg_input_type, &in, &arena);
    assert_int_equal(in.kind, FM_MSG_input_FAULT);
    assert_string_equal(in.vehicle, "a");
    assert_int_equal(in.texts.count, 2);
    assert_string_equal(in.texts.items[0], "stern-rudder");
    assert_string_equal(in.texts.items[1], "efficiency");
    assert_int_equal(in.tick, 40);
    assert_same(in.values.count, 1);
    assert_same(in.values.items[0], 0.5);
    read_message(reader, "/inputs", 2, &fm_msg_input_type, &in, &arena);
    assert_int_equal(in.kind, FM_MSG_input_SPAWN);
    assert_string_equal(in.vehicle, "c");
    assert_same(in.values.count, 7);
    assert_same(in.values.items[2], 8); /* pose and acoustic address */
    fm_arena_free(&arena);
    fm_mcap_reader_close(reader);
}

static void a_spawned_vehicle_has_channels_and_enters_the_scene(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_msg_odometry o;
    fm_msg_scene scene;
    fm_mcap_reader *reader = open_log("world_a.mcap");
    assert_int_equal(fm_mcap_find_channel(reader, "/c/odom")->messages, 60); /* ticks 61 … 120 */
    read_message(reader, "/c/odom", 0, &fm_msg_odometry_type, &o, &arena);
    assert_string_equal(o.child_frame_id, "c/base_link");
    assert_int_equal(fm_mcap_find_channel(reader, "/scene")->messages, 3); /* at the start, with c, without it */
    read_message(reader, "/scene", 1, &fm_msg_scene_type, &scene, &arena);
    assert_string_equal(scene.shapes.items[0].name, "rock");
    assert_same(scene.shapes.items[0].pose.position.y, 30);
    assert_same(scene.shapes.items[0].pose.position.z, -5);
    assert_same(scene.shapes.items[0].kind, FM_MSG_scene_shape_SPHERE);
    assert_same(scene.shapes.items[0].size[0], 2);
    size_t hulls = 0;
    for (size_t i = 0; i < scene.shapes.count; i++)
        hulls += strcmp(scene.shapes.items[i].frame, "c/base_link") == 0;
    assert_greater(hulls, 0);
    fm_arena_free(&arena);
    fm_mcap_reader_close(reader);
}

/* Vehicles of one model with parts of their own are types of one name; a spawned vehicle may be of either. */
static void parts_of_the_same_name_on_two_types_of_one_model_have_channels_of_their_own(void **state)
{
    (void)state;
    static const char text[] =
        "<fathom version='1'><world dt='0.05 s' duration='1 s' capacity='3'><water density='1000 kg/m3'/></world>"
        "<vehicle name='a' model='nps-auv-ii' position='0 0 5 m'><depth name='sonde'/></vehicle>"
        "<vehicle name='b' model='nps-auv-ii' position='0 9 5 m'><depth name='sonde' period='0.1 "
        "s'/></vehicle></fathom>";
    static const double place[3] = {20, 0, 8}, upright[3] = {0};
    fm_error error = {0};
    fm_model *model = load(text);
    fm_run *run = fm_run_create(model, NULL, &error);
    if (fm_run_record(run, "world_types.mcap", NULL, &error) != FM_OK)
        fail_msg("%s", error.text);
    assert_int_equal(fm_world_spawn(fm_run_world(run), "c", "b", place, upright, &error), FM_OK);
    for (int i = 0; i < 20; i++)
        assert_int_equal(fm_run_step(run, &error), FM_OK);
    assert_int_equal(fm_run_finish(run, &error), FM_OK);
    fm_mcap_reader *reader = open_log("world_types.mcap");
    assert_in_range(fm_mcap_find_channel(reader, "/c/sonde")->messages, 9, 11);
    fm_mcap_reader_close(reader);
    fm_run_free(run);
    fm_model_free(model);
}

static void two_fast_runs_write_the_same_bytes(void **state)
{
    (void)state;
    record("world_b.mcap", NULL, 0);
    assert_int_equal(system("cmp world_a.mcap world_b.mcap"), 0);
}

static fm_verify_result verify(const char *path, const char *set)
{
    fm_error error = {0};
    fm_verify_result result;
    fm_mcap_reader *reader = open_log(path);
    fm_model *model = load_with(scenario, (const char *const[]){set, NULL});
    fm_world *world = create(model, 1);
    if (fm_log_repeat(reader, world, NULL, &result, &error) != FM_OK)
        fail_msg("%s", error.text);
    fm_world_free(world);
    fm_model_free(model);
    fm_mcap_reader_close(reader);
    return result;
}

static void a_run_repeated_from_its_inputs_has_the_same_bits(void **state)
{
    (void)state;
    fm_verify_result r = verify("world_a.mcap", NULL);
    if (!r.same)
        fail_msg("tick %llu %s %s: %s, %s", (unsigned long long)r.tick, r.topic, r.field, r.recorded, r.now);
    assert_int_equal(r.inputs, 4);
    assert_same(r.missing, 0);
    assert_greater(r.compared, 1000);
    record("world_slow.mcap", NULL, 2);
    r = verify("world_slow.mcap", NULL);
    assert_true(r.same);
    assert_same(r.inputs, 4);
}

static void another_weight_shows_in_the_first_step(void **state)
{
    (void)state;
    fm_verify_result r = verify("world_a.mcap", "/a/mass/weight=435.001 lb");
    assert_false(r.same);
    assert_int_equal(r.tick, 1);
    assert_non_null(strstr(r.topic, "odom"));
    assert_greater(strlen(r.field), 4);
    assert_string_not_equal(r.recorded, r.now);
}

/* The density is a live parameter, so part of the state: its hash differs from the beginning. */
static void another_water_density_shows_in_the_state_at_the_start(void **state)
{
    (void)state;
    fm_verify_result r = verify("world_a.mcap", "/water/density=1000.0001 kg/m3");
    assert_false(r.same);
    assert_int_equal(r.tick, 0);
}

static void publishing_takes_no_memory(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_ring *ring;
    fm_world_channels *channels;
    fm_model *model = load(scenario);
    fm_world *world = create(model, 1);
    assert_int_equal(fm_world_channels_create(world, NULL, 0, &channels, &error), FM_OK);
    assert_int_equal(fm_channels_attach(fm_world_channels_get(channels), 1, FM_RING_DROP, &ring, &error), FM_OK);
    fm_alloc_fail_after(0);
    long live = fm_alloc_live();
    fm_world_channels_begin(channels, world);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(fm_world_step(world, &error), FM_OK);
        fm_world_channels_publish(channels, world);
    }
    fm_world_channels_end(channels, world);
    fm_alloc_fail_after(-1);
    assert_int_equal(fm_alloc_live(), live);
    assert_int_equal(fm_channels_oversize(fm_world_channels_get(channels)), 0);
    assert_int_equal(fm_ring_dropped(ring), 0);
    assert_int_equal(fm_channel_at(fm_world_channels_get(channels), 0)->sequence, 21);
    fm_channels_detach(fm_world_channels_get(channels), ring);
    fm_ring_destroy(ring);
    fm_world_channels_destroy(channels);
    fm_world_free(world);
    fm_model_free(model);
}

/* The text of an event may come from a plugin: it was lost where it was longer than what was set aside. */
static void an_event_with_a_long_text_is_recorded_cut(void **state)
{
    (void)state;
    static char kind[301];
    memset(kind, 'k', 300);
    fm_error error = {0};
    fm_arena arena = {0};
    fm_model *model = load(scenario);
    fm_run *run = fm_run_create(model, &(fm_run_options){.duration = 1}, &error);
    assert_int_equal(fm_run_record(run, "world_long.mcap", NULL, &error), FM_OK);
    fm_event_add(fm_run_world(run), 0, kind, 2.5);
    assert_int_equal(fm_run_go(run, NULL, &error), FM_OK);
    assert_int_equal(fm_run_finish(run, &error), FM_OK);
    fm_run_free(run);
    fm_model_free(model);
    fm_mcap_reader *reader = open_log("world_long.mcap");
    fm_msg_event event;
    read_message(reader, "/events", 0, &fm_msg_event_type, &event, &arena);
    assert_same(event.value, 2.5);
    assert_same(strlen(event.kind), 127);
    assert_same(event.kind[126], 'k');
    fm_arena_free(&arena);
    fm_mcap_reader_close(reader);
}

/* --- instruments --- */

static fm_part make_part(const char *message, const fm_output *outputs, size_t count, size_t words,
                         fm_part_class *class)
{
    static const fm_element element = {.name = "gauge"};
    *class = (fm_part_class){.kind = FM_PART_SENSOR, .element = &element, .message = message};
    return (fm_part){.part_class = class,
                     .name = "gauge",
                     .outputs = outputs,
                     .output_count = count,
                     .output = {0, (uint32_t)words},
                     .period = 1};
}

static void instruments_leave_in_the_units_and_axes_of_their_message(void **state)
{
    (void)state;
    static const fm_output outputs[] = {{.field = "latitude", .unit = "rad", .offset = 0, .count = 1},
                                        {.field = "status.status", .unit = "", .offset = 8, .count = 1}};
    static const fm_output turns[] = {
        {.field = "angular_velocity", .unit = "rad/s", .offset = 0, .count = 3, .frame = FM_OUTPUT_BODY},
        {.field = "orientation", .unit = "", .offset = 24, .count = 4, .frame = FM_OUTPUT_WORLD}};
    fm_part_class class;
    fm_part_message m;
    fm_arena arena = {0};
    fm_error error = {0};
    fm_part part = make_part("sensor_msgs/NavSatFix", outputs, 2, 2, &class);
    assert_int_equal(fm_part_message_make(&part, &arena, &m, &error), FM_OK);
    fm_part_message_fill(&m, (const double[]){acos(-1) / 4, -1}, NULL);
    const fm_msg_navsat *fix = m.message;
    assert_nearer(fix->latitude, 45, 1e-13);
    assert_same(fix->status.status, -1);
    assert_same(fix->position_covariance[0], 0); /* its type is 0, unknown */
    part = make_part("sensor_msgs/Imu", turns, 2, 7, &class);
    assert_int_equal(fm_part_message_make(&part, &arena, &m, &error), FM_OK);
    fm_part_message_fill(&m, (const double[]){1, 2, 3, sqrt(0.5), 0, 0, sqrt(0.5)}, NULL); /* heading east */
    const fm_msg_imu *imu = m.message;
    assert_same(imu->angular_velocity.x, 1);
    assert_same(imu->angular_velocity.y, -2);
    assert_same(imu->angular_velocity.z, -3);
    assert_greater(fabs(imu->orientation.w), 1 - 1e-12);
    fm_arena_free(&arena);
}

static void bytes_become_sequences_and_plain_parts_carry_names(void **state)
{
    (void)state;
    static const fm_output outputs[] = {{.field = "data", .offset = 8, .count = 5, .type = FM_OUTPUT_UINT8},
                                        {.field = "width", .offset = 0, .count = 1},
                                        {.field = "encoding", .type = FM_OUTPUT_TEXT, .text = "mono8"}};
    fm_part_class class;
    fm_part_message m;
    fm_arena arena = {0};
    fm_error error = {0};
    double block[2] = {5, 0};
    memcpy(&block[1], "\1\2\3\4\5", 5);
    fm_part part = make_part("sensor_msgs/Image", outputs, 3, 2, &class);
    assert_int_equal(fm_part_message_make(&part, &arena, &m, &error), FM_OK);
    fm_part_message_fill(&m, block, NULL);
    const fm_msg_image *image = m.message;
    assert_same(image->width, 5);
    assert_same(image->data.count, 5);
    assert_same(image->data.items[4], 5);
    assert_string_equal(image->encoding, "mono8");
    static const fm_output plain[] = {{.field = "error", .unit = "m", .offset = 0, .count = 2}};
    part = make_part(NULL, plain, 1, 2, &class);
    assert_int_equal(fm_part_message_make(&part, &arena, &m, &error), FM_OK);
    fm_part_message_fill(&m, (const double[]){1.5, -2}, NULL);
    const fm_msg_values *values = m.message;
    assert_same(values->values.count, 2);
    assert_same(values->values.items[1], -2);
    assert_string_equal(values->names.items[1], "error[1]");
    fm_arena_free(&arena);
}

/* A point that the camera sees at a pixel: the matrix of CameraInfo, in the optical frame that /tf_static places below
 * the camera, leads to the same pixel as the camera's own geometry. */
static void a_camera_has_its_optical_frame_and_calibration_beside_its_images(void **state)
{
    (void)state;
    static const char text[] =
        "<fathom version='1'><world dt='0.1 s' duration='1 s'/><vehicle name='rov' position='0 0 5 m'>"
        "<mass mass='10 kg' inertia='1 1 1 kg*m2'/><buoyancy force='98.0665 N'/>"
        "<camera name='eye' width='64' height='48' field-of-view='90 deg' position='0.5 0.1 0 m'/></vehicle></fathom>";
    fm_error error = {0};
    fm_arena arena = {0};
    fm_model *model = load(text);
    fm_run *run = fm_run_create(model, NULL, &error);
    assert_int_equal(fm_run_record(run, "world_camera.mcap", NULL, &error), FM_OK);
    assert_int_equal(fm_run_go(run, NULL, &error), FM_OK);
    assert_int_equal(fm_run_finish(run, &error), FM_OK);
    fm_run_free(run);
    fm_mcap_reader *log = open_log("world_camera.mcap");
    fm_msg_image image;
    fm_msg_camera_info info;
    fm_msg_tf tf;
    const fm_msg_transform_stamped *odom = NULL, *eye = NULL, *optical = NULL;
    read_message(log, "/rov/eye/image_raw", 3, &fm_msg_image_type, &image, &arena);
    read_message(log, "/rov/eye/camera_info", 3, &fm_msg_camera_info_type, &info, &arena);
    read_message(log, "/tf_static", 0, &fm_msg_tf_type, &tf, &arena);
    for (size_t i = 0; i < tf.transforms.count; i++) {
        const fm_msg_transform_stamped *t = &tf.transforms.items[i];
        odom = strcmp(t->child_frame_id, "odom") == 0 ? t : odom;
        eye = strcmp(t->child_frame_id, "rov/eye") == 0 ? t : eye;
        optical = strcmp(t->child_frame_id, "rov/eye_optical_frame") == 0 ? t : optical;
    }
    assert_true(odom && eye && optical);
    assert_string_equal(odom->header.frame_id, "map");
    assert_same(odom->transform.rotation.w, 1);
    assert_string_equal(eye->header.frame_id, "rov/base_link");
    assert_string_equal(optical->header.frame_id, "rov/eye");
    assert_string_equal(image.header.frame_id, "rov/eye_optical_frame");
    assert_string_equal(info.header.frame_id, image.header.frame_id);
    assert_memory_equal(&info.header.stamp, &image.header.stamp, sizeof image.header.stamp);
    assert_same(info.width, 64);
    assert_same(info.height, 48);
    assert_string_equal(info.distortion_model, "plumb_bob");
    /* 2 m ahead, 1 m to port, 0.4 m up of the camera: by REP 103 z = ahead, x = −port, y = −up */
    const double ahead = 2, port = 1, up = 0.4;
    const fm_msg_quaternion q = optical->transform.rotation;
    double R[3][3] = {{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.z * q.w), 2 * (q.x * q.z + q.y * q.w)},
                      {2 * (q.x * q.y + q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.x * q.w)},
                      {2 * (q.x * q.z - q.y * q.w), 2 * (q.y * q.z + q.x * q.w), 1 - 2 * (q.x * q.x + q.y * q.y)}};
    double p[3];
    for (int i = 0; i < 3; i++)
        p[i] = R[0][i] * ahead + R[1][i] * port + R[2][i] * up; /* into the optical frame: the transpose */
    assert_nearer(p[0], -port, 1e-12);
    assert_nearer(p[1], -up, 1e-12);
    assert_nearer(p[2], ahead, 1e-12);
    /* of 64 pixels over ±45°, tan = −½ is a quarter from the left edge: pixel 15.5, counted from centres */
    assert_nearer(info.k[0] * p[0] / p[2] + info.k[2], 15.5, 1e-9);
    assert_nearer(info.k[4] * p[1] / p[2] + info.k[5], 24 - 0.2 * 32 - 0.5, 1e-9);
    fm_arena_free(&arena);
    fm_mcap_reader_close(log);
    fm_model_free(model);
}

static void instruments_that_name_no_field_are_refused_with_the_nearest(void **state)
{
    (void)state;
    static const struct {
        const char *message;
        fm_output output;
        const char *says;
    } cases[] = {
        {"sensor_msgs/FluidPressure", {.field = "fluid_presure", .count = 1}, "did you mean 'fluid_pressure'"},
        {"sensor_msgs/FluidPresure", {.field = "fluid_pressure", .count = 1}, "unknown message"},
        {"sensor_msgs/FluidPressure",
         {.field = "fluid_pressure", .unit = "m", .count = 1},
         "is in m, the message has Pa"},
        {"sensor_msgs/FluidPressure", {.field = "fluid_pressure", .count = 2}, "has 2 values, the field takes 1"},
        {"sensor_msgs/FluidPressure",
         {.field = "fluid_pressure", .offset = 16, .count = 1},
         "outside of its output block"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fm_part_class class;
        fm_part_message m;
        fm_arena arena = {0};
        fm_error error = {0};
        fm_part part = make_part(cases[i].message, &cases[i].output, 1, 2, &class);
        assert_int_not_equal(fm_part_message_make(&part, &arena, &m, &error), FM_OK);
        if (!strstr(error.text, cases[i].says))
            fail_msg("'%s' lacks '%s'", error.text, cases[i].says);
        fm_arena_free(&arena);
    }
}

static void the_hull_of_a_cube_encloses_its_volume(void **state)
{
    (void)state;
    double corners[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            corners[i][k] = i >> k & 1 ? 1 : -1;
    fm_shape shape = fm_shape_hull((const double(*)[3])corners, 8);
    fm_arena arena = {0};
    fm_msg_scene_mesh mesh;
    assert_true(fm_scene_hull(&shape, &arena, &mesh));
    double volume = 0;
    for (size_t i = 0; i < mesh.triangles.count; i += 3) {
        const float *a = mesh.vertices.items + 3 * mesh.triangles.items[i],
                    *b = mesh.vertices.items + 3 * mesh.triangles.items[i + 1],
                    *c = mesh.vertices.items + 3 * mesh.triangles.items[i + 2];
        volume += (double)(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                           a[2] * (b[0] * c[1] - b[1] * c[0])) /
                  6;
    }
    assert_nearer(volume, 2 * 8, 1e-9); /* four triangles on each square: covered twice, outward */
    fm_arena_free(&arena);
}

static void the_model_writes_itself_with_every_value(void **state)
{
    (void)state;
    fm_model *model = load_with(scenario, (const char *const[]){"/world/duration=11 s", NULL});
    char *text = fm_model_write(model);
    assert_non_null(strstr(text, "duration=\"11 s\""));
    assert_non_null(strstr(text, "propellers=\"400 rpm\""));
    assert_same(fm_model_file_count(model), 2);
    assert_non_null(strstr(fm_model_file(model, 1).path, "nps-auv-ii.xml"));
    fm_free(text);
    fm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vehicle_heading_east_leaves_in_east_north_up),
        cmocka_unit_test(joints_of_a_fish_leave_as_joint_states),
        cmocka_unit_test(fish_of_one_and_of_eight_joints_stand_in_one_log),
        cmocka_unit_test(inputs_stand_in_the_log_with_their_tick),
        cmocka_unit_test(a_spawned_vehicle_has_channels_and_enters_the_scene),
        cmocka_unit_test(parts_of_the_same_name_on_two_types_of_one_model_have_channels_of_their_own),
        cmocka_unit_test(two_fast_runs_write_the_same_bytes),
        cmocka_unit_test(a_run_repeated_from_its_inputs_has_the_same_bits),
        cmocka_unit_test(another_weight_shows_in_the_first_step),
        cmocka_unit_test(another_water_density_shows_in_the_state_at_the_start),
        cmocka_unit_test(publishing_takes_no_memory),
        cmocka_unit_test(an_event_with_a_long_text_is_recorded_cut),
        cmocka_unit_test(instruments_leave_in_the_units_and_axes_of_their_message),
        cmocka_unit_test(bytes_become_sequences_and_plain_parts_carry_names),
        cmocka_unit_test(a_camera_has_its_optical_frame_and_calibration_beside_its_images),
        cmocka_unit_test(instruments_that_name_no_field_are_refused_with_the_nearest),
        cmocka_unit_test(the_hull_of_a_cube_encloses_its_volume),
        cmocka_unit_test(the_model_writes_itself_with_every_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
