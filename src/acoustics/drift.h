/* Sound in water that moves: fronts are carried along. docs/theory/acoustics.md (A4.11) */
#ifndef FM_ACOUSTICS_DRIFT_H
#define FM_ACOUSTICS_DRIFT_H

#include "acoustics/medium.h"

/* Velocity of the water at a place, m/s, NED. */
typedef struct fm_water_flow {
    void (*at)(const void *user, const double point[3], double velocity[3]);
    const void *user;
    int uniform; /* it is the same everywhere */
} fm_water_flow;

/* Makes the time of a way in still water that in moving water, and sets way->water to the mean velocity along it. Exact
 * where the water has one sound speed and one velocity; else by the mean of both along the way, which does not bend by
 * the current. */
void fm_sound_way_carry(const fm_medium *medium, const fm_water_flow *flow, const double from[3], const double to[3],
                        fm_sound_way *way);
/* Turns directions and length of a carried way to those of its wave fronts: from where they left, carried on since
 * then, to the receiver. */
void fm_sound_way_face(fm_sound_way *way);

#endif
