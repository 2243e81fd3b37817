/* The current around the vehicles and the tethers, published as /current and /tethers. All memory is allocated at
 * load. */
#ifndef FM_TELEMETRY_SEA_MESSAGES_H
#define FM_TELEMETRY_SEA_MESSAGES_H

#include "telemetry/message.h"
#include "world/tether.h"

enum {
    FM_FIELD_ACROSS = 9,
    FM_FIELD_LAYERS = 3,
    FM_FIELD_POINTS = FM_FIELD_ACROSS * FM_FIELD_ACROSS * FM_FIELD_LAYERS
};

typedef struct fm_sea_messages {
    fm_msg_current_field current;
    float velocity[3 * FM_FIELD_POINTS];
    int flows; /* the scenario has a current */
    const fm_tethers *list;
    fm_msg_tethers tethers;
    size_t points, longest; /* of all tethers; letters of the longest name */
} fm_sea_messages;

fm_status fm_sea_messages_build(const fm_world *world, fm_arena *arena, fm_sea_messages *sea, fm_error *error);
/* The current on a grid around the vehicles as they are now, from the surface (or 1 m below it) to below the deepest.
 */
void fm_sea_messages_take_current(fm_sea_messages *sea, const fm_world *world);
void fm_sea_messages_take_tethers(fm_sea_messages *sea, const fm_world *world);

#endif
