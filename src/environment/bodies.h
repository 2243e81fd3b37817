/* Which of the moving bodies may be near: queried by every beam and feeler of every vehicle, so that a school of
 * thousands is not searched each time. */
#ifndef FM_ENVIRONMENT_BODIES_H
#define FM_ENVIRONMENT_BODIES_H

#include "environment/environment.h"

/* Visits a shape, placed in the world; it lives as long as the call. */
typedef void fm_body_visitor(void *user, const fm_ray_body *body);

/* All shapes whose bounding ball may meet the region, in the order of the list, and some near ones. */
void fm_bodies_visit(const fm_bodies *bodies, int asker, const fm_region *region, fm_body_visitor *visit, void *user);
/* The same of a box, m, NED. */
void fm_bodies_visit_box(const fm_bodies *bodies, const double low[3], const double high[3], fm_body_visitor *visit,
                         void *user);
/* Are there shapes of others than this vehicle? */
bool fm_bodies_others(const fm_bodies *bodies, int slot);
/* Shapes of one item; returns how many. */
size_t fm_bodies_shapes(const fm_bodies *bodies, uint32_t item, fm_ray_body shapes[FM_BODIES_SHAPES]);

#endif
