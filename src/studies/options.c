#include "studies/options.h"

#include <string.h>

bool fm_options_copy_texts(fm_arena *arena, const char *const **list, size_t count)
{
    const char **copy = fm_arena_alloc(arena, (count + 1) * sizeof *copy);
    if (!copy)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!(copy[i] = fm_arena_text(arena, (*list)[i] ? (*list)[i] : "")))
            return false;
    *list = copy;
    return true;
}

bool fm_options_copy_load(fm_arena *arena, const fm_load_options *from, fm_load_options *to)
{
    *to = from ? *from : (fm_load_options){0};
    to->report = to->warn = NULL;
    fm_load_part *parts = fm_arena_alloc(arena, (to->part_count + 1) * sizeof *parts);
    if (!parts)
        return false;
    if (to->part_count)
        memcpy(parts, to->parts, to->part_count * sizeof *parts);
    to->parts = parts;
    return fm_options_copy_texts(arena, &to->set, to->set_count) &&
           fm_options_copy_texts(arena, &to->bridges, to->bridge_count) &&
           fm_options_copy_texts(arena, &to->model_dirs, to->model_dir_count) &&
           fm_options_copy_texts(arena, &to->plugin_dirs, to->plugin_dir_count);
}

void fm_options_hash(uint64_t *hash, const void *bytes, size_t size)
{
    for (const unsigned char *b = bytes; size-- > 0; b++)
        *hash = (*hash ^ *b) * 0x100000001b3u;
}

void fm_options_hash_text(uint64_t *hash, const char *text)
{
    fm_options_hash(hash, text, strlen(text) + 1);
}
