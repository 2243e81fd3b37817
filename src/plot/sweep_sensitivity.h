/* What the answers of a sweep depend on: from the designs saltelli and morris. */
#ifndef FM_PLOT_SWEEP_SENSITIVITY_H
#define FM_PLOT_SWEEP_SENSITIVITY_H

#include "base/text.h"
#include "plot/sweep_parts.h"
#include "studies/sensitivity.h"

/* Inputs of a question, the one with the greatest influence first. */
typedef struct fm_influence {
    const fm_result_variable *inputs[FM_AXES_MOST];
    fm_sobol_index indices[FM_AXES_MOST];   /* saltelli; no dimension */
    fm_morris_effect effects[FM_AXES_MOST]; /* morris; in the unit of the answer */
    size_t count;
    size_t used; /* pairs of points without a failed run */
    bool paths;  /* morris: effects instead of indices */
} fm_influence;

/* Whether the result is that of such a design, with all of its runs. */
bool fm_sweep_tells_influence(const fm_result *result);
fm_status fm_sweep_find_influence(const fm_result *result, const fm_sweep_question *question, fm_influence *influence,
                                  fm_error *error);
/* A bar per input. */
fm_status fm_sweep_draw_influence(fm_axes *axes, const fm_sweep_request *request, const fm_sweep_question *question,
                                  fm_error *error);
/* A table for a page. */
fm_status fm_sweep_tell_influence(fm_text *page, const fm_result *result, const fm_sweep_question *question,
                                  fm_error *error);

#endif
