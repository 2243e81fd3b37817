/* A viewer of the page by a WebSocket of the test's own. */
#ifndef TESTS_NET_VIEWER_H
#define TESTS_NET_VIEWER_H

#include <arpa/inet.h>
#include <sys/socket.h>

#include "net/served.h"

typedef struct viewer {
    int fd;
    uint8_t frame[1 << 20]; /* the last one */
    size_t size;
    int binary;
    char services[1 << 16]; /* as the greeting lists them */
    uint32_t calls;
} viewer;

static inline int free_http_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, size), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    close(fd);
    return ntohs(at.sin_port);
}

static inline void read_all(const viewer *v, void *to, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t n = recv(v->fd, (char *)to + at, size - at, 0);
        if (n <= 0)
            fail_msg("the page hung up, or said nothing for too long");
        at += (size_t)n;
    }
}

static inline void greet(viewer *v, int port)
{
    static const char hello[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
                                "Sec-WebSocket-Protocol: foxglove.websocket.v1\r\n\r\n";
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {.tv_sec = 30};
    char head[4096] = "";
    v->fd = socket(AF_INET, SOCK_STREAM, 0);
    v->services[0] = 0;
    setsockopt(v->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    for (double end = seconds_now() + 20; connect(v->fd, (struct sockaddr *)&at, sizeof at) != 0; usleep(20000))
        assert_less(seconds_now(), end);
    assert_int_equal(send(v->fd, hello, strlen(hello), 0), (ssize_t)strlen(hello));
    for (size_t n = 0; !strstr(head, "\r\n\r\n") && n < sizeof head - 1; n++)
        read_all(v, head + n, 1);
    assert_non_null(strstr(head, " 101 "));
}

static inline uint64_t read_length(const viewer *v, uint8_t first)
{
    uint8_t bytes[8];
    uint64_t length = first & 127;
    size_t count = length == 126 ? 2 : length == 127 ? 8 : 0;
    read_all(v, bytes, count);
    for (size_t i = 0; i < count; i++)
        length = i == 0 ? bytes[0] : length << 8 | bytes[i];
    return length;
}

/* One message, of pieces where it comes in such. */
static inline void next_frame(viewer *v)
{
    uint8_t head[2];
    v->size = 0;
    do {
        read_all(v, head, 2);
        size_t length = (size_t)read_length(v, head[1]);
        assert_less(v->size + length, sizeof v->frame);
        read_all(v, v->frame + v->size, length);
        if ((head[0] & 15) != 0)
            v->binary = (head[0] & 15) == 2;
        v->size += length;
    } while (!(head[0] & 128));
    v->frame[v->size] = 0;
    if (!v->binary && strstr((const char *)v->frame, "\"advertiseServices\""))
        snprintf(v->services, sizeof v->services, "%.65000s", (const char *)v->frame);
}

/* Masked, as a client's frames are, with a mask of zeros. */
static inline void say(const viewer *v, int binary, const void *bytes, size_t size)
{
    uint8_t frame[2048] = {(uint8_t)(128 | (binary ? 2 : 1)), 128 | 126, (uint8_t)(size >> 8), (uint8_t)size};
    assert_less(size + 8, sizeof frame);
    memcpy(frame + 8, bytes, size);
    assert_int_equal(send(v->fd, frame, size + 8, 0), (ssize_t)(size + 8));
}

/* The number before a name in a list of the greeting. */
static inline long number_before(const char *text, const char *at)
{
    while (at > text && at[-1] != ':')
        at--;
    return strtol(at, NULL, 10);
}

/* The number of a channel ("topic") or a service ("name"), as the greeting has it before its name. */
static inline long number_of(viewer *v, const char *key, const char *name)
{
    char needle[64];
    snprintf(needle, sizeof needle, ",\"%s\":\"%s\"", key, name);
    const char *known = strstr(v->services, needle);
    if (known)
        return number_before(v->services, known);
    for (double end = seconds_now() + 20; seconds_now() < end;) {
        next_frame(v);
        const char *text = (const char *)v->frame, *at = v->binary ? NULL : strstr(text, needle);
        if (at)
            return number_before(text, at);
    }
    fail_msg("the greeting has no %s", name);
    return -1;
}

/* Calls a service with a request in JSON; what it answers, or why it fails. 1: it was done. */
static inline int call_page(viewer *v, const char *service, const char *request, char *answer, size_t size)
{
    uint8_t bytes[2000] = {2};
    uint32_t id = (uint32_t)number_of(v, "name", service), call = ++v->calls, length = 4, got[2];
    char needle[64];
    memcpy(bytes + 1, &id, 4);
    memcpy(bytes + 5, &call, 4);
    memcpy(bytes + 9, &length, 4);
    memcpy(bytes + 13, "json", 4);
    memcpy(bytes + 17, request, strlen(request));
    say(v, 1, bytes, 17 + strlen(request));
    snprintf(needle, sizeof needle, "\"callId\":%u", call);
    for (double end = seconds_now() + 30; seconds_now() < end;) {
        next_frame(v);
        const char *text = (const char *)v->frame;
        memcpy(got, v->frame + 1, sizeof got);
        if (v->binary && v->frame[0] == 3 && got[0] == id && got[1] == call)
            return snprintf(answer, size, "%.*s", (int)size - 1, text + 17), 1;
        if (!v->binary && strstr(text, "\"serviceCallFailure\"") && strstr(text, needle))
            return snprintf(answer, size, "%.*s", (int)size - 1, text), 0;
    }
    fail_msg("%s is never answered", service);
    return 0;
}

#endif
