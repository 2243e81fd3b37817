/* Worlds with one robotic fish, and what is refused of it. */
#ifndef TESTS_KINDS_FISH_WORLDS_H
#define TESTS_KINDS_FISH_WORLDS_H

#include "support/scenario.h"

#include "physics/real.h"
#include "world/world.h"

#define DEG (FM_PI / 180)
#define FRESH "<fathom version='1'><world dt='0.01 s' duration='60 s'><water density='1000 kg/m3'/>"

static inline fm_world *one_fish(const char *attributes, const char *inside)
{
    char text[2000];
    snprintf(text, sizeof text,
             FRESH "</world><vehicle name='fish' model='robotic-fish' position='0 0 1 m' %s>%s</vehicle></fathom>",
             attributes, inside);
    return start(text);
}

/* A fish with this inside is refused with these words. */
static inline void refused(const char *inside, const char *says)
{
    char text[2000];
    fm_error error = {0};
    snprintf(text, sizeof text, FRESH "</world><vehicle name='fish' model='robotic-fish'>%s</vehicle></fathom>",
             inside);
    assert_null(try_load(text, &error));
    if (!strstr(error.text, says))
        fail_msg("'%s' does not say '%s'", error.text, says);
}

static inline const double *values_of(const fm_world *world, const char *part)
{
    const fm_slot *slot = &world->slots[0];
    for (size_t i = 0; i < slot->type->part_count; i++)
        if (strcmp(slot->type->parts[i].name, part) == 0)
            return (const double *)fm_vehicle_words(slot->vehicle, slot->type->parts[i].output);
    fail_msg("no part '%s'", part);
    return NULL;
}

static inline void set(fm_world *world, const char *path, double value)
{
    fm_error error = {0};
    if (fm_world_set(world, path, value, &error) != FM_OK)
        fail_msg("%s: %s", path, error.text);
}

/* A fish before a wall whose near side is `ahead` of the eyes (m). */
static inline fm_world *before_a_wall(double ahead, const char *brain)
{
    char text[1500];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s' duration='60 s' seed='3'><water density='1000 kg/m3'/>"
             "<box name='wall' position='%.9g 0 1 m' size='1 20 4 m'/></world><vehicle name='fish' "
             "model='robotic-fish' position='0 0 1 m' velocity='0.2 0 0 m/s'>%s</vehicle></fathom>",
             0.66 + ahead, brain);
    return start(text);
}

static inline double decided(const fm_world *world, const char *field)
{
    fm_sample sample;
    fm_error error = {0};
    double value = NAN;
    if (fm_world_instrument_read(world, "fish", "fish-brain", field, &sample, &error) != FM_OK)
        fail_msg("%s", error.text);
    fm_sample_values(&sample, &value, 1);
    return value;
}

#endif
