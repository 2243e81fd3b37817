/* What can be written of a vehicle: the tables of <vehicle>, <model> and all that stands inside them. */
#ifndef FM_SCENARIO_VEHICLE_ELEMENTS_H
#define FM_SCENARIO_VEHICLE_ELEMENTS_H

#include "base/describe.h"
#include "physics/diving.h"
#include "world/coefficients.h"

typedef struct fm_vehicle_config {
    const char *name, *model, *text;
    int64_t kind, integrator, posture, coriolis, thrust;
    double position[3], attitude[3], velocity[3], rates[3];
    double period, tolerance;
    int64_t substeps, count;
    double spacing[3];
    double length, width, height; /* m, overall */
    double speed;                 /* m/s: the diving model's */
    double deflection, depth;     /* rad, m: a fish's orders at the start */
} fm_vehicle_config;
enum { FM_KIND_BODY, FM_KIND_DIVING, FM_KIND_FISH };

typedef struct fm_mass_config {
    double mass, weight; /* kg, N: one of them */
    double centre[3];    /* m */
    double inertia[3];   /* kg·m²: xx, yy, zz */
    double products[3];  /* kg·m²: xy, xz, yz as integrals of xy dm … (6.58)–(6.60) */
    int64_t about;       /* 0: origin, 1: centre of gravity */
} fm_mass_config;

typedef struct fm_component_config {
    const char *name;
    double mass, weight, volume; /* one of them; a volume is of free-flood water */
    double centre[3], size[3];   /* m; size: of a uniform box, 0 0 0 is a point */
} fm_component_config;

typedef struct fm_buoyancy_config {
    double force, volume, centre[3], compression;
} fm_buoyancy_config;

typedef struct fm_added_mass_config {
    double length;
    double c[6][6]; /* dimensionless: X_udot is c[0][0] */
} fm_added_mass_config;

typedef struct fm_added_matrix_config {
    double linear[3], angular[3];               /* diagonals, kg and kg·m² */
    fm_list linear_full, coupled, angular_full; /* 9 numbers each, by row */
} fm_added_matrix_config;

typedef struct fm_spheroid_config {
    double length, diameter;
} fm_spheroid_config;

typedef struct fm_cross_flow_config {
    fm_list x, height, breadth;
    double cdy, cdz;
    int64_t rule, count;
} fm_cross_flow_config;
enum { FM_STRIPS_GAUSS, FM_STRIPS_MIDPOINT, FM_STRIPS_EQUAL };

typedef struct fm_float_config {
    int64_t shape;
    double size[3], centre[3];
} fm_float_config;
enum { FM_FLOAT_BOX, FM_FLOAT_CYLINDER, FM_FLOAT_LYING_CYLINDER, FM_FLOAT_ELLIPSOID };

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
    double torque; /* N·m at the rated shaft speed, on the vehicle, about the direction of thrust */
    double power;  /* W at rated thrust */
    fm_fin_coefficients fin;
    double area, lift_slope; /* fin by its lift */
    double mass;             /* moving mass, kg */
} fm_actuator_config;

typedef struct fm_battery_config {
    double capacity, hotel, propulsion, at_speed;
} fm_battery_config;

typedef struct fm_limits_config {
    double rated_depth, crush_depth;
} fm_limits_config;

typedef struct fm_hull_config {
    const char *name;
    int64_t kind;
    double size[3], centre[3], attitude[3];
} fm_hull_config;
enum { FM_HULL_BOX, FM_HULL_SPHERE, FM_HULL_CAPSULE, FM_HULL_CYLINDER, FM_HULL_ELLIPSOID };

typedef struct fm_contact_config {
    int64_t response, clearance;
    double restitution, friction;
} fm_contact_config;

typedef struct fm_approach_config {
    const char *to;
    double angle, gap, speed; /* rad, m, m/s */
    int64_t side;             /* 0: the thing is to starboard */
} fm_approach_config;

typedef struct fm_diving_config {
    fm_diving_params p;
    int64_t scaled, large_angle, trimmed;
} fm_diving_config;

typedef struct fm_at_config {
    double t;
} fm_at_config;

extern const fm_element fm_vehicle_element; /* in a scenario */
extern const fm_element fm_model_element;   /* root of a model file */

#endif
