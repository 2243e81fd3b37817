/* What the files of the overview share: the page in the making.
 *
 *     overview.c          curves and their colours, the page
 *     overview_tracks.c   from above and from the side
 *     overview_contours.c the bottom below the tracks
 *     overview_panels.c   over time
 *     overview_events.c   marks, and the notes that explain them */
#ifndef FM_PLOT_OVERVIEW_PAGE_H
#define FM_PLOT_OVERVIEW_PAGE_H

#include "plot/overview.h"

enum { FM_DETAIL_MOST = 4 }; /* maximum number of curves for which orders and estimates are still legible */

/* One vehicle of one run. */
typedef struct fm_overview_curve {
    const fm_run_data *run;
    const fm_run_vehicle *vehicle;
    const char *label; /* in the legend; NULL: it has none of its own */
    fm_colour colour;
    fm_dash dash;
    double width; /* pt */
} fm_overview_curve;

typedef struct fm_overview_page {
    const fm_run_data *const *runs;
    size_t run_count;
    fm_overview_curve *curves;
    size_t count;
    fm_figure *figure;
    fm_theme theme;
    fm_theme_colours colours;
    double low[3], high[3]; /* m: north, east, depth of all tracks */
    double from, to;        /* s */
    fm_colour ordered;
    int alone;            /* runs differ only in their name: one vehicle each, with the same name */
    const char *constant; /* quantities without a panel because they are constant; NULL: none */
    fm_arena arena;
} fm_overview_page;

/* overview_tracks.c */
void fm_overview_above(fm_overview_page *page, fm_axes *axes);
void fm_overview_side(fm_overview_page *page, fm_axes *axes);
/* The bottom along x (metres or seconds) as a filled line. */
void fm_overview_bottom(fm_overview_page *page, fm_axes *axes, const double *x, const double *depth, size_t count,
                        double deepest);
/* The deepest water shown in a depth plot: at most four times the depth range of the tracks. */
int fm_overview_bottom_fits(const fm_overview_page *page, double *deepest);

/* overview_contours.c */
/* Over the box west, east, south, north (m); nothing where the bottom is level or not known. */
void fm_overview_contours(fm_overview_page *page, fm_axes *axes, const double box[4]);
/* A round distance of contours, m, for a range of depths. */
double fm_overview_contour_step(double low, double high);

/* overview_panels.c: selects the panels, then draws panel i; lists the others. */
typedef struct fm_panel fm_panel;
size_t fm_panels_find(fm_overview_page *page, fm_panel **panels);
void fm_panel_draw(fm_overview_page *page, const fm_panel *panels, size_t i, fm_axes *axes, int numbers);

/* overview_events.c */
void fm_overview_marks(fm_overview_page *page, fm_axes *axes, int numbers);
void fm_overview_notes(fm_overview_page *page);

#endif
