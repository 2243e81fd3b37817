#include "page/web_urls.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "server/socket.h"

typedef struct url_list {
    int port;
    const char *token;
    fm_web_url *urls;
    size_t room, count;
} url_list;

static void add_url(url_list *list, const char *address, int outside)
{
    int six = strchr(address, ':') != NULL;
    if (list->count++ >= list->room)
        return;
    fm_web_url *url = &list->urls[list->count - 1];
    url->outside = outside;
    snprintf(url->text, sizeof url->text, "http://%s%.48s%s:%d/%s%.150s", six ? "[" : "", address, six ? "]" : "",
             list->port, *list->token ? "?token=" : "", list->token);
}

/* Link-local IPv6 addresses need the name of an interface, which browsers do not accept. */
static int is_usable(const struct ifaddrs *i, int family)
{
    struct sockaddr_in6 six;
    if (!(i->ifa_flags & IFF_UP) || !i->ifa_addr || i->ifa_addr->sa_family != family)
        return 0;
    if (family == AF_INET)
        return 1;
    memcpy(&six, i->ifa_addr, sizeof six);
    return !IN6_IS_ADDR_LINKLOCAL(&six.sin6_addr);
}

static void add_interfaces(url_list *list, int family, int outside)
{
    struct ifaddrs *all = NULL;
    if (getifaddrs(&all) != 0)
        return;
    for (const struct ifaddrs *i = all; i; i = i->ifa_next) {
        char text[48];
        uint16_t port;
        if (!is_usable(i, family))
            continue;
        fm_address address = fm_address_of(i->ifa_addr);
        fm_address_write(&address, text, &port);
        if (fm_address_is_loopback(&address) != outside)
            add_url(list, text, outside);
    }
    freeifaddrs(all);
}

size_t fm_web_urls_find(const char *address, int port, const char *token, fm_web_url *urls, size_t room)
{
    url_list list = {.port = port, .token = token, .urls = urls, .room = room};
    fm_address at;
    int four = strcmp(address, "0.0.0.0") == 0;
    int six = fm_address_read(address, 0, &at, NULL) == FM_OK && strchr(address, ':') &&
              strspn(address, "0:") == strlen(address);
    for (int outside = 1; (four || six) && outside >= 0; outside--)
        add_interfaces(&list, four ? AF_INET : AF_INET6, outside);
    if (!four && !six)
        add_url(&list, address,
                strcmp(address, "localhost") != 0 && fm_address_read(address, 0, &at, NULL) == FM_OK &&
                    !fm_address_is_loopback(&at));
    return list.count;
}
