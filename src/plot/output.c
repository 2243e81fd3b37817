/* From a recorded figure to the bytes of a file. */
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/outfile.h"
#include "plot/parts.h"

typedef struct sink {
    unsigned char *bytes;
    size_t size, capacity;
} sink;

static cairo_status_t take(void *closure, const unsigned char *data, unsigned int length)
{
    sink *s = closure;
    if (s->size + length + 1 > s->capacity) {
        size_t capacity = 2 * (s->size + length) + 4096;
        unsigned char *bytes = fm_realloc(s->bytes, capacity);
        if (!bytes)
            return CAIRO_STATUS_NO_MEMORY;
        s->bytes = bytes;
        s->capacity = capacity;
    }
    memcpy(s->bytes + s->size, data, length);
    s->size += length;
    s->bytes[s->size] = '\0';
    return CAIRO_STATUS_SUCCESS;
}

/* Layers from back to front. */
static int layer_of(const fm_series *s)
{
    switch (s->kind) {
    case FM_SERIES_HEAT:
    case FM_SERIES_IMAGE: return 0;
    case FM_SERIES_MARK:
    case FM_SERIES_POLYGON:
    case FM_SERIES_BAND: return 1;
    case FM_SERIES_LINE:
    case FM_SERIES_SCATTER:
    case FM_SERIES_ARROWS: return 2;
    case FM_SERIES_EVENT:
    case FM_SERIES_LEVEL:
    case FM_SERIES_TEXT: return 3;
    }
    return 3;
}

static void draw_axes(const fm_axes *axes, cairo_t *cr)
{
    fm_frame_draw_below(axes, cr);
    cairo_save(cr);
    cairo_rectangle(cr, axes->plot.x, axes->plot.y, axes->plot.width, axes->plot.height);
    cairo_clip(cr);
    for (int layer = 0; layer <= 3; layer++)
        for (const fm_series *s = axes->first; s; s = s->next)
            if (layer_of(s) == layer)
                fm_series_draw(axes, s, cr);
    cairo_restore(cr);
    fm_frame_draw_above(axes, cr);
    fm_bar_draw(axes, cr);
    fm_legend_draw(axes, cr);
}

static void draw_figure(const fm_figure *figure, cairo_t *cr)
{
    fm_colour_set(cr, figure->colours.paper);
    cairo_paint(cr);
    if (figure->title)
        fm_text_draw(cr, 0.5 * figure->width, 6, figure->title, 1.2 * FM_FONT_SIZE, true, 0.5, 1, 0,
                     figure->colours.ink);
    for (size_t i = 0; i < figure->axes_count; i++)
        draw_axes(figure->axes[i], cr);
    fm_notes_draw(figure, cr);
}

/* Layout measures on a surface of its own, so that every format is laid out alike. */
static cairo_status_t lay_out(fm_figure *figure)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 8, 8);
    cairo_t *measure = cairo_create(surface);
    fm_figure_lay_out(figure, measure);
    cairo_status_t status = cairo_status(measure);
    cairo_destroy(measure);
    cairo_surface_destroy(surface);
    return status;
}

static cairo_surface_t *open_surface(const fm_figure *figure, fm_figure_format format, sink *out)
{
    double scale = figure->resolution / 72, height = figure->height + figure->notes_height;
    cairo_surface_t *surface;
    switch (format) {
    case FM_FIGURE_SVG:
        surface = cairo_svg_surface_create_for_stream(take, out, figure->width, height);
        cairo_svg_surface_restrict_to_version(surface, CAIRO_SVG_VERSION_1_1);
        return surface;
    case FM_FIGURE_PDF:
        surface = cairo_pdf_surface_create_for_stream(take, out, figure->width, height);
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "fathom");
        /* no clock in the file: the same figure has the same bytes */
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
        return surface;
    case FM_FIGURE_PNG: break;
    }
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(figure->width * scale - 1e-6),
                                      (int)ceil(height * scale - 1e-6));
}

static cairo_status_t draw_into(const fm_figure *figure, fm_figure_format format, sink *out)
{
    cairo_surface_t *surface = open_surface(figure, format, out);
    cairo_t *cr = cairo_create(surface);
    if (format == FM_FIGURE_PNG)
        cairo_scale(cr, figure->resolution / 72, figure->resolution / 72);
    draw_figure(figure, cr);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    if (status == CAIRO_STATUS_SUCCESS && format == FM_FIGURE_PNG)
        status = cairo_surface_write_to_png_stream(surface, take, out);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status;
}

/* cairo numbers surfaces through the whole life of the process ("surface17", "image18"). Numbers by first use instead,
 * so that the same figure has the same bytes; the text grows where a number grows. */
typedef struct id_list {
    unsigned long *seen;
    size_t count, room;
} id_list;

/* Place of a number in the order of first use; -1: no memory. */
static long index_of(id_list *ids, unsigned long number)
{
    for (size_t i = 0; i < ids->count; i++)
        if (ids->seen[i] == number)
            return (long)i;
    if (ids->count == ids->room) {
        size_t room = 2 * ids->room + 64;
        unsigned long *seen = fm_realloc(ids->seen, room * sizeof *seen);
        if (!seen)
            return -1;
        ids->seen = seen;
        ids->room = room;
    }
    ids->seen[ids->count] = number;
    return (long)ids->count++;
}

/* Length of the text that opens an id or a reference to one, before its number; 0: none here. */
static size_t opens_id(const char *text)
{
    static const char *const openings[] = {"id=\"surface", "id=\"image",   "\"#surface",
                                           "\"#image",     "url(#surface", "url(#image"};
    for (size_t k = 0; k < sizeof openings / sizeof *openings; k++)
        if (strncmp(text, openings[k], strlen(openings[k])) == 0)
            return strlen(openings[k]);
    return 0;
}

static cairo_status_t renumber_ids(sink *svg)
{
    id_list ids = {0};
    sink out = {0};
    cairo_status_t status = CAIRO_STATUS_SUCCESS;
    const char *copied = (const char *)svg->bytes, *end = copied + svg->size;
    for (const char *at = copied; at < end && status == CAIRO_STATUS_SUCCESS;) {
        size_t match = opens_id(at);
        char number[32];
        if (!match) {
            at++;
            continue;
        }
        at += match;
        status = take(&out, (const unsigned char *)copied, (unsigned)(at - copied));
        char *rest;
        long index = index_of(&ids, strtoul(at, &rest, 10));
        copied = at = rest;
        int length = snprintf(number, sizeof number, "%ld", index);
        if (status == CAIRO_STATUS_SUCCESS)
            status = index < 0 ? CAIRO_STATUS_NO_MEMORY : take(&out, (unsigned char *)number, (unsigned)length);
    }
    if (status == CAIRO_STATUS_SUCCESS)
        status = take(&out, (const unsigned char *)copied, (unsigned)(end - copied));
    fm_free(ids.seen);
    fm_free(svg->bytes);
    *svg = out;
    return status;
}

static fm_status check_axes(const fm_figure *figure, fm_error *error)
{
    if (figure->axes_count == 0)
        return fm_fail(error, FM_ERR_ARGUMENT, "the figure has no axes: add some with fm_figure_axes");
    for (size_t i = 0; i < figure->axes_count; i++) {
        const fm_axes *axes = figure->axes[i];
        for (const fm_series *s = axes->first; s; s = s->next)
            if ((s->kind == FM_SERIES_HEAT || s->kind == FM_SERIES_IMAGE) &&
                ((axes->x.scale == FM_SCALE_LOG && !(fmin(s->extent.x0, s->extent.x1) > 0)) ||
                 (axes->y.scale == FM_SCALE_LOG && !(fmin(s->extent.y0, s->extent.y1) > 0))))
                return fm_fail(
                    error, FM_ERR_ARGUMENT,
                    "axes %zu: a heat map or image begins at 0 or below on a log axis: its edges must be above 0", i);
    }
    return FM_OK;
}

fm_status fm_figure_render(fm_figure *figure, fm_figure_format format, unsigned char **bytes, size_t *size,
                           fm_error *error)
{
    *bytes = NULL;
    *size = 0;
    if (!figure)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a figure");
    if (figure->error.status != FM_OK)
        return fm_fail(error, figure->error.status, "%s", figure->error.text);
    fm_status checked = check_axes(figure, error);
    if (checked != FM_OK)
        return checked;
    sink out = {0};
    cairo_status_t status = lay_out(figure);
    if (status == CAIRO_STATUS_SUCCESS)
        status = draw_into(figure, format, &out);
    if (status == CAIRO_STATUS_SUCCESS && format == FM_FIGURE_SVG)
        status = renumber_ids(&out);
    if (status != CAIRO_STATUS_SUCCESS) {
        fm_free(out.bytes);
        return fm_fail(error, status == CAIRO_STATUS_NO_MEMORY ? FM_ERR_MEMORY : FM_ERR_LIBRARY,
                       "cairo cannot draw the figure: %s", cairo_status_to_string(status));
    }
    *bytes = out.bytes;
    *size = out.size;
    return FM_OK;
}

static bool format_of(const char *path, fm_figure_format *format)
{
    static const char *const endings[] = {[FM_FIGURE_PNG] = ".png", [FM_FIGURE_SVG] = ".svg", [FM_FIGURE_PDF] = ".pdf"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (length > 4 && strcmp(path + length - 4, endings[i]) == 0) {
            *format = (fm_figure_format)i;
            return true;
        }
    return false;
}

fm_status fm_figure_write(fm_figure *figure, const char *path, fm_error *error)
{
    fm_figure_format format;
    unsigned char *bytes;
    size_t size;
    if (!format_of(path, &format))
        return fm_fail(error, FM_ERR_ARGUMENT, "figure '%s': the name must end in .png, .svg or .pdf", path);
    fm_status status = fm_figure_render(figure, format, &bytes, &size, error);
    if (status != FM_OK)
        return status;
    fm_error found = {0};
    status = fm_outfile_write(path, bytes, size, &found);
    fm_free(bytes);
    return status == FM_OK ? FM_OK : fm_fail(error, status, "cannot write figure %s", found.text);
}
