/* (O5.7) Liu & Hu's water noise (H1): a displacement of the vehicle by travelling sines, one per axis. The vehicle's
 * position moves by the difference of the offset between two times; its velocity is untouched. */
#ifndef FM_PHYSICS_WATER_NOISE_H
#define FM_PHYSICS_WATER_NOISE_H

#include "physics/real.h"

typedef struct fm_water_noise {
    fm_var amplitude[3];  /* m along x, y, z */
    fm_var wavelength[3]; /* m; the wave runs at √(g λ/2π) */
    fm_var gravity;       /* m/s² */
} fm_water_noise;

/* At t s and a place (m, NED): the displacement there, m. */
FM_FN void fm_water_noise_offset(const fm_water_noise *noise, fm_real t, const fm_real position[3], fm_real out[3])
{
    for (int i = 0; i < 3; i++) {
        fm_real amplitude = fm_real_wide(noise->amplitude[i]), length = fm_real_wide(noise->wavelength[i]);
        fm_mask moves = (amplitude != fm_const(0)) & (length > fm_const(0));
        out[i] = fm_const(0);
        if (!fm_any(moves))
            continue;
        fm_real speed = fm_sqrt(fm_real_wide(noise->gravity) * length / fm_const(2 * FM_PI));
        fm_real offset = amplitude * fm_sin(fm_const(2 * FM_PI) * (position[i] - speed * t) / length);
        out[i] = fm_select(moves, offset, out[i]);
    }
}

#endif
