/* The file of a model that a vehicle names. */
#ifndef FM_SCENARIO_FIND_MODEL_H
#define FM_SCENARIO_FIND_MODEL_H

#include "scenario/folders.h"
#include "scenario/load.h"
#include "scenario/tree.h"

/* Where it may be. */
typedef struct fm_model_search {
    const char *scenario; /* path of its file */
    const fm_load_options *options;
    const fm_folders *folders;
} fm_model_search;

/* Looks for NAME.xml in the scenario's folder, its models/ and ../models/, then in the given folders, then in those
 * that every program of Fathom looks into; 1: `path` is its path. Files that are not models are passed over; `other`:
 * the first of them. `size`: bytes of both. */
int fm_model_find(const fm_model_search *search, const char *name, char *path, char *other, size_t size);
/* Reports that a vehicle names a model that was not found, with those of a similar name. */
fm_status fm_model_report_unknown(const fm_model_search *search, const fm_node *vehicle, const char *name,
                                  const char *other, fm_arena *arena, fm_report *report);

#endif
