/* The options for bridges to other software, and the bridges of a run that nobody serves. */
#ifndef CLI_BRIDGES_H
#define CLI_BRIDGES_H

#include <stdbool.h>

#include "options.h"
#include "scenario.h"

typedef struct cli_bridges {
    bool dis, ros2, ardupilot, mavlink, nmea, none;
    cli_list others; /* "KIND attribute=value …" */
} cli_bridges;

/* Rows of a table of options; `member` is of type cli_bridges. */
#define CLI_BRIDGE_OPTIONS(type, member)                                                                               \
    {"dis", CLI_FIELD(type, member.dis), .section = "bridges to other software",                                       \
     .text = "Distributed Interactive Simulation (docs/dis.md)"},                                                      \
        {"ros2", CLI_FIELD(type, member.ros2), .text = "ROS 2 (docs/ros2.md)"},                                        \
        {"ardupilot", CLI_FIELD(type, member.ardupilot), .text = "ArduPilot's SITL (docs/ardupilot.md)"},              \
        {"mavlink", CLI_FIELD(type, member.mavlink),                                                                   \
         .text = "PX4's simulator link, ground stations (docs/mavlink.md)"},                                           \
        {"nmea", CLI_FIELD(type, member.nmea), .text = "NMEA 0183 (docs/nmea.md)"},                                    \
        {"bridge", CLI_FIELD(type, member.others), .value = "TEXT",                                                    \
         .text = "a bridge with settings, \"KIND attribute=value …\" as of <bridge> (docs/reference.md); may be "    \
                 "repeated"},                                                                                          \
    {                                                                                                                  \
        "no-bridges", CLI_FIELD(type, member.none), .excludes = "dis ros2 ardupilot mavlink nmea bridge",              \
                                                    .text = "not those of the scenario either"                         \
    }

/* Before loading: the scenario gets them. */
void cli_bridges_give(const cli_bridges *bridges, cli_scenario *scenario);

typedef struct cli_beside cli_beside;
/* What stands beside a run that nobody serves. */
typedef struct cli_beside_options {
    const char *command;         /* "run": for messages */
    double speed;                /* pace of the run */
    const char *http, *scenario; /* the page at this address, whose URL goes to standard error; NULL: none */
} cli_beside_options;
/* Opens the bridges of the run's model, and the page; *beside is NULL where there are none. 0: it was told why it
 * cannot. */
int cli_beside_open(const cli_beside_options *options, fm_run *run, cli_beside **beside);
/* After the run has finished; tells what was dropped. */
void cli_beside_close(const char *command, cli_beside *beside);

#endif
