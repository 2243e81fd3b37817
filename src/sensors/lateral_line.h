/* Output of <lateral-line>: the voltages of its hot thermistors, and their positions. */
#ifndef FM_SENSORS_LATERAL_LINE_H
#define FM_SENSORS_LATERAL_LINE_H

#include <fathom/part.h>

#include "control/lateral_sense.h"
#include "sensors/imperfect.h"
#include "sensors/thermistor.h"

typedef struct fm_lateral_record {
    fm_reading head;
    double voltages[FM_LATERAL_SENSORS];     /* V, with noise */
    double temperatures[FM_LATERAL_SENSORS]; /* K */
    double velocities[FM_LATERAL_SENSORS];   /* m/s, of the water past the hull along the sensor's direction */
} fm_lateral_record;

typedef struct fm_lateral_config {
    fm_health health;         /* live */
    fm_flaws flaws;           /* live: V, of each voltage */
    fm_instrument instrument; /* its mounting is not used: the sensors are on the nose */
    fm_list angles;           /* rad, in the horizontal plane, starboard positive */
    int64_t scheme;
    fm_thermistor thermistor;
    /* derived */
    const void *flow_config;
    int flow_part;
    int count;
    double position[FM_LATERAL_SENSORS][3];  /* m, from the body origin */
    double offset[FM_LATERAL_SENSORS][3];    /* m, from the centre of the nose */
    double direction[FM_LATERAL_SENSORS][3]; /* unit, along the surface */
} fm_lateral_config;

/* Index of the vehicle's lateral line, for loaders; its config in *line. -1 and an error: none. */
int fm_lateral_find(fm_part_load *load, const fm_lateral_config **line, fm_error *error);

#endif
