/* Bridges: doors to software that others have, as <bridge> of the scenario says. */
#ifndef FM_BRIDGES_BRIDGES_H
#define FM_BRIDGES_BRIDGES_H

#include "server/door.h"

/* Hangs the bridges of the model into a place. Before it is opened. */
fm_status fm_bridges_add(fm_place *place, fm_error *error);
size_t fm_bridges_count(const fm_model *model);
enum { FM_BRIDGES_ALL = 5 };          /* kinds that there are … */
int fm_bridges_has(const char *kind); /* … and whether this build has one */

#endif
