/* Commands as text, as `fathom ctl` and the command queue take them: "step 10", "set /water/density 1020". */
#ifndef FM_SERVER_COMMAND_TEXT_H
#define FM_SERVER_COMMAND_TEXT_H

#include <fathom/status.h>

#include "server/wire.h"

enum { FM_COMMAND_TEXT = 512 }; /* bytes of a command at most, NUL included */

/* Reads one command: a verb, names, numbers (SI and radians), apart by blanks. */
fm_status fm_command_read(const char *text, size_t size, fm_wire_command *command, fm_error *error);

#endif
