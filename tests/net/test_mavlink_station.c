/* Which ground station is sent the stream, by its addresses and the clock alone. */
#include "bridges/mavlink/mavlink_station.h"
#include "support/cmocka_all.h"

static fm_address at(const char *text, int port)
{
    fm_address a;
    assert_int_equal(fm_address_read(text, port, &a, NULL), FM_OK);
    return a;
}

enum { SECOND = 1000, HEARTBEAT = 21 };

static fm_mav_station configured_at(const char *text)
{
    fm_mav_station s;
    fm_address configured = at(text, 14550);
    fm_mav_station_init(&s, &configured);
    return s;
}

static void a_station_that_speaks_keeps_strangers_out(void **state)
{
    (void)state;
    fm_mav_station s = configured_at("192.168.1.20");
    fm_address station = at("192.168.1.20", 14550), stranger = at("192.168.1.66", 14550), to[2];
    for (uint64_t now = 0; now < 60 * SECOND; now += SECOND) {
        assert_true(fm_mav_station_hear(&s, &station, HEARTBEAT, now, 1));
        assert_false(fm_mav_station_hear(&s, &stranger, HEARTBEAT, now + 1, 2));
        assert_int_equal(fm_mav_station_list(&s, now + 2, to), 1);
        assert_true(fm_address_equal(&to[0], &station));
    }
    /* The port counts too. */
    fm_address neighbour = at("192.168.1.20", 14551);
    assert_false(fm_mav_station_hear(&s, &neighbour, HEARTBEAT, 60 * SECOND, 3));
}

static void a_configured_station_that_only_listens_keeps_the_stream(void **state)
{
    (void)state;
    fm_mav_station s = configured_at("192.168.1.20");
    fm_address station = at("192.168.1.20", 14550), other = at("192.168.1.66", 5000), third = at("192.168.1.67", 5000);
    fm_address to[2];
    assert_true(fm_mav_station_hear(&s, &other, HEARTBEAT, 100, 7));
    assert_int_equal(fm_mav_station_list(&s, 101, to), 2);
    assert_true(fm_address_equal(&to[0], &station) && fm_address_equal(&to[1], &other));
    assert_false(fm_mav_station_hear(&s, &third, HEARTBEAT, 200, 8)); /* the first keeps its place … */
    assert_true(fm_mav_station_hear(&s, &third, HEARTBEAT, 100 + FM_MAV_STATION_SILENCE, 9)); /* … until it is silent */
    assert_int_equal(fm_mav_station_list(&s, 100 + 2 * FM_MAV_STATION_SILENCE, to), 1);
    assert_true(fm_address_equal(&to[0], &station));
}

static void the_configured_station_takes_the_place_back_at_once(void **state)
{
    (void)state;
    fm_mav_station s = configured_at("192.168.1.20");
    fm_address station = at("192.168.1.20", 14550), other = at("192.168.1.66", 5000), to[2];
    assert_true(fm_mav_station_hear(&s, &other, HEARTBEAT, 0, 7));
    assert_true(fm_mav_station_hear(&s, &station, HEARTBEAT, 10, 8));
    assert_int_equal(fm_mav_station_list(&s, 20, to), 1);
    assert_false(fm_mav_station_hear(&s, &other, HEARTBEAT, 30, 9));
    assert_true(fm_mav_station_hear(&s, &other, HEARTBEAT, 10 + FM_MAV_STATION_SILENCE, 10));
}

/* One heartbeat with a forged sender brings that one three times its bytes, not a stream. */
static void an_unverified_station_is_sent_little(void **state)
{
    (void)state;
    fm_mav_station s = configured_at("127.0.0.1");
    fm_address victim = at("203.0.113.7", 53), to[2];
    size_t sent = 0, received = 0;
    for (uint64_t now = 0; now < 4 * SECOND; now += 100) {
        if (now % SECOND == 0) {
            assert_true(fm_mav_station_hear(&s, &victim, HEARTBEAT, now, 7));
            received += HEARTBEAT;
        }
        size_t count = fm_mav_station_list(&s, now, to);
        for (size_t i = 0; i < count; i++)
            if (fm_address_equal(&to[i], &victim) && fm_mav_station_may_send(&s, &victim, 40))
                sent += 40;
    }
    assert_greater(sent, 0);
    assert_at_most(sent, FM_MAV_STATION_FACTOR * received);
    fm_mav_station_verify(&s, &victim, 8); /* a guess */
    assert_false(fm_mav_station_may_send(&s, &victim, 4000));
    assert_false(fm_mav_station_is_trusted(&s, &victim)); /* nor does it give orders */
    fm_mav_station_verify(&s, &victim, 7);
    assert_true(fm_mav_station_may_send(&s, &victim, 4000));
    assert_true(fm_mav_station_is_trusted(&s, &victim));
    assert_true(fm_mav_station_is_trusted(&s, &s.configured));
}

static void a_station_on_this_computer_needs_no_proof(void **state)
{
    (void)state;
    fm_mav_station s = configured_at("127.0.0.1");
    fm_address other = at("127.0.0.1", 5000);
    assert_true(fm_mav_station_hear(&s, &other, HEARTBEAT, 0, 7));
    assert_true(fm_mav_station_may_send(&s, &other, 100000));
}

static void a_broadcast_ends_while_a_station_answers(void **state)
{
    (void)state;
    fm_mav_station s = configured_at("255.255.255.255");
    fm_address station = at("192.168.1.20", 14550), to[2];
    assert_int_equal(fm_mav_station_list(&s, 0, to), 1);
    assert_true(fm_address_equal(&to[0], &s.configured));
    assert_true(fm_mav_station_hear(&s, &station, HEARTBEAT, 10, 7));
    assert_int_equal(fm_mav_station_list(&s, 20, to), 1);
    assert_true(fm_address_equal(&to[0], &station));
    assert_int_equal(fm_mav_station_list(&s, 10 + FM_MAV_STATION_SILENCE, to), 1);
    assert_true(fm_address_equal(&to[0], &s.configured));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_station_that_speaks_keeps_strangers_out),
        cmocka_unit_test(a_configured_station_that_only_listens_keeps_the_stream),
        cmocka_unit_test(the_configured_station_takes_the_place_back_at_once),
        cmocka_unit_test(an_unverified_station_is_sent_little),
        cmocka_unit_test(a_station_on_this_computer_needs_no_proof),
        cmocka_unit_test(a_broadcast_ends_while_a_station_answers),
    };
    return cmocka_run_group_tests_name("MAVLink stations", tests, NULL, NULL);
}
