/* The wake of a cylinder in a stream: Kármán's street of vortices (O4.7), (O4.8).
 *
 * Two rows of upright vortices drift downstream, alternately shed: one row at −h/2 and one at +h/2 across, each with
 * spacing l, staggered by l/2.
 *   f = St U/D,  l = U_c/f,  h = 0.281 l (the spacing that is neutrally stable),
 *   Γ = 2 l (U − U_c)/tanh(π h/l): the rows move each other against the stream by U − U_c.
 * A vortex is born at `formation` behind the axis, grows to its strength over one spacing and fades over the last one
 * of `length`. Lamb–Oseen cores. Frames and units as in current.h. */
#ifndef FM_OCEAN_VORTEX_STREET_H
#define FM_OCEAN_VORTEX_STREET_H

typedef struct fm_vortex_street {
    double point[2];  /* m, north and east, of the cylinder's axis */
    double diameter;  /* m, D */
    double stream[2]; /* m/s, north and east: U */
    double strouhal;  /* St */
    double ratio;     /* h/l */
    double drift;     /* U_c/U, below 1 */
    double formation; /* m behind the axis */
    double length;    /* m behind the axis, at which the wake ends */
    double core;      /* m, radius of a vortex's core */
    double phase;     /* of a period, at t = 0 */
} fm_vortex_street;

enum { FM_STREET_MOST = 64 }; /* vortices in a row */

double fm_vortex_street_frequency(const fm_vortex_street *street);   /* Hz, f */
double fm_vortex_street_spacing(const fm_vortex_street *street);     /* m, l */
double fm_vortex_street_circulation(const fm_vortex_street *street); /* m²/s, Γ */

/* Adds the velocity of its vortices to that of the stream; position: NED. */
void fm_vortex_street_add(const fm_vortex_street *street, double t, const double position[3], double out[3]);

#endif
