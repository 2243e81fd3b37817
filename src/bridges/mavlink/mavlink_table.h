/* Messages of MAVLink's common.xml that Fathom supports, in the order of their bytes: MESSAGE(name, NAME, id,
 * CRC_EXTRA), then FIELD(name, type, member), ARRAY(…, count) and TEXT(…, size); FIELD2 and ARRAY2 are MAVLink 2
 * extensions, which CRC_EXTRA does not cover. Units are given with the members. Included several times: undefined
 * macros expand to nothing, FIELD2 and ARRAY2 default to FIELD and ARRAY, and all are undefined at the end. */
/* clang-format off */
#ifndef FIELD2
#define FIELD2 FIELD
#define ARRAY2 ARRAY
#endif
#ifndef FIELD
#define FIELD(name, type, member)
#define ARRAY(name, type, member, count)
#define TEXT(name, member, size)
#endif
#ifndef END
#define END(name)
#endif

MESSAGE(heartbeat, HEARTBEAT, 0, 50)
FIELD(heartbeat, u32, custom_mode)
FIELD(heartbeat, u8, type)
FIELD(heartbeat, u8, autopilot)
FIELD(heartbeat, u8, base_mode)
FIELD(heartbeat, u8, system_status)
FIELD(heartbeat, u8, mavlink_version)
END(heartbeat)

MESSAGE(sys_status, SYS_STATUS, 1, 124)
FIELD(sys_status, u32, onboard_control_sensors_present)
FIELD(sys_status, u32, onboard_control_sensors_enabled)
FIELD(sys_status, u32, onboard_control_sensors_health)
FIELD(sys_status, u16, load) /* d% */
FIELD(sys_status, u16, voltage_battery) /* mV */
FIELD(sys_status, i16, current_battery) /* cA */
FIELD(sys_status, u16, drop_rate_comm) /* c% */
FIELD(sys_status, u16, errors_comm)
FIELD(sys_status, u16, errors_count1)
FIELD(sys_status, u16, errors_count2)
FIELD(sys_status, u16, errors_count3)
FIELD(sys_status, u16, errors_count4)
FIELD(sys_status, i8, battery_remaining) /* % */
FIELD2(sys_status, u32, onboard_control_sensors_present_extended)
FIELD2(sys_status, u32, onboard_control_sensors_enabled_extended)
FIELD2(sys_status, u32, onboard_control_sensors_health_extended)
END(sys_status)

MESSAGE(system_time, SYSTEM_TIME, 2, 137)
FIELD(system_time, u64, time_unix_usec) /* us */
FIELD(system_time, u32, time_boot_ms) /* ms */
END(system_time)

MESSAGE(ping, PING, 4, 237)
FIELD(ping, u64, time_usec) /* us */
FIELD(ping, u32, seq)
FIELD(ping, u8, target_system)
FIELD(ping, u8, target_component)
END(ping)

MESSAGE(param_request_read, PARAM_REQUEST_READ, 20, 214)
FIELD(param_request_read, i16, param_index)
FIELD(param_request_read, u8, target_system)
FIELD(param_request_read, u8, target_component)
TEXT(param_request_read, param_id, 16)
END(param_request_read)

MESSAGE(param_request_list, PARAM_REQUEST_LIST, 21, 159)
FIELD(param_request_list, u8, target_system)
FIELD(param_request_list, u8, target_component)
END(param_request_list)

MESSAGE(param_value, PARAM_VALUE, 22, 220)
FIELD(param_value, f32, param_value)
FIELD(param_value, u16, param_count)
FIELD(param_value, u16, param_index)
TEXT(param_value, param_id, 16)
FIELD(param_value, u8, param_type)
END(param_value)

MESSAGE(param_set, PARAM_SET, 23, 168)
FIELD(param_set, f32, param_value)
FIELD(param_set, u8, target_system)
FIELD(param_set, u8, target_component)
TEXT(param_set, param_id, 16)
FIELD(param_set, u8, param_type)
END(param_set)

MESSAGE(gps_raw_int, GPS_RAW_INT, 24, 24)
FIELD(gps_raw_int, u64, time_usec) /* us */
FIELD(gps_raw_int, i32, lat) /* degE7 */
FIELD(gps_raw_int, i32, lon) /* degE7 */
FIELD(gps_raw_int, i32, alt) /* mm */
FIELD(gps_raw_int, u16, eph)
FIELD(gps_raw_int, u16, epv)
FIELD(gps_raw_int, u16, vel) /* cm/s */
FIELD(gps_raw_int, u16, cog) /* cdeg */
FIELD(gps_raw_int, u8, fix_type)
FIELD(gps_raw_int, u8, satellites_visible)
FIELD2(gps_raw_int, i32, alt_ellipsoid) /* mm */
FIELD2(gps_raw_int, u32, h_acc) /* mm */
FIELD2(gps_raw_int, u32, v_acc) /* mm */
FIELD2(gps_raw_int, u32, vel_acc) /* mm/s */
FIELD2(gps_raw_int, u32, hdg_acc) /* degE5 */
FIELD2(gps_raw_int, u16, yaw) /* cdeg */
END(gps_raw_int)

MESSAGE(scaled_pressure, SCALED_PRESSURE, 29, 115)
FIELD(scaled_pressure, u32, time_boot_ms) /* ms */
FIELD(scaled_pressure, f32, press_abs) /* hPa */
FIELD(scaled_pressure, f32, press_diff) /* hPa */
FIELD(scaled_pressure, i16, temperature) /* cdegC */
FIELD2(scaled_pressure, i16, temperature_press_diff) /* cdegC */
END(scaled_pressure)

MESSAGE(attitude, ATTITUDE, 30, 39)
FIELD(attitude, u32, time_boot_ms) /* ms */
FIELD(attitude, f32, roll) /* rad */
FIELD(attitude, f32, pitch) /* rad */
FIELD(attitude, f32, yaw) /* rad */
FIELD(attitude, f32, rollspeed) /* rad/s */
FIELD(attitude, f32, pitchspeed) /* rad/s */
FIELD(attitude, f32, yawspeed) /* rad/s */
END(attitude)

MESSAGE(local_position_ned, LOCAL_POSITION_NED, 32, 185)
FIELD(local_position_ned, u32, time_boot_ms) /* ms */
FIELD(local_position_ned, f32, x) /* m */
FIELD(local_position_ned, f32, y) /* m */
FIELD(local_position_ned, f32, z) /* m */
FIELD(local_position_ned, f32, vx) /* m/s */
FIELD(local_position_ned, f32, vy) /* m/s */
FIELD(local_position_ned, f32, vz) /* m/s */
END(local_position_ned)

MESSAGE(global_position_int, GLOBAL_POSITION_INT, 33, 104)
FIELD(global_position_int, u32, time_boot_ms) /* ms */
FIELD(global_position_int, i32, lat) /* degE7 */
FIELD(global_position_int, i32, lon) /* degE7 */
FIELD(global_position_int, i32, alt) /* mm */
FIELD(global_position_int, i32, relative_alt) /* mm */
FIELD(global_position_int, i16, vx) /* cm/s */
FIELD(global_position_int, i16, vy) /* cm/s */
FIELD(global_position_int, i16, vz) /* cm/s */
FIELD(global_position_int, u16, hdg) /* cdeg */
END(global_position_int)

MESSAGE(mission_request_list, MISSION_REQUEST_LIST, 43, 132)
FIELD(mission_request_list, u8, target_system)
FIELD(mission_request_list, u8, target_component)
FIELD2(mission_request_list, u8, mission_type)
END(mission_request_list)

MESSAGE(mission_count, MISSION_COUNT, 44, 221)
FIELD(mission_count, u16, count)
FIELD(mission_count, u8, target_system)
FIELD(mission_count, u8, target_component)
FIELD2(mission_count, u8, mission_type)
FIELD2(mission_count, u32, opaque_id)
END(mission_count)

MESSAGE(vfr_hud, VFR_HUD, 74, 20)
FIELD(vfr_hud, f32, airspeed) /* m/s */
FIELD(vfr_hud, f32, groundspeed) /* m/s */
FIELD(vfr_hud, f32, alt) /* m */
FIELD(vfr_hud, f32, climb) /* m/s */
FIELD(vfr_hud, i16, heading) /* deg */
FIELD(vfr_hud, u16, throttle) /* % */
END(vfr_hud)

MESSAGE(command_long, COMMAND_LONG, 76, 152)
FIELD(command_long, f32, param1)
FIELD(command_long, f32, param2)
FIELD(command_long, f32, param3)
FIELD(command_long, f32, param4)
FIELD(command_long, f32, param5)
FIELD(command_long, f32, param6)
FIELD(command_long, f32, param7)
FIELD(command_long, u16, command)
FIELD(command_long, u8, target_system)
FIELD(command_long, u8, target_component)
FIELD(command_long, u8, confirmation)
END(command_long)

MESSAGE(command_ack, COMMAND_ACK, 77, 143)
FIELD(command_ack, u16, command)
FIELD(command_ack, u8, result)
FIELD2(command_ack, u8, progress) /* % */
FIELD2(command_ack, i32, result_param2)
FIELD2(command_ack, u8, target_system)
FIELD2(command_ack, u8, target_component)
END(command_ack)

MESSAGE(hil_actuator_controls, HIL_ACTUATOR_CONTROLS, 93, 47)
FIELD(hil_actuator_controls, u64, time_usec) /* us */
FIELD(hil_actuator_controls, u64, flags)
ARRAY(hil_actuator_controls, f32, controls, 16)
FIELD(hil_actuator_controls, u8, mode)
END(hil_actuator_controls)

MESSAGE(hil_sensor, HIL_SENSOR, 107, 108)
FIELD(hil_sensor, u64, time_usec) /* us */
FIELD(hil_sensor, f32, xacc) /* m/s/s */
FIELD(hil_sensor, f32, yacc) /* m/s/s */
FIELD(hil_sensor, f32, zacc) /* m/s/s */
FIELD(hil_sensor, f32, xgyro) /* rad/s */
FIELD(hil_sensor, f32, ygyro) /* rad/s */
FIELD(hil_sensor, f32, zgyro) /* rad/s */
FIELD(hil_sensor, f32, xmag) /* gauss */
FIELD(hil_sensor, f32, ymag) /* gauss */
FIELD(hil_sensor, f32, zmag) /* gauss */
FIELD(hil_sensor, f32, abs_pressure) /* hPa */
FIELD(hil_sensor, f32, diff_pressure) /* hPa */
FIELD(hil_sensor, f32, pressure_alt)
FIELD(hil_sensor, f32, temperature) /* degC */
FIELD(hil_sensor, u32, fields_updated)
FIELD2(hil_sensor, u8, id)
END(hil_sensor)

MESSAGE(hil_gps, HIL_GPS, 113, 124)
FIELD(hil_gps, u64, time_usec) /* us */
FIELD(hil_gps, i32, lat) /* degE7 */
FIELD(hil_gps, i32, lon) /* degE7 */
FIELD(hil_gps, i32, alt) /* mm */
FIELD(hil_gps, u16, eph)
FIELD(hil_gps, u16, epv)
FIELD(hil_gps, u16, vel) /* cm/s */
FIELD(hil_gps, i16, vn) /* cm/s */
FIELD(hil_gps, i16, ve) /* cm/s */
FIELD(hil_gps, i16, vd) /* cm/s */
FIELD(hil_gps, u16, cog) /* cdeg */
FIELD(hil_gps, u8, fix_type)
FIELD(hil_gps, u8, satellites_visible)
FIELD2(hil_gps, u8, id)
FIELD2(hil_gps, u16, yaw) /* cdeg */
END(hil_gps)

MESSAGE(hil_state_quaternion, HIL_STATE_QUATERNION, 115, 4)
FIELD(hil_state_quaternion, u64, time_usec) /* us */
ARRAY(hil_state_quaternion, f32, attitude_quaternion, 4)
FIELD(hil_state_quaternion, f32, rollspeed) /* rad/s */
FIELD(hil_state_quaternion, f32, pitchspeed) /* rad/s */
FIELD(hil_state_quaternion, f32, yawspeed) /* rad/s */
FIELD(hil_state_quaternion, i32, lat) /* degE7 */
FIELD(hil_state_quaternion, i32, lon) /* degE7 */
FIELD(hil_state_quaternion, i32, alt) /* mm */
FIELD(hil_state_quaternion, i16, vx) /* cm/s */
FIELD(hil_state_quaternion, i16, vy) /* cm/s */
FIELD(hil_state_quaternion, i16, vz) /* cm/s */
FIELD(hil_state_quaternion, u16, ind_airspeed) /* cm/s */
FIELD(hil_state_quaternion, u16, true_airspeed) /* cm/s */
FIELD(hil_state_quaternion, i16, xacc) /* mG */
FIELD(hil_state_quaternion, i16, yacc) /* mG */
FIELD(hil_state_quaternion, i16, zacc) /* mG */
END(hil_state_quaternion)

MESSAGE(distance_sensor, DISTANCE_SENSOR, 132, 85)
FIELD(distance_sensor, u32, time_boot_ms) /* ms */
FIELD(distance_sensor, u16, min_distance) /* cm */
FIELD(distance_sensor, u16, max_distance) /* cm */
FIELD(distance_sensor, u16, current_distance) /* cm */
FIELD(distance_sensor, u8, type)
FIELD(distance_sensor, u8, id)
FIELD(distance_sensor, u8, orientation)
FIELD(distance_sensor, u8, covariance) /* cm^2 */
FIELD2(distance_sensor, f32, horizontal_fov) /* rad */
FIELD2(distance_sensor, f32, vertical_fov) /* rad */
ARRAY2(distance_sensor, f32, quaternion, 4)
FIELD2(distance_sensor, u8, signal_quality) /* % */
END(distance_sensor)

MESSAGE(battery_status, BATTERY_STATUS, 147, 154)
FIELD(battery_status, i32, current_consumed) /* mAh */
FIELD(battery_status, i32, energy_consumed) /* hJ */
FIELD(battery_status, i16, temperature) /* cdegC */
ARRAY(battery_status, u16, voltages, 10) /* mV */
FIELD(battery_status, i16, current_battery) /* cA */
FIELD(battery_status, u8, id)
FIELD(battery_status, u8, battery_function)
FIELD(battery_status, u8, type)
FIELD(battery_status, i8, battery_remaining) /* % */
FIELD2(battery_status, i32, time_remaining) /* s */
FIELD2(battery_status, u8, charge_state)
ARRAY2(battery_status, u16, voltages_ext, 4) /* mV */
FIELD2(battery_status, u8, mode)
FIELD2(battery_status, u32, fault_bitmask)
END(battery_status)

MESSAGE(autopilot_version, AUTOPILOT_VERSION, 148, 178)
FIELD(autopilot_version, u64, capabilities)
FIELD(autopilot_version, u64, uid)
FIELD(autopilot_version, u32, flight_sw_version)
FIELD(autopilot_version, u32, middleware_sw_version)
FIELD(autopilot_version, u32, os_sw_version)
FIELD(autopilot_version, u32, board_version)
FIELD(autopilot_version, u16, vendor_id)
FIELD(autopilot_version, u16, product_id)
ARRAY(autopilot_version, u8, flight_custom_version, 8)
ARRAY(autopilot_version, u8, middleware_custom_version, 8)
ARRAY(autopilot_version, u8, os_custom_version, 8)
ARRAY2(autopilot_version, u8, uid2, 18)
END(autopilot_version)

MESSAGE(home_position, HOME_POSITION, 242, 104)
FIELD(home_position, i32, latitude) /* degE7 */
FIELD(home_position, i32, longitude) /* degE7 */
FIELD(home_position, i32, altitude) /* mm */
FIELD(home_position, f32, x) /* m */
FIELD(home_position, f32, y) /* m */
FIELD(home_position, f32, z) /* m */
ARRAY(home_position, f32, q, 4)
FIELD(home_position, f32, approach_x) /* m */
FIELD(home_position, f32, approach_y) /* m */
FIELD(home_position, f32, approach_z) /* m */
FIELD2(home_position, u64, time_usec) /* us */
END(home_position)

MESSAGE(statustext, STATUSTEXT, 253, 83)
FIELD(statustext, u8, severity)
TEXT(statustext, text, 50)
FIELD2(statustext, u16, id)
FIELD2(statustext, u8, chunk_seq)
END(statustext)

#undef MESSAGE
#undef FIELD
#undef ARRAY
#undef TEXT
#undef FIELD2
#undef ARRAY2
#undef END
/* clang-format on */
