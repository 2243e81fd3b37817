/* The inertial measurement that IMU and INS share. */
#ifndef FM_SENSORS_IMU_H
#define FM_SENSORS_IMU_H

#include "sensors/imperfect.h"

enum { FM_INERTIAL_ATTRS = 6 };
extern const fm_attr fm_gyro_attrs[FM_INERTIAL_ATTRS], fm_accelerometer_attrs[FM_INERTIAL_ATTRS];

/* (I2) Angular velocity (rad/s) and specific force (m/s²) where the instrument sits, in its axes, without error. */
void fm_inertial_truth(const fm_part_context *context, const fm_mount *mount, double rates[3], double force[3]);
/* Attitude of the instrument, w x y z, instrument → world. */
void fm_instrument_attitude(const fm_part_context *context, const fm_mount *mount, double q[4]);

#endif
