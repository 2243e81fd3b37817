/* <world energy-check>: a run in which mechanical energy grows without a source ends. docs/theory/rigid-body.md,
 * "Energy".
 *
 * Each vehicle has an account, and vehicles that a tether joins have one together: what their energy grew by in a step
 * beyond what came in from outside. What is lost is not kept; what was gained adds up, and beyond the tolerance of the
 * greatest energy of motion so far it is told and the next step refused. */
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

/* Words of state for so many slots and tethers. */
size_t fm_energy_words(size_t slots, size_t tethers);

/* All of these do nothing where nothing is checked. `before` and `after` stand around what moves a vehicle. */
typedef struct fm_energy_moment {
    int watched;
    fm_energy energy;
    fm_body_input input; /* of the step, without the pull of tethers */
    double thrust[6];
} fm_energy_moment;

/* Around a vehicle's step, with the forces of the step in its input. */
void fm_energy_before_step(const fm_world *world, int slot, const fm_mass *mass, const double thrust[6],
                           fm_energy_moment *moment);
void fm_energy_after_step(fm_world *world, int slot, const fm_mass *mass, const fm_energy_moment *moment);
/* Kinetic and potential energy of a vehicle now, J; 0 where nothing is checked. */
double fm_energy_now(const fm_world *world, int slot);
/* A change of its energy that has no source, J. */
void fm_energy_add(fm_world *world, int slot, double change);
/* Around the stage that collides: what contact adds has no source, what it takes is lost. */
void fm_energy_before_contact(fm_world *world);
void fm_energy_after_contact(fm_world *world);
/* Of a tether after its step: energy of motion and of stretch, of weight, and what came in from outside, J. */
void fm_energy_note_tether(fm_world *world, size_t tether, double moving, double potential, double given);

/* Gravity is another: what tethers have is counted anew. */
void fm_energy_forget_tethers(fm_world *world);

#endif
