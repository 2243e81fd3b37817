/* The chain of a type in its flat block: its parts in file order (control/link.h), and their laws. */
#ifndef FM_BATCH_LINKS_H
#define FM_BATCH_LINKS_H

#include "control/law_part.h"
#include "world/model.h"

/* Why a batch cannot run this chain; NULL: it can. */
const char *fm_links_foreign(const fm_lane_vehicle *vehicle);
void fm_links_count(const fm_type *type, fm_flat *head);
void fm_links_describe(const fm_type *type, fm_flat *flat);
/* Numbers that laws keep, and the first of those of this part, which has one. */
uint32_t fm_laws_rows(const fm_type *type);
uint32_t fm_law_first(const fm_type *type, const fm_part *part);

#endif
