/* A Ping1D and a Ping360 as their clients meet them: settings, and answers to messages. No input or output, no world;
 * ping_measure.h fills what they report. */
#ifndef FM_BRIDGES_PING_PING_DEVICE_H
#define FM_BRIDGES_PING_PING_DEVICE_H

#include "bridges/ping/ping_wire.h"

enum { FM_PING_POINTS = 200, FM_PING_GAINS = 7 };

/* Factors of a Ping1D's gain settings. */
extern const double fm_ping_gains[FM_PING_GAINS];

/* What a Ping1D has measured last. */
typedef struct fm_ping_profile {
    uint32_t distance;      /* mm; 0: no echo */
    uint16_t confidence;    /* % */
    uint16_t duration;      /* us, of the pulse */
    uint32_t number;        /* of measurements since the start */
    uint32_t start, length; /* mm, of the scan region */
    uint32_t gain;
    uint16_t temperature; /* 0.01 °C, of the water */
    uint8_t data[FM_PING_POINTS];
} fm_ping_profile;

typedef struct fm_ping_1d {
    uint8_t id;
    uint8_t automatic, enabled, gain;
    uint16_t interval;      /* ms between measurements */
    uint32_t start, length; /* mm, of the scan region in manual mode */
    uint32_t sound_speed;   /* mm/s that distances are computed with */
    fm_ping_profile last;
} fm_ping_1d;

/* One transmission of a Ping360. */
typedef struct fm_ping_shot {
    uint8_t mode, gain, transmit;
    uint16_t angle;     /* gradians, 0 … 399 */
    uint16_t duration;  /* us, of the pulse */
    uint16_t period;    /* 25 ns, between samples */
    uint16_t frequency; /* kHz */
    uint16_t samples;
} fm_ping_shot;

typedef struct fm_ping_360 {
    uint8_t id;
    fm_ping_shot shot; /* settings in force */
    uint16_t head;     /* gradians: where the head is */
    int sweeping;      /* auto_transmit */
    uint16_t first, last;
    uint8_t steps; /* gradians */
    uint8_t delay; /* ms */
    int back;      /* the head turns towards `first` */
    uint16_t count;
    uint8_t data[FM_PING_SAMPLES]; /* of the last transmission, `count` of them */
} fm_ping_360;

/* Beyond the answer. */
typedef enum fm_ping_effect {
    FM_PING_NOTHING,
    FM_PING_SHOOT,  /* the answer comes when the transmission is back: *shot */
    FM_PING_STREAM, /* the client gets every measurement from now on */
    FM_PING_CEASE,  /* and no longer */
    FM_PING_UNKNOWN /* a message that the device does not have */
} fm_ping_effect;

void fm_ping_1d_start(fm_ping_1d *device, double range); /* m, of the instrument */
fm_ping_effect fm_ping_1d_take(fm_ping_1d *device, const fm_ping_frame *frame, fm_ping_message *answer);
void fm_ping_1d_report(const fm_ping_1d *device, uint16_t id, uint8_t to, fm_ping_message *message);

void fm_ping_360_start(fm_ping_360 *device, double range);
fm_ping_effect fm_ping_360_take(fm_ping_360 *device, const fm_ping_frame *frame, fm_ping_shot *shot,
                                fm_ping_message *answer);
/* device_data, or auto_device_data. */
void fm_ping_360_report(const fm_ping_360 *device, uint16_t id, uint8_t to, fm_ping_message *message);
/* Turns the head to the next angle of auto_transmit. */
void fm_ping_360_advance(fm_ping_360 *device);
/* s from the command to the answer: the head turns from one angle to another, and the sound returns. */
double fm_ping_360_delay(uint16_t from, const fm_ping_shot *shot);

#endif
