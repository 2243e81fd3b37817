/* Missions as ground stations write them: numbered items with a MAVLink command, and the waypoints of a vehicle made
 * from them and the other way round. missions/mission_file.h reads and writes them as files.
 *
 * The sea is flat: depth is the altitude with the other sign, and the sea's surface is at altitude 0, above mean sea
 * level as well as above the home position. docs/scenarios.md, "Missions from files". */
#ifndef FM_MISSIONS_MISSION_H
#define FM_MISSIONS_MISSION_H

#include <fathom/frames.h>
#include <fathom/world.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Commands (MAV_CMD) that become waypoints or change them. */
enum {
    FM_MISSION_WAYPOINT = 16,     /* params: seconds to hold, radius (m) */
    FM_MISSION_LOITER = 17,       /* for good */
    FM_MISSION_LOITER_TIME = 19,  /* params: seconds */
    FM_MISSION_RETURN = 20,       /* to the home position, at the depth of the last waypoint */
    FM_MISSION_DELAY = 93,        /* params: seconds, at the last waypoint */
    FM_MISSION_CHANGE_SPEED = 178 /* params: kind, speed (m/s; -1: as before, -2: that of the list) */
};

/* Frames (MAV_FRAME). */
enum {
    FM_MISSION_GLOBAL = 0,
    FM_MISSION_NO_FRAME = 2, /* of commands without a position */
    FM_MISSION_RELATIVE = 3,
    FM_MISSION_GLOBAL_INT = 5,
    FM_MISSION_RELATIVE_INT = 6
};

/* Whether a frame has latitude, longitude and altitude above the sea: one of the above with a position. */
static inline bool fm_mission_frame_fits(int frame)
{
    return frame == FM_MISSION_GLOBAL || frame == FM_MISSION_RELATIVE || frame == FM_MISSION_GLOBAL_INT ||
           frame == FM_MISSION_RELATIVE_INT;
}

enum { FM_MISSION_ITEMS_MOST = 20000 };
#define FM_MISSION_FOR_GOOD 1e9 /* s, longest hold of a waypoint */
#define FM_MISSION_REACH                                                                                               \
    3e5 /* m, farthest position from the origin: up to it fm_geodetic_from_chart is exact to 1 mm */

typedef struct fm_mission_item {
    int command, frame;
    double params[4];           /* by the command; NaN: not given */
    double latitude, longitude; /* rad; NaN: not given */
    double altitude;            /* m, up; NaN: not given */
    int number, part; /* position in the file: line, feature or item from 1; part of it from 1, 0: the whole */
} fm_mission_item;

typedef struct fm_mission_plan {
    fm_mission_item *items;
    size_t count, room;
    fm_geodetic home; /* height unused */
    bool has_home;
    bool fenced;         /* the file also has fences or rally points, which have no effect */
    double cruise_speed; /* m/s; NaN: not given */
    const char *noun;    /* what `number` counts: "item", "line", "feature" */
    const char *name;    /* file, for errors; not copied; NULL: none */
} fm_mission_plan;

/* An empty plan. Free its items with fm_mission_free. */
fm_mission_plan fm_mission_begin(const char *name, const char *noun);
void fm_mission_free(fm_mission_plan *plan);
fm_status fm_mission_add(fm_mission_plan *plan, const fm_mission_item *item, fm_error *error);

/* Fills *error with "FILE: item 3: …"; returns `status`. */
fm_status fm_mission_refuse(const fm_mission_plan *plan, const fm_mission_item *item, fm_error *error, fm_status status,
                            const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Name of a command that has no effect on where a vehicle goes (cameras, servos …): such items are skipped. NULL: it is
 * not one of them. */
const char *fm_mission_skipped(int command);

/* Makes waypoints of the items. `list` has room for plan->count of them; *count: their number. `depth` (m) is that of
 * items without an altitude; NaN: they are refused. An item that cannot be followed is an error that names it. */
fm_status fm_mission_to_waypoints(const fm_mission_plan *plan, const fm_geodetic *origin, double depth,
                                  fm_waypoint *list, size_t *count, fm_error *error);

/* Acceptance radius that all waypoints of the plan share, m; NaN: none is given. FM_ERR_RANGE: they differ. */
fm_status fm_mission_radius(const fm_mission_plan *plan, double *radius, fm_error *error);

/* What a list of waypoints is made a plan of. */
typedef struct fm_mission_source {
    const fm_waypoint *list;
    size_t count;
    double speed, radius; /* of the list: m/s, m */
    fm_geodetic origin;   /* of the world */
    double home[2];       /* m, north and east */
} fm_mission_source;
/* Fills an empty plan with the items of these waypoints. */
fm_status fm_mission_from_waypoints(const fm_mission_source *source, fm_mission_plan *plan, fm_error *error);

#endif
