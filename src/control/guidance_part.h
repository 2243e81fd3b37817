/* Guidance in the world: controllers that order no actuators but send set points to the autopilot of the same vehicle.
 *
 * Each writes an fm_guidance (control/guide.h) into its output. An autopilot after them in the file reads them in
 * file order; a later one overrides the orders of an earlier one. docs/theory/control.md, "Parts". */
#ifndef FM_CONTROL_GUIDANCE_PART_H
#define FM_CONTROL_GUIDANCE_PART_H

#include <fathom/part.h>

#include "control/helm.h"

/* Outputs of every guidance, from a block whose first member is an fm_guidance. */
#define FM_GUIDANCE_TELLS(block, guide)                                                                                \
    FM_OUTPUT_NUMBER(block, guide heading, "heading", "rad", FM_QUANTITY_NONE),                                        \
        FM_OUTPUT_NUMBER(block, guide depth, "depth", "m", FM_QUANTITY_NONE),                                          \
        FM_OUTPUT_NUMBER(block, guide speed, "speed", "m/s", FM_QUANTITY_NONE),                                        \
        FM_OUTPUT_NUMBER(block, guide altitude, "altitude", "m", FM_QUANTITY_NONE),                                    \
        FM_OUTPUT_NUMBER(block, guide position[0], "position.north", "m", FM_QUANTITY_NONE),                           \
        FM_OUTPUT_NUMBER(block, guide position[1], "position.east", "m", FM_QUANTITY_NONE),                            \
        FM_OUTPUT_NUMBER(block, guide error, "error", "m", FM_QUANTITY_NONE)
extern const fm_output fm_guidance_outputs[];
enum { FM_GUIDANCE_OUTPUTS = 7 };

/* Whether a part is a guidance, and whether it may order station keeping. */
int fm_guidance_is(const fm_part_info *part);
int fm_guidance_hovers(const fm_part_info *part);

extern const fm_part_class fm_waypoints_class, fm_station_class, fm_mission_class, fm_avoid_class, fm_planner_class,
    fm_homing_class;
/* For <waypoints>: whether a waypoint or the end is held. */
int fm_waypoints_hover(const void *config);
int fm_mission_hovers(const void *config);
int fm_planner_hovers(const void *config); /* for <planner>: whether it stays at its goal */

/* --- for a kernel that runs the whole chain (control/helm.h) --- */

/* The reason if lanes cannot run a guidance; NULL: they can (autopilot_lanes.c). */
struct fm_lane_vehicle;
struct fm_part;
const char *fm_guide_verdict(const struct fm_lane_vehicle *vehicle, const struct fm_part *part);
/* One of them may order an altitude: the autopilot of the vehicle, if any, has to know its own. */
struct fm_flat;
void fm_guide_orders_altitude(const struct fm_lane_vehicle *vehicle, struct fm_flat *flat);

/* Heading of the vehicle, rad. */
double fm_vehicle_view_heading(const fm_vehicle_view *view);

#endif
