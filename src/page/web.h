/* The page and the viewers' WebSocket, on a loop of libuv. */
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
    int fixed;           /* the port is taken or not at all; else a free one is looked for behind it */
    const char *token;   /* that a viewer must bring; NULL: none is needed, which is for loopback only */
    size_t viewers;      /* at once at most; 0: 64 */
} fm_web_options;

/* The show must outlive it. Call and use it in the loop's thread. */
fm_web *fm_web_open(uv_loop_t *loop, fm_show *show, const fm_web_options *options, fm_error *error);
/* Where it can be opened, with the token where there is one; as fm_web_urls_find. */
size_t fm_web_urls(const fm_web *web, fm_web_url *urls, size_t room);
/* Another show for all viewers from now on: they are hung up and come again by themselves. */
void fm_web_change(fm_web *web, fm_show *show);
size_t fm_web_stale(const fm_web *web); /* viewers that are not hung up yet */
/* Hangs up and closes its handles, in the loop; when that has run until nothing was left, fm_web_free. */
void fm_web_hang_up(fm_web *web);
void fm_web_free(fm_web *web);
/* Both; runs the loop until all is closed. */
void fm_web_close(fm_web *web);

#endif
