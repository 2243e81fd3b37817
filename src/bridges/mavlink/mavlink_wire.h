/* MAVLink 2 (and 1, when reading): frames and the messages of mavlink_table.h. No input or output. docs/mavlink.md
 * documents it. */
#ifndef FM_BRIDGES_MAVLINK_MAVLINK_WIRE_H
#define FM_BRIDGES_MAVLINK_MAVLINK_WIRE_H

#include <stddef.h>
#include <stdint.h>

enum {
    FM_MAV_PAYLOAD = 255,        /* bytes at most */
    FM_MAV_MOST = 12 + 255 + 13, /* maximum size of a frame: header and CRC, payload, signature */
    FM_MAV_SIGNED = 1            /* flag of a frame followed by a signature */
};

/* --- numbers --- */
typedef uint8_t fm_mav_u8;
typedef uint16_t fm_mav_u16;
typedef uint32_t fm_mav_u32;
typedef uint64_t fm_mav_u64;
typedef int8_t fm_mav_i8;
typedef int16_t fm_mav_i16;
typedef int32_t fm_mav_i32;
typedef int64_t fm_mav_i64;
typedef float fm_mav_f32;

/* CRC-16/MCRF4XX, begun with 0xFFFF. */
uint16_t fm_mav_crc(uint16_t crc, const void *bytes, size_t size);

/* --- frames --- */
typedef struct fm_mav_frame {
    uint8_t version; /* 1 or 2 */
    uint8_t sequence, system, component;
    uint32_t id;
    uint8_t payload[FM_MAV_PAYLOAD]; /* padded with zeros */
} fm_mav_frame;

typedef enum fm_mav_fault {
    FM_MAV_FINE,
    FM_MAV_MORE,         /* no fault: the frame is incomplete */
    FM_MAV_FAULT_NOISE,  /* bytes between frames */
    FM_MAV_FAULT_FLAGS,  /* incompatibility flags that are not supported */
    FM_MAV_FAULT_ID,     /* a message that is not in the table */
    FM_MAV_FAULT_LENGTH, /* of MAVLink 1: wrong for the message */
    FM_MAV_FAULT_CRC,
    FM_MAV_FAULTS
} fm_mav_fault;
const char *fm_mav_fault_name(fm_mav_fault fault); /* "noise", "flags" … */

/* The first frame in `bytes`. *used: number of bytes consumed, whatever was found. Signatures are not checked. */
fm_mav_fault fm_mav_open(const uint8_t *bytes, size_t size, fm_mav_frame *frame, size_t *used);

/* The system and the component that a frame addresses; 0: all. Returns 0 if its message names none. */
int fm_mav_frame_target(const fm_mav_frame *frame, unsigned *system, unsigned *component);

/* Unprocessed bytes of a stream. */
typedef struct fm_mav_stream {
    uint8_t bytes[2 * FM_MAV_MOST];
    size_t size;
} fm_mav_stream;
/* Consumes from the front of *bytes, *size. FM_MAV_FINE: a frame; FM_MAV_MORE: all bytes are consumed; otherwise the
 * reason of a drop. Call again until FM_MAV_MORE. */
fm_mav_fault fm_mav_stream_take(fm_mav_stream *stream, const uint8_t **bytes, size_t *size, fm_mav_frame *frame);

/* The sender of frames. */
typedef struct fm_mav_sender {
    uint8_t system, component, sequence; /* the last goes up with every frame */
} fm_mav_sender;
enum { FM_MAV_AT_SYSTEM = 5 /* of a frame that is written here: the byte of its system */ };
/* Gives a frame that was written here the next sequence number of its sender. Returns its size. */
size_t fm_mav_number(fm_mav_sender *from, uint8_t *frame);

/* --- messages: fm_mav_<name>, FM_MAV_ID_<NAME>, fm_mav_<name>_write (length of the frame), fm_mav_<name>_read --- */
#define MESSAGE(name, NAME, id, extra) typedef struct fm_mav_##name {
#define FIELD(name, type, member) fm_mav_##type member;
#define ARRAY(name, type, member, count) fm_mav_##type member[count];
#define TEXT(name, member, size) char member[(size) + 1];
#define END(name)                                                                                                      \
    }                                                                                                                  \
    fm_mav_##name;                                                                                                     \
    size_t fm_mav_##name##_write(fm_mav_sender *from, const fm_mav_##name *message, uint8_t bytes[FM_MAV_MOST]);       \
    void fm_mav_##name##_read(const fm_mav_frame *frame, fm_mav_##name *message);
#include "bridges/mavlink/mavlink_table.h"

enum {
#define MESSAGE(name, NAME, id, extra) FM_MAV_ID_##NAME = id,
#include "bridges/mavlink/mavlink_table.h"
    FM_MAV_ID_NONE = -1
};

#endif
