/* The coefficients of a hull for lanes, which gain nothing from six numbers side by side: those that are 0 are left
 * out, and the others are stored component by component. Sums have the same bits: they begin with +0 or a number, and
 * adding a product that is 0 does not change them.
 *
 * Most fins push by u|u| δ, and by u|u| δ² against the motion. Where all do, they are summed fin by fin; in float,
 * whose bits are not compared, that is done when they move, not at every stage. */
#ifndef FM_PHYSICS_SPARSE_TERMS_H
#define FM_PHYSICS_SPARSE_TERMS_H

#include "physics/terms.h"

#ifdef FM_LANES
enum { FM_SPARSE_MOST = 256 };

/* One coefficient; places in bytes from the start of the basis or of the fins. */
typedef struct fm_sparse_entry {
    fm_real c;
    uint32_t a, b; /* of the basis */
    uint32_t fin;
} fm_sparse_entry;

typedef struct fm_sparse_terms {
    int32_t fins;       /* that are summed fin by fin: 1 … fins */
    uint32_t plain[7];  /* entries of component k without fins: plain[k] … plain[k + 1] − 1, an even number */
    uint32_t finned[7]; /* the same for those with fins, if these are not summed fin by fin */
    fm_real force[FM_FINS][6]; /* a fin's coefficients of u|u| δ², u|u| δ (five times) */
#ifdef FM_FLOAT
    fm_real pushed[6]; /* their sums with the present deflections */
#endif
    fm_sparse_entry entry[FM_SPARSE_MOST];
} fm_sparse_terms;

FM_FN fm_real fm_sparse_at(const fm_real *numbers, uint32_t slot)
{
    return *(const fm_real *)(const void *)((const char *)numbers + slot);
}

/* --- before the steps --- */

FM_FN uint32_t fm_sparse_slot(int32_t index)
{
    return (uint32_t)index * (uint32_t)sizeof(fm_real);
}

FM_FN int fm_sparse_is_zero(fm_var c)
{
    return !fm_any(fm_real_wide(c) != fm_const(0));
}

/* Whether a term of fin n is one of u|u| δ without surge, or of u|u| δ² in surge alone. */
FM_FN int fm_sparse_is_force(const fm_term *term)
{
    int squared = term->fin > FM_FINS, usual = term->i == FM_BASIS_U && term->j == FM_BASIS_AU;
    for (int k = 0; k < 6; k++)
        usual = usual && ((k == 0) == squared || fm_sparse_is_zero(term->c[k]));
    return usual;
}

/* Fins that are summed fin by fin; 0: there are none, or others among them. */
FM_FN int32_t fm_sparse_fill_fins(const fm_hydro *hydro, fm_sparse_terms *sparse)
{
    int32_t fins = 0, last[2] = {0, 0};
    for (int n = 0; n < FM_FINS; n++)
        for (int k = 0; k < 6; k++)
            sparse->force[n][k] = fm_const(0);
    for (int32_t t = hydro->term_count - hydro->fin_terms; t < hydro->term_count; t++) {
        const fm_term *term = &hydro->terms[t];
        int squared = term->fin > FM_FINS;
        int32_t n = squared ? term->fin - FM_FINS : term->fin;
        if (!fm_sparse_is_force(term) || n <= last[squared]) /* sums go from fin to fin */
            return 0;
        for (int k = squared ? 0 : 1; k < (squared ? 1 : 6); k++)
            sparse->force[n - 1][k] = fm_real_wide(term->c[k]);
        last[squared] = n;
        fins = n > fins ? n : fins;
    }
    return fins;
}

/* Entries of all components for the terms from … to − 1. False if they do not fit. */
FM_FN int fm_sparse_fill_entries(const fm_hydro *hydro, int32_t from, int32_t to, uint32_t *count, uint32_t first[7],
                                 fm_sparse_terms *sparse)
{
    for (int k = 0; k < 6; k++) {
        first[k] = *count;
        for (int32_t t = from; t < to; t++) {
            const fm_term *term = &hydro->terms[t];
            if (fm_sparse_is_zero(term->c[k]))
                continue;
            if (*count + 2 > FM_SPARSE_MOST)
                return 0;
            sparse->entry[(*count)++] = (fm_sparse_entry){fm_real_wide(term->c[k]), fm_sparse_slot(term->i),
                                                          fm_sparse_slot(term->j), fm_sparse_slot(term->fin)};
        }
        if (*count % 2)
            sparse->entry[(*count)++] = (fm_sparse_entry){fm_const(0), 0, 0, 0};
    }
    first[6] = *count;
    return 1;
}

/* False if they do not fit: the terms are then used directly. */
FM_FN int fm_sparse_fill(const fm_hydro *hydro, fm_sparse_terms *sparse)
{
    int32_t plain = hydro->term_count - hydro->fin_terms;
    uint32_t count = 0;
    sparse->fins = fm_sparse_fill_fins(hydro, sparse);
    return fm_sparse_fill_entries(hydro, 0, plain, &count, sparse->plain, sparse) &&
           fm_sparse_fill_entries(hydro, sparse->fins ? hydro->term_count : plain, hydro->term_count, &count,
                                  sparse->finned, sparse);
}

/* --- fins that push by the square of the speed; uu: u|u| --- */

#ifdef FM_FLOAT
/* To be called when deflections have changed. */
FM_FN void fm_sparse_fold(fm_sparse_terms *sparse, const fm_real *fins)
{
    for (int k = 0; k < 6; k++) {
        sparse->pushed[k] = fm_const(0);
        for (int32_t n = 0; n < sparse->fins; n++)
            sparse->pushed[k] += sparse->force[n][k] * fins[1 + n + (k == 0 ? FM_FINS : 0)];
    }
}

FM_FN void fm_sparse_add_all(const fm_sparse_terms *sparse, fm_real uu, const fm_real *fins, fm_real f[6])
{
    (void)fins;
    for (int k = 0; k < 6; k++)
        f[k] += sparse->pushed[k] * uu;
}
#else
FM_FN void fm_sparse_fold(fm_sparse_terms *sparse, const fm_real *fins)
{
    (void)sparse, (void)fins;
}

FM_FN void fm_sparse_add_all(const fm_sparse_terms *sparse, fm_real uu, const fm_real *fins, fm_real f[6])
{
    fm_real sum[6] = {f[0], f[1], f[2], f[3], f[4], f[5]};
    for (int32_t n = 0; n < sparse->fins; n++) {
        const fm_real *c = sparse->force[n];
        fm_real along = uu * fins[1 + n];
        sum[0] += c[0] * (uu * fins[1 + FM_FINS + n]);
        for (int k = 1; k < 6; k++)
            sum[k] += c[k] * along;
    }
    for (int k = 0; k < 6; k++)
        f[k] = sum[k];
}
#endif

/* --- in a stage --- */

FM_FN fm_real fm_sparse_product(const fm_sparse_entry *e, const fm_real basis[FM_BASIS_COUNT])
{
    return fm_sparse_at(basis, e->a) * fm_sparse_at(basis, e->b);
}

FM_FN void fm_sparse_add(const fm_sparse_terms *sparse, const fm_real basis[FM_BASIS_COUNT], const fm_real *fins,
                         fm_real f[6])
{
    for (int k = 0; k < 6; k++) {
        const fm_sparse_entry *e = sparse->entry + sparse->plain[k], *end = sparse->entry + sparse->plain[k + 1];
        fm_real sum = f[k];
        for (; e < end; e += 2) {
            sum += e[0].c * fm_sparse_product(&e[0], basis);
            sum += e[1].c * fm_sparse_product(&e[1], basis);
        }
        f[k] = sum;
    }
    if (sparse->fins)
        fm_sparse_add_all(sparse, basis[FM_BASIS_U] * basis[FM_BASIS_AU], fins, f);
    for (int k = 0; k < 6 && !sparse->fins; k++) {
        const fm_sparse_entry *e = sparse->entry + sparse->finned[k], *end = sparse->entry + sparse->finned[k + 1];
        for (; e < end; e++)
            f[k] += e->c * (fm_sparse_product(e, basis) * fm_sparse_at(fins, e->fin));
    }
}
#endif

#endif
