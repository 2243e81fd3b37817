/* Plugins: shared objects with their own parts (include/fathom/part.h, docs/plugins.md). */
#ifndef FM_SCENARIO_PLUGINS_H
#define FM_SCENARIO_PLUGINS_H

#include "base/memory.h"
#include "base/registry.h"
#include "world/model.h"

enum { FM_PLUGINS_MOST = 32 };

typedef struct fm_plugin_set {
    fm_registry *registry;   /* where their parts go */
    size_t room;             /* maximum entries of the registry */
    const char *const *dirs; /* searched for a file that is not at the given path */
    size_t dir_count;
    void *handles[FM_PLUGINS_MOST];
    fm_plugin_file files[FM_PLUGINS_MOST]; /* where they were found */
    size_t count;
    fm_arena arena;
} fm_plugin_set;

/* An fm_plugin_loader; user is an fm_plugin_set. A plugin that is already loaded is accepted. */
fm_status fm_plugins_load(void *user, const char *path, fm_error *error);
void fm_plugins_close(fm_plugin_set *set);

#endif
