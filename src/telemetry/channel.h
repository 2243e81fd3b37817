/* Channels: named streams of messages out of a world. Registered at load, then sealed; publishing encodes a message
 * once and hands the bytes to every attached ring, without blocking or allocating.
 *
 * A channel of a vehicle that may come and go has no topic of its own: it is opened under a topic and closed again.
 * Rings and listeners get this as news, in order with the messages. */
#ifndef FM_TELEMETRY_CHANNEL_H
#define FM_TELEMETRY_CHANNEL_H

#include "telemetry/message.h"
#include "telemetry/ring.h"

typedef struct fm_channel_options {
    const char *topic; /* "/phoenix/odometry"; begins with '/', unique; NULL: closed until fm_channel_open */
    size_t topic_size; /* then: bytes of the longest topic, its NUL included */
    const fm_message *type;
    size_t max_size;  /* bytes of the longest message (fm_message_size, fm_message_max_size) */
    double rate;      /* Hz, messages a second at most on average; sizes the rings; > 0 */
    unsigned burst;   /* maximum messages in one step; 0 means 1 */
    int latched;      /* the last message is kept and sent to rings attached later; needs a topic */
    const char *text; /* one sentence for people; may be NULL */
} fm_channel_options;

typedef struct fm_channel {
    char *topic;       /* "": closed */
    size_t topic_size; /* > 0: it can be opened and closed */
    const fm_message *type;
    const char *text;
    size_t max_size;
    double rate;
    unsigned burst;
    int latched;
    uint32_t sequence;  /* messages published, since it was opened */
    uint32_t untold;    /* one bit per ring that the news did not fit into yet */
    uint64_t changed;   /* ns, when it was opened or closed */
    uint64_t last_time; /* ns, of the last latched message */
    uint8_t *last;      /* its bytes */
    size_t last_size;
} fm_channel;

typedef struct fm_channels fm_channels;

/* One item of news: the channel has this topic from now on. */
enum { FM_TOPIC_SIZE = 256 };
typedef struct fm_channel_news {
    const fm_message *type; /* this and the text live as long as the channels */
    const char *text;
    char topic[FM_TOPIC_SIZE]; /* "": closed; the item ends after its NUL */
} fm_channel_news;

/* What channels can bring at most. */
typedef struct fm_channel_load {
    size_t step_bytes, longest; /* in a ring, of one step; the longest message */
    double bytes_per_second;
} fm_channel_load;

enum { FM_CHANNELS_MOST = 65534 };     /* MCAP ids have 16 bits: limit for the channels that exist at the start */
fm_channels *fm_channels_create(void); /* NULL when out of memory */
void fm_channels_destroy(fm_channels *channels);

/* Registers a channel; its number counts from 0. FM_ERR_NAME for an invalid or taken topic. After the seal only
 * channels without a topic, and only as many as were reserved: otherwise FM_ERR_STATE. */
fm_status fm_channel_add(fm_channels *channels, const fm_channel_options *options, uint32_t *number, fm_error *error);
/* Room in rings for channels without a topic; before the seal. */
fm_channel_load fm_channels_load(const fm_channel_options *options, size_t count);
void fm_channels_reserve(fm_channels *channels, const fm_channel_load *load);
/* Reserves all memory that publishing needs. */
fm_status fm_channels_seal(fm_channels *channels, fm_error *error);

/* Gives this topic, which must be free, to a channel without one, from `time` (ns) on; the message count restarts at 0.
 * FM_ERR_RANGE: the topic is longer than registered. */
fm_status fm_channel_open(fm_channels *channels, uint32_t number, uint64_t time, const char *topic, fm_error *error);
void fm_channel_close(fm_channels *channels, uint32_t number, uint64_t time);

size_t fm_channels_count(const fm_channels *channels);
const fm_channel *fm_channel_at(const fm_channels *channels, size_t number);

/* Makes a ring that holds `seconds` of all channels at their registered rates, and at least two steps, and attaches it.
 * Latched messages are pushed first. Between steps, by the stepping thread; after the seal. */
fm_status fm_channels_attach(fm_channels *channels, double seconds, fm_ring_policy policy, fm_ring **ring,
                             fm_error *error);
/* Detaches the ring; its consumer sees the end. The owner destroys the ring once the consumer has finished. */
void fm_channels_detach(fm_channels *channels, fm_ring *ring);
/* The same without a ring: `take` is called within the step, by the stepping thread. Latched messages come first. */
typedef void fm_channel_take(void *user, const fm_ring_item *item);
fm_status fm_channels_listen(fm_channels *channels, fm_channel_take *take, void *user, fm_error *error);
void fm_channels_unlisten(fm_channels *channels, fm_channel_take *take, void *user);

/* Encodes and pushes. `time` in ns since the start of the run, never decreasing. FM_ERR_FULL when a ring dropped it,
 * FM_ERR_RANGE when the message is longer than registered (it is then counted in fm_channels_oversize). */
fm_status fm_channel_publish(fm_channels *channels, uint32_t number, uint64_t time, const void *message);
/* The same with bytes that are already encoded. */
fm_status fm_channel_publish_bytes(fm_channels *channels, uint32_t number, uint64_t time, const void *data,
                                   size_t size);

/* At the end of a step: wakes the consumers. */
void fm_channels_flush(fm_channels *channels);
/* Between steps: sleeps until each ring with policy FM_RING_WAIT has space for a whole step. */
void fm_channels_wait(const fm_channels *channels);

uint64_t fm_channels_oversize(const fm_channels *channels);

#endif
