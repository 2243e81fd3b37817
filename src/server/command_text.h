/* Commands as text, for `fathom ctl` and the command queue: "step 10", "set /water/density 1020". The grammar comes
 * from the table of commands: the word of a command, then its arguments, separated by spaces. */
#ifndef FM_SERVER_COMMAND_TEXT_H
#define FM_SERVER_COMMAND_TEXT_H

#include "world/command.h"

enum { FM_COMMAND_TEXT = 512 }; /* bytes of a command at most, NUL included */

/* Parses one command; numbers are SI and radians. */
fm_status fm_command_read(const char *text, size_t size, fm_command *command, fm_error *error);
/* The syntax of a command: "waypoint <vehicle> <north east down> [<speed>]". */
void fm_command_usage(const fm_command_row *row, char *text, size_t size);

#endif
