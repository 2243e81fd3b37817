/* The Earth's main magnetic field: the World Magnetic Model 2025 of NOAA and the British Geological Survey, valid from
 * 2025.0 to 2030.0. What crust, ships and storms add is not part of it. Equations: docs/theory/instruments.md. */
#ifndef FM_PHYSICS_MAGNETIC_FIELD_H
#define FM_PHYSICS_MAGNETIC_FIELD_H

#include <fathom/frames.h>

/* The decimal year of a moment, s since 1970; the nearer end of the model's time for moments outside it. */
double fm_magnetic_year(double moment);

/* The field at a position, nT, north-east-down (geodetic). */
void fm_magnetic_field(const fm_geodetic *position, double year, double field[3]);

#endif
