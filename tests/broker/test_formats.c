/* What examples/broker says on serial lines, against bytes that real instruments and their makers published, and
 * against the checksums of their manuals. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "support/near.h"

/* 2022-02-08 12:06:18 */
#define WATERLINKED_TIME 1644321978.
#define ALL4(value)                                                                                                    \
    {                                                                                                                  \
        value, value, value, value                                                                                     \
    }

static broker_dvl still_dvl(void)
{
    broker_dvl dvl = {.utc = WATERLINKED_TIME, .ensemble = 1, .beam_angle = 30 * DEGREE, .sound_speed = 1475};
    return dvl;
}

/* docs.waterlinked.com, PD formats: "Example output" of its own encoder; BE there is left empty, BI in other axes. */
static void pd6_has_the_columns_of_a_published_report(void **state)
{
    (void)state;
    static const char *const published[] = {
        ":SA, +0.00, +0.00,  0.00\r\n",          ":TS,22020812061800, 0.0, +0.0,   0.0,1475.0,  0\r\n",
        ":WI,    +0,    +0,    +0,    +0,V\r\n", ":WS,    +0,    +0,    +0,V\r\n",
        ":WE,    +0,    +0,    +0,V\r\n",        ":WD,       +0.00,       +0.00,       +0.00,   0.00,  0.00\r\n",
        ":BS,  -420,  +123, +2000,A\r\n",        ":BD,       +0.00,       +0.00,       +0.00,   5.32,  0.00\r\n"};
    broker_dvl dvl = still_dvl();
    const double velocity[] = {0.123, -0.42, -2};
    memcpy(dvl.velocity, velocity, sizeof velocity);
    dvl.altitude = 5.32;
    char text[BROKER_LINES];
    assert_greater(broker_dvl_pd6(&dvl, text, sizeof text), 0);
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        if (!strstr(text, published[i]))
            fail_msg("no line %s in\n%s", published[i], text);
}

static void pd6_turns_velocities_to_east_north_up(void **state)
{
    (void)state;
    broker_dvl dvl = still_dvl();
    dvl.velocity[0] = 1.5; /* forward; heading east, nose 30° down */
    dvl.heading = 90 * DEGREE;
    dvl.pitch = -30 * DEGREE;
    char text[BROKER_LINES];
    broker_dvl_pd6(&dvl, text, sizeof text);
    assert_non_null(strstr(text, ":BE, +1299,    +0,  -750,A\r\n"));
    dvl.heading = -0.001 * DEGREE; /* never 360 */
    dvl.velocity[0] = dvl.velocity[1] = dvl.velocity[2] = NAN;
    broker_dvl_pd6(&dvl, text, sizeof text);
    assert_non_null(strstr(text, ":BS,-32768,-32768,-32768,V\r\n"));
    assert_non_null(strstr(text, ":SA,-30.00, +0.00,  0.00\r\n"));
}

/* docs.waterlinked.com, DVL serial protocol: examples with their checksums. */
static void water_linked_lines_have_the_published_checksums(void **state)
{
    (void)state;
    static const char *const published[] = {
        "wrz,0.120,-0.400,2.000,y,1.30,1.855,1e-07;0;1.4;0;1.2;0;0.2;0;1e+09,7,14,123.00,1*50",
        "wru,0,0.070,1.10,-40,-95*9c",
        "wru,1,-0.500,1.25,-62,-104*f0",
        "wru,2,2.200,1.40,-56,-98*18",
        "wru,3,1.800,1.35,-58,-96*a3",
        "wrp,49056.809,0.41,0.15,1.23,0.4,53.9,13.0,19.3,0*de",
        "wrp,49057.269,0.39,0.18,1.23,0.4,53.9,13.0,19.3,0*e2"};
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        size_t length = (size_t)(strchr(published[i], '*') - published[i]);
        assert_int_equal(broker_crc8(published[i], length), strtol(published[i] + length + 1, NULL, 16));
    }
}

static void water_linked_reports_as_published(void **state)
{
    (void)state;
    broker_dvl dvl = {.utc = 49056.809,
                      .deviation = 0.4,
                      .altitude = 1.3,
                      .since = 0.123,
                      .velocity = {0.12, -0.4, 2},
                      .range = {1.1, NAN, 1.4, 1.35},
                      .beam_velocity = {0.07, 0.3, 2.2, 1.8},
                      .travelled = {0.41, 0.15, 1.23},
                      .roll = 53.9 * DEGREE,
                      .pitch = 13 * DEGREE,
                      .heading = 19.3 * DEGREE};
    char text[BROKER_LINES];
    size_t count = broker_dvl_waterlinked(&dvl, text, sizeof text);
    assert_int_equal(count, strlen(text));
    assert_memory_equal(text, "wrz,0.120,-0.400,2.000,y,1.30,0.400,0.16;0;0;0;0.16;0;0;0;0.16,49056809000,", 75);
    assert_non_null(strstr(text, "\r\nwru,0,0.070,1.10,-40,-95*9c\r\n"));
    assert_non_null(strstr(text, "\r\nwru,1,0.000,-1.00,-40,-95*"));
    assert_non_null(strstr(text, "\r\nwrp,49056.809,0.41,0.15,1.23,0.4,53.9,13.0,19.3,0*de\r\n"));
}

/* pynmea2's tests: a beam without lock as a Nortek DVL recorded it on 4 July 2021, and a PNORBT7. */
static void nortek_sentences_are_those_of_an_instrument(void **state)
{
    (void)state;
    static const char beam[] = "$PNORBT0,1,040721,131335.3341,";
    static const char rest[] = "-32.76800,10.00000,0.00,0x00000000*";
    broker_dvl dvl = {.utc = 1625404415.3341,
                      .velocity = {NAN, NAN, NAN},
                      .range = ALL4(NAN),
                      .altitude = NAN,
                      .beam_velocity = ALL4(NAN),
                      .sound_speed = 1500};
    char text[BROKER_LINES];
    assert_greater(broker_dvl_pnor(&dvl, text, sizeof text), 0);
    assert_memory_equal(text, beam, sizeof beam - 1);
    assert_non_null(strstr(text, rest));
    assert_int_equal(
        broker_nmea_checksum("$PNORBT0,1,040721,131335.3341,23.961,-48.122,-32.76800,10.00000,0.00,0x00000000*48"),
        0x48);
    assert_int_equal(
        broker_nmea_checksum("$PNORBT7,1452244916.7508,1.234,-1.234,0.1234,0.1234,0.1234,12.34,23.45,23.45,"
                             "23.45,23.45*39"),
        0x39);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_int_equal(broker_nmea_checksum(line), strtol(strchr(line, '*') + 1, NULL, 16));
    const broker_dvl lock = {.utc = 1452244916.7508,
                             .velocity = {0.1234, -0.5, 0},
                             .range = ALL4(10),
                             .altitude = 7.5,
                             .deviation = 0.002,
                             .sound_speed = 1500,
                             .beam_angle = 0};
    broker_dvl_pnor(&lock, text, sizeof text);
    assert_non_null(strstr(text,
                           "$PNORBT7,1452244916.7508,10.000,0.000,0.12340,-0.50000,0.00000,0.00200,10.00,10.00,10.00,"
                           "10.00*"));
    assert_non_null(strstr(text, ",0x000FFFFF*")); /* all is valid, as in the published PNORBT9 */
}

static double float_at(const uint8_t *at)
{
    uint32_t bits = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* Offsets of the Integrator's Guide, counted from the first byte of the header. */
static void nortek_df21_has_its_fields_where_drivers_look(void **state)
{
    (void)state;
    broker_dvl dvl = {.utc = 1625404415.3341,
                      .velocity = {1.5, -0.25, 0.125},
                      .range = {10, 11, 12, NAN},
                      .altitude = 9,
                      .beam_velocity = {0.5, -0.5, 0.25, 0},
                      .deviation = 0.0625,
                      .sound_speed = 1500,
                      .temperature = 11.5,
                      .pressure = 2e5};
    uint8_t b[256];
    assert_int_equal(broker_dvl_df21(&dvl, b, sizeof b), 222);
    assert_same(b[0], 0xa5);
    assert_same(b[1], 10);
    assert_same(b[2], 0x1b);
    assert_same(b[4] | b[5] << 8, 212);
    assert_same(b[16], 121);
    assert_same(b[17], 6);
    assert_same(b[18], 4);
    assert_same(b[19], 13);
    assert_same(b[20], 13);
    assert_same(b[21], 35);
    assert_int_equal(b[22] | b[23] << 8, 3341);
    assert_int_equal(b[30] | b[31] << 8 | b[32] << 16, 0xff777);
    assert_same(float_at(b + 34), 1500);
    assert_same(float_at(b + 38), 11.5);
    assert_same(float_at(b + 42), 2);
    assert_same(float_at(b + 46), 0.5);
    assert_same(float_at(b + 62), 10);
    assert_same(float_at(b + 70), 12);
    assert_same(float_at(b + 74), 0);
    assert_same(float_at(b + 142), 1.5);
    assert_same(float_at(b + 146), -0.25);
    assert_same(float_at(b + 150), 0.125);
    assert_same(float_at(b + 158), 0.0625);
    assert_same(float_at(b + 90), 10);
    unsigned sum = 0xb58c; /* a receiver's way: the sums of what was sent */
    for (int i = 0; i < 106; i++)
        sum += b[10 + 2 * i] + 256u * b[11 + 2 * i];
    assert_int_equal(sum & 0xffff, b[6] | b[7] << 8);
    sum = 0xb58c;
    for (int i = 0; i < 4; i++)
        sum += b[2 * i] + 256u * b[2 * i + 1];
    assert_int_equal(sum & 0xffff, b[8] | b[9] << 8);
}

/* Header and leaders of an ensemble that a WorkHorse 150 kHz of the Ocean Observatories Initiative sent on 22 May 2013
 * at 18:12:53.92. */
static const uint8_t workhorse_variable[65] = {
    0x80, 0x00, 0x01, 0x00, 0x0d, 0x05, 0x16, 0x12, 0x0c, 0x35, 0x5c, 0x00, 0x00, 0x00, 0x00, 0x06, 0x09,
    0x00, 0xa7, 0x14, 0xc5, 0xee, 0x93, 0xee, 0x28, 0x00, 0x24, 0x09, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x41, 0x4a, 0x53, 0x4a, 0x4a, 0x52, 0x82, 0x9f, 0x80, 0x81, 0x00, 0x88, 0xa3, 0xbe, 0x28, 0x02, 0x00,
    0x00, 0x9c, 0x06, 0x00, 0x00, 0x00, 0x14, 0x0d, 0x05, 0x16, 0x12, 0x0c, 0x35, 0x5c};

static void pd0_says_the_same_as_a_workhorse(void **state)
{
    (void)state;
    broker_dvl dvl = {.utc = 1369246373.92,
                      .ensemble = 1,
                      .sound_speed = 1536,
                      .depth = 0.9,
                      .heading = 52.87 * DEGREE,
                      .pitch = -44.11 * DEGREE,
                      .roll = -44.61 * DEGREE,
                      .salinity = 40,
                      .temperature = 23.4,
                      .pressure = 5520,
                      .beam_angle = 20 * DEGREE};
    uint8_t b[512];
    size_t count = broker_dvl_pd0(&dvl, b, sizeof b);
    assert_int_equal(count, (b[2] | b[3] << 8) + 2);
    assert_same(b[0], 0x7f);
    assert_same(b[1], 0x7f);
    assert_same(b[5], 3);
    size_t fixed = (size_t)(b[6] | b[7] << 8), variable = (size_t)(b[8] | b[9] << 8),
           track = (size_t)(b[10] | b[11] << 8);
    assert_same(variable - fixed, 59);
    assert_same(track - variable, 65); /* as long as the WorkHorse's */
    assert_memory_equal(b + variable, workhorse_variable, 34);
    assert_memory_equal(b + variable + 48, workhorse_variable + 48, 4);
    assert_memory_equal(b + variable + 57, workhorse_variable + 57, 8);
    assert_int_equal(b[fixed + 58], 20);
    assert_int_equal(b[fixed + 5], 0x41); /* as the WorkHorse: four beams, 20° */
    unsigned sum = 0;
    for (size_t i = 0; i < count - 2; i++)
        sum += b[i];
    assert_int_equal(sum & 0xffff, b[count - 2] | b[count - 1] << 8);
}

static int16_t short_at(const uint8_t *at)
{
    return (int16_t)(at[0] | at[1] << 8);
}

static void pd0_tracks_the_bottom_in_ship_axes(void **state)
{
    (void)state;
    broker_dvl dvl = {.velocity = {1.5, 0.25, -0.125},
                      .error_velocity = NAN,
                      .range = {10, 1000, 10, NAN},
                      .beam_angle = 60 * DEGREE};
    uint8_t b[512];
    broker_dvl_pd0(&dvl, b, sizeof b);
    const uint8_t *t = b + (b[10] | b[11] << 8);
    assert_int_equal(t[0] | t[1] << 8, 0x0600);
    assert_int_equal(short_at(t + 24), -250);  /* the bottom goes to port, */
    assert_int_equal(short_at(t + 26), -1500); /* astern, */
    assert_int_equal(short_at(t + 28), -125);  /* and away: the vehicle rises */
    assert_int_equal(short_at(t + 30), -32768);
    assert_int_equal(short_at(t + 16), 500); /* vertical, cm */
    assert_int_equal((t[18] | t[19] << 8) + 65536 * t[78], 50000);
    assert_same(short_at(t + 22), 0);
    assert_same(t[43], 0);
    assert_same(t[42], 100);
    assert_int_equal(broker_dvl_pd0(&dvl, b, 20), 0);
}

/* The sentences of a receiver in Dublin that the NMEA literature quotes. */
static void a_fix_reads_as_published(void **state)
{
    (void)state;
    broker_fix fix = {.utc = 1306574870,
                      .valid = 1,
                      .latitude = 53 + 21.6802 / 60,
                      .longitude = -(6 + 30.3372 / 60),
                      .altitude = 61.7,
                      .separation = 55.2,
                      .speed = 0.02 * 1852 / 3600,
                      .course = 31.66 * DEGREE,
                      .satellites = 8,
                      .dilution = 1.03};
    char text[BROKER_LINES];
    broker_nmea_gga("GP", &fix, text, sizeof text);
    assert_string_equal(text, "$GPGGA,092750.000,5321.6802,N,00630.3372,W,1,8,1.03,61.7,M,55.2,M,,*76\r\n");
    broker_nmea_rmc("GP", &fix, text, sizeof text);
    assert_string_equal(text, "$GPRMC,092750.000,A,5321.6802,N,00630.3372,W,0.02,31.66,280511,,,A*43\r\n");
    fix.latitude = -29.99999999; /* never 60 minutes */
    broker_nmea_gga("GP", &fix, text, sizeof text);
    assert_non_null(strstr(text, ",3000.0000,S,"));
    fix.valid = 0;
    broker_nmea_gga("GP", &fix, text, sizeof text);
    assert_non_null(strstr(text, "$GPGGA,092750.000,,,,,0,0,"));
    broker_nmea_rmc("GP", &fix, text, sizeof text);
    assert_non_null(strstr(text, "$GPRMC,092750.000,V,,,,,,,280511,,,N*"));
}

static void heading_tilt_and_depth_read_as_published(void **state)
{
    (void)state;
    char text[BROKER_LINES];
    broker_nmea_hdt("HC", 275.4 * DEGREE, text, sizeof text);
    assert_string_equal(text, "$HCHDT,275.4,T*2D\r\n");
    broker_nmea_hdt("HC", -0.01 * DEGREE, text, sizeof text);
    assert_memory_equal(text, "$HCHDT,0.0,T*", 13);
    broker_nmea_tilt("YX", 0.3 * DEGREE, 13.3 * DEGREE, text, sizeof text); /* goby's test */
    assert_string_equal(text, "$YXXDR,A,0.3,D,PTCH,A,13.3,D,ROLL*6F\r\n");
    broker_nmea_pressure("YX", 101325, text, sizeof text);
    assert_memory_equal(text, "$YXXDR,P,1.01325,B,PRESSURE*", 28);
    assert_int_equal(broker_nmea_dpt("II", 2.35, 0, text, 8), 0);
    broker_pressure_digiquartz(101325, text, sizeof text); /* one atmosphere */
    assert_string_equal(text, "*000114.6959\r\n");
}

/* Standard sea water: S 35, 15 °C, C(35,15,0) = 4.2914 S/m; 1 bar = 10 dbar. */
static void a_ctd_line_has_five_numbers(void **state)
{
    (void)state;
    const broker_ctd ctd = {15, 4.2914, 1e5, 35, 1506.836};
    char text[BROKER_LINES];
    broker_ctd_sbe49(&ctd, text, sizeof text);
    assert_string_equal(text, " 15.0000,  4.29140,   10.000,  35.0000, 1506.836\r\n");
}

static void a_modem_takes_what_hosts_say(void **state)
{
    (void)state;
    broker_frame frame;
    char text[BROKER_LINES];
    assert_true(broker_modem_read("$CCTXD,2,1,1,*7A", &frame)); /* goby's test */
    assert_same(frame.source, 2);
    assert_same(frame.destination, 1);
    assert_same(frame.acknowledge, 1);
    assert_same(frame.count, 0);
    assert_true(broker_modem_read("$CCTXD,0,1,0,A55aFF", &frame));
    assert_same(frame.count, 3);
    assert_same(frame.bytes[0], 0xa5);
    assert_same(frame.bytes[1], 0x5a);
    assert_same(frame.bytes[2], 0xff);
    assert_false(broker_modem_read("$CCTXD,2,1,1,*7B", &frame));
    assert_false(broker_modem_read("$CCTXD,2,1,1,A5G", &frame));
    assert_false(broker_modem_read("$CCTXD,2,1,1,A", &frame));
    assert_false(broker_modem_read("$CCCYC,0,1,2", &frame));
    frame = (broker_frame){.source = 7, .destination = 3, .count = 2, .bytes = {0x0f, 0xa0}};
    broker_modem_heard(&frame, text, sizeof text);
    assert_memory_equal(text, "$CARXD,7,3,0,1,0FA0*", 20);
    broker_modem_taken(&frame, text, sizeof text);
    assert_memory_equal(text, "$CATXD,7,3,0,2*", 15);
}

static void motors_take_names_and_numbers(void **state)
{
    (void)state;
    broker_order orders[BROKER_ORDERS];
    assert_int_equal(broker_orders_read("propeller=120.5, rudders=-0.1\r\n", orders), 2);
    assert_string_equal(orders[0].name, "propeller");
    assert_same(orders[0].value, 120.5);
    assert_same(orders[1].value, -0.1);
    assert_int_equal(broker_orders_read("stop", orders), 1);
    assert_string_equal(orders[0].name, "");
    char line[64];
    snprintf(line, sizeof line, "$port=1*%02X", broker_nmea_checksum("$port=1"));
    assert_int_equal(broker_orders_read(line, orders), 1);
    assert_int_equal(broker_orders_read("$port=1*00", orders), -1);
    static const char *const wrong[] = {
        "port", "port=", "=1", "port=nan", "port=1x", "stop now", "a-name-that-is-far-too-long-for-any-motor=1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (broker_orders_read(wrong[i], orders) != -1)
            fail_msg("'%s' was taken", wrong[i]);
    assert_int_equal(broker_orders_read("", orders), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pd6_has_the_columns_of_a_published_report),
        cmocka_unit_test(pd6_turns_velocities_to_east_north_up),
        cmocka_unit_test(water_linked_lines_have_the_published_checksums),
        cmocka_unit_test(water_linked_reports_as_published),
        cmocka_unit_test(nortek_sentences_are_those_of_an_instrument),
        cmocka_unit_test(nortek_df21_has_its_fields_where_drivers_look),
        cmocka_unit_test(pd0_says_the_same_as_a_workhorse),
        cmocka_unit_test(pd0_tracks_the_bottom_in_ship_axes),
        cmocka_unit_test(a_fix_reads_as_published),
        cmocka_unit_test(heading_tilt_and_depth_read_as_published),
        cmocka_unit_test(a_ctd_line_has_five_numbers),
        cmocka_unit_test(a_modem_takes_what_hosts_say),
        cmocka_unit_test(motors_take_names_and_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
