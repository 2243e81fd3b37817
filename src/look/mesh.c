/* Drawings of vehicles from files: triangles of OBJ and STL; glTF unchanged. */
#include <string.h>
#include <strings.h>

#include "geometry/file.h"
#include "geometry/mesh.h"
#include "look/build.h"

enum { BYTES_MOST = 8 << 20 };

static int ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcasecmp(path + n - m, ending) == 0;
}

static uint32_t word_at(const char *data)
{
    const unsigned char *c = (const unsigned char *)data;
    return (uint32_t)c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
}

/* The header of a .glb: magic, version 2, length of the file. The page reads its contents. */
static fm_status take_gltf(fm_builder *b, const fm_node *node, const char *data, size_t size, fm_look_mesh *mesh)
{
    if (size < 20 || word_at(data) != 0x46546c67u || word_at(data + 4) != 2 || word_at(data + 8) != size)
        return fm_node_fail(node, "mesh", b->report, FM_ERR_SYNTAX,
                            "%s is not a binary glTF file of version 2 with the length in its header", mesh->name);
    uint8_t *copy = fm_build_alloc(b, size);
    if (!copy)
        return FM_ERR_MEMORY;
    memcpy(copy, data, size);
    mesh->data = copy;
    mesh->size = size;
    return FM_OK;
}

static fm_status take_triangles(fm_builder *b, const fm_mesh *from, fm_look_mesh *mesh)
{
    float *vertices = fm_build_alloc(b, 3 * from->vertex_count * sizeof *vertices);
    uint32_t *triangles = fm_build_alloc(b, 3 * from->triangle_count * sizeof *triangles);
    if (!vertices || !triangles)
        return FM_ERR_MEMORY;
    for (size_t i = 0; i < from->vertex_count; i++)
        for (size_t k = 0; k < 3; k++)
            vertices[3 * i + k] = (float)from->vertices[i][k];
    memcpy(triangles, from->triangles, 3 * from->triangle_count * sizeof *triangles);
    mesh->vertices = vertices;
    mesh->triangles = triangles;
    mesh->vertex_count = from->vertex_count;
    mesh->triangle_count = from->triangle_count;
    return FM_OK;
}

static fm_status parse(fm_builder *b, const fm_node *node, const char *data, size_t size, fm_look_mesh *mesh)
{
    fm_mesh read = {0};
    fm_error error = {0};
    if (size > BYTES_MOST)
        return fm_node_fail(node, "mesh", b->report, FM_ERR_RANGE, "%s has %zu bytes: must be at most %d", mesh->name,
                            size, BYTES_MOST);
    if (ends_with(mesh->name, ".glb"))
        return take_gltf(b, node, data, size, mesh);
    fm_status status = ends_with(mesh->name, ".obj") ? fm_mesh_parse_obj(mesh->name, data, size, &read, &error)
                                                     : fm_mesh_parse_stl(mesh->name, data, size, &read, &error);
    status = status == FM_OK ? take_triangles(b, &read, mesh) : fm_build_report(b, node, status, &error);
    fm_mesh_free(&read);
    return status;
}

fm_status fm_look_read_mesh(fm_builder *b, const fm_node *node, const char *path, const fm_look_mesh **mesh)
{
    fm_error error = {0};
    char *data = NULL;
    size_t size = 0;
    if (!ends_with(path, ".glb") && !ends_with(path, ".obj") && !ends_with(path, ".stl"))
        return fm_node_fail(node, "mesh", b->report, FM_ERR_RANGE, "'%s' is invalid: must be .glb, .obj or .stl", path);
    fm_look_mesh *out = fm_build_alloc(b, sizeof *out);
    if (!out)
        return FM_ERR_MEMORY;
    *out = (fm_look_mesh){.name = path};
    *mesh = out;
    fm_status status = fm_geometry_file(path, &data, &size, &error);
    if (status != FM_OK)
        return fm_build_report(b, node, status, &error);
    status = parse(b, node, data, size, out);
    fm_free(data);
    return status;
}
