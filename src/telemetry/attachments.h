/* Stores the files of a scenario in a log and extracts them again. Names keep the paths relative to each other, without
 * the folders that all files have in common. */
#ifndef FM_TELEMETRY_ATTACHMENTS_H
#define FM_TELEMETRY_ATTACHMENTS_H

#include <fathom/model.h>

#include "telemetry/mcap_reader.h"
#include "telemetry/mcap_writer.h"

/* Attaches all files of the model; the scenario's name in the log goes to `scenario`. */
fm_status fm_attachments_write(fm_mcap_writer *writer, const fm_model *model, char *scenario, size_t size,
                               fm_error *error);

/* Writes all attachments below `folder`, which exists. FM_ERR_NAME for a name that leads out of it. */
fm_status fm_attachments_unpack(const fm_mcap_reader *reader, const char *folder, fm_error *error);
/* Removes what fm_attachments_unpack has written, and the folder. */
void fm_attachments_remove(const fm_mcap_reader *reader, const char *folder);

#endif
