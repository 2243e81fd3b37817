/* libFuzzer target: the STL reader takes any bytes and either gives a sound mesh or says why not. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geometry/mesh.h"

static void check(const fm_mesh *mesh)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_mesh mesh;
    fm_error error = {0};
    long before = fm_alloc_live();
    if (fm_mesh_parse_stl("fuzz.stl", data, size, &mesh, &error) == FM_OK)
        check(&mesh);
    else if (error.text[0] == '\0' || mesh.vertices)
        abort();
    fm_mesh_free(&mesh);
    if (fm_alloc_live() != before)
        abort();
    return 0;
}
