/* NMEA 0183: sentences against hand-made ones, the orders to an autopilot, and the bridge of a run. */
#include "bridges/nmea/nmea.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "bridges/nmea/nmea_say.h"
#include "net/served.h"
#include "server/bridges.h"
#include "server/run_host.h"
#include "support/scenario.h"

/* --- sentences --- */

static void sentences_are_those_of_the_standard(void **state)
{
    (void)state;
    char text[FM_NMEA_MOST];
    const fm_nmea_fix fix = {1700000000.25, 1, 36.6 * DEGREE, -121.9 * DEGREE, 0, 1.5, 40.1 * DEGREE};
    const fm_nmea_fix none = {.utc = 1700000000.25};
    assert_true(fm_nmea_gga("II", &fix, text, sizeof text));
    assert_string_equal(text, "$IIGGA,221320.25,3636.00000,N,12154.00000,W,1,10,0.9,0.0,M,0.0,M,,*55\r\n");
    fm_nmea_rmc("II", &fix, text, sizeof text);
    assert_string_equal(text, "$IIRMC,221320.25,A,3636.00000,N,12154.00000,W,2.92,40.1,141123,,,A*57\r\n");
    fm_nmea_rmc("GP", &none, text, sizeof text);
    assert_non_null(strstr(text, ",V,,,,,,,141123,,,N*"));
    fm_nmea_vtg("II", &fix, text, sizeof text);
    assert_string_equal(text, "$IIVTG,40.1,T,,M,2.92,N,5.40,K,A*27\r\n");
    fm_nmea_hdt("II", 359.97 * DEGREE, text, sizeof text);
    assert_string_equal(text, "$IIHDT,0.0,T*22\r\n"); /* never 360.0 */
    fm_nmea_dbt("SD", 12.34, text, sizeof text);
    assert_non_null(strstr(text, "$SDDBT,40.5,f,12.34,M,6.7,F*"));
    fm_nmea_mwv("II", -28.6 * DEGREE, 1, 5, text, sizeof text);
    assert_string_equal(text, "$IIMWV,331.4,R,9.72,N,A*04\r\n");
    fm_nmea_zda("II", 1700000000.25, text, sizeof text);
    assert_string_equal(text, "$IIZDA,221320.25,14,11,2023,00,00*70\r\n");
    fm_nmea_gll("II", &fix, text, sizeof text);
    assert_string_equal(text, "$IIGLL,3636.00000,N,12154.00000,W,221320.25,A,A*68\r\n");
    fm_nmea_gll("II", &none, text, sizeof text);
    assert_non_null(strstr(text, "$IIGLL,,,,,221320.25,V,N*"));
    fm_nmea_rot("II", -0.01, text, sizeof text);
    assert_non_null(strstr(text, "$IIROT,-34.4,A*"));
    fm_nmea_vlw("II", 1852, 926, text, sizeof text);
    assert_non_null(strstr(text, "$IIVLW,1.000,N,1.000,N,0.500,N,0.500,N*"));
    fm_nmea_rsa("II", -5 * DEGREE, NAN, text, sizeof text);
    assert_non_null(strstr(text, "$IIRSA,-5.0,A,,V*"));
    fm_nmea_rpm("II", 2, 10 * 2 * 3.14159265358979, text, sizeof text);
    assert_non_null(strstr(text, "$IIRPM,S,2,600.0,,A*"));
    assert_int_equal(fm_nmea_hdt("II", 1, text, 10), 0); /* too small a room */
}

/* Bits of an AIS report, taken apart here by hand. */
static int64_t bits_of(const char *payload, int from, int width, int is_signed)
{
    int64_t value = 0;
    for (int i = from; i < from + width; i++) {
        int six = payload[i / 6] - 48;
        six -= six > 40 ? 8 : 0;
        value = value << 1 | (six >> (5 - i % 6) & 1);
    }
    return is_signed && value >> (width - 1) ? value - ((int64_t)1 << width) : value;
}

static void an_ais_report_holds_place_and_speed(void **state)
{
    (void)state;
    char text[FM_NMEA_MOST];
    const fm_nmea_vessel vessel = {{.mmsi = 123456789},
                                   {1700000000.25, 1, 36.6 * DEGREE, -121.9 * DEGREE, 0, 1.5, 40.1 * DEGREE},
                                   41 * DEGREE,
                                   -0.01};
    assert_true(fm_nmea_ais_position(&vessel, text, sizeof text));
    assert_int_equal(strncmp(text, "!AIVDM,1,1,,A,", 14), 0);
    const char *payload = text + 14;
    assert_int_equal(bits_of(payload, 0, 6, 0), 1);
    assert_int_equal(bits_of(payload, 8, 30, 0), 123456789);
    assert_int_equal(bits_of(payload, 42, 8, 1), -28); /* 4.733 √34.4 */
    assert_int_equal(bits_of(payload, 50, 10, 0), 29); /* 2.9 kn */
    assert_int_equal(bits_of(payload, 61, 28, 1), -73140000);
    assert_int_equal(bits_of(payload, 89, 27, 1), 21960000);
    assert_int_equal(bits_of(payload, 116, 12, 0), 401);
    assert_int_equal(bits_of(payload, 128, 9, 0), 41);
    assert_int_equal(bits_of(payload, 137, 6, 0), 20);
}

static fm_nmea_result read_it(const char *body, double *heading)
{
    char line[200];
    fm_nmea_steering s;
    snprintf(line, sizeof line, "%s*%02X", body, fm_nmea_checksum(body));
    fm_nmea_result result = fm_nmea_read(line, &s);
    *heading = s.heading / DEGREE;
    return result;
}

static void an_autopilot_understands_apb_rmb_and_hsc(void **state)
{
    (void)state;
    double heading;
    assert_int_equal(read_it("$GPAPB,A,A,0.10,R,N,V,V,011,M,DEST,011,T,123.5,T", &heading), FM_NMEA_WELL);
    near("APB", heading, 123.5, 1e-9);
    assert_int_equal(read_it("$GPRMB,A,0.66,L,003,004,4917.24,N,12309.57,W,001.3,052.5,000.5,V", &heading),
                     FM_NMEA_WELL);
    near("RMB", heading, 52.5, 1e-9);
    assert_int_equal(read_it("$ECHSC,271.0,T,,M", &heading), FM_NMEA_WELL);
    near("HSC", heading, 271, 1e-9);
    assert_int_equal(read_it("$GPAPB,V,A,0.10,R,N,V,V,011,M,DEST,011,T,123.5,T", &heading), FM_NMEA_VOID);
    assert_int_equal(read_it("$GPAPB,A,A,0.10,R,N,V,V,011,M,DEST,011,M,123.5,M", &heading), FM_NMEA_VALUE);
    assert_int_equal(read_it("$ECHSC,nan,T,,M", &heading), FM_NMEA_VALUE);
    assert_int_equal(read_it("$ECHSC,361.0,T,,M", &heading), FM_NMEA_VALUE);
    assert_int_equal(read_it("$ECHSC", &heading), FM_NMEA_VALUE);
    assert_int_equal(read_it("$GPGLL,1,2", &heading), FM_NMEA_TYPE);
    fm_nmea_steering s;
    assert_int_equal(fm_nmea_read("$ECHSC,271.0,T,,M*00", &s), FM_NMEA_CHECKSUM);
    assert_int_equal(fm_nmea_read("$ECHSC,271.0,T,,M", &s), FM_NMEA_CHECKSUM);
    assert_int_equal(fm_nmea_read("", &s), FM_NMEA_SHORT);
}

/* --- the bridge --- */

#define SEA(bridge)                                                                                                    \
    "<fathom version='1'><world dt='0.05 s' duration='600 s' latitude='36.6 deg' longitude='-121.9 deg'>"              \
    "<water density='1025 kg/m3'/><bottom depth='50 m'/></world>" bridge                                               \
    "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 5 m' velocity='0.6 0 0 m/s'>"                            \
    "<autopilot steering='hybrid' design-speed='0.6 m/s' thrusters-alone='0.25 m/s' fins-alone='0.45 m/s'>"            \
    "<heading kp='1.5' ki='0.05 1/s' kd='2 s' limit='25 deg' thrust-kp='40 N*m/rad' thrust-kd='90 N*m*s/rad'/>"        \
    "<speed kp='100 N*s/m' ki='10 N/m' feed='19.3 kg/m'/></autopilot></vehicle>"                                       \
    "<vehicle name='asv' model='wavesim-asv' position='30 40 -0.05 m'/></fathom>"

static void a_report_tells_of_the_vehicle_and_the_others(void **state)
{
    (void)state;
    static char text[FM_NMEA_REPORT];
    fm_world *world = start(SEA(""));
    const fm_nmea_config config = {.talker = "II"}, other = {.talker = "GP"};
    fm_nmea_past past = {0}, past_of_other = {0};
    size_t size = fm_nmea_say(world, 0, &config, &past, text);
    assert_in_range(size, 300, 2000);
    assert_non_null(strstr(text, "$IIGGA,000000.00,,,,,0,")); /* no fix under water */
    assert_non_null(strstr(text, "$IIDPT,45.00,5.00,*"));
    assert_non_null(strstr(text, "$IIVHW,0.0,T,,M,1.17,N,2.16,K*"));
    assert_non_null(strstr(text, "$IITTM,01,0.027,53.1,T,")); /* 50 m off */
    assert_non_null(strstr(text, "!AIVDM,"));
    fm_nmea_say(world, 1, &other, &past_of_other, text);
    assert_non_null(strstr(text, "$GPGGA,000000.00,3636.0162"));
    finish(world);
}

/* A number after the name of a sentence in a report. */
static double number_of(const char *report, const char *sentence, int field)
{
    const char *at = strstr(report, sentence);
    for (; at && field > 0; field--) {
        at = strchr(at, ',');
        at += at != NULL;
    }
    if (!at)
        fail_msg("no %s", sentence);
    return atof(at);
}

static void rudder_turn_and_shafts_have_the_signs_of_the_standard(void **state)
{
    (void)state;
    static char text[FM_NMEA_REPORT];
    fm_world *world = start_scenario("phoenix-turn", NULL);
    const fm_nmea_config config = {.talker = "II"};
    fm_nmea_past past = {0};
    fm_pose pose, last;
    double way = 0;
    fm_world_pose(world, 0, &last);
    while (fm_world_time(world) < 20) {
        assert_int_equal(fm_world_step(world, NULL), FM_OK);
        fm_nmea_past_add(&past, world, 0);
        fm_world_pose(world, 0, &pose);
        way += hypot(hypot(pose.position[0] - last.position[0], pose.position[1] - last.position[1]),
                     pose.position[2] - last.position[2]);
        last = pose;
    }
    fm_nmea_say(world, 0, &config, &past, text);
    near("rudder, deg", number_of(text, "RSA", 1), 15, 0.05); /* to starboard, although its own angle is -15 */
    near("turn, deg/min", number_of(text, "ROT", 1), pose.velocity[5] / cos(pose.euler[1]) / DEGREE * 60, 5);
    assert_greater(number_of(text, "ROT", 1), 100);
    near("rpm", number_of(text, "RPM,S,1", 3), 700, 1);
    assert_greater(way, 5);
    near("through the water, m", number_of(text, "VLW", 1) * 1852, way, 1); /* the sentence has steps of 1.85 m */
    near("over ground, m", number_of(text, "VLW", 5) * 1852, way, 1);
    finish(world);
}

static void wind_comes_from_port_if_it_blows_east_over_a_boat_that_heads_north(void **state)
{
    (void)state;
    static char text[FM_NMEA_REPORT];
    fm_world *world = start("<fathom version='1'><world dt='0.01 s'><wind velocity='0 4 0 m/s'/></world>"
                            "<vehicle name='otter' model='otter' velocity='4 0 0 m/s'/></fathom>");
    const fm_nmea_config config = {.talker = "II"};
    fm_nmea_past past = {0};
    fm_nmea_say(world, 0, &config, &past, text);
    near("apparent, deg", number_of(text, "MWV", 1), 315, 0.1); /* from ahead, as much as from port */
    near("apparent, kn", number_of(text, "MWV", 3), 4 * sqrt(2.) * 3600 / 1852, 0.01);
    const char *second = strstr(strstr(text, "MWV") + 3, "MWV");
    assert_non_null(second);
    near("true, deg", number_of(second, "MWV", 1), 270, 0.1);
    near("true, kn", number_of(second, "MWV", 3), 4. * 3600 / 1852, 0.01);
    finish(world);
}

static void it_steers_and_is_heard_by_udp(void **state)
{
    (void)state;
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}, there = here;
    socklen_t length = sizeof here;
    int fd = socket(AF_INET, SOCK_DGRAM, 0), spare = socket(AF_INET, SOCK_DGRAM, 0);
    char text[4096], line[128] = "$ECHSC,90.0,T,,M", got[2048];
    fm_error error = {0};
    bind(fd, (struct sockaddr *)&here, sizeof here);
    bind(spare, (struct sockaddr *)&there, sizeof there);
    getsockname(fd, (struct sockaddr *)&here, &length);
    getsockname(spare, (struct sockaddr *)&there, &length);
    close(spare);
    snprintf(text, sizeof text, SEA("<bridge kind='nmea' vehicle='phoenix' port='%d' listen-port='%d'/>"),
             ntohs(here.sin_port), ntohs(there.sin_port));
    fm_model *model = load(text);
    fm_run *run = fm_run_create(model, NULL, &error);
    fm_run_host *run_host = fm_run_host_create(run, NULL, &error);
    assert_int_equal(fm_bridges_add(fm_run_host_base(run_host), &error), FM_OK);
    if (fm_run_host_start(run_host, &error) != FM_OK)
        fail_msg("%s", error.text);
    assert_int_equal(fm_run_until(run, 2, &error), FM_OK);
    snprintf(line + strlen(line), 8, "*%02X\r\n", fm_nmea_checksum(line));
    sendto(fd, line, strlen(line), 0, (struct sockaddr *)&there, sizeof there);
    sendto(fd, "$ECHSC,9*00", 11, 0, (struct sockaddr *)&there, sizeof there);
    fm_counter *steered = fm_host_count(fm_run_host_base(run_host), "nmea/steered");
    fm_counter *wrong = fm_host_count(fm_run_host_base(run_host), "nmea/drop/checksum");
    for (int i = 0; i < 500 && (*steered < 1 || *wrong < 1); i++)
        usleep(10000);
    assert_int_equal(*steered, 1);
    assert_int_equal(*wrong, 1);
    assert_int_equal(fm_run_until(run, 60, &error), FM_OK);
    fm_pose pose;
    fm_world_pose(fm_run_world(run), 0, &pose);
    near("heading", angle_between(pose.euler[2], 90 * DEGREE), 0, 10 * DEGREE);
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    size_t sentences = 0;
    while (poll(&wait, 1, 50) == 1) {
        ssize_t size = recv(fd, got, sizeof got - 1, 0);
        got[size > 0 ? size : 0] = 0;
        assert_at_most(size, 82);
        assert_string_equal(got + size - 2, "\r\n");
        sentences++;
    }
    assert_in_range(sentences, 60, 1000); /* what the socket could keep of 61 reports */
    fm_run_finish(run, NULL);
    fm_run_host_free(run_host);
    fm_run_free(run);
    fm_model_free(model);
    close(fd);
}

/* Lines of a TCP connection until `wanted` of them have come; how many are whole sentences with their checksum. */
static int read_sentences(int fd, int wanted, char *kinds, size_t room)
{
    static char text[1 << 16];
    size_t size = 0;
    int whole = 0;
    double until = seconds_now() + 20;
    while (whole < wanted && seconds_now() < until && size + 1 < sizeof text) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        ssize_t more = poll(&wait, 1, 1000) == 1 ? recv(fd, text + size, sizeof text - 1 - size, 0) : 0;
        size += more > 0 ? (size_t)more : 0;
        text[size] = 0;
        for (char *end; (end = strstr(text, "\r\n"));) {
            char *star = memchr(text, '*', (size_t)(end - text));
            assert_non_null(star);
            *star = *end = 0;
            assert_int_equal(strtol(star + 1, NULL, 16), fm_nmea_checksum(text));
            size_t used = strlen(kinds);
            if (used + 5 < room && text[0] == '$')
                snprintf(kinds + used, room - used, " %.3s", text + 3);
            whole++;
            memmove(text, end + 2, size - (size_t)(end + 2 - text) + 1);
            size -= (size_t)(end + 2 - text);
        }
    }
    return whole;
}

static int connect_to(int port)
{
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

/* Two chart plotters at the program's TCP port; one of them is an autopilot, and another goes away in between. */
static void clients_of_the_program_hear_and_steer_by_tcp(void **state)
{
    (void)state;
    static served server;
    char line[128] = "$ECHSC,90.0,T,,M", kinds[4096] = "";
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int spare = socket(AF_INET, SOCK_STREAM, 0);
    bind(spare, (struct sockaddr *)&at, sizeof at);
    getsockname(spare, (struct sockaddr *)&at, &length);
    close(spare);
    write_file("nmea_tcp.xml", SEA(""));
    serve(&server,
          "nmea_tcp.xml --bridge \"nmea transport=tcp vehicle=phoenix port=%d rate='10 Hz' talker=GP\" "
          "--speed 10 2>nmea_tcp.txt",
          ntohs(at.sin_port));
    int one = connect_to(ntohs(at.sin_port)), two = connect_to(ntohs(at.sin_port)),
        gone = connect_to(ntohs(at.sin_port));
    close(gone);
    assert_at_least(read_sentences(one, 60, kinds, sizeof kinds), 60);
    static const char *const wanted[] = {"GGA", "RMC", "HDT", "DPT", "VHW", "TTM"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(kinds, wanted[i]))
            fail_msg("no %s among%s", wanted[i], kinds);
    snprintf(line + strlen(line), 8, "*%02X\r\n", fm_nmea_checksum(line));
    assert_int_equal(send(two, line, 9, 0), 9); /* in two pieces, as TCP may have it */
    usleep(30000);
    assert_int_equal(send(two, line + 9, strlen(line + 9), 0), strlen(line + 9));
    fm_caller *watch = call_as(&server, FM_WIRE_OBSERVER, "watch", "", FM_WIRE_NONE);
    for (double until = seconds_now() + 10; counter_of(watch, "nmea/steered") < 1 && seconds_now() < until;)
        usleep(20000);
    assert_same(counter_of(watch, "nmea/steered"), 1);
    assert_at_least(read_sentences(two, 20, kinds, sizeof kinds), 20);
    fm_caller_close(watch);
    close(one);
    close(two);
    assert_int_equal(stop_serving(&server), 0);
}

/* The 16 that are there stay, those that are too many are hung up at once, and when they have gone others come. */
static void a_seventeenth_client_is_turned_away_and_later_ones_are_served(void **state)
{
    (void)state;
    enum { ROOM = 16, MORE = 4 };
    static served server;
    char kinds[4096] = "", byte;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int spare = socket(AF_INET, SOCK_STREAM, 0), clients[ROOM + MORE];
    bind(spare, (struct sockaddr *)&at, sizeof at);
    getsockname(spare, (struct sockaddr *)&at, &length);
    close(spare);
    write_file("nmea_many.xml", SEA(""));
    serve(
        &server,
        "nmea_many.xml --bridge \"nmea transport=tcp vehicle=phoenix port=%d rate='10 Hz'\" --speed 10 2>nmea_many.txt",
        ntohs(at.sin_port));
    fm_caller *watch = call_as(&server, FM_WIRE_OBSERVER, "watch", "", FM_WIRE_NONE);
    for (int i = 0; i < ROOM + MORE; i++)
        clients[i] = connect_to(ntohs(at.sin_port));
    for (double until = seconds_now() + 20; counter_of(watch, "nmea/drop/clients") < MORE && seconds_now() < until;)
        usleep(20000);
    assert_same(counter_of(watch, "nmea/drop/clients"), MORE);
    for (int i = ROOM; i < ROOM + MORE; i++)
        assert_int_equal(recv(clients[i], &byte, 1, 0), 0); /* hung up */
    for (int i = 0; i < ROOM; i++)
        assert_at_least(read_sentences(clients[i], 1, kinds, sizeof kinds), 1);
    for (int i = 0; i < ROOM + MORE; i++)
        close(clients[i]);
    int served_again = 0;
    for (double until = seconds_now() + 20; !served_again && seconds_now() < until;) { /* until the others are gone */
        int late = connect_to(ntohs(at.sin_port));
        served_again = recv(late, &byte, 1, 0) == 1;
        close(late);
    }
    assert_true(served_again);
    fm_caller_close(watch);
    assert_int_equal(stop_serving(&server), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_are_those_of_the_standard),
        cmocka_unit_test(an_ais_report_holds_place_and_speed),
        cmocka_unit_test(an_autopilot_understands_apb_rmb_and_hsc),
        cmocka_unit_test(a_report_tells_of_the_vehicle_and_the_others),
        cmocka_unit_test(rudder_turn_and_shafts_have_the_signs_of_the_standard),
        cmocka_unit_test(wind_comes_from_port_if_it_blows_east_over_a_boat_that_heads_north),
        cmocka_unit_test(it_steers_and_is_heard_by_udp),
        cmocka_unit_test(clients_of_the_program_hear_and_steer_by_tcp),
        cmocka_unit_test(a_seventeenth_client_is_turned_away_and_later_ones_are_served),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
