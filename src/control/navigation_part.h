/* What a vehicle believes of its own motion: the truth (perfect navigation), or what a <navigation> makes of its
 * instruments. docs/theory/control.md (C25)-(C27) */
#ifndef FM_CONTROL_NAVIGATION_PART_H
#define FM_CONTROL_NAVIGATION_PART_H

#include <fathom/part.h>

#include "physics/guide.h"
#include "physics/sensor_suite.h"

/* The estimate; output of a <navigation>. */
typedef struct fm_navigation {
    fm_estimate believed;
    double error; /* m, distance of the estimated from the true place, for people */
    /* of a filter; zero without one */
    double covariance[4];    /* m²: north, north-east, east, depth */
    double heading_bias;     /* rad */
    double velocity_bias[2]; /* m/s: ahead, starboard */
    double current[2];       /* m/s: north, east */
    double nees;             /* squared error of the place over its covariance, for people */
    double fixes_taken, fixes_refused;
} fm_navigation;

extern const fm_part_class fm_navigation_class;

/* The <navigation> that stands before this part; -1: none, navigation is perfect. */
int fm_load_navigation(fm_part_load *load);
/* What the vehicle believes now: output of that part, or the truth; the place alone (m, NED); and what a guidance knows
 * at a decision. */
fm_estimate fm_navigation_known(const fm_part_context *context, int part);
const double *fm_navigation_position(const fm_part_context *context, int part);
fm_guide_view fm_navigation_view(const fm_part_context *context, int part);

/* --- for a kernel (physics/sensor_suite.h) --- */

extern const struct fm_lane_part fm_navigation_lanes; /* navigation_lanes.c */

/* All but the periods; in place of an instrument's number stands that of the part. Why it cannot, NULL: it can. */
const char *fm_navigation_describe(const void *config, fm_suite *p);

#endif
