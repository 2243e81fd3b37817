/* Events: what happened to a vehicle in a step. Each vehicle writes to its own part of the list, so that threads do not
 * interfere; at the end of the step the parts are joined. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "environment/environment.h"
#include "world/world.h"

/* Where the next event of a vehicle goes; NULL: it has used all its events of a step. */
static fm_event *next_event(fm_world *world, int slot)
{
    uint32_t count = world->slots[slot].event_count++;
    __atomic_store_n(&world->any_events, 1, __ATOMIC_RELAXED);
    return count < FM_EVENTS_PER_VEHICLE ? &world->events[slot * FM_EVENTS_PER_VEHICLE + (int)count] : NULL;
}

void fm_event_add(fm_world *world, int slot, const char *kind, double value)
{
    fm_event_tell(world, slot, kind, value, "%s", "");
}

void fm_event_tell(fm_world *world, int slot, const char *kind, double value, const char *format, ...)
{
    fm_event *event = next_event(world, slot);
    if (!event)
        return;
    event->tick = world->head->tick;
    event->slot = slot;
    event->kind = kind;
    event->value = value;
    char whole[512];
    va_list arguments;
    va_start(arguments, format);
    fm_text_vprint(whole, sizeof whole, format, arguments);
    va_end(arguments);
    fm_text_shorten(event->text, sizeof event->text, whole);
}

void fm_event_measure(fm_world *world, int slot, const char *kind, double value, const char *unit)
{
    char number[32];
    fm_text_number_write(number, sizeof number, floor(value * 100 + 0.5) / 100);
    fm_event_tell(world, slot, kind, value, "%s at %s %s", kind, number, unit);
}

static const char *name_of_thing(const fm_world *world, double number)
{
    const fm_environment *environment = world->model->environment;
    if (!(number >= 0 && number < (double)environment->obstacle_count))
        return "the bottom";
    const char *name = environment->obstacles[(size_t)number].name;
    return name && name[0] ? name : "an obstacle";
}

static void describe(const fm_world *world, fm_event *event)
{
    if (event->text[0])
        return;
    if (!strcmp(event->kind, "contact"))
        snprintf(event->text, sizeof event->text, "contact with %s", name_of_thing(world, event->value));
    else if (!strcmp(event->kind, "vehicle contact") && fm_world_name(world, (int)event->value))
        snprintf(event->text, sizeof event->text, "contact with %s", fm_world_name(world, (int)event->value));
    else
        snprintf(event->text, sizeof event->text, "%s", event->kind);
}

/* Moves the events of a vehicle to follow those of the vehicles before it. */
static void gather(fm_world *world, int index)
{
    fm_slot *slot = &world->slots[index];
    uint32_t count = slot->event_count < FM_EVENTS_PER_VEHICLE ? slot->event_count : FM_EVENTS_PER_VEHICLE;
    fm_event *from = &world->events[index * FM_EVENTS_PER_VEHICLE];
    for (uint32_t k = 0; k < count; k++) {
        describe(world, &from[k]);
        memmove(&world->events[world->event_count++], &from[k], sizeof *from);
    }
    world->events_lost += slot->event_count - count;
    world->head->events += slot->event_count;
    slot->event_count = 0;
}

void fm_stage_publish(fm_world *world)
{
    world->event_count = 0;
    if (!world->any_events)
        return;
    world->any_events = 0;
    for (int i = 0; i < world->slot_count; i++)
        if (world->slots[i].event_count)
            gather(world, i);
}

size_t fm_world_events(const fm_world *world, const fm_event **events)
{
    if (events)
        *events = world ? world->events : NULL;
    return world ? world->event_count : 0;
}
