/* A map of what vehicles believed: true and believed tracks, fixes one by one, each with ellipses of two standard
 * deviations; below, how far they were off. */
#ifndef FM_PLOT_FIXES_H
#define FM_PLOT_FIXES_H

#include "plot/figure.h"
#include "plot/run_data.h"

/* NULL: the run has neither a fix nor an estimate, or memory ran out; the error tells. Other failures come out of
 * fm_figure_write. */
fm_figure *fm_fixes_draw(const fm_run_data *run, fm_theme theme, fm_error *error);

#endif
