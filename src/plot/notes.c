/* Numbered marks above a plot, and the lines of text below a figure that explain them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/parts.h"

#define STRIP (1.25 * FM_FONT_SMALL) /* pt, room for the numbers of marks */
#define LINE (1.42 * FM_FONT_SMALL)
#define APART 14.0 /* pt between columns of notes */
#define EDGE 8.0   /* pt beside the notes */

/* --- marks --- */

double fm_marks_height(const fm_axes *axes)
{
    for (const fm_series *s = axes->first; s; s = s->next)
        if (s->kind == FM_SERIES_MARK && s->text)
            return STRIP;
    return 0;
}

static const fm_series *next_mark(const fm_axes *axes, const fm_series *s)
{
    const fm_box *p = &axes->plot;
    for (; s; s = s->next) {
        if (s->kind != FM_SERIES_MARK || !s->text)
            continue;
        double at = fm_axis_paper(&axes->x, s->x[0]);
        if (at >= p->x - 0.5 && at <= p->x + p->width + 0.5)
            return s;
    }
    return NULL;
}

/* Marks too near to each other for a number each share one: "3–6". They were added in the order of x. */
static const fm_series *draw_group(const fm_axes *axes, const fm_series *first, cairo_t *cr, double *free_from)
{
    const fm_series *last = first, *next;
    char text[64];
    double from = fm_axis_paper(&axes->x, first->x[0]), width, middle = from;
    for (;;) {
        snprintf(text, sizeof text, last == first ? "%.24s" : "%.24s–%.24s", first->text, last->text);
        width = fm_text_measure(cr, text, FM_FONT_SMALL, false).width;
        middle = fmax(0.5 * (from + fm_axis_paper(&axes->x, last->x[0])), *free_from + 0.5 * width);
        next = next_mark(axes, last->next);
        if (!next)
            break;
        double beside = fm_text_measure(cr, next->text, FM_FONT_SMALL, false).width;
        if (fm_axis_paper(&axes->x, next->x[0]) - 0.5 * beside > middle + 0.5 * width + 3)
            break;
        last = next;
    }
    *free_from = middle + 0.5 * width + 3;
    fm_text_draw(cr, middle, axes->plot.y - 2.5, text, FM_FONT_SMALL, false, 0.5, 0, 0, axes->figure->colours.soft_ink);
    return next;
}

void fm_marks_draw(const fm_axes *axes, cairo_t *cr)
{
    double free_from = -HUGE_VAL;
    const fm_series *s = next_mark(axes, axes->first);
    while (s)
        s = draw_group(axes, s, cr, &free_from);
}

/* --- notes --- */

typedef struct notes_grid {
    size_t columns, rows;
    double width; /* pt of one column */
} notes_grid;

static notes_grid find_grid(const fm_figure *figure, cairo_t *measure)
{
    double widest = 0, room = figure->width - 2 * EDGE;
    for (size_t i = 0; i < figure->note_count; i++)
        widest = fmax(widest, fm_text_measure(measure, figure->notes[i], FM_FONT_SMALL, false).width);
    double columns = fmax(floor((room + APART) / (widest + APART)), 1);
    columns = fmin(columns, (double)figure->note_count);
    size_t rows = (figure->note_count + (size_t)columns - 1) / (size_t)columns;
    return (notes_grid){(size_t)columns, rows, (room + APART) / columns};
}

void fm_notes_measure(fm_figure *figure, cairo_t *measure)
{
    figure->notes_height = figure->note_count ? (double)find_grid(figure, measure).rows * LINE + EDGE : 0;
}

/* A text that is wider than the page ends in "…". */
static void draw_note(cairo_t *cr, double x, double y, const char *note, double room, fm_colour ink)
{
    char text[512];
    size_t length = (size_t)snprintf(text, sizeof text - 4, "%s", note);
    length = length < sizeof text - 5 ? length : sizeof text - 5;
    while (length > 1 && fm_text_measure(cr, text, FM_FONT_SMALL, false).width > room) {
        do
            length--;
        while (length > 1 && ((unsigned char)text[length] & 0xc0) == 0x80);
        strcpy(text + length, "…");
    }
    fm_text_draw(cr, x, y, text, FM_FONT_SMALL, false, 0, 0, 0, ink);
}

void fm_notes_draw(const fm_figure *figure, cairo_t *cr)
{
    if (!figure->note_count)
        return;
    notes_grid grid = find_grid(figure, cr);
    for (size_t i = 0; i < figure->note_count; i++) {
        double x = EDGE + (double)(i / grid.rows) * grid.width,
               y = figure->height + ((double)(i % grid.rows) + 0.8) * LINE;
        draw_note(cr, x, y, figure->notes[i], figure->width - EDGE - x, figure->colours.ink);
    }
}
