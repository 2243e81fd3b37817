/* A world with one probe that carries instruments, for tests of them. */
#ifndef TESTS_SENSORS_SENSOR_CASE_H
#define TESTS_SENSORS_SENSOR_CASE_H

#include "support/cmocka_all.h"

#include <stddef.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fathom/world.h>

#include "base/memory.h"
#include "sensors/readings.h"
#include "world/world.h"

typedef struct sensor_case {
    fm_model *model;
    fm_world *world;
} sensor_case;

/* A neutrally buoyant sphere without any drag: moves straight on unless told otherwise. */
#define PROBE_BODY                                                                                                     \
    "<mass mass='100 kg' inertia='10 10 10 kg*m2'/><buoyancy force='980.665 N'/>"                                      \
    "<added-mass-matrix linear='0 0 0 kg' angular='0 0 0 kg*m2'/>"

static inline void open_text(sensor_case *c, const char *text, int threads)
{
    fm_error error = {0};
    c->model = fm_model_load_memory(text, strlen(text), TEST_DATA "/probe.xml", NULL, &error);
    if (!c->model)
        fail_msg("%d: %s", error.line, error.text);
    c->world = fm_world_create(c->model, &(fm_world_options){.threads = threads}, &error);
    if (!c->world)
        fail_msg("%s", error.text);
}

/* Surroundings, the probe's attributes, its instruments. */
static inline sensor_case open_case(const char *world, const char *probe, const char *instruments)
{
    static char text[65536];
    sensor_case c;
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='10 s' seed='7' latitude='41 deg' longitude='-8 "
             "deg'>%s</world>"
             "<vehicle name='probe' %s>" PROBE_BODY "%s</vehicle></fathom>",
             world, probe, instruments);
    open_text(&c, text, 1);
    return c;
}

static inline void close_case(sensor_case *c)
{
    fm_world_free(c->world);
    fm_model_free(c->model);
}

static inline void step_case(sensor_case *c, int ticks)
{
    fm_error error = {0};
    for (int i = 0; i < ticks; i++)
        if (fm_world_step(c->world, &error) != FM_OK)
            fail_msg("%s", error.text);
}

/* The output block of an instrument of the first vehicle. */
static inline const void *reading(const sensor_case *c, const char *name)
{
    const fm_slot *slot = &c->world->slots[0];
    for (size_t i = 0; i < slot->type->part_count; i++)
        if (strcmp(slot->type->parts[i].name, name) == 0)
            return fm_vehicle_words(slot->vehicle, slot->type->parts[i].output);
    fail_msg("there is no instrument '%s'", name);
    return NULL;
}

static inline double value_of(const sensor_case *c, const char *name)
{
    return ((const fm_value_reading *)reading(c, name))->value;
}

static inline double range_of(const sensor_case *c, const char *name)
{
    return ((const fm_range_reading *)reading(c, name))->range;
}

static inline void set_live(sensor_case *c, const char *path, double value)
{
    fm_error error = {0};
    if (fm_world_set(c->world, path, value, &error) != FM_OK)
        fail_msg("%s", error.text);
}

#define assert_near(found, wanted, tolerance)                                                                          \
    do {                                                                                                               \
        double f_ = (found), w_ = (wanted);                                                                            \
        if (!(fabs(f_ - w_) <= (tolerance)))                                                                           \
            fail_msg("%s: found %.17g, wanted %.17g", #found, f_, w_);                                                 \
    } while (0)

#define DEGREE (FM_PI / 180)

#endif
