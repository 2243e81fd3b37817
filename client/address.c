/* "127.0.0.1:4040", "[::1]:4040", "host:4040", "unix:/path". */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "client.h"

static int fail_at(const char *address, const char *why, fm_error *error)
{
    fm_client_fail(error, FM_ERR_FILE, "%s: %s", address, why);
    return -1;
}

/* The client's own end gets a name that the system makes, so that the server can answer. */
static int open_local(const char *address, fm_error *error)
{
    const char *path = address + strlen("unix:");
    struct sockaddr_un to = {.sun_family = AF_UNIX}, own = {.sun_family = AF_UNIX};
    if (*path == 0 || strlen(path) >= sizeof to.sun_path)
        return fail_at(address, "must be a path of 1 to 107 bytes", error);
    memcpy(to.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && (bind(fd, (struct sockaddr *)&own, sizeof own.sun_family) != 0 ||
                    connect(fd, (struct sockaddr *)&to, sizeof to) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd < 0 ? fail_at(address, strerror(errno), error) : fd;
}

/* Host and port, the host without brackets. 0: not of this form. */
static int split_address(const char *address, char host[256], char port[16])
{
    const char *colon = strrchr(address, ':');
    if (!colon || colon == address || strlen(colon + 1) == 0 || strlen(colon + 1) > 5 ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return 0;
    size_t length = (size_t)(colon - address), skip = address[0] == '[' && colon[-1] == ']';
    if (length >= 256 || (!skip && memchr(address, ':', length)))
        return 0;
    memcpy(host, address + skip, length - 2 * skip);
    host[length - 2 * skip] = 0;
    strcpy(port, colon + 1);
    return 1;
}

static int connect_first(const struct addrinfo *found)
{
    for (; found; found = found->ai_next) {
        int fd = socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) == 0)
            return fd;
        if (fd >= 0)
            close(fd);
    }
    return -1;
}

int fm_client_socket_open(const char *address, fm_error *error)
{
    char host[256], port[16];
    struct addrinfo wanted = {.ai_socktype = SOCK_DGRAM}, *found = NULL;
    if (strncmp(address, "unix:", 5) == 0)
        return open_local(address, error);
    if (!split_address(address, host, port))
        return fail_at(address, "must be HOST:PORT, [IPV6]:PORT or unix:PATH", error);
    int status = getaddrinfo(host, port, &wanted, &found);
    if (status != 0)
        return fail_at(address, gai_strerror(status), error);
    int fd = connect_first(found);
    freeaddrinfo(found);
    return fd < 0 ? fail_at(address, strerror(errno), error) : fd;
}
