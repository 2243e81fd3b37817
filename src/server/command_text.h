/* Commands as text, as `fathom ctl` and the command queue take them: "step 10", "set /water/density 1020". The grammar
 * is that of the table of commands: the word of a command, then its arguments, separated by spaces. */
#ifndef FM_SERVER_COMMAND_TEXT_H
#define FM_SERVER_COMMAND_TEXT_H

#include "world/command.h"

enum { FM_COMMAND_TEXT = 512 }; /* bytes of a command at most, NUL included */

/* Reads one command; numbers are SI and radians. */
fm_status fm_command_read(const char *text, size_t size, fm_command *command, fm_error *error);
/* How a command is written: "waypoint <vehicle> <north east down> [<speed>]". */
void fm_command_usage(const fm_command_row *row, char *text, size_t size);

#endif
