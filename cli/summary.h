/* The JSON summary of a run. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include <fathom/fathom.h>
#include <stdio.h>

/* Writes one JSON object: duration, steps, real_time_factor, state_hash, vehicles.NAME. `seconds` is wall-clock time.
 */
void cli_write_summary(FILE *out, const fm_world *world, double seconds);
/* A number as JSON: null where it is not finite. */
void cli_json_number(FILE *out, double value);
void cli_json_text(FILE *out, const char *text);

#endif
