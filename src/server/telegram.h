/* Records of vehicles' own software, as text: the telemetry record of the NPS AUV (variables and units of the
 * dissertation's Table 6.1) and the hardware record of Snookie (depth, angles and rates; six motor commands). A record
 * is one line of NAME=VALUE, separated by spaces. */
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

/* What measures a variable (telegram_sense.c). A variable that no instrument of the vehicle measures is the true value;
 * sonar, shafts and lateral line are left out in that case. */
typedef enum fm_telegram_source {
    FM_TELEGRAM_TRUTH,
    FM_TELEGRAM_POSITION, /* <ins>, <lbl> */
    FM_TELEGRAM_DEPTH,
    FM_TELEGRAM_ANGLE, /* index: roll, pitch, heading */
    FM_TELEGRAM_ANGLE_RATE,
    FM_TELEGRAM_RATE,
    FM_TELEGRAM_WATER_SPEED, /* <speed-log> */
    FM_TELEGRAM_SHAFT,       /* of `actuator` */
    FM_TELEGRAM_RANGE,       /* index: first or second instrument that measures a range */
    FM_TELEGRAM_BEARING,     /* where it looks */
    FM_TELEGRAM_LATERAL      /* index: of the voltage */
} fm_telegram_source;

typedef struct fm_telegram_field {
    const char *name;
    fm_telegram_role role;
    double unit;          /* SI of 1 */
    double most;          /* largest magnitude accepted; 0: any */
    const char *actuator; /* actuator or group that it orders */
    int state;            /* number of the true state (telegram.c) */
    fm_telegram_source source;
    int index;
} fm_telegram_field;

typedef struct fm_telegram {
    uint64_t given;  /* bit i: field i has a value */
    uint64_t silent; /* bit i: its instrument has no value, because it is dead or has not measured yet; written without
                      * a value */
    double values[FM_TELEGRAM_FIELDS];
} fm_telegram;

/* The fields of a form, *count of them. */
const fm_telegram_field *fm_telegram_fields(fm_telegram_form form, size_t *count);
/* Parses `size` bytes of text. Refuses names that are not in the form, and numbers that are not finite or out of range.
 * A name without a value ("x=") counts as not given. */
fm_status fm_telegram_read(fm_telegram_form form, const char *text, size_t size, fm_telegram *record, fm_error *error);
/* Writes all given fields as text that reads back to the same numbers; returns its length. */
size_t fm_telegram_write(fm_telegram_form form, const fm_telegram *record, char *text, size_t size);
/* What the instruments of a vehicle measure of a variable, SI. 1: *value; 0: its instrument has no value; -1: no such
 * instrument. */
int fm_telegram_sense(const fm_world *world, int slot, const fm_telegram_field *field, double *value);
/* Fills in the sensors that the record lacks, from a vehicle. */
void fm_telegram_fill(fm_telegram_form form, const fm_world *world, int slot, fm_telegram *record);

#endif
