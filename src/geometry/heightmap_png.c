#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/file.h"
#include "geometry/heightmap.h"

/* Everything the reading needs, outside the frame that libpng jumps back to. */
typedef struct picture {
    const char *name;
    const unsigned char *data;
    size_t size, at;
    const fm_heightmap_options *options;
    fm_heightmap *map;
    fm_error *error;
    fm_status status;
    png_structp png;
    png_infop info;
    unsigned char *pixels;
    png_bytep *rows;
    png_uint_32 width, height;
    int bits;
} picture;

static void on_error(png_structp png, png_const_charp text)
{
    picture *p = png_get_error_ptr(png);
    p->status = fm_fail_at(p->error, FM_ERR_SYNTAX, p->name, 0, "not a readable PNG: %s", text);
    longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void on_read(png_structp png, png_bytep out, size_t count)
{
    picture *p = png_get_io_ptr(png);
    if (count > p->size - p->at)
        png_error(png, "the file is cut off");
    memcpy(out, p->data + p->at, count);
    p->at += count;
}

static fm_status read_header(picture *p)
{
    int colour;
    png_set_read_fn(p->png, p, on_read);
    png_set_user_limits(p->png, 1u << 20, 1u << 20);
    png_set_chunk_malloc_max(p->png, 1u << 23);
    png_read_info(p->png, p->info);
    png_get_IHDR(p->png, p->info, &p->width, &p->height, &p->bits, &colour, NULL, NULL, NULL);
    if (colour != PNG_COLOR_TYPE_GRAY && colour != PNG_COLOR_TYPE_GRAY_ALPHA)
        return fm_fail_at(p->error, FM_ERR_SYNTAX, p->name, 0, "a colour picture (type %d): must be greyscale", colour);
    return fm_heightmap_plausible(p->name, p->height, p->width, p->size, p->error);
}

static fm_status allocate(picture *p)
{
    size_t stride = png_get_rowbytes(p->png, p->info);
    p->pixels = fm_alloc(stride * p->height);
    p->rows = fm_alloc(p->height * sizeof *p->rows);
    fm_status status = fm_heightmap_create(p->height, p->width, p->map, p->error);
    if (status != FM_OK)
        return status;
    if (!p->pixels || !p->rows)
        return fm_fail_at(p->error, FM_ERR_MEMORY, p->name, 0, "no memory for its %u × %u pixels", p->width, p->height);
    for (size_t i = 0; i < p->height; i++)
        p->rows[i] = p->pixels + i * stride;
    return FM_OK;
}

/* libpng leaves this function by longjmp when something is wrong; all that must survive is in *p. */
static void read_pixels(picture *p)
{
    if (setjmp(png_jmpbuf(p->png)))
        return;
    p->status = read_header(p);
    if (p->status != FM_OK)
        return;
    if (p->bits < 8)
        png_set_expand_gray_1_2_4_to_8(p->png);
    png_set_strip_alpha(p->png);
    png_set_interlace_handling(p->png);
    png_read_update_info(p->png, p->info);
    p->status = allocate(p);
    if (p->status != FM_OK)
        return;
    png_read_image(p->png, p->rows);
    png_read_end(p->png, NULL);
}

/* Rows come from north to south. */
static void fill_depths(picture *p)
{
    const fm_heightmap_options *o = p->options;
    fm_heightmap *m = p->map;
    int bytes = p->bits == 16 ? 2 : 1;
    for (size_t i = 0; i < m->rows; i++)
        for (size_t j = 0; j < m->columns; j++) {
            const unsigned char *v = p->rows[m->rows - 1 - i] + j * (size_t)bytes;
            double grey = bytes == 2 ? (v[0] * 256 + v[1]) / 65535.0 : v[0] / 255.0;
            m->depth[i * m->columns + j] = o->depth_black + (o->depth_white - o->depth_black) * grey;
        }
    m->north_step = o->spacing[0];
    m->east_step = o->spacing[1];
    m->north = o->centre[0] - 0.5 * (double)(m->rows - 1) * m->north_step;
    m->east = o->centre[1] - 0.5 * (double)(m->columns - 1) * m->east_step;
}

fm_status fm_heightmap_parse_png(const char *name, const void *data, size_t size, const fm_heightmap_options *options,
                                 fm_heightmap *map, fm_error *error)
{
    picture p = {.name = name, .data = data, .size = size, .options = options, .map = map, .error = error};
    *map = (fm_heightmap){0};
    p.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &p, on_error, on_warning);
    p.info = p.png ? png_create_info_struct(p.png) : NULL;
    if (p.info)
        read_pixels(&p);
    else
        p.status = fm_fail_at(error, FM_ERR_MEMORY, name, 0, "no memory for libpng");
    if (p.status == FM_OK)
        fill_depths(&p);
    png_destroy_read_struct(&p.png, &p.info, NULL);
    fm_free(p.pixels);
    fm_free(p.rows);
    if (p.status == FM_OK)
        p.status = fm_heightmap_check(name, map, error);
    if (p.status == FM_OK)
        p.status = fm_heightmap_cut(name, options, map, error);
    if (p.status != FM_OK)
        fm_heightmap_free(map);
    return p.status;
}

fm_status fm_heightmap_read_png(const char *path, const fm_heightmap_options *options, fm_heightmap *map,
                                fm_error *error)
{
    char *data;
    size_t size;
    *map = (fm_heightmap){0};
    fm_status status = fm_geometry_file(path, &data, &size, error);
    if (status == FM_OK)
        status = fm_heightmap_parse_png(path, data, size, options, map, error);
    fm_free(data);
    return status;
}
