/* Commands that change the world, as a server does them and as a run without one does. */
#ifndef FM_SERVER_WORLD_COMMAND_H
#define FM_SERVER_WORLD_COMMAND_H

#include <fathom/world.h>

#include "server/wire.h"
#include "world/command.h"

/* Gives a command to the world; the code of its answer. `holder`: who gives it, the name under which actuators are
 * held. The stepping thread, between steps. */
fm_wire_code fm_command_do(fm_world *world, const fm_command *command, const char *holder, fm_error *error);
/* What a status is called in an answer; that of fm_world_spawn, which tells a taken name from an unknown model. */
fm_wire_code fm_spawn_code(const fm_world *world, const char *name, const char *model, fm_status status);
fm_wire_code fm_command_code(fm_status status);
/* 0.1 ms since the start of the simulation. */
uint64_t fm_stamp_of(double seconds);

#endif
