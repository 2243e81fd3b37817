/* Messages that Fathom supports of MAVLink's common.xml, and VISION_POSITION_DELTA of ArduPilot's dialect, in the order
 * of their bytes: MESSAGE(name, NAME, id, CRC_EXTRA), then FIELD(name, type, member), ARRAY(…, count) and TEXT(…,
 * size); FIELD2 and ARRAY2 are MAVLink 2 extensions, which CRC_EXTRA does not cover. Units are given with the members.
 * Included several times: undefined macros expand to nothing, FIELD2 and ARRAY2 default to FIELD and ARRAY, and all are
 * undefined at the end. */
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

MESSAGE(set_mode, SET_MODE, 11, 89)
FIELD(set_mode, u32, custom_mode)
FIELD(set_mode, u8, target_system)
FIELD(set_mode, u8, base_mode)
END(set_mode)

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

MESSAGE(mission_request_partial_list, MISSION_REQUEST_PARTIAL_LIST, 37, 212)
FIELD(mission_request_partial_list, i16, start_index)
FIELD(mission_request_partial_list, i16, end_index)
FIELD(mission_request_partial_list, u8, target_system)
FIELD(mission_request_partial_list, u8, target_component)
FIELD2(mission_request_partial_list, u8, mission_type)
END(mission_request_partial_list)

MESSAGE(mission_write_partial_list, MISSION_WRITE_PARTIAL_LIST, 38, 9)
FIELD(mission_write_partial_list, i16, start_index)
FIELD(mission_write_partial_list, i16, end_index)
FIELD(mission_write_partial_list, u8, target_system)
FIELD(mission_write_partial_list, u8, target_component)
FIELD2(mission_write_partial_list, u8, mission_type)
END(mission_write_partial_list)

MESSAGE(mission_item, MISSION_ITEM, 39, 254)
FIELD(mission_item, f32, param1)
FIELD(mission_item, f32, param2)
FIELD(mission_item, f32, param3)
FIELD(mission_item, f32, param4)
FIELD(mission_item, f32, x)
FIELD(mission_item, f32, y)
FIELD(mission_item, f32, z) /* m */
FIELD(mission_item, u16, seq)
FIELD(mission_item, u16, command)
FIELD(mission_item, u8, target_system)
FIELD(mission_item, u8, target_component)
FIELD(mission_item, u8, frame)
FIELD(mission_item, u8, current)
FIELD(mission_item, u8, autocontinue)
FIELD2(mission_item, u8, mission_type)
END(mission_item)

MESSAGE(mission_request, MISSION_REQUEST, 40, 230)
FIELD(mission_request, u16, seq)
FIELD(mission_request, u8, target_system)
FIELD(mission_request, u8, target_component)
FIELD2(mission_request, u8, mission_type)
END(mission_request)

MESSAGE(mission_set_current, MISSION_SET_CURRENT, 41, 28)
FIELD(mission_set_current, u16, seq)
FIELD(mission_set_current, u8, target_system)
FIELD(mission_set_current, u8, target_component)
END(mission_set_current)

MESSAGE(mission_current, MISSION_CURRENT, 42, 28)
FIELD(mission_current, u16, seq)
FIELD2(mission_current, u16, total)
FIELD2(mission_current, u8, mission_state)
FIELD2(mission_current, u8, mission_mode)
FIELD2(mission_current, u32, mission_id)
FIELD2(mission_current, u32, fence_id)
FIELD2(mission_current, u32, rally_points_id)
END(mission_current)

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

MESSAGE(mission_clear_all, MISSION_CLEAR_ALL, 45, 232)
FIELD(mission_clear_all, u8, target_system)
FIELD(mission_clear_all, u8, target_component)
FIELD2(mission_clear_all, u8, mission_type)
END(mission_clear_all)

MESSAGE(mission_item_reached, MISSION_ITEM_REACHED, 46, 11)
FIELD(mission_item_reached, u16, seq)
END(mission_item_reached)

MESSAGE(mission_ack, MISSION_ACK, 47, 153)
FIELD(mission_ack, u8, target_system)
FIELD(mission_ack, u8, target_component)
FIELD(mission_ack, u8, type)
FIELD2(mission_ack, u8, mission_type)
FIELD2(mission_ack, u32, opaque_id)
END(mission_ack)

MESSAGE(mission_request_int, MISSION_REQUEST_INT, 51, 196)
FIELD(mission_request_int, u16, seq)
FIELD(mission_request_int, u8, target_system)
FIELD(mission_request_int, u8, target_component)
FIELD2(mission_request_int, u8, mission_type)
END(mission_request_int)

MESSAGE(manual_control, MANUAL_CONTROL, 69, 243)
FIELD(manual_control, i16, x)
FIELD(manual_control, i16, y)
FIELD(manual_control, i16, z)
FIELD(manual_control, i16, r)
FIELD(manual_control, u16, buttons)
FIELD(manual_control, u8, target)
FIELD2(manual_control, u16, buttons2)
FIELD2(manual_control, u8, enabled_extensions)
FIELD2(manual_control, i16, s)
FIELD2(manual_control, i16, t)
FIELD2(manual_control, i16, aux1)
FIELD2(manual_control, i16, aux2)
FIELD2(manual_control, i16, aux3)
FIELD2(manual_control, i16, aux4)
FIELD2(manual_control, i16, aux5)
FIELD2(manual_control, i16, aux6)
END(manual_control)

MESSAGE(rc_channels_override, RC_CHANNELS_OVERRIDE, 70, 124)
FIELD(rc_channels_override, u16, chan1_raw) /* us */
FIELD(rc_channels_override, u16, chan2_raw) /* us */
FIELD(rc_channels_override, u16, chan3_raw) /* us */
FIELD(rc_channels_override, u16, chan4_raw) /* us */
FIELD(rc_channels_override, u16, chan5_raw) /* us */
FIELD(rc_channels_override, u16, chan6_raw) /* us */
FIELD(rc_channels_override, u16, chan7_raw) /* us */
FIELD(rc_channels_override, u16, chan8_raw) /* us */
FIELD(rc_channels_override, u8, target_system)
FIELD(rc_channels_override, u8, target_component)
FIELD2(rc_channels_override, u16, chan9_raw) /* us */
FIELD2(rc_channels_override, u16, chan10_raw) /* us */
FIELD2(rc_channels_override, u16, chan11_raw) /* us */
FIELD2(rc_channels_override, u16, chan12_raw) /* us */
FIELD2(rc_channels_override, u16, chan13_raw) /* us */
FIELD2(rc_channels_override, u16, chan14_raw) /* us */
FIELD2(rc_channels_override, u16, chan15_raw) /* us */
FIELD2(rc_channels_override, u16, chan16_raw) /* us */
FIELD2(rc_channels_override, u16, chan17_raw) /* us */
FIELD2(rc_channels_override, u16, chan18_raw) /* us */
END(rc_channels_override)

MESSAGE(mission_item_int, MISSION_ITEM_INT, 73, 38)
FIELD(mission_item_int, f32, param1)
FIELD(mission_item_int, f32, param2)
FIELD(mission_item_int, f32, param3)
FIELD(mission_item_int, f32, param4)
FIELD(mission_item_int, i32, x)
FIELD(mission_item_int, i32, y)
FIELD(mission_item_int, f32, z) /* m */
FIELD(mission_item_int, u16, seq)
FIELD(mission_item_int, u16, command)
FIELD(mission_item_int, u8, target_system)
FIELD(mission_item_int, u8, target_component)
FIELD(mission_item_int, u8, frame)
FIELD(mission_item_int, u8, current)
FIELD(mission_item_int, u8, autocontinue)
FIELD2(mission_item_int, u8, mission_type)
END(mission_item_int)

MESSAGE(vfr_hud, VFR_HUD, 74, 20)
FIELD(vfr_hud, f32, airspeed) /* m/s */
FIELD(vfr_hud, f32, groundspeed) /* m/s */
FIELD(vfr_hud, f32, alt) /* m */
FIELD(vfr_hud, f32, climb) /* m/s */
FIELD(vfr_hud, i16, heading) /* deg */
FIELD(vfr_hud, u16, throttle) /* % */
END(vfr_hud)

MESSAGE(command_int, COMMAND_INT, 75, 158)
FIELD(command_int, f32, param1)
FIELD(command_int, f32, param2)
FIELD(command_int, f32, param3)
FIELD(command_int, f32, param4)
FIELD(command_int, i32, x)
FIELD(command_int, i32, y)
FIELD(command_int, f32, z)
FIELD(command_int, u16, command)
FIELD(command_int, u8, target_system)
FIELD(command_int, u8, target_component)
FIELD(command_int, u8, frame)
FIELD(command_int, u8, current)
FIELD(command_int, u8, autocontinue)
END(command_int)

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

MESSAGE(set_attitude_target, SET_ATTITUDE_TARGET, 82, 49)
FIELD(set_attitude_target, u32, time_boot_ms) /* ms */
ARRAY(set_attitude_target, f32, q, 4)
FIELD(set_attitude_target, f32, body_roll_rate) /* rad/s */
FIELD(set_attitude_target, f32, body_pitch_rate) /* rad/s */
FIELD(set_attitude_target, f32, body_yaw_rate) /* rad/s */
FIELD(set_attitude_target, f32, thrust)
FIELD(set_attitude_target, u8, target_system)
FIELD(set_attitude_target, u8, target_component)
FIELD(set_attitude_target, u8, type_mask)
ARRAY2(set_attitude_target, f32, thrust_body, 3)
END(set_attitude_target)

MESSAGE(set_position_target_local_ned, SET_POSITION_TARGET_LOCAL_NED, 84, 143)
FIELD(set_position_target_local_ned, u32, time_boot_ms) /* ms */
FIELD(set_position_target_local_ned, f32, x) /* m */
FIELD(set_position_target_local_ned, f32, y) /* m */
FIELD(set_position_target_local_ned, f32, z) /* m */
FIELD(set_position_target_local_ned, f32, vx) /* m/s */
FIELD(set_position_target_local_ned, f32, vy) /* m/s */
FIELD(set_position_target_local_ned, f32, vz) /* m/s */
FIELD(set_position_target_local_ned, f32, afx) /* m/s/s */
FIELD(set_position_target_local_ned, f32, afy) /* m/s/s */
FIELD(set_position_target_local_ned, f32, afz) /* m/s/s */
FIELD(set_position_target_local_ned, f32, yaw) /* rad */
FIELD(set_position_target_local_ned, f32, yaw_rate) /* rad/s */
FIELD(set_position_target_local_ned, u16, type_mask)
FIELD(set_position_target_local_ned, u8, target_system)
FIELD(set_position_target_local_ned, u8, target_component)
FIELD(set_position_target_local_ned, u8, coordinate_frame)
END(set_position_target_local_ned)

MESSAGE(set_position_target_global_int, SET_POSITION_TARGET_GLOBAL_INT, 86, 5)
FIELD(set_position_target_global_int, u32, time_boot_ms) /* ms */
FIELD(set_position_target_global_int, i32, lat_int) /* degE7 */
FIELD(set_position_target_global_int, i32, lon_int) /* degE7 */
FIELD(set_position_target_global_int, f32, alt) /* m */
FIELD(set_position_target_global_int, f32, vx) /* m/s */
FIELD(set_position_target_global_int, f32, vy) /* m/s */
FIELD(set_position_target_global_int, f32, vz) /* m/s */
FIELD(set_position_target_global_int, f32, afx) /* m/s/s */
FIELD(set_position_target_global_int, f32, afy) /* m/s/s */
FIELD(set_position_target_global_int, f32, afz) /* m/s/s */
FIELD(set_position_target_global_int, f32, yaw) /* rad */
FIELD(set_position_target_global_int, f32, yaw_rate) /* rad/s */
FIELD(set_position_target_global_int, u16, type_mask)
FIELD(set_position_target_global_int, u8, target_system)
FIELD(set_position_target_global_int, u8, target_component)
FIELD(set_position_target_global_int, u8, coordinate_frame)
END(set_position_target_global_int)

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

MESSAGE(file_transfer_protocol, FILE_TRANSFER_PROTOCOL, 110, 84)
FIELD(file_transfer_protocol, u8, target_network)
FIELD(file_transfer_protocol, u8, target_system)
FIELD(file_transfer_protocol, u8, target_component)
ARRAY(file_transfer_protocol, u8, payload, 251)
END(file_transfer_protocol)

MESSAGE(timesync, TIMESYNC, 111, 34)
FIELD(timesync, i64, tc1) /* ns */
FIELD(timesync, i64, ts1) /* ns */
FIELD2(timesync, u8, target_system)
FIELD2(timesync, u8, target_component)
END(timesync)

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

MESSAGE(log_request_list, LOG_REQUEST_LIST, 117, 128)
FIELD(log_request_list, u16, start)
FIELD(log_request_list, u16, end)
FIELD(log_request_list, u8, target_system)
FIELD(log_request_list, u8, target_component)
END(log_request_list)

MESSAGE(log_entry, LOG_ENTRY, 118, 56)
FIELD(log_entry, u32, time_utc) /* s */
FIELD(log_entry, u32, size) /* bytes */
FIELD(log_entry, u16, id)
FIELD(log_entry, u16, num_logs)
FIELD(log_entry, u16, last_log_num)
END(log_entry)

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

MESSAGE(param_error, PARAM_ERROR, 345, 209)
FIELD(param_error, i16, param_index)
FIELD(param_error, u8, target_system)
FIELD(param_error, u8, target_component)
TEXT(param_error, param_id, 16)
FIELD(param_error, u8, error)
END(param_error)

MESSAGE(available_modes, AVAILABLE_MODES, 435, 134)
FIELD(available_modes, u32, custom_mode)
FIELD(available_modes, u32, properties)
FIELD(available_modes, u8, number_modes)
FIELD(available_modes, u8, mode_index)
FIELD(available_modes, u8, standard_mode)
TEXT(available_modes, mode_name, 35)
END(available_modes)

MESSAGE(current_mode, CURRENT_MODE, 436, 193)
FIELD(current_mode, u32, custom_mode)
FIELD(current_mode, u32, intended_custom_mode)
FIELD(current_mode, u8, standard_mode)
END(current_mode)

MESSAGE(vision_position_delta, VISION_POSITION_DELTA, 11011, 106)
FIELD(vision_position_delta, u64, time_usec) /* us */
FIELD(vision_position_delta, u64, time_delta_usec) /* us */
ARRAY(vision_position_delta, f32, angle_delta, 3) /* rad */
ARRAY(vision_position_delta, f32, position_delta, 3) /* m */
FIELD(vision_position_delta, f32, confidence) /* % */
END(vision_position_delta)

#undef MESSAGE
#undef FIELD
#undef ARRAY
#undef TEXT
#undef FIELD2
#undef ARRAY2
#undef END
/* clang-format on */
