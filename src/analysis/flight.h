/* Steady motion of a 6-DOF vehicle and its small motions about it: trim, turning, the linear model.
 *
 * All of it is asked of the vehicle kernel (physics/body.h), so what holds here holds in a run. Force terms that are
 * parts (wind, Reynolds number, a wall nearby) are not in it. */
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

/* A vehicle at one moment in still water of nominal density. */
typedef struct fm_flight {
    double state[FM_FLIGHT_STATES];
    double value[FM_FLIGHT_ACTUATORS]; /* of each actuator, in its unit: rad/s, V, N, rad */
} fm_flight;

/* FM_ERR_MODEL with the reason where the type is not a 6-DOF body or has too many actuators. */
fm_status fm_flight_accepts(const fm_type *type, fm_error *error);

/* Whether it floats at the surface: wholly submerged it would displace a tenth more than it weighs. */
int fm_flight_floats(const fm_type *type);

/* Rate of change of the state. */
void fm_flight_rate(const fm_type *type, const fm_flight *flight, double rate[FM_FLIGHT_STATES]);

/* Which actuators push ahead: thrusters whose line is within 60° of the x axis. */
int fm_flight_drives(const fm_type *type, size_t actuator);
/* Order that holds a value: they differ for a motor under load. */
double fm_flight_order(const fm_actuator *actuator, double value);
/* Power drawn in this state, W. */
double fm_flight_power(const fm_type *type, const fm_flight *flight);

typedef struct fm_trim {
    fm_flight at;
    double residual; /* greatest acceleration left, m/s² or rad/s² */
    int held;        /* every actuator within its limits, and nothing left */
    int limited_by;  /* the actuator that is at its limit, or asked beyond it; -1: none */
    double drive;    /* greatest order of those that push ahead, as a part of its limit */
} fm_trim;

/* Straight and level at a speed ahead through the water (m/s): of all ways the one with the least deflections, roll,
 * pitch and drift, by Newton's method with a minimum norm, within the limits of all but the drive. */
fm_trim fm_flight_trim(const fm_type *type, double speed);

/* Speed (m/s) at which the drive is at `part` of its limit, held or not. 0: nothing pushes ahead. */
double fm_flight_speed_at(const fm_type *type, double part);

/* The least speed (m/s) that it can hold straight and level. 0: at rest too; NaN: none up to its greatest. */
double fm_flight_least_speed(const fm_type *type);

typedef struct fm_turning {
    int by_fins;        /* rudders hard over at the trim given; otherwise thrusters from rest */
    int steady;         /* the rate had settled */
    double rate;        /* rad/s, of heading */
    double speed;       /* m/s over ground, level */
    double radius;      /* m */
    double roll, pitch; /* rad */
} fm_turning;

/* The turn that the vehicle settles in. FM_ERR_MODEL where nothing turns it. */
fm_status fm_flight_turn(const fm_type *type, const fm_trim *trim, fm_turning *turn, fm_error *error);

/* ẋ = A x + B value about a flight, by central differences. Row-major, FM_FLIGHT_STATES columns and actuator_count. */
void fm_flight_linearise(const fm_type *type, const fm_flight *flight, double *a, double *b);

/* Eigenvalues of the linear motion in the four states {u, w, q, pitch} or {v, p, r, roll}, 1/s. */
void fm_flight_modes(const double *a, int lateral, double re[4], double im[4]);

/* What looks wrong in the numbers of a type, a sentence each; called for every one. */
typedef void fm_flight_remark(void *user, const char *text);
void fm_flight_inspect(const fm_type *type, fm_flight_remark *say, void *user);

#endif
