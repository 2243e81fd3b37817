#include "telemetry/channel.h"

#include <stddef.h>
#include <string.h>

enum { RINGS_MAX = 32, LISTENERS_MAX = 32 };

typedef struct listener {
    fm_channel_take *take;
    void *user;
} listener;

struct fm_channels {
    fm_channel *items;
    size_t count, capacity;
    fm_ring *rings[RINGS_MAX];
    size_t ring_count;
    listener listeners[LISTENERS_MAX];
    size_t listener_count;
    uint8_t *scratch; /* for the longest message */
    size_t scratch_size, step_bytes;
    double bytes_per_second;
    uint64_t oversize;
    int untold; /* there are channels whose news did not fit into a ring */
    int sealed;
    fm_arena arena;
};

fm_channels *fm_channels_create(void)
{
    return fm_alloc(sizeof(fm_channels));
}

void fm_channels_destroy(fm_channels *channels)
{
    if (!channels)
        return;
    fm_arena_free(&channels->arena);
    fm_free(channels->items);
    fm_free(channels);
}

static fm_status check_topic(const fm_channels *channels, const char *topic, fm_error *error)
{
    size_t length = strlen(topic);
    if (length < 2 || topic[0] != '/' || topic[length - 1] == '/' || strstr(topic, "//"))
        return fm_fail(error, FM_ERR_NAME, "'%s' is no topic: it is written like '/vehicle/odometry'", topic);
    for (size_t i = 0; i < channels->count; i++)
        if (strcmp(channels->items[i].topic, topic) == 0)
            return fm_fail(error, FM_ERR_NAME, "the topic '%s' is registered already", topic);
    return FM_OK;
}

static fm_status grow(fm_channels *channels, fm_error *error)
{
    if (channels->count < channels->capacity)
        return FM_OK;
    size_t capacity = channels->capacity * 2 + 16;
    fm_channel *items = fm_realloc(channels->items, capacity * sizeof *items);
    if (!items)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for channels");
    channels->items = items;
    channels->capacity = capacity;
    return FM_OK;
}

static fm_status check_options(const fm_channels *channels, const fm_channel_options *options, fm_error *error)
{
    const char *topic = options->topic;
    if (channels->sealed && (topic || options->max_size > channels->scratch_size))
        return fm_fail(error, FM_ERR_STATE, "channel '%s' came after the seal", topic ? topic : "");
    if (options->max_size < 4 || options->max_size > UINT32_MAX / 4 || !(options->rate > 0))
        return fm_fail(error, FM_ERR_RANGE, "channel '%s': largest size %zu B (4 … 1 GiB), rate %g Hz (over 0)",
                       topic ? topic : "", options->max_size, options->rate);
    if (!topic && (options->latched || options->topic_size < 3 || options->topic_size > FM_TOPIC_SIZE))
        return fm_fail(error, FM_ERR_RANGE, "a channel without a topic: it is not latched, and has room for 3 … %d B",
                       FM_TOPIC_SIZE);
    return topic ? check_topic(channels, topic, error) : FM_OK;
}

fm_status fm_channel_add(fm_channels *channels, const fm_channel_options *options, uint32_t *number, fm_error *error)
{
    fm_status status = check_options(channels, options, error);
    if (status == FM_OK)
        status = grow(channels, error);
    if (status != FM_OK)
        return status;
    size_t topic_size = options->topic ? 0 : options->topic_size;
    fm_channel channel = {.topic = topic_size ? fm_arena_alloc(&channels->arena, topic_size)
                                              : fm_arena_text(&channels->arena, options->topic),
                          .topic_size = topic_size,
                          .text = fm_arena_text(&channels->arena, options->text ? options->text : ""),
                          .type = options->type,
                          .max_size = options->max_size,
                          .rate = options->rate,
                          .burst = options->burst > 0 ? options->burst : 1,
                          .latched = options->latched};
    if (!channel.topic || !channel.text)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for channels");
    *number = (uint32_t)channels->count;
    channels->items[channels->count++] = channel;
    return FM_OK;
}

static size_t news_size(size_t topic_size)
{
    return offsetof(fm_channel_news, topic) + topic_size;
}

/* In one step a channel may be closed and opened again. */
fm_channel_load fm_channels_load(const fm_channel_options *options, size_t count)
{
    fm_channel_load load = {0};
    for (size_t i = 0; i < count; i++) {
        size_t message = fm_ring_bytes(options[i].max_size), burst = options[i].burst > 0 ? options[i].burst : 1;
        size_t news = options[i].topic ? 0 : 2 * fm_ring_bytes(news_size(options[i].topic_size));
        load.step_bytes += burst * message + news;
        load.bytes_per_second += options[i].rate * (double)message;
        load.longest = options[i].max_size > load.longest ? options[i].max_size : load.longest;
    }
    return load;
}

void fm_channels_reserve(fm_channels *channels, const fm_channel_load *load)
{
    channels->step_bytes += load->step_bytes;
    channels->bytes_per_second += load->bytes_per_second;
    if (load->longest > channels->scratch_size)
        channels->scratch_size = load->longest;
}

fm_status fm_channels_seal(fm_channels *channels, fm_error *error)
{
    for (size_t i = 0; i < channels->count; i++) {
        fm_channel *c = &channels->items[i];
        if (c->topic_size > 0)
            continue; /* it is in what was reserved */
        fm_channel_load load =
            fm_channels_load(&(fm_channel_options){c->topic, 0, c->type, c->max_size, c->rate, c->burst, 0, NULL}, 1);
        fm_channels_reserve(channels, &load);
        if (c->latched && !(c->last = fm_arena_alloc(&channels->arena, c->max_size)))
            return fm_fail(error, FM_ERR_MEMORY, "out of memory for the latched channel '%s'", c->topic);
    }
    channels->scratch = fm_arena_alloc(&channels->arena, channels->scratch_size + 1);
    channels->sealed = channels->scratch != NULL;
    return channels->sealed ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "out of memory for channels");
}

size_t fm_channels_count(const fm_channels *channels)
{
    return channels->count;
}
const fm_channel *fm_channel_at(const fm_channels *channels, size_t number)
{
    return &channels->items[number];
}

static void give_latched(const fm_channels *channels, fm_channel_take *take, void *user)
{
    for (size_t i = 0; i < channels->count; i++) {
        const fm_channel *c = &channels->items[i];
        if (c->last_size > 0)
            take(user, &(fm_ring_item){(uint32_t)i, c->sequence - 1, c->last_time, (uint32_t)c->last_size, c->last, 0});
    }
}

static void put_item(void *ring, const fm_ring_item *item)
{
    fm_ring_put(ring, item);
}

fm_status fm_channels_attach(fm_channels *channels, double seconds, fm_ring_policy policy, fm_ring **ring,
                             fm_error *error)
{
    *ring = NULL;
    if (!channels->sealed)
        return fm_fail(error, FM_ERR_STATE, "the channels are not sealed");
    if (channels->ring_count == RINGS_MAX)
        return fm_fail(error, FM_ERR_FULL, "over %d consumers of telemetry", RINGS_MAX);
    /* A message that does not fit before the end of the buffer starts over: one longest message more. */
    size_t steps = 2 * channels->step_bytes + fm_ring_bytes(channels->scratch_size);
    double wanted = seconds * channels->bytes_per_second;
    if (!(wanted >= 0 && wanted < 4e9))
        return fm_fail(error, FM_ERR_RANGE, "%g s of telemetry need %.3g B of memory (up to 4e9)", seconds, wanted);
    *ring = fm_ring_create((size_t)wanted > steps ? (size_t)wanted : steps, policy);
    if (!*ring)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a ring of %.0f B", wanted);
    fm_ring_begin_anew(*ring, steps);
    channels->rings[channels->ring_count++] = *ring;
    give_latched(channels, put_item, *ring);
    fm_ring_flush(*ring);
    return FM_OK;
}

/* The ring `to` replaces the ring `from`. */
static void move_untold(fm_channels *channels, size_t from, size_t to)
{
    for (size_t i = 0; i < channels->count; i++) {
        uint32_t *untold = &channels->items[i].untold, bit = *untold >> from & 1;
        *untold = (*untold & ~(1u << to) & ~(1u << from)) | (from == to ? 0 : bit << to);
    }
}

void fm_channels_detach(fm_channels *channels, fm_ring *ring)
{
    for (size_t i = 0; i < channels->ring_count; i++)
        if (channels->rings[i] == ring) {
            channels->rings[i] = channels->rings[--channels->ring_count];
            move_untold(channels, channels->ring_count, i);
            fm_ring_close(ring);
            return;
        }
}

fm_status fm_channels_listen(fm_channels *channels, fm_channel_take *take, void *user, fm_error *error)
{
    if (!channels->sealed)
        return fm_fail(error, FM_ERR_STATE, "the channels are not sealed");
    if (channels->listener_count == LISTENERS_MAX)
        return fm_fail(error, FM_ERR_FULL, "over %d listeners of telemetry", LISTENERS_MAX);
    channels->listeners[channels->listener_count++] = (listener){take, user};
    give_latched(channels, take, user);
    return FM_OK;
}

void fm_channels_unlisten(fm_channels *channels, fm_channel_take *take, void *user)
{
    for (size_t i = 0; i < channels->listener_count; i++)
        if (channels->listeners[i].take == take && channels->listeners[i].user == user) {
            channels->listeners[i] = channels->listeners[--channels->listener_count];
            return;
        }
}

/* --- news --- */

static fm_ring_item make_news(const fm_channels *channels, uint32_t number, fm_channel_news *news)
{
    const fm_channel *c = &channels->items[number];
    size_t length = strlen(c->topic) + 1;
    news->type = c->type;
    news->text = c->text;
    memcpy(news->topic, c->topic, length);
    return (fm_ring_item){number, 0, c->changed, (uint32_t)news_size(length), (const uint8_t *)news, 1};
}

/* Goes to every ring with space for it; the others receive no message of the channel before this news. */
static void put_news(fm_channels *channels, uint32_t number)
{
    fm_channel *c = &channels->items[number];
    fm_channel_news news;
    fm_ring_item item = make_news(channels, number, &news);
    for (size_t i = 0; i < channels->ring_count; i++)
        if (c->untold >> i & 1 && fm_ring_put(channels->rings[i], &item))
            c->untold &= ~(1u << i);
    channels->untold |= c->untold != 0;
}

static void tell_news(fm_channels *channels, uint32_t number, uint64_t time)
{
    fm_channel *c = &channels->items[number];
    fm_channel_news news;
    c->changed = time;
    c->untold = (uint32_t)(((uint64_t)1 << channels->ring_count) - 1);
    put_news(channels, number);
    fm_ring_item item = make_news(channels, number, &news);
    for (size_t i = 0; i < channels->listener_count; i++)
        channels->listeners[i].take(channels->listeners[i].user, &item);
}

static void put_late_news(fm_channels *channels)
{
    channels->untold = 0;
    for (size_t i = 0; i < channels->count; i++)
        if (channels->items[i].untold)
            put_news(channels, (uint32_t)i);
}

fm_status fm_channel_open(fm_channels *channels, uint32_t number, uint64_t time, const char *topic, fm_error *error)
{
    fm_channel *c = &channels->items[number];
    size_t size = strlen(topic) + 1;
    if (size > c->topic_size)
        return fm_fail(error, FM_ERR_RANGE, "the topic '%s' is longer than the %zu B registered", topic, c->topic_size);
    memcpy(c->topic, topic, size);
    c->sequence = 0;
    tell_news(channels, number, time);
    return FM_OK;
}

void fm_channel_close(fm_channels *channels, uint32_t number, uint64_t time)
{
    fm_channel *c = &channels->items[number];
    if (!c->topic_size || !c->topic[0])
        return;
    c->topic[0] = 0;
    tell_news(channels, number, time);
}

/* --- messages --- */

static int queue_message(fm_channels *channels, size_t ring, fm_channel *c, const fm_ring_item *item)
{
    if (c->untold >> ring & 1)
        put_news(channels, item->channel);
    if (!(c->untold >> ring & 1))
        return fm_ring_put(channels->rings[ring], item);
    fm_ring_count_drop(channels->rings[ring]);
    return 0;
}

fm_status fm_channel_publish_bytes(fm_channels *channels, uint32_t number, uint64_t time, const void *data, size_t size)
{
    fm_channel *c = &channels->items[number];
    if (size == 0 || size > c->max_size) {
        channels->oversize++;
        return FM_ERR_RANGE;
    }
    fm_ring_item item = {number, c->sequence++, time, (uint32_t)size, data, 0};
    if (c->latched) {
        memcpy(c->last, data, size);
        c->last_size = size;
        c->last_time = time;
    }
    int taken = 1;
    for (size_t i = 0; i < channels->ring_count; i++)
        taken &= queue_message(channels, i, c, &item);
    for (size_t i = 0; i < channels->listener_count; i++)
        channels->listeners[i].take(channels->listeners[i].user, &item);
    return taken ? FM_OK : FM_ERR_FULL;
}

fm_status fm_channel_publish(fm_channels *channels, uint32_t number, uint64_t time, const void *message)
{
    const fm_channel *c = &channels->items[number];
    if (channels->ring_count + channels->listener_count == 0 && !c->latched) {
        channels->items[number].sequence++;
        return FM_OK;
    }
    size_t size = fm_message_encode(c->type, message, channels->scratch, c->max_size);
    return fm_channel_publish_bytes(channels, number, time, channels->scratch, size);
}

void fm_channels_flush(fm_channels *channels)
{
    if (channels->untold)
        put_late_news(channels);
    for (size_t i = 0; i < channels->ring_count; i++)
        fm_ring_flush(channels->rings[i]);
}

static size_t room_needed(const fm_channels *channels)
{
    return channels->step_bytes + fm_ring_bytes(channels->scratch_size);
}

void fm_channels_wait(const fm_channels *channels)
{
    for (size_t i = 0; i < channels->ring_count; i++)
        if (fm_ring_get_policy(channels->rings[i]) == FM_RING_WAIT)
            fm_ring_wait_room(channels->rings[i], room_needed(channels));
}

uint64_t fm_channels_oversize(const fm_channels *channels)
{
    return channels->oversize;
}
