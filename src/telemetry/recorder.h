/* Recorder: a thread of its own that takes all channels out of a ring and writes them into an MCAP file. */
#ifndef FM_TELEMETRY_RECORDER_H
#define FM_TELEMETRY_RECORDER_H

#include "telemetry/channel.h"
#include "telemetry/mcap_writer.h"

typedef struct fm_recorder_options {
    fm_mcap_options mcap;
    fm_ring_policy policy; /* FM_RING_DROP for real time, FM_RING_WAIT for fast runs */
    double buffer;         /* s of telemetry that the ring holds; 0: 2 s */
} fm_recorder_options;

typedef struct fm_recorder fm_recorder;

/* Opens the file and writes schemas and channels; messages flow after fm_recorder_start. In between, add metadata and
 * attachments through fm_recorder_writer. */
fm_status fm_recorder_create(const char *path, fm_channels *channels, const fm_recorder_options *options,
                             fm_recorder **recorder, fm_error *error);
fm_mcap_writer *fm_recorder_writer(fm_recorder *recorder);
fm_status fm_recorder_start(fm_recorder *recorder, fm_error *error);

/* Messages that the ring dropped or the disk refused, so far. */
uint64_t fm_recorder_dropped(const fm_recorder *recorder);

typedef struct fm_recorder_result {
    uint64_t written, dropped, lost; /* messages: in the file; dropped by a full ring; refused by the disk */
} fm_recorder_result;

/* Drains the ring and ends the thread; metadata may be added again until the close. */
void fm_recorder_stop(fm_recorder *recorder);

/* Stops, if it still runs, adds the counts as metadata "recorder", closes the file and frees the recorder. With
 * FM_RING_DROP drops are no failure; with FM_RING_WAIT they are, as the log is then not complete. */
fm_status fm_recorder_close(fm_recorder *recorder, fm_recorder_result *result, fm_error *error);

#endif
