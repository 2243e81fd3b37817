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

#include "physics/hull_waves.h"
#include "physics/sparse_terms.h"

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
/* How many strips there are without those at the end that are empty for all, the padding among them: they add 0. */
FM_FN int32_t fm_hydro_strips(const fm_hydro *hydro)
{
    fm_real zero = fm_const(0);
    for (int32_t n = hydro->strip_count; n > 0; n--)
        if (fm_any((fm_real_wide(hydro->strip_h[n - 1]) != zero) | (fm_real_wide(hydro->strip_b[n - 1]) != zero)))
            return n;
    return 0;
}
#endif

/* Coefficient terms; fins holds deflections (rad) from index 1 on. Adds to f. */
FM_FN void fm_hydro_add_terms(const fm_hydro *hydro, const fm_real nu[6], const fm_real *fins, fm_real f[6])
{
    fm_real basis[FM_BASIS_COUNT];
    if (!hydro->term_count)
        return; /* terms may be NULL then */
    fm_hydro_basis(hydro, nu, basis);
#ifdef FM_LANES
    if (hydro->sparse) {
        fm_sparse_add(hydro->sparse, basis, fins, f);
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
#define fm_strip_over_root fm_pair_over_root
#define fm_strip_const fm_pair_const
#else
typedef fm_real fm_strip_real;
#define fm_strip_over_root fm_over_root
#define fm_strip_const fm_const
#endif

/* Sums of D a, D c, D c x and D a x. */
typedef struct fm_strip_sums {
    fm_strip_real y, z, m, n;
} fm_strip_sums;

/* D, and the flow a, c across a strip. */
FM_FN fm_strip_real fm_strip_drag(fm_strip_real x, fm_strip_real h, fm_strip_real b, const fm_strip_real flow[4],
                                  fm_strip_real *a, fm_strip_real *c)
{
    *a = flow[0] + x * flow[3];
    *c = flow[1] - x * flow[2];
    fm_strip_real aa = *a * *a, cc = *c * *c;
    return fm_strip_over_root(h * aa + b * cc, aa + cc + fm_strip_const((fm_par)FM_TINY));
}

FM_FN void fm_strip_add(fm_strip_real x, fm_strip_real h, fm_strip_real b, const fm_strip_real flow[4],
                        fm_strip_sums *sums)
{
    fm_strip_real a, c, drag = fm_strip_drag(x, h, b, flow, &a, &c);
    fm_strip_real da = drag * a, dc = drag * c;
    sums->y += da;
    sums->z += dc;
    sums->m += dc * x;
    sums->n += da * x;
}

#if defined(FM_LANES) && defined(FM_FLOAT)
/* For float builds, whose bits are not compared: a and c are linear in x, so that three sums suffice. */
FM_FN fm_strip_sums fm_strips_sum(const fm_hydro *hydro, const fm_real flow[4])
{
    fm_real d0 = fm_const(0), d1 = d0, d2 = d0, a, c;
    for (int s = 0; s < hydro->strip_count; s++) {
        fm_real x = fm_real_wide(hydro->strip_x[s]);
        fm_real d = fm_strip_drag(x, fm_real_wide(hydro->strip_h[s]), fm_real_wide(hydro->strip_b[s]), flow, &a, &c);
        fm_real dx = d * x;
        d0 += d;
        d1 += dx;
        d2 += dx * x;
    }
    fm_real v = flow[0], w = flow[1], q = flow[2], r = flow[3];
    fm_strip_sums sums = {v * d0 + r * d1, w * d0 - q * d1, w * d1 - q * d2, v * d1 + r * d2};
    return sums;
}
#elif defined(FM_LANES) || defined(__CUDACC__)
/* Of every second strip; one after the other the two sums need half the registers. */
FM_FN fm_strip_sums fm_strips_half(const fm_hydro *hydro, int first, const fm_real flow[4])
{
    fm_real zero = fm_const(0);
    fm_strip_sums sums = {zero, zero, zero, zero};
    FM_UNROLL for (int s = first; s < hydro->strip_count; s += 2) fm_strip_add(
        fm_real_wide(hydro->strip_x[s]), fm_real_wide(hydro->strip_h[s]), fm_real_wide(hydro->strip_b[s]), flow, &sums);
    return sums;
}

FM_FN fm_strip_sums fm_strips_sum(const fm_hydro *hydro, const fm_real flow[4])
{
    fm_strip_sums even = fm_strips_half(hydro, 0, flow), odd = fm_strips_half(hydro, 1, flow);
    even.y += odd.y;
    even.z += odd.z;
    even.m += odd.m;
    even.n += odd.n;
    return even;
}
#else
FM_FN fm_strip_sums fm_strips_sum(const fm_hydro *hydro, const fm_real flow[4])
{
    const fm_var *x = hydro->strip_x, *h = hydro->strip_h, *b = hydro->strip_b;
    fm_strip_real both[4] = {fm_strip_const(flow[0]), fm_strip_const(flow[1]), fm_strip_const(flow[2]),
                             fm_strip_const(flow[3])};
    fm_strip_sums sums = {{0}, {0}, {0}, {0}};
    for (int s = 0; s < hydro->strip_count; s += 2)
        fm_strip_add((fm_strip_real){x[s], x[s + 1]}, (fm_strip_real){h[s], h[s + 1]}, (fm_strip_real){b[s], b[s + 1]},
                     both, &sums);
    return sums;
}
#endif

/* Sums over all strips; turn[0], turn[1]: q and r less the turning of the water along the hull (current gradient). */
FM_FN fm_strip_sums fm_hydro_cross_flow(const fm_hydro *hydro, const fm_real nu[6], const fm_real turn[2])
{
    fm_real flow[4] = {nu[1], nu[2], turn[0], turn[1]};
    return fm_strips_sum(hydro, flow);
}

/* The same in waves, whose water moves differently at each strip. Even and odd strips are separate here too. */
FM_WHOLE fm_strip_sums fm_hydro_cross_flow_in(const fm_hydro *hydro, const fm_real nu[6], const fm_real turn[2],
                                              const fm_hull_water *waves)
{
    fm_real zero = fm_const(0), sums[2][4], q = turn[0] - waves->spin[1], r = turn[1] - waves->spin[2];
    for (int i = 0; i < 4; i++)
        sums[0][i] = sums[1][i] = zero;
    for (int s = 0; s < hydro->strip_count; s++) {
        fm_real x = fm_real_wide(hydro->strip_x[s]), h = fm_real_wide(hydro->strip_h[s]);
        fm_real a = nu[1] + x * r - fm_hull_profile_at(waves->profile[1], x), aa = a * a;
        fm_real c = nu[2] - x * q - fm_hull_profile_at(waves->profile[2], x), cc = c * c;
        fm_real drag = fm_over_root(h * aa + hydro->strip_b[s] * cc, aa + cc + fm_const(FM_TINY));
        fm_real da = drag * a, dc = drag * c, *sum = sums[s & 1];
        sum[0] += da, sum[1] += dc, sum[2] += dc * x, sum[3] += da * x;
    }
#if defined(FM_LANES) || defined(__CUDACC__)
    fm_strip_sums all = {sums[0][0] + sums[1][0], sums[0][1] + sums[1][1], sums[0][2] + sums[1][2],
                         sums[0][3] + sums[1][3]};
#else
    fm_strip_sums all = {
        {sums[0][0], sums[1][0]}, {sums[0][1], sums[1][1]}, {sums[0][2], sums[1][2]}, {sums[0][3], sums[1][3]}};
#endif
    return all;
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
