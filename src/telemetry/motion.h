/* How a vehicle moves, as numbers that a model and a real vehicle's telemetry share: the quantities of an overlay. */
#ifndef FM_TELEMETRY_MOTION_H
#define FM_TELEMETRY_MOTION_H

#include <fathom/world.h>

typedef enum fm_motion_quantity {
    FM_MOTION_NORTH, /* m, of the world */
    FM_MOTION_EAST,
    FM_MOTION_DEPTH,
    FM_MOTION_ROLL, /* rad */
    FM_MOTION_PITCH,
    FM_MOTION_HEADING,
    FM_MOTION_SURGE, /* m/s over ground, body axes forward-starboard-down */
    FM_MOTION_SWAY,
    FM_MOTION_HEAVE,
    FM_MOTION_ROLL_RATE, /* rad/s, body axes */
    FM_MOTION_PITCH_RATE,
    FM_MOTION_YAW_RATE,
    FM_MOTION_WATER_SURGE, /* m/s through the water, body axes */
    FM_MOTION_WATER_SWAY,
    FM_MOTION_WATER_HEAVE,
    FM_MOTION_COUNT
} fm_motion_quantity;

typedef struct fm_motion {
    double values[FM_MOTION_COUNT]; /* SI; NaN: not known */
} fm_motion;

typedef struct fm_motion_info {
    const char *name, *unit; /* "heading", "rad" */
    double most;             /* greatest magnitude that is accepted from outside, SI */
    int is_angle;            /* it comes back to itself after a turn */
} fm_motion_info;

extern const fm_motion_info fm_motion_infos[FM_MOTION_COUNT];

/* Nothing is known. */
void fm_motion_clear(fm_motion *motion);
/* Quantities that are known. */
size_t fm_motion_known(const fm_motion *motion);
/* How the vehicle in a slot moves now. */
void fm_motion_of(const fm_world *world, int slot, fm_motion *motion);
/* model − measured, where both are known; angles the short way round. */
void fm_motion_differ(const fm_motion *model, const fm_motion *measured, fm_motion *difference);
/* m: how far apart the two places are; NaN where a part of one is not known. */
double fm_motion_distance(const fm_motion *difference);

#endif
