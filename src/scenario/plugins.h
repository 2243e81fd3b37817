/* Plugins: shared objects that bring parts of their own (include/fathom/part.h, docs/plugins.md). */
#ifndef FM_SCENARIO_PLUGINS_H
#define FM_SCENARIO_PLUGINS_H

#include "base/memory.h"
#include "base/registry.h"
#include "world/model.h"

enum { FM_PLUGINS_MOST = 32 };

typedef struct fm_plugin_set {
    fm_registry *registry;   /* where their parts go */
    size_t room;             /* entries that the registry may hold */
    const char *const *dirs; /* looked into for a file that is not where it is said to be */
    size_t dir_count;
    void *handles[FM_PLUGINS_MOST];
    fm_plugin_file files[FM_PLUGINS_MOST]; /* where they were found */
    size_t count;
    fm_arena arena;
} fm_plugin_set;

/* An fm_plugin_loader; user is an fm_plugin_set. A plugin that is loaded already is fine. */
fm_status fm_plugins_load(void *user, const char *path, fm_error *error);
void fm_plugins_close(fm_plugin_set *set);

#endif
