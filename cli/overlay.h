/* --overlay: telemetry of real vehicles over the vehicles of a run or of a recording. */
#ifndef CLI_OVERLAY_H
#define CLI_OVERLAY_H

#include <fathom/run.h>

#include "analysis/archive.h"
#include "options.h"

typedef struct cli_overlays {
    cli_list sources; /* "[VEHICLE=]FILE" or "[VEHICLE=]udp:[ADDR:]PORT" */
    cli_list maps;    /* "QUANTITY=COLUMN[*FACTOR][+SHIFT]" */
    double offset, align, gap;
    const char *time; /* of `fathom compare`: column of time, and rows that count */
    cli_list where;
} cli_overlays;

/* Rows of a table of options; `member` is of type cli_overlays. */
#define CLI_OVERLAY_OPTIONS(type, member)                                                                              \
    {"overlay",                                                                                                        \
     CLI_FIELD(type, member.sources),                                                                                  \
     .value = "[VEHICLE=]SOURCE",                                                                                      \
     .section = "telemetry of a real vehicle",                                                                         \
     .path = CLI_FILE,                                                                                                 \
     .endings = ".csv .mcap .nc .txt",                                                                                 \
     .text = "lay it over the model: a record (table, log, NetCDF or lines, docs/records.md), or udp:[ADDR:]PORT for " \
             "lines that come while it runs (127.0.0.1; port 0: any that is free); VEHICLE: default the first; may "   \
             "be repeated"},                                                                                           \
        {"overlay-offset",   CLI_FIELD(type, member.offset),                                                           \
         .value = "S",       .unit = "s",                                                                              \
         .min = -1e12,       .max = 1e12,                                                                              \
         .needs = "overlay", .text = "added to the times of records"},                                                 \
        {"overlay-align",                                                                                              \
         CLI_FIELD(type, member.align),                                                                                \
         .value = "S",                                                                                                 \
         .unit = "s",                                                                                                  \
         .min = 1e-3,                                                                                                  \
         .max = 1e6,                                                                                                   \
         .needs = "overlay",                                                                                           \
         .text = "find the offset of records by cross-correlation with the model, at most S from --overlay-offset"},   \
        {"overlay-gap",                                                                                                \
         CLI_FIELD(type, member.gap),                                                                                  \
         .value = "S",                                                                                                 \
         .unit = "s",                                                                                                  \
         .min = 1e-3,                                                                                                  \
         .max = 1e9,                                                                                                   \
         .needs = "overlay",                                                                                           \
         .fallback = "5",                                                                                              \
         .text = "samples of records that are farther apart have nothing measured between them"},                      \
    {                                                                                                                  \
        "overlay-map", CLI_FIELD(type, member.maps), .value = "QUANTITY=COLUMN[*FACTOR][+SHIFT]", .needs = "overlay",  \
                                                     .text = "which column of a record is north, east, depth, roll, "  \
                                                             "pitch, heading …, where its name does not say so"      \
    }

/* Counts of live sources, valid until the end of the run. */
typedef struct cli_overlay_counts cli_overlay_counts;

/* Attaches the requested overlays to a run that has no sinks yet; prints what it found. 0: it failed and printed the
 * reason. *counts: close after the run is freed. */
struct fm_host; /* where live sources count too; NULL: nowhere */
int cli_overlays_attach(const char *command, fm_run *run, const cli_overlays *overlays, struct fm_host *host,
                        cli_overlay_counts **counts);
/* Prints the numbers of lines used and dropped. */
void cli_overlays_close(const char *command, cli_overlay_counts *counts);

/* The archives, for a recording, as a list; *ok 0: one cannot be read, and the reason was printed. */
fm_overlay *cli_overlays_read(const char *command, const cli_overlays *overlays, const char *recording, int *ok);

/* Reads the archive of a source without a vehicle's name, as --overlay would. `origin`: of the scenario; NULL:
 * unknown. */
int cli_archive_read(const char *command, const cli_overlays *overlays, const char *vehicle, const char *file,
                     const fm_geodetic *origin, fm_archive *archive);
/* The origin of a recorded scenario; false: the file is not a log, or has no origin. */
bool cli_log_origin(const char *file, fm_geodetic *origin);

#endif
