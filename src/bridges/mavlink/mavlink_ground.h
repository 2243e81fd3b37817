/* Internals of the ground-station side, for its files.
 *
 * Stations are heard and sent to by the loop's thread. What they ask of a vehicle is carried to the stepping thread as
 * an errand, done there (mavlink_request.c), and comes back with its answers. */
#ifndef FM_BRIDGES_MAVLINK_MAVLINK_GROUND_H
#define FM_BRIDGES_MAVLINK_MAVLINK_GROUND_H

#include <pthread.h>

#include "bridges/mavlink/mavlink_bridge.h"
#include "bridges/mavlink/mavlink_fill.h"
#include "bridges/mavlink/mavlink_mission.h"
#include "bridges/mavlink/mavlink_params.h"
#include "bridges/mavlink/mavlink_station.h"

enum { FM_MAV_ERRANDS = 64 };

/* What HEARTBEAT and MISSION_CURRENT say of a vehicle. */
typedef struct fm_mav_status {
    int type; /* MAV_TYPE; 0: the slot is empty */
    int armed;
    fm_mav_mode mode;
    fm_mav_mission_current mission;
} fm_mav_status;

/* One vehicle, in a slot of the world. */
typedef struct fm_mav_system {
    fm_mav_sender sender; /* the loop's thread; its numbers are constant */
    int slot;
    /* --- the stepping thread --- */
    fm_mav_flight flight;
    fm_mav_mission mission;
    uint64_t reported; /* ms of the clock: the last reason why a message without an answer had no effect */
    /* --- under the lock --- */
    fm_pilot_view view;
    int fresh; /* the view was not sent yet */
    fm_mav_status status;
    /* --- the loop's thread --- */
    double slow; /* s: when slowly changing values were last sent */
} fm_mav_system;

/* A frame on its way to the stepping thread and back, or (no frame) a look at the clock. */
typedef struct fm_mav_errand {
    fm_run_task task; /* first: it is found by it */
    struct fm_mav_errand *next;
    fm_mav_ground *ground;
    int used, framed;
    int trusted; /* its station may give orders */
    fm_mav_frame frame;
    fm_address from;
    uint64_t now; /* ms of the clock */
    fm_mav_outbox out;
} fm_mav_errand;

struct fm_mav_ground {
    fm_host *host;
    int dialect; /* FM_MAV_DIALECT_… */
    fm_geodetic origin;
    fm_mav_system *systems;
    size_t count;
    fm_mav_params *params; /* of each type of the model */
    size_t type_count;
    uint64_t stride, next; /* steps between two views, and the next due one; of the stepping thread */
    pthread_mutex_t lock;
    fm_run *run;             /* under the lock; NULL: it has not begun, or is over */
    fm_mav_errand *answered; /* the same; newest first */
    fm_mav_outbox news;      /* the same: for all stations */

    /* --- the loop's thread --- */
    uv_udp_t socket;
    uv_timer_t heart;
    uv_async_t wake;
    int open, hears; /* handles are made; the socket is bound */
    fm_mav_station station;
    size_t answers; /* budget in bytes for answers until the next heartbeat */
    char room[2048];
    fm_mav_errand errands[FM_MAV_ERRANDS];
    fm_mav_counters counters;
    fm_counter *strangers, *unverified, *rate, *full;
};

/* mavlink_errands.c; the loop's thread. */
/* Carries a frame (NULL: the clock) to the stepping thread. */
void fm_mav_errand_send(fm_mav_ground *ground, const fm_mav_frame *frame, const fm_address *from, int trusted);
void fm_mav_errands_free(fm_mav_ground *ground);
/* mavlink_ground.c */
void fm_mav_ground_answer(fm_mav_ground *ground, fm_mav_outbox *outbox, const fm_address *to);

/* mavlink_request.c; the stepping thread. */
void fm_mav_request_answer(fm_mav_ground *ground, fm_run *run, const fm_mav_errand *errand, fm_mav_outbox *out);
/* mavlink_aim.c: what SET_POSITION_TARGET_… and DO_REPOSITION ask for; the stepping thread. */
fm_status fm_mav_aim_local(const fm_mav_flight *flight, const fm_world *world,
                           const fm_mav_set_position_target_local_ned *message, fm_mav_target *target, fm_error *error);
fm_status fm_mav_aim_global(const fm_geodetic *origin, const fm_mav_set_position_target_global_int *message,
                            fm_mav_target *target, fm_error *error);
/* Whether a frame has latitude, longitude and altitude. */
fm_status fm_mav_aim_check_frame(int frame, fm_error *error);
/* Latitude and longitude in rad, NaN: here; altitude in m, NaN: as deep as now. */
fm_status fm_mav_aim_place(const fm_geodetic *origin, double latitude, double longitude, double altitude,
                           fm_mav_target *target, fm_error *error);

/* Meets the vehicle that is now in the slot; the stepping thread. */
void fm_mav_system_meet(fm_mav_system *system, const fm_world *world);

#endif
