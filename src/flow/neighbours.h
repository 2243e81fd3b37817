/* Moving objects near the nose: other vehicles, obstacles on tracks, obstacles in a current, and vortices of the
 * current. */
#ifndef FM_FLOW_NEIGHBOURS_H
#define FM_FLOW_NEIGHBOURS_H

#include <fathom/part.h>

#include "flow/moving_bodies.h"
#include "geometry/shape.h"

enum { FM_FLOW_LINES = 12, FM_FLOW_CYLINDERS = 8, FM_FLOW_HULLS = 8 };

/* A column in flowing water, or moving through the water. */
typedef struct fm_flow_pillar {
    double point[3], axis[3], velocity[3]; /* m, unit, m/s: world; through the water */
    double radius;                         /* m */
} fm_flow_pillar;

/* Pointer-free: part of the record of <flow>. World axes. */
typedef struct fm_flow_neighbours {
    int64_t line_count, pillar_count;
    int64_t swirls; /* 1: the current has vortices */
    fm_flow_line lines[FM_FLOW_LINES];
    fm_flow_pillar pillars[FM_FLOW_CYLINDERS];
    double base[3]; /* m/s, of the vortices where the vehicle is: already part of its velocity through the water */
    double time;    /* s */
} fm_flow_neighbours;

/* The nose: its centre and velocity through the water, world axes. */
typedef struct fm_flow_nose {
    double centre[3], velocity[3], radius;
    int induced; /* 1: other hulls are not obstacles of the flow model and respond with the dipole that the nose
                  * induces */
} fm_flow_nose;

void fm_flow_neighbours_find(const fm_part_context *context, const fm_flow_nose *nose, fm_flow_neighbours *out);
/* Whether there is any. */
int fm_flow_neighbours_any(const fm_flow_neighbours *neighbours);

/* Their velocity at a point of the world, added to v. */
typedef struct fm_flow_around {
    const fm_flow_neighbours *neighbours;
    const fm_environment *environment;
} fm_flow_around;
void fm_flow_around_add(const void *around, const double x[3], double v[3]);

/* A shape as the spheroid along its longest side, its axis of that number, as wide as the mean of the two others. */
fm_flow_form fm_flow_shape_form(const fm_shape *shape, int *longest);

/* Shapes of other vehicles near the nose, nearest to its centre within `reach` [m]; returns how many. */
size_t fm_flow_hulls(const fm_part_context *context, const double centre[3], double reach,
                     fm_shape hulls[FM_FLOW_HULLS]);

#endif
