/* Panel, grid, frame, marks, numbers and titles. */
#include <math.h>

#include "plot/parts.h"

static bool has_raster(const fm_axes *axes)
{
    for (const fm_series *s = axes->first; s; s = s->next)
        if (s->kind == FM_SERIES_HEAT || s->kind == FM_SERIES_IMAGE)
            return true;
    return false;
}

void fm_frame_draw_below(const fm_axes *axes, cairo_t *cr)
{
    const fm_box *p = &axes->plot;
    const fm_theme_colours *colours = &axes->figure->colours;
    cairo_rectangle(cr, p->x, p->y, p->width, p->height);
    fm_colour_set(cr, colours->panel);
    cairo_fill(cr);
    if (has_raster(axes))
        return;
    for (size_t i = 0; i < axes->x.ticks.count; i++) {
        double x = fm_axis_paper(&axes->x, axes->x.ticks.at[i]);
        cairo_move_to(cr, x, p->y);
        cairo_line_to(cr, x, p->y + p->height);
    }
    for (size_t i = 0; i < axes->y.ticks.count; i++) {
        double y = fm_axis_paper(&axes->y, axes->y.ticks.at[i]);
        cairo_move_to(cr, p->x, y);
        cairo_line_to(cr, p->x + p->width, y);
    }
    fm_colour_set(cr, colours->grid);
    cairo_set_line_width(cr, 0.6);
    cairo_stroke(cr);
}

static void draw_marks(const fm_axes *axes, cairo_t *cr)
{
    const fm_box *p = &axes->plot;
    double bottom = p->y + p->height;
    for (size_t i = 0; i < axes->x.ticks.count + axes->x.ticks.minor_count; i++) {
        bool major = i < axes->x.ticks.count;
        double x = fm_axis_paper(&axes->x, major ? axes->x.ticks.at[i] : axes->x.ticks.minor[i - axes->x.ticks.count]);
        cairo_move_to(cr, x, bottom);
        cairo_line_to(cr, x, bottom + (major ? FM_TICK_LENGTH : 0.55 * FM_TICK_LENGTH));
    }
    for (size_t i = 0; i < axes->y.ticks.count + axes->y.ticks.minor_count; i++) {
        bool major = i < axes->y.ticks.count;
        double y = fm_axis_paper(&axes->y, major ? axes->y.ticks.at[i] : axes->y.ticks.minor[i - axes->y.ticks.count]);
        cairo_move_to(cr, p->x, y);
        cairo_line_to(cr, p->x - (major ? FM_TICK_LENGTH : 0.55 * FM_TICK_LENGTH), y);
    }
    cairo_rectangle(cr, p->x, p->y, p->width, p->height);
    fm_colour_set(cr, axes->figure->colours.frame);
    cairo_set_line_width(cr, 0.7);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_MITER);
    cairo_stroke(cr);
}

static void draw_x_numbers(const fm_axes *axes, cairo_t *cr)
{
    char title[256];
    const fm_box *p = &axes->plot;
    fm_colour ink = axes->figure->colours.ink;
    double y = p->y + p->height + FM_TICK_LENGTH + FM_GAP;
    for (size_t i = 0; i < axes->x.ticks.count; i++)
        fm_text_draw(cr, fm_axis_paper(&axes->x, axes->x.ticks.at[i]), y, axes->x.ticks.text[i], FM_FONT_SIZE, false,
                     0.5, 1, 0, ink);
    y += 1.35 * FM_FONT_SIZE;
    fm_axis_title(&axes->x, title, sizeof title);
    fm_text_draw(cr, p->x + 0.5 * p->width, y, title, FM_FONT_SIZE, false, 0.5, 1, 0, ink);
    fm_text_draw(cr, p->x + p->width, y, axes->x.ticks.factor, FM_FONT_SMALL, false, 1, 1, 0, ink);
}

static void draw_y_numbers(const fm_axes *axes, cairo_t *cr)
{
    char title[256];
    const fm_box *p = &axes->plot;
    fm_colour ink = axes->figure->colours.ink;
    double right = p->x - FM_TICK_LENGTH - FM_GAP, widest = 0;
    for (size_t i = 0; i < axes->y.ticks.count; i++) {
        const char *text = axes->y.ticks.text[i];
        fm_text_draw(cr, right, fm_axis_paper(&axes->y, axes->y.ticks.at[i]), text, FM_FONT_SIZE, false, 1, 0.5, 0,
                     ink);
        widest = fmax(widest, fm_text_measure(cr, text, FM_FONT_SIZE, false).width);
    }
    fm_axis_title(&axes->y, title, sizeof title);
    fm_text_draw(cr, right - widest - 1.6 * FM_GAP, p->y + 0.5 * p->height, title, FM_FONT_SIZE, false, 0.5, 0,
                 M_PI / 2, ink);
    fm_text_draw(cr, p->x - FM_GAP, p->y - FM_GAP, axes->y.ticks.factor, FM_FONT_SMALL, false, 1, 0, 0, ink);
}

static void draw_title(const fm_axes *axes, cairo_t *cr)
{
    char letter[8];
    if (!fm_figure_title_text(axes, letter, sizeof letter))
        return;
    fm_colour ink = axes->figure->colours.ink;
    double x = axes->plot.x, y = axes->plot.y - fm_legend_height_above(axes) - fm_marks_height(axes) - FM_GAP - 1;
    fm_text_draw(cr, x, y, letter, FM_FONT_SIZE, true, 0, 0, 0, ink);
    if (letter[0])
        x += fm_text_measure(cr, letter, FM_FONT_SIZE, true).width + 5;
    if (axes->title)
        fm_text_draw(cr, x, y, axes->title, FM_FONT_SIZE, false, 0, 0, 0, ink);
}

void fm_frame_draw_above(const fm_axes *axes, cairo_t *cr)
{
    draw_marks(axes, cr);
    if (!axes->x_hidden)
        draw_x_numbers(axes, cr);
    draw_y_numbers(axes, cr);
    draw_title(axes, cr);
    fm_marks_draw(axes, cr);
}
