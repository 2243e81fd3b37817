/* Currents: the velocity of the undisturbed water as a sum of components.
 *
 * World frame: x north, y east, z down; positions in m, velocities in m/s, times in s since the start of the run.
 * Equation ids refer to docs/theory/ocean.md. The description is const and belongs to the model; what changes is an
 * array of fm_current_state_count() doubles that belongs to the world. No libm transcendental in evaluation. */
#ifndef FM_OCEAN_CURRENT_H
#define FM_OCEAN_CURRENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "physics/current.h"

struct fm_body;
struct fm_body_state;
struct fm_stream;

/* (O4.1) Linear between nodes, constant beyond them. */
typedef struct fm_current_profile {
    size_t count;        /* ≥ 1 */
    const double *depth; /* m, increasing */
    const double (*velocity)[3];
} fm_current_profile;

typedef struct fm_current_tide {
    const fm_tide_constituent *constituents;
    size_t count;
} fm_current_tide;

/* (O4.6) Linear in each of the four axes, the end values hold beyond them. */
typedef struct fm_current_grid {
    size_t times, depths, norths, easts;       /* nodes along each axis, ≥ 1 */
    const double *time, *depth, *north, *east; /* s, m, m, m; increasing */
    const double (*velocity)[3];               /* [time][depth][north][east], east fastest */
} fm_current_grid;

typedef struct fm_current_component {
    fm_current_kind kind;
    union {
        double uniform[3];
        fm_current_profile profile;
        fm_current_gauss_markov gauss_markov;
        fm_current_tide tide;
        fm_current_vortex vortex;
        fm_current_jet jet;
        const fm_current_grid *grid;
        fm_vortex_street street;
    };
} fm_current_component;

typedef struct fm_current {
    const fm_current_component *components;
    size_t count;
} fm_current;

fm_status fm_current_check(const fm_current *current, fm_error *error);

/* Doubles of state: FM_DRIFT_NUMBERS per Gauss–Markov component. */
size_t fm_current_state_count(const fm_current *current);
/* Draws the stationary distribution at tick 0, one step of dt at each tick ≥ 1, and the acceleration until the next
 * tick. `entity` keys the random numbers. */
void fm_current_advance(const fm_current *current, uint64_t seed, uint32_t entity, uint64_t tick, double dt,
                        double *state);

/* Velocity of the water, m/s; random parts as at the tick of the state, which may be NULL if fm_current_state_count is
 * 0. */
void fm_current_velocity(const fm_current *current, const double *state, double t, const double position[3],
                         double out[3]);
/* Adds only its vortices and vortex streets to v: components that vary over the size of a vehicle. */
void fm_current_vortices_add(const fm_current *current, double t, const double position[3], double v[3]);
int fm_current_has_vortices(const fm_current *current);

/* Adds the current to the stream of a body in this state: velocity, its part of Du/Dt, rotation along the hull.
 * out->velocity already has all other motion of the water. The state is that of the tick at `since`; before it, random
 * parts are held. */
void fm_current_meet(const fm_current *current, const double *state, double since, double t, const struct fm_body *body,
                     const struct fm_body_state *met, struct fm_stream *out);

/* Angular speed, rad/s, of a named constituent (M2, S2, N2, K2, K1, O1, P1, Q1, M4, MS4, Mf); 0 where unknown. */
double fm_tide_speed(const char *name);

/* Eastward and northward velocity over latitude and longitude, or u along x (north) and v along y (east) over x and y
 * in m; with or without depth and time axes, in any order. Missing values (land) are still water. Times "since" a date
 * count from the file's first record; plain seconds are times of the run. The world's origin is at latitude, longitude
 * in rad. */
fm_status fm_current_grid_read_netcdf(fm_current_grid *grid, const char *path, double latitude, double longitude,
                                      fm_arena *arena, fm_error *error);

#endif
