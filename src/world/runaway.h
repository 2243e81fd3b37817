/* Vehicles whose state diverges: the cause, and their removal. */
#ifndef FM_WORLD_RUNAWAY_H
#define FM_WORLD_RUNAWAY_H

#include "world/world.h"

/* A vehicle whose state is out of range after its step; `before`: at its start. With on-runaway="remove" it stays until
 * the next step removes it; with "end" the step fails. */
void fm_runaway_meet(fm_world *world, int slot, const fm_body_state *before);
/* Ends a vehicle, with an event that gives the cause; the next step removes it. */
void fm_runaway_mark(fm_world *world, int slot, const char *text);
/* Removes the marked vehicles: their slots and names become free. */
void fm_runaway_take_out(fm_world *world);
/* What is out of range, and why. */
fm_status fm_runaway_report(const fm_world *world, int slot, fm_error *error);

#endif
