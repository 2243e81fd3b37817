/* Bodies that move through the water near the nose, and what the rigid nose makes of the flow that falls on it.
 *
 * By superposition the flow near a nose that moves with V and a body that moves with U is that of the nose beside the
 * body at rest (mirror, wall, sources) and that of the moving body beside the nose at rest, which is here. All vectors
 * are in one Cartesian frame of the caller's choice; lengths in m, velocities in m/s. */
#ifndef FM_FLOW_MOVING_H
#define FM_FLOW_MOVING_H

/* A spheroid in motion: dipoles between its foci ±c along `axis` (unit), with a density in proportion to c² − ξ², whose
 * moment in all is that of the body and the water it carries, 𝒱 (1 + k) U/4π (D2). */
typedef struct fm_flow_line {
    double centre[3], axis[3];
    double focus;       /* m, c; 0: a sphere */
    double core;        /* m, from a focus to the tip: no nearer to a dipole is outside */
    double strength[3]; /* m/s, of a sphere of radius `core` with the same moment: see fm_flow_dipole_add */
} fm_flow_line;

/* A spheroid of half length and half width [m] that moves with `velocity`; shorter than wide: the sphere of its volume.
 */
fm_flow_line fm_flow_line_make(const double centre[3], const double axis[3], double length, double width,
                               const double velocity[3]);
/* Adds its velocity at x; within its core of the dipoles that at its rim. */
void fm_flow_line_add(const fm_flow_line *line, const double x[3], double v[3]);

/* Adds the velocity of an endless cylinder that moves across its axis (D3): R²/ρ² [2 (U·ρ̂) ρ̂ − U]. offset: from any
 * point of the axis. */
void fm_flow_cylinder_add(const double offset[3], const double axis[3], const double velocity[3], double radius,
                          double v[3]);

/* A field of velocity [m/s]: adds its value at x to v. */
typedef void fm_flow_field(const void *user, const double x[3], double v[3]);

/* Adds to v what the water does at the surface point centre + a u of a rigid sphere at rest in a flow w that is
 * irrotational inside it (D4):  v = 2 w(a u) − ∫₀¹ s w(s a u) ds, the part along the surface. Each harmonic of degree n
 * is amplified (2n+1)/(n+1), a uniform flow 3/2 (Weiss's sphere theorem). */
void fm_flow_answer_add(const double centre[3], double a, const double u[3], fm_flow_field *field, const void *user,
                        double v[3]);

#endif
