/* A map of navigation: true and estimated tracks, individual fixes, each with ellipses of two standard deviations;
 * below, the errors. */
#ifndef FM_PLOT_FIXES_H
#define FM_PLOT_FIXES_H

#include "plot/figure.h"
#include "plot/run_data.h"

/* NULL: the run has neither a fix nor an estimate, or memory ran out; see the error. Other failures are returned by
 * fm_figure_write. */
fm_figure *fm_fixes_draw(const fm_run_data *run, fm_theme theme, fm_error *error);

#endif
