/* The robotic fish's decision maker as a part: <fish-brain>. */
#ifndef FM_FISH_BRAIN_H
#define FM_FISH_BRAIN_H

#include <fathom/part.h>

extern const fm_part_class fm_fish_brain_class;

#endif
