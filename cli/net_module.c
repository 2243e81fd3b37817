/* The table that libfathom-program-net.so exports. */
#include "modules.h"

#define COMMAND(name) .name = &cli_##name##_command,
#define FUNCTION(name, parameters, arguments, command) .name = name,
#define BENCH(name) .name = name,

FM_API const cli_net_module cli_net_module_table = {
    .version = FATHOM_VERSION,
    CLI_NET_COMMANDS(COMMAND) CLI_NET_FUNCTIONS(FUNCTION) CLI_NET_BENCHES(BENCH).cli_run_host_close =
        cli_run_host_close,
    .cli_overlays_close = cli_overlays_close};
