/* A vehicle whose kind has a body of its own instead of a rigid one, in a step of a batch. At present these are robotic
 * fish (physics/fish_flat.h). */
#ifndef FM_PHYSICS_OWN_BODY_H
#define FM_PHYSICS_OWN_BODY_H

#include "physics/fish_flat.h"
#include "physics/surroundings_water.h"

enum { FM_OWN_WORDS = FM_FISH_WORDS }; /* numbers that are kept from step to step */

typedef struct fm_own_body {
    fm_fish_craft craft;
    fm_fish_elongated_params theory; /* room of the craft */
    fm_fish_words words;
} fm_own_body;

static_assert(sizeof(fm_fish_words) == FM_OWN_WORDS * sizeof(fm_real), "numbers alone");

FM_FN void fm_own_open(const fm_flat *flat, fm_own_body *own)
{
    own->craft = fm_flat_fish(flat, &own->theory);
}

FM_FN void fm_own_begin(fm_own_body *own, const fm_real water[3], fm_actuator_state *actuators, fm_body_state *state)
{
    fm_real *numbers = (fm_real *)&own->words;
    for (int i = 0; i < FM_OWN_WORDS; i++)
        numbers[i] = fm_const(0);
    fm_fish_begin(&own->craft, water, actuators, &own->words, state);
}

FM_FN void fm_own_move(fm_own_body *own, const fm_surroundings *surroundings, const fm_body *body,
                       const fm_actuator_state *actuators, const fm_actuator_fault *faults, fm_par dt,
                       fm_body_state *state)
{
    fm_stream_room room;
    fm_stream_room_clear(&room);
    const fm_stream *water = fm_surroundings_at(surroundings, body, 0, state, &room);
    fm_fish_move(&own->craft, actuators, faults, water->velocity, dt, &own->words, state);
}

#endif
