#include "support/cmocka_all.h"

#include <cairo.h>
#include <libxml/parser.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/picture.h"

static const fm_line_style red = {.colour = {1, 0, 0, 1}, .width = 2};
static const double ramp[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

static void a_line_is_where_its_data_is(void **state)
{
    (void)state;
    fm_figure *figure = fm_figure_create(100, 80, FM_THEME_LIGHT);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_line(axes, ramp, ramp, 11, &red);
    picture p = render(figure);
    for (double v = 0.33; v < 10; v += 1.1) {
        assert_int_equal(pixel_at(&p, axes, v, v), 0xff0000);
        assert_int_not_equal(pixel_at(&p, axes, v, v > 5 ? v - 2.5 : v + 2.5), 0xff0000);
    }
    cairo_surface_destroy(p.surface);
    fm_figure_destroy(figure);
}

static void a_nan_leaves_a_gap(void **state)
{
    (void)state;
    double y[11];
    for (int i = 0; i < 11; i++)
        y[i] = i == 5 ? NAN : 3;
    fm_figure *figure = fm_figure_create(100, 80, FM_THEME_LIGHT);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_y(axes, &(fm_axis_style){.min = 0, .max = 7});
    fm_axes_line(axes, ramp, y, 11, &red);
    picture p = render(figure);
    assert_int_equal(pixel_at(&p, axes, 3.5, 3), 0xff0000);
    assert_int_equal(pixel_at(&p, axes, 7.5, 3), 0xff0000);
    assert_int_not_equal(pixel_at(&p, axes, 4.5, 3), 0xff0000);
    assert_int_not_equal(pixel_at(&p, axes, 5.5, 3), 0xff0000);
    cairo_surface_destroy(p.surface);
    fm_figure_destroy(figure);
}

static void one_sample_among_a_million_is_still_seen_and_the_file_stays_small(void **state)
{
    (void)state;
    enum { N = 1000000, SPIKE = 654321 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = i == SPIKE ? 9 : sin(i * 0.37);
    }
    fm_figure *figure = fm_figure_create(100, 80, FM_THEME_LIGHT);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_line(axes, x, y, N, &red);
    picture p = render(figure);
    assert_int_equal(pixel_at(&p, axes, SPIKE, 5), 0xff0000);
    assert_int_not_equal(pixel_at(&p, axes, SPIKE + 20000, 5), 0xff0000);
    unsigned char *bytes;
    size_t size;
    assert_int_equal(fm_figure_render(figure, FM_FIGURE_SVG, &bytes, &size, NULL), FM_OK);
    assert_less(size, 300000);
    fm_free(bytes);
    cairo_surface_destroy(p.surface);
    fm_figure_destroy(figure);
    free(x);
    free(y);
}

static void a_line_that_leaves_the_plot_by_far_keeps_its_slope(void **state)
{
    (void)state;
    fm_figure *figure = fm_figure_create(100, 80, FM_THEME_LIGHT);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_x(axes, &(fm_axis_style){.min = 0, .max = 10});
    fm_axes_y(axes, &(fm_axis_style){.min = 0, .max = 10});
    fm_axes_line(axes, (double[]){-1e12, 1e12}, (double[]){-1e12, 1e12}, 2, &red);
    picture p = render(figure);
    assert_int_equal(pixel_at(&p, axes, 2.3, 2.3), 0xff0000);
    assert_int_equal(pixel_at(&p, axes, 8.3, 8.3), 0xff0000);
    cairo_surface_destroy(p.surface);
    fm_figure_destroy(figure);
}

static void depth_grows_downwards_and_metres_are_equal_on_a_map(void **state)
{
    (void)state;
    double a[2], b[2], c[2];
    fm_figure *figure = fm_figure_create(150, 70, FM_THEME_DARK);
    fm_axes *depth = fm_figure_axes(figure, 0, 0, 1, 1), *map = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_axes_y(depth, &(fm_axis_style){.label = "depth", .unit = "m", .reversed = true});
    fm_axes_line(depth, ramp, ramp, 11, NULL);
    fm_axes_equal(map);
    fm_axes_line(map, ramp, (double[]){0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2}, 11, NULL);
    picture p = render(figure);
    locate(depth, 5, 2, a);
    locate(depth, 5, 8, b);
    assert_greater(b[1], a[1]);
    locate(map, 0, 0, a);
    locate(map, 3, 0, b);
    locate(map, 0, 3, c);
    assert_nearer(b[0] - a[0], a[1] - c[1], 1e-9);
    cairo_surface_destroy(p.surface);
    fm_figure_destroy(figure);
}

static void shared_axes_have_their_times_above_each_other(void **state)
{
    (void)state;
    double a[2], b[2];
    fm_figure *figure = fm_figure_create(100, 90, FM_THEME_LIGHT);
    fm_figure_share_x(figure);
    fm_axes *top = fm_figure_axes(figure, 0, 0, 1, 1), *bottom = fm_figure_axes(figure, 1, 0, 1, 1);
    fm_axes_y(top, &(fm_axis_style){.label = "pressure", .unit = "Pa"});
    fm_axes_line(top, ramp, (double[]){1e6, 2e6, 3e6, 4e6}, 4, NULL);
    fm_axes_line(bottom, ramp, ramp, 11, NULL);
    picture p = render(figure);
    locate(top, 7, 1e6, a);
    locate(bottom, 7, 1, b);
    assert_nearer(a[0], b[0], 1e-9);
    cairo_surface_destroy(p.surface);
    fm_figure_destroy(figure);
}

static bool inside(const double box[4], const double at[2])
{
    return at[0] >= box[0] && at[0] <= box[0] + box[2] && at[1] >= box[1] && at[1] <= box[1] + box[3];
}

static void the_legend_covers_no_data(void **state)
{
    (void)state;
    enum { N = 400 };
    static double x[N], y[N];
    for (int kind = 0; kind < 6; kind++) {
        for (int i = 0; i < N; i++) {
            double t = i / (double)(N - 1), shapes[] = {t, 1 - t, t * t * t, exp(-8 * t), sin(60 * t), sin(9 * t)};
            x[i] = 10 * t;
            y[i] = shapes[kind];
        }
        fm_figure *figure = fm_figure_create(100, 70, FM_THEME_LIGHT);
        fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
        fm_axes_line(axes, x, y, N, &(fm_line_style){.label = "measured", .colour = {1, 0, 0, 1}});
        picture p = render(figure);
        double box[4], at[2], top[2];
        memcpy(box, &axes->legend_box, sizeof box); /* x, y, width, height */
        assert_greater(box[2], 20);
        assert_greater(box[3], 5);
        for (int i = 0; i < N; i++) {
            locate(axes, x[i], y[i], at);
            assert_false(inside(box, at));
        }
        locate(axes, 0, 1.06, top);
        if (kind == 4) /* nowhere inside is free */
            assert_less(box[1] + box[3], top[1] + 20);
        cairo_surface_destroy(p.surface);
        fm_figure_destroy(figure);
    }
}

static unsigned packed(fm_colour c)
{
    return (unsigned)(c.red * 255 + 0.5) << 16 | (unsigned)(c.green * 255 + 0.5) << 8 | (unsigned)(c.blue * 255 + 0.5);
}

static void the_cells_of_a_heat_map_have_the_colours_of_their_values(void **state)
{
    (void)state;
    const double values[] = {0, 1, 2, 3, NAN, 5};
    fm_colour table[FM_MAP_SIZE];
    fm_colour_table(FM_MAP_SEQUENTIAL, table);
    fm_figure *figure = fm_figure_create(100, 80, FM_THEME_LIGHT);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_y(axes, &(fm_axis_style){.label = "depth", .unit = "m", .reversed = true});
    fm_axes_heat(axes, (fm_extent){0, 3, 10, 30}, values, 3, 2,
                 &(fm_heat_style){.value_label = "speed", .value_unit = "m/s"});
    picture p = render(figure);
    for (int i = 0; i < 6; i++) {
        unsigned expected = i == 4 ? 0xffffffu : packed(table[(int)(values[i] / 5 * 255 + 0.5)]);
        assert_int_equal(pixel_at(&p, axes, i % 3 + 0.5, i < 3 ? 15 : 25), expected);
    }
    cairo_surface_destroy(p.surface);
    fm_figure_destroy(figure);
}

/* Every kind of series at once. */
static fm_figure *everything(fm_theme theme)
{
    static const uint8_t rgb[2 * 2 * 3] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9};
    static const double grid[6] = {1, 2, 3, 4, 5, 6};
    double high[11];
    for (int i = 0; i < 11; i++)
        high[i] = ramp[i] + 1;
    fm_figure *figure = fm_figure_create(160, 110, theme);
    fm_figure_title(figure, "everything & <more>");
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 0, 1, 1, 1),
            *c = fm_figure_axes(figure, 1, 0, 1, 2);
    fm_axes_x(a, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_band(a, ramp, ramp, high, 11, &(fm_area_style){.label = "band"});
    fm_axes_line(a, ramp, ramp, 11,
                 &(fm_line_style){.label = "steps", .step = true, .dash = FM_DASH_DASH_DOT, .marker = FM_MARKER_RING});
    fm_axes_polygon(a, ramp, (double[]){0, 5, 0}, 3, &(fm_area_style){.line = {0, 0, 0, 1}});
    fm_axes_event(a, 4, "event", NULL);
    fm_axes_level(a, 4, "level", NULL);
    fm_axes_heat(b, (fm_extent){0, 3, 0, 2}, grid, 3, 2, NULL);
    fm_axes_image(b, (fm_extent){0, 1, 0, 1}, rgb, 2, 2);
    fm_axes_text(b, 1, 1, "text", &(fm_text_style){.dx = 10, .dy = 10, .pointer = true});
    fm_axes_x(c, &(fm_axis_style){.label = "frequency", .unit = "Hz", .scale = FM_SCALE_LOG});
    fm_axes_scatter(c, high, ramp, 11,
                    &(fm_scatter_style){.label = "points", .values = ramp, .marker = FM_MARKER_TRIANGLE});
    fm_axes_arrows(c, high, ramp, ramp, high, 11, &(fm_arrow_style){.label = "arrows"});
    return figure;
}

static void the_same_calls_give_the_same_bytes(void **state)
{
    (void)state;
    for (int format = FM_FIGURE_PNG; format <= FM_FIGURE_PDF; format++) {
        unsigned char *bytes[2];
        size_t size[2];
        for (int i = 0; i < 2; i++) {
            fm_figure *figure = everything(FM_THEME_LIGHT), *another = everything(FM_THEME_DARK);
            fm_error error = {0};
            if (fm_figure_render(figure, (fm_figure_format)format, &bytes[i], &size[i], &error) != FM_OK)
                fail_msg("%s", error.text);
            unsigned char *other; /* what else is drawn in the process does not matter */
            size_t other_size;
            assert_int_equal(fm_figure_render(another, FM_FIGURE_SVG, &other, &other_size, &error), FM_OK);
            fm_free(other);
            fm_figure_destroy(figure);
            fm_figure_destroy(another);
        }
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(bytes[0], bytes[1], size[0]);
        fm_free(bytes[0]);
        fm_free(bytes[1]);
    }
}

/* Of a line from corner to corner of a plot whose limits are 0 and `most`. */
static size_t corner_to_corner(fm_scale scale, double most, unsigned char **bytes)
{
    fm_figure *figure = fm_figure_create(80, 60, FM_THEME_LIGHT);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
    const fm_axis_style style = {.scale = scale, .min = 0, .max = most};
    size_t size = 0;
    fm_axes_x(axes, &style);
    fm_axes_y(axes, &style);
    fm_axes_line(axes, (double[]){0, most}, (double[]){0, most}, 2, NULL);
    assert_int_equal(fm_figure_render(figure, FM_FIGURE_SVG, bytes, &size, NULL), FM_OK);
    fm_figure_destroy(figure);
    return size;
}

static void bare_axes_tell_no_numbers(void **state)
{
    (void)state;
    for (int scale = FM_SCALE_LINEAR; scale <= FM_SCALE_BARE; scale += FM_SCALE_BARE) {
        unsigned char *small, *large;
        size_t a = corner_to_corner((fm_scale)scale, 4, &small), b = corner_to_corner((fm_scale)scale, 4096, &large);
        assert_int_equal(a == b && memcmp(small, large, a) == 0, scale == FM_SCALE_BARE);
        fm_free(small);
        fm_free(large);
    }
}

static void svg_is_xml_and_pdf_has_no_clock_in_it(void **state)
{
    (void)state;
    fm_figure *figure = everything(FM_THEME_DARK);
    unsigned char *bytes;
    size_t size;
    assert_int_equal(fm_figure_render(figure, FM_FIGURE_SVG, &bytes, &size, NULL), FM_OK);
    xmlDoc *document = xmlReadMemory((char *)bytes, (int)size, "figure.svg", NULL, XML_PARSE_NONET | XML_PARSE_HUGE);
    assert_non_null(document);
    assert_string_equal((const char *)xmlDocGetRootElement(document)->name, "svg");
    xmlFreeDoc(document);
    xmlCleanupParser();
    fm_free(bytes);
    assert_int_equal(fm_figure_render(figure, FM_FIGURE_PDF, &bytes, &size, NULL), FM_OK);
    assert_memory_equal(bytes, "%PDF-", 5);
    const char *date = memmem(bytes, size, "/CreationDate (", 15);
    assert_non_null(date);
    assert_memory_equal(date, "/CreationDate (20000101000000", 29);
    fm_free(bytes);
    fm_figure_destroy(figure);
}

static void expect_error(fm_figure *figure, const char *path, fm_status status, const char *text)
{
    fm_error error = {0};
    assert_int_equal(fm_figure_write(figure, path, &error), status);
    if (!strstr(error.text, text))
        fail_msg("'%s' does not say '%s'", error.text, text);
    fm_figure_destroy(figure);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    expect_error(everything(FM_THEME_LIGHT), "figure.jpg", FM_ERR_ARGUMENT, ".png, .svg or .pdf");
    expect_error(everything(FM_THEME_LIGHT), "/nowhere/at/all.png", FM_ERR_FILE, "No such file");
    expect_error(fm_figure_create(100, 80, FM_THEME_LIGHT), "a.png", FM_ERR_ARGUMENT,
                 "the figure has no axes: add some");
    expect_error(fm_figure_create(5, 80, FM_THEME_LIGHT), "a.png", FM_ERR_RANGE, "20 … 2000 mm");
    fm_figure *figure = fm_figure_create(100, 80, FM_THEME_LIGHT);
    fm_axes_x(fm_figure_axes(figure, 0, 0, 1, 1),
              &(fm_axis_style){.label = "frequency", .scale = FM_SCALE_LOG, .min = -1, .max = 5});
    expect_error(figure, "a.png", FM_ERR_RANGE, "frequency: a log scale from -1");
    figure = fm_figure_create(100, 80, FM_THEME_LIGHT);
    fm_axes_line(fm_figure_axes(figure, 0, 99, 1, 1), ramp, ramp, 11, NULL);
    expect_error(figure, "a.png", FM_ERR_RANGE, "outside the grid");
    figure = fm_figure_create(100, 80, FM_THEME_LIGHT);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_y(axes, &(fm_axis_style){.scale = FM_SCALE_LOG});
    fm_axes_heat(axes, (fm_extent){0, 1, 0, 2}, ramp, 2, 2, NULL);
    expect_error(figure, "a.png", FM_ERR_ARGUMENT, "log axis");
}

/* Rows from 1 to 10 and from 10 to 100: equal factors, equal heights. */
static void the_cells_of_a_heat_map_are_equal_factors_on_a_log_axis(void **state)
{
    (void)state;
    fm_figure *figure = fm_figure_create(100, 80, FM_THEME_LIGHT);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_y(axes, &(fm_axis_style){.scale = FM_SCALE_LOG});
    fm_axes_heat(axes, (fm_extent){0, 1, 1, 100}, (double[]){0, 1}, 1, 2, &(fm_heat_style){.map = FM_MAP_GREY});
    picture p = render(figure);
    assert_int_equal(pixel_at(&p, axes, 0.5, 2), 0x000000);
    assert_int_equal(pixel_at(&p, axes, 0.5, 9.5), 0x000000);
    assert_int_equal(pixel_at(&p, axes, 0.5, 10.5), 0xffffff);
    assert_int_equal(pixel_at(&p, axes, 0.5, 90), 0xffffff);
    cairo_surface_destroy(p.surface);
    fm_figure_destroy(figure);
}

static void marks_stand_above_the_plot_and_notes_below_the_figure(void **state)
{
    (void)state;
    fm_figure *figure = fm_figure_create(100, 80, FM_THEME_LIGHT), *plain = fm_figure_create(100, 80, FM_THEME_LIGHT);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1), *bare = fm_figure_axes(plain, 0, 0, 1, 1);
    fm_axes_line(axes, ramp, ramp, 11, &red);
    fm_axes_line(bare, ramp, ramp, 11, &red);
    fm_axes_mark(axes, 5, "17");
    fm_figure_note(figure, "17  something happened");
    picture p = render(figure), q = render(plain);
    double at[2], was[2];
    locate(axes, 5, 10, at);
    locate(bare, 5, 10, was);
    assert_greater(at[1], was[1] + 5); /* room for the number */
    unsigned inked = 0;
    for (double y = at[1] - 8; y < at[1] - 2; y += 0.3)
        for (double x = at[0] - 5; x < at[0] + 5; x += 0.3)
            inked += pixel(&p, x, y) != 0xffffff;
    assert_greater(inked, 20);
    assert_greater(cairo_image_surface_get_height(p.surface), cairo_image_surface_get_height(q.surface) + 20);
    cairo_surface_destroy(p.surface);
    cairo_surface_destroy(q.surface);
    fm_figure_destroy(figure);
    fm_figure_destroy(plain);
}

/* A text beside a point on a line finds a place off the line. */
static void a_text_beside_a_point_covers_no_line(void **state)
{
    (void)state;
    fm_figure *figure = fm_figure_create(100, 80, FM_THEME_LIGHT), *without = fm_figure_create(100, 80, FM_THEME_LIGHT);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1), *bare = fm_figure_axes(without, 0, 0, 1, 1);
    fm_axes_line(axes, ramp, ramp, 11, &red);
    fm_axes_line(bare, ramp, ramp, 11, &red);
    fm_axes_text(axes, 5, 5, "wwww", &(fm_text_style){.beside = true});
    picture p = render(figure), q = render(without);
    unsigned changed = 0;
    for (double v = 0.05; v < 10; v += 0.01)
        changed += pixel_at(&p, axes, v, v) != pixel_at(&q, bare, v, v);
    assert_int_equal(changed, 0);
    cairo_surface_destroy(p.surface);
    cairo_surface_destroy(q.surface);
    fm_figure_destroy(figure);
    fm_figure_destroy(without);
}

/* Pixels of pure blue between two data points. */
static int blue_between(const picture *p, const fm_axes *axes, double x0, double y0, double x1, double y1)
{
    double a[2], b[2];
    int count = 0;
    locate(axes, x0, y0, a);
    locate(axes, x1, y1, b);
    for (double y = fmin(a[1], b[1]); y < fmax(a[1], b[1]); y += 0.36)
        for (double x = fmin(a[0], b[0]); x < fmax(a[0], b[0]); x += 0.36)
            count += pixel(p, x, y) == 0x0000ff;
    return count;
}

static void the_text_of_a_rule_stays_in_the_plot_and_off_the_data(void **state)
{
    (void)state;
    static const fm_line_style blue = {.colour = {0, 0, 1, 1}, .width = 0.5};
    static const fm_axis_style to_ten = {.min = 0, .max = 10};
    fm_figure *figure = fm_figure_create(100, 80, FM_THEME_LIGHT);
    fm_axes *high = fm_figure_axes(figure, 0, 0, 1, 1), *full = fm_figure_axes(figure, 1, 0, 1, 1);
    fm_axes_x(high, &to_ten), fm_axes_y(high, &to_ten);
    fm_axes_x(full, &to_ten), fm_axes_y(full, &to_ten);
    fm_axes_level(high, 9.8, "no room above it", &blue);
    fm_axes_event(full, 5, "data on its right", &blue);
    for (double x = 5.2; x < 10; x += 0.2)
        fm_axes_line(full, (double[]){x, x}, (double[]){0, 10}, 2, &red);
    picture p = render(figure);
    assert_greater(blue_between(&p, high, 0.1, 8, 9.9, 9.6), 20);
    assert_greater(blue_between(&p, full, 4, 0.1, 4.9, 9.9), 20);
    assert_int_equal(blue_between(&p, full, 5.1, 0.1, 9.9, 9.9), 0);
    cairo_surface_destroy(p.surface);
    fm_figure_destroy(figure);
}

static void empty_constant_and_non_finite_data_are_drawn(void **state)
{
    (void)state;
    const double odd[] = {NAN, INFINITY, -INFINITY, NAN}, zero[] = {0, 0, 0, 0}, same[] = {5, 5, 5, 5};
    const double *const sets[] = {odd, zero, same};
    for (int scale = FM_SCALE_LINEAR; scale <= FM_SCALE_TIME; scale++)
        for (int i = 0; i < 9; i++) {
            fm_figure *figure = fm_figure_create(60, 60, FM_THEME_LIGHT);
            fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
            fm_axes_x(axes, &(fm_axis_style){.scale = (fm_scale)scale});
            fm_axes_y(axes, &(fm_axis_style){.scale = (fm_scale)scale});
            fm_axes_line(axes, sets[i % 3], sets[i / 3], i == 4 ? 0 : 4, &(fm_line_style){.label = "x"});
            fm_axes_scatter(axes, sets[i % 3], sets[i / 3], 4, &(fm_scatter_style){.values = sets[i % 3]});
            fm_axes_band(axes, sets[i % 3], sets[i / 3], same, 4, NULL);
            fm_axes_arrows(axes, same, same, sets[i % 3], sets[i / 3], 4, NULL);
            picture p = render(figure);
            cairo_surface_destroy(p.surface);
            fm_figure_destroy(figure);
        }
}

static void running_out_of_memory_anywhere_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    long before = fm_alloc_live();
    fm_status status = FM_ERR_MEMORY;
    for (long count = 0; status != FM_OK; count++) {
        unsigned char *bytes;
        size_t size;
        assert_less(count, 1000);
        fm_alloc_fail_after(count);
        fm_figure *figure = everything(FM_THEME_LIGHT);
        status = fm_figure_render(figure, FM_FIGURE_SVG, &bytes, &size, NULL);
        fm_alloc_fail_after(-1);
        if (status != FM_OK)
            assert_same(status, FM_ERR_MEMORY);
        fm_free(bytes);
        fm_figure_destroy(figure);
        assert_int_equal(fm_alloc_live(), before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_where_its_data_is),
        cmocka_unit_test(a_nan_leaves_a_gap),
        cmocka_unit_test(one_sample_among_a_million_is_still_seen_and_the_file_stays_small),
        cmocka_unit_test(a_line_that_leaves_the_plot_by_far_keeps_its_slope),
        cmocka_unit_test(depth_grows_downwards_and_metres_are_equal_on_a_map),
        cmocka_unit_test(shared_axes_have_their_times_above_each_other),
        cmocka_unit_test(the_legend_covers_no_data),
        cmocka_unit_test(the_cells_of_a_heat_map_have_the_colours_of_their_values),
        cmocka_unit_test(the_same_calls_give_the_same_bytes),
        cmocka_unit_test(bare_axes_tell_no_numbers),
        cmocka_unit_test(svg_is_xml_and_pdf_has_no_clock_in_it),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(the_cells_of_a_heat_map_are_equal_factors_on_a_log_axis),
        cmocka_unit_test(marks_stand_above_the_plot_and_notes_below_the_figure),
        cmocka_unit_test(a_text_beside_a_point_covers_no_line),
        cmocka_unit_test(the_text_of_a_rule_stays_in_the_plot_and_off_the_data),
        cmocka_unit_test(empty_constant_and_non_finite_data_are_drawn),
        cmocka_unit_test(running_out_of_memory_anywhere_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
