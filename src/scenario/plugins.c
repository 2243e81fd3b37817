#include "scenario/plugins.h"

#include <dlfcn.h>
#include <fathom/part.h>
#include <stdbool.h>
#include <string.h>

#include "scenario/load.h"
#include "scenario/value.h"

static fm_status check_class(const fm_part_class *class, const char *path, fm_error *error)
{
    fm_error inner = {0};
    if (!class || !class->element || !class->element->name || !class->run || (unsigned)class->kind > FM_PART_CONTROLLER)
        return fm_fail(error, FM_ERR_MODEL, "'%s': a class needs a kind, an element with a name and a run function",
                       path);
    if (class->live_size % 8 || class->state_size % 8 || class->output_size % 8)
        return fm_fail(error, FM_ERR_MODEL,
                       "'%s': live_size, state_size and output_size of <%s> must be multiples of 8", path,
                       class->element->name);
    if (class->live_size > class->element->config_size)
        return fm_fail(error, FM_ERR_MODEL,
                       "'%s': live parameters of <%s> lie at the head of its config and cannot be larger", path,
                       class->element->name);
    if (class->mount && ((class->mount - 1) % 8 || class->mount - 1 + sizeof(fm_mount) > class->element->config_size))
        return fm_fail(error, FM_ERR_MODEL, "'%s': the mount of <%s> lies outside of its config", path,
                       class->element->name);
    if (fm_element_check(class->element, NULL, &inner) != FM_OK)
        return fm_fail(error, FM_ERR_MODEL, "'%s': %s", path, inner.text);
    return FM_OK;
}

static fm_status add_classes(fm_plugin_set *set, const fm_plugin *plugin, const char *path, fm_error *error)
{
    if (plugin->abi != FM_PLUGIN_ABI)
        return fm_fail(error, FM_ERR_MODEL, "'%s' was built for plugin interface %u, this program has %d", path,
                       plugin->abi, FM_PLUGIN_ABI);
    if (set->registry->count + plugin->class_count > set->room)
        return fm_fail(error, FM_ERR_FULL, "'%s' brings %u parts; there is no room for more than %zu in all", path,
                       plugin->class_count, set->room);
    for (uint32_t i = 0; i < plugin->class_count; i++) {
        fm_status status = check_class(plugin->classes[i], path, error);
        if (status == FM_OK)
            status = fm_registry_add_part(set->registry, plugin->classes[i], error);
        if (status != FM_OK)
            return status;
    }
    return FM_OK;
}

fm_status fm_plugins_load(void *user, const char *path, fm_error *error)
{
    fm_plugin_set *set = user;
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return fm_fail(error, FM_ERR_FILE, "%s", dlerror());
    for (size_t i = 0; i < set->count; i++)
        if (set->handles[i] == handle) {
            dlclose(handle);
            return FM_OK;
        }
    const fm_plugin *plugin = dlsym(handle, "fm_plugin_v1");
    if (!plugin || set->count == FM_PLUGINS_MOST) {
        dlclose(handle);
        return plugin ? fm_fail(error, FM_ERR_FULL, "more than %d plugins", FM_PLUGINS_MOST)
                      : fm_fail(error, FM_ERR_MODEL, "'%s' is no Fathom plugin: it does not export fm_plugin_v1", path);
    }
    set->handles[set->count++] = handle;
    return add_classes(set, plugin, path, error);
}

void fm_plugins_close(fm_plugin_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        dlclose(set->handles[i]);
    set->count = 0;
}
