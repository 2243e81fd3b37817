/* What guidances of a vehicle know: the map of a <planner>, and how an <avoid> weighs what its sonar sees. Between
 * steps, by the caller that owns the world. SI and radians. */
#ifndef FATHOM_GUIDANCE_H
#define FATHOM_GUIDANCE_H

#include <fathom/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The cells that a <planner> has found something in: their centres (m), along the line from its `from` to its goal and,
 * in the horizontal plane, to starboard of it or, in the vertical plane, in depth. `planner` is the name of the part;
 * NULL: the first <planner> of the vehicle. Writes the first `room` of them, always in the same order, and returns how
 * many there are. 0: none, or the vehicle has no such part. `cells` may be NULL. */
FM_API size_t fm_world_planner_map(const fm_world *world, const char *vehicle, const char *planner, double (*cells)[2],
                                   size_t room);

/* The weight of a sonar return at a range (m) and a bearing (rad, down positive) in the threat of an <avoid>, by its
 * parameters now (R10). `avoid` is the name of the part; NULL: the first <avoid> of the vehicle. NaN: the vehicle has
 * no such part. */
FM_API double fm_world_return_weight(const fm_world *world, const char *vehicle, const char *avoid, double range,
                                     double bearing);

#ifdef __cplusplus
}
#endif
#endif
