#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/file.h"
#include "geometry/mesh.h"
#include "geometry/mesh_text.h"

enum { HEADER = 84, RECORD = 50 }; /* bytes: text and count; normal, three corners, attribute */

static uint32_t little_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static double little_float(const unsigned char *p)
{
    uint32_t bits = little_u32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static fm_status add_corners(fm_mesh_builder *b, double corners[3][3], fm_error *error)
{
    uint32_t first = (uint32_t)b->mesh.vertex_count;
    for (int i = 0; i < 3; i++) {
        fm_status status = fm_mesh_add_vertex(b, corners[i], error);
        if (status != FM_OK)
            return status;
    }
    return fm_mesh_add_triangle(b, first, first + 1, first + 2, error);
}

static fm_status read_binary(const char *name, const unsigned char *data, size_t size, fm_mesh_builder *b,
                             fm_error *error)
{
    size_t count = little_u32(data + 80), here = (size - HEADER) / RECORD;
    if (size != HEADER + count * RECORD)
        return fm_fail_at(error, FM_ERR_SYNTAX, name, 0,
                          "binary STL: a count of %zu triangles and space for %zu in %zu bytes: must be 84 + 50 n "
                          "bytes for n triangles",
                          count, here, size);
    for (size_t i = 0; i < count; i++) {
        const unsigned char *record = data + HEADER + i * RECORD + 12;
        double corners[3][3];
        for (size_t k = 0; k < 9; k++)
            corners[k / 3][k % 3] = little_float(record + 4 * k);
        fm_status status = add_corners(b, corners, error);
        if (status != FM_OK) {
            char text[sizeof error->text];
            snprintf(text, sizeof text, "%s", error ? error->text : "");
            return fm_fail_at(error, status, name, 0, "triangle %zu: %.700s", i + 1, text);
        }
    }
    return FM_OK;
}

/* The next word anywhere below must be `wanted`. */
static fm_status expect(fm_mesh_text *text, const char *wanted, fm_error *error)
{
    char word[FM_WORD_SIZE], shown[FM_WORD_SIZE];
    while (!fm_mesh_text_word(text, word))
        if (!fm_mesh_text_next_line(text))
            return fm_fail_at(error, FM_ERR_SYNTAX, text->name, text->line, "unexpected end of the file: must be '%s'",
                              wanted);
    if (strcmp(word, wanted) == 0)
        return FM_OK;
    fm_mesh_text_printable(word, shown);
    return fm_fail_at(error, FM_ERR_SYNTAX, text->name, text->line, "'%s' is invalid: must be '%s'", shown, wanted);
}

static fm_status read_corner(fm_mesh_text *text, const char *const words[], const char *what, double out[3],
                             fm_error *error)
{
    fm_status status = FM_OK;
    for (int i = 0; words[i] && status == FM_OK; i++)
        status = expect(text, words[i], error);
    for (int i = 0; i < 3 && status == FM_OK; i++)
        status = fm_mesh_text_number(text, what, &out[i], error);
    return status;
}

/* What follows the word "facet". */
static fm_status read_facet(fm_mesh_text *text, fm_mesh_builder *b, fm_error *error)
{
    static const char *const normal[] = {"normal", NULL}, *const vertex[] = {"vertex", NULL};
    static const char *const open[] = {"outer", "loop", NULL}, *const close[] = {"endloop", "endfacet", NULL};
    double unused[3], corners[3][3];
    fm_status status = read_corner(text, normal, "normal of a facet", unused, error);
    for (int i = 0; open[i] && status == FM_OK; i++)
        status = expect(text, open[i], error);
    for (int i = 0; i < 3 && status == FM_OK; i++)
        status = read_corner(text, vertex, "vertex of a facet", corners[i], error);
    for (int i = 0; close[i] && status == FM_OK; i++)
        status = expect(text, close[i], error);
    return status == FM_OK ? add_corners(b, corners, error) : status;
}

/* solid NAME / facet … endfacet / endsolid, once or more. */
static fm_status read_ascii(fm_mesh_text *text, fm_mesh_builder *b, fm_error *error)
{
    char word[FM_WORD_SIZE], shown[FM_WORD_SIZE];
    bool open = false;
    do {
        while (fm_mesh_text_word(text, word)) {
            fm_status status = FM_OK;
            if (strcmp(word, open ? "endsolid" : "solid") == 0) {
                open = !open;
                break; /* the rest of the line is a name */
            }
            fm_mesh_text_printable(word, shown);
            if (open && strcmp(word, "facet") == 0)
                status = read_facet(text, b, error);
            else
                status = fm_fail_at(error, FM_ERR_SYNTAX, text->name, text->line, "'%s' is invalid: must be %s", shown,
                                    open ? "are 'facet' and 'endsolid'" : "is 'solid'");
            if (status != FM_OK)
                return status;
        }
    } while (fm_mesh_text_next_line(text));
    if (open)
        return fm_fail_at(error, FM_ERR_SYNTAX, text->name, text->line,
                          "unexpected end of the file: must be 'endsolid'");
    return FM_OK;
}

static bool is_ascii(const char *data, size_t size)
{
    size_t i = 0;
    while (i < size && strchr(" \t\r\n", data[i]) && data[i])
        i++;
    return size - i >= 5 && memcmp(data + i, "solid", 5) == 0;
}

/* Many binary files begin with "solid" too: a size that fits the count decides. */
static bool is_binary(const unsigned char *data, size_t size)
{
    return size >= HEADER && size == HEADER + (size_t)little_u32(data + 80) * RECORD;
}

static fm_status parse(const char *name, const void *data, size_t size, fm_mesh_builder *b, fm_error *error)
{
    if (is_binary(data, size))
        return read_binary(name, data, size, b, error);
    if (is_ascii(data, size)) {
        fm_mesh_text text;
        fm_status status = fm_mesh_text_open(&text, name, data, size, error);
        if (status == FM_OK)
            status = read_ascii(&text, b, error);
        if (status != FM_OK)
            fm_mesh_text_locate(&text, error);
        fm_mesh_text_close(&text);
        return status;
    }
    if (size < HEADER)
        return fm_fail_at(
            error, FM_ERR_SYNTAX, name, 0,
            "%zu bytes that do not begin with 'solid': must be ASCII STL or binary STL of 84 bytes or more", size);
    return read_binary(name, data, size, b, error); /* says what is wrong with the size */
}

fm_status fm_mesh_parse_stl(const char *name, const void *data, size_t size, fm_mesh *mesh, fm_error *error)
{
    fm_mesh_builder builder = {0};
    *mesh = (fm_mesh){0};
    fm_status status = parse(name, data, size, &builder, error);
    if (status == FM_OK && builder.mesh.vertex_count > 0)
        status = fm_mesh_weld(&builder.mesh, error);
    if (status == FM_OK)
        status = fm_mesh_finish(&builder, name, mesh, error);
    if (status != FM_OK)
        fm_mesh_free(&builder.mesh);
    return status;
}

fm_status fm_mesh_read_stl(const char *path, fm_mesh *mesh, fm_error *error)
{
    char *data;
    size_t size;
    *mesh = (fm_mesh){0};
    fm_status status = fm_geometry_file(path, &data, &size, error);
    if (status == FM_OK)
        status = fm_mesh_parse_stl(path, data, size, mesh, error);
    fm_free(data);
    return status;
}
