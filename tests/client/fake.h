/* A server that a test controls: it speaks the protocol over loopback, and loses the datagrams that it is set to lose.
 * One client at a time. */
#ifndef TESTS_CLIENT_FAKE_H
#define TESTS_CLIENT_FAKE_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/wire_command.h"
#include "support/cmocka_all.h"

enum { FAKE_SAMPLE = 2500 }; /* bytes of the picture that it has: three pieces */

typedef struct fake {
    pthread_mutex_t lock;
    pthread_t thread;
    int fd, stop;
    char address[32];
    unsigned random;
    /* what the test says */
    double loss; /* of datagrams, both ways */
    int twice;   /* every datagram is sent twice */
    int deaf;    /* hears and says nothing */
    int refuse;  /* code for CONNECT; 0: welcome */
    int lockstep;
    const uint8_t *key;
    fm_wire_hash *hash;
    uint64_t time;              /* of the simulation, 0.1 ms */
    unsigned short state_count; /* actuators in STATE */
    /* what came */
    struct sockaddr_in peer;
    uint64_t token;
    uint32_t sequence;
    fm_wire_window window;
    unsigned sessions, resumed, commands, repeated, pongs, readies, subscribes, disconnects;
    uint32_t last_command, last_sound;
    double command_value;
    fm_wire_actuate actuate;
    float values[FM_WIRE_VALUES];
    char sound[64];
} fake;

static inline int fake_loses(fake *f)
{
    f->random = f->random * 1664525u + 1013904223u;
    return (double)(f->random >> 8) / (1 << 24) < f->loss;
}

static inline void fake_send_raw(fake *f, const void *bytes, size_t size)
{
    for (int i = 0; i <= f->twice; i++)
        if (!f->deaf && !fake_loses(f))
            sendto(f->fd, bytes, size, 0, (struct sockaddr *)&f->peer, sizeof f->peer);
}

static inline size_t fake_make(fake *f, uint16_t type, const void *payload, size_t size, uint8_t bytes[FM_WIRE_MOST])
{
    fm_wire_out out = fm_wire_begin(bytes);
    fm_wire_header header = {
        .type = type, .flags = FM_WIRE_FROM_SERVER, .time = f->time, .source = 7, .destination = 3};
    if (type != FM_WIRE_CHALLENGE && type != FM_WIRE_REJECT) {
        header.token = f->token;
        header.sequence = ++f->sequence;
    }
    fm_wire_put_bytes(&out, payload, size);
    return fm_wire_finish(&out, &header, f->key, f->hash);
}

static inline void fake_send(fake *f, uint16_t type, const void *payload, size_t size)
{
    uint8_t bytes[FM_WIRE_MOST];
    fake_send_raw(f, bytes, fake_make(f, type, payload, size, bytes));
}

#define FAKE_SEND(f, type, name, message)                                                                              \
    do {                                                                                                               \
        uint8_t payload_[FM_WIRE_SIZE_##name];                                                                         \
        fm_wire_out out_ = {.bytes = payload_, .room = sizeof payload_};                                               \
        fm_wire_put_##name(&out_, message);                                                                            \
        fake_send(f, type, payload_, out_.size);                                                                       \
    } while (0)

static inline void fake_connect(fake *f, fm_wire_in *in)
{
    fm_wire_connect c;
    if (!fm_wire_get_connect(in, &c))
        return;
    if (f->refuse) {
        fm_wire_reject reject = {.code = (uint16_t)f->refuse, .text = "the name is taken", .nonce = c.nonce};
        FAKE_SEND(f, FM_WIRE_REJECT, reject, &reject);
        return;
    }
    int resumed = c.resume && c.resume == f->token;
    f->sessions++;
    f->resumed += resumed != 0;
    f->token = 1000 + f->sessions;
    f->sequence = 0;
    f->window = (fm_wire_window){0};
    fm_wire_welcome w = {
        .id = 3,
        .dt = 10000000,
        .state_period = 50000,
        .keep_alive = 100,
        .timeout = 400,
        .latitude = 0.5,
        .longitude = -0.25,
        .state = FM_WIRE_RUNNING,
        .vehicle = 7,
        .flags = (uint16_t)((resumed ? FM_WIRE_WELCOME_RESUMED : 0) | (f->lockstep ? FM_WIRE_WELCOME_LOCKSTEP : 0)),
        .nonce = c.nonce};
    FAKE_SEND(f, FM_WIRE_WELCOME, welcome, &w);
}

static inline void fake_describe(fake *f, fm_wire_in *in)
{
    uint8_t payload[FM_WIRE_PAYLOAD];
    fm_wire_out out = {.bytes = payload, .room = sizeof payload};
    fm_wire_describe d;
    if (!fm_wire_get_describe(in, &d))
        return;
    static const uint16_t sizes[] = {
        [FM_WIRE_ACTUATORS] = FM_WIRE_SIZE_actuator,   [FM_WIRE_INSTRUMENTS] = FM_WIRE_SIZE_instrument,
        [FM_WIRE_FIELDS] = FM_WIRE_SIZE_field,         [FM_WIRE_VEHICLES] = FM_WIRE_SIZE_vehicle,
        [FM_WIRE_PARAMETERS] = FM_WIRE_SIZE_parameter, [FM_WIRE_VOICES] = FM_WIRE_SIZE_voice};
    static const uint32_t totals[] = {[FM_WIRE_ACTUATORS] = 2, [FM_WIRE_INSTRUMENTS] = 2, [FM_WIRE_FIELDS] = 3,
                                      [FM_WIRE_VEHICLES] = 1,  [FM_WIRE_PARAMETERS] = 1,  [FM_WIRE_VOICES] = 1};
    /* one record a time, and one byte more than is known: a later version */
    fm_wire_description head = {.what = d.what,
                                .vehicle = d.vehicle,
                                .first = d.first,
                                .total = totals[d.what],
                                .count = d.first < totals[d.what],
                                .size = (uint16_t)(sizes[d.what] + 1)};
    fm_wire_put_description(&out, &head);
    if (head.count && d.what == FM_WIRE_ACTUATORS) {
        fm_wire_actuator a = {.name = "propeller", .unit = "rad/s", .low = -10, .high = 10, .modes = 0x16};
        fm_wire_actuator b = {.name = "rudder", .unit = "rad", .low = -0.5, .high = 0.5, .modes = 0x1a};
        fm_wire_put_actuator(&out, d.first ? &b : &a);
    } else if (head.count && d.what == FM_WIRE_INSTRUMENTS) {
        fm_wire_instrument a = {.id = 4, .name = "depth", .kind = "depth", .period = 0.1, .size = 12, .fields = 2};
        fm_wire_instrument b = {
            .id = 9, .name = "eye", .kind = "camera", .period = 1, .size = FAKE_SAMPLE, .fields = 1};
        fm_wire_put_instrument(&out, d.first ? &b : &a);
    } else if (head.count && d.what == FM_WIRE_FIELDS) {
        const fm_wire_field fields[] = {{4, "depth", "m", FM_WIRE_F64, 1, 0, 1, 0},
                                        {4, "temperature", "K", FM_WIRE_F32, 1, 8, 2, 273.15},
                                        {9, "data", "", FM_WIRE_U8, FAKE_SAMPLE, 0, 1, 0}};
        fm_wire_put_field(&out, &fields[d.first]);
    } else if (head.count && d.what == FM_WIRE_VEHICLES) {
        fm_wire_vehicle v = {.number = 7, .name = "rover", .model = "lauv", .client = 3};
        fm_wire_put_vehicle(&out, &v);
    } else if (head.count && d.what == FM_WIRE_PARAMETERS) {
        fm_wire_parameter p = {
            .path = "/world/current", .unit = "m/s", .value = f->command_value, .most = 5, .live = 1};
        fm_wire_put_parameter(&out, &p);
    } else if (head.count && d.what == FM_WIRE_VOICES) {
        fm_wire_voice v = {.number = 1, .modem = 1, .name = "modem", .address = 12, .frequency = 25000, .level = 180};
        fm_wire_put_voice(&out, &v);
    }
    if (head.count)
        fm_wire_put_u8(&out, 0xEE);
    fake_send(f, FM_WIRE_DESCRIPTION, payload, out.size);
}

static inline void fake_command(fake *f, fm_wire_in *in)
{
    fm_wire_command c;
    fm_command said;
    if (!fm_wire_get_command(in, &c) || !fm_wire_get_arguments(in, (fm_command_kind)c.verb, &said))
        return;
    const double value = fm_command_value(&said);
    f->repeated += c.id <= f->last_command;
    if (c.id > f->last_command) { /* once */
        f->last_command = c.id;
        f->commands++;
        f->command_value = value;
    }
    fm_wire_result r = {
        .id = c.id, .verb = c.verb, .value = value, .code = value < 0 ? FM_WIRE_BAD_VALUE : 0, .text = "below 0"};
    FAKE_SEND(f, FM_WIRE_RESULT, result, &r);
}

static inline void fake_sound(fake *f, fm_wire_in *in)
{
    fm_wire_acoustic_send s;
    fm_wire_get_acoustic_send(in, &s);
    const uint8_t *bytes = fm_wire_get_bytes(in, s.length);
    if (bytes && s.length < sizeof f->sound && s.id > f->last_sound) {
        memcpy(f->sound, bytes, s.length);
        f->sound[s.length] = 0;
        f->last_sound = s.id;
    }
    fm_wire_acoustic_status status = {.id = s.id, .emitted = f->time, .ready_at = f->time + 10};
    FAKE_SEND(f, FM_WIRE_ACOUSTIC_STATUS, acoustic_status, &status);
}

static inline void fake_take(fake *f, const uint8_t *bytes, size_t size, const struct sockaddr_in *from)
{
    fm_wire_header h;
    fm_wire_in in;
    fm_wire_hello hello;
    if (fm_wire_open(bytes, size, 0, &h, &in) != FM_WIRE_FINE ||
        (f->key && !fm_wire_is_sealed(bytes, &h, f->key, f->hash)))
        return;
    if (h.type != FM_WIRE_HELLO && h.type != FM_WIRE_CONNECT &&
        (h.token != f->token || !fm_wire_window_take(&f->window, h.sequence)))
        return;
    f->peer = *from;
    switch (h.type) {
    case FM_WIRE_HELLO:
        if (fm_wire_get_hello(&in, &hello)) {
            fm_wire_challenge c = {.nonce = hello.nonce, .cookie = {1, 2, 3}};
            FAKE_SEND(f, FM_WIRE_CHALLENGE, challenge, &c);
        }
        break;
    case FM_WIRE_CONNECT: fake_connect(f, &in); break;
    case FM_WIRE_DESCRIBE: fake_describe(f, &in); break;
    case FM_WIRE_COMMAND: fake_command(f, &in); break;
    case FM_WIRE_ACOUSTIC_SEND: fake_sound(f, &in); break;
    case FM_WIRE_PONG: f->pongs++; break;
    case FM_WIRE_READY: f->readies++; break;
    case FM_WIRE_SUBSCRIBE: f->subscribes++; break;
    case FM_WIRE_ACTUATE:
        fm_wire_get_actuate(&in, &f->actuate);
        for (int i = 0; i < f->actuate.count; i++)
            f->values[i] = fm_wire_get_f32(&in);
        break;
    case FM_WIRE_DISCONNECT: {
        fm_wire_leave leave = {0};
        f->disconnects++;
        FAKE_SEND(f, FM_WIRE_BYE, leave, &leave);
        break;
    }
    }
}

static inline void *fake_run(void *user)
{
    fake *f = user;
    for (int stop = 0; !stop;) {
        uint8_t bytes[FM_WIRE_MOST + 1];
        struct sockaddr_in from;
        socklen_t length = sizeof from;
        struct pollfd ready = {f->fd, POLLIN, 0};
        poll(&ready, 1, 20);
        ssize_t n = recvfrom(f->fd, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)&from, &length);
        pthread_mutex_lock(&f->lock);
        if (n > 0 && !f->deaf && !fake_loses(f))
            fake_take(f, bytes, (size_t)n, &from);
        stop = f->stop;
        pthread_mutex_unlock(&f->lock);
    }
    return NULL;
}

static inline void fake_start(fake *f)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    pthread_mutex_init(&f->lock, NULL);
    f->random = 7;
    f->time = 1000;
    f->fd = socket(AF_INET, SOCK_DGRAM, 0);
    assert_int_equal(bind(f->fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(getsockname(f->fd, (struct sockaddr *)&at, &length), 0);
    snprintf(f->address, sizeof f->address, "127.0.0.1:%d", ntohs(at.sin_port));
    assert_int_equal(pthread_create(&f->thread, NULL, fake_run, f), 0);
}

static inline void fake_stop(fake *f)
{
    pthread_mutex_lock(&f->lock);
    f->stop = 1;
    pthread_mutex_unlock(&f->lock);
    pthread_join(f->thread, NULL);
    close(f->fd);
    pthread_mutex_destroy(&f->lock);
}

/* A member, under the lock. */
#define FAKE_GET(f, member)                                                                                            \
    ({                                                                                                                 \
        pthread_mutex_lock(&(f)->lock);                                                                                \
        __typeof__((f)->member) value_ = (f)->member;                                                                  \
        pthread_mutex_unlock(&(f)->lock);                                                                              \
        value_;                                                                                                        \
    })
#define FAKE_SET(f, member, value)                                                                                     \
    do {                                                                                                               \
        pthread_mutex_lock(&(f)->lock);                                                                                \
        (f)->member = (value);                                                                                         \
        pthread_mutex_unlock(&(f)->lock);                                                                              \
    } while (0)

/* A STATE at f->time, 1 m further north each 0.1 ms. */
static inline void fake_state(fake *f)
{
    uint8_t payload[256];
    fm_wire_out out = {.bytes = payload, .room = sizeof payload};
    pthread_mutex_lock(&f->lock);
    fm_wire_state s = {.position = {(double)f->time, 2, 3}, .attitude = {1}, .velocity = {0.5}, .count = 2};
    fm_wire_put_state(&out, &s);
    fm_wire_put_f32(&out, 4);
    fm_wire_put_f32(&out, -0.25f);
    fm_wire_put_u32(&out, FM_WIRE_STATE_ALIVE);
    fm_wire_put_u8(&out, FM_WIRE_OWNER_SELF);
    fm_wire_put_u8(&out, FM_WIRE_OWNER_CONTROLLER);
    fake_send(f, FM_WIRE_STATE, payload, out.size);
    pthread_mutex_unlock(&f->lock);
}

#endif
