/* A vehicle that another simulator moves, as a vehicle kind: between two updates it moves by dead reckoning. */
#ifndef FM_KINDS_FOREIGN_H
#define FM_KINDS_FOREIGN_H

#include "world/kind.h"

extern const fm_kind fm_kind_foreign;

#endif
