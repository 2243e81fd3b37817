/* The records of an MCAP file, as the reader keeps them. Their memory counts against the budget of the index, since a
 * small record may need much memory, or many records may refer to it. */
#include <string.h>

#include "telemetry/mcap_internal.h"

uint64_t fm_mcap_held(const fm_mcap_reader *r)
{
    return r->arena.used + r->summary.room + r->schema_room * sizeof *r->schemas +
           r->channel_room * sizeof *r->channels + r->channel_schema_room * sizeof *r->channel_schema +
           r->chunk_room * sizeof *r->chunks + r->metadata_room * sizeof *r->metadata +
           r->attachment_room * sizeof *r->attachments;
}

/* Whether `bytes` more fit into the budget. */
static int fits(fm_mcap_reader *r, uint64_t size)
{
    uint64_t held = fm_mcap_held(r), budget = fm_mcap_index_budget(r);
    if (held <= budget && size <= budget - held)
        return 1;
    r->crowded = 1;
    return 0;
}

/* Allocates memory; records a failure, so that it is not mistaken for damage. */
static void *need(fm_mcap_reader *r, void *memory)
{
    r->starved |= !memory;
    return memory;
}

static void *hold(fm_mcap_reader *r, size_t size)
{
    return fits(r, size) ? need(r, fm_arena_alloc(&r->arena, size)) : NULL;
}

/* Makes space for one more item after `count`; NULL when out of memory. */
static void *grow(fm_mcap_reader *r, void *items, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return items;
    size_t wanted = *room * 2 + 8;
    void *grown = fits(r, (wanted - *room) * size) ? need(r, fm_realloc(items, wanted * size)) : NULL;
    if (grown)
        *room = wanted;
    return grown;
}

#define GROW(r, list, room, count) grow((r), (r)->list, &(r)->room, (r)->count, sizeof *(r)->list)

enum { TEXT_MOST = 64 << 20 }; /* longest text in bytes; longer texts are refused */

/* A NUL-terminated copy of a string field. */
const char *fm_mcap_take_text(fm_mcap_reader *r, fm_byte_view *view)
{
    uint32_t length = fm_byte_view_u32(view);
    const uint8_t *from = length <= TEXT_MOST ? fm_byte_view_take(view, length) : NULL;
    char *text = from ? hold(r, (size_t)length + 1) : NULL;
    if (text)
        memcpy(text, from, length);
    else
        view->bad = 1;
    return text ? text : "";
}

static const fm_mcap_pair *take_pairs(fm_mcap_reader *r, fm_byte_view *view, size_t *count)
{
    uint32_t size = fm_byte_view_u32(view);
    const uint8_t *from = size <= TEXT_MOST ? fm_byte_view_take(view, size) : NULL;
    fm_byte_view map = {from, from ? size : 0, 0, from == NULL};
    fm_mcap_pair *pairs = from ? hold(r, (size / 8 + 1) * sizeof *pairs) : NULL;
    *count = 0;
    while (pairs && map.at < map.size && !map.bad) {
        fm_mcap_pair pair = {fm_mcap_take_text(r, &map), fm_mcap_take_text(r, &map)};
        if (!map.bad)
            pairs[(*count)++] = pair;
    }
    view->bad |= map.bad || !pairs;
    return pairs;
}

int fm_mcap_keep_schema(fm_mcap_reader *r, fm_byte_view *v)
{
    uint16_t id = fm_byte_view_u16(v);
    if (id != 0 && r->schema_at[id] != 0)
        return !v->bad;
    fm_mcap_schema s = {.id = id, .name = fm_mcap_take_text(r, v), .encoding = fm_mcap_take_text(r, v)};
    s.size = fm_byte_view_u32(v);
    const uint8_t *from = s.size <= TEXT_MOST ? fm_byte_view_take(v, s.size) : NULL;
    char *text = from ? hold(r, s.size + 1) : NULL;
    fm_mcap_schema *list = GROW(r, schemas, schema_room, schema_count);
    if (list)
        r->schemas = list;
    if (v->bad || id == 0 || !text || !list || r->schema_count >= 65535)
        return 0;
    memcpy(text, from, s.size);
    s.data = text;
    list[r->schema_count++] = s;
    r->schema_at[id] = (uint16_t)r->schema_count;
    return 1;
}

int fm_mcap_keep_channel(fm_mcap_reader *r, fm_byte_view *v)
{
    uint16_t id = fm_byte_view_u16(v), schema = fm_byte_view_u16(v);
    if (r->channel_at[id] != 0)
        return !v->bad;
    fm_mcap_channel c = {.id = id, .topic = fm_mcap_take_text(r, v), .encoding = fm_mcap_take_text(r, v)};
    c.metadata = take_pairs(r, v, &c.metadata_count);
    fm_mcap_channel *list = GROW(r, channels, channel_room, channel_count);
    if (list)
        r->channels = list;
    uint16_t *ids = GROW(r, channel_schema, channel_schema_room, channel_count);
    if (ids)
        r->channel_schema = ids;
    if (v->bad || !list || !ids || r->channel_count >= 65535)
        return 0;
    ids[r->channel_count] = schema;
    list[r->channel_count++] = c;
    r->channel_at[id] = (uint16_t)r->channel_count;
    return 1;
}

int fm_mcap_keep_chunk(fm_mcap_reader *r, const fm_chunk_ref *ref)
{
    fm_chunk_ref *list = GROW(r, chunks, chunk_room, chunk_count);
    if (!list)
        return 0;
    r->chunks = list;
    list[r->chunk_count++] = *ref;
    return 1;
}

int fm_mcap_keep_chunk_index(fm_mcap_reader *r, fm_byte_view *v)
{
    fm_chunk_ref ref = {.start = fm_byte_view_u64(v)};
    ref.end = fm_byte_view_u64(v);
    ref.offset = fm_byte_view_u64(v);
    ref.size = fm_byte_view_u64(v);
    ref.indexed_size = fm_byte_view_u32(v);
    ref.indexed = fm_byte_view_take(v, ref.indexed_size);
    fm_byte_view_u64(v); /* bytes of the message indexes */
    const char *compression = r->chunk_count == 0 ? fm_mcap_take_text(r, v) : "";
    if (r->chunk_count > 0)
        fm_byte_view_take(v, fm_byte_view_u32(v));
    uint64_t packed = fm_byte_view_u64(v), size = fm_byte_view_u64(v);
    if (v->bad || ref.offset > r->size || ref.size > r->size - ref.offset || ref.indexed_size % 10 != 0)
        return 0;
    if (ref.indexed_size == 0) /* a writer without message indexes: the chunk may contain any channel */
        ref.indexed = NULL;
    if (r->chunk_count == 0)
        r->info.compression = compression;
    r->info.chunk_packed += packed;
    r->info.chunk_bytes += size;
    return fm_mcap_keep_chunk(r, &ref);
}

int fm_mcap_keep_metadata(fm_mcap_reader *r, fm_byte_view *v)
{
    fm_mcap_record m = {.name = fm_mcap_take_text(r, v), .media_type = ""};
    m.pairs = take_pairs(r, v, &m.pair_count);
    fm_mcap_record *list = GROW(r, metadata, metadata_room, metadata_count);
    if (list)
        r->metadata = list;
    if (v->bad || !list)
        return 0;
    list[r->metadata_count++] = m;
    return 1;
}

enum { ATTACHMENT_HEAD = 64 << 10 }; /* bytes before its data: times, name, media type and size */

/* Its data stay in the file. */
int fm_mcap_keep_attachment(fm_mcap_reader *r, uint64_t at, uint64_t length)
{
    const uint8_t *head;
    size_t known = length < ATTACHMENT_HEAD ? (size_t)length : ATTACHMENT_HEAD;
    fm_status status = fm_mcap_fetch(r, at, known, &r->window, &head, NULL);
    r->starved |= status == FM_ERR_MEMORY;
    if (status != FM_OK)
        return 0;
    fm_byte_view v = {head, known, 0, 0};
    fm_byte_view_take(&v, 16); /* log and creation time */
    fm_mcap_record a = {.name = fm_mcap_take_text(r, &v), .media_type = fm_mcap_take_text(r, &v)};
    uint64_t size = fm_byte_view_u64(&v), covered = v.at + size;
    if (v.bad || size > length - v.at || length - v.at - size < 4)
        return 0;
    a.offset = at + v.at;
    a.size = (size_t)size;
    fm_mcap_record *list = GROW(r, attachments, attachment_room, attachment_count);
    if (list)
        r->attachments = list;
    const uint8_t *crc_bytes;
    uint32_t found = 0, crc = 0;
    if (!list || fm_mcap_crc(r, at, covered, &r->window, &found, NULL) != FM_OK ||
        fm_mcap_fetch(r, at + covered, 4, &r->window, &crc_bytes, NULL) != FM_OK)
        return 0;
    memcpy(&crc, crc_bytes, 4);
    a.crc_fails = crc != 0 && crc != found;
    list[r->attachment_count++] = a;
    return 1;
}

int fm_mcap_keep_statistics(fm_mcap_reader *r, fm_byte_view *v)
{
    r->info.messages = fm_byte_view_u64(v);
    fm_byte_view_take(v, 2 + 4 + 4 + 4 + 4);
    r->info.start = fm_byte_view_u64(v);
    r->info.end = fm_byte_view_u64(v);
    uint32_t size = fm_byte_view_u32(v);
    const uint8_t *from = fm_byte_view_take(v, size);
    fm_byte_view map = {from, from ? size : 0, 0, 0};
    while (map.at < map.size && !map.bad) {
        uint16_t id = fm_byte_view_u16(&map);
        uint64_t count = fm_byte_view_u64(&map);
        if (!map.bad && r->channel_at[id] != 0)
            r->channels[r->channel_at[id] - 1].messages = count;
    }
    return !v->bad && !map.bad;
}

static void drop(void *list, size_t *room, size_t *count)
{
    fm_free(*(void **)list);
    *(void **)list = NULL;
    *room = *count = 0;
}

void fm_mcap_forget(fm_mcap_reader *r)
{
    size_t ids = 0;
    memset(r->schema_at, 0, sizeof r->schema_at);
    memset(r->channel_at, 0, sizeof r->channel_at);
    drop(&r->schemas, &r->schema_room, &r->schema_count);
    drop(&r->channels, &r->channel_room, &r->channel_count);
    drop(&r->channel_schema, &r->channel_schema_room, &ids);
    drop(&r->chunks, &r->chunk_room, &r->chunk_count);
    drop(&r->metadata, &r->metadata_room, &r->metadata_count);
    drop(&r->attachments, &r->attachment_room, &r->attachment_count);
    fm_arena_free(&r->arena);
    fm_free(r->summary.buffer);
    r->summary = (fm_mcap_window){0};
    r->info.messages = r->info.start = r->info.end = r->info.chunk_bytes = r->info.chunk_packed = 0;
    r->info.compression = "";
    r->data_end = r->followed = 0;
    r->crowded = 0;
}
