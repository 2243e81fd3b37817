/* Loading a scenario: where models are found, which parts are built in. */
#ifndef FM_SCENARIO_LOAD_H
#define FM_SCENARIO_LOAD_H

#include "base/registry.h"
#include "scenario/tree.h"

/* Registers every built-in part. */
fm_status fm_register_built_ins(fm_registry *registry, fm_error *error);

#endif
