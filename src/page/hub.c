/* Channels, last messages and the ring. */
#include "page/hub.h"

#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "base/priority.h"

enum { RING_BYTES = 32 << 20 };

/* One entry of the ring: header, then `size` bytes, padded to 32, so that a header always fits. Entries do not wrap:
 * the rest at the end is a gap, an entry of the channel GAP. */
typedef struct entry {
    uint64_t time;
    uint32_t channel;
    uint32_t size;
    uint64_t position; /* of the entry itself: the entry is complete only if this matches */
} entry;
#define GAP UINT32_MAX

typedef struct channel {
    fm_hub_channel about;
    char *texts; /* one block */
    uint8_t *last;
    size_t last_size, last_room;
    uint64_t last_time, last_position;
    int has_last;
    uint32_t id;
    int ended;
    uint64_t end; /* position in the ring after its last message, once it has ended */
} channel;

struct fm_hub {
    pthread_mutex_t lock;
    channel *channels;
    size_t count, room;
    uint8_t *ring;
    uint64_t capacity;   /* bytes */
    uint64_t tail, head; /* positions, counted since the start */
    uint64_t time;       /* ns */
    uint32_t next_id;
    uint64_t version, removals;
    void (*wake)(void *user);
    void *user;
};

fm_hub *fm_hub_create(size_t bytes)
{
    fm_hub *hub = fm_alloc(sizeof *hub);
    if (!hub)
        return NULL;
    hub->capacity = (bytes ? bytes : RING_BYTES) & ~(size_t)31;
    hub->ring = fm_alloc(hub->capacity);
    if (!hub->ring) {
        fm_free(hub);
        return NULL;
    }
    fm_lock_create(&hub->lock);
    return hub;
}

void fm_hub_free(fm_hub *hub)
{
    if (!hub)
        return;
    for (size_t i = 0; i < hub->count; i++) {
        fm_free(hub->channels[i].texts);
        fm_free(hub->channels[i].last);
    }
    pthread_mutex_destroy(&hub->lock);
    fm_free(hub->channels);
    fm_free(hub->ring);
    fm_free(hub);
}

/* --- channels --- */

static const char *keep_text(char **at, const char *text)
{
    size_t size = strlen(text ? text : "") + 1;
    char *kept = memcpy(*at, text ? text : "", size);
    *at += size;
    return kept;
}

static fm_status copy_channel(channel *made, const fm_hub_channel *given)
{
    const char *texts[] = {given->topic, given->encoding, given->type, given->schema, given->schema_encoding};
    size_t size = 0;
    for (int i = 0; i < 5; i++)
        size += strlen(texts[i] ? texts[i] : "") + 1;
    char *at = fm_alloc(size);
    if (!at)
        return FM_ERR_MEMORY;
    *made = (channel){.texts = at};
    made->about.topic = keep_text(&at, texts[0]);
    made->about.encoding = keep_text(&at, texts[1]);
    made->about.type = keep_text(&at, texts[2]);
    made->about.schema = keep_text(&at, texts[3]);
    made->about.schema_encoding = keep_text(&at, texts[4]);
    made->about.sparse = given->sparse;
    return FM_OK;
}

static fm_status make_room(fm_hub *hub)
{
    if (hub->count < hub->room)
        return FM_OK;
    size_t room = 2 * hub->room + 64;
    channel *channels = fm_realloc(hub->channels, room * sizeof *channels);
    if (!channels)
        return FM_ERR_MEMORY;
    hub->channels = channels;
    hub->room = room;
    return FM_OK;
}

/* A free number: none of its messages can be read any more. The count: there is none. */
static size_t find_free(const fm_hub *hub)
{
    size_t i = 0;
    while (i < hub->count && !(hub->channels[i].ended && (hub->channels[i].end <= hub->tail)))
        i++;
    return i;
}

int fm_hub_add(fm_hub *hub, const fm_hub_channel *given)
{
    pthread_mutex_lock(&hub->lock);
    int number = -1;
    channel made;
    size_t at = hub->removals > 0 ? find_free(hub) : hub->count;
    if ((at < hub->count || make_room(hub) == FM_OK) && copy_channel(&made, given) == FM_OK) {
        made.id = hub->next_id++;
        hub->channels[at] = made;
        hub->count += at == hub->count;
        hub->version++;
        number = (int)at;
    }
    pthread_mutex_unlock(&hub->lock);
    return number;
}

void fm_hub_remove(fm_hub *hub, uint32_t number)
{
    pthread_mutex_lock(&hub->lock);
    if (number < hub->count && !hub->channels[number].ended) {
        channel *c = &hub->channels[number];
        fm_free(c->texts);
        fm_free(c->last);
        *c = (channel){.about = {.topic = ""}, .ended = 1, .end = hub->head};
        hub->version++;
        hub->removals++;
    }
    pthread_mutex_unlock(&hub->lock);
    fm_hub_wake(hub);
}

size_t fm_hub_channel_count(fm_hub *hub)
{
    pthread_mutex_lock(&hub->lock);
    size_t count = hub->count;
    pthread_mutex_unlock(&hub->lock);
    return count;
}

int fm_hub_get_channel(fm_hub *hub, size_t i, fm_hub_visit *visit, void *user)
{
    pthread_mutex_lock(&hub->lock);
    int there = i < hub->count && !hub->channels[i].ended;
    if (there)
        visit(user, hub->channels[i].id, &hub->channels[i].about);
    pthread_mutex_unlock(&hub->lock);
    return there;
}

int64_t fm_hub_id(fm_hub *hub, size_t i)
{
    pthread_mutex_lock(&hub->lock);
    int64_t id = i < hub->count && !hub->channels[i].ended ? (int64_t)hub->channels[i].id : FM_HUB_NO_ID;
    pthread_mutex_unlock(&hub->lock);
    return id;
}

uint64_t fm_hub_version(fm_hub *hub)
{
    pthread_mutex_lock(&hub->lock);
    uint64_t version = hub->version;
    pthread_mutex_unlock(&hub->lock);
    return version;
}

uint64_t fm_hub_removals(fm_hub *hub)
{
    pthread_mutex_lock(&hub->lock);
    uint64_t removals = hub->removals;
    pthread_mutex_unlock(&hub->lock);
    return removals;
}

int fm_hub_topic_is_sparse(const char *topic)
{
    return strcmp(topic, "/events") == 0 || strcmp(topic, "/inputs") == 0 || strncmp(topic, "/acoustics/", 11) == 0;
}

/* --- publishing --- */

static entry *entry_at(const fm_hub *hub, uint64_t position)
{
    return (entry *)(void *)(hub->ring + position % hub->capacity);
}

static uint64_t length_of(size_t size)
{
    return (sizeof(entry) + size + 31) & ~(uint64_t)31;
}

/* Makes space for an entry after the newest, dropping the oldest. */
static void drop_until(fm_hub *hub, uint64_t length)
{
    while (hub->head - hub->tail + length > hub->capacity)
        hub->tail += length_of(entry_at(hub, hub->tail)->size);
}

static entry *append(fm_hub *hub, uint32_t number, uint32_t size)
{
    uint64_t length = length_of(size);
    drop_until(hub, length);
    entry *e = entry_at(hub, hub->head);
    *e = (entry){.channel = number, .size = size, .position = hub->head};
    hub->head += length;
    return e;
}

/* An entry with its bytes in one piece. */
static entry *append_whole(fm_hub *hub, uint32_t number, size_t size)
{
    uint64_t left = hub->capacity - hub->head % hub->capacity;
    if (left < length_of(size))
        append(hub, GAP, (uint32_t)(left - sizeof(entry)));
    return append(hub, number, (uint32_t)size);
}

static void keep_last(channel *c, const fm_hub_message *m)
{
    if (m->size > c->last_room) {
        uint8_t *last = fm_realloc(c->last, m->size);
        if (!last)
            return;
        c->last = last;
        c->last_room = m->size;
    }
    if (m->size)
        memcpy(c->last, m->data, m->size);
    c->last_size = m->size;
    c->last_time = m->time;
    c->has_last = 1;
}

void fm_hub_publish(fm_hub *hub, const fm_hub_message *m)
{
    pthread_mutex_lock(&hub->lock);
    if (m->channel < hub->count && !hub->channels[m->channel].ended) {
        channel *c = &hub->channels[m->channel];
        keep_last(c, m);
        if (m->size < hub->capacity / 2) {
            entry *e = append_whole(hub, m->channel, m->size);
            e->time = m->time;
            if (m->size)
                memcpy(e + 1, m->data, m->size);
            c->last_position = e->position;
        }
        hub->time = m->time;
    }
    void (*wake)(void *) = hub->wake;
    void *user = hub->user;
    pthread_mutex_unlock(&hub->lock);
    if (wake)
        wake(user);
}

void fm_hub_wake(fm_hub *hub)
{
    pthread_mutex_lock(&hub->lock);
    void (*wake)(void *) = hub->wake;
    void *user = hub->user;
    pthread_mutex_unlock(&hub->lock);
    if (wake)
        wake(user);
}

void fm_hub_set_wake(fm_hub *hub, void (*wake)(void *user), void *user)
{
    pthread_mutex_lock(&hub->lock);
    hub->wake = wake;
    hub->user = user;
    pthread_mutex_unlock(&hub->lock);
}

uint64_t fm_hub_time(fm_hub *hub)
{
    pthread_mutex_lock(&hub->lock);
    uint64_t time = hub->time;
    pthread_mutex_unlock(&hub->lock);
    return time;
}

uint64_t fm_hub_position(fm_hub *hub)
{
    pthread_mutex_lock(&hub->lock);
    uint64_t head = hub->head;
    pthread_mutex_unlock(&hub->lock);
    return head;
}

/* --- reading --- */

static int give(const void *data, size_t size, size_t front, uint8_t **buffer, size_t *room)
{
    if (front + size > *room) {
        uint8_t *grown = fm_realloc(*buffer, front + size);
        if (!grown)
            return -1;
        *buffer = grown;
        *room = front + size;
    }
    if (size)
        memcpy(*buffer + front, data, size);
    return 1;
}

/* Whether this reader needs an entry. A reader that lags far skips a message if a newer one of its channel follows. */
static int is_wanted(const fm_hub *hub, fm_hub_reader *reader, const entry *e)
{
    if (e->channel >= reader->wish_count || !reader->wish[e->channel])
        return 0;
    const channel *c = &hub->channels[e->channel];
    int behind = hub->head - e->position > reader->lag;
    if (!behind || c->about.sparse || c->last_position <= e->position)
        return 1;
    reader->passed++;
    return 0;
}

static const entry *next_wanted(const fm_hub *hub, fm_hub_reader *reader)
{
    if (reader->cursor < hub->tail || reader->cursor > hub->head) {
        reader->overtaken += reader->cursor < hub->tail;
        reader->cursor = hub->tail;
    }
    while (reader->cursor < hub->head) {
        const entry *e = entry_at(hub, reader->cursor);
        reader->cursor += length_of(e->size);
        if (e->channel != GAP && is_wanted(hub, reader, e))
            return e;
    }
    return NULL;
}

int fm_hub_read(fm_hub *hub, fm_hub_reader *reader, size_t front, uint8_t **buffer, size_t *room,
                fm_hub_message *message)
{
    pthread_mutex_lock(&hub->lock);
    const entry *e = reader->removals == hub->removals ? next_wanted(hub, reader) : NULL;
    int given = e ? give(e + 1, e->size, front, buffer, room) : 0;
    if (given > 0)
        *message = (fm_hub_message){e->channel, e->time, *buffer + front, e->size};
    pthread_mutex_unlock(&hub->lock);
    return given;
}

int fm_hub_last(fm_hub *hub, uint32_t number, size_t front, uint8_t **buffer, size_t *room, fm_hub_message *message)
{
    pthread_mutex_lock(&hub->lock);
    const channel *c = number < hub->count ? &hub->channels[number] : NULL;
    int given = c && c->has_last ? give(c->last, c->last_size, front, buffer, room) : 0;
    if (given > 0)
        *message = (fm_hub_message){number, c->last_time, *buffer + front, c->last_size};
    pthread_mutex_unlock(&hub->lock);
    return given;
}
