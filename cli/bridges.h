/* The options for bridges to other software, and the bridges of a run without a server. */
#ifndef CLI_BRIDGES_H
#define CLI_BRIDGES_H

#include <stdbool.h>

#include "bridges/list.h"
#include "options.h"
#include "scenario.h"

#define CLI_BRIDGE_SWITCH(name, ...) bool name;
#define CLI_BRIDGE_WORD(name, ...) #name " "
#define CLI_BRIDGE_ROW(bridge, about, type, member) {#bridge, CLI_FIELD(type, member.bridge), .text = about},

typedef struct cli_bridges {
    FM_BUILT_IN_BRIDGES(CLI_BRIDGE_SWITCH)
    bool none;
    cli_list others; /* "KIND attribute=value …" */
} cli_bridges;

/* Rows of a table of options; `member` is of type cli_bridges. */
#define CLI_BRIDGE_OPTIONS(type, member)                                                                               \
    {"bridge",                                                                                                         \
     CLI_FIELD(type, member.others),                                                                                   \
     .value = "TEXT",                                                                                                  \
     .words = FM_BUILT_IN_BRIDGES(CLI_BRIDGE_WORD),                                                                    \
     .section = "bridges to other software",                                                                           \
     .text = "a bridge with settings, \"KIND attribute=value …\", as <bridge> has them (docs/reference/README.md); " \
             "may be "                                                                                                 \
             "repeated"},                                                                                              \
        FM_BUILT_IN_BRIDGES(CLI_BRIDGE_ROW, type, member)                                                              \
    {                                                                                                                  \
        "no-bridges", CLI_FIELD(type, member.none), .text = "not those of the scenario; --bridge then replaces them"   \
    }

/* Call before loading: adds them to the scenario. */
void cli_bridges_give(const cli_bridges *bridges, cli_scenario *scenario);

typedef struct cli_run_host cli_run_host;
typedef struct cli_run_host_options {
    const char *command;         /* "run": for messages */
    double speed;                /* pace of the run */
    const char *http, *scenario; /* the page at this address, whose URL goes to standard error; NULL: none */
    struct fm_live_show *show;   /* is sent what the bridges report, too; NULL: none */
} cli_run_host_options;
/* Opens the bridges of the run's model, and the page; `options` must live as long; *beside is
 * NULL if there are none. 0: it failed and printed the reason. */
int cli_run_host_open(const cli_run_host_options *options, fm_run *run, cli_run_host **run_host);
/* Call after the run has finished; prints the drops. */
void cli_run_host_close(const char *command, cli_run_host *run_host);

#endif
