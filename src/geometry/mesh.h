/* Indexed triangle meshes and their files.
 *
 * Readers take coordinates as they are in the file (metres; move, turn or scale with fm_mesh_transform). They accept
 * finite coordinates up to FM_MESH_REACH, drop and count triangles without area, and allocate no more than a small
 * multiple of the file's size. The *_parse variants read from memory; `name` stands for the file in errors. */
#ifndef FM_GEOMETRY_MESH_H
#define FM_GEOMETRY_MESH_H

#include "geometry/shape.h"

#define FM_MESH_REACH 1e8 /* m, largest accepted coordinate */

typedef struct fm_mesh {
    double (*vertices)[3];    /* m */
    uint32_t (*triangles)[3]; /* indices of vertices, anticlockwise seen from outside */
    size_t vertex_count, triangle_count;
    size_t degenerate_count; /* triangles without area that were left out */
} fm_mesh;

void fm_mesh_free(fm_mesh *mesh);

/* OBJ: v and f (any polygon, as a fan; indices from 1 or from the end); vt vn vp g o s l p usemtl mtllib are skipped.
 * STL: binary or ASCII; equal corners become one vertex. */
fm_status fm_mesh_read_obj(const char *path, fm_mesh *mesh, fm_error *error);
fm_status fm_mesh_parse_obj(const char *name, const void *data, size_t size, fm_mesh *mesh, fm_error *error);
fm_status fm_mesh_read_stl(const char *path, fm_mesh *mesh, fm_error *error);
fm_status fm_mesh_parse_stl(const char *name, const void *data, size_t size, fm_mesh *mesh, fm_error *error);
/* By the ending of the name, .obj or .stl in any case. */
fm_status fm_mesh_read(const char *path, fm_mesh *mesh, fm_error *error);

/* p ← position + R(quaternion) (scale · p), quaternion w x y z. */
void fm_mesh_transform(fm_mesh *mesh, const double scale[3], const double position[3], const double quaternion[4]);
void fm_mesh_aabb(const fm_mesh *mesh, fm_aabb *out);

/* Building, for readers: start from zero bytes, then vertices and triangles in any order, then fm_mesh_finish. */
typedef struct fm_mesh_builder {
    fm_mesh mesh;
    size_t vertex_room, triangle_room;
} fm_mesh_builder;

fm_status fm_mesh_add_vertex(fm_mesh_builder *builder, const double p[3], fm_error *error);
fm_status fm_mesh_add_triangle(fm_mesh_builder *builder, uint32_t a, uint32_t b, uint32_t c, fm_error *error);
/* Drops degenerate triangles and returns the mesh; FM_ERR_MODEL if none is left. On failure call fm_mesh_free on
 * builder->mesh. */
fm_status fm_mesh_finish(fm_mesh_builder *builder, const char *name, fm_mesh *mesh, fm_error *error);
/* Makes vertices with the same coordinates one. */
fm_status fm_mesh_weld(fm_mesh *mesh, fm_error *error);

#endif
