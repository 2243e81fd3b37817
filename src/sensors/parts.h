/* The instruments, as parts of a vehicle; src/scenario/built_ins.c lists them. */
#ifndef FM_SENSORS_PARTS_H
#define FM_SENSORS_PARTS_H

#include <fathom/part.h>

extern const fm_part_class fm_imu_class, fm_ins_class, fm_fin_position_class, fm_shaft_rpm_class, fm_compass_class;
extern const fm_part_class fm_pressure_class, fm_depth_class, fm_ctd_class, fm_speed_log_class, fm_gps_class;
extern const fm_part_class fm_battery_class, fm_propulsion_current_class, fm_leak_class, fm_bumper_class;
extern const fm_part_class fm_echosounder_class, fm_dvl_class, fm_sonar_class, fm_infrared_class;
extern const fm_part_class fm_multibeam_class, fm_scanning_sonar_class, fm_profiling_sonar_class, fm_side_scan_class;
extern const fm_part_class fm_camera_class, fm_mine_sonar_class, fm_imu_record_class;

/* m below the surface: depth down to which the antenna of a <gps> receives; from its config. */
double fm_gps_antenna_depth(const void *config);
/* Default position of an antenna, body axes: above the top of the hull. Implemented by the scenario builder. */
void fm_load_antenna(fm_part_load *load, double point[3]);

/* The actuator that a <shaft-rpm> or <fin-position> measures; from its config. */
const char *fm_actuator_sensor_of(const void *config);

#endif
