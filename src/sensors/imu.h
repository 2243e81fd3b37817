/* The inertial measurement shared by IMU and INS. */
#ifndef FM_SENSORS_IMU_H
#define FM_SENSORS_IMU_H

#include "sensors/imperfect.h"
#include "sensors/inertial.h"

enum { FM_INERTIAL_ATTRS = 14 };
extern const fm_attr fm_gyro_attrs[FM_INERTIAL_ATTRS], fm_accelerometer_attrs[FM_INERTIAL_ATTRS];

/* What inertial instruments measure besides the motion. */
typedef enum fm_earth {
    FM_EARTH_FLAT,   /* nothing: the world is an inertial frame */
    FM_EARTH_TURNING /* the Earth rotates under the world's axes, which stay level wherever the vehicle goes */
} fm_earth;
extern const char *const fm_earth_names[];
#define FM_EARTH_ATTR(its_type)                                                                                        \
    FM_CHOICE_ATTR(its_type, earth, fm_earth_names, "earth", "flat", 0,                                                \
                   "flat: the world's axes are inertial, as for the motion; turning: it feels the rotation and the "   \
                   "roundness of the Earth at the world's latitude")
/* Whether the world is at a latitude where that is defined: within 89 degrees of the equator. */
fm_status fm_earth_check(fm_part_load *load, int64_t earth, fm_error *error);

/* (I2) Angular velocity (rad/s) and specific force (m/s²) at the instrument, in its axes, without error. */
void fm_inertial_truth(const fm_part_context *context, const fm_mount *mount, int64_t earth, double rates[3],
                       double force[3]);

#endif
