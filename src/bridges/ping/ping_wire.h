/* Blue Robotics' Ping protocol: frames and numbers. No input or output. docs/ping.md documents it.
 *
 * A frame: 'B' 'R', size of the payload, id, sender, receiver, payload, sum of all bytes before; little-endian. */
#ifndef FM_BRIDGES_PING_PING_WIRE_H
#define FM_BRIDGES_PING_PING_WIRE_H

#include <stddef.h>
#include <stdint.h>

enum {
    FM_PING_HEAD = 8,
    FM_PING_SUM = 2,
    FM_PING_SAMPLES = 1200,                                                        /* of a Ping360's answer, at most */
    FM_PING_MOST = FM_PING_HEAD + 20 /* of 2301 */ + FM_PING_SAMPLES + FM_PING_SUM /* bytes of a frame sent */
};

/* Ids, as in the definitions of the protocol. */
enum {
    FM_PING_ACK = 1,
    FM_PING_NACK = 2,
    FM_PING_DEVICE_INFORMATION = 4,
    FM_PING_PROTOCOL_VERSION = 5,
    FM_PING_GENERAL_REQUEST = 6,
    FM_PING_SET_DEVICE_ID = 100,

    FM_PING_1D_SET_DEVICE_ID = 1000,
    FM_PING_1D_SET_RANGE = 1001,
    FM_PING_1D_SET_SPEED_OF_SOUND = 1002,
    FM_PING_1D_SET_MODE_AUTO = 1003,
    FM_PING_1D_SET_PING_INTERVAL = 1004,
    FM_PING_1D_SET_GAIN_SETTING = 1005,
    FM_PING_1D_SET_PING_ENABLE = 1006,
    FM_PING_1D_GOTO_BOOTLOADER = 1100,
    FM_PING_1D_FIRMWARE_VERSION = 1200,
    FM_PING_1D_DEVICE_ID = 1201,
    FM_PING_1D_VOLTAGE_5 = 1202,
    FM_PING_1D_SPEED_OF_SOUND = 1203,
    FM_PING_1D_RANGE = 1204,
    FM_PING_1D_MODE_AUTO = 1205,
    FM_PING_1D_PING_INTERVAL = 1206,
    FM_PING_1D_GAIN_SETTING = 1207,
    FM_PING_1D_TRANSMIT_DURATION = 1208,
    FM_PING_1D_GENERAL_INFO = 1210,
    FM_PING_1D_DISTANCE_SIMPLE = 1211,
    FM_PING_1D_DISTANCE = 1212,
    FM_PING_1D_PROCESSOR_TEMPERATURE = 1213,
    FM_PING_1D_PCB_TEMPERATURE = 1214,
    FM_PING_1D_PING_ENABLE = 1215,
    FM_PING_1D_PROFILE = 1300,
    FM_PING_1D_CONTINUOUS_START = 1400,
    FM_PING_1D_CONTINUOUS_STOP = 1401,

    FM_PING_360_SET_DEVICE_ID = 2000,
    FM_PING_360_DEVICE_DATA = 2300,
    FM_PING_360_AUTO_DEVICE_DATA = 2301,
    FM_PING_360_RESET = 2600,
    FM_PING_360_TRANSDUCER = 2601,
    FM_PING_360_AUTO_TRANSMIT = 2602,
    FM_PING_360_MOTOR_OFF = 2903
};

/* --- reading --- */
typedef struct fm_ping_frame {
    uint16_t id;
    uint8_t from, to;
    uint16_t size;          /* of the payload */
    const uint8_t *payload; /* in the bytes that were read */
} fm_ping_frame;

typedef enum fm_ping_fault {
    FM_PING_FINE,
    FM_PING_EMPTY,        /* no fault: nothing is left */
    FM_PING_FAULT_NOISE,  /* bytes between frames */
    FM_PING_FAULT_LENGTH, /* the datagram ends before the frame */
    FM_PING_FAULT_CHECKSUM,
    FM_PING_FAULTS
} fm_ping_fault;
const char *fm_ping_fault_name(fm_ping_fault fault); /* "noise", "length" … */

/* The first frame of a datagram, or what is wrong. *used: number of bytes consumed, at least 1 if `size` is. */
fm_ping_fault fm_ping_open(const uint8_t *bytes, size_t size, fm_ping_frame *frame, size_t *used);

/* A number of the payload; 0 after its end. */
uint32_t fm_ping_number(const fm_ping_frame *frame, size_t offset, size_t width);

/* --- writing: begin, add, end --- */
typedef struct fm_ping_message {
    size_t size; /* 0: none */
    uint8_t bytes[FM_PING_MOST];
} fm_ping_message;

void fm_ping_begin(fm_ping_message *message, uint16_t id, uint8_t from, uint8_t to);
void fm_ping_add(fm_ping_message *message, size_t width, uint32_t value);
void fm_ping_add_bytes(fm_ping_message *message, const void *bytes, size_t size); /* what does not fit is left out */
void fm_ping_end(fm_ping_message *message);

#endif
