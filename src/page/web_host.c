#include "page/web_host.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "server/socket.h"

int fm_web_is_loopback(const char *text)
{
    fm_address address;
    return strcmp(text, "localhost") == 0 ||
           (fm_address_read(text, 0, &address, NULL) == FM_OK && fm_address_is_loopback(&address));
}

static int is_port(const char *text)
{
    size_t length = strlen(text);
    if (length < 1 || length > 5)
        return 0;
    for (; *text; text++)
        if (!isdigit((unsigned char)*text))
            return 0;
    return 1;
}

/* The host without brackets and port; 0: invalid form. */
static int cut_host(const char *line, char *host, size_t size, int *bracketed)
{
    *bracketed = *line == '[';
    const char *first = line + *bracketed, *end = strpbrk(first, *bracketed ? "]" : ":");
    if (*bracketed && !end)
        return 0;
    size_t length = end ? (size_t)(end - first) : strlen(first);
    const char *rest = end ? end + *bracketed : first + length;
    if (length == 0 || length >= size || (*rest && (*rest != ':' || !is_port(rest + 1))))
        return 0;
    memcpy(host, first, length);
    host[length] = 0;
    return 1;
}

int fm_web_host_is_ours(const char *line, const char *configured, int loopback)
{
    char host[128];
    fm_address address;
    int bracketed;
    if (!cut_host(line, host, sizeof host, &bracketed))
        return 0;
    if (!bracketed && (strcasecmp(host, "localhost") == 0 || strcasecmp(host, configured) == 0))
        return 1;
    if (fm_address_read(host, 0, &address, NULL) != FM_OK || (strchr(host, ':') != NULL) != bracketed)
        return 0;
    return !loopback || fm_address_is_loopback(&address);
}
