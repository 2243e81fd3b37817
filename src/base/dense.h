/* Dense linear algebra with the same bits on every computer: sums have a fixed order, independent of the processor and
 * the width of its vectors (LAPACK chooses both by the processor). Row-major unless stated otherwise. */
#ifndef FM_BASE_DENSE_H
#define FM_BASE_DENSE_H

#include <stddef.h>

/* Factors A (n x n) in place into L and U with partial pivoting; pivots (n): the row exchanged with each. Returns 0, or
 * -1 if a pivot is below 1e-13 of the largest element: singular to working precision. */
int fm_dense_factor(size_t n, double *a, size_t *pivots);
/* Solves A x = b with these factors; b (n) becomes x. */
void fm_dense_solve_factored(size_t n, const double *a, const size_t *pivots, double *b);

/* Both at once for one small b, n up to FM_DENSE_SMALL; overwrites a and b. Returns the value of fm_dense_factor. */
int fm_dense_solve(size_t n, double *a, double *b);
#define FM_DENSE_SMALL 16

/* y = A x for A of rows x columns */
void fm_dense_apply(size_t rows, size_t columns, const double *a, const double *x, double *y);

/* C = A B, n x n each; c must not overlap a or b */
void fm_dense_multiply(size_t n, const double *a, const double *b, double *c);

/* Eigenvalues and orthonormal eigenvectors (columns of v) of a symmetric matrix by Jacobi rotations; overwrites a. */
void fm_dense_eigen_symmetric(size_t n, double *a, double *values, double *v);

/* Eigenvalues of any real matrix of up to FM_DENSE_EIGEN_MOST rows, the largest real part first; a is kept. */
enum { FM_DENSE_EIGEN_MOST = 16 };
void fm_dense_eigenvalues(size_t n, const double *a, double *re, double *im);

/* Solves A x = b for symmetric positive definite A by Cholesky; overwrites a and b. Returns 0, or -1 if A is not. */
int fm_dense_solve_positive(size_t n, double *a, double *b);

/* Least-squares inverse, X = (A'A + ridge^2)^-1 A', by Householder QR of A stacked on ridge times the unit matrix. By
 * column: a is (m + n) x n with A (m x n, m >= n) in its upper m rows, overwritten; its other rows need not be set; x
 * is n x m; work holds fm_dense_inverse_work doubles. ridge > 0, so that no matrix is singular. */
void fm_dense_inverse(size_t m, size_t n, double *a, double ridge, double *x, double *work);
size_t fm_dense_inverse_work(size_t m, size_t n);

#endif
