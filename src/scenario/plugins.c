#include "scenario/plugins.h"

#include <dlfcn.h>
#include <fathom/part.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* --- attributes of every plugin's element --- */

typedef struct common_config {
    const char *name;
    double period;
} common_config;

static int lists(const fm_element *element, const char *name)
{
    for (size_t i = 0; i < element->attr_count; i++)
        if (strcmp(element->attrs[i].name, name) == 0)
            return 1;
    return 0;
}

/* The element with `name` and `period`, their values after its own config; NULL: no memory. */
static const fm_element *extend(fm_plugin_set *set, const fm_part_class *class)
{
    static const fm_attr common[] = {
        FM_NAME_ATTR(common_config, name, "name", NULL, 0, "of this part, unique on its vehicle"),
        FM_REAL_ATTR(common_config, period, "period", "s", 0, 1e6, NULL, 0,
                     "between two calls, a multiple of the vehicle's step; default: that step"),
    };
    const fm_element *own = class->element;
    size_t most = class->kind == FM_PART_FORCE ? 1 : 2, base = (own->config_size + 7) / 8 * 8;
    fm_element *element = fm_arena_alloc(&set->arena, sizeof *element);
    fm_attr *attrs = fm_arena_alloc(&set->arena, (own->attr_count + most) * sizeof *attrs);
    if (!element || !attrs)
        return NULL;
    *element = *own;
    if (own->attr_count)
        memcpy(attrs, own->attrs, own->attr_count * sizeof *attrs);
    element->attrs = attrs;
    element->config_size = base + sizeof(common_config);
    for (size_t i = 0; i < most; i++)
        if (!lists(own, common[i].name)) {
            attrs[element->attr_count] = common[i];
            attrs[element->attr_count++].offset += base;
        }
    return element;
}

static fm_status add_class(fm_plugin_set *set, const fm_part_class *class, fm_error *error)
{
    const fm_element *element = extend(set, class);
    if (!element)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the attributes of <%s>", class->element->name);
    return fm_registry_add_part(set->registry, class, element, error);
}

static fm_status check_bridge(const fm_bridge_class *class, const char *path, fm_error *error)
{
    fm_error inner = {0};
    const fm_element *element = class ? class->element : NULL;
    if (!element || !element->name || !element->kind || strcmp(element->name, "bridge") != 0 || !class->calls ||
        !class->calls->open || class->size < sizeof(fm_bridge_class))
        return fm_fail(
            error, FM_ERR_MODEL,
            "'%s': a bridge needs its size, an element <bridge> with a kind, and calls with an open function", path);
    if (fm_element_check(element, NULL, &inner) != FM_OK)
        return fm_fail(error, FM_ERR_MODEL, "'%s': %s", path, inner.text);
    return FM_OK;
}

static fm_status add_bridges(fm_plugin_set *set, const fm_plugin *plugin, const char *path, fm_error *error)
{
    fm_status status = FM_OK;
    for (uint32_t i = 0; i < plugin->bridge_count && status == FM_OK; i++) {
        status = check_bridge(plugin->bridges[i], path, error);
        if (status == FM_OK)
            status = fm_registry_add_bridge(set->registry, plugin->bridges[i], error);
    }
    return status;
}

static fm_status add_classes(fm_plugin_set *set, const fm_plugin *plugin, const char *path, fm_error *error)
{
    if (plugin->abi != FM_PLUGIN_ABI)
        return fm_fail(error, FM_ERR_MODEL, "'%s' was built for plugin interface %u, this program has %d", path,
                       plugin->abi, FM_PLUGIN_ABI);
    if (set->registry->count + plugin->class_count + plugin->bridge_count > set->room)
        return fm_fail(error, FM_ERR_FULL, "'%s' has %u parts and %u bridges: no room for more than %zu in all", path,
                       plugin->class_count, plugin->bridge_count, set->room);
    for (uint32_t i = 0; i < plugin->class_count; i++) {
        fm_status status = check_class(plugin->classes[i], path, error);
        if (status == FM_OK)
            status = add_class(set, plugin->classes[i], error);
        if (status != FM_OK)
            return status;
    }
    return add_bridges(set, plugin, path, error);
}

/* --- files --- */

/* The file's path: as given, or of the same name in one of the folders; NULL: not found. The system's library folders
 * are not searched. */
static const char *find_file(const fm_plugin_set *set, const char *path, char found[PATH_MAX])
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (realpath(path, found))
        return found;
    for (size_t i = 0; i < set->dir_count; i++) {
        char folder[PATH_MAX];
        int length = snprintf(folder, sizeof folder, "%s/%s", set->dirs[i], name);
        if (length > 0 && (size_t)length < sizeof folder && realpath(folder, found))
            return found;
    }
    return NULL;
}

/* FNV-1a of its bytes; 0: it cannot be read. */
static uint64_t hash_file(const char *path)
{
    unsigned char bytes[4096];
    uint64_t hash = 0xcbf29ce484222325u;
    size_t count;
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    while ((count = fread(bytes, 1, sizeof bytes, file)) > 0)
        for (size_t i = 0; i < count; i++)
            hash = (hash ^ bytes[i]) * 0x100000001b3u;
    fclose(file);
    return hash;
}

fm_status fm_plugins_load(void *user, const char *wanted, fm_error *error)
{
    fm_plugin_set *set = user;
    char found[PATH_MAX];
    const char *path = find_file(set, wanted, found);
    if (!path)
        return fm_fail(error, FM_ERR_FILE, "no file '%s'", wanted);
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return fm_fail(error, FM_ERR_FILE, "'%s' is no regular file", wanted);
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
    set->files[set->count] = (fm_plugin_file){fm_arena_text(&set->arena, path), hash_file(path)};
    set->handles[set->count++] = handle;
    if (!set->files[set->count - 1].path)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the name of a plugin");
    return add_classes(set, plugin, path, error);
}

/* --- classes of the calling program --- */

static fm_status add_own(fm_plugin_set *set, const fm_part_class *class, fm_error *error)
{
    for (size_t i = 0; i < set->own_count; i++)
        if (set->own[i] == class)
            return FM_OK;
    fm_status status = set->registry->count < set->room
                           ? check_class(class, "fm_load_options.parts", error)
                           : fm_fail(error, FM_ERR_FULL, "parts: no room for more than %zu in all", set->room);
    if (status == FM_OK)
        status = add_class(set, class, error);
    if (status == FM_OK)
        set->own[set->own_count++] = class;
    return status;
}

static fm_status reserve_own(fm_plugin_set *set, size_t count, fm_error *error)
{
    set->own = fm_arena_alloc(&set->arena, (count + 1) * sizeof *set->own);
    return set->own ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for %zu parts", count);
}

fm_status fm_plugins_add_own(fm_plugin_set *set, const fm_load_part *parts, size_t count, fm_error *error)
{
    if (count && !parts)
        return fm_fail(error, FM_ERR_ARGUMENT, "fm_load_options: parts must not be NULL if part_count is %zu", count);
    fm_status status = reserve_own(set, count, error);
    for (size_t i = 0; i < count && status == FM_OK; i++)
        status = add_own(set, parts[i].part_class, error);
    return status;
}

fm_status fm_plugins_copy_own(fm_plugin_set *set, const fm_plugin_set *from, fm_error *error)
{
    fm_status status = reserve_own(set, from->own_count, error);
    for (size_t i = 0; i < from->own_count && status == FM_OK; i++)
        status = add_own(set, from->own[i], error);
    return status;
}

void fm_plugins_close(fm_plugin_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        dlclose(set->handles[i]);
    set->count = 0;
    fm_arena_free(&set->arena);
}
