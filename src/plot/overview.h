/* The overview page of a run, or of several in one: tracks from above and from the side with obstacles, bottom,
 * waypoints and ordered path; depth, speed, heading and attitude with orders and estimates; actuators; events by
 * numbers explained below. Constant quantities are left out and listed. */
#ifndef FM_PLOT_OVERVIEW_H
#define FM_PLOT_OVERVIEW_H

#include "plot/figure.h"
#include "plot/run_data.h"

/* NULL when out of memory; other failures are returned by fm_figure_write. At least one run. */
fm_figure *fm_overview_draw(const fm_run_data *const *runs, size_t run_count, fm_theme theme);

/* What happened, in words: "waypoint reached (3)". Returns `text`. */
const char *fm_overview_event_text(const fm_run_event *event, char *text, size_t size);

/* Obstacles and walls of the scene in a view: `across` and `up` of (north, east, depth) as numbers 0, 1, 2. box: x low,
 * high, y low, high; what lies outside of it is left out. `level` is the third coordinate at which walls are cut. */
void fm_overview_obstacles(fm_axes *axes, const fm_run_data *run, int across, int up, const double box[4], double level,
                           fm_theme theme);

/* Twice the standard deviation around the estimated position, from above (east to the right): some `most` ellipses. The
 * first has the label. */
void fm_overview_ellipses(fm_axes *axes, const fm_run_estimate *estimate, size_t most, fm_colour colour,
                          const char *label);

#endif
