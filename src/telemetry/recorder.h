/* Records channels into an MCAP file. */
#ifndef FM_TELEMETRY_RECORDER_H
#define FM_TELEMETRY_RECORDER_H

#include "telemetry/channel.h"
#include "telemetry/mcap_writer.h"

typedef struct fm_recorder fm_recorder;

/* The same with a log that is already open; takes ownership of it, also on failure. */
fm_status fm_recorder_create_on(fm_mcap_writer *writer, const fm_channels *channels, fm_recorder **recorder,
                                fm_error *error);
fm_mcap_writer *fm_recorder_writer(fm_recorder *recorder);
/* Writes a message, or handles news of a channel: the `take` of a tap or a listener, with the recorder as its user. */
void fm_recorder_take(void *recorder, const fm_ring_item *item);
/* The channel has this topic from now on; "": none. A topic that the file already has, with the same type, is
 * continued: a vehicle that returns uses the channels it had. If no channel can be added, its messages are lost and
 * counted. */
void fm_recorder_rename(fm_recorder *recorder, uint32_t channel, const char *topic, const fm_message *type,
                        const char *text);

typedef struct fm_recorder_result {
    uint64_t written, lost; /* messages: written; refused by the disk */
} fm_recorder_result;

/* Adds the counts as metadata "recorder", closes the file and frees the recorder. `dropped`: messages that did not
 * reach it, for the metadata. */
fm_status fm_recorder_close(fm_recorder *recorder, uint64_t dropped, fm_recorder_result *result, fm_error *error);

#endif
