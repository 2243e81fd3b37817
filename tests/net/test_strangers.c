/* Senders that are up to no good, at the sockets of `fathom serve`: each is refused, and counted by its reason; a flood
 * of HELLOs is answered with less than it brought, costs no memory, and leaves those who are there alone. */
#include "net/wire_tap.h"

static const char sea[] =
    "<fathom version='1'><world dt='0.02 s' seed='1' capacity='3'><water density='1025 kg/m3'/><bottom depth='40 m'/>"
    "</world><server timeout='60 s'/><vehicle name='auv' model='wavesim-auv' position='0 0 10 m'/></fathom>";

static served server;
static fm_caller *watch;

/* --- raw datagrams --- */

static void expect_count(const char *name, double before, double more)
{
    double now = before, end = seconds_now() + 10;
    while ((now = counter_of(watch, name)) < before + more)
        if (seconds_now() > end)
            fail_msg("%s: %g where %g and %g were due", name, now, before, more);
    if (now > before + more)
        fail_msg("%s: %g where %g and %g were due", name, now, before, more);
}

/* Sends it `times` times, and expects that it is counted as that. */
static void expect_refused(int from, const void *bytes, size_t size, int times, const char *reason)
{
    char name[48];
    snprintf(name, sizeof name, "drop/%s", reason);
    double before = counter_of(watch, name);
    for (int i = 0; i < times; i++)
        assert_int_equal(send(from, bytes, size, 0), size);
    expect_count(name, before, times);
}

static size_t write_message(uint8_t bytes[FM_WIRE_MOST], fm_wire_type type, uint16_t id, uint64_t token,
                            uint32_t sequence, const void *payload, size_t size)
{
    fm_wire_out out = fm_wire_begin(bytes);
    fm_wire_put_bytes(&out, payload, size);
    return fm_wire_finish(&out,
                          &(fm_wire_header){.type = (uint16_t)type, .source = id, .token = token, .sequence = sequence},
                          NULL, NULL);
}

static void mend_crc(uint8_t *bytes, size_t size)
{
    memset(bytes + 36, 0, 4);
    uint32_t crc = fm_wire_crc32c(0, bytes, size);
    for (int i = 0; i < 4; i++)
        bytes[36 + i] = (uint8_t)(crc >> 8 * i);
}

/* --- facts --- */

static void whoever_is_not_who_he_says_is_refused(void **state)
{
    (void)state;
    uint8_t bytes[FM_WIRE_MOST];
    fm_error error = {0};
    wire_tap tap = {.socket = open_socket(server.port)};
    fm_caller_options options = {
        .patience = 10,
        .connect = {.role = FM_WIRE_CONTROLLER, .name = "pilot", .model = "auv", .state_period = FM_WIRE_NONE},
        .way = {tap_send, tap_receive, tap_clock, &tap}};
    fm_caller *pilot = fm_caller_open(&options, NULL, &error);
    if (!pilot)
        fail_msg("%s", error.text);
    int stranger = open_socket(server.port);
    uint16_t id = fm_caller_welcome(pilot)->id;
    uint64_t token = fm_caller_token(pilot);
    fm_caller_send(pilot, FM_WIRE_PING, "0123456789abcdef", 16);
    expect_refused(tap.socket, tap.last, tap.size, 20, "replay"); /* recorded and played again */
    expect_refused(stranger, tap.last, tap.size, 20, "address");  /* from another port */
    for (uint64_t guess = 1; guess <= 64; guess++) {
        size_t size =
            write_message(bytes, FM_WIRE_PING, id, token ^ (uint64_t)1 << (guess - 1), 1000, "0123456789abcdef", 16);
        expect_refused(guess % 2 ? stranger : tap.socket, bytes, size, 1, "session");
    }
    size_t size = write_message(bytes, FM_WIRE_PING, 999, token, 1000, "0123456789abcdef", 16);
    expect_refused(stranger, bytes, size, 1, "session"); /* a client that is not there */
    close(stranger);
    fm_caller_close(pilot);
    close(tap.socket);
}

static void what_is_no_message_is_refused(void **state)
{
    (void)state;
    uint8_t bytes[FM_WIRE_MOST], much[9000] = {0};
    int stranger = open_socket(server.port);
    uint8_t hello[FM_WIRE_SIZE_hello] = {7, 0, 0, 0, 0, 0, 0, 0, 1, 1, FM_WIRE_OBSERVER};
    size_t size = write_message(bytes, FM_WIRE_HELLO, 0, 0, 0, hello, sizeof hello);
    expect_refused(stranger, bytes, 0, 3, "length");
    expect_refused(stranger, bytes, 39, 3, "length");
    expect_refused(stranger, bytes, size - 1, 3, "length");
    memcpy(much, bytes, size);
    expect_refused(stranger, much, sizeof much, 3, "length");
    expect_refused(stranger, much, FM_WIRE_MOST + 1, 3, "length");
    bytes[50] ^= 1;
    expect_refused(stranger, bytes, size, 3, "crc");
    bytes[50] ^= 1;
    bytes[0] = 'X';
    expect_refused(stranger, bytes, size, 3, "magic");
    bytes[0] = 'F';
    bytes[4] = 2;
    mend_crc(bytes, size);
    expect_refused(stranger, bytes, size, 3, "version");
    bytes[4] = 1;
    bytes[7] = 0x77;
    mend_crc(bytes, size);
    expect_refused(stranger, bytes, size, 3, "type");
    bytes[7] = 0;
    bytes[5] = 16; /* a server would say so */
    mend_crc(bytes, size);
    expect_refused(stranger, bytes, size, 3, "type");
    close(stranger);
}

/* The cookie that a socket is given for the nonce 7. */
static void ask_cookie(int from, uint8_t cookie[16])
{
    uint8_t bytes[FM_WIRE_MOST], hello[FM_WIRE_SIZE_hello] = {7, 0, 0, 0, 0, 0, 0, 0, 1, 1, FM_WIRE_OBSERVER};
    fm_wire_header header;
    fm_wire_in payload;
    fm_wire_challenge challenge;
    wire_tap tap = {.socket = from};
    size_t size = write_message(bytes, FM_WIRE_HELLO, 0, 0, 0, hello, sizeof hello);
    assert_int_equal(send(from, bytes, size, 0), size);
    size = tap_receive(&tap, bytes, sizeof bytes, 10);
    assert_same(fm_wire_open(bytes, size, 1, &header, &payload), FM_WIRE_FINE);
    assert_same(header.type, FM_WIRE_CHALLENGE);
    assert_true(fm_wire_get_challenge(&payload, &challenge));
    memcpy(cookie, challenge.cookie, 16);
}

/* Names are of 31 bytes at most; what fills its field to the end is no text. */
static void names_that_are_too_long_are_refused(void **state)
{
    (void)state;
    uint8_t bytes[FM_WIRE_MOST], connect[FM_WIRE_SIZE_connect] = {0}, command[FM_WIRE_PAYLOAD] = {0};
    int stranger = open_socket(server.port);
    ask_cookie(stranger, connect);
    connect[16] = FM_WIRE_OBSERVER;
    memset(connect + 17, 'x', 32);
    connect[133] = 7; /* the nonce */
    size_t size = write_message(bytes, FM_WIRE_CONNECT, 0, 0, 0, connect, sizeof connect);
    expect_refused(stranger, bytes, size, 3, "value");
    connect[16 + 32] = 0; /* 31 are a name */
    size = write_message(bytes, FM_WIRE_CONNECT, 0, 0, 0, connect, sizeof connect);
    double clients = counter_of(watch, "clients");
    assert_int_equal(send(stranger, bytes, size, 0), size);
    expect_count("clients", clients, 1);
    fm_wire_out out = {.bytes = command, .room = sizeof command};
    fm_wire_in payload;
    fm_wire_result result;
    fm_wire_put_command(&out, &(fm_wire_command){.verb = FM_COMMAND_SET, .id = 1});
    fm_wire_put_arguments(&out, &(fm_command){.kind = FM_COMMAND_SET, .set.path = "/x"});
    for (size_t i = 0; i + 96 <= out.size; i++) /* wherever the texts stand */
        if (memcmp(command + i, "/x\0", 3) == 0)
            memset(command + i, 'y', 96);
    fm_caller_send(watch, FM_WIRE_COMMAND, command, out.size);
    expect_message(watch, FM_WIRE_RESULT, &payload);
    assert_true(fm_wire_get_result(&payload, &result));
    assert_same(result.code, FM_WIRE_BAD_VALUE);
    close(stranger);
}

/* --- a flood --- */

static long resident(void) /* kB */
{
    char path[64], line[256];
    long size = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)server.pid);
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, "VmRSS: %ld", &size) == 1)
            break;
    if (in)
        fclose(in);
    return size;
}

enum { PORTS = 50, FLOOD = 100000, BEFORE = 20000, HELLO_RATE = 20000 };

typedef struct flood {
    size_t sent, received; /* bytes */
    int count;
} flood;

enum { AT_ONCE = 50, HELLO_MOST = 256 };

/* HELLOs, many a call: the sender is not to be what limits the flood. */
typedef struct volley {
    uint8_t bytes[AT_ONCE][HELLO_MOST];
    struct iovec parts[AT_ONCE];
    struct mmsghdr messages[AT_ONCE];
} volley;

static void load_volley(volley *v, int first)
{
    for (int i = 0; i < AT_ONCE; i++) {
        uint8_t hello[FM_WIRE_SIZE_hello] = {0}, whole[FM_WIRE_MOST];
        int number = first + i;
        memcpy(hello, &number, sizeof number);
        hello[8] = number % 3 ? 1 : 2; /* one in three is of another version */
        hello[9] = 9;
        size_t size = write_message(whole, FM_WIRE_HELLO, 0, 0, 0, hello, sizeof hello);
        assert_at_most(size, HELLO_MOST);
        memcpy(v->bytes[i], whole, size);
        v->parts[i] = (struct iovec){v->bytes[i], size};
        v->messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &v->parts[i], .msg_iovlen = 1}};
    }
}

static size_t drain(int socket)
{
    static uint8_t back[AT_ONCE][FM_WIRE_MOST];
    struct iovec parts[AT_ONCE];
    struct mmsghdr messages[AT_ONCE];
    size_t bytes = 0;
    for (int count = AT_ONCE; count == AT_ONCE;) {
        for (int i = 0; i < AT_ONCE; i++) {
            parts[i] = (struct iovec){back[i], sizeof back[i]};
            messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[i], .msg_iovlen = 1}};
        }
        count = recvmmsg(socket, messages, AT_ONCE, MSG_DONTWAIT, NULL);
        for (int i = 0; i < count; i++)
            bytes += messages[i].msg_len;
    }
    return bytes;
}

/* HELLOs of 50 ports as fast as the sockets take them; what comes back is counted. */
static flood pour(const int sockets[PORTS], int hellos)
{
    static volley v;
    flood f = {0};
    for (int i = 0; i < hellos; i += AT_ONCE) {
        int s = sockets[i / AT_ONCE % PORTS];
        load_volley(&v, i);
        int count = sendmmsg(s, v.messages, AT_ONCE, MSG_DONTWAIT);
        f.count += count > 0 ? count : 0;
        for (int k = 0; k < count; k++)
            f.sent += v.messages[k].msg_len;
        f.received += drain(s);
    }
    for (int i = 0; i < PORTS; i++)
        f.received += drain(sockets[i]);
    return f;
}

static void a_flood_of_hellos_gains_nothing_and_costs_no_memory(void **state)
{
    (void)state;
    int sockets[PORTS];
    flood f;
    uint32_t flags;
    fm_wire_header header;
    for (int i = 0; i < PORTS; i++)
        sockets[i] = open_socket(server.port);
    fm_caller *pilot = call_as(&server, FM_WIRE_CONTROLLER, "pilot", "auv", 20000);
    pour(sockets, BEFORE); /* buffers are as large as they get */
    double taken = counter_of(watch, "received"), refused = counter_of(watch, "drop/rate"), began = seconds_now();
    long before = resident();
    f = pour(sockets, FLOOD);
    double passed = seconds_now() - began;
    taken = counter_of(watch, "received") - taken;
    refused = counter_of(watch, "drop/rate") - refused;
    long after = resident();
    print_message("%d HELLOs in %.2f s, %.0f a second: %.0f taken, %.0f refused for their rate; %zu bytes "
                  "for %zu; %ld kB, then %ld kB\n",
                  f.count, passed, f.count / passed, taken, refused, f.received, f.sent, before, after);
    assert_greater(f.count, FLOOD / 2);
    assert_less(f.received, f.sent);
    assert_less(taken - refused, HELLO_RATE * (passed + 2)); /* a full bucket to begin with, and some slack */
    assert_less(after - before, 4096);                       /* 41 bytes kept for each would be more */
    expect_state(pilot, &header, &flags);                    /* who was there before is served … */
    fm_caller *late = call_as(&server, FM_WIRE_OBSERVER, "late", "", FM_WIRE_NONE); /* … and who comes now */
    fm_caller_close(late);
    fm_caller_close(pilot);
    for (int i = 0; i < PORTS; i++)
        close(sockets[i]);
}

static int begin(void **state)
{
    (void)state;
    write_file("strangers.xml", sea);
    serve(&server, "strangers.xml");
    watch = call_as(&server, FM_WIRE_COMMANDER, "watch", "", FM_WIRE_NONE);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fm_caller_close(watch);
    return stop_serving(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_is_not_who_he_says_is_refused),
        cmocka_unit_test(what_is_no_message_is_refused),
        cmocka_unit_test(names_that_are_too_long_are_refused),
        cmocka_unit_test(a_flood_of_hellos_gains_nothing_and_costs_no_memory),
    };
    return cmocka_run_group_tests_name("strangers", tests, begin, end);
}
