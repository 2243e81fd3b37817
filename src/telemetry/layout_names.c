#include "telemetry/layout_names.h"

#include <string.h>

static const size_t nowhere = (size_t)-1;

void fm_layout_names_begin(fm_layout_names *names)
{
    names->index_count = 0;
    names->message++;
}

static int is_name(const fm_layout_name *item, const char *text, size_t length)
{
    return strncmp(item->name, text, length) == 0 && item->name[length] == 0;
}

static char *copy(fm_arena *arena, const char *text, size_t length)
{
    char *made = fm_arena_alloc(arena, length + 1);
    if (made)
        memcpy(made, text, length);
    return made;
}

/* Doubles an array that lives in an arena. */
static void *grown(fm_arena *arena, const void *old, size_t count, size_t *room, size_t item)
{
    size_t wanted = 2 * *room + 16;
    void *made = fm_arena_alloc(arena, wanted * item);
    if (made && count)
        memcpy(made, old, count * item);
    *room = made ? wanted : *room;
    return made;
}

static int add_name(fm_layout_names *names, fm_arena *arena, const char *text, size_t length, size_t again)
{
    if (names->count == names->room) {
        fm_layout_name *items = grown(arena, names->items, names->count, &names->room, sizeof *items);
        if (!items)
            return 0;
        names->items = items;
    }
    char *name = copy(arena, text, length);
    if (!name)
        return 0;
    names->items[names->count++] = (fm_layout_name){.name = name, .unit = "", .again = again};
    return 1;
}

/* Messages of a channel usually name the same items in the same order: the expected position in the list is tried
 * first. */
static size_t find(const fm_layout_names *names, const char *text, size_t length, size_t *again)
{
    size_t guess = names->index_count;
    *again = 0;
    if (guess < names->count && names->items[guess].seen != names->message && !names->items[guess].again &&
        is_name(&names->items[guess], text, length))
        return guess;
    for (size_t i = 0; i < names->count; i++)
        if (is_name(&names->items[i], text, length)) {
            if (names->items[i].seen != names->message)
                return i;
            ++*again;
        }
    return names->count;
}

int fm_layout_names_next(fm_layout_names *names, fm_arena *arena, const char *text, size_t length, int add)
{
    size_t again, at;
    if (names->off)
        return 1;
    if (names->index_count == names->index_room) {
        size_t *index = grown(arena, names->index, names->index_count, &names->index_room, sizeof *index);
        if (!index)
            return 0;
        names->index = index;
    }
    at = find(names, text, length, &again);
    if (at == names->count && add) {
        if (names->count == FM_LAYOUT_NAMES_MOST || memchr(text, 0, length)) {
            names->off = 1;
            return 1;
        }
        if (!add_name(names, arena, text, length, again))
            return 0;
    }
    if (at < names->count)
        names->items[at].seen = names->message;
    names->index[names->index_count++] = at < names->count ? at : nowhere;
    return 1;
}

int fm_layout_names_unit(fm_layout_names *names, fm_arena *arena, size_t i, const char *text, size_t length)
{
    if (names->off || i >= names->index_count || names->index[i] == nowhere || !length)
        return 1;
    fm_layout_name *item = &names->items[names->index[i]];
    const char *unit = item->unit[0] ? item->unit : copy(arena, text, length);
    item->unit = unit ? unit : "";
    return unit != NULL;
}

long fm_layout_names_index(const fm_layout_names *names, size_t i)
{
    if (i >= names->index_count)
        return (long)(names->count + i - names->index_count);
    return names->index[i] == nowhere ? -1 : (long)names->index[i];
}
