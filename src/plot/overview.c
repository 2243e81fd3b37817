#include "plot/overview.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VEHICLES_DRAWN = 40, LEGEND_MOST = 8, UNITS_MOST = 4 };
static const double degrees = 57.29577951308232;

typedef struct page {
    const fm_run_data *run;
    fm_figure *figure;
    fm_theme theme;
    size_t drawn;           /* vehicles */
    double low[3], high[3]; /* north, east, depth of all tracks */
    double end;             /* s */
} page;

static fm_colour colour_of(const page *p, size_t i)
{
    return fm_colour_series(p->theme, i);
}
static const char *label_of(const page *p, size_t i)
{
    return p->drawn > 1 && p->drawn <= LEGEND_MOST ? p->run->vehicles[i].name : NULL;
}

static void measure(page *p)
{
    for (int k = 0; k < 3; k++) {
        p->low[k] = HUGE_VAL;
        p->high[k] = -HUGE_VAL;
    }
    for (size_t i = 0; i < p->run->vehicle_count; i++) {
        const fm_run_vehicle *v = &p->run->vehicles[i];
        const fm_run_series *axes[3] = {&v->north, &v->east, &v->depth};
        for (int k = 0; k < 3; k++)
            for (size_t j = 0; j < axes[k]->count; j++) {
                p->low[k] = fmin(p->low[k], axes[k]->items[j]);
                p->high[k] = fmax(p->high[k], axes[k]->items[j]);
            }
        if (v->t.count)
            p->end = fmax(p->end, v->t.items[v->t.count - 1]);
    }
}

/* The tracks' box with room around. */
static void view_box(const page *p, int across, int up, double box[4])
{
    double span = fmax(fmax(p->high[across] - p->low[across], p->high[up] - p->low[up]), 2), room = 0.15 * span;
    box[0] = p->low[across] - room, box[1] = p->high[across] + room;
    box[2] = p->low[up] - room, box[3] = p->high[up] + room;
}

static void draw_track(page *p, fm_axes *axes, size_t i, const fm_run_series *x, const fm_run_series *y)
{
    fm_colour colour = colour_of(p, i);
    if (!x->count)
        return;
    fm_axes_line(axes, x->items, y->items, x->count, &(fm_line_style){.colour = colour, .label = label_of(p, i)});
    fm_axes_scatter(axes, x->items, y->items, 1,
                    &(fm_scatter_style){.colour = colour, .marker = FM_MARKER_RING, .size = 5});
    fm_axes_scatter(axes, x->items + x->count - 1, y->items + y->count - 1, 1,
                    &(fm_scatter_style){.colour = colour, .size = 5});
}

/* Above: east to the right, north up. */
static void draw_above(page *p, fm_axes *axes)
{
    double box[4], *b = box;
    view_box(p, 1, 0, box);
    fm_axes_title(axes, "Track from above");
    fm_axes_x(axes, &(fm_axis_style){.label = "east", .unit = "m"});
    fm_axes_y(axes, &(fm_axis_style){.label = "north", .unit = "m"});
    fm_axes_equal(axes);
    fm_overview_obstacles(axes, p->run, 1, 0, b, 0.5 * (p->low[2] + p->high[2]), p->theme);
    for (size_t i = 0; i < p->drawn; i++)
        draw_track(p, axes, i, &p->run->vehicles[i].east, &p->run->vehicles[i].north);
}

/* The deepest water that is worth the room it takes in a depth plot: no more than four times what the tracks span. */
static int bottom_fits(const page *p, double *deepest)
{
    double least = HUGE_VAL;
    *deepest = -HUGE_VAL;
    for (size_t i = 0; i < p->drawn; i++)
        for (size_t k = 0; k < p->run->vehicles[i].bottom.count; k++) {
            double depth = p->run->vehicles[i].bottom.items[k];
            least = fmin(least, depth);
            *deepest = fmax(*deepest, depth);
        }
    return isfinite(least) && *deepest < p->high[2] + 4 * fmax(p->high[2] - p->low[2], 5);
}

static void draw_bottom(page *p, fm_axes *axes, const fm_run_series *x, const fm_run_vehicle *v, double deepest)
{
    fm_colour ground = fm_colour_hex(p->theme == FM_THEME_DARK ? 0xa08763 : 0x8c7351); /* sand */
    double floor_depth = deepest + 0.08 * fmax(deepest - p->low[2], 1);
    double *low = fm_alloc((v->bottom.count + 1) * sizeof *low);
    for (size_t i = 0; low && i < v->bottom.count; i++)
        low[i] = floor_depth;
    if (low)
        fm_axes_band(axes, x->items, v->bottom.items, low, v->bottom.count, &(fm_area_style){.colour = ground});
    fm_axes_line(axes, x->items, v->bottom.items, v->bottom.count, &(fm_line_style){.colour = ground, .width = 1});
    fm_free(low);
}

/* From the side: the wider horizontal direction to the right, depth down; the ground along it, in the middle of the
 * tracks. */
static void draw_side(page *p, fm_axes *axes)
{
    double box[4], deepest;
    int across = p->high[0] - p->low[0] >= p->high[1] - p->low[1] ? 0 : 1, other = 1 - across;
    double middle = 0.5 * (p->low[other] + p->high[other]);
    view_box(p, across, 2, box);
    fm_axes_title(axes, across ? "Track from the south" : "Track from the east");
    fm_axes_x(axes, &(fm_axis_style){.label = across ? "east" : "north", .unit = "m"});
    int ground = bottom_fits(p, &deepest);
    double flat = p->high[2] - p->low[2] < 1 && !ground ? 1 : 0; /* a track at one depth: no noise blown up */
    fm_axes_y(axes, &(fm_axis_style){.label = "depth",
                                     .unit = "m",
                                     .reversed = true,
                                     .min = flat > 0 ? p->low[2] - 0.2 : NAN,
                                     .max = flat > 0 ? p->high[2] + 0.8 : NAN});
    if (ground) {
        fm_run_vehicle line = {0};
        fm_run_series x = {0};
        for (int i = 0; i <= 200; i++) {
            double at = box[0] + (box[1] - box[0]) * i / 200;
            if (!fm_run_series_add(&x, at) ||
                !fm_run_series_add(&line.bottom, across ? fm_run_data_bottom(p->run, middle, at)
                                                        : fm_run_data_bottom(p->run, at, middle)))
                break;
        }
        if (x.count == line.bottom.count)
            draw_bottom(p, axes, &x, &line, deepest);
        fm_free(x.items);
        fm_free(line.bottom.items);
        box[3] = fmax(box[3], deepest);
    }
    fm_overview_obstacles(axes, p->run, across, 2, box, middle, p->theme);
    for (size_t i = 0; i < p->drawn; i++)
        draw_track(p, axes, i, across ? &p->run->vehicles[i].east : &p->run->vehicles[i].north,
                   &p->run->vehicles[i].depth);
}

/* --- over time --- */

static void time_axis(page *p, fm_axes *axes)
{
    fm_axes_x(axes,
              &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME, .min = 0, .max = p->end > 0 ? p->end : 1});
}

static void draw_events(page *p, fm_axes *axes, int named)
{
    size_t step = p->run->event_count > 12 ? p->run->event_count / 12 + 1 : 1;
    double last = -HUGE_VAL;
    for (size_t i = 0; i < p->run->event_count; i += step) {
        const fm_run_event *e = &p->run->events[i];
        char text[80];
        if (p->drawn > 1 && strlen(e->vehicle) + strlen(e->kind) < 19) /* what fits along the line */
            snprintf(text, sizeof text, "%.24s: %.48s", e->vehicle, e->kind);
        else
            snprintf(text, sizeof text, "%.60s", e->kind);
        int room = e->time - last > 0.025 * p->end; /* for a text beside the one before */
        last = named && room ? e->time : last;
        fm_axes_event(axes, e->time, named && room ? text : "", NULL);
    }
}

static void draw_depth(page *p, fm_axes *axes)
{
    double deepest;
    fm_axes_title(axes, "Depth");
    double flat = p->high[2] - p->low[2] < 0.05 ? 0.5 : 0;
    fm_axes_y(axes, &(fm_axis_style){.label = "depth",
                                     .unit = "m",
                                     .reversed = true,
                                     .min = flat > 0 ? p->low[2] - flat : NAN,
                                     .max = flat > 0 ? p->high[2] + flat : NAN});
    if (p->drawn == 1 && bottom_fits(p, &deepest))
        draw_bottom(p, axes, &p->run->vehicles[0].t, &p->run->vehicles[0], deepest);
    for (size_t i = 0; i < p->drawn; i++)
        fm_axes_line(axes, p->run->vehicles[i].t.items, p->run->vehicles[i].depth.items, p->run->vehicles[i].t.count,
                     &(fm_line_style){.colour = colour_of(p, i)});
    draw_events(p, axes, 1);
}

static void draw_altitude(page *p, fm_axes *axes)
{
    fm_axes_title(axes, "Altitude above the bottom");
    fm_axes_y(axes, &(fm_axis_style){.label = "altitude", .unit = "m"});
    for (size_t i = 0; i < p->drawn; i++) {
        const fm_run_vehicle *v = &p->run->vehicles[i];
        double *altitude = fm_alloc((v->t.count + 1) * sizeof *altitude);
        for (size_t k = 0; altitude && k < v->t.count; k++)
            altitude[k] = v->bottom.items[k] - v->depth.items[k];
        if (altitude)
            fm_axes_line(axes, v->t.items, altitude, v->t.count, &(fm_line_style){.colour = colour_of(p, i)});
        fm_free(altitude);
    }
    draw_events(p, axes, 0);
}

static void draw_scaled(fm_axes *axes, const fm_run_series *t, const fm_run_series *y, double scale,
                        const fm_line_style *style)
{
    double *scaled = fm_alloc((y->count + 1) * sizeof *scaled);
    for (size_t i = 0; scaled && i < y->count; i++)
        scaled[i] = scale * y->items[i];
    if (scaled)
        fm_axes_line(axes, t->items, scaled, y->count < t->count ? y->count : t->count, style);
    fm_free(scaled);
}

static void draw_speed(page *p, fm_axes *axes)
{
    fm_axes_title(axes, "Speed over ground");
    double most = 0;
    for (size_t i = 0; i < p->drawn; i++)
        for (size_t k = 0; k < p->run->vehicles[i].speed.count; k++)
            most = fmax(most, p->run->vehicles[i].speed.items[k]);
    fm_axes_y(axes, &(fm_axis_style){.label = "speed", .unit = "m/s", .min = 0, .max = most > 0 ? 1.12 * most : 1});
    for (size_t i = 0; i < p->drawn; i++)
        draw_scaled(axes, &p->run->vehicles[i].t, &p->run->vehicles[i].speed, 1,
                    &(fm_line_style){.colour = colour_of(p, i)});
    draw_events(p, axes, 0);
}

/* One vehicle: roll and pitch; several: pitch. */
static void draw_attitude(page *p, fm_axes *axes)
{
    double most = 0;
    fm_axes_title(axes, p->drawn == 1 ? "Roll and pitch" : "Pitch");
    for (size_t i = 0; i < p->drawn; i++)
        for (size_t k = 0; k < p->run->vehicles[i].t.count; k++)
            most = fmax(most, degrees * fmax(fabs(p->run->vehicles[i].pitch.items[k]),
                                             p->drawn == 1 ? fabs(p->run->vehicles[i].roll.items[k]) : 0));
    fm_axis_style y = {.label = "angle", .unit = "°", .min = most < 1 ? -1 : NAN, .max = most < 1 ? 1 : NAN};
    fm_axes_y(axes, &y);
    if (p->drawn == 1) {
        draw_scaled(axes, &p->run->vehicles[0].t, &p->run->vehicles[0].roll, degrees,
                    &(fm_line_style){.label = "roll", .colour = colour_of(p, 0)});
        draw_scaled(axes, &p->run->vehicles[0].t, &p->run->vehicles[0].pitch, degrees,
                    &(fm_line_style){.label = "pitch", .colour = colour_of(p, 1)});
        return;
    }
    for (size_t i = 0; i < p->drawn; i++)
        draw_scaled(axes, &p->run->vehicles[i].t, &p->run->vehicles[i].pitch, degrees,
                    &(fm_line_style){.colour = colour_of(p, i)});
}

static void draw_heading(page *p, fm_axes *axes)
{
    fm_axes_title(axes, "Heading");
    fm_axes_y(axes, &(fm_axis_style){.label = "heading", .unit = "°"});
    for (size_t i = 0; i < p->drawn; i++)
        draw_scaled(axes, &p->run->vehicles[i].t, &p->run->vehicles[i].heading, degrees,
                    &(fm_line_style){.colour = colour_of(p, i)});
}

/* --- actuators --- */

typedef struct unit_text {
    const char *unit, *shown, *label;
    double scale;
} unit_text;

static unit_text show_unit(const char *unit)
{
    if (!strcmp(unit, "rad"))
        return (unit_text){unit, "°", "deflection", degrees};
    if (!strcmp(unit, "rad/s"))
        return (unit_text){unit, "rpm", "shaft speed", 9.549296585513721};
    if (!strcmp(unit, "V"))
        return (unit_text){unit, "V", "voltage", 1};
    if (!strcmp(unit, "N"))
        return (unit_text){unit, "N", "thrust", 1};
    if (!strcmp(unit, "kg"))
        return (unit_text){unit, "kg", "ballast", 1};
    return (unit_text){unit, unit, "value", 1};
}

static size_t list_units(const fm_run_vehicle *v, const char *units[UNITS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < v->actuator_count; i++) {
        size_t k = 0;
        while (k < count && strcmp(units[k], v->actuators[i].unit) != 0)
            k++;
        if (k == count && count < UNITS_MOST)
            units[count++] = v->actuators[i].unit;
    }
    return count;
}

static int same_values(const fm_run_series *a, const fm_run_series *b)
{
    return a->count == b->count && memcmp(a->items, b->items, a->count * sizeof *a->items) == 0;
}

/* Actuators that do the same share a line: "port-propeller and 1 more". */
static void draw_actuators(page *p, fm_axes *axes, const fm_run_vehicle *v, const char *unit)
{
    unit_text u = show_unit(unit);
    char title[64];
    size_t colour = 0;
    snprintf(title, sizeof title, "Actuators: %s", u.label);
    fm_axes_title(axes, title);
    fm_axes_y(axes, &(fm_axis_style){.label = u.label, .unit = u.shown});
    for (size_t i = 0; i < v->actuator_count; i++) {
        char label[96];
        int known = 0;
        if (strcmp(v->actuators[i].unit, unit) != 0)
            continue;
        for (size_t k = 0; k < i; k++)
            known |= strcmp(v->actuators[k].unit, unit) == 0 &&
                     same_values(&v->actuators[k].values, &v->actuators[i].values);
        if (known)
            continue;
        size_t alike = 0;
        for (size_t k = i + 1; k < v->actuator_count; k++)
            alike += strcmp(v->actuators[k].unit, unit) == 0 &&
                     same_values(&v->actuators[k].values, &v->actuators[i].values);
        if (alike)
            snprintf(label, sizeof label, "%.40s and %zu more", v->actuators[i].name, alike);
        else
            snprintf(label, sizeof label, "%.40s", v->actuators[i].name);
        draw_scaled(axes, &v->actuator_t, &v->actuators[i].values, u.scale,
                    &(fm_line_style){.label = label, .colour = colour_of(p, colour++)});
    }
}

static void draw_forces(page *p, fm_axes *axes)
{
    fm_axes_title(axes, "Thrust ahead");
    fm_axes_y(axes, &(fm_axis_style){.label = "force", .unit = "N"});
    for (size_t i = 0; i < p->drawn; i++)
        draw_scaled(axes, &p->run->vehicles[i].force_t, &p->run->vehicles[i].force, 1,
                    &(fm_line_style){.colour = colour_of(p, i)});
}

static int any_thrust(const page *p)
{
    for (size_t i = 0; i < p->drawn; i++)
        for (size_t k = 0; k < p->run->vehicles[i].force.count; k++)
            if (p->run->vehicles[i].force.items[k] != 0)
                return 1;
    return 0;
}

/* --- the page --- */

typedef void drawing(page *p, fm_axes *axes);

/* Depth with the events along its whole width; the others in two columns, the last as wide as there is room. */
static void draw_panels(page *p, drawing **over_time, size_t panels, const char **units, size_t groups)
{
    fm_axes *depth = fm_figure_axes(p->figure, 1, 0, 1, 2);
    time_axis(p, depth);
    draw_depth(p, depth);
    fm_figure_row_height(p->figure, 1, 1.25);
    for (size_t i = 0; i < panels + groups; i++) {
        int alone = i % 2 == 0 && i + 1 == panels + groups;
        fm_axes *axes = fm_figure_axes(p->figure, 2 + i / 2, i % 2, 1, alone ? 2 : 1);
        time_axis(p, axes);
        if (i < panels)
            over_time[i](p, axes);
        else
            draw_actuators(p, axes, &p->run->vehicles[0], units[i - panels]);
    }
}

fm_figure *fm_overview_draw(const fm_run_data *run, fm_theme theme)
{
    page p = {
        .run = run, .theme = theme, .drawn = run->vehicle_count < VEHICLES_DRAWN ? run->vehicle_count : VEHICLES_DRAWN};
    const char *units[UNITS_MOST];
    drawing *over_time[6] = {draw_speed, draw_attitude, draw_heading};
    size_t panels = 3, groups = 0;
    double deepest;
    char title[200];
    measure(&p);
    if (bottom_fits(&p, &deepest) || isfinite(deepest))
        over_time[panels++] = draw_altitude;
    if (p.drawn == 1)
        groups = list_units(&run->vehicles[0], units);
    else if (any_thrust(&p))
        over_time[panels++] = draw_forces;
    p.figure = fm_figure_create(190, 135 + 42 * (double)((panels + groups + 1) / 2), theme);
    if (!p.figure)
        return NULL;
    snprintf(title, sizeof title, "%.160s", run->title && run->title[0] ? run->title : run->vehicles[0].name);
    fm_figure_title(p.figure, title);
    fm_figure_row_height(p.figure, 0, 1.9);
    draw_above(&p, fm_figure_axes(p.figure, 0, 0, 1, 1));
    draw_side(&p, fm_figure_axes(p.figure, 0, 1, 1, 1));
    draw_panels(&p, over_time, panels, units, groups);
    return p.figure;
}
