/* A controller or sensor with a kernel of its own, which every engine runs: a world, lanes and a GPU. Its header
 * describes it once:
 *
 *     #define FM_X_PARAMS(P) P(speed, "speed", "m/s", 0, 10, "1 m/s", "speed to hold") …    attributes, all numbers
 *     #define FM_X_DERIVED(D) D(gain) …                                     numbers that loading derives
 *     #define FM_X_STATE(S) S(last) …                                       kept from step to step, 0 at first
 *     #define FM_X_METRICS(M) M(LAST, overshoot, "rad", "how far it went") …
 *     FM_LAW_TYPES(x, FM_X)
 *     FM_FN void fm_x_step(const fm_x_params *p, fm_x_state *s, fm_law_io *io)
 *
 * and, of a sensor, what others read, 0 at first:
 *
 *     #define FM_X_OUTPUTS(O) O(rate, "rate", "rad/s", FM_QUANTITY_NONE) …
 *     FM_LAW_OUTPUT(x, FM_X)
 *
 * Its part (law_part.h) has what only a world needs; its name goes into the list of control/laws.h. control/zigzag.h
 * is an example. */
#ifndef FM_CONTROL_LAW_H
#define FM_CONTROL_LAW_H

#include <assert.h>

#include "control/due.h"
#include "control/metrics.h"
#include "physics/body.h"

enum { FM_LAW_ACTUATORS = 4, FM_LAW_METRICS = 4, FM_LAW_SOURCES = 2 }; /* of one at most */
enum { FM_LAW_KEPT = 64 };                                             /* numbers that all of a vehicle keep, at most */

/* What a law sees and does. */
typedef struct fm_law_io {
    fm_par time, period;                   /* s */
    const fm_real *position;               /* m, NED */
    const fm_real *velocity;               /* over ground, body: m/s, rad/s */
    fm_real euler[3];                      /* rad */
    const fm_real *source[FM_LAW_SOURCES]; /* outputs of sensors that it reads, which are laws too; NULL: none */
    fm_real *output;                       /* of a sensor: fm_x_output */
    fm_step_moment now;
    uint32_t entity, channel; /* for random numbers */
    fm_mask orders;           /* where it orders its actuators */
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

#define FM_LAW_GIVES(member, field, unit, quantity) fm_real member;
#define FM_LAW_OUTPUT(x, X)                                                                                            \
    typedef struct fm_##x##_output {                                                                                   \
        X##_OUTPUTS(FM_LAW_GIVES)                                                                                      \
    } fm_##x##_output;

/* Two normal numbers: those with the indices 2 pair and 2 pair + 1 of this part in this step. */
FM_FN void fm_law_draw(const fm_law_io *io, uint32_t pair, fm_real out[2])
{
    fm_step_draw(&io->now, io->entity, io->channel, pair, out);
}

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
