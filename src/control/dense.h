/* Small dense linear algebra with the same bits on every machine (LAPACK chooses its code by CPU). Row-major. */
#ifndef FM_CONTROL_DENSE_H
#define FM_CONTROL_DENSE_H

#include <stddef.h>

/* Solves A x = b by Gaussian elimination with partial pivoting; overwrites a (n x n) and b (n, becomes x).
 * Returns 0, or -1 where a pivot is below 1e-13 of the largest element: singular to working precision. */
int fm_dense_solve(size_t n, double *a, double *b);

/* y = A x for A of rows x columns */
void fm_dense_apply(size_t rows, size_t columns, const double *a, const double *x, double *y);

/* C = A B, n x n each; c must not overlap a or b */
void fm_dense_multiply(size_t n, const double *a, const double *b, double *c);

/* Eigenvalues and orthonormal eigenvectors (columns of v) of a symmetric matrix by Jacobi rotations; overwrites a. */
void fm_dense_eigen_symmetric(size_t n, double *a, double *values, double *v);

/* Solves A x = b for symmetric positive definite A by Cholesky; overwrites a and b. Returns 0, or -1 where A is not. */
int fm_dense_solve_positive(size_t n, double *a, double *b);

#endif
