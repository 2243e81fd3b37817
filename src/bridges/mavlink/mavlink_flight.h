/* One vehicle as a ground station flies it: armed, its mode, sticks, and the point it is guided to. All of it belongs
 * to the stepping thread. Its orders are inputs of the world with the holder "mavlink", so they are recorded. */
#ifndef FM_BRIDGES_MAVLINK_MAVLINK_FLIGHT_H
#define FM_BRIDGES_MAVLINK_MAVLINK_FLIGHT_H

#include "base/error.h"
#include "bridges/mavlink/mavlink_modes.h"
#include "bridges/mavlink/mavlink_outbox.h"
#include "world/model.h"

#define FM_MAV_HOLDER "mavlink"

/* Axes of the sticks, as of a force and a moment on the body. */
enum { FM_MAV_STICKS = 6 };

typedef enum fm_mav_aim {
    FM_MAV_AIM_NONE,
    FM_MAV_AIM_POINT,   /* a place and a depth */
    FM_MAV_AIM_VELOCITY /* over ground, for as long as it is repeated */
} fm_mav_aim;

/* What a guided vehicle is to do. NaN: as before, or as it is best. */
typedef struct fm_mav_target {
    fm_mav_aim aim;
    double position[3]; /* m, NED */
    double velocity[3]; /* m/s, NED */
    double speed;       /* m/s, on the way to the point */
    double radius;      /* m, of the circle of a vehicle that cannot hover */
    double yaw, turn;   /* rad, rad/s */
} fm_mav_target;

typedef struct fm_mav_flight {
    char name[32]; /* of the vehicle; "": none */
    int slot;
    const fm_type *type;
    int boat, armed;
    fm_mav_mode mode;
    double speed; /* m/s, of guided legs; NaN: that of the waypoints */
    double now;   /* s: the last step seen; it goes back when the world is reset */
    double last;  /* s: the last decision */
    double sticks[FM_MAV_STICKS];
    double moved; /* s: when the sticks were last heard; NaN: never, or they have timed out */
    fm_mav_target target;
    double aimed;   /* s: when the target came */
    int near;       /* it hovers at the target */
    double heading; /* rad, that it keeps there */
} fm_mav_flight;

/* The vehicle that is in the slot now; it is as it was if it is the same. 1: it is another one, or the world was reset.
 * `type` NULL afterwards: the slot is empty. */
int fm_mav_flight_meet(fm_mav_flight *flight, const fm_world *world, int slot);

/* Each returns an error that gives the reason: FM_ERR_STATE for now, others for good. */
fm_status fm_mav_flight_arm(fm_mav_flight *flight, fm_world *world, int armed, fm_error *error);
fm_status fm_mav_flight_set_mode(fm_mav_flight *flight, fm_world *world, fm_mav_mode mode, fm_error *error);
fm_status fm_mav_flight_aim(fm_mav_flight *flight, fm_world *world, const fm_mav_target *target, fm_error *error);
fm_status fm_mav_flight_move_sticks(fm_mav_flight *flight, fm_world *world, const double sticks[FM_MAV_STICKS],
                                    fm_error *error);
/* Whether a vehicle can be flown in this mode. */
fm_status fm_mav_flight_check(const fm_mav_flight *flight, const fm_world *world, fm_mav_mode mode, fm_error *error);

/* Before each step: renews the orders of the mode. Texts for stations are added to `news`. */
void fm_mav_flight_steer(fm_mav_flight *flight, fm_world *world, fm_mav_outbox *news);

/* Gives an input to the world in the name of the stations; `made`: the status of its making, returned if it failed. */
fm_status fm_mav_submit(fm_world *world, fm_status made, fm_input *input, fm_error *error);

/* --- mavlink_sticks.c --- */
/* Orders of −1 … 1 of full command for each actuator, from sticks; `used`: those that act on a force or a moment.
 * Returns the number of them. */
size_t fm_mav_sticks_mix(const fm_type *type, const double sticks[FM_MAV_STICKS], double *orders, uint8_t *used);

/* --- mavlink_guide.c --- */
/* What the autopilot of a type can do. */
typedef struct fm_mav_helm {
    const char *part;                /* its name; NULL: none */
    int steers, dives, runs, sidles; /* it has gains of heading, depth, speed and sway */
    int hovers;                      /* not by fins alone, and it runs and sidles */
    const char *station;             /* its only guidance, which keeps a place; NULL: it has another, or none */
    double speed;                    /* m/s, its order in the file; 0: none */
    double enabled;                  /* as in the file */
} fm_mav_helm;
fm_mav_helm fm_mav_helm_of(const fm_type *type);
/* One decision: set points of the autopilot for the target. */
void fm_mav_guide(fm_mav_flight *flight, fm_world *world, const fm_mav_helm *helm, double passed);
/* Sets a set point; FM_ERR… as fm_world_desire. */
fm_status fm_mav_flight_desire(const fm_mav_flight *flight, fm_world *world, const char *what, double value,
                               fm_error *error);

#endif
