#include "kinds/coefficients.h"

#include <stdlib.h>
#include <string.h>

/* The products, with their two factors and their class: 0 velocity·velocity, 1 velocity·rate, 2 rate·rate,
 * 3 a single velocity, 4 a single rate. X-macro arguments: row letter, row name, name, index, i, j, class. */
/* clang-format off */
#define PRODUCTS(F, ROW)                                                                                               \
    F(ROW, uu, 0, U, U, 0) F(ROW, uv, 1, U, V, 0) F(ROW, uw, 2, U, W, 0) F(ROW, up, 3, U, P, 1) F(ROW, uq, 4, U, Q, 1)  \
    F(ROW, ur, 5, U, R, 1) F(ROW, vv, 6, V, V, 0) F(ROW, vw, 7, V, W, 0) F(ROW, vp, 8, V, P, 1) F(ROW, vq, 9, V, Q, 1)  \
    F(ROW, vr, 10, V, R, 1) F(ROW, ww, 11, W, W, 0) F(ROW, wp, 12, W, P, 1) F(ROW, wq, 13, W, Q, 1)                     \
    F(ROW, wr, 14, W, R, 1) F(ROW, pp, 15, P, P, 2) F(ROW, pq, 16, P, Q, 2) F(ROW, pr, 17, P, R, 2)                     \
    F(ROW, qq, 18, Q, Q, 2) F(ROW, qr, 19, Q, R, 2) F(ROW, rr, 20, R, R, 2)                                             \
    F(ROW, u, 21, ONE, U, 3) F(ROW, v, 22, ONE, V, 3) F(ROW, w, 23, ONE, W, 3)                                          \
    F(ROW, p, 24, ONE, P, 4) F(ROW, q, 25, ONE, Q, 4) F(ROW, r, 26, ONE, R, 4)                                          \
    F(ROW, u_absu, 27, U, AU, 0) F(ROW, v_absv, 28, V, AV, 0) F(ROW, w_absw, 29, W, AW, 0)                              \
    F(ROW, p_absp, 30, P, AP, 2) F(ROW, q_absq, 31, Q, AQ, 2) F(ROW, r_absr, 32, R, AR, 2)                              \
    F(ROW, absu_v, 33, AU, V, 0) F(ROW, absu_w, 34, AU, W, 0) F(ROW, absu_p, 35, AU, P, 1)                              \
    F(ROW, absu_q, 36, AU, Q, 1) F(ROW, absu_r, 37, AU, R, 1)                                                           \
    F(ROW, across_v, 38, VW, V, 0) F(ROW, across_w, 39, VW, W, 0)                                                       \
    F(ROW, u2, 40, U, U, 0) F(ROW, v2, 41, V, V, 0) F(ROW, w2, 42, W, W, 0)                                             \
    F(ROW, p2, 43, P, P, 2) F(ROW, q2, 44, Q, Q, 2) F(ROW, r2, 45, R, R, 2)
/* clang-format on */

#define FORCE_UNIT_0 "N*s2/m2"
#define FORCE_UNIT_1 "N*s2/m/rad"
#define FORCE_UNIT_2 "N*s2/rad2"
#define FORCE_UNIT_3 "N*s/m"
#define FORCE_UNIT_4 "N*s/rad"
#define MOMENT_UNIT_0 "N*m*s2/m2"
#define MOMENT_UNIT_1 "N*m*s2/m/rad"
#define MOMENT_UNIT_2 "N*m*s2/rad2"
#define MOMENT_UNIT_3 "N*m*s/m"
#define MOMENT_UNIT_4 "N*m*s/rad"

#define ROW_X 0
#define ROW_Y 1
#define ROW_Z 2
#define ROW_K 3
#define ROW_M 4
#define ROW_N 5

#define ATTR(ROW, product, index, its_unit)                                                                            \
    FM_REAL_ATTR(fm_coefficients, c[ROW_##ROW][index], #ROW "_" #product, its_unit, 0, 0, NULL, 0,                     \
                 "coefficient of " #product " in the equation of " #ROW),
#define PLAIN(ROW, product, index, a, b, class) ATTR(ROW, product, index, "")
#define FORCE(ROW, product, index, a, b, class) ATTR(ROW, product, index, FORCE_UNIT_##class)
#define MOMENT(ROW, product, index, a, b, class) ATTR(ROW, product, index, MOMENT_UNIT_##class)

static const fm_attr dimensionless[] = {
    FM_REAL_ATTR(fm_coefficients, length, "length", "m", 1e-3, 1e3, NULL, FM_ATTR_REQUIRED,
                 "length L that makes the coefficients dimensionless"),
    PRODUCTS(PLAIN, X) PRODUCTS(PLAIN, Y) PRODUCTS(PLAIN, Z) PRODUCTS(PLAIN, K) PRODUCTS(PLAIN, M) PRODUCTS(PLAIN, N)};

static const fm_attr dimensional[] = {PRODUCTS(FORCE, X) PRODUCTS(FORCE, Y) PRODUCTS(FORCE, Z) PRODUCTS(MOMENT, K)
                                          PRODUCTS(MOMENT, M) PRODUCTS(MOMENT, N) ATTR(X, u3, 46, "N*s3/m3")};

#define SQUARES                                                                                                        \
    "A doubled letter means what papers mean by it: u|u| in X_uu; v|v|, p|p|, r|r| in Y_vv, K_pp, N_rr and the "       \
    "others "                                                                                                          \
    "of these rows; w|w|, q|q| in Z_ww, Z_qq, M_ww, M_qq; the square elsewhere (X_vv, X_qq, Z_vv). A square in any "   \
    "row "                                                                                                             \
    "is written X_u2, Z_w2."

const fm_element fm_hydrodynamics_element = FM_TABLE_ELEMENT(
    fm_coefficients, "hydrodynamics", dimensionless, NULL, FM_ELEMENT_ONCE,
    "Dimensionless hydrodynamic coefficients of (6.48)-(6.53): force and moment are rho/2 L^n times coefficient times "
    "product of velocities; n is 2 for two velocities, 3 for a velocity and a rate, 4 for two rates, one more for "
    "moments. Written Y_uv, K_p_absp (p|p|), Z_absu_w (|u|w), Y_across_v (v times the speed across the "
    "hull). " SQUARES);

const fm_element fm_drag_element = FM_TABLE_ELEMENT(
    fm_coefficients, "drag", dimensional, NULL, FM_ELEMENT_ONCE,
    "Dimensional hydrodynamic coefficients: drag of first order (X_u), of second order (X_u_absu), of third order in "
    "surge "
    "(X_u3: a hull that makes waves), across "
    "the hull (Y_across_v), and any product of two velocities. Negative numbers resist the motion. " SQUARES);

static const struct {
    int i, j, dimension;
} products[FM_PRODUCTS] = {
#define FACTORS(ROW, product, index, a, b, class) {FM_BASIS_##a, FM_BASIS_##b, class},
    PRODUCTS(FACTORS, X)
#undef FACTORS
        {FM_BASIS_U, FM_BASIS_UU, 5}, /* u³: in SI alone */
};

/* ½ρLⁿ for a row and a class of product. */
static double scale(double density, double length, int row, int class)
{
    static const int power[6] = {2, 3, 4, 2, 4, 0};
    double s = 0.5 * density;
    for (int n = 0; n < power[class] + (row >= 3); n++)
        s *= length;
    return s;
}

static int grow(fm_term_list *list)
{
    size_t room = list->room ? 2 * list->room : 32;
    fm_term *terms = fm_load_alloc(list->load, room * sizeof *terms);
    if (!terms)
        return 0;
    if (list->count)
        memcpy(terms, list->terms, list->count * sizeof *terms);
    list->terms = terms;
    list->room = room;
    return 1;
}

int fm_terms_add(fm_term_list *list, int i, int j, int fin, int row, double c)
{
    if (c == 0)
        return 1;
    for (size_t t = 0; t < list->count; t++)
        if (list->terms[t].i == i && list->terms[t].j == j && list->terms[t].fin == fin) {
            list->terms[t].c[row] += c;
            return 1;
        }
    if (list->count == list->room && !grow(list))
        return 0;
    list->terms[list->count] = (fm_term){.i = i, .j = j, .fin = fin};
    list->terms[list->count++].c[row] = c;
    return 1;
}

/* Whether a doubled letter of this row means v|v|: along the axis itself, in the rows that port-starboard symmetry
 * makes odd in v, p and r, and in heave and pitch, where tables (Prestero's, Fossen's) print w|w| and q|q| this way. */
static int square_is_signed(int row, int basis)
{
    static const unsigned char axes[6] = {[ROW_X] = 1 << 0,          [ROW_Y] = 1 << 1 | 1 << 3 | 1 << 5,
                                          [ROW_Z] = 1 << 2 | 1 << 4, [ROW_K] = 1 << 1 | 1 << 3 | 1 << 5,
                                          [ROW_M] = 1 << 2 | 1 << 4, [ROW_N] = 1 << 1 | 1 << 3 | 1 << 5};
    return axes[row] >> (basis - FM_BASIS_U) & 1;
}

static int second_factor(int row, int k)
{
    int i = products[k].i, j = products[k].j;
    return i == j && k < FM_PLAIN_SQUARES && square_is_signed(row, i) ? FM_BASIS_AU + (i - FM_BASIS_U) : j;
}

int fm_terms_from_coefficients(fm_term_list *list, const fm_coefficients *coefficients, double density)
{
    for (int row = 0; row < 6; row++)
        for (int k = 0; k < FM_PRODUCTS; k++) {
            double s = density > 0 ? scale(density, coefficients->length, row, products[k].dimension) : 1;
            if (!fm_terms_add(list, products[k].i, second_factor(row, k), 0, row, s * coefficients->c[row][k]))
                return 0;
        }
    return 1;
}

size_t fm_coefficient_names(int row, int i, int j, const char **names, size_t most)
{
    enum { CUBE = FM_PRODUCTS - 1 }; /* of X alone, after all others */
    size_t count = 0;
    for (int k = 0; k < FM_PRODUCTS && count < most; k++)
        if (products[k].i == i && second_factor(row, k) == j && (k != CUBE || row == ROW_X))
            names[count++] = dimensional[k == CUBE ? 6 * CUBE : row * CUBE + k].name;
    return count;
}

int fm_terms_from_fin(fm_term_list *list, const fm_fin_coefficients *fin, int number, double density, double length)
{
    double area = density > 0 ? scale(density, length, 0, 0) : 1,
           moment = density > 0 ? scale(density, length, 3, 0) : 1;
    double turning = density > 0 ? scale(density, length, 0, 1) : 1;
    int ok = 1;
    for (int row = 0; row < 6; row++)
        ok =
            ok && fm_terms_add(list, FM_BASIS_U, FM_BASIS_AU, number, row, (row < 3 ? area : moment) * fin->along[row]);
    ok = ok && fm_terms_add(list, FM_BASIS_U, FM_BASIS_AU, FM_FINS + number, 0, area * fin->squared);
    ok = ok && fm_terms_add(list, FM_BASIS_U, FM_BASIS_Q, number, 0, turning * fin->uq);
    ok = ok && fm_terms_add(list, FM_BASIS_U, FM_BASIS_R, number, 0, turning * fin->ur);
    ok = ok && fm_terms_add(list, FM_BASIS_U, FM_BASIS_V, number, 0, area * fin->uv);
    return ok && fm_terms_add(list, FM_BASIS_U, FM_BASIS_W, number, 0, area * fin->uw);
}

static int by_fin(const void *a, const void *b)
{
    const fm_term *x = a, *y = b;
    if (x->fin != y->fin)
        return x->fin < y->fin ? -1 : 1;
    if (x->i != y->i)
        return x->i < y->i ? -1 : 1;
    return x->j < y->j ? -1 : x->j > y->j;
}

void fm_terms_finish(const fm_term_list *list, fm_hydro *hydro)
{
    if (list->count)
        qsort(list->terms, list->count, sizeof *list->terms, by_fin);
    hydro->terms = list->terms;
    hydro->term_count = (int32_t)list->count;
    for (size_t t = 0; t < list->count; t++) {
        hydro->fin_terms += list->terms[t].fin > 0;
        hydro->uses_across |= list->terms[t].i == FM_BASIS_VW || list->terms[t].j == FM_BASIS_VW;
    }
}
