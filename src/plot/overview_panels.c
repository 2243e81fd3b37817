/* Plots over time. A panel is a list of lines; if none of them changes it is replaced by a note. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "plot/overview_page.h"

enum { PANELS_MOST = 16, UNITS_MOST = 4 };
static const double degrees = 57.29577951308232;

typedef struct panel_line {
    const fm_run_series *series, *spread; /* spread: half the width of a band around it; NULL: none */
    fm_line_style style;
    const char *label;
} panel_line;

struct fm_panel {
    char title[64];
    const char *label, *unit;
    double scale; /* from the unit of the series to the one shown */
    double still; /* in the displayed unit: smaller changes count as constant */
    int depth;    /* downwards, with the bottom */
    int from_zero;
    panel_line *lines;
    size_t count, room;
};

typedef struct panel_list {
    fm_overview_page *page;
    fm_panel *items;
    size_t count;
} panel_list;

static fm_panel *begin_panel(panel_list *list, const char *title, const char *label, const char *unit, double scale,
                             double still)
{
    if (list->count == PANELS_MOST)
        return NULL;
    fm_panel *panel = &list->items[list->count++];
    *panel = (fm_panel){.label = label, .unit = unit, .scale = scale, .still = still};
    snprintf(panel->title, sizeof panel->title, "%.60s", title);
    return panel;
}

static void add_line(panel_list *list, fm_panel *panel, const fm_run_series *series, const fm_run_series *spread,
                     const char *label, fm_line_style style)
{
    if (!panel || !series->count)
        return;
    if (panel->count == panel->room) {
        size_t room = 2 * panel->room + 16;
        panel_line *lines = fm_arena_alloc(&list->page->arena, room * sizeof *lines);
        if (!lines)
            return;
        if (panel->count)
            memcpy(lines, panel->lines, panel->count * sizeof *lines);
        panel->lines = lines;
        panel->room = room;
    }
    panel->lines[panel->count++] = (panel_line){series, spread && spread->count == series->count ? spread : NULL, style,
                                                label ? fm_arena_text(&list->page->arena, label) : NULL};
}

static fm_line_style style_of(const fm_overview_curve *c)
{
    return (fm_line_style){.colour = c->colour, .dash = c->dash, .width = c->width};
}

/* The curve of the true state; with one vehicle it is named if there are others next to it. */
static void add_truth(panel_list *list, fm_panel *panel, size_t i, const fm_run_series *series, const char *name)
{
    fm_overview_page *p = list->page;
    add_line(list, panel, series, NULL, p->count == 1 ? name : NULL, style_of(&p->curves[i]));
}

static void add_ordered(panel_list *list, fm_panel *panel, size_t i, const fm_run_series *series, const char *name)
{
    fm_overview_page *p = list->page;
    if (p->count > FM_DETAIL_MOST)
        return;
    fm_colour colour = p->count == 1 ? p->ordered : p->curves[i].colour;
    add_line(list, panel, series, NULL, p->count == 1 ? name : NULL,
             (fm_line_style){.colour = colour, .dash = FM_DASH_DASHED, .width = 0.9});
}

static void add_estimates(panel_list *list, fm_panel *panel, size_t i, size_t series_at, size_t spread_at)
{
    fm_overview_page *p = list->page;
    const fm_run_vehicle *v = p->curves[i].vehicle;
    for (size_t k = 0; k < v->estimate_count && p->count <= FM_DETAIL_MOST; k++) {
        const char *e = (const char *)&v->estimates[k];
        char label[80];
        snprintf(label, sizeof label, "estimate (%.60s)", v->estimates[k].name);
        fm_colour colour = p->count == 1 ? fm_colour_series(p->theme, 1 + k) : p->curves[i].colour;
        add_line(list, panel, (const fm_run_series *)(const void *)(e + series_at),
                 spread_at ? (const fm_run_series *)(const void *)(e + spread_at) : NULL, p->count == 1 ? label : NULL,
                 (fm_line_style){.colour = colour, .dash = FM_DASH_DASH_DOT, .width = 0.9});
    }
}

/* --- which panels there are --- */

static void add_depth(panel_list *list)
{
    fm_panel *panel = begin_panel(list, "Depth", "depth", "m", 1, 0.02);
    if (!panel)
        return;
    panel->depth = 1;
    for (size_t i = 0; i < list->page->count; i++) {
        const fm_run_vehicle *v = list->page->curves[i].vehicle;
        add_ordered(list, panel, i, &v->ordered_depth, "ordered");
        add_truth(list, panel, i, &v->depth, v->ordered_depth.count || v->estimate_count ? "true" : NULL);
        add_estimates(list, panel, i, offsetof(fm_run_estimate, depth), offsetof(fm_run_estimate, vertical));
    }
}

static void add_speed(panel_list *list)
{
    fm_panel *panel = begin_panel(list, "Speed", "speed", "m/s", 1, 0.005);
    if (!panel)
        return;
    panel->from_zero = 1;
    for (size_t i = 0; i < list->page->count; i++) {
        const fm_run_vehicle *v = list->page->curves[i].vehicle;
        int several = v->ordered_speed.count > 0;
        add_truth(list, panel, i, &v->speed, several ? "over ground" : NULL);
        if (list->page->count == 1)
            add_line(list, panel, &v->water_speed, NULL, "ahead through the water",
                     (fm_line_style){.colour = fm_colour_series(list->page->theme, 2), .width = 0.9});
        add_ordered(list, panel, i, &v->ordered_speed, "ordered, through the water");
    }
    if (list->page->count != 1 || !list->page->curves[0].vehicle->ordered_speed.count)
        snprintf(panel->title, sizeof panel->title, "Speed over ground");
}

static void add_heading(panel_list *list)
{
    fm_panel *panel = begin_panel(list, "Heading", "heading", "°", degrees, 0.2);
    for (size_t i = 0; i < list->page->count; i++) {
        const fm_run_vehicle *v = list->page->curves[i].vehicle;
        add_ordered(list, panel, i, &v->ordered_heading, "ordered");
        add_truth(list, panel, i, &v->heading, v->ordered_heading.count || v->estimate_count ? "true" : NULL);
        add_estimates(list, panel, i, offsetof(fm_run_estimate, heading), 0);
    }
}

/* One vehicle: roll and pitch; several: pitch. */
static void add_attitude(panel_list *list)
{
    fm_overview_page *p = list->page;
    fm_panel *panel = begin_panel(list, p->count == 1 ? "Roll and pitch" : "Pitch", "angle", "°", degrees, 0.2);
    if (p->count == 1)
        add_line(list, panel, &p->curves[0].vehicle->roll, NULL, "roll",
                 (fm_line_style){.colour = fm_colour_series(p->theme, 1), .width = 1.1});
    for (size_t i = 0; i < p->count; i++)
        add_truth(list, panel, i, &p->curves[i].vehicle->pitch, "pitch");
}

static void add_altitude(panel_list *list)
{
    fm_panel *panel = begin_panel(list, "Altitude above the bottom", "altitude", "m", 1, 0.02);
    for (size_t i = 0; i < list->page->count; i++)
        add_truth(list, panel, i, &list->page->curves[i].vehicle->altitude, NULL);
}

/* Errors of estimates, with their own standard deviations. */
static void add_errors(panel_list *list)
{
    fm_overview_page *p = list->page;
    if (p->count > FM_DETAIL_MOST)
        return;
    fm_panel *panel = begin_panel(list, "Estimated place: distance from the truth", "distance", "m", 1, 0.005);
    if (!panel)
        return;
    panel->from_zero = 1;
    for (size_t i = 0; i < p->count; i++) {
        const fm_run_vehicle *v = p->curves[i].vehicle;
        for (size_t k = 0; k < v->estimate_count; k++) {
            fm_colour colour = p->count == 1 ? fm_colour_series(p->theme, 1 + k) : p->curves[i].colour;
            add_line(list, panel, &v->estimates[k].error, NULL, p->count == 1 ? v->estimates[k].name : NULL,
                     (fm_line_style){.colour = colour, .width = 1.1});
            add_line(list, panel, &v->estimates[k].spread, NULL, p->count == 1 ? "its standard deviation" : NULL,
                     (fm_line_style){.colour = colour, .width = 0.8, .dash = FM_DASH_DOTTED});
        }
    }
}

static void add_thrust(panel_list *list)
{
    fm_panel *panel = begin_panel(list, "Thrust ahead", "force", "N", 1, 0.01);
    for (size_t i = 0; i < list->page->count; i++)
        add_truth(list, panel, i, &list->page->curves[i].vehicle->force, NULL);
}

/* --- actuators --- */

typedef struct unit_text {
    const char *shown, *label;
    double scale, still;
} unit_text;

static unit_text show_unit(const char *unit)
{
    if (!strcmp(unit, "rad"))
        return (unit_text){"°", "deflection", degrees, 0.05};
    if (!strcmp(unit, "rad/s"))
        return (unit_text){"rpm", "shaft speed", 9.549296585513721, 1};
    if (!strcmp(unit, "V"))
        return (unit_text){"V", "voltage", 1, 0.01};
    if (!strcmp(unit, "N"))
        return (unit_text){"N", "thrust", 1, 0.01};
    if (!strcmp(unit, "kg"))
        return (unit_text){"kg", "ballast", 1, 0.001};
    return (unit_text){unit, "value", 1, 0};
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

static int do_the_same(const fm_run_actuator *a, const fm_run_actuator *b)
{
    return strcmp(a->unit, b->unit) == 0 && a->values.count == b->values.count &&
           memcmp(a->values.y, b->values.y, a->values.count * sizeof *a->values.y) == 0;
}

/* A group that acts as one has its own name; others that do the same share a line. */
static void name_line(const fm_run_vehicle *v, size_t i, char *label, size_t size)
{
    const fm_run_actuator *first = &v->actuators[i];
    size_t alike = 0, grouped = 0, members = 0, last = i;
    for (size_t k = 0; k < v->actuator_count; k++) {
        int same = do_the_same(first, &v->actuators[k]),
            member = first->group[0] && strcmp(first->group, v->actuators[k].group) == 0;
        members += (size_t)member;
        grouped += (size_t)(same && member);
        alike += (size_t)same;
        last = same ? k : last;
    }
    if (members > 1 && grouped == members && alike == members)
        snprintf(label, size, "%.60s", first->group);
    else if (alike == 2)
        snprintf(label, size, "%.40s, %.40s", first->name, v->actuators[last].name);
    else if (alike > 2)
        snprintf(label, size, "%.40s and %zu more", first->name, alike - 1);
    else
        snprintf(label, size, "%.60s", first->name);
}

static int is_drawn_before(const fm_run_vehicle *v, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (do_the_same(&v->actuators[k], &v->actuators[i]))
            return 1;
    return 0;
}

static void add_actuators(panel_list *list, const fm_run_vehicle *v)
{
    const char *units[UNITS_MOST];
    size_t count = list_units(v, units);
    for (size_t u = 0; u < count; u++) {
        unit_text text = show_unit(units[u]);
        char title[64], label[160];
        size_t colour = 0;
        snprintf(title, sizeof title, "Actuators: %.40s", text.label);
        fm_panel *panel = begin_panel(list, title, text.label, text.shown, text.scale, text.still);
        for (size_t i = 0; i < v->actuator_count; i++) {
            if (strcmp(v->actuators[i].unit, units[u]) != 0 || is_drawn_before(v, i))
                continue;
            name_line(v, i, label, sizeof label);
            add_line(list, panel, &v->actuators[i].values, NULL, label,
                     (fm_line_style){.colour = fm_colour_series(list->page->theme, colour++), .width = 1});
        }
    }
}

/* --- what is constant --- */

/* Range of all lines of a panel, in the unit shown, and the widest of any. */
static int measure(const fm_panel *panel, double *low, double *high, double *widest)
{
    double l, h;
    int any = 0;
    *low = HUGE_VAL, *high = -HUGE_VAL, *widest = 0;
    for (size_t i = 0; i < panel->count; i++)
        if (fm_run_series_range(panel->lines[i].series, &l, &h)) {
            any = 1;
            *low = fmin(*low, panel->scale * l);
            *high = fmax(*high, panel->scale * h);
            *widest = fmax(*widest, panel->scale * (h - l));
        }
    return any;
}

/* One vehicle: all lines together are constant; several: each of them is. */
static int is_constant(const fm_overview_page *p, const fm_panel *panel, double low, double high, double widest)
{
    int together = p->count == 1 && strncmp(panel->title, "Actuators", 9) != 0;
    return (together ? high - low : widest) <= panel->still;
}

static void note_constant(fm_text *text, const fm_panel *panel, double low, double high)
{
    char name[64];
    snprintf(name, sizeof name, "%s", panel->title);
    for (char *c = name; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c + 32) : *c;
    fm_text_add(text, text->length ? "; " : "Constant: ");
    if (high - low <= panel->still)
        fm_text_add(text, "%s %.4g %s", name, 0.5 * (low + high), panel->unit);
    else
        fm_text_add(text, "%s %.4g to %.4g %s", name, low, high, panel->unit);
}

static void leave_out_constant(panel_list *list)
{
    size_t kept = 0;
    double low, high, widest;
    fm_text text = {0};
    for (size_t i = 0; i < list->count; i++) {
        fm_panel *panel = &list->items[i];
        if (!measure(panel, &low, &high, &widest))
            continue;
        if (is_constant(list->page, panel, low, high, widest))
            note_constant(&text, panel, low, high);
        else
            list->items[kept++] = *panel;
    }
    list->count = kept;
    if (text.data)
        list->page->constant = fm_arena_text(&list->page->arena, text.data);
    fm_text_free(&text);
}

size_t fm_panels_find(fm_overview_page *p, fm_panel **panels)
{
    panel_list list = {p, fm_arena_alloc(&p->arena, PANELS_MOST * sizeof(fm_panel)), 0};
    if (!list.items)
        return 0;
    add_depth(&list);
    add_speed(&list);
    add_heading(&list);
    add_attitude(&list);
    add_altitude(&list);
    add_errors(&list);
    if (p->count == 1)
        add_actuators(&list, p->curves[0].vehicle);
    else
        add_thrust(&list);
    leave_out_constant(&list);
    *panels = list.items;
    return list.count;
}

/* --- drawing --- */

static void draw_line(fm_axes *axes, const fm_panel *panel, const panel_line *line)
{
    size_t count = line->series->count;
    double *y = fm_alloc(3 * (count + 1) * sizeof *y), *low = y + count, *high = low + count;
    if (!y)
        return;
    fm_line_style style = line->style;
    style.label = line->label;
    for (size_t i = 0; i < count; i++) {
        double spread = line->spread ? 2 * line->spread->y[i] : 0;
        y[i] = panel->scale * line->series->y[i];
        low[i] = panel->scale * (line->series->y[i] - spread);
        high[i] = panel->scale * (line->series->y[i] + spread);
    }
    if (line->spread)
        fm_axes_band(axes, line->series->t, low, high, count,
                     &(fm_area_style){.colour = style.colour, .opacity = 0.2, .label = "two standard deviations"});
    fm_axes_line(axes, line->series->t, y, count, &style);
    fm_free(y);
}

static void set_y(fm_axes *axes, const fm_panel *panel)
{
    double low, high, widest;
    fm_axis_style y = {.label = panel->label, .unit = panel->unit, .reversed = panel->depth, .min = NAN, .max = NAN};
    measure(panel, &low, &high, &widest);
    if (panel->from_zero && low >= 0)
        y.min = 0, y.max = 1.12 * high;
    fm_axes_y(axes, &y);
}

void fm_panel_draw(fm_overview_page *p, const fm_panel *panels, size_t at, fm_axes *axes, int numbers)
{
    const fm_panel *panel = &panels[at];
    double deepest;
    fm_axes_title(axes, panel->title);
    fm_axes_x(axes, &(fm_axis_style){.label = "time",
                                     .scale = FM_SCALE_TIME,
                                     .min = p->from,
                                     .max = p->to > p->from ? p->to : p->from + 1});
    set_y(axes, panel);
    const fm_run_series *bottom = &p->curves[0].vehicle->bottom;
    if (panel->depth && p->count == 1 && fm_overview_bottom_fits(p, &deepest))
        fm_overview_bottom(p, axes, bottom->t, bottom->y, bottom->count, deepest);
    for (size_t i = 0; i < panel->count; i++)
        draw_line(axes, panel, &panel->lines[i]);
    fm_overview_marks(p, axes, numbers);
}
