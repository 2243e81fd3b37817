#include "plot/table_figure.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* "depth [m]" is called depth and is in m. */
static void split_heading(const char *heading, char *name, size_t size, char *unit, size_t unit_size)
{
    const char *open = strstr(heading, " ["), *close = open ? strrchr(open, ']') : NULL;
    int length = open ? (int)(open - heading) : (int)strlen(heading);
    snprintf(name, size, "%.*s", length, heading);
    snprintf(unit, unit_size, "%.*s", close ? (int)(close - open - 2) : 0, close ? open + 2 : "");
}

/* By its heading, or by its name alone; FM_COLUMNS_MOST: there is none. */
static size_t find_column(const fm_columns *t, const char *wanted, fm_error *error)
{
    fm_nearest near = {.wanted = wanted};
    char hint[400], names[FM_COLUMNS_MOST][128], unit[32];
    for (size_t i = 0; i < t->columns; i++) {
        split_heading(t->names[i], names[i], sizeof names[i], unit, sizeof unit);
        if (!strcmp(wanted, t->names[i]) || !strcmp(wanted, names[i]))
            return i;
        fm_nearest_offer(&near, names[i]);
    }
    fm_fail(error, FM_ERR_NAME, "no column '%s'%s", wanted, fm_nearest_write(&near, hint, sizeof hint));
    return FM_COLUMNS_MOST;
}

static void style_x(fm_axes *axes, const char *heading)
{
    char name[128], unit[32];
    split_heading(heading, name, sizeof name, unit, sizeof unit);
    fm_axes_x(axes, &(fm_axis_style){.label = name, .unit = unit[0] ? unit : NULL});
}

/* The columns of a unit, from `first` on, which has it. */
static void draw_unit(fm_axes *axes, const fm_columns *t, size_t x, const bool *shown, size_t first)
{
    char name[128], unit[32], other[128], other_unit[32];
    size_t alike = 0;
    split_heading(t->names[first], name, sizeof name, unit, sizeof unit);
    for (size_t i = first; i < t->columns; i++) {
        split_heading(t->names[i], other, sizeof other, other_unit, sizeof other_unit);
        if (!shown[i] || strcmp(unit, other_unit) != 0)
            continue;
        fm_axes_line(axes, t->values[x], t->values[i], t->rows, &(fm_line_style){.label = other});
        alike++;
    }
    fm_axes_y(axes, &(fm_axis_style){.label = alike == 1 ? name : NULL, .unit = unit[0] ? unit : NULL});
    fm_axes_legend(axes, alike == 1 ? FM_LEGEND_NONE : FM_LEGEND_AUTO);
    style_x(axes, t->names[x]);
}

static bool is_first_of_unit(const fm_columns *t, const bool *shown, size_t i)
{
    char name[128], unit[32], earlier[32];
    if (!shown[i])
        return false;
    split_heading(t->names[i], name, sizeof name, unit, sizeof unit);
    for (size_t k = 0; k < i; k++) {
        split_heading(t->names[k], name, sizeof name, earlier, sizeof earlier);
        if (shown[k] && !strcmp(unit, earlier))
            return false;
    }
    return true;
}

fm_figure *fm_table_draw(const fm_table_request *r, fm_error *error)
{
    const fm_columns *t = r->table;
    bool shown[FM_COLUMNS_MOST] = {0};
    size_t x = r->x ? find_column(t, r->x, error) : 0, plots = 0;
    if (x == FM_COLUMNS_MOST)
        return NULL;
    for (size_t i = 0; i < t->columns && r->column_count == 0; i++)
        shown[i] = i != x;
    for (size_t i = 0; i < r->column_count; i++) {
        size_t column = find_column(t, r->columns[i], error);
        if (column == FM_COLUMNS_MOST)
            return NULL;
        shown[column] = true;
    }
    for (size_t i = 0; i < t->columns; i++)
        plots += is_first_of_unit(t, shown, i);
    if (plots < 1 || plots > 16) {
        fm_fail(error, FM_ERR_RANGE, "1 to 16 plots, one for each unit, can be drawn; these would be %zu", plots);
        return NULL;
    }
    fm_figure *figure = fm_figure_create(170, 20 + (plots > 1 ? 55 : 80) * (double)plots, r->theme);
    for (size_t i = 0, row = 0; i < t->columns; i++)
        if (is_first_of_unit(t, shown, i))
            draw_unit(fm_figure_axes(figure, row++, 0, 1, 1), t, x, shown, i);
    fm_figure_share_x(figure);
    return figure;
}
