/* Axis limits from the data, and the way from data to paper. */
#include <math.h>

#include "plot/parts.h"

typedef struct range {
    double low, high;
} range;

static const range nothing = {INFINITY, -INFINITY};

static void include(range *r, double value, bool positive)
{
    if (!isfinite(value) || (positive && value <= 0))
        return;
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

static void include_all(range *r, const double *values, size_t count, bool positive)
{
    for (size_t i = 0; values && i < count; i++)
        include(r, values[i], positive);
}

void fm_limits_value_range(const double *values, size_t count, double *low, double *high)
{
    range r = nothing;
    include_all(&r, values, count, false);
    *low = r.low <= r.high ? r.low : 0;
    *high = r.low <= r.high ? r.high : 1;
}

void fm_series_range(const fm_series *series, double *min, double *max)
{
    *min = series->min;
    *max = series->max;
    if (*min == 0 && *max == 0)
        fm_limits_value_range(series->u, series->count, min, max);
    if (!(*min < *max)) {
        double half = *min != 0 ? 0.05 * fabs(*min) : 0.5;
        *max = *min + half;
        *min -= half;
    }
}

static bool is_raster(const fm_series *s)
{
    return s->kind == FM_SERIES_HEAT || s->kind == FM_SERIES_IMAGE;
}

static void include_x(range *r, const fm_series *s, bool log)
{
    if (is_raster(s)) {
        include(r, s->extent.x0, log);
        include(r, s->extent.x1, log);
    } else if (s->kind != FM_SERIES_LEVEL)
        include_all(r, s->x, s->count, log);
}

static void include_y(range *r, const fm_series *s, bool log)
{
    if (is_raster(s)) {
        include(r, s->extent.y0, log);
        include(r, s->extent.y1, log);
    } else if (s->kind == FM_SERIES_LEVEL)
        include_all(r, s->x, s->count, log);
    else if (s->kind != FM_SERIES_EVENT && s->kind != FM_SERIES_MARK)
        include_all(r, s->y, s->count, log);
    if (s->kind == FM_SERIES_BAND)
        include_all(r, s->u, s->count, log);
}

/* Room around the data, as a part of its range: none along the time of a line or around a raster. */
static double padding(const fm_axes *axes, bool along_x)
{
    bool raster = false, points = axes->equal, lines = false;
    for (const fm_series *s = axes->first; s; s = s->next) {
        raster |= is_raster(s);
        points |= s->kind == FM_SERIES_SCATTER || s->kind == FM_SERIES_POLYGON || s->kind == FM_SERIES_ARROWS ||
                  (s->kind == FM_SERIES_LINE && s->marker != FM_MARKER_NONE);
        lines |= s->kind == FM_SERIES_LINE || s->kind == FM_SERIES_BAND;
    }
    if (raster)
        return 0;
    if (along_x && lines && !points)
        return 0;
    return 0.06;
}

static void resolve(fm_axis *axis, range r, double pad)
{
    if (!(r.low <= r.high)) {
        bool log = axis->scale == FM_SCALE_LOG;
        r = (range){log ? 0.1 : 0, log ? 10 : 1};
    }
    if (axis->scale == FM_SCALE_LOG) {
        double factor = pow(r.high / r.low, pad);
        if (r.low == r.high)
            factor = 2;
        r.low /= factor;
        r.high *= factor;
    } else {
        double room = (r.high - r.low) * pad;
        if (r.high - r.low <= 1e-12 * fmax(fabs(r.high), fabs(r.low))) /* a constant: show it in the middle */
            room = r.high != 0 ? 0.1 * fabs(r.high) : 1;
        r.low -= room;
        r.high += room;
    }
    axis->data_low = isnan(axis->min) ? r.low : axis->min;
    axis->data_high = isnan(axis->max) ? r.high : axis->max;
    if (axis->data_low >= axis->data_high) { /* one end asked for lies beyond all data */
        if (isnan(axis->max))
            axis->data_high = axis->scale == FM_SCALE_LOG ? axis->data_low * 10 : axis->data_low + 1;
        else
            axis->data_low = axis->scale == FM_SCALE_LOG ? axis->data_high / 10 : axis->data_high - 1;
    }
}

static void share_x(fm_figure *figure, size_t column)
{
    range common = nothing;
    const fm_axes *lowest = NULL; /* carries the numbers, and says on which scale */
    for (size_t i = 0; i < figure->axes_count; i++)
        if (figure->axes[i]->column == column) {
            if (!lowest || figure->axes[i]->row > lowest->row)
                lowest = figure->axes[i];
            include(&common, figure->axes[i]->x.data_low, false);
            include(&common, figure->axes[i]->x.data_high, false);
        }
    for (size_t i = 0; i < figure->axes_count; i++) {
        fm_axes *axes = figure->axes[i];
        if (axes->column != column)
            continue;
        axes->x_hidden = axes->row < lowest->row;
        axes->x.scale = lowest->x.scale;
        axes->x.reversed = lowest->x.reversed;
        axes->x.data_low = common.low;
        axes->x.data_high = common.high;
    }
}

void fm_limits_find(fm_figure *figure)
{
    for (size_t i = 0; i < figure->axes_count; i++) {
        fm_axes *axes = figure->axes[i];
        range x = nothing, y = nothing;
        for (const fm_series *s = axes->first; s; s = s->next) {
            include_x(&x, s, axes->x.scale == FM_SCALE_LOG);
            include_y(&y, s, axes->y.scale == FM_SCALE_LOG);
        }
        resolve(&axes->x, x, padding(axes, true));
        resolve(&axes->y, y, padding(axes, false));
    }
    for (size_t column = 0; figure->share_x && column < figure->columns; column++)
        share_x(figure, column);
}

double fm_axis_paper(const fm_axis *axis, double value)
{
    double part;
    if (axis->scale == FM_SCALE_LOG) {
        if (!(value > 0))
            return NAN;
        part = log(value / axis->low) / log(axis->high / axis->low);
    } else {
        part = (value - axis->low) / (axis->high - axis->low);
    }
    if (!isfinite(part))
        return NAN;
    return axis->paper_low + part * (axis->paper_high - axis->paper_low);
}
