/* Live telemetry of a real vehicle: lines of NAME=VALUE (analysis/telemetry_line.h) that come as UDP datagrams, one or
 * several lines each. A thread of its own receives them; the stepping thread takes the newest. Nothing is answered. */
#ifndef FM_SERVER_OVERLAY_LIVE_H
#define FM_SERVER_OVERLAY_LIVE_H

#include "analysis/telemetry_line.h"
#include "server/host.h"
#include "telemetry/overlay.h"

typedef struct fm_overlay_live fm_overlay_live;

/* Counted since it was opened. */
typedef struct fm_overlay_counts {
    uint64_t lines;                        /* that came */
    uint64_t taken;                        /* laid over the model */
    uint64_t passed;                       /* good, but a newer one came before the next step */
    uint64_t foreign;                      /* from another sender than the one that is listened to */
    uint64_t late;                         /* not after the line before, by the vehicle's clock */
    uint64_t dropped[FM_TELEMETRY_FAULTS]; /* by what is wrong with them */
} fm_overlay_counts;

/* Numbers of IPv4 or IPv6; port 0: any that is free. *bound: the one that it listens at. `origin`: of the scenario, for
 * latitude and longitude. */
fm_overlay_live *fm_overlay_live_open(const char *address, int port, const fm_geodetic *origin, int *bound,
                                      fm_error *error);
/* The source of an overlay, which closes it; `last`, where given, gets the counts then. */
fm_overlay_source fm_overlay_live_source(fm_overlay_live *live, fm_overlay_counts *last);
/* Counts in a place too, as overlay/lines, overlay/taken and overlay/dropped. Before the first line is awaited. */
void fm_overlay_live_count(fm_overlay_live *live, fm_host *host);
void fm_overlay_live_close(fm_overlay_live *live);

#endif
