/* Blue Robotics' Ping protocol: frames as its page writes them byte by byte, and answers laid out as its definitions
 * say; no network and no world. */
#include <string.h>

#include "bridges/ping/ping_device.h"
#include "support/cmocka_all.h"
#include "support/compare.h"

/* Numbers of an answer, taken apart by hand. */
static uint32_t at(const fm_ping_message *m, size_t offset, size_t width)
{
    uint32_t value = 0;
    while (width--)
        value = value << 8 | m->bytes[8 + offset + width];
    return value;
}

static uint32_t id_of(const fm_ping_message *m)
{
    return m->size ? (uint32_t)m->bytes[4] | (uint32_t)m->bytes[5] << 8 : 0;
}

static fm_ping_frame frame_of(uint16_t id, const void *payload, size_t size)
{
    return (fm_ping_frame){.id = id, .payload = payload, .size = (uint16_t)size};
}

/* --- frames --- */

/* The example of the protocol's page: a request of protocol_version, and the answer 1.2.3. */
static void the_frames_of_the_protocols_page_are_read_and_written(void **state)
{
    (void)state;
    static const uint8_t request[] = {0x42, 0x52, 0x02, 0x00, 0x06, 0x00, 0x00, 0x00, 0x05, 0x00, 0xa1, 0x00};
    static const uint8_t answer[] = {0x42, 0x52, 0x04, 0x00, 0x05, 0x00, 0x00,
                                     0x00, 0x01, 0x02, 0x03, 0x00, 0xa3, 0x00};
    fm_ping_frame frame;
    fm_ping_message message;
    size_t used;
    assert_int_equal(fm_ping_open(request, sizeof request, &frame, &used), FM_PING_FINE);
    assert_same(used, sizeof request);
    assert_int_equal(frame.id, 6);
    assert_int_equal(frame.size, 2);
    assert_int_equal(fm_ping_number(&frame, 0, 2), 5);
    assert_int_equal(fm_ping_number(&frame, 1, 2), 0); /* not all of it is there */
    fm_ping_begin(&message, 5, 0, 0);
    for (uint32_t i = 1; i <= 3; i++)
        fm_ping_add(&message, 1, i);
    fm_ping_add(&message, 1, 0);
    fm_ping_end(&message);
    assert_same(message.size, sizeof answer);
    assert_memory_equal(message.bytes, answer, sizeof answer);
}

static void damaged_frames_are_told_apart(void **state)
{
    (void)state;
    static const uint8_t whole[] = {0x42, 0x52, 0x02, 0x00, 0x06, 0x00, 0x00, 0x00, 0x05, 0x00, 0xa1, 0x00};
    uint8_t bytes[32];
    fm_ping_frame frame;
    size_t used;
    for (size_t size = 1; size < sizeof whole; size++) {
        assert_int_equal(fm_ping_open(whole, size, &frame, &used), FM_PING_FAULT_LENGTH);
        assert_same(used, size);
    }
    for (size_t i = 2; i < sizeof whole; i++) {
        memcpy(bytes, whole, sizeof whole);
        bytes[i] ^= 0x10;
        assert_int_not_equal(fm_ping_open(bytes, sizeof whole, &frame, &used), FM_PING_FINE);
    }
    memcpy(bytes, "UUB", 3);
    memcpy(bytes + 3, whole, sizeof whole);
    assert_int_equal(fm_ping_open(bytes, 3 + sizeof whole, &frame, &used), FM_PING_FAULT_NOISE);
    assert_same(used, 3);
    assert_int_equal(fm_ping_open(bytes + 3, sizeof whole, &frame, &used), FM_PING_FINE);
    assert_int_equal(fm_ping_open(bytes, 0, &frame, &used), FM_PING_EMPTY);
}

/* --- Ping1D --- */

static void settings_of_a_ping1d_are_acknowledged_and_read_back(void **state)
{
    (void)state;
    static const struct {
        uint16_t set, get;
        uint8_t payload[8], size, width;
    } rows[] = {
        {1000, 1201, {7}, 1, 1},
        {1001, 1204, {0x10, 0x27, 0, 0, 0x20, 0x4e, 0, 0}, 8, 4},
        {1002, 1203, {0x60, 0xe3, 0x16, 0}, 4, 4},
        {1004, 1206, {0x2c, 1}, 2, 2},
        {1005, 1207, {6}, 1, 4},
        {1006, 1215, {0}, 1, 1},
        {100, 1201, {9}, 1, 1},
    };
    fm_ping_1d device;
    fm_ping_message answer;
    fm_ping_1d_start(&device, 50);
    const fm_ping_frame manual = frame_of(1003, "\0", 1);
    assert_int_equal(fm_ping_1d_take(&device, &manual, &answer), FM_PING_NOTHING);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fm_ping_frame frame = frame_of(rows[i].set, rows[i].payload, rows[i].size);
        assert_int_equal(fm_ping_1d_take(&device, &frame, &answer), FM_PING_NOTHING);
        assert_int_equal(id_of(&answer), 1); /* ack */
        assert_int_equal(at(&answer, 0, 2), rows[i].set);
        frame = frame_of(rows[i].get, NULL, 0); /* the way of older clients */
        fm_ping_1d_take(&device, &frame, &answer);
        assert_int_equal(id_of(&answer), rows[i].get);
        for (size_t k = 0; k < (rows[i].size < rows[i].width ? rows[i].size : rows[i].width); k++)
            assert_int_equal(answer.bytes[8 + k], rows[i].payload[k]);
        frame.size = 1; /* too long or too short */
        frame = frame_of(rows[i].set, rows[i].payload, (size_t)rows[i].size + (rows[i].size < 8 ? 1 : (size_t)-1));
        fm_ping_1d_take(&device, &frame, &answer);
        assert_int_equal(id_of(&answer), 2); /* nack */
    }
}

/* distance u32, confidence u16, transmit_duration u16, ping_number, scan_start, scan_length, gain_setting u32, then for
 * 1300 the number of points u16 and the points. */
static void a_profile_is_laid_out_as_defined(void **state)
{
    (void)state;
    fm_ping_1d device;
    fm_ping_message answer;
    fm_ping_1d_start(&device, 50);
    device.last = (fm_ping_profile){.distance = 12345,
                                    .confidence = 100,
                                    .duration = 66,
                                    .number = 70000,
                                    .start = 1000,
                                    .length = 20000,
                                    .gain = 5,
                                    .data = {[0] = 1, [199] = 255}};
    fm_ping_1d_report(&device, 1300, 42, &answer);
    assert_same(answer.size, (size_t)(8 + 28 - 4 + 4 - 2 + 200 + 2));
    assert_int_equal(answer.bytes[7], 42);
    assert_int_equal(at(&answer, 0, 4), 12345);
    assert_int_equal(at(&answer, 4, 2), 100);
    assert_int_equal(at(&answer, 6, 2), 66);
    assert_int_equal(at(&answer, 8, 4), 70000);
    assert_int_equal(at(&answer, 12, 4), 1000);
    assert_int_equal(at(&answer, 16, 4), 20000);
    assert_int_equal(at(&answer, 20, 4), 5);
    assert_int_equal(at(&answer, 24, 2), 200);
    assert_int_equal(answer.bytes[8 + 26], 1);
    assert_int_equal(answer.bytes[8 + 26 + 199], 255);
    fm_ping_1d_report(&device, 1211, 0, &answer);
    assert_same(answer.size, 8 + 5 + 2);
    assert_int_equal(at(&answer, 4, 1), 100);
}

static void what_a_device_does_not_have_is_refused_in_words(void **state)
{
    (void)state;
    static const struct {
        uint16_t id;
        uint8_t payload[16], size;
        fm_ping_effect effect;
        const char *words;
    } one[] =
        {
            {1100, {0}, 0, FM_PING_NOTHING, "no bootloader"},
            {1005, {7}, 1, FM_PING_NOTHING, "0 to 6"},
            {1001, {0, 0, 0, 0, 0xe7, 3}, 8, FM_PING_NOTHING, "1000 to"},
            {1400, {0xbc, 4}, 2, FM_PING_NOTHING, "1300"},
            {1400, {0x14, 5}, 2, FM_PING_STREAM, NULL},
            {1401, {0x14, 5}, 2, FM_PING_CEASE, NULL},
            {6, {0xfc, 8}, 2, FM_PING_UNKNOWN, "unknown"},
            {1007, {0}, 4, FM_PING_UNKNOWN, "unknown"},
        },
      three[] = {
          {2600, {1}, 2, FM_PING_NOTHING, "no bootloader"},
          {2601, {1, 1, 0x90, 1, 10, 0, 200, 0, 0xee, 2, 200, 0, 1, 0}, 14, FM_PING_NOTHING, "399"},
          {2601, {1, 1, 0x8f, 1, 10, 0, 79, 0, 0xee, 2, 200, 0, 1, 0}, 14, FM_PING_NOTHING, "80 to 40000"},
          {2601, {1, 1, 0x8f, 1, 10, 0, 80, 0, 0xee, 2, 0xb1, 4, 1, 0}, 14, FM_PING_NOTHING, "1200"},
          {2601, {1, 1, 0x8f, 1, 10, 0, 80, 0, 0xee, 2, 0xb0, 4, 1, 0}, 14, FM_PING_SHOOT, NULL},
          {2602, {1, 1, 10, 0, 80, 0, 0xee, 2, 200, 0, 0, 0, 0x8f, 1, 11, 0}, 16, FM_PING_NOTHING, "1 to 10"},
          {2602, {1, 1, 10, 0, 80, 0, 0xee, 2, 200, 0, 0, 0, 0x8f, 1, 1, 0}, 16, FM_PING_STREAM, NULL},
          {2903, {0}, 0, FM_PING_CEASE, NULL},
          {1212, {0}, 0, FM_PING_UNKNOWN, "unknown"},
      };
    fm_ping_1d small;
    fm_ping_360 large;
    fm_ping_1d_start(&small, 50);
    fm_ping_360_start(&large, 50);
    for (size_t i = 0; i < 2 * 9; i++) {
        const int second = i >= 9;
        const size_t k = second ? i - 9 : i;
        if (!second && k == sizeof one / sizeof *one)
            continue;
        const uint8_t *payload = second ? three[k].payload : one[k].payload;
        const fm_ping_frame frame =
            frame_of(second ? three[k].id : one[k].id, payload, second ? three[k].size : one[k].size);
        const char *words = second ? three[k].words : one[k].words;
        fm_ping_message answer;
        fm_ping_shot shot;
        const fm_ping_effect effect =
            second ? fm_ping_360_take(&large, &frame, &shot, &answer) : fm_ping_1d_take(&small, &frame, &answer);
        assert_int_equal(effect, second ? three[k].effect : one[k].effect);
        if (!words)
            continue;
        assert_int_equal(id_of(&answer), 2);
        answer.bytes[answer.size - 2] = 0;
        if (!strstr((const char *)answer.bytes + 10, words))
            fail_msg("%u: '%s' does not say '%s'", frame.id, (const char *)answer.bytes + 10, words);
    }
}

/* --- Ping360 --- */

/* The time of a turn in steps of 1 gradian, as on the data sheet: 9 s at 2 m, 35 s at 50 m. */
static void a_turn_takes_the_time_of_the_data_sheet(void **state)
{
    (void)state;
    static const double sheet[2][2] = {{2, 9}, {50, 35}};
    for (int i = 0; i < 2; i++) {
        double time = 0;
        fm_ping_shot shot = {.samples = 1200, .transmit = 1};
        shot.period = (uint16_t)(2 * sheet[i][0] / (1500.0 * 1200 * 25e-9));
        for (uint16_t angle = 0; angle < 400; angle++) {
            shot.angle = angle;
            time += fm_ping_360_delay((uint16_t)((angle + 399) % 400), &shot);
        }
        assert_near(time, sheet[i][1], 0.5);
    }
}

static void sectors_are_scanned_to_and_fro_and_turns_in_one_direction(void **state)
{
    (void)state;
    static const struct {
        uint16_t first, last;
        uint8_t steps;
        uint16_t angles[9];
    } rows[] = {
        {180, 220, 10, {190, 200, 210, 220, 210, 200, 190, 180, 190}},
        {390, 8, 6, {396, 2, 8, 2, 396, 390, 396, 2, 8}},
        {0, 399, 10, {10, 20, 30, 40, 50, 60, 70, 80, 90}},
        {50, 50, 3, {50, 50, 50, 50, 50, 50, 50, 50, 50}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fm_ping_360 device = {.first = rows[i].first, .last = rows[i].last, .steps = rows[i].steps};
        device.shot.angle = rows[i].first;
        for (int k = 0; k < 9; k++) {
            fm_ping_360_advance(&device);
            assert_int_equal(device.shot.angle, rows[i].angles[k]);
        }
    }
    fm_ping_360 device = {.last = 399, .steps = 1};
    device.shot.angle = 399;
    fm_ping_360_advance(&device);
    assert_int_equal(device.shot.angle, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_frames_of_the_protocols_page_are_read_and_written),
        cmocka_unit_test(damaged_frames_are_told_apart),
        cmocka_unit_test(settings_of_a_ping1d_are_acknowledged_and_read_back),
        cmocka_unit_test(a_profile_is_laid_out_as_defined),
        cmocka_unit_test(what_a_device_does_not_have_is_refused_in_words),
        cmocka_unit_test(a_turn_takes_the_time_of_the_data_sheet),
        cmocka_unit_test(sectors_are_scanned_to_and_fro_and_turns_in_one_direction),
    };
    return cmocka_run_group_tests_name("Ping protocol", tests, NULL, NULL);
}
