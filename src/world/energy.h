/* <world energy-check>: ends a run whose mechanical energy grows without a source. docs/theory/rigid-body.md, "Energy".
 *
 * Each vehicle, or each group of vehicles joined by tethers, has an account: the growth of its energy in a step
 * minus the energy supplied from outside. Losses are not counted; gains add up, and a sum beyond the tolerance,
 * relative to the largest kinetic energy so far, is reported and the next step refused. */
#ifndef FM_WORLD_ENERGY_H
#define FM_WORLD_ENERGY_H

#include "physics/energy.h"
#include "world/tether.h"
#include "world/world.h"

/* Config of the subsystem; made by the builder. */
typedef struct fm_energy_check {
    double tolerance;          /* part of the energy of motion */
    const int32_t *leader;     /* per slot: the slot with the account */
    const fm_tethers *tethers; /* NULL: none */
} fm_energy_check;

extern const fm_subsystem fm_energy_subsystem;

/* Words of state for this number of slots and tethers. */
size_t fm_energy_words(size_t slots, size_t tethers);

/* All of these do nothing if the check is off. `before` and `after` enclose the code that moves a vehicle. */
typedef struct fm_energy_moment {
    int watched;
    fm_energy energy;
    fm_body_input input; /* of the step, without the pull of tethers */
    double thrust[6];
} fm_energy_moment;

/* Enclose a vehicle's step, with the forces of the step in its input. */
void fm_energy_before_step(const fm_world *world, int slot, const fm_mass *mass, const double thrust[6],
                           fm_energy_moment *moment);
void fm_energy_after_step(fm_world *world, int slot, const fm_mass *mass, const fm_energy_moment *moment);
/* Kinetic and potential energy of a vehicle now, J; 0 if the check is off. */
double fm_energy_now(const fm_world *world, int slot);
/* A change of its energy without a source, J. */
void fm_energy_add(fm_world *world, int slot, double change);
/* Enclose the stage that collides: energy added by contact has no source, energy removed by it is lost. */
void fm_energy_before_contact(fm_world *world);
void fm_energy_after_contact(fm_world *world);
/* Of a tether after its step: kinetic and elastic energy, potential energy, and energy supplied from outside, J. */
void fm_energy_note_tether(fm_world *world, size_t tether, double moving, double potential, double given);

/* Gravity has changed: recomputes the energy of tethers. */
void fm_energy_forget_tethers(fm_world *world);

#endif
