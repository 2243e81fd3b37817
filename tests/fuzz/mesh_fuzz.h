/* A mesh reader under fire: any bytes give a sound mesh or a reason why not, and nothing leaks. */
#ifndef TESTS_FUZZ_MESH_FUZZ_H
#define TESTS_FUZZ_MESH_FUZZ_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geometry/mesh.h"

static inline void check_mesh(const fm_mesh *mesh)
{
    if (mesh->triangle_count == 0)
        abort();
    for (size_t i = 0; i < mesh->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(mesh->vertices[i][k]))
                abort();
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            if (mesh->triangles[i][k] >= mesh->vertex_count)
                abort();
}

typedef fm_status mesh_parser(const char *name, const void *data, size_t size, fm_mesh *mesh, fm_error *error);

static inline int fuzz_mesh(mesh_parser *parse, const uint8_t *data, size_t size)
{
    fm_mesh mesh;
    fm_error error = {0};
    long before = fm_alloc_live();
    if (parse("fuzz", data, size, &mesh, &error) == FM_OK)
        check_mesh(&mesh);
    else if (error.text[0] == '\0' || mesh.vertices)
        abort();
    fm_mesh_free(&mesh);
    if (fm_alloc_live() != before)
        abort();
    return 0;
}

#endif
