/* Ideal flow about a sphere that moves near a wall or a cylinder, and hot thermistors in it: what a <lateral-line>
 * feels, without a world. Equations: docs/theory/snookie.md. SI; any axes. */
#ifndef FATHOM_FLOW_H
#define FATHOM_FLOW_H

#include <fathom/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the flow is computed. */
typedef enum fm_flow_solution {
    FM_SOLUTION_ALONE,  /* the sphere's dipole, as if nothing else were there (D1) */
    FM_SOLUTION_MIRROR, /* with a mirror sphere behind the wall, or behind the plane that touches the cylinder (S6) */
    FM_SOLUTION_EXACT   /* the solution: (W1)–(W4) at a wall, (M1)–(M5) at a cylinder */
} fm_flow_solution;

/* Zero-initialise and set `size`. */
typedef struct fm_flow_options {
    size_t size;   /* sizeof(fm_flow_options) */
    double radius; /* m, of the sphere */
    fm_flow_solution solution;
    double cylinder;     /* m, radius of a cylinder without ends; 0: a wall */
    double point[3];     /* m: any point of the wall, or of the cylinder's axis */
    double direction[3]; /* unit: from the water into the wall, or along the cylinder's axis */
    double gap;          /* m, smallest gap of interest: resolution of the exact flow at a cylinder */
} fm_flow_options;

/* Belongs to one caller at a time. */
typedef struct fm_flow fm_flow;

/* NULL and *error where an option is out of range or memory runs out. Free with fm_flow_free. */
FM_API fm_flow *fm_flow_create(const fm_flow_options *options, fm_error *error);
/* Frees a flow; NULL is allowed. */
FM_API void fm_flow_free(fm_flow *flow);
/* Velocity of the water (m/s) at points of the sphere's surface, given as unit vectors from its centre, while the
 * sphere at `centre` (m) moves with `velocity` (m/s). */
FM_API void fm_flow_surface(fm_flow *flow, const double centre[3], const double velocity[3], size_t count,
                            const double (*points)[3], double (*water)[3]);

/* A hot thermistor (S1)–(S5). */
typedef struct fm_bead {
    double a, b, n;  /* heat loss a + b |v|^n: W/K, W/(K (m/s)^n), 1 */
    double capacity; /* J/K */
    double r0, t0;   /* resistance (ohm) at a temperature (K) */
    double beta;     /* K, positive for an NTC thermistor */
    double current;  /* A, constant */
    double water;    /* K, temperature of the water */
} fm_bead;

/* The constants that the paper prints, in water of 20 °C. */
FM_API fm_bead fm_bead_printed(void);
/* Temperature (K) after a long time in water of this speed (m/s, any sign). */
FM_API double fm_bead_steady(const fm_bead *bead, double speed);
/* Temperature (K) after a step of `dt` s from `temperature`; `speed` (m/s) is the mean of those at both ends. */
FM_API double fm_bead_step(const fm_bead *bead, double temperature, double speed, double dt);
/* V at a temperature (K). */
FM_API double fm_bead_voltage(const fm_bead *bead, double temperature);

#ifdef __cplusplus
}
#endif
#endif
