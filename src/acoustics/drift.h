/* Sound in moving water: the water carries wave fronts along. docs/theory/acoustics.md (A4.11) */
#ifndef FM_ACOUSTICS_DRIFT_H
#define FM_ACOUSTICS_DRIFT_H

#include "acoustics/medium.h"

/* Velocity of the water at a place, m/s, NED. */
typedef struct fm_water_flow {
    void (*at)(const void *user, const double point[3], double velocity[3]);
    const void *user;
    int uniform; /* it is the same everywhere */
} fm_water_flow;

/* Converts the travel time of a path in still water to that in moving water, and sets way->water to the mean velocity
 * along it. Exact if the water has a single sound speed and velocity; otherwise uses the means of both along the path,
 * which the current does not bend. */
void fm_sound_way_carry(const fm_medium *medium, const fm_water_flow *flow, const double from[3], const double to[3],
                        fm_sound_way *way);
/* Rotates directions and length of a carried path to those of its wave fronts: from the point of emission, carried
 * along since then, to the receiver. */
void fm_sound_way_face(fm_sound_way *way);

#endif
