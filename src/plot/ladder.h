/* The ladder of sound: one line per transducer, time along it, and a slanted line from each emission to its
 * reception. */
#ifndef FM_PLOT_LADDER_H
#define FM_PLOT_LADDER_H

#include "plot/figure.h"
#include "telemetry/mcap_reader.h"

/* The contents of /acoustics/emissions and /acoustics/receptions of a log from `from` to `to` (s; to 0: the end). NULL:
 * see the error; other failures are returned by fm_figure_write. */
fm_figure *fm_ladder_draw(fm_mcap_reader *reader, double from, double to, fm_theme theme, fm_error *error);

#endif
