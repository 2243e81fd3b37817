/* Data for the viewers of a run or recording: channels, their last messages, and a ring of recent messages.
 *
 * One thread publishes, others read, each with its own cursor. The publisher never waits: a reader that lags gets
 * the newest message of each channel, and a reader overtaken by the ring continues with the oldest entry left. */
#ifndef FM_PAGE_HUB_H
#define FM_PAGE_HUB_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct fm_hub fm_hub;

typedef struct fm_hub_channel {
    const char *topic;
    const char *encoding;        /* "cdr" or "json" */
    const char *type;            /* "nav_msgs/msg/Odometry" */
    const char *schema;          /* its definition */
    const char *schema_encoding; /* "ros2msg" or "jsonschema" */
    int sparse;                  /* every message counts (events, inputs, sounds): none is skipped */
} fm_hub_channel;

typedef struct fm_hub_message {
    uint32_t channel;
    uint64_t time; /* ns since the start of the run */
    const void *data;
    size_t size;
} fm_hub_message;

/* `bytes`: of the ring; 0: 32 MiB. NULL: no memory. */
fm_hub *fm_hub_create(size_t bytes);
void fm_hub_free(fm_hub *hub);

/* Copies the texts. The channel's number, or -1: no memory. */
int fm_hub_add(fm_hub *hub, const fm_hub_channel *channel);
/* Ends the channel. Its number is reused once the ring holds none of its messages. */
void fm_hub_remove(fm_hub *hub, uint32_t channel);
size_t fm_hub_channel_count(fm_hub *hub); /* numbers, those of ended channels included */
/* Changes whenever a channel is added or removed. */
uint64_t fm_hub_version(fm_hub *hub);
/* Calls `look` with the channel of a number, under the hub's lock. `id` is unique and never reused; it equals the
 * number as long as no channel was removed. Returns 0: no channel has this number now. */
typedef void fm_hub_visit(void *user, uint32_t id, const fm_hub_channel *channel);
int fm_hub_get_channel(fm_hub *hub, size_t i, fm_hub_visit *visit, void *user);
enum { FM_HUB_NO_ID = -1 };
/* The id of the channel of a number; FM_HUB_NO_ID: there is none now. */
int64_t fm_hub_id(fm_hub *hub, size_t i);
/* Whether a topic of a run is sparse. */
int fm_hub_topic_is_sparse(const char *topic);

/* A message longer than half of the ring is kept as the channel's last, but not in the ring. */
void fm_hub_publish(fm_hub *hub, const fm_hub_message *message);
/* Call after publishing messages, on the thread that publishes. */
/* Any thread: makes readers check again without a new message. */
void fm_hub_wake(fm_hub *hub);
void fm_hub_set_wake(fm_hub *hub, void (*wake)(void *user), void *user);

uint64_t fm_hub_removals(fm_hub *hub); /* channels that were removed */
uint64_t fm_hub_time(fm_hub *hub);     /* ns, of the newest message */
uint64_t fm_hub_position(fm_hub *hub); /* a cursor that starts with the next message */

typedef struct fm_hub_reader {
    uint64_t cursor;
    size_t lag;          /* lag in bytes from which only the newest message of each channel is returned */
    uint64_t passed;     /* messages that were passed over */
    uint64_t overtaken;  /* times the ring was faster */
    const uint8_t *wish; /* one byte per channel; nonzero: wanted */
    size_t wish_count;
    uint64_t removals; /* number of channels that `wish` covers; nothing is read until it covers all */
} fm_hub_reader;

/* Copies the next wanted message into *buffer, after `front` free bytes; the buffer grows (fm_realloc). 0: none now;
 * -1: no memory. message->data points into the buffer. */
int fm_hub_read(fm_hub *hub, fm_hub_reader *reader, size_t front, uint8_t **buffer, size_t *room,
                fm_hub_message *message);
/* The same for the last message of a channel. 0: none. */
int fm_hub_last(fm_hub *hub, uint32_t channel, size_t front, uint8_t **buffer, size_t *room, fm_hub_message *message);

#endif
