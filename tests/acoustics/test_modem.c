/* Messages by modem: the time they take, the errors they suffer, collisions, acknowledgements, and the passing on. */
#include "sensors/probe.h"

#include "acoustics/modem.h"

/* --- laws of a frame --- */

static void a_frame_lasts_its_preamble_and_its_bits(void **state)
{
    (void)state;
    const fm_modem m = {.rate = 1000, .preamble = 0.05};
    near("24 bytes, 8 of head, 2 of checksum", fm_frame_duration(&m, 24), 0.05 + 34 * 8 / 1000.0, 1e-15);
}

/* Eb/N0 of 8 dB: BPSK 1.909e-4, non-coherent BFSK 2.132e-2 a bit; 256 bits of BPSK are wrong with 0.0477. */
static void a_frame_is_lost_by_its_bits(void **state)
{
    (void)state;
    fm_modem m = {.rate = 1000, .bandwidth = 5000, .modulation = FM_MODULATION_BPSK};
    const double snr = 8 - 10 * log10(5.0);
    near("BPSK", fm_frame_loss(&m, 22, snr), 0.0477, 1e-4);
    m.modulation = FM_MODULATION_BFSK;
    near("BFSK", fm_frame_loss(&m, 22, snr), 1 - pow(1 - 0.5 * exp(-0.5 * pow(10, 0.8)), 256), 1e-9);
    m.modulation = FM_MODULATION_BPSK;
    m.coding_gain = 3;
    near("coded", fm_frame_loss(&m, 22, snr - 3), 0.0477, 1e-4);
}

static void the_head_of_a_frame_survives_its_bytes(void **state)
{
    (void)state;
    const fm_frame_head head = {54321, FM_FRAME_WANTS_ACK, 3, 40000, 65535};
    unsigned char bytes[FM_MODEM_HEADER];
    fm_frame_write(&head, bytes);
    const fm_frame_head back = fm_frame_read(bytes);
    assert_memory_equal(&head, &back, sizeof head);
}

/* --- in the sea --- */

/* Three who talk, on a line of 1500 m each. */
static fm_world *talking(const char *acoustics, const char *first, const char *second, const char *third)
{
    static char text[8192];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s' seed='5'><acoustics speed='constant' sound-speed='1500 m/s' "
             "paths='straight' %s/></world><vehicle name='a' position='0 0 50 m'>" PROBE_BODY
             "<transducer address='1' payload='72' level='185 dB'/>%s</vehicle><vehicle name='b' position='1500 0 50 "
             "m'>" PROBE_BODY "<transducer address='2' payload='72' level='185 dB'/>%s</vehicle>"
             "<vehicle name='c' position='3000 0 50 m'>" PROBE_BODY
             "<transducer address='3' payload='72' level='185 dB'/>%s</vehicle></fathom>",
             acoustics, first, second, third);
    return start(text);
}

static const fm_modem_output *heard_by(const fm_world *world, int slot)
{
    return reading_of(world, slot, "modem");
}

/* 5 bytes: 0.05 + 15·8/1000 s of frame, 1 s of way. */
static void a_message_arrives_whole_after_way_and_frame(void **state)
{
    (void)state;
    fm_world *world = talking("", "<modem><message to='2' text='hello' start='1 s'/></modem>", "<modem/>", "<modem/>");
    run_until(world, 6);
    const fm_modem_output *o = heard_by(world, 1);
    assert_int_equal(o->head.count, 1);
    near("time", o->head.time, 1 + 1 + 0.05 + 0.12, 0.051);
    near("from", o->from, 1, 0);
    near("size", o->size, 5, 0);
    assert_memory_equal(o->data, "hello", 5);
    near("delivered", metric_of(world, 1, "messages_delivered"), 1, 0);
    near("not for the third", metric_of(world, 2, "messages_delivered"), 0, 0);
    run_until(world, 40);
    near("not repeated: it was acknowledged", metric_of(world, 1, "messages_delivered"), 1, 0);
    near("lost", metric_of(world, 0, "messages_lost"), 0, 0);
    finish(world);
}

static void everybody_hears_a_broadcast(void **state)
{
    (void)state;
    fm_world *world = talking("", "<modem><message text='to all'/></modem>", "<modem/>", "<modem/>");
    run_until(world, 6);
    near("second", metric_of(world, 1, "messages_delivered"), 1, 0);
    near("third", metric_of(world, 2, "messages_delivered"), 1, 0);
    finish(world);
}

/* Both ends speak at once: in the middle the frames overlap and are equally loud. */
static void equal_frames_collide_and_are_both_lost(void **state)
{
    (void)state;
    const char *speak = "<modem acknowledge='false'><message to='2' text='x' start='1 s'/></modem>";
    fm_world *world = talking("", speak, "<modem/>", speak);
    run_until(world, 6);
    near("delivered", metric_of(world, 1, "messages_delivered"), 0, 0);
    near("lost", metric_of(world, 1, "messages_lost"), 2, 0);
    finish(world);
}

/* One that does not listen before it speaks is deaf while it speaks. */
static void speaking_spoils_what_is_being_heard(void **state)
{
    (void)state;
    const char *first = "<modem acknowledge='false'><message to='2' text='a long message' start='1 s'/></modem>";
    static const char *const second[2] = {"<modem carrier-sense='true'><message text='x' start='2.1 s'/></modem>",
                                          "<modem carrier-sense='false'><message text='x' start='2.1 s'/></modem>"};
    for (int deaf = 0; deaf < 2; deaf++) {
        fm_world *world = talking("", first, second[deaf], "");
        run_until(world, 6);
        near("delivered", metric_of(world, 1, "messages_delivered"), 1 - deaf, 0);
        near("lost", metric_of(world, 1, "messages_lost"), deaf, 0);
        finish(world);
    }
}

/* With acknowledgements they repeat after times of their own, and both come through. */
static void acknowledgements_bring_both_through(void **state)
{
    (void)state;
    const char *speak = "<modem><message to='2' text='x' start='1 s'/></modem>";
    fm_world *world = talking("", speak, "<modem/>", speak);
    run_until(world, 120);
    near("delivered", metric_of(world, 1, "messages_delivered"), 2, 0);
    near("given up", metric_of(world, 0, "messages_lost") + metric_of(world, 2, "messages_lost"), 0, 0);
    finish(world);
}

/* The nearer one is louder by far more than the capture threshold. */
static void a_much_louder_frame_is_captured(void **state)
{
    (void)state;
    const char *speak = "<modem acknowledge='false'><message to='2' text='x' start='1 s'/></modem>";
    fm_world *world = talking("", speak, "<modem capture='0.1 dB'/>", speak);
    set_live(world, "/c/transducer/level", 170);
    run_until(world, 6);
    near("delivered", metric_of(world, 1, "messages_delivered"), 1, 0);
    near("from", heard_by(world, 1)->from, 1, 0);
    finish(world);
}

static void a_message_to_nobody_is_given_up(void **state)
{
    (void)state;
    fm_world *world =
        talking("", "<modem timeout='2 s' retries='2'><message to='9' text='x'/></modem>", "<modem/>", "<modem/>");
    run_until(world, 30);
    near("lost", metric_of(world, 0, "messages_lost"), 1, 0);
    finish(world);
}

/* a reaches c only through b. */
static void a_relay_passes_messages_on(void **state)
{
    (void)state;
    fm_world *world =
        talking("", "<modem><message to='3' text='far'/><route to='3' via='2'/></modem>", "<modem/>", "<modem/>");
    run_until(world, 20);
    const fm_modem_output *o = heard_by(world, 2);
    near("delivered", metric_of(world, 2, "messages_delivered"), 1, 0);
    near("hops", o->hops, 1, 0);
    near("from the writer", o->from, 1, 0);
    near("not for the relay", metric_of(world, 1, "messages_delivered"), 0, 0);
    finish(world);
}

/* A report every 4 s of where a vehicle believes to be, to one who reads the bytes. */
static void reports_tell_where_a_vehicle_is(void **state)
{
    (void)state;
    fm_world *world = talking("", "<modem/><report to='2' interval='4 s'/>", "<modem/>", "<modem/>");
    float place[4];
    run_until(world, 21);
    memcpy(place, heard_by(world, 1)->data + 8, sizeof place);
    near("north", (double)place[0], 0, 1e-3);
    near("depth", (double)place[2], 50, 1e-3);
    near("delivered", metric_of(world, 1, "messages_delivered"), 5, 0);
    finish(world);
}

static void a_modem_needs_an_address_and_room(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"<modem/>", "transducer"},
        {"<transducer payload='72'/><modem/>", "no address"},
        {"<transducer address='1' payload='20'/><modem size='13'/>", "at most 8 less"},
        {"<transducer address='1' payload='20'/><modem size='4'><message text='longer'/></modem>", "6 bytes"},
        {"<transducer address='1' payload='20'/><report/>", "no modem"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        fm_error error = {0};
        snprintf(text, sizeof text,
                 "<fathom version='1'><world dt='0.05 s'/><vehicle name='a'>" PROBE_BODY "%s</vehicle></fathom>",
                 cases[i][0]);
        assert_null(try_load(text, &error));
        if (!strstr(error.text, cases[i][1]))
            fail_msg("%s: %s", cases[i][0], error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_lasts_its_preamble_and_its_bits),
        cmocka_unit_test(a_frame_is_lost_by_its_bits),
        cmocka_unit_test(the_head_of_a_frame_survives_its_bytes),
        cmocka_unit_test(a_message_arrives_whole_after_way_and_frame),
        cmocka_unit_test(everybody_hears_a_broadcast),
        cmocka_unit_test(equal_frames_collide_and_are_both_lost),
        cmocka_unit_test(speaking_spoils_what_is_being_heard),
        cmocka_unit_test(acknowledgements_bring_both_through),
        cmocka_unit_test(a_much_louder_frame_is_captured),
        cmocka_unit_test(a_message_to_nobody_is_given_up),
        cmocka_unit_test(a_relay_passes_messages_on),
        cmocka_unit_test(reports_tell_where_a_vehicle_is),
        cmocka_unit_test(a_modem_needs_an_address_and_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
