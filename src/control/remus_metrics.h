/* Metrics of a bottom-following run: the numbers by which the REMUS results are judged. docs/theory/remus.md (R13) */
#ifndef FM_CONTROL_REMUS_METRICS_H
#define FM_CONTROL_REMUS_METRICS_H

#include "control/metrics.h"

typedef struct fm_remus_metrics {
    fm_measure altitude;      /* m */
    fm_measure pitch;         /* rad */
    fm_measure threat;        /* Threat (R11) */
    fm_measure late_pitch;    /* rad, after `late` */
    fm_measure late_altitude; /* m, after `late` */
    fm_reversals reversals;   /* of pitch */
} fm_remus_metrics;

/* One sample at time t [s]: altitude [m], pitch [rad], threat; swings of the pitch
 * below `reversal` [rad] are not counted, `late` [s] is when the run should have settled. */
FM_FN void fm_remus_metrics_add(fm_remus_metrics *m, fm_real t, fm_real altitude, fm_real pitch, fm_real threat,
                                fm_var reversal, fm_var late)
{
    const fm_mask settled = t > fm_real_wide(late);
    fm_measure_add(&m->altitude, altitude);
    fm_measure_add(&m->pitch, pitch);
    fm_measure_add(&m->threat, threat);
    fm_measure_add_where(&m->late_pitch, settled, pitch);
    fm_measure_add_where(&m->late_altitude, settled, altitude);
    fm_reversals_add(&m->reversals, pitch, reversal);
}

#endif
