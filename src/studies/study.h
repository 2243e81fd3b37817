/* Shared by the public studies and searches. */
#ifndef FM_STUDIES_STUDY_H
#define FM_STUDIES_STUDY_H

#include <fathom/study.h>

#include "studies/sweep.h"

/* Of a sweep; FM_STUDY_FASTEST looks for a GPU. */
fm_sweep_backend fm_study_backend_of(fm_study_backend backend);

#endif
