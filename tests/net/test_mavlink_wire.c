/* MAVLink: the CRC and CRC_EXTRA of its specification, frames of other writers, what is written is read again, what is
 * damaged is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridges/mavlink/mavlink_wire.h"
#include "support/cmocka_all.h"

static uint64_t chance;

static uint64_t any(void)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return chance >> 11;
}

/* --- checks --- */

/* The check value of CRC-16/MCRF4XX in the catalogue of CRCs. */
static void the_crc_is_mcrf4xx(void **state)
{
    (void)state;
    assert_int_equal(fm_mav_crc(0xFFFF, "123456789", 9), 0x6F91);
    assert_int_equal(fm_mav_crc(0xFFFF, "", 0), 0xFFFF);
}

/* CRC_EXTRA by its definition: of the name, and type, name and length of each field in the order of its bytes. */
static uint16_t extra;

static void add_word(const char *word)
{
    extra = fm_mav_crc(extra, word, strlen(word));
    extra = fm_mav_crc(extra, " ", 1);
}

static void add_field(const char *type, const char *name, unsigned count)
{
    uint8_t length = (uint8_t)count;
    add_word(type);
    add_word(name);
    if (count > 0)
        extra = fm_mav_crc(extra, &length, 1);
}

#define TYPE_u8 "uint8_t"
#define TYPE_u16 "uint16_t"
#define TYPE_u32 "uint32_t"
#define TYPE_u64 "uint64_t"
#define TYPE_i8 "int8_t"
#define TYPE_i16 "int16_t"
#define TYPE_i32 "int32_t"
#define TYPE_i64 "int64_t"
#define TYPE_f32 "float"

static void every_crc_extra_follows_from_its_message(void **state)
{
    int count = 0;
    uint8_t expected = 0;
    (void)state;
#define MESSAGE(name, NAME, id, number)                                                                                \
    extra = 0xFFFF;                                                                                                    \
    expected = number;                                                                                                 \
    add_word(#NAME);
#define FIELD(name, type, member) add_field(TYPE_##type, #member, 0);
#define ARRAY(name, type, member, count) add_field(TYPE_##type, #member, count);
#define TEXT(name, member, size) add_field("char", #member, size);
#define FIELD2(name, type, member)
#define ARRAY2(name, type, member, count)
#define END(name)                                                                                                      \
    assert_int_equal((extra & 0xFF) ^ (extra >> 8), expected);                                                         \
    count++;
#include "bridges/mavlink/mavlink_table.h"
    assert_at_least(count, 25);
}

/* The members of a message are ordered by size, the widest first; those that MAVLink 2 added come last. */
static void members_lie_by_their_size(void **state)
{
    size_t last = 8;
    (void)state;
#define WIDTH(type) sizeof(fm_mav_##type)
#define MESSAGE(name, NAME, id, number) last = 8;
#define FIELD(name, type, member)                                                                                      \
    assert_at_most(WIDTH(type), last);                                                                                 \
    last = WIDTH(type);
#define ARRAY(name, type, member, count) FIELD(name, type, member)
#define TEXT(name, member, size) FIELD(name, u8, member)
#define FIELD2(name, type, member)
#define ARRAY2(name, type, member, count)
#include "bridges/mavlink/mavlink_table.h"
}

/* --- frames --- */

/* A heartbeat of a ground station, by hand and without its CRC: MAVLink 1 and 2. */
static const uint8_t heartbeat_1[] = {0xFE, 9, 0, 255, 190, 0, 0, 0, 0, 0, 6, 8, 0, 0, 3, 0, 0};
static const uint8_t heartbeat_2[] = {0xFD, 9, 0, 0, 0, 255, 190, 0, 0, 0, 0, 0, 0, 0, 6, 8, 0, 0, 3, 0, 0};

static size_t seal(uint8_t *bytes, const uint8_t *from, size_t size)
{
    uint8_t number = 50;
    memcpy(bytes, from, size);
    uint16_t crc = fm_mav_crc(0xFFFF, bytes + 1, size - 3);
    crc = fm_mav_crc(crc, &number, 1);
    bytes[size - 2] = (uint8_t)crc;
    bytes[size - 1] = (uint8_t)(crc >> 8);
    return size;
}

static void both_versions_are_read(void **state)
{
    uint8_t bytes[64];
    (void)state;
    for (int version = 1; version <= 2; version++) {
        size_t used, size = version == 1 ? seal(bytes, heartbeat_1, sizeof heartbeat_1)
                                         : seal(bytes, heartbeat_2, sizeof heartbeat_2);
        fm_mav_frame frame;
        fm_mav_heartbeat h;
        assert_int_equal(fm_mav_open(bytes, size, &frame, &used), FM_MAV_FINE);
        assert_int_equal(used, size);
        assert_int_equal(frame.version, version);
        assert_int_equal(frame.system, 255);
        assert_int_equal(frame.component, 190);
        fm_mav_heartbeat_read(&frame, &h);
        assert_int_equal(h.type, 6);
        assert_int_equal(h.autopilot, 8);
        assert_int_equal(h.mavlink_version, 3);
        for (size_t cut = 1; cut < size; cut++)
            assert_int_equal(fm_mav_open(bytes, cut, &frame, &used), FM_MAV_MORE);
    }
}

/* A frame that node-mavlink 2.3.0 wrote: COMMAND_LONG (76) of 255/190, sequence 5, REQUEST_MESSAGE (512) of 148. */
static void a_frame_of_node_mavlink_is_read(void **state)
{
    static const uint8_t bytes[] = {0xFD, 0x20, 0x00, 0x00, 0x05, 0xFF, 0xBE, 0x4C, 0x00, 0x00, 0x00,
                                    0x00, 0x14, 0x43, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                                    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                                    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x01, 0x01, 0x24, 0x46};
    fm_mav_frame frame;
    fm_mav_command_long c;
    size_t used;
    (void)state;
    assert_int_equal(fm_mav_open(bytes, sizeof bytes, &frame, &used), FM_MAV_FINE);
    assert_int_equal(used, sizeof bytes);
    assert_int_equal(frame.id, FM_MAV_ID_COMMAND_LONG);
    assert_int_equal(frame.sequence, 5);
    fm_mav_command_long_read(&frame, &c);
    assert_int_equal(c.command, 512);
    assert_int_equal(c.target_system, 1);
    assert_same(c.param1, 148);
    assert_same(c.param7, 0);
}

/* Every message, of any content, is the same after a frame; zeros at its end are not sent. */
static void what_is_written_is_read_again(void **state)
{
    uint8_t bytes[FM_MAV_MOST];
    fm_mav_sender from = {.system = 7, .component = 1};
    fm_mav_frame frame;
    size_t used;
    (void)state;
#define MESSAGE(name, NAME, id, number)                                                                                \
    for (int round = 0; round < 4; round++) {                                                                          \
        fm_mav_##name message, copy;                                                                                   \
        memset(&message, 0, sizeof message);                                                                           \
        memset(&copy, 0, sizeof copy);
#define FIELD(name, type, member) message.member = round ? (fm_mav_##type)(any() % 100) : 0;
#define ARRAY(name, type, member, count)                                                                               \
    for (size_t i = 0; i < (count); i++)                                                                               \
        message.member[i] = round ? (fm_mav_##type)(any() % 100) : 0;
#define TEXT(name, member, size)                                                                                       \
    for (size_t i = 0; round && i < any() % ((size) + 1); i++)                                                         \
        message.member[i] = (char)('a' + any() % 26);
#define END(name)                                                                                                      \
    size_t size = fm_mav_##name##_write(&from, &message, bytes);                                                       \
    assert_int_equal(fm_mav_open(bytes, size, &frame, &used), FM_MAV_FINE);                                            \
    assert_int_equal(used, size);                                                                                      \
    assert_int_equal(frame.sequence, (uint8_t)(from.sequence - 1));                                                    \
    fm_mav_##name##_read(&frame, &copy);                                                                               \
    assert_memory_equal(&copy, &message, sizeof copy);                                                                 \
    if (round == 0)                                                                                                    \
        assert_int_equal(size, 13);                                                                                    \
    }
#include "bridges/mavlink/mavlink_table.h"
}

static void numbers_below_zero_and_unknown_ones_survive(void **state)
{
    uint8_t bytes[FM_MAV_MOST];
    fm_mav_sender from = {.system = 1};
    fm_mav_global_position_int out = {.lat = -343000000, .lon = INT32_MIN, .vz = -1}, in;
    fm_mav_attitude unknown = {.roll = NAN, .yaw = -1.5f}, told;
    fm_mav_frame frame;
    size_t used, size = fm_mav_global_position_int_write(&from, &out, bytes);
    (void)state;
    assert_int_equal(fm_mav_open(bytes, size, &frame, &used), FM_MAV_FINE);
    fm_mav_global_position_int_read(&frame, &in);
    assert_memory_equal(&in, &out, sizeof in);
    size = fm_mav_attitude_write(&from, &unknown, bytes);
    assert_int_equal(fm_mav_open(bytes, size, &frame, &used), FM_MAV_FINE);
    fm_mav_attitude_read(&frame, &told);
    assert_true(isnan(told.roll));
    assert_same(told.yaw, -1.5f);
}

static void a_flipped_bit_is_refused(void **state)
{
    uint8_t bytes[FM_MAV_MOST];
    fm_mav_sender from = {.system = 1, .component = 1};
    fm_mav_hil_actuator_controls m = {.time_usec = 123456, .mode = 129, .controls = {0.5f, -0.25f}};
    size_t used, size = fm_mav_hil_actuator_controls_write(&from, &m, bytes);
    fm_mav_frame frame;
    (void)state;
    for (size_t i = 0; i < 8 * size; i++) {
        bytes[i / 8] ^= (uint8_t)(1 << i % 8);
        assert_int_not_equal(fm_mav_open(bytes, size, &frame, &used), FM_MAV_FINE);
        assert_at_most(used, size);
        bytes[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    assert_int_equal(fm_mav_open(bytes, size, &frame, &used), FM_MAV_FINE);
}

static void what_is_dropped_has_its_reason(void **state)
{
    uint8_t bytes[64];
    fm_mav_frame frame;
    size_t used, size = seal(bytes, heartbeat_2, sizeof heartbeat_2);
    (void)state;
    bytes[12] ^= 1;
    assert_int_equal(fm_mav_open(bytes, size, &frame, &used), FM_MAV_FAULT_CRC);
    assert_int_equal(used, 1);
    seal(bytes, heartbeat_2, sizeof heartbeat_2);
    bytes[2] = 2;
    assert_int_equal(fm_mav_open(bytes, size, &frame, &used), FM_MAV_FAULT_FLAGS);
    bytes[2] = 0;
    bytes[8] = 0xEE;
    assert_int_equal(fm_mav_open(bytes, size, &frame, &used), FM_MAV_FAULT_ID);
    assert_int_equal(used, size);
    assert_int_equal(fm_mav_open((const uint8_t *)"hello", 5, &frame, &used), FM_MAV_FAULT_NOISE);
    assert_int_equal(used, 5);
    uint8_t longer[32] = {0xFE, 10};
    longer[5] = 0;
    seal(longer, longer, 18);
    assert_int_equal(fm_mav_open(longer, 18, &frame, &used), FM_MAV_FAULT_LENGTH);
    assert_string_equal(fm_mav_fault_name(FM_MAV_FAULT_LENGTH), "length");
}

/* A signature of 13 bytes is passed over. */
static void a_signed_frame_is_read(void **state)
{
    uint8_t bytes[64] = {0}, plain[64];
    fm_mav_frame frame;
    size_t used, size = sizeof heartbeat_2;
    (void)state;
    memcpy(plain, heartbeat_2, size);
    plain[2] = FM_MAV_SIGNED;
    seal(bytes, plain, size);
    assert_int_equal(fm_mav_open(bytes, size, &frame, &used), FM_MAV_MORE);
    assert_int_equal(fm_mav_open(bytes, size + 13, &frame, &used), FM_MAV_FINE);
    assert_int_equal(used, size + 13);
}

/* --- streams --- */

/* A thousand frames with noise between them, in pieces of any length: all of them come. */
static void a_stream_in_pieces_gives_every_frame(void **state)
{
    static uint8_t bytes[200000];
    fm_mav_sender from = {.system = 1, .component = 1};
    fm_mav_stream stream = {.size = 0};
    fm_mav_frame frame;
    size_t size = 0, frames = 0, noise = 0;
    (void)state;
    for (int i = 0; i < 1000; i++) {
        fm_mav_system_time t = {.time_unix_usec = any(), .time_boot_ms = (uint32_t)i};
        size += fm_mav_system_time_write(&from, &t, bytes + size);
        for (size_t k = any() % 3; k > 0; k--, noise++)
            bytes[size++] = (uint8_t)(any() % 0xF0);
    }
    for (size_t at = 0; at < size;) {
        size_t piece = 1 + any() % 700;
        const uint8_t *next = bytes + at;
        piece = piece < size - at ? piece : size - at;
        at += piece;
        for (fm_mav_fault fault; (fault = fm_mav_stream_take(&stream, &next, &piece, &frame)) != FM_MAV_MORE;)
            if (fault == FM_MAV_FINE) {
                fm_mav_system_time t;
                fm_mav_system_time_read(&frame, &t);
                assert_int_equal(t.time_boot_ms, frames++);
            } else
                assert_int_equal(fault, FM_MAV_FAULT_NOISE);
        assert_int_equal(piece, 0);
    }
    assert_int_equal(frames, 1000);
    assert_greater(noise, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_crc_is_mcrf4xx),
        cmocka_unit_test(every_crc_extra_follows_from_its_message),
        cmocka_unit_test(members_lie_by_their_size),
        cmocka_unit_test(both_versions_are_read),
        cmocka_unit_test(a_frame_of_node_mavlink_is_read),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(numbers_below_zero_and_unknown_ones_survive),
        cmocka_unit_test(a_flipped_bit_is_refused),
        cmocka_unit_test(what_is_dropped_has_its_reason),
        cmocka_unit_test(a_signed_frame_is_read),
        cmocka_unit_test(a_stream_in_pieces_gives_every_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
