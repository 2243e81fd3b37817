/* Figures of a sweep: curves with bands, maps, points, histograms. */
#ifndef FM_PLOT_SWEEP_FIGURE_H
#define FM_PLOT_SWEEP_FIGURE_H

#include "plot/figure.h"
#include "plot/sweep_statistics.h"

typedef struct fm_sweep_request {
    const fm_result *result;
    const fm_sweep_question *questions;
    size_t question_count;
    const fm_result_series *const *series; /* over time, below the questions */
    size_t series_count;
    const fm_result_variable *x, *y, *by; /* inputs; NULL: chosen */
    bool histogram;
    bool influence; /* chosen for the designs saltelli and morris, where nothing else is asked for */
    fm_theme theme;
} fm_sweep_request;

/* One plot below the other, one per question. NULL and *error if nothing can be drawn. */
fm_figure *fm_sweep_draw(const fm_sweep_request *request, fm_error *error);
/* A page: the sweep, a figure and numbers for every metric that differs between runs. */
fm_status fm_sweep_report_save(const fm_result *result, const char *name, const char *path, fm_error *error);

#endif
