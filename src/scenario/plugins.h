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
    const fm_part_class **own; /* of the calling program, each once */
    size_t own_count;
    fm_arena arena;
} fm_plugin_set;

/* An fm_plugin_loader; user is an fm_plugin_set. A plugin that is already loaded is accepted. */
fm_status fm_plugins_load(void *user, const char *path, fm_error *error);
/* Registers classes of the calling program, each once. */
fm_status fm_plugins_add_own(fm_plugin_set *set, const fm_load_part *parts, size_t count, fm_error *error);
/* Registers those of another set. */
fm_status fm_plugins_copy_own(fm_plugin_set *set, const fm_plugin_set *from, fm_error *error);
void fm_plugins_close(fm_plugin_set *set);

#endif
