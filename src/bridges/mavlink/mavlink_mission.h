/* The mission of one vehicle: items as ground stations see them, and the waypoints that the vehicle follows. It belongs
 * to the stepping thread. A new mission reaches the vehicle through commands, so it is recorded. */
#ifndef FM_BRIDGES_MAVLINK_MAVLINK_MISSION_H
#define FM_BRIDGES_MAVLINK_MAVLINK_MISSION_H

#include <fathom/frames.h>

#include "bridges/mavlink/mavlink_flight.h"
#include "bridges/mavlink/mavlink_outbox.h"
#include "server/socket.h"

/* The sender of a message, to whom it is answered. */
typedef struct fm_mav_peer {
    uint8_t system, component;
    fm_address from;
    uint64_t now; /* ms of the clock, when it arrived */
} fm_mav_peer;

/* An upload in progress. */
typedef struct fm_mav_upload {
    int open;
    fm_mav_peer peer;
    fm_mav_mission_item_int *items;
    size_t count, next; /* in all; requested now */
    uint64_t asked;     /* ms of the clock: the last request */
    int tries;          /* of it */
} fm_mav_upload;

typedef struct fm_mav_mission {
    fm_geodetic origin;             /* of the world */
    fm_mav_mission_item_int *items; /* item k has seq k */
    size_t count;
    fm_waypoint *list; /* those of the items */
    size_t list_count;
    fm_waypoint *scratch; /* room for as many */
    size_t first; /* waypoints at its beginning that the vehicle no longer has: another item was made the current one */
    size_t target;  /* of the vehicle's waypoints: the one ahead */
    int done;       /* the last was reached */
    int known;      /* items and list are those of the vehicle … */
    uint64_t since; /* … from this step of the world on */
    fm_mav_upload upload;
} fm_mav_mission;

void fm_mav_mission_free(fm_mav_mission *mission);
/* Another vehicle, or a reset. */
void fm_mav_mission_forget(fm_mav_mission *mission);

/* 1: a message of the mission protocol, which is answered; 0: another one. */
int fm_mav_mission_answer(fm_mav_mission *mission, fm_mav_flight *flight, fm_world *world, const fm_mav_frame *frame,
                          const fm_mav_peer *peer, fm_mav_outbox *out);
/* Repeats a request that was not answered; after some of them the upload is given up. */
void fm_mav_mission_wait(fm_mav_mission *mission, uint64_t now, fm_mav_outbox *out);
/* The vehicle heads for this item next. */
fm_status fm_mav_mission_go_to(fm_mav_mission *mission, fm_mav_flight *flight, fm_world *world, size_t seq,
                               fm_error *error);
/* An event "waypoint reached" of the vehicle: `number` of its waypoints, from 1. Returns the seq of the item; -1: none.
 */
int fm_mav_mission_reach(fm_mav_mission *mission, const fm_mav_flight *flight, const fm_world *world, size_t number);
/* The current item, all of them, and MISSION_STATE. */
void fm_mav_mission_now(fm_mav_mission *mission, const fm_mav_flight *flight, const fm_world *world,
                        fm_mav_mission_current *now);

/* --- mavlink_items.c: items and waypoints, no input or output --- */
/* MAV_MISSION_RESULT. */
enum {
    FM_MAV_MISSION_ACCEPTED = 0,
    FM_MAV_MISSION_ERROR = 1,
    FM_MAV_MISSION_UNSUPPORTED = 3,
    FM_MAV_MISSION_NO_SPACE = 4,
    FM_MAV_MISSION_INVALID = 5,
    FM_MAV_MISSION_SEQUENCE = 13,
    FM_MAV_MISSION_DENIED = 14,
    FM_MAV_MISSION_CANCELLED = 15
};
/* The result that fits a status. */
uint8_t fm_mav_mission_result(fm_status status);
/* Waypoints of items, `list` has room for `count`; *radius: NaN where no item has one. */
fm_status fm_mav_items_read(const fm_mav_mission_item_int *items, size_t count, const fm_geodetic *origin,
                            fm_waypoint *list, size_t *list_count, double *radius, fm_error *error);
/* Whether an item becomes a waypoint. */
int fm_mav_items_goes(const fm_mav_mission_item_int *item);
/* Items of a vehicle's waypoints: fm_alloc'ed; *count. NULL: none, or no memory. */
fm_mav_mission_item_int *fm_mav_items_write(const fm_waypoint *list, size_t list_count, double speed, double radius,
                                            const fm_geodetic *origin, size_t *count);

#endif
