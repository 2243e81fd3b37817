/* The classes of the built-in bridges, for src/scenario: libfathom reads and checks their elements without
 * libfathom-net. */
#include "bridges/list.h"
#include "scenario/load.h"

#define CLASS(name, ...) &fm_##name##_class,
const fm_bridge_class *const fm_built_in_bridges[] = {FM_BUILT_IN_BRIDGES(CLASS) NULL};
