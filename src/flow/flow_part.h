/* Water velocity on a vehicle's nose, near walls, columns and spheres: the part <flow>.
 *
 * The nose is a sphere that moves with the hull. In each step the part records its motion through the water and the
 * objects nearby; a user of the flow (a lateral line) then evaluates any number of points. Nearby objects are the
 * walls, columns, spheres and boxes of the scenario and the hulls of other vehicles; those that move through the
 * water, and the vortices of the current, act as well (moving_bodies.h, neighbours.h). The sea floor of <bottom> has no
 * effect. */
#ifndef FM_FLOW_FLOW_PART_H
#define FM_FLOW_FLOW_PART_H

#include <fathom/part.h>
#include <math.h>

#include "flow/flow_nose.h"
#include "flow/neighbours.h"
#include "flow/sources.h"

typedef struct fm_flow_config {
    int64_t model;              /* fm_flow_model */
    double radius;              /* m, of the nose */
    double centre[3];           /* m, of the nose, body axes */
    int64_t reference;          /* 1: the reference sizes of `sources` */
    const fm_wall_table *table; /* wall */
    fm_sources *sources;        /* sources */
    size_t memory;              /* doubles of the solver's memory after the record */
} fm_flow_config;

/* The output of the part: the data of this step. */
typedef struct fm_flow_record {
    double gap;         /* m, from the nose's surface to the nearest obstacle; FM_FLOW_FAR without one */
    double bearing;     /* rad, of the nearest obstacle in the body's horizontal plane, starboard positive */
    double speed;       /* m/s, of the nose through the water */
    double velocity[3]; /* m/s, the same as a vector, body axes */
    double turning[3];  /* rad/s, body axes */
    int64_t count;      /* of tangents */
    fm_flow_tangent tangents[FM_FLOW_PLANES]; /* nearest first */
    double centre[3];                         /* m, of the nose, NED */
    fm_flow_neighbours neighbours;            /* what moves near it */
} fm_flow_record;

#define FM_FLOW_FAR ((double)INFINITY) /* m */

/* Velocity of the water relative to the moving hull surface [m/s] at n points r of the body [m, from the body origin,
 * on the nose], body axes; current and the hull's rotation included. part: index of the flow part, flow: its config. */
void fm_flow_sample(const fm_part_context *context, const fm_flow_config *flow, int part, size_t n,
                    const double (*r)[3], double (*v)[3]);

/* The flow part of a vehicle, for loaders; its config in *flow. -1 and an error if there is none. */
int fm_flow_find(fm_part_load *load, const fm_flow_config **flow, fm_error *error);

extern const fm_part_class fm_flow_class;
extern const fm_part_class fm_lateral_line_class; /* lateral_line.c */
extern const fm_part_class fm_near_wall_class;    /* near_wall.c */

#endif
