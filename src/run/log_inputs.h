/* The inputs that a log holds. */
#ifndef FM_RUN_LOG_INPUTS_H
#define FM_RUN_LOG_INPUTS_H

#include <fathom/world.h>

#include "telemetry/mcap_reader.h"

/* All inputs in the order in which the world applied them; free *inputs with fm_free in any case. FM_ERR_MISSING: not
 * the log of a run. */
fm_status fm_log_inputs_read(fm_mcap_reader *reader, fm_input **inputs, size_t *count, fm_error *error);

#endif
