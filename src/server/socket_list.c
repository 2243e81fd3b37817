#include "server/socket_list.h"

#include <dirent.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

static int is_udp(int fd)
{
    int type = 0, domain = 0;
    socklen_t size = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_DGRAM)
        return 0;
    size = sizeof domain;
    return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && (domain == AF_INET || domain == AF_INET6);
}

void fm_socket_list_open(fm_socket_list *list)
{
    list->count = 0;
    DIR *folder = opendir("/proc/self/fd");
    for (const struct dirent *entry; folder && (entry = readdir(folder)) && list->count < FM_SOCKET_LIST;) {
        int fd = atoi(entry->d_name);
        if (entry->d_name[0] != '.' && is_udp(fd))
            list->fds[list->count++] = fd;
    }
    if (folder)
        closedir(folder);
}

static int is_bound_to_all(int fd)
{
    struct sockaddr_storage at;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    socklen_t size = sizeof at;
    if (getsockname(fd, (struct sockaddr *)&at, &size) != 0)
        return 0;
    memcpy(&four, &at, sizeof four);
    memcpy(&six, &at, sizeof six);
    return at.ss_family == AF_INET ? four.sin_addr.s_addr == htonl(INADDR_ANY)
                                   : at.ss_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&six.sin6_addr);
}

static int has(const fm_socket_list *list, int fd)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->fds[i] == fd)
            return 1;
    return 0;
}

int fm_socket_list_keep_local(const fm_socket_list *before)
{
    fm_socket_list now;
    fm_socket_list_open(&now);
    for (size_t i = 0; i < now.count; i++)
        if (!has(before, now.fds[i]) && is_bound_to_all(now.fds[i]) && !fm_socket_keep_local(now.fds[i]))
            return 0;
    return 1;
}
