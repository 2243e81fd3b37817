/* A tap: a ring on channels and a thread that takes messages out of it, so that a slow consumer never delays the
 * stepping thread. */
#ifndef FM_TELEMETRY_TAP_H
#define FM_TELEMETRY_TAP_H

#include "telemetry/channel.h"

typedef struct fm_tap fm_tap;

/* The ring holds `seconds` of all channels. The tap's thread calls `take`. Call between steps. */
fm_status fm_tap_open(fm_channels *channels, double seconds, fm_ring_policy policy, fm_channel_take *take, void *user,
                      fm_tap **tap, fm_error *error);
/* The tap's ring: its policy and its counts. */
fm_ring *fm_tap_ring(fm_tap *tap);
/* Lets the thread finish what is in the ring, then ends it. Between steps. */
void fm_tap_stop(fm_tap *tap);
/* Stops the tap if it is running, and frees it; NULL is allowed. */
void fm_tap_close(fm_tap *tap);

#endif
