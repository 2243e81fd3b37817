/* CSV files of a run: one per vehicle, SI and radians, NED and forward-starboard-down. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include <fathom/fathom.h>

/* Writes DIR/NAME.csv for each vehicle during the run, and its last row at the end; rate in Hz, 0: one row per vehicle
 * step. A file that cannot be written ends the run; errors at the end are printed. */
fm_status cli_csv_attach(fm_run *run, const char *dir, double rate, fm_error *error);

#endif
