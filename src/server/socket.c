#include "server/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
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
                       "'%s' is not an IP address: must be numeric, such as 127.0.0.1, 0.0.0.0 or ::1", text);
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

/* Of an interface that broadcasts. */
static int is_broadcast(struct in_addr address)
{
    struct ifaddrs *all = NULL;
    int found = address.s_addr == htonl(INADDR_BROADCAST) || address.s_addr == htonl(0x7fffffff);
    if (getifaddrs(&all) != 0)
        return found;
    for (const struct ifaddrs *i = all; i && !found; i = i->ifa_next) {
        struct sockaddr_in at;
        if (!(i->ifa_flags & IFF_BROADCAST) || !i->ifa_broadaddr || i->ifa_broadaddr->sa_family != AF_INET)
            continue;
        memcpy(&at, i->ifa_broadaddr, sizeof at);
        found = at.sin_addr.s_addr == address.s_addr;
    }
    freeifaddrs(all);
    return found;
}

int fm_address_is_group(const fm_address *a)
{
    struct sockaddr_in6 six = as_six(a);
    struct in_addr four = as_four(a).sin_addr;
    if (family_of(a) == AF_INET)
        return IN_MULTICAST(ntohl(four.s_addr)) || is_broadcast(four);
    return family_of(a) == AF_INET6 && IN6_IS_ADDR_MULTICAST(&six.sin6_addr);
}

fm_address fm_address_of(const struct sockaddr *at)
{
    fm_address a = {.size = at->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6)};
    memcpy(&a.at, at, a.size);
    return a;
}

fm_status fm_address_towards(const fm_address *to, fm_address *own, fm_error *error)
{
    char text[48];
    uint16_t port;
    int yes = 1, fd = socket(family_of(to), SOCK_DGRAM | SOCK_CLOEXEC, 0);
    *own = (fm_address){.size = to->size};
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes);
    int failed = fd < 0 || connect(fd, (const struct sockaddr *)&to->at, to->size) != 0 || /* sends nothing */
                 getsockname(fd, (struct sockaddr *)&own->at, &own->size) != 0;
    int why = errno;
    if (fd >= 0)
        close(fd);
    fm_address_write(to, text, &port);
    if (failed)
        return fm_fail(error, FM_ERR_FILE, "%s cannot be reached from this computer: %s", text, strerror(why));
    fm_address_write(own, text, &port);
    return fm_address_read(text, 0, own, error);
}

fm_status fm_address_to_hear(const fm_address *to, int port, fm_address *own, fm_error *error)
{
    char text[48];
    uint16_t unused;
    fm_status status = FM_OK;
    if (fm_address_is_group(to))
        return fm_address_read(family_of(to) == AF_INET ? "0.0.0.0" : "::", port, own, error);
    *own = *to;
    if (!fm_address_is_loopback(to))
        status = fm_address_towards(to, own, error);
    fm_address_write(own, text, &unused);
    return status == FM_OK ? fm_address_read(text, port, own, error) : status;
}

/* --- binding --- */

static fm_status fail_bind(const fm_address *address, fm_socket_kind kind, int why, fm_error *error)
{
    char text[48];
    uint16_t port;
    fm_address_write(address, text, &port);
    const char *reason = why == EADDRINUSE      ? "address already in use"
                         : why == EADDRNOTAVAIL ? "this computer does not have that address"
                         : why == EACCES        ? "permission denied; ports from 1024 on are free for all users"
                                                : strerror(why);
    return fm_fail(error, why == EADDRINUSE ? FM_ERR_STATE : FM_ERR_FILE, "cannot listen on %s %s port %u: %s",
                   kind == FM_SOCKET_TCP ? "TCP" : "UDP", text, port, reason);
}

static void set_options(int fd, const fm_address *address, fm_socket_kind kind)
{
    int yes = 1, room = 4 << 20; /* bytes: a burst of every client */
    if (family_of(address) == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
    if (kind != FM_SOCKET_UDP) /* of TCP: the last connections of a server that has ended do not block its port */
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (kind == FM_SOCKET_TCP)
        return;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
}

fm_status fm_socket_bind(const fm_address *address, fm_socket_kind kind, int *fd, int *port, fm_error *error)
{
    char text[48];
    uint16_t number;
    fm_address bound = *address;
    int type = kind == FM_SOCKET_TCP ? SOCK_STREAM : SOCK_DGRAM;
    *fd = socket(family_of(address), type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (*fd >= 0)
        set_options(*fd, address, kind);
    if (*fd < 0 || bind(*fd, (const struct sockaddr *)&address->at, address->size) != 0 ||
        getsockname(*fd, (struct sockaddr *)&bound.at, &bound.size) != 0) {
        int why = errno;
        if (*fd >= 0)
            close(*fd);
        *fd = -1;
        return fail_bind(address, kind, why, error);
    }
    fm_address_write(&bound, text, &number);
    if (port)
        *port = number;
    return FM_OK;
}

fm_status fm_socket_open_udp(uv_loop_t *loop, uv_udp_t *handle, const fm_address *address, fm_socket_kind kind,
                             fm_error *error)
{
    int fd, no = 0;
    uv_udp_init(loop, handle);
    fm_status status = fm_socket_bind(address, kind, &fd, NULL, error);
    if (status != FM_OK)
        return status;
    int failed = uv_udp_open(handle, fd);
    if (failed) {
        close(fd);
        return fail_bind(address, kind, -failed, error);
    }
    if (kind == FM_SOCKET_UDP) /* libuv lets others share the port */
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &no, sizeof no);
    return FM_OK;
}

fm_status fm_socket_open_tcp(uv_loop_t *loop, uv_tcp_t *handle, const fm_address *address, int waiting,
                             uv_connection_cb taken, fm_error *error)
{
    int fd;
    uv_tcp_init(loop, handle);
    fm_status status = fm_socket_bind(address, FM_SOCKET_TCP, &fd, NULL, error);
    if (status != FM_OK)
        return status;
    int failed = uv_tcp_open(handle, fd);
    if (failed)
        close(fd);
    else
        failed = uv_listen((uv_stream_t *)handle, waiting, taken);
    return failed ? fail_bind(address, FM_SOCKET_TCP, -failed, error) : FM_OK;
}

int fm_socket_keep_local(int fd)
{
    static const char loopback[] = "lo";
    return setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, loopback, sizeof loopback) == 0;
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
        return fm_fail(error, FM_ERR_RANGE, "socket '%s': the path must be 1 to %zu bytes long", path,
                       sizeof at.sun_path - 1);
    memcpy(at.sun_path, path, strlen(path));
    if (lstat(path, &about) == 0) {
        if (!S_ISSOCK(about.st_mode))
            return fm_fail(error, FM_ERR_FILE, "%s: the file exists and is not a socket", path);
        if (is_alive(&at))
            return fm_fail(error, FM_ERR_FILE, "%s: another server already listens there", path);
        unlink(path);
    }
    int room = 4 << 20;
    *fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    mode_t before = umask(0177);
    int bound = *fd >= 0 && bind(*fd, (const struct sockaddr *)&at, sizeof at) == 0;
    umask(before);
    if (!bound) {
        int why = errno;
        if (*fd >= 0)
            close(*fd);
        *fd = -1;
        return fm_fail(error, FM_ERR_FILE, "%s: %s", path, strerror(why));
    }
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
    while (passed < count) { /* one that fails (no receiver, no space) does not stop the others */
        int taken = sendmmsg(fd, messages + passed, (unsigned)(count - passed), MSG_DONTWAIT | MSG_NOSIGNAL);
        sent += taken > 0 ? (size_t)taken : 0;
        passed += taken > 0 ? (size_t)taken : 1;
    }
    return sent;
}
