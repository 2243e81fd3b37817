/* Two records in one plot, and their difference below, for each channel. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare.h"
#include "plot/figure.h"

enum { DRAWN_MOST = 8 };

/* "runs/a.mcap" is called "a.mcap". */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

/* Values to draw for a channel; NaN breaks the line. */
typedef struct drawn_lines {
    double *t, *ours, *theirs, *difference;
    size_t count;
} drawn_lines;

static void add_point(drawn_lines *d, double t, double ours, double theirs)
{
    size_t i = d->count++;
    d->t[i] = t;
    d->ours[i] = ours;
    d->theirs[i] = theirs;
    d->difference[i] = ours - theirs;
}

/* No line is drawn over a gap in the telemetry of an overlay; two records are compared over gaps too. */
static void fill_lines(const fm_record_error *e, bool is_overlay, drawn_lines *d)
{
    double mean = e->samples > 1 ? (e->last - e->first) / (double)(e->samples - 1) : 0;
    double gap = is_overlay ? fmax(1.5, 5 * mean) : INFINITY;
    d->count = 0;
    for (size_t i = 0; i < e->samples; i++) {
        if (i > 0 && e->t[i] - e->t[i - 1] > gap)
            add_point(d, e->t[i], NAN, NAN);
        add_point(d, e->t[i], e->ours[i], e->theirs[i]);
    }
}

static void draw_channel(fm_figure *figure, const cli_compare_options *o, const cli_compare_channel *c, size_t row,
                         bool last, drawn_lines *d)
{
    const fm_record_error *e = &c->error;
    const char *name = c->pair.ours->name, *unit = c->pair.ours->unit[0] ? c->pair.ours->unit : c->pair.theirs->unit;
    const char *field = strrchr(name, '.') ? strrchr(name, '.') + 1 : name;
    bool deep = ends_with(name, "depth") || ends_with(name, ".down");
    char text[200];
    fm_axes *both = fm_figure_axes(figure, row, 0, 1, 1), *apart = fm_figure_axes(figure, row + 1, 0, 1, 1);
    fm_figure_row_height(figure, row, 1.6);
    fm_axes_title(both, name);
    fm_axes_x(both, &(fm_axis_style){.label = "", .scale = FM_SCALE_TIME});
    fm_axes_y(both, &(fm_axis_style){.label = field, .unit = unit, .reversed = deep});
    const char *ours = o->files[1] ? name_of(o->files[0]) : "model";
    const char *theirs = o->files[1] ? name_of(o->files[1]) : "measured";
    fill_lines(e, !o->files[1], d);
    fm_axes_line(both, d->t, d->theirs, d->count, &(fm_line_style){.label = theirs, .width = 2.2});
    fm_axes_line(both, d->t, d->ours, d->count, &(fm_line_style){.label = ours, .width = 1});
    snprintf(text, sizeof text, "difference: bias %.3g, rms %.3g, largest %.3g%s%s", e->bias, e->rms, e->largest,
             *unit ? " " : "", unit);
    fm_axes_title(apart, text);
    fm_axes_x(apart, &(fm_axis_style){.label = last ? "time" : "", .scale = FM_SCALE_TIME});
    fm_axes_y(apart, &(fm_axis_style){.label = "difference", .unit = unit});
    fm_axes_line(apart, d->t, d->difference, d->count, NULL);
    fm_axes_level(apart, 0, NULL, NULL);
}

fm_status cli_compare_draw(const cli_compare_options *o, const cli_compare_channel *channels, size_t count,
                           fm_error *error)
{
    size_t drawn = count < DRAWN_MOST ? count : DRAWN_MOST, longest = 1;
    for (size_t i = 0; i < drawn; i++)
        longest = channels[i].error.samples > longest ? channels[i].error.samples : longest;
    double *block = fm_alloc(8 * longest * sizeof *block); /* a break may follow each sample */
    drawn_lines lines = {block, block + 2 * longest, block + 4 * longest, block + 6 * longest, 0};
    fm_figure *figure = fm_figure_create(170, 25 + 75 * (double)drawn, o->dark ? FM_THEME_DARK : FM_THEME_LIGHT);
    fm_figure_share_x(figure);
    if (o->title)
        fm_figure_title(figure, o->title);
    for (size_t i = 0; block && i < drawn; i++)
        draw_channel(figure, o, &channels[i], 2 * i, i + 1 == drawn, &lines);
    if (count > drawn) {
        char text[100];
        snprintf(text, sizeof text, "%zu more channels were compared and are not drawn", count - drawn);
        fm_figure_note(figure, text);
    }
    fm_status status = block ? fm_figure_write(figure, o->out, error) : FM_ERR_MEMORY;
    if (!block)
        snprintf(error->text, sizeof error->text, "out of memory");
    fm_figure_destroy(figure);
    fm_free(block);
    return status;
}
