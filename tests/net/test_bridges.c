/* Bridges as a class: one from a plugin (examples/plugin/lines.c) through the program, and those of a scenario that is
 * served through the library. */
#include <fathom/server.h>

#include "net/outside.h"
#include "support/scenario.h"

#define SEA(bridge)                                                                                                    \
    "<fathom version='1'>\n<world dt='0.05 s' duration='60 s'><water density='1025 kg/m3'/></world>\n" bridge          \
    "\n<vehicle name='phoenix' model='nps-auv-ii' position='0 0 3 m' velocity='0.6 0 0 m/s'>"                          \
    "<orders><at t='0 s' propellers='700 rpm'/></orders></vehicle></fathom>\n"

static int listen_at(int *port)
{
    struct sockaddr_in at = local_port(0);
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    *port = ntohs(at.sin_port);
    return fd;
}

typedef struct line_heard {
    double time, heading; /* s, rad */
    char vehicle[32];
} line_heard;

/* 1: a line came within the time. */
static int hear(int fd, int milliseconds, line_heard *heard)
{
    char line[512];
    double p[3], a[2];
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    if (poll(&wait, 1, milliseconds) <= 0)
        return 0;
    ssize_t size = recv(fd, line, sizeof line - 1, 0);
    assert_greater(size, 0);
    line[size] = 0;
    if (sscanf(line, "{\"time\":%lf,\"vehicle\":\"%31[^\"]\",\"position\":[%lf,%lf,%lf],\"attitude\":[%lf,%lf,%lf]}",
               &heard->time, heard->vehicle, &p[0], &p[1], &p[2], &a[0], &a[1], &heard->heading) != 8)
        fail_msg("'%s' is not a line of the bridge", line);
    return 1;
}

static void send_order(int fd, int port, const char *text)
{
    struct sockaddr_in to = local_port(port);
    assert_int_equal(sendto(fd, text, strlen(text), 0, (struct sockaddr *)&to, sizeof to), (ssize_t)strlen(text));
}

/* --- facts --- */

static void a_bridge_of_a_plugin_sends_poses_and_takes_orders(void **state)
{
    (void)state;
    outside o;
    line_heard heard = {0};
    char text[2048], *told;
    int port, orders = free_port(SOCK_DGRAM), fd = listen_at(&port), count = 0;
    snprintf(text, sizeof text,
             SEA("<bridge kind='lines' plugin='" PLUGIN_FILE "' port='%d' listen-port='%d' rate='10 Hz'/>"), port,
             orders);
    write_file("net_lines.xml", text);
    begin_fathom(&o, "net_lines", "run net_lines.xml --speed 10 --duration 30 --log net_lines.mcap");
    assert_int_equal(hear(fd, 60000, &heard), 1);
    assert_string_equal(heard.vehicle, "phoenix");
    assert_same(heard.time, 0);
    assert_near(heard.heading, 0, 1e-9);
    send_order(fd, orders, "order phoenix bow-rudder 0.3");
    send_order(fd, orders, "oder phoenix bow-rudder 0.3");
    while (heard.time < 29.85 && hear(fd, 20000, &heard))
        count++;
    assert_greater(count, 290); /* ten per second of simulated time */
    assert_greater(fabs(angle_between(heard.heading, 0)), 0.2);
    assert_int_equal(end_fathom(&o, &told), 0);
    if (!strstr(told, "lines to 127.0.0.1") || !strstr(told, "lines/drop/syntax: 1"))
        fail_msg("output: %s", told);
    free(told);
    static program_run r; /* the order is in the log; bridges are not opened again */
    run_fathom(&r, "replay net_lines.mcap --verify");
    expect_run(&r, 0, "the same");
    close(fd);
}

static void an_option_opens_a_bridge_of_a_plugin(void **state)
{
    (void)state;
    static program_run r;
    line_heard heard;
    int port, fd = listen_at(&port), count = 0;
    write_file("net_lines_option.xml", SEA(""));
    run_fathom(&r, "run net_lines_option.xml --fast --quiet --duration 2 --bridge \"lines plugin=%s port=%d\"",
               PLUGIN_FILE, port);
    expect_run(&r, 0, "");
    while (hear(fd, 0, &heard))
        assert_near(heard.time, count++, 1e-9);
    assert_int_equal(count, 3);
    close(fd);
}

static void what_is_wrong_with_a_bridge_is_named_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *bridge, *words;
        fm_status status;
    } wrong[] = {
        {"<bridge/>", "'kind' is missing: must be dis, ros2, ardupilot, mavlink, nmea, ping, odometry", FM_ERR_SYNTAX},
        {"<bridge kind='nema'/>", "did you mean 'nmea'", FM_ERR_NAME},
        {"<bridge kind='lines'/>", "unknown kind 'lines'", FM_ERR_NAME},
        {"<bridge kind='dis' domain='3'/>", "<bridge> has no attribute 'domain'", FM_ERR_NAME},
        {"<bridge kind='nmea' vehicle='phonix'/>", "did you mean 'phoenix'", FM_ERR_NAME},
        {"<bridge kind='nmea' talker='x'/>", "talker of <bridge>: 'x' is not a talker", FM_ERR_RANGE},
        {"<bridge kind='nmea' transport='pty'/>", "needs the path of the link", FM_ERR_ARGUMENT},
        {"<bridge kind='ros2' node='a-b'/>", "node of <bridge>: 'a-b' is not a name of a node", FM_ERR_NAME},
        {"<bridge kind='ping'/>", "'phoenix' has no echosounder", FM_ERR_ARGUMENT},
        {"<bridge kind='ardupilot' pulses='1500 1500 1900 us'/>", "least, neutral, greatest", FM_ERR_RANGE},
        {"<bridge kind='lines' plugin='" PLUGIN_FILE "' address='here'/>", "'here' is not an IPv4 address",
         FM_ERR_RANGE},
        {"<bridge kind='liens' plugin='" PLUGIN_FILE "'/>", "did you mean 'lines'", FM_ERR_NAME},
    };
    for (size_t i = 0; i < FM_COUNT(wrong); i++) {
        char text[2048];
        fm_error error = {0};
        snprintf(text, sizeof text, SEA("%s"), wrong[i].bridge);
        assert_null(try_load(text, &error));
        if (!strstr(error.text, wrong[i].words) || error.line != 3 || error.status != wrong[i].status)
            fail_msg("%s: line %d, status %d: '%s' does not say '%s'", wrong[i].bridge, error.line, error.status,
                     error.text, wrong[i].words);
    }
}

/* Datagrams of NMEA that a server sends in 3 s of simulated time. */
static int serve(int no_bridges)
{
    char text[2048], line[2048];
    fm_error error = {0};
    int port, fd = listen_at(&port), count = 0;
    snprintf(text, sizeof text, SEA("<bridge kind='nmea' port='%d'/>"), port);
    fm_model *model = load(text);
    const fm_server_options options = {
        .port = -1, .unpaced = 1, .duration = 3, .seed = -1, .threads = 1, .no_bridges = no_bridges};
    fm_server *server = fm_server_create(model, &options, &error);
    if (!server || fm_server_run(server, &error) != FM_OK)
        fail_msg("%s", error.text);
    fm_server_free(server);
    while (recv(fd, line, sizeof line, MSG_DONTWAIT) > 0)
        count += line[0] == '$' || line[0] == '!';
    close(fd);
    fm_model_free(model);
    return count;
}

static void a_server_opens_the_bridges_of_its_scenario(void **state)
{
    (void)state;
    assert_greater(serve(0), 0);
    assert_int_equal(serve(1), 0);
}

static int received(int fd)
{
    char line[2048];
    int count = 0;
    while (recv(fd, line, sizeof line, MSG_DONTWAIT) > 0)
        count += line[0] == '$' || line[0] == '!';
    close(fd);
    return count;
}

static void bridges_of_a_scenario_are_replaced_from_the_command_line(void **state)
{
    (void)state;
    static program_run r;
    char text[2048];
    int own_port, other_port, own = listen_at(&own_port), other = listen_at(&other_port);
    snprintf(text, sizeof text, SEA("<bridge kind='nmea' port='%d'/>"), own_port);
    write_file("replaced.xml", text);
    run_fathom(&r, "run replaced.xml --duration 3 --quiet --no-bridges --bridge 'nmea port=%d'", other_port);
    expect_run(&r, 0, "");
    assert_int_equal(received(own), 0);
    assert_greater(received(other), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bridge_of_a_plugin_sends_poses_and_takes_orders),
        cmocka_unit_test(an_option_opens_a_bridge_of_a_plugin),
        cmocka_unit_test(what_is_wrong_with_a_bridge_is_named_with_its_line),
        cmocka_unit_test(a_server_opens_the_bridges_of_its_scenario),
        cmocka_unit_test(bridges_of_a_scenario_are_replaced_from_the_command_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
