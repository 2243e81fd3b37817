/* A <navigation> and the instruments it reads (physics/navigated.h), as a batch takes them. */
#ifndef FM_BATCH_NAVIGATED_H
#define FM_BATCH_NAVIGATED_H

#include "physics/flat_chain.h"
#include "world/model.h"

int fm_navigated_has(const fm_part *part);
/* Why a batch cannot run it; NULL: it can, or there is none. */
const char *fm_navigated_foreign(const fm_model *model, const fm_type *type);
/* Whether a metric of the type is kept by it. */
int fm_navigated_keeps(const fm_type *type, const char *metric);
/* Counts of its sections, and the sections themselves, in double. */
void fm_navigated_count(const fm_type *type, fm_flat *head);
void fm_navigated_describe(const fm_model *model, const fm_type *type, fm_flat *flat);

#endif
