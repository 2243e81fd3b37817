/* Convex shapes with a pose in the world (NED, metres): what bodies, walls and obstacles are made of.
 *
 * A shape has its own local frame; `rotation` takes local axes to the world's. Cylinders and capsules lie along their
 * local z axis unless `axis` says otherwise (0: x, 1: y, 2: z), so that a column stands and a hull along x needs no
 * turning. A plane is a half-space: solid where local z ≥ 0, so an unrotated plane is a flat sea floor at its depth. */
#ifndef FM_GEOMETRY_SHAPE_H
#define FM_GEOMETRY_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/d3.h"

typedef enum fm_shape_kind {
    FM_SHAPE_SPHERE,    /* size: radius */
    FM_SHAPE_BOX,       /* size: half length along x, y, z */
    FM_SHAPE_CYLINDER,  /* size: radius, half length along `axis` */
    FM_SHAPE_CAPSULE,   /* size: radius, half length of the core segment along `axis` (half total length − radius) */
    FM_SHAPE_ELLIPSOID, /* size: semi-axes along x, y, z (a spheroid has two equal ones) */
    FM_SHAPE_HULL,      /* convex hull of `points`; size: radius of a ball about the local origin that contains them */
    FM_SHAPE_PLANE      /* half-space, solid where local z ≥ 0 */
} fm_shape_kind;

/* Material of a surface for ray instruments. Materials are stored in a table; shapes and meshes refer to a row. */
typedef struct fm_material {
    char name[32];
    double reflectivity; /* 0 … 1, amplitude at normal incidence */
    double colour[3];    /* red, green, blue, 0 … 1 */
} fm_material;

typedef struct fm_shape {
    fm_shape_kind kind;
    int axis;                  /* 0, 1, 2: local axis of a cylinder or capsule */
    uint32_t material;         /* row of the material table */
    uint32_t point_count;      /* of a hull */
    double size[3];            /* m, see fm_shape_kind */
    const double (*points)[3]; /* m, local frame; of a hull; held by the caller */
    double position[3];        /* m, NED: the local origin */
    double quaternion[4];      /* w x y z, local to world */
    double rotation[9];        /* the same as a matrix, row by row */
} fm_shape;

typedef struct fm_aabb {
    double low[3], high[3]; /* m, NED */
} fm_aabb;

/* Shapes at the origin, unrotated. All lengths in metres. */
fm_shape fm_shape_sphere(double radius);
fm_shape fm_shape_box(double half_x, double half_y, double half_z);
fm_shape fm_shape_cylinder(double radius, double half_length, int axis);
fm_shape fm_shape_capsule(double radius, double half_length, int axis);
fm_shape fm_shape_ellipsoid(double a, double b, double c);
fm_shape fm_shape_hull(const double (*points)[3], size_t count);
fm_shape fm_shape_plane(void);
/* A half-space whose surface goes through `point` and whose outward normal (into the water) is `outward`. */
fm_shape fm_shape_wall(const double point[3], const double outward[3]);

/* Finite positive sizes, axis 0 … 2, a hull with 1 or more finite points. */
fm_status fm_shape_check(const fm_shape *shape, fm_error *error);

/* Sets the pose of the shape; the quaternion (w x y z) is normalised, a zero one is no rotation. */
void fm_shape_place(fm_shape *shape, const double position[3], const double quaternion[4]);
/* Puts `local`, given in a body's frame, into the world where the body is at position and quaternion. */
fm_shape fm_shape_carried(const fm_shape *local, const double position[3], const double quaternion[4]);

/* World point farthest along `direction` (any length but zero). Not for planes. */
void fm_shape_support(const fm_shape *shape, const double direction[3], double out[3]);
/* A shape is its core with a margin around it: spheres and capsules have a point and a segment as core. */
double fm_shape_margin(const fm_shape *shape);
fm_d3 fm_shape_core_support(const fm_shape *shape, fm_d3 direction);

/* Bounds. A plane's reach to infinity. */
void fm_shape_aabb(const fm_shape *shape, fm_aabb *out);
double fm_shape_bounding_radius(const fm_shape *shape); /* m, about position; infinite for a plane */
/* Whether a world point lies strictly inside. Hulls: decided by GJK to 1e-12 of their size. */
bool fm_shape_contains(const fm_shape *shape, const double point[3]);
/* Outward unit normal (local −z) of a plane in the world. */
fm_d3 fm_shape_plane_normal(const fm_shape *plane);

/* The part of a ray inside a solid: enter … leave along the unit direction, and the outward normal where it enters.
 * A ray that only touches has enter == leave. Exact in double for all shapes but hulls (those: see shape_rays.c). */
typedef struct fm_ray_span {
    double enter, leave; /* m; may be negative (behind the origin) or infinite (planes) */
    fm_d3 normal;        /* outward, world, at `enter` */
} fm_ray_span;

bool fm_shape_ray(const fm_shape *shape, const double origin[3], const double direction[3], fm_ray_span *span);

#endif
