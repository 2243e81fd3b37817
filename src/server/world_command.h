/* Commands that change the world, as a server does them and as a run without one does. */
#ifndef FM_SERVER_WORLD_COMMAND_H
#define FM_SERVER_WORLD_COMMAND_H

#include <fathom/world.h>

#include "server/wire.h"

/* Those of SET, SPAWN, REMOVE, ORDER, TAKE, RELEASE, ENGAGE, DISENGAGE, DESIRE, WAYPOINT, WAYPOINTS_CLEAR, PUSH; others
 * are refused. `holder`: who gives it, the name under which actuators are held. */
fm_status fm_command_input(const fm_wire_command *command, const char *holder, fm_input *input, fm_error *error);
/* The same, into the world. The stepping thread, between steps. */
fm_status fm_command_apply(fm_world *world, const fm_wire_command *command, const char *holder, fm_error *error);
/* The same, with what its answer is called. */
fm_wire_code fm_command_do(fm_world *world, const fm_wire_command *command, const char *holder, fm_error *error);
/* What a status is called in an answer; that of fm_world_spawn, which tells a taken name from an unknown model. */
fm_wire_code fm_spawn_code(const fm_world *world, const char *name, const char *model, fm_status status);
fm_wire_code fm_command_code(fm_status status);
/* 0.1 ms since the start of the simulation. */
uint64_t fm_stamp_of(double seconds);

#endif
