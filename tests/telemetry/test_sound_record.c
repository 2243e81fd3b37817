/* The acoustic record of a run: every sound that left or reached a transducer is in the log. */
#include "support/scenario.h"

#include <fathom/log.h>

#include "run/verify.h"
#include "support/log.h"
#include "telemetry/message.h"

static const char scenario[] =
    "<fathom version='1'><world dt='0.01 s' duration='5 s' seed='3'>"
    "<acoustics speed='constant' absorption='constant' noise='fixed'/></world>"
    "<vehicle name='ship' position='0 0 20 m'><mass mass='40 kg' inertia='1 1 1 kg*m2'/>"
    "<transducer name='asks' ping-kind='query' ping-period='2 s' level='180 dB'/></vehicle>"
    "<vehicle name='stone' position='300 400 20 m'><mass mass='40 kg' inertia='1 1 1 kg*m2'/>"
    "<transducer name='answers' replies='true' reply-delay='0.1 s' reply-frequency='30 kHz' "
    "dropout='0.1'/><compass period='0.1 s' latency='0.5 s'/></vehicle></fathom>";

static void record_run(const char *path)
{
    fm_error error = {0};
    fm_model *model = load(scenario);
    fm_run *run = fm_run_create(model, NULL, &error);
    assert_int_equal(fm_run_record(run, path, NULL, &error), FM_OK);
    for (int i = 0; i < 500; i++)
        assert_int_equal(fm_run_step(run, &error), FM_OK);
    assert_int_equal(fm_run_finish(run, &error), FM_OK);
    fm_run_free(run);
    fm_model_free(model);
}

/* The n-th message of a topic; returns the time at which it was given out, ns. */
static uint64_t decode(fm_mcap_reader *reader, const char *topic, size_t n, const fm_message *type, void *out,
                       fm_arena *arena)
{
    fm_error error = {0};
    fm_mcap_cursor *cursor;
    fm_mcap_message message;
    const fm_mcap_channel *channel = fm_mcap_find_channel(reader, topic);
    assert_non_null(channel);
    assert_int_equal(fm_mcap_query_open(reader, &(fm_mcap_query){.channel = channel}, &cursor, &error), FM_OK);
    for (size_t i = 0; i <= n; i++)
        assert_int_equal(fm_mcap_next(cursor, &message, &error), FM_OK);
    assert_int_equal(fm_message_decode(type, message.data, message.size, out, arena, &error), FM_OK);
    const uint64_t given = message.time;
    fm_mcap_query_close(cursor);
    return given;
}

static fm_msg_sound message_of(fm_mcap_reader *reader, const char *topic, size_t n, fm_arena *arena)
{
    fm_msg_sound sound;
    decode(reader, topic, n, &fm_msg_sound_type, &sound, arena);
    return sound;
}

/* An instrument with a latency of half a second: its message goes out late, and is stamped with the moment at which the
 * sample was taken. */
static void a_late_sample_is_stamped_with_its_own_moment(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_msg_measurement m;
    record_run("sound_record.mcap");
    fm_mcap_reader *reader = open_log("sound_record.mcap");
    const uint64_t given = decode(reader, "/stone/compass", 3, &fm_msg_measurement_type, &m, &arena);
    near("stamp", (double)m.header.stamp.sec + 1e-9 * (double)m.header.stamp.nanosec, 0.3, 1e-9);
    near("given out", 1e-9 * (double)given, 0.8 + 0.01, 1e-9);
    fm_mcap_reader_close(reader);
    fm_arena_free(&arena);
}

static void the_log_tells_who_said_what_and_who_heard_it(void **state)
{
    (void)state;
    fm_arena arena = {0};
    record_run("sound_record.mcap");
    fm_mcap_reader *reader = open_log("sound_record.mcap");
    fm_msg_sound sent = message_of(reader, "/acoustics/emissions", 0, &arena),
                 heard = message_of(reader, "/acoustics/receptions", 0, &arena),
                 reply = message_of(reader, "/acoustics/emissions", 1, &arena);
    assert_int_equal(sent.event, FM_MSG_sound_SENT);
    assert_string_equal(sent.vehicle, "ship");
    assert_string_equal(sent.transducer, "asks");
    near("sent at", sent.time, 0, 0);
    near("initial intensity", sent.initial_intensity, 180, 0);
    assert_int_equal(heard.event, FM_MSG_sound_HEARD);
    assert_int_equal(heard.signal, sent.signal);
    assert_string_equal(heard.vehicle, "stone");
    assert_string_equal(heard.source_vehicle, "ship");
    assert_string_equal(heard.path, "direct");
    near("heard at", heard.time, 500.0 / 1500, 1e-12);
    assert_int_equal(heard.tenths, 3333);
    near("radius", heard.radius, 500, 1e-9);
    near("intensity", heard.intensity, 180 - 20 * log10(500) - 2.5, 1e-9);
    near("SNR", heard.snr, heard.intensity - 60, 1e-9);
    near("origin, up", heard.origin.z, -20, 0);
    assert_int_equal(reply.kind, FM_MSG_sound_REPLY);
    assert_int_equal(reply.answers, sent.signal);
    near("frequency", reply.frequency, 30000, 0);
    near("left after its delay", reply.time, heard.time + 0.1, 1e-12);
    fm_arena_free(&arena);
    fm_mcap_reader_close(reader);
}

static void a_run_with_sound_is_replayed_bit_for_bit(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_verify_result result;
    record_run("sound_replay.mcap");
    fm_mcap_reader *reader = open_log("sound_replay.mcap");
    fm_world *world = start(scenario);
    assert_int_equal(fm_log_repeat(reader, world, NULL, &result, &error), FM_OK);
    assert_true(result.same);
    assert_int_equal(result.missing, 0);
    finish(world);
    fm_mcap_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_sample_is_stamped_with_its_own_moment),
        cmocka_unit_test(the_log_tells_who_said_what_and_who_heard_it),
        cmocka_unit_test(a_run_with_sound_is_replayed_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
