/* The page and the viewers' WebSocket, on a libuv loop. */
#ifndef FM_PAGE_WEB_H
#define FM_PAGE_WEB_H

#include <uv.h>

#include "page/show.h"
#include "page/web_urls.h"

typedef struct fm_web fm_web;

/* Zero-initialise for the defaults. */
typedef struct fm_web_options {
    const char *address; /* NULL: 127.0.0.1 */
    int port;            /* 0: 8080 */
    int fixed;           /* only this port; otherwise the next free port after it */
    const char *token;   /* required from viewers; NULL: none, allowed only for loopback */
    size_t viewers;      /* at once at most; 0: 64 */
} fm_web_options;

/* The show must outlive it. Call and use it in the loop's thread. */
fm_web *fm_web_open(uv_loop_t *loop, fm_show *show, const fm_web_options *options, fm_error *error);
/* The addresses to open, with the token if there is one; like fm_web_urls_find. */
size_t fm_web_urls(const fm_web *web, fm_web_url *urls, size_t room);
/* Switches all viewers to another show: they are disconnected and reconnect by themselves. */
void fm_web_change(fm_web *web, fm_show *show);
size_t fm_web_stale(const fm_web *web); /* viewers that are not hung up yet */
/* Disconnects viewers and closes its handles, in the loop; after the loop has no handles left, call fm_web_free. */
void fm_web_hang_up(fm_web *web);
void fm_web_free(fm_web *web);
/* Both; runs the loop until all handles are closed. */
void fm_web_close(fm_web *web);

#endif
