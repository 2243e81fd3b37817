/* A world with one probe that carries instruments, for tests of them. */
#ifndef TESTS_SENSORS_PROBE_H
#define TESTS_SENSORS_PROBE_H

#include "support/scenario.h"

#include "base/memory.h"
#include "sensors/readings.h"
#include "world/world.h"

/* A neutrally buoyant sphere without any drag: moves straight on by default. */
#define PROBE_BODY                                                                                                     \
    "<mass mass='100 kg' inertia='10 10 10 kg*m2'/><buoyancy force='980.665 N'/>"                                      \
    "<added-mass-matrix linear='0 0 0 kg' angular='0 0 0 kg*m2'/>"

/* Surroundings, the probe's attributes, its instruments. */
static inline fm_world *start_probe(const char *world, const char *probe, const char *instruments)
{
    static char text[65536];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='10 s' seed='7' latitude='41 deg' longitude='-8 "
             "deg'>%s</world>"
             "<vehicle name='probe' %s>" PROBE_BODY "%s</vehicle></fathom>",
             world, probe, instruments);
    return start(text);
}

/* The output block of a part of a vehicle. */
static inline const void *reading_of(const fm_world *world, int vehicle, const char *name)
{
    const fm_slot *slot = &world->slots[vehicle];
    for (size_t i = 0; i < slot->type->part_count; i++)
        if (strcmp(slot->type->parts[i].name, name) == 0)
            return fm_vehicle_words(slot->vehicle, slot->type->parts[i].output);
    fail_msg("no instrument '%s'", name);
    return NULL;
}

/* That of the first vehicle. */
static inline const void *reading(const fm_world *world, const char *name)
{
    return reading_of(world, 0, name);
}

static inline double value_of(const fm_world *world, const char *name)
{
    return ((const fm_value_reading *)reading(world, name))->value;
}

static inline double range_of(const fm_world *world, const char *name)
{
    return ((const fm_range_reading *)reading(world, name))->range;
}

#endif
