#include "bridges/mavlink/mavlink_wire.h"

#include <string.h>

#include "server/wire.h"

enum { MAGIC_1 = 0xFE, MAGIC_2 = 0xFD, HEAD_1 = 6, HEAD_2 = 10, CHECK = 2, SIGNATURE = 13 }; /* bytes */

uint16_t fm_mav_crc(uint16_t crc, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++) {
        uint8_t x = (uint8_t)(at[i] ^ (crc & 0xFF));
        x = (uint8_t)(x ^ (x << 4));
        crc = (uint16_t)((crc >> 8) ^ (x << 8) ^ (x << 3) ^ (x >> 4));
    }
    return crc;
}

const char *fm_mav_fault_name(fm_mav_fault fault)
{
    static const char *const names[FM_MAV_FAULTS] = {"", "", "noise", "flags", "id", "length", "crc"};
    return (unsigned)fault < FM_MAV_FAULTS ? names[fault] : "";
}

/* --- which messages there are --- */

#define BYTES_u8 1
#define BYTES_u16 2
#define BYTES_u32 4
#define BYTES_u64 8
#define BYTES_i8 1
#define BYTES_i16 2
#define BYTES_i32 4
#define BYTES_i64 8
#define BYTES_f32 4

typedef struct layout {
    uint32_t id;
    uint8_t extra;
    uint8_t length; /* of MAVLink 1: without the MAVLink 2 extensions */
} layout;

static const layout *find_layout(uint32_t id)
{
    static const layout layouts[] = {
#define MESSAGE(name, NAME, id, extra) {id, extra, 0
#define FIELD(name, type, member) +BYTES_##type
#define ARRAY(name, type, member, count) +BYTES_##type *(count)
#define TEXT(name, member, size) +(size)
#define FIELD2(name, type, member)
#define ARRAY2(name, type, member, count)
#define END(name)                                                                                                      \
    }                                                                                                                  \
    ,
#include "bridges/mavlink/mavlink_table.h"
    };
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].id == id)
            return &layouts[i];
    return NULL;
}

/* Where the payload of a message has a member of this name; -1: nowhere. */
static int member_at(uint32_t id, const char *name)
{
    static const struct {
        int64_t id; /* of a message; -1: of a member of the last one */
        const char *name;
        int size;
    } rows[] = {
#define MESSAGE(name, NAME, id, extra) {id, "", 0},
#define FIELD(name, type, member) {-1, #member, BYTES_##type},
#define ARRAY(name, type, member, count) {-1, #member, BYTES_##type * (count)},
#define TEXT(name, member, size) {-1, #member, size},
#include "bridges/mavlink/mavlink_table.h"
    };
    const size_t count = sizeof rows / sizeof *rows;
    size_t i = 0;
    int at = 0;
    while (i < count && rows[i].id != id)
        i++;
    for (i++; i < count && rows[i].id < 0; at += rows[i++].size)
        if (strcmp(rows[i].name, name) == 0)
            return at;
    return -1;
}

/* --- reading --- */

int fm_mav_frame_target(const fm_mav_frame *frame, unsigned *system, unsigned *component)
{
    const int named = member_at(frame->id, "target_system"), part = member_at(frame->id, "target_component");
    const int at = named >= 0 ? named : member_at(frame->id, "target"); /* of MANUAL_CONTROL */
    *system = at >= 0 ? frame->payload[at] : 0;
    *component = part >= 0 ? frame->payload[part] : 0;
    return at >= 0;
}

static size_t frame_size(const uint8_t *bytes)
{
    if (bytes[0] == MAGIC_1)
        return (size_t)HEAD_1 + bytes[1] + CHECK;
    return (size_t)HEAD_2 + bytes[1] + CHECK + (bytes[2] & FM_MAV_SIGNED ? SIGNATURE : 0);
}

static void read_head(const uint8_t *bytes, fm_mav_frame *f)
{
    const uint8_t *rest = bytes + (bytes[0] == MAGIC_1 ? 2 : 4);
    *f = (fm_mav_frame){.version = bytes[0] == MAGIC_1 ? 1 : 2,
                        .sequence = rest[0],
                        .system = rest[1],
                        .component = rest[2],
                        .id = rest[3]};
    if (f->version == 2)
        f->id |= (uint32_t)rest[4] << 8 | (uint32_t)rest[5] << 16;
}

/* A complete frame, from magic to end. */
static fm_mav_fault read_frame(const uint8_t *bytes, fm_mav_frame *f, size_t *used)
{
    size_t head = bytes[0] == MAGIC_1 ? HEAD_1 : HEAD_2, length = bytes[1];
    read_head(bytes, f);
    const layout *l = find_layout(f->id);
    if (!l)
        return FM_MAV_FAULT_ID;
    uint16_t crc = fm_mav_crc(0xFFFF, bytes + 1, head - 1 + length);
    crc = fm_mav_crc(crc, &l->extra, 1);
    if (bytes[head + length] != (crc & 0xFF) || bytes[head + length + 1] != crc >> 8) {
        *used = 1; /* its length may be wrong too: the next frame is searched right after the magic */
        return FM_MAV_FAULT_CRC;
    }
    if (f->version == 1 && length != l->length)
        return FM_MAV_FAULT_LENGTH;
    memcpy(f->payload, bytes + head, length);
    return FM_MAV_FINE;
}

fm_mav_fault fm_mav_open(const uint8_t *bytes, size_t size, fm_mav_frame *frame, size_t *used)
{
    *used = 0;
    while (*used < size && bytes[*used] != MAGIC_1 && bytes[*used] != MAGIC_2)
        ++*used;
    if (*used > 0)
        return FM_MAV_FAULT_NOISE;
    if (size < 3)
        return FM_MAV_MORE;
    if (bytes[0] == MAGIC_2 && bytes[2] & ~FM_MAV_SIGNED) {
        *used = 1;
        return FM_MAV_FAULT_FLAGS;
    }
    if (size < frame_size(bytes))
        return FM_MAV_MORE;
    *used = frame_size(bytes);
    return read_frame(bytes, frame, used);
}

fm_mav_fault fm_mav_stream_take(fm_mav_stream *s, const uint8_t **bytes, size_t *size, fm_mav_frame *frame)
{
    size_t room = sizeof s->bytes - s->size, piece = *size < room ? *size : room, used;
    if (piece > 0) { /* *bytes may be NULL without new data */
        memcpy(s->bytes + s->size, *bytes, piece);
        *bytes += piece;
    }
    s->size += piece;
    *size -= piece;
    fm_mav_fault fault = fm_mav_open(s->bytes, s->size, frame, &used);
    s->size -= used;
    memmove(s->bytes, s->bytes + used, s->size);
    return fault;
}

/* --- writing --- */

static size_t finish(fm_mav_sender *from, uint32_t id, size_t length, uint8_t bytes[FM_MAV_MOST])
{
    while (length > 1 && bytes[HEAD_2 + length - 1] == 0) /* trailing zeros are not sent, except the first byte */
        length--;
    const uint8_t head[HEAD_2] = {MAGIC_2,
                                  (uint8_t)length,
                                  0,
                                  0,
                                  from->sequence++,
                                  from->system,
                                  from->component,
                                  (uint8_t)id,
                                  (uint8_t)(id >> 8),
                                  (uint8_t)(id >> 16)};
    memcpy(bytes, head, sizeof head);
    uint16_t crc = fm_mav_crc(0xFFFF, bytes + 1, HEAD_2 - 1 + length);
    crc = fm_mav_crc(crc, &find_layout(id)->extra, 1);
    bytes[HEAD_2 + length] = (uint8_t)crc;
    bytes[HEAD_2 + length + 1] = (uint8_t)(crc >> 8);
    return HEAD_2 + length + CHECK;
}

size_t fm_mav_number(fm_mav_sender *from, uint8_t *frame)
{
    const size_t end = HEAD_2 + (size_t)frame[1];
    const uint32_t id = frame[7] | (uint32_t)frame[8] << 8 | (uint32_t)frame[9] << 16;
    frame[4] = from->sequence++;
    uint16_t crc = fm_mav_crc(0xFFFF, frame + 1, end - 1);
    crc = fm_mav_crc(crc, &find_layout(id)->extra, 1);
    frame[end] = (uint8_t)crc;
    frame[end + 1] = (uint8_t)(crc >> 8);
    return end + CHECK;
}

#define PUT_u8(out, value) fm_wire_put_u8(out, value)
#define PUT_u16(out, value) fm_wire_put_u16(out, value)
#define PUT_u32(out, value) fm_wire_put_u32(out, value)
#define PUT_u64(out, value) fm_wire_put_u64(out, value)
#define PUT_i8(out, value) fm_wire_put_u8(out, (uint8_t)(value))
#define PUT_i16(out, value) fm_wire_put_u16(out, (uint16_t)(value))
#define PUT_i32(out, value) fm_wire_put_u32(out, (uint32_t)(value))
#define PUT_i64(out, value) fm_wire_put_u64(out, (uint64_t)(value))
#define PUT_f32(out, value) fm_wire_put_f32(out, value)

/* May fill the whole field, without a terminator. */
static void put_text(fm_wire_out *out, const char *text, size_t size)
{
    size_t length = strnlen(text, size);
    fm_wire_put_bytes(out, text, length);
    for (; length < size; length++)
        fm_wire_put_u8(out, 0);
}

#define MESSAGE(name, NAME, id, extra)                                                                                 \
    size_t fm_mav_##name##_write(fm_mav_sender *from, const fm_mav_##name *message, uint8_t bytes[FM_MAV_MOST])        \
    {                                                                                                                  \
        const uint32_t number = id;                                                                                    \
        fm_wire_out out = {.bytes = bytes, .size = HEAD_2, .room = FM_MAV_MOST};
#define FIELD(name, type, member) PUT_##type(&out, message->member);
#define ARRAY(name, type, member, count)                                                                               \
    for (size_t i = 0; i < (count); i++)                                                                               \
        PUT_##type(&out, message->member[i]);
#define TEXT(name, member, size) put_text(&out, message->member, size);
#define END(name)                                                                                                      \
    return finish(from, number, out.size - HEAD_2, bytes);                                                             \
    }
#include "bridges/mavlink/mavlink_table.h"

#define GET_u8(in) fm_wire_get_u8(in)
#define GET_u16(in) fm_wire_get_u16(in)
#define GET_u32(in) fm_wire_get_u32(in)
#define GET_u64(in) fm_wire_get_u64(in)
#define GET_i8(in) (int8_t) fm_wire_get_u8(in)
#define GET_i16(in) (int16_t) fm_wire_get_u16(in)
#define GET_i32(in) (int32_t) fm_wire_get_u32(in)
#define GET_i64(in) (int64_t) fm_wire_get_u64(in)
#define GET_f32(in) get_float(in)

/* Any value: NaN means "unknown" in many messages. */
static float get_float(fm_wire_in *in)
{
    uint32_t bits = fm_wire_get_u32(in);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void get_text(fm_wire_in *in, char *text, size_t size)
{
    const uint8_t *bytes = fm_wire_get_bytes(in, size);
    memset(text, 0, size + 1);
    if (bytes)
        memcpy(text, bytes, strnlen((const char *)bytes, size));
}

#define MESSAGE(name, NAME, id, extra)                                                                                 \
    void fm_mav_##name##_read(const fm_mav_frame *frame, fm_mav_##name *message)                                       \
    {                                                                                                                  \
        fm_wire_in in = {.bytes = frame->payload, .size = sizeof frame->payload};
#define FIELD(name, type, member) message->member = GET_##type(&in);
#define ARRAY(name, type, member, count)                                                                               \
    for (size_t i = 0; i < (count); i++)                                                                               \
        message->member[i] = GET_##type(&in);
#define TEXT(name, member, size) get_text(&in, message->member, size);
#define END(name) }
#include "bridges/mavlink/mavlink_table.h"
