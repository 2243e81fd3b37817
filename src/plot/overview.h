/* The overview page of a run: tracks from above and from the side with obstacles and bottom, depth and altitude, speed,
 * attitude, actuators, events. */
#ifndef FM_PLOT_OVERVIEW_H
#define FM_PLOT_OVERVIEW_H

#include "plot/figure.h"
#include "plot/run_data.h"

/* NULL when out of memory; other failures come out of fm_figure_write. */
fm_figure *fm_overview_draw(const fm_run_data *run, fm_theme theme);

/* Obstacles and walls of the scene in a view: `across` and `up` of (north, east, depth) as numbers 0, 1, 2. box: x low,
 * high, y low, high; what lies outside of it is left out. `level` is the third coordinate at which walls are cut. */
void fm_overview_obstacles(fm_axes *axes, const fm_run_data *run, int across, int up, const double box[4], double level,
                           fm_theme theme);

#endif
