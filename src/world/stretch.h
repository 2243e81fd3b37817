/* Several ticks in one call, where nothing but motion happens in them. */
#ifndef FM_WORLD_STRETCH_H
#define FM_WORLD_STRETCH_H

#include "world/world.h"

fm_status fm_stretch_create(fm_world *world, fm_error *error);
void fm_stretch_free(fm_world *world);
/* Makes up to `most` ticks in which no input, part, contact, limit or event is due: the same state as after as many
 * calls of fm_world_step. Returns the number; 0: the next tick needs all stages. */
uint64_t fm_stretch_make(fm_world *world, uint64_t most);

#endif
