/* Flight modes, and the numbers that ground stations know them by. docs/mavlink.md, "Modes". No input or output. */
#ifndef FM_BRIDGES_MAVLINK_MAVLINK_MODES_H
#define FM_BRIDGES_MAVLINK_MAVLINK_MODES_H

#include <stdint.h>

typedef enum fm_mav_mode { FM_MAV_MANUAL, FM_MAV_GUIDED, FM_MAV_AUTO, FM_MAV_HOLD, FM_MAV_MODES } fm_mav_mode;

/* Whose numbers HEARTBEAT advertises; values of <bridge autopilot="…">. */
enum { FM_MAV_DIALECT_GENERIC, FM_MAV_DIALECT_PX4 };

const char *fm_mav_mode_name(fm_mav_mode mode); /* "MANUAL" … */
/* custom_mode of HEARTBEAT; `boat`: of a surface vehicle. */
uint32_t fm_mav_mode_number(int dialect, int boat, fm_mav_mode mode);
/* base_mode of HEARTBEAT, without the flag "armed". */
uint8_t fm_mav_mode_flags(fm_mav_mode mode);
/* MAV_STANDARD_MODE; 0: none. */
uint8_t fm_mav_mode_standard(fm_mav_mode mode);
/* MAV_AUTOPILOT of HEARTBEAT. */
uint8_t fm_mav_dialect_autopilot(int dialect);

/* What SET_MODE means, by its number or, where base_mode has none, by its flags; -1: none of ours. */
int fm_mav_mode_find(int dialect, int boat, uint8_t base_mode, uint32_t custom_mode);
/* The same for MAV_CMD_DO_SET_MODE, whose parameters are base mode, main mode and sub-mode. */
int fm_mav_mode_of_command(int dialect, int boat, double base, double main_mode, double sub_mode);

#endif
