/* Obstacle avoidance of the robotic fish by two fans of ranges: the reactive rule (B1)-(B4). It keeps a fish
 * off walls and columns; for other fish see fish/anticipate.h. Turn rates are positive to starboard. */
#ifndef FM_FISH_FISH_AVOID_H
#define FM_FISH_FISH_AVOID_H

#include "physics/real.h"

typedef struct fm_fish_avoid_params {
    fm_var begin;       /* effective range at which a turn begins, m (0.90) */
    fm_var end;         /* ... and ends, m (1.05) */
    fm_var flip_range;  /* the side may change only below this range, m (0.6) */
    fm_var flip_gain;   /* ... where the other side has this much more room, m (0.15) */
    fm_var flip_period; /* ... and not more often than this, s (0.6) */
    fm_var turn_max;    /* rad/s (1.8) */
    fm_var turn_min;    /* rad/s (0.3) */
    fm_var speed;       /* cruising speed, m/s (0.2) */
} fm_fish_avoid_params;

typedef struct fm_fish_avoid_state {
    fm_real side;  /* +1 turning to starboard, -1 to port, 0 free */
    fm_real since; /* time since the side was chosen, s */
} fm_fish_avoid_state;

FM_FN fm_fish_avoid_params fm_fish_avoid_preset(void)
{
    fm_fish_avoid_params p = {fm_var_const(0.90), fm_var_const(1.05), fm_var_const(0.6), fm_var_const(0.15),
                              fm_var_const(0.6),  fm_var_const(1.8),  fm_var_const(0.3), fm_var_const(0.2)};
    return p;
}

/* (B1): ranges count for less the more they lie to the side. bearing_cosine of the ray to the heading. */
FM_FN fm_real fm_fish_effective_range(fm_real range, fm_par bearing_cosine)
{
    return range / fm_const(bearing_cosine > (fm_par)0.35 ? bearing_cosine : (fm_par)0.35);
}

/* (B2)-(B4): the side is chosen away from the nearer fan and kept. Where `active` comes back 1, turn rate (rad/s) and
 * speed (m/s) replace the task's. */
FM_FN void fm_fish_avoid(const fm_fish_avoid_params *p, fm_fish_avoid_state *s, fm_real port, fm_real starboard,
                         fm_par dt, fm_real *active, fm_real *turn_rate, fm_real *speed)
{
    fm_real zero = fm_const(0), one = fm_const(1), r = fm_min(port, starboard);
    fm_real away = fm_select(port < starboard, one, -one);
    fm_mask was_free = s->side == zero;
    fm_real limit = fm_select(was_free, fm_real_wide(p->begin), fm_real_wide(p->end));
    fm_real flip = fm_select(fm_abs(port - starboard) > fm_real_wide(p->flip_gain), one, zero);
    flip = fm_select(r < fm_real_wide(p->flip_range), flip, zero);
    flip = fm_select(s->since >= fm_real_wide(p->flip_period), flip, zero);
    fm_real side = fm_select(was_free, away, fm_select(flip > zero, away, s->side));
    side = fm_select(r < limit, side, zero);
    s->since = fm_select(side == s->side, s->since + fm_const(dt), zero);
    s->side = side;
    fm_real hard = p->turn_max / fm_const(0.8) * (fm_real_wide(p->end) - r);
    *active = fm_abs(side);
    *turn_rate = side * fm_clamp(hard, fm_real_wide(p->turn_min), fm_real_wide(p->turn_max));
    *speed = fm_real_wide(p->speed) * fm_clamp((r - fm_const(0.1)) / fm_const(0.6), fm_const(0.3), one);
}

/* Expected acceleration that brings the speed to `wanted` (time constant 0.8 s), m/s2. */
FM_FN fm_real fm_fish_expected_acceleration(fm_real wanted, fm_real speed)
{
    return (wanted - speed) / fm_const(0.8);
}

#endif
