/* Warnings about input that is valid and probably a mistake. A new one is a function and a row of the table in
 * build_advice.c. */
#ifndef FM_SCENARIO_BUILD_ADVICE_H
#define FM_SCENARIO_BUILD_ADVICE_H

#include "scenario/build.h"

/* A warning at the location of a node, or of one of its attributes; repeated warnings are dropped. */
void fm_advice_warn(fm_builder *b, const fm_node *node, const char *attr, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* --- build_advice_parts.c: a <vehicle> or <type> as in the file --- */
void fm_advice_guidance(fm_builder *b, const fm_node *vehicle);
void fm_advice_navigation(fm_builder *b, const fm_node *vehicle);
void fm_advice_speed(fm_builder *b, const fm_node *vehicle);
void fm_advice_waypoints(fm_builder *b, const fm_node *vehicle);

/* --- build_advice_vehicles.c: vehicles as built, and their events --- */
void fm_advice_numbers(fm_builder *b);
void fm_advice_starts(fm_builder *b);
void fm_advice_schedule(fm_builder *b);

/* --- build_advice_scene.c: obstacles --- */
void fm_advice_obstacles(fm_builder *b);

#endif
