/* A controller with a kernel of its own, which every engine runs: a world, lanes and a GPU. Its header describes it
 * once:
 *
 *     #define FM_X_PARAMS(P) P(speed, "speed", "m/s", 0, 10, "1 m/s", "speed to hold") …  attributes, all numbers
 *     #define FM_X_DERIVED(D) D(gain) …                                      numbers derived at load
 *     #define FM_X_STATE(S) S(last) …                                        kept between steps, initially 0
 *     #define FM_X_METRICS(M) M(LAST, overshoot, "rad", "largest overshoot") …
 *     FM_LAW_TYPES(x, FM_X)
 *     FM_FN void fm_x_step(const fm_x_params *p, fm_x_state *s, fm_law_io *io)
 *
 * Code that only a world needs is in its part (law_part.h); its name is in the list of control/laws.h. control/zigzag.h
 * is a complete example. */
#ifndef FM_CONTROL_LAW_H
#define FM_CONTROL_LAW_H

#include <assert.h>

#include "physics/body.h"
#include "physics/due.h"
#include "physics/metrics.h"

enum { FM_LAW_ACTUATORS = 4, FM_LAW_METRICS = 4, FM_LAW_KEPT = 64 }; /* at most, FM_LAW_KEPT of all together */

/* What a law sees and does. */
typedef struct fm_law_io {
    fm_par time, period;     /* s */
    const fm_real *position; /* m, NED */
    const fm_real *velocity; /* over ground, body: m/s, rad/s */
    fm_real euler[3];        /* rad */
    fm_mask orders;          /* where it orders its actuators */
    fm_real order[FM_LAW_ACTUATORS];
    fm_mask notes[FM_LAW_METRICS]; /* where it notes a metric */
    fm_real noted[FM_LAW_METRICS];
} fm_law_io;

/* fm_metric_kind of fathom/part.h. */
enum fm_law_metric { FM_LAW_MIN, FM_LAW_MAX, FM_LAW_SUM, FM_LAW_RMS, FM_LAW_LAST, FM_LAW_FIRST, FM_LAW_MEAN };

#define FM_LAW_PARAM(member, label, unit, low, high, standard, text) fm_var member;
#define FM_LAW_VAR(member) fm_var member;
#define FM_LAW_REAL(member) fm_real member;
#define FM_LAW_NOTE(kind, member, unit, text) FM_NOTE_##member,
#define FM_LAW_TYPES(x, X)                                                                                             \
    typedef struct fm_##x##_params {                                                                                   \
        X##_PARAMS(FM_LAW_PARAM) X##_DERIVED(FM_LAW_VAR)                                                               \
    } fm_##x##_params;                                                                                                 \
    typedef struct fm_##x##_state {                                                                                    \
        X##_STATE(FM_LAW_REAL)                                                                                         \
    } fm_##x##_state;                                                                                                  \
    enum { X##_METRICS(FM_LAW_NOTE) fm_##x##_metric_count };

/* Nothing done yet. */
FM_FN void fm_law_clear(fm_law_io *io)
{
    io->orders = fm_const(0) != fm_const(0);
    for (int i = 0; i < FM_LAW_ACTUATORS; i++)
        io->order[i] = fm_const(0);
    for (int i = 0; i < FM_LAW_METRICS; i++) {
        io->notes[i] = fm_const(0) != fm_const(0);
        io->noted[i] = fm_const(0);
    }
}

/* A metric as a world keeps it: value and count. */
FM_FN void fm_law_keep(int kind, fm_mask wanted, fm_real value, fm_real metric[2])
{
    const fm_mask first = metric[1] == fm_const(0);
    const fm_real before = metric[0];
    const fm_real next = kind == FM_LAW_MIN     ? fm_select(first | (value < before), value, before)
                         : kind == FM_LAW_MAX   ? fm_select(first | (value > before), value, before)
                         : kind == FM_LAW_RMS   ? before + value * value
                         : kind == FM_LAW_LAST  ? value
                         : kind == FM_LAW_FIRST ? fm_select(first, value, before)
                                                : before + value;
    fm_metric_keep(metric, wanted, next);
}

#endif
