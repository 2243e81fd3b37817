/* The two sonars of the robotic fish, the page's bunch of rays: fans against obstacles and the boxes of other vehicles.
 * A fan opens 30° up and down, so that what swims above or below is noticed from the range on where it lies in that
 * cone. */
#ifndef FM_FISH_SENSES_H
#define FM_FISH_SENSES_H

#include <fathom/part.h>

#include "fish/anticipate.h"

/* Ranges (m) of both fans, p->range where nothing is met. The body with this id (environment/environment.h) is not
 * noticed; UINT32_MAX: all are. */
void fm_fish_sense(const fm_part_context *context, const fm_anticipate_params *p, uint32_t ignored,
                   double range[FM_SONAR_FANS][FM_SONAR_RAYS]);

#endif
