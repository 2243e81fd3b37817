/* Lines, points, areas, arrows, texts and rules. */
#include <math.h>

#include "plot/parts.h"

void fm_dash_set(cairo_t *cr, fm_dash dash, double width)
{
    double w = fmax(width, 0.7);
    switch (dash) {
    case FM_DASH_SOLID: cairo_set_dash(cr, NULL, 0, 0); break;
    case FM_DASH_DASHED: cairo_set_dash(cr, (double[]){4.5 * w, 2.5 * w}, 2, 0); break;
    case FM_DASH_DOTTED: cairo_set_dash(cr, (double[]){1.1 * w, 1.9 * w}, 2, 0); break;
    case FM_DASH_DASH_DOT: cairo_set_dash(cr, (double[]){5 * w, 2 * w, 1.1 * w, 2 * w}, 4, 0); break;
    }
}

static void pen(cairo_t *cr, fm_colour colour, double width, fm_dash dash)
{
    fm_colour_set(cr, colour);
    cairo_set_line_width(cr, width);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cr, dash == FM_DASH_SOLID ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
    fm_dash_set(cr, dash, width);
}

static void stroke(cairo_t *cr)
{
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
}

static void polygon_path(cairo_t *cr, double x, double y, const double (*corners)[2], size_t count, double r)
{
    for (size_t i = 0; i < count; i++)
        cairo_line_to(cr, x + r * corners[i][0], y + r * corners[i][1]);
    cairo_close_path(cr);
    cairo_fill(cr);
}

void fm_marker_draw(cairo_t *cr, fm_marker marker, double x, double y, double size, fm_colour colour)
{
    static const double square[][2] = {{-0.89, -0.89}, {0.89, -0.89}, {0.89, 0.89}, {-0.89, 0.89}};
    static const double triangle[][2] = {{0, -1.25}, {1.08, 0.62}, {-1.08, 0.62}};
    static const double diamond[][2] = {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}};
    double r = 0.5 * size;
    fm_colour_set(cr, colour);
    cairo_new_path(cr);
    switch (marker) {
    case FM_MARKER_NONE: break;
    case FM_MARKER_DISC:
        cairo_arc(cr, x, y, r, 0, 2 * M_PI);
        cairo_fill(cr);
        break;
    case FM_MARKER_RING:
        cairo_arc(cr, x, y, 0.85 * r, 0, 2 * M_PI);
        cairo_set_line_width(cr, 0.3 * r + 0.3);
        cairo_stroke(cr);
        break;
    case FM_MARKER_SQUARE: polygon_path(cr, x, y, square, 4, r); break;
    case FM_MARKER_TRIANGLE: polygon_path(cr, x, y, triangle, 3, r); break;
    case FM_MARKER_DIAMOND: polygon_path(cr, x, y, diamond, 4, r); break;
    case FM_MARKER_CROSS:
        cairo_move_to(cr, x - r, y - r);
        cairo_line_to(cr, x + r, y + r);
        cairo_move_to(cr, x - r, y + r);
        cairo_line_to(cr, x + r, y - r);
        cairo_set_line_width(cr, 0.3 * r + 0.4);
        cairo_stroke(cr);
        break;
    }
}

static bool on_plot(const fm_axes *axes, double x, double y)
{
    const fm_box *p = &axes->plot;
    return x >= p->x - 20 && x <= p->x + p->width + 20 && y >= p->y - 20 && y <= p->y + p->height + 20;
}

static void draw_markers(const fm_axes *axes, const fm_series *s, cairo_t *cr)
{
    fm_colour table[FM_MAP_SIZE];
    double min = 0, max = 1;
    if (s->u) {
        fm_colour_table(s->map, table);
        fm_series_range(s, &min, &max);
    }
    for (size_t i = 0; i < s->count; i++) {
        double x = fm_axis_paper(&axes->x, s->x[i]), y = fm_axis_paper(&axes->y, s->y[i]);
        if (!on_plot(axes, x, y) || (s->u && !isfinite(s->u[i])))
            continue;
        fm_colour colour = s->colour;
        if (s->u) {
            double part = fmin(fmax((s->u[i] - min) / (max - min), 0), 1);
            colour = table[(int)(part * (FM_MAP_SIZE - 1) + 0.5)];
        }
        fm_marker_draw(cr, s->marker, x, y, s->size, colour);
    }
}

static void draw_line(const fm_axes *axes, const fm_series *s, cairo_t *cr)
{
    fm_path path;
    fm_path_begin(&path, cr, axes->plot);
    double last = NAN;
    for (size_t i = 0; i < s->count; i++) {
        double x = fm_axis_paper(&axes->x, s->x[i]), y = fm_axis_paper(&axes->y, s->y[i]);
        if (s->step && isfinite(last) && isfinite(x))
            fm_path_add(&path, x, last);
        fm_path_add(&path, x, y);
        last = y;
    }
    fm_path_end(&path);
    pen(cr, s->colour, s->width, s->dash);
    stroke(cr);
    if (s->marker != FM_MARKER_NONE)
        draw_markers(
            axes,
            &(fm_series){
                .count = s->count, .x = s->x, .y = s->y, .marker = s->marker, .size = s->size, .colour = s->colour},
            cr);
}

/* Kept near the plot, where cairo's coordinates are good; for filled shapes, whose edges out there are not seen. */
static double near_plot(double at, double from, double length)
{
    return fmin(fmax(at, from - 200), from + length + 200);
}

static void area_point(const fm_axes *axes, cairo_t *cr, double x, double y)
{
    double px = fm_axis_paper(&axes->x, x), py = fm_axis_paper(&axes->y, y);
    cairo_line_to(cr, near_plot(px, axes->plot.x, axes->plot.width), near_plot(py, axes->plot.y, axes->plot.height));
}

/* One unbroken piece [from, to) of a band. Long ones are thinned to the columns of paper, outwards. */
static void band_piece(const fm_axes *axes, const fm_series *s, cairo_t *cr, size_t from, size_t to)
{
    size_t stride = (to - from) / 4000 + 1;
    for (size_t i = from; i < to; i += stride) {
        double high = s->u[i];
        for (size_t k = i; k < to && k < i + stride; k++)
            high = fmax(high, s->u[k]);
        area_point(axes, cr, s->x[i], high);
    }
    area_point(axes, cr, s->x[to - 1], s->u[to - 1]);
    area_point(axes, cr, s->x[to - 1], s->y[to - 1]);
    for (size_t n = (to - from - 1) / stride + 1; n-- > 0;) {
        size_t i = from + n * stride;
        double low = s->y[i];
        for (size_t k = i; k < to && k < i + stride; k++)
            low = fmin(low, s->y[k]);
        area_point(axes, cr, s->x[i], low);
    }
    cairo_close_path(cr);
}

static bool band_has(const fm_axes *axes, const fm_series *s, size_t i)
{
    return isfinite(fm_axis_paper(&axes->x, s->x[i])) && isfinite(fm_axis_paper(&axes->y, s->y[i])) &&
           isfinite(fm_axis_paper(&axes->y, s->u[i]));
}

static void draw_band(const fm_axes *axes, const fm_series *s, cairo_t *cr)
{
    for (size_t i = 0; i < s->count;) {
        size_t from = i;
        while (i < s->count && band_has(axes, s, i))
            i++;
        if (i > from)
            band_piece(axes, s, cr, from, i);
        else
            i++;
    }
    fm_colour_set(cr, fm_colour_faded(s->colour, s->opacity));
    cairo_fill(cr);
}

static void draw_polygon(const fm_axes *axes, const fm_series *s, cairo_t *cr)
{
    for (size_t i = 0; i < s->count; i++) {
        if (isfinite(fm_axis_paper(&axes->x, s->x[i])) && isfinite(fm_axis_paper(&axes->y, s->y[i])))
            area_point(axes, cr, s->x[i], s->y[i]);
        else
            cairo_close_path(cr); /* a NaN begins a new ring */
    }
    cairo_close_path(cr);
    fm_colour_set(cr, fm_colour_faded(s->colour, s->opacity));
    cairo_fill_preserve(cr);
    if (s->width > 0) {
        pen(cr, s->line_colour, s->width, FM_DASH_SOLID);
        stroke(cr);
    }
    cairo_new_path(cr);
}

void fm_arrow_draw(cairo_t *cr, double x, double y, double dx, double dy, double width, fm_colour colour)
{
    double length = hypot(dx, dy), head = fmin(2.2 + 3 * width, 0.6 * length);
    if (!(length > 0.3))
        return;
    double ux = dx / length, uy = dy / length, neck = length - 0.8 * head;
    pen(cr, colour, width, FM_DASH_SOLID);
    cairo_move_to(cr, x, y);
    cairo_line_to(cr, x + neck * ux, y + neck * uy);
    stroke(cr);
    cairo_move_to(cr, x + dx, y + dy);
    cairo_line_to(cr, x + dx - head * ux + 0.38 * head * uy, y + dy - head * uy - 0.38 * head * ux);
    cairo_line_to(cr, x + neck * ux, y + neck * uy);
    cairo_line_to(cr, x + dx - head * ux - 0.38 * head * uy, y + dy - head * uy + 0.38 * head * ux);
    cairo_close_path(cr);
    cairo_fill(cr);
}

double fm_arrow_length(const fm_series *s, double *longest)
{
    *longest = 0;
    for (size_t i = 0; i < s->count; i++)
        if (isfinite(s->u[i]) && isfinite(s->v[i]))
            *longest = fmax(*longest, hypot(s->u[i], s->v[i]));
    return s->size > 0 ? s->size : *longest > 0 ? 22 / *longest : 0;
}

static void draw_arrows(const fm_axes *axes, const fm_series *s, cairo_t *cr)
{
    double longest, length = fm_arrow_length(s, &longest);
    double x_sign = axes->x.reversed ? -1 : 1, y_sign = axes->y.reversed ? 1 : -1;
    for (size_t i = 0; i < s->count; i++) {
        double x = fm_axis_paper(&axes->x, s->x[i]), y = fm_axis_paper(&axes->y, s->y[i]);
        double dx = x_sign * length * s->u[i], dy = y_sign * length * s->v[i];
        if (on_plot(axes, x, y) && isfinite(dx) && isfinite(dy))
            fm_arrow_draw(cr, x, y, dx, dy, s->width, s->colour);
    }
}

static void draw_text(const fm_axes *axes, const fm_series *s, cairo_t *cr)
{
    double x = fm_axis_paper(&axes->x, s->x[0]), y = fm_axis_paper(&axes->y, s->y[0]);
    if (!on_plot(axes, x, y))
        return;
    double tx = x + s->dx, ty = y - s->dy;
    if (s->pointer && (s->dx != 0 || s->dy != 0)) {
        fm_text_size size = fm_text_measure(cr, s->text, s->size, false);
        double middle = s->dy > 0 ? ty + 2 : ty - s->up * 0.73 * s->size - 2;
        pen(cr, axes->figure->colours.soft_ink, 0.6, FM_DASH_SOLID);
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, tx + (0.5 - s->across) * fmin(size.width, 8), middle);
        stroke(cr);
    }
    fm_text_halo(cr, tx, ty, s->text, s->size, s->across, s->up, 0, axes->figure->colours.panel);
    fm_text_draw(cr, tx, ty, s->text, s->size, false, s->across, s->up, 0, s->colour);
}

static void draw_rule(const fm_axes *axes, const fm_series *s, cairo_t *cr)
{
    const fm_box *p = &axes->plot;
    bool upright = s->kind != FM_SERIES_LEVEL;
    double at = fm_axis_paper(upright ? &axes->x : &axes->y, s->x[0]);
    if (!on_plot(axes, upright ? at : p->x, upright ? p->y : at))
        return;
    pen(cr, s->colour, s->width, s->dash);
    cairo_move_to(cr, upright ? at : p->x, upright ? p->y + p->height : at);
    cairo_line_to(cr, upright ? at : p->x + p->width, upright ? p->y : at);
    stroke(cr);
    if (!s->text || s->kind == FM_SERIES_MARK)
        return;
    fm_box box = fm_rule_text_box(axes, s, cr);
    double aside = s->other_side == upright ? at - 3 : at + 3; /* towards left and top, right and bottom */
    double x = upright ? aside : s->at_start ? p->x + 4 : p->x + p->width - 4;
    double y = !upright ? aside : s->at_start ? box.y + box.height - 4 : p->y + 4;
    double across = s->at_start ? 0 : 1, up = s->other_side == upright ? 0 : 1, angle = upright ? M_PI / 2 : 0;
    fm_text_halo(cr, x, y, s->text, FM_FONT_SMALL, across, up, angle, axes->figure->colours.panel);
    fm_text_draw(cr, x, y, s->text, FM_FONT_SMALL, false, across, up, angle, s->colour);
}

void fm_series_draw(const fm_axes *axes, const fm_series *series, cairo_t *cr)
{
    switch (series->kind) {
    case FM_SERIES_LINE: draw_line(axes, series, cr); break;
    case FM_SERIES_SCATTER: draw_markers(axes, series, cr); break;
    case FM_SERIES_BAND: draw_band(axes, series, cr); break;
    case FM_SERIES_POLYGON: draw_polygon(axes, series, cr); break;
    case FM_SERIES_HEAT:
    case FM_SERIES_IMAGE: fm_raster_draw(axes, series, cr); break;
    case FM_SERIES_ARROWS: draw_arrows(axes, series, cr); break;
    case FM_SERIES_TEXT: draw_text(axes, series, cr); break;
    case FM_SERIES_EVENT:
    case FM_SERIES_LEVEL:
    case FM_SERIES_MARK: draw_rule(axes, series, cr); break;
    }
}
