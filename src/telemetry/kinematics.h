/* The motion of a vehicle as numbers that the model and a real vehicle's telemetry both have: the quantities of an
 * overlay. */
#ifndef FM_TELEMETRY_KINEMATICS_H
#define FM_TELEMETRY_KINEMATICS_H

#include <fathom/world.h>

typedef enum fm_kinematics_quantity {
    FM_KINEMATICS_NORTH, /* m, of the world */
    FM_KINEMATICS_EAST,
    FM_KINEMATICS_DEPTH,
    FM_KINEMATICS_ROLL, /* rad */
    FM_KINEMATICS_PITCH,
    FM_KINEMATICS_HEADING,
    FM_KINEMATICS_SURGE, /* m/s over ground, body axes forward-starboard-down */
    FM_KINEMATICS_SWAY,
    FM_KINEMATICS_HEAVE,
    FM_KINEMATICS_ROLL_RATE, /* rad/s, body axes */
    FM_KINEMATICS_PITCH_RATE,
    FM_KINEMATICS_YAW_RATE,
    FM_KINEMATICS_WATER_SURGE, /* m/s through the water, body axes */
    FM_KINEMATICS_WATER_SWAY,
    FM_KINEMATICS_WATER_HEAVE,
    FM_KINEMATICS_COUNT
} fm_kinematics_quantity;

typedef struct fm_kinematics {
    double values[FM_KINEMATICS_COUNT]; /* SI; NaN: not known */
} fm_kinematics;

typedef struct fm_kinematics_info {
    const char *name, *unit; /* "heading", "rad" */
    double most;             /* largest magnitude accepted from outside, SI */
    int is_angle;            /* periodic: it repeats after a full turn */
} fm_kinematics_info;

extern const fm_kinematics_info fm_kinematics_infos[FM_KINEMATICS_COUNT];

/* Nothing is known. */
void fm_kinematics_clear(fm_kinematics *motion);
/* Quantities that are known. */
size_t fm_kinematics_known(const fm_kinematics *motion);
/* The present motion of the vehicle in a slot. */
void fm_kinematics_of(const fm_world *world, int slot, fm_kinematics *motion);
/* model − measured, where both are known; angles are wrapped to the shorter way. */
void fm_kinematics_differ(const fm_kinematics *model, const fm_kinematics *measured, fm_kinematics *difference);
/* m: distance between the two positions; NaN if a component of either is unknown. */
double fm_kinematics_distance(const fm_kinematics *difference);

#endif
