/* The wire protocol: what is written is read again, what is damaged is refused, and docs/protocol.md agrees.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "server/seal.h"
#include "server/wire_command.h"
#include "support/cmocka_all.h"
#include "support/files.h"

#define PAGE FATHOM_SOURCE_DIR "/docs/protocol.md"

/* --- a small generator, so that cases repeat --- */

static uint64_t chance;

static uint64_t any(void)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return chance >> 11;
}

static uint8_t any_u8(void)
{
    return (uint8_t)any();
}

static uint16_t any_u16(void)
{
    return (uint16_t)any();
}

static uint32_t any_u32(void)
{
    return (uint32_t)any();
}

static uint64_t any_u64(void)
{
    return any() << 32 ^ any();
}

static float any_f32(void)
{
    return (float)((double)any() * 1e-9 - 1e6);
}

static double any_f64(void)
{
    return (double)any() * 1e-7 - 1e8;
}

static void any_text(char *text, size_t size)
{
    memset(text, 0, size);
    for (size_t i = 0, length = any() % size; i < length; i++)
        text[i] = (char)(' ' + any() % 94);
}

/* --- messages --- */

#define MESSAGE(name)                                                                                                  \
    static void check_##name(void)                                                                                     \
    {                                                                                                                  \
        uint8_t first[FM_WIRE_MOST] = {0}, second[FM_WIRE_MOST] = {0};                                                 \
        fm_wire_##name message, copy;                                                                                  \
        memset(&message, 0, sizeof message);
#define FIELD(name, type, member) message.member = any_##type();
#define ARRAY(name, type, member, count)                                                                               \
    for (size_t i = 0; i < (count); i++)                                                                               \
        message.member[i] = any_##type();
#define TEXT(name, member, size) any_text(message.member, size);
#define END(name)                                                                                                      \
    fm_wire_out out = {.bytes = first, .room = sizeof first}, again = {.bytes = second, .room = sizeof second};        \
    fm_wire_put_##name(&out, &message);                                                                                \
    assert_int_equal(out.fault, FM_WIRE_FINE);                                                                         \
    assert_int_equal(out.size, FM_WIRE_SIZE_##name);                                                                   \
    fm_wire_in in = {.bytes = first, .size = out.size};                                                                \
    assert_true(fm_wire_get_##name(&in, &copy));                                                                       \
    assert_int_equal(in.at, in.size);                                                                                  \
    fm_wire_put_##name(&again, &copy);                                                                                 \
    assert_memory_equal(first, second, FM_WIRE_SIZE_##name);                                                           \
    for (size_t less = 0; less < out.size; less++) {                                                                   \
        fm_wire_in shorter = {.bytes = first, .size = less};                                                           \
        assert_false(fm_wire_get_##name(&shorter, &copy));                                                             \
        fm_wire_out narrow = {.bytes = second, .room = less};                                                          \
        fm_wire_put_##name(&narrow, &message);                                                                         \
        assert_int_equal(narrow.fault, FM_WIRE_FAULT_PAYLOAD);                                                         \
        assert_at_most(narrow.size, less);                                                                             \
    }                                                                                                                  \
    }
#include "server/wire_table.h"
#undef MESSAGE
#undef FIELD
#undef ARRAY
#undef TEXT
#undef END

static void every_message_is_read_as_it_was_written(void **state)
{
    (void)state;
    for (chance = 1; chance < 20; chance += 6) {
        uint64_t seed = chance;
#define MESSAGE(name) check_##name();
#define FIELD(name, type, member)
#define ARRAY(name, type, member, count)
#define TEXT(name, member, size)
#define END(name)
#include "server/wire_table.h"
#undef MESSAGE
#undef FIELD
#undef ARRAY
#undef TEXT
#undef END
        chance = seed;
    }
}

/* --- datagrams --- */

static const uint8_t key[FM_WIRE_KEY] = {1, 2, 3};

static size_t write_command(uint8_t bytes[FM_WIRE_MOST], const uint8_t *with)
{
    fm_command command = {.kind = FM_COMMAND_SET, .set = {.path = "/water/density", .value = 1030}};
    fm_wire_out out = fm_wire_begin(bytes);
    fm_wire_put_command(&out, &(fm_wire_command){.verb = FM_COMMAND_SET, .id = 5});
    fm_wire_put_arguments(&out, &command);
    fm_wire_header header = {.type = FM_WIRE_COMMAND, .sequence = 9, .token = 0x1234567890abcdef, .source = 2};
    return fm_wire_finish(&out, &header, with, fm_seal_hash);
}

/* What a server does with a datagram before it knows the session. */
static fm_wire_fault receive(const uint8_t *bytes, size_t size, const uint8_t *with)
{
    fm_wire_header header;
    fm_wire_in payload;
    fm_wire_fault fault = fm_wire_open(bytes, size, 0, &header, &payload);
    if (fault == FM_WIRE_FINE && with && !fm_wire_is_sealed(bytes, &header, with, fm_seal_hash))
        return FM_WIRE_FAULT_MAC;
    return fault;
}

static void a_datagram_comes_through_whole(void **state)
{
    (void)state;
    uint8_t bytes[FM_WIRE_MOST];
    fm_wire_header header;
    fm_wire_in payload;
    fm_wire_command head;
    fm_command command;
    size_t size = write_command(bytes, NULL);
    assert_int_equal(size, FM_WIRE_HEADER + FM_WIRE_SIZE_command + 96 + 8);
    assert_int_equal(fm_wire_open(bytes, size, 0, &header, &payload), FM_WIRE_FINE);
    assert_true(fm_wire_get_command(&payload, &head));
    assert_same(head.verb, FM_COMMAND_SET);
    assert_same(head.id, 5);
    assert_true(fm_wire_get_arguments(&payload, FM_COMMAND_SET, &command));
    assert_string_equal(command.set.path, "/water/density");
    assert_same(command.set.value, 1030);
    assert_int_equal(header.token, 0x1234567890abcdef);
    assert_int_equal(header.sequence, 9);
    assert_int_equal(write_command(bytes, key), size + FM_WIRE_MAC);
    assert_int_equal(receive(bytes, size + FM_WIRE_MAC, key), FM_WIRE_FINE);
}

static void no_other_length_is_taken(void **state)
{
    (void)state;
    uint8_t bytes[FM_WIRE_MOST + 1] = {0}, copy[FM_WIRE_MOST + 1];
    fm_wire_out out = fm_wire_begin(bytes);
    fm_wire_put_subscribe(&out, &(fm_wire_subscribe){.mask = FM_WIRE_WANT_STATE});
    size_t size = fm_wire_finish(&out, &(fm_wire_header){.type = FM_WIRE_SUBSCRIBE, .sequence = 9}, NULL, NULL);
    for (size_t other = 0; other <= sizeof bytes; other++) {
        if (other == size)
            continue;
        assert_int_equal(receive(bytes, other, NULL), FM_WIRE_FAULT_LENGTH);
        if (other < FM_WIRE_HEADER || other > FM_WIRE_MOST)
            continue;
        memcpy(copy, bytes, sizeof bytes); /* the length field agrees, the type has no such payload */
        copy[8] = (uint8_t)other;
        copy[9] = (uint8_t)(other >> 8);
        assert_int_equal(receive(copy, other, NULL), FM_WIRE_FAULT_PAYLOAD);
    }
}

static void a_command_has_exactly_its_arguments(void **state)
{
    (void)state;
    for (int kind = 1; kind < FM_COMMAND_KINDS; kind++) {
        uint8_t bytes[FM_WIRE_PAYLOAD] = {0};
        fm_command said, heard;
        fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
        assert_int_equal(fm_command_begin(&said, (fm_command_kind)kind, NULL), FM_OK);
        fm_wire_put_arguments(&out, &said);
        assert_int_equal(out.fault, FM_WIRE_FINE);
        for (size_t size = 0; size <= out.size + 1; size++) {
            fm_wire_in in = {.bytes = bytes, .size = size};
            assert_int_equal(fm_wire_get_arguments(&in, (fm_command_kind)kind, &heard), size == out.size);
            if (size == out.size)
                assert_memory_equal(&said, &heard, sizeof said);
        }
    }
    fm_wire_in none = {.size = 0};
    fm_command command;
    assert_false(fm_wire_get_arguments(&none, FM_COMMAND_KINDS, &command));
}

static void every_flipped_bit_is_found(void **state)
{
    (void)state;
    for (int sealed = 0; sealed < 2; sealed++) {
        uint8_t bytes[FM_WIRE_MOST];
        size_t size = write_command(bytes, sealed ? key : NULL);
        for (size_t bit = 0; bit < 8 * size; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_int_not_equal(receive(bytes, size, NULL), FM_WIRE_FINE);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        assert_int_equal(receive(bytes, size, NULL), FM_WIRE_FINE);
    }
}

/* Somebody who knows the CRC but not the key. */
static void without_the_key_nothing_is_forged(void **state)
{
    (void)state;
    uint8_t bytes[FM_WIRE_MOST], other[FM_WIRE_KEY] = {1, 2, 4};
    size_t size = write_command(bytes, other);
    assert_int_equal(receive(bytes, size, NULL), FM_WIRE_FINE);
    assert_int_equal(receive(bytes, size, key), FM_WIRE_FAULT_MAC);
    size = write_command(bytes, NULL);
    assert_int_equal(receive(bytes, size, key), FM_WIRE_FAULT_MAC);
    size = write_command(bytes, key);
    for (size_t bit = 0; bit < 8 * size; bit++) { /* with a CRC that is right again */
        fm_wire_header header;
        fm_wire_in payload;
        if (bit / 8 >= 36 && bit / 8 < 40)
            continue;
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        memset(bytes + 36, 0, 4);
        fm_wire_out crc = {.bytes = bytes + 36, .room = 4};
        fm_wire_put_u32(&crc, fm_wire_crc32c(0, bytes, size));
        if (fm_wire_open(bytes, size, 0, &header, &payload) == FM_WIRE_FINE)
            assert_false(fm_wire_is_sealed(bytes, &header, key, fm_seal_hash));
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

static void what_a_server_sends_is_not_taken_from_a_client(void **state)
{
    (void)state;
    uint8_t bytes[FM_WIRE_MOST];
    fm_wire_header header;
    fm_wire_in payload;
    fm_wire_out out = fm_wire_begin(bytes);
    fm_wire_put_ping(&out, &(fm_wire_ping){.nonce = 3});
    size_t size = fm_wire_finish(
        &out, &(fm_wire_header){.type = FM_WIRE_PING, .flags = FM_WIRE_FROM_SERVER, .sequence = 1}, NULL, NULL);
    assert_int_equal(fm_wire_open(bytes, size, 1, &header, &payload), FM_WIRE_FINE);
    assert_int_equal(fm_wire_open(bytes, size, 0, &header, &payload), FM_WIRE_FAULT_TYPE);
}

/* --- numbers and texts --- */

static void what_is_not_finite_is_refused(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        uint8_t bytes[8];
        fm_wire_out out = {.bytes = bytes, .room = 8};
        fm_wire_put_f64(&out, bad[i]);
        fm_wire_in in = {.bytes = bytes, .size = 8};
        assert_same(fm_wire_get_f64(&in), 0);
        assert_same(in.fault, FM_WIRE_FAULT_VALUE);
        out = (fm_wire_out){.bytes = bytes, .room = 8};
        fm_wire_put_f32(&out, (float)bad[i]);
        in = (fm_wire_in){.bytes = bytes, .size = 4};
        assert_same(fm_wire_get_f32(&in), 0);
        assert_same(in.fault, FM_WIRE_FAULT_VALUE);
    }
}

static int takes_text(const char *bytes, size_t size)
{
    char text[32];
    fm_wire_in in = {.bytes = (const uint8_t *)bytes, .size = size};
    fm_wire_get_text(&in, text, size);
    return in.fault == FM_WIRE_FINE;
}

static void a_text_is_utf8_and_ends(void **state)
{
    (void)state;
    assert_true(takes_text("rover\0\0\0", 8));
    assert_true(takes_text("\0\0\0\0", 4));
    assert_true(takes_text("fj\xc3\xb8rd\0\0", 8));
    assert_true(takes_text("\xf0\x9f\x90\x9f\0", 5));
    assert_false(takes_text("abcdefgh", 8));           /* does not end */
    assert_false(takes_text("ab\ncd\0\0\0", 8));       /* control character */
    assert_false(takes_text("\xc0\xaf\0\0", 4));       /* overlong */
    assert_false(takes_text("\xe0\x80\x80\0", 4));     /* overlong */
    assert_false(takes_text("\xed\xa0\x80\0", 4));     /* surrogate */
    assert_false(takes_text("\xf4\x90\x80\x80\0", 5)); /* beyond U+10FFFF */
    assert_false(takes_text("ab\xc3\0", 4));           /* cut off */
    assert_false(takes_text("\x80\0\0\0", 4));
}

static void a_text_that_is_too_long_is_cut_between_characters(void **state)
{
    (void)state;
    uint8_t bytes[6];
    fm_wire_out out = {.bytes = bytes, .room = 6};
    fm_wire_put_text(&out, "abcd\xc3\xb8", 6);
    assert_memory_equal(bytes, "abcd\0\0", 6);
    assert_true(takes_text((const char *)bytes, 6));
}

/* --- replay --- */

static void a_sequence_is_taken_once(void **state)
{
    (void)state;
    fm_wire_window window = {0};
    assert_false(fm_wire_window_take(&window, 0));
    static const struct {
        uint32_t sequence;
        int taken;
    } cases[] = {{1, 1},   {1, 0},   {3, 1},   {2, 1},   {2, 0},          {70, 1},         {6, 0},
                 {7, 1},   {7, 0},   {70, 0},  {134, 1}, {70, 0},         {71, 1},         {0, 0},
                 {500, 1}, {436, 0}, {437, 1}, {437, 0}, {UINT32_MAX, 1}, {UINT32_MAX, 0}, {UINT32_MAX - 63, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (fm_wire_window_take(&window, cases[i].sequence) != cases[i].taken)
            fail_msg("case %zu, sequence %u", i, cases[i].sequence);
}

/* --- known answers --- */

static void the_crc_and_the_mac_are_the_published_ones(void **state)
{
    (void)state;
    assert_int_equal(fm_wire_crc32c(0, "123456789", 9), 0xE3069283);
    uint8_t counted[FM_WIRE_KEY], mac[FM_WIRE_MAC];
    for (int i = 0; i < FM_WIRE_KEY; i++)
        counted[i] = (uint8_t)i;
    fm_seal_hash(counted, (const uint8_t *)"abc", 3, mac);
    static const uint8_t known[FM_WIRE_MAC] = {
        0x1a, 0x64, 0xbe, 0x47, 0xe4, 0x72, 0x9d, 0x95, 0x1c,
        0x30, 0x2e, 0xe5, 0x43, 0xf9, 0x7c, 0xf3}; /* hashlib.blake2b(b"abc", key=bytes(range(32)), digest_size=16) */
    assert_memory_equal(mac, known, FM_WIRE_MAC);
}

/* --- the page --- */

/* The bytes of the block that begins with ```name. */
static size_t read_block(const char *page, const char *name, uint8_t *bytes, size_t room)
{
    char fence[32];
    snprintf(fence, sizeof fence, "\n```%s\n", name);
    const char *at = strstr(page, fence);
    assert_non_null(at);
    at += strlen(fence);
    size_t size = 0;
    unsigned byte;
    int length;
    while (size < room && sscanf(at, " %2x%n", &byte, &length) == 1 && at[0] != '`') {
        bytes[size++] = (uint8_t)byte;
        at += length;
    }
    return size;
}

static void check_example(const char *page, const char *name, fm_wire_out *out, const fm_wire_header *header)
{
    uint8_t told[FM_WIRE_MOST];
    size_t size = fm_wire_finish(out, header, NULL, NULL), found = read_block(page, name, told, sizeof told);
    assert_int_equal(found, size);
    assert_memory_equal(told, out->bytes, size);
}

static void the_examples_of_the_page_are_these_bytes(void **state)
{
    (void)state;
    char *page = read_file(PAGE, NULL);
    uint8_t bytes[FM_WIRE_MOST];
    const uint64_t nonce = 0x1122334455667788;
    fm_wire_challenge challenge = {.nonce = nonce};
    for (int i = 0; i < 16; i++)
        challenge.cookie[i] = (uint8_t)(0xa0 + i);
    fm_wire_connect connect = {.role = FM_WIRE_UNDERWATER,
                               .name = "rover",
                               .model = "nps-auv-ii",
                               .pose = {10, 0, 5},
                               .state_period = 50000,
                               .nonce = nonce};
    memcpy(connect.cookie, challenge.cookie, sizeof connect.cookie);

    fm_wire_out out = fm_wire_begin(bytes);
    fm_wire_put_hello(&out, &(fm_wire_hello){.nonce = nonce, .least = 1, .most = 1, .role = FM_WIRE_UNDERWATER});
    check_example(page, "hello", &out, &(fm_wire_header){.type = FM_WIRE_HELLO});
    out = fm_wire_begin(bytes);
    fm_wire_put_challenge(&out, &challenge);
    check_example(page, "challenge", &out,
                  &(fm_wire_header){.type = FM_WIRE_CHALLENGE, .flags = FM_WIRE_FROM_SERVER | FM_WIRE_REPLY});
    out = fm_wire_begin(bytes);
    fm_wire_put_connect(&out, &connect);
    check_example(page, "connect", &out, &(fm_wire_header){.type = FM_WIRE_CONNECT});
    out = fm_wire_begin(bytes);
    fm_wire_put_actuate(&out, &(fm_wire_actuate){.mode = FM_WIRE_NATIVE, .count = 2, .hold = 500});
    fm_wire_put_f32(&out, 40);
    fm_wire_put_f32(&out, -0.1f);
    check_example(
        page, "actuate", &out,
        &(fm_wire_header){
            .type = FM_WIRE_ACTUATE, .sequence = 7, .token = 0x0123456789abcdef, .time = 123456, .source = 3});
    free(page);
}

/* Whether the page has a table with these beginnings of rows, one below the other. */
static int has_table(const char *page, char rows[][64], size_t count)
{
    static const char head[] = "| offset | type | field | |\n|---|---|---|---|\n";
    for (const char *table = strstr(page, head); table; table = strstr(table + 1, head)) {
        const char *at = table + strlen(head);
        size_t same = 0;
        while (same < count && strncmp(at, rows[same], strlen(rows[same])) == 0) {
            at = strchr(at, '\n') + 1;
            same++;
        }
        if (same == count && *at == '\n')
            return 1;
    }
    return 0;
}

#define ROW(shown, name, ...)                                                                                          \
    snprintf(rows[count++], sizeof rows[0], "| %zu | " shown " | " name " |", offset, __VA_ARGS__)
#define MESSAGE(name)                                                                                                  \
    static int told_##name(const char *page)                                                                           \
    {                                                                                                                  \
        char rows[32][64];                                                                                             \
        size_t count = 0, offset = 0;
#define FIELD(name, type, member)                                                                                      \
    ROW("%s", "%s", #type, #member);                                                                                   \
    offset += FM_WIRE_BYTES_##type;
#define ARRAY(name, type, member, many)                                                                                \
    ROW("%s[%d]", "%s", #type, many, #member);                                                                         \
    offset += (many)*FM_WIRE_BYTES_##type;
#define TEXT(name, member, size)                                                                                       \
    ROW("text[%d]", "%s", size, #member);                                                                              \
    offset += (size);
#define END(name)                                                                                                      \
    return has_table(page, rows, count);                                                                               \
    }
#include "server/wire_table.h"
#undef MESSAGE
#undef FIELD
#undef ARRAY
#undef TEXT
#undef END

static void the_tables_of_the_page_are_the_layouts(void **state)
{
    (void)state;
    char *page = read_file(PAGE, NULL);
#define MESSAGE(name)                                                                                                  \
    if (!told_##name(page))                                                                                            \
        fail_msg("docs/protocol.md has no table of %s", #name);
#define FIELD(name, type, member)
#define ARRAY(name, type, member, count)
#define TEXT(name, member, size)
#define END(name)
#include "server/wire_table.h"
#undef MESSAGE
#undef FIELD
#undef ARRAY
#undef TEXT
#undef END
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_is_read_as_it_was_written),
        cmocka_unit_test(a_datagram_comes_through_whole),
        cmocka_unit_test(no_other_length_is_taken),
        cmocka_unit_test(a_command_has_exactly_its_arguments),
        cmocka_unit_test(every_flipped_bit_is_found),
        cmocka_unit_test(without_the_key_nothing_is_forged),
        cmocka_unit_test(what_a_server_sends_is_not_taken_from_a_client),
        cmocka_unit_test(what_is_not_finite_is_refused),
        cmocka_unit_test(a_text_is_utf8_and_ends),
        cmocka_unit_test(a_text_that_is_too_long_is_cut_between_characters),
        cmocka_unit_test(a_sequence_is_taken_once),
        cmocka_unit_test(the_crc_and_the_mac_are_the_published_ones),
        cmocka_unit_test(the_examples_of_the_page_are_these_bytes),
        cmocka_unit_test(the_tables_of_the_page_are_the_layouts),
    };
    return cmocka_run_group_tests_name("wire", tests, NULL, NULL);
}
