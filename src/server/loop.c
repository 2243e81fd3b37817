/* The loop: libuv with sockets, a timer and wake-ups from the stepping thread, which it starts and joins. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/priority.h"
#include "server/bridges.h"
#include "server/clock.h"
#include "server/core.h"

enum {
    TICK_MS = 20,
    PATIENCE_MS = 2000,
    BATCHES = 32 /* datagrams read in one turn, so that other sockets get their
                  * turn */
};

struct fm_net_loop {
    fm_server *server;
    uv_loop_t uv;
    uv_async_t woken, stopped, ended;
    uv_timer_t timer;
    uv_poll_t polls[2]; /* UDP, local */
    int fds[2], port;
    int closing;
    fm_datagram *incoming;     /* FM_SOCKET_BATCH of them */
    pthread_t thread, turning; /* the stepping thread; the one of fm_server_run */
    fm_status status;          /* of the runs */
    fm_error error;
    /* the sleep of the stepping thread */
    pthread_mutex_t lock;
    pthread_cond_t condition;
    int awake;
};

/* --- sleeping of the stepping thread --- */

static void nap(void *user, double moment)
{
    fm_net_loop *l = user;
    struct timespec t = {(time_t)moment, (long)((moment - floor(moment)) * 1e9)};
    pthread_mutex_lock(&l->lock);
    while (!l->awake && pthread_cond_timedwait(&l->condition, &l->lock, &t) != ETIMEDOUT)
        ;
    l->awake = 0;
    pthread_mutex_unlock(&l->lock);
}

static void end_nap(void *user)
{
    fm_net_loop *l = user;
    pthread_mutex_lock(&l->lock);
    l->awake = 1;
    pthread_cond_signal(&l->condition);
    pthread_mutex_unlock(&l->lock);
}

/* --- the outside --- */

static size_t send_all(void *user, const fm_datagram *datagrams, size_t count)
{
    fm_net_loop *l = user;
    size_t sent = 0;
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && datagrams[i + n].address.local == datagrams[i].address.local; n++)
            ;
        sent += fm_socket_send(l->fds[datagrams[i].address.local != 0], datagrams + i, n);
    }
    return sent;
}

static void wake(void *user)
{
    fm_net_loop *l = user;
    uv_async_send(&l->woken);
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    fm_net_loop *l = poll->data;
    int local = poll == &l->polls[1];
    (void)status;
    (void)events;
    for (int i = 0; i < BATCHES; i++) {
        size_t count = fm_socket_receive(l->fds[local], local, l->incoming);
        if (count > 0)
            fm_server_receive(l->server, l->incoming, count);
        if (count < FM_SOCKET_BATCH)
            return;
    }
}

static void on_woken(uv_async_t *async)
{
    fm_net_loop *l = async->data;
    fm_server *server = l->server;
    fm_server_turn(server);
    fm_host_turn(&server->host);
}

static void on_timer(uv_timer_t *timer)
{
    fm_net_loop *l = timer->data;
    fm_server_tick(l->server);
}

/* --- the end --- */

/* Clients are notified first: closing the log may take a moment. */
static void on_stopped(uv_async_t *async)
{
    fm_net_loop *l = async->data;
    fm_server *server = l->server;
    if (!server->stop_asked || l->closing)
        return;
    l->closing = 1;
    fm_server_turn(server);
    fm_server_close_sessions(server);
    fm_run_stop(server->run);
    end_nap(l);
}

static void close_handle(uv_handle_t *handle, void *unused)
{
    (void)unused;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static void close_rest(uv_timer_t *timer)
{
    uv_walk(timer->loop, close_handle, NULL);
}

/* Doors close their own handles, some of them later; handles that they forget are closed after them. */
static void close_all(fm_net_loop *l)
{
    fm_host_close(&l->server->host);
    close_handle((uv_handle_t *)&l->woken, NULL);
    close_handle((uv_handle_t *)&l->stopped, NULL);
    close_handle((uv_handle_t *)&l->ended, NULL);
    for (int i = 0; i < 2; i++)
        if (l->fds[i] >= 0)
            close_handle((uv_handle_t *)&l->polls[i], NULL);
    uv_timer_start(&l->timer, close_rest, PATIENCE_MS, 0);
    uv_unref((uv_handle_t *)&l->timer);
}

/* No step comes any more. */
static void on_ended(uv_async_t *async)
{
    fm_net_loop *l = async->data;
    fm_server *server = l->server;
    fm_server_turn(server);
    if (!l->closing)
        fm_server_close_sessions(server);
    close_all(l);
}

/* --- making --- */

static fm_status bind_sockets(fm_net_loop *l, const fm_server_options *o, fm_error *error)
{
    fm_address address;
    int port = o->port < 0 ? 0 : o->port > 0 ? o->port : (int)l->server->settings->port;
    if (o->port > 65535)
        return fm_fail(error, FM_ERR_RANGE, "port: %d is out of range: must be up to 65535", o->port);
    fm_status status = fm_address_read(o->address ? o->address : "127.0.0.1", port, &address, error);
    if (status == FM_OK && !l->server->keyed && !fm_address_is_loopback(&address))
        status = fm_fail(error, FM_ERR_ARGUMENT, "%s can be reached from other computers: must have a key (--key FILE)",
                         o->address);
    if (status == FM_OK)
        status = fm_socket_bind(&address, FM_SOCKET_UDP, &l->fds[0], &l->port, error);
    if (status == FM_OK && o->socket)
        status = fm_socket_bind_local(o->socket, &l->fds[1], error);
    return status;
}

static void set_up(fm_net_loop *l)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&l->condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
    fm_lock_create(&l->lock);
    uv_async_init(&l->uv, &l->woken, on_woken);
    uv_async_init(&l->uv, &l->stopped, on_stopped);
    uv_async_init(&l->uv, &l->ended, on_ended);
    uv_timer_init(&l->uv, &l->timer);
    l->woken.data = l->stopped.data = l->ended.data = l->timer.data = l;
    uv_timer_start(&l->timer, on_timer, TICK_MS, TICK_MS);
    for (int i = 0; i < 2; i++)
        if (l->fds[i] >= 0) {
            uv_poll_init(&l->uv, &l->polls[i], l->fds[i]);
            l->polls[i].data = l;
            uv_poll_start(&l->polls[i], UV_READABLE, on_readable);
        }
}

static fm_net_loop *make_loop(fm_server *server, fm_error *error)
{
    fm_net_loop *l = fm_alloc(sizeof *l);
    fm_datagram *incoming = fm_alloc(FM_SOCKET_BATCH * sizeof *incoming);
    if (!l || !incoming || uv_loop_init(&l->uv) != 0) {
        fm_fail(error, FM_ERR_MEMORY, "out of memory for a server");
        fm_free(l);
        fm_free(incoming);
        return NULL;
    }
    l->server = server;
    l->incoming = incoming;
    l->fds[0] = l->fds[1] = -1;
    server->clock = fm_clock_now;
    server->send = send_all;
    server->wake = wake;
    server->outside = l;
    server->now = fm_clock_now(NULL);
    server->host.loop = &l->uv;
    return l;
}

fm_server *fm_server_create(const fm_model *model, const fm_server_options *options, fm_error *error)
{
    fm_error unused;
    fm_server_options o;
    error = error ? error : &unused;
    if (FM_READ_OPTIONS(&o, options, fm_server_options, error) != FM_OK)
        return NULL;
    fm_server *server = fm_server_make(model, options ? &o : NULL, error);
    if (!server)
        return NULL;
    server->loop = make_loop(server, error);
    fm_status status = server->loop ? bind_sockets(server->loop, &server->options, error) : error->status;
    if (server->loop)
        set_up(server->loop);
    if (status == FM_OK && !server->options.no_bridges)
        status = fm_bridges_add(&server->host, error);
    if (status == FM_OK)
        return server;
    fm_server_free(server);
    return NULL;
}

int fm_server_port(const fm_server *server)
{
    return server && server->loop ? server->loop->port : 0;
}

void fm_loop_stop(fm_net_loop *l)
{
    uv_async_send(&l->stopped);
}

void fm_loop_free(fm_net_loop *l)
{
    if (!l)
        return;
    if (uv_loop_alive(&l->uv))
        close_all(l);
    uv_run(&l->uv, UV_RUN_DEFAULT);
    close_handle((uv_handle_t *)&l->timer, NULL);
    uv_run(&l->uv, UV_RUN_DEFAULT);
    uv_loop_close(&l->uv);
    for (int i = 0; i < 2; i++)
        if (l->fds[i] >= 0)
            close(l->fds[i]);
    if (l->fds[1] >= 0)
        unlink(l->server->options.socket);
    pthread_mutex_destroy(&l->lock);
    pthread_cond_destroy(&l->condition);
    fm_free(l->incoming);
    fm_free(l);
}

/* --- running --- */

static void *step_all(void *user)
{
    fm_net_loop *l = user;
    fm_run_clock clock = {.now = fm_clock_now, .sleep_until = nap, .wake = end_nap, .user = l};
    fm_error refused = {0};
    fm_thread_wake_promptly();
    if (l->server->options.priority && fm_thread_take_priority(l->server->options.priority, &refused) != FM_OK)
        fm_host_tell(&l->server->host, "%s; the run continues without it", refused.text);
    fm_thread_lend_priority(l->turning);
    l->status = fm_server_go(l->server, &clock, &l->error);
    uv_async_send(&l->ended);
    return NULL;
}

fm_status fm_server_run(fm_server *server, fm_error *error)
{
    if (!server || !server->loop)
        return fm_fail(error, FM_ERR_ARGUMENT, "server must not be NULL");
    fm_net_loop *l = server->loop;
    struct sched_param before; /* of the calling thread, which has it again afterwards */
    int policy, known = pthread_getschedparam(pthread_self(), &policy, &before) == 0;
    l->turning = pthread_self();
    fm_status status = fm_host_open(&server->host, error);
    if (status == FM_OK && pthread_create(&l->thread, NULL, step_all, l) != 0)
        status = fm_fail(error, FM_ERR_LIBRARY, "the stepping thread cannot be started");
    if (status != FM_OK) {
        fm_host_close(&server->host);
        return status;
    }
    uv_run(&l->uv, UV_RUN_DEFAULT);
    pthread_join(l->thread, NULL);
    if (known && l->server->options.priority > 0)
        pthread_setschedparam(l->turning, policy, &before);
    if (l->status != FM_OK && error)
        *error = l->error;
    return l->status;
}
