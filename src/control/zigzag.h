/* <zigzag-test>: puts a rudder over to one side and the other, and measures the overshoot of the heading.
 * docs/theory/control.md (C24a) */
#ifndef FM_CONTROL_ZIGZAG_H
#define FM_CONTROL_ZIGZAG_H

#include "control/law.h"

/* clang-format off */
#define FM_ZIGZAG_PARAMS(P)                                                                                            \
    P(angle, "angle", "rad", 1e-3, 1.5, "10 deg", "that the rudder is put over by")                                    \
    P(heading, "heading", "rad", 1e-3, 1.5, NULL,                                                                      \
      "change of heading at which it is put over to the other side; default: as the rudder's angle")                   \
    P(from, "from", "s", 0, 1e9, "0 s", "when the rudder is put over first")
#define FM_ZIGZAG_DERIVED(D) D(first) /* side: 1 starboard, -1 port */
#define FM_ZIGZAG_STATE(S)                                                                                             \
    S(side)    /* side of the rudder: 1 starboard, -1 port, 0 not begun */                                       \
    S(course)  /* rad, the heading at the beginning */                                                                 \
    S(swing)   /* reversals of the rudder so far */                                                                    \
    S(most)    /* rad, of the present swing: largest heading to its side */                              \
    S(reached) /* rad, heading to that side when the rudder was reversed */
#define FM_ZIGZAG_METRICS(M)                                                                                           \
    M(LAST, first_overshoot, "rad", "how far the heading goes on after the first reversal of the rudder")              \
    M(LAST, second_overshoot, "rad", "the same after the second reversal")
/* clang-format on */
FM_LAW_TYPES(zigzag, FM_ZIGZAG)

/* The rudder is its first actuator. */
FM_FN void fm_zigzag_step(const fm_zigzag_params *p, fm_zigzag_state *s, fm_law_io *io)
{
    const fm_real heading = io->euler[2], one = fm_const(1);
    const fm_mask on = (fm_const(io->time) < fm_real_wide(p->from - io->period / 2)) == 0;
    const fm_mask begins = on & (s->side == fm_const(0));
    s->side = fm_select(begins, fm_real_wide(p->first), s->side);
    s->course = fm_select(begins, heading, s->course);
    const fm_real turned = fm_angle_wrap_pi(heading - s->course), there = s->side * turned;
    const fm_mask reverses = on & (there >= fm_real_wide(p->heading));
    s->reached = fm_select(reverses, there, s->reached);
    s->most = fm_select(reverses, there, s->most);
    s->side = fm_select(reverses, -s->side, s->side);
    s->swing = fm_select(reverses, s->swing + one, s->swing);
    s->most = fm_select(on, fm_max(s->most, -s->side * turned), s->most);
    io->notes[FM_NOTE_first_overshoot] = on & (s->swing == one);
    io->notes[FM_NOTE_second_overshoot] = on & (s->swing == fm_const(2));
    io->noted[FM_NOTE_first_overshoot] = io->noted[FM_NOTE_second_overshoot] = s->most - s->reached;
    io->orders = on;
    io->order[0] = s->side * fm_real_wide(p->angle);
}

#endif
