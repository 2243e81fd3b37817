/* Mission files: QGroundControl's plan (.plan, JSON), its waypoints (.waypoints, text "QGC WPL 110") and GeoJSON
 * (.geojson, RFC 7946). The ending of the name selects the format. */
#ifndef FM_MISSIONS_MISSION_FILE_H
#define FM_MISSIONS_MISSION_FILE_H

#include <stdio.h>

#include "missions/mission.h"

typedef enum fm_mission_format {
    FM_MISSION_NO_FORMAT = -1,
    FM_MISSION_PLAN,
    FM_MISSION_TEXT,
    FM_MISSION_GEOJSON
} fm_mission_format;

enum { FM_MISSION_BYTES_MOST = 1 << 24 };

/* By the ending: ".plan"; ".waypoints" or ".txt"; ".geojson" or ".json". */
fm_mission_format fm_mission_format_of(const char *path);

/* Reads a file into an empty plan, whose `name` becomes `path`. Errors name the file, and item, line or feature. Free
 * the plan, also on failure. JSON needs libfathom-jansson.so (modules/jansson.c). */
fm_status fm_mission_read(const char *path, fm_mission_plan *plan, fm_error *error);
/* The same from memory; `text` ends with a NUL after its `size` bytes. */
fm_status fm_mission_parse(fm_mission_format format, const char *name, const char *text, size_t size,
                           fm_mission_plan *plan, fm_error *error);

/* Writes a plan; `vehicle` is an identifier, the name of the vehicle. */
fm_status fm_mission_write(const char *path, fm_mission_format format, const fm_mission_plan *plan, const char *vehicle,
                           fm_error *error);

/* --- of one format each --- */
fm_status fm_mission_text_parse(const char *text, fm_mission_plan *plan, fm_error *error);
fm_status fm_mission_json_parse(fm_mission_format format, const char *text, size_t size, fm_mission_plan *plan,
                                fm_error *error);
void fm_mission_text_write(FILE *file, const fm_mission_plan *plan);
void fm_mission_plan_write(FILE *file, const fm_mission_plan *plan);
void fm_mission_geojson_write(FILE *file, const fm_mission_plan *plan, const char *vehicle);

#endif
