#include "base/names.h"

#include <stdint.h>

#include "base/memory.h"
#include "base/text.h"

fm_status fm_name_set_create(fm_name_set *set, size_t most, fm_error *error)
{
    set->room = 8;
    while (set->room < 2 * most)
        set->room *= 2;
    set->entries = fm_alloc(set->room * sizeof *set->entries);
    return set->entries ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for %zu names", most);
}

void fm_name_set_free(fm_name_set *set)
{
    fm_free(set->entries);
    *set = (fm_name_set){0};
}

/* FNV-1a, with the finaliser of splitmix64: the low bits are good. */
static uint64_t hash_name(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)(*name == '-' ? '_' : *name)) * 0x100000001b3u;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    return hash ^ (hash >> 31);
}

/* Where a name is, or would be. */
static fm_name_entry *look_up(const fm_name_set *set, const char *name)
{
    size_t at = (size_t)hash_name(name) & (set->room - 1);
    while (set->entries[at].name && !fm_text_name_equal(set->entries[at].name, name))
        at = (at + 1) & (set->room - 1);
    return &set->entries[at];
}

fm_name_entry *fm_name_set_at(fm_name_set *set, const char *name)
{
    fm_name_entry *entry = look_up(set, name);
    if (!entry->name)
        entry->name = name;
    return entry;
}

fm_name_entry *fm_name_set_find(const fm_name_set *set, const char *name)
{
    fm_name_entry *entry = look_up(set, name);
    return entry->name ? entry : NULL;
}
