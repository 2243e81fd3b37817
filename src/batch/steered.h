/* The chain of a vehicle that steers itself by an <autopilot> (physics/helm.h), as a batch takes it. */
#ifndef FM_BATCH_STEERED_H
#define FM_BATCH_STEERED_H

#include "physics/flat_chain.h"
#include "world/model.h"

/* Whether this part is of that chain: the one autopilot, or a guidance that it follows. */
int fm_steered_has(const fm_type *type, const fm_part *part);
/* Why a batch cannot run it; NULL: it can, or there is none. */
const char *fm_steered_foreign(const fm_type *type);
/* Whether a metric of the type is kept by it. */
int fm_steered_keeps(const fm_type *type, const char *metric);
/* Counts of its sections, and the sections themselves, in double. */
void fm_steered_count(const fm_type *type, fm_flat *head);
void fm_steered_describe(const fm_type *type, fm_flat *flat);

#endif
