/* Figures and axes as recorded; drawing happens in fm_figure_render. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "plot/parts.h"

#define POINTS_PER_MM (72 / 25.4)

static void refuse(fm_figure *figure, fm_status status, const char *text)
{
    if (figure && figure->error.status == FM_OK)
        fm_fail(&figure->error, status, "%s", text);
}

static const char *keep_text(fm_figure *figure, const char *text)
{
    if (!text)
        return NULL;
    const char *copy = fm_arena_text(&figure->arena, text);
    if (!copy)
        refuse(figure, FM_ERR_MEMORY, "no memory for a text of the figure");
    return copy;
}

fm_figure *fm_figure_create(double width_mm, double height_mm, fm_theme theme)
{
    fm_figure *figure = fm_alloc(sizeof *figure);
    if (!figure)
        return NULL;
    figure->spare = fm_arena_alloc(&figure->arena, sizeof *figure->spare);
    if (!figure->spare) {
        fm_figure_destroy(figure);
        return NULL;
    }
    *figure->spare = (fm_axes){.figure = figure, .last = &figure->spare->first};
    if (!(width_mm >= 20 && width_mm <= 2000 && height_mm >= 20 && height_mm <= 2000))
        fm_fail(&figure->error, FM_ERR_RANGE, "figure of %g mm × %g mm: must be 20 … 2000 mm", width_mm, height_mm);
    figure->width = width_mm * POINTS_PER_MM;
    figure->height = height_mm * POINTS_PER_MM;
    figure->resolution = 200;
    figure->theme = theme;
    figure->colours = fm_theme_colours_of(theme);
    for (size_t i = 0; i < FM_GRID_MAX; i++)
        figure->row_weight[i] = figure->column_weight[i] = 1;
    return figure;
}

void fm_figure_destroy(fm_figure *figure)
{
    if (!figure)
        return;
    fm_arena_free(&figure->arena);
    fm_free(figure);
}

void fm_figure_title(fm_figure *figure, const char *title)
{
    if (figure)
        figure->title = keep_text(figure, title);
}

void fm_figure_note(fm_figure *figure, const char *text)
{
    if (!figure || !text)
        return;
    if (figure->note_count == figure->note_room) {
        size_t room = 2 * figure->note_room + 32;
        const char **notes = fm_arena_alloc(&figure->arena, room * sizeof *notes);
        if (!notes) {
            refuse(figure, FM_ERR_MEMORY, "no memory for a text of the figure");
            return;
        }
        if (figure->note_count)
            memcpy(notes, figure->notes, figure->note_count * sizeof *notes);
        figure->notes = notes;
        figure->note_room = room;
    }
    const char *kept = keep_text(figure, text);
    if (kept)
        figure->notes[figure->note_count++] = kept;
}

void fm_figure_resolution(fm_figure *figure, double dots_per_inch)
{
    if (!figure)
        return;
    if (dots_per_inch >= 20 && dots_per_inch <= 1200)
        figure->resolution = dots_per_inch;
    else if (figure->error.status == FM_OK)
        fm_fail(&figure->error, FM_ERR_RANGE, "resolution of %g dots per inch: must be 20 … 1200", dots_per_inch);
}

void fm_figure_share_x(fm_figure *figure)
{
    if (figure)
        figure->share_x = true;
}

static void set_weight(fm_figure *figure, double *weights, size_t index, double weight)
{
    if (index < FM_GRID_MAX && weight > 0 && isfinite(weight))
        weights[index] = weight;
    else
        refuse(figure, FM_ERR_RANGE, "the weight of a row or column is above 0, and there are at most 16");
}

void fm_figure_row_height(fm_figure *figure, size_t row, double weight)
{
    if (figure)
        set_weight(figure, figure->row_weight, row, weight);
}

void fm_figure_column_width(fm_figure *figure, size_t column, double weight)
{
    if (figure)
        set_weight(figure, figure->column_weight, column, weight);
}

fm_axes *fm_figure_axes(fm_figure *figure, size_t row, size_t column, size_t rows, size_t columns)
{
    if (!figure)
        return NULL;
    if (rows < 1 || columns < 1 || row >= FM_GRID_MAX || column >= FM_GRID_MAX || rows > FM_GRID_MAX - row ||
        columns > FM_GRID_MAX - column || figure->axes_count == FM_AXES_MAX) {
        refuse(figure, FM_ERR_RANGE, "axes outside the grid of 16 × 16 cells, or more than 64 axes");
        return figure->spare;
    }
    fm_axes *axes = fm_arena_alloc(&figure->arena, sizeof *axes);
    if (!axes) {
        refuse(figure, FM_ERR_MEMORY, "no memory for axes");
        return figure->spare;
    }
    *axes = (fm_axes){.figure = figure,
                      .row = row,
                      .column = column,
                      .rows = rows,
                      .columns = columns,
                      .index = figure->axes_count,
                      .x = {.min = NAN, .max = NAN},
                      .y = {.min = NAN, .max = NAN}};
    axes->last = &axes->first;
    figure->axes[figure->axes_count++] = axes;
    figure->rows = row + rows > figure->rows ? row + rows : figure->rows;
    figure->columns = column + columns > figure->columns ? column + columns : figure->columns;
    return axes;
}

static void keep_names(fm_figure *figure, fm_axis *axis, const fm_axis_style *style)
{
    size_t count = style->name_count < FM_TICKS_MAX ? style->name_count : FM_TICKS_MAX;
    const char **names = style->names ? fm_arena_alloc(&figure->arena, (count + 1) * sizeof *names) : NULL;
    for (size_t i = 0; names && i < count; i++)
        if (!(names[i] = keep_text(figure, style->names[i])))
            names[i] = "";
    axis->names = names;
    axis->name_count = names ? count : 0;
}

static void set_axis(fm_figure *figure, fm_axis *axis, const fm_axis_style *style)
{
    axis->label = keep_text(figure, style->label);
    axis->unit = keep_text(figure, style->unit);
    axis->scale = style->scale;
    axis->reversed = style->reversed;
    keep_names(figure, axis, style);
    bool from_data = style->min == 0 && style->max == 0;
    axis->min = from_data || isinf(style->min) ? NAN : style->min;
    axis->max = from_data || isinf(style->max) ? NAN : style->max;
    const char *name = style->label ? style->label : "without label";
    if (axis->min >= axis->max && figure->error.status == FM_OK)
        fm_fail(&figure->error, FM_ERR_RANGE, "axis %s: min %g is not below max %g", name, axis->min, axis->max);
    if (axis->scale == FM_SCALE_LOG && (axis->min <= 0 || axis->max <= 0) && figure->error.status == FM_OK)
        fm_fail(&figure->error, FM_ERR_RANGE, "axis %s: a log scale from %g to %g; both must be above 0", name,
                axis->min, axis->max);
}

void fm_axes_x(fm_axes *axes, const fm_axis_style *style)
{
    if (axes && style)
        set_axis(axes->figure, &axes->x, style);
}

void fm_axes_y(fm_axes *axes, const fm_axis_style *style)
{
    if (axes && style)
        set_axis(axes->figure, &axes->y, style);
}

void fm_axes_title(fm_axes *axes, const char *title)
{
    if (axes)
        axes->title = keep_text(axes->figure, title);
}

void fm_axes_equal(fm_axes *axes)
{
    if (axes)
        axes->equal = true;
}

void fm_axes_legend(fm_axes *axes, fm_legend legend)
{
    if (axes)
        axes->legend = legend;
}
