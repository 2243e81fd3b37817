/* The record that <imu-record> provides to controllers. */
#ifndef FM_SENSORS_IMU_RECORD_H
#define FM_SENSORS_IMU_RECORD_H

#include "sensors/readings.h"

typedef struct fm_imu_record {
    fm_reading head;
    double depth;    /* m */
    double euler[3]; /* rad: roll, pitch, yaw */
    double rates[3]; /* rad/s, instrument axes */
    double forward;  /* m/s over ground, along the instrument's x */
} fm_imu_record;

/* For a kernel that runs a whole chain of parts (control/feeler.h): whether it is free of errors, and its mounting. */
struct fm_feeler;
int fm_imu_record_is_plain(const void *config);
void fm_imu_record_describe(const void *config, struct fm_feeler *p);

#endif
