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
};

#endif
