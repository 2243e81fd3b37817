/* Outputs of acoustic instruments, for users of fm_sensor_output. SI; world axes NED. The time in the head is that for
 * which the reading is valid. */
#ifndef FM_SENSORS_ACOUSTIC_READINGS_H
#define FM_SENSORS_ACOUSTIC_READINGS_H

#include "sensors/readings.h"

/* Long base line: position of the transducer. */
typedef struct fm_fix_reading {
    fm_reading head;
    double position[3];    /* m, NED */
    double covariance[9];  /* m², NED, by row */
    double gdop;           /* geometric dilution: deviation of the position divided by that of a range */
    double residual;       /* m, rms of the ranges that were used */
    double used, rejected; /* ranges */
    double pose[36];       /* m²: the covariance as in the message, east, north, up and rotations */
} fm_fix_reading;

/* One range from a beacon at a known place. */
typedef struct fm_beacon_reading {
    fm_reading head;
    double range;       /* m */
    double rate;        /* m/s, growing positive */
    double deviation;   /* m of the range, standard */
    double position[3]; /* m, NED: of the beacon, as known */
    double address;     /* of the beacon */
    double snr;         /* dB */
} fm_beacon_reading;

/* A transponder or pinger relative to the vehicle: short and ultra-short base line. */
typedef struct fm_bearing_reading {
    fm_reading head;
    double range;        /* m; NaN: not known */
    double azimuth;      /* rad, from forward to starboard */
    double elevation;    /* rad, down positive */
    double position[3];  /* m, vehicle's axes from the instrument; a unit vector without a range */
    double deviation[2]; /* rad of a bearing, m of the range, standard */
    double address;      /* of who was heard */
    double snr;          /* dB */
} fm_bearing_reading;

#endif
