/* Inputs of a robotic fish's brain from its instruments: the ranges of its sonars, or of its infrareds, and its bumper,
 * with all their noise, delay, drop-outs and faults. A sonar with bearings (by-bearing) gives a range at each of them,
 * any other one range along its axis. */
#ifndef FM_FISH_SENSES_H
#define FM_FISH_SENSES_H

#include <fathom/part.h>

#include "fish/anticipate.h"

enum { FM_FISH_SENSORS = 8 };

/* The instruments of one kind, and their bearings as the avoidance sees them. */
typedef struct fm_fish_senses {
    fm_anticipate_params sight;
    size_t count;
    fm_quantity_view view[FM_FISH_SENSORS];
} fm_fish_senses;

/* What is remembered of them: how many samples each had given when it was last read. */
typedef struct fm_fish_sensed {
    int64_t samples[FM_FISH_SENSORS];
} fm_fish_sensed;

/* Finds the instruments of this element ("sonar", "infrared") that look ahead or to the sides; `look` is what of the
 * avoidance does not depend on them. */
fm_status fm_fish_senses_load(fm_part_load *load, const char *element, const fm_anticipate_params *sight,
                              fm_fish_senses *senses, fm_error *error);

/* One range (m) per beam of senses->look: the newest sample of its instrument, look.range if there was no echo or the
 * sample is older than `hold` (s). Returns 1 if one of them is new. */
int fm_fish_senses_read(const fm_part_context *context, const fm_fish_senses *senses, fm_fish_sensed *sensed,
                        double hold, double *range);

#endif
