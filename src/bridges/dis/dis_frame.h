/* Conversion between the world's axes (north-east-down at the origin of a scenario) and those of DIS (geocentric, WGS
 * 84). The flat sea of a world maps to the Earth as for its GPS (fm_geodetic_from_chart): depth counts from the
 * ellipsoid; north and down are local. */
#ifndef FM_BRIDGES_DIS_DIS_FRAME_H
#define FM_BRIDGES_DIS_DIS_FRAME_H

#include <fathom/frames.h>

#include "bridges/dis/dis_wire.h"
#include "physics/dead_reckoning.h"

/* Location, orientation, velocity, acceleration, rates and algorithm of an Entity State. */
void fm_dis_entity_set_track(fm_dis_entity *entity, const fm_geodetic *origin, const fm_reckon_track *track,
                             int algorithm);
/* The track given by its dead-reckoning algorithm; 0 ("other") and 1 do not move. */
void fm_dis_entity_get_track(const fm_dis_entity *entity, const fm_geodetic *origin, fm_reckon_track *track);
/* A vector of the world at one of its places (m, NED) in geocentric axes, and a geocentric vector in the world's. */
void fm_dis_vector_out(const fm_geodetic *origin, const double point[3], const double world[3], double out[3]);

#endif
