/* The table that libfathom-program-draw.so exports. */
#include "modules.h"

#define COMMAND(name) .name = &cli_##name##_command,
#define FUNCTION(name, parameters, arguments) .name = name,

FM_API const cli_draw_module cli_draw_module_table = {.version = FATHOM_VERSION,
                                                      CLI_DRAW_COMMANDS(COMMAND) CLI_DRAW_FUNCTIONS(FUNCTION)};
