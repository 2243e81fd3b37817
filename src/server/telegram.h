/* Records of vehicles' own software, as text: the telemetry record of the NPS AUV (variables and units of the
 * dissertation's Table 6.1) and the hardware record of Snookie (depth, angles and rates; six motor commands). A record
 * is one line of NAME=VALUE, apart by blanks. */
#ifndef FM_SERVER_TELEGRAM_H
#define FM_SERVER_TELEGRAM_H

#include <fathom/server.h>

enum { FM_TELEGRAM_FIELDS = 48, FM_TELEGRAM_TEXT = 2048 };

typedef enum fm_telegram_role {
    FM_TELEGRAM_TIME,     /* elapsed time of the software */
    FM_TELEGRAM_INTERVAL, /* or the time since its last record */
    FM_TELEGRAM_ORDER,    /* for an actuator */
    FM_TELEGRAM_SENSED    /* of the vehicle */
} fm_telegram_role;

/* What measures a variable (telegram_sense.c). One that no instrument of the vehicle measures is the true one; sonar,
 * shafts and lateral line are left out then. */
typedef enum fm_telegram_source {
    FM_TELEGRAM_TRUTH,
    FM_TELEGRAM_POSITION, /* <ins>, <lbl> */
    FM_TELEGRAM_DEPTH,
    FM_TELEGRAM_ANGLE, /* index: roll, pitch, heading */
    FM_TELEGRAM_ANGLE_RATE,
    FM_TELEGRAM_RATE,
    FM_TELEGRAM_WATER_SPEED, /* <speed-log> */
    FM_TELEGRAM_SHAFT,       /* of `actuator` */
    FM_TELEGRAM_RANGE,       /* index: of the first, the second instrument that gives one range */
    FM_TELEGRAM_BEARING,     /* where it looks */
    FM_TELEGRAM_LATERAL      /* index: of the voltage */
} fm_telegram_source;

typedef struct fm_telegram_field {
    const char *name;
    fm_telegram_role role;
    double unit;          /* SI of 1 */
    double most;          /* greatest magnitude that is accepted; 0: any */
    const char *actuator; /* actuator or group that it orders */
    int state;            /* which number of the true state it is (telegram.c) */
    fm_telegram_source source;
    int index;
} fm_telegram_field;

typedef struct fm_telegram {
    uint64_t given;  /* bit i: field i has a value */
    uint64_t silent; /* bit i: its instrument has none: dead, or nothing measured yet; written without a value */
    double values[FM_TELEGRAM_FIELDS];
} fm_telegram;

/* The fields of a form, *count of them. */
const fm_telegram_field *fm_telegram_fields(fm_telegram_form form, size_t *count);
/* Reads `size` bytes of text. Names that are not of the form, numbers that are not finite or out of range are refused.
 * A name without a value ("x=") is not given. */
fm_status fm_telegram_read(fm_telegram_form form, const char *text, size_t size, fm_telegram *record, fm_error *error);
/* Writes all fields that are given, as text that reads back to the same numbers; returns its length. */
size_t fm_telegram_write(fm_telegram_form form, const fm_telegram *record, char *text, size_t size);
/* What the instruments of a vehicle show of a variable, SI. 1: *value; 0: its instrument has none; -1: there is no such
 * instrument. */
int fm_telegram_sense(const fm_world *world, int slot, const fm_telegram_field *field, double *value);
/* Fills in the sensors that the record lacks, from a vehicle. */
void fm_telegram_fill(fm_telegram_form form, const fm_world *world, int slot, fm_telegram *record);

#endif
