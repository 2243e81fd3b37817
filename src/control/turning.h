/* <turning-circle>: measures a turn from the moment the rudder is put over. docs/theory/control.md (C22)-(C24) */
#ifndef FM_CONTROL_TURNING_H
#define FM_CONTROL_TURNING_H

#include "control/law.h"

/* clang-format off */
#define FM_TURNING_CIRCLE_PARAMS(P)                                                                                    \
    P(from, "from", "s", 0, 1e9, "0 s", "when the rudder is put over")                                                 \
    P(steady, "steady", "rad", 0, 1e3, "180 deg",                                                                      \
      "heading change after which the turn counts as steady, for turn_radius")
#define FM_TURNING_CIRCLE_DERIVED(D)
#define FM_TURNING_CIRCLE_STATE(S) S(turn[FM_TURN_NUMBERS]) /* fm_turn */
#define FM_TURNING_CIRCLE_METRICS(M)                                                                                   \
    M(LAST, turn_radius, "m", "radius of the steady turn")                                                             \
    M(FIRST, advance, "m", "distance along the first course at 90 degrees of heading change")                          \
    M(FIRST, transfer, "m", "distance across the first course at 90 degrees of heading change")                        \
    M(FIRST, tactical_diameter, "m", "distance across the first course at 180 degrees of heading change")
/* clang-format on */
enum { FM_TURN_NUMBERS = 22 };
FM_LAW_TYPES(turning_circle, FM_TURNING_CIRCLE)
static_assert(sizeof(fm_turn) == FM_TURN_NUMBERS * sizeof(fm_real), "numbers alone");

/* One more sample, where the turn has begun: true position [m, NED] and heading [rad]. */
FM_FN void fm_turning_circle_step(const fm_turning_circle_params *p, fm_turning_circle_state *s, fm_law_io *io)
{
    const fm_mask on = (fm_const(io->time) < fm_real_wide(p->from - io->period / 2)) == 0;
    const fm_real half = fm_const(0.5);
    fm_turn *turn = (fm_turn *)(void *)s->turn;
    fm_turn next = *turn;
    const fm_real *numbers = (const fm_real *)&next;
    fm_turn_add(&next, io->position[0], io->position[1], io->euler[2], p->steady);
    for (int i = 0; i < FM_TURN_NUMBERS; i++)
        s->turn[i] = fm_select(on, numbers[i], s->turn[i]);
    const fm_real radius = fm_turn_radius(turn);
    io->notes[FM_NOTE_turn_radius] = on & (radius > fm_const(0));
    io->noted[FM_NOTE_turn_radius] = radius;
    io->notes[FM_NOTE_advance] = io->notes[FM_NOTE_transfer] = on & (turn->quarter > half);
    io->noted[FM_NOTE_advance] = turn->advance;
    io->noted[FM_NOTE_transfer] = turn->transfer;
    io->notes[FM_NOTE_tactical_diameter] = on & (turn->half > half);
    io->noted[FM_NOTE_tactical_diameter] = turn->diameter;
}

#endif
