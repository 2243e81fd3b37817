/* The page of a run as a door: beside a run, or in a server. */
#ifndef FM_PAGE_PAGE_DOOR_H
#define FM_PAGE_PAGE_DOOR_H

#include "page/web_urls.h"
#include "server/door.h"

typedef struct fm_page_options {
    const char *http;     /* "ADDR:PORT", as of --http; NULL: 127.0.0.1 and a free port from 8080 on */
    const char *token;    /* that viewers must bring; NULL: none, or one is made where others see the address */
    const char *scenario; /* its file, for people */
    double rate;          /* samples per second of each vehicle and instrument at most; 0: 30 */
    double speed;         /* of a run that nobody serves: its pace */
    /* The page is there, under these addresses; the thread that opens the place. */
    void (*opened)(void *user, const fm_web_url *urls, size_t count);
    void *user;
} fm_page_options;

/* Texts are copied. */
fm_status fm_page_door(const fm_page_options *options, fm_door *door, fm_error *error);

#endif
