/* The sea of a world: a copy of the model's environment with waves drawn from the world's seed and with the live
 * parameters of the sea in force: gravity, density, sound speed, pressure, profiles and spots of the water column, the
 * plane and the mounds of the bottom. If gravity differs from the model's, the types are its own too: their values that
 * depend on weight are derived again (fm_type_weigh). */
#ifndef FM_WORLD_WATERS_H
#define FM_WORLD_WATERS_H

#include <fathom/status.h>
#include <fathom/world.h>

typedef enum fm_waters_what {
    FM_WATERS_DENSITY,  /* kg/m³ */
    FM_WATERS_FORMULA,  /* of the sound speed, a whole number */
    FM_WATERS_SPEED,    /* m/s, of sound */
    FM_WATERS_GRAVITY,  /* m/s² */
    FM_WATERS_PRESSURE, /* P0, P1, P2 */
    FM_WATERS_PLANE,    /* of the bottom: D0, D1, D2 */
    FM_WATERS_TEMPERATURE_PROFILE,
    FM_WATERS_SALINITY_PROFILE,
    FM_WATERS_CONDUCTIVITY_PROFILE,
    FM_WATERS_TEMPERATURE_SPOT,
    FM_WATERS_SALINITY_SPOT,
    FM_WATERS_CONDUCTIVITY_SPOT,
    FM_WATERS_MOUND
} fm_waters_what;

/* Numbers of a spot or mound: its amplitude or height, centre, standard deviations. Those of pressure, plane and
 * profiles are in the order of fm_water_column, fm_bottom and fm_segments. */
enum { FM_WATERS_AMPLITUDE = 0, FM_WATERS_CENTRE = 1, FM_WATERS_SIGMA = 4 };

/* The meaning of a word of the world's live block. */
typedef struct fm_waters_word {
    uint32_t word;
    fm_waters_what what;
    uint32_t index;  /* which spot or mound */
    uint32_t number; /* which of its numbers */
} fm_waters_word;

fm_status fm_waters_create(fm_world *world, fm_error *error);
void fm_waters_free(fm_world *world);
/* Draws the random waves from the world's seed. */
void fm_waters_draw(fm_world *world);
/* Applies the live parameters that have changed since the last call; 1: sound paths have changed. */
int fm_waters_refresh(fm_world *world);
/* Number of changes of the bottom: code that publishes the bottom publishes it again when this number changes. */
uint64_t fm_waters_moves(const fm_world *world);

#endif
