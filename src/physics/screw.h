/* Propellers in the water that flows to them: thrust and torque over advance, in four quadrants.
 *
 *     J = V_a/(n D),  T = ρ n² D⁴ K_T(J) (1 − t),  Q = ρ n² D⁵ K_Q(J)                                    (P1), (P2)
 *
 * Ahead, K_T and K_Q are polynomials of the advance or rows of a table. Where the water drives the propeller (J beyond
 * the last known advance) the force goes with the square of the inflow; against the inflow (J < 0) the curve goes on
 * with its slope at rest and the same square. Turning backwards mirrors all of it, with a part of the thrust.
 * A thruster that is known by its bollard pull alone loses thrust in proportion to the advance, one in a tunnel by the
 * speed of the water past its ends (P3). */
#ifndef FM_PHYSICS_SCREW_H
#define FM_PHYSICS_SCREW_H

#include "physics/real.h"

enum { FM_SCREW_POWERS = 7 };                                                  /* of the advance */
enum { FM_SCREW_TUNNEL = -2, FM_SCREW_BOLLARD = -1, FM_SCREW_POLYNOMIAL = 0 }; /* rows of a screw without a table */

typedef struct fm_screw {
    int32_t actuator; /* of the vehicle */
    int32_t input;    /* of its two numbers in the input: shaft speed (rev/s) and 1 − efficiency; of a thruster by
                         its bollard pull: that pull (N) and its shaft speed (rad/s) */
    int32_t rows;     /* of its open-water table; or FM_SCREW_… */
    int32_t at;       /* where the table begins: advances, then K_T, then K_Q */
    fm_var position[3], direction[3];
    fm_var moment[3];    /* of 1 N */
    fm_var diameter;     /* m */
    fm_var thrust_scale; /* ρ D⁴ (1 − t), kg m */
    fm_var torque_scale; /* ρ D⁵, kg m² */
    fm_var reaction;     /* of the hull to the torque, about `direction`: −1 right-handed, 1 left-handed, 0 none */
    fm_var through;      /* 1 − w: inflow over speed through the water */
    fm_var undeducted;   /* 1/(1 − t) */
    fm_var reverse;      /* part of the thrust that is left backwards */
    fm_var last;         /* the greatest advance of the curve; by bollard pull: that of no thrust; of a
                            tunnel: the speed that halves its thrust, m/s */
    fm_var slip;         /* 8/(π ρ D²), m/kg: of the slipstream */
    fm_var inertia;      /* kg m²: of shaft and entrained water; 0: the shaft follows its order at once */
    fm_var tau;          /* s: with which the motor answers */
    fm_var most_torque;  /* N m of the motor */
    fm_var most_power;   /* W of the motor */
    fm_var kt[FM_SCREW_POWERS], kq[FM_SCREW_POWERS];
} fm_screw;

/* What a propeller does at one moment. */
typedef struct fm_screw_force {
    fm_real thrust; /* N along its direction, on the vehicle */
    fm_real torque; /* N m that it takes from its shaft, positive against ahead rotation */
} fm_screw_force;

/* --- the curve --- */

FM_FN fm_real fm_screw_power_sum(const fm_var k[FM_SCREW_POWERS], fm_real advance)
{
    fm_real sum = fm_real_wide(k[FM_SCREW_POWERS - 1]);
    for (int i = FM_SCREW_POWERS - 2; i >= 0; i--)
        sum = sum * advance + k[i];
    return sum;
}

/* Linear between rows; before the first and after the last as between the next two. */
FM_FN fm_real fm_screw_rows_at(const fm_par *advances, const fm_par *values, int32_t rows, fm_real advance)
{
    fm_real value = fm_const(values[0]);
    for (int32_t i = 0; i + 1 < rows; i++) {
        fm_par slope = (values[i + 1] - values[i]) / (advances[i + 1] - advances[i]);
        fm_real here = fm_const(values[i]) + fm_const(slope) * (advance - fm_const(advances[i]));
        value = i == 0 ? here : fm_select(advance >= fm_const(advances[i]), here, value);
    }
    return value;
}

/* K_T or K_Q at an advance within 0 … last. */
FM_FN fm_real fm_screw_coefficient(const fm_screw *s, const fm_par *tables, int torque, fm_real advance)
{
    if (s->rows > 0)
        return fm_screw_rows_at(tables + s->at, tables + s->at + (1 + torque) * s->rows, s->rows, advance);
    return fm_screw_power_sum(torque ? s->kq : s->kt, advance);
}

/* K n² over all of n ≥ 0 and of the inflow a = V_a/D, 1/s²; `part` of what it pushes is left. */
FM_FN fm_real fm_screw_quadrant(const fm_screw *s, const fm_par *tables, int torque, fm_real part, fm_real n, fm_real a)
{
    fm_real zero = fm_const(0), last = fm_real_wide(s->last), step = fm_const(1e-6);
    fm_real advance = fm_clamp(a / fm_max(n, fm_const(1e-12)), zero, last);
    fm_real square = fm_screw_coefficient(s, tables, torque, last) / (last * last);
    fm_real rest = fm_screw_coefficient(s, tables, torque, zero);
    fm_real slope = (fm_screw_coefficient(s, tables, torque, step) - rest) / step;
    fm_real curve = n * n * fm_screw_coefficient(s, tables, torque, advance);
    curve = fm_select(curve > zero, part * curve, curve);
    fm_real driven = a * a * square, against = part * n * n * rest + n * a * slope - a * a * square;
    return fm_select(a < zero, against, fm_select(a > last * n, driven, curve));
}

/* (P4) What of the thrust is left near the surface: `immersion` is the depth of the shaft over the radius. Minsaas for
 * a disc under water, linear to nothing for one that is half out of it. */
FM_FN fm_real fm_screw_wet(fm_real immersion)
{
    fm_real one = fm_const(1), zero = fm_const(0), h = fm_clamp(immersion, zero - one, fm_const(1.3));
    if (!fm_any(immersion < fm_const(1.3)))
        return one;
    fm_real base = fm_max(one - fm_const(0.769) * h, fm_const(1e-9));
    fm_real under = fm_min(one - fm_const(0.675) * fm_pow(base, fm_const(1.258)), one);
    return fm_select(h < zero, fm_const(0.325) * (one + h), under);
}

/* --- force --- */

/* Thrust and torque at its two numbers of the input, with the water flowing to it (past it, a tunnel) at `inflow`
 * (m/s), `wet` as above. */
FM_FN fm_screw_force fm_screw_at(const fm_screw *s, const fm_par *tables, fm_real first, fm_real second, fm_real inflow,
                                 fm_real wet)
{
    fm_real zero = fm_const(0);
    fm_screw_force out;
    if (s->rows == FM_SCREW_TUNNEL) { /* (P3) */
        fm_real half = fm_real_wide(s->last) * s->last;
        out.thrust = wet * first * half / (half + inflow * inflow);
        out.torque = zero;
        return out;
    }
    if (s->rows == FM_SCREW_BOLLARD) { /* (P3) */
        fm_mask rests = fm_abs(second) < fm_const(1e-9);
        fm_real pitch = s->diameter * s->last * fm_select(rests, fm_const(1), second) * fm_const(1 / (2 * FM_PI));
        out.thrust = wet * first * (fm_const(1) - fm_select(rests, zero, inflow / pitch));
        out.torque = zero;
        return out;
    }
    fm_mask astern = first < zero;
    fm_real n = fm_abs(first), a = fm_select(astern, zero - inflow, inflow) / s->diameter;
    fm_real part = fm_select(astern, fm_real_wide(s->reverse), fm_const(1));
    fm_real push = fm_screw_quadrant(s, tables, 0, part, n, a), load = fm_screw_quadrant(s, tables, 1, part, n, a);
    fm_real thrust = (fm_const(1) - second) * wet * s->thrust_scale * push, torque = wet * s->torque_scale * load;
    out.thrust = fm_select(astern, zero - thrust, thrust);
    out.torque = fm_select(astern, zero - torque, torque);
    return out;
}

/* (P5) How much faster the water leaves than it arrives, m/s. */
FM_FN fm_real fm_screw_slipstream(const fm_screw *s, fm_real thrust, fm_real inflow)
{
    fm_real zero = fm_const(0), ahead = fm_max(inflow, zero), push = fm_max(thrust * s->undeducted, zero);
    return fm_sqrt(ahead * ahead + s->slip * push) - ahead;
}

/* (P6) Shaft speed (rad/s) after dt: the motor holds the load and answers its order within tau, as far as its torque
 * and power reach. `load` is the propeller's torque, N m. */
FM_FN fm_real fm_screw_turn(const fm_screw *s, fm_real speed, fm_real order, fm_real load, fm_par dt)
{
    fm_real zero = fm_const(0), turning = fm_max(fm_abs(speed), fm_const(1e-3));
    fm_real most = fm_min(fm_real_wide(s->most_torque), s->most_power / turning);
    fm_real answer = (order - speed) * (fm_const(1) - fm_exp(fm_real_wide(-dt / s->tau))) / fm_const(dt);
    fm_real motor = fm_clamp(load + s->inertia * answer, zero - most, most);
    fm_mask free = fm_abs(load + s->inertia * answer) <= most;
    fm_real stiff = fm_select(free, zero, fm_const(2 * dt) * fm_abs(load) / turning); /* the load's own slope */
    return speed + fm_const(dt) * (motor - load) / (s->inertia + stiff);
}

#endif
