/* Elements of a 6-DOF body. */
#ifndef FM_KINDS_BODY_ELEMENTS_H
#define FM_KINDS_BODY_ELEMENTS_H

#include <fathom/describe.h>

typedef struct fm_mass_config {
    double mass, weight; /* kg, N: one of them */
    double centre[3];    /* m */
    double inertia[3];   /* kg·m²: xx, yy, zz */
    double products[3];  /* kg·m²: xy, xz, yz as integrals of xy dm … (6.58)–(6.60) */
    int64_t about;       /* 0: origin, 1: centre of gravity */
} fm_mass_config;

typedef struct fm_component_config {
    const char *name;
    double mass, weight, volume; /* one of them; a volume is of free-flood water */
    double centre[3], size[3];   /* m; size: of a uniform box, 0 0 0 is a point */
} fm_component_config;

typedef struct fm_buoyancy_config {
    double force, volume, centre[3], compression, expansion, warmth;
} fm_buoyancy_config;

typedef struct fm_added_mass_config {
    double length;
    double c[6][6]; /* dimensionless: X_udot is c[0][0] */
} fm_added_mass_config;

typedef struct fm_added_matrix_config {
    double linear[3], angular[3];               /* diagonals, kg and kg·m² */
    fm_list linear_full, coupled, angular_full; /* 9 numbers each, by row */
} fm_added_matrix_config;

typedef struct fm_spheroid_config {
    double length, diameter;
} fm_spheroid_config;

typedef struct fm_cross_flow_config {
    fm_list x, height, breadth;
    double cdy, cdz;
    int64_t rule, count;
} fm_cross_flow_config;
enum { FM_STRIPS_GAUSS, FM_STRIPS_MIDPOINT, FM_STRIPS_EQUAL };

typedef struct fm_float_config {
    int64_t shape;
    double size[3], centre[3];
} fm_float_config;
enum { FM_FLOAT_BOX, FM_FLOAT_CYLINDER, FM_FLOAT_LYING_CYLINDER, FM_FLOAT_ELLIPSOID };

extern const fm_element *const fm_body_elements[]; /* NULL-terminated */

#endif
