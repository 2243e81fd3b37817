/* Bridges of a model as doors of a place. */
#ifndef FM_SERVER_BRIDGES_H
#define FM_SERVER_BRIDGES_H

#include <fathom/bridge.h>

#include "server/door.h"

typedef struct fm_named_calls {
    const char *kind;
    const fm_bridge_calls *calls;
} fm_named_calls;
/* The calls of the built-in bridges; the last kind is NULL (src/bridges/built_in_calls.c). */
extern const fm_named_calls fm_built_in_calls[];

/* Adds the bridges of the model to a place; call before it is opened. */
fm_status fm_bridges_add(fm_host *host, fm_error *error);
/* Why this build cannot open the built-in bridge of this kind; NULL: it can. */
const char *fm_bridges_missing(const char *kind);

#endif
