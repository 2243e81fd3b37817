/* One decision of <bottom-following>, and what is measured of it. docs/theory/remus.md (R7), (R8), (R13) */
#ifndef FM_CONTROL_BOTTOM_FOLLOWING_H
#define FM_CONTROL_BOTTOM_FOLLOWING_H

#include "control/guide.h"
#include "control/navigator.h"
#include "control/remus_metrics.h"
#include "control/sliding_mode.h"

/* (R7) How much too deep a vehicle is [m], by the altitude that it keeps or by what guidances order, in file order; 0
 * where it does not know the bottom (an altitude of FM_HUGE or more). */
FM_FN fm_real fm_bottom_follow_too_deep(fm_real keeps, const fm_guidance *const *guides, int count,
                                        const fm_estimate *n)
{
    const fm_real zero = fm_const(0), half = fm_const(0.5);
    fm_real altitude = keeps, depth = zero, dives = zero;
    for (int i = 0; i < count; i++) {
        const fm_mask rises = guides[i]->rises > half, sinks = guides[i]->dives > half;
        altitude = fm_select(rises, guides[i]->altitude, altitude);
        depth = fm_select(sinks, guides[i]->depth, depth);
        dives = fm_select(rises, zero, fm_select(sinks, fm_const(1), dives));
    }
    const fm_real above = fm_select(fm_abs(n->altitude) < fm_const(FM_HUGE), altitude - n->altitude, zero);
    return fm_select(dives > half, n->position[2] - depth, above);
}

/* (R8) [rad] the order of the planes */
FM_FN fm_real fm_bottom_follow_order(const fm_sliding_params *gains, fm_real keeps, const fm_guidance *const *guides,
                                     int count, const fm_estimate *n)
{
    return fm_sliding_dive(gains, n->water[2], n->rates[1], n->euler[1],
                           fm_bottom_follow_too_deep(keeps, guides, count, n));
}

/* Metrics of a run so far. */
typedef struct fm_bottom_follow_told {
    fm_mask above;     /* there is a bottom */
    fm_mask late;      /* the run should have settled: */
    fm_real reversals; /* of pitch */
    fm_real pitch;     /* rad, highest less lowest, late */
    fm_real altitude;  /* m, mean, late */
} fm_bottom_follow_told;

/* (R13) One more sample: time [s], true altitude [m] (FM_HUGE or more: no bottom), true pitch [rad]. */
FM_FN fm_bottom_follow_told fm_bottom_follow_measure(fm_var reversal, fm_var late, fm_par time, fm_real altitude,
                                                     fm_real theta, fm_remus_metrics *m)
{
    fm_bottom_follow_told told;
    told.above = fm_abs(altitude) < fm_const(FM_HUGE);
    fm_remus_metrics_add(m, fm_const(time), fm_select(told.above, altitude, fm_const(0)), theta, fm_const(0), reversal,
                         late);
    told.late = m->late_pitch.count > fm_const(0);
    told.reversals = m->reversals.count;
    told.pitch = fm_measure_range(&m->late_pitch);
    told.altitude = fm_measure_mean(&m->late_altitude);
    return told;
}

#endif
