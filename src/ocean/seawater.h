/* Properties of sea water after UNESCO technical paper 44 (Fofonoff & Millard 1983) and three sound-speed formulas.
 *
 * Everywhere here: temperature in °C on ITS-90 (the formulas' IPTS-68 is used inside), salinity on the practical scale
 * of 1978 (no unit), pressure in dbar above the atmosphere, conductivity in S/m (10 mS/cm), depth in m, latitude in
 * rad. Equation ids refer to docs/theory/ocean.md. No libm transcendental: all of it may be called in a step. */
#ifndef FM_OCEAN_SEAWATER_H
#define FM_OCEAN_SEAWATER_H

#include "physics/water.h" /* (O2.3): fm_seawater_density */

#define FM_CONDUCTIVITY_STANDARD 4.2914 /* S/m, of water of S = 35 at 15 °C (IPTS-68) and surface pressure */

/* (O2.1) Practical salinity from conductivity; below 2 the extension of Hill et al. (1986). */
double fm_salinity_from_conductivity(double conductivity, double temperature, double pressure);
/* (O2.2) Its inverse, to rounding. Salinity ≥ 0. */
double fm_conductivity_from_salinity(double salinity, double temperature, double pressure);

/* (O2.4) Depth below the surface, m, and its inverse after Saunders (1981), dbar. */
double fm_seawater_depth(double pressure, double latitude);
double fm_pressure_from_depth(double depth, double latitude);
/* Gravity at the surface, m/s². */
double fm_gravity_at_latitude(double latitude);

/* (O2.5) Temperature at which sea water freezes, °C. */
double fm_freezing_point(double salinity, double pressure);
/* (O2.6) Specific heat at constant pressure, J/(kg K). */
double fm_specific_heat(double salinity, double temperature, double pressure);
/* Temperature, °C, of the same water moved adiabatically to `reference` dbar. */
double fm_potential_temperature(double salinity, double temperature, double pressure, double reference);

/* Sound speed, m/s: (O2.8) Mackenzie 1981 (by depth), (O2.9) Chen & Millero 1977, (O2.10) Del Grosso
 * 1974. */
double fm_sound_speed_mackenzie(double salinity, double temperature, double depth);
double fm_sound_speed_chen_millero(double salinity, double temperature, double pressure);
double fm_sound_speed_del_grosso(double salinity, double temperature, double pressure);

#endif
