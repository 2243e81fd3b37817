/* Open-water curves of propeller series as polynomials of the advance, and the end of such a curve. */
#ifndef FM_WORLD_PROPELLER_SERIES_H
#define FM_WORLD_PROPELLER_SERIES_H

#include "physics/screw.h"

typedef enum fm_propeller_series { FM_SERIES_NONE, FM_SERIES_WAGENINGEN_B, FM_SERIES_KA_4_70 } fm_propeller_series;

/* K_T and K_Q of a propeller of a series: `pitch` is P/D, `area` A_E/A_0, `blades` their number (both only for the
 * B-series). For the ducted Ka 4-70 in nozzle 19A, K_T is that of propeller and duct together. */
void fm_propeller_series_curve(fm_propeller_series series, double pitch, double area, double blades,
                               double kt[FM_SCREW_POWERS], double kq[FM_SCREW_POWERS]);

/* The advance up to which a polynomial K_T is used: where it has fallen to minus a fifth of its value at rest, where it
 * stops falling, or 5. */
double fm_propeller_last_advance(const double kt[FM_SCREW_POWERS]);

#endif
