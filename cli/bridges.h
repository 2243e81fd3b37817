/* The options for bridges to other software, and the bridges of a run that nobody serves. */
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
    {"bridge", CLI_FIELD(type, member.others), .value = "TEXT", .section = "bridges to other software",                \
     .text = "a bridge with settings, \"KIND attribute=value …\", as <bridge> has them (docs/reference/README.md); " \
             "may be "                                                                                                 \
             "repeated"},                                                                                              \
        FM_BUILT_IN_BRIDGES(CLI_BRIDGE_ROW, type, member)                                                              \
    {                                                                                                                  \
        "no-bridges", CLI_FIELD(type, member.none), .excludes = FM_BUILT_IN_BRIDGES(CLI_BRIDGE_WORD) "bridge",         \
                                                    .text = "not those of the scenario either"                         \
    }

/* Before loading: the scenario gets them. */
void cli_bridges_give(const cli_bridges *bridges, cli_scenario *scenario);

typedef struct cli_beside cli_beside;
typedef struct cli_beside_options {
    const char *command;         /* "run": for messages */
    double speed;                /* pace of the run */
    const char *http, *scenario; /* the page at this address, whose URL goes to standard error; NULL: none */
    struct fm_live_show *show;   /* is sent what the bridges report, too; NULL: none */
} cli_beside_options;
/* Opens the bridges of the run's model, and the page; `options` must live as long; *beside is NULL where there are none. 0: it was told why it
 * cannot. */
int cli_beside_open(const cli_beside_options *options, fm_run *run, cli_beside **beside);
/* After the run has finished; tells what was dropped. */
void cli_beside_close(const char *command, cli_beside *beside);

#endif
