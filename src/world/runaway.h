/* Vehicles whose state diverges: why, and how they leave the world. */
#ifndef FM_WORLD_RUNAWAY_H
#define FM_WORLD_RUNAWAY_H

#include "world/world.h"

/* A vehicle whose state is out of range after its step; `before`: at its start. With on-runaway="remove" it stays there
 * until the next step takes it out; with "end" the step will fail. */
void fm_runaway_meet(fm_world *world, int slot, const fm_body_state *before);
/* Ends a vehicle, with an event that says why; the next step takes it out. */
void fm_runaway_mark(fm_world *world, int slot, const char *text);
/* Takes out the vehicles that were marked: their slots and names are free. */
void fm_runaway_take_out(fm_world *world);
/* What is out of range, and why. */
fm_status fm_runaway_report(const fm_world *world, int slot, fm_error *error);

#endif
