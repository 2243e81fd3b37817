/* Margins, boxes and ticks. Numbers need room, and how many fit depends on the room: a few passes settle it. */
#include <math.h>
#include <stdio.h>

#include "plot/parts.h"

enum { PASSES = 4 };
#define OUTER 6.0     /* pt around everything */
#define BETWEEN 7.0   /* pt between neighbours */
#define BAR_THICK 8.0 /* pt, the colour bar */
#define BAR_GAP 6.0   /* pt from the plot to its bar */
#define LINE_HEIGHT (1.35 * FM_FONT_SIZE)

typedef struct margins {
    double left, right, top, bottom;
} margins;

static double widest(const fm_ticks *ticks, cairo_t *measure)
{
    double width = 0;
    for (size_t i = 0; i < ticks->count; i++)
        width = fmax(width, fm_text_measure(measure, ticks->text[i], FM_FONT_SIZE, false).width);
    return width;
}

static void make_ticks(fm_axis *axis, size_t most)
{
    if (axis->names) {
        fm_ticks_named(&axis->ticks, axis->low, axis->high, axis->names, axis->name_count);
        return;
    }
    switch (axis->scale) {
    case FM_SCALE_LINEAR: fm_ticks_linear(&axis->ticks, axis->low, axis->high, most); break;
    case FM_SCALE_LOG: fm_ticks_log(&axis->ticks, axis->low, axis->high, most); break;
    case FM_SCALE_TIME: fm_ticks_time(&axis->ticks, axis->low, axis->high, most); break;
    case FM_SCALE_BARE: axis->ticks = (fm_ticks){0}; break;
    }
}

static size_t room_for(double length, double each, size_t least, size_t most)
{
    double count = floor(length / each);
    return count < (double)least ? least : count > (double)most ? most : (size_t)count;
}

/* As many numbers as stand side by side with air between them. */
static void make_x_ticks(fm_axis *axis, double length, cairo_t *measure)
{
    for (size_t most = room_for(length, 18, 3, 11);; most--) {
        make_ticks(axis, most);
        double need = (widest(&axis->ticks, measure) + 12) * (double)axis->ticks.count;
        if (need <= length || most <= 3)
            return;
    }
}

bool fm_figure_title_text(const fm_axes *axes, char *letter, size_t size)
{
    bool several = axes->figure->axes_count > 1;
    if (several && axes->index < 26)
        snprintf(letter, size, "(%c)", (char)('a' + (int)axes->index));
    else
        letter[0] = '\0';
    return letter[0] || (axes->title && axes->title[0]);
}

static margins margins_of(const fm_axes *axes, cairo_t *measure)
{
    char text[256];
    margins m = {FM_TICK_LENGTH + FM_GAP + widest(&axes->y.ticks, measure), 4, 3, FM_TICK_LENGTH + FM_GAP};
    fm_axis_title(&axes->y, text, sizeof text);
    if (text[0])
        m.left += LINE_HEIGHT + FM_GAP;
    if (!axes->x_hidden) {
        fm_axis_title(&axes->x, text, sizeof text);
        m.bottom += LINE_HEIGHT + (text[0] ? LINE_HEIGHT + 1 : 0);
        size_t last = axes->x.ticks.count;
        if (last > 0)
            m.right =
                fmax(m.right, 0.5 * fm_text_measure(measure, axes->x.ticks.text[last - 1], FM_FONT_SIZE, false).width);
    }
    if (fm_figure_title_text(axes, text, sizeof text) || axes->y.ticks.factor[0])
        m.top += LINE_HEIGHT + FM_GAP;
    m.top += fm_legend_height_above(axes) + fm_marks_height(axes);
    if (axes->bar) {
        fm_axis_title(&(fm_axis){.label = axes->bar->value_label, .unit = axes->bar->value_unit}, text, sizeof text);
        m.right = BAR_GAP + BAR_THICK + FM_TICK_LENGTH + FM_GAP + widest(&axes->bar_ticks, measure) +
                  (text[0] ? LINE_HEIGHT + FM_GAP : 0);
    }
    return m;
}

fm_box fm_bar_box(const fm_axes *axes)
{
    return (fm_box){axes->plot.x + axes->plot.width + BAR_GAP, axes->plot.y, BAR_THICK, axes->plot.height};
}

typedef struct track {
    double before[FM_GRID_MAX], after[FM_GRID_MAX], start[FM_GRID_MAX], length[FM_GRID_MAX]; /* pt */
} track;

/* Shares what the margins leave among the rows or columns by weight. */
static void share_out(track *t, size_t count, const double *weights, double from, double to)
{
    double room = to - from - BETWEEN * (double)(count - 1), weight = 0;
    for (size_t i = 0; i < count; i++) {
        room -= t->before[i] + t->after[i];
        weight += weights[i];
    }
    room = fmax(room, 12.0 * (double)count);
    for (size_t i = 0; i < count; i++) {
        t->start[i] = from + t->before[i];
        t->length[i] = room * weights[i] / weight;
        from = t->start[i] + t->length[i] + t->after[i] + BETWEEN;
    }
}

static void place_boxes(fm_figure *figure, cairo_t *measure)
{
    track across = {0}, down = {0};
    for (size_t i = 0; i < figure->axes_count; i++) {
        const fm_axes *a = figure->axes[i];
        margins m = margins_of(a, measure);
        size_t right = a->column + a->columns - 1, below = a->row + a->rows - 1;
        across.before[a->column] = fmax(across.before[a->column], m.left);
        across.after[right] = fmax(across.after[right], m.right);
        down.before[a->row] = fmax(down.before[a->row], m.top);
        down.after[below] = fmax(down.after[below], m.bottom);
    }
    double top = OUTER + (figure->title ? 1.2 * FM_FONT_SIZE + 7 : 0) + figure->legend_height;
    share_out(&across, figure->columns, figure->column_weight, OUTER, figure->width - OUTER);
    share_out(&down, figure->rows, figure->row_weight, top, figure->height - OUTER);
    for (size_t i = 0; i < figure->axes_count; i++) {
        fm_axes *a = figure->axes[i];
        size_t right = a->column + a->columns - 1, below = a->row + a->rows - 1;
        a->plot.x = across.start[a->column];
        a->plot.width = across.start[right] + across.length[right] - a->plot.x;
        a->plot.y = down.start[a->row];
        a->plot.height = down.start[below] + down.length[below] - a->plot.y;
    }
}

static void widen(fm_axis *axis, double span)
{
    double middle = 0.5 * (axis->data_low + axis->data_high);
    axis->low = middle - 0.5 * span;
    axis->high = middle + 0.5 * span;
}

/* One unit as long on both axes: shows more of the axis with room to spare, or shrinks the box where both are fixed. */
static void make_equal(fm_axes *axes)
{
    fm_box *box = &axes->plot;
    double x_span = axes->x.data_high - axes->x.data_low, y_span = axes->y.data_high - axes->y.data_low;
    double per_unit = fmin(box->width / x_span, box->height / y_span); /* pt */
    bool x_fixed = !isnan(axes->x.min) && !isnan(axes->x.max), y_fixed = !isnan(axes->y.min) && !isnan(axes->y.max);
    bool raster = false;
    for (const fm_series *s = axes->first; s; s = s->next)
        raster |= s->kind == FM_SERIES_HEAT || s->kind == FM_SERIES_IMAGE;
    if (!x_fixed && !raster)
        widen(&axes->x, box->width / per_unit);
    if (!y_fixed && !raster)
        widen(&axes->y, box->height / per_unit);
    double width = fmin(box->width, (axes->x.high - axes->x.low) * per_unit);
    double height = fmin(box->height, (axes->y.high - axes->y.low) * per_unit);
    box->x += 0.5 * (box->width - width);
    box->y += 0.5 * (box->height - height);
    box->width = width;
    box->height = height;
}

static void set_axis(fm_axis *axis, double from, double to)
{
    axis->paper_low = axis->reversed ? to : from;
    axis->paper_high = axis->reversed ? from : to;
}

static void settle(fm_axes *axes, cairo_t *measure)
{
    axes->x.low = axes->x.data_low, axes->x.high = axes->x.data_high;
    axes->y.low = axes->y.data_low, axes->y.high = axes->y.data_high;
    if (axes->equal && axes->x.scale != FM_SCALE_LOG && axes->y.scale != FM_SCALE_LOG)
        make_equal(axes);
    set_axis(&axes->x, axes->plot.x, axes->plot.x + axes->plot.width);
    set_axis(&axes->y, axes->plot.y + axes->plot.height, axes->plot.y);
    make_x_ticks(&axes->x, axes->plot.width, measure);
    make_ticks(&axes->y, room_for(axes->plot.height, 13, 4, 8));
    if (axes->bar) {
        double min, max;
        fm_series_range(axes->bar, &min, &max);
        fm_ticks_linear(&axes->bar_ticks, min, max, room_for(axes->plot.height, 13, 4, 8));
    }
}

static void prepare(fm_axes *axes, cairo_t *measure)
{
    axes->bar = NULL;
    for (fm_series *s = axes->first; s; s = s->next)
        if (s->bar)
            axes->bar = s;
    axes->legend_box = (fm_box){0};
    fm_legend_measure(axes, measure);
    axes->legend_above = axes->legend == FM_LEGEND_ABOVE || axes->legend == FM_LEGEND_FIGURE;
    axes->plot = (fm_box){0, 0, axes->figure->width / (double)axes->figure->columns * (double)axes->columns * 0.8,
                          axes->figure->height / (double)axes->figure->rows * (double)axes->rows * 0.7};
    settle(axes, measure);
}

static void forget_positions(fm_axes *axes)
{
    for (fm_series *s = axes->first; s; s = s->next)
        s->placed = false;
}

void fm_figure_lay_out(fm_figure *figure, cairo_t *measure)
{
    fm_limits_find(figure);
    fm_notes_measure(figure, measure);
    figure->legend_height = 0;
    for (size_t i = 0; i < figure->axes_count; i++)
        prepare(figure->axes[i], measure);
    for (int pass = 0; pass < PASSES; pass++) {
        place_boxes(figure, measure);
        for (size_t i = 0; i < figure->axes_count; i++)
            settle(figure->axes[i], measure);
        for (size_t i = 0; pass > 0 && i < figure->axes_count; i++) {
            forget_positions(figure->axes[i]);
            fm_texts_place(figure->axes[i], measure);
            fm_legend_place(figure->axes[i], measure);
        }
    }
}
