/* The bridge from a DVL to an autopilot: turns against closed forms, and a run met by an autopilot that sends MAVLink.
 * tests/npm/check_odometry.mjs compares its messages with the vehicle's way. */
#include "bridges/odometry/odometry_say.h"

#include <math.h>
#include <string.h>

#include "net/outside.h"
#include "physics/posture.h"
#include "support/compare.h"

static const char sea[] = "<fathom version='1'><world dt='0.01 s' duration='60 s' seed='1'>"
                          "<water density='1000 kg/m3'/><bottom depth='12 m'/></world>"
                          "<vehicle name='rov' model='bluerov2' position='0 0 2 m'>"
                          "<dvl name='%s' period='0.1 s' range='%s'/></vehicle></fathom>";

/* --- turns --- */

/* A rotation about one axis by hand. */
static void about(int axis, double angle, double out[9])
{
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    memset(out, 0, 9 * sizeof *out);
    out[4 * axis] = 1;
    out[4 * a] = out[4 * b] = cos(angle);
    out[3 * a + b] = -sin(angle);
    out[3 * b + a] = sin(angle);
}

static void multiply(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out[3 * i + k] = a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
}

/* Whatever the attitude before, a turn about a body axis is a vector along that axis. */
static void a_turn_about_a_body_axis_is_a_vector_along_it(void **state)
{
    (void)state;
    double first[9], second[9], before[9], between[9], now[9], turn[3];
    about(2, 2.1, first);
    about(1, -0.7, second);
    multiply(first, second, before);
    for (int axis = 0; axis < 3; axis++)
        for (double angle = -3; angle <= 3; angle += 0.25) {
            about(axis, angle, between);
            multiply(before, between, now);
            fm_odometry_turn(before, now, turn);
            for (int i = 0; i < 3; i++)
                assert_near(turn[i], i == axis ? angle : 0, 1e-9);
        }
    fm_odometry_turn(before, before, turn);
    for (int i = 0; i < 3; i++)
        assert_near(turn[i], 0, 1e-12);
}

/* --- a run --- */

static void begin(outside *o, const char *name, int port, const char *range, const char *more)
{
    char file[64], text[1024];
    snprintf(file, sizeof file, "%s.xml", name);
    snprintf(text, sizeof text, sea, "a50", range);
    write_file(file, text);
    begin_fathom(o, name, "run %s --quiet --realtime --bridge \"odometry port=%d %s\"", file, port, more);
}

static void finish(outside *o, char **told)
{
    kill(o->child, SIGTERM);
    assert_int_equal(end_fathom(o, told), 128 + SIGTERM);
}

static void beat(int fd, int port)
{
    fm_mav_sender from = {.system = 1, .component = 1};
    const fm_mav_heartbeat message = {.type = 12, .autopilot = 3, .mavlink_version = 3};
    struct sockaddr_in to = local_port(port);
    uint8_t bytes[FM_MAV_MOST];
    const size_t size = fm_mav_heartbeat_write(&from, &message, bytes);
    sendto(fd, bytes, size, 0, (struct sockaddr *)&to, sizeof to);
}

/* Messages of these ids that come within a time. */
static void count_messages(int fd, int milliseconds, const uint32_t ids[3], int counts[3])
{
    const double end = clock_now() + 1e-3 * milliseconds;
    memset(counts, 0, 3 * sizeof *counts);
    for (double left; (left = end - clock_now()) > 0;) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        uint8_t bytes[2048];
        if (poll(&wait, 1, (int)(1e3 * left) + 1) <= 0)
            return;
        const ssize_t size = recv(fd, bytes, sizeof bytes, 0);
        fm_mav_frame frame;
        size_t used;
        for (size_t at = 0; at < (size_t)(size > 0 ? size : 0); at += used) {
            assert_int_equal(fm_mav_open(bytes + at, (size_t)size - at, &frame, &used), FM_MAV_FINE);
            for (int i = 0; i < 3; i++)
                counts[i] += frame.id == ids[i];
        }
    }
}

static const uint32_t ids[3] = {FM_MAV_ID_VISION_POSITION_DELTA, FM_MAV_ID_DISTANCE_SENSOR, FM_MAV_ID_HEARTBEAT};

/* Speaks until it is answered: the program may still be starting. */
static void meet(int fd, int port)
{
    int counts[3] = {0};
    for (int i = 0; i < 100 && counts[0] + counts[1] + counts[2] == 0; i++) {
        beat(fd, port);
        count_messages(fd, 200, ids, counts);
    }
    assert_greater(counts[0] + counts[1] + counts[2], 0);
}

static void an_autopilot_that_speaks_gets_the_readings_until_it_is_silent(void **state)
{
    (void)state;
    outside o;
    int port = free_port(SOCK_DGRAM), fd = socket(AF_INET, SOCK_DGRAM, 0), other = socket(AF_INET, SOCK_DGRAM, 0);
    int counts[3], more[3];
    struct sockaddr_in to = local_port(port);
    char *told;
    begin(&o, "odometry_listen", port, "50 m", "patience='2 s'");
    meet(fd, port);
    beat(fd, port);
    sendto(fd, "\xFE\x09 no frame", 11, 0, (struct sockaddr *)&to, sizeof to);
    beat(other, port);
    count_messages(fd, 1500, ids, counts);
    assert_within(8, counts[0], 17); /* 10 readings per second */
    assert_within(8, counts[1], 17);
    assert_within(1, counts[2], 3);
    count_messages(fd, 1500, ids, counts); /* 2 s after its last message */
    count_messages(fd, 1000, ids, counts);
    assert_int_equal(counts[0] + counts[1] + counts[2], 0);
    count_messages(other, 10, ids, more);
    assert_int_equal(more[0] + more[1] + more[2], 0);
    meet(other, port); /* another may come now */
    finish(&o, &told);
    if (!strstr(told, "odometry/drop/stranger: 1"))
        fail_msg("'%s' does not count the stranger", told);
    free(told);
}

/* Beyond the range of the DVL: the altitude is lost too. */
static void without_the_bottom_nothing_but_the_heartbeat_is_sent(void **state)
{
    (void)state;
    outside o;
    int port = free_port(SOCK_DGRAM), fd = socket(AF_INET, SOCK_DGRAM, 0), counts[3];
    begin(&o, "odometry_lost", port, "5 m", "");
    meet(fd, port);
    beat(fd, port);
    count_messages(fd, 1500, ids, counts);
    assert_int_equal(counts[0], 0);
    assert_int_equal(counts[1], 0);
    assert_within(1, counts[2], 3);
    finish(&o, NULL);
}

static void what_is_not_a_dvl_is_refused(void **state)
{
    (void)state;
    static program_run r;
    char text[1024];
    snprintf(text, sizeof text, sea, "a50", "50 m");
    write_file("odometry_wrong.xml", text);
    run_fathom(&r, "run odometry_wrong.xml --bridge \"odometry instrument=a5\"");
    expect_run(&r, 1, "'rov' has no DVL 'a5'; did you mean 'a50'?");
    run_fathom(&r, "run odometry_wrong.xml --bridge \"odometry mode=hear\"");
    expect_run(&r, 1, "listen");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_about_a_body_axis_is_a_vector_along_it),
        cmocka_unit_test(an_autopilot_that_speaks_gets_the_readings_until_it_is_silent),
        cmocka_unit_test(without_the_bottom_nothing_but_the_heartbeat_is_sent),
        cmocka_unit_test(what_is_not_a_dvl_is_refused),
    };
    return cmocka_run_group_tests_name("odometry bridge", tests, NULL, NULL);
}
