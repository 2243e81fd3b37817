#include "ask/end.h"

#include "world/world.h"

enum { MET, STATE }; /* words: 1 once the condition was met; the expression's from there on */

size_t fm_ask_end_words(const fm_ask_end *end)
{
    return STATE + fm_ask_words(fm_ask_probe_ask(end->probe));
}

const fm_ask_end *fm_ask_end_of(const fm_model *model)
{
    return fm_subsystem_config(model, FM_SUBSYSTEM_END);
}

static void tell(fm_world *world, const fm_ask_end *end)
{
    int slot = 0;
    while (slot + 1 < world->slot_count && world->slots[slot].vehicle->life == FM_EMPTY)
        slot++;
    fm_event_tell(world, slot, "end", 0, "end of the run: %.100s",
                  end->text ? end->text : fm_ask_text(fm_ask_probe_ask(end->probe)));
}

static void begin(fm_world *world, const void *config, double *state)
{
    const fm_ask_end *end = config;
    const fm_ask *ask = fm_ask_probe_ask(end->probe);
    fm_ask_begin(ask, state + STATE);
    fm_ask_probe_note(end->probe, state + STATE, world, fm_world_time(world));
    state[MET] = fm_ask_value(ask, state + STATE) != 0;
}

/* The tick is counted after this. */
static void sum(fm_world *world, const void *config, double *state)
{
    const fm_ask_end *end = config;
    fm_ask_probe_note(end->probe, state + STATE, world, (double)(world->head->tick + 1) * fm_model_dt(world->model));
    if (state[MET] != 0 || fm_ask_value(fm_ask_probe_ask(end->probe), state + STATE) == 0)
        return;
    state[MET] = 1;
    tell(world, end);
}

const fm_subsystem fm_end_subsystem = {.id = FM_SUBSYSTEM_END, .name = "end", .start = begin, .sum = sum};
