/* A line that loses, doubles and disorders, in a network of the process's own: by the kernel's netem on the loopback
 * device; where the kernel has none, by a tunnel device whose other end is a process that does as netem would.
 * What is sent to FAR comes to NEAR as from FAR, once, twice, late or never. */
#ifndef TESTS_NET_BAD_LINE_H
#define TESTS_NET_BAD_LINE_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BAD_LINE_LOST 0.3
#define BAD_LINE_DOUBLED 0.3
#define BAD_LINE_DELAY 0.03 /* s, at most: what is sent later may come sooner */

typedef struct bad_line {
    const char *near, *far; /* addresses: of the server, and to which clients send */
    const char *made_by;
    pid_t relay;   /* 0: none */
    char why[256]; /* it cannot be had */
} bad_line;

static inline int write_text(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    int fine = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return fine;
}

/* A network namespace with nothing in it, in a user namespace of its own where that is needed. Before any thread. */
static inline int enter_network(void)
{
    char map[64];
    unsigned user = (unsigned)geteuid(), group = (unsigned)getegid();
    if (unshare(CLONE_NEWNET) == 0)
        return 1;
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
        return 0;
    snprintf(map, sizeof map, "0 %u 1", user);
    int fine = write_text("/proc/self/setgroups", "deny") && write_text("/proc/self/uid_map", map);
    snprintf(map, sizeof map, "0 %u 1", group);
    return fine && write_text("/proc/self/gid_map", map);
}

static inline int set_address(const char *device, const char *address)
{
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq r = {0};
    struct sockaddr_in at = {.sin_family = AF_INET};
    snprintf(r.ifr_name, sizeof r.ifr_name, "%s", device);
    int fine = s >= 0;
    if (fine && address) {
        inet_pton(AF_INET, address, &at.sin_addr);
        memcpy(&r.ifr_addr, &at, sizeof at);
        fine = ioctl(s, SIOCSIFADDR, &r) == 0;
        inet_pton(AF_INET, "255.255.255.0", &at.sin_addr);
        memcpy(&r.ifr_netmask, &at, sizeof at);
        fine = fine && ioctl(s, SIOCSIFNETMASK, &r) == 0;
    }
    r.ifr_flags = IFF_UP | IFF_RUNNING;
    fine = fine && ioctl(s, SIOCSIFFLAGS, &r) == 0;
    if (s >= 0)
        close(s);
    return fine;
}

/* --- the other end of the tunnel --- */

enum { BAD_LINE_FLYING = 4096, BAD_LINE_BYTES = 2048 };
typedef struct flying_packet {
    double due; /* s; 0: none */
    size_t size;
    uint8_t bytes[BAD_LINE_BYTES];
} flying_packet;

static inline double relay_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double relay_chance(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static inline void relay_take(flying_packet *air, const uint8_t *bytes, size_t size, uint64_t *dice)
{
    if (size < 20 || size > BAD_LINE_BYTES || bytes[0] >> 4 != 4 || relay_chance(dice) < BAD_LINE_LOST)
        return;
    for (int copies = relay_chance(dice) < BAD_LINE_DOUBLED ? 2 : 1, i = 0; copies > 0 && i < BAD_LINE_FLYING; i++) {
        if (air[i].due > 0)
            continue;
        copies--;
        air[i].due = relay_clock() + BAD_LINE_DELAY * relay_chance(dice);
        air[i].size = size;
        memcpy(air[i].bytes, bytes, size);
        memcpy(air[i].bytes + 12, bytes + 16, 4); /* from whom and to whom change places: no checksum notices */
        memcpy(air[i].bytes + 16, bytes + 12, 4);
    }
}

static inline void relay_for_ever(int tunnel, uint64_t dice)
{
    static flying_packet air[BAD_LINE_FLYING];
    uint8_t bytes[BAD_LINE_BYTES];
    for (;;) {
        struct pollfd wait = {tunnel, POLLIN, 0};
        poll(&wait, 1, 1);
        ssize_t size;
        while ((size = read(tunnel, bytes, sizeof bytes)) > 0)
            relay_take(air, bytes, (size_t)size, &dice);
        double now = relay_clock();
        for (int i = 0; i < BAD_LINE_FLYING; i++)
            if (air[i].due > 0 && air[i].due <= now) {
                air[i].due = 0;
                if (write(tunnel, air[i].bytes, air[i].size) < 0 && errno != EAGAIN)
                    _exit(1);
            }
    }
}

static inline int lay_tunnel(bad_line *line, uint64_t seed)
{
    struct ifreq r = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    int tunnel = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    snprintf(r.ifr_name, sizeof r.ifr_name, "bad0");
    if (tunnel < 0 || ioctl(tunnel, TUNSETIFF, &r) != 0 || !set_address("bad0", "10.77.0.1")) {
        snprintf(line->why, sizeof line->why, "neither netem nor a tunnel device: %s", strerror(errno));
        if (tunnel >= 0)
            close(tunnel);
        return 0;
    }
    line->relay = fork();
    if (line->relay == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        relay_for_ever(tunnel, seed);
    }
    close(tunnel);
    *line =
        (bad_line){"10.77.0.1", "10.77.0.2", "a process that loses 30 %, doubles 30 % and disorders", line->relay, ""};
    return line->relay > 0;
}

/* 0: it cannot be had here, line->why says why. */
static inline int lay_bad_line(bad_line *line, uint64_t seed)
{
    *line = (bad_line){0};
    if (!enter_network() || !set_address("lo", NULL)) {
        snprintf(line->why, sizeof line->why, "no network namespace: %s", strerror(errno));
        return 0;
    }
    if (system("tc qdisc add dev lo root netem delay 15ms 15ms loss 30% duplicate 30% 2>/dev/null") == 0) {
        *line = (bad_line){"127.0.0.1", "127.0.0.1", "netem: loss 30 %, duplicate 30 %, delay 15 ms ± 15 ms", 0, ""};
        return 1;
    }
    return lay_tunnel(line, seed);
}

#endif
