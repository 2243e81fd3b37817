/* Elements of a vehicle: the tables of <vehicle>, <type>, <model> and everything inside them. */
#ifndef FM_SCENARIO_VEHICLE_ELEMENTS_H
#define FM_SCENARIO_VEHICLE_ELEMENTS_H

#include "base/describe.h"
#include "world/actuator_config.h"

typedef struct fm_vehicle_config {
    const char *name, *model, *text;
    int64_t integrator, posture, coriolis;
    double position[3], attitude[3], velocity[3], rates[3];
    double period, tolerance;
    int64_t substeps, count;
    double spacing[3];
    double length, width, height; /* m, overall */
} fm_vehicle_config;

typedef struct fm_battery_config {
    double capacity, hotel, propulsion, at_speed;
    double voltage, empty, resistance; /* V, V, ohm */
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
    int64_t response, clearance, ends;
    double restitution, friction, kept_speed, parting;
} fm_contact_config;

typedef struct fm_approach_config {
    const char *to;
    double angle, gap, speed; /* rad, m, m/s */
    int64_t side;             /* 0: the thing is to starboard */
} fm_approach_config;

typedef struct fm_at_config {
    double t;
} fm_at_config;

extern const fm_element fm_vehicle_element; /* in a scenario */
extern const fm_element fm_type_element;    /* the same for vehicles that are added later */
extern const fm_element fm_model_element;   /* root of a model file */

#endif
