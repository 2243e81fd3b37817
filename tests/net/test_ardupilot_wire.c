/* ArduPilot's SITL JSON interface: packets as its page lays them out, and answers as its own parser reads them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridges/ardupilot/ardupilot_wire.h"
#include "support/cmocka_all.h"

/* --- packets --- */

/* "uint16 magic = 18458, uint16 frame_rate, uint32 frame_count, uint16 pwm[16]", little endian, by hand. */
static void a_packet_of_sixteen_channels_is_read(void **state)
{
    uint8_t bytes[40] = {0x1A, 0x48, 0x90, 0x01, 0x15, 0xCD, 0x5B, 0x07};
    fm_ardupilot_servos servos;
    (void)state;
    for (int i = 0; i < 16; i++) {
        bytes[8 + 2 * i] = (uint8_t)(1100 + i);
        bytes[9 + 2 * i] = (uint8_t)((1100 + i) >> 8);
    }
    assert_int_equal(fm_ardupilot_read(bytes, sizeof bytes, &servos), FM_ARDUPILOT_FINE);
    assert_int_equal(servos.channels, 16);
    assert_int_equal(servos.frame_rate, 400);
    assert_int_equal(servos.frame_count, 123456789);
    for (int i = 0; i < 16; i++)
        assert_int_equal(servos.pwm[i], 1100 + i);
}

static void a_packet_of_thirty_two_channels_is_read(void **state)
{
    uint8_t bytes[72] = {0x81, 0x73, 50, 0, 7}; /* 29569 */
    fm_ardupilot_servos servos;
    (void)state;
    bytes[70] = 0xD0;
    bytes[71] = 0x07;
    assert_int_equal(fm_ardupilot_read(bytes, sizeof bytes, &servos), FM_ARDUPILOT_FINE);
    assert_int_equal(servos.channels, 32);
    assert_int_equal(servos.frame_rate, 50);
    assert_int_equal(servos.frame_count, 7);
    assert_int_equal(servos.pwm[31], 2000);
}

static void what_is_no_packet_is_refused_with_its_reason(void **state)
{
    uint8_t bytes[80] = {0x1A, 0x48, 1};
    fm_ardupilot_servos servos;
    (void)state;
    assert_int_equal(fm_ardupilot_read(bytes, 0, &servos), FM_ARDUPILOT_FAULT_LENGTH);
    assert_int_equal(fm_ardupilot_read(bytes, 39, &servos), FM_ARDUPILOT_FAULT_LENGTH);
    assert_int_equal(fm_ardupilot_read(bytes, 72, &servos), FM_ARDUPILOT_FAULT_LENGTH);
    assert_int_equal(fm_ardupilot_read(bytes, 40, &servos), FM_ARDUPILOT_FINE);
    bytes[2] = 0;
    assert_int_equal(fm_ardupilot_read(bytes, 40, &servos), FM_ARDUPILOT_FAULT_RATE);
    bytes[0] = 0x1B;
    assert_int_equal(fm_ardupilot_read(bytes, 40, &servos), FM_ARDUPILOT_FAULT_MAGIC);
    assert_string_equal(fm_ardupilot_fault_name(FM_ARDUPILOT_FAULT_MAGIC), "magic");
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    for (unsigned channels = 16; channels <= 32; channels += 16) {
        fm_ardupilot_servos servos = {.frame_rate = 1200, .frame_count = UINT32_MAX, .channels = channels}, again;
        uint8_t bytes[FM_ARDUPILOT_PACKET];
        for (unsigned i = 0; i < channels; i++)
            servos.pwm[i] = (uint16_t)(65535 - i);
        size_t size = fm_ardupilot_write_servos(&servos, bytes);
        assert_int_equal(size, channels == 16 ? 40 : 72);
        assert_int_equal(fm_ardupilot_read(bytes, size, &again), FM_ARDUPILOT_FINE);
        assert_memory_equal(&again, &servos, sizeof servos);
    }
}

/* --- answers, read as SITL reads them: the first place of the key behind the first place of the section --- */

static const char *seek(const char *json, const char *section, const char *key)
{
    const char *at = strstr(json, section);
    at = at ? strstr(at + strlen(section) + 1, key) : NULL;
    return at ? at + strlen(key) + 2 : NULL;
}

static double number(const char *json, const char *section, const char *key)
{
    const char *at = seek(json, section, key);
    return at ? strtod(at, NULL) : (double)NAN;
}

static void list(const char *json, const char *section, const char *key, int count, const double *expected)
{
    const char *at = seek(json, section, key);
    assert_non_null(at);
    assert_int_equal(*at++, '[');
    for (int i = 0; i < count; i++) {
        char *end;
        double value = strtod(at, &end);
        assert_near(value, expected[i], 1e-9 * fmax(1, fabs(expected[i])));
        assert_int_equal(*end, i + 1 < count ? ',' : ']');
        at = end + 1;
    }
}

static const fm_ardupilot_state full = {.time = 12.345678,
                                        .gyro = {0.01, -0.02, 0.03},
                                        .acceleration = {0.1, 0.2, -9.80665},
                                        .position = {123456.789, -2.5, 11.25},
                                        .velocity = {1.5, -0.25, 0.125},
                                        .attitude = {0.5, -0.5, 0.5, -0.5},
                                        .ranges = {4.5, NAN, 0.25, NAN, NAN, 9},
                                        .battery = {15.9, 3.5},
                                        .wind = {3, 4, 0},
                                        .apparent = {-1.25, 6.5},
                                        .airspeed = 5.5};

static void sitls_own_parser_finds_every_number(void **state)
{
    char text[FM_ARDUPILOT_LINE + 1];
    (void)state;
    size_t length = fm_ardupilot_write(&full, text);
    assert_between(2, length, FM_ARDUPILOT_LINE);
    assert_int_equal(strlen(text), length);
    assert_int_equal(text[0], '\n');
    assert_int_equal(text[length - 1], '\n');
    assert_null(memchr(text + 1, '\n', length - 2));
    const char *json = text + 1;
    assert_nearer(number(json, "", "timestamp"), full.time, 1e-9);
    list(json, "imu", "gyro", 3, full.gyro);
    list(json, "imu", "accel_body", 3, full.acceleration);
    list(json, "", "position", 3, full.position);
    list(json, "", "quaternion", 4, full.attitude);
    list(json, "", "velocity", 3, full.velocity);
    list(json, "", "velocity_wind", 3, full.wind);
    assert_same(number(json, "", "rng_1"), 4.5);
    assert_null(seek(json, "", "rng_2"));
    assert_same(number(json, "", "rng_3"), 0.25);
    assert_same(number(json, "", "rng_6"), 9);
    assert_same(number(json, "windvane", "direction"), -1.25);
    assert_same(number(json, "windvane", "speed"), 6.5);
    assert_same(number(json, "", "airspeed"), 5.5);
    assert_same(number(json, "battery", "voltage"), 15.9);
    assert_same(number(json, "battery", "current"), 3.5);
}

static void what_is_not_known_is_left_out(void **state)
{
    char text[FM_ARDUPILOT_LINE + 1];
    fm_ardupilot_state bare = full;
    (void)state;
    for (int i = 0; i < FM_ARDUPILOT_RANGES; i++)
        bare.ranges[i] = NAN;
    bare.battery[1] = bare.wind[2] = bare.apparent[0] = bare.airspeed = NAN;
    assert_greater(fm_ardupilot_write(&bare, text), 0);
    assert_null(strstr(text, "rng"));
    assert_null(strstr(text, "wind"));
    assert_null(strstr(text, "battery"));
    assert_null(strstr(text, "airspeed"));
    assert_null(strstr(text, "nan"));
    assert_null(strchr(text, ' '));
}

static void a_state_that_cannot_be_is_not_told(void **state)
{
    char text[FM_ARDUPILOT_LINE];
    fm_ardupilot_state bad = full;
    (void)state;
    bad.velocity[1] = NAN;
    assert_int_equal(fm_ardupilot_write(&bad, text), 0);
    bad = full;
    bad.time = HUGE_VAL;
    assert_int_equal(fm_ardupilot_write(&bad, text), 0);
}

static void the_longest_answer_has_room(void **state)
{
    char text[FM_ARDUPILOT_LINE + 1];
    fm_ardupilot_state s;
    double *values = (double *)(void *)&s;
    (void)state;
    for (size_t i = 0; i < sizeof s / sizeof *values; i++)
        values[i] = -1.2345678901e-300;
    s.time = -1e300;
    size_t length = fm_ardupilot_write(&s, text);
    assert_between(300, length, FM_ARDUPILOT_LINE - 1);
    assert_memory_equal(text + length - 3, "}}\n", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_of_sixteen_channels_is_read),
        cmocka_unit_test(a_packet_of_thirty_two_channels_is_read),
        cmocka_unit_test(what_is_no_packet_is_refused_with_its_reason),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(sitls_own_parser_finds_every_number),
        cmocka_unit_test(what_is_not_known_is_left_out),
        cmocka_unit_test(a_state_that_cannot_be_is_not_told),
        cmocka_unit_test(the_longest_answer_has_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
