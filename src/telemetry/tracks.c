#include "telemetry/tracks.h"

#include <fathom/frames.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/calendar.h"
#include "base/error.h"
#include "base/memory.h"
#include "physics/angle.h"
#include "telemetry/export.h"

enum { NUMBERS = 9, COLUMNS_MOST = 256 };

static const char *const paths[NUMBERS] = {
    "pose.pose.position.north",   "pose.pose.position.east",      "pose.pose.position.down",
    "pose.pose.orientation.roll", "pose.pose.orientation.pitch",  "pose.pose.orientation.yaw",
    "twist.twist.linear.forward", "twist.twist.linear.starboard", "twist.twist.linear.down",
};

static double number_of(const fm_mcap_reader *reader, const char *key, double otherwise)
{
    const char *text = fm_mcap_get_metadata(reader, "run", key);
    return text ? strtod(text, NULL) : otherwise;
}

/* Origin and epoch, as the log has them. */
static fm_geodetic read_origin(const fm_mcap_reader *reader, fm_tracks *tracks)
{
    const char *epoch = fm_mcap_get_metadata(reader, "run", "epoch");
    fm_geodetic origin = {number_of(reader, "latitude", NAN) * FM_DEGREE,
                          number_of(reader, "longitude", NAN) * FM_DEGREE, 0};
    tracks->has_origin = isfinite(origin.latitude) && isfinite(origin.longitude);
    if (!epoch || !fm_calendar_read(epoch, &tracks->epoch))
        tracks->epoch = 0;
    return origin;
}

static fm_status add_point(fm_track *t, const fm_track_point *point, fm_error *error)
{
    if (t->count == t->room) {
        size_t room = t->room ? 2 * t->room : 256;
        fm_track_point *more = fm_alloc(room * sizeof *more);
        if (!more)
            return fm_fail(error, FM_ERR_MEMORY, "no memory for the track of '%s'", t->name);
        if (t->count)
            memcpy(more, t->points, t->count * sizeof *more);
        fm_free(t->points);
        t->points = more;
        t->room = room;
    }
    t->points[t->count++] = *point;
    return FM_OK;
}

static fm_status take_message(const fm_export_channel *c, const fm_mcap_message *m, const long columns[NUMBERS],
                              const fm_geodetic *origin, int has_origin, double every, fm_cell *row, fm_error *error)
{
    fm_track *track = c->output;
    fm_track_point p = {.time = (double)m->time * 1e-9, .latitude = NAN, .longitude = NAN};
    double *const numbers[NUMBERS] = {&p.north, &p.east,    &p.depth,     &p.roll, &p.pitch,
                                      &p.yaw,   &p.forward, &p.starboard, &p.down};
    if (track->count && p.time < track->points[track->count - 1].time + every - 1e-9)
        return FM_OK;
    fm_status status = fm_layout_read(&c->layout, m->data, m->size, row, error);
    if (status != FM_OK)
        return status;
    for (int i = 0; i < NUMBERS; i++)
        *numbers[i] = columns[i] >= 0 ? fm_cell_number(&row[columns[i]]) : NAN;
    if (has_origin) {
        fm_geodetic at = fm_geodetic_from_chart(origin, p.north, p.east);
        p.latitude = at.latitude;
        p.longitude = at.longitude;
    }
    return add_point(track, &p, error);
}

static fm_status read_rows(fm_mcap_reader *reader, fm_export_channel *c, const fm_geodetic *origin, int has_origin,
                           double every, fm_error *error)
{
    fm_mcap_cursor *cursor;
    fm_mcap_message m;
    long columns[NUMBERS];
    fm_cell row[COLUMNS_MOST];
    if (c->layout.count > COLUMNS_MOST)
        return fm_fail(error, FM_ERR_SYNTAX, "%s: not an odometry channel", c->channel->topic);
    for (int i = 0; i < NUMBERS; i++)
        columns[i] = fm_layout_find(&c->layout, paths[i]);
    fm_status status = fm_mcap_query_open(reader, &(fm_mcap_query){.channel = c->channel}, &cursor, error);
    while (status == FM_OK && (status = fm_mcap_next(cursor, &m, error)) == FM_OK && m.data)
        status = take_message(c, &m, columns, origin, has_origin, every, row, error);
    fm_mcap_query_close(cursor);
    return status;
}

/* "/otter/odom", with messages of odometry. */
static int is_track(const fm_mcap_channel *channel)
{
    const char *topic = channel->topic, *end = strrchr(topic, '/');
    return topic[0] == '/' && end && end > topic + 1 && end < topic + sizeof((fm_track *)0)->name &&
           strcmp(end, "/odom") == 0 && strcmp(channel->schema->name, "nav_msgs/msg/Odometry") == 0;
}

static fm_status read_channels(fm_mcap_reader *reader, const fm_mcap_channel **channels, double every,
                               const fm_geodetic *origin, fm_tracks *tracks, fm_error *error)
{
    fm_export_set set = {0};
    const fm_export_options options = {.channels = channels, .channel_count = tracks->count, .ned = 1};
    tracks->count = 0;
    fm_status status = fm_export_prepare(reader, &options, '_', &set, error);
    for (size_t i = 0; i < set.count && status == FM_OK; i++) {
        fm_track *t = &tracks->items[tracks->count++];
        const char *topic = set.items[i].channel->topic + 1;
        snprintf(t->name, sizeof t->name, "%.*s", (int)(strrchr(topic, '/') - topic), topic);
        set.items[i].output = t;
        status = read_rows(reader, &set.items[i], origin, tracks->has_origin, every, error);
    }
    fm_export_set_free(&set);
    return status;
}

fm_status fm_tracks_read(fm_mcap_reader *reader, double every, fm_tracks *tracks, fm_error *error)
{
    const size_t all = fm_mcap_channel_count(reader);
    *tracks = (fm_tracks){0};
    const fm_geodetic origin = read_origin(reader, tracks);
    const fm_mcap_channel **channels = fm_alloc((all + 1) * sizeof *channels);
    tracks->items = fm_alloc((all + 1) * sizeof *tracks->items);
    fm_status status =
        channels && tracks->items ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for the tracks of a log");
    for (size_t i = 0; i < all && status == FM_OK; i++)
        if (is_track(fm_mcap_channel_at(reader, i)))
            channels[tracks->count++] = fm_mcap_channel_at(reader, i);
    if (status == FM_OK)
        status = read_channels(reader, channels, every, &origin, tracks, error);
    fm_free(channels);
    return status;
}

void fm_tracks_free(fm_tracks *tracks)
{
    for (size_t i = 0; tracks->items && i < tracks->count; i++)
        fm_free(tracks->items[i].points);
    fm_free(tracks->items);
    *tracks = (fm_tracks){0};
}
