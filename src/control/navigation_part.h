/* A vehicle's knowledge of its own motion: the true state (perfect navigation), or the estimate of a <navigation> from
 * its instruments. docs/theory/control.md (C25)-(C27) */
#ifndef FM_CONTROL_NAVIGATION_PART_H
#define FM_CONTROL_NAVIGATION_PART_H

#include <fathom/part.h>

#include "control/guide.h"
#include "control/sensor_suite.h"

/* The estimate; output of a <navigation>. */
typedef struct fm_navigation {
    fm_estimate believed;
    double error; /* m, distance between estimated and true position, for people */
    /* of a filter; zero without one */
    double covariance[4];    /* m²: north, north-east, east, depth */
    double heading_bias;     /* rad */
    double velocity_bias[2]; /* m/s: ahead, starboard */
    double current[2];       /* m/s: north, east */
    double nees;             /* squared position error divided by its covariance, for people */
    double fixes_taken, fixes_refused;
} fm_navigation;

extern const fm_part_class fm_navigation_class;

/* The <navigation> before this part; -1: none, navigation is perfect. */
int fm_load_navigation(fm_part_load *load);
/* The vehicle's present estimate: output of that part, or the true state; only the position (m, NED); and the inputs of
 * a guidance's decision. */
fm_estimate fm_navigation_known(const fm_part_context *context, int part);
const double *fm_navigation_position(const fm_part_context *context, int part);
fm_guide_view fm_navigation_view(const fm_part_context *context, int part);

/* --- for a kernel (control/sensor_suite.h) --- */

extern const struct fm_lane_part fm_navigation_lanes; /* navigation_lanes.c */

/* Everything except the periods; instead of an instrument's number it contains that of the part. Returns the reason if
 * it cannot, or NULL. */
const char *fm_navigation_describe(const void *config, fm_suite *p);

#endif
