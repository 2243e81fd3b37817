/* The record that <imu-record> hands to controllers. */
#ifndef FM_SENSORS_IMU_RECORD_H
#define FM_SENSORS_IMU_RECORD_H

typedef struct fm_imu_record {
    double depth;    /* m */
    double euler[3]; /* rad: roll, pitch, yaw */
    double rates[3]; /* rad/s, body axes */
    double forward;  /* m/s over ground, along body x */
} fm_imu_record;

#endif
