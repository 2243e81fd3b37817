#include <stdio.h>
#include <string.h>
#include <tiffio.h>

#include "base/memory.h"
#include "geometry/file.h"
#include "geometry/heightmap.h"

enum { PIXEL_SCALE = 33550, TIEPOINT = 33922, GEO_KEYS = 34735, NO_DATA = 42113 };
enum { KEY_MODEL_TYPE = 1024, KEY_RASTER_TYPE = 1025 };
enum { MODEL_GEOGRAPHIC = 2, RASTER_POINT = 2 };

typedef struct picture {
    const char *name;
    const unsigned char *data;
    toff_t size, at;
    fm_error *error;
    char complaint[256]; /* libtiff's first error */
    TIFF *tiff;
    uint32_t width, height;
    uint16_t bits, format;
} picture;

static tmsize_t on_read(thandle_t handle, void *out, tmsize_t count)
{
    picture *p = handle;
    toff_t left = p->at < p->size ? p->size - p->at : 0, n = (toff_t)count < left ? (toff_t)count : left;
    memcpy(out, p->data + (p->at < p->size ? p->at : 0), (size_t)n);
    p->at += n;
    return (tmsize_t)n;
}

static tmsize_t on_write(thandle_t handle, void *data, tmsize_t count)
{
    (void)handle;
    (void)data;
    (void)count;
    return 0;
}

static toff_t on_seek(thandle_t handle, toff_t offset, int whence)
{
    picture *p = handle;
    p->at = whence == SEEK_CUR ? p->at + offset : whence == SEEK_END ? p->size + offset : offset;
    return p->at;
}

static int on_close(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t on_size(thandle_t handle)
{
    return ((picture *)handle)->size;
}

static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list args)
{
    picture *p = user;
    (void)tiff;
    (void)module;
    if (!p->complaint[0])
        vsnprintf(p->complaint, sizeof p->complaint, format, args);
    return 1;
}

static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list args)
{
    (void)tiff;
    (void)user;
    (void)module;
    (void)format;
    (void)args;
    return 1;
}

static fm_status complain(picture *p, const char *what)
{
    return fm_fail_at(p->error, FM_ERR_SYNTAX, p->name, 0, "%s: %s", what,
                      p->complaint[0] ? p->complaint : "not a TIFF file");
}

static fm_status open_picture(picture *p)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options)
        return fm_fail_at(p->error, FM_ERR_MEMORY, p->name, 0, "no memory for libtiff");
    /* no piece of the file unpacks to more than deflate can reach */
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)(p->size * 1100 + 65536));
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, p);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, p);
    p->tiff = TIFFClientOpenExt(p->name, "rm", p, on_read, on_write, on_seek, on_close, on_size, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return p->tiff ? FM_OK : complain(p, "cannot be opened as TIFF");
}

static fm_status read_layout(picture *p)
{
    uint16_t samples = 1, planar = PLANARCONFIG_CONTIG;
    p->format = SAMPLEFORMAT_UINT;
    TIFFGetField(p->tiff, TIFFTAG_IMAGEWIDTH, &p->width);
    TIFFGetField(p->tiff, TIFFTAG_IMAGELENGTH, &p->height);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_BITSPERSAMPLE, &p->bits);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_SAMPLEFORMAT, &p->format);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_PLANARCONFIG, &planar);
    bool whole = (p->format == SAMPLEFORMAT_INT || p->format == SAMPLEFORMAT_UINT) && (p->bits == 16 || p->bits == 32);
    bool real = p->format == SAMPLEFORMAT_IEEEFP && (p->bits == 32 || p->bits == 64);
    if (samples != 1 || !(whole || real))
        return fm_fail_at(
            p->error, FM_ERR_SYNTAX, p->name, 0,
            "%u samples of %u bits, format %u: must be 1 sample of 16 or 32 bit integers or 32 or 64 bit floats",
            samples, p->bits, p->format);
    return fm_heightmap_plausible(p->name, p->height, p->width, (size_t)p->size, p->error);
}

static double sample_value(const picture *p, const unsigned char *at)
{
    union {
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        float f32;
        double f64;
    } v;
    memcpy(&v, at, p->bits / 8u);
    if (p->format == SAMPLEFORMAT_IEEEFP)
        return p->bits == 32 ? (double)v.f32 : v.f64;
    if (p->format == SAMPLEFORMAT_INT)
        return p->bits == 16 ? v.i16 : v.i32;
    return p->bits == 16 ? v.u16 : v.u32;
}

/* Elevation up, rows from the north → depth down, rows from the south. */
static void put(const picture *p, fm_heightmap *m, size_t row, size_t column, const unsigned char *at)
{
    m->depth[(m->rows - 1 - row) * m->columns + column] = -sample_value(p, at);
}

static fm_status read_strips(picture *p, fm_heightmap *m, unsigned char *buffer)
{
    for (uint32_t i = 0; i < p->height; i++) {
        if (TIFFReadScanline(p->tiff, buffer, i, 0) < 0)
            return complain(p, "a row cannot be read");
        for (uint32_t j = 0; j < p->width; j++)
            put(p, m, i, j, buffer + (size_t)j * (p->bits / 8u));
    }
    return FM_OK;
}

static fm_status read_tiles(picture *p, fm_heightmap *m, unsigned char *buffer)
{
    uint32_t width = 0, height = 0;
    TIFFGetField(p->tiff, TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(p->tiff, TIFFTAG_TILELENGTH, &height);
    if (width == 0 || height == 0)
        return fm_fail_at(p->error, FM_ERR_SYNTAX, p->name, 0, "tiles of no size");
    for (uint32_t y = 0; y < p->height; y += height)
        for (uint32_t x = 0; x < p->width; x += width) {
            if (TIFFReadTile(p->tiff, buffer, x, y, 0, 0) < 0)
                return complain(p, "a tile cannot be read");
            for (uint32_t i = 0; i < height && i < p->height - y; i++)
                for (uint32_t j = 0; j < width && j < p->width - x; j++)
                    put(p, m, y + i, x + j, buffer + ((size_t)i * width + j) * (p->bits / 8u));
            if (p->width - x <= width)
                break;
        }
    return FM_OK;
}

static fm_status read_samples(picture *p, fm_heightmap *map)
{
    bool tiled = TIFFIsTiled(p->tiff);
    tmsize_t piece = tiled ? TIFFTileSize(p->tiff) : TIFFScanlineSize(p->tiff);
    if (piece <= 0 || (uint64_t)piece > p->size * 1100 + 65536)
        return fm_fail_at(p->error, FM_ERR_RANGE, p->name, 0, "has pieces of %lld bytes in a file of %llu bytes",
                          (long long)piece, (unsigned long long)p->size);
    fm_status status = fm_heightmap_create(p->height, p->width, map, p->error);
    unsigned char *buffer = fm_alloc((size_t)piece);
    if (status == FM_OK && !buffer)
        status =
            fm_fail_at(p->error, FM_ERR_MEMORY, p->name, 0, "no memory for pieces of %lld bytes", (long long)piece);
    if (status == FM_OK)
        status = tiled ? read_tiles(p, map, buffer) : read_strips(p, map, buffer);
    fm_free(buffer);
    return status;
}

/* A tag that libtiff does not know by name: its values, or NULL where it is absent, of another type or too short. */
static const void *tag_values(picture *p, uint32_t tag, TIFFDataType type, uint32_t least, uint32_t *count)
{
    const TIFFField *field = TIFFFindField(p->tiff, tag, TIFF_ANY);
    const void *values = NULL;
    if (!field || TIFFFieldDataType(field) != type || !TIFFFieldPassCount(field))
        return NULL;
    *count = 0;
    if (TIFFFieldReadCount(field) == TIFF_VARIABLE2) {
        if (!TIFFGetField(p->tiff, tag, count, &values))
            return NULL;
    } else {
        uint16_t small = 0;
        if (!TIFFGetField(p->tiff, tag, &small, &values))
            return NULL;
        *count = small;
    }
    return *count >= least ? values : NULL;
}

static int geo_key(picture *p, int wanted, int fallback)
{
    uint32_t count;
    const uint16_t *keys = tag_values(p, GEO_KEYS, TIFF_SHORT, 4, &count);
    for (uint32_t i = 4; keys && i + 3 < count; i += 4)
        if (keys[i] == wanted && keys[i + 1] == 0)
            return keys[i + 3];
    return fallback;
}

static fm_status place(picture *p, const fm_heightmap_options *o, fm_heightmap *m)
{
    uint32_t count;
    const double *scale = tag_values(p, PIXEL_SCALE, TIFF_DOUBLE, 2, &count);
    const double *tie = tag_values(p, TIEPOINT, TIFF_DOUBLE, 6, &count);
    if (!scale || !tie)
        return fm_fail_at(p->error, FM_ERR_SYNTAX, p->name, 0,
                          "has no %s: must be a GeoTIFF with ModelPixelScale (33550) and ModelTiepoint (33922)",
                          scale ? "ModelTiepoint" : "ModelPixelScale");
    double half =
        geo_key(p, KEY_RASTER_TYPE, 1) == RASTER_POINT ? 0 : 0.5; /* pixel values stand at the pixel's middle */
    double west = tie[3] + (half - tie[0]) * scale[0], north = tie[4] - (half - tie[1]) * scale[1];
    double south = north - (double)(m->rows - 1) * scale[1];
    if (geo_key(p, KEY_MODEL_TYPE, 1) == MODEL_GEOGRAPHIC) {
        const double degree = M_PI / 180;
        double metre_north, metre_east;
        fm_heightmap_scales(o->origin_latitude, &metre_north, &metre_east);
        m->north = (south * degree - o->origin_latitude) * metre_north;
        m->east = (west * degree - o->origin_longitude) * metre_east;
        m->north_step = scale[1] * degree * metre_north;
        m->east_step = scale[0] * degree * metre_east;
    } else {
        m->north = south - o->origin_northing;
        m->east = west - o->origin_easting;
        m->north_step = scale[1];
        m->east_step = scale[0];
    }
    return FM_OK;
}

/* GDAL writes the value of nodes without data as text. */
static fm_status refuse_no_data(picture *p, const fm_heightmap *m)
{
    uint32_t count;
    const char *text = tag_values(p, NO_DATA, TIFF_ASCII, 1, &count);
    char number[64] = "";
    double value;
    if (!text)
        return FM_OK;
    memcpy(number, text, count < sizeof number ? count : sizeof number - 1);
    if (sscanf(number, "%lf", &value) != 1)
        return FM_OK;
    size_t holes = 0;
    for (size_t i = 0; i < m->rows * m->columns; i++)
        holes += m->depth[i] == -value || isnan(m->depth[i]);
    if (holes)
        return fm_fail_at(p->error, FM_ERR_RANGE, p->name, 0,
                          "%zu nodes have no data (%s): must be a map without holes: cut out a window", holes, number);
    return FM_OK;
}

static fm_status read_all(picture *p, const fm_heightmap_options *options, fm_heightmap *map)
{
    fm_status status = open_picture(p);
    if (status == FM_OK)
        status = read_layout(p);
    if (status == FM_OK)
        status = read_samples(p, map);
    if (status == FM_OK)
        status = place(p, options, map);
    if (status == FM_OK)
        status = fm_heightmap_cut(p->name, options, map, p->error);
    if (status == FM_OK)
        status = refuse_no_data(p, map);
    if (p->tiff)
        TIFFClose(p->tiff);
    return status == FM_OK ? fm_heightmap_check(p->name, map, p->error) : status;
}

fm_status fm_heightmap_parse_tiff(const char *name, const void *data, size_t size, const fm_heightmap_options *options,
                                  fm_heightmap *map, fm_error *error)
{
    picture p = {.name = name, .data = data, .size = size, .error = error};
    *map = (fm_heightmap){0};
    fm_status status = read_all(&p, options, map);
    if (status != FM_OK)
        fm_heightmap_free(map);
    return status;
}
