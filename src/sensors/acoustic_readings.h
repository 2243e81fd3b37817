/* What acoustic instruments give out, for those who read them through fm_sensor_output. SI; world axes NED. The head's
 * time is the moment for which a reading holds. */
#ifndef FM_SENSORS_ACOUSTIC_READINGS_H
#define FM_SENSORS_ACOUSTIC_READINGS_H

#include "sensors/readings.h"

/* Long base line: where the transducer is. */
typedef struct fm_fix_reading {
    fm_reading head;
    double position[3];    /* m, NED */
    double covariance[9];  /* m², NED, by row */
    double gdop;           /* geometric dilution: deviation of the place by that of a range */
    double residual;       /* m, rms of the ranges that were used */
    double used, rejected; /* ranges */
    double pose[36];       /* m²: the covariance as the message has it, east, north, up and rotations */
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

/* A transponder or pinger as seen from the vehicle: short and ultra-short base line. */
typedef struct fm_bearing_reading {
    fm_reading head;
    double range;        /* m; NaN: not known */
    double azimuth;      /* rad, from forward to starboard */
    double elevation;    /* rad, down positive */
    double position[3];  /* m, vehicle's axes from the instrument; without a range a unit vector */
    double deviation[2]; /* rad of a bearing, m of the range, standard */
    double address;      /* of who was heard */
    double snr;          /* dB */
} fm_bearing_reading;

#endif
