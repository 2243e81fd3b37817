/* The MAVLink bridges (docs/mavlink.md): the stream to a ground station, and the simulator's end of PX4's link. */
#ifndef FM_BRIDGES_MAVLINK_MAVLINK_BRIDGE_H
#define FM_BRIDGES_MAVLINK_MAVLINK_BRIDGE_H

#include "bridges/mavlink/mavlink_config.h"
#include "bridges/mavlink/mavlink_wire.h"
#include "server/door.h"

/* Counters of drops, "mavlink/drop/crc" etc. */
typedef struct fm_mav_counters {
    fm_counter *faults[FM_MAV_FAULTS];
    fm_counter *sent, *received, *send;
} fm_mav_counters;
void fm_mav_counters_find(fm_mav_counters *counters, fm_host *host);

/* Its two halves; either may be NULL after its `_create`: FM_OK, and not configured. */
typedef struct fm_mav_ground fm_mav_ground;
fm_status fm_mav_ground_create(fm_host *host, const fm_mavlink_config *config, fm_mav_ground **ground, fm_error *error);
void fm_mav_ground_turn(fm_mav_ground *ground);
void fm_mav_ground_close(fm_mav_ground *ground);
void fm_mav_ground_free(fm_mav_ground *ground);
/* These five by the stepping thread. */
void fm_mav_ground_begin(fm_mav_ground *ground, fm_run *run);
void fm_mav_ground_steer(fm_mav_ground *ground, fm_run *run);
void fm_mav_ground_step(fm_mav_ground *ground, fm_run *run);
void fm_mav_ground_event(fm_mav_ground *ground, fm_run *run, const fm_event *event);
void fm_mav_ground_end(fm_mav_ground *ground);

typedef struct fm_mav_simulator fm_mav_simulator;
fm_status fm_mav_simulator_create(fm_host *host, const fm_mavlink_config *config, fm_mav_simulator **simulator,
                                  fm_error *error);
void fm_mav_simulator_turn(fm_mav_simulator *simulator);
void fm_mav_simulator_close(fm_mav_simulator *simulator);
void fm_mav_simulator_free(fm_mav_simulator *simulator);
void fm_mav_simulator_begin(fm_mav_simulator *simulator, fm_run *run); /* these three by the stepping thread */
void fm_mav_simulator_step(fm_mav_simulator *simulator, fm_run *run);
void fm_mav_simulator_end(fm_mav_simulator *simulator, fm_run *run);

#endif
