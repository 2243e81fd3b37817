/* The water column: temperature, salinity, conductivity, pressure, density and sound speed at any place.
 *
 * World frame: x north, y east, z depth in m. Equation ids refer to docs/theory/ocean.md. All const: a column belongs
 * to the model. Sampling calls no libm transcendental. */
#ifndef FM_OCEAN_COLUMN_H
#define FM_OCEAN_COLUMN_H

#include <stddef.h>

#include "base/error.h"
#include "ocean/profile.h"
#include "physics/water.h"

typedef struct fm_water_field {
    fm_segments profile;
    const fm_spot *spots;
    size_t spot_count;
} fm_water_field;

typedef enum fm_conductivity_mode {
    FM_CONDUCTIVITY_PHYSICAL, /* from salinity, by inverse PSS-78 (O2.2) */
    FM_CONDUCTIVITY_PRINTED   /* three segments and spots of its own (O3.3); salinity then follows from it */
} fm_conductivity_mode;

typedef enum fm_sound_formula {
    FM_SOUND_AUTOMATIC, /* Del Grosso in sea water, Chen & Millero below S = 25, mixed linearly from 25 to 30 */
    FM_SOUND_DEL_GROSSO,
    FM_SOUND_CHEN_MILLERO,
    FM_SOUND_MACKENZIE,
    FM_SOUND_CONSTANT
} fm_sound_formula;

typedef struct fm_water_column {
    fm_water_field temperature;  /* °C, ITS-90 */
    fm_water_field salinity;     /* PSS-78; for the physical mode */
    fm_water_field conductivity; /* S/m; for the printed mode */
    fm_conductivity_mode conductivity_mode;
    const fm_profile *profile; /* replaces the segments (not the spots) of temperature and salinity; NULL: none */
    double pressure[3];        /* P0, P1, P2 of P0 + P1 z + P2 z²: Pa, Pa/m, Pa/m², absolute (O3.4) */
    double density;            /* kg/m³ everywhere; 0: EOS-80 of the place (O2.3) */
    fm_sound_formula sound;
    double sound_speed; /* m/s, for FM_SOUND_CONSTANT */
} fm_water_column;

/* Properties of the water at one place. */
typedef struct fm_water {
    double temperature;  /* °C, ITS-90 */
    double salinity;     /* PSS-78 */
    double conductivity; /* S/m */
    double pressure;     /* Pa, absolute */
    double density;      /* kg/m³ */
    double sound_speed;  /* m/s */
} fm_water;

/* 18 °C down to 20 m, −0.06 K/m to 120 m, −0.002 K/m below; salinity 35; pressure of latitude 45°. */
fm_water_column fm_water_column_default(void);
/* P0, P1, P2 fitted to Saunders' pressure over 0 … 6000 m at a latitude in rad. */
void fm_water_column_fit_pressure(double latitude, double pressure[3]);
fm_status fm_water_column_check(const fm_water_column *column, fm_error *error);

/* Above the surface (z < 0) the values at the surface apply. */
fm_water fm_water_column_sample(const fm_water_column *column, double x, double y, double z);
double fm_water_column_pressure(const fm_water_column *column, double z);
double fm_water_column_temperature(const fm_water_column *column, double x, double y, double z);
double fm_water_column_density(const fm_water_column *column, double x, double y, double z);
double fm_water_column_sound_speed(const fm_water_column *column, double x, double y, double z);

#endif
