/* Propellers and thrusters whose force depends on the inflow. */
#ifndef FM_SCENARIO_BUILD_SCREWS_H
#define FM_SCENARIO_BUILD_SCREWS_H

#include "scenario/build.h"

enum { FM_OPEN_WATER_ROWS = 64 };

/* Numbers collected while a vehicle is built, in memory of the model. */
typedef struct fm_number_list {
    double *numbers;
    size_t count;
} fm_number_list;

/* Appends `more` zeros; NULL: out of memory. */
double *fm_number_list_extend(fm_builder *b, fm_number_list *list, size_t more);

/* A propeller with its open-water curve; `a` has its limits and its column. */
fm_status fm_build_screw(fm_builder *b, const fm_node *node, const fm_actuator_config *c, fm_actuator *a,
                         fm_screw *screw, fm_number_list *tables);
/* A thruster with its bollard pull and a propeller of some diameter, and one in a tunnel. */
void fm_build_bollard(const fm_builder *b, const fm_actuator_config *c, const fm_actuator *a, fm_screw *screw);
void fm_build_tunnel(const fm_builder *b, const fm_actuator_config *c, const fm_actuator *a, fm_screw *screw);

#endif
