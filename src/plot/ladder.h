/* The ladder of sound: one line for each transducer, time along it, and a slanted line from where a sound was sent to
 * where it arrived. */
#ifndef FM_PLOT_LADDER_H
#define FM_PLOT_LADDER_H

#include "plot/figure.h"
#include "telemetry/mcap_reader.h"

/* What a log holds of /acoustics/emissions and /acoustics/receptions from `from` to `to` (s; to 0: the end). NULL: the
 * error tells why; other failures come out of fm_figure_write. */
fm_figure *fm_ladder_draw(fm_mcap_reader *reader, double from, double to, fm_theme theme, fm_error *error);

#endif
