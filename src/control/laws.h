/* The laws: a new one needs its header here, its name in the list, and its part. */
#ifndef FM_CONTROL_LAWS_H
#define FM_CONTROL_LAWS_H

#include "control/turning.h"
#include "control/zigzag.h"

#define FM_LAW_EACH(U) U(turning_circle) U(zigzag)

/* Their ids, the same in every engine. */
enum fm_law_id {
#define FM_LAW_ENTRY(x) FM_LAW_##x,
    FM_LAW_EACH(FM_LAW_ENTRY)
#undef FM_LAW_ENTRY
        FM_LAW_COUNT
};

#endif
