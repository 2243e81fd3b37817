/* Commands that draw and commands that serve are modules of the program (libfathom-program-draw.so and -net.so), loaded
 * when they are first needed: a run that does neither loads neither cairo nor the network libraries.
 *
 * One list for each module: modules.c (in the program) makes a function of each row that loads the module and forwards
 * the call; draw_module.c and net_module.c fill the tables. A build of archives links the commands into the program. */
#ifndef CLI_MODULES_H
#define CLI_MODULES_H

#include "bench.h"
#include "bridges.h"
#include "commands.h"
#include "compare.h"
#include "identify.h"
#include "local.h"
#include "optimise.h"
#include "overlay_live.h"
#include "rays.h"

/* C(name) */
#define CLI_DRAW_COMMANDS(C) C(plot) C(report) C(figures)
#define CLI_NET_COMMANDS(C) C(view) C(serve) C(ctl) C(dis)

/* F(name, parameters, arguments): returns fm_status; the last parameter is `error` */
#define CLI_DRAW_FUNCTIONS(F)                                                                                          \
    F(cli_rays_draw_fan, (const cli_rays *rays, fm_error *error), (rays, error))                                       \
    F(cli_rays_draw_field, (const cli_rays *rays, const fm_field_options *options, double *loss, fm_error *error),     \
      (rays, options, loss, error))                                                                                    \
    F(cli_compare_draw,                                                                                                \
      (const cli_compare_options *options, const cli_compare_channel *channels, size_t count, fm_error *error),        \
      (options, channels, count, error))                                                                               \
    F(cli_identify_draw, (const cli_identify_options *options, const fm_fit *fit, fm_error *error),                    \
      (options, fit, error))                                                                                           \
    F(cli_optimise_draw, (const cli_optimise_options *options, const fm_search *search, fm_error *error),              \
      (options, search, error))

/* F(name, parameters, arguments, prefix of the message): returns int, 0 if it failed and printed the reason */
#define CLI_NET_FUNCTIONS(F)                                                                                           \
    F(cli_local_attach, (const char *command, fm_run *run, const cli_local *local), (command, run, local), command)    \
    F(cli_overlay_live_attach,                                                                                         \
      (const char *command, fm_run *run, const char *vehicle, const char *at, struct fm_host *host,                    \
       cli_overlay_counts **counts),                                                                                   \
      (command, run, vehicle, at, host, counts), command)                                                              \
    F(cli_run_host_open, (const cli_run_host_options *options, fm_run *run, cli_run_host **run_host),                  \
      (options, run, run_host), options->command)

/* F(name): void of a bench_report */
#define CLI_NET_BENCHES(F) F(bench_serve) F(bench_client_sizes) F(bench_bridges) F(bench_dis) F(bench_realtime)

typedef struct cli_draw_module {
    const char *version; /* FATHOM_VERSION of its build */
#define CLI_COMMAND_MEMBER(name) const cli_command *name;
#define CLI_STATUS_MEMBER(name, parameters, arguments) fm_status(*name) parameters;
    CLI_DRAW_COMMANDS(CLI_COMMAND_MEMBER)
    CLI_DRAW_FUNCTIONS(CLI_STATUS_MEMBER)
} cli_draw_module;

typedef struct cli_net_module {
    const char *version; /* FATHOM_VERSION of its build */
#define CLI_INT_MEMBER(name, parameters, arguments, command) int(*name) parameters;
#define CLI_BENCH_MEMBER(name) void (*name)(bench_report * report);
    CLI_NET_COMMANDS(CLI_COMMAND_MEMBER)
    CLI_NET_FUNCTIONS(CLI_INT_MEMBER)
    CLI_NET_BENCHES(CLI_BENCH_MEMBER)
    void (*cli_run_host_close)(const char *command, cli_run_host *run_host);
    void (*cli_overlays_close)(const char *command, cli_overlay_counts *counts);
} cli_net_module;

#endif
