/* A study (fathom/study.h): a sweep with its plan. */
#ifndef FM_STUDIES_STUDY_H
#define FM_STUDIES_STUDY_H

#include <fathom/study.h>

#include "studies/sweep.h"

struct fm_study {
    fm_sweep_plan plan;
    fm_sweep *sweep;
    size_t failed_run; /* the first one that failed in this process; SIZE_MAX: none */
    fm_error failure;
    fm_study_options options;
};

/* Of a sweep; FM_STUDY_FASTEST looks for a GPU. */
fm_sweep_backend fm_study_backend_of(fm_study_backend backend);

#endif
