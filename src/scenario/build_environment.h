/* The sea of a scenario: elements below <world> and their build functions. */
#ifndef FM_SCENARIO_BUILD_ENVIRONMENT_H
#define FM_SCENARIO_BUILD_ENVIRONMENT_H

#include "environment/environment.h"
#include "scenario/build.h"

extern const fm_element fm_water_element, fm_current_element, fm_waves_element, fm_wind_element, fm_noise_element,
    fm_bottom_element;
extern const fm_element fm_wall_element, fm_column_obstacle_element, fm_sphere_element, fm_box_element, fm_pool_element;
extern const fm_element fm_world_element; /* build.c */
extern const fm_attr fm_current_attrs[1];

fm_status fm_build_environment(fm_builder *b);
fm_status fm_build_waters(fm_builder *b); /* build_waters.c: live parameters of the sea */
fm_status fm_build_waves(fm_builder *b, const fm_node *world, fm_environment *e);     /* build_sea.c */
fm_status fm_build_bottom(fm_builder *b, const fm_node *world, fm_environment *e);    /* build_bottom.c */
fm_status fm_build_obstacles(fm_builder *b, const fm_node *world, fm_environment *e); /* build_obstacles.c */
size_t fm_build_obstacle_count(const fm_node *node); /* build_obstacles.c: obstacles created by an element of <world> */
fm_status fm_build_scene(fm_builder *b, fm_environment *e); /* build_obstacles.c, last of all */

#endif
