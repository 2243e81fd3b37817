/* Tracks of the vehicles of a log on the Earth, from their /NAME/odom, and their export as KML, GPX and GeoJSON. */
#ifndef FM_TELEMETRY_TRACKS_H
#define FM_TELEMETRY_TRACKS_H

#include "telemetry/mcap_reader.h"

typedef struct fm_track_point {
    double time;                     /* s since the start of the run */
    double latitude, longitude;      /* rad; NaN: the scenario has no origin */
    double north, east, depth;       /* m */
    double roll, pitch, yaw;         /* rad */
    double forward, starboard, down; /* m/s over ground, body axes */
} fm_track_point;

typedef struct fm_track {
    char name[64]; /* of the vehicle */
    fm_track_point *points;
    size_t count, room;
} fm_track;

typedef struct fm_tracks {
    fm_track *items;
    size_t count;
    double epoch;   /* s since 1970: start of the run */
    int has_origin; /* the scenario has a latitude and a longitude */
} fm_tracks;

/* Reads every vehicle's points, at least `every` s apart (0: all of them). A log of before had no origin. Free the
 * tracks with fm_tracks_free, also on failure. */
fm_status fm_tracks_read(fm_mcap_reader *reader, double every, fm_tracks *tracks, fm_error *error);
void fm_tracks_free(fm_tracks *tracks);

typedef enum fm_track_format { FM_TRACKS_KML, FM_TRACKS_GPX, FM_TRACKS_GEOJSON } fm_track_format;

/* Writes the tracks of a log to a file, points at least `every` s apart. FM_ERR_STATE: the scenario has no origin.
 * *points (may be NULL): their number. */
fm_status fm_export_tracks(fm_mcap_reader *reader, const char *path, fm_track_format format, double every,
                           size_t *points, fm_error *error);

#endif
