/* The controllers of this folder, for the table of built-in parts. */
#ifndef FM_CONTROL_PARTS_H
#define FM_CONTROL_PARTS_H

#include "control/autopilot_part.h"
#include "control/follower.h"
#include "control/guidance_part.h"

extern const fm_part_class fm_glider_pilot_class;     /* glider_part.c */
extern const fm_part_class fm_coverage_class;         /* coverage_part.c */
extern const fm_part_class fm_bottom_following_class; /* bottom_following_part.c */
extern const fm_part_class fm_report_class;           /* report_part.c */
extern const fm_part_class fm_field_survey_class;     /* field_survey_part.c */

/* (R10) of a return at a range (m) and a bearing (rad, positive down), with the live parameters of an <avoid>. */
double fm_avoid_weight(const void *live, double range, double bearing);

/* --- for kernels: everything except the periods; the reason if they cannot take this part, or NULL --- */

extern const struct fm_lane_part fm_bottom_following_lanes, fm_avoid_lanes; /* follower_lanes.c */
/* After the sonar, whose number among the parts is `sonar`. */
const char *fm_avoid_describe(const void *config, int sonar, fm_follower *p);
const char *fm_bottom_following_describe(const void *config, fm_follower *p);

#endif
