/* libfathom-gsl.so: the solver of `fathom identify`, loaded on first use (see netcdf.h). */
#ifndef FM_MODULES_GSL_H
#define FM_MODULES_GSL_H

#include "studies/fit_solver.h"

typedef struct fm_gsl_module {
    const char *version; /* FATHOM_VERSION of its build */
    fm_status (*descend)(fm_fit_solver *solver);
    void (*keep_run)(fm_fit_solver *solver);
    double (*student)(double probability, double freedom);
} fm_gsl_module;

#endif
