/* Marks the cells of a plot that contain data, so that texts and legends can be placed elsewhere. */
#include <math.h>
#include <string.h>

#include "plot/parts.h"

enum { CELLS = FM_OCCUPIED_CELLS };

static void mark(fm_occupied *o, double x, double y)
{
    double column = (x - o->plot.x) / o->plot.width * CELLS, row = (y - o->plot.y) / o->plot.height * CELLS;
    if (column >= 0 && column < CELLS && row >= 0 && row < CELLS)
        o->cell[(int)row][(int)column] = 1;
}

static void mark_segment(fm_occupied *o, double x0, double y0, double x1, double y1)
{
    double dx = (x1 - x0) / o->plot.width * CELLS, dy = (y1 - y0) / o->plot.height * CELLS;
    double steps = ceil(fmin(fmax(fabs(dx), fabs(dy)), 20 * CELLS)) + 1;
    for (double i = 0; i <= steps; i++)
        mark(o, x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps);
}

static void mark_line(fm_occupied *o, const fm_axes *axes, const double *x, const double *y, size_t count, bool step)
{
    double last[2] = {NAN, NAN};
    for (size_t i = 0; i < count; i++) {
        double at[2] = {fm_axis_paper(&axes->x, x[i]), fm_axis_paper(&axes->y, y[i])};
        bool both = isfinite(at[0]) && isfinite(at[1]) && isfinite(last[0]) && isfinite(last[1]);
        if (both && step)
            mark_segment(o, last[0], last[1], at[0], last[1]);
        if (both)
            mark_segment(o, step ? at[0] : last[0], last[1], at[0], at[1]);
        memcpy(last, at, sizeof last);
    }
}

static void mark_box(fm_occupied *o, fm_box box)
{
    for (double y = box.y; y <= box.y + box.height; y += o->plot.height / CELLS)
        mark_segment(o, box.x, y, box.x + box.width, y);
}

static void mark_band(fm_occupied *o, const fm_axes *axes, const fm_series *s)
{
    mark_line(o, axes, s->x, s->y, s->count, false);
    mark_line(o, axes, s->x, s->u, s->count, false);
    for (size_t i = 0; i < s->count; i++) {
        double x = fm_axis_paper(&axes->x, s->x[i]);
        double low = fm_axis_paper(&axes->y, s->y[i]), high = fm_axis_paper(&axes->y, s->u[i]);
        if (isfinite(x) && isfinite(low) && isfinite(high))
            mark_segment(o, x, low, x, high);
    }
}

static fm_box text_box(const fm_axes *axes, const fm_series *s, cairo_t *measure)
{
    fm_text_size size = fm_text_measure(measure, s->text, s->size, false);
    double x = fm_axis_paper(&axes->x, s->x[0]) + s->dx - s->across * size.width;
    double y = fm_axis_paper(&axes->y, s->y[0]) - s->dy + s->up * size.ascent;
    return (fm_box){x, y - size.ascent, size.width, size.ascent + size.descent};
}

static void mark_text(fm_occupied *o, const fm_axes *axes, const fm_series *s, cairo_t *measure)
{
    fm_box box = text_box(axes, s, measure);
    if (isfinite(box.x) && isfinite(box.y))
        mark_box(o, box);
}

/* Cost of a place: cells of data, and everything that exceeds the plot. */
static double badness(const fm_occupied *o, fm_box box)
{
    const fm_box *p = &o->plot;
    bool inside = box.x >= p->x + 1 && box.y >= p->y + 1 && box.x + box.width <= p->x + p->width - 1 &&
                  box.y + box.height <= p->y + p->height - 1;
    return (double)fm_occupied_count(o, box) + (inside ? 0 : 1e6);
}

/* Around its point, near before far, the first place that is free, or else the one that covers least. */
static void put_beside(const fm_occupied *o, const fm_axes *axes, fm_series *s, cairo_t *measure)
{
    static const double ways[][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    double least = INFINITY;
    for (double r = 3.5; r < 14 && least > 0; r += 4)
        for (size_t i = 0; i < sizeof ways / sizeof *ways && least > 0; i++) {
            double slant = ways[i][0] != 0 && ways[i][1] != 0 ? 0.75 : 1;
            fm_series tried = *s;
            tried.across = 0.5 - 0.5 * ways[i][0];
            tried.up = 0.5 - 0.5 * ways[i][1];
            tried.dx = slant * r * ways[i][0];
            tried.dy = slant * r * ways[i][1];
            tried.pointer = r > 10;
            double bad = badness(o, text_box(axes, &tried, measure));
            if (bad < least) {
                least = bad;
                *s = tried;
            }
        }
}

void fm_texts_place(fm_axes *axes, cairo_t *measure)
{
    bool any = false;
    for (const fm_series *s = axes->first; s; s = s->next)
        any |= s->kind == FM_SERIES_TEXT && s->beside;
    fm_occupied *occupied = any ? fm_alloc(sizeof *occupied) : NULL;
    if (!occupied)
        return; /* they stay at their points */
    fm_occupied_fill(occupied, axes, measure, true);
    for (fm_series *s = axes->first; s; s = s->next)
        if (s->kind == FM_SERIES_TEXT && s->beside) {
            put_beside(occupied, axes, s, measure);
            s->placed = true;
            mark_text(occupied, axes, s, measure);
        }
    fm_free(occupied);
}

fm_box fm_rule_text_box(const fm_axes *axes, const fm_series *s, cairo_t *measure)
{
    const fm_box *p = &axes->plot;
    double width = (s->text ? fm_text_measure(measure, s->text, FM_FONT_SMALL, false).width : 0) + 4;
    bool upright = s->kind == FM_SERIES_EVENT;
    double at = fm_axis_paper(upright ? &axes->x : &axes->y, s->x[0]);
    double beside = s->other_side == upright ? at - FM_FONT_SMALL - (upright ? 4 : 3) : at + 1;
    if (upright)
        return (fm_box){beside, s->at_start ? p->y + p->height - width : p->y, FM_FONT_SMALL + 3, width};
    return (fm_box){s->at_start ? p->x : p->x + p->width - width, beside, width, FM_FONT_SMALL + 2};
}

static bool is_rule(const fm_series *s)
{
    return (s->kind == FM_SERIES_EVENT || s->kind == FM_SERIES_LEVEL) && s->text;
}

/* How many texts of earlier rules a box covers, by more than a point. */
static double count_covered(const fm_axes *axes, const fm_series *rule, fm_box box, cairo_t *measure)
{
    double count = 0;
    for (const fm_series *s = axes->first; s != rule; s = s->next) {
        if (!is_rule(s))
            continue;
        fm_box other = fm_rule_text_box(axes, s, measure);
        count += fmin(box.x + box.width, other.x + other.width) - fmax(box.x, other.x) > 1 &&
                 fmin(box.y + box.height, other.y + other.height) - fmax(box.y, other.y) > 1;
    }
    return count;
}

/* At either end of its rule and on either side of it: the first free place, or otherwise the one that covers least. A
 * place outside the plot is worst. */
static void put_at_rule(const fm_occupied *o, const fm_axes *axes, fm_series *s, cairo_t *measure)
{
    double least = INFINITY;
    fm_series best = *s;
    for (int i = 0; i < 4; i++) {
        s->at_start = i & 1;
        s->other_side = i & 2;
        fm_box box = fm_rule_text_box(axes, s, measure), p = o->plot;
        double out = s->kind == FM_SERIES_EVENT ? fmax(p.x - box.x, box.x + box.width - p.x - p.width)
                                                : fmax(p.y - box.y, box.y + box.height - p.y - p.height);
        double bad = (double)fm_occupied_count(o, box) + 1e3 * count_covered(axes, s, box, measure);
        bad += out > 0 ? 1e6 : 0;
        if (bad < least) {
            least = bad;
            best = *s;
        }
    }
    *s = best;
}

void fm_rules_place(fm_axes *axes, cairo_t *measure)
{
    fm_occupied *occupied = fm_alloc(sizeof *occupied);
    if (!occupied)
        return; /* the texts stay where they are, which is legible too */
    bool filled = false;
    for (fm_series *s = axes->first; s; s = s->next) {
        if (!is_rule(s))
            continue;
        if (!filled)
            fm_occupied_fill(occupied, axes, measure, false);
        filled = true;
        put_at_rule(occupied, axes, s, measure);
    }
    fm_free(occupied);
}

static void mark_rule(fm_occupied *o, const fm_axes *axes, const fm_series *s, cairo_t *measure)
{
    const fm_box *p = &axes->plot;
    bool upright = s->kind == FM_SERIES_EVENT;
    double at = fm_axis_paper(upright ? &axes->x : &axes->y, s->x[0]);
    if (!isfinite(at))
        return;
    if (upright)
        mark_segment(o, at, p->y, at, p->y + p->height);
    else
        mark_segment(o, p->x, at, p->x + p->width, at);
    if (s->text)
        mark_box(o, fm_rule_text_box(axes, s, measure));
}

static void mark_arrows(fm_occupied *o, const fm_axes *axes, const fm_series *s)
{
    double longest, length = fm_arrow_length(s, &longest);
    double x_sign = axes->x.reversed ? -1 : 1, y_sign = axes->y.reversed ? 1 : -1;
    for (size_t i = 0; i < s->count; i++) {
        double x = fm_axis_paper(&axes->x, s->x[i]), y = fm_axis_paper(&axes->y, s->y[i]);
        double dx = x_sign * length * s->u[i], dy = y_sign * length * s->v[i];
        if (isfinite(x) && isfinite(y) && isfinite(dx) && isfinite(dy))
            mark_segment(o, x, y, x + dx, y + dy);
    }
}

static void mark_points(fm_occupied *o, const fm_axes *axes, const fm_series *s)
{
    double r = 0.5 * s->size;
    for (size_t i = 0; i < s->count; i++) {
        double x = fm_axis_paper(&axes->x, s->x[i]), y = fm_axis_paper(&axes->y, s->y[i]);
        if (isfinite(x) && isfinite(y))
            mark_box(o, (fm_box){x - r, y - r, s->size, s->size});
    }
}

void fm_occupied_fill(fm_occupied *occupied, const fm_axes *axes, cairo_t *measure, bool rules)
{
    memset(occupied->cell, 0, sizeof occupied->cell);
    occupied->plot = axes->plot;
    for (const fm_series *s = axes->first; s; s = s->next)
        switch (s->kind) {
        case FM_SERIES_LINE:
            mark_line(occupied, axes, s->x, s->y, s->count, s->step);
            if (s->marker)
                mark_points(occupied, axes, s);
            break;
        case FM_SERIES_POLYGON: mark_line(occupied, axes, s->x, s->y, s->count, false); break;
        case FM_SERIES_SCATTER: mark_points(occupied, axes, s); break;
        case FM_SERIES_BAND: mark_band(occupied, axes, s); break;
        case FM_SERIES_ARROWS: mark_arrows(occupied, axes, s); break;
        case FM_SERIES_TEXT:
            if (!s->beside || s->placed)
                mark_text(occupied, axes, s, measure);
            break;
        case FM_SERIES_EVENT:
        case FM_SERIES_LEVEL:
            if (rules)
                mark_rule(occupied, axes, s, measure);
            break;
        case FM_SERIES_MARK: /* thin, and in the background */
        case FM_SERIES_HEAT:
        case FM_SERIES_IMAGE: break; /* fills everything: a legend may cover it */
        }
}

size_t fm_occupied_count(const fm_occupied *o, fm_box box)
{
    double x = CELLS / o->plot.width, y = CELLS / o->plot.height;
    int left = (int)fmax(floor((box.x - o->plot.x) * x), 0),
        right = (int)fmin(ceil((box.x + box.width - o->plot.x) * x), CELLS);
    int top = (int)fmax(floor((box.y - o->plot.y) * y), 0);
    int bottom = (int)fmin(ceil((box.y + box.height - o->plot.y) * y), CELLS);
    size_t count = 0;
    for (int row = top; row < bottom; row++)
        for (int column = left; column < right; column++)
            count += o->cell[row][column];
    return count;
}
