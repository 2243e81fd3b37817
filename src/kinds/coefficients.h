/* Hydrodynamic coefficients by name: the complete set of (6.48)–(6.53), linear and quadratic drag of each axis, and
 * Snookie's and WaVeSim's drag, in one table of six rows and 47 products of velocities. */
#ifndef FM_KINDS_COEFFICIENTS_H
#define FM_KINDS_COEFFICIENTS_H

#include <fathom/part.h>

#include "physics/hydrodynamics.h"

enum { FM_PRODUCTS = 47, FM_PLAIN_SQUARES = 40 }; /* from there on: u2, v2 … */

/* c[row][product]; rows X Y Z K M N, products in the order of the table in coefficients.c. */
typedef struct fm_coefficients {
    double length; /* L, m: of <hydrodynamics> */
    double c[6][FM_PRODUCTS];
} fm_coefficients;

/* <hydrodynamics length="…" Y_uv="-0.107" …/>: dimensionless, scaled by ½ρL²…⁵. */
extern const fm_element fm_hydrodynamics_element;
/* <drag X_u="-5 N*s/m" …/>: dimensional. */
extern const fm_element fm_drag_element;

/* One fin: coefficients of u|u|δ (six rows), u|u|δ² and the products uqδ, urδ, uvδ, uwδ in surge. */
typedef struct fm_fin_coefficients {
    double along[6];       /* u|u|δ: dimensionless with L², L³; or N/(m/s)²/rad, N·m/(m/s)²/rad */
    double squared;        /* u|u|δ² in X */
    double uq, ur, uv, uw; /* ·δ in X */
} fm_fin_coefficients;

/* Names of the coefficients of a row with the term i·j (indices of physics/hydrodynamics.h): "Y_vv", "Y_v_absv".
 * Returns their number, at most `most`. */
size_t fm_coefficient_names(int row, int i, int j, const char **names, size_t most);

/* Collects terms of a vehicle, in memory of the model being loaded. */
typedef struct fm_term_list {
    fm_part_load *load;
    fm_term *terms;
    size_t count, room;
} fm_term_list;

/* Each returns 0 when out of memory. */
int fm_terms_add(fm_term_list *list, int i, int j, int fin, int row, double c);
/* `density` > 0: dimensionless, scaled with L; 0: the numbers are SI already. */
int fm_terms_from_coefficients(fm_term_list *list, const fm_coefficients *coefficients, double density);
int fm_terms_from_fin(fm_term_list *list, const fm_fin_coefficients *fin, int number, double density, double length);
/* Orders the terms (fin terms last) and writes them into hydro. */
void fm_terms_finish(const fm_term_list *list, fm_hydro *hydro);

#endif
