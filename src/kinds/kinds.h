/* The kinds of vehicle. */
#ifndef FM_KINDS_KINDS_H
#define FM_KINDS_KINDS_H

#include "world/kind.h"

/* NULL-terminated; the first is the default kind. A new kind is one line in kinds.c. */
extern const fm_kind *const fm_kinds[];

#endif
