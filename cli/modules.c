/* The modules of the program: functions that load them and forward calls. Without the module a command prints an error
 * and fails. In a build of archives CLI_DRAW_LINKED and CLI_NET_LINKED mean that the program contains them. */
#include "modules.h"

#include <stdio.h>

#include "base/module.h"

static const char absent[] = "(not in this build)";

static int refuse(const char *command, const fm_error *error)
{
    fprintf(stderr, "fathom %s: %s\n", command, error->text);
    return CLI_FAILED;
}

#ifdef CLI_DRAW_LINKED
#define DRAW_COMMAND(which)                                                                                            \
    const cli_command *cli_##which##_find(void)                                                                        \
    {                                                                                                                  \
        return &cli_##which##_command;                                                                                 \
    }
CLI_DRAW_COMMANDS(DRAW_COMMAND)
#else
static const cli_draw_module *find_draw(fm_error *error)
{
    static fm_module module = {"libfathom-program-draw.so", "cli_draw_module_table", "drawing", "libcairo2-dev", NULL};
    return fm_module_find(&module, error);
}

static int refuse_draw(int argc, char **argv)
{
    fm_error error = {0};
    (void)argc;
    find_draw(&error);
    return refuse(argv[0], &error);
}

#define DRAW_COMMAND(which)                                                                                            \
    const cli_command *cli_##which##_find(void)                                                                        \
    {                                                                                                                  \
        static const cli_command missing = {                                                                           \
            .name = #which, .section = "logs", .text = absent, .about = absent, .main = refuse_draw};                  \
        const cli_draw_module *module = find_draw(NULL);                                                               \
        return module ? module->which : &missing;                                                                      \
    }
CLI_DRAW_COMMANDS(DRAW_COMMAND)

#define DRAW_FUNCTION(name, parameters, arguments)                                                                     \
    fm_status name parameters                                                                                          \
    {                                                                                                                  \
        const cli_draw_module *module = find_draw(error);                                                              \
        return module ? module->name arguments : FM_ERR_MISSING;                                                       \
    }
CLI_DRAW_FUNCTIONS(DRAW_FUNCTION)
#endif

#ifdef CLI_NET_LINKED
#define NET_COMMAND(which)                                                                                             \
    const cli_command *cli_##which##_find(void)                                                                        \
    {                                                                                                                  \
        return &cli_##which##_command;                                                                                 \
    }
CLI_NET_COMMANDS(NET_COMMAND)
#else
static const cli_net_module *find_net(fm_error *error)
{
    static fm_module module = {"libfathom-program-net.so", "cli_net_module_table", "serving",
                               "libuv1-dev, libsodium-dev, libwebsockets-dev and libjansson-dev", NULL};
    return fm_module_find(&module, error);
}

static int refuse_net(int argc, char **argv)
{
    fm_error error = {0};
    (void)argc;
    find_net(&error);
    return refuse(argv[0], &error);
}

#define NET_COMMAND(which)                                                                                             \
    const cli_command *cli_##which##_find(void)                                                                        \
    {                                                                                                                  \
        static const cli_command missing = {                                                                           \
            .name = #which, .section = "simulate", .text = absent, .about = absent, .main = refuse_net};               \
        const cli_net_module *module = find_net(NULL);                                                                 \
        return module ? module->which : &missing;                                                                      \
    }
CLI_NET_COMMANDS(NET_COMMAND)

#define NET_FUNCTION(name, parameters, arguments, command)                                                             \
    int name parameters                                                                                                \
    {                                                                                                                  \
        fm_error error = {0};                                                                                          \
        const cli_net_module *module = find_net(&error);                                                               \
        return module ? module->name arguments : (refuse(command, &error), 0);                                         \
    }
CLI_NET_FUNCTIONS(NET_FUNCTION)

/* Without the module there is nothing to measure. */
#define NET_BENCH(name)                                                                                                \
    void name(bench_report *report)                                                                                    \
    {                                                                                                                  \
        const cli_net_module *module = find_net(NULL);                                                                 \
        if (module)                                                                                                    \
            module->name(report);                                                                                      \
    }
CLI_NET_BENCHES(NET_BENCH)

/* Called on an opened object: the module is loaded. */
void cli_run_host_close(const char *command, cli_run_host *run_host)
{
    const cli_net_module *module = run_host ? find_net(NULL) : NULL;
    if (module)
        module->cli_run_host_close(command, run_host);
}

void cli_overlays_close(const char *command, cli_overlay_counts *counts)
{
    const cli_net_module *module = counts ? find_net(NULL) : NULL;
    if (module)
        module->cli_overlays_close(command, counts);
}
#endif
