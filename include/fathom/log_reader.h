/* Reading logs: the channels of an MCAP file, each as a table of numbers and texts, as `fathom export` writes them.
 *
 *     fm_log_reader *log = fm_log_open("dive.mcap", &error);
 *     fm_log_table *odometry = fm_log_table_read(log, "/phoenix/odom", NULL, &error);
 *     fm_log_table_numbers(odometry, 1, values, fm_log_table_rows(odometry));
 */
#ifndef FATHOM_LOG_READER_H
#define FATHOM_LOG_READER_H

#include <fathom/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open log. One thread at a time; free it with fm_log_close. */
typedef struct fm_log_reader fm_log_reader;
/* The messages of one channel; it does not change, and any thread may read it. */
typedef struct fm_log_table fm_log_table;

/* Opens a log. A file without a summary (killed program, full disk) is read up to its last complete part. Returns NULL
 * and sets *error if the file cannot be read. Free it with fm_log_close. */
FM_API fm_log_reader *fm_log_open(const char *path, fm_error *error);
/* Closes a log; NULL is allowed. Its tables stay valid. */
FM_API void fm_log_close(fm_log_reader *log);

/* An open log; the texts belong to it. */
typedef struct fm_log_info {
    const char *library;  /* what wrote it: "fathom 0.1.0" */
    const char *warning;  /* why it is incomplete; "": it is complete */
    uint64_t messages;    /* in all channels */
    double start, end;    /* s, times of the first and last message */
    size_t channel_count; /* for fm_log_channel */
} fm_log_info;
/* Describes a log. */
FM_API fm_log_info fm_log_describe(const fm_log_reader *log);
/* A channel; the texts belong to the log. */
typedef struct fm_log_channel_info {
    const char *topic; /* "/phoenix/odom"; NULL: no such channel */
    const char *type;  /* "nav_msgs/msg/Odometry" */
    uint64_t messages; /* in it */
} fm_log_channel_info;
/* Returns channel `i`, from 0. */
FM_API fm_log_channel_info fm_log_channel(const fm_log_reader *log, size_t i);
/* Returns a value of the log's metadata ("scenario", "seed"); NULL: none. Belongs to the log. */
FM_API const char *fm_log_metadata(const fm_log_reader *log, const char *name, const char *key);

/* How to read a table; zero-initialise for the defaults. */
typedef struct fm_log_table_options {
    size_t size; /* sizeof(fm_log_table_options) */
    int enu;     /* vectors and attitudes as in the log, east-north-up; 0: north-east-down, forward-starboard-down */
} fm_log_table_options;
/* Reads the messages of a channel, by its topic. Free it with fm_log_table_free. Returns NULL and sets *error if the
 * channel is unknown or a message is damaged. */
FM_API fm_log_table *fm_log_table_read(fm_log_reader *log, const char *topic, const fm_log_table_options *options,
                                       fm_error *error);
/* Frees a table; NULL is allowed. */
FM_API void fm_log_table_free(fm_log_table *table);
/* Returns the number of messages. */
FM_API size_t fm_log_table_rows(const fm_log_table *table);
/* A column: one number or text of each message. The texts belong to the table. */
typedef struct fm_log_column {
    const char *path; /* "pose.pose.position.north"; NULL: no such column */
    const char *unit; /* "m/s"; "": no dimension */
    int text;         /* 1: texts, read with fm_log_table_text */
} fm_log_column;
/* Returns the number of columns. */
FM_API size_t fm_log_table_column_count(const fm_log_table *table);
/* Returns column `i`, from 0. */
FM_API fm_log_column fm_log_table_column(const fm_log_table *table, size_t i);
/* Writes the times of at most `room` messages, s since the start of the world, and returns the number of rows. */
FM_API size_t fm_log_table_times(const fm_log_table *table, double *times, size_t room);
/* Writes at most `room` numbers of column `i` and returns the number of rows; NaN: a text, or after the end of a
 * sequence. */
FM_API size_t fm_log_table_numbers(const fm_log_table *table, size_t i, double *values, size_t room);
/* Returns a text of column `i`, which belongs to the table; NULL: a number, or no such row. */
FM_API const char *fm_log_table_text(const fm_log_table *table, size_t i, size_t row);
/* Returns the number of fields that are too long for columns (images), which were left out. */
FM_API size_t fm_log_table_left_out(const fm_log_table *table);

#ifdef __cplusplus
}
#endif
#endif
