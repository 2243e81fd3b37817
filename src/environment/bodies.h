/* Which of the moving bodies may be near: queried by every beam and feeler of every vehicle, so that a school of
 * thousands is not searched each time. */
#ifndef FM_ENVIRONMENT_BODIES_H
#define FM_ENVIRONMENT_BODIES_H

#include "environment/environment.h"

/* Sorts the list for fm_bodies_near. `keyed` and `space` hold bodies->count each and stay in use. */
void fm_bodies_sort(fm_bodies *bodies, fm_keyed *keyed, fm_keyed *space);

/* Numbers of all bodies whose bounding ball may meet the box (m, NED), in the order of the list, including some near
 * ones. Returns their number; only the first `most` are written, in no order if there are more. */
size_t fm_bodies_near(const fm_bodies *bodies, const double low[3], const double high[3], uint32_t *near, size_t most);

#endif
