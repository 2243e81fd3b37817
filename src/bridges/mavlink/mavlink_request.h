/* One frame of a station for one vehicle, on the stepping thread. */
#ifndef FM_BRIDGES_MAVLINK_MAVLINK_REQUEST_H
#define FM_BRIDGES_MAVLINK_MAVLINK_REQUEST_H

#include "bridges/mavlink/mavlink_ground.h"

typedef struct fm_mav_request {
    fm_mav_ground *ground;
    fm_mav_system *system;
    fm_run *run;
    fm_world *world;
    const fm_mav_frame *frame;
    fm_mav_peer peer;
    int trusted, named; /* the station may give orders; it has named this vehicle, or the run has no other */
    fm_mav_outbox *out;
} fm_mav_request;

/* Orders need a station that is verified, and a vehicle that is named where there are several. */
fm_status fm_mav_request_check(const fm_mav_request *request, fm_error *error);

/* mavlink_command.c: COMMAND_LONG, COMMAND_INT and SET_MODE. 0: another message. */
int fm_mav_command_answer(const fm_mav_request *request);

#endif
