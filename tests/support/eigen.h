/* Eigenvalues by GSL. */
#ifndef TESTS_SUPPORT_EIGEN_H
#define TESTS_SUPPORT_EIGEN_H

#include <gsl/gsl_eigen.h>

#include "support/cmocka_all.h"

/* Real and imaginary parts of the eigenvalues of a (n x n), which is overwritten. */
static inline void eigenvalues(size_t n, double *a, double *real, double *imaginary)
{
    gsl_matrix_view matrix = gsl_matrix_view_array(a, n, n);
    gsl_vector_complex *values = gsl_vector_complex_alloc(n);
    gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc(n);
    assert_int_equal(gsl_eigen_nonsymm(&matrix.matrix, values, work), 0);
    for (size_t i = 0; i < n; i++) {
        real[i] = GSL_REAL(gsl_vector_complex_get(values, i));
        imaginary[i] = GSL_IMAG(gsl_vector_complex_get(values, i));
    }
    gsl_eigen_nonsymm_free(work);
    gsl_vector_complex_free(values);
}

#endif
