/* Commands as text, for `fathom ctl` and the command queue: "step 10", "set /water/density 1020". The grammar comes
 * from the table of commands: the word of a command, then its arguments, separated by spaces. */
#ifndef FM_SERVER_COMMAND_TEXT_H
#define FM_SERVER_COMMAND_TEXT_H

#include "world/command.h"

enum { FM_COMMAND_TEXT = 512 }; /* bytes of a command at most, NUL included */

/* Unit of the number "value" of a command, which depends on the names before it: the unit of the parameter, of the
 * actuator or of the set point. Returns FM_OK and the unit, or why it is not known. */
typedef fm_status fm_unit_of_value(void *user, const fm_command *so_far, char *unit, size_t size, fm_error *error);

/* Parses one command. Numbers are SI and radians, or followed by a unit: "waypoint lauv 1 2 3 m 2 kn". Only
 * fm_command_read_in knows units of a "value", by asking `unit_of`. */
fm_status fm_command_read(const char *text, size_t size, fm_command *command, fm_error *error);
fm_status fm_command_read_in(const char *text, size_t size, fm_unit_of_value *unit_of, void *user, fm_command *command,
                             fm_error *error);
/* The syntax of a command: "waypoint <vehicle> <north east down> [<speed>]". */
void fm_command_usage(const fm_command_row *row, char *text, size_t size);

#endif
