/* The addresses that open a page. */
#ifndef FM_PAGE_WEB_URLS_H
#define FM_PAGE_WEB_URLS_H

#include <stddef.h>

typedef struct fm_web_url {
    char text[256]; /* "http://192.168.1.5:8080/?token=…" */
    int outside;    /* other devices can open it */
} fm_web_url;

/* For a specific address, that one; for 0.0.0.0 and :: one for each address of this computer, those that other
 * computers can reach first. `token` "": none. Returns the number of addresses, of which up to `room` are written. */
size_t fm_web_urls_find(const char *address, int port, const char *token, fm_web_url *urls, size_t room);

#endif
