/* Coefficients of a hull: what terms and strips a type has, and the products of velocities that they are made of. */
#ifndef FM_PHYSICS_TERMS_H
#define FM_PHYSICS_TERMS_H

#include "physics/vector.h"

enum fm_basis {
    FM_BASIS_ONE,
    FM_BASIS_U,
    FM_BASIS_V,
    FM_BASIS_W,
    FM_BASIS_P,
    FM_BASIS_Q,
    FM_BASIS_R, /* the velocities */
    FM_BASIS_AU,
    FM_BASIS_AV,
    FM_BASIS_AW,
    FM_BASIS_AP,
    FM_BASIS_AQ,
    FM_BASIS_AR, /* their magnitudes */
    FM_BASIS_VW, /* √(v² + w²), across the hull */
    FM_BASIS_UU, /* u², for drag of the third order */
    FM_BASIS_COUNT
};

enum { FM_FINS = 8 }; /* fins of one vehicle at most */

typedef struct fm_term {
    int32_t i, j; /* entries of the basis */
    int32_t fin;  /* 0: none; 1 … FM_FINS: deflection; FM_FINS+1 …: squared deflection */
    int32_t spare;
    fm_var c[6]; /* SI */
} fm_term;

struct fm_sparse_terms;

typedef struct fm_hydro {
    const fm_term *terms;
    int32_t term_count;
    int32_t uses_across;   /* some term uses FM_BASIS_VW */
    int32_t fin_terms;     /* the last fin_terms terms use fins */
    int32_t strip_count;   /* padded to an even number with empty strips */
    const fm_var *strip_x; /* m from the origin, forward positive */
    const fm_var *strip_h; /* ½ρ C_dy h dx, kg/m: drag on sideways flow; h is the hull's height */
    const fm_var *strip_b; /* ½ρ C_dz b dx, kg/m: drag on vertical flow; b is its breadth */
#ifdef FM_LANES
    const struct fm_sparse_terms *sparse; /* NULL: there is none */
#endif
} fm_hydro;

#endif
