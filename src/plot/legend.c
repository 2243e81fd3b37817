/* The legend is drawn in the emptiest place of the plot, or above it if every place covers data. */
#include <math.h>

#include "plot/parts.h"

#define SAMPLE 17.0    /* pt, the piece of line */
#define PADDING 4.0    /* pt inside the box */
#define FROM_FRAME 5.0 /* pt between box and frame */
#define LINE (1.42 * FM_FONT_SMALL)
#define APART 10.0    /* pt between entries that stand side by side */
#define CLEARANCE 2.5 /* pt kept free around the box */
#define EDGE 6.0      /* pt around the figure */

static const fm_series *next_entry(const fm_series *s)
{
    while (s && !(s->label && s->label[0]))
        s = s->next;
    return s;
}

static size_t count_entries(const fm_axes *axes)
{
    size_t count = 0;
    for (const fm_series *s = next_entry(axes->first); s; s = next_entry(s->next))
        count++;
    return axes->legend == FM_LEGEND_NONE ? 0 : count;
}

static double entry_width(const fm_series *s, cairo_t *measure)
{
    return SAMPLE + 5 + fm_text_measure(measure, s->label, FM_FONT_SMALL, false).width;
}

void fm_legend_measure(fm_axes *axes, cairo_t *measure)
{
    axes->legend_entry = 0;
    for (const fm_series *s = next_entry(axes->first); s; s = next_entry(s->next))
        axes->legend_entry = fmax(axes->legend_entry, entry_width(s, measure));
}

double fm_legend_height_above(const fm_axes *axes)
{
    return axes->legend_above && axes->legend != FM_LEGEND_FIGURE ? (double)axes->legend_lines * LINE + FM_GAP : 0;
}

static double room_above(const fm_axes *axes)
{
    return axes->legend == FM_LEGEND_FIGURE ? axes->figure->width - 2 * EDGE : axes->plot.width;
}

/* Entries above the plot stand side by side as far as they fit; *x and *line are where the next one goes. */
static void flow(const fm_axes *axes, double width, double *x, size_t *line)
{
    if (*x > 0 && *x + width > room_above(axes)) {
        *x = 0;
        (*line)++;
    }
}

static void place_above(fm_axes *axes, cairo_t *measure)
{
    double x = 0, widest = 0;
    size_t line = 0;
    for (const fm_series *s = next_entry(axes->first); s; s = next_entry(s->next)) {
        double width = entry_width(s, measure);
        flow(axes, width, &x, &line);
        widest = fmax(widest, x + width);
        x += width + APART;
    }
    axes->legend_lines = line + 1;
    double height = (double)axes->legend_lines * LINE + FM_GAP;
    fm_figure *figure = axes->figure;
    if (axes->legend == FM_LEGEND_FIGURE) {
        figure->legend_height = height + FM_GAP;
        axes->legend_box = (fm_box){fmax(EDGE, 0.5 * (figure->width - widest)),
                                    EDGE + (figure->title ? 1.2 * FM_FONT_SIZE + 7 : 0), widest, height - FM_GAP};
        return;
    }
    axes->legend_box = (fm_box){axes->plot.x, axes->plot.y - height - fm_marks_height(axes), widest, height - FM_GAP};
}

static bool place_inside(fm_axes *axes, size_t count, cairo_t *measure)
{
    /* corners first, then the middles of the sides; as parts of the free width and height */
    static const double corners[][2] = {{1, 0}, {0, 0}, {1, 1}, {0, 1}, {0.5, 0}, {0.5, 1}, {1, 0.5}, {0, 0.5}};
    const fm_box *p = &axes->plot;
    double width = axes->legend_entry + 2 * PADDING, height = (double)count * LINE + 2 * PADDING - 2;
    if (width + 2 * FROM_FRAME > p->width || height + 2 * FROM_FRAME > p->height)
        return false;
    fm_occupied *occupied = fm_alloc(sizeof *occupied);
    if (!occupied)
        return false; /* above is always right */
    fm_occupied_fill(occupied, axes, measure, true);
    bool found = false;
    for (size_t i = 0; i < sizeof corners / sizeof *corners && !found; i++) {
        fm_box box = {p->x + FROM_FRAME + corners[i][0] * (p->width - 2 * FROM_FRAME - width),
                      p->y + FROM_FRAME + corners[i][1] * (p->height - 2 * FROM_FRAME - height), width, height};
        fm_box clear = {box.x - CLEARANCE, box.y - CLEARANCE, width + 2 * CLEARANCE, height + 2 * CLEARANCE};
        found = fm_occupied_count(occupied, clear) == 0;
        if (found)
            axes->legend_box = box;
    }
    fm_free(occupied);
    return found;
}

void fm_legend_place(fm_axes *axes, cairo_t *measure)
{
    size_t count = count_entries(axes);
    fm_rules_place(axes, measure);
    axes->legend_box = (fm_box){0};
    if (count == 0)
        return;
    if (!axes->legend_above && !place_inside(axes, count, measure))
        axes->legend_above = true;
    if (axes->legend_above)
        place_above(axes, measure);
}

static void draw_sample(const fm_axes *axes, const fm_series *s, cairo_t *cr, double x, double y)
{
    fm_colour_set(cr, s->colour);
    if (s->kind == FM_SERIES_BAND || s->kind == FM_SERIES_POLYGON) {
        fm_colour_set(cr, fm_colour_faded(s->colour, s->opacity));
        cairo_rectangle(cr, x, y - 0.3 * FM_FONT_SMALL, SAMPLE, 0.6 * FM_FONT_SMALL);
        cairo_fill_preserve(cr);
        fm_colour_set(cr, s->line_colour);
        cairo_set_line_width(cr, s->width);
        s->width > 0 ? cairo_stroke(cr) : cairo_new_path(cr);
    } else if (s->kind == FM_SERIES_ARROWS) {
        double longest, length = fm_arrow_length(s, &longest), key = s->key > 0 ? s->key : longest;
        double drawn = fmin(length * key, SAMPLE);
        fm_arrow_draw(cr, x + 0.5 * (SAMPLE - drawn), y, drawn, 0, s->width, s->colour);
    } else if (s->kind != FM_SERIES_SCATTER) {
        fm_dash_set(cr, s->dash, s->width);
        cairo_set_line_width(cr, s->width);
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + SAMPLE, y);
        cairo_stroke(cr);
        cairo_set_dash(cr, NULL, 0, 0);
    }
    if (s->marker != FM_MARKER_NONE)
        fm_marker_draw(cr, s->marker, x + 0.5 * SAMPLE, y, fmin(s->size, LINE),
                       s->u ? axes->figure->colours.soft_ink : s->colour);
}

void fm_legend_draw(const fm_axes *axes, cairo_t *cr)
{
    const fm_box *box = &axes->legend_box;
    const fm_theme_colours *colours = &axes->figure->colours;
    if (box->width <= 0)
        return;
    double left = box->x, top = box->y;
    if (!axes->legend_above) {
        cairo_rectangle(cr, box->x, box->y, box->width, box->height);
        fm_colour_set(cr, fm_colour_faded(colours->panel, 0.92));
        cairo_fill_preserve(cr);
        fm_colour_set(cr, colours->grid);
        cairo_set_line_width(cr, 0.6);
        cairo_stroke(cr);
        left += PADDING;
        top += PADDING - 1;
    }
    double across = 0;
    size_t line = 0;
    for (const fm_series *s = next_entry(axes->first); s; s = next_entry(s->next)) {
        double width = entry_width(s, cr);
        if (axes->legend_above)
            flow(axes, width, &across, &line);
        double x = left + across, y = top + ((double)line + 0.5) * LINE;
        draw_sample(axes, s, cr, x, y);
        fm_text_draw(cr, x + SAMPLE + 5, y, s->label, FM_FONT_SMALL, false, 0, 0.5, 0, colours->ink);
        if (axes->legend_above)
            across += width + APART;
        else
            line++;
    }
}
