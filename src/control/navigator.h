/* Navigation from instruments: attitude, velocity, position by dead reckoning or fixes, altitude. One source for
 * <navigation> in a world (control/navigation_part.c) and in a batch (control/sensor_suite.h). docs/theory/control.md
 * (C25)-(C27) */
#ifndef FM_CONTROL_NAVIGATOR_H
#define FM_CONTROL_NAVIGATOR_H

#include <math.h>

#include "control/autopilot.h"
#include "physics/posture.h"

enum {
    FM_NAVIGATES_ATTITUDE,
    FM_NAVIGATES_HEADING,
    FM_NAVIGATES_DEPTH,
    FM_NAVIGATES_VELOCITY,
    FM_NAVIGATES_POSITION,
    FM_NAVIGATES_ALTITUDE,
    FM_NAVIGATES_RANGES,
    FM_NAVIGATES_QUANTITIES
};
enum { FM_NAVIGATION_SOURCES = 4 }; /* of a quantity, at most */

/* How an instrument provides a quantity. */
enum {
    FM_TELLS_ORIENTATION, /* attitude, heading: [4] w x y z; with rates [3] */
    FM_TELLS_EULER,       /* the same: [3] rad */
    FM_TELLS_HEADING,     /* rad, of its forward axis */
    FM_TELLS_VELOCITY,    /* [3] m/s, in its axes; with: 1 over ground, 2 through the water */
    FM_TELLS_SPEED,       /* m/s over ground along its forward axis */
    FM_TELLS_WATER_SPEED, /* the same through the water */
    FM_TELLS_POSITION,    /* [2] m: north, east */
    FM_TELLS_DEPTH,       /* m */
    FM_TELLS_ALTITUDE,    /* m */
    FM_TELLS_RANGE        /* m along its forward axis, which looks down */
};

/* What is believed. */
typedef struct fm_estimate {
    fm_real position[3]; /* m, NED */
    fm_real euler[3];    /* rad: phi, theta, psi */
    fm_real velocity[3]; /* m/s over ground, body axes */
    fm_real water[3];    /* m/s through the water, body axes */
    fm_real rates[3];    /* rad/s, body axes */
    fm_real depth_rate;  /* m/s, down */
    fm_real altitude;    /* m above the bottom; infinite: not known */
} fm_estimate;
enum { FM_ESTIMATE_NUMBERS = 17 };

/* One instrument's value of a quantity. */
typedef struct fm_told {
    int quantity, given;                  /* FM_NAVIGATES_…, FM_TELLS_… */
    int accompanied;                      /* `with` says something */
    fm_mask taken;                        /* whether it is the source in use */
    fm_real value[4], with[3];            /* in its axes */
    const fm_var *at, *turned, *attitude; /* its mounting: m, rotation [9] and quaternion [4] into body axes */
} fm_told;

/* Values of all instruments, and which quantities are measured at all. */
typedef struct fm_hearing {
    const fm_told *told;
    int count;
    int measured[FM_NAVIGATES_QUANTITIES];
} fm_hearing;

/* What a filter has found; zero without one. */
typedef struct fm_found {
    fm_real heading_bias;     /* rad */
    fm_real velocity_bias[2]; /* m/s: ahead, starboard */
    fm_real current[3];       /* m/s, NED: current assumed by the navigator */
} fm_found;

FM_FN void fm_told_widen(const fm_var *from, int count, fm_real *to)
{
    for (int i = 0; i < count; i++)
        to[i] = fm_real_wide(from[i]);
}

/* Nowhere. */
FM_FN fm_mask fm_mask_none(void)
{
    return fm_const(0) > fm_const(0);
}

/* --- readings in body axes --- */

/* Attitude of the vehicle from that of an instrument: q_body = q_instrument conj(q_mount). */
FM_FN void fm_told_attitude(const fm_told *t, fm_real euler[3])
{
    fm_real m[4], back[4], q[4], body[4], R[9];
    fm_told_widen(t->attitude, 4, m);
    back[0] = m[0], back[1] = -m[1], back[2] = -m[2], back[3] = -m[3];
    if (t->given == FM_TELLS_EULER)
        fm_quat_from_euler(t->value, q);
    else
        for (int i = 0; i < 4; i++)
            q[i] = t->value[i];
    fm_quat_mul(q, back, body);
    fm_quat_matrix(body, R);
    fm_euler_from_matrix(R, euler);
}

/* A compass measures the heading of its own axis; the offset of that axis from the bow depends on roll and pitch
 * too. */
FM_FN fm_real fm_told_heading(const fm_told *t, fm_real phi, fm_real theta)
{
    fm_real euler[3] = {phi, theta, fm_const(0)}, R[9], axis[3], forward[3];
    if (t->given == FM_TELLS_HEADING) {
        for (int i = 0; i < 3; i++)
            forward[i] = fm_real_wide(t->turned[3 * i]);
        fm_euler_matrix(euler, R);
        fm_vector_to_world(R, forward, axis);
        return t->value[0] - fm_atan2(axis[1], axis[0]);
    }
    fm_told_attitude(t, euler);
    return euler[2];
}

/* Velocity of the body origin, body axes: the instrument's minus the effect of rotation and its lever arm. Returns
 * whether it is over ground; otherwise it is through the water. */
FM_FN fm_mask fm_told_velocity(const fm_told *t, const fm_real w[3], fm_real v[3])
{
    fm_real turned[9], r[3];
    fm_told_widen(t->turned, 9, turned);
    fm_told_widen(t->at, 3, r);
    fm_vector_to_world(turned, t->value, v);
    v[0] -= w[1] * r[2] - w[2] * r[1];
    v[1] -= w[2] * r[0] - w[0] * r[2];
    v[2] -= w[0] * r[1] - w[1] * r[0];
    if (t->accompanied)
        return t->with[0] < fm_const(1.5);
    return t->given == FM_TELLS_WATER_SPEED ? fm_mask_none() : fm_const(0) == fm_const(0);
}

/* The lever of an instrument, m, NED. */
FM_FN void fm_told_lever(const fm_told *t, const fm_real R[9], fm_real out[3])
{
    fm_real at[3];
    fm_told_widen(t->at, 3, at);
    fm_vector_to_world(R, at, out);
}

/* --- the estimate --- */

/* Roll, pitch and rates of turn; returns where they are measured. */
FM_FN fm_mask fm_navigator_tilt(const fm_hearing *h, const fm_estimate *truth, fm_estimate *n)
{
    fm_mask turned = fm_mask_none();
    fm_real own[3], rates[3], R[9], zero = fm_const(0);
    for (int i = 0; i < 3; i++) { /* without gyroscopes the rates are unknown */
        n->euler[i] = h->measured[FM_NAVIGATES_ATTITUDE] ? n->euler[i] : truth->euler[i];
        n->rates[i] = h->measured[FM_NAVIGATES_ATTITUDE] ? zero : truth->rates[i];
    }
    for (int k = 0; k < h->count; k++) {
        const fm_told *t = &h->told[k];
        if (t->quantity != FM_NAVIGATES_ATTITUDE || !fm_any(t->taken))
            continue;
        fm_told_attitude(t, own);
        fm_told_widen(t->turned, 9, R);
        fm_vector_to_world(R, t->with, rates);
        for (int i = 0; i < 3; i++) {
            n->euler[i] = fm_select(t->taken, own[i], n->euler[i]);
            n->rates[i] = fm_select(t->taken, rates[i], n->rates[i]);
        }
        turned = turned | t->taken;
    }
    return turned;
}

FM_WHOLE void fm_navigator_attitude(const fm_hearing *h, const fm_found *f, const fm_estimate *truth, fm_par period,
                                    fm_estimate *n)
{
    fm_real before = n->euler[2] + n->rates[2] * fm_const(period);
    fm_mask turned = fm_navigator_tilt(h, truth, n), headed = fm_mask_none();
    fm_real psi = n->euler[2];
    for (int k = 0; k < h->count; k++) {
        const fm_told *t = &h->told[k];
        if (t->quantity != FM_NAVIGATES_HEADING || !fm_any(t->taken))
            continue;
        psi = fm_select(t->taken, fm_told_heading(t, n->euler[0], n->euler[1]), psi);
        headed = headed | t->taken;
    }
    if (h->measured[FM_NAVIGATES_HEADING]) /* lost: carried on by the rate of turn */
        psi = fm_select(headed | turned, psi, before);
    psi = fm_select(headed | turned, psi - f->heading_bias, psi);
    n->euler[2] = fm_angle_wrap_pi(psi);
}

/* (C26) Speeds over ground and through the water; a lost one holds. R: by the estimated attitude. `through` becomes 1
 * where the speed is measured through the water, 0 over ground. */
FM_WHOLE void fm_navigator_velocity(const fm_hearing *h, const fm_found *f, const fm_estimate *truth,
                                    const fm_real R[9], fm_real *through, fm_estimate *n)
{
    fm_real stream[3], v[3];
    if (!h->measured[FM_NAVIGATES_VELOCITY])
        for (int i = 0; i < 3; i++) {
            n->velocity[i] = truth->velocity[i];
            n->water[i] = truth->water[i];
        }
    fm_vector_to_body(R, f->current, stream);
    for (int k = 0; k < h->count; k++) {
        const fm_told *t = &h->told[k];
        if (t->quantity != FM_NAVIGATES_VELOCITY || !fm_any(t->taken))
            continue;
        fm_mask ground = fm_told_velocity(t, n->rates, v);
        *through = fm_select(t->taken, fm_select(ground, fm_const(0), fm_const(1)), *through);
        v[0] -= f->velocity_bias[0];
        v[1] -= f->velocity_bias[1];
        for (int i = 0; i < 3; i++) {
            n->velocity[i] = fm_select(t->taken, fm_select(ground, v[i], v[i] + stream[i]), n->velocity[i]);
            n->water[i] = fm_select(t->taken, fm_select(ground, v[i] - stream[i], v[i]), n->water[i]);
        }
    }
}

/* A quantity that is never measured is known exactly. */
FM_FN void fm_navigator_know_position(const fm_hearing *h, const fm_estimate *truth, fm_estimate *n)
{
    if (!h->measured[FM_NAVIGATES_POSITION] && !h->measured[FM_NAVIGATES_VELOCITY])
        for (int i = 0; i < 2; i++)
            n->position[i] = truth->position[i];
    if (!h->measured[FM_NAVIGATES_DEPTH]) {
        n->position[2] = truth->position[2];
        n->depth_rate = truth->depth_rate;
    }
}

/* (C25) Place: a fix, or carried on by the velocity over ground. */
FM_WHOLE void fm_navigator_fix(const fm_hearing *h, const fm_estimate *truth, const fm_real R[9], fm_par period,
                               fm_estimate *n)
{
    fm_real moved[3], arm[3];
    fm_vector_to_world(R, n->velocity, moved);
    n->depth_rate = moved[2];
    for (int i = 0; i < 3; i++)
        n->position[i] += moved[i] * fm_const(period);
    fm_navigator_know_position(h, truth, n);
    for (int k = 0; k < h->count; k++) {
        const fm_told *t = &h->told[k];
        if ((t->quantity != FM_NAVIGATES_POSITION && t->quantity != FM_NAVIGATES_DEPTH) || !fm_any(t->taken))
            continue;
        fm_told_lever(t, R, arm);
        if (t->quantity == FM_NAVIGATES_DEPTH)
            n->position[2] = fm_select(t->taken, t->value[0] - arm[2], n->position[2]);
        else
            for (int i = 0; i < 2; i++)
                n->position[i] = fm_select(t->taken, t->value[i] - arm[i], n->position[i]);
    }
}

/* (C27) Height of the body origin above the point measured straight below. */
FM_WHOLE void fm_navigator_altitude(const fm_hearing *h, const fm_estimate *truth, const fm_real R[9], fm_estimate *n)
{
    fm_real arm[3], along[3], axis[3];
    n->altitude = h->measured[FM_NAVIGATES_ALTITUDE] ? fm_const((fm_par)HUGE_VAL) : truth->altitude;
    for (int k = 0; k < h->count; k++) {
        const fm_told *t = &h->told[k];
        if (t->quantity != FM_NAVIGATES_ALTITUDE || !fm_any(t->taken))
            continue;
        fm_real above = t->value[0];
        fm_told_lever(t, R, arm);
        if (t->given == FM_TELLS_RANGE) {
            for (int i = 0; i < 3; i++)
                axis[i] = fm_real_wide(t->turned[3 * i]);
            fm_vector_to_world(R, axis, along);
            above *= along[2];
        }
        n->altitude = fm_select(t->taken, above + arm[2], n->altitude);
    }
}

/* m between two places */
FM_FN fm_real fm_estimate_error(const fm_estimate *n, const fm_estimate *truth)
{
    fm_real sum = fm_const(0);
    for (int i = 0; i < 3; i++)
        sum += (n->position[i] - truth->position[i]) * (n->position[i] - truth->position[i]);
    return fm_sqrt(sum);
}

/* The vehicle knows where it was launched, one period before the first estimate. R: body → world. */
FM_FN void fm_estimate_begin(const fm_estimate *truth, const fm_real R[9], fm_par period, fm_estimate *n)
{
    fm_real moved[3];
    *n = *truth;
    fm_vector_to_world(R, n->velocity, moved);
    for (int i = 0; i < 3; i++)
        n->position[i] -= moved[i] * fm_const(period);
}

/* Its motion as it is. R: body → world; velocity: body, m/s and rad/s; water: m/s, NED; altitude: m. */
FM_FN fm_estimate fm_estimate_true(const fm_real position[3], const fm_real R[9], const fm_real velocity[6],
                                   const fm_real water[3], fm_real altitude)
{
    fm_true_motion m = fm_true_motion_of(R, velocity, water);
    fm_estimate n;
    for (int i = 0; i < 3; i++) {
        n.position[i] = position[i];
        n.velocity[i] = velocity[i];
        n.euler[i] = m.euler[i];
        n.water[i] = m.water[i];
        n.rates[i] = m.rates[i];
    }
    n.depth_rate = m.depth_rate;
    n.altitude = altitude;
    return n;
}

/* Whether an instrument that gave `count` samples, the last at `time`, still works: `valid` in the last period, or
 * within `patience` (s). */
FM_FN fm_mask fm_told_is_fresh(fm_real count, fm_real valid, fm_real time, fm_real now, fm_real patience)
{
    return (count != fm_const(0)) & ((valid != fm_const(0)) | (now - time <= patience));
}

#endif
