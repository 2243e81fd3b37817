/* Text through cairo's own font interface, in DejaVu Sans (Debian fonts-dejavu-core), unhinted so that every format
 * and size is laid out alike. */
#include <stdio.h>

#include "plot/parts.h"

void fm_colour_set(cairo_t *cr, fm_colour colour)
{
    cairo_set_source_rgba(cr, colour.red, colour.green, colour.blue, colour.alpha);
}

void fm_text_font(cairo_t *cr, double size, bool bold)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, size);
}

fm_text_size fm_text_measure(cairo_t *cr, const char *text, double size, bool bold)
{
    cairo_text_extents_t extents;
    fm_text_font(cr, size, bold);
    cairo_text_extents(cr, text, &extents);
    return (fm_text_size){extents.x_advance, 0.76 * size, 0.24 * size}; /* heights of the face, not of this text */
}

void fm_text_draw(cairo_t *cr, double x, double y, const char *text, double size, bool bold, double across, double up,
                  double angle, fm_colour colour)
{
    fm_text_size extents = fm_text_measure(cr, text, size, bold);
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_rotate(cr, -angle);
    cairo_move_to(cr, -across * extents.width, up * 0.73 * size); /* 0.73: height of digits and capitals */
    fm_colour_set(cr, colour);
    cairo_show_text(cr, text);
    cairo_restore(cr);
    cairo_new_path(cr);
}

void fm_text_halo(cairo_t *cr, double x, double y, const char *text, double size, double across, double up,
                  double angle, fm_colour colour)
{
    fm_text_size extents = fm_text_measure(cr, text, size, false);
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_rotate(cr, -angle);
    cairo_move_to(cr, -across * extents.width, up * 0.73 * size);
    cairo_text_path(cr, text);
    fm_colour_set(cr, colour);
    cairo_set_line_width(cr, 2.4);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(cr);
    cairo_restore(cr);
}

void fm_axis_title(const fm_axis *axis, char *text, size_t size)
{
    const char *unit = axis->ticks.unit ? axis->ticks.unit : axis->unit;
    const char *label = axis->label ? axis->label : "";
    if (unit && unit[0])
        snprintf(text, size, label[0] ? "%s (%s)" : "%s%s", label, unit);
    else
        snprintf(text, size, "%s", label);
}
