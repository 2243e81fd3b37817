/* DIS, IEEE 1278.1: conversion of the supported PDUs between bytes and structs, without any input or output. Versions 6
 * (1998) and 7 (2012) differ here in one byte of the header. All fields are big-endian; docs/dis.md documents it. */
#ifndef FM_BRIDGES_DIS_DIS_WIRE_H
#define FM_BRIDGES_DIS_DIS_WIRE_H

#include <stddef.h>
#include <stdint.h>

enum {
    FM_DIS_PORT = 3000,
    FM_DIS_MOST = 8192, /* bytes of a PDU */
    FM_DIS_HEADER = 12,
    FM_DIS_ENTITY_SIZE = 144, /* bytes of an Entity State without articulated parts */
    FM_DIS_PART_SIZE = 16,
    FM_DIS_PARTS_MOST = 255,
    FM_DIS_SHAFTS_MOST = 32,
    FM_DIS_PASSIVES_MOST = 32,
    FM_DIS_SYSTEMS_MOST = 16,
    FM_DIS_BEAMS_MOST = 32 /* of all systems of a PDU */
};

typedef enum fm_dis_pdu_type {
    FM_DIS_ENTITY_STATE = 1,
    FM_DIS_COLLISION = 4,
    FM_DIS_START_RESUME = 13,
    FM_DIS_STOP_FREEZE = 14,
    FM_DIS_ACKNOWLEDGE = 15,
    FM_DIS_ACOUSTIC = 29
} fm_dis_pdu_type;

typedef struct fm_dis_header {
    uint8_t version;    /* 6 or 7 */
    uint8_t exercise;   /* 1 … 255 */
    uint8_t type;       /* fm_dis_pdu_type */
    uint8_t family;     /* follows from the type */
    uint32_t timestamp; /* units of 3600/2^31 s past the hour, times two; odd: by an absolute clock */
    uint16_t length;    /* bytes, including this header; derived from the contents */
    uint8_t status;     /* version 7 alone */
    uint8_t padding;
} fm_dis_header;

/* 0: none; 0xFFFF: all. */
typedef struct fm_dis_id {
    uint16_t site, application, entity;
} fm_dis_id;

typedef struct fm_dis_entity_type {
    uint8_t kind, domain; /* 1: platform; 3: surface, 4: subsurface */
    uint16_t country;
    uint8_t category, subcategory, specific, extra;
} fm_dis_entity_type;

/* An articulated part. */
typedef struct fm_dis_part {
    uint8_t designator; /* 0: articulated, 1: attached; others of version 7 are kept unchanged */
    uint8_t change;     /* goes up with every change */
    uint16_t attached;  /* to this part; 0: the hull */
    uint32_t type;      /* class + metric */
    float value;        /* rad, rad/s, m … by the metric */
    uint32_t rest;
} fm_dis_part;

/* Classes and metrics of part types. */
enum {
    FM_DIS_RUDDER = 1024,
    FM_DIS_SURFACE = 1248,    /* a further control surface */
    FM_DIS_PROPELLER = 1280,  /* + 32 (n − 1), n = 1 … 4 */
    FM_DIS_SAIL_PLANE = 2176, /* left; right: + 32 */
    FM_DIS_BOW_PLANE = 2240,
    FM_DIS_STERN_PLANE = 2304,
    FM_DIS_SENSOR = 5376,        /* "primary radar": any movable antenna or sensor; + 32 (n − 1), n = 1 … 10 */
    FM_DIS_SECOND_TURRET = 5696, /* as above, + 32 (n − 1): used for a thruster, which has no class */
    FM_DIS_POSITION = 1,
    FM_DIS_RATE = 2,
    FM_DIS_EXTENSION = 3,
    FM_DIS_AZIMUTH = 11,
    FM_DIS_ELEVATION = 13,
    FM_DIS_ROTATION_RATE = 16
};

typedef struct fm_dis_entity {
    fm_dis_id id;
    uint8_t force; /* 0 other, 1 friendly, 2 opposing, 3 neutral */
    uint8_t part_count;
    fm_dis_entity_type type, alternative;
    float velocity[3];    /* m/s: geocentric axes; body axes with algorithms 6 to 9 */
    double location[3];   /* m, geocentric */
    float orientation[3]; /* rad: psi, theta, phi, geocentric axes to body */
    uint32_t appearance;
    uint8_t reckoning; /* dead-reckoning algorithm */
    uint8_t reckoning_other[15];
    float acceleration[3]; /* m/s², axes as of the velocity */
    float rates[3];        /* rad/s, body axes */
    uint8_t character_set; /* 1: ASCII */
    char marking[11];      /* NUL padded, not ended */
    uint32_t capabilities;
    fm_dis_part parts[FM_DIS_PARTS_MOST];
} fm_dis_entity;

typedef struct fm_dis_shaft {
    int16_t rpm, ordered;
    int32_t change; /* rpm/min */
} fm_dis_shaft;

/* An additional passive activity: noise other than that of propellers. */
typedef struct fm_dis_passive {
    uint16_t parameter;
    int16_t value;
} fm_dis_passive;

typedef struct fm_dis_beam {
    uint8_t words; /* 32-bit words of this record: 6 */
    uint8_t number;
    uint16_t padding;
    uint16_t emission, pattern;                               /* active emission parameter index, scan pattern */
    float azimuth, azimuth_width, elevation, elevation_width; /* rad */
} fm_dis_beam;

typedef struct fm_dis_system {
    uint8_t words; /* of this system and its beams; derived from them */
    uint8_t beam_count;
    uint16_t padding;
    uint16_t name;
    uint8_t function, id;
    float location[3]; /* m, body axes */
} fm_dis_system;

typedef struct fm_dis_acoustic {
    fm_dis_id emitter, event;
    uint8_t change; /* 0: state, 1: what has changed */
    uint8_t padding;
    uint16_t passive_index;
    uint8_t plant;
    uint8_t shaft_count, passive_count, system_count;
    fm_dis_shaft shafts[FM_DIS_SHAFTS_MOST];
    fm_dis_passive passives[FM_DIS_PASSIVES_MOST];
    fm_dis_system systems[FM_DIS_SYSTEMS_MOST];
    fm_dis_beam beams[FM_DIS_BEAMS_MOST]; /* of the first system, then of the second … */
} fm_dis_acoustic;

typedef struct fm_dis_collision {
    fm_dis_id issuer, other, event;
    uint8_t type; /* 0 inelastic, 1 elastic */
    uint8_t padding;
    float velocity[3]; /* m/s, geocentric axes */
    float mass;        /* kg */
    float location[3]; /* m, body axes of the other */
} fm_dis_collision;

/* A clock: hours since 1970 and the time past the hour, in the units of a timestamp. */
typedef struct fm_dis_clock {
    int32_t hour;
    uint32_t past;
} fm_dis_clock;

typedef struct fm_dis_start {
    fm_dis_id from, to;
    fm_dis_clock real, simulation;
    uint32_t request;
} fm_dis_start;

typedef struct fm_dis_stop {
    fm_dis_id from, to;
    fm_dis_clock real;
    uint8_t reason;    /* 0 other, 1 recess, 2 termination, 3 failure, 5 reconstitution, 6 reset, 7 restart */
    uint8_t behaviour; /* while frozen: 1 the clock runs, 2 transmits, 4 updates */
    uint16_t padding;
    uint32_t request;
} fm_dis_stop;

enum { FM_DIS_ABLE = 1, FM_DIS_UNABLE = 2, FM_DIS_PENDING = 3 };
typedef struct fm_dis_acknowledge {
    fm_dis_id from, to;
    uint16_t flag; /* 3: start, 4: stop */
    uint16_t response;
    uint32_t request;
} fm_dis_acknowledge;

typedef struct fm_dis_pdu {
    fm_dis_header header;
    union {
        fm_dis_entity entity;
        fm_dis_acoustic acoustic;
        fm_dis_collision collision;
        fm_dis_start start;
        fm_dis_stop stop;
        fm_dis_acknowledge acknowledge;
    };
} fm_dis_pdu;

/* What decoding finds. */
typedef enum fm_dis_result {
    FM_DIS_WELL,
    FM_DIS_SHORT,   /* fewer bytes than a header, or than the header declares */
    FM_DIS_VERSION, /* neither 6 nor 7 */
    FM_DIS_LENGTH,  /* the length does not match the contents of the PDU */
    FM_DIS_TYPE,    /* a PDU of another type: only its header was read */
    FM_DIS_ROOM,    /* more records than are kept */
    FM_DIS_VALUE,   /* a number that is not finite, or an algorithm beyond 9 */
    FM_DIS_RESULTS
} fm_dis_result;
const char *fm_dis_result_name(fm_dis_result result); /* "short", "version" … */

/* Reads the PDU at the start of `bytes`. *used: offset of the next PDU in the datagram; 0: unknown. */
fm_dis_result fm_dis_decode(const uint8_t *bytes, size_t size, fm_dis_pdu *pdu, size_t *used);
/* Writes version, exercise, type, timestamp and status of the header unchanged; derives family, length and the lengths
 * of records. Returns the number of bytes written; 0: unsupported type, too many records, or `room` is too small. */
size_t fm_dis_encode(const fm_dis_pdu *pdu, uint8_t *bytes, size_t room);

/* "Entity State" …; NULL: unsupported type. */
const char *fm_dis_type_name(unsigned type);

/* Seconds past any hour ↔ timestamp, to the nearest unit; `absolute`: by a synchronised clock. */
uint32_t fm_dis_timestamp(double seconds, int absolute);
double fm_dis_timestamp_seconds(uint32_t timestamp);
fm_dis_clock fm_dis_clock_from(double seconds); /* since 1970 */

#endif
