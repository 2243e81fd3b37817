/* A client that behaves as ArduPilot's SITL does with --model JSON: it sends its servos, waits for the answer, and
 * sends them again when none comes. */
#ifndef TESTS_NET_SITL_H
#define TESTS_NET_SITL_H

#include <math.h>

#include "bridges/ardupilot/ardupilot_wire.h"
#include "net/outside.h"

typedef struct sitl {
    int fd, port;
    fm_ardupilot_servos servos;
    char line[2048]; /* the last answer */
    double time, position[3], velocity[3], quaternion[4];
} sitl;

static inline void boot(sitl *s, int port, unsigned rate)
{
    *s = (sitl){.fd = socket(AF_INET, SOCK_DGRAM, 0), .port = port};
    s->servos = (fm_ardupilot_servos){.frame_rate = (uint16_t)rate, .channels = 16};
    for (int i = 0; i < 32; i++)
        s->servos.pwm[i] = 1500;
}

static inline void send_servos(const sitl *s)
{
    struct sockaddr_in to = local_port(s->port);
    uint8_t bytes[FM_ARDUPILOT_PACKET];
    size_t size = fm_ardupilot_write_servos(&s->servos, bytes);
    sendto(s->fd, bytes, size, 0, (struct sockaddr *)&to, sizeof to);
}

/* The first place of the key after the first of the section; the value is two characters after it. */
static inline const char *seek(const sitl *s, const char *section, const char *key)
{
    const char *at = strstr(s->line + 1, section);
    at = at ? strstr(at + strlen(section) + 1, key) : NULL;
    return at ? at + strlen(key) + 2 : NULL;
}

static inline double number(const sitl *s, const char *section, const char *key)
{
    const char *at = seek(s, section, key);
    return at ? atof(at) : (double)NAN;
}

static inline void list(const sitl *s, const char *section, const char *key, double *values, int count)
{
    const char *at = seek(s, section, key);
    assert_non_null(at);
    for (int i = 0; i < count; i++) {
        char *end;
        values[i] = strtod(at + 1, &end);
        at = end;
    }
}

/* 1: an answer came within the time. */
static inline int hear(sitl *s, int milliseconds)
{
    struct pollfd wait = {.fd = s->fd, .events = POLLIN};
    if (poll(&wait, 1, milliseconds) <= 0)
        return 0;
    ssize_t size = recv(s->fd, s->line, sizeof s->line - 1, 0);
    assert_greater(size, 2);
    assert_same(s->line[0], '\n');
    assert_same(s->line[size - 1], '\n');
    s->line[size] = 0;
    s->time = number(s, "", "timestamp");
    list(s, "", "position", s->position, 3);
    list(s, "", "velocity", s->velocity, 3);
    list(s, "", "quaternion", s->quaternion, 4);
    return 1;
}

/* A frame: it goes on with the next only when this one is answered. */
static inline void fly(sitl *s)
{
    int tries = 0;
    for (send_servos(s); !hear(s, 200); send_servos(s))
        assert_less(tries++, 100);
    s->servos.frame_count++;
}

static inline void fly_frames(sitl *s, int count)
{
    for (int i = 0; i < count; i++)
        fly(s);
}

/* Answers to frames that were sent several times while the program started. */
static inline void drain(sitl *s)
{
    while (hear(s, 100))
        ;
}

#endif
