/* <waypoints file="…">: the list of a mission file (missions/mission_file.h) at the origin of the scenario. */
#ifndef FM_CONTROL_WAYPOINTS_FILE_H
#define FM_CONTROL_WAYPOINTS_FILE_H

#include <fathom/part.h>
#include <fathom/world.h>

typedef struct fm_waypoints_file {
    fm_waypoint *list; /* lives as long as the model */
    size_t count;
    double speed, radius; /* m/s, m; NaN: the file gives none */
} fm_waypoints_file;

/* `depth` (m) is that of waypoints without an altitude; NaN: they are refused. `radius_given`: the scenario has a
 * radius, and those of the file have no effect. */
fm_status fm_waypoints_load_file(fm_part_load *load, const char *path, double depth, int radius_given,
                                 fm_waypoints_file *file, fm_error *error);

#endif
