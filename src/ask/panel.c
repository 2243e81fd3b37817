/* Several expressions about one run. */
#include <math.h>
#include <string.h>

#include "ask/probe.h"
#include "base/error.h"
#include "base/memory.h"

typedef struct entry {
    char name[FM_ASK_NAME];
    fm_ask_probe *probe;
    double *state;
} entry;

struct fm_ask_panel {
    entry *entries;
    size_t count;
    double *states;
    int begun;
    uint64_t tick; /* of the last sample */
};

static fm_status check_names(const fm_ask_panel *p, fm_error *error)
{
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(p->entries[i].name, p->entries[k].name))
                return fm_fail(error, FM_ERR_NAME, "two expressions are called '%s': name one of them, as in 'a=%s'",
                               p->entries[i].name, fm_ask_text(fm_ask_probe_ask(p->entries[i].probe)));
    return FM_OK;
}

static fm_status fill(fm_ask_panel *p, const fm_model *model, const char *const *texts, size_t count, fm_error *error)
{
    size_t words = 0;
    for (; p->count < count; p->count++) {
        entry *e = &p->entries[p->count];
        const char *text = fm_ask_split(texts[p->count], e->name, sizeof e->name);
        if (!(e->probe = fm_ask_probe_create(model, -1, text, FM_ASK_ANY, NULL, error)))
            return FM_ERR_SYNTAX;
        words += fm_ask_words(fm_ask_probe_ask(e->probe));
    }
    if (!(p->states = fm_alloc((words + 1) * sizeof *p->states)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for expressions");
    double *at = p->states;
    for (size_t i = 0; i < p->count; i++) {
        p->entries[i].state = at;
        at += fm_ask_words(fm_ask_probe_ask(p->entries[i].probe));
    }
    return check_names(p, error);
}

fm_ask_panel *fm_ask_panel_create(const fm_model *model, const char *const *texts, size_t count, fm_error *error)
{
    fm_ask_panel *p = fm_alloc(sizeof *p);
    if (p)
        p->entries = fm_alloc((count + 1) * sizeof *p->entries);
    if (!p || !p->entries)
        fm_fail(error, FM_ERR_MEMORY, "no memory for expressions");
    else if (fill(p, model, texts, count, error) == FM_OK) {
        fm_ask_panel_begin(p);
        return p;
    }
    fm_ask_panel_free(p);
    return NULL;
}

void fm_ask_panel_free(fm_ask_panel *panel)
{
    if (!panel)
        return;
    for (size_t i = 0; panel->entries && i < panel->count; i++)
        fm_ask_probe_free(panel->entries[i].probe);
    fm_free(panel->entries);
    fm_free(panel->states);
    fm_free(panel);
}

void fm_ask_panel_begin(fm_ask_panel *panel)
{
    panel->begun = 0;
    for (size_t i = 0; i < panel->count; i++)
        fm_ask_begin(fm_ask_probe_ask(panel->entries[i].probe), panel->entries[i].state);
}

void fm_ask_panel_note(fm_ask_panel *panel, const fm_world *world)
{
    const uint64_t tick = fm_world_tick(world);
    if (panel->begun && tick == panel->tick)
        return;
    if (panel->begun && tick < panel->tick)
        fm_ask_panel_begin(panel);
    panel->begun = 1;
    panel->tick = tick;
    for (size_t i = 0; i < panel->count; i++)
        fm_ask_probe_note(panel->entries[i].probe, panel->entries[i].state, world, fm_world_time(world));
}

size_t fm_ask_panel_count(const fm_ask_panel *panel)
{
    return panel->count;
}

const char *fm_ask_panel_name(const fm_ask_panel *panel, size_t i)
{
    return panel->entries[i].name;
}

const fm_ask_probe *fm_ask_panel_probe(const fm_ask_panel *panel, size_t i)
{
    return panel->entries[i].probe;
}

double fm_ask_panel_value(const fm_ask_panel *panel, size_t i)
{
    return fm_ask_value(fm_ask_probe_ask(panel->entries[i].probe), panel->entries[i].state);
}
