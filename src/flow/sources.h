/* Ideal flow around the nose sphere among several walls, cylinders and spheres at once (M1)–(M5).
 *
 * Every body is a block of interior point sources (source_block.h), walls are mirror images (image_lattice.h), and the
 * bodies settle in turn (block Gauss–Seidel): each obstacle cancels the normal velocity that all others bring to its
 * surface, then the nose adds what it needs to move with its own velocity.
 *
 * Two modes:
 *   reference  600 sources at 0.8 a and 1500 points on the nose, 960 at 0.6 R and 2160 on a cylinder; images down to
 *              3e-6 of the speed; settles to 1e-6 of the speed.
 *   live       sizes follow from the gaps, for an error below 1e-3 of the speed on the nose; each step starts from the
 *              last solution; what stays below 1e-4 of the speed is left out, fading smoothly; images and spheres that
 *              are far act through their monopole, dipole and quadrupole.
 *
 * The solver itself is read-only after creation and may be shared; what changes is a block of plain numbers that the
 * caller keeps (and saves with the world's state), and scratch that the caller lends. */
#ifndef FM_FLOW_SOURCES_H
#define FM_FLOW_SOURCES_H

#include <fathom/status.h>
#include <stddef.h>

#include "flow/image_lattice.h"

typedef enum fm_obstacle_kind { FM_OBSTACLE_CYLINDER, FM_OBSTACLE_SPHERE } fm_obstacle_kind;

typedef struct fm_flow_obstacle {
    fm_obstacle_kind kind;
    double centre[3]; /* m, of the sphere; any point of the cylinder's axis */
    double axis[3];   /* unit; cylinders only, they reach to infinity */
    double radius;    /* m */
} fm_flow_obstacle;

typedef struct fm_sources_options {
    double radius; /* m, of the nose */
    const fm_flow_plane *walls;
    int wall_count;
    const fm_flow_obstacle *obstacles;
    int obstacle_count;
    int reference;        /* 1: the reference mode */
    double reference_gap; /* m, smallest gap of interest: spacing on cylinders in the reference mode */
} fm_sources_options;

typedef struct fm_sources fm_sources;

/* What a solve found. */
typedef struct fm_sources_report {
    int iterations;
    int clamped;   /* 1: the nose was nearer than FM_SOURCES_GAP_MIN to something and was taken as at that gap */
    int active;    /* obstacles that were not too far to matter */
    double change; /* last change of the incident normal velocity, over the speed */
} fm_sources_report;

#define FM_SOURCES_GAP_MIN 0.02 /* in nose radii */

fm_status fm_sources_create(const fm_sources_options *options, fm_sources **out, fm_error *error);
void fm_sources_free(fm_sources *solver);

/* Doubles in the state that is kept between steps, and in the scratch. */
size_t fm_sources_state_count(const fm_sources *solver);
size_t fm_sources_scratch_count(const fm_sources *solver);
/* Forgets the last solution; a state must be reset once before its first use. */
void fm_sources_reset(const fm_sources *solver, double *state);

/* Gap [m] from the nose at `centre` to the nearest wall or obstacle; negative when they overlap. */
double fm_sources_gap(const fm_sources *solver, const double centre[3]);

/* Settles the flow for the nose at `centre` [m] moving with `velocity` [m/s], world frame. */
fm_sources_report fm_sources_solve(const fm_sources *solver, const double centre[3], const double velocity[3],
                                   double *state, double *scratch);

/* Water velocity [m/s] at the nose's surface points centre + a·u (unit vectors u), after a solve. */
void fm_sources_surface(const fm_sources *solver, const double *state, int count, const double (*u)[3], double (*v)[3]);
/* The same at any points of the water. */
void fm_sources_velocity(const fm_sources *solver, const double *state, int count, const double (*x)[3],
                         double (*v)[3]);

#endif
