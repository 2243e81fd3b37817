/* The robotic fish as a vehicle kind. */
#ifndef FM_KINDS_FISH_H
#define FM_KINDS_FISH_H

#include "fish/fish.h"
#include "world/model.h"

extern const fm_kind fm_kind_fish;

/* The fish data of a type; NULL: not a fish. */
const fm_fish_config *fm_fish_of(const fm_type *type);
/* What a fish keeps in its record. */
fm_fish_words *fm_fish_words_of(const fm_type *type, const fm_vehicle *vehicle);

/* fish_build.c */
extern const fm_kind_order fm_fish_orders[FM_FISH_ORDERS];
fm_status fm_fish_build(fm_part_load *load, const void *config, fm_type *type, fm_error *error);
void fm_fish_limit_orders(const fm_type *type, fm_actuator *actuators);
size_t fm_fish_live(const fm_type *type, fm_kind_live out[FM_KIND_LIVE_MOST]);

/* fish_flat.c */
extern const fm_kind_lanes fm_fish_lanes;

#endif
