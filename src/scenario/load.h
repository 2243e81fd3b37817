/* Loading a scenario: the search for models, and the built-in parts. */
#ifndef FM_SCENARIO_LOAD_H
#define FM_SCENARIO_LOAD_H

#include <fathom/bridge.h>
#include <fathom/model.h>
#include <fathom/part.h>

#include "base/registry.h"
#include "scenario/tree.h"

/* Registers one part in the group of its kind; `element` is its own, or that with more attributes. */
fm_status fm_registry_add_part(fm_registry *registry, const fm_part_class *class, const fm_element *element,
                               fm_error *error);
/* Registers a kind of bridge. */
fm_status fm_registry_add_bridge(fm_registry *registry, const fm_bridge_class *class, fm_error *error);
/* The built-in bridges, NULL after the last (src/bridges/built_in_elements.c). */
extern const fm_bridge_class *const fm_built_in_bridges[];
/* Registers every built-in part, every built-in bridge and the elements of every kind of vehicle. */
fm_status fm_registry_add_built_ins(fm_registry *registry, fm_error *error);

/* A model file alone, as a vehicle called "vehicle" in a sea of defaults. text: NULL to read the file. */
fm_model *fm_model_load_vehicle(const char *text, size_t size, const char *file, const fm_load_options *options,
                                fm_error *error);
/* The same model with other values, each "PATH=VALUE" as in fm_load_options.set: the model that its file would give
 * with these added to its own. It shares with the model what does not depend on them: the model must outlive it. */
fm_model *fm_model_vary(const fm_model *model, const char *const *set, size_t set_count, fm_error *error);

#endif
