/* The fish's body from traverse points: eight sections of six points and three fins of two four-point splines.
 *
 * A section's points A-F stand at equal parametric angles from the back (A) over starboard (B, C) to the belly (D) and
 * back over port (E, F); the curve through them is the trigonometric interpolant, which is the ellipse itself when
 * the points lie on one. Between sections every point runs as a monotone cubic (Fritsch and Carlson). Coordinates of
 * the points: x behind the nose, y to starboard, z down; m. The mesh has its origin at joint 1, x forward. */
#ifndef FM_FISH_BODY_H
#define FM_FISH_BODY_H

#include <stdint.h>

#include <fathom/status.h>

#include "fish/elongated.h"

enum { FM_FISH_SECTIONS = 8, FM_FISH_SECTION_POINTS = 6, FM_FISH_FINS = 3 };

typedef struct fm_fish_section {
    double x;                                /* behind the nose, m */
    double point[FM_FISH_SECTION_POINTS][2]; /* y, z of A-F, m */
} fm_fish_section;

/* A fin is the ruled surface between the two cubic splines through A-D. */
typedef struct fm_fish_fin {
    double spline[2][4][3]; /* x behind the nose, y, z; m */
} fm_fish_fin;

typedef struct fm_fish_shape {
    double head_length; /* nose to joint 1, m */
    fm_fish_tail tail;
    fm_fish_section section[FM_FISH_SECTIONS]; /* nose to tail */
    fm_fish_fin fin[FM_FISH_FINS];             /* dorsal, starboard pectoral, port pectoral */
} fm_fish_shape;

/* What follows from the points. */
typedef struct fm_fish_measures {
    double volume;                 /* m3 */
    double wetted_area;            /* trunk and tail, without dorsal and pectoral fins, m2 */
    double centre;                 /* of volume, behind the nose, m */
    double fin_area[FM_FISH_FINS]; /* one side, m2 */
    double head_box[3];            /* length, width, height of the head's box, m */
    double tail_box[2];            /* width and height of the tail's box; its length follows the joints, m */
} fm_fish_measures;

/* A fish of 0.40 m with four joints (docs/theory/fish.md). */
fm_fish_shape fm_fish_shape_preset(void);
void fm_fish_shape_scale(fm_fish_shape *shape, double factor);
/* A section through the ellipse of this height and width (m) at x m behind the nose. */
fm_fish_section fm_fish_section_ellipse(double x, double height, double width);
fm_status fm_fish_shape_check(const fm_fish_shape *shape, fm_error *error);

/* `count` (2 or more) stations evenly from nose to tail, for the elongated-body model. */
void fm_fish_shape_stations(const fm_fish_shape *shape, fm_fish_station *stations, int count);

/* A triangle mesh: FRD, origin at joint 1, outward normals, counter-clockwise seen from outside. */
typedef struct fm_fish_mesh {
    uint32_t vertices, triangles;
    uint32_t trunk_triangles; /* the first of them close the trunk; the rest are fins, both sides */
    double *position;         /* 3 a vertex, m */
    double *normal;           /* 3 a vertex */
    double *uv;               /* 2 a vertex: along the body from the nose, around it from the back; 0-1 */
    uint32_t *index;          /* 3 a triangle */
} fm_fish_mesh;

/* `rings` (8-1024) along the trunk, `around` (6-512) points each. */
fm_status fm_fish_mesh_build(fm_fish_mesh *mesh, const fm_fish_shape *shape, int rings, int around, fm_error *error);
void fm_fish_mesh_free(fm_fish_mesh *mesh);
void fm_fish_mesh_measure(const fm_fish_mesh *mesh, double *volume, double *area, double centroid[3]);
fm_status fm_fish_shape_measure(const fm_fish_shape *shape, fm_fish_measures *measures, fm_error *error);

/* Skinning: bends the mesh by the joint angles (rad, physics/fish.h) into `position` and `normal` (3 a vertex). */
void fm_fish_mesh_bend(const fm_fish_mesh *mesh, const fm_fish_shape *shape, const double *angle, double *position,
                       double *normal);

/* Skin colour by a formula: dark back, pale belly, bands. u along the body, v around it (0 and 1 are the back, 0.5 the
 * belly); 0-255 each. */
void fm_fish_skin_colour(double u, double v, uint8_t rgb[3]);

/* Files. The texture is drawn by that formula. */
fm_status fm_fish_texture(uint8_t **png, size_t *size, int width, int height, fm_error *error); /* fm_free(*png) */
fm_status fm_fish_save_obj(const fm_fish_mesh *mesh, const char *path, const char *texture, fm_error *error);
fm_status fm_fish_save_gltf(const fm_fish_mesh *mesh, const char *path, fm_error *error);

#endif
