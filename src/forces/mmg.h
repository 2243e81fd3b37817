/* The standard MMG model of a ship's manoeuvring (H. Yasukawa and Y. Yoshimura, "Introduction of MMG standard method
 * for ship maneuvering predictions", J. Mar. Sci. Technol. 20, 2015): hull, propeller, and a rudder in its slipstream.
 *
 * Forces in the horizontal plane at midships, axes forward and starboard; u, v, r through the water at midships,
 * U = √(u² + v²), β = atan2(−v, u), v′ = v/U, r′ = r L/U. Near rest r′ is held within ±2, the reach of the derivatives.
 */
#ifndef FM_FORCES_MMG_H
#define FM_FORCES_MMG_H

#include "physics/real.h"

typedef struct fm_mmg_hull {
    fm_var length, draught;          /* m */
    fm_var resistance;               /* R0′ */
    fm_var x_vv, x_vr, x_rr, x_vvvv; /* of X′ */
    fm_var y_v, y_r, y_vvv, y_vvr, y_vrr, y_rrr;
    fm_var n_v, n_r, n_vvv, n_vvr, n_vrr, n_rrr;
} fm_mmg_hull;

typedef struct fm_mmg_propeller {
    fm_var diameter;              /* m */
    fm_var deduction, wake;       /* t_P; w_P0, in straight motion */
    fm_var k0, k1, k2;            /* K_T = k0 + k1 J + k2 J² */
    fm_var position;              /* x_P′ = x_P/L */
    fm_var c1, c2_plus, c2_minus; /* of the wake in a turn, for β_P > 0 and < 0 */
} fm_mmg_propeller;

typedef struct fm_mmg_rudder {
    fm_var area, lift_slope;              /* m²; f_α */
    fm_var deduction;                     /* t_R */
    fm_var increase, increase_position;   /* a_H, x_H′: force that the rudder makes on the hull, and where */
    fm_var position;                      /* x_R′ */
    fm_var wake_ratio, slip_gain;         /* ε, κ */
    fm_var covered;                       /* η: part of its height in the slipstream */
    fm_var flow_position;                 /* l_R′ */
    fm_var straight_plus, straight_minus; /* γ_R for β_R > 0 and < 0 */
} fm_mmg_rudder;

/* Motion of midships through the water. */
typedef struct fm_mmg_motion {
    fm_real u, v, r;      /* m/s, rad/s */
    fm_real speed, drift; /* U, β */
    fm_real side, turn;   /* v′, r′ */
} fm_mmg_motion;

FM_FN fm_mmg_motion fm_mmg_motion_of(fm_real u, fm_real v, fm_real r, fm_real length)
{
    fm_mmg_motion m;
    fm_real zero = fm_const(0);
    m.u = u;
    m.v = v;
    m.r = r;
    m.speed = fm_sqrt(u * u + v * v);
    fm_real least = fm_max(m.speed, fm_const(1e-6));
    m.drift = fm_atan2(zero - v, u);
    m.side = v / least;
    m.turn = fm_clamp(r * length / least, fm_const(-2), fm_const(2));
    return m;
}

/* (V2) Hull: surge, sway (N) and yaw (N·m). Adds to f[3]. */
FM_FN void fm_mmg_add_hull(const fm_mmg_hull *h, fm_real density, const fm_mmg_motion *m, fm_real f[3])
{
    fm_real v = m->side, r = m->turn, vv = v * v, vr = v * r, rr = r * r;
    fm_real q = fm_const(0.5) * density * h->length * h->draught * m->speed * m->speed;
    f[0] += q * (h->x_vv * vv + h->x_vr * vr + h->x_rr * rr + h->x_vvvv * vv * vv) -
            q * h->resistance * m->u / fm_max(m->speed, fm_const(1e-6));
    f[1] +=
        q * (h->y_v * v + h->y_r * r + h->y_vvv * vv * v + h->y_vvr * vv * r + h->y_vrr * v * rr + h->y_rrr * rr * r);
    f[2] += q * h->length *
            (h->n_v * v + h->n_r * r + h->n_vvv * vv * v + h->n_vvr * vv * r + h->n_vrr * v * rr + h->n_rrr * rr * r);
}

/* (V3) Speed of the water through the propeller, m/s: the wake narrows in a turn. */
FM_FN fm_real fm_mmg_inflow(const fm_mmg_propeller *p, const fm_mmg_motion *m)
{
    fm_real one = fm_const(1), drift = m->drift - p->position * m->turn;
    fm_real c2 = fm_select(drift > fm_const(0), fm_real_wide(p->c2_plus), fm_real_wide(p->c2_minus));
    fm_real change = one + (one - fm_exp(fm_const(0) - p->c1 * fm_abs(drift))) * (c2 - one);
    return m->u * fm_min((one - p->wake) * change, one);
}

/* (V4) Thrust of the propeller, N, at n revolutions per second; astern only what it gives at rest. */
FM_FN fm_real fm_mmg_thrust(const fm_mmg_propeller *p, fm_real density, fm_real n, fm_real inflow)
{
    fm_real d = fm_real_wide(p->diameter), a = inflow / d;
    fm_real ahead = p->k0 * n * n + p->k1 * n * a + p->k2 * a * a, astern = fm_const(0) - p->k0 * n * n;
    return density * d * d * d * d * fm_select(n < fm_const(0), astern, ahead);
}

/* (V5) Rudder at angle δ (rad) behind a propeller with this thrust and inflow. Adds to f[3]. */
FM_FN void fm_mmg_add_rudder(const fm_mmg_rudder *k, const fm_mmg_hull *h, const fm_mmg_propeller *p, fm_real density,
                             const fm_mmg_motion *m, fm_real thrust, fm_real inflow, fm_real angle, fm_real f[3])
{
    fm_real one = fm_const(1), zero = fm_const(0), drift = m->drift - k->flow_position * m->turn;
    fm_real gain = fm_select(drift > zero, fm_real_wide(k->straight_plus), fm_real_wide(k->straight_minus));
    fm_real race = fm_const(8 / FM_PI) * fm_max(thrust, zero) / (density * p->diameter * p->diameter);
    fm_real ahead = fm_max(inflow, zero);
    fm_real slip = ahead + k->slip_gain * (fm_sqrt(ahead * ahead + race) - ahead);
    fm_real along = k->wake_ratio * fm_sqrt(k->covered * slip * slip + (one - k->covered) * ahead * ahead);
    fm_real across = m->speed * gain * drift, attack = angle - fm_atan2(across, fm_max(along, fm_const(1e-9)));
    fm_real normal =
        fm_const(0.5) * density * k->area * (along * along + across * across) * k->lift_slope * fm_sin(attack);
    f[0] -= (one - k->deduction) * normal * fm_sin(angle);
    f[1] -= (one + k->increase) * normal * fm_cos(angle);
    f[2] -= (k->position + k->increase * k->increase_position) * h->length * normal * fm_cos(angle);
}

#endif
