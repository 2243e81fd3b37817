/* Outputs of instruments, for users of fm_sensor_output. All begin with the same head. SI; world axes NED; vectors in
 * the instrument's axes, which are the vehicle's (forward, starboard, down) unless it is mounted otherwise. */
#ifndef FM_SENSORS_READINGS_H
#define FM_SENSORS_READINGS_H

#include <fathom/quantity.h>

typedef struct fm_imu_reading {
    fm_reading head;
    double angular_velocity[3];    /* rad/s */
    double linear_acceleration[3]; /* m/s²: specific force: zero in free fall, −g downwards at rest */
    double orientation[4];         /* w x y z, instrument → world */
} fm_imu_reading;

typedef struct fm_ins_reading {
    fm_reading head;
    double position[3];    /* m, NED */
    double orientation[4]; /* w x y z, instrument → world */
    double velocity[3];    /* m/s over ground, instrument axes */
    double rates[3];       /* rad/s, instrument axes */
} fm_ins_reading;

/* One number: depth (m), heading (rad), pressure (Pa), current (A), leak (0 or 1), actuator position (rad), shaft speed
 * (rad/s), speed through the water (m/s), bumper (0 or 1). */
typedef struct fm_value_reading {
    fm_reading head;
    double value;
    double variance; /* of the value, from the configured noise */
} fm_value_reading;

typedef struct fm_ctd_reading {
    fm_reading head;
    double conductivity; /* S/m */
    double temperature;  /* °C, ITS-90 */
    double pressure;     /* Pa, absolute */
    double salinity;     /* PSS-78, from the three above */
    double sound_speed;  /* m/s, of the water as measured (Chen & Millero) */
} fm_ctd_reading;

/* Echosounder, sonar, infrared. */
typedef struct fm_range_reading {
    fm_reading head;
    double range;                /* m; +infinity: no echo within range, −infinity: closer than the minimum range */
    double radiation;            /* 0 sound, 1 infrared */
    double field_of_view;        /* rad */
    double min_range, max_range; /* m */
    double variance;             /* m² */
} fm_range_reading;

typedef struct fm_dvl_reading {
    fm_reading head;
    double mode;          /* 1: over ground, 2: through the water */
    double velocity[3];   /* m/s */
    double altitude;      /* m above the bottom, from the beams; NaN without lock */
    double speed, course; /* m/s, rad from north; NaN without lock */
    double good_beams;
    double sound_speed; /* m/s */
    double ranges_valid, velocities_valid;
    double range[4];           /* m along each beam; NaN: lost */
    double beam_velocity[4];   /* m/s along each beam, positive when approaching; NaN: lost */
    double beam_direction[12]; /* unit vectors */
} fm_dvl_reading;

typedef struct fm_gps_reading {
    fm_reading head;
    double latitude, longitude; /* deg */
    double altitude;            /* m above the mean surface */
    double status, service;     /* 0: fix; 1: GPS */
    double covariance[9];       /* m², east, north, up */
    double covariance_type;     /* 2: the diagonal is known */
} fm_gps_reading;

typedef struct fm_battery_reading {
    fm_reading head;
    double voltage;    /* V */
    double current;    /* A, negative when discharging */
    double charge;     /* A·h left */
    double capacity;   /* A·h when full */
    double percentage; /* 0 … 1 */
    double status;     /* 2: discharging */
    double present;    /* 1 */
} fm_battery_reading;

#endif
