/* The page of `fathom serve --http`: a viewer by a WebSocket of the test's own, beside clients by UDP. */
#include <arpa/inet.h>
#include <sys/socket.h>

#include "net/served.h"

#define SEA                                                                                                            \
    "<fathom version='1'><world dt='0.02 s' seed='3' capacity='3'><water density='1025 kg/m3'/></world>"               \
    "<vehicle name='still' model='nps-auv-ii' position='0 90 5 m'><depth/></vehicle></fathom>"

static served server;
static program_run r;

typedef struct viewer {
    int fd;
    uint8_t frame[1 << 20]; /* the last one */
    size_t size;
    int binary;
} viewer;
static viewer v;

static int free_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, size), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    close(fd);
    return ntohs(at.sin_port);
}

static void read_all(void *to, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t n = recv(v.fd, (char *)to + at, size - at, 0);
        if (n <= 0)
            fail_msg("the page hung up");
        at += (size_t)n;
    }
}

static void greet(int port)
{
    static const char hello[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
                                "Sec-WebSocket-Protocol: foxglove.websocket.v1\r\n\r\n";
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {.tv_sec = 10};
    char head[4096] = "";
    v.fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(v.fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    assert_int_equal(connect(v.fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(send(v.fd, hello, strlen(hello), 0), (ssize_t)strlen(hello));
    for (size_t n = 0; !strstr(head, "\r\n\r\n") && n < sizeof head - 1; n++)
        read_all(head + n, 1);
    assert_non_null(strstr(head, " 101 "));
}

static uint64_t read_length(uint8_t first)
{
    uint8_t bytes[8];
    uint64_t length = first & 127;
    size_t count = length == 126 ? 2 : length == 127 ? 8 : 0;
    read_all(bytes, count);
    for (size_t i = 0; i < count; i++)
        length = i == 0 ? bytes[0] : length << 8 | bytes[i];
    return length;
}

/* One message, of pieces where it comes in such. */
static void next_frame(void)
{
    uint8_t head[2];
    v.size = 0;
    do {
        read_all(head, 2);
        size_t length = (size_t)read_length(head[1]);
        assert_true(v.size + length < sizeof v.frame);
        read_all(v.frame + v.size, length);
        if ((head[0] & 15) != 0)
            v.binary = (head[0] & 15) == 2;
        v.size += length;
    } while (!(head[0] & 128));
    v.frame[v.size] = 0;
}

/* Masked, as a client's frames are, with a mask of zeros. */
static void say(int binary, const void *bytes, size_t size)
{
    uint8_t frame[1024] = {(uint8_t)(128 | (binary ? 2 : 1)), 128 | 126, (uint8_t)(size >> 8), (uint8_t)size};
    assert_true(size + 8 < sizeof frame);
    memcpy(frame + 8, bytes, size);
    assert_int_equal(send(v.fd, frame, size + 8, 0), (ssize_t)(size + 8));
}

/* The number of a channel ("topic") or a service ("name"), as the greeting has it before its name. */
static long number_of(const char *key, const char *name)
{
    char needle[64];
    snprintf(needle, sizeof needle, ",\"%s\":\"%s\"", key, name);
    for (double end = seconds_now() + 10; seconds_now() < end;) {
        next_frame();
        const char *text = (const char *)v.frame, *at = v.binary ? NULL : strstr(text, needle);
        if (!at)
            continue;
        while (at > text && at[-1] != ':')
            at--;
        return strtol(at, NULL, 10);
    }
    fail_msg("the greeting has no %s", name);
    return -1;
}

/* The next message of the only channel that is listened to, with this word in it or without. */
static const char *expect_words(const char *word, int wanted)
{
    for (double end = seconds_now() + 10; seconds_now() < end;) {
        next_frame();
        const char *text = (const char *)v.frame + 13; /* opcode, subscription, time */
        if (v.binary && v.frame[0] == 1 && v.size > 13 && (strstr(text, word) != NULL) == wanted)
            return text;
    }
    fail_msg("%s '%s' is told", wanted ? "never" : "ever again", word);
    return NULL;
}

static void call_service(long service)
{
    uint8_t bytes[64] = {2};
    uint32_t id = (uint32_t)service, call = 1, length = 4;
    memcpy(bytes + 1, &id, 4);
    memcpy(bytes + 5, &call, 4);
    memcpy(bytes + 9, &length, 4);
    memcpy(bytes + 13, "json{}", 6);
    say(1, bytes, 19);
}

static void viewers_see_who_steers_and_their_services_are_the_servers_commands(void **state)
{
    (void)state;
    char words[128], wanted[64];
    int port = free_port();
    write_file("net_page.xml", SEA);
    serve(&server, "--http 127.0.0.1:%d --log net_page.mcap net_page.xml", port);
    assert_non_null(fgets(words, sizeof words, server.out));
    snprintf(wanted, sizeof wanted, "page at http://127.0.0.1:%d/", port);
    assert_non_null(strstr(words, wanted));
    fm_caller *boss = call_as(&server, FM_WIRE_COMMANDER, "boss", "", FM_WIRE_NONE);
    fm_caller *rover = call_as(&server, FM_WIRE_UNDERWATER, "rover", "nps-auv-ii", 50000);

    greet(port);
    long clients = number_of("topic", "/clients");
    long pause = number_of("name", "/pause");
    snprintf(words, sizeof words, "{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":5,\"channelId\":%ld}]}", clients);
    say(0, words, strlen(words));
    const char *told = expect_words("\"rover\"", 1);
    assert_non_null(strstr(told, "\"role\":\"underwater\""));
    assert_non_null(strstr(told, "\"address\":\"127.0.0.1\""));
    assert_non_null(strstr(told, "\"vehicle\":\"rover\""));
    fm_caller_close(rover);
    expect_words("\"rover\"", 0);

    assert_int_equal((int)counter_of(boss, "state"), FM_WIRE_RUNNING);
    call_service(pause);
    for (double end = seconds_now() + 10; counter_of(boss, "state") != FM_WIRE_STOPPED && seconds_now() < end;)
        usleep(10000);
    assert_int_equal((int)counter_of(boss, "state"), FM_WIRE_STOPPED);
    fm_caller_close(boss);
    double since = seconds_now();
    assert_int_equal(stop_serving(&server), 0);
    assert_true(seconds_now() - since < 1.5);
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
