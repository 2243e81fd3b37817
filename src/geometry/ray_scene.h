/* Internals of a ray scene, shared by rays.c, ray_scene.c and ray_triangles.c. */
#ifndef FM_GEOMETRY_RAY_SCENE_H
#define FM_GEOMETRY_RAY_SCENE_H

#include <embree3/rtcore.h>

#include "geometry/rays.h"

enum { FM_RAY_BLOCK = 64 }; /* rays worked on together */

/* The plane of a triangle, about the scene's centre: n·p = offset. |n| is the largest power of two (m) not above the
 * triangle's least height, so that n·d is no more than that height as the ray sees it. 32 bytes: one cache line serves
 * a hit. */
typedef struct fm_ray_plane {
    double normal[3], offset;
} fm_ray_plane;

struct fm_ray_scene {
    RTCDevice device;
    RTCScene scene;      /* NULL: no meshes */
    double centre[3];    /* m: Embree's coordinates are relative to it, which keeps the float errors small */
    double extent;       /* m: largest coordinate about the centre */
    int packet;          /* rays Embree takes at once: 16, 8 or 1 */
    fm_ray_mesh *meshes; /* geometry id = index */
    size_t mesh_count;
    void *plane_memory;    /* as allocated */
    fm_ray_plane **planes; /* planes[mesh][triangle] */
    fm_ray_body *shapes;
    size_t shape_count;
};

/* A prepared ray: unit direction, and its hit so far. */
typedef struct fm_ready_ray {
    fm_d3 origin, direction;
    double limit; /* m: max_range; below 0: this ray has no hit */
    fm_d3 local;  /* m: origin about the scene's centre */
    double bulk;  /* m: |local.x| + |local.y| + |local.z|, the scale of its float errors */
} fm_ready_ray;

/* Intersects the meshes: sets hits[i] for each of 1 … FM_RAY_BLOCK rays. */
void fm_rays_meet_meshes(const fm_ray_scene *scene, size_t count, const fm_ready_ray *rays, fm_ray_hit *hits);

/* Ray against one triangle in double (Möller–Trumbore): false for parallel rays. u, v, w are the weights of the
 * corners. */
typedef struct fm_triangle_hit {
    double t, u, v, w; /* m along the ray; weights, all ≥ 0 inside */
} fm_triangle_hit;
bool fm_ray_triangle(fm_d3 origin, fm_d3 direction, fm_d3 a, fm_d3 b, fm_d3 c, fm_triangle_hit *out);

#endif
