/* Shadows of a vehicle: the same plot in double, each pushed a little after every step (shadows.c). */
#ifndef TESTS_PHYSICS_SHADOWS_H
#define TESTS_PHYSICS_SHADOWS_H

#include "physics/lanes_plot.h"

enum { SHADOWS = 8 };

typedef struct shadow_sample {
    sample of[SHADOWS];
} shadow_sample;

void fly_shadows(fm_flat *const *flats, int v, double depth, const orders_seen *steered, shadow_sample *out);

#endif
