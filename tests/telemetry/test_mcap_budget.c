/* A small log takes little memory, whatever it claims: the program is measured in fresh processes. */
#include "support/program.h"

#include <stdint.h>
#include <zstd.h>

#include "support/files.h"

/* A log of one compressed chunk, made by hand after the MCAP specification. */
typedef struct bytes {
    uint8_t *data;
    size_t size, room;
} bytes;

static void put(bytes *b, const void *data, size_t size)
{
    if (b->size + size > b->room) {
        b->room = 2 * b->room + size;
        b->data = realloc(b->data, b->room);
        assert_non_null(b->data);
    }
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void put_number(bytes *b, uint64_t value, size_t size)
{
    put(b, &value, size); /* little endian, as everywhere here */
}

static void put_text(bytes *b, const char *text)
{
    put_number(b, strlen(text), 4);
    put(b, text, strlen(text));
}

static void put_record(bytes *b, uint8_t op, const bytes *body)
{
    put_number(b, op, 1);
    put_number(b, body->size, 8);
    put(b, body->data, body->size);
}

enum { HEADER = 1, SCHEMA = 3, CHANNEL = 4, MESSAGE = 5, CHUNK = 6 };
static const char magic[8] = "\x89MCAP0\r\n";

/* Some of it is noise, so that it shrinks to about a three-hundredth: more is refused as well, for that reason alone.
 */
static void sprinkle(uint8_t *filling, size_t size, uint32_t *seed)
{
    for (size_t i = 16; i + 4 < size; i += 2048) {
        *seed = *seed * 1664525u + 1013904223u;
        memcpy(filling + i, seed, 4);
    }
}

/* `count` messages of `size` bytes each, all at one moment. */
static bytes pack_messages(size_t count, size_t size, uint64_t *unpacked)
{
    bytes records = {0}, body = {0}, packed = {0};
    uint8_t *filling = calloc(1, size + 1);
    filling[1] = 1; /* CDR, little endian */
    uint32_t seed = 1;
    for (size_t i = 0; i < count; i++) {
        body.size = 0;
        sprinkle(filling, size, &seed);
        put_number(&body, 1, 2);
        put_number(&body, i / 64, 4);
        put_number(&body, 5, 8);
        put_number(&body, 5, 8);
        put(&body, filling, size);
        put_record(&records, MESSAGE, &body);
    }
    packed.room = ZSTD_compressBound(records.size);
    packed.data = malloc(packed.room);
    packed.size = ZSTD_compress(packed.data, packed.room, records.data, records.size, 1);
    assert_false(ZSTD_isError(packed.size));
    *unpacked = records.size;
    free(filling);
    free(records.data);
    free(body.data);
    return packed;
}

static void write_log(const char *path, size_t count, size_t size)
{
    uint64_t unpacked;
    bytes packed = pack_messages(count, size, &unpacked), file = {0}, body = {0};
    put(&file, magic, sizeof magic);
    put_text(&body, "ros2");
    put_text(&body, "test");
    put_record(&file, HEADER, &body);
    body.size = 0;
    put_number(&body, 1, 2);
    put_text(&body, "test_msgs/msg/Lots");
    put_text(&body, "ros2msg");
    put_text(&body, "float64[] values\n");
    put_record(&file, SCHEMA, &body);
    body.size = 0;
    put_number(&body, 1, 2);
    put_number(&body, 1, 2);
    put_text(&body, "/lots");
    put_text(&body, "cdr");
    put_number(&body, 0, 4);
    put_record(&file, CHANNEL, &body);
    body.size = 0;
    put_number(&body, 5, 8);
    put_number(&body, 5, 8);
    put_number(&body, unpacked, 8);
    put_number(&body, 0, 4); /* no CRC */
    put_text(&body, "zstd");
    put_number(&body, packed.size, 8);
    put(&body, packed.data, packed.size);
    put_record(&file, CHUNK, &body);
    FILE *out = fopen(path, "wb");
    assert_int_equal(fwrite(file.data, 1, file.size, out), file.size);
    fclose(out);
    assert_true(file.size <= 1 << 20); /* what is promised is promised for a file of 1 MB */
    free(file.data);
    free(body.data);
    free(packed.data);
}

static void commands_stay_below(long megabytes, const char *path)
{
    static const char *const commands[] = {"info %s /lots", "export %s --csv mcap_budget_csv", "compare %s %s",
                                           "plot %s -o mcap_budget.png"};
    static program_run r;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[512];
        snprintf(line, sizeof line, commands[i], path, path);
        run_fathom(&r, "%s", line);
        if (r.status > 1)
            fail_msg("%s: status %d, %s", line, r.status, r.err);
        if (r.megabytes > megabytes)
            fail_msg("%s took %ld MB", line, r.megabytes);
    }
}

static int measures_memory(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return 0;
#endif
#endif
    return 1;
}

static void a_chunk_that_unpacks_into_much_is_refused(void **unused)
{
    (void)unused;
    if (!measures_memory())
        skip();
    static program_run r;
    write_log("mcap_budget_large.mcap", 40, 5 << 20); /* 200 MiB */
    run_fathom(&r, "export mcap_budget_large.mcap --csv mcap_budget_csv");
    expect_run(&r, 0, "left out 1 bad chunks");
    expect_run(&r, 0, "unpacks to over 48 MiB");
    commands_stay_below(100, "mcap_budget_large.mcap");
}

static void a_million_empty_messages_of_one_moment_take_little(void **unused)
{
    (void)unused;
    if (!measures_memory())
        skip();
    write_log("mcap_budget_many.mcap", 1400000, 4); /* 49 MB, and a list of as many messages */
    commands_stay_below(100, "mcap_budget_many.mcap");
}

static void a_log_of_honest_size_is_read(void **unused)
{
    (void)unused;
    static program_run r;
    write_log("mcap_budget_honest.mcap", 8, 4 << 20); /* eight dark pictures of 4 MiB */
    run_fathom(&r, "info mcap_budget_honest.mcap");
    expect_run(&r, 0, "/lots");
    run_fathom(&r, "export mcap_budget_honest.mcap --csv mcap_budget_csv");
    expect_run(&r, 0, "8 rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chunk_that_unpacks_into_much_is_refused),
        cmocka_unit_test(a_million_empty_messages_of_one_moment_take_little),
        cmocka_unit_test(a_log_of_honest_size_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
