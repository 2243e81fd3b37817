/* Surface waves after Airy's linear theory: single components and a JONSWAP sea; and Liu & Hu's water noise.
 *
 * World frame: x north, y east, z down from the mean surface. Equation ids refer to docs/theory/ocean.md. Everything
 * here is free of libm transcendentals. */
#ifndef FM_OCEAN_WAVES_H
#define FM_OCEAN_WAVES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "physics/water_noise.h"

struct fm_wave_grid; /* physics/hull_waves.h */
struct fm_wave_pose;
struct fm_hull_sums;

/* One component; make it with fm_wave_make, which solves the dispersion relation. */
typedef struct fm_wave {
    double amplitude; /* m */
    double frequency; /* rad/s */
    double number;    /* rad/m */
    double travel[2]; /* unit vector north, east of its direction of travel */
    double phase;     /* rad: a crest is at the origin at t = phase/frequency */
    double echo;      /* e^(−2 k depth): reflection from the bottom; 0: deep water */
} fm_wave;

/* (O5.6) A JONSWAP sea. */
typedef struct fm_jonswap {
    double significant_height; /* m, Hs = 4 √m0 */
    double peak_period;        /* s */
    double peakedness;         /* γ, 1 (Pierson–Moskowitz) … 7; 3.3 is the mean of the measurements */
    double direction;          /* rad from north over east, where the sea runs to */
    double spreading;          /* s of cos^2s((θ − direction)/2); 0: long-crested */
} fm_jonswap;

/* Components that are drawn at random from a spectrum: waves[first] to waves[first + count - 1]. */
typedef struct fm_drawn_waves {
    fm_jonswap spectrum;
    size_t first, count;
} fm_drawn_waves;

typedef struct fm_sea {
    const fm_wave *waves;
    size_t count;
    double depth;   /* m, of the water; 0: deep */
    double gravity; /* m/s² */
    double density; /* kg/m³, for the pressure */
} fm_sea;

typedef struct fm_sea_sample {
    double elevation;       /* m, of the surface above its mean, positive up */
    double velocity[3];     /* m/s, orbital, north, east, down */
    double acceleration[3]; /* m/s², local ∂v/∂t */
    double gradient[6];     /* 1/s, of the velocity: xx, xy, xz, yy, yz, zz */
    double pressure;        /* Pa, above the hydrostatic pressure */
} fm_sea_sample;

/* (O5.1) Wave number, rad/m, of ω² = g k tanh(k depth); depth 0 is deep water. */
double fm_wave_number(double frequency, double depth, double gravity);
/* direction: rad from north over east, where the wave runs to. */
fm_wave fm_wave_make(double amplitude, double frequency, double direction, double phase, double depth, double gravity);
/* The same wave over another depth or under another gravity: it keeps its frequency, and its length follows (O5.1). */
void fm_wave_measure(fm_wave *wave, double depth, double gravity);

/* (O5.2)–(O5.5). Above the mean surface the motion of the mean surface holds. */
fm_sea_sample fm_sea_at(const fm_sea *sea, double t, const double position[3]);
/* The same without the elevation, which is 0: for points below the reach of all waves. */
fm_sea_sample fm_sea_below(const fm_sea *sea, double t, const double position[3]);
double fm_sea_elevation(const fm_sea *sea, double t, double x, double y);
/* Adds the orbital velocity to out. */
void fm_sea_add_velocity(const fm_sea *sea, double t, const double position[3], double out[3]);
/* Sums over the hull of a body (physics/hull_waves.h), and how they change by the second. */
void fm_sea_add_up_hull(const fm_sea *sea, const struct fm_wave_grid *grid, int near, const struct fm_wave_pose *pose,
                        struct fm_hull_sums *value, struct fm_hull_sums *rate);
/* Refuses a wave that breaks. */
fm_status fm_wave_check(const fm_wave *wave, fm_error *error);

fm_status fm_jonswap_check(const fm_jonswap *sea, fm_error *error);
/* `count` components of equal energy with random phases, frequencies and directions drawn from seed and entity. */
void fm_jonswap_waves(const fm_jonswap *sea, double depth, double gravity, uint64_t seed, uint32_t entity,
                      fm_wave *waves, size_t count);
/* Draws the random components among the `waves` of a sea. */
void fm_sea_draw(const fm_sea *sea, const fm_drawn_waves *drawn, size_t drawn_count, uint64_t seed, fm_wave *waves);

#endif
