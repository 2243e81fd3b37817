/* The ping bridge of a run, met by a client that has its own frames: what it reports is where the sea is. */
#include <math.h>
#include <string.h>

#include "net/outside.h"

#define SPEED 1500.0 /* m/s that a Ping1D computes with unless it is told otherwise */

/* A wall stands 8 m north. */
static const char sea[] = "<fathom version='1'><world dt='0.01 s' duration='%s' seed='1'>"
                          "<water density='1000 kg/m3'/><bottom depth='12 m'/>"
                          "<box name='wall' size='0.2 60 60 m' position='8.1 0 5 m'/></world>"
                          "<vehicle name='rov' model='bluerov2' position='0 0 2 m'>"
                          "<echosounder period='0.1 s' range='50 m'/>"
                          "<scanning-sonar range='30 m' nearest='0.5 m'/></vehicle></fathom>";

/* --- the client --- */

typedef struct client {
    int fd, port;
    uint8_t bytes[2048]; /* the last answer */
    size_t size;
} client;

static client call(int port)
{
    return (client){.fd = socket(AF_INET, SOCK_DGRAM, 0), .port = port};
}

static void send_bytes(const client *c, const void *bytes, size_t size)
{
    struct sockaddr_in to = local_port(c->port);
    sendto(c->fd, bytes, size, 0, (struct sockaddr *)&to, sizeof to);
}

static size_t frame(uint8_t *out, unsigned id, unsigned to, const void *payload, size_t size)
{
    const uint8_t head[8] = {'B', 'R', (uint8_t)size, 0, (uint8_t)id, (uint8_t)(id >> 8), 17, (uint8_t)to};
    unsigned sum = 0;
    memcpy(out, head, 8);
    if (size)
        memcpy(out + 8, payload, size);
    for (size_t i = 0; i < 8 + size; i++)
        sum += out[i];
    out[8 + size] = (uint8_t)sum;
    out[9 + size] = (uint8_t)(sum >> 8);
    return size + 10;
}

static void send_frame(const client *c, unsigned id, const void *payload, size_t size)
{
    uint8_t bytes[64];
    send_bytes(c, bytes, frame(bytes, id, 0, payload, size));
}

static unsigned number(const client *c, size_t offset, size_t width)
{
    unsigned value = 0;
    while (width--)
        value = value << 8 | c->bytes[8 + offset + width];
    return value;
}

static unsigned id_of(const client *c)
{
    return c->bytes[4] | (unsigned)c->bytes[5] << 8;
}

/* The next message of this id; 0: none within the time. */
static int hear(client *c, unsigned id, int milliseconds)
{
    const double end = clock_now() + 1e-3 * milliseconds;
    for (double left; (left = end - clock_now()) > 0;) {
        struct pollfd wait = {.fd = c->fd, .events = POLLIN};
        if (poll(&wait, 1, (int)(1e3 * left) + 1) <= 0)
            return 0;
        ssize_t size = recv(c->fd, c->bytes, sizeof c->bytes, 0);
        unsigned sum = 0;
        if (size < 10)
            continue;
        c->size = (size_t)size;
        for (size_t i = 0; i + 2 < c->size; i++)
            sum += c->bytes[i];
        assert_int_equal(c->bytes[c->size - 2] | (unsigned)c->bytes[c->size - 1] << 8, sum & 0xffff);
        assert_same(c->size, 10 + (size_t)(c->bytes[2] | (unsigned)c->bytes[3] << 8));
        if (id_of(c) == id)
            return 1;
    }
    return 0;
}

/* Asks until it is answered: the program may still be starting. */
static void request(client *c, unsigned id)
{
    const uint8_t wanted[2] = {(uint8_t)id, (uint8_t)(id >> 8)};
    for (int i = 0; i < 100; i++) {
        send_frame(c, 6, wanted, 2);
        if (hear(c, id, 200))
            return;
    }
    fail_msg("no answer to a request of %u", id);
}

static void set(client *c, unsigned id, const void *payload, size_t size)
{
    send_frame(c, id, payload, size);
    if (!hear(c, 1, 5000) || number(c, 0, 2) != id)
        fail_msg("%u is not acknowledged", id);
}

/* A transmission with samples of 20 us. */
static void ping(client *c, unsigned angle, unsigned samples)
{
    const uint8_t payload[14] = {1,    1, (uint8_t)angle,   (uint8_t)(angle >> 8),   20, 0, 0x20, 3,
                                 0xee, 2, (uint8_t)samples, (uint8_t)(samples >> 8), 1,  0};
    send_frame(c, 2601, payload, sizeof payload);
    assert_true(hear(c, 2300, 5000));
    assert_int_equal(number(c, 2, 2), angle);
    assert_int_equal(number(c, 12, 2), samples);
}

static void begin(outside *o, const char *name, const char *duration, const char *bridges)
{
    char file[64], text[2048];
    snprintf(file, sizeof file, "%s.xml", name);
    snprintf(text, sizeof text, sea, duration);
    write_file(file, text);
    begin_fathom(o, name, "run %s --quiet --realtime --log %s.mcap %s", file, name, bridges);
}

static void finish(outside *o, char **told)
{
    kill(o->child, SIGTERM);
    assert_int_equal(end_fathom(o, told), 128 + SIGTERM);
}

static void begin_1d(outside *o, client *c, const char *name, const char *more)
{
    char bridge[160];
    *c = call(free_port(SOCK_DGRAM));
    snprintf(bridge, sizeof bridge, "--bridge \"ping port=%d %s\"", c->port, more);
    begin(o, name, "60 s", bridge);
}

static void begin_360(outside *o, client *c, const char *name)
{
    char bridge[160];
    *c = call(free_port(SOCK_DGRAM));
    snprintf(bridge, sizeof bridge, "--bridge \"ping instrument=scanning-sonar port=%d\"", c->port);
    begin(o, name, "60 s", bridge);
}

/* The first sample that is at least half as strong as the strongest. */
static size_t first_echo(const uint8_t *data, size_t count)
{
    unsigned most = 0;
    size_t i = 0;
    for (size_t k = 0; k < count; k++)
        most = data[k] > most ? data[k] : most;
    assert_greater(most, 0);
    while (data[i] < most / 2)
        i++;
    return i;
}

/* The range of the log's last sample before the run was asked, m. */
static double logged_range(const char *name)
{
    static program_run r;
    run_fathom(&r, "export %s.mcap --csv %s_csv /rov/echosounder", name, name);
    expect_run(&r, 0, "");
    run_shell(&r, "sed -n 2p %s_csv/*echosounder*.csv", name);
    const char *at = r.out;
    for (int i = 0; i < 8; i++)
        at = strchr(at, ',') + 1;
    return atof(at);
}

/* Of the water, by a DVL in it: a Ping1D computes with 1500 m/s. */
static double sound_speed(void)
{
    static program_run r;
    write_file("ping_speed.xml", "<fathom version='1'><world dt='0.01 s' duration='0.1 s' seed='1'>"
                                 "<water density='1000 kg/m3'/><bottom depth='12 m'/></world>"
                                 "<vehicle name='rov' model='bluerov2' position='0 0 2 m'><dvl/></vehicle></fathom>");
    run_fathom(&r, "run ping_speed.xml --fast --quiet --log ping_speed.mcap");
    expect_run(&r, 0, "");
    run_fathom(&r, "export ping_speed.mcap --csv ping_speed_csv /rov/dvl");
    expect_run(&r, 0, "");
    run_shell(&r, "awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i ~ /sound_speed/) k = i} NR == 2 {print $k}' "
                  "ping_speed_csv/*dvl*.csv");
    return atof(r.out);
}

/* --- Ping1D --- */

static void a_ping1d_reports_the_range_of_the_echosounder(void **state)
{
    (void)state;
    outside o;
    client c;
    const double speed = sound_speed();
    assert_between(1400, speed, 1600);
    begin_1d(&o, &c, "ping_distance", "");
    request(&c, 1212);
    const double told = 1e-3 * number(&c, 0, 4);
    assert_int_equal(number(&c, 4, 2), 100);
    finish(&o, NULL);
    assert_near(logged_range("ping_distance"), 10, 0.01);
    assert_near(told * speed / SPEED, 10, 0.15); /* the vehicle rises a little until it is asked */
}

static void a_profile_has_its_echo_at_the_bottom(void **state)
{
    (void)state;
    outside o;
    client c;
    begin_1d(&o, &c, "ping_profile", "");
    request(&c, 1300);
    request(&c, 1212);
    set(&c, 1003, "\0", 1);
    set(&c, 1001, "\x88\x13\0\0\x10\x27\0\0", 8); /* 5 … 15 m */
    set(&c, 1004, "\x0a\0", 2);
    usleep(400000);
    request(&c, 1300);
    const double told = 1e-3 * number(&c, 0, 4);
    assert_int_equal(number(&c, 12, 4), 5000);
    assert_int_equal(number(&c, 16, 4), 10000);
    assert_int_equal(number(&c, 24, 2), 200);
    const double echo = 5 + 0.05 * (double)first_echo(c.bytes + 8 + 26, 200);
    assert_near(echo, told, 0.11);            /* the next bin, at a trim of some degrees */
    set(&c, 1001, "\0\0\0\0\xe8\x03\0\0", 8); /* nothing within the first metre */
    usleep(400000);
    request(&c, 1212);
    assert_int_equal(number(&c, 0, 4), 0);
    assert_int_equal(number(&c, 4, 2), 0);
    set(&c, 1006, "\0", 1); /* it does not ping: the number stays */
    request(&c, 1212);
    const unsigned pings = number(&c, 8, 4);
    usleep(400000);
    request(&c, 1212);
    assert_int_equal(number(&c, 8, 4), pings);
    finish(&o, NULL);
}

static void a_stream_follows_the_interval_and_ends_after_silence(void **state)
{
    (void)state;
    outside o;
    client c;
    begin_1d(&o, &c, "ping_stream", "patience='1.5 s'");
    request(&c, 5);
    set(&c, 1004, "\xc8\0", 2); /* 200 ms: every second sample */
    set(&c, 1400, "\x14\x05", 2);
    int count = 0;
    unsigned first = 0, last = 0;
    while (hear(&c, 1300, 2000)) {
        last = number(&c, 8, 4);
        first = count++ ? first : last;
    }
    assert_within(5, count, 9); /* 1.5 s and no more */
    assert_int_equal(last - first, (unsigned)count - 1);
    set(&c, 1400, "\x14\x05", 2);
    assert_true(hear(&c, 1300, 2000));
    set(&c, 1401, "\x14\x05", 2);
    while (hear(&c, 1300, 300)) /* one may be on its way */
        assert_less(count++, 12);
    finish(&o, NULL);
}

static void drops_are_counted_and_strangers_get_nothing(void **state)
{
    (void)state;
    outside o;
    client c, others[8];
    uint8_t bytes[64];
    char *told;
    begin_1d(&o, &c, "ping_drops", "patience='60 s'");
    request(&c, 4);
    assert_int_equal(number(&c, 0, 1), 1); /* device_type: Ping1D */
    size_t size = frame(bytes, 6, 0, "\x05\0", 2);
    bytes[size - 1] ^= 1;
    send_bytes(&c, bytes, size);
    size = frame(bytes, 6, 0, "\x05\0", 2);
    send_bytes(&c, bytes, size - 1);
    size = frame(bytes, 6, 9, "\x05\0", 2); /* for another device */
    send_bytes(&c, bytes, size);
    send_bytes(&c, "UUU", 3);
    send_frame(&c, 2601, NULL, 0);
    assert_true(hear(&c, 2, 2000));
    assert_int_equal(number(&c, 0, 2), 2601);
    for (int i = 0; i < 8; i++) {
        others[i] = call(c.port);
        send_frame(&others[i], 1201, NULL, 0);
        assert_int_equal(hear(&others[i], 1201, i < 7 ? 5000 : 300), i < 7);
    }
    request(&c, 5);
    finish(&o, &told);
    for (const char *const *name = (const char *const[]){"noise: 2", "length: 1", "checksum: 1", "id: 1",
                                                         "destination: 1", "stranger: 1", NULL};
         *name; name++) {
        char wanted[48];
        snprintf(wanted, sizeof wanted, "ping/drop/%s", *name);
        if (!strstr(told, wanted))
            fail_msg("'%s' does not say '%s'", told, wanted);
    }
    free(told);
}

/* --- Ping360 --- */

/* 200 gradians is ahead, 50 more are 45 degrees to starboard. */
static void a_ping360_sees_a_wall_where_it_is(void **state)
{
    (void)state;
    outside o;
    client c;
    begin_360(&o, &c, "ping_wall");
    request(&c, 4);
    assert_int_equal(number(&c, 0, 1), 2);            /* device_type: Ping360 */
    const double metre = 2 / (20e-6 * sound_speed()); /* samples */
    static const struct {
        unsigned angle;
        double range;
    } rows[] = {{200, 8}, {250, 11.3137}, {150, 11.3137}, {225, 8.6591}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ping(&c, rows[i].angle, 1000);
        assert_int_equal(number(&c, 14 - 2, 2), 1000);
        assert_near((double)first_echo(c.bytes + 8 + 14, 1000) / metre, rows[i].range, 0.15);
    }
    ping(&c, 0, 300); /* astern: open water for 4.5 m */
    for (size_t i = 0; i < 250; i++)
        assert_int_equal(c.bytes[8 + 14 + i], 0);
    finish(&o, NULL);
}

static void a_sector_is_scanned_by_itself_until_the_motor_is_off(void **state)
{
    (void)state;
    outside o;
    client c;
    static const uint8_t sector[16] = {1, 1, 20, 0, 0x20, 3, 0xee, 2, 200, 0, 190, 0, 210, 0, 10, 5};
    static const unsigned angles[] = {190, 200, 210, 200, 190, 200};
    begin_360(&o, &c, "ping_sector");
    request(&c, 5);
    const double begin = clock_now();
    send_frame(&c, 2602, sector, sizeof sector);
    for (int i = 0; i < 6; i++) {
        assert_true(hear(&c, 2301, 5000));
        assert_int_equal(number(&c, 2, 2), angles[i]);
        assert_int_equal(number(&c, 10, 2), 190);
        assert_int_equal(number(&c, 12, 2), 210);
        assert_int_equal(number(&c, 16, 2), 200);
        assert_int_equal(number(&c, 18, 2), 200);
    }
    /* 5 turns of 10 gradians with their sound and pause, at the pace of the clock */
    assert_greater(clock_now() - begin, 5 * (0.014 + 0.06 + 200 * 20e-6 + 0.005) - 0.1);
    set(&c, 2903, NULL, 0);
    while (hear(&c, 2301, 300))
        assert_less(clock_now(), begin + 20);
    finish(&o, NULL);
}

/* Measurements read the world and never change it. */
static void a_run_with_devices_is_the_same_as_without(void **state)
{
    (void)state;
    outside o;
    client c;
    static program_run r;
    begin_360(&o, &c, "ping_replay");
    for (unsigned angle = 0; angle < 400; angle += 40)
        ping((request(&c, 5), &c), angle, 600);
    finish(&o, NULL);
    run_fathom(&r, "replay ping_replay.mcap --verify");
    expect_run(&r, 0, "the same");
}

static void what_cannot_be_a_device_is_named(void **state)
{
    (void)state;
    static program_run r;
    static const char *const rows[][2] = {
        {"ping instrument=echosunder", "did you mean 'echosounder'"},
        {"ping instrument=imu", "has no instrument 'imu'"},
        {"ping vehicle=rvo", "did you mean 'rov'"},
        {"ping beam-width=4", "beam-width"},
    };
    char text[2048];
    snprintf(text, sizeof text, sea, "1 s");
    write_file("ping_wrong.xml", text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run_fathom(&r, "run ping_wrong.xml --bridge \"%s\"", rows[i][0]);
        expect_run(&r, 1, rows[i][1]);
    }
    run_fathom(&r, "run " FATHOM_SOURCE_DIR "/scenarios/phoenix-turn.xml --ping");
    assert_different(r.status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ping1d_reports_the_range_of_the_echosounder),
        cmocka_unit_test(a_profile_has_its_echo_at_the_bottom),
        cmocka_unit_test(a_stream_follows_the_interval_and_ends_after_silence),
        cmocka_unit_test(drops_are_counted_and_strangers_get_nothing),
        cmocka_unit_test(a_ping360_sees_a_wall_where_it_is),
        cmocka_unit_test(a_sector_is_scanned_by_itself_until_the_motor_is_off),
        cmocka_unit_test(a_run_with_devices_is_the_same_as_without),
        cmocka_unit_test(what_cannot_be_a_device_is_named),
    };
    return cmocka_run_group_tests_name("ping bridge", tests, NULL, NULL);
}
