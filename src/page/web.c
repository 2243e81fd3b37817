/* HTTP and WebSocket through libwebsockets. */
#include "page/web.h"

#include <errno.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"
#include "page/foxglove.h"
#include "page/web_docs.h"
#include "page/web_host.h"
#include "page/web_page.h"
#include "page/web_wheel.h"
#include "server/socket.h"

enum { MESSAGE_MOST = 1 << 20, PORT = 8080, PORTS_TRIED = 50, FRAMES_AT_ONCE = 256, VIEWERS = 64, WAITING = 64 };

struct fm_web {
    uv_loop_t *loop;
    fm_show *show;
    struct lws_context *context;
    struct lws_vhost *vhost;
    uv_async_t wake;
    uv_poll_t door; /* connections that wait at `listener` */
    int listener;
    int reserve; /* a reserve descriptor, closed to reject a connection when no other is free */
    char address[64], token[128];
    int port, loopback;
    size_t viewers, viewers_most;
    size_t fresh;        /* viewers of the present show */
    unsigned generation; /* version of the show: viewers of an earlier one are disconnected */
    int handles;         /* number of its own handles that are still open */
};

/* --- pages --- */

typedef struct download {
    uint8_t *data; /* NULL: all is sent */
    size_t size, sent;
    int owned;
} download;

static int find_file(const char *path, fm_web_page_file *file)
{
    const char *name = strcmp(path, "/") == 0 ? "/index.html" : path;
    for (size_t i = 0; i < fm_web_page_file_count(); i++) {
        *file = fm_web_page_get_file(i);
        if (strcmp(file->path, name) == 0)
            return 1;
    }
    return 0;
}

/* The contents of a file before gzip, for clients that do not support it. */
static uint8_t *inflate_file(const fm_web_page_file *file)
{
    uint8_t *plain = fm_alloc(file->plain_size + 1);
    z_stream z = {.next_in = (Bytef *)(uintptr_t)file->data, .avail_in = (uInt)file->size};
    if (!plain || inflateInit2(&z, 15 + 16) != Z_OK)
        return fm_free(plain), NULL;
    z.next_out = plain;
    z.avail_out = (uInt)file->plain_size + 1;
    int ended = inflate(&z, Z_FINISH) == Z_STREAM_END;
    inflateEnd(&z);
    return ended ? plain : (fm_free(plain), NULL);
}

static int knows_gzip(struct lws *wsi)
{
    char text[256];
    return lws_hdr_copy(wsi, text, sizeof text, WSI_TOKEN_HTTP_ACCEPT_ENCODING) > 0 && strstr(text, "gzip");
}

static int add_header(struct lws *wsi, const char *name, const char *value, uint8_t **at, uint8_t *end)
{
    return lws_add_http_header_by_name(wsi, (const uint8_t *)name, (const uint8_t *)value, (int)strlen(value), at, end);
}

/* Allows only our own scripts, styles and connections. */
static const char policy[] = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
                             "worker-src 'self' blob:; connect-src 'self' ws: wss:; frame-ancestors 'none'";

/* Documentation pages contain inline scripts. They are our own files and contain no input of viewers. */
static const char docs_policy[] = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
                                  "script-src 'self' 'unsafe-inline'; worker-src 'self' blob:; frame-ancestors 'none'";

static int send_head(struct lws *wsi, const char *type, const char *allowed, size_t size, int packed)
{
    uint8_t buffer[LWS_PRE + 2048], *start = buffer + LWS_PRE, *at = start, *end = buffer + sizeof buffer - 1;
    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, type, (lws_filepos_t)size, &at, end))
        return -1;
    if (packed && add_header(wsi, "content-encoding:", "gzip", &at, end))
        return -1;
    if (add_header(wsi, "content-security-policy:", allowed, &at, end) ||
        add_header(wsi, "x-content-type-options:", "nosniff", &at, end) ||
        add_header(wsi, "cache-control:", "no-cache", &at, end))
        return -1;
    return lws_finalize_write_http_header(wsi, start, &at, end);
}

static int refuse(struct lws *wsi, unsigned code, const char *text)
{
    lws_return_http_status(wsi, code, text);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int begin_download(struct lws *wsi, download *d, const char *path)
{
    fm_web_page_file file;
    if (!find_file(path, &file))
        return refuse(wsi, HTTP_STATUS_NOT_FOUND, "no such page");
    int packed = knows_gzip(wsi);
    *d = (download){.data = (uint8_t *)(uintptr_t)file.data, .size = file.size};
    if (!packed) {
        *d = (download){.data = inflate_file(&file), .size = file.plain_size, .owned = 1};
        if (!d->data)
            return refuse(wsi, HTTP_STATUS_INTERNAL_SERVER_ERROR, "out of memory");
    }
    if (send_head(wsi, file.type, policy, d->size, packed))
        return -1;
    lws_callback_on_writable(wsi);
    return 0;
}

static int redirect_to_docs(struct lws *wsi)
{
    static const char to[] = "/docs/";
    uint8_t buffer[LWS_PRE + 1024], *at = buffer + LWS_PRE;
    if (lws_http_redirect(wsi, HTTP_STATUS_MOVED_PERMANENTLY, (const uint8_t *)to, sizeof to - 1, &at,
                          buffer + sizeof buffer - 1) < 0)
        return -1;
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

/* A page of the documentation; 1: the path is not one. */
static int begin_docs(struct lws *wsi, download *d, const char *path)
{
    uint8_t *data = NULL;
    size_t size = 0;
    const char *type = NULL;
    switch (fm_web_docs_read(path, &data, &size, &type)) {
    case FM_WEB_DOCS_OTHER: return 1;
    case FM_WEB_DOCS_REDIRECT: return redirect_to_docs(wsi);
    case FM_WEB_DOCS_NONE:
        return refuse(wsi, HTTP_STATUS_NOT_FOUND,
                      "no such page of the documentation; `make docs` builds the documentation");
    case FM_WEB_DOCS_FILE: break;
    }
    *d = (download){.data = data, .size = size, .owned = 1};
    if (send_head(wsi, type, docs_policy, size, 0))
        return -1;
    lws_callback_on_writable(wsi);
    return 0;
}

static void end_download(download *d)
{
    if (d && d->owned)
        fm_free(d->data);
    if (d)
        *d = (download){0};
}

static int go_on(struct lws *wsi, download *d)
{
    uint8_t buffer[LWS_PRE + 16384];
    while (d->data && !lws_send_pipe_choked(wsi)) {
        size_t size = d->size - d->sent < 16384 ? d->size - d->sent : 16384;
        int last = d->sent + size == d->size;
        if (size)
            memcpy(buffer + LWS_PRE, d->data + d->sent, size);
        if (lws_write(wsi, buffer + LWS_PRE, size, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
            return -1;
        d->sent += size;
        if (last) {
            end_download(d);
            return lws_http_transaction_completed(wsi) ? -1 : 0;
        }
    }
    if (d->data)
        lws_callback_on_writable(wsi);
    return 0;
}

/* --- who may come --- */

static int host_is_ours(const fm_web *web, struct lws *wsi, char *host_line, size_t size)
{
    if (lws_hdr_copy(wsi, host_line, (int)size, WSI_TOKEN_HOST) <= 0)
        return 0;
    return fm_web_host_is_ours(host_line, web->address, web->loopback);
}

/* Pages of other origins may not open the socket: otherwise any site could steer the simulator through the browser. */
static int origin_is_fine(struct lws *wsi, const char *host_line)
{
    static const char *const known[] = {"https://app.foxglove.dev", "https://studio.foxglove.dev",
                                        "https://lichtblick-suite.github.io"};
    char origin[256];
    if (!lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN))
        return 1; /* not a browser */
    if (lws_hdr_copy(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN) <= 0)
        return 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(origin, known[i]) == 0)
            return 1;
    const char *host = strstr(origin, "://");
    return host && strcasecmp(host + 3, host_line) == 0;
}

static int token_is_right(const fm_web *web, struct lws *wsi)
{
    char given[sizeof web->token + 8] = "";
    if (!*web->token)
        return 1;
    const char *value = lws_get_urlarg_by_name(wsi, "token=", given, (int)sizeof given);
    size_t length = strlen(web->token);
    return value && strlen(value) == length && sodium_memcmp(value, web->token, length) == 0;
}

static int may_connect(const fm_web *web, struct lws *wsi)
{
    char host_line[256];
    return web->viewers < web->viewers_most && host_is_ours(web, wsi, host_line, sizeof host_line) &&
           origin_is_fine(wsi, host_line) && token_is_right(web, wsi);
}

/* --- HTTP --- */

static fm_web *web_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

static int serve_page(struct lws *wsi, download *d, const char *path)
{
    char host_line[256];
    if (!host_is_ours(web_of(wsi), wsi, host_line, sizeof host_line))
        return refuse(wsi, HTTP_STATUS_FORBIDDEN, "this host is not served here");
    int done = begin_docs(wsi, d, path);
    return done == 1 ? begin_download(wsi, d, path) : done;
}

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    switch (reason) {
    case LWS_CALLBACK_HTTP: return serve_page(wsi, user, in);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return -1; /* a WebSocket with a protocol that is not supported */
    case LWS_CALLBACK_HTTP_WRITEABLE: return go_on(wsi, user);
    case LWS_CALLBACK_CLOSED_HTTP: end_download(user); return 0;
    default: return lws_callback_http_dummy(wsi, reason, user, in, length);
    }
}

/* --- WebSocket --- */

typedef struct viewer {
    int counted; /* it was accepted; a refused one is all zeros */
    fm_foxglove *connection;
    unsigned generation;
    uint8_t *message; /* that is coming in pieces */
    size_t size, room;
} viewer;

static int greet_viewer(fm_web *web, struct lws *wsi, viewer *v)
{
    *v = (viewer){.counted = 1, .connection = fm_foxglove_open(web->show), .generation = web->generation};
    web->viewers++;
    web->fresh++;
    lws_callback_on_writable(wsi);
    return v->connection ? 0 : -1;
}

/* libwebsockets reports the end of refused connections too. */
static void lose_viewer(fm_web *web, viewer *v)
{
    if (!v || !v->counted)
        return;
    web->viewers--;
    web->fresh -= v->generation == web->generation;
    fm_foxglove_close(v->connection);
    fm_free(v->message);
    *v = (viewer){0};
    if (web->viewers == 0 && web->show && web->show->deserted)
        web->show->deserted(web->show);
}

/* A viewer of what was shown before gets its answers, then it is disconnected. */
static int write_frames(const fm_web *web, struct lws *wsi, viewer *v)
{
    fm_foxglove_frame frame;
    const int stale = v->generation != web->generation;
    for (int n = 0; n < FRAMES_AT_ONCE; n++) {
        if (lws_send_pipe_choked(wsi))
            break;
        int due = stale ? fm_foxglove_next_answer(v->connection, &frame) : fm_foxglove_next(v->connection, &frame);
        if (due <= 0)
            return stale ? -1 : due;
        if (lws_write(wsi, frame.data, frame.size, frame.binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT) < 0)
            return -1;
    }
    lws_callback_on_writable(wsi);
    return 0;
}

static int gather(viewer *v, const void *in, size_t length)
{
    if (v->size + length > MESSAGE_MOST)
        return -1;
    if (v->size + length > v->room) {
        size_t room = v->size + length + 4096;
        uint8_t *message = fm_realloc(v->message, room);
        if (!message)
            return -1;
        v->message = message;
        v->room = room;
    }
    if (length)
        memcpy(v->message + v->size, in, length);
    v->size += length;
    return 0;
}

static int read_message(struct lws *wsi, viewer *v, const void *in, size_t length)
{
    if (gather(v, in, length))
        return -1;
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi))
        return 0;
    fm_error error = {0};
    fm_status status = fm_foxglove_take(v->connection, lws_frame_is_binary(wsi), v->message, v->size, &error);
    v->size = 0;
    lws_callback_on_writable(wsi);
    return status == FM_OK ? 0 : -1;
}

static int on_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    fm_web *web = web_of(wsi);
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return may_connect(web, wsi) ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED: return greet_viewer(web, wsi, user);
    case LWS_CALLBACK_SERVER_WRITEABLE: return write_frames(web, wsi, user);
    case LWS_CALLBACK_RECEIVE: return read_message(wsi, user, in, length);
    case LWS_CALLBACK_CLOSED: lose_viewer(web, user); return 0;
    default: return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = on_http, .per_session_data_size = sizeof(download)},
    {.name = "foxglove.sdk.v1",
     .callback = on_socket,
     .per_session_data_size = sizeof(viewer),
     .rx_buffer_size = 65536},
    {.name = "foxglove.websocket.v1",
     .callback = on_socket,
     .per_session_data_size = sizeof(viewer),
     .rx_buffer_size = 65536},
    {0}};

/* --- opening and closing --- */

static void ask_all(uv_async_t *handle)
{
    const fm_web *web = handle->data;
    lws_callback_on_writable_all_protocol(web->context, &protocols[1]);
    lws_callback_on_writable_all_protocol(web->context, &protocols[2]);
}

static void wake_loop(void *user)
{
    fm_web *web = user;
    uv_async_send(&web->wake);
}

static const lws_retry_bo_t patience = {.secs_since_valid_ping = 20, .secs_since_valid_hangup = 40};

static struct lws_context *create_context(fm_web *web)
{
    void *loops[1] = {web->loop};
    struct lws_context_creation_info info = {.options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
                                             .foreign_loops = loops,
                                             .user = web,
                                             .retry_and_idle_policy = &patience};
    lws_set_log_level(0, NULL);
    return fm_web_context(&info);
}

/* It does not listen itself: when built with IPv6 it ignores the address of a socket. */
static struct lws_vhost *create_vhost(fm_web *web)
{
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER, .protocols = protocols, .vhost_name = "fathom", .keepalive_timeout = 30};
    return lws_create_vhost(web->context, &info);
}

static fm_status listen_on(fm_web *web, int port, fm_error *error)
{
    const char *text = strcmp(web->address, "localhost") == 0 ? "127.0.0.1" : web->address;
    fm_address address;
    fm_status status = fm_address_read(text, port, &address, error);
    if (status == FM_OK)
        status = fm_socket_bind(&address, FM_SOCKET_TCP, &web->listener, &web->port, error);
    if (status == FM_OK && listen(web->listener, WAITING) != 0)
        status = fm_fail(error, FM_ERR_FILE, "cannot listen on TCP %s port %d: %s", text, port, strerror(errno));
    return status;
}

static fm_status find_port(fm_web *web, const fm_web_options *options, fm_error *error)
{
    int first = options->port ? options->port : PORT, last = options->fixed ? first : first + PORTS_TRIED - 1;
    fm_status status = FM_ERR_STATE;
    for (int port = first; port <= last && port < 65536 && status == FM_ERR_STATE; port++)
        status = listen_on(web, port, error);
    if (status == FM_ERR_STATE && !options->fixed)
        fm_fail(error, status, "cannot listen on TCP %s ports %d to %d: address already in use", web->address, first,
                last);
    return status;
}

/* No descriptor is free for the connection: the reserve is used briefly, so that the connection does not wait
 * forever. */
static void turn_away(fm_web *web)
{
    close(web->reserve);
    int fd = accept4(web->listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0)
        close(fd);
    web->reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void on_connection(uv_poll_t *poll, int status, int events)
{
    fm_web *web = poll->data;
    int yes = 1;
    (void)status;
    (void)events;
    for (int i = 0; i < WAITING; i++) {
        int fd = accept4(web->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EMFILE || errno == ENFILE)
                turn_away(web);
            return;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        lws_adopt_socket_vhost(web->vhost, fd); /* closes it where it fails */
    }
}

static void open_handles(fm_web *web)
{
    uv_async_init(web->loop, &web->wake, ask_all);
    uv_poll_init(web->loop, &web->door, web->listener);
    web->wake.data = web->door.data = web;
    web->handles = 2;
    uv_poll_start(&web->door, UV_READABLE, on_connection);
}

static fm_status check_options(const fm_web *web, const fm_web_options *options, fm_error *error)
{
    if (!web->loopback && !*web->token)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s is seen by others: it needs a token", web->address);
    if (options->token && strlen(options->token) >= sizeof web->token)
        return fm_fail(error, FM_ERR_RANGE, "a token of %zu characters: must be 1 … %zu", strlen(options->token),
                       sizeof web->token - 1);
    return FM_OK;
}

fm_web *fm_web_open(uv_loop_t *loop, fm_show *show, const fm_web_options *options, fm_error *error)
{
    fm_web *web = fm_alloc(sizeof *web);
    if (!web)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the page's server"), NULL;
    web->loop = loop;
    web->show = show;
    web->viewers_most = options->viewers ? options->viewers : VIEWERS;
    snprintf(web->address, sizeof web->address, "%s", options->address ? options->address : "127.0.0.1");
    snprintf(web->token, sizeof web->token, "%s", options->token ? options->token : "");
    web->loopback = fm_web_is_loopback(web->address);
    web->listener = web->reserve = -1;
    if (check_options(web, options, error) != FM_OK || find_port(web, options, error) != FM_OK)
        return fm_web_free(web), NULL;
    web->reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
    web->context = create_context(web);
    web->vhost = web->context ? create_vhost(web) : NULL;
    if (!web->vhost)
        return fm_web_free(web),
               fm_fail(error, FM_ERR_LIBRARY, "libwebsockets cannot begin (is its libuv part there?)"), NULL;
    open_handles(web);
    fm_hub_set_wake(show->hub, wake_loop, web);
    return web;
}

size_t fm_web_urls(const fm_web *web, fm_web_url *urls, size_t room)
{
    return fm_web_urls_find(web->address, web->port, web->token, urls, room);
}

size_t fm_web_stale(const fm_web *web)
{
    return web->viewers - web->fresh;
}

void fm_web_change(fm_web *web, fm_show *show)
{
    fm_hub_set_wake(web->show->hub, NULL, NULL);
    web->show = show;
    web->generation++;
    web->fresh = 0;
    fm_hub_set_wake(show->hub, wake_loop, web);
    uv_async_send(&web->wake);
}

static void count_closed(uv_handle_t *handle)
{
    fm_web *web = handle->data;
    web->handles--;
}

void fm_web_hang_up(fm_web *web)
{
    if (!web)
        return;
    fm_hub_set_wake(web->show->hub, NULL, NULL);
    uv_close((uv_handle_t *)&web->wake, count_closed);
    uv_close((uv_handle_t *)&web->door, count_closed);
    close(web->listener);
    web->listener = -1;
    lws_context_destroy(web->context);
}

void fm_web_free(fm_web *web)
{
    if (!web)
        return;
    if (web->context)
        lws_context_destroy(web->context); /* again: with a foreign loop it is freed only after the loop has ended */
    if (web->listener >= 0)
        close(web->listener);
    if (web->reserve >= 0)
        close(web->reserve);
    fm_free(web);
}

void fm_web_close(fm_web *web)
{
    if (!web)
        return;
    fm_web_hang_up(web);
    while (web->handles)
        uv_run(web->loop, UV_RUN_ONCE);
    for (int i = 0; i < 100 && uv_loop_alive(web->loop); i++)
        uv_run(web->loop, UV_RUN_NOWAIT);
    fm_web_free(web);
}
