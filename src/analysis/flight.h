/* Steady motion of a 6-DOF vehicle and its small motions about it: trim, turning, the linear model.
 *
 * All values come from the vehicle kernel (physics/body.h), so that they apply to a run. Force terms that are parts
 * (wind, Reynolds number, a nearby wall) are not included. */
#ifndef FM_ANALYSIS_FLIGHT_H
#define FM_ANALYSIS_FLIGHT_H

#include "world/model.h"

enum { FM_FLIGHT_ACTUATORS = 32, FM_FLIGHT_STATES = 10 };

/* States of the linear model, in this order; SI. */
enum fm_flight_state {
    FM_FLIGHT_U,
    FM_FLIGHT_V,
    FM_FLIGHT_W,
    FM_FLIGHT_P,
    FM_FLIGHT_Q,
    FM_FLIGHT_R,
    FM_FLIGHT_ROLL,
    FM_FLIGHT_PITCH,
    FM_FLIGHT_YAW,
    FM_FLIGHT_DEPTH
};
extern const char *const fm_flight_state_names[FM_FLIGHT_STATES];

/* State of a vehicle in still water of nominal density. */
typedef struct fm_flight {
    double state[FM_FLIGHT_STATES];
    double value[FM_FLIGHT_ACTUATORS]; /* of each actuator, in its unit: rad/s, V, N, rad */
} fm_flight;

/* FM_ERR_MODEL with the reason if the type is not a 6-DOF body or has too many actuators. */
fm_status fm_flight_accepts(const fm_type *type, fm_error *error);

/* Whether it floats at the surface: fully submerged it would displace at least a tenth more than its weight. */
int fm_flight_floats(const fm_type *type);

/* Rate of change of the state. */
void fm_flight_rate(const fm_type *type, const fm_flight *flight, double rate[FM_FLIGHT_STATES]);

/* Actuators that act forward: thrusters whose line is within 60° of the x axis. */
int fm_flight_drives(const fm_type *type, size_t actuator);
/* The order that holds a value: they differ for a motor under load. */
double fm_flight_order(const fm_actuator *actuator, double value);
/* Power drawn in this state, W. */
double fm_flight_power(const fm_type *type, const fm_flight *flight);

typedef struct fm_trim {
    fm_flight at;
    double residual; /* largest remaining acceleration, m/s² or rad/s² */
    int held;        /* every actuator is within its limits, and no acceleration remains */
    int limited_by;  /* the actuator at or beyond its limit; -1: none */
    double drive;    /* largest order of those that act forward, as a fraction of its limit */
} fm_trim;

/* Straight and level at a forward speed through the water (m/s): of all solutions the one with the smallest
 * deflections, roll, pitch and drift, by Newton's method with minimum norm, within the limits of all actuators except
 * the drive. */
fm_trim fm_flight_trim(const fm_type *type, double speed);

/* Speed (m/s) at which the drive is at `part` of its limit, held or not. 0: nothing acts forward. */
double fm_flight_speed_at(const fm_type *type, double part);

/* The minimum speed (m/s) that it can hold straight and level. 0: at rest too; NaN: none up to its maximum. */
double fm_flight_least_speed(const fm_type *type);

typedef struct fm_turning {
    int by_fins;        /* rudders hard over at the given trim; otherwise thrusters from rest */
    int steady;         /* the rate had settled */
    double rate;        /* rad/s, of heading */
    double speed;       /* m/s over ground, level */
    double radius;      /* m */
    double roll, pitch; /* rad */
} fm_turning;

/* The steady turn of the vehicle. FM_ERR_MODEL if nothing turns it. */
fm_status fm_flight_turn(const fm_type *type, const fm_trim *trim, fm_turning *turn, fm_error *error);

/* ẋ = A x + B value about a flight, by central differences. Row-major, FM_FLIGHT_STATES columns and actuator_count. */
void fm_flight_linearise(const fm_type *type, const fm_flight *flight, double *a, double *b);

/* Eigenvalues of the linear motion in the four states {u, w, q, pitch} or {v, p, r, roll}, 1/s. */
void fm_flight_modes(const double *a, int lateral, double re[4], double im[4]);

/* Suspicious numbers of a type, one sentence each; called for every one. */
typedef void fm_flight_remark(void *user, const char *text);
void fm_flight_inspect(const fm_type *type, fm_flight_remark *say, void *user);

#endif
