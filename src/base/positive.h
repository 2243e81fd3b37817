/* Linear equations with a small matrix that is symmetric and positive definite; also for kernels on a GPU. */
#ifndef FM_BASE_POSITIVE_H
#define FM_BASE_POSITIVE_H

#include <math.h>
#include <stddef.h>

#ifdef __CUDACC__
#define FM_LONE static __host__ __device__ inline
#else
#define FM_LONE static inline __attribute__((unused))
#endif

/* a (by row) becomes its lower Cholesky factor; -1: it is not positive definite. */
FM_LONE int fm_positive_factor(size_t n, double *a)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            if (i == j && !(sum > 0))
                return -1;
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    }
    return 0;
}

/* b becomes the solution of a x = b; a is overwritten. */
FM_LONE int fm_positive_solve(size_t n, double *a, double *b)
{
    if (fm_positive_factor(n, a) != 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
    return 0;
}

#endif
