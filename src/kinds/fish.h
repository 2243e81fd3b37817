/* The four-joint robotic fish as a vehicle kind. */
#ifndef FM_KINDS_FISH_H
#define FM_KINDS_FISH_H

#include "fish/fish.h"
#include "world/model.h"

extern const char *const fm_fish_order_names[FM_FISH_ORDERS];
extern const char *const fm_fish_order_units[FM_FISH_ORDERS];

extern const fm_kind fm_kind_fish;

static inline const fm_fish_config *fm_fish_of(const fm_type *type)
{
    return type->kind_config;
}

fm_fish_words *fm_fish_words_of(const fm_type *type, const fm_vehicle *vehicle);

#endif
