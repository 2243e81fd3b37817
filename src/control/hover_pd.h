/* The law of <hover-pd>: controls roll, pitch, yaw, depth and forward speed with proportional and derivative action,
 * allocated to thrusters by the rows of a pseudo-inverse (control/allocation.h). */
#ifndef FM_CONTROL_HOVER_PD_H
#define FM_CONTROL_HOVER_PD_H

#include "control/reflex.h"

/* A vehicle's measurement of its own motion. */
typedef struct fm_motion_record {
    fm_real depth;    /* m */
    fm_real euler[3]; /* rad: roll, pitch, yaw */
    fm_real rates[3]; /* rad/s */
    fm_real forward;  /* m/s over ground */
} fm_motion_record;

typedef struct fm_hover_gains {
    fm_var roll_kp, roll_kd, pitch_kp, pitch_kd, yaw_kp, yaw_kd; /* N·m, N·m·s */
    fm_var depth_kp, depth_kd;                                   /* N/m, kg/s */
    fm_var speed_kp, speed_kd, feed_forward;                     /* kg/s, kg, kg/m */
} fm_hover_gains;

/* What is followed. */
typedef struct fm_hover_want {
    fm_real depth, bearing, pitch, roll; /* m, rad */
    fm_real speed;                       /* m/s */
} fm_hover_want;

typedef struct fm_hover_motor {
    int32_t actuator, square, forward, spare; /* forward: one of those that a reflex puts full astern */
    fm_var low, high, gain, gain_reverse;     /* of the actuator */
    fm_var share[6];                          /* N per N and N·m of wrench */
} fm_hover_motor;

/* The wanted wrench [N, N·m, body axes]; last_depth, last_speed: of the record before, dt [s] earlier. */
FM_FN void fm_hover_wrench(const fm_hover_gains *g, const fm_motion_record *now, fm_real last_depth, fm_real last_speed,
                           const fm_hover_want *want, fm_par dt, fm_real wrench[6])
{
    fm_real sinking = (now->depth - last_depth) / dt, gaining = (now->forward - last_speed) / dt;
    wrench[0] = g->speed_kp * (want->speed - now->forward) + g->feed_forward * want->speed * fm_abs(want->speed) -
                g->speed_kd * gaining;
    wrench[1] = fm_const(0);
    wrench[2] = g->depth_kp * (want->depth - now->depth) - g->depth_kd * sinking;
    wrench[3] = g->roll_kp * (want->roll - now->euler[0]) - g->roll_kd * now->rates[0];
    wrench[4] = g->pitch_kp * (want->pitch - now->euler[1]) - g->pitch_kd * now->rates[1];
    wrench[5] = g->yaw_kp * fm_reflex_wrap(want->bearing - now->euler[2]) - g->yaw_kd * now->rates[2];
}

/* The order of a motor for a wrench; `reverse` above a half: full astern where it is one of the forward ones. */
FM_FN fm_real fm_hover_order(const fm_hover_motor *m, const fm_real wrench[6], fm_real reverse)
{
    fm_real force = fm_const(0);
    for (int k = 0; k < 6; k++)
        force += m->share[k] * wrench[k];
    fm_real order = force;
    if (m->square)
        order = fm_select(force < fm_const(0), -fm_sqrt(-force / m->gain_reverse), fm_sqrt(force / m->gain));
    order = fm_clamp(order, fm_real_wide(m->low), fm_real_wide(m->high));
    return m->forward ? fm_select(reverse > fm_const(0.5), fm_real_wide(m->low), order) : order;
}

#endif
