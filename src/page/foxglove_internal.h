/* What foxglove.c (frames, channels, subscriptions) and foxglove_calls.c (parameters, services, playback) share. */
#ifndef FM_PAGE_FOXGLOVE_INTERNAL_H
#define FM_PAGE_FOXGLOVE_INTERNAL_H

#include <jansson.h>

#include "page/foxglove.h"
#include "page/show_calls.h"

typedef struct fm_foxglove_item {
    struct fm_foxglove_item *next;
    int binary;
    size_t size;
    uint8_t bytes[]; /* front, then the frame */
} fm_foxglove_item;

struct fm_foxglove {
    fm_show *show;
    fm_show_asker *asker;
    fm_foxglove_item *first, *last; /* that wait */
    fm_foxglove_item *given;        /* the one that was handed out */
    size_t waiting;                 /* bytes */
    fm_hub_reader reader;
    uint8_t *wish;          /* a byte a channel */
    uint32_t *subscription; /* number of the viewer for each channel */
    uint32_t *fresh;        /* channels with an unsent last message */
    int64_t *ids;           /* the id that each channel was advertised under; FM_HUB_NO_ID: not advertised */
    size_t channels, fresh_count;
    int64_t next_id;  /* above all that were advertised */
    uint64_t version; /* version of the hub at the last check; UINT64_MAX: never */
    uint8_t *buffer;
    size_t room;
    uint64_t time; /* ns, time of the last clock message */
    int follows_params;
    uint64_t param_version;
};

/* --- foxglove.c --- */

/* A frame to fill: `bytes` from FM_FOXGLOVE_FRONT on. NULL: no memory. */
fm_foxglove_item *fm_foxglove_item_create(int binary, size_t size);
/* Takes the frame; NULL: FM_ERR_MEMORY. FM_ERR_FULL: the viewer does not read its answers. */
fm_status fm_foxglove_enqueue(fm_foxglove *connection, fm_foxglove_item *frame);
/* The same as text. Takes the object. */
fm_status fm_foxglove_enqueue_json(fm_foxglove *connection, json_t *object);
/* A message for people; level: 0 information, 1 warning, 2 error. */
fm_status fm_foxglove_complain(fm_foxglove *connection, int level, const char *text);
/* Writes bytes into a frame and moves on. */
void fm_foxglove_put(uint8_t **at, const void *value, size_t size);

/* --- foxglove_calls.c: requests --- */

fm_status fm_foxglove_get_params(fm_foxglove *connection, const json_t *request);
fm_status fm_foxglove_set_params(fm_foxglove *connection, const json_t *request);
fm_status fm_foxglove_follow_params(fm_foxglove *connection, const json_t *request);
fm_status fm_foxglove_leave_params(fm_foxglove *connection, const json_t *request);
fm_status fm_foxglove_take_call(fm_foxglove *connection, const uint8_t *data, size_t size);
fm_status fm_foxglove_take_playback(fm_foxglove *connection, const uint8_t *data, size_t size);

/* --- foxglove_calls.c: what is due to it --- */

/* Parameters that have changed since the last message. */
fm_status fm_foxglove_renew_params(fm_foxglove *connection);
/* Deferred calls that now have an answer. */
fm_status fm_foxglove_give_answers(fm_foxglove *connection);

#endif
