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

/* Cosine and sine of a phase, both from one reduction to the nearest quarter turn, within 2e-16 up to a million
 * radians; beyond that, and in float, the functions of real.h. */
FM_FN void fm_wave_turn(fm_real angle, fm_real *cosine, fm_real *sine)
{
#ifdef FM_FLOAT
    *cosine = fm_cos(angle), *sine = fm_sin(angle);
#else
    const double sines[6] = {1.58969099521155010221e-10,  -2.50507602534068634195e-08, 2.75573137070700676789e-06,
                             -1.98412698298579493134e-04, 8.33333333332248946124e-03,  -1.66666666666666324348e-01};
    const double cosines[6] = {-1.13596475577881948265e-11, 2.08757232129817482790e-09,  -2.75573143513906633035e-07,
                               2.48015872894767294178e-05,  -1.38888888888741095749e-03, 4.16666666666666019037e-02};
    const fm_real whole = fm_const(6755399441055744.0), one = fm_const(1); /* 1.5 · 2^52: adding it rounds */
    fm_real turns = angle * fm_const(0.63661977236758134308) + whole - whole;
    fm_real quarter = turns - fm_const(4) * (turns * fm_const(0.25) + whole - whole); /* −2 … 2 */
    fm_real x = angle - turns * fm_const(1.57079632673412561417); /* π/2 in three parts; the first products are exact */
    x = x - turns * fm_const(6.07710050630396597660e-11);
    x = x - turns * fm_const(2.02226624879595063154e-21);
    fm_real z = x * x, p = fm_const(sines[0]), q = fm_const(cosines[0]);
    for (int i = 1; i < 6; i++) {
        p = p * z + fm_const(sines[i]);
        q = q * z + fm_const(cosines[i]);
    }
    p = x + x * z * p;
    q = one - (fm_const(0.5) * z - z * z * q);
    const fm_mask across = fm_abs(quarter) == one;
    fm_real c = fm_select(across, p, q), s = fm_select(across, q, p);
    *cosine = fm_select(quarter > fm_const(0.5), -c, fm_select(quarter < fm_const(-1.5), -c, c));
    *sine = fm_select(quarter < fm_const(-0.5), -s, fm_select(quarter > fm_const(1.5), -s, s));
    const fm_mask far = fm_abs(angle) >= fm_const(1e6);
    if (fm_any(far)) {
        *cosine = fm_select(far, fm_cos(angle), *cosine);
        *sine = fm_select(far, fm_sin(angle), *sine);
    }
#endif
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
