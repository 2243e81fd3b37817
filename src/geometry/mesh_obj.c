#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/file.h"
#include "geometry/mesh.h"
#include "geometry/mesh_text.h"

static const char *const PASSED_OVER[] = {"vt", "vn", "vp", "g", "o", "s", "l", "p", "usemtl", "mtllib", NULL};

static fm_status read_vertex(fm_mesh_text *text, fm_mesh_builder *b, fm_error *error)
{
    static const char *const names[] = {"x of a vertex", "y of a vertex", "z of a vertex"};
    double p[3];
    for (int i = 0; i < 3; i++) {
        fm_status status = fm_mesh_text_number(text, names[i], &p[i], error);
        if (status != FM_OK)
            return status;
    }
    return fm_mesh_add_vertex(b, p, error);
}

/* "7", "7/1", "7//2", "-1/…" → vertex index from 0. */
static fm_status read_corner(const fm_mesh_text *text, const char *word, size_t vertex_count, uint32_t *out,
                             fm_error *error)
{
    char *end, shown[FM_WORD_SIZE];
    long index = strtol(word, &end, 10);
    fm_mesh_text_printable(word, shown);
    if (end == word || (*end != '\0' && *end != '/'))
        return fm_fail_at(error, FM_ERR_SYNTAX, text->name, text->line,
                          "corner of a face: '%s' is invalid: must be indices like 7, 7/1, 7//2 or -1", shown);
    long count = (long)vertex_count, entry = index < 0 ? count + index : index - 1;
    if (index == 0 || entry < 0 || entry >= count)
        return fm_fail_at(
            error, FM_ERR_RANGE, text->name, text->line,
            "corner of a face: vertex %ld is out of range: must be 1 to %ld or -%ld to -1 (vertices so far)", index,
            count, count);
    *out = (uint32_t)entry;
    return FM_OK;
}

static fm_status read_face(fm_mesh_text *text, fm_mesh_builder *b, fm_error *error)
{
    char word[FM_WORD_SIZE];
    uint32_t first = 0, last = 0, corner = 0;
    int corners = 0;
    while (fm_mesh_text_word(text, word) && word[0] != '#') {
        fm_status status = read_corner(text, word, b->mesh.vertex_count, &corner, error);
        if (status == FM_OK && corners >= 2)
            status = fm_mesh_add_triangle(b, first, last, corner, error);
        if (status != FM_OK)
            return status;
        if (corners++ == 0)
            first = corner;
        last = corner;
    }
    if (corners < 3)
        return fm_fail_at(error, FM_ERR_SYNTAX, text->name, text->line, "a face: %d corners given: must be 3 or more",
                          corners);
    return FM_OK;
}

static bool is_passed_over(const char *word)
{
    for (int i = 0; PASSED_OVER[i]; i++)
        if (strcmp(word, PASSED_OVER[i]) == 0)
            return true;
    return false;
}

static fm_status read_line(fm_mesh_text *text, fm_mesh_builder *b, fm_error *error)
{
    char word[FM_WORD_SIZE], shown[FM_WORD_SIZE];
    if (!fm_mesh_text_word(text, word) || word[0] == '#' || is_passed_over(word))
        return FM_OK;
    if (strcmp(word, "v") == 0)
        return read_vertex(text, b, error);
    if (strcmp(word, "f") == 0)
        return read_face(text, b, error);
    fm_mesh_text_printable(word, shown);
    return fm_fail_at(error, FM_ERR_SYNTAX, text->name, text->line,
                      "'%s' is invalid: must be v, f, #, vt, vn, vp, g, o, s, l, p, usemtl and mtllib", shown);
}

fm_status fm_mesh_parse_obj(const char *name, const void *data, size_t size, fm_mesh *mesh, fm_error *error)
{
    fm_mesh_text text;
    fm_mesh_builder builder = {0};
    *mesh = (fm_mesh){0};
    fm_status status = fm_mesh_text_open(&text, name, data, size, error);
    do {
        if (status == FM_OK)
            status = read_line(&text, &builder, error);
    } while (status == FM_OK && fm_mesh_text_next_line(&text));
    fm_mesh_text_close(&text);
    if (status != FM_OK)
        fm_mesh_text_locate(&text, error);
    else
        status = fm_mesh_finish(&builder, name, mesh, error);
    if (status != FM_OK)
        fm_mesh_free(&builder.mesh);
    return status;
}

fm_status fm_mesh_read_obj(const char *path, fm_mesh *mesh, fm_error *error)
{
    char *data;
    size_t size;
    *mesh = (fm_mesh){0};
    fm_status status = fm_geometry_file(path, &data, &size, error);
    if (status == FM_OK)
        status = fm_mesh_parse_obj(path, data, size, mesh, error);
    fm_free(data);
    return status;
}
