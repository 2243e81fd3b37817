/* A line of telemetry of a real vehicle, from the network or a file: NAME=VALUE, separated by spaces. docs/records.md
 * lists the names; others are ignored. */
#ifndef FM_ANALYSIS_TELEMETRY_LINE_H
#define FM_ANALYSIS_TELEMETRY_LINE_H

#include <fathom/frames.h>

#include "telemetry/kinematics.h"

enum { FM_TELEMETRY_LINE_MOST = 2048 }; /* bytes */

typedef enum fm_telemetry_fault {
    FM_TELEMETRY_GOOD,
    FM_TELEMETRY_MALFORMED, /* too long, not text, or a word that is not NAME=VALUE with a number */
    FM_TELEMETRY_RANGE,     /* a number that no vehicle can have */
    FM_TELEMETRY_EMPTY,     /* no quantity of a vehicle's motion */
    FM_TELEMETRY_FAULTS
} fm_telemetry_fault;

/* The values of a line; NaN: missing. */
typedef struct fm_telemetry_line {
    fm_kinematics motion;
    double time;                /* s of the vehicle's clock */
    double latitude, longitude; /* rad */
} fm_telemetry_line;

/* Errors go to `error`, which may be NULL. */
fm_telemetry_fault fm_telemetry_line_read(const char *text, size_t size, fm_telemetry_line *line, fm_error *error);

/* A position as metres north and east of an origin; 0: it is more than 1000 km away. */
int fm_telemetry_position(const fm_geodetic *origin, double latitude, double longitude, double *north, double *east);
/* Converts latitude and longitude of a line to north and east, if it has no others. */
fm_telemetry_fault fm_telemetry_line_position(fm_telemetry_line *line, const fm_geodetic *origin, fm_error *error);

/* What a name means. */
typedef struct fm_telemetry_name {
    const char *name;
    fm_kinematics_quantity quantity;
    const char *unit; /* in lines, by default; NULL: the name is not used in lines */
} fm_telemetry_name;
/* The i-th; NULL after the last. Those of tables (columns) have no unit here or are in SI. */
const fm_telemetry_name *fm_telemetry_name_at(size_t i);

#endif
