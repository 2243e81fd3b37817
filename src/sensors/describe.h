/* Instruments for a kernel that reckons by them (physics/navigated.h): each with its up to two records of errors, all
 * but channel, period and what is around. Why the kernel cannot take it, NULL: it can. */
#ifndef FM_SENSORS_DESCRIBE_H
#define FM_SENSORS_DESCRIBE_H

#include "physics/navigated.h"

const char *fm_imu_describe(const void *config, fm_navigated_instrument *p, fm_flawed flaws[2]);
const char *fm_ins_describe(const void *config, fm_navigated_instrument *p, fm_flawed flaws[2]);
const char *fm_compass_describe(const void *config, fm_navigated_instrument *p, fm_flawed flaws[2]);
const char *fm_depth_describe(const void *config, fm_navigated_instrument *p, fm_flawed flaws[2]);
const char *fm_speed_log_describe(const void *config, fm_navigated_instrument *p, fm_flawed flaws[2]);
const char *fm_dvl_describe(const void *config, fm_navigated_instrument *p, fm_flawed flaws[2]);

#endif
