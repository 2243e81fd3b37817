/* A small log takes little memory, whatever it claims: the program is measured in fresh processes. */
#include "support/program.h"

#include <stdint.h>
#include <zstd.h>

#include "support/files.h"
#include "support/memory.h"

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
    if (size)
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

enum {
    HEADER = 1,
    FOOTER = 2,
    SCHEMA = 3,
    CHANNEL = 4,
    MESSAGE = 5,
    CHUNK = 6,
    CHUNK_INDEX = 8,
    ATTACHMENT = 9,
    ATTACHMENT_INDEX = 10,
    METADATA = 12,
    METADATA_INDEX = 13,
    DATA_END = 15
};
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

static bytes begin_log(void)
{
    bytes file = {0}, body = {0};
    put(&file, magic, sizeof magic);
    put_text(&body, "ros2");
    put_text(&body, "test");
    put_record(&file, HEADER, &body);
    free(body.data);
    return file;
}

static void put_schema(bytes *b, unsigned id, const char *text)
{
    bytes body = {0};
    put_number(&body, id, 2);
    put_text(&body, "test_msgs/msg/Lots");
    put_text(&body, "ros2msg");
    put_text(&body, text);
    put_record(b, SCHEMA, &body);
    free(body.data);
}

static void put_channel(bytes *b, unsigned id, const char *topic)
{
    bytes body = {0};
    put_number(&body, id, 2);
    put_number(&body, 1, 2);
    put_text(&body, topic);
    put_text(&body, "cdr");
    put_number(&body, 0, 4);
    put_record(b, CHANNEL, &body);
    free(body.data);
}

static void put_chunk(bytes *b, const bytes *packed, uint64_t unpacked)
{
    bytes body = {0};
    put_number(&body, 5, 8);
    put_number(&body, 5, 8);
    put_number(&body, unpacked, 8);
    put_number(&body, 0, 4); /* no CRC */
    put_text(&body, "zstd");
    put_number(&body, packed->size, 8);
    put(&body, packed->data, packed->size);
    put_record(b, CHUNK, &body);
    free(body.data);
}

/* Ends the data, and puts a summary of these records after them; none where there are none. */
static void end_log(bytes *file, const bytes *summary)
{
    bytes body = {0};
    put_number(&body, 0, 4);
    put_record(file, DATA_END, &body);
    uint64_t start = file->size;
    put(file, summary->data, summary->size);
    body.size = 0;
    put_number(&body, summary->size ? start : 0, 8);
    put_number(&body, 0, 8);
    put_number(&body, 0, 4);
    put_record(file, FOOTER, &body);
    put(file, magic, sizeof magic);
    free(body.data);
}

/* What is promised is promised for a file of 1 MB. */
static void store_log(const char *path, bytes *file)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file->data, 1, file->size, out), file->size);
    fclose(out);
    assert_at_most(file->size, 1 << 20);
    free(file->data);
}

static void write_log(const char *path, size_t count, size_t size)
{
    uint64_t unpacked;
    bytes packed = pack_messages(count, size, &unpacked), file = begin_log();
    put_schema(&file, 1, "float64[] values\n");
    put_channel(&file, 1, "/lots");
    put_chunk(&file, &packed, unpacked);
    store_log(path, &file);
    free(packed.data);
}

static void commands_stay_below(long megabytes, const char *path)
{
    static const char *const commands[] = {"info %s",
                                           "info %s /lots",
                                           "export %s --csv mcap_budget_csv",
                                           "compare %s %s",
                                           "plot %s -o mcap_budget.png",
                                           "replay %s --verify"};
    static program_run r;
    if (!measures_memory())
        skip();
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[512];
        snprintf(line, sizeof line, commands[i], path, path);
        run_fathom(&r, "%s", line);
        if (r.status > 2)
            fail_msg("%s: status %d, %s", line, r.status, r.err);
        if (r.megabytes > megabytes)
            fail_msg("%s took %ld MB", line, r.megabytes);
    }
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

/* --- index and metadata --- */

/* A metadata record with pairs of an empty key and an empty value, `size` bytes in all. */
static void put_metadata(bytes *b, size_t size)
{
    bytes body = {0};
    put_text(&body, "run");
    put_number(&body, size / 8 * 8, 4);
    for (size_t i = 0; i < size / 8; i++)
        put_number(&body, 0, 8);
    put_record(b, METADATA, &body);
    free(body.data);
}

static void put_attachment(bytes *b, size_t size)
{
    bytes body = {0};
    char *filling = calloc(1, size);
    put_number(&body, 0, 8);
    put_number(&body, 0, 8);
    put_text(&body, "scenario.xml");
    put_text(&body, "application/xml");
    put_number(&body, size, 8);
    put(&body, filling, size);
    put_number(&body, 1, 4); /* a CRC, so that it is checked */
    put_record(b, ATTACHMENT, &body);
    free(filling);
    free(body.data);
}

static void put_index(bytes *b, uint8_t op, uint64_t offset)
{
    bytes body = {0};
    put_number(&body, offset, 8);
    put_record(b, op, &body);
    free(body.data);
}

static void a_record_that_the_index_names_often_is_kept_once(void **unused)
{
    (void)unused;
    if (!measures_memory())
        skip();
    static const struct {
        uint8_t op;
        size_t size;
        int count;
    } cases[] = {{METADATA_INDEX, 45000, 55000}, {ATTACHMENT_INDEX, 500000, 30000}, {METADATA_INDEX, 900000, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes file = begin_log(), summary = {0};
        uint64_t offset = file.size;
        if (cases[i].op == METADATA_INDEX)
            put_metadata(&file, cases[i].size);
        else
            put_attachment(&file, cases[i].size);
        for (int k = 0; k < cases[i].count; k++)
            put_index(&summary, cases[i].op, offset);
        end_log(&file, &summary);
        store_log("mcap_budget_index.mcap", &file);
        free(summary.data);
        commands_stay_below(100, "mcap_budget_index.mcap");
    }
}

static void a_million_bytes_of_empty_pairs_take_little(void **unused)
{
    (void)unused;
    if (!measures_memory())
        skip();
    bytes file = begin_log(), none = {0};
    put_metadata(&file, 1 << 19);
    put_metadata(&file, (1 << 19) - 1000);
    end_log(&file, &none);
    store_log("mcap_budget_pairs.mcap", &file);
    commands_stay_below(100, "mcap_budget_pairs.mcap");
}

static char *repeat(const char *line, size_t size)
{
    char *text = malloc(size + strlen(line) + 32), *at = text;
    for (int i = 0; (size_t)(at - text) < size; i++)
        at += sprintf(at, line, i);
    return text;
}

/* Each channel would bring the schema to memory once more. */
static void a_schema_of_many_channels_counts_for_each(void **unused)
{
    (void)unused;
    if (!measures_memory())
        skip();
    bytes file = begin_log(), none = {0};
    char *text = repeat("float64 a%d\n", 500000), topic[16];
    put_schema(&file, 1, text);
    for (unsigned i = 1; i < 12000; i++) {
        snprintf(topic, sizeof topic, "/c%u", i);
        put_channel(&file, i, topic);
    }
    end_log(&file, &none);
    store_log("mcap_budget_channels.mcap", &file);
    commands_stay_below(100, "mcap_budget_channels.mcap");
    free(text);
}

/* Arrays that stay just below what is left out: many columns of long names, each of them small in the file. */
static void a_schema_of_a_million_columns_takes_little(void **unused)
{
    (void)unused;
    if (!measures_memory())
        skip();
    char *text = repeat("float64[250] a_name_that_is_rather_long_and_has_a_number_%d\n", 240000);
    uint64_t unpacked;
    bytes packed = pack_messages(1, 9 << 20, &unpacked), file = begin_log(), none = {0};
    put_schema(&file, 1, text);
    put_channel(&file, 1, "/lots");
    put_chunk(&file, &packed, unpacked);
    end_log(&file, &none);
    free(packed.data);
    store_log("mcap_budget_columns.mcap", &file);
    commands_stay_below(100, "mcap_budget_columns.mcap");
    free(text);
}

/* Schemas within a compressed chunk are found where the summary is missing: they take no more than those outside. */
static void schemas_that_unpack_into_much_take_little(void **unused)
{
    (void)unused;
    if (!measures_memory())
        skip();
    char *text = repeat("int8 a%d\n", 1000000);
    bytes records = {0}, packed = {0}, file = begin_log();
    for (unsigned i = 1; i <= 40; i++)
        put_schema(&records, i, text);
    put_channel(&records, 1, "/lots");
    packed.room = ZSTD_compressBound(records.size);
    packed.data = malloc(packed.room);
    packed.size = ZSTD_compress(packed.data, packed.room, records.data, records.size, 9);
    put_chunk(&file, &packed, records.size);
    store_log("mcap_budget_schemas.mcap", &file);
    commands_stay_below(100, "mcap_budget_schemas.mcap");
    free(records.data);
    free(packed.data);
    free(text);
}

/* One chunk, which the index names ten thousand times. */
static void a_chunk_that_the_index_names_often_takes_little(void **unused)
{
    (void)unused;
    if (!measures_memory())
        skip();
    uint64_t unpacked;
    bytes packed = pack_messages(100, 1000, &unpacked), file = begin_log(), summary = {0}, body = {0};
    put_schema(&file, 1, "float64[] values\n");
    put_channel(&file, 1, "/lots");
    uint64_t offset = file.size;
    put_chunk(&file, &packed, unpacked);
    put_schema(&summary, 1, "float64[] values\n");
    put_channel(&summary, 1, "/lots");
    for (int i = 0; i < 10000; i++) {
        body.size = 0;
        put_number(&body, 5, 8);
        put_number(&body, 6, 8);
        put_number(&body, offset, 8);
        put_number(&body, file.size - offset, 8);
        put_number(&body, 0, 4);
        put_number(&body, 0, 8);
        put_text(&body, "zstd");
        put_number(&body, packed.size, 8);
        put_number(&body, unpacked, 8);
        put_record(&summary, CHUNK_INDEX, &body);
    }
    end_log(&file, &summary);
    store_log("mcap_budget_chunks.mcap", &file);
    commands_stay_below(100, "mcap_budget_chunks.mcap");
    free(body.data);
    free(summary.data);
    free(packed.data);
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
        cmocka_unit_test(a_record_that_the_index_names_often_is_kept_once),
        cmocka_unit_test(a_million_bytes_of_empty_pairs_take_little),
        cmocka_unit_test(a_schema_of_many_channels_counts_for_each),
        cmocka_unit_test(a_schema_of_a_million_columns_takes_little),
        cmocka_unit_test(schemas_that_unpack_into_much_take_little),
        cmocka_unit_test(a_chunk_that_the_index_names_often_takes_little),
        cmocka_unit_test(a_log_of_honest_size_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
