/* `fathom export` of a scenario: the waypoints of a vehicle as a mission file. */
#ifndef CLI_EXPORT_MISSION_H
#define CLI_EXPORT_MISSION_H

#include "missions/mission_file.h"
#include "scenario.h"

enum { CLI_MISSION_FORMATS = 3 };

typedef struct cli_mission_export {
    cli_scenario scenario;
    const char *vehicle;                    /* "NAME" or "NAME/LIST"; NULL: the only one that has waypoints */
    const char *paths[CLI_MISSION_FORMATS]; /* by fm_mission_format; NULL: not asked for */
} cli_mission_export;

int cli_export_mission(const cli_mission_export *request);

#endif
