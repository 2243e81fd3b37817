/* Logs on the command line: opens them, and finds channels named by the user. */
#ifndef CLI_LOG_FILE_H
#define CLI_LOG_FILE_H

#include "options.h"
#include "telemetry/mcap_reader.h"

/* Whether a file is a log: by its first bytes, or by the suffix .mcap. */
bool cli_is_log(const char *path);
/* Whether a file is NetCDF, by its first bytes. */
bool cli_is_netcdf(const char *path);

/* Opens a log; prints errors and warnings to stderr in the name of `command`. NULL on failure. */
fm_mcap_reader *cli_open_log(const char *command, const char *path);

/* The channel of that name. If it does not exist, prints the nearest and all names, and returns NULL. */
const fm_mcap_channel *cli_find_channel(const char *command, const fm_mcap_reader *reader, const char *topic);

/* Frames of what is read from a log; choices of --frame. */
enum { CLI_FRAME_NED = 1, CLI_FRAME_ENU };
extern const cli_choice cli_frames[];

/* "nav_msgs/msg/Odometry" or "-". */
const char *cli_type_name(const fm_mcap_channel *channel);

#endif
