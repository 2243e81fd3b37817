/* Wind and its load on what stands out of the water. */
#ifndef FM_OCEAN_WIND_H
#define FM_OCEAN_WIND_H

typedef struct fm_wind {
    double velocity[2]; /* m/s at 10 m height, north and east, of the moving air (where it blows to) */
    double density;     /* kg/m³ of the air; 1.225 at 15 °C */
    double exponent;    /* of the power-law profile; 1/7 over open water, 0: the same at all heights */
} fm_wind;

/* What the wind acts on. */
typedef struct fm_wind_area {
    double frontal, lateral; /* m², projected areas above the water seen from ahead and abeam */
    double length;           /* m, overall */
    double height;           /* m, of the areas' centre above the water */
    double cx, cy, cn;       /* load coefficients; a drag on a buoy is cx = cy = Cd, cn = 0 */
} fm_wind_area;

/* (O6.1) Air velocity, m/s, north and east, at a height in m above the water. */
void fm_wind_at(const fm_wind *wind, double height, double out[2]);
/* (O6.2) Force surge X, sway Y in N and yaw moment N in N m, body frame; `relative` is the craft's velocity less
 * the air's, in body axes, m/s. */
void fm_wind_load(const fm_wind_area *area, double air_density, const double relative[2], double out[3]);

#endif
