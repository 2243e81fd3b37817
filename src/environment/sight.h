/* Hits of instruments' beams: obstacles, bottom, other vehicles; never their own vehicle. */
#ifndef FM_ENVIRONMENT_SIGHT_H
#define FM_ENVIRONMENT_SIGHT_H

#include "environment/environment.h"

/* One hit per ray, within `range` (m), among all fixed and moving objects at the start of the step. Directions are unit
 * vectors, world axes. */
void fm_sight_cast(const fm_part_context *context, size_t rays, const double origin[][3], const double direction[][3],
                   double range, fm_ray_hit *hits);
/* The same without the bottom, but for one of triangles. */
void fm_sight_cast_solids(const fm_part_context *context, size_t rays, const double origin[][3],
                          const double direction[][3], double range, fm_ray_hit *hits);
/* After fm_sight_cast, with the same rays: where a vehicle has a skin, its triangles are met in place of its shapes.
 * colour: of the skin (red, green, blue, 0 … 1) where `skinned`. For cameras. */
void fm_sight_cast_skins(const fm_part_context *context, size_t rays, const double origin[][3],
                         const double direction[][3], double range, fm_ray_hit *hits, int *skinned, double colour[][3]);
/* The material of a hit. */
const fm_material *fm_sight_material(const fm_part_context *context, const fm_ray_hit *hit);

/* Unit vector (instrument axes) at azimuth (from forward to starboard) and elevation (down positive). */
void fm_sight_direction(double azimuth, double elevation, double out[3]);

#endif
