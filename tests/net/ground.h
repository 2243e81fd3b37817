/* The other end of MAVLink's ground side: a station that hears, asks and orders. */
#ifndef TESTS_NET_GROUND_H
#define TESTS_NET_GROUND_H

#include <math.h>

#include "bridges/mavlink/mavlink_wire.h"
#include "net/outside.h"

typedef struct ground {
    int fd, port;
    fm_mav_sender sender;
    struct sockaddr_in peer; /* of the program */
    uint8_t bytes[2048];
    const uint8_t *next;
    size_t left;
    size_t faults;
} ground;

static inline ground open_ground(void)
{
    ground g = {.fd = socket(AF_INET, SOCK_DGRAM, 0), .sender = {255, 190, 0}};
    struct sockaddr_in at = local_port(0);
    socklen_t size = sizeof at;
    assert_int_equal(bind(g.fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(getsockname(g.fd, (struct sockaddr *)&at, &size), 0);
    g.port = ntohs(at.sin_port);
    return g;
}

/* Another datagram, if one comes within this time. */
static inline int receive(ground *g, int milliseconds)
{
    struct pollfd wait = {.fd = g->fd, .events = POLLIN};
    socklen_t size = sizeof g->peer;
    if (poll(&wait, 1, milliseconds) <= 0)
        return 0;
    ssize_t n = recvfrom(g->fd, g->bytes, sizeof g->bytes, 0, (struct sockaddr *)&g->peer, &size);
    g->next = g->bytes;
    g->left = n > 0 ? (size_t)n : 0;
    return n > 0;
}

static inline int take_next(ground *g, uint32_t id, fm_mav_frame *frame)
{
    while (g->left > 0) {
        size_t used;
        fm_mav_fault fault = fm_mav_open(g->next, g->left, frame, &used);
        g->faults += fault != FM_MAV_FINE;
        used = fault == FM_MAV_MORE ? g->left : used;
        g->next += used;
        g->left -= used;
        if (fault == FM_MAV_FINE && frame->id == id)
            return 1;
    }
    return 0;
}

/* The next frame of this number; 0: none within the time. */
static inline int hear_frame(ground *g, uint32_t id, fm_mav_frame *frame, double seconds)
{
    for (double until = clock_now() + seconds; clock_now() < until;) {
        if (take_next(g, id, frame))
            return 1;
        receive(g, 50);
    }
    return 0;
}

/* Forgets what has come so far. */
static inline void catch_up(ground *g)
{
    g->left = 0;
    while (receive(g, 0))
        g->left = 0;
}

static inline void tell_frame(ground *g, const uint8_t *bytes, size_t size)
{
    assert_int_equal(sendto(g->fd, bytes, size, 0, (struct sockaddr *)&g->peer, sizeof g->peer), (ssize_t)size);
}

/* TELL(g, manual_control, .x = 100): sends a message. HEAR(g, heartbeat, HEARTBEAT, &h): waits for one. */
#define TELL(g, name, ...)                                                                                             \
    do {                                                                                                               \
        uint8_t bytes_[FM_MAV_MOST];                                                                                   \
        size_t size_ = fm_mav_##name##_write(&(g)->sender, &(fm_mav_##name){__VA_ARGS__}, bytes_);                     \
        tell_frame(g, bytes_, size_);                                                                                  \
    } while (0)
#define HEAR(g, name, NAME, message)                                                                                   \
    do {                                                                                                               \
        fm_mav_frame frame_;                                                                                           \
        if (!hear_frame(g, FM_MAV_ID_##NAME, &frame_, 20))                                                             \
            fail_msg("no %s came", #NAME);                                                                             \
        fm_mav_##name##_read(&frame_, message);                                                                        \
    } while (0)

/* Orders a command of one system; returns MAV_RESULT. */
static inline int command_result(ground *g, const fm_mav_command_long *c)
{
    uint8_t bytes[FM_MAV_MOST];
    fm_mav_command_ack ack;
    tell_frame(g, bytes, fm_mav_command_long_write(&g->sender, c, bytes));
    do
        HEAR(g, command_ack, COMMAND_ACK, &ack);
    while (ack.command != c->command);
    assert_int_equal(ack.target_system, 255);
    return ack.result;
}
#define COMMAND(g, number, ...)                                                                                        \
    command_result(                                                                                                    \
        g, &(fm_mav_command_long){.command = (number), .target_system = 1, .target_component = 1, __VA_ARGS__})

#endif
