/* Units of a type (control/law_part.h) in its flat block. */
#ifndef FM_BATCH_LAW_BLOCKS_H
#define FM_BATCH_LAW_BLOCKS_H

#include "control/law_part.h"
#include "world/model.h"

/* Why a batch cannot run the laws of this type; NULL: it can. */
const char *fm_laws_foreign(const fm_lane_vehicle *vehicle);
void fm_laws_count(const fm_type *type, fm_flat *head);
void fm_laws_describe(const fm_type *type, fm_flat *flat);
/* Numbers that they keep. */
uint32_t fm_laws_rows(const fm_type *type);
/* The first of those of this part, which has a law. */
uint32_t fm_law_first(const fm_type *type, const fm_part *part);

#endif
