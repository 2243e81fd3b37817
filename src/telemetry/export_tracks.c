/* Tracks as KML 2.3 (OGC 12-007), GPX 1.1 and GeoJSON (RFC 7946). Altitude is the depth with the other sign. */
#include <stdio.h>

#include "base/calendar.h"
#include "base/outfile.h"
#include "physics/angle.h"
#include "telemetry/tracks.h"

typedef struct writer {
    FILE *file;
    const fm_tracks *tracks;
} writer;

static const char *time_of(const writer *w, const fm_track_point *p, char text[40])
{
    return fm_calendar_write(w->tracks->epoch + p->time, 3, text, 40);
}

/* Names of vehicles are identifiers: nothing in them needs to be escaped. */
static void write_kml_track(const writer *w, const fm_track *t)
{
    char text[40];
    fprintf(w->file, "  <Placemark>\n    <name>%s</name>\n    <Track>\n      <altitudeMode>absolute</altitudeMode>\n",
            t->name);
    for (size_t i = 0; i < t->count; i++)
        fprintf(w->file, "      <when>%s</when>\n", time_of(w, &t->points[i], text));
    for (size_t i = 0; i < t->count; i++)
        fprintf(w->file, "      <coord>%.9f %.9f %.3f</coord>\n", t->points[i].longitude / FM_DEGREE,
                t->points[i].latitude / FM_DEGREE, -t->points[i].depth);
    for (size_t i = 0; i < t->count; i++)
        fprintf(w->file, "      <angles>%.2f %.2f %.2f</angles>\n", t->points[i].yaw / FM_DEGREE,
                t->points[i].pitch / FM_DEGREE, t->points[i].roll / FM_DEGREE);
    fprintf(w->file, "    </Track>\n  </Placemark>\n");
}

static void write_kml(const writer *w)
{
    fprintf(w->file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<kml xmlns=\"http://www.opengis.net/kml/2.2\" version=\"2.3\">\n<Document>\n");
    for (size_t i = 0; i < w->tracks->count; i++)
        write_kml_track(w, &w->tracks->items[i]);
    fprintf(w->file, "</Document>\n</kml>\n");
}

static void write_gpx(const writer *w)
{
    char text[40];
    fprintf(w->file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<gpx version=\"1.1\" creator=\"Fathom\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n");
    for (size_t i = 0; i < w->tracks->count; i++) {
        const fm_track *t = &w->tracks->items[i];
        fprintf(w->file, "  <trk>\n    <name>%s</name>\n    <trkseg>\n", t->name);
        for (size_t k = 0; k < t->count; k++)
            fprintf(w->file, "      <trkpt lat=\"%.9f\" lon=\"%.9f\"><ele>%.3f</ele><time>%s</time></trkpt>\n",
                    t->points[k].latitude / FM_DEGREE, t->points[k].longitude / FM_DEGREE, -t->points[k].depth,
                    time_of(w, &t->points[k], text));
        fprintf(w->file, "    </trkseg>\n  </trk>\n");
    }
    fprintf(w->file, "</gpx>\n");
}

static void write_geojson_track(const writer *w, const fm_track *t)
{
    char text[40];
    fprintf(w->file,
            "  {\"type\": \"Feature\", \"properties\": {\"name\": \"%s\", \"coordinateProperties\": {\"times\": [",
            t->name);
    for (size_t i = 0; i < t->count; i++)
        fprintf(w->file, "%s\"%s\"", i ? "," : "", time_of(w, &t->points[i], text));
    fprintf(w->file, "]}},\n   \"geometry\": {\"type\": \"LineString\", \"coordinates\": [");
    for (size_t i = 0; i < t->count; i++)
        fprintf(w->file, "%s[%.9f,%.9f,%.3f]", i ? "," : "", t->points[i].longitude / FM_DEGREE,
                t->points[i].latitude / FM_DEGREE, -t->points[i].depth);
    fprintf(w->file, "]}}");
}

/* A line has at least two points. */
static void write_geojson(const writer *w)
{
    int some = 0;
    fprintf(w->file, "{\"type\": \"FeatureCollection\", \"features\": [\n");
    for (size_t i = 0; i < w->tracks->count; i++)
        if (w->tracks->items[i].count > 1) {
            fprintf(w->file, "%s", some++ ? ",\n" : "");
            write_geojson_track(w, &w->tracks->items[i]);
        }
    fprintf(w->file, "\n]}\n");
}

static fm_status write_file(const fm_tracks *tracks, const char *path, fm_track_format format, fm_error *error)
{
    static void (*const formats[])(const writer *) = {
        [FM_TRACKS_KML] = write_kml, [FM_TRACKS_GPX] = write_gpx, [FM_TRACKS_GEOJSON] = write_geojson};
    fm_outfile output;
    fm_status status = fm_outfile_open(&output, path, error);
    if (status != FM_OK)
        return status;
    formats[format](&(writer){output.file, tracks});
    return fm_outfile_close(&output, error);
}

fm_status fm_export_tracks(fm_mcap_reader *reader, const char *path, fm_track_format format, double every,
                           size_t *points, fm_error *error)
{
    fm_tracks tracks;
    fm_status status = fm_tracks_read(reader, every, &tracks, error);
    size_t count = 0;
    for (size_t i = 0; i < tracks.count; i++)
        count += tracks.items[i].count;
    if (status == FM_OK && !tracks.has_origin)
        status = fm_fail(error, FM_ERR_STATE,
                         "the scenario of the log has no origin on the Earth: must have latitude and longitude in "
                         "<world>");
    else if (status == FM_OK && count == 0)
        status = fm_fail(error, FM_ERR_NAME, "the log has no /NAME/odom: no tracks");
    if (status == FM_OK)
        status = write_file(&tracks, path, format, error);
    if (points)
        *points = count;
    fm_tracks_free(&tracks);
    return status;
}
