/* Hydrodynamic force on a hull: coefficient terms and cross-flow strips.
 *
 * Every coefficient of (6.48)–(6.53), of Snookie's drag (S15)(S16) and of WaVeSim's drag is one product of two entries
 * of the velocity basis below (and, for fins, of a deflection), times a column of six numbers:
 *
 *     f += c · basis[i] · basis[j] · fin[k]
 *
 * so a vehicle carries just the terms it has. The table of names is in src/kinds/coefficients.c. */
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

/* The same coefficients without those that are 0, component by component; for lanes, which have no use for six numbers
 * side by side. Sums have the same bits: they begin with +0 or a number, to which a product that is 0 adds nothing. */
enum { FM_SPARSE_TERMS = 128, FM_SPARSE_MOST = 384 };
typedef struct fm_sparse_terms {
    int32_t first[7]; /* entries of component k: first[k] … first[k + 1] − 1 */
    int32_t spare;
    int32_t term[FM_SPARSE_MOST];
    fm_var c[FM_SPARSE_MOST];
} fm_sparse_terms;

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
    const fm_sparse_terms *sparse; /* NULL: there is none */
#endif
} fm_hydro;

FM_FN void fm_hydro_basis(const fm_hydro *hydro, const fm_real nu[6], fm_real basis[FM_BASIS_COUNT])
{
    basis[FM_BASIS_ONE] = fm_const(1);
    for (int i = 0; i < 6; i++) {
        basis[FM_BASIS_U + i] = nu[i];
        basis[FM_BASIS_AU + i] = fm_abs(nu[i]);
    }
    basis[FM_BASIS_UU] = nu[0] * nu[0];
    basis[FM_BASIS_VW] = hydro->uses_across ? fm_sqrt(nu[1] * nu[1] + nu[2] * nu[2]) : fm_const(0);
}

#ifdef FM_LANES
/* False where there is no room: the terms are then taken as they are. */
FM_FN int fm_sparse_fill(const fm_hydro *hydro, fm_sparse_terms *sparse)
{
    int32_t count = 0;
    if (hydro->term_count > FM_SPARSE_TERMS)
        return 0;
    for (int k = 0; k < 6; k++) {
        sparse->first[k] = count;
        for (int32_t t = 0; t < hydro->term_count; t++) {
            if (!fm_any(fm_real_wide(hydro->terms[t].c[k]) != fm_const(0)))
                continue;
            if (count == FM_SPARSE_MOST)
                return 0;
            sparse->term[count] = t;
            sparse->c[count++] = hydro->terms[t].c[k];
        }
    }
    sparse->first[6] = count;
    return 1;
}

FM_FN void fm_sparse_add(const fm_hydro *hydro, const fm_real basis[FM_BASIS_COUNT], const fm_real *fins, fm_real f[6])
{
    const fm_sparse_terms *sparse = hydro->sparse;
    const fm_term *term = hydro->terms;
    fm_real product[FM_SPARSE_TERMS];
    int32_t plain = hydro->term_count - hydro->fin_terms;
    for (int32_t t = 0; t < plain; t++)
        product[t] = basis[term[t].i] * basis[term[t].j];
    for (int32_t t = plain; t < hydro->term_count; t++)
        product[t] = basis[term[t].i] * basis[term[t].j] * fins[term[t].fin];
    for (int k = 0; k < 6; k++) {
        fm_real sum = f[k];
        for (int32_t e = sparse->first[k]; e < sparse->first[k + 1]; e++)
            sum += sparse->c[e] * product[sparse->term[e]];
        f[k] = sum;
    }
}
#endif

/* Coefficient terms; fins holds deflections (rad) from index 1 on, see fm_hydro_fins. Adds to f. */
FM_FN void fm_hydro_add_terms(const fm_hydro *hydro, const fm_real nu[6], const fm_real *fins, fm_real f[6])
{
    fm_real basis[FM_BASIS_COUNT];
    if (!hydro->term_count)
        return; /* terms may be NULL then */
    fm_hydro_basis(hydro, nu, basis);
#ifdef FM_LANES
    if (hydro->sparse) {
        fm_sparse_add(hydro, basis, fins, f);
        return;
    }
#endif
    fm_six sum = fm_six_at(f);
    const fm_term *term = hydro->terms;
    int32_t plain = hydro->term_count - hydro->fin_terms;
    FM_UNROLL for (int32_t t = 0; t < plain; t++) fm_six_add(&sum, term[t].c, basis[term[t].i] * basis[term[t].j]);
    FM_UNROLL for (int32_t t = plain; t < hydro->term_count; t++)
        fm_six_add(&sum, term[t].c, basis[term[t].i] * basis[term[t].j] * fins[term[t].fin]);
    fm_six_put(&sum, f);
}

/* Cross-flow drag (6.47), strip by strip: a = v + x r, c = w − x q, U = √(a² + c²),
 * D = (h a² + b c²)/U; Y −= D a, Z −= D c, M += D c x, N −= D a x. A strip at rest has no drag.
 * Even and odd strips are summed apart, which is the same order in every build: one vehicle takes the two side by side
 * in a vector of its own, lanes and threads one after the other. */
#ifdef FM_PAIRS
typedef fm_pair fm_strip_real;
#define fm_strip_sqrt fm_pair_sqrt
#define fm_strip_const fm_pair_const
#else
typedef fm_real fm_strip_real;
#define fm_strip_sqrt fm_sqrt
#define fm_strip_const fm_const
#endif

/* Sums of D a, D c, D c x and D a x. */
typedef struct fm_strip_sums {
    fm_strip_real y, z, m, n;
} fm_strip_sums;

FM_FN void fm_strip_add(fm_strip_real x, fm_strip_real h, fm_strip_real b, fm_strip_real v, fm_strip_real w,
                        fm_strip_real q, fm_strip_real r, fm_strip_sums *sums)
{
    fm_strip_real a = v + x * r, c = w - x * q, aa = a * a, cc = c * c;
    fm_strip_real drag = (h * aa + b * cc) / fm_strip_sqrt(aa + cc + fm_strip_const((fm_par)FM_TINY));
    fm_strip_real da = drag * a, dc = drag * c;
    sums->y += da;
    sums->z += dc;
    sums->m += dc * x;
    sums->n += da * x;
}

/* Sums over all strips; turn[0], turn[1]: q and r less the turning of the water along the hull (current gradient). */
FM_FN fm_strip_sums fm_hydro_cross_flow(const fm_hydro *hydro, const fm_real nu[6], const fm_real turn[2])
{
    const fm_var *x = hydro->strip_x, *h = hydro->strip_h, *b = hydro->strip_b;
#if defined(FM_LANES) || defined(__CUDACC__)
    fm_real zero = fm_const(0);
    fm_strip_sums even = {zero, zero, zero, zero}, odd = even;
    FM_UNROLL for (int s = 0; s < hydro->strip_count; s += 2)
    {
        fm_strip_add(fm_real_wide(x[s]), fm_real_wide(h[s]), fm_real_wide(b[s]), nu[1], nu[2], turn[0], turn[1], &even);
        fm_strip_add(fm_real_wide(x[s + 1]), fm_real_wide(h[s + 1]), fm_real_wide(b[s + 1]), nu[1], nu[2], turn[0],
                     turn[1], &odd);
    }
    even.y += odd.y;
    even.z += odd.z;
    even.m += odd.m;
    even.n += odd.n;
    return even;
#else
    fm_strip_real v = fm_strip_const(nu[1]), w = fm_strip_const(nu[2]);
    fm_strip_real q = fm_strip_const(turn[0]), r = fm_strip_const(turn[1]);
    fm_strip_sums sums = {{0}, {0}, {0}, {0}};
    for (int s = 0; s < hydro->strip_count; s += 2)
        fm_strip_add((fm_strip_real){x[s], x[s + 1]}, (fm_strip_real){h[s], h[s + 1]}, (fm_strip_real){b[s], b[s + 1]},
                     v, w, q, r, &sums);
    return sums;
#endif
}

FM_FN void fm_hydro_add_cross_flow(const fm_strip_sums *sums, fm_real f[6])
{
#if defined(FM_LANES) || defined(__CUDACC__)
    f[1] -= sums->y;
    f[2] -= sums->z;
    f[4] += sums->m;
    f[5] -= sums->n;
#else
    f[1] -= sums->y[0] + sums->y[1];
    f[2] -= sums->z[0] + sums->z[1];
    f[4] += sums->m[0] + sums->m[1];
    f[5] -= sums->n[0] + sums->n[1];
#endif
}

#endif
