/* Each kind of series as recorded: data copied, defaults of its style filled in. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "plot/parts.h"

static void no_memory(fm_figure *figure)
{
    if (figure->error.status == FM_OK)
        fm_fail(&figure->error, FM_ERR_MEMORY, "no memory for a series of the figure");
}

static const void *keep(fm_figure *figure, const void *data, size_t count, size_t size)
{
    if (!data)
        return NULL;
    void *copy = count > SIZE_MAX / 2 / size ? NULL : fm_arena_alloc(&figure->arena, count * size + 1);
    if (!copy) {
        no_memory(figure);
        return NULL;
    }
    memcpy(copy, data, count * size);
    return copy;
}

static const double *keep_numbers(fm_axes *axes, const double *data, size_t count)
{
    return keep(axes->figure, data, count, sizeof *data);
}

static const char *keep_text(fm_axes *axes, const char *text)
{
    return text ? keep(axes->figure, text, strlen(text) + 1, 1) : NULL;
}

static fm_colour pick(fm_axes *axes, fm_colour wanted)
{
    return wanted.alpha > 0 ? wanted : fm_colour_series(axes->figure->theme, axes->cycle++);
}

static double or_else(double value, double otherwise)
{
    return value > 0 ? value : otherwise;
}

/* Appends a copy; a series whose data could not be kept is dropped (the figure knows of the failure). */
static void append(fm_axes *axes, fm_series series)
{
    if (axes->figure->error.status != FM_OK)
        return;
    fm_series *kept = fm_arena_alloc(&axes->figure->arena, sizeof *kept);
    if (!kept) {
        no_memory(axes->figure);
        return;
    }
    *kept = series;
    *axes->last = kept;
    axes->last = &kept->next;
}

static bool has_data(fm_axes *axes, const char *kind, const void *a, const void *b, size_t count)
{
    if (!axes)
        return false;
    if (count && (!a || !b) && axes->figure->error.status == FM_OK)
        fm_fail(&axes->figure->error, FM_ERR_ARGUMENT, "%s of %zu points without data", kind, count);
    return a && b;
}

void fm_axes_line(fm_axes *axes, const double *x, const double *y, size_t count, const fm_line_style *style)
{
    static const fm_line_style plain;
    if (!has_data(axes, "line", x, y, count))
        return;
    style = style ? style : &plain;
    /* when all colours are used up, dashes tell lines apart */
    bool again = style->colour.alpha <= 0 && style->dash == FM_DASH_SOLID;
    fm_dash dash = again ? (fm_dash)(axes->cycle / FM_SERIES_COLOURS % 4) : style->dash;
    append(axes, (fm_series){.kind = FM_SERIES_LINE,
                             .count = count,
                             .x = keep_numbers(axes, x, count),
                             .y = keep_numbers(axes, y, count),
                             .label = keep_text(axes, style->label),
                             .colour = pick(axes, style->colour),
                             .width = or_else(style->width, 1.3),
                             .dash = dash,
                             .step = style->step,
                             .marker = style->marker,
                             .size = 4});
}

void fm_axes_scatter(fm_axes *axes, const double *x, const double *y, size_t count, const fm_scatter_style *style)
{
    static const fm_scatter_style plain;
    if (!has_data(axes, "scatter", x, y, count))
        return;
    style = style ? style : &plain;
    fm_colour ink = axes->figure->colours.ink;
    append(axes, (fm_series){.kind = FM_SERIES_SCATTER,
                             .count = count,
                             .x = keep_numbers(axes, x, count),
                             .y = keep_numbers(axes, y, count),
                             .u = keep_numbers(axes, style->values, count),
                             .label = keep_text(axes, style->label),
                             .colour = style->values ? ink : pick(axes, style->colour),
                             .marker = style->marker ? style->marker : FM_MARKER_DISC,
                             .size = or_else(style->size, 4),
                             .map = style->map,
                             .min = style->min,
                             .max = style->max,
                             .bar = style->values != NULL,
                             .value_label = keep_text(axes, style->value_label),
                             .value_unit = keep_text(axes, style->value_unit)});
}

void fm_axes_band(fm_axes *axes, const double *x, const double *low, const double *high, size_t count,
                  const fm_area_style *style)
{
    static const fm_area_style plain;
    if (!has_data(axes, "band", x, low, count) || !has_data(axes, "band", x, high, count))
        return;
    style = style ? style : &plain;
    append(axes, (fm_series){.kind = FM_SERIES_BAND,
                             .count = count,
                             .x = keep_numbers(axes, x, count),
                             .y = keep_numbers(axes, low, count),
                             .u = keep_numbers(axes, high, count),
                             .label = keep_text(axes, style->label),
                             .colour = pick(axes, style->colour),
                             .opacity = or_else(style->opacity, 0.25)});
}

void fm_axes_polygon(fm_axes *axes, const double *x, const double *y, size_t count, const fm_area_style *style)
{
    static const fm_area_style plain;
    if (!has_data(axes, "polygon", x, y, count))
        return;
    style = style ? style : &plain;
    fm_colour fill = style->colour.alpha > 0 ? style->colour : axes->figure->colours.soft_ink;
    double width = style->line_width > 0 ? style->line_width : style->line.alpha > 0 ? 0.8 : 0;
    append(axes, (fm_series){.kind = FM_SERIES_POLYGON,
                             .count = count,
                             .x = keep_numbers(axes, x, count),
                             .y = keep_numbers(axes, y, count),
                             .label = keep_text(axes, style->label),
                             .colour = fill,
                             .line_colour = style->line.alpha > 0 ? style->line : fill,
                             .width = width,
                             .opacity = or_else(style->opacity, 0.35)});
}

static bool good_grid(fm_axes *axes, const char *kind, fm_extent e, const void *data, size_t columns, size_t rows)
{
    if (!axes)
        return false;
    bool finite = isfinite(e.x0) && isfinite(e.x1) && isfinite(e.y0) && isfinite(e.y1) && e.x0 != e.x1 && e.y0 != e.y1;
    bool sized = columns >= 1 && rows >= 1 && columns <= 16384 && rows <= 16384;
    if (data && finite && sized)
        return true;
    if (axes->figure->error.status == FM_OK)
        fm_fail(&axes->figure->error, FM_ERR_RANGE,
                "%s of %zu × %zu cells from (%g, %g) to (%g, %g): must be 1 … 16384 cells a side over an area", kind,
                columns, rows, e.x0, e.y0, e.x1, e.y1);
    return false;
}

void fm_axes_heat(fm_axes *axes, fm_extent extent, const double *values, size_t columns, size_t rows,
                  const fm_heat_style *style)
{
    static const fm_heat_style plain;
    if (!good_grid(axes, "heat map", extent, values, columns, rows))
        return;
    style = style ? style : &plain;
    append(axes, (fm_series){.kind = FM_SERIES_HEAT,
                             .u = keep_numbers(axes, values, columns * rows),
                             .count = columns * rows,
                             .columns = columns,
                             .rows = rows,
                             .extent = extent,
                             .map = style->map,
                             .min = style->min,
                             .max = style->max,
                             .bar = !style->no_bar,
                             .value_label = keep_text(axes, style->value_label),
                             .value_unit = keep_text(axes, style->value_unit)});
}

void fm_axes_image(fm_axes *axes, fm_extent extent, const uint8_t *rgb, size_t columns, size_t rows)
{
    if (!good_grid(axes, "image", extent, rgb, columns, rows))
        return;
    append(axes, (fm_series){.kind = FM_SERIES_IMAGE,
                             .rgb = keep(axes->figure, rgb, columns * rows, 3),
                             .columns = columns,
                             .rows = rows,
                             .extent = extent});
}

void fm_axes_arrows(fm_axes *axes, const double *x, const double *y, const double *u, const double *v, size_t count,
                    const fm_arrow_style *style)
{
    static const fm_arrow_style plain;
    if (!has_data(axes, "arrows", x, y, count) || !has_data(axes, "arrows", u, v, count))
        return;
    style = style ? style : &plain;
    append(axes, (fm_series){.kind = FM_SERIES_ARROWS,
                             .count = count,
                             .x = keep_numbers(axes, x, count),
                             .y = keep_numbers(axes, y, count),
                             .u = keep_numbers(axes, u, count),
                             .v = keep_numbers(axes, v, count),
                             .label = keep_text(axes, style->label),
                             .colour = pick(axes, style->colour),
                             .width = or_else(style->width, 0.9),
                             .size = style->length,
                             .key = style->key});
}

void fm_axes_text(fm_axes *axes, double x, double y, const char *text, const fm_text_style *style)
{
    static const fm_text_style plain;
    if (!axes || !text)
        return;
    style = style ? style : &plain;
    append(axes, (fm_series){.kind = FM_SERIES_TEXT,
                             .count = 1,
                             .x = keep_numbers(axes, &x, 1),
                             .y = keep_numbers(axes, &y, 1),
                             .text = keep_text(axes, text),
                             .colour = style->colour.alpha > 0 ? style->colour : axes->figure->colours.ink,
                             .size = or_else(style->size, 8),
                             .across = style->across,
                             .up = style->up,
                             .dx = style->dx,
                             .dy = style->dy,
                             .pointer = style->pointer,
                             .beside = style->beside});
}

static void add_rule(fm_axes *axes, fm_series_kind kind, double at, const char *text, const fm_line_style *style)
{
    static const fm_line_style plain = {.dash = FM_DASH_DASHED};
    if (!axes)
        return;
    style = style ? style : &plain;
    append(axes, (fm_series){.kind = kind,
                             .count = 1,
                             .x = keep_numbers(axes, &at, 1),
                             .text = keep_text(axes, text),
                             .label = keep_text(axes, style->label),
                             .dash = style->dash,
                             .colour = style->colour.alpha > 0 ? style->colour : axes->figure->colours.soft_ink,
                             .width = or_else(style->width, 0.8)});
}

void fm_axes_event(fm_axes *axes, double x, const char *text, const fm_line_style *style)
{
    add_rule(axes, FM_SERIES_EVENT, x, text, style);
}

void fm_axes_mark(fm_axes *axes, double x, const char *text)
{
    add_rule(axes, FM_SERIES_MARK, x, text, &(fm_line_style){.dash = FM_DASH_DOTTED, .width = 0.7});
}

void fm_axes_level(fm_axes *axes, double y, const char *text, const fm_line_style *style)
{
    add_rule(axes, FM_SERIES_LEVEL, y, text, style);
}
