/* The page of `fathom serve --http`: a viewer by a WebSocket of the test's own, beside clients by UDP. */
#include "net/viewer.h"

#define SEA                                                                                                            \
    "<fathom version='1'><world dt='0.02 s' seed='3' capacity='3'><water density='1025 kg/m3'/></world>"               \
    "<vehicle name='still' model='nps-auv-ii' position='0 90 5 m'><depth/></vehicle></fathom>"

static served server;
static program_run r;

static viewer v;

/* The next message of the only channel that is listened to, with this word in it or without. */
static const char *expect_words(const char *word, int wanted)
{
    for (double end = seconds_now() + 10; seconds_now() < end;) {
        next_frame(&v);
        const char *text = (const char *)v.frame + 13; /* opcode, subscription, time */
        if (v.binary && v.frame[0] == 1 && v.size > 13 && (strstr(text, word) != NULL) == wanted)
            return text;
    }
    fail_msg("%s '%s' is sent", wanted ? "never" : "ever again", word);
    return NULL;
}

static void viewers_see_who_steers_and_their_services_are_the_servers_commands(void **state)
{
    (void)state;
    char words[128], wanted[64];
    int port = free_http_port();
    write_file("net_page.xml", SEA);
    serve(&server, "--http 127.0.0.1:%d --log net_page.mcap net_page.xml", port);
    assert_non_null(fgets(words, sizeof words, server.out));
    snprintf(wanted, sizeof wanted, "page at http://127.0.0.1:%d/", port);
    assert_non_null(strstr(words, wanted));
    fm_caller *boss = call_as(&server, FM_WIRE_COMMANDER, "boss", "", FM_WIRE_NONE);
    fm_caller *rover = call_as(&server, FM_WIRE_UNDERWATER, "rover", "nps-auv-ii", 50000);

    greet(&v, port);
    long clients = number_of(&v, "topic", "/clients");
    snprintf(words, sizeof words, "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":5,\"channelId\":%ld}]}", clients);
    say(&v, 0, words, strlen(words));
    const char *told = expect_words("\"rover\"", 1);
    assert_non_null(strstr(told, "\"role\":\"underwater\""));
    assert_non_null(strstr(told, "\"address\":\"127.0.0.1\""));
    assert_non_null(strstr(told, "\"vehicle\":\"rover\""));
    fm_caller_close(rover);
    expect_words("\"rover\"", 0);

    assert_int_equal((int)counter_of(boss, "state"), FM_WIRE_RUNNING);
    assert_true(call_page(&v, "/pause", "{}", words, sizeof words));
    for (double end = seconds_now() + 10; counter_of(boss, "state") != FM_WIRE_STOPPED && seconds_now() < end;)
        usleep(10000);
    assert_int_equal((int)counter_of(boss, "state"), FM_WIRE_STOPPED);
    fm_caller_close(boss);
    assert_int_equal(stop_serving(&server), 0);
    close(v.fd);
    run_fathom(&r, "replay net_page.mcap --verify");
    expect_run(&r, 0, "the same");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(viewers_see_who_steers_and_their_services_are_the_servers_commands),
    };
    return cmocka_run_group_tests_name("page door", tests, NULL, NULL);
}
