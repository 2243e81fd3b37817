/* What `fathom rays` draws. */
#include <math.h>
#include <stdio.h>

#include "plot/figure.h"
#include "rays.h"

#define DEGREE (3.14159265358979323846 / 180)

enum { STOPS = 600, POINTS_MOST = 8192 };

/* The way of one ray: where it stops, and where it is reflected. */
typedef struct way {
    double x[POINTS_MOST], z[POINTS_MOST]; /* km, m */
    size_t count;
    int reflections;
} way;

static void add_point(way *w, const fm_ray *ray)
{
    if (w->count < POINTS_MOST) {
        w->x[w->count] = 1e-3 * ray->range;
        w->z[w->count++] = ray->depth;
    }
}

static void at_reflection(void *user, const fm_ray *ray)
{
    way *w = user;
    if (ray->surface + ray->bottom > w->reflections) {
        w->reflections = ray->surface + ray->bottom;
        add_point(w, ray);
    }
}

static fm_ray trace(const cli_rays *r, double angle, way *w)
{
    fm_ray ray = fm_ray_launch(&r->guide, r->source_depth, angle);
    w->count = 0;
    w->reflections = 0;
    add_point(w, &ray);
    for (int i = 1; i <= STOPS && !ray.lost; i++) {
        fm_ray_advance(&r->guide, &ray, r->range * i / STOPS, cli_rays_reflections(r), 0, at_reflection, w);
        add_point(w, &ray);
    }
    return ray;
}

/* Depth of the drawing: the deepest bottom, and a little of it. */
static double deepest(const cli_rays *r)
{
    return 1.04 * r->guide.depth[r->guide.layers];
}

static void draw_bottom(const cli_rays *r, fm_axes *axes)
{
    enum { N = 402 };
    double x[N + 2], z[N + 2], slope;
    for (int i = 0; i < N; i++) {
        double range = r->range * i / (N - 1);
        x[i] = 1e-3 * range;
        z[i] = fm_waveguide_bottom(&r->guide, range, &slope);
    }
    x[N] = 1e-3 * r->range, x[N + 1] = 0;
    z[N] = z[N + 1] = deepest(r);
    fm_axes_polygon(axes, x, z, N + 2, &(fm_area_style){.colour = fm_colour_hex(0x9c8466), .opacity = 0.8});
}

static void draw_profile(const cli_rays *r, fm_axes *axes)
{
    double slow = INFINITY, fast = 0;
    for (size_t i = 0; i <= r->guide.layers; i++) {
        slow = fmin(slow, r->guide.speed[i]);
        fast = fmax(fast, r->guide.speed[i]);
    }
    double room = fmax(0.05 * (fast - slow), 1);
    fm_axes_x(axes, &(fm_axis_style){.label = "sound speed", .unit = "m/s", .min = slow - room, .max = fast + room});
    fm_axes_y(axes, &(fm_axis_style){.label = "depth", .unit = "m", .reversed = true, .min = 0, .max = deepest(r)});
    fm_axes_line(axes, r->guide.speed, r->guide.depth, r->guide.layers + 1, NULL);
}

static void draw_source(const cli_rays *r, fm_axes *axes)
{
    double x = 0, z = r->source_depth, far = 1e-3 * r->receiver_range, deep = r->receiver_depth;
    fm_axes_scatter(axes, &x, &z, 1,
                    &(fm_scatter_style){.label = "source", .size = 7, .colour = fm_colour_hex(0xd55e00)});
    if (r->receiver_range > 0 && r->receiver_range <= r->range)
        fm_axes_scatter(
            axes, &far, &deep, 1,
            &(fm_scatter_style){
                .label = "receiver", .size = 7, .marker = FM_MARKER_SQUARE, .colour = fm_colour_hex(0xd55e00)});
}

/* Rays by their reflections: none, only the surface, the bottom. */
static void draw_rays(const cli_rays *r, fm_axes *axes, way *w)
{
    static const char *const labels[3] = {"refracted only", "met the surface", "met the bottom"};
    fm_theme theme = r->dark ? FM_THEME_DARK : FM_THEME_LIGHT;
    bool named[3] = {false, false, false};
    double low = r->angles ? r->lowest : -20 * DEGREE, high = r->angles ? r->highest : 20 * DEGREE;
    int64_t count = r->angles ? r->count : 41;
    for (int64_t i = 0; i < count; i++) {
        double angle = count > 1 ? low + (high - low) * (double)i / (double)(count - 1) : 0.5 * (low + high);
        fm_ray end = trace(r, angle, w);
        int kind = end.bottom ? 2 : end.surface ? 1 : 0;
        static const size_t colour[3] = {0, 2, 5};
        fm_axes_line(axes, w->x, w->z, w->count,
                     &(fm_line_style){.label = named[kind] ? NULL : labels[kind],
                                      .width = 0.5,
                                      .colour = fm_colour_series(theme, colour[kind])});
        named[kind] = true;
    }
}

fm_status cli_rays_draw_fan(const cli_rays *r, fm_error *error)
{
    static way w;
    fm_figure *figure = fm_figure_create(190, 95, r->dark ? FM_THEME_DARK : FM_THEME_LIGHT);
    fm_axes *left = fm_figure_axes(figure, 0, 0, 1, 1), *right = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_figure_column_width(figure, 0, 1);
    fm_figure_column_width(figure, 1, 3.6);
    draw_profile(r, left);
    fm_axes_x(right, &(fm_axis_style){.label = "range", .unit = "km", .min = 0, .max = 1e-3 * r->range});
    fm_axes_y(right, &(fm_axis_style){.label = "depth", .unit = "m", .reversed = true, .min = 0, .max = deepest(r)});
    fm_axes_legend(right, FM_LEGEND_ABOVE);
    draw_rays(r, right, &w);
    draw_bottom(r, right);
    draw_source(r, right);
    fm_status status = fm_figure_write(figure, r->out, error);
    fm_figure_destroy(figure);
    return status;
}

/* Sixty decibels below the best cells beyond the source. */
static void limits(const double *loss, size_t cells, double *low, double *high)
{
    double least = 300;
    size_t count[300] = {0}, seen = 0;
    for (size_t i = 0; i < cells; i++)
        count[(size_t)fmin(fmax(loss[i], 0), 299)]++;
    for (size_t level = 0; level < 300 && seen < cells / 50; level++) {
        seen += count[level];
        least = (double)level;
    }
    *low = 5 * floor(least / 5);
    *high = *low + 60;
}

fm_status cli_rays_draw_field(const cli_rays *r, const fm_field_options *o, double *loss, fm_error *error)
{
    double low, high;
    limits(loss, o->columns * o->rows, &low, &high);
    for (size_t i = 0; i < o->columns * o->rows; i++)
        loss[i] = -fmin(loss[i], high);
    fm_figure *figure = fm_figure_create(170, 90, r->dark ? FM_THEME_DARK : FM_THEME_LIGHT);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
    char title[128];
    snprintf(title, sizeof title, "transmission loss at %g Hz, %s", r->frequency,
             r->incoherent ? "incoherent" : "coherent");
    fm_axes_title(axes, title);
    fm_axes_x(axes, &(fm_axis_style){.label = "range", .unit = "km", .min = 0, .max = 1e-3 * r->range});
    fm_axes_y(axes, &(fm_axis_style){.label = "depth", .unit = "m", .reversed = true, .min = 0, .max = deepest(r)});
    fm_axes_heat(axes, (fm_extent){0, 1e-3 * r->range, 0, o->depth}, loss, o->columns, o->rows,
                 &(fm_heat_style){.min = -high, .max = -low, .value_label = "level against 1 m", .value_unit = "dB"});
    draw_bottom(r, axes);
    draw_source(r, axes);
    fm_status status = fm_figure_write(figure, r->field, error);
    fm_figure_destroy(figure);
    return status;
}
