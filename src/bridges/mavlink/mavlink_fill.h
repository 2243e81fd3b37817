/* Fills MAVLink's messages with the state of a vehicle. */
#ifndef FM_BRIDGES_MAVLINK_MAVLINK_FILL_H
#define FM_BRIDGES_MAVLINK_MAVLINK_FILL_H

#include "bridges/mavlink/mavlink_wire.h"
#include "bridges/pilot/pilot_view.h"

/* Values of MAVLink's enumerations. */
enum {
    FM_MAV_TYPE_SURFACE_BOAT = 11,
    FM_MAV_TYPE_SUBMARINE = 12,
    FM_MAV_MODE_ARMED = 128,
    FM_MAV_STATE_STANDBY = 3,
    FM_MAV_STATE_ACTIVE = 4,
    FM_MAV_STATE_POWEROFF = 7,
    FM_MAV_RESULT_ACCEPTED = 0,
    FM_MAV_RESULT_DENIED = 2,
    FM_MAV_RESULT_UNSUPPORTED = 3,
    FM_MAV_CMD_GET_HOME_POSITION = 410,
    FM_MAV_CMD_SET_MESSAGE_INTERVAL = 511,
    FM_MAV_CMD_REQUEST_MESSAGE = 512,
    FM_MAV_CMD_REQUEST_CAPABILITIES = 520,
    FM_MAV_PARAM_REAL32 = 9
};

/* Consecutive frames for one datagram. */
typedef struct fm_mav_mail {
    uint8_t bytes[1400];
    size_t size;
} fm_mav_mail;

/* Appends fm_mav_<name>_write(from, &message, …); a message that does not fit is left out, and 0 returned. */
#define FM_MAV_ADD(mail, from, name, ...)                                                                              \
    ((mail)->size + FM_MAV_MOST <= sizeof(mail)->bytes                                                                 \
         ? (int)((mail)->size +=                                                                                       \
                 fm_mav_##name##_write((from), &(fm_mav_##name)__VA_ARGS__, (mail)->bytes + (mail)->size))             \
         : 0)

/* For a ground station: position and motion; and slowly changing values. */
void fm_mav_add_motion(fm_mav_mail *mail, fm_mav_sender *from, const fm_pilot_view *view);
void fm_mav_add_status(fm_mav_mail *mail, fm_mav_sender *from, const fm_pilot_view *view);

/* For PX4, as from its sensors. */
void fm_mav_add_sensors(fm_mav_mail *mail, fm_mav_sender *from, const fm_pilot_view *view);
void fm_mav_add_gps(fm_mav_mail *mail, fm_mav_sender *from, const fm_pilot_view *view);
void fm_mav_add_truth(fm_mav_mail *mail, fm_mav_sender *from, const fm_pilot_view *view);

#endif
