/* MCAP files: written, read back, compared; broken in every way, and read again. */
#include "support/cmocka_all.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "log_sample.h"
#include "telemetry/mcap_reader.h"

enum { TICKS = 500, MESSAGES = 3 * TICKS + 5 + 1 };

static uint8_t *slurp(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(*size + 1);
    assert_int_equal(fread(data, 1, *size, file), *size);
    fclose(file);
    return data;
}

static uint64_t count_messages(fm_mcap_reader *r, const fm_mcap_query *query)
{
    fm_error error;
    fm_mcap_cursor *cursor;
    fm_mcap_message m;
    uint64_t count = 0, last = 0;
    assert_int_equal(fm_mcap_query_open(r, query, &cursor, &error), FM_OK);
    for (;;) {
        assert_int_equal(fm_mcap_next(cursor, &m, &error), FM_OK);
        if (!m.data)
            break;
        assert_at_least(m.time, last);
        last = m.time;
        count++;
    }
    fm_mcap_query_close(cursor);
    return count;
}

static void check_log(const char *path, fm_compression compression, const char *name)
{
    fm_error error;
    fm_recorder_result result;
    fm_mcap_reader *r;
    assert_int_equal(sample_write(path, compression, TICKS, &result, &error), FM_OK);
    assert_int_equal(result.written, MESSAGES);
    assert_int_equal(fm_mcap_open(path, &r, &error), FM_OK);
    const fm_mcap_info *info = fm_mcap_get_info(r);
    assert_false(info->recovered);
    assert_string_equal(info->compression, name);
    assert_int_equal(info->messages, MESSAGES);
    assert_int_equal(info->chunk_count, 5); /* one a second */
    assert_int_equal(info->end, (TICKS - 1) * 10000000ull);
    assert_int_equal(fm_mcap_check(r, &error), FM_OK);
    assert_int_equal(count_messages(r, &(fm_mcap_query){0}), MESSAGES);
    const fm_mcap_channel *odometry = fm_mcap_find_channel(r, "/phoenix/odometry");
    assert_int_equal(odometry->messages, TICKS);
    assert_string_equal(odometry->schema->name, "nav_msgs/msg/Odometry");
    assert_int_equal(count_messages(r, &(fm_mcap_query){odometry, 0, 0}), TICKS);
    assert_int_equal(count_messages(r, &(fm_mcap_query){odometry, 1000000000, 1990000000}), 100);
    assert_string_equal(fm_mcap_get_metadata(r, "run", "seed"), "1");
    assert_string_equal(fm_mcap_get_metadata(r, "recorder", "dropped"), "0");
    assert_int_equal(fm_mcap_attachment_count(r), 1);
    void *attached;
    assert_int_equal(fm_mcap_attachment_read(r, 0, &attached, &error), FM_OK);
    assert_string_equal(attached, "<fathom/>");
    fm_free(attached);
    assert_false(fm_mcap_attachment_at(r, 0)->crc_fails);
    fm_mcap_reader_close(r);
}

static void what_is_written_is_read_back_in_every_compression(void **state)
{
    (void)state;
    check_log("mcap_none.mcap", FM_COMPRESSION_NONE, "");
    check_log("mcap_lz4.mcap", FM_COMPRESSION_LZ4, "lz4");
    check_log("mcap_zstd.mcap", FM_COMPRESSION_ZSTD, "zstd");
}

static void odometry_read_back_is_what_was_published(void **state)
{
    (void)state;
    fm_error error;
    fm_mcap_reader *r;
    fm_mcap_cursor *cursor;
    fm_mcap_message m;
    fm_arena arena = {0};
    assert_int_equal(sample_write("mcap_values.mcap", FM_COMPRESSION_ZSTD, TICKS, NULL, &error), FM_OK);
    assert_int_equal(fm_mcap_open("mcap_values.mcap", &r, &error), FM_OK);
    fm_mcap_query query = {.channel = fm_mcap_find_channel(r, "/phoenix/odometry")};
    assert_int_equal(fm_mcap_query_open(r, &query, &cursor, &error), FM_OK);
    for (uint64_t tick = 0; tick < TICKS; tick++) {
        fm_msg_odometry expected = sample_odometry_at(tick * 10000000), got;
        assert_int_equal(fm_mcap_next(cursor, &m, &error), FM_OK);
        assert_int_equal(m.sequence, tick);
        assert_int_equal(fm_message_decode(&fm_msg_odometry_type, m.data, m.size, &got, &arena, &error), FM_OK);
        assert_memory_equal(&got.pose, &expected.pose, sizeof got.pose);
        assert_memory_equal(&got.twist, &expected.twist, sizeof got.twist);
        assert_string_equal(got.child_frame_id, "phoenix");
    }
    fm_arena_free(&arena);
    fm_mcap_query_close(cursor);
    fm_mcap_reader_close(r);
}

static void the_same_run_gives_the_same_bytes(void **state)
{
    (void)state;
    fm_error error;
    size_t a, b;
    assert_int_equal(sample_write("mcap_a.mcap", FM_COMPRESSION_ZSTD, TICKS, NULL, &error), FM_OK);
    assert_int_equal(sample_write("mcap_b.mcap", FM_COMPRESSION_ZSTD, TICKS, NULL, &error), FM_OK);
    uint8_t *first = slurp("mcap_a.mcap", &a), *second = slurp("mcap_b.mcap", &b);
    assert_int_equal(a, b);
    assert_memory_equal(first, second, a);
    free(first);
    free(second);
}

/* All of a vehicle's channels at 100 Hz: well under the 300 B per sample that a log may take. */
static void a_sample_takes_few_bytes_on_disk(void **state)
{
    (void)state;
    fm_error error;
    fm_mcap_reader *r;
    assert_int_equal(sample_write("mcap_size.mcap", FM_COMPRESSION_ZSTD, 3000, NULL, &error), FM_OK);
    assert_int_equal(fm_mcap_open("mcap_size.mcap", &r, &error), FM_OK);
    assert_in_range(fm_mcap_get_info(r)->file_size / 3000, 20, 300);
    fm_mcap_reader_close(r);
}

/* Every cut leaves an error or a recovered prefix whose messages are whole; with more bytes, never fewer messages. */
static void a_truncated_file_is_recovered_up_to_its_last_whole_chunk(void **state)
{
    (void)state;
    fm_error error;
    size_t size;
    uint64_t last = 0;
    assert_int_equal(sample_write("mcap_cut.mcap", FM_COMPRESSION_LZ4, TICKS, NULL, &error), FM_OK);
    uint8_t *data = slurp("mcap_cut.mcap", &size);
    for (size_t cut = 0; cut < size; cut += 1 + size / 997) {
        fm_mcap_reader *r;
        if (fm_mcap_open_memory(data, cut, &r, &error) != FM_OK)
            continue;
        assert_true(fm_mcap_get_info(r)->recovered);
        uint64_t count = count_messages(r, &(fm_mcap_query){0});
        assert_int_equal(count, fm_mcap_get_info(r)->messages);
        assert_at_least(count, last);
        last = count;
        fm_mcap_reader_close(r);
    }
    assert_int_equal(last, MESSAGES);
    free(data);
}

/* One wrong byte anywhere: an error, a recovered part, or a file in which only that byte's text differs; never a crash.
 */
static void a_wrong_byte_is_never_taken_for_data(void **state)
{
    (void)state;
    fm_error error;
    size_t size;
    assert_int_equal(sample_write("mcap_flip.mcap", FM_COMPRESSION_ZSTD, TICKS, NULL, &error), FM_OK);
    uint8_t *data = slurp("mcap_flip.mcap", &size);
    size_t noticed = 0, tried = 0;
    for (size_t at = 0; at < size; at += 1 + size / 1499, tried++) {
        fm_mcap_reader *r;
        fm_mcap_cursor *cursor;
        fm_mcap_message m = {0};
        data[at] ^= 0x41;
        fm_status status = fm_mcap_open_memory(data, size, &r, &error);
        if (status == FM_OK) {
            int recovered = fm_mcap_get_info(r)->recovered;
            status = fm_mcap_check(r, &error);
            assert_int_equal(fm_mcap_query_open(r, &(fm_mcap_query){0}, &cursor, &error), FM_OK);
            do {
                fm_status next = fm_mcap_next(cursor, &m, &error);
                status = next != FM_OK ? next : status;
            } while (m.data);
            fm_mcap_query_close(cursor);
            noticed += status != FM_OK || recovered;
            fm_mcap_reader_close(r);
        } else {
            noticed++;
        }
        data[at] ^= 0x41;
    }
    assert_int_equal(noticed, tried);
    free(data);
}

/* A chunk that claims to unpack to 200 MiB from 40 bytes. */
static void a_compression_bomb_is_refused(void **state)
{
    (void)state;
    uint8_t file[256], *p = file;
    fm_error error;
    fm_mcap_reader *r;
    const uint64_t zero = 0, head = 8, chunk = 8 + 8 + 8 + 4 + 4 + 4 + 8 + 40, claimed = 200u << 20, packed = 40;
    const uint32_t four = 4, none = 0;
#define PUT(value, bytes) (memcpy(p, value, bytes), p += (bytes))
    PUT(FM_MCAP_MAGIC, 8);
    *p++ = FM_MCAP_HEADER;
    PUT(&head, 8), PUT(&zero, 8);
    *p++ = FM_MCAP_CHUNK;
    PUT(&chunk, 8), PUT(&zero, 8), PUT(&zero, 8), PUT(&claimed, 8), PUT(&none, 4), PUT(&four, 4), PUT("zstd", 4),
        PUT(&packed, 8);
    memset(p, 0, 40);
    p += 40;
#undef PUT
    assert_int_equal(fm_mcap_open_memory(file, (size_t)(p - file), &r, &error), FM_OK);
    assert_int_equal(fm_mcap_get_info(r)->messages, 0);
    assert_non_null(strstr(fm_mcap_get_info(r)->warning, "4096 times"));
    fm_mcap_reader_close(r);
}

static void what_is_no_log_is_refused(void **state)
{
    (void)state;
    fm_error error;
    fm_mcap_reader *r;
    assert_int_equal(fm_mcap_open("no_such_file.mcap", &r, &error), FM_ERR_FILE);
    assert_non_null(strstr(error.text, "no_such_file.mcap"));
    assert_int_equal(fm_mcap_open("/tmp", &r, &error), FM_ERR_FILE);
    assert_int_equal(fm_mcap_open_memory("hello, world", 12, &r, &error), FM_ERR_SYNTAX);
    assert_int_equal(fm_mcap_open_memory("", 0, &r, &error), FM_ERR_SYNTAX);
}

static void a_full_disk_is_counted_and_reported(void **state)
{
    (void)state;
    fm_error error;
    fm_recorder_result result = {0};
    struct rlimit before, small = {60000, 60000};
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    fm_status status = sample_write("mcap_full.mcap", FM_COMPRESSION_NONE, TICKS, &result, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, FM_ERR_FILE);
    assert_int_equal(result.lost, MESSAGES - result.written);
    assert_greater(result.lost, 0);
    assert_non_null(strstr(error.text, "messages lost"));
}

static void a_file_that_cannot_be_made_is_an_error(void **state)
{
    (void)state;
    fm_error error;
    assert_int_equal(sample_write("no/such/folder/x.mcap", FM_COMPRESSION_NONE, 1, NULL, &error), FM_ERR_FILE);
    assert_int_equal(sample_write("/dev/full", FM_COMPRESSION_NONE, 1, NULL, &error), FM_ERR_FILE);
}

/* A child writes steadily at 100 times real time and reports the number of steps it has published; it is killed at a
 * random moment. */
static void write_until_killed(int progress)
{
    sample_log log;
    fm_error error;
    fm_recorder *recorder;
    fm_tap *tap;
    fm_mcap_options options = {.compression = FM_COMPRESSION_ZSTD};
    sample_open(&log);
    if (record_to("mcap_killed.mcap", log.channels, &options, &recorder, &error) != FM_OK ||
        fm_tap_open(log.channels, 2, FM_RING_WAIT, fm_recorder_take, recorder, &tap, &error) != FM_OK)
        _exit(1);
    for (uint64_t tick = 0;; tick++) {
        fm_channels_wait(log.channels);
        sample_step(&log, tick);
        if (tick % 100 == 99 && write(progress, &tick, sizeof tick) != sizeof tick)
            _exit(1);
        nanosleep(&(struct timespec){0, 50000}, NULL);
    }
}

static void kill_loses_the_open_chunk_only(void **state)
{
    (void)state;
    unsigned random = 1;
    for (int trial = 0; trial < 8; trial++) {
        int ends[2];
        uint64_t tick = 0, last = 0;
        fm_error error;
        fm_mcap_reader *r;
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0)
            write_until_killed(ends[1]);
        close(ends[1]);
        random = random * 1664525u + 1013904223u;
        for (unsigned steps = 5 + (random >> 24) % 12; steps > 0; steps--)
            assert_int_equal(read(ends[0], &tick, sizeof tick), sizeof tick);
        nanosleep(&(struct timespec){0, (long)(random % 5000000)}, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        while (read(ends[0], &last, sizeof last) == sizeof last)
            tick = last;
        close(ends[0]);
        assert_int_equal(fm_mcap_open("mcap_killed.mcap", &r, &error), FM_OK);
        const fm_mcap_info *info = fm_mcap_get_info(r);
        assert_true(info->recovered);
        assert_different(info->warning[0], 0);
        /* Chunks last 1 s, that is 100 ticks; one more second for what was still on its way between the threads. */
        assert_at_least(info->end + 2500000000u, tick * 10000000u);
        assert_int_equal(count_messages(r, &(fm_mcap_query){0}), info->messages);
        fm_mcap_reader_close(r);
    }
}

/* Fills any message of the table: numbers count up, strings get longer, sequences have two items. */
static void fill(const fm_message *type, uint8_t *at, fm_arena *arena, unsigned *n);

static void fill_item(const fm_field *field, uint8_t *at, fm_arena *arena, unsigned *n)
{
    char text[16] = "";
    const char *copy;
    double real = ++*n + 0.25;
    float single = (float)real;
    switch (field->type) {
    case FM_FIELD_MESSAGE: fill(field->message, at, arena, n); break;
    case FM_FIELD_string:
        snprintf(text, sizeof text, "%.*s", (int)(*n % 9), "abcdefghi");
        copy = fm_arena_text(arena, text);
        memcpy(at, &copy, sizeof copy);
        break;
    case FM_FIELD_float64: memcpy(at, &real, 8); break;
    case FM_FIELD_float32: memcpy(at, &single, 4); break;
    case FM_FIELD_bool: *at = *n % 2; break;
    default: *at = (uint8_t)(*n % 100); break;
    }
}

static void fill(const fm_message *type, uint8_t *message, fm_arena *arena, unsigned *n)
{
    for (size_t i = 0; i < type->field_count; i++) {
        const fm_field *field = &type->fields[i];
        uint8_t *at = message + field->offset;
        size_t count = field->count, size = fm_field_size(field->type);
        size = field->message ? field->message->struct_size : size > 0 ? size : sizeof(char *);
        if (field->shape == FM_SHAPE_CONSTANT)
            continue;
        if (field->shape == FM_SHAPE_SEQUENCE) {
            fm_sequence sequence = {fm_arena_alloc(arena, 2 * size), count = 2};
            memcpy(at, &sequence, sizeof sequence);
            at = (uint8_t *)(uintptr_t)sequence.items;
        }
        for (size_t k = 0; k < count; k++)
            fill_item(field, at + k * size, arena, n);
    }
}

/* One message of each type; tests/npm/check_log.mjs reads the file with other people's libraries. */
static void every_type_can_be_logged(void **state)
{
    (void)state;
    fm_error error;
    fm_mcap_writer *w;
    fm_mcap_reader *r;
    fm_arena arena = {0};
    static uint8_t message[4096], buffer[16384];
    char name[128], topic[160];
    assert_int_equal(
        fm_mcap_create("mcap_types.mcap", &(fm_mcap_options){.compression = FM_COMPRESSION_ZSTD}, &w, &error), FM_OK);
    for (size_t i = 0; i < fm_message_count; i++) {
        unsigned n = (unsigned)i;
        uint16_t schema, channel;
        char *text = fm_schema_text(fm_messages[i]);
        memset(message, 0, sizeof message);
        fill(fm_messages[i], message, &arena, &n);
        size_t size = fm_message_encode(fm_messages[i], message, buffer, sizeof buffer);
        fm_schema_name(fm_messages[i], name, sizeof name);
        snprintf(topic, sizeof topic, "/types/%s", fm_messages[i]->name);
        assert_int_equal(fm_mcap_add_schema(w, name, "ros2msg", text, strlen(text), &schema, &error), FM_OK);
        assert_int_equal(fm_mcap_add_channel(w, schema, topic, "cdr", NULL, 0, &channel, &error), FM_OK);
        assert_int_equal(fm_mcap_write(w, channel, 0, i, buffer, size, &error), FM_OK);
        fm_free(text);
    }
    assert_int_equal(fm_mcap_close(w, &error), FM_OK);
    fm_arena_free(&arena);
    assert_int_equal(fm_mcap_open("mcap_types.mcap", &r, &error), FM_OK);
    assert_int_equal(count_messages(r, &(fm_mcap_query){0}), fm_message_count);
    fm_mcap_reader_close(r);
}

/* Opens it with one allocation after another failing, until none does: memory that is missing is never called damage.
 */
static void open_starved(const uint8_t *data, size_t size, uint64_t messages)
{
    fm_error error;
    fm_status status = FM_ERR_MEMORY;
    long live = fm_alloc_live();
    for (long n = 0; status != FM_OK && n < 10000; n++) {
        fm_mcap_reader *r = NULL;
        fm_alloc_fail_after(n);
        status = fm_mcap_open_memory(data, size, &r, &error);
        fm_alloc_fail_after(-1);
        if (status != FM_OK)
            assert_int_equal(status, FM_ERR_MEMORY);
        else
            assert_int_equal(fm_mcap_get_info(r)->messages, messages);
        fm_mcap_reader_close(r);
        assert_int_equal(fm_alloc_live(), live);
    }
    assert_int_equal(status, FM_OK);
}

static void failing_allocations_are_reported(void **state)
{
    (void)state;
    fm_error error;
    fm_mcap_reader *r;
    size_t size;
    assert_int_equal(sample_write("mcap_memory.mcap", FM_COMPRESSION_ZSTD, 200, NULL, &error), FM_OK);
    uint8_t *data = slurp("mcap_memory.mcap", &size);
    for (size_t part = 3; part >= 2; part--) { /* whole; cut, and recovered */
        assert_int_equal(fm_mcap_open_memory(data, size * part / 3, &r, &error), FM_OK);
        uint64_t messages = fm_mcap_get_info(r)->messages;
        fm_mcap_reader_close(r);
        assert_greater(messages, 0);
        open_starved(data, size * part / 3, messages);
    }
    free(data);
}

/* A message of the clock, in a chunk of its own. */
static void take_clock(fm_recorder *recorder, const sample_log *log, uint32_t n)
{
    uint8_t data[12];
    uint64_t time = n * 1000000000ull;
    fm_msg_clock clock = {fm_msg_time_from_ns(time)};
    assert_int_equal(fm_message_encode(&fm_msg_clock_type, &clock, data, sizeof data), sizeof data);
    fm_recorder_take(recorder, &(fm_ring_item){log->clock, n, time, sizeof data, data, 0});
}

static void memory_does_not_grow_with_the_chunks_of_a_log(void **state)
{
    (void)state;
    enum { FIRST = 3000, CHUNKS = 12000 };
    sample_log log;
    fm_error error;
    fm_recorder *recorder;
    fm_recorder_result result;
    fm_mcap_reader *r;
    fm_mcap_options options = {.compression = FM_COMPRESSION_NONE, .chunk_time = 1};
    sample_open(&log);
    assert_int_equal(record_to("mcap_many.mcap", log.channels, &options, &recorder, &error), FM_OK);
    for (uint32_t n = 0; n < FIRST; n++)
        take_clock(recorder, &log, n);
    fm_alloc_fail_after(0); /* from here on there is none */
    for (uint32_t n = FIRST; n < CHUNKS; n++)
        take_clock(recorder, &log, n);
    fm_alloc_fail_after(-1);
    assert_int_equal(fm_recorder_close(recorder, 0, &result, &error), FM_OK);
    assert_int_equal(result.written, CHUNKS);
    fm_channels_destroy(log.channels);
    assert_int_equal(fm_mcap_open("mcap_many.mcap", &r, &error), FM_OK);
    assert_false(fm_mcap_get_info(r)->recovered);
    assert_int_equal(fm_mcap_get_info(r)->chunk_count, CHUNKS);
    assert_int_equal(fm_mcap_check(r, &error), FM_OK);
    assert_int_equal(count_messages(r, &(fm_mcap_query){0}), CHUNKS);
    fm_mcap_reader_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back_in_every_compression),
        cmocka_unit_test(odometry_read_back_is_what_was_published),
        cmocka_unit_test(the_same_run_gives_the_same_bytes),
        cmocka_unit_test(a_sample_takes_few_bytes_on_disk),
        cmocka_unit_test(a_truncated_file_is_recovered_up_to_its_last_whole_chunk),
        cmocka_unit_test(a_wrong_byte_is_never_taken_for_data),
        cmocka_unit_test(a_compression_bomb_is_refused),
        cmocka_unit_test(what_is_no_log_is_refused),
        cmocka_unit_test(a_full_disk_is_counted_and_reported),
        cmocka_unit_test(a_file_that_cannot_be_made_is_an_error),
        cmocka_unit_test(kill_loses_the_open_chunk_only),
        cmocka_unit_test(every_type_can_be_logged),
        cmocka_unit_test(failing_allocations_are_reported),
        cmocka_unit_test(memory_does_not_grow_with_the_chunks_of_a_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
