#include "net/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

_Static_assert(sizeof(struct sockaddr_un) >= sizeof(struct sockaddr_in6), "an address holds them all");

/* --- addresses --- */

static sa_family_t family_of(const fm_address *a)
{
    return a->at.sun_family;
}

static struct sockaddr_in as_four(const fm_address *a)
{
    struct sockaddr_in four;
    memcpy(&four, &a->at, sizeof four);
    return four;
}

static struct sockaddr_in6 as_six(const fm_address *a)
{
    struct sockaddr_in6 six;
    memcpy(&six, &a->at, sizeof six);
    return six;
}

int fm_address_equal(const fm_address *a, const fm_address *b)
{
    if (a->local != b->local || a->size != b->size || family_of(a) != family_of(b))
        return 0;
    if (family_of(a) == AF_INET) {
        struct sockaddr_in x = as_four(a), y = as_four(b);
        return x.sin_port == y.sin_port && x.sin_addr.s_addr == y.sin_addr.s_addr;
    }
    if (family_of(a) == AF_INET6) {
        struct sockaddr_in6 x = as_six(a), y = as_six(b);
        return x.sin6_port == y.sin6_port && x.sin6_scope_id == y.sin6_scope_id &&
               memcmp(&x.sin6_addr, &y.sin6_addr, sizeof x.sin6_addr) == 0;
    }
    return memcmp(&a->at, &b->at, a->size) == 0;
}

static void write_path(const fm_address *a, char text[48])
{
    size_t length =
        a->size > offsetof(struct sockaddr_un, sun_path) ? a->size - offsetof(struct sockaddr_un, sun_path) : 0;
    const char *path = a->at.sun_path;
    snprintf(text, 48, "%s%.*s", length && !path[0] ? "@" : "", (int)(length && !path[0] ? length - 1 : length),
             length && !path[0] ? path + 1 : path);
}

void fm_address_write(const fm_address *a, char text[48], uint16_t *port)
{
    *port = 0;
    text[0] = 0;
    if (family_of(a) == AF_INET) {
        struct sockaddr_in four = as_four(a);
        inet_ntop(AF_INET, &four.sin_addr, text, 48);
        *port = ntohs(four.sin_port);
    } else if (family_of(a) == AF_INET6) {
        struct sockaddr_in6 six = as_six(a);
        inet_ntop(AF_INET6, &six.sin6_addr, text, 48);
        *port = ntohs(six.sin6_port);
    } else {
        write_path(a, text);
    }
}

fm_status fm_address_read(const char *text, int port, fm_address *address, fm_error *error)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    *address = (fm_address){.size = sizeof four};
    if (inet_pton(AF_INET, text, &four.sin_addr) == 1) {
        memcpy(&address->at, &four, sizeof four);
        return FM_OK;
    }
    if (inet_pton(AF_INET6, text, &six.sin6_addr) != 1)
        return fm_fail(error, FM_ERR_SYNTAX,
                       "address '%s': accepted are numbers of IPv4 or IPv6, 127.0.0.1, 0.0.0.0, ::1 …", text);
    memcpy(&address->at, &six, sizeof six);
    address->size = sizeof six;
    return FM_OK;
}

int fm_address_is_loopback(const fm_address *a)
{
    struct sockaddr_in6 six = as_six(a);
    if (family_of(a) == AF_INET)
        return ntohl(as_four(a).sin_addr.s_addr) >> 24 == 127;
    return a->local || (family_of(a) == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&six.sin6_addr));
}

/* --- binding --- */

static fm_status fail_socket(int *fd, const char *what, fm_error *error)
{
    int why = errno;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    return fm_fail(error, FM_ERR_FILE, "%s: %s", what, strerror(why));
}

fm_status fm_socket_bind(const fm_address *address, int *fd, int *port, fm_error *error)
{
    char text[48], what[96];
    uint16_t asked;
    fm_address bound = *address;
    int room = 4 << 20; /* bytes: a burst of every client */
    fm_address_write(address, text, &asked);
    snprintf(what, sizeof what, "UDP %s port %u cannot be bound", text, asked);
    *fd = socket(family_of(address), SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (*fd < 0 || bind(*fd, (const struct sockaddr *)&address->at, address->size) != 0 ||
        getsockname(*fd, (struct sockaddr *)&bound.at, &bound.size) != 0)
        return fail_socket(fd, what, error);
    setsockopt(*fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    setsockopt(*fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    fm_address_write(&bound, text, &asked);
    *port = asked;
    return FM_OK;
}

/* Whether somebody listens there. */
static int is_alive(const struct sockaddr_un *at)
{
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int alive = fd >= 0 && connect(fd, (const struct sockaddr *)at, sizeof *at) == 0;
    if (fd >= 0)
        close(fd);
    return alive;
}

fm_status fm_socket_bind_local(const char *path, int *fd, fm_error *error)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    struct stat about;
    *fd = -1;
    if (!*path || strlen(path) >= sizeof at.sun_path)
        return fm_fail(error, FM_ERR_RANGE, "socket '%s': a path of 1 to %zu bytes is accepted", path,
                       sizeof at.sun_path - 1);
    memcpy(at.sun_path, path, strlen(path));
    if (lstat(path, &about) == 0) {
        if (!S_ISSOCK(about.st_mode))
            return fm_fail(error, FM_ERR_FILE, "%s: a file stands there that is no socket", path);
        if (is_alive(&at))
            return fm_fail(error, FM_ERR_FILE, "%s: another server listens there", path);
        unlink(path);
    }
    int room = 4 << 20;
    *fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    mode_t before = umask(0177);
    int bound = *fd >= 0 && bind(*fd, (const struct sockaddr *)&at, sizeof at) == 0;
    umask(before);
    if (!bound)
        return fail_socket(fd, path, error);
    setsockopt(*fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    return FM_OK;
}

/* --- many at a time --- */

size_t fm_socket_receive(int fd, int local, fm_datagram datagrams[FM_SOCKET_BATCH])
{
    struct mmsghdr messages[FM_SOCKET_BATCH];
    struct iovec parts[FM_SOCKET_BATCH];
    memset(messages, 0, sizeof messages);
    for (size_t i = 0; i < FM_SOCKET_BATCH; i++) {
        parts[i] = (struct iovec){datagrams[i].bytes, sizeof datagrams[i].bytes};
        messages[i].msg_hdr = (struct msghdr){.msg_name = &datagrams[i].address.at,
                                              .msg_namelen = sizeof datagrams[i].address.at,
                                              .msg_iov = &parts[i],
                                              .msg_iovlen = 1};
    }
    int count = recvmmsg(fd, messages, FM_SOCKET_BATCH, MSG_DONTWAIT, NULL);
    for (int i = 0; i < count; i++) {
        datagrams[i].size = messages[i].msg_len;
        datagrams[i].address.size = messages[i].msg_hdr.msg_namelen;
        datagrams[i].address.local = local;
    }
    return count > 0 ? (size_t)count : 0;
}

size_t fm_socket_send(int fd, const fm_datagram *datagrams, size_t count)
{
    struct mmsghdr messages[FM_SOCKET_BATCH];
    struct iovec parts[FM_SOCKET_BATCH];
    size_t sent = 0, passed = 0;
    count = count < FM_SOCKET_BATCH ? count : FM_SOCKET_BATCH;
    memset(messages, 0, sizeof messages);
    for (size_t i = 0; i < count; i++) {
        fm_datagram *d = (fm_datagram *)(uintptr_t)&datagrams[i]; /* the system only reads it */
        parts[i] = (struct iovec){d->bytes, d->size};
        messages[i].msg_hdr = (struct msghdr){
            .msg_name = &d->address.at, .msg_namelen = d->address.size, .msg_iov = &parts[i], .msg_iovlen = 1};
    }
    while (passed < count) { /* one that fails (nobody there, no room) does not keep the others */
        int taken = sendmmsg(fd, messages + passed, (unsigned)(count - passed), MSG_DONTWAIT | MSG_NOSIGNAL);
        sent += taken > 0 ? (size_t)taken : 0;
        passed += taken > 0 ? (size_t)taken : 1;
    }
    return sent;
}
