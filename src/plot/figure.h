/* Figures: the same calls give PNG, SVG and PDF, and the same calls give the same bytes.
 *
 *     fm_figure *figure = fm_figure_create(170, 100, FM_THEME_LIGHT);
 *     fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
 *     fm_axes_x(axes, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
 *     fm_axes_y(axes, &(fm_axis_style){.label = "depth", .unit = "m", .reversed = true});
 *     fm_axes_line(axes, t, depth, n, &(fm_line_style){.label = "vehicle"});
 *     fm_status status = fm_figure_write(figure, "depth.pdf", &error);
 *     fm_figure_destroy(figure);
 *
 * Data and texts are copied. What goes wrong on the way (memory, a bad argument) is kept and returned by
 * fm_figure_write, so that a figure needs one check; every function accepts NULL figures and axes. Styles may be NULL,
 * and each field that is zero is chosen. Lengths on paper are in points (1/72 inch) unless said otherwise. */
#ifndef FM_PLOT_FIGURE_H
#define FM_PLOT_FIGURE_H

#include <fathom/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plot/colour.h"

typedef struct fm_figure fm_figure;
typedef struct fm_axes fm_axes;

/* Width and height 20 … 2000 mm. NULL when out of memory. */
fm_figure *fm_figure_create(double width_mm, double height_mm, fm_theme theme);
void fm_figure_destroy(fm_figure *figure);
void fm_figure_title(fm_figure *figure, const char *title);
void fm_figure_resolution(fm_figure *figure, double dots_per_inch);      /* of PNG files; default 200 */
void fm_figure_share_x(fm_figure *figure);                               /* axes of a column have the same x limits */
void fm_figure_row_height(fm_figure *figure, size_t row, double weight); /* relative to the other rows; default 1 */
void fm_figure_column_width(fm_figure *figure, size_t column, double weight);

/* A line of text below all plots, in columns if several fit side by side; the figure grows by their height. */
void fm_figure_note(fm_figure *figure, const char *text);

/* A plot in a grid of cells; the grid grows as needed (at most 16 × 16). Several plots are lettered (a), (b) …. */
fm_axes *fm_figure_axes(fm_figure *figure, size_t row, size_t column, size_t rows, size_t columns);

/* The suffix of the name chooses the format: .png, .svg or .pdf. */
fm_status fm_figure_write(fm_figure *figure, const char *path, fm_error *error);

typedef enum fm_figure_format { FM_FIGURE_PNG, FM_FIGURE_SVG, FM_FIGURE_PDF } fm_figure_format;
/* The same into memory; free *bytes with fm_free. */
fm_status fm_figure_render(fm_figure *figure, fm_figure_format format, unsigned char **bytes, size_t *size,
                           fm_error *error);

typedef enum fm_scale {
    FM_SCALE_LINEAR,
    FM_SCALE_LOG,
    FM_SCALE_TIME, /* data in s; labelled in s, min or h */
    FM_SCALE_BARE  /* linear, without numbers and grid: tables */
} fm_scale;

typedef struct fm_axis_style {
    const char *label; /* "depth" */
    const char *unit;  /* "m"; follows the label. A time axis has its own unit. */
    fm_scale scale;
    double min, max;          /* in data units; both 0: from the data. NAN: that end from the data */
    bool reversed;            /* depth grows downwards */
    const char *const *names; /* instead of numbers: written at 0, 1, 2 …, at most 40; NULL: numbers */
    size_t name_count;
} fm_axis_style;

void fm_axes_x(fm_axes *axes, const fm_axis_style *style);
void fm_axes_y(fm_axes *axes, const fm_axis_style *style);
void fm_axes_title(fm_axes *axes, const char *title);
void fm_axes_equal(fm_axes *axes); /* the same scale on x and y: maps and tracks */

typedef enum fm_legend {
    FM_LEGEND_AUTO, /* in the emptiest place inside; above the plot when every place inside covers data */
    FM_LEGEND_ABOVE,
    FM_LEGEND_FIGURE, /* below the title of the figure, as wide as it: for curves that several plots share */
    FM_LEGEND_NONE
} fm_legend;
void fm_axes_legend(fm_axes *axes, fm_legend legend);

typedef enum fm_dash { FM_DASH_SOLID, FM_DASH_DASHED, FM_DASH_DOTTED, FM_DASH_DASH_DOT } fm_dash;
typedef enum fm_marker {
    FM_MARKER_NONE,
    FM_MARKER_DISC,
    FM_MARKER_SQUARE,
    FM_MARKER_TRIANGLE,
    FM_MARKER_DIAMOND,
    FM_MARKER_CROSS,
    FM_MARKER_RING
} fm_marker;

typedef struct fm_line_style {
    const char *label; /* in the legend; NULL: not there */
    fm_colour colour;
    double width; /* pt; default 1.3 */
    fm_dash dash;
    bool step;        /* a value holds until the next one */
    fm_marker marker; /* at each point */
} fm_line_style;
/* NaN in x or y leaves a gap. */
void fm_axes_line(fm_axes *axes, const double *x, const double *y, size_t count, const fm_line_style *style);

typedef struct fm_scatter_style {
    const char *label;
    fm_colour colour;
    fm_marker marker;     /* default a disc */
    double size;          /* pt, across; default 4 */
    const double *values; /* one value per point: coloured by a map, with a colour bar; NULL: one colour */
    fm_colour_map map;
    double min, max; /* of the map; both 0: from the values */
    const char *value_label, *value_unit;
} fm_scatter_style;
void fm_axes_scatter(fm_axes *axes, const double *x, const double *y, size_t count, const fm_scatter_style *style);

typedef struct fm_area_style {
    const char *label;
    fm_colour colour;  /* of the fill */
    double opacity;    /* 0 … 1; default 0.25 for bands, 0.35 for polygons */
    fm_colour line;    /* of the outline of a polygon */
    double line_width; /* pt; 0: no outline unless `line` is given (then 0.8) */
} fm_area_style;
void fm_axes_band(fm_axes *axes, const double *x, const double *low, const double *high, size_t count,
                  const fm_area_style *style);
void fm_axes_polygon(fm_axes *axes, const double *x, const double *y, size_t count, const fm_area_style *style);

/* Outer edges of a grid of cells or pixels, in data units; row 0 of the values is at y0. */
typedef struct fm_extent {
    double x0, x1, y0, y1;
} fm_extent;

typedef struct fm_heat_style {
    fm_colour_map map;
    double min, max; /* both 0: from the values */
    const char *value_label, *value_unit;
    bool no_bar; /* no colour bar */
} fm_heat_style;
/* values[row * columns + column]; NaN is left empty. Cells are equally wide on paper: on a log axis they are equal
 * factors. */
void fm_axes_heat(fm_axes *axes, fm_extent extent, const double *values, size_t columns, size_t rows,
                  const fm_heat_style *style);
/* 8-bit red, green, blue; row 0 lies at y0. */
void fm_axes_image(fm_axes *axes, fm_extent extent, const uint8_t *rgb, size_t columns, size_t rows);

typedef struct fm_arrow_style {
    const char *label;
    fm_colour colour;
    double width;  /* pt; default 0.9 */
    double length; /* pt for a vector of length 1; 0: the longest is 22 pt */
    double key;    /* the legend shows an arrow of this length; 0: the longest */
} fm_arrow_style;
/* Vectors (u, v) at (x, y), along the directions of the axes. */
void fm_axes_arrows(fm_axes *axes, const double *x, const double *y, const double *u, const double *v, size_t count,
                    const fm_arrow_style *style);

typedef struct fm_text_style {
    fm_colour colour;
    double size;   /* pt; default 8 */
    double across; /* which part of the text lies at x: 0 its left end, 0.5 its middle, 1 its right end */
    double up;     /* the same in y: 0 its baseline, 1 its top */
    double dx, dy; /* pt to the right and upwards from the point */
    bool pointer;  /* a thin line from the text to the point */
    bool beside;   /* next to the point where it covers no data; across, up, dx and dy are chosen */
} fm_text_style;
void fm_axes_text(fm_axes *axes, double x, double y, const char *text, const fm_text_style *style);

/* A thin vertical line at x, with a number or a short text above the plot. Marks are added in the order of x; where
 * they stand too close for a text each, they share one ("3–6"). */
void fm_axes_mark(fm_axes *axes, double x, const char *text);

/* A vertical line at x with a text along it; a horizontal one at y. */
void fm_axes_event(fm_axes *axes, double x, const char *text, const fm_line_style *style);
void fm_axes_level(fm_axes *axes, double y, const char *text, const fm_line_style *style);

#endif
