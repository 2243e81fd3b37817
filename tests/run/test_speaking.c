/* Speaking from outside of a run: bytes by modem, sounds by transducer, both recorded and repeated from the log. */
#include "run/run_case.h"

#include <fathom/modem.h>
#include <fathom/sound.h>

#include "support/program.h"

/* Two vehicles 1500 m apart in water of 1500 m/s. */
#define BODY "<mass mass='10 kg' inertia='1 1 1 kg*m2'/><buoyancy force='98.1 N'/>"
static const char two[] =
    "<fathom version='1'><world dt='0.05 s' duration='20 s' seed='5' gravity='9.81 m/s2'><acoustics speed='constant' "
    "sound-speed='1500 m/s' paths='straight'/></world><vehicle name='a' position='0 0 50 m'>" BODY
    "<transducer address='1' payload='72' level='185 dB' band='20 30 kHz' frequency='25 kHz' "
    "recharge='0.1 s'/><modem/></vehicle><vehicle name='b' position='1500 0 50 m'>" BODY
    "<transducer name='ear' address='2' payload='72' level='185 dB' recharge='1 s'/><modem name='talk'/></vehicle>"
    "<vehicle name='mute' position='0 9 50 m'>" BODY "</vehicle></fathom>";

static fm_run *run;

static int begin(void **state)
{
    (void)state;
    model = load(two);
    run = case_run(model, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fm_run_free(run);
    fm_model_free(model);
    return 0;
}

/* 0.05 s of preamble and 15 bytes at 1000 bit/s, a second of way. */
static void bytes_go_in_at_one_end_and_come_out_at_the_other(void **state)
{
    (void)state;
    fm_modem_message m;
    unsigned char bytes[8] = {0};
    int64_t seen = 0;
    assert_well(fm_run_modem_send(run, "a", NULL, 2, "\0bin\xff", 5, e));
    assert_well(fm_run_until(run, 1.1, e));
    const fm_world *world = fm_run_world(run);
    assert_int_equal(fm_world_modem_receive(world, "b", "talk", &seen, &m, bytes, sizeof bytes), 0);
    assert_well(fm_run_until(run, 2, e));
    assert_int_equal(fm_world_modem_receive(world, "b", "talk", &seen, &m, bytes, sizeof bytes), 1);
    assert_memory_equal(bytes, "\0bin\xff\0\0\0", 8);
    assert_same(m.from, 1);
    assert_same(m.to, 2);
    assert_same(m.size, 5);
    near("complete", m.time, 1 + 0.05 + 0.12, 1e-9);
    assert_int_equal(fm_world_modem_receive(world, "b", NULL, &seen, &m, bytes, sizeof bytes), 0);
}

static void a_sound_from_outside_leaves_with_what_was_asked_for(void **state)
{
    (void)state;
    fm_reception r;
    char data[8] = {0};
    int64_t seen = 0;
    const fm_emission e1 = {.time = 0.5,
                            .frequency = 21e3,
                            .level = 170,
                            .kind = FM_SOUND_DATA,
                            .code = 77,
                            .duration = 0.03,
                            .data = "raw",
                            .size = 3,
                            .answers = 9,
                            .to = 4};
    assert_well(fm_run_emit(run, "a", NULL, &e1, e));
    assert_well(fm_run_until(run, 2, e));
    assert_int_equal(fm_world_hear(fm_run_world(run), "b", "ear", &seen, &r, data, sizeof data), 1);
    assert_string_equal(data, "raw");
    near("sent", r.sent, 0.5, 1e-12);
    near("heard", r.time, 1.5, 1e-9);
    near("frequency", r.source_hz, 21e3, 0);
    near("level at 1 m", r.source_level, 170, 0);
    near("duration", r.duration, 0.03, 0);
    assert_same(r.kind, FM_SOUND_DATA);
    assert_same(r.code, 77);
    assert_same(r.answers, 9);
    assert_same(r.to, 4);
    assert_same(r.from, 1);
    assert_same(r.size, 3);
    assert_int_equal(fm_world_hear(fm_run_world(run), "b", "ear", &seen, &r, data, sizeof data), 0);
}

static void refuse(fm_status status, const char *words, fm_status found, const fm_error *error)
{
    if (found != status || !strstr(error->text, words))
        fail_msg("status %d '%s' instead of %d '%s'", (int)found, error->text, (int)status, words);
}

static void what_cannot_be_sent_is_refused_with_its_reason(void **state)
{
    (void)state;
    fm_error e = {0};
    static const char long_text[300];
    fm_world *w = fm_run_world(run);
    refuse(FM_ERR_NAME, "no vehicle 'x'", fm_world_modem_send(w, "x", NULL, 2, "a", 1, &e), &e);
    refuse(FM_ERR_NAME, "has no <modem>", fm_world_modem_send(w, "mute", NULL, 2, "a", 1, &e), &e);
    refuse(FM_ERR_NAME, "has no <modem> 'other'", fm_world_modem_send(w, "b", "other", 2, "a", 1, &e), &e);
    refuse(FM_ERR_RANGE, "at most 64", fm_world_modem_send(w, "a", NULL, 2, long_text, 65, &e), &e);
    refuse(FM_ERR_RANGE, "at most 256", fm_world_modem_send(w, "a", NULL, 2, long_text, 257, &e), &e);
    refuse(FM_ERR_RANGE, "65535", fm_world_modem_send(w, "a", NULL, 65536, "a", 1, &e), &e);
    for (int i = 0; i < 8; i++)
        assert_int_equal(fm_world_modem_send(w, "a", i % 2 ? "modem" : NULL, 2, "a", 1, &e), FM_OK);
    refuse(FM_ERR_FULL, "wait to be sent", fm_world_modem_send(w, "a", NULL, 2, "a", 1, &e), &e);
    refuse(FM_ERR_NAME, "has no <transducer>", fm_world_emit(w, "mute", NULL, &(fm_emission){0}, &e), &e);
    refuse(FM_ERR_RANGE, "20000 to 30000 Hz", fm_world_emit(w, "a", NULL, &(fm_emission){.frequency = 9e3}, &e), &e);
    refuse(FM_ERR_RANGE, "its own level", fm_world_emit(w, "a", NULL, &(fm_emission){.level = 200}, &e), &e);
    refuse(FM_ERR_RANGE, "duration is nan", fm_world_emit(w, "a", NULL, &(fm_emission){.duration = NAN}, &e), &e);
    refuse(FM_ERR_RANGE, "kind is 4", fm_world_emit(w, "a", NULL, &(fm_emission){.kind = 4}, &e), &e);
    refuse(FM_ERR_RANGE, "time is inf", fm_world_emit(w, "a", NULL, &(fm_emission){.time = INFINITY}, &e), &e);
    refuse(FM_ERR_ARGUMENT, "nothing to send", fm_world_emit(w, "a", NULL, NULL, &e), &e);
    assert_int_equal(fm_world_emit(w, "b", "ear", &(fm_emission){0}, &e), FM_OK);
    refuse(FM_ERR_FULL, "busy", fm_world_emit(w, "b", "ear", &(fm_emission){0}, &e), &e);
    assert_int_equal(fm_run_until(run, 0.1, &e), FM_OK);
    refuse(FM_ERR_FULL, "recharges", fm_world_emit(w, "b", NULL, &(fm_emission){0}, &e), &e);
}

/* --- a sink reads the bytes; the log repeats them --- */

typedef struct listener {
    uint32_t channel;
    int messages, found, refused;
} listener;

static fm_status find_channel(void *user, fm_sink *sink, fm_error *error)
{
    (void)error;
    listener *l = user;
    for (size_t i = 0; i < fm_sink_channel_count(sink); i++)
        if (!strcmp(fm_sink_channel(sink, i).topic, "/b/talk"))
            l->channel = (uint32_t)i;
    return FM_OK;
}

static void take(void *user, const fm_sink_message *m)
{
    listener *l = user;
    const char *bytes = m->data;
    if (m->channel != l->channel)
        return;
    l->messages++;
    for (size_t i = 0; i + 5 <= m->size; i++)
        l->found += memcmp(bytes + i, "word", 4) == 0 && bytes[i + 4] == '0' + l->messages - 1;
}

static void take_refusal(void *user, fm_sink *sink, const fm_input *input, const fm_error *error)
{
    (void)sink, (void)error;
    ((listener *)user)->refused += input->command.kind == FM_COMMAND_MESSAGE && error->status == FM_ERR_RANGE;
}

static void what_was_said_reaches_a_slow_sink_and_is_repeated_from_the_log(void **state)
{
    (void)state;
    listener l = {0};
    const fm_sink_config config = {.rate = 0.2,
                                   .delivery = FM_SINK_DIRECT,
                                   .start = find_channel,
                                   .message = take,
                                   .refused = take_refusal,
                                   .user = &l};
    assert_well(fm_run_attach(run, &config, NULL, e));
    assert_well(fm_run_record(run, "run_spoken.mcap", NULL, e));
    for (int i = 0; i < 4; i++) {
        char word[8];
        snprintf(word, sizeof word, "word%d", i);
        assert_well(fm_run_modem_send(run, "a", "modem", i % 2 ? 2 : 0, word, 5, e));
        assert_well(fm_run_until(run, 1.5 * (i + 1), e));
    }
    assert_well(fm_run_modem_send(run, "a", NULL, -1, "x", 1, e)); /* found out when its turn comes */
    assert_well(fm_run_until(run, 9, e));                          /* it has acknowledged and recharged */
    assert_well(fm_run_emit(run, "b", NULL, &(fm_emission){.kind = FM_SOUND_QUERY, .code = 3}, e));
    assert_well(fm_run_until(run, 20, e));
    assert_int_equal(l.messages, 4); /* one every 1.5 s, though the sink asks for one in 5 s */
    assert_int_equal(l.found, 4);
    assert_int_equal(l.refused, 1);
    assert_well(fm_run_finish(run, e));
    static program_run r;
    run_fathom(&r, "replay run_spoken.mcap --verify");
    expect_run(&r, 0, "run_spoken.mcap: the same");
    expect_run(&r, 0, "5 inputs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bytes_go_in_at_one_end_and_come_out_at_the_other, begin, end),
        cmocka_unit_test_setup_teardown(a_sound_from_outside_leaves_with_what_was_asked_for, begin, end),
        cmocka_unit_test_setup_teardown(what_cannot_be_sent_is_refused_with_its_reason, begin, end),
        cmocka_unit_test_setup_teardown(what_was_said_reaches_a_slow_sink_and_is_repeated_from_the_log, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
