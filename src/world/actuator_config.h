/* What is written of an actuator. */
#ifndef FM_WORLD_ACTUATOR_CONFIG_H
#define FM_WORLD_ACTUATOR_CONFIG_H

#include "kinds/coefficients.h"

/* All actuators share this head; faults are live. */
typedef struct fm_actuator_config {
    double efficiency; /* live: laid out as fm_actuator_fault */
    double stuck, reversed;
    const char *name, *group;
    double position[3], direction[3];
    double low, high, dead_band, rate_limit, tau, zeta;
    int64_t dynamics;
    double thrust, rated, thrust_reverse; /* F = thrust (x/rated)|x/rated| */
    double cd0, length, rated_speed;      /* propeller as in (6.43) */
    double share;
    double torque;                   /* N·m at the rated shaft speed, on the vehicle, about the direction of thrust */
    double power;                    /* W at rated thrust */
    fm_fin_coefficients fin;         /* dimensionless */
    fm_fin_coefficients dimensional; /* or these, SI */
    double area, lift_slope;         /* fin by its size */
    double aspect, stall, profile, separated, span_efficiency, covered;
    const char *behind; /* name of the propeller whose slipstream contains it */
    int64_t ahead;      /* lift from the forward speed alone: the hull's coefficients include its effect in side slip */
    double delay;       /* s: dead time of orders */
    double diameter, wake, deduction, reverse; /* propeller in its inflow; thrust deduction, also of a thruster with a
                                                * table */
    double deduction_reverse;                  /* of a thruster by its table, backwards */
    double kt[3], kq[3];
    const char *open_water;
    int64_t series, rotation;
    double pitch, blade_area, blades;
    double inertia, most_torque, most_power; /* of shaft and motor */
    double zero_thrust;                      /* advance at which a thruster with a bollard table has no thrust */
    double half_speed;                       /* m/s past a tunnel that halve its thrust */
    double mass;                             /* moving mass, kg */
    const char *table;                       /* file of a thruster's measured table */
    double voltage;                          /* V: its supply if the battery gives none */
    int64_t by_command;                      /* ordered by command, not by force */
} fm_actuator_config;

#endif
