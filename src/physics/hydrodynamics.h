/* Hydrodynamic force on a hull: coefficient terms and cross-flow strips.
 *
 * Every coefficient of (6.48)–(6.53), of Snookie's drag (15)(16) and of WaVeSim's drag is one product of two entries
 * of the velocity basis below (and, for fins, of a deflection), times a column of six numbers:
 *
 *     f += c · basis[i] · basis[j] · fin[k]
 *
 * so a vehicle carries just the terms it has. The table of names is in src/world/coefficients.c. */
#ifndef FM_PHYSICS_HYDRODYNAMICS_H
#define FM_PHYSICS_HYDRODYNAMICS_H

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
    FM_BASIS_COUNT
};

enum { FM_FINS = 8 }; /* fins of one vehicle at most */

typedef struct fm_term {
    int32_t i, j; /* entries of the basis */
    int32_t fin;  /* 0: none; 1 … FM_FINS: deflection; FM_FINS+1 …: squared deflection */
    int32_t spare;
    fm_par c[6]; /* SI */
} fm_term;

typedef struct fm_hydro {
    const fm_term *terms;
    int32_t term_count;
    int32_t uses_across;   /* some term uses FM_BASIS_VW */
    int32_t fin_terms;     /* the last fin_terms terms use fins */
    int32_t strip_count;   /* padded to an even number with empty strips */
    const fm_par *strip_x; /* m from the origin, forward positive */
    const fm_par *strip_h; /* ½ρ C_dy h dx, kg/m: drag on sideways flow; h is the hull's height */
    const fm_par *strip_b; /* ½ρ C_dz b dx, kg/m: drag on vertical flow; b is its breadth */
} fm_hydro;

FM_FN void fm_hydro_basis(const fm_hydro *hydro, const fm_real nu[6], fm_real basis[FM_BASIS_COUNT])
{
    basis[FM_BASIS_ONE] = fm_const(1);
    for (int i = 0; i < 6; i++) {
        basis[FM_BASIS_U + i] = nu[i];
        basis[FM_BASIS_AU + i] = fm_abs(nu[i]);
    }
    basis[FM_BASIS_VW] = hydro->uses_across ? fm_sqrt(nu[1] * nu[1] + nu[2] * nu[2]) : fm_const(0);
}

/* Coefficient terms; fins holds deflections (rad) from index 1 on, see fm_hydro_fins. Adds to f. */
FM_FN void fm_hydro_add_terms(const fm_hydro *hydro, const fm_real nu[6], const fm_real *fins, fm_real f[6])
{
    fm_real basis[FM_BASIS_COUNT];
    fm_hydro_basis(hydro, nu, basis);
    int plain = hydro->term_count - hydro->fin_terms;
    for (int t = 0; t < hydro->term_count; t++) {
        const fm_term *term = &hydro->terms[t];
        fm_real product = basis[term->i] * basis[term->j];
        if (t >= plain)
            product *= fins[term->fin];
        for (int r = 0; r < 6; r++)
            f[r] += term->c[r] * product;
    }
}

/* Cross-flow drag (6.47), strip by strip: a = v + x r, c = w − x q, U = √(a² + c²),
 * D = (h a² + b c²)/U; Y −= D a, Z −= D c, M += D c x, N −= D a x. A strip at rest (U < 1e-9 m/s) has no drag.
 * turn[0], turn[1]: q and r less the turning of the water along the hull (current gradient). Adds to f. */
#if defined(FM_LANES) || defined(__CUDACC__)

FM_FN void fm_hydro_add_cross_flow(const fm_hydro *hydro, const fm_real nu[6], const fm_real turn[2], fm_real f[6])
{
    fm_real y = fm_const(0), z = y, m = y, n = y;
    for (int s = 0; s < hydro->strip_count; s++) {
        fm_real a = nu[1] + hydro->strip_x[s] * turn[1];
        fm_real c = nu[2] - hydro->strip_x[s] * turn[0];
        fm_real aa = a * a, cc = c * c;
        fm_real speed = fm_max(fm_sqrt(aa + cc), fm_const(1e-9));
        fm_real drag = (hydro->strip_h[s] * aa + hydro->strip_b[s] * cc) / speed;
        fm_real da = drag * a, dc = drag * c;
        y += da;
        z += dc;
        m += dc * hydro->strip_x[s];
        n += da * hydro->strip_x[s];
    }
    f[1] -= y;
    f[2] -= z;
    f[4] += m;
    f[5] -= n;
}

#else

#include <emmintrin.h>

/* One vehicle: two strips at a time, even and odd ones summed apart (the same order in every build). */
FM_FN void fm_hydro_add_cross_flow(const fm_hydro *hydro, const double nu[6], const double turn[2], double f[6])
{
    __m128d v = _mm_set1_pd(nu[1]), w = _mm_set1_pd(nu[2]);
    __m128d q = _mm_set1_pd(turn[0]), r = _mm_set1_pd(turn[1]), still = _mm_set1_pd(1e-9);
    __m128d y = _mm_setzero_pd(), z = y, m = y, n = y;
    for (int s = 0; s < hydro->strip_count; s += 2) {
        __m128d x = _mm_loadu_pd(hydro->strip_x + s);
        __m128d a = _mm_add_pd(v, _mm_mul_pd(x, r)), c = _mm_sub_pd(w, _mm_mul_pd(x, q));
        __m128d aa = _mm_mul_pd(a, a), cc = _mm_mul_pd(c, c);
        __m128d speed = _mm_max_pd(_mm_sqrt_pd(_mm_add_pd(aa, cc)), still);
        __m128d side = _mm_mul_pd(_mm_loadu_pd(hydro->strip_h + s), aa);
        __m128d heave = _mm_mul_pd(_mm_loadu_pd(hydro->strip_b + s), cc);
        __m128d drag = _mm_div_pd(_mm_add_pd(side, heave), speed);
        __m128d da = _mm_mul_pd(drag, a), dc = _mm_mul_pd(drag, c);
        y = _mm_add_pd(y, da);
        z = _mm_add_pd(z, dc);
        m = _mm_add_pd(m, _mm_mul_pd(dc, x));
        n = _mm_add_pd(n, _mm_mul_pd(da, x));
    }
    f[1] -= y[0] + y[1];
    f[2] -= z[0] + z[1];
    f[4] += m[0] + m[1];
    f[5] -= n[0] + n[1];
}

#endif

#endif
