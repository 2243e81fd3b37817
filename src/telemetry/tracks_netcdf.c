/* The root of an exported NetCDF file: the tracks of all vehicles as trajectories of the CF conventions (discrete
 * sampling geometries, contiguous ragged array, H.4.3). */
#include <netcdf.h>
#include <stddef.h>
#include <string.h>

#include "base/calendar.h"
#include "base/error.h"
#include "base/memory.h"
#include "telemetry/export.h"
#include "telemetry/tracks.h"

/* A variable along the observations. */
typedef struct quantity {
    const char *name, *standard_name, *long_name, *units;
    size_t offset; /* in fm_track_point */
    int earth;     /* needs an origin */
} quantity;

#define OF(member) offsetof(fm_track_point, member)
static const quantity quantities[] = {
    {"time", "time", "time", "seconds since …", OF(time), 0},
    {"latitude", "latitude", "latitude", "degrees_north", OF(latitude), 1},
    {"longitude", "longitude", "longitude", "degrees_east", OF(longitude), 1},
    {"depth", "depth", "depth below the mean sea surface", "m", OF(depth), 0},
    {"north", NULL, "distance north of the origin", "m", OF(north), 0},
    {"east", NULL, "distance east of the origin", "m", OF(east), 0},
    {"roll", "platform_roll_starboard_down", "roll", "radian", OF(roll), 0},
    {"pitch", "platform_pitch_fore_up", "pitch", "radian", OF(pitch), 0},
    {"heading", "platform_orientation", "heading", "radian", OF(yaw), 0},
    {"forward_velocity", NULL, "velocity over ground, forward", "m s-1", OF(forward), 0},
    {"starboard_velocity", NULL, "velocity over ground, to starboard", "m s-1", OF(starboard), 0},
    {"down_velocity", NULL, "velocity over ground, down through the hull", "m s-1", OF(down), 0},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

typedef struct root {
    int file, names, sizes, ids[QUANTITIES];
    size_t rows;
} root;

static int put_text(int file, int id, const char *name, const char *text)
{
    return nc_put_att_text(file, id, name, strlen(text), text);
}

static int is_written(const quantity *q, const fm_tracks *tracks)
{
    return !q->earth || tracks->has_origin;
}

static int define_quantity(root *r, int i, int dimension, const fm_tracks *tracks)
{
    const quantity *q = &quantities[i];
    char units[64] = "seconds since ";
    int id, code = nc_def_var(r->file, q->name, NC_DOUBLE, 1, &dimension, &id);
    r->ids[i] = id;
    if (i == 0)
        fm_calendar_write(tracks->epoch, 0, units + strlen(units), sizeof units - strlen(units));
    code = code ? code : put_text(r->file, id, "long_name", q->long_name);
    code = code ? code : put_text(r->file, id, "units", i == 0 ? units : q->units);
    if (q->standard_name)
        code = code ? code : put_text(r->file, id, "standard_name", q->standard_name);
    if (i == 0)
        code = code ? code : put_text(r->file, id, "calendar", "standard");
    if (i == 0 || q->earth || i == 3)
        code = code ? code : put_text(r->file, id, "axis", i == 0 ? "T" : i == 1 ? "Y" : i == 2 ? "X" : "Z");
    else
        code = code ? code
                    : put_text(r->file, id, "coordinates",
                               tracks->has_origin ? "time latitude longitude depth" : "time depth");
    if (i == 3)
        code = code ? code : put_text(r->file, id, "positive", "down");
    return code;
}

static int define_root(root *r, const fm_tracks *tracks)
{
    int tracks_dimension, rows_dimension, code = nc_def_dim(r->file, "trajectory", tracks->count, &tracks_dimension);
    code = code ? code : nc_def_dim(r->file, "obs", r->rows, &rows_dimension);
    code = code ? code : nc_def_var(r->file, "vehicle", NC_STRING, 1, &tracks_dimension, &r->names);
    code = code ? code : put_text(r->file, r->names, "long_name", "name of the vehicle");
    code = code ? code : put_text(r->file, r->names, "cf_role", "trajectory_id");
    code = code ? code : nc_def_var(r->file, "row_size", NC_INT, 1, &tracks_dimension, &r->sizes);
    code = code ? code : put_text(r->file, r->sizes, "long_name", "number of points of this trajectory");
    code = code ? code : put_text(r->file, r->sizes, "sample_dimension", "obs");
    for (int i = 0; i < QUANTITIES && !code; i++)
        if (is_written(&quantities[i], tracks))
            code = define_quantity(r, i, rows_dimension, tracks);
    return code ? code : put_text(r->file, NC_GLOBAL, "featureType", "trajectory");
}

static int write_names(const root *r, const fm_tracks *tracks)
{
    int code = 0;
    for (size_t i = 0; i < tracks->count && !code; i++) {
        const char *name = tracks->items[i].name;
        const int size = (int)tracks->items[i].count;
        code = nc_put_var1_string(r->file, r->names, &i, &name);
        code = code ? code : nc_put_var1_int(r->file, r->sizes, &i, &size);
    }
    return code;
}

static int write_quantity(const root *r, int i, const fm_tracks *tracks, double *column)
{
    size_t row = 0;
    for (size_t t = 0; t < tracks->count; t++)
        for (size_t k = 0; k < tracks->items[t].count; k++, row++) {
            memcpy(&column[row], (const char *)&tracks->items[t].points[k] + quantities[i].offset, sizeof *column);
            column[row] *= quantities[i].earth ? 180 / 3.14159265358979323846 : 1;
        }
    return nc_put_var_double(r->file, r->ids[i], column);
}

static int write_tracks(root *r, const fm_tracks *tracks)
{
    double *column = fm_alloc((r->rows + 1) * sizeof *column);
    int code = column ? define_root(r, tracks) : NC_ENOMEM;
    code = code ? code : write_names(r, tracks);
    for (int i = 0; i < QUANTITIES && !code; i++)
        if (is_written(&quantities[i], tracks))
            code = write_quantity(r, i, tracks, column);
    fm_free(column);
    return code;
}

fm_status fm_export_netcdf_root(fm_mcap_reader *reader, int file, fm_error *error)
{
    fm_tracks tracks;
    root r = {.file = file};
    fm_status status = fm_tracks_read(reader, 0, &tracks, error);
    for (size_t i = 0; i < tracks.count; i++)
        r.rows += tracks.items[i].count;
    int code = status == FM_OK && r.rows ? write_tracks(&r, &tracks) : 0;
    fm_tracks_free(&tracks);
    return code ? fm_fail(error, FM_ERR_LIBRARY, "NetCDF, trajectories: %s", nc_strerror(code)) : status;
}
