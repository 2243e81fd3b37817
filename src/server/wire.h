/* The wire protocol: the layout of every datagram, written and read without any input or output. docs/protocol.md
 * documents it. It needs only the C library: the client library compiles the same file. */
#ifndef FM_SERVER_WIRE_H
#define FM_SERVER_WIRE_H

#include <stddef.h>
#include <stdint.h>

enum {
    FM_WIRE_MAJOR = 1,
    FM_WIRE_MOST = 1200, /* bytes of a datagram */
    FM_WIRE_HEADER = 40, /* bytes */
    FM_WIRE_MAC = 16,    /* bytes, after the payload if flag FM_WIRE_SEALED is set */
    FM_WIRE_KEY = 32,    /* bytes */
    FM_WIRE_PAYLOAD = FM_WIRE_MOST - FM_WIRE_HEADER - FM_WIRE_MAC,
    FM_WIRE_VALUES = 200,      /* of an ACTUATE at most */
    FM_WIRE_SAMPLE_MOST = 1024 /* bytes of values in one TLV */
};
#define FM_WIRE_NONE UINT32_MAX /* as a period: nothing is sent */

/* Flags of the header. */
enum {
    FM_WIRE_ACK_WANTED = 1,
    FM_WIRE_REPLY = 2,
    FM_WIRE_SEALED = 4, /* a MAC follows the payload */
    FM_WIRE_SIM_STOPPED = 8,
    FM_WIRE_FROM_SERVER = 16
};

typedef enum fm_wire_type {
    FM_WIRE_HELLO = 0x01,
    FM_WIRE_CHALLENGE = 0x02,
    FM_WIRE_CONNECT = 0x03,
    FM_WIRE_WELCOME = 0x04,
    FM_WIRE_REJECT = 0x05,
    FM_WIRE_DISCONNECT = 0x06,
    FM_WIRE_BYE = 0x07,
    FM_WIRE_PING = 0x10,
    FM_WIRE_PONG = 0x11,
    FM_WIRE_ACTUATE = 0x20,
    FM_WIRE_STATE = 0x21,
    FM_WIRE_SENSORS = 0x22,
    FM_WIRE_SENSOR_PUT = 0x23,
    FM_WIRE_READY = 0x24,
    FM_WIRE_ACOUSTIC_SEND = 0x30,
    FM_WIRE_ACOUSTIC_STATUS = 0x31,
    FM_WIRE_ACOUSTIC_RECV = 0x32,
    FM_WIRE_RESULT = 0x41,
    FM_WIRE_COMMAND = 0x42, /* 0x40 had one layout for all commands */
    FM_WIRE_SUBSCRIBE = 0x50,
    FM_WIRE_EVENT = 0x51,
    FM_WIRE_DESCRIBE = 0x60,
    FM_WIRE_DESCRIPTION = 0x61,
    FM_WIRE_ERROR = 0xFF
} fm_wire_type;

typedef enum fm_wire_role {
    FM_WIRE_SURFACE = 1,
    FM_WIRE_UNDERWATER = 2,
    FM_WIRE_BUOY = 3,
    FM_WIRE_OBSERVER = 4,
    FM_WIRE_COMMANDER = 5,
    FM_WIRE_CONTROLLER = 6, /* of a vehicle that is there */
    FM_WIRE_EMULATOR = 7    /* puts the values of sensors */
} fm_wire_role;

/* Reasons of refusals: REJECT, RESULT, ERROR, ACOUSTIC_STATUS, BYE. */
typedef enum fm_wire_code {
    FM_WIRE_DONE = 0,
    FM_WIRE_BAD_VERSION = 1,
    FM_WIRE_BAD_LENGTH = 2,
    FM_WIRE_BAD_TYPE = 3,
    FM_WIRE_NOT_CONNECTED = 4,
    FM_WIRE_BAD_VALUE = 5,
    FM_WIRE_FULL = 6,
    FM_WIRE_NAME_TAKEN = 7,
    FM_WIRE_UNKNOWN_MODEL = 8,
    FM_WIRE_NOT_PERMITTED = 9,
    FM_WIRE_BUSY = 10,
    FM_WIRE_NO_TRANSDUCER = 11,
    FM_WIRE_RATE_LIMIT = 12,
    FM_WIRE_IS_STOPPED = 13,
    FM_WIRE_UNKNOWN_NAME = 14, /* vehicle, parameter, actuator … */
    FM_WIRE_TOO_OLD = 15,      /* an id that is no longer remembered */
    FM_WIRE_FAILED = 16,       /* the text says why */
    FM_WIRE_TIMED_OUT = 17,
    FM_WIRE_CLOSING = 18,
    FM_WIRE_BAD_COOKIE = 19,     /* it has grown old: say HELLO again */
    FM_WIRE_REPLACED = 20,       /* the session continues from another address */
    FM_WIRE_TOO_MANY_BYTES = 21, /* for one sound; the text states the limit */
    FM_WIRE_ADDRESS_TAKEN = 22   /* the acoustic address of CONNECT belongs to another vehicle */
} fm_wire_code;

enum {
    FM_WIRE_CONNECT_LOCKSTEP = 1,
    FM_WIRE_CONNECT_STAYS = 2 /* its orders stay when it leaves, held as "ctl" */
};
enum { FM_WIRE_WELCOME_RESUMED = 1, FM_WIRE_WELCOME_LOCKSTEP = 2, FM_WIRE_WELCOME_WAITS = 4 };
enum { FM_WIRE_CAN_ACOUSTICS = 1, FM_WIRE_CAN_LOCKSTEP = 2, FM_WIRE_CAN_SPAWN = 4 };
/* How the simulation stands. */
enum { FM_WIRE_STOPPED = 0, FM_WIRE_RUNNING = 1, FM_WIRE_OVER = 2, FM_WIRE_WAITING = 3 /* for named clients */ };
/* Modes of ACTUATE. */
enum { FM_WIRE_FORCE = 0, FM_WIRE_NORMALISED = 1, FM_WIRE_RPM = 2, FM_WIRE_FIN = 3, FM_WIRE_NATIVE = 4, FM_WIRE_MODES };
/* Flags of STATE. */
enum {
    FM_WIRE_STATE_ALIVE = 1,
    FM_WIRE_STATE_CONTACT = 2, /* touched something since the last STATE */
    FM_WIRE_STATE_ZEROED = 4,  /* the hold time of its last actuation has expired */
    FM_WIRE_STATE_SURFACED = 8 /* part of the hull is out of the water */
};
/* Owners of actuators. */
enum {
    FM_WIRE_OWNER_SCHEDULE = 0,
    FM_WIRE_OWNER_CONTROLLER = 1,
    FM_WIRE_OWNER_SELF = 2, /* the client that receives the message */
    FM_WIRE_OWNER_OTHER = 3 /* another client or a bridge; the list of owners has its name */
};
enum { FM_WIRE_SAMPLE_VALID = 1, FM_WIRE_SAMPLE_EXTERNAL = 2, FM_WIRE_SAMPLE_STALE = 4 };
/* Kinds of sound; and a message of a modem. */
enum {
    FM_WIRE_SOUND_PING = 0,
    FM_WIRE_SOUND_QUERY = 1,
    FM_WIRE_SOUND_REPLY = 2,
    FM_WIRE_SOUND_DATA = 3,
    FM_WIRE_SOUND_MODEM = 4
};
enum { FM_WIRE_PATH_DIRECT = 0, FM_WIRE_PATH_SURFACE = 1, FM_WIRE_PATH_BOTTOM = 2, FM_WIRE_PATH_MULTIPLE = 3 };

/* Masks of SUBSCRIBE. */
enum { FM_WIRE_WANT_STATE = 1, FM_WIRE_WANT_SENSORS = 2, FM_WIRE_WANT_EVENTS = 4, FM_WIRE_WANT_ACOUSTICS = 8 };
/* Kinds of EVENT. */
enum {
    FM_WIRE_EVENT_JOINED = 1,
    FM_WIRE_EVENT_LEFT = 2,
    FM_WIRE_EVENT_COLLISION = 3, /* with another vehicle */
    FM_WIRE_EVENT_CONTACT = 4,   /* with what stands */
    FM_WIRE_EVENT_STATE = 5,     /* of the simulation; value: its new state */
    FM_WIRE_EVENT_WORLD = 6,     /* any other world event */
    FM_WIRE_EVENT_REFUSED = 7    /* never sent: reports an ERROR to users of the client library */
};
/* What DESCRIBE asks for. */
enum {
    FM_WIRE_ACTUATORS = 1,
    FM_WIRE_INSTRUMENTS = 2,
    FM_WIRE_FIELDS = 3,
    FM_WIRE_VEHICLES = 4,
    FM_WIRE_CLIENTS = 5,
    FM_WIRE_COUNTERS = 6,
    FM_WIRE_PARAMETERS = 7,
    FM_WIRE_MODELS = 8,
    FM_WIRE_VOICES = 9,
    FM_WIRE_OWNERS = 10,
    FM_WIRE_SETPOINTS = 11,
    FM_WIRE_CONTROLLERS = 12,
    FM_WIRE_LISTS
};
enum { FM_WIRE_CLIENT_CONNECTED = 1, FM_WIRE_CLIENT_LOCKSTEP = 2, FM_WIRE_CLIENT_LOCAL = 4 };
/* Types of values. */
enum { FM_WIRE_F64 = 1, FM_WIRE_F32 = 2, FM_WIRE_I64 = 3, FM_WIRE_U8 = 4 };

/* Why a datagram is rejected, in the order of the checks. The server detects the second half. */
typedef enum fm_wire_fault {
    FM_WIRE_FINE,
    FM_WIRE_FAULT_LENGTH, /* shorter than a header, or not as long as it says */
    FM_WIRE_FAULT_MAGIC,
    FM_WIRE_FAULT_VERSION,
    FM_WIRE_FAULT_TYPE,    /* unknown, or not for this direction */
    FM_WIRE_FAULT_PAYLOAD, /* a length that its type does not allow */
    FM_WIRE_FAULT_CRC,
    FM_WIRE_FAULT_RATE, /* a source that sends too much */
    FM_WIRE_FAULT_COOKIE,
    FM_WIRE_FAULT_SESSION, /* no such token */
    FM_WIRE_FAULT_ADDRESS, /* not from where the session is */
    FM_WIRE_FAULT_MAC,
    FM_WIRE_FAULT_REPLAY,
    FM_WIRE_FAULT_ROLE,
    FM_WIRE_FAULT_VALUE,  /* a number that is not finite or out of range, a text without an end */
    FM_WIRE_FAULT_STALE,  /* older than the current one: actuations, READY of a past step */
    FM_WIRE_FAULT_FULL,   /* no room for another client or input */
    FM_WIRE_FAULT_SEND,   /* outgoing: the socket did not accept it */
    FM_WIRE_FAULT_BEHIND, /* outgoing: the loop did not keep up with the steps */
    FM_WIRE_FAULTS
} fm_wire_fault;
const char *fm_wire_fault_name(fm_wire_fault fault); /* "length", "magic" … */

/* --- numbers --- */
typedef uint8_t fm_wire_u8;
typedef uint16_t fm_wire_u16;
typedef uint32_t fm_wire_u32;
typedef uint64_t fm_wire_u64;
typedef float fm_wire_f32;
typedef double fm_wire_f64;

/* A buffer to read or write. Bytes that do not fit set `fault` and are left out; bytes read beyond the end are 0. */
typedef struct fm_wire_out {
    uint8_t *bytes;
    size_t size, room;
    fm_wire_fault fault;
} fm_wire_out;
typedef struct fm_wire_in {
    const uint8_t *bytes;
    size_t at, size;
    fm_wire_fault fault; /* FM_WIRE_FAULT_PAYLOAD: too short; FM_WIRE_FAULT_VALUE: an invalid number or text */
} fm_wire_in;

void fm_wire_put_u8(fm_wire_out *out, uint8_t value);
void fm_wire_put_u16(fm_wire_out *out, uint16_t value);
void fm_wire_put_u32(fm_wire_out *out, uint32_t value);
void fm_wire_put_u64(fm_wire_out *out, uint64_t value);
void fm_wire_put_f32(fm_wire_out *out, float value);
void fm_wire_put_f64(fm_wire_out *out, double value);
void fm_wire_put_bytes(fm_wire_out *out, const void *bytes, size_t size);
void fm_wire_put_text(fm_wire_out *out, const char *text, size_t size); /* cut off where it is too long */
uint8_t fm_wire_get_u8(fm_wire_in *in);
uint16_t fm_wire_get_u16(fm_wire_in *in);
uint32_t fm_wire_get_u32(fm_wire_in *in);
uint64_t fm_wire_get_u64(fm_wire_in *in);
float fm_wire_get_f32(fm_wire_in *in); /* must be finite */
double fm_wire_get_f64(fm_wire_in *in);
void fm_wire_get_text(fm_wire_in *in, char *text, size_t size); /* must be UTF-8 and end */
const uint8_t *fm_wire_get_bytes(fm_wire_in *in, size_t size);  /* NULL: fewer bytes remain */

/* --- messages: fm_wire_<name>, fm_wire_put_<name>, fm_wire_get_<name>, FM_WIRE_SIZE_<name> --- */
#define MESSAGE(name) typedef struct fm_wire_##name {
#define FIELD(name, type, member) fm_wire_##type member;
#define ARRAY(name, type, member, count) fm_wire_##type member[count];
#define TEXT(name, member, size) char member[size];
#define END(name)                                                                                                      \
    }                                                                                                                  \
    fm_wire_##name;                                                                                                    \
    void fm_wire_put_##name(fm_wire_out *out, const fm_wire_##name *message);                                          \
    int fm_wire_get_##name(fm_wire_in *in, fm_wire_##name *message); /* 0: see in->fault */
#include "server/wire_table.h"
#undef MESSAGE
#undef FIELD
#undef ARRAY
#undef TEXT
#undef END

#define FM_WIRE_BYTES_u8 1
#define FM_WIRE_BYTES_u16 2
#define FM_WIRE_BYTES_u32 4
#define FM_WIRE_BYTES_u64 8
#define FM_WIRE_BYTES_f32 4
#define FM_WIRE_BYTES_f64 8
enum {
#define MESSAGE(name) FM_WIRE_SIZE_##name = 0
#define FIELD(name, type, member) +FM_WIRE_BYTES_##type
#define ARRAY(name, type, member, count) +FM_WIRE_BYTES_##type *(count)
#define TEXT(name, member, size) +(size)
#define END(name) ,
#include "server/wire_table.h"
#undef MESSAGE
#undef FIELD
#undef ARRAY
#undef TEXT
#undef END
    FM_WIRE_SIZES
};

/* --- datagrams --- */
typedef struct fm_wire_header {
    uint8_t major, flags;
    uint16_t type;
    uint32_t length;   /* bytes of the whole datagram */
    uint32_t sequence; /* per session and direction, from 1; 0 before WELCOME */
    uint64_t token;    /* of the session; 0 before WELCOME */
    uint64_t time;     /* 0.1 ms of simulation */
    uint16_t source, destination;
    uint32_t crc;
} fm_wire_header;

/* Keyed hash of 16 bytes (BLAKE2b): a parameter, so that this file needs no library. */
typedef void fm_wire_hash(const uint8_t key[FM_WIRE_KEY], const uint8_t *bytes, size_t size, uint8_t mac[FM_WIRE_MAC]);

/* Begins a datagram in `bytes`: reserves space for the header, and for the MAC in what may be written. */
fm_wire_out fm_wire_begin(uint8_t bytes[FM_WIRE_MOST]);
/* Writes header, MAC (if a key is given) and CRC around the payload; returns the length; 0: it did not fit. */
size_t fm_wire_finish(fm_wire_out *out, const fm_wire_header *header, const uint8_t *key, fm_wire_hash *hash);

/* All checks that need no knowledge of the sender: length, magic, version, type, direction, length of the payload, CRC.
 * `from_server`: its direction. *payload: the bytes between header and MAC. */
fm_wire_fault fm_wire_open(const uint8_t *bytes, size_t size, int from_server, fm_wire_header *header,
                           fm_wire_in *payload);
/* Whether the MAC of an opened datagram matches the key. A datagram without a MAC is refused. */
int fm_wire_is_sealed(const uint8_t *bytes, const fm_wire_header *header, const uint8_t *key, fm_wire_hash *hash);

uint32_t fm_wire_crc32c(uint32_t crc, const void *bytes, size_t size); /* begin with 0 */

/* Sequence numbers received: 64 back from the newest. 1: new, and remembered; 0: repeated, too old, or 0. */
typedef struct fm_wire_window {
    uint32_t newest;
    uint64_t seen; /* bit i: newest − i */
} fm_wire_window;
int fm_wire_window_take(fm_wire_window *window, uint32_t sequence);

#endif
