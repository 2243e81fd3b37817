#include "geometry/mesh.h"

#include <string.h>
#include <strings.h>

#include "base/memory.h"

void fm_mesh_free(fm_mesh *mesh)
{
    fm_free(mesh->vertices);
    fm_free(mesh->triangles);
    *mesh = (fm_mesh){0};
}

static fm_status grow(void **array, size_t count, size_t *room, size_t item, fm_error *error)
{
    if (count < *room)
        return FM_OK;
    if (count >= UINT32_MAX / 2)
        return fm_fail(error, FM_ERR_FULL, "a mesh has more than %u vertices or triangles", UINT32_MAX / 2);
    size_t wanted = *room ? *room * 2 : 64;
    void *more = fm_realloc(*array, wanted * item);
    if (!more)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a mesh of %zu vertices or triangles", wanted);
    *array = more;
    *room = wanted;
    return FM_OK;
}

fm_status fm_mesh_add_vertex(fm_mesh_builder *b, const double p[3], fm_error *error)
{
    fm_mesh *m = &b->mesh;
    for (int i = 0; i < 3; i++)
        if (!(fabs(p[i]) <= FM_MESH_REACH))
            return fm_fail(error, FM_ERR_RANGE,
                           "coordinate %d of vertex %zu is %g m: must be finite numbers within ±%g m", i + 1,
                           m->vertex_count + 1, p[i], FM_MESH_REACH);
    void *array = m->vertices;
    fm_status status = grow(&array, m->vertex_count, &b->vertex_room, sizeof *m->vertices, error);
    m->vertices = array;
    if (status == FM_OK)
        memcpy(m->vertices[m->vertex_count++], p, sizeof *m->vertices);
    return status;
}

fm_status fm_mesh_add_triangle(fm_mesh_builder *b, uint32_t i, uint32_t j, uint32_t k, fm_error *error)
{
    fm_mesh *m = &b->mesh;
    void *array = m->triangles;
    fm_status status = grow(&array, m->triangle_count, &b->triangle_room, sizeof *m->triangles, error);
    m->triangles = array;
    if (status == FM_OK) {
        uint32_t *t = m->triangles[m->triangle_count++];
        t[0] = i;
        t[1] = j;
        t[2] = k;
    }
    return status;
}

/* Without area: twice the area is below 1e-14 of the longest edge squared. */
static bool is_degenerate(const fm_mesh *m, const uint32_t t[3])
{
    fm_d3 a = fm_d3_of(m->vertices[t[0]]), b = fm_d3_of(m->vertices[t[1]]), c = fm_d3_of(m->vertices[t[2]]);
    fm_d3 ab = fm_d3_sub(b, a), ac = fm_d3_sub(c, a), bc = fm_d3_sub(c, b);
    double longest = fmax(fm_d3_dot(ab, ab), fmax(fm_d3_dot(ac, ac), fm_d3_dot(bc, bc)));
    return !(fm_d3_norm(fm_d3_cross(ab, ac)) > 1e-14 * longest);
}

fm_status fm_mesh_finish(fm_mesh_builder *b, const char *name, fm_mesh *mesh, fm_error *error)
{
    fm_mesh *m = &b->mesh;
    size_t kept = 0;
    for (size_t i = 0; i < m->triangle_count; i++)
        if (!is_degenerate(m, m->triangles[i]))
            memmove(m->triangles[kept++], m->triangles[i], sizeof *m->triangles);
    m->degenerate_count += m->triangle_count - kept;
    m->triangle_count = kept;
    if (kept == 0)
        return fm_fail_at(error, FM_ERR_MODEL, name, 0, "has no triangle with an area (%zu without): must be 1 or more",
                          m->degenerate_count);
    *mesh = *m;
    *b = (fm_mesh_builder){0};
    return FM_OK;
}

static uint64_t hash_point(const double p[3])
{
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 3; i++) {
        double x = p[i] + 0.0; /* −0 is 0 */
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        h = (h ^ bits) * 0xbf58476d1ce4e5b9u;
        h ^= h >> 29;
    }
    return h;
}

static bool same_point(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

fm_status fm_mesh_weld(fm_mesh *m, fm_error *error)
{
    size_t slots = 16, kept = 0;
    while (slots < 2 * m->vertex_count)
        slots *= 2;
    uint32_t *table = fm_alloc(slots * sizeof *table); /* new index + 1; 0 is free */
    uint32_t *renamed = fm_alloc(m->vertex_count * sizeof *renamed);
    if (!table || !renamed) {
        fm_free(table);
        fm_free(renamed);
        return fm_fail(error, FM_ERR_MEMORY, "no memory to weld %zu vertices", m->vertex_count);
    }
    for (size_t i = 0; i < m->vertex_count; i++) {
        size_t slot = hash_point(m->vertices[i]) & (slots - 1);
        while (table[slot] && !same_point(m->vertices[table[slot] - 1], m->vertices[i]))
            slot = (slot + 1) & (slots - 1);
        if (!table[slot]) {
            memmove(m->vertices[kept], m->vertices[i], sizeof *m->vertices);
            table[slot] = (uint32_t)++kept;
        }
        renamed[i] = table[slot] - 1;
    }
    for (size_t i = 0; i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            m->triangles[i][k] = renamed[m->triangles[i][k]];
    m->vertex_count = kept;
    fm_free(table);
    fm_free(renamed);
    return FM_OK;
}

void fm_mesh_transform(fm_mesh *mesh, const double scale[3], const double position[3], const double quaternion[4])
{
    fm_shape frame = fm_shape_plane();
    fm_shape_place(&frame, position, quaternion);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double *v = mesh->vertices[i];
        fm_d3 p = {scale[0] * v[0], scale[1] * v[1], scale[2] * v[2]};
        fm_d3_store(fm_d3_add(fm_d3_of(position), fm_d3_rotate(frame.rotation, p)), v);
    }
    if (scale[0] * scale[1] * scale[2] < 0) /* mirrored: keep the outside outside */
        for (size_t i = 0; i < mesh->triangle_count; i++) {
            uint32_t swap = mesh->triangles[i][1];
            mesh->triangles[i][1] = mesh->triangles[i][2];
            mesh->triangles[i][2] = swap;
        }
}

void fm_mesh_aabb(const fm_mesh *mesh, fm_aabb *out)
{
    for (int k = 0; k < 3; k++) {
        out->low[k] = INFINITY;
        out->high[k] = -INFINITY;
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            out->low[k] = fmin(out->low[k], mesh->vertices[i][k]);
            out->high[k] = fmax(out->high[k], mesh->vertices[i][k]);
        }
    }
}

static bool ends_with(const char *text, const char *ending)
{
    size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcasecmp(text + n - m, ending) == 0;
}

fm_status fm_mesh_read(const char *path, fm_mesh *mesh, fm_error *error)
{
    if (ends_with(path, ".obj"))
        return fm_mesh_read_obj(path, mesh, error);
    if (ends_with(path, ".stl"))
        return fm_mesh_read_stl(path, mesh, error);
    return fm_fail_at(error, FM_ERR_NAME, path, 0, "is not a mesh by its name: must be .obj or .stl");
}
