/* The <autopilot> of a vehicle: data derived at load and used in its step. docs/theory/control.md, "Parts" */
#ifndef FM_CONTROL_AUTOPILOT_PART_H
#define FM_CONTROL_AUTOPILOT_PART_H

#include <fathom/part.h>

#include "control/allocation.h"
#include "control/helm.h"

enum { FM_AUTOPILOT_GUIDES = 8, FM_AUTOPILOT_FINS = 8 };

/* Gains of one loop; units by element (autopilot_elements.c). All live. */
typedef struct fm_loop {
    double order;                                         /* set point */
    int64_t override;                                     /* 1: overrides the orders of a guidance */
    double kp, ki, kd, limit;                             /* by fins */
    double thrust_kp, thrust_ki, thrust_kd, thrust_limit; /* by thrusters; limit 0: their maximum */
} fm_loop;

typedef struct fm_autopilot_config {
    /* live */
    double thrusters_alone, fins_alone; /* m/s: below the first, above the second */
    double design_speed, least_speed;   /* m/s */
    double enabled;                     /* 0: leaves the actuators alone */
    int64_t anti_windup;                /* 0: integrals keep growing while their output is limited */
    int64_t fault_aware;                /* 1: the allocation follows efficiencies that change during the run */
    fm_loop depth, heading, pitch, roll, sway, speed;
    double speed_feed; /* kg/m: feed-forward of the drag, feed u|u|; belongs to <speed> */
    double altitude;   /* m; 0: off */
    double hover[4];   /* kp N/m, ki N/(m s), kd N s/m, limit N */
    /* load */
    int64_t steering;
    const char *fins, *thrusters, *name;
    double period;
    /* derived */
    fm_piloted_fin fin[FM_AUTOPILOT_FINS];
    size_t fin_count;
    fm_piloted_thruster thruster[FM_ALLOCATION_MAX]; /* as if all were healthy */
    fm_piloted_thruster at_start[FM_ALLOCATION_MAX]; /* with their initial efficiencies */
    size_t thruster_count;
    double reach[6]; /* N, N·m: the maximum of all thrusters together along each axis */
    int64_t guide[FM_AUTOPILOT_GUIDES];
    size_t guide_count;
    int64_t navigation; /* the <navigation> to use; -1: the true state */
    int64_t depth_metric, heading_metric;
} fm_autopilot_config;

enum { FM_AUTOPILOT_LIVE = offsetof(fm_autopilot_config, steering) };

/* Demand and state of a loop; NaN while it is off. */
typedef struct fm_loop_told {
    double demand, error;   /* unit of the loop: m, rad, m/s */
    double integral;        /* by fins: rad; of the speed N */
    double thrust_integral; /* by thrusters: N, N·m */
} fm_loop_told;

typedef struct fm_autopilot_output {
    fm_loop_told depth, heading, pitch, roll, sway, speed;
} fm_autopilot_output;

/* autopilot_outputs.c */
fm_status fm_autopilot_outputs_load(fm_part_load *load, const fm_autopilot_config *config, fm_error *error);
/* pitch: demand of the pitch loop, rad. */
void fm_autopilot_outputs_write(const fm_autopilot_state *state, const fm_autopilot_orders *orders,
                                const fm_autopilot_sensed *measured, double pitch, fm_autopilot_output *out);
void fm_autopilot_outputs_clear(fm_autopilot_output *out);

/* Result of an allocation for its thrusters. */
void fm_autopilot_take_allocation(const fm_allocation *allocation, fm_piloted_thruster *thrusters);

extern const fm_element fm_autopilot_element;
fm_status fm_autopilot_load(fm_part_load *load, void *config, fm_error *error);
extern const fm_part_class fm_autopilot_class;

/* --- for a kernel that runs the whole chain (control/helm.h) --- */

extern const struct fm_lane_part fm_autopilot_lanes; /* autopilot_lanes.c */

/* Its thrusters, one per efficiency, if it follows these efficiencies. */
void fm_autopilot_remaining(const fm_autopilot_config *config, const double *efficiency, fm_piloted_thruster *left);
void fm_autopilot_describe(const fm_autopilot_config *config, fm_helm *p, fm_set_points *set);

#endif
