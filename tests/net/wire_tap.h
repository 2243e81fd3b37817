/* A way for fm_caller through a socket that a test can also use itself; remembers what it sent. */
#ifndef TESTS_NET_WIRE_TAP_H
#define TESTS_NET_WIRE_TAP_H

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include "net/served.h"

typedef struct wire_tap {
    int socket;
    int connects; /* 1: only CONNECT is remembered */
    size_t size;
    uint8_t last[FM_WIRE_MOST]; /* the last datagram */
} wire_tap;

static inline int open_socket(int port)
{
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_at_least(s, 0);
    assert_int_equal(connect(s, (struct sockaddr *)&to, sizeof to), 0);
    return s;
}

static inline void tap_send(void *user, const uint8_t *bytes, size_t size)
{
    wire_tap *t = user;
    if (!t->connects || (size > 8 && bytes[6] == FM_WIRE_CONNECT && bytes[7] == 0))
        memcpy(t->last, bytes, t->size = size);
    assert_int_equal(send(t->socket, bytes, size, 0), size);
}

static inline size_t tap_receive(void *user, uint8_t *bytes, size_t room, double seconds)
{
    const wire_tap *t = user;
    struct pollfd wait = {t->socket, POLLIN, 0};
    ssize_t size = poll(&wait, 1, (int)(1000 * seconds) + 1) > 0 ? recv(t->socket, bytes, room, 0) : 0;
    return size > 0 ? (size_t)size : 0;
}

static inline double tap_clock(void *user)
{
    (void)user;
    return seconds_now();
}

#endif
