/* Bodies that move through the water near the nose (flow/flow_bodies.h), in worlds. */
#ifndef FM_FLOW_MOVING_BODIES_H
#define FM_FLOW_MOVING_BODIES_H

#include "flow/flow_bodies.h"

/* A spheroid of half length and half width [m]; shorter than wide: the sphere of its volume. */
fm_flow_form fm_flow_form_make(double length, double width);
/* Adds its velocity at x; within its core of the dipoles that at its rim. */
void fm_flow_line_add(const fm_flow_line *line, const double x[3], double v[3]);

/* A field of velocity [m/s]: adds its value at x to v. */
typedef void fm_flow_field(const void *user, const double x[3], double v[3]);

/* Adds to v what the water does at the surface point centre + a u of a rigid sphere at rest in this flow (D4). */
void fm_flow_answer_add(const double centre[3], double a, const double u[3], fm_flow_field *field, const void *user,
                        double v[3]);

#endif
