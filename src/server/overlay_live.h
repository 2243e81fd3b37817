/* Live telemetry of a real vehicle: lines of NAME=VALUE (analysis/telemetry_line.h) in UDP datagrams, one or several
 * lines each. A thread of its own receives them; the stepping thread takes the newest. No answer is sent. */
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
    uint64_t passed;                       /* valid, but a newer one came before the next step */
    uint64_t foreign;                      /* from a sender other than the current one */
    uint64_t late;                         /* not later than the previous line, by the vehicle's clock */
    uint64_t dropped[FM_TELEMETRY_FAULTS]; /* by what is wrong with them */
} fm_overlay_counts;

/* A numeric IPv4 or IPv6 address; port 0: any free port. *bound: the address in use. `origin`: of the scenario, for
 * latitude and longitude. */
fm_overlay_live *fm_overlay_live_open(const char *address, int port, const fm_geodetic *origin, int *bound,
                                      fm_error *error);
/* The source of an overlay, which closes it; `last`, if given, receives the counts then. */
fm_overlay_source fm_overlay_live_source(fm_overlay_live *live, fm_overlay_counts *last);
/* Counts in a place too, as overlay/lines, overlay/taken and overlay/dropped. Call before the first line can arrive. */
void fm_overlay_live_count(fm_overlay_live *live, fm_host *host);
void fm_overlay_live_close(fm_overlay_live *live);

#endif
