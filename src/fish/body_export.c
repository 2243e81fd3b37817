/* The fish's mesh as OBJ and glTF 2.0, and its skin as PNG. Both formats have y up and z forward, x to port. */
#include "fish/body.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/outfile.h"
#include "physics/real.h"

static void to_model(const double *frd, float out[3])
{
    out[0] = (float)-frd[1];
    out[1] = (float)-frd[2];
    out[2] = (float)frd[0];
}

void fm_fish_skin_colour(double u, double v, uint8_t rgb[3])
{
    static const double back[3] = {38, 74, 92}, belly[3] = {226, 224, 206}, band[3] = {214, 122, 48};
    double down = 0.5 - 0.5 * fm_cos(2 * FM_PI * v), pale = down * down * (3 - 2 * down);
    double stripes = fm_pow(0.5 + 0.5 * fm_sin(2 * FM_PI * (7 * u + 0.15 * fm_sin(2 * FM_PI * 3 * v))), 6) * (1 - pale);
    double scales = 1 + 0.06 * fm_sin(2 * FM_PI * 90 * u) * fm_sin(2 * FM_PI * 40 * v);
    double du = (u - 0.075) / 0.012, dv = (fmin(v, 1 - v) - 0.19) / 0.035;
    for (int c = 0; c < 3; c++) {
        double value = (back[c] + (belly[c] - back[c]) * pale) * scales;
        value += (band[c] - value) * 0.7 * stripes;
        if (du * du + dv * dv < 1) /* the eyes */
            value = du * du + dv * dv < 0.4 ? 10 : 240;
        rgb[c] = (uint8_t)fmin(fmax(value, 0), 255);
    }
}

typedef struct buffer {
    uint8_t *bytes;
    size_t size, room;
} buffer;

static void png_append(png_structp png, png_bytep data, png_size_t size)
{
    buffer *b = png_get_io_ptr(png);
    if (b->size + size > b->room) {
        size_t room = 2 * b->room + size;
        uint8_t *bigger = fm_realloc(b->bytes, room);
        if (!bigger)
            png_error(png, "out of memory");
        b->bytes = bigger;
        b->room = room;
    }
    memcpy(b->bytes + b->size, data, size);
    b->size += size;
}

static void png_nothing(png_structp png)
{
    (void)png;
}

static void png_quiet(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

/* 0 when libpng failed. All that must survive the long jump lives in *b and row. */
static int write_png(buffer *b, uint8_t *row, int width, int height)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, png_quiet, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, NULL);
        return 0;
    }
    png_set_write_fn(png, b, png_append, png_nothing);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            fm_fish_skin_colour((x + 0.5) / width, (y + 0.5) / height, row + 3 * x);
        png_write_row(png, row);
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return 1;
}

fm_status fm_fish_texture(uint8_t **png, size_t *size, int width, int height, fm_error *error)
{
    if (width < 1 || height < 1 || width > 8192 || height > 8192)
        return fm_fail(error, FM_ERR_RANGE, "a texture of %d x %d pixels: must be 1 to 8192", width, height);
    buffer b = {0};
    uint8_t *row = fm_alloc(3 * (size_t)width);
    int good = row && write_png(&b, row, width, height);
    fm_free(row);
    if (!good) {
        fm_free(b.bytes);
        return fm_fail(error, row ? FM_ERR_LIBRARY : FM_ERR_MEMORY, "the fish's skin texture cannot be made");
    }
    *png = b.bytes;
    *size = b.size;
    return FM_OK;
}

/* Writes bytes to path with another ending. */
static fm_status save_beside(const char *path, const char *ending, const void *bytes, size_t size, fm_error *error)
{
    char name[1024];
    size_t stem = strlen(path);
    if (stem > 4 && strcmp(path + stem - 4, ".obj") == 0)
        stem -= 4;
    if (stem + strlen(ending) >= sizeof name)
        return fm_fail(error, FM_ERR_RANGE, "the path is longer than %zu characters", sizeof name - 8);
    snprintf(name, sizeof name, "%.*s%s", (int)stem, path, ending);
    return fm_outfile_write(name, bytes, size, error);
}

static void write_obj_mesh(const fm_fish_mesh *mesh, FILE *out)
{
    float p[3];
    for (uint32_t i = 0; i < mesh->vertices; i++) {
        to_model(mesh->position + 3 * (size_t)i, p);
        fprintf(out, "v %.7g %.7g %.7g\n", (double)p[0], (double)p[1], (double)p[2]);
    }
    for (uint32_t i = 0; i < mesh->vertices; i++)
        fprintf(out, "vt %.6g %.6g\n", mesh->uv[2 * i], 1 - mesh->uv[2 * i + 1]);
    for (uint32_t i = 0; i < mesh->vertices; i++) {
        to_model(mesh->normal + 3 * (size_t)i, p);
        fprintf(out, "vn %.5f %.5f %.5f\n", (double)p[0], (double)p[1], (double)p[2]);
    }
    for (uint32_t t = 0; t < mesh->triangles; t++) {
        const uint32_t *i = mesh->index + 3 * (size_t)t;
        fprintf(out, "f %u/%u/%u %u/%u/%u %u/%u/%u\n", i[0] + 1, i[0] + 1, i[0] + 1, i[1] + 1, i[1] + 1, i[1] + 1,
                i[2] + 1, i[2] + 1, i[2] + 1);
    }
}

fm_status fm_fish_save_obj(const fm_fish_mesh *mesh, const char *path, const char *texture, fm_error *error)
{
    fm_outfile output;
    fm_status status = fm_outfile_open(&output, path, error);
    if (status != FM_OK)
        return status;
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t stem = strlen(base);
    if (stem > 4 && strcmp(base + stem - 4, ".obj") == 0)
        stem -= 4;
    fprintf(output.file, "# robotic fish, metres; y up, z forward, origin at joint 1\nmtllib %.*s.mtl\nusemtl skin\n",
            (int)stem, base);
    write_obj_mesh(mesh, output.file);
    status = fm_outfile_close(&output, error);
    char material[1400];
    int n = snprintf(material, sizeof material, "newmtl skin\nKd 1 1 1\nKs 0.1 0.1 0.1\nmap_Kd %.1200s\n", texture);
    if (status == FM_OK)
        status = save_beside(path, ".mtl", material, (size_t)n, error);
    return status;
}

static void write_base64(const uint8_t *bytes, size_t size, FILE *out)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t v = (uint32_t)bytes[i] << 16;
        if (i + 1 < size)
            v |= (uint32_t)bytes[i + 1] << 8;
        if (i + 2 < size)
            v |= bytes[i + 2];
        fputc(digit[v >> 18], out);
        fputc(digit[v >> 12 & 63], out);
        fputc(i + 1 < size ? digit[v >> 6 & 63] : '=', out);
        fputc(i + 2 < size ? digit[v & 63] : '=', out);
    }
}

/* Positions, normals, texture coordinates (float), then indices (uint32): the layout the JSON below describes. */
static uint8_t *gltf_buffer(const fm_fish_mesh *mesh, size_t *size, float low[3], float high[3])
{
    size_t n = mesh->vertices;
    *size = n * 32 + (size_t)mesh->triangles * 12;
    uint8_t *bytes = fm_alloc(*size);
    float *position = (float *)(void *)bytes, *normal = position + 3 * n, *uv = normal + 3 * n;
    for (size_t i = 0; bytes && i < n; i++) {
        to_model(mesh->position + 3 * i, position + 3 * i);
        to_model(mesh->normal + 3 * i, normal + 3 * i);
        uv[2 * i] = (float)mesh->uv[2 * i];
        uv[2 * i + 1] = (float)mesh->uv[2 * i + 1];
        for (int c = 0; c < 3; c++) {
            low[c] = i == 0 ? position[c] : (float)fmin(low[c], position[3 * i + (size_t)c]);
            high[c] = i == 0 ? position[c] : (float)fmax(high[c], position[3 * i + (size_t)c]);
        }
    }
    if (bytes)
        memcpy(uv + 2 * n, mesh->index, (size_t)mesh->triangles * 12);
    return bytes;
}

static void write_gltf_head(const fm_fish_mesh *m, FILE *out, const float low[3], const float high[3])
{
    unsigned n = m->vertices, k = 3 * m->triangles;
    fprintf(
        out,
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Fathom\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
        "\"nodes\":[{\"mesh\":0,\"name\":\"fish\"}],\n\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,"
        "\"NORMAL\":1,\"TEXCOORD_0\":2},\"indices\":3,\"material\":0}]}],\n\"materials\":[{\"name\":\"skin\","
        "\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0},\"metallicFactor\":0,\"roughnessFactor\":0.5}}],"
        "\n\"textures\":[{\"source\":0}],\n\"accessors\":[");
    fprintf(out,
            "{\"bufferView\":0,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\",\"min\":[%.9g,%.9g,%.9g],\"max\":"
            "[%.9g,%.9g,%.9g]},",
            n, (double)low[0], (double)low[1], (double)low[2], (double)high[0], (double)high[1], (double)high[2]);
    fprintf(
        out,
        "{\"bufferView\":1,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"},{\"bufferView\":2,"
        "\"componentType\":5126,\"count\":%u,\"type\":\"VEC2\"},{\"bufferView\":3,\"componentType\":5125,\"count\":%u,"
        "\"type\":\"SCALAR\"}],\n",
        n, n, k);
    fprintf(out,
            "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":%u},{\"buffer\":0,\"byteOffset\":%u,"
            "\"byteLength\":%u},{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u},{\"buffer\":0,\"byteOffset\":%u,"
            "\"byteLength\":%u}],\n",
            12 * n, 12 * n, 12 * n, 24 * n, 8 * n, 32 * n, 4 * k);
}

fm_status fm_fish_save_gltf(const fm_fish_mesh *mesh, const char *path, fm_error *error)
{
    size_t size, picture_size = 0;
    float low[3] = {0}, high[3] = {0};
    uint8_t *picture = NULL, *bytes = gltf_buffer(mesh, &size, low, high);
    if (!bytes)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a fish mesh of %u vertices", mesh->vertices);
    fm_status status = fm_fish_texture(&picture, &picture_size, 512, 256, error);
    fm_outfile output;
    if (status == FM_OK)
        status = fm_outfile_open(&output, path, error);
    if (status == FM_OK) {
        FILE *out = output.file;
        write_gltf_head(mesh, out, low, high);
        fputs("\"images\":[{\"mimeType\":\"image/png\",\"uri\":\"data:image/png;base64,", out);
        write_base64(picture, picture_size, out);
        fprintf(out, "\"}],\n\"buffers\":[{\"byteLength\":%zu,\"uri\":\"data:application/octet-stream;base64,", size);
        write_base64(bytes, size, out);
        fputs("\"}]}\n", out);
        status = fm_outfile_close(&output, error);
    }
    fm_free(picture);
    fm_free(bytes);
    return status;
}
