/* A row of a vehicle: time and pose, then its other columns. The same columns in tables, figures and summaries. */
#ifndef FM_RUN_ROW_H
#define FM_RUN_ROW_H

#include <fathom/world.h>

enum { FM_ROW_POSE = 13 }; /* t, x … r */

/* t (s), x, y, z (m, NED), phi, theta, psi (rad), u, v, w (m/s), p, q, r (rad/s), then the vehicle's own columns. */
size_t fm_row_count(const fm_world *world, int slot);
const char *fm_row_name(const fm_world *world, int slot, size_t i);
const char *fm_row_unit(const fm_world *world, int slot, size_t i); /* "": none */
/* The order of each actuator; in the row from FM_ROW_POSE on, in the same order and unit. */
size_t fm_row_order_count(const fm_world *world, int slot);
double fm_row_order(const fm_world *world, int slot, size_t i);
/* Fills the first `count` values. */
void fm_row_read(const fm_world *world, int slot, double *values, size_t count);

#endif
