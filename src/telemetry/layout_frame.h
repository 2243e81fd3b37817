/* Converts the frames of messages (ENU, forward-port-up) to ours (NED, forward-starboard-down) in a row of a layout. */
#ifndef FM_TELEMETRY_LAYOUT_FRAME_H
#define FM_TELEMETRY_LAYOUT_FRAME_H

#include "telemetry/layout.h"

typedef enum fm_turn_kind {
    FM_TURN_VECTOR,
    FM_TURN_ANGLES,  /* of a scan: positive to port becomes positive to starboard */
    FM_TURN_TRIPLES, /* x y z interleaved become all x, all y, all z */
    FM_TURN_QUATERNION,
    FM_TURN_COVARIANCE_3,
    FM_TURN_COVARIANCE_6
} fm_turn_kind;
/* By header: world if its frame_id is "map" or "odom", otherwise body. */
typedef enum fm_turn_frame { FM_TURN_WORLD, FM_TURN_BODY, FM_TURN_BY_HEADER } fm_turn_frame;

typedef struct fm_layout_turn {
    fm_turn_kind kind;
    fm_turn_frame frame;
    size_t column; /* the first of it */
    size_t header; /* column of the frame_id */
    size_t count;  /* columns of triples */
    fm_cell *room; /* for as many */
} fm_layout_turn;

/* A column of a table: a column of the message, or an angle of the quaternion that begins there. */
typedef struct fm_layout_pick {
    size_t column;
    int angle; /* 0: none; 1: roll; 2: pitch; 3: yaw */
} fm_layout_pick;

void fm_layout_pick_row(const fm_layout *layout, fm_cell *row); /* from layout->whole */
void fm_layout_turn_row(const fm_layout_turn *turns, size_t count, fm_cell *row);

#endif
