/* Commands that change the world, for a server and for a run without one. */
#ifndef FM_SERVER_WORLD_COMMAND_H
#define FM_SERVER_WORLD_COMMAND_H

#include <fathom/world.h>

#include "server/wire.h"
#include "world/command.h"

/* Passes a command to the world; returns the code of its answer. `holder`: the sender, and the name that actuators are
 * held under. The stepping thread, between steps. */
fm_wire_code fm_command_do(fm_world *world, const fm_command *command, const char *holder, fm_error *error);
/* The code for a status in an answer; for fm_world_spawn, which distinguishes a taken name from an unknown model. */
fm_wire_code fm_spawn_code(const fm_world *world, const char *name, const char *model, fm_status status);
fm_wire_code fm_command_code(fm_status status);
/* 0.1 ms since the start of the simulation. */
uint64_t fm_stamp_of(double seconds);

#endif
