/* Autopilots for fin-steered, thruster-steered and hybrid vehicles: pure functions from set points and measurements to
 * fin orders and body forces. docs/theory/control.md (C11)-(C16).
 *
 * Orders are by effect, not by fin: elevator > 0 lifts the nose, rudder > 0 turns to starboard, aileron > 0 rolls to
 * starboard, all for ahead motion; fm_fin_mix gives every fin its angle. */
#ifndef FM_CONTROL_AUTOPILOT_H
#define FM_CONTROL_AUTOPILOT_H

#include "control/pid.h"
#include "physics/posture.h"

/* What to hold. */
typedef struct fm_autopilot_orders {
    fm_real depth;   /* m */
    fm_real heading; /* rad */
    fm_real speed;   /* m/s, ahead */
    fm_real sway;    /* m/s, to starboard (thrusters only) */
    fm_real pitch;   /* rad, nose up; fins add to it what the depth needs */
    fm_real roll;    /* rad */
} fm_autopilot_orders;

/* What is measured. */
typedef struct fm_autopilot_sensed {
    fm_real depth, depth_rate; /* m, m/s down */
    fm_real phi, theta, psi;   /* rad */
    fm_real p, q, r;           /* rad/s */
    fm_real u, v;              /* m/s through the water, ahead and to starboard */
} fm_autopilot_sensed;

/* Its own motion as it is. */
typedef struct fm_true_motion {
    fm_real euler[3];   /* rad: phi, theta, psi */
    fm_real water[3];   /* m/s through the water, body axes */
    fm_real rates[3];   /* rad/s, body axes */
    fm_real depth_rate; /* m/s, down */
} fm_true_motion;

/* R: body → world; velocity over ground (body: m/s, rad/s), of the water (m/s, NED). */
FM_FN fm_true_motion fm_true_motion_of(const fm_real R[9], const fm_real velocity[6], const fm_real water[3])
{
    fm_true_motion m;
    fm_real stream[3];
    fm_euler_from_matrix(R, m.euler);
    fm_vector_to_body(R, water, stream);
    for (int i = 0; i < 3; i++) {
        m.water[i] = velocity[i] - stream[i];
        m.rates[i] = velocity[3 + i];
    }
    m.depth_rate = R[6] * velocity[0] + R[7] * velocity[1] + R[8] * velocity[2];
    return m;
}

FM_FN fm_autopilot_sensed fm_autopilot_sense(fm_real depth, const fm_true_motion *m)
{
    fm_autopilot_sensed r;
    r.depth = depth, r.depth_rate = m->depth_rate;
    r.phi = m->euler[0], r.theta = m->euler[1], r.psi = m->euler[2];
    r.p = m->rates[0], r.q = m->rates[1], r.r = m->rates[2];
    r.u = m->water[0], r.v = m->water[1];
    return r;
}

/* The depth to order where an altitude is wanted (C11): altitude h [m] measured at `depth`. */
FM_FN fm_real fm_autopilot_depth_for_altitude(fm_real depth, fm_real h, fm_real wanted)
{
    return depth + h - wanted;
}

/* ---- fins ---------------------------------------------------------------------------------------------------------
 */

typedef struct fm_fin_pilot_params {
    fm_pid_params depth;   /* m -> rad: dive angle, > 0 downwards; its limits are those of the pitch */
    fm_pid_params pitch;   /* rad -> rad of elevator */
    fm_pid_params heading; /* rad -> rad of rudder */
    fm_pid_params roll;    /* rad -> rad of aileron */
    fm_pid_params speed;   /* m/s -> N, about the feed-forward */
    fm_var drag_feed;      /* kg/m, the drag that is fed forward: drag_feed u|u| N */
    fm_var design_speed;   /* m/s, at which the fin gains hold */
    fm_var least_speed;    /* m/s, > 0, below it the gains rise no further */
} fm_fin_pilot_params;

typedef struct fm_fin_pilot_state {
    fm_pid_state depth, pitch, heading, roll, speed;
} fm_fin_pilot_state;

typedef struct fm_fin_orders {
    fm_real elevator, rudder, aileron; /* rad, by effect */
    fm_real thrust;                    /* N, ahead */
    fm_real pitch;                     /* rad, the pitch that the depth loop asks for */
} fm_fin_orders;

/* (C12) Fin forces go with u|u|: gains go with its inverse, and astern the fins work the other way. */
FM_FN fm_real fm_fin_schedule(const fm_fin_pilot_params *p, fm_real u)
{
    const fm_real ratio = p->design_speed / fm_max(fm_abs(u), fm_real_wide(p->least_speed));
    return fm_select(u < fm_const(0), -ratio * ratio, ratio * ratio);
}

/* [N] the drag that is fed forward at a speed [m/s] (C13) */
FM_FN fm_real fm_pilot_drag(fm_var drag_feed, fm_real speed)
{
    return drag_feed * fm_abs(speed) * speed;
}

/* (C13) One control step of dt [s]. `share` (0..1) is the part that the fins have in a hybrid vehicle, else 1. */
FM_FN fm_fin_orders fm_fin_pilot_step(const fm_fin_pilot_params *p, fm_fin_pilot_state *s, const fm_autopilot_orders *o,
                                      const fm_autopilot_sensed *m, fm_real share, fm_par dt)
{
    fm_pid_drive outer = fm_pid_plain(), fins = fm_pid_plain(), shaft = fm_pid_plain();
    outer.share = share;
    fins.share = share;
    fins.scale = fm_fin_schedule(p, m->u);
    shaft.feed = fm_pilot_drag(p->drag_feed, o->speed);
    shaft.share = share;
    /* Astern, a nose that points down climbs. */
    const fm_real way = fm_select(m->u < fm_const(0), fm_const(-1), fm_const(1));
    fm_fin_orders r;
    const fm_real dive = fm_pid_step_rate(&p->depth, &s->depth, o->depth, m->depth, m->depth_rate, &outer, dt);
    r.pitch = share * (o->pitch - way * dive);
    r.elevator = share * fm_pid_step_rate(&p->pitch, &s->pitch, r.pitch, m->theta, m->q, &fins, dt);
    r.rudder = share * fm_pid_step_rate(&p->heading, &s->heading, o->heading, m->psi, m->r, &fins, dt);
    r.aileron = share * fm_pid_step_rate(&p->roll, &s->roll, o->roll, m->phi, m->p, &fins, dt);
    r.thrust = share * fm_pid_step(&p->speed, &s->speed, o->speed, m->u, &shaft, dt);
    return r;
}

/* One fin's part in each order (C14): a stern plane whose positive angle presses the nose down has pitch = -1; an
 * X-tail fin has all three. */
typedef struct fm_fin_mix_params {
    fm_var pitch, yaw, roll; /* rad of the fin per rad of elevator, rudder, aileron */
    fm_var limit;            /* rad */
} fm_fin_mix_params;

/* (C14) [rad] angle of one fin */
FM_FN fm_real fm_fin_mix(const fm_fin_mix_params *p, const fm_fin_orders *o)
{
    const fm_real angle = p->pitch * o->elevator + p->yaw * o->rudder + p->roll * o->aileron;
    return fm_clamp(angle, fm_real_wide(-p->limit), fm_real_wide(p->limit));
}

/* ---- thrusters ----------------------------------------------------------------------------------------------------
 */

typedef struct fm_thruster_pilot_params {
    fm_pid_params surge, sway;          /* m/s -> N */
    fm_pid_params depth;                /* m -> N, down */
    fm_pid_params roll, pitch, heading; /* rad -> N m */
} fm_thruster_pilot_params;

typedef struct fm_thruster_pilot_state {
    fm_pid_state surge, sway, depth, roll, pitch, heading;
} fm_thruster_pilot_state;

/* (C15) The body wrench [N, N m] X, Y, Z, K, M, N for the allocation (control/allocation.h). The vertical force is
 * along the body's z axis; |pitch|, |roll| well below 90 deg. `share` as above. */
FM_FN void fm_thruster_pilot_step(const fm_thruster_pilot_params *p, fm_thruster_pilot_state *s,
                                  const fm_autopilot_orders *o, const fm_autopilot_sensed *m, fm_real share, fm_par dt,
                                  fm_real wrench[6])
{
    fm_pid_drive d = fm_pid_plain();
    d.share = share;
    wrench[0] = share * fm_pid_step(&p->surge, &s->surge, o->speed, m->u, &d, dt);
    wrench[1] = share * fm_pid_step(&p->sway, &s->sway, o->sway, m->v, &d, dt);
    wrench[2] = share * fm_pid_step_rate(&p->depth, &s->depth, o->depth, m->depth, m->depth_rate, &d, dt);
    wrench[3] = share * fm_pid_step_rate(&p->roll, &s->roll, o->roll, m->phi, m->p, &d, dt);
    wrench[4] = share * fm_pid_step_rate(&p->pitch, &s->pitch, o->pitch, m->theta, m->q, &d, dt);
    wrench[5] = share * fm_pid_step_rate(&p->heading, &s->heading, o->heading, m->psi, m->r, &d, dt);
}

/* ---- hybrid -------------------------------------------------------------------------------------------------------
 */

/* (C16) The part of the fins at speed u: 0 below `low`, 1 above `high` [m/s], smooth between; low < high. */
FM_FN fm_real fm_hybrid_share(fm_var low, fm_var high, fm_real u)
{
    const fm_real x = fm_clamp((fm_abs(u) - fm_real_wide(low)) / (high - low), fm_const(0), fm_const(1));
    return x * x * (fm_const(3) - fm_const(2) * x);
}

typedef struct fm_hybrid_pilot_params {
    fm_fin_pilot_params fins;
    fm_thruster_pilot_params thrusters;
    fm_var low, high; /* m/s, between them thrusters hand over to fins */
} fm_hybrid_pilot_params;

typedef struct fm_hybrid_pilot_state {
    fm_fin_pilot_state fins;
    fm_thruster_pilot_state thrusters;
} fm_hybrid_pilot_state;

/* Fins and tunnel thrusters together. While the fins steer the depth by pitching, the thrusters' pitch order follows
 * theirs. */
FM_FN fm_fin_orders fm_hybrid_pilot_step(const fm_hybrid_pilot_params *p, fm_hybrid_pilot_state *s,
                                         const fm_autopilot_orders *o, const fm_autopilot_sensed *m, fm_par dt,
                                         fm_real wrench[6])
{
    const fm_real share = fm_hybrid_share(p->low, p->high, m->u);
    const fm_fin_orders fins = fm_fin_pilot_step(&p->fins, &s->fins, o, m, share, dt);
    fm_autopilot_orders level = *o;
    level.pitch = (fm_const(1) - share) * o->pitch + fins.pitch;
    fm_thruster_pilot_step(&p->thrusters, &s->thrusters, &level, m, fm_const(1) - share, dt, wrench);
    return fins;
}

/* ---- all of them ---------------------------------------------------------------------------------------------------
 */

enum { FM_STEER_FINS, FM_STEER_THRUSTERS, FM_STEER_HYBRID };

/* (C13), (C15), (C16): fin orders, and the wrench for the thrusters. */
FM_FN fm_fin_orders fm_autopilot_steer(int steering, const fm_hybrid_pilot_params *p, fm_hybrid_pilot_state *s,
                                       const fm_autopilot_orders *o, const fm_autopilot_sensed *m, fm_par dt,
                                       fm_real wrench[6])
{
    const fm_real zero = fm_const(0);
    fm_fin_orders fins;
    fins.elevator = fins.rudder = fins.aileron = fins.thrust = fins.pitch = zero;
    for (int i = 0; i < 6; i++)
        wrench[i] = zero;
    if (steering == FM_STEER_FINS) {
        fins = fm_fin_pilot_step(&p->fins, &s->fins, o, m, fm_const(1), dt);
    } else if (steering == FM_STEER_THRUSTERS) {
        fm_thruster_pilot_step(&p->thrusters, &s->thrusters, o, m, fm_const(1), dt, wrench);
        wrench[0] += fm_pilot_drag(p->fins.drag_feed, o->speed);
    } else {
        fins = fm_hybrid_pilot_step(p, s, o, m, dt, wrench);
    }
    wrench[0] += fins.thrust;
    return fins;
}

/* `size` with the sign of `as`, that of a zero too. */
FM_FN fm_real fm_real_signed(fm_real size, fm_real as)
{
#if defined(__CUDACC__)
    return copysign(size, as);
#elif defined(FM_LANES)
    const fm_mask sign = (fm_mask)fm_const(-0.0);
    return (fm_real)(((fm_mask)size & ~sign) | ((fm_mask)as & sign));
#else
    return FM_BUILTIN(copysign)(size, as);
#endif
}

/* The order that gives a thrust of `force` N; gains in N per unit or, where `square`, per unit². */
FM_FN fm_real fm_thruster_order(int square, fm_real gain, fm_real gain_reverse, fm_real force)
{
    const fm_real used = fm_select(force < fm_const(0), gain_reverse, gain);
    const fm_mask works = used > fm_const(0);
    const fm_real safe = fm_select(works, used, fm_const(1));
    const fm_real order = square ? fm_real_signed(fm_sqrt(fm_abs(force) / safe), force) : force / safe;
    return fm_select(works, order, fm_const(0));
}

#endif
