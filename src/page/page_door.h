/* The page of a run as a door: in a server, or in a run without one. */
#ifndef FM_PAGE_PAGE_DOOR_H
#define FM_PAGE_PAGE_DOOR_H

#include "page/web_urls.h"
#include "server/door.h"

typedef struct fm_page_options {
    const char *http;     /* "ADDR:PORT", as for --http; NULL: 127.0.0.1 and the first free port from 8080 */
    const char *token;    /* required from viewers; NULL: none, or generated if other computers can reach the address */
    const char *scenario; /* its file, for people */
    double rate;          /* maximum samples per second of each vehicle and instrument; 0: 30 */
    double speed;         /* of a run without a server: its pace */
    /* Reports that the page is available, and its addresses; the thread that opens the place. */
    void (*opened)(void *user, const fm_web_url *urls, size_t count);
    void *user;
} fm_page_options;

/* Texts are copied. */
fm_status fm_page_door(const fm_page_options *options, fm_door *door, fm_error *error);

#endif
