/* The bridge to ROS 2, on the wire: a participant of another vendor (tests/net/fastdds/peer.cpp) reads what the program
 * publishes and writes what it takes, on the loopback interface, in a domain of its own. */
#include <poll.h>

#include "base/describe.h"
#include "bridges/ros2/ros2_names.h"
#include "bridges/ros2/ros2_service.h"
#include "served.h"
#include "support/log.h"

#define PEER "./fastdds_peer"

#ifdef FM_HAVE_DDS

typedef struct peer {
    pid_t pid;
    FILE *in;
    int out;
    char *text; /* what it has said, from `at` */
    size_t at, size, room;
    size_t writers, readers;   /* of the program, that it has seen */
    size_t tellings;           /* of ros_discovery_info */
    uint8_t (*odometry)[1024]; /* every message of /lauv/odom */
    size_t odometry_count;
} peer;

enum { ODOMETRY = 4096, ODOMETRY_SIZE = 1024 };

static served server;
static peer other;
static unsigned domain;

/* --- the other vendor --- */

static int peer_is_there(void)
{
    return access(PEER, X_OK) == 0;
}

static void start_peer(peer *p)
{
    int to[2], from[2];
    char number[16];
    assert_int_equal(pipe(to), 0);
    assert_int_equal(pipe(from), 0);
    snprintf(number, sizeof number, "%u", domain);
    fflush(NULL);
    p->pid = fork();
    assert_at_least(p->pid, 0);
    if (p->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (dup2(to[0], 0) < 0 || dup2(from[1], 1) < 0)
            _exit(126);
        close(to[1]);
        close(from[0]);
        execl(PEER, PEER, number, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    p->in = fdopen(to[1], "w");
    p->out = from[0];
    p->room = 1 << 22;
    p->text = malloc(p->room);
    p->odometry = malloc(ODOMETRY * sizeof *p->odometry);
    assert_true(p->in && p->text && p->odometry);
}

__attribute__((format(printf, 2, 3))) static void ask_peer(peer *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(p->in, format, arguments);
    va_end(arguments);
    fputc('\n', p->in);
    fflush(p->in);
}

/* One line of it; NULL: none within the time. */
static char *peer_line(peer *p, double until)
{
    for (;;) {
        char *line = p->text + p->at, *end = memchr(line, '\n', p->size - p->at);
        if (end) {
            *end = 0;
            p->at = (size_t)(end + 1 - p->text);
            return line;
        }
        memmove(p->text, line, p->size -= p->at);
        p->at = 0;
        assert_less(p->size, p->room);
        struct pollfd ready = {p->out, POLLIN, 0};
        double left = until - seconds_now();
        if (left <= 0 || poll(&ready, 1, (int)(1000 * left) + 1) <= 0)
            return NULL;
        ssize_t n = read(p->out, p->text + p->size, p->room - p->size);
        if (n <= 0)
            return NULL;
        p->size += (size_t)n;
    }
}

static size_t bytes_of_hex(const char *hex, uint8_t *bytes, size_t room)
{
    size_t size = strlen(hex) / 2;
    assert_at_most(size, room);
    for (size_t i = 0; i < size; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        bytes[i] = (uint8_t)byte;
    }
    return size;
}

static int begins(const char *line, const char *words)
{
    return strncmp(line, words, strlen(words)) == 0;
}

/* What is kept of every line. */
static void note_line(peer *p, const char *line)
{
    static const char odometry[] = "data rt/lauv/odom ";
    if (begins(line, "cannot"))
        fail_msg("the other vendor: %s", line);
    p->writers += begins(line, "writer rt/") || begins(line, "writer rr/");
    p->tellings += (size_t)begins(line, "data ros_discovery_info ");
    int own = begins(line, "reader rt/lauv/odom"); /* the other vendor's */
    p->readers +=
        (begins(line, "reader rt/lauv/") && !own) || begins(line, "reader rt/fathom/") || begins(line, "reader rq/");
    if (begins(line, odometry) && p->odometry_count < ODOMETRY) {
        uint8_t *bytes = p->odometry[p->odometry_count++];
        memset(bytes, 0, ODOMETRY_SIZE);
        bytes_of_hex(line + sizeof odometry - 1, bytes, ODOMETRY_SIZE);
    }
}

/* The rest of the next line that begins so; fails when none comes. */
static char *expect_line(peer *p, const char *words)
{
    double until = seconds_now() + 20;
    for (char *line; (line = peer_line(p, until));) {
        note_line(p, line);
        if (begins(line, words))
            return line + strlen(words);
    }
    fail_msg("the other vendor did not say '%s'", words);
    return NULL;
}

static void decode(const char *hex, const fm_message *type, void *message, fm_arena *arena)
{
    static uint8_t bytes[1 << 20];
    fm_error error = {0};
    size_t size = bytes_of_hex(hex, bytes, sizeof bytes);
    if (fm_message_decode(type, bytes, size, message, arena, &error) != FM_OK)
        fail_msg("%s", error.text);
}

static void write_bytes(peer *p, const char *verb, const char *topic, const char *type, const uint8_t *bytes,
                        size_t size)
{
    char hex[8192];
    assert_less(2 * size, sizeof hex);
    for (size_t i = 0; i < size; i++)
        snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    ask_peer(p, "%s %s %s %s", verb, topic, type, hex);
}

static void write_message(peer *p, const char *topic, const char *name, const fm_message *type, const void *message)
{
    uint8_t bytes[2048];
    size_t size = fm_message_encode(type, message, bytes, sizeof bytes);
    assert_greater(size, 0);
    write_bytes(p, "write", topic, name, bytes, size);
}

static void write_number(peer *p, const char *topic, double value)
{
    write_message(p, topic, "std_msgs::msg::dds_::Float64_", &fm_msg_float64_value_type,
                  &(fm_msg_float64_value){value});
}

static double counter(const char *name)
{
    fm_caller *caller = call_as(&server, FM_WIRE_OBSERVER, "counts", "", FM_WIRE_NONE);
    double value = counter_of(caller, name);
    fm_caller_close(caller);
    return value;
}

/* --- what it sees --- */

static void another_vendor_meets_topics_by_their_ros_names(void **state)
{
    (void)state;
    start_peer(&other);
    expect_line(&other, "here");
    static const char *const seen[] = {
        "writer rt/lauv/odom nav_msgs::msg::dds_::Odometry_ reliable volatile typehash=RIHS01_3cc97dc7fb7502f8",
        "writer rt/clock rosgraph_msgs::msg::dds_::Clock_ reliable volatile typehash=RIHS01_692f7a66e93a3c83",
        "writer rt/tf_static tf2_msgs::msg::dds_::TFMessage_ reliable latched",
        "writer rt/scene fathom_msgs::msg::dds_::Scene_ reliable latched",
        "reader rt/lauv/cmd_vel geometry_msgs::msg::dds_::Twist_ reliable volatile",
        "reader rt/lauv/cmd_vel geometry_msgs::msg::dds_::Twist_ best-effort volatile",
        "reader rt/lauv/cmd_vel geometry_msgs::msg::dds_::TwistStamped_ reliable volatile",
        "reader rt/lauv/order/upper_rudder std_msgs::msg::dds_::Float64_",
        "reader rq/fathom/pauseRequest std_srvs::srv::dds_::SetBool_Request_",
        "reader rq/fathom/spawnRequest fathom_msgs::srv::dds_::Spawn_Request_",
        "reader rq/fathom/waypoints_clearRequest fathom_msgs::srv::dds_::WaypointsClear_Request_",
    };
    unsigned found = 0;
    double until = seconds_now() + 20;
    for (char *line; found != (1u << FM_COUNT(seen)) - 1 && (line = peer_line(&other, until));) {
        note_line(&other, line);
        for (size_t i = 0; i < FM_COUNT(seen); i++)
            found |= (unsigned)begins(line, seen[i]) << i;
    }
    assert_int_equal(found, (1u << FM_COUNT(seen)) - 1);
}

static uint32_t take_u32(const uint8_t **at)
{
    uint32_t value;
    memcpy(&value, *at, 4);
    *at += 4;
    return value;
}

static void expect_text(const uint8_t **at, const char *text)
{
    uint32_t length = take_u32(at);
    assert_int_equal(length, strlen(text) + 1);
    assert_string_equal((const char *)*at, text);
    *at += (length + 3) / 4 * 4;
}

/* rmw_dds_common/ParticipantEntitiesInfo, read by hand: gid, nodes, each with its readers and writers. */
static void the_node_owns_all_that_is_seen_of_it(void **state)
{
    (void)state;
    static uint8_t bytes[1 << 16];
    ask_peer(&other, "read ros_discovery_info rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_ latched");
    ask_peer(&other, "read rt/lauv/odom nav_msgs::msg::dds_::Odometry_");
    ask_peer(&other, "read rt/inputs fathom_msgs::msg::dds_::Input_");
    size_t size = bytes_of_hex(expect_line(&other, "data ros_discovery_info "), bytes, sizeof bytes);
    const uint8_t *at = bytes + 4 + 16; /* encapsulation, gid */
    assert_int_equal(take_u32(&at), 1);
    expect_text(&at, "/");
    expect_text(&at, "fathom");
    uint32_t readers = take_u32(&at);
    at += 16 * readers;
    uint32_t writers = take_u32(&at);
    at += 16 * writers;
    assert_int_equal(at - bytes, size);
    double until = seconds_now() + 20; /* of its own readers two are counted: none of those topics */
    for (char *line; (other.readers < readers || other.writers < writers) && (line = peer_line(&other, until));)
        note_line(&other, line);
    assert_int_equal(other.readers, readers);
    assert_int_equal(other.writers, writers);
}

static void who_comes_late_is_told_the_scene(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_msg_scene scene;
    fm_msg_tf tf;
    ask_peer(&other, "read rt/scene fathom_msgs::msg::dds_::Scene_ latched");
    decode(expect_line(&other, "data rt/scene "), &fm_msg_scene_type, &scene, &arena);
    assert_string_equal(scene.name, "LAUV as a node of ROS 2");
    ask_peer(&other, "read rt/tf_static tf2_msgs::msg::dds_::TFMessage_ latched");
    decode(expect_line(&other, "data rt/tf_static "), &fm_msg_tf_type, &tf, &arena);
    fm_arena_free(&arena);
}

static uint64_t next_clock(void)
{
    fm_msg_clock clock;
    fm_arena arena = {0};
    decode(expect_line(&other, "data rt/clock "), &fm_msg_clock_type, &clock, &arena);
    fm_arena_free(&arena);
    return (uint64_t)clock.clock.sec * 1000000000u + clock.clock.nanosec;
}

/* A writer or a reader that has only just come may miss what is written before both sides know each other; so all of
 * them come first. */
static void open_all(void)
{
    static const char *const writers[] = {
        "rt/lauv/order/upper_rudder std_msgs::msg::dds_::Float64_",
        "rt/lauv/order/propeller std_msgs::msg::dds_::Float64_",
        "rt/lauv/setpoint/depth std_msgs::msg::dds_::Float64_",
        "rt/lauv/cmd_wrench geometry_msgs::msg::dds_::Wrench_",
        "rt/lauv/cmd_vel geometry_msgs::msg::dds_::Twist_",
        "rt/lauv/cmd_actuators sensor_msgs::msg::dds_::JointState_",
        "rt/lauv/cmd_vel geometry_msgs::msg::dds_::Twist_ best",
        "rt/fathom/pause std_msgs::msg::dds_::Bool_",
        "rt/fathom/step std_msgs::msg::dds_::UInt32_",
        "rq/fathom/resetRequest std_srvs::srv::dds_::Trigger_Request_",
    };
    static const char *const services[][2] = {
        {"pause", "std_srvs::srv::dds_::SetBool"},
        {"set_parameters", "rcl_interfaces::srv::dds_::SetParameters"},
        {"get_parameters", "rcl_interfaces::srv::dds_::GetParameters"},
        {"describe_parameters", "rcl_interfaces::srv::dds_::DescribeParameters"},
        {"get_parameter_types", "rcl_interfaces::srv::dds_::GetParameterTypes"},
        {"list_parameters", "rcl_interfaces::srv::dds_::ListParameters"},
        {"set_parameters_atomically", "rcl_interfaces::srv::dds_::SetParametersAtomically"},
    };
    for (size_t i = 0; i < FM_COUNT(writers); i++)
        ask_peer(&other, "open %s", writers[i]);
    for (size_t i = 0; i < FM_COUNT(services); i++) {
        ask_peer(&other, "open rq/fathom/%sRequest %s_Request_", services[i][0], services[i][1]);
        ask_peer(&other, "read rr/fathom/%sReply %s_Response_", services[i][0], services[i][1]);
    }
}

static void the_clock_is_that_of_the_simulation(void **state)
{
    (void)state;
    open_all();
    ask_peer(&other, "read rt/clock rosgraph_msgs::msg::dds_::Clock_");
    uint64_t last = next_clock();
    for (int i = 0; i < 40; i++) {
        uint64_t now = next_clock();
        assert_int_equal(now % 20000000, 0); /* whole steps of 20 ms */
        assert_greater(now, last);
        last = now;
    }
    assert_less(last, 60000000000u);
}

/* --- what it orders: seen again among the inputs of the run --- */

static void expect_input(const char *vehicle, int kind, const char *path, const double *values, size_t count)
{
    fm_msg_input input;
    for (;;) {
        fm_arena arena = {0};
        decode(expect_line(&other, "data rt/inputs "), &fm_msg_input_type, &input, &arena);
        int same = input.kind == kind && strcmp(input.vehicle, vehicle) == 0 &&
                   strcmp(input.texts.count ? input.texts.items[0] : "", path) == 0 && input.values.count >= count &&
                   (count == 0 || memcmp(input.values.items, values, count * sizeof *values) == 0);
        fm_arena_free(&arena);
        if (same)
            return;
    }
}

static void orders_of_another_vendor_reach_the_world(void **state)
{
    (void)state;
    static const double tenth = 0.1, five = 5, fin = -0.05, turning = 50;
    static const double push[6] = {3, -2, -1, 0, -0.5, -0.25};
    static const char *const names[] = {"lower-rudder", "propeller"};
    static const double position[] = {-0.05, (double)NAN}, velocity[] = {(double)NAN, 50};
    write_number(&other, "rt/lauv/order/upper_rudder", tenth);
    expect_input("lauv", FM_MSG_input_ORDER, "upper-rudder", &tenth, 1);
    write_message(&other, "rt/lauv/cmd_wrench", "geometry_msgs::msg::dds_::Wrench_", &fm_msg_wrench_type,
                  &(fm_msg_wrench){{3, 2, 1}, {0, 0.5, 0.25}});
    expect_input("lauv", FM_MSG_input_PUSH, "", push, 6);
    write_message(&other, "rt/lauv/cmd_actuators", "sensor_msgs::msg::dds_::JointState_", &fm_msg_joint_state_type,
                  &(fm_msg_joint_state){.name = {names, 2}, .position = {position, 2}, .velocity = {velocity, 2}});
    expect_input("lauv", FM_MSG_input_ORDER, "lower-rudder", &fin, 1);
    expect_input("lauv", FM_MSG_input_ORDER, "propeller", &turning, 1);
    write_number(&other, "rt/lauv/setpoint/depth", five);
    expect_input("lauv", FM_MSG_input_DESIRE, "depth", &five, 1);
    write_number(&other, "rt/lauv/setpoint/depth", (double)NAN);
    expect_input("lauv", FM_MSG_input_RELEASE, "depth", NULL, 0);
}

static void a_velocity_is_held_while_it_is_ordered(void **state)
{
    (void)state;
    static const double ahead = 1.25, none = 0;
    write_message(&other, "rt/lauv/cmd_vel", "geometry_msgs::msg::dds_::Twist_", &fm_msg_twist_type,
                  &(fm_msg_twist){{1.25, 0, 0}, {0, 0, 0.2}});
    expect_input("lauv", FM_MSG_input_DESIRE, "speed", &ahead, 1);
    expect_input("lauv", FM_MSG_input_DESIRE, "speed", &none, 1); /* half a second later */
}

/* Port and nose up in ROS are starboard and nose up negative and positive inside. */
static void all_axes_that_the_autopilot_has_are_held(void **state)
{
    (void)state;
    static const double aside = -0.25, none = 0;
    fm_msg_input input;
    double pitch = NAN;
    write_message(&other, "rt/lauv/cmd_vel", "geometry_msgs::msg::dds_::Twist_", &fm_msg_twist_type,
                  &(fm_msg_twist){{0.5, 0.25, 0}, {0, -0.1, 0}});
    expect_input("lauv", FM_MSG_input_DESIRE, "sway", &aside, 1);
    for (int i = 0; i < 3;) { /* up by 0.1 rad/s, every 0.1 s */
        fm_arena arena = {0};
        decode(expect_line(&other, "data rt/inputs "), &fm_msg_input_type, &input, &arena);
        if (input.kind == FM_MSG_input_DESIRE && strcmp(input.texts.items[0], "pitch") == 0) {
            if (i++)
                assert_nearer(input.values.items[0] - pitch, 0.01, 1e-3);
            pitch = input.values.items[0];
        }
        fm_arena_free(&arena);
    }
    expect_input("lauv", FM_MSG_input_DESIRE, "sway", &none, 1); /* half a second later */
    write_message(&other, "rt/lauv/cmd_vel", "geometry_msgs::msg::dds_::Twist_", &fm_msg_twist_type,
                  &(fm_msg_twist){{0.5, 0, 0}, {0, 0, 0}});
    expect_input("lauv", FM_MSG_input_DESIRE, "speed", &none, 1);
}

/* As joysticks and planners write. */
static void a_best_effort_writer_is_heard_once(void **state)
{
    (void)state;
    static const double slow = 0.75;
    uint8_t bytes[256];
    double taken = counter("ros2/taken");
    size_t size = fm_message_encode(&fm_msg_twist_type, &(fm_msg_twist){{0.75, 0, 0}, {0, 0, 0}}, bytes, sizeof bytes);
    write_bytes(&other, "spray", "rt/lauv/cmd_vel", "geometry_msgs::msg::dds_::Twist_", bytes, size);
    expect_input("lauv", FM_MSG_input_DESIRE, "speed", &slow, 1);
    write_number(&other, "rt/lauv/order/upper_rudder", 0.05); /* a reliable one too */
    expect_input("lauv", FM_MSG_input_ORDER, "upper-rudder", (const double[]){0.05}, 1);
    assert_same(counter("ros2/taken"), taken + 2);
}

static void expect_tellings(size_t count)
{
    double until = seconds_now() + 20;
    for (char *line; other.tellings < count && (line = peer_line(&other, until));)
        note_line(&other, line);
    assert_at_least(other.tellings, count); /* readers and writers of a vehicle may come apart */
}

static void a_vehicle_that_comes_later_takes_orders_too(void **state)
{
    (void)state;
    static const double depth = 6;
    size_t tellings = other.tellings;
    fm_caller *caller = call_as(&server, FM_WIRE_COMMANDER, "harbour", "", FM_WIRE_NONE);
    assert_int_equal(command(caller, FM_COMMAND_SPAWN, "second", "lauv", 0), FM_WIRE_DONE);
    static const char *const seen[] = {"reader rt/second/setpoint/depth ", "writer rt/second/odom "};
    unsigned found = 0;
    double until = seconds_now() + 20;
    for (char *line; found != 3 && (line = peer_line(&other, until));) {
        note_line(&other, line);
        for (size_t i = 0; i < FM_COUNT(seen); i++)
            found |= (unsigned)begins(line, seen[i]) << i;
    }
    assert_int_equal(found, 3);
    expect_tellings(tellings + 1);
    ask_peer(&other, "read rt/second/odom nav_msgs::msg::dds_::Odometry_");
    expect_line(&other, "data rt/second/odom ");
    ask_peer(&other, "open rt/second/setpoint/depth std_msgs::msg::dds_::Float64_");
    for (int i = 0; i < 20; i++)
        next_clock();
    write_number(&other, "rt/second/setpoint/depth", depth);
    expect_input("second", FM_MSG_input_DESIRE, "depth", &depth, 1);
    tellings = other.tellings;
    assert_int_equal(command(caller, FM_COMMAND_REMOVE, "second", "", 0), FM_WIRE_DONE);
    expect_tellings(tellings + 1);
    fm_caller_close(caller);
}

static void what_is_no_message_is_dropped_and_counted(void **state)
{
    (void)state;
    static const uint8_t cut[] = {0, 1, 0, 0, 1, 2, 3};
    write_bytes(&other, "write", "rt/lauv/order/propeller", "std_msgs::msg::dds_::Float64_", cut, sizeof cut);
    write_number(&other, "rt/lauv/order/propeller", (double)NAN);
    double until = seconds_now() + 10;
    while ((counter("ros2/drop/syntax") < 1 || counter("ros2/drop/value") < 1) && seconds_now() < until)
        continue;
    assert_same(counter("ros2/drop/syntax"), 1);
    assert_same(counter("ros2/drop/value"), 1);
    assert_same(counter("ros2/drop/full"), 0);
    assert_at_least(counter("ros2/taken"), 8);
}

static void the_run_waits_and_makes_single_steps(void **state)
{
    (void)state;
    write_message(&other, "rt/fathom/pause", "std_msgs::msg::dds_::Bool_", &fm_msg_bool_value_type,
                  &(fm_msg_bool_value){1});
    fm_caller *caller = call_as(&server, FM_WIRE_OBSERVER, "clock", "", FM_WIRE_NONE);
    double before = counter_of(caller, "time"), now = NAN;
    for (double until = seconds_now() + 10; before != now && seconds_now() < until;) {
        now = before;
        usleep(100000);
        before = counter_of(caller, "time");
    }
    uint64_t paused = next_clock();
    for (uint64_t next; (next = next_clock()) != paused;)
        paused = next;
    for (int i = 0; i < 5; i++) /* the clock goes on, and time does not */
        assert_same(next_clock(), paused);
    write_message(&other, "rt/fathom/step", "std_msgs::msg::dds_::UInt32_", &fm_msg_uint32_value_type,
                  &(fm_msg_uint32_value){5});
    for (double until = seconds_now() + 10; now - before < 0.0999 && seconds_now() < until;)
        now = counter_of(caller, "time");
    usleep(100000);
    assert_nearer(counter_of(caller, "time") - before, 0.1, 1e-9); /* 5 of 20 ms */
    fm_caller_close(caller);
}

/* --- services --- */

static size_t framed(const fm_message *type, const void *message, uint8_t *bytes, size_t room)
{
    static const uint8_t frame[FM_ROS2_FRAME] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0};
    size_t size = fm_message_encode(type, message, bytes + FM_ROS2_FRAME, room - FM_ROS2_FRAME);
    memmove(bytes, bytes + FM_ROS2_FRAME, 4);
    memcpy(bytes + 4, frame, sizeof frame);
    return size + FM_ROS2_FRAME;
}

static void ask_service(const char *name, const char *service, const fm_message *request, const void *message,
                        const fm_message *response, void *answer, fm_arena *arena)
{
    char topic[128], type[128], words[256];
    uint8_t bytes[2048];
    snprintf(topic, sizeof topic, "rq/fathom/%sRequest", name);
    snprintf(type, sizeof type, "%s_Request_", service);
    write_bytes(&other, "write", topic, type, bytes, framed(request, message, bytes, sizeof bytes));
    snprintf(words, sizeof words,
             "data rr/fathom/%sReply 00010000"
             "0102030405060708"
             "0900000000000000",
             name);
    char plain[1 << 16];
    snprintf(plain, sizeof plain, "00010000%s", expect_line(&other, words));
    decode(plain, response, answer, arena);
}

static void services_in_the_framing_of_cyclone_are_answered(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_msg_set_parameters_response done;
    fm_msg_get_parameters_response got;
    fm_msg_set_bool_response paused;
    const fm_msg_parameter wanted[] = {{"/water/density", {.type = 3, .double_value = 1010}},
                                       {"/no/such", {.type = 3, .double_value = 1}},
                                       {"speed", {.type = 2, .integer_value = 2}}};
    static const char *const names[] = {"/water/density", "/no/such"};
    ask_service("set_parameters", "rcl_interfaces::srv::dds_::SetParameters", &fm_msg_set_parameters_request_type,
                &(fm_msg_set_parameters_request){.parameters = {wanted, 3}}, &fm_msg_set_parameters_response_type,
                &done, &arena);
    assert_int_equal(done.results.count, 3);
    assert_true(done.results.items[0].successful && !done.results.items[1].successful &&
                done.results.items[2].successful);
    ask_service("pause", "std_srvs::srv::dds_::SetBool", &fm_msg_set_bool_request_type, &(fm_msg_set_bool_request){0},
                &fm_msg_set_bool_response_type, &paused, &arena);
    assert_true(paused.success);
    uint64_t now = next_clock(); /* it goes on, */
    assert_greater(next_clock(), now);
    ask_service("get_parameters", "rcl_interfaces::srv::dds_::GetParameters", &fm_msg_get_parameters_request_type,
                &(fm_msg_get_parameters_request){.names = {names, 2}}, &fm_msg_get_parameters_response_type, &got,
                &arena);
    assert_int_equal(got.values.count, 2);
    assert_same(got.values.items[0].type, 3);
    assert_same(got.values.items[0].double_value, 1010); /* in other water */
    assert_int_equal(got.values.items[1].type, 0);
    fm_arena_free(&arena);
}

/* As rmw_fastrtps calls: the request is the message alone, and the reply carries the identity of the request. */
static void call_service(const char *name, const char *service, const fm_message *request, const void *message,
                         const fm_message *response, void *answer, fm_arena *arena)
{
    static char hex[2 * 32768 + 1];
    static uint8_t bytes[32768];
    char words[256];
    size_t size = fm_message_encode(request, message, bytes, sizeof bytes);
    assert_greater(size, 0);
    for (size_t i = 0; i < size; i++)
        snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    snprintf(words, sizeof words, "called rq/fathom/%sRequest ", name);
    ask_peer(&other, "call rq/fathom/%sRequest %s_Request_ %s rr/fathom/%sReply", name, service, hex, name);
    long long number = atoll(expect_line(&other, words));
    snprintf(words, sizeof words, "reply rr/fathom/%sReply %lld ", name, number);
    decode(expect_line(&other, words), response, answer, arena);
}

static void services_in_the_framing_of_fast_dds_are_answered(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_msg_set_bool_response paused;
    static const char *const names[] = {"/water/density"};
    fm_msg_get_parameters_response got;
    for (int i = 0; i < 3; i++) { /* the second pauses, the third goes on */
        call_service("pause", "std_srvs::srv::dds_::SetBool", &fm_msg_set_bool_request_type,
                     &(fm_msg_set_bool_request){i == 1}, &fm_msg_set_bool_response_type, &paused, &arena);
        assert_true(paused.success);
    }
    call_service("get_parameters", "rcl_interfaces::srv::dds_::GetParameters", &fm_msg_get_parameters_request_type,
                 &(fm_msg_get_parameters_request){.names = {names, 1}}, &fm_msg_get_parameters_response_type, &got,
                 &arena);
    assert_int_equal(got.values.count, 1);
    assert_same(got.values.items[0].double_value, 1010);
    fm_arena_free(&arena);
    assert_same(counter("ros2/drop/framing"), 0);
}

#define PARAMETERS(name) "rcl_interfaces::srv::dds_::" name

static size_t index_of(const char *const *names, size_t count, const char *name)
{
    size_t i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

static void list_below(const char *prefix, uint64_t depth, fm_msg_list_parameters_response *list, fm_arena *arena)
{
    const char *const wanted[] = {prefix};
    call_service("list_parameters", PARAMETERS("ListParameters"), &fm_msg_list_parameters_request_type,
                 &(fm_msg_list_parameters_request){.prefixes = {wanted, prefix != NULL}, .depth = depth},
                 &fm_msg_list_parameters_response_type, list, arena);
}

/* What `ros2 param list` waits for and asks. The list of names is longer than a packet. */
static void a_client_of_parameters_finds_all_six_services(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_msg_list_parameters_response list;
    list_below(NULL, 0, &list, &arena);
    const char *const *all = list.result.names.items, *const *above = list.result.prefixes.items;
    size_t count = list.result.names.count;
    assert_greater(count, 100);
    assert_less(index_of(all, count, "/water/density"), count);
    assert_less(index_of(all, count, "/lauv/dvl/ranges/noise"), count);
    assert_less(index_of(all, count, "speed"), count);
    assert_int_equal(index_of(all, count, "/world/dt"), count); /* fixed at load */
    assert_less(index_of(above, list.result.prefixes.count, "/lauv/dvl/ranges"), list.result.prefixes.count);
    list_below("/lauv/dvl", 1, &list, &arena);
    assert_in_range(list.result.names.count, 5, count / 2);
    for (size_t i = 0; i < list.result.names.count; i++) {
        const char *name = list.result.names.items[i];
        assert_true(begins(name, "/lauv/dvl/") && !strchr(name + strlen("/lauv/dvl/"), '/'));
    }
    fm_arena_free(&arena);
}

/* The reply comes in fragments: it is longer than one datagram of Cyclone. */
static void every_parameter_that_is_listed_is_described(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_msg_list_parameters_response list;
    fm_msg_describe_parameters_response told;
    list_below(NULL, 0, &list, &arena);
    const fm_msg_describe_parameters_request wanted = {.names = {list.result.names.items, list.result.names.count}};
    call_service("describe_parameters", PARAMETERS("DescribeParameters"), &fm_msg_describe_parameters_request_type,
                 &wanted, &fm_msg_describe_parameters_response_type, &told, &arena);
    assert_greater(fm_message_size(&fm_msg_describe_parameters_response_type, &told), 2 * 14720);
    assert_int_equal(told.descriptors.count, list.result.names.count);
    for (size_t i = 0; i < told.descriptors.count; i++) {
        assert_string_equal(told.descriptors.items[i].name, list.result.names.items[i]);
        assert_same(told.descriptors.items[i].type, 3);
        assert_greater(strlen(told.descriptors.items[i].description), 5);
    }
    fm_arena_free(&arena);
}

static void parameters_have_types_and_descriptions(void **state)
{
    (void)state;
    static const char *const names[] = {"/water/density", "speed", "/no/such"};
    const fm_msg_get_parameters_request wanted = {.names = {names, 3}}; /* the same fields in all three requests */
    fm_arena arena = {0};
    fm_msg_get_parameter_types_response types;
    fm_msg_describe_parameters_response told;
    call_service("get_parameter_types", PARAMETERS("GetParameterTypes"), &fm_msg_get_parameter_types_request_type,
                 &wanted, &fm_msg_get_parameter_types_response_type, &types, &arena);
    assert_int_equal(types.types.count, 3);
    assert_memory_equal(types.types.items, "\3\3\0", 3);
    call_service("describe_parameters", PARAMETERS("DescribeParameters"), &fm_msg_describe_parameters_request_type,
                 &wanted, &fm_msg_describe_parameters_response_type, &told, &arena);
    assert_int_equal(told.descriptors.count, 3);
    const fm_msg_parameter_descriptor *d = told.descriptors.items;
    assert_string_equal(d[0].name, "/water/density");
    assert_non_null(strstr(d[0].description, "[kg/m3]"));
    assert_int_equal(d[0].floating_point_range.count, 1);
    assert_same(d[0].floating_point_range.items[0].from_value, 1);
    assert_same(d[0].floating_point_range.items[0].to_value, 2000);
    for (size_t i = 0; i < 3; i++)
        assert_same(d[i].type, types.types.items[i]);
    fm_arena_free(&arena);
}

static void several_parameters_are_set_together_or_not_at_all(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_msg_set_parameters_atomically_response done;
    fm_msg_get_parameters_response got;
    fm_msg_parameter wanted[] = {{"/water/density", {.type = 3, .double_value = 1020}}, {"/bottom/depth", {.type = 3}}};
    static const char *const names[] = {"/water/density", "/bottom/depth"};
    for (int good = 0; good < 2; good++) {
        wanted[1].value.double_value = good ? 25 : -1; /* out of range, then not */
        call_service("set_parameters_atomically", PARAMETERS("SetParametersAtomically"),
                     &fm_msg_set_parameters_atomically_request_type,
                     &(fm_msg_set_parameters_atomically_request){.parameters = {wanted, 2}},
                     &fm_msg_set_parameters_atomically_response_type, &done, &arena);
        assert_int_equal(done.result.successful, good);
        assert_int_equal(strstr(done.result.reason, "/bottom/depth") != NULL, !good);
        uint64_t now = next_clock();
        while (next_clock() < now + 100000000) /* they take effect with the next step */
            continue;
        call_service("get_parameters", PARAMETERS("GetParameters"), &fm_msg_get_parameters_request_type,
                     &(fm_msg_get_parameters_request){.names = {names, 2}}, &fm_msg_get_parameters_response_type, &got,
                     &arena);
        assert_same(got.values.items[0].double_value, good ? 1020 : 1010);
        assert_same(got.values.items[1].double_value, good ? 25 : 20);
    }
    fm_arena_free(&arena);
}

/* --- and all of it again --- */

static void what_was_read_is_in_the_log_byte_for_byte(void **state)
{
    (void)state;
    static program_run r;
    fm_error error;
    fm_mcap_cursor *cursor;
    fm_mcap_message message;
    size_t same = 0;
    assert_int_equal(stop_serving(&server), 0);
    ask_peer(&other, "quit");
    for (char *line; (line = peer_line(&other, seconds_now() + 10));)
        note_line(&other, line);
    fm_mcap_reader *log = open_log("ros2_live.mcap");
    assert_int_equal(
        fm_mcap_query_open(log, &(fm_mcap_query){fm_mcap_find_channel(log, "/lauv/odom"), 0, 0}, &cursor, &error),
        FM_OK);
    while (fm_mcap_next(cursor, &message, &error) == FM_OK && message.data)
        for (size_t i = 0; i < other.odometry_count; i++)
            same += memcmp(other.odometry[i], message.data, message.size) == 0;
    fm_mcap_query_close(cursor);
    fm_mcap_reader_close(log);
    assert_greater(other.odometry_count, 20);
    assert_int_equal(same, other.odometry_count);
    run_fathom(&r, "replay ros2_live.mcap --verify");
    expect_run(&r, 0, "the same");
}

static void serve_nodes_of(const char *distribution, unsigned number, const char *name)
{
    static program_run r;
    domain = number;
    memset(&other, 0, sizeof other);
    run_shell(&r,
              "sed 's|seed=\"1\"|seed=\"1\" capacity=\"2\"|; s|<bridge kind=\"ros2\"/>|<bridge kind=\"ros2\" "
              "domain=\"%u\" address=\"lo\" "
              "distribution=\"%s\"/>|' " FATHOM_SOURCE_DIR "/scenarios/ros2-lauv.xml > %s.xml",
              domain, distribution, name);
    serve(&server, "%s.xml --log %s.mcap", name, name);
}

static int serve_ros2(void **state)
{
    (void)state;
    serve_nodes_of("jazzy", 1 + (unsigned)getpid() % 100, "ros2_live");
    return 0;
}

/* --- nodes of Humble, and the run steered by topics and services --- */

static int serve_humble(void **state)
{
    (void)state;
    serve_nodes_of("humble", 101 + (unsigned)getpid() % 100, "ros2_humble");
    return 0;
}

static int all_zero(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return 0;
    return 1;
}

/* The same message as above, with gids of 24 bytes: those of DDS, and eight zeros. */
static void up_to_humble_identifiers_have_24_bytes(void **state)
{
    (void)state;
    static uint8_t bytes[1 << 16];
    static const char *const topics[] = {
        "rt/fathom/reset std_msgs::msg::dds_::Empty_",
        "rt/fathom/speed std_msgs::msg::dds_::Float64_",
        "rt/fathom/set_parameter diagnostic_msgs::msg::dds_::KeyValue_",
        "rt/lauv/cmd_vel geometry_msgs::msg::dds_::TwistStamped_",
    };
    static const char *const services[][2] = {{"pause", "std_srvs::srv::dds_::SetBool"},
                                              {"step", "std_srvs::srv::dds_::Trigger"},
                                              {"reset", "std_srvs::srv::dds_::Trigger"}};
    start_peer(&other);
    expect_line(&other, "here");
    for (size_t i = 0; i < FM_COUNT(topics); i++)
        ask_peer(&other, "open %s", topics[i]);
    for (size_t i = 0; i < FM_COUNT(services); i++) {
        ask_peer(&other, "open rq/fathom/%sRequest %s_Request_", services[i][0], services[i][1]);
        ask_peer(&other, "read rr/fathom/%sReply %s_Response_", services[i][0], services[i][1]);
    }
    ask_peer(&other, "read ros_discovery_info rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_ latched");
    ask_peer(&other, "read rt/clock rosgraph_msgs::msg::dds_::Clock_");
    ask_peer(&other, "read rt/inputs fathom_msgs::msg::dds_::Input_");
    size_t size = bytes_of_hex(expect_line(&other, "data ros_discovery_info "), bytes, sizeof bytes);
    const uint8_t *at = bytes + 4 + 24; /* encapsulation, gid */
    assert_false(all_zero(bytes + 4, 12));
    assert_true(all_zero(bytes + 4 + 16, 8));
    assert_int_equal(take_u32(&at), 1);
    expect_text(&at, "/");
    expect_text(&at, "fathom");
    for (int i = 0; i < 2; i++) { /* readers, writers */
        uint32_t count = take_u32(&at);
        assert_in_range(count, 5, 200);
        for (uint32_t k = 0; k < count; k++, at += 24)
            assert_true(!all_zero(at, 16) && all_zero(at + 16, 8));
    }
    assert_int_equal(at - bytes, size);
    for (int i = 0; i < 50; i++) /* by now both know each other's ends */
        next_clock();
}

static void expect_counter(const char *name, double least, double most)
{
    double value = counter(name);
    for (double until = seconds_now() + 10; !(value >= least && value <= most) && seconds_now() < until;)
        value = counter(name);
    if (!(value >= least && value <= most))
        fail_msg("%s is %g, not %g to %g", name, value, least, most);
}

static void the_run_is_set_paced_and_reset_by_topics(void **state)
{
    (void)state;
    static program_run r;
    static const uint8_t empty[] = {0, 1, 0, 0, 0};
    write_message(&other, "rt/fathom/set_parameter", "diagnostic_msgs::msg::dds_::KeyValue_", &fm_msg_key_value_type,
                  &(fm_msg_key_value){"/current/velocity/x", "0.25"});
    double until = seconds_now() + 10;
    do
        run_fathom(&r, "ctl params /current/velocity/x --json --port %d", server.port);
    while (!strstr(r.out, "\"value\": 0.25") && seconds_now() < until);
    expect_run(&r, 0, "\"value\": 0.25");
    write_number(&other, "rt/fathom/speed", 3);
    expect_counter("speed", 3, 3);
    write_number(&other, "rt/fathom/speed", 1);
    expect_counter("speed", 1, 1);
    expect_counter("time", 1, 1e9);
    double before = counter("time");
    write_bytes(&other, "write", "rt/fathom/reset", "std_msgs::msg::dds_::Empty_", empty, sizeof empty);
    expect_counter("time", 0, before - 0.02);
}

/* On the same topic as a Twist. */
static void a_velocity_with_a_header_is_held(void **state)
{
    (void)state;
    static const double ahead = 1.5;
    write_message(&other, "rt/lauv/cmd_vel", "geometry_msgs::msg::dds_::TwistStamped_", &fm_msg_twist_stamped_type,
                  &(fm_msg_twist_stamped){.header.frame_id = "lauv/base_link", .twist.linear.x = 1.5});
    expect_input("lauv", FM_MSG_input_DESIRE, "speed", &ahead, 1);
}

static void the_run_is_stepped_and_reset_by_services(void **state)
{
    (void)state;
    static const uint8_t none = 0;
    fm_arena arena = {0};
    fm_msg_set_bool_response paused;
    fm_msg_trigger_response done;
    ask_service("pause", "std_srvs::srv::dds_::SetBool", &fm_msg_set_bool_request_type, &(fm_msg_set_bool_request){1},
                &fm_msg_set_bool_response_type, &paused, &arena);
    assert_true(paused.success);
    double before = counter("time");
    ask_service("step", "std_srvs::srv::dds_::Trigger", &fm_ros2_trigger_request, &none, &fm_msg_trigger_response_type,
                &done, &arena);
    assert_true(done.success);
    expect_counter("time", before + 0.0199, before + 0.0201);
    ask_service("reset", "std_srvs::srv::dds_::Trigger", &fm_ros2_trigger_request, &none, &fm_msg_trigger_response_type,
                &done, &arena);
    assert_true(done.success);
    expect_counter("time", 0, 0);
    fm_arena_free(&arena);
    assert_int_equal(stop_serving(&server), 0);
}

static int end_peer(void **state)
{
    (void)state;
    if (other.pid > 0) {
        kill(other.pid, SIGKILL);
        waitpid(other.pid, NULL, 0);
        fclose(other.in);
        close(other.out);
    }
    free(other.text);
    free(other.odometry);
    return 0;
}

#endif

/* --- without another vendor --- */

static void settings_that_are_wrong_are_named(void **state)
{
    (void)state;
    static program_run r;
    const char *run = "run " FATHOM_SOURCE_DIR "/scenarios/phoenix-turn.xml --duration 0.1 --bridge";
#ifdef FM_HAVE_DDS
    run_fathom(&r, "%s \"ros2 domain=233\"", run);
    expect_run(&r, 1, "232");
    run_fathom(&r, "%s \"ros2 node=a/b\"", run);
    assert_different(r.status, 0);
    run_fathom(&r, "%s \"ros2 address=no-such-interface\"", run);
    expect_run(&r, 1, "no-such-interface");
    run_shell(&r, "ROS_DOMAIN_ID=much %s %s ros2", FATHOM_PROGRAM, run);
    expect_run(&r, 1, "ROS_DOMAIN_ID is 'much': must be 0");
#endif
    run_fathom(&r, "%s \"dis domain=3\"", run);
    expect_run(&r, 1, "a bridge of kind 'dis' has no attribute 'domain'");
}

/* The program as it is built without Cyclone DDS: it reports that, for a scenario and for an option, and knows the
 * other bridges. */
static void a_build_without_dds_says_what_it_lacks(void **state)
{
    (void)state;
    static program_run r;
    static const char words[] = "no bridge of kind 'ros2': this program was built without Cyclone DDS (Debian's "
                                "cyclonedds-dev; build it again)";
    static const char bare[] =
#ifdef FM_HAVE_DDS
        "env LD_LIBRARY_PATH=without-dds " FATHOM_PROGRAM;
#else
        FATHOM_PROGRAM;
#endif
    run_shell(&r, "%s run %s/scenarios/ros2-lauv.xml --duration 0.1 --quiet", bare, FATHOM_SOURCE_DIR);
    expect_run(&r, 1, words);
    run_shell(&r, "%s run %s/scenarios/phoenix-turn.xml --duration 0.1 --quiet --ros2", bare, FATHOM_SOURCE_DIR);
    expect_run(&r, 1, words);
    run_shell(&r, "%s run %s/scenarios/phoenix-turn.xml --duration 0.1 --quiet --bridge 'nmea port=%d'", bare,
              FATHOM_SOURCE_DIR, 20000 + (int)getpid() % 20000);
    expect_run(&r, 0, "");
}

int main(void)
{
    const struct CMUnitTest alone[] = {cmocka_unit_test(settings_that_are_wrong_are_named),
                                       cmocka_unit_test(a_build_without_dds_says_what_it_lacks)};
    int failed = cmocka_run_group_tests(alone, NULL, NULL);
#ifdef FM_HAVE_DDS
    const struct CMUnitTest met[] = {
        cmocka_unit_test(another_vendor_meets_topics_by_their_ros_names),
        cmocka_unit_test(the_node_owns_all_that_is_seen_of_it),
        cmocka_unit_test(who_comes_late_is_told_the_scene),
        cmocka_unit_test(the_clock_is_that_of_the_simulation),
        cmocka_unit_test(orders_of_another_vendor_reach_the_world),
        cmocka_unit_test(a_velocity_is_held_while_it_is_ordered),
        cmocka_unit_test(all_axes_that_the_autopilot_has_are_held),
        cmocka_unit_test(a_best_effort_writer_is_heard_once),
        cmocka_unit_test(a_vehicle_that_comes_later_takes_orders_too),
        cmocka_unit_test(what_is_no_message_is_dropped_and_counted),
        cmocka_unit_test(the_run_waits_and_makes_single_steps),
        cmocka_unit_test(services_in_the_framing_of_cyclone_are_answered),
        cmocka_unit_test(services_in_the_framing_of_fast_dds_are_answered),
        cmocka_unit_test(a_client_of_parameters_finds_all_six_services),
        cmocka_unit_test(every_parameter_that_is_listed_is_described),
        cmocka_unit_test(parameters_have_types_and_descriptions),
        cmocka_unit_test(several_parameters_are_set_together_or_not_at_all),
        cmocka_unit_test(what_was_read_is_in_the_log_byte_for_byte),
    };
    const struct CMUnitTest steered[] = {
        cmocka_unit_test(up_to_humble_identifiers_have_24_bytes),
        cmocka_unit_test(a_velocity_with_a_header_is_held),
        cmocka_unit_test(the_run_is_set_paced_and_reset_by_topics),
        cmocka_unit_test(the_run_is_stepped_and_reset_by_services),
    };
    if (peer_is_there()) {
        failed += cmocka_run_group_tests(met, serve_ros2, end_peer);
        return failed + cmocka_run_group_tests(steered, serve_humble, end_peer);
    }
    print_message("skipped: no second vendor's DDS here (libfastrtps-dev), nothing was tested on the wire\n");
#endif
    return failed;
}
