/* The filter of a <navigation>: dead reckoning corrected by depth, fixes and ranges. docs/theory/control.md (C29)-(C31)
 */
#ifndef FM_CONTROL_NAVIGATION_FUSION_H
#define FM_CONTROL_NAVIGATION_FUSION_H

#include "control/error_filter.h"
#include "control/navigation_part.h"

/* Standard deviations that the filter assumes for its instruments. From the element <filter>. */
typedef struct fm_fusion_config {
    double initial;                                   /* m, of each axis of the initial position */
    double heading_noise, heading_bias, heading_walk; /* rad, rad, rad/√s */
    double velocity_noise[3];                         /* m/s: ahead, starboard, down */
    double velocity_bias, velocity_walk;              /* m/s, m/s/√s */
    double current_error, current_walk;               /* m/s, m/s/√s */
    double depth_noise, position_noise, range_noise;  /* m */
    double gate;                                      /* standard deviations */
    int64_t give_up;                                  /* rejections in a row */
} fm_fusion_config;

enum { FM_FUSION_TRAIL = 128 };

typedef struct fm_fusion_mark {
    double time;     /* s */
    double moved[3]; /* m, NED: displacement reckoned since the start, without corrections */
    double wrong[9]; /* m²: sum of the uncertainties of all steps */
} fm_fusion_mark;

typedef struct fm_fusion {
    fm_error_filter filter;
    double heading_bias;     /* rad */
    double velocity_bias[2]; /* m/s: ahead, starboard */
    double current[2];       /* m/s: north, east */
    fm_fusion_mark now;      /* of the trail */
    int64_t marks;           /* of the trail, ever */
    fm_fusion_mark trail[FM_FUSION_TRAIL];
    int64_t taken, refused, in_a_row; /* fixes and ranges; rejected ones since the last accepted one */
} fm_fusion;

/* The initial position is known to `initial`: its estimate has a random error of that size. */
void fm_fusion_start(const fm_part_context *context, const fm_fusion_config *c, fm_fusion *f, fm_estimate *n);

/* One step of dead reckoning at n->velocity: moves n->position. `intervals`: s between samples of velocity, heading. */
void fm_fusion_reckon(const fm_part_context *context, const fm_fusion_config *c, fm_fusion *f, const double R[9],
                      int through_water, const double intervals[2], fm_estimate *n);

/* Depth of the body origin, m. */
void fm_fusion_depth(const fm_fusion_config *c, fm_fusion *f, double depth, fm_estimate *n);
/* A fix of the antenna at `arm` (m, NED from the body origin), taken at `time`; variance: north², north-east, east²,
 * m², or NULL: position_noise. */
void fm_fusion_fix(const fm_part_context *context, const fm_fusion_config *c, fm_fusion *f, double time,
                   const double fix[2], const double arm[3], const double variance[3], fm_estimate *n);
/* A range of the transducer at `arm` from a known place. deviation 0: range_noise. */
void fm_fusion_range(const fm_part_context *context, const fm_fusion_config *c, fm_fusion *f, double time, double range,
                     const double beacon[3], const double arm[3], double deviation, fm_estimate *n);

#endif
