/* Logs on the command line: opening them, and finding channels that a user named. */
#ifndef CLI_LOG_FILE_H
#define CLI_LOG_FILE_H

#include "options.h"
#include "telemetry/mcap_reader.h"

/* Whether a file is a log: by its first bytes, or by a name that ends with .mcap. */
bool cli_is_log(const char *path);

/* Opens a log; prints errors and warnings to stderr in the name of `command`. NULL when it failed. */
fm_mcap_reader *cli_open_log(const char *command, const char *path);

/* The channel of that name. When there is none, prints the nearest and what there is, and returns NULL. */
const fm_mcap_channel *cli_find_channel(const char *command, const fm_mcap_reader *reader, const char *topic);

/* Frames of what is read from a log; choices of --frame. */
enum { CLI_FRAME_NED = 1, CLI_FRAME_ENU };
extern const cli_choice cli_frames[];

/* "nav_msgs/msg/Odometry" or "-". */
const char *cli_type_name(const fm_mcap_channel *channel);

#endif
