/* COMMAND on the wire: fm_wire_command, then the arguments of the command in the order of the table of commands. The
 * client library compiles the same file. */
#ifndef FM_SERVER_WIRE_COMMAND_H
#define FM_SERVER_WIRE_COMMAND_H

#include "server/wire.h"
#include "world/command.h"

void fm_wire_put_arguments(fm_wire_out *out, const fm_command *command);
/* Reads the rest of the payload; 0: see in->fault; *command has what could be read. */
int fm_wire_get_arguments(fm_wire_in *in, fm_command_kind kind, fm_command *command);

#endif
