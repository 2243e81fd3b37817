/* Load-time solution of the flow around a sphere at a plane wall; see flow/flow_wall.h for its use in a step. */
#ifndef FM_FLOW_WALL_TABLE_H
#define FM_FLOW_WALL_TABLE_H

#include <fathom/status.h>

#include "flow/flow_wall.h"

/* Solves for one gap with `order` terms (W2); m = 0: motion along the normal, m = 1: along the wall.
 * a[n − 1]: multipole strengths A_n, s[n − 1]: surface coefficients S_n, slope[n − 1]: dS_n/dlog(gap); a and slope may
 * be NULL. gap in radii, above 0; order about 20/sqrt(2 gap) gives nine digits. */
fm_status fm_wall_solve(double gap, int m, int order, double *a, double *s, double *slope, fm_error *error);

/* The order at which neglected terms are below 1e-9 of the speed. */
int fm_wall_table_order(double gap);

/* 256 gaps, for which it solves systems of up to 256 equations: a tenth of a second. */
fm_status fm_wall_table_fill(fm_wall_table *table, fm_error *error);
/* The table shared by all models, made on first use. */
fm_status fm_wall_table_find(const fm_wall_table **table, fm_error *error);

#endif
