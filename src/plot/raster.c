/* Heat maps, images and the colour bar. */
#include <math.h>

#include "plot/parts.h"

enum { FINE = 600 }; /* cells are enlarged to about this many pixels a side, so that no viewer blurs them */

static uint32_t pack(fm_colour c)
{
    uint32_t r = (uint32_t)(c.red * 255 + 0.5), g = (uint32_t)(c.green * 255 + 0.5), b = (uint32_t)(c.blue * 255 + 0.5);
    return 0xff000000u | r << 16 | g << 8 | b;
}

/* The colour of each cell; 0 is empty. */
static uint32_t cell_colour(const fm_series *s, size_t row, size_t column, const uint32_t *table, double min,
                            double max)
{
    if (s->kind == FM_SERIES_IMAGE) {
        const uint8_t *p = s->rgb + 3 * (row * s->columns + column);
        return 0xff000000u | (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
    }
    double value = s->u[row * s->columns + column];
    if (!isfinite(value))
        return 0;
    double part = fmin(fmax((value - min) / (max - min), 0), 1);
    return table[(int)(part * (FM_MAP_SIZE - 1) + 0.5)];
}

static void packed_table(fm_colour_map map, uint32_t packed[FM_MAP_SIZE])
{
    fm_colour table[FM_MAP_SIZE];
    fm_colour_table(map, table);
    for (size_t i = 0; i < FM_MAP_SIZE; i++)
        packed[i] = pack(table[i]);
}

/* Fills a picture whose first row is the top of the paper and first column its left. */
static void fill_picture(cairo_surface_t *picture, const fm_series *s, size_t times_x, size_t times_y, bool flip_x,
                         bool flip_y)
{
    uint32_t table[FM_MAP_SIZE];
    double min = 0, max = 1;
    if (s->kind == FM_SERIES_HEAT) {
        packed_table(s->map, table);
        fm_series_range(s, &min, &max);
    }
    unsigned char *data = cairo_image_surface_get_data(picture);
    size_t stride = (size_t)cairo_image_surface_get_stride(picture);
    for (size_t y = 0; y < s->rows * times_y; y++) {
        uint32_t *line = (uint32_t *)(void *)(data + y * stride);
        size_t row = flip_y ? s->rows - 1 - y / times_y : y / times_y;
        for (size_t x = 0; x < s->columns * times_x; x++) {
            size_t column = flip_x ? s->columns - 1 - x / times_x : x / times_x;
            line[x] = cell_colour(s, row, column, table, min, max);
        }
    }
    cairo_surface_mark_dirty(picture);
}

void fm_raster_draw(const fm_axes *axes, const fm_series *s, cairo_t *cr)
{
    double x0 = fm_axis_paper(&axes->x, s->extent.x0), x1 = fm_axis_paper(&axes->x, s->extent.x1);
    double y0 = fm_axis_paper(&axes->y, s->extent.y0), y1 = fm_axis_paper(&axes->y, s->extent.y1);
    size_t times_x = s->columns < FINE ? FINE / s->columns : 1, times_y = s->rows < FINE ? FINE / s->rows : 1;
    cairo_surface_t *picture =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)(s->columns * times_x), (int)(s->rows * times_y));
    if (cairo_surface_status(picture) == CAIRO_STATUS_SUCCESS) {
        fill_picture(picture, s, times_x, times_y, x1 < x0, y1 < y0);
        cairo_save(cr);
        cairo_translate(cr, fmin(x0, x1), fmin(y0, y1));
        cairo_scale(cr, fabs(x1 - x0) / (double)(s->columns * times_x), fabs(y1 - y0) / (double)(s->rows * times_y));
        cairo_set_source_surface(cr, picture, 0, 0);
        cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
        cairo_paint(cr);
        cairo_restore(cr);
    } else { /* puts the context into an error state, which fm_figure_render reports */
        cairo_set_source_surface(cr, picture, 0, 0);
    }
    cairo_surface_destroy(picture);
}

static void bar_fill(const fm_series *s, fm_box box, cairo_t *cr)
{
    double cells[FM_MAP_SIZE];
    for (size_t i = 0; i < FM_MAP_SIZE; i++)
        cells[i] = (double)i;
    fm_series ramp = {.kind = FM_SERIES_HEAT,
                      .u = cells,
                      .count = FM_MAP_SIZE,
                      .columns = 1,
                      .rows = FM_MAP_SIZE,
                      .extent = {0, 1, 0, 1},
                      .map = s->map,
                      .min = 0,
                      .max = FM_MAP_SIZE - 1};
    fm_axes axes = {.plot = box,
                    .x = {.low = 0, .high = 1, .paper_low = box.x, .paper_high = box.x + box.width},
                    .y = {.low = 0, .high = 1, .paper_low = box.y + box.height, .paper_high = box.y}};
    fm_raster_draw(&axes, &ramp, cr);
}

void fm_bar_draw(const fm_axes *axes, cairo_t *cr)
{
    const fm_series *s = axes->bar;
    if (!s)
        return;
    const fm_theme_colours *colours = &axes->figure->colours;
    fm_box box = fm_bar_box(axes);
    fm_axis axis = {
        .label = s->value_label, .unit = s->value_unit, .paper_low = box.y + box.height, .paper_high = box.y};
    fm_series_range(s, &axis.low, &axis.high);
    bar_fill(s, box, cr);
    fm_colour_set(cr, colours->frame);
    cairo_set_line_width(cr, 0.7);
    cairo_rectangle(cr, box.x, box.y, box.width, box.height);
    double right = box.x + box.width, widest = 0;
    for (size_t i = 0; i < axes->bar_ticks.count; i++) {
        double y = fm_axis_paper(&axis, axes->bar_ticks.at[i]);
        cairo_move_to(cr, right, y);
        cairo_line_to(cr, right + FM_TICK_LENGTH, y);
    }
    cairo_stroke(cr);
    for (size_t i = 0; i < axes->bar_ticks.count; i++) {
        double y = fm_axis_paper(&axis, axes->bar_ticks.at[i]);
        const char *text = axes->bar_ticks.text[i];
        fm_text_draw(cr, right + FM_TICK_LENGTH + FM_GAP, y, text, FM_FONT_SIZE, false, 0, 0.5, 0, colours->ink);
        widest = fmax(widest, fm_text_measure(cr, text, FM_FONT_SIZE, false).width);
    }
    char title[256];
    fm_axis_title(&axis, title, sizeof title);
    fm_text_draw(cr, right + FM_TICK_LENGTH + 2 * FM_GAP + widest, box.y + 0.5 * box.height, title, FM_FONT_SIZE, false,
                 0.5, 1, M_PI / 2, colours->ink);
    fm_text_draw(cr, box.x, box.y - FM_GAP, axes->bar_ticks.factor, FM_FONT_SMALL, false, 0, 0, 0, colours->ink);
}
