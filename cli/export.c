/* `fathom export`: a log as tables or tracks, the waypoints of a scenario as a mission. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "commands.h"
#include "export_mission.h"
#include "inputs.h"
#include "log_file.h"
#include "telemetry/export.h"
#include "telemetry/tracks.h"

typedef struct request {
    const char *file, *csv, *netcdf, *tracks[3]; /* tracks: fm_track_format */
    const char *plan, *waypoints, *vehicle;
    cli_list sets;
    double every;
    int frame;
    bool covariances;
    cli_words channels;
} request;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(request, file), .noun = "log", .required = true, .path = CLI_FILE, .endings = ".mcap .xml",
     .text = "the log (MCAP), or the scenario whose waypoints are written"},
    {"CHANNEL", CLI_FIELD(request, channels), .noun = "channel", .text = "channels to write; default: all"},
};

static const cli_option option_table[] = {
    {"csv", CLI_FIELD(request, csv), .value = "FOLDER", .path = CLI_FOLDER,
     .excludes = "netcdf kml gpx geojson plan waypoints", .text = "write one CSV file per channel to this directory"},
    {"netcdf", CLI_FIELD(request, netcdf), .value = "FILE.nc", .path = CLI_FILE, .endings = ".nc",
     .excludes = "plan waypoints", .text = "write one NetCDF-4 file with CF conventions, one group per channel"},
    {"kml", CLI_FIELD(request, tracks[FM_TRACKS_KML]), .value = "FILE.kml", .path = CLI_FILE, .endings = ".kml",
     .excludes = "netcdf gpx geojson plan waypoints",
     .text = "write the tracks of all vehicles as KML, for Google Earth and QGIS"},
    {"gpx", CLI_FIELD(request, tracks[FM_TRACKS_GPX]), .value = "FILE.gpx", .path = CLI_FILE, .endings = ".gpx",
     .excludes = "netcdf geojson plan waypoints", .text = "the same as GPX, for chart plotters"},
    {"geojson", CLI_FIELD(request, tracks[FM_TRACKS_GEOJSON]), .value = "FILE.geojson", .path = CLI_FILE,
     .endings = ".geojson .json", .excludes = "netcdf",
     .text = "the same as GeoJSON; of a scenario the waypoints of a vehicle"},
    {"plan", CLI_FIELD(request, plan), .value = "FILE.plan", .path = CLI_FILE, .endings = ".plan",
     .text = "write the waypoints of a scenario as a plan of QGroundControl"},
    {"waypoints", CLI_FIELD(request, waypoints), .value = "FILE.waypoints", .path = CLI_FILE, .endings = ".waypoints",
     .text = "the same as text, for Mission Planner and MAVProxy"},
    {"vehicle", CLI_FIELD(request, vehicle), .value = "NAME",
     .text = "of a scenario: the vehicle, or NAME/LIST; default: the only one with waypoints"},
    {"set", CLI_FIELD(request, sets), .value = "PATH=VALUE", .text = "of a scenario: set a parameter; may be repeated"},
    {"every", CLI_FIELD(request, every), .value = "S", .min = 0, .max = 1e6, .fallback = "1",
     .text = "seconds between two points of --kml, --gpx and --geojson; 0: all points"},
    {"frame", CLI_FIELD(request, frame), .value = "FRAME", .choices = cli_frames, .fallback = "ned",
     .text = "frame of vectors and attitudes: ned, north-east-down and forward-starboard-down; or enu, east-north-up "
             "and forward-port-up, as in the log"},
    {"covariances", CLI_FIELD(request, covariances), .needs = "csv",
     .text = "also write the columns of covariance matrices"},
};

const cli_command cli_export_command = {
    .name = "export",
    .section = "logs",
    .text = "export a log as tables or tracks, or waypoints as a mission",
    .about =
        "Writes the channels of a log as CSV or as NetCDF. Numbers are written so that they read back exactly. Vectors "
        "and attitudes are converted from the ROS frames of the log to north-east-down; --frame enu keeps them. Roll, "
        "pitch and yaw follow each quaternion.\n\n"
        "Of a scenario it writes the waypoints of a vehicle as a mission: as a plan of QGroundControl, as text, or as "
        "GeoJSON. <waypoints file=\"…\"> reads these files.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .one_of = "csv netcdf kml gpx geojson plan waypoints",
    .examples = "  fathom export run.mcap --csv out /phoenix/odom\n"
                "  fathom export scenarios/mavlink-harbour.xml --plan harbour.plan\n",
    .main = cli_export,
};

static void print_note(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "fathom export: note: %s\n", text);
}

static int export_log(const request *r, fm_mcap_reader *reader)
{
    fm_error error = {0};
    fm_export_result result;
    const fm_mcap_channel **channels = calloc(r->channels.count + 1, sizeof *channels);
    int status = channels ? CLI_DONE : CLI_FAILED;
    for (size_t i = 0; i < r->channels.count && status == CLI_DONE; i++)
        if (!(channels[i] = cli_find_channel("export", reader, r->channels.items[i])))
            status = CLI_USAGE;
    fm_export_options options = {.channels = r->channels.count > 0 ? channels : NULL,
                                 .channel_count = r->channels.count,
                                 .note = print_note,
                                 .covariances = r->covariances,
                                 .ned = r->frame == CLI_FRAME_NED};
    if (status == CLI_DONE) {
        fm_status done = r->csv ? fm_export_csv(reader, r->csv, &options, &result, &error)
                                : fm_export_netcdf(reader, r->netcdf, &options, &result, &error);
        if (done == FM_OK)
            printf("%zu channels, %llu rows, %llu values to %s\n", result.channels, (unsigned long long)result.rows,
                   (unsigned long long)result.values, r->csv ? r->csv : r->netcdf);
        else
            fprintf(stderr, "fathom export: %s\n", error.text);
        status = done == FM_OK ? CLI_DONE : CLI_FAILED;
    }
    free(channels);
    return status;
}

/* One of the formats of tracks is given. */
static int export_tracks(const request *r, fm_mcap_reader *reader)
{
    fm_error error = {0};
    size_t points = 0;
    for (int i = 0; i < 3; i++) {
        if (!r->tracks[i])
            continue;
        if (fm_export_tracks(reader, r->tracks[i], (fm_track_format)i, r->every, &points, &error) != FM_OK) {
            fprintf(stderr, "fathom export: %s: %s\n", r->tracks[i], error.text);
            return CLI_FAILED;
        }
        printf("%zu points to %s\n", points, r->tracks[i]);
    }
    return CLI_DONE;
}

/* A mission comes from a scenario: its waypoints. Tables and tracks come from a log. */
static bool is_mission(const request *r)
{
    return r->plan || r->waypoints || (r->tracks[FM_TRACKS_GEOJSON] && !cli_is_log(r->file));
}

static int export_mission(const request *r)
{
    const cli_mission_export asked = {.scenario = {.file = r->file, .sets = r->sets, .unbridged = true},
                                      .vehicle = r->vehicle,
                                      .paths = {[FM_MISSION_PLAN] = r->plan,
                                                [FM_MISSION_TEXT] = r->waypoints,
                                                [FM_MISSION_GEOJSON] = r->tracks[FM_TRACKS_GEOJSON]}};
    if (cli_is_log(r->file)) {
        fprintf(stderr, "fathom export: %s is a log: %s takes a scenario\n", r->file,
                r->plan ? "--plan" : "--waypoints");
        return CLI_USAGE;
    }
    return cli_export_mission(&asked);
}

/* Options of scenarios. */
static bool has_none_of_scenarios(const request *r)
{
    if (r->vehicle || r->sets.count)
        fprintf(stderr, "fathom export: %s has no effect: %s is not exported as a mission\n",
                r->vehicle ? "--vehicle" : "--set", r->file);
    return !r->vehicle && !r->sets.count;
}

int cli_export(int argc, char **argv)
{
    request r = {.every = 1};
    int status;
    if (!cli_options_read(&cli_export_command, argc, argv, &r, &status))
        return status;
    if (is_mission(&r))
        return export_mission(&r);
    if (!has_none_of_scenarios(&r))
        return CLI_USAGE;
    if (r.netcdf && !cli_output_apart("export", "--netcdf", r.netcdf, r.file))
        return CLI_USAGE;
    fm_mcap_reader *reader = cli_open_log("export", r.file);
    const bool tables = r.csv || r.netcdf;
    status = !reader ? CLI_FAILED : tables ? export_log(&r, reader) : export_tracks(&r, reader);
    if (reader && status == CLI_FAILED && r.netcdf) { /* at exit HDF5 writes again what the disk refused, and crashes */
        fflush(NULL);
        _exit(status);
    }
    fm_mcap_reader_close(reader);
    return status;
}
