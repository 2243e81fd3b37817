/* Linear algebra of our own against GSL's, and its bits against stored ones. */
#include "base/dense.h"

#include <gsl/gsl_linalg.h>
#include <stdint.h>

#include "support/near.h"

static double *random_numbers(size_t count, uint64_t seed)
{
    double *x = malloc(count * sizeof *x);
    for (size_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[i] = (double)(seed >> 11) * 0x1p-52 - 1;
    }
    return x;
}

/* FNV-1a over the bytes. */
static uint64_t hash_of(size_t count, const double *x)
{
    const unsigned char *bytes = (const unsigned char *)x;
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < count * sizeof *x; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

static void factored_systems_have_the_solutions_of_gsl(void **unused)
{
    (void)unused;
    for (size_t n = 1; n <= 40; n += 3) {
        double *a = random_numbers(n * n, n), *b = random_numbers(n, 7 * n), *copy = random_numbers(n * n, n);
        gsl_matrix_view matrix = gsl_matrix_view_array(copy, n, n);
        gsl_vector_view right = gsl_vector_view_array(b, n);
        gsl_vector *expected = gsl_vector_alloc(n);
        gsl_permutation *order = gsl_permutation_alloc(n);
        int sign;
        gsl_linalg_LU_decomp(&matrix.matrix, order, &sign);
        gsl_linalg_LU_solve(&matrix.matrix, order, &right.vector, expected);
        size_t *pivots = malloc(n * sizeof *pivots);
        assert_int_equal(fm_dense_factor(n, a, pivots), 0);
        fm_dense_solve_factored(n, a, pivots, b);
        for (size_t i = 0; i < n; i++)
            assert_near(b[i], gsl_vector_get(expected, i), 1e-9 * (1 + fabs(b[i])));
        gsl_vector_free(expected);
        gsl_permutation_free(order);
        free(a), free(b), free(copy), free(pivots);
    }
}

static void a_singular_matrix_is_refused(void **unused)
{
    (void)unused;
    double a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, b[3] = {1, 2, 3};
    size_t pivots[3];
    assert_int_equal(fm_dense_factor(3, a, pivots), -1);
    double again[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    assert_int_equal(fm_dense_solve(3, again, b), -1);
}

/* A by column, `rows` apart, from numbers row after row. */
static void lay_columns(size_t m, size_t n, const double *numbers, double *a, size_t rows)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            a[j * rows + i] = numbers[i * n + j];
}

static double *inverse_of(size_t m, size_t n, const double *numbers, double ridge)
{
    double *a = malloc((m + n) * n * sizeof *a), *x = malloc(m * n * sizeof *x),
           *work = malloc(fm_dense_inverse_work(m, n) * sizeof *work);
    lay_columns(m, n, numbers, a, m + n);
    fm_dense_inverse(m, n, a, ridge, x, work);
    free(a), free(work);
    return x;
}

/* With A = U S V' the regularised inverse is V S/(S^2 + ridge^2) U'. */
static void the_inverse_of_least_squares_is_that_of_gsls_singular_values(void **unused)
{
    (void)unused;
    static const size_t sizes[][2] = {{1, 1}, {2, 1}, {5, 4}, {9, 9}, {23, 8}, {31, 17}, {64, 40}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const size_t m = sizes[s][0], n = sizes[s][1];
        const double ridge = s % 2 ? 1e-9 : 0.3;
        double *numbers = random_numbers(m * n, 100 + s), *x = inverse_of(m, n, numbers, ridge);
        gsl_matrix_view u = gsl_matrix_view_array(numbers, m, n);
        gsl_matrix *v = gsl_matrix_alloc(n, n);
        gsl_vector *values = gsl_vector_alloc(n), *work = gsl_vector_alloc(n);
        gsl_linalg_SV_decomp(&u.matrix, v, values, work);
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++) {
                double sum = 0;
                for (size_t k = 0; k < n; k++) {
                    double value = gsl_vector_get(values, k), share = value / (value * value + ridge * ridge);
                    sum += gsl_matrix_get(v, j, k) * share * gsl_matrix_get(&u.matrix, i, k);
                }
                assert_near(x[i * n + j], sum, 1e-9 * (1 + fabs(sum)));
            }
        gsl_matrix_free(v);
        gsl_vector_free(values), gsl_vector_free(work);
        free(numbers), free(x);
    }
}

/* Hilbert's matrix has a condition of 1e13 here: A X A = A still, as far as the ridge lets it. */
static void nearly_dependent_columns_keep_what_they_span(void **unused)
{
    (void)unused;
    enum { M = 30, N = 10 };
    double numbers[M * N];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            numbers[i * N + j] = 1.0 / (i + j + 1);
    double *x = inverse_of(M, N, numbers, 1e-9);
    for (int column = 0; column < N; column++) {
        double inner[N] = {0};
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++)
                inner[j] += x[i * N + j] * numbers[i * N + column];
        for (int i = 0; i < M; i++) {
            double back = 0;
            for (int j = 0; j < N; j++)
                back += numbers[i * N + j] * inner[j];
            assert_near(back, numbers[i * N + column], 2e-9);
        }
    }
    free(x);
}

static void the_stored_bits_come_out(void **unused)
{
    (void)unused;
    double *numbers = random_numbers(61 * 35, 5), *x = inverse_of(61, 35, numbers, 1e-6);
    double *a = random_numbers(33 * 33, 3), *b = random_numbers(33, 4);
    size_t pivots[33];
    fm_dense_factor(33, a, pivots);
    fm_dense_solve_factored(33, a, pivots, b);
    if (hash_of(61 * 35, x) != 0x83e0eda1a8f834e5u || hash_of(33, b) != 0x5e212dcc299598aeu)
        fail_msg("inverse 0x%016llx, solution 0x%016llx", (unsigned long long)hash_of(61 * 35, x),
                 (unsigned long long)hash_of(33, b));
    free(numbers), free(x), free(a), free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factored_systems_have_the_solutions_of_gsl),
        cmocka_unit_test(a_singular_matrix_is_refused),
        cmocka_unit_test(the_inverse_of_least_squares_is_that_of_gsls_singular_values),
        cmocka_unit_test(nearly_dependent_columns_keep_what_they_span),
        cmocka_unit_test(the_stored_bits_come_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
