/* What the files of this folder share: a figure as recorded, and the stages that draw it.
 *
 *     figure.c, record.c   the calls of figure.h fill these structs
 *     limits.c             from data to axis limits; data to paper
 *     layout.c             margins, boxes, ticks
 *     occupancy.c          where on a plot there is data
 *     legend.c             where the legend goes, and drawing it
 *     path.c               long lines: clipped, decimated
 *     series.c, raster.c   each kind of series
 *     frame.c, text.c      everything around the data
 *     notes.c              numbered marks above a plot, lines of text below the figure
 *     output.c             PNG, SVG, PDF */
#ifndef FM_PLOT_PARTS_H
#define FM_PLOT_PARTS_H

#include <cairo.h>

#include "base/memory.h"
#include "plot/figure.h"
#include "plot/ticks.h"

enum { FM_GRID_MAX = 16, FM_AXES_MAX = 64 };

/* pt */
#define FM_FONT_SIZE 8.5
#define FM_FONT_SMALL 7.5
#define FM_TICK_LENGTH 3.5
#define FM_GAP 3.0

typedef struct fm_box {
    double x, y, width, height; /* pt, y downwards */
} fm_box;

typedef enum fm_series_kind {
    FM_SERIES_LINE,
    FM_SERIES_SCATTER,
    FM_SERIES_BAND,
    FM_SERIES_POLYGON,
    FM_SERIES_HEAT,
    FM_SERIES_IMAGE,
    FM_SERIES_ARROWS,
    FM_SERIES_TEXT,
    FM_SERIES_EVENT,
    FM_SERIES_LEVEL,
    FM_SERIES_MARK
} fm_series_kind;

typedef struct fm_series {
    struct fm_series *next;
    fm_series_kind kind;
    size_t count;                /* of x, y, and where used u, v */
    const double *x, *y, *u, *v; /* band: y low, u high; scatter: u values; heat: u values */
    const uint8_t *rgb;
    size_t columns, rows; /* heat, image */
    fm_extent extent;
    const char *label, *text;
    const char *value_label, *value_unit;
    fm_colour colour, line_colour;
    double width, size, opacity, min, max, key;
    double across, up, dx, dy;
    fm_dash dash;
    fm_marker marker;
    fm_colour_map map;
    bool step, bar, pointer, beside;
    bool placed;     /* a text beside its point has found its place (found by layout) */
    bool at_start;   /* events and levels: the text is at the lower, left end (set by layout) */
    bool other_side; /* events and levels: left of an event, below a level, instead of right and above (set by
                      * layout) */
} fm_series;

typedef struct fm_axis {
    const char *label, *unit;
    fm_scale scale;
    double min, max; /* as asked; NAN: from the data */
    bool reversed;
    const char *const *names; /* NULL: numbers */
    size_t name_count;
    double data_low, data_high;   /* as resolved from the data and min, max; low < high */
    double low, high;             /* as drawn: wider if both axes have the same scale */
    double paper_low, paper_high; /* pt, where low and high lie */
    fm_ticks ticks;
} fm_axis;

struct fm_axes {
    struct fm_figure *figure;
    size_t row, column, rows, columns, index;
    fm_axis x, y;
    const char *title;
    bool equal;
    fm_legend legend;
    fm_series *first, **last;
    size_t cycle; /* colours used */
    /* found by layout */
    fm_box plot, legend_box;     /* legend_box: empty where there is none */
    bool legend_above, x_hidden; /* x_hidden: a plot below carries the numbers */
    size_t legend_lines;         /* when above */
    double legend_entry;         /* pt, width of the widest entry */
    fm_ticks bar_ticks;
    fm_series *bar;   /* the series whose colour bar is shown */
    double bar_width; /* pt, all of it with gap and numbers */
};

struct fm_figure {
    fm_arena arena;
    double width, height; /* pt; height without the notes */
    double notes_height;  /* pt, found by layout */
    double legend_height; /* pt, of the legend below the title; found by layout */
    double resolution;    /* dots per inch */
    fm_theme theme;
    fm_theme_colours colours;
    const char *title;
    const char **notes;
    size_t note_count, note_room;
    bool share_x;
    size_t rows, columns, axes_count;
    double row_weight[FM_GRID_MAX], column_weight[FM_GRID_MAX];
    fm_axes *axes[FM_AXES_MAX];
    fm_axes *spare; /* swallows calls after a failure */
    fm_error error; /* the first failure */
};

/* limits.c */
void fm_limits_find(fm_figure *figure);
void fm_limits_value_range(const double *values, size_t count, double *low, double *high);
double fm_axis_paper(const fm_axis *axis, double value);                 /* pt; NAN for what cannot be shown */
void fm_series_range(const fm_series *series, double *min, double *max); /* of its colour map */

/* layout.c */
void fm_figure_lay_out(fm_figure *figure, cairo_t *measure);
fm_box fm_bar_box(const fm_axes *axes);
bool fm_figure_title_text(const fm_axes *axes, char *letter,
                          size_t size); /* "(a)" or ""; false: no title line at all */

/* legend.c */
void fm_legend_measure(fm_axes *axes, cairo_t *measure);
void fm_legend_place(fm_axes *axes, cairo_t *measure); /* sets legend_box; turns legend_above on where inside is full */
double fm_legend_height_above(const fm_axes *axes);    /* pt, 0 unless it stands above */
void fm_legend_draw(const fm_axes *axes, cairo_t *cr);

/* occupancy.c: which cells of a plot carry data, to put texts and legends elsewhere */
enum { FM_OCCUPIED_CELLS = 256 };
typedef struct fm_occupied {
    fm_box plot;
    unsigned char cell[FM_OCCUPIED_CELLS][FM_OCCUPIED_CELLS]; /* [row][column] */
} fm_occupied;
void fm_occupied_fill(fm_occupied *occupied, const fm_axes *axes, cairo_t *measure,
                      bool rules);                    /* events, levels too? */
void fm_rules_place(fm_axes *axes, cairo_t *measure); /* texts of events and levels to the end with less data */
void fm_texts_place(fm_axes *axes, cairo_t *measure); /* texts that stand beside their points to where no data is */
fm_box fm_rule_text_box(const fm_axes *axes, const fm_series *rule, cairo_t *measure);
size_t fm_occupied_count(const fm_occupied *occupied, fm_box box);

/* path.c: a polyline through paper points, clipped to a box somewhat larger than the plot and thinned out */
typedef struct fm_path {
    cairo_t *cr;
    fm_box clip;
    double at[2];                              /* the last point emitted */
    double pen[2];                             /* where cairo's pen is */
    double first[2], low[2], high[2], last[2]; /* of the points in the present column of paper */
    double column;
    size_t count, low_at, high_at; /* points in the column, and the places of low and high among them */
    bool begun;                    /* `at` holds a point */
} fm_path;
void fm_path_begin(fm_path *path, cairo_t *cr, fm_box plot);
void fm_path_add(fm_path *path, double x, double y); /* NAN: a gap */
void fm_path_end(fm_path *path);

/* notes.c */
double fm_marks_height(const fm_axes *axes); /* pt above the plot; 0: it has none */
void fm_marks_draw(const fm_axes *axes, cairo_t *cr);
void fm_notes_measure(fm_figure *figure, cairo_t *measure);
void fm_notes_draw(const fm_figure *figure, cairo_t *cr);

/* series.c */
void fm_series_draw(const fm_axes *axes, const fm_series *series, cairo_t *cr);
void fm_marker_draw(cairo_t *cr, fm_marker marker, double x, double y, double size, fm_colour colour);
void fm_arrow_draw(cairo_t *cr, double x, double y, double dx, double dy, double width, fm_colour colour);
void fm_dash_set(cairo_t *cr, fm_dash dash, double width);
double fm_arrow_length(const fm_series *series, double *longest); /* pt per unit */

/* raster.c */
void fm_raster_draw(const fm_axes *axes, const fm_series *series, cairo_t *cr);
void fm_bar_draw(const fm_axes *axes, cairo_t *cr);

/* frame.c */
void fm_frame_draw_below(const fm_axes *axes, cairo_t *cr);
void fm_frame_draw_above(const fm_axes *axes, cairo_t *cr);

/* text.c */
typedef struct fm_text_size {
    double width, ascent, descent;
} fm_text_size;
void fm_text_font(cairo_t *cr, double size, bool bold);
fm_text_size fm_text_measure(cairo_t *cr, const char *text, double size, bool bold);
/* across 0 … 1 left to right, up 0 … 1 baseline to top of figures, of the point (x, y); angle in rad, turning left */
void fm_text_halo(cairo_t *cr, double x, double y, const char *text, double size, double across, double up,
                  double angle, fm_colour colour); /* its surroundings wiped, to be readable upon data */
void fm_text_draw(cairo_t *cr, double x, double y, const char *text, double size, bool bold, double across, double up,
                  double angle, fm_colour colour);
void fm_axis_title(const fm_axis *axis, char *text, size_t size); /* "depth (m)" */
void fm_colour_set(cairo_t *cr, fm_colour colour);

#endif
