/* Connecting, keeping the connection, and timed work. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "client.h"

fm_status fm_client_fail(fm_error *error, fm_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        memset(error, 0, sizeof *error);
        error->status = status;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

uint64_t fm_client_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t after(uint64_t now, double seconds)
{
    return now + (uint64_t)(seconds * 1e9);
}

void fm_client_lock(const fm_client *client)
{
    pthread_mutex_lock((pthread_mutex_t *)&client->lock);
}

void fm_client_unlock(const fm_client *client)
{
    pthread_mutex_unlock((pthread_mutex_t *)&client->lock);
}

/* --- sending --- */

size_t fm_client_datagram_send(fm_client *client, uint16_t type, const uint8_t *payload, size_t size)
{
    uint8_t bytes[FM_WIRE_MOST];
    int open = client->phase == FM_PHASE_OPEN;
    fm_wire_out out = fm_wire_begin(bytes);
    fm_wire_header header = {.type = type, .source = client->welcome.id};
    if (open) {
        header.sequence = ++client->sequence;
        header.token = client->token;
    } else {
        header.source = 0;
    }
    fm_wire_put_bytes(&out, payload, size);
    size_t length = fm_wire_finish(&out, &header, client->options.key, client->options.hash);
    if (length == 0 || send(client->socket, bytes, length, MSG_NOSIGNAL) != (ssize_t)length)
        return 0; /* like a lost datagram: important ones are repeated */
    return length;
}

static void send_hello(fm_client *client)
{
    uint8_t bytes[FM_WIRE_SIZE_hello];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    fm_wire_hello hello = {
        .nonce = client->nonce, .least = FM_WIRE_MAJOR, .most = FM_WIRE_MAJOR, .role = (uint8_t)client->options.role};
    fm_wire_put_hello(&out, &hello);
    fm_client_datagram_send(client, FM_WIRE_HELLO, bytes, out.size);
}

uint32_t fm_client_period(double seconds)
{
    return seconds < 0 ? FM_WIRE_NONE : seconds > 4000 ? 4000000000u : (uint32_t)(1e6 * seconds + 0.5);
}

static void send_connect(fm_client *client)
{
    uint8_t bytes[FM_WIRE_SIZE_connect];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    const fm_client_options *o = &client->options;
    fm_wire_connect connect = {.role = (uint8_t)o->role,
                               .state_period = fm_client_period(o->state_period),
                               .nonce = client->nonce,
                               .resume = client->resume,
                               .flags = o->lockstep ? FM_WIRE_CONNECT_LOCKSTEP : 0,
                               .sensor_period = fm_client_period(o->sensor_period),
                               .address = o->address};
    memcpy(connect.cookie, client->cookie, sizeof connect.cookie);
    memcpy(connect.name, client->name, sizeof connect.name);
    memcpy(connect.model, client->model, sizeof connect.model);
    memcpy(connect.pose, o->pose, sizeof connect.pose);
    fm_wire_put_connect(&out, &connect);
    fm_client_datagram_send(client, FM_WIRE_CONNECT, bytes, out.size);
}

/* --- the connection --- */

void fm_client_link_set(fm_client *client, fm_client_link link, int code, const char *text)
{
    client->info.link = link;
    client->code = client->info.code = code;
    snprintf(client->why, sizeof client->why, "%s", text);
    fm_mail mail = {.kind = FM_MAIL_LINK, .is.link = {(uint32_t)link, code}};
    fm_client_mail(client, &mail);
    if (client->options.callbacks.link)
        client->options.callbacks.link(client->options.callbacks.user, link, code, client->why);
}

static void begin_hello(fm_client *client)
{
    if (getrandom(&client->nonce, sizeof client->nonce, 0) != sizeof client->nonce)
        client->nonce = fm_client_now() ^ (uintptr_t)client;
    client->phase = FM_PHASE_HELLO;
    client->next_try = fm_client_now();
}

static void end_session(fm_client *client, int code, const char *text)
{
    client->phase = FM_PHASE_OVER;
    fm_client_link_set(client, FM_CLIENT_OVER, code, text);
}

static void lose_session(fm_client *client, int code)
{
    if (client->options.patience < 0) {
        end_session(client, code, "nothing heard from the server");
        return;
    }
    client->resume = client->token;
    client->ready_next = 0;
    client->give_up = after(fm_client_now(), client->options.patience);
    begin_hello(client);
    fm_client_link_set(client, FM_CLIENT_LOST, code, "nothing heard from the server");
}

static void take_welcome(fm_client *client, const fm_wire_header *header, fm_wire_in *in)
{
    fm_wire_welcome welcome;
    if (!fm_wire_get_welcome(in, &welcome) || welcome.nonce != client->nonce || header->token == 0)
        return;
    client->welcome = welcome;
    client->token = header->token;
    client->sequence = 0;
    client->window = (fm_wire_window){0};
    client->state_sequence = 0;
    fm_wire_window_take(&client->window, header->sequence);
    client->phase = FM_PHASE_OPEN;
    client->simulation = welcome.state;
    client->info.reconnected += client->ever != 0;
    int anew = !(welcome.flags & FM_WIRE_WELCOME_RESUMED);
    if (anew) { /* another session: counters of the old one restart */
        client->command_id = client->sound_id = 0;
        memset(client->requests, 0, sizeof client->requests);
    }
    if (welcome.commands > client->command_id)
        client->command_id = welcome.commands;
    if (welcome.sounds > client->sound_id)
        client->sound_id = welcome.sounds;
    client->ever = 1;
    if (anew || client->lists.what)
        fm_client_lists_begin(client, 0);
    fm_client_link_set(client, FM_CLIENT_CONNECTED, 0, anew ? "connected" : "taken back");
}

static void take_reject(fm_client *client, fm_wire_in *in)
{
    fm_wire_reject reject;
    if (!fm_wire_get_reject(in, &reject) || reject.nonce != client->nonce)
        return;
    if (reject.code == FM_WIRE_BAD_COOKIE || (reject.code == FM_WIRE_RATE_LIMIT && client->ever)) {
        begin_hello(client);
        client->next_try += FM_CLIENT_RETRY;
    } else if (client->resume) { /* the server does not know the session any more: connects as a new client */
        client->resume = 0;
        begin_hello(client);
    } else {
        end_session(client, reject.code, reject.text);
    }
}

static void take_before(fm_client *client, const fm_wire_header *header, fm_wire_in *in)
{
    fm_wire_challenge challenge;
    switch (header->type) {
    case FM_WIRE_CHALLENGE:
        if (client->phase == FM_PHASE_HELLO && fm_wire_get_challenge(in, &challenge) &&
            challenge.nonce == client->nonce) {
            memcpy(client->cookie, challenge.cookie, sizeof client->cookie);
            client->phase = FM_PHASE_CONNECT;
            client->next_try = fm_client_now();
        }
        break;
    case FM_WIRE_WELCOME: take_welcome(client, header, in); break;
    case FM_WIRE_REJECT: take_reject(client, in); break;
    }
}

static void answer_ping(fm_client *client, fm_wire_in *in)
{
    const uint8_t *payload = fm_wire_get_bytes(in, FM_WIRE_SIZE_ping);
    if (payload)
        fm_client_datagram_send(client, FM_WIRE_PONG, payload, FM_WIRE_SIZE_ping);
}

static void take_bye(fm_client *client, fm_wire_in *in)
{
    fm_wire_leave leave;
    if (!fm_wire_get_leave(in, &leave))
        return;
    if (leave.reason == FM_WIRE_TIMED_OUT)
        lose_session(client, leave.reason);
    else
        end_session(client, leave.reason,
                    leave.reason == FM_WIRE_CLOSING ? "the server closes" : "the server says goodbye");
}

static void take_within(fm_client *client, const fm_wire_header *header, fm_wire_in *in)
{
    client->heard = fm_client_now();
    if (header->time > client->info.stamp || header->type == FM_WIRE_STATE)
        client->info.stamp = header->time;
    if (header->flags & FM_WIRE_SIM_STOPPED)
        client->simulation = client->simulation == FM_WIRE_RUNNING ? FM_WIRE_STOPPED : client->simulation;
    else
        client->simulation = FM_WIRE_RUNNING;
    if (header->type == FM_WIRE_PING)
        answer_ping(client, in);
    else if (header->type == FM_WIRE_BYE || header->type == FM_WIRE_DISCONNECT)
        take_bye(client, in);
    else
        fm_client_message_take(client, header, in);
}

/* 1: taken. */
static int take_datagram(fm_client *client, const uint8_t *bytes, size_t size)
{
    fm_wire_header header;
    fm_wire_in in;
    if (fm_wire_open(bytes, size, 1, &header, &in) != FM_WIRE_FINE)
        return 0;
    if (client->options.key ? !fm_wire_is_sealed(bytes, &header, client->options.key, client->options.hash)
                            : (header.flags & FM_WIRE_SEALED) != 0)
        return 0;
    if (client->phase == FM_PHASE_HELLO || client->phase == FM_PHASE_CONNECT) {
        take_before(client, &header, &in);
        if (client->phase == FM_PHASE_OPEN)
            client->heard = fm_client_now();
        return 1;
    }
    if (client->phase != FM_PHASE_OPEN || header.token != client->token ||
        !fm_wire_window_take(&client->window, header.sequence))
        return 0;
    take_within(client, &header, &in);
    return 1;
}

/* --- what is due --- */

static void repeat_requests(fm_client *client, uint64_t now)
{
    for (int i = 0; i < FM_CLIENT_REQUESTS; i++) {
        fm_client_request *r = &client->requests[i];
        if (r->type && now >= r->next) {
            fm_client_datagram_send(client, r->type, r->payload, r->size);
            r->next = now + FM_CLIENT_RETRY;
            client->info.repeated++;
        }
    }
}

static void do_open(fm_client *client, uint64_t now)
{
    if (now > client->heard && now - client->heard > 1000000ull * client->welcome.timeout) {
        lose_session(client, FM_WIRE_TIMED_OUT);
        return;
    }
    repeat_requests(client, now);
    if (client->ready_next && now >= client->ready_next) {
        fm_client_datagram_send(client, FM_WIRE_READY, client->ready, client->ready_size);
        client->ready_next = now + FM_CLIENT_READY_RETRY;
    }
    fm_client_lists_due(client, now);
}

static void do_due(fm_client *client)
{
    uint64_t now = fm_client_now();
    fm_client_mail_due(client);
    if (client->phase == FM_PHASE_OPEN)
        do_open(client, now);
    if (client->phase != FM_PHASE_HELLO && client->phase != FM_PHASE_CONNECT)
        return;
    if (now >= client->give_up) {
        end_session(client, FM_WIRE_TIMED_OUT, "no answer from the server");
    } else if (now >= client->next_try) {
        if (client->phase == FM_PHASE_HELLO)
            send_hello(client);
        else
            send_connect(client);
        client->next_try = now + FM_CLIENT_RETRY;
    }
}

static void sooner(uint64_t *when, uint64_t other)
{
    if (other && other < *when)
        *when = other;
}

void fm_client_timer_set(fm_client *client)
{
    uint64_t when = fm_client_now() + 1000000000u;
    if (client->phase == FM_PHASE_OPEN) {
        sooner(&when, client->heard + 1000000ull * client->welcome.timeout);
        sooner(&when, client->ready_next);
        sooner(&when, fm_client_lists_next(client));
        for (int i = 0; i < FM_CLIENT_REQUESTS; i++)
            sooner(&when, client->requests[i].type ? client->requests[i].next : 0);
        sooner(&when, client->letter_count ? fm_client_now() + 5000000u : 0);
    } else if (client->phase != FM_PHASE_OVER) {
        sooner(&when, client->next_try);
        sooner(&when, client->give_up);
    }
    const struct itimerspec at = {.it_value = {(time_t)(when / 1000000000u), (long)(when % 1000000000u)}};
    timerfd_settime(client->timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static int take_all(fm_client *client)
{
    uint8_t bytes[FM_WIRE_MOST + 1];
    uint64_t ticks;
    int count = 0;
    if (read(client->timer, &ticks, sizeof ticks) < 0 && errno != EAGAIN)
        return 0;
    for (int i = 0; i < 256 && client->phase != FM_PHASE_OVER; i++) {
        ssize_t size = recv(client->socket, bytes, sizeof bytes, MSG_DONTWAIT | MSG_TRUNC);
        if (size < 0 && (errno == ECONNREFUSED || errno == EINTR)) /* no receiver at the moment */
            continue;
        if (size < 0)
            break;
        int taken = take_datagram(client, bytes, (size_t)size);
        client->info.received += taken != 0;
        client->info.dropped += taken == 0;
        count += taken;
    }
    return count;
}

int fm_client_poll(fm_client *client, double seconds)
{
    struct epoll_event event;
    if (!client)
        return -1;
    fm_client_lock(client);
    int count = take_all(client);
    do_due(client);
    fm_client_timer_set(client);
    int over = client->phase == FM_PHASE_OVER;
    fm_client_unlock(client);
    if (count > 0 || over || !(seconds > 0))
        return over ? -1 : count;
    int ready = epoll_wait(client->epoll, &event, 1, (int)((seconds < 3600 ? seconds : 3600) * 1000 + 0.999));
    return ready > 0 ? fm_client_poll(client, 0) : 0;
}

int fm_client_fd(const fm_client *client)
{
    return client ? client->epoll : -1;
}

fm_client_status fm_client_status_get(const fm_client *client)
{
    fm_client_status info = {.link = FM_CLIENT_OVER};
    if (!client)
        return info;
    fm_client_lock(client);
    const fm_wire_welcome *w = &client->welcome;
    info = client->info;
    info.simulation = (fm_client_simulation)client->simulation;
    info.id = w->id;
    info.vehicle = w->vehicle;
    info.dt = 1e-9 * (double)w->dt;
    info.keep_alive = 1e-3 * w->keep_alive;
    info.timeout = 1e-3 * w->timeout;
    info.latitude = w->latitude;
    info.longitude = w->longitude;
    info.lockstep = (w->flags & FM_WIRE_WELCOME_LOCKSTEP) != 0;
    info.resumed = (w->flags & FM_WIRE_WELCOME_RESUMED) != 0;
    fm_client_unlock(client);
    return info;
}

/* --- opening and closing --- */

fm_status fm_client_await(fm_client *client, const int *done, double seconds, const char *what, fm_error *error)
{
    uint64_t end = after(fm_client_now(), seconds);
    for (;;) {
        int over = fm_client_poll(client, 0.02) < 0;
        fm_client_lock(client);
        int is_done = *done;
        if (over && !is_done)
            fm_client_fail(error, FM_ERR_STATE, "%s: %s", what, client->why);
        fm_client_unlock(client);
        if (is_done || over)
            return is_done ? FM_OK : FM_ERR_STATE;
        if (fm_client_now() > end)
            return fm_client_fail(error, FM_ERR_STATE, "%s: no answer within %g s", what, seconds);
    }
}

/* Options of an older header lack members, which are 0; those of a newer one have members that this library ignores. */
static fm_status read_options(fm_client_options *copy, const fm_client_options *given, fm_error *error)
{
    const size_t size = given->size ? given->size : sizeof *copy;
    if (size < sizeof size)
        return fm_client_fail(error, FM_ERR_ARGUMENT, "size is %zu: must be sizeof(fm_client_options)", size);
    memset(copy, 0, sizeof *copy);
    memcpy(copy, given, size < sizeof *copy ? size : sizeof *copy);
    return FM_OK;
}

static fm_status check_options(const fm_client_options *o, fm_error *error)
{
    if (!o->name || !*o->name || strlen(o->name) >= FM_CLIENT_NAME)
        return fm_client_fail(error, FM_ERR_RANGE, "the name of a client has 1 to %d bytes", FM_CLIENT_NAME - 1);
    if (o->model && strlen(o->model) >= FM_CLIENT_NAME)
        return fm_client_fail(error, FM_ERR_RANGE, "a model or vehicle has a name of at most %d bytes",
                              FM_CLIENT_NAME - 1);
    if (o->role < FM_CLIENT_SURFACE || o->role > FM_CLIENT_EMULATOR)
        return fm_client_fail(error, FM_ERR_RANGE, "role %d is out of range: must be %d to %d", (int)o->role,
                              FM_CLIENT_SURFACE, FM_CLIENT_EMULATOR);
    for (int i = 0; i < 6; i++)
        if (!isfinite(o->pose[i]))
            return fm_client_fail(error, FM_ERR_RANGE, "a pose is six finite numbers");
    return FM_OK;
}

static void copy_options(fm_client *client, const fm_client_options *o)
{
    client->options = *o;
    snprintf(client->name, sizeof client->name, "%s", o->name);
    snprintf(client->model, sizeof client->model, "%s", o->model ? o->model : "");
    client->options.name = client->name;
    client->options.model = client->model;
    if (o->key) {
        memcpy(client->key, o->key, sizeof client->key);
        client->options.key = client->key;
    }
    client->options.timeout = o->timeout > 0 ? o->timeout : 5;
    client->options.patience = o->patience > 0 ? o->patience : o->patience < 0 ? -1 : 30;
}

static fm_client *make_client(const fm_client_options *options)
{
    fm_client *client = calloc(1, sizeof *client);
    pthread_mutexattr_t recursive;
    if (!client)
        return NULL;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&client->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    client->socket = client->epoll = client->timer = client->queue = -1;
    copy_options(client, options);
    return client;
}

static void free_client(fm_client *client)
{
    const int files[] = {client->socket, client->epoll, client->timer};
    fm_client_mail_end(client);
    fm_client_lists_free(&client->lists);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i] >= 0)
            close(files[i]);
    pthread_mutex_destroy(&client->lock);
    free(client);
}

static fm_status open_files(fm_client *client, const char *address, fm_error *error)
{
    struct epoll_event in = {.events = EPOLLIN};
    client->socket = fm_client_socket_open(address, error);
    if (client->socket < 0)
        return error ? error->status : FM_ERR_FILE;
    client->epoll = epoll_create1(EPOLL_CLOEXEC);
    client->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (client->epoll < 0 || client->timer < 0 || epoll_ctl(client->epoll, EPOLL_CTL_ADD, client->socket, &in) != 0 ||
        epoll_ctl(client->epoll, EPOLL_CTL_ADD, client->timer, &in) != 0)
        return fm_client_fail(error, FM_ERR_FULL, "%s", strerror(errno));
    return FM_OK;
}

static fm_status connect_client(fm_client *client, const char *address, fm_error *error)
{
    fm_status status = fm_client_hash_find(client, error);
    if (status == FM_OK)
        status = open_files(client, address, error);
    if (status != FM_OK)
        return status;
    client->give_up = after(fm_client_now(), client->options.timeout);
    begin_hello(client);
    while (client->phase != FM_PHASE_OPEN && client->phase != FM_PHASE_OVER)
        fm_client_poll(client, 0.05);
    if (client->phase == FM_PHASE_OVER)
        return fm_client_fail(error, FM_ERR_STATE, "%s: %s (code %d)", address, client->why, client->code);
    if (client->welcome.vehicle) { /* the lists are optional: without memory now, they come later */
        uint64_t end = after(fm_client_now(), client->options.timeout);
        while (client->lists.what && fm_client_now() < end && fm_client_poll(client, 0.02) >= 0)
            ;
    }
    return FM_OK;
}

fm_client *fm_client_open(const char *address, const fm_client_options *options, fm_error *error)
{
    if (!address || !options) {
        fm_client_fail(error, FM_ERR_ARGUMENT, "address and options must not be NULL");
        return NULL;
    }
    fm_client_options o;
    if (read_options(&o, options, error) != FM_OK || check_options(&o, error) != FM_OK)
        return NULL;
    fm_client *client = make_client(&o);
    if (!client)
        fm_client_fail(error, FM_ERR_MEMORY, "out of memory");
    else if (connect_client(client, address, error) != FM_OK) {
        free_client(client);
        client = NULL;
    }
    return client;
}

void fm_client_close(fm_client *client)
{
    static const uint8_t reason[FM_WIRE_SIZE_leave];
    if (!client)
        return;
    fm_client_mail_end(client);
    client->options.callbacks = (fm_client_callbacks){0};
    for (int i = 0; i < 3 && client->phase == FM_PHASE_OPEN; i++) {
        uint64_t end = fm_client_now() + FM_CLIENT_RETRY;
        fm_client_datagram_send(client, FM_WIRE_DISCONNECT, reason, sizeof reason);
        while (fm_client_now() < end && fm_client_poll(client, 0.05) >= 0)
            ;
    }
    free_client(client);
}
