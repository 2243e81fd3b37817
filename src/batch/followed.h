/* The chain of a vehicle that follows the bottom (physics/follower.h), and the diving model, as a batch takes them. */
#ifndef FM_BATCH_FOLLOWED_H
#define FM_BATCH_FOLLOWED_H

#include "physics/flat_chain.h"
#include "world/model.h"

/* Whether this part is of that chain. */
int fm_followed_has(const fm_type *type, const fm_part *part);
/* Why a batch cannot run it; NULL: it can, or there is none. */
const char *fm_followed_foreign(const fm_model *model, const fm_type *type);
/* Whether a metric of the type is kept by it. */
int fm_followed_keeps(const fm_type *type, const char *metric);
/* Counts of its sections, and the sections themselves, in double. */
void fm_followed_count(const fm_type *type, fm_flat *head);
void fm_followed_describe(const fm_type *type, fm_flat *flat);
/* The diving model alone. */
void fm_diver_count(const fm_type *type, fm_flat *head);
void fm_diver_describe(const fm_type *type, fm_flat *flat);

#endif
