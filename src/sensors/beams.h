/* A velocity from its components along four beams. */
#ifndef FM_SENSORS_BEAMS_H
#define FM_SENSORS_BEAMS_H

#include "sensors/instruments.h"

/* (I7) Solves Σ b bᵀ v = Σ b u over the beams (unit vectors) with a finite velocity u along them; 0:
 * underdetermined. */
int fm_beams_velocity(const double beams[FM_BEAMS][3], const double u[FM_BEAMS], double v[3]);

#endif
