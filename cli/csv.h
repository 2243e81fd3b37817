/* CSV files of a run: one per vehicle, SI and radians, NED and forward-starboard-down. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include <fathom/fathom.h>

typedef struct cli_csv cli_csv;

/* Opens DIR/NAME.csv for each vehicle of the world; rate in Hz, 0: one row per vehicle step. NULL: a message was
 * printed. */
cli_csv *cli_csv_open(const char *dir, const fm_world *world, double rate);
/* Writes the rows that are due at the present tick; `last` writes the end row of every vehicle. */
/* Nothing more is written, or told, after the first failure. */
fm_status cli_csv_write(cli_csv *csv, const fm_world *world, int last, fm_error *error);
/* Closes; 0 where something could not be written (told by cli_csv_write, or a message is printed). */
int cli_csv_close(cli_csv *csv);

#endif
