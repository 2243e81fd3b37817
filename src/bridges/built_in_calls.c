/* The calls of the built-in bridges, by name, for src/server. */
#include "bridges/list.h"
#include "server/bridges.h"

#define CALLS(name, ...) {#name, &fm_##name##_calls},
const fm_named_calls fm_built_in_calls[] = {FM_BUILT_IN_BRIDGES(CALLS){NULL, NULL}};
