/* The robotic fish of Liu and Hu: kernels of the paper's equations (H1)-(H9). Theory: docs/theory/fish.md.
 *
 * The paper's fish has four joints; here a tail has 1 to FM_FISH_JOINTS_MOST of them.
 *
 * Frames. World north-east (heading positive clockwise seen from above), body forward-starboard, origin of the body
 * at
 * joint 1, where head and tail meet. The paper uses a left-handed mirror image of this (y to port, turns positive
 * counter-clockwise); mirroring leaves every equation as it is, so that only the words change:
 *   deflection theta_d > 0 turns the fish to starboard (positive yaw rate), the tail's mean line lies to starboard;
 *   joint angles are positive clockwise seen from above, so that theta_d/2 is SUBTRACTED from joints 1 and 2 of
 * four;
 *   tail coordinates have x aft and y to port (the body's axes turned by 180 degrees).
 * Phase is counted in tail beats ("cycles"): omega t / 2 pi. */
#ifndef FM_PHYSICS_FISH_H
#define FM_PHYSICS_FISH_H

#include "physics/real.h"

enum { FM_FISH_JOINTS_MOST = 8, FM_FISH_INVERSE_HALVINGS = 48 };

/* The chain behind the head: joint j turns link j, the first joint is the body's origin. */
typedef struct fm_fish_tail {
    int joints;                       /* 1 … FM_FISH_JOINTS_MOST */
    fm_var link[FM_FISH_JOINTS_MOST]; /* lengths, m; 0 beyond the last */
} fm_fish_tail;

typedef struct fm_fish_params {
    fm_var c1;              /* linear envelope of the wave (H2), 1 */
    fm_var c2;              /* quadratic envelope, 1/m */
    fm_var k;               /* wave number 2 pi / lambda, rad/m */
    fm_var tail_length;     /* joint 1 to the tip, m */
    fm_var strouhal;        /* St of (H6), 1 */
    fm_var wetted_area;     /* S, m2 */
    fm_var mass;            /* kg */
    fm_var density;         /* of water, kg/m3 */
    fm_var viscosity;       /* kinematic, m2/s */
    fm_var reynolds_length; /* L of (H5): the tail's in the paper, the body's as an option; m */
    fm_var turn_gain;       /* 1.2 of (H9), rad */
    fm_var frequency_max;   /* Hz */
    fm_var deflection_max;  /* rad */
} fm_fish_params;

/* (H2), running from head to tail: y at x aft of joint 1, m. */
FM_FN fm_real fm_fish_wave(const fm_fish_params *p, fm_real x, fm_real cycles)
{
    return (fm_real_wide(p->c1) + fm_real_wide(p->c2) * x) * x *
           fm_sin(fm_real_wide(p->k) * x - fm_const(2 * FM_PI) * cycles);
}

/* A: peak-to-peak amplitude of the tip, m. */
FM_FN fm_var fm_fish_beat_width(const fm_fish_params *p)
{
    return (fm_par)2 * (p->c1 + p->c2 * p->tail_length) * p->tail_length;
}

/* (H6): the speed at which thrust and drag balance, m/s; frequency in Hz. */
FM_FN fm_real fm_fish_top_speed(const fm_fish_params *p, fm_real frequency)
{
    return frequency * fm_real_wide(fm_fish_beat_width(p) / p->strouhal);
}

/* C_f: laminar plus turbulent plate friction, as printed. Finite at rest: Re is kept at or above 1e-6. */
FM_FN fm_real fm_fish_friction(fm_var length, fm_var viscosity, fm_real speed)
{
    fm_real re = fm_max(fm_abs(speed) * fm_real_wide(length / viscosity), fm_const(1e-6));
    return fm_const(1.328) / fm_sqrt(re) + fm_const(0.074) * fm_pow(re, fm_const(-0.2));
}

/* (H4): friction drag, N, signed as the speed. */
FM_FN fm_real fm_fish_drag(const fm_fish_params *p, fm_real speed)
{
    fm_real cf = fm_fish_friction(p->reynolds_length, p->viscosity, speed);
    return fm_const(0.5) * p->density * p->wetted_area * cf * speed * fm_abs(speed);
}

/* (H7): thrust along the tail's mean line, N. */
FM_FN fm_real fm_fish_thrust(const fm_fish_params *p, fm_real frequency)
{
    return fm_fish_drag(p, fm_fish_top_speed(p, frequency));
}

/* (H8): forward acceleration, m/s2. */
FM_FN fm_real fm_fish_acceleration(const fm_fish_params *p, fm_real frequency, fm_real deflection, fm_real speed)
{
    fm_real net = fm_fish_thrust(p, frequency) * fm_cos(deflection) - fm_fish_drag(p, speed);
    return net / fm_real_wide(p->mass);
}

/* (H9): yaw rate, rad/s, positive to starboard. */
FM_FN fm_real fm_fish_turn_rate(const fm_fish_params *p, fm_real frequency, fm_real deflection)
{
    return fm_real_wide(p->turn_gain) * frequency * fm_sin(deflection);
}

/* Planar state of a fish. */
typedef struct fm_fish_state {
    fm_real x, y;    /* joint 1 in the world, m */
    fm_real heading; /* rad, clockwise from north, not wrapped */
    fm_real speed;   /* forward, m/s */
    fm_real cycles;  /* phase of the beat, kept in [0, 1) */
} fm_fish_state;

/* One step of (H8), (H9) and the phase: speed, heading, position with the new speed and heading, beat. dt in s. */
FM_FN void fm_fish_step(const fm_fish_params *p, fm_fish_state *s, fm_real frequency, fm_real deflection, fm_par dt)
{
    s->speed = s->speed + fm_const(dt) * fm_fish_acceleration(p, frequency, deflection, s->speed);
    s->heading = s->heading + fm_const(dt) * fm_fish_turn_rate(p, frequency, deflection);
    s->x = s->x + fm_const(dt) * s->speed * fm_cos(s->heading);
    s->y = s->y + fm_const(dt) * s->speed * fm_sin(s->heading);
    fm_real c = s->cycles + fm_const(dt) * frequency; /* at most one beat a step is taken off */
    s->cycles = fm_select(c >= fm_const(1), c - fm_const(1), c);
}

/* sin(theta_d) that (H9) needs at this frequency, within the tail's limit. */
FM_FN fm_real fm_fish_deflection_sine(const fm_fish_params *p, fm_real turn_rate, fm_real frequency, fm_real limit)
{
    fm_real f = fm_max(frequency, fm_const(1e-12));
    return fm_clamp(turn_rate / (fm_real_wide(p->turn_gain) * f), -limit, limit);
}

/* F(f) cos(theta_d), N, at the deflection that the turn rate needs: it never falls as f rises. */
FM_FN fm_real fm_fish_push(const fm_fish_params *p, fm_real turn_rate, fm_real f, fm_real limit)
{
    fm_real s = fm_fish_deflection_sine(p, turn_rate, f, limit);
    return fm_fish_thrust(p, f) * fm_sqrt(fm_const(1) - s * s);
}

/* The frequencies, Hz, below which the push is surely too weak and above which it surely is not. */
typedef struct fm_fish_bracket {
    fm_real weak, strong;
} fm_fish_bracket;

#ifdef FM_FLOAT
#define FM_FISH_SURE 1e-5 /* relative: far more than the push can be off by rounding */
#else
#define FM_FISH_SURE 2e-13
#endif

/* The next estimate of the frequency of a push: Newton's method, on the power law that F follows there. */
FM_FN fm_real fm_fish_refine(const fm_fish_params *p, fm_real turn_rate, fm_real f, fm_real limit, fm_real target)
{
    fm_real one = fm_const(1), s = fm_fish_deflection_sine(p, turn_rate, f, limit);
    fm_real speed = fm_fish_top_speed(p, f), cf = fm_fish_friction(p->reynolds_length, p->viscosity, speed);
    fm_real laminar = fm_const(1.328) / fm_sqrt(speed * fm_real_wide(p->reynolds_length / p->viscosity));
    fm_real free = fm_select(fm_abs(s) < limit, s * s / (one - s * s), fm_const(0));
    fm_real power = fm_const(1.8) - fm_const(0.3) * laminar / cf + free;
    fm_real push = fm_const(0.5) * p->density * p->wetted_area * cf * speed * speed * fm_sqrt(one - s * s);
    return f + f * (target - push) / (push * power);
}

/* Found near the solution, and proved by two pushes. Where they prove nothing, the whole range stays open. */
FM_FN fm_fish_bracket fm_fish_bracket_push(const fm_fish_params *p, fm_real turn_rate, fm_real low, fm_real high,
                                           fm_real limit, fm_real target, fm_real guess)
{
    enum { REFINED = 7 };
    fm_real f = fm_clamp(guess, fm_const(0.01) * high, high), sure = fm_const(FM_FISH_SURE), one = fm_const(1);
    fm_fish_bracket bracket = {fm_const(-1), fm_const(1e30)};
    fm_mask flat = limit > fm_const(0.99); /* 1 − s² would lose digits */
    for (int i = 0, open = 1; i < REFINED && open; i++) {
        fm_real next = fm_clamp(fm_fish_refine(p, turn_rate, f, limit, target), fm_const(0.01) * high, high);
        open = fm_any(fm_abs(next - f) > fm_const(1e-8) * f);
        f = next;
    }
    fm_real below = fm_max(f - fm_const(1.5) * sure * f, low), above = fm_min(f + fm_const(1.5) * sure * f, high);
    fm_mask weak = fm_fish_push(p, turn_rate, below, limit) < target * (one - sure);
    fm_mask strong = fm_fish_push(p, turn_rate, above, limit) > target * (one + sure);
    bracket.weak = fm_select(weak & (flat == 0), below, bracket.weak);
    bracket.strong = fm_select(strong & (flat == 0), above, bracket.strong);
    return bracket;
}

/* Inverse map: frequency and deflection for an expected acceleration (m/s2) and turn rate (rad/s) at this speed.
 * F(f) cos(theta_d) = m a + D(U) by a fixed number of halvings of f in [|V|/(1.2 sin max), f max]. A push is only
 * computed where the bracket leaves open whether it is too weak: a quarter of the halvings, with the same result. */
FM_FN void fm_fish_inverse(const fm_fish_params *p, fm_real acceleration, fm_real turn_rate, fm_real speed,
                           fm_real *frequency, fm_real *deflection)
{
    fm_real limit = fm_sin(fm_real_wide(p->deflection_max));
    fm_real target = fm_real_wide(p->mass) * acceleration + fm_fish_drag(p, speed);
    fm_real high = fm_real_wide(p->frequency_max);
    fm_real low = fm_min(fm_abs(turn_rate) / (fm_real_wide(p->turn_gain) * limit), high);
    fm_real guess = fm_abs(speed) / fm_fish_top_speed(p, fm_const(1));
    const fm_fish_bracket known = fm_fish_bracket_push(p, turn_rate, low, high, limit, target, guess);
    for (int i = 0; i < FM_FISH_INVERSE_HALVINGS; i++) {
        fm_real f = fm_const(0.5) * (low + high);
        fm_mask weak = f <= known.weak, open = (weak == 0) & (f < known.strong);
        if (fm_any(open))
            weak = weak | (open & (fm_fish_push(p, turn_rate, f, limit) < target));
        low = fm_select(weak, f, low);
        high = fm_select(weak, high, f);
    }
    *frequency = fm_const(0.5) * (low + high);
    *deflection = fm_asin(fm_fish_deflection_sine(p, turn_rate, *frequency, limit));
}

/* Weights of four neighbouring rows and of their derivative: the Catmull-Rom spline at t in [0, 1). */
FM_FN void fm_fish_spline_weights(fm_par t, fm_par value[4], fm_par slope[4])
{
    const fm_par half = (fm_par)0.5;
    value[0] = half * t * (-1 + t * (2 - t));
    value[1] = half * (2 + t * t * (-5 + 3 * t));
    value[2] = half * t * (1 + t * (4 - 3 * t));
    value[3] = half * t * t * (t - 1);
    slope[0] = half * (-1 + t * (4 - 3 * t));
    slope[1] = half * t * (-10 + 9 * t);
    slope[2] = half * (1 + t * (8 - 9 * t));
    slope[3] = half * t * (-2 + 3 * t);
}

/* An entry of a table of parameters as one lane has it. */
#if defined(FM_LANES) && !defined(FM_ONE_TYPE) && !defined(__CUDACC__)
#define fm_fish_entry(table, at, lane) ((table)[at][lane])
#else
#define fm_fish_entry(table, at, lane) ((void)(lane), (table)[at])
#endif

FM_FN fm_par fm_fish_floor(fm_par a)
{
#ifdef __CUDACC__
    return floor(a);
#else
    return (fm_par)__builtin_floor(a);
#endif
}

/* One phase, one vehicle: angles (rad) and their derivative by phase (rad/cycle) from a table of rows x joints. */
FM_FN void fm_fish_play_one(const fm_var *table, int lane, int rows, int joints, fm_par cycles, fm_par *angle,
                            fm_par *slope)
{
    fm_par at = (cycles - fm_fish_floor(cycles)) * (fm_par)rows;
    int row = (int)at;
    row = row < rows ? row : rows - 1;
    fm_par v[4], d[4];
    fm_fish_spline_weights(at - (fm_par)row, v, d);
    for (int j = 0; j < joints; j++) {
        angle[j] = 0;
        slope[j] = 0;
        for (int i = 0; i < 4; i++) {
            fm_par a = fm_fish_entry(table, ((row + i - 1 + rows) % rows) * joints + j, lane);
            angle[j] += v[i] * a;
            slope[j] += d[i] * a * (fm_par)rows;
        }
    }
}

/* Plays the servo table back: periodic Catmull-Rom in phase; at a row's own phase it gives the row. */
FM_FN void fm_fish_play(const fm_var *table, int rows, int joints, fm_real cycles, fm_real *angle, fm_real *slope)
{
#if defined(FM_LANES) && !defined(__CUDACC__)
    for (int lane = 0; lane < FM_LANES; lane++) {
        fm_par a[FM_FISH_JOINTS_MOST], s[FM_FISH_JOINTS_MOST];
        fm_fish_play_one(table, lane, rows, joints, cycles[lane], a, s);
        for (int j = 0; j < joints; j++) {
            angle[j][lane] = a[j];
            slope[j][lane] = s[j];
        }
    }
#else
    fm_fish_play_one(table, 0, rows, joints, cycles, angle, slope);
#endif
}

/* How many joints the deflection bends: the front half of them, two of the paper's four, the only one of one. */
FM_FN int fm_fish_deflected(int joints)
{
    return (joints + 1) / 2;
}

/* (H3): the deflection bends the front joints alike (see the frames above for the sign). */
FM_FN void fm_fish_deflect(int joints, fm_real *angle, fm_real deflection)
{
    const fm_par share = (fm_par)1 / (fm_par)fm_fish_deflected(joints);
    for (int j = 0; j < fm_fish_deflected(joints); j++)
        angle[j] = angle[j] - fm_const(share) * deflection;
}

enum { FM_FISH_FIT_HALVINGS = 60 };
#ifdef FM_FLOAT
#define FM_FISH_FIT_ERROR 1e-5 /* of a link's length */
#else
#define FM_FISH_FIT_ERROR 1e-9
#endif

/* A point of the wave where a link ends, and the link's direction. */
typedef struct fm_fish_chord {
    fm_real x, y; /* aft of joint 1 and to port, m */
    fm_real psi;  /* rad */
} fm_fish_chord;

/* The next link of this length (m) as a chord of the wave, by bisection on its length; where it ends on the wave. */
FM_FN fm_mask fm_fish_fit_link(const fm_fish_params *p, fm_var length, fm_real cycles, fm_fish_chord *c)
{
    fm_real link = fm_real_wide(length), low = c->x, high = c->x + link;
    for (int i = 0; i < FM_FISH_FIT_HALVINGS; i++) {
        fm_real x = fm_const(0.5) * (low + high), along = x - c->x, across = fm_fish_wave(p, x, cycles) - c->y;
        fm_mask near = fm_sqrt(along * along + across * across) < link;
        low = fm_select(near, x, low);
        high = fm_select(near, high, x);
    }
    fm_real x = fm_const(0.5) * (low + high), y = fm_fish_wave(p, x, cycles), along = x - c->x, across = y - c->y;
    fm_real error = fm_abs(fm_sqrt(along * along + across * across) - link);
    c->psi = fm_atan2(across, along);
    c->x = x;
    c->y = y;
    return error <= fm_const(FM_FISH_FIT_ERROR) * link;
}

/* Joint angles (rad) at one phase by stepping along the wave with the links as chords; where every link reaches. */
FM_WHOLE fm_mask fm_fish_fit(const fm_fish_params *p, const fm_fish_tail *tail, fm_real cycles, fm_real *angle)
{
    fm_real zero = fm_const(0), before = zero;
    fm_fish_chord c = {zero, zero, zero};
    fm_mask sound = zero == zero;
    for (int j = 0; j < tail->joints; j++) {
        sound = sound & fm_fish_fit_link(p, tail->link[j], cycles, &c);
        angle[j] = c.psi - before;
        before = c.psi;
    }
    return sound;
}

/* Joint positions in the body frame, m: [0] joint 1 = origin … and after the last joint the tip: joints + 1 each. */
FM_FN void fm_fish_chain(const fm_fish_tail *tail, const fm_real *angle, fm_real *x, fm_real *y)
{
    fm_real psi = fm_const(0);
    x[0] = y[0] = fm_const(0);
    for (int j = 0; j < tail->joints; j++) {
        psi = psi + angle[j];
        x[j + 1] = x[j] - fm_real_wide(tail->link[j]) * fm_cos(psi);
        y[j + 1] = y[j] - fm_real_wide(tail->link[j]) * fm_sin(psi);
    }
}

#endif
