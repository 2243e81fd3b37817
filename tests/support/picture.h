/* Figures as pixels. */
#ifndef TESTS_SUPPORT_PICTURE_H
#define TESTS_SUPPORT_PICTURE_H

#include <cairo.h>
#include <string.h>

#include "support/cmocka_all.h"

#include "base/memory.h"
#include "plot/figure.h"
#include "plot/parts.h"

/* A figure as pixels again, decoded by cairo's PNG reader. */
typedef struct picture {
    cairo_surface_t *surface;
    const unsigned char *bytes;
    size_t size, read;
} picture;

static inline cairo_status_t give(void *closure, unsigned char *data, unsigned int length)
{
    picture *p = closure;
    if (p->read + length > p->size)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(data, p->bytes + p->read, length);
    p->read += length;
    return CAIRO_STATUS_SUCCESS;
}

static inline picture render(fm_figure *figure)
{
    unsigned char *bytes;
    fm_error error = {0};
    picture p = {0};
    if (fm_figure_render(figure, FM_FIGURE_PNG, &bytes, &p.size, &error) != FM_OK)
        fail_msg("%s", error.text);
    p.bytes = bytes;
    p.surface = cairo_image_surface_create_from_png_stream(give, &p);
    assert_int_equal(cairo_surface_status(p.surface), CAIRO_STATUS_SUCCESS);
    fm_free(bytes);
    return p;
}

/* 0xrrggbb at a place in pt (200 dots per inch). */
static inline unsigned pixel(const picture *p, double x, double y)
{
    int column = (int)(x * 200 / 72), row = (int)(y * 200 / 72);
    int stride = cairo_image_surface_get_stride(p->surface);
    assert_in_range(column, 0, cairo_image_surface_get_width(p->surface) - 1);
    assert_in_range(row, 0, cairo_image_surface_get_height(p->surface) - 1);
    uint32_t value;
    memcpy(&value, cairo_image_surface_get_data(p->surface) + row * stride + 4 * column, sizeof value);
    return value & 0xffffffu;
}

/* Where a data point lies in a figure that was rendered: pt from its top left corner. */
static inline void locate(const fm_axes *axes, double x, double y, double at[2])
{
    at[0] = fm_axis_paper(&axes->x, x);
    at[1] = fm_axis_paper(&axes->y, y);
}

static inline unsigned pixel_at(const picture *p, const fm_axes *axes, double x, double y)
{
    double place[2];
    locate(axes, x, y, place);
    return pixel(p, place[0], place[1]);
}

#endif
