#include "server/caller.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "server/clock.h"
#include "server/seal.h"
#include "server/socket.h"
#include "server/wire_command.h"

#define RETRY 0.2 /* s */

struct fm_caller {
    fm_caller_options options;
    fm_caller_way way;
    int fd;
    uint64_t token, nonce;
    uint32_t sequence, command_id;
    fm_wire_welcome welcome;
    int ended; /* -1: not */
    uint8_t bytes[FM_WIRE_MOST + 1];
};

/* --- by a socket --- */

static void socket_send(void *user, const uint8_t *bytes, size_t size)
{
    const fm_caller *c = user;
    (void)!send(c->fd, bytes, size, MSG_NOSIGNAL); /* what is lost is said again */
}

static size_t socket_receive(void *user, uint8_t *bytes, size_t room, double seconds)
{
    const fm_caller *c = user;
    struct pollfd ready = {.fd = c->fd, .events = POLLIN};
    if (seconds > 0 && poll(&ready, 1, (int)(seconds * 1e3 + 0.999)) <= 0)
        return 0;
    ssize_t size = recv(c->fd, bytes, room, MSG_DONTWAIT);
    return size > 0 ? (size_t)size : 0;
}

static fm_status open_socket(fm_caller *c, fm_error *error)
{
    const fm_caller_options *o = &c->options;
    fm_address to = {.size = sizeof(struct sockaddr_un)};
    if (o->socket) {
        to.at.sun_family = AF_UNIX;
        if (strlen(o->socket) >= sizeof to.at.sun_path)
            return fm_fail(error, FM_ERR_RANGE, "%s: the path is too long for a socket", o->socket);
        memcpy(to.at.sun_path, o->socket, strlen(o->socket));
    } else if (fm_address_read(o->address ? o->address : "127.0.0.1", o->port ? o->port : 4040, &to, error) != FM_OK) {
        return FM_ERR_SYNTAX;
    }
    c->fd = socket(to.at.sun_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct sockaddr_un own = {.sun_family = AF_UNIX};
    int bound = c->fd >= 0 && (!o->socket || bind(c->fd, (struct sockaddr *)&own, sizeof own.sun_family) == 0);
    if (!bound || connect(c->fd, (struct sockaddr *)&to.at, to.size) != 0)
        return fm_fail(error, FM_ERR_FILE, "no server at %s",
                       o->socket    ? o->socket
                       : o->address ? o->address
                                    : "127.0.0.1");
    return FM_OK;
}

/* --- datagrams --- */

void fm_caller_send(fm_caller *c, fm_wire_type type, const void *payload, size_t size)
{
    uint8_t bytes[FM_WIRE_MOST];
    fm_wire_out out = fm_wire_begin(bytes);
    fm_wire_put_bytes(&out, payload, size);
    fm_wire_header header = {
        .type = (uint16_t)type, .sequence = c->token ? ++c->sequence : 0, .token = c->token, .source = c->welcome.id};
    size_t length = fm_wire_finish(&out, &header, c->options.key, fm_seal_hash);
    if (length > 0)
        c->way.send(c->way.user, bytes, length);
}

/* One valid datagram of this session. */
static int receive_one(fm_caller *c, double seconds, fm_wire_header *h, fm_wire_in *payload)
{
    size_t size = c->way.receive(c->way.user, c->bytes, sizeof c->bytes, seconds);
    if (size == 0 || fm_wire_open(c->bytes, size, 1, h, payload) != FM_WIRE_FINE)
        return 0;
    if (c->options.key && !fm_wire_is_sealed(c->bytes, h, c->options.key, fm_seal_hash))
        return 0;
    return c->token == 0 || h->token == c->token;
}

int fm_caller_receive(fm_caller *c, double seconds, fm_wire_header *h, fm_wire_in *payload)
{
    double end = c->way.now(c->way.user) + seconds;
    do {
        double left = end - c->way.now(c->way.user);
        if (!receive_one(c, left > 0 ? left : 0, h, payload))
            continue;
        if (h->type == FM_WIRE_PING) {
            fm_caller_send(c, FM_WIRE_PONG, payload->bytes, payload->size);
            continue;
        }
        if (h->type == FM_WIRE_BYE)
            c->ended = fm_wire_get_u16(payload);
        return 1;
    } while (c->way.now(c->way.user) < end);
    return 0;
}

/* --- connecting --- */

/* Repeats HELLO or CONNECT until `wanted`, or REJECT with our nonce, arrives. */
static int ask(fm_caller *c, fm_wire_type type, const void *payload, size_t size, fm_wire_type wanted,
               fm_wire_header *h, fm_wire_in *answer, double end)
{
    while (c->way.now(c->way.user) < end) {
        double next = c->way.now(c->way.user) + RETRY;
        fm_caller_send(c, type, payload, size);
        while (c->way.now(c->way.user) < next)
            if (receive_one(c, next - c->way.now(c->way.user), h, answer) &&
                (h->type == wanted || h->type == FM_WIRE_REJECT))
                return 1;
    }
    return 0;
}

static fm_status rejected(fm_wire_in *answer, int *code, fm_error *error)
{
    fm_wire_reject reject;
    fm_wire_get_reject(answer, &reject);
    *code = reject.code;
    return fm_fail(error, FM_ERR_STATE, "the server refuses (%u): %s", reject.code, reject.text);
}

static fm_status shake_hands(fm_caller *c, int *code, fm_error *error)
{
    double end = c->way.now(c->way.user) + c->options.patience;
    uint8_t bytes[FM_WIRE_MOST];
    fm_wire_header h;
    fm_wire_in answer;
    fm_wire_challenge challenge;
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    c->nonce = fm_seal_random();
    fm_wire_put_hello(&out,
                      &(fm_wire_hello){.nonce = c->nonce, .least = 1, .most = 1, .role = c->options.connect.role});
    if (!ask(c, FM_WIRE_HELLO, bytes, out.size, FM_WIRE_CHALLENGE, &h, &answer, end))
        return fm_fail(error, FM_ERR_FILE, "no server answers%s", c->options.key ? "; is it the right key?" : "");
    if (h.type == FM_WIRE_REJECT)
        return rejected(&answer, code, error);
    fm_wire_get_challenge(&answer, &challenge);
    memcpy(c->options.connect.cookie, challenge.cookie, sizeof challenge.cookie);
    c->options.connect.nonce = c->nonce;
    out = (fm_wire_out){.bytes = bytes, .room = sizeof bytes};
    fm_wire_put_connect(&out, &c->options.connect);
    if (!ask(c, FM_WIRE_CONNECT, bytes, out.size, FM_WIRE_WELCOME, &h, &answer, end))
        return fm_fail(error, FM_ERR_FILE, "the server does not answer any more");
    if (h.type == FM_WIRE_REJECT)
        return rejected(&answer, code, error);
    fm_wire_get_welcome(&answer, &c->welcome);
    c->command_id = c->welcome.commands; /* of a resumed session: ids continue */
    c->token = h.token;
    return FM_OK;
}

fm_caller *fm_caller_open(const fm_caller_options *options, int *code, fm_error *error)
{
    fm_caller *c = fm_alloc(sizeof *c);
    int unused;
    if (!c || fm_seal_prepare(error) != FM_OK) {
        fm_free(c);
        return NULL;
    }
    c->options = *options;
    c->options.patience = options->patience > 0 ? options->patience : 2;
    c->fd = -1;
    c->ended = -1;
    c->way = options->way;
    if (!c->way.send)
        c->way = (fm_caller_way){socket_send, socket_receive, fm_clock_now, c};
    fm_status status = options->way.send ? FM_OK : open_socket(c, error);
    if (status == FM_OK)
        status = shake_hands(c, code ? code : &unused, error);
    if (status == FM_OK)
        return c;
    fm_caller_drop(c);
    return NULL;
}

void fm_caller_drop(fm_caller *c)
{
    if (!c)
        return;
    if (c->fd >= 0)
        close(c->fd);
    fm_free(c);
}

void fm_caller_close(fm_caller *c)
{
    fm_wire_header h;
    fm_wire_in payload;
    static const uint8_t reason[2];
    for (int i = 0; c && c->ended < 0 && i < 3; i++) {
        double end = c->way.now(c->way.user) + RETRY;
        fm_caller_send(c, FM_WIRE_DISCONNECT, reason, sizeof reason);
        while (c->ended < 0 && c->way.now(c->way.user) < end)
            fm_caller_receive(c, end - c->way.now(c->way.user), &h, &payload);
    }
    fm_caller_drop(c);
}

const fm_wire_welcome *fm_caller_welcome(const fm_caller *c)
{
    return &c->welcome;
}

uint64_t fm_caller_token(const fm_caller *c)
{
    return c->token;
}

int fm_caller_fd(const fm_caller *c)
{
    return c->fd;
}

int fm_caller_ended(const fm_caller *c)
{
    return c->ended;
}

/* --- questions --- */

/* Waits for an answer that `fits`. */
static fm_status ask_until(fm_caller *c, fm_wire_type type, const void *payload, size_t size, fm_wire_type wanted,
                           int (*fits)(void *user, fm_wire_in *answer), void *user, fm_error *error)
{
    double end = c->way.now(c->way.user) + c->options.patience;
    fm_wire_header h;
    fm_wire_in answer;
    while (c->way.now(c->way.user) < end && c->ended < 0) {
        double next = c->way.now(c->way.user) + RETRY;
        fm_caller_send(c, type, payload, size);
        while (c->way.now(c->way.user) < next && c->ended < 0)
            if (fm_caller_receive(c, next - c->way.now(c->way.user), &h, &answer) && h.type == wanted &&
                fits(user, &answer))
                return FM_OK;
    }
    return fm_fail(error, FM_ERR_FILE,
                   c->ended < 0 ? "the server does not answer" : "the server has ended the session");
}

typedef struct expected {
    uint32_t id;
    fm_wire_result *result;
} expected;

static int is_result(void *user, fm_wire_in *answer)
{
    const expected *e = user;
    return fm_wire_get_result(answer, e->result) && e->result->id == e->id;
}

fm_status fm_caller_command(fm_caller *c, const fm_command *command, fm_wire_result *result, fm_error *error)
{
    uint8_t bytes[FM_WIRE_PAYLOAD];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    expected e = {.id = ++c->command_id, .result = result};
    fm_wire_put_command(&out, &(fm_wire_command){.verb = (uint16_t)command->kind, .id = e.id});
    fm_wire_put_arguments(&out, command);
    return ask_until(c, FM_WIRE_COMMAND, bytes, out.size, FM_WIRE_RESULT, is_result, &e, error);
}

typedef struct expected_page {
    const fm_wire_describe *ask;
    fm_wire_description head;
    void (*record)(void *user, fm_wire_in *record);
    void *user;
} expected_page;

static int is_page(void *user, fm_wire_in *answer)
{
    expected_page *p = user;
    fm_wire_get_description(answer, &p->head);
    if (p->head.what != p->ask->what || p->head.first != p->ask->first)
        return 0;
    for (unsigned i = 0; i < p->head.count; i++) {
        fm_wire_in record = {.bytes = fm_wire_get_bytes(answer, p->head.size), .size = p->head.size};
        if (record.bytes)
            p->record(p->user, &record);
    }
    return 1;
}

fm_status fm_caller_list(fm_caller *c, int what, uint16_t vehicle, const char *pattern,
                         void (*record)(void *user, fm_wire_in *record), void *user, fm_error *error)
{
    fm_wire_describe describe = {.what = (uint16_t)what, .vehicle = vehicle};
    expected_page page = {.ask = &describe, .record = record, .user = user};
    snprintf(describe.pattern, sizeof describe.pattern, "%s", pattern ? pattern : "");
    do {
        uint8_t bytes[FM_WIRE_SIZE_describe];
        fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
        fm_wire_put_describe(&out, &describe);
        fm_status status = ask_until(c, FM_WIRE_DESCRIBE, bytes, out.size, FM_WIRE_DESCRIPTION, is_page, &page, error);
        if (status != FM_OK)
            return status;
        describe.first += page.head.count;
    } while (page.head.count > 0 && describe.first < page.head.total);
    return FM_OK;
}
