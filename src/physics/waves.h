/* Surface waves after Airy's linear theory: what one component does. World frame: x north, y east, z down from the mean
 * surface; m, s, m/s. Equation ids refer to docs/theory/ocean.md. One source for src/ocean, where the lanes of a vector
 * are components of one sea, and for vehicles in a batch, where they are vehicles. */
#ifndef FM_PHYSICS_WAVES_H
#define FM_PHYSICS_WAVES_H

#include "physics/real.h"

/* One component: see fm_wave (ocean/waves.h). */
typedef struct fm_wave_component {
    fm_real amplitude, frequency, number; /* m, rad/s, rad/m */
    fm_real north, east;                  /* unit vector of where it runs to */
    fm_real phase, echo;                  /* rad; e^(−2 k depth) */
} fm_wave_component;
enum { FM_WAVE_NUMBERS = 7 };

/* Deeper than this many radians of k z a wave is not felt: e^−40 < 1e-17. */
#define FM_WAVE_FELT 40

/* cosh k(h−z)/sinh kh, sinh k(h−z)/sinh kh and cosh k(h−z)/cosh kh, written with decaying exponentials only. */
typedef struct fm_wave_decay {
    fm_real horizontal, vertical, pressure;
} fm_wave_decay;

/* deep: without a bottom. */
FM_FN fm_wave_decay fm_wave_decay_at(const fm_wave_component *w, int deep, fm_real depth, fm_real z)
{
    fm_real one = fm_const(1), near = fm_exp(-w->number * z);
    fm_wave_decay d;
    d.horizontal = d.vertical = d.pressure = near;
    if (deep)
        return d;
    fm_real far = fm_exp(-w->number * (fm_const(2) * depth - z)), both = w->echo;
    d.horizontal = (near + far) / (one - both);
    d.vertical = (near - far) / (one - both);
    d.pressure = (near + far) / (one + both);
    return d;
}

/* (O5.2) Its phase at time t [s] and (x, y); the surface is a cos of it above the mean. */
FM_FN fm_real fm_wave_angle(const fm_wave_component *w, fm_real t, fm_real x, fm_real y)
{
    return w->number * (w->north * x + w->east * y) - w->frequency * t + w->phase;
}

/* (O5.3), (O5.4), (O5.8) Velocity [m/s] and local acceleration ∂u/∂t [m/s²] of the water, NED, and the gradient of the
 * velocity [1/s], which is symmetric: ∂u/∂x, ∂u/∂y, ∂u/∂z, ∂v/∂y, ∂v/∂z, ∂w/∂z. */
enum { FM_WAVE_GRADIENT = 6 };
typedef struct fm_wave_motion {
    fm_real velocity[3], acceleration[3], gradient[FM_WAVE_GRADIENT];
} fm_wave_motion;

/* c, s: cosine and sine of its phase. */
FM_FN fm_wave_motion fm_wave_move(const fm_wave_component *w, const fm_wave_decay *d, fm_real c, fm_real s)
{
    fm_real speed = w->amplitude * w->frequency, along = speed * d->horizontal, down = -speed * d->vertical;
    fm_real ahead = along * c, gain = along * w->frequency * s;
    fm_wave_motion m;
    m.velocity[0] = ahead * w->north, m.velocity[1] = ahead * w->east, m.velocity[2] = down * s;
    m.acceleration[0] = gain * w->north, m.acceleration[1] = gain * w->east;
    m.acceleration[2] = -(down * w->frequency * c);
    fm_real bend = along * w->number * s, shear = down * w->number * c;
    m.gradient[0] = -(bend * w->north * w->north), m.gradient[1] = -(bend * w->north * w->east);
    m.gradient[2] = shear * w->north, m.gradient[3] = -(bend * w->east * w->east);
    m.gradient[4] = shear * w->east, m.gradient[5] = bend;
    return m;
}

/* The same gradient as ∂v_i/∂x_j at out[3 i + j], added. */
FM_FN void fm_wave_add_gradient(const fm_real gradient[FM_WAVE_GRADIENT], fm_real out[9])
{
    const int index[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    for (int i = 0; i < 9; i++)
        out[i] += gradient[index[i]];
}

#endif
