#include "telemetry/channel.h"

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
    if (channels->count >= FM_CHANNELS_MOST)
        return fm_fail(error, FM_ERR_FULL, "over %d channels", FM_CHANNELS_MOST);
    size_t capacity = channels->capacity * 2 + 16;
    fm_channel *items = fm_realloc(channels->items, capacity * sizeof *items);
    if (!items)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for channels");
    channels->items = items;
    channels->capacity = capacity;
    return FM_OK;
}

fm_status fm_channel_add(fm_channels *channels, const fm_channel_options *options, uint16_t *number, fm_error *error)
{
    if (channels->sealed)
        return fm_fail(error, FM_ERR_STATE, "channel '%s' came after the seal", options->topic);
    if (options->max_size < 4 || options->max_size > UINT32_MAX / 4 || !(options->rate > 0))
        return fm_fail(error, FM_ERR_RANGE, "channel '%s': largest size %zu B (4 … 1 GiB), rate %g Hz (over 0)",
                       options->topic, options->max_size, options->rate);
    fm_status status = check_topic(channels, options->topic, error);
    if (status == FM_OK)
        status = grow(channels, error);
    if (status != FM_OK)
        return status;
    fm_channel channel = {.topic = fm_arena_text(&channels->arena, options->topic),
                          .text = fm_arena_text(&channels->arena, options->text ? options->text : ""),
                          .type = options->type,
                          .max_size = options->max_size,
                          .rate = options->rate,
                          .burst = options->burst > 0 ? options->burst : 1,
                          .latched = options->latched};
    if (!channel.topic || !channel.text)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for channels");
    *number = (uint16_t)channels->count;
    channels->items[channels->count++] = channel;
    return FM_OK;
}

fm_status fm_channels_seal(fm_channels *channels, fm_error *error)
{
    for (size_t i = 0; i < channels->count; i++) {
        fm_channel *c = &channels->items[i];
        channels->step_bytes += c->burst * fm_ring_bytes(c->max_size);
        channels->bytes_per_second += c->rate * (double)fm_ring_bytes(c->max_size);
        if (c->max_size > channels->scratch_size)
            channels->scratch_size = c->max_size;
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
            take(user, &(fm_ring_item){(uint16_t)i, c->sequence - 1, c->last_time, (uint32_t)c->last_size, c->last});
    }
}

static void push_item(void *ring, const fm_ring_item *item)
{
    fm_ring_push(ring, item);
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
    give_latched(channels, push_item, *ring);
    fm_ring_flush(*ring);
    return FM_OK;
}

void fm_channels_detach(fm_channels *channels, fm_ring *ring)
{
    for (size_t i = 0; i < channels->ring_count; i++)
        if (channels->rings[i] == ring) {
            channels->rings[i] = channels->rings[--channels->ring_count];
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

fm_status fm_channel_publish_bytes(fm_channels *channels, uint16_t number, uint64_t time, const void *data, size_t size)
{
    fm_channel *c = &channels->items[number];
    if (size == 0 || size > c->max_size) {
        channels->oversize++;
        return FM_ERR_RANGE;
    }
    fm_ring_item item = {number, c->sequence++, time, (uint32_t)size, data};
    if (c->latched) {
        memcpy(c->last, data, size);
        c->last_size = size;
        c->last_time = time;
    }
    int taken = 1;
    for (size_t i = 0; i < channels->ring_count; i++)
        taken &= fm_ring_push(channels->rings[i], &item);
    for (size_t i = 0; i < channels->listener_count; i++)
        channels->listeners[i].take(channels->listeners[i].user, &item);
    return taken ? FM_OK : FM_ERR_FULL;
}

fm_status fm_channel_publish(fm_channels *channels, uint16_t number, uint64_t time, const void *message)
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
    for (size_t i = 0; i < channels->ring_count; i++)
        fm_ring_flush(channels->rings[i]);
}

static size_t room_needed(const fm_channels *channels)
{
    return channels->step_bytes + fm_ring_bytes(channels->scratch_size);
}

int fm_channels_ready(const fm_channels *channels)
{
    for (size_t i = 0; i < channels->ring_count; i++)
        if (fm_ring_get_policy(channels->rings[i]) == FM_RING_WAIT &&
            !fm_ring_has_room(channels->rings[i], room_needed(channels)))
            return 0;
    return 1;
}

int fm_channels_wait(const fm_channels *channels)
{
    int alive = 1;
    for (size_t i = 0; i < channels->ring_count; i++)
        if (fm_ring_get_policy(channels->rings[i]) == FM_RING_WAIT)
            alive &= fm_ring_wait_room(channels->rings[i], room_needed(channels));
    return alive;
}

uint64_t fm_channels_oversize(const fm_channels *channels)
{
    return channels->oversize;
}
size_t fm_channels_step_bytes(const fm_channels *channels)
{
    return channels->step_bytes;
}
