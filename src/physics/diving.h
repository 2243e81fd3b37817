/* The vertical-plane diving model of Healey's REMUS paper: linear heave and pitch at constant speed through the water,
 * large-angle kinematics, weight-buoyancy mismatch and current. docs/theory/remus.md (R1)-(R6).
 *
 *   [m-Zwd   -Zqd ] [wd]   [Zw  Zq+mU   0   ] [w    ]   [Zd]         [W-B]
 *   [-Mwd   Iy-Mqd] [qd] = [Mw  Mq    -zg W ] [q    ] + [Md] delta + [ 0 ]                                    (R1)
 *                                             [theta]
 *   thetad = q,  Xd = U cos theta + w sin theta + Ucx,  Zd = -U sin theta + w cos theta + Ucz               (R2)
 *
 * Frame: X along the run, Z down (depth), theta nose up; delta > 0 pitches the nose down. */
#ifndef FM_PHYSICS_DIVING_H
#define FM_PHYSICS_DIVING_H

#include "physics/real.h"

typedef struct fm_diving_params {
    fm_var mass;              /* kg */
    fm_var inertia;           /* kg m2, Iy */
    fm_var weight, buoyancy;  /* N */
    fm_var centre_of_gravity; /* m, below the centre of buoyancy (zg) */
    fm_var z_w, z_q;          /* kg/s, kg m/s: at table_speed */
    fm_var z_wdot, z_qdot;    /* kg, kg m */
    fm_var z_delta;           /* N/rad: at table_speed */
    fm_var m_w, m_q;          /* kg m/s, kg m2/s: at table_speed */
    fm_var m_wdot, m_qdot;    /* kg m, kg m2 */
    fm_var m_delta;           /* N m/rad: at table_speed */
    fm_var table_speed;       /* m/s, the speed at which the coefficients were taken */
    fm_var speed;             /* m/s, U through the water */
    int scaled;               /* 1: coefficients follow the speed (R3); 0: table values at every speed */
    int large_angle_statics;  /* 1: (W-B) cos theta and -zg W sin theta; 0: as printed, (W-B) and -zg W theta */
} fm_diving_params;

/* (R1) solved for the accelerations: wd = a0.(w,q,stiffness angle) + b0 delta + d0, and qd in the same form. */
typedef struct fm_diving_model {
    fm_var a[2][3]; /* rows wd, qd; columns w, q, theta */
    fm_var b[2];    /* per rad of delta */
    fm_var d[2];    /* m/s2, rad/s2 from W - B */
    fm_var speed;   /* m/s */
    int large_angle_statics;
} fm_diving_model;

typedef struct fm_diving_state {
    fm_real w;     /* m/s, heave through the water, down */
    fm_real q;     /* rad/s */
    fm_real theta; /* rad, nose up */
    fm_real x;     /* m */
    fm_real z;     /* m, depth */
} fm_diving_state;

/* External inputs during a step, held over it. */
typedef struct fm_diving_input {
    fm_real delta;     /* rad, stern plane, > 0 nose down */
    fm_real current_x; /* m/s, of the water over ground */
    fm_real current_z; /* m/s, down */
} fm_diving_input;

/* (R1) with the coefficients of the speed (R3): Zw, Zq, Mw, Mq ~ U; Zd, Md ~ U2. */
FM_FN fm_diving_model fm_diving_derive(const fm_diving_params *p)
{
    const fm_var one = p->scaled ? p->speed / p->table_speed : fm_var_const(1);
    const fm_var two = one * one;
    const fm_var m11 = p->mass - p->z_wdot, m12 = -p->z_qdot, m21 = -p->m_wdot, m22 = p->inertia - p->m_qdot;
    const fm_var determinant = m11 * m22 - m12 * m21;
    const fm_var i11 = m22 / determinant, i12 = -m12 / determinant;
    const fm_var i21 = -m21 / determinant, i22 = m11 / determinant;
    const fm_var force[3] = {one * p->z_w, one * p->z_q + p->mass * p->speed, fm_var_const(0)};
    const fm_var moment[3] = {one * p->m_w, one * p->m_q, -p->centre_of_gravity * p->weight};
    fm_diving_model m;
    for (int k = 0; k < 3; k++) {
        m.a[0][k] = i11 * force[k] + i12 * moment[k];
        m.a[1][k] = i21 * force[k] + i22 * moment[k];
    }
    m.b[0] = two * (i11 * p->z_delta + i12 * p->m_delta);
    m.b[1] = two * (i21 * p->z_delta + i22 * p->m_delta);
    m.d[0] = i11 * (p->weight - p->buoyancy);
    m.d[1] = i21 * (p->weight - p->buoyancy);
    m.speed = p->speed;
    m.large_angle_statics = p->large_angle_statics;
    return m;
}

/* (R1), (R2): the rate of every state, in its unit per second. */
FM_FN fm_diving_state fm_diving_rate(const fm_diving_model *m, const fm_diving_state *s, const fm_diving_input *in)
{
    const fm_real sine = fm_sin(s->theta), cosine = fm_cos(s->theta);
    fm_real stiffness = s->theta, lift = fm_const(1);
    if (m->large_angle_statics) {
        stiffness = sine;
        lift = cosine;
    }
    fm_diving_state r;
    r.w = m->a[0][0] * s->w + m->a[0][1] * s->q + m->a[0][2] * stiffness + m->b[0] * in->delta + m->d[0] * lift;
    r.q = m->a[1][0] * s->w + m->a[1][1] * s->q + m->a[1][2] * stiffness + m->b[1] * in->delta + m->d[1] * lift;
    r.theta = s->q;
    r.x = m->speed * cosine + s->w * sine + in->current_x;
    r.z = -m->speed * sine + s->w * cosine + in->current_z;
    return r;
}

FM_FN fm_diving_state fm_diving_add(const fm_diving_state *s, const fm_diving_state *rate, fm_par h)
{
    fm_diving_state r;
    r.w = s->w + h * rate->w;
    r.q = s->q + h * rate->q;
    r.theta = s->theta + h * rate->theta;
    r.x = s->x + h * rate->x;
    r.z = s->z + h * rate->z;
    return r;
}

/* One step of dt [s] by Heun's predictor-corrector, the input held. */
FM_FN void fm_diving_step_heun(const fm_diving_model *m, fm_diving_state *s, const fm_diving_input *in, fm_par dt)
{
    const fm_diving_state k1 = fm_diving_rate(m, s, in);
    const fm_diving_state predicted = fm_diving_add(s, &k1, dt);
    const fm_diving_state k2 = fm_diving_rate(m, &predicted, in);
    const fm_diving_state half = fm_diving_add(s, &k1, dt / 2);
    *s = fm_diving_add(&half, &k2, dt / 2);
}

/* One step of dt [s] by the classical Runge-Kutta method of fourth order, the input held. */
FM_FN void fm_diving_step_rk4(const fm_diving_model *m, fm_diving_state *s, const fm_diving_input *in, fm_par dt)
{
    const fm_diving_state k1 = fm_diving_rate(m, s, in);
    const fm_diving_state s2 = fm_diving_add(s, &k1, dt / 2);
    const fm_diving_state k2 = fm_diving_rate(m, &s2, in);
    const fm_diving_state s3 = fm_diving_add(s, &k2, dt / 2);
    const fm_diving_state k3 = fm_diving_rate(m, &s3, in);
    const fm_diving_state s4 = fm_diving_add(s, &k3, dt);
    const fm_diving_state k4 = fm_diving_rate(m, &s4, in);
    fm_diving_state sum = fm_diving_add(&k1, &k2, 2);
    sum = fm_diving_add(&sum, &k3, 2);
    sum = fm_diving_add(&sum, &k4, 1);
    *s = fm_diving_add(s, &sum, dt / 6);
}

#endif
