#include "plot/overview.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/overview_page.h"

enum { APART_MOST = 8, LEGEND_MOST = 24, GROUP_LEAST = 3 };

static void measure(fm_overview_page *p)
{
    for (int k = 0; k < 3; k++) {
        p->low[k] = HUGE_VAL;
        p->high[k] = -HUGE_VAL;
    }
    p->from = HUGE_VAL;
    p->to = -HUGE_VAL;
    for (size_t i = 0; i < p->count; i++) {
        const fm_run_track *t = &p->curves[i].vehicle->track;
        for (int k = 0; k < 3; k++)
            for (size_t j = 0; j < t->count; j++) {
                p->low[k] = fmin(p->low[k], t->position[k][j]);
                p->high[k] = fmax(p->high[k], t->position[k][j]);
            }
        p->from = fmin(p->from, p->curves[i].run->from);
        p->to = fmax(p->to, p->curves[i].run->to);
    }
}

/* --- curves, their colours and names --- */

/* Length of "fish" in "fish-12": vehicles of one element with a count. */
static size_t group_length(const char *name)
{
    size_t length = strlen(name), digits = length;
    while (digits > 0 && isdigit((unsigned char)name[digits - 1]))
        digits--;
    return digits < length && digits > 1 && name[digits - 1] == '-' ? digits - 1 : length;
}

static int same_group(const fm_overview_curve *a, const fm_overview_curve *b)
{
    size_t length = group_length(a->vehicle->name);
    return a->run == b->run && length == group_length(b->vehicle->name) &&
           strncmp(a->vehicle->name, b->vehicle->name, length) == 0;
}

static size_t group_size(const fm_overview_page *p, size_t i)
{
    size_t count = 0;
    for (size_t k = 0; k < p->count; k++)
        count += (size_t)same_group(&p->curves[i], &p->curves[k]);
    return count;
}

/* Whether runs differ in nothing but their name: one vehicle each, called the same. */
static int runs_alone(const fm_overview_page *p)
{
    for (size_t i = 1; i < p->count; i++)
        if (p->curves[i].run == p->curves[i - 1].run ||
            strcmp(p->curves[i].vehicle->name, p->curves[0].vehicle->name) != 0)
            return 0;
    return p->run_count > 1;
}

static const char *make_label(fm_overview_page *p, const fm_overview_curve *c, size_t members)
{
    char text[240], name[80];
    const char *run = c->run->name ? c->run->name : "";
    size_t length = members ? group_length(c->vehicle->name) : strlen(c->vehicle->name);
    snprintf(name, sizeof name, "%.*s", (int)(length < 70 ? length : 70), c->vehicle->name);
    if (members)
        snprintf(name + strlen(name), 24, " (%zu)", members);
    if (p->alone)
        snprintf(text, sizeof text, "%.120s", run);
    else if (p->run_count > 1)
        snprintf(text, sizeof text, "%.120s: %s", run, name);
    else
        snprintf(text, sizeof text, "%s", name);
    return fm_arena_text(&p->arena, text);
}

/* Few curves have a colour each; of many, those of a group share one, and its name. */
static void paint(fm_overview_page *p)
{
    int apart = p->count <= APART_MOST;
    p->alone = runs_alone(p);
    size_t colours = 0;
    for (size_t i = 0; i < p->count; i++) {
        fm_overview_curve *c = &p->curves[i];
        size_t members = apart ? 1 : group_size(p, i), first = 0;
        members = members >= GROUP_LEAST ? members : 1;
        while (members > 1 && !same_group(&p->curves[first], c))
            first++;
        c->width = p->count > 1 ? 1.1 : 0;
        if (members > 1 && first < i) {
            c->colour = p->curves[first].colour;
            c->width = p->curves[first].width;
            continue;
        }
        if (!fm_colour_named(p->theme, c->vehicle->name, &c->colour) || p->run_count > 1)
            c->colour = fm_colour_series(p->theme, colours++);
        if (members > 8) {
            c->colour = fm_colour_faded(c->colour, 0.55);
            c->width = 0.6;
        }
        if (p->count > 1 && colours <= LEGEND_MOST)
            c->label = make_label(p, c, members > 1 ? members : 0);
    }
}

static int list_curves(fm_overview_page *p)
{
    size_t total = 0;
    for (size_t k = 0; k < p->run_count; k++)
        total += p->runs[k]->vehicle_count;
    p->curves = fm_arena_alloc(&p->arena, (total + 1) * sizeof *p->curves);
    for (size_t k = 0; p->curves && k < p->run_count; k++)
        for (size_t i = 0; i < p->runs[k]->vehicle_count; i++)
            p->curves[p->count++] = (fm_overview_curve){.run = p->runs[k], .vehicle = &p->runs[k]->vehicles[i]};
    return p->curves != NULL;
}

/* --- the page --- */

static void write_title(fm_overview_page *p)
{
    char title[240] = "";
    const fm_run_data *first = p->runs[0];
    if (first->title && first->title[0])
        snprintf(title, sizeof title, "%.200s", first->title);
    else
        snprintf(title, sizeof title, "%.200s", first->vehicles[0].name);
    fm_figure_title(p->figure, title);
}

static void write_notes(fm_overview_page *p)
{
    int detail = p->count <= FM_DETAIL_MOST && p->count > 1, ordered = 0, estimated = 0;
    for (size_t i = 0; i < p->count && detail; i++) {
        const fm_run_vehicle *v = p->curves[i].vehicle;
        ordered |= v->ordered_depth.count || v->ordered_heading.count || v->ordered_speed.count || v->leg_count;
        estimated |= v->estimate_count > 0;
    }
    fm_overview_notes(p);
    char text[160];
    snprintf(text, sizeof text, "○ start, ● end%s%s", ordered ? "; dashed: ordered" : "",
             estimated ? "; dash-dotted: estimated" : "");
    fm_figure_note(p->figure, text);
    if (p->constant)
        fm_figure_note(p->figure, p->constant);
}

/* Tracks side by side; the first panel along the whole width, with the numbers of the events; the others in two
 * columns, the last as wide as there is room. */
static void fill_page(fm_overview_page *p, const fm_panel *panels, size_t count)
{
    double deepest;
    int flat = p->high[2] - p->low[2] < 0.02 && !fm_overview_bottom_fits(p, &deepest);
    fm_figure_row_height(p->figure, 0, flat ? 2.6 : 1.9);
    fm_overview_above(p, fm_figure_axes(p->figure, 0, 0, 1, flat ? 2 : 1));
    if (!flat)
        fm_overview_side(p, fm_figure_axes(p->figure, 0, 1, 1, 1));
    for (size_t i = 0; i < count; i++) {
        int wide = i == 0 || (i % 2 == 1 && i + 1 == count);
        fm_axes *axes = fm_figure_axes(p->figure, 1 + (i + 1) / 2, i == 0 ? 0 : (i + 1) % 2, 1, wide ? 2 : 1);
        fm_panel_draw(p, panels, i, axes, i == 0);
    }
    if (count)
        fm_figure_row_height(p->figure, 1, 1.25);
}

fm_figure *fm_overview_draw(const fm_run_data *const *runs, size_t run_count, fm_theme theme)
{
    fm_overview_page p = {.runs = runs,
                          .run_count = run_count,
                          .theme = theme,
                          .colours = fm_theme_colours_of(theme),
                          .ordered = fm_theme_colours_of(theme).ink};
    fm_panel *panels = NULL;
    if (list_curves(&p)) {
        paint(&p);
        measure(&p);
        size_t count = fm_panels_find(&p, &panels);
        p.figure = fm_figure_create(190, 85 + (count ? 50 : 0) + 42 * (double)(count / 2), theme);
        write_title(&p);
        fill_page(&p, panels, count);
        write_notes(&p);
    }
    fm_arena_free(&p.arena);
    return p.figure;
}
