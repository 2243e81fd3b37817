/* Rays: the first hit of a beam, and its distance.
 *
 * A scene contains all fixed objects: triangle meshes in Embree (single precision, only to find the triangle; the hit
 * is solved again with the triangle's own double vertices) and analytic shapes, solved exactly in double. Moving bodies
 * are given with each call. A scene is constant after creation: any number of threads may cast at once.
 *
 * What is defined:
 * - Directions need not be unit vectors, distances are in metres. A zero or non-finite direction or origin meets
 * nothing.
 * - Hits lie at 0 ≤ distance ≤ max_range (a negative or NaN max_range meets nothing; infinity is fine).
 * - A ray that starts strictly inside a shape hits it at distance 0 with `inside` set, normal against the ray,
 * cosine 1. On its surface, a ray that enters hits at 0, one that leaves or slides along does not hit.
 * - A ray that only touches a shape hits it (cosine 0 on smooth shapes).
 * - Meshes are sheets, seen from both sides; the normal is turned towards the ray's origin.
 * - At the same distance, meshes win over fixed shapes, those over moving bodies, then the earlier in its list.
 * - The same ray gives the same bits alone and among others, on one machine. (Sheets closer together than single
 *   precision resolves, about 4e-7 of the distance, are the exception.) */
#ifndef FM_GEOMETRY_RAYS_H
#define FM_GEOMETRY_RAYS_H

#include "geometry/distance.h"
#include "geometry/mesh.h"

#define FM_RAY_NOBODY UINT32_MAX /* body of a miss; as `exclude`: nothing is excluded */

typedef struct fm_ray_mesh {
    const fm_mesh *mesh;     /* must outlive the scene */
    uint32_t material, body; /* ids handed through to the hits */
} fm_ray_mesh;

typedef struct fm_ray_body {
    fm_shape shape;
    uint32_t body; /* several shapes may belong to one body */
} fm_ray_body;

typedef struct fm_ray_static {
    const fm_ray_mesh *meshes;
    size_t mesh_count;
    const fm_ray_body *shapes;
    size_t shape_count;
} fm_ray_static;

typedef struct fm_ray_hit {
    double distance;   /* m; infinite: nothing was met */
    double normal[3];  /* unit, world, towards the ray's side; zero when nothing was met */
    double cosine;     /* of the angle between −direction and normal, 0 … 1 */
    uint32_t material; /* of the shape or mesh */
    uint32_t body;     /* FM_RAY_NOBODY when nothing was met */
    uint32_t triangle; /* of the mesh; UINT32_MAX for shapes */
    uint32_t inside;   /* 1: the ray starts inside the body */
} fm_ray_hit;

typedef struct fm_ray_scene fm_ray_scene;

/* Copies the lists (not the meshes and hull points). NULL and *error on bad shapes, lack of memory or Embree's refusal.
 */
fm_ray_scene *fm_ray_scene_create(const fm_ray_static *what, fm_error *error);
void fm_ray_scene_free(fm_ray_scene *scene);

/* One hit for each ray. Shapes whose body is `exclude` are not seen (a vehicle does not see itself). */
void fm_rays_cast(const fm_ray_scene *scene, const fm_ray_body *moving, size_t moving_count, size_t rays,
                  const double origin[][3], const double direction[][3], double max_range, uint32_t exclude,
                  fm_ray_hit *hits);

/* Meets more moving bodies, after those that the hits are of: as if they followed these in one list. */
void fm_rays_meet(const fm_ray_scene *scene, const fm_ray_body *moving, size_t moving_count, size_t rays,
                  const double origin[][3], const double direction[][3], double max_range, uint32_t exclude,
                  fm_ray_hit *hits);

/* Bare Embree, for benchmarks: rays packed once, cast in single precision, nothing refined. Returns how many hit. */
typedef struct fm_rays_bare fm_rays_bare;
fm_rays_bare *fm_rays_bare_create(const fm_ray_scene *scene, size_t rays, const double origin[][3],
                                  const double direction[][3], fm_error *error);
size_t fm_rays_bare_cast(fm_rays_bare *bare);
void fm_rays_bare_free(fm_rays_bare *bare);

#endif
