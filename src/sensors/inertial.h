/* Inputs of inertial instruments, and strap-down navigation from them, over a flat, fixed Earth or a rotating one. One
 * source for <imu> and <ins> in worlds (sensors/) and batches (control/sensor_suite.h). docs/theory/instruments.md */
#ifndef FM_SENSORS_INERTIAL_H
#define FM_SENSORS_INERTIAL_H

#include "physics/earth.h"
#include "sensors/mount.h"

/* --- the turning Earth --- */

/* Geodetic latitude (rad) of a place x m north of the world's origin at a height of `up` m, by the radius of the
 * meridian there: the world's north is everywhere that of the Earth. */
FM_FN fm_real fm_earth_latitude(fm_real origin, fm_real x, fm_real up)
{
    fm_real meridian, across;
    fm_earth_radii(origin, &meridian, &across);
    return origin + x / (meridian + up);
}

/* (I11), (I12) At a place and velocity (NED): rotation rate of the axes north-east-down in space (rad/s), and the
 * resulting apparent acceleration (m/s²). */
FM_FN void fm_earth_turning(fm_real latitude, fm_real up, const fm_real velocity[3], fm_real rates[3],
                            fm_real acceleration[3])
{
    fm_real earth[3], transport[3], both[3];
    fm_earth_rate(latitude, earth);
    fm_transport_rate(latitude, up, velocity, transport);
    for (int i = 0; i < 3; i++) {
        rates[i] = earth[i] + transport[i];
        both[i] = fm_const(2) * earth[i] + transport[i];
    }
    fm_cross(both, velocity, acceleration);
}

/* --- what is felt --- */

/* A vehicle's motion, and where on Earth it is. */
typedef struct fm_inertial_motion {
    const fm_real *R;            /* body → world */
    const fm_real *velocity;     /* [6] m/s and rad/s, body axes */
    const fm_real *acceleration; /* [6] its rate, in turning axes */
    fm_real gravity;             /* m/s² */
    fm_real latitude;            /* rad, of the world's origin */
    int turning;                 /* the Earth turns under the world's axes */
} fm_inertial_motion;

/* (I2) Angular velocity (rad/s) and specific force (m/s²) of an instrument `at` (m) and `turned` (instrument → body),
 * in its axes. `place`: where that is. */
FM_WHOLE void fm_inertial_feel(const fm_inertial_motion *m, const fm_real at[3], const fm_real turned[9],
                               const fm_mount_pose *pose, fm_real rates[3], fm_real force[3])
{
    const fm_real *w = m->velocity + 3, *a = m->acceleration;
    fm_real down[3] = {fm_const(0), fm_const(0), m->gravity};
    fm_real transport[3], tangential[3], inner[3], centripetal[3], gravity[3], f[3], velocity[3], turn[3], own[3];
    fm_cross(w, m->velocity, transport); /* ω × v: velocity is given in turning axes */
    fm_cross(a + 3, at, tangential);     /* ω̇ × r */
    fm_cross(w, at, inner);
    fm_cross(w, inner, centripetal); /* ω × (ω × r) */
    fm_vector_to_body(m->R, down, gravity);
    for (int i = 0; i < 3; i++)
        f[i] = a[i] + transport[i] + tangential[i] + centripetal[i] - gravity[i];
    fm_vector_to_body(turned, f, force);
    fm_vector_to_body(turned, w, rates);
    if (!m->turning)
        return;
    fm_vector_to_world(pose->rotation, pose->velocity, velocity);
    fm_real latitude = fm_earth_latitude(m->latitude, pose->position[0], -pose->position[2]);
    fm_earth_turning(latitude, -pose->position[2], velocity, turn, f);
    fm_vector_to_body(pose->rotation, turn, own);
    for (int i = 0; i < 3; i++)
        rates[i] += own[i];
    fm_vector_to_body(pose->rotation, f, own);
    for (int i = 0; i < 3; i++)
        force[i] += own[i];
}

/* --- strap-down navigation --- */

typedef struct fm_ins_params {
    int turning;         /* over the turning Earth */
    fm_real gravity;     /* m/s² */
    fm_real latitude;    /* rad, of the world's origin */
    fm_real gyrocompass; /* s: duration of its own alignment; 0: the attitude is given */
    fm_real tilt[3];     /* rad: error of the initial attitude, about the instrument's axes */
    fm_real position[3]; /* m, NED: error of the initial position */
    fm_real velocity[3]; /* m/s, NED: error of the initial velocity */
} fm_ins_params;

/* What is kept: numbers alone. */
typedef struct fm_ins_state {
    fm_real position[3];            /* m, NED */
    fm_real velocity[3];            /* m/s, NED */
    fm_real attitude[4];            /* instrument → world */
    fm_real rates[3];               /* rad/s: last sample of the gyroscopes */
    fm_real force[3];               /* m/s²: last sample of the accelerometers and what gravity adds, world axes */
    fm_real mean_rates[3], felt[3]; /* sums of the gyrocompass: rad/s, m/s² */
    fm_real started, samples;       /* 0 or 1; of the gyrocompass so far */
} fm_ins_state;
enum { FM_INS_NUMBERS = 24 };

/* Initial data of the INS: its true state. */
typedef struct fm_ins_truth {
    const fm_mount_pose *pose;
    fm_real attitude[4]; /* instrument → world */
} fm_ins_truth;

/* (I3b) The attitude in which the mean force points up and the mean rate, less its part about down, points north. */
FM_FN void fm_ins_find_attitude(const fm_ins_state *s, fm_real q[4])
{
    fm_real down[3], north[3], east[3], euler[3], R[9], force = fm_sqrt(fm_dot(s->felt, s->felt));
    for (int i = 0; i < 3; i++)
        down[i] = -s->felt[i] / force;
    fm_real about = fm_dot(s->mean_rates, down);
    for (int i = 0; i < 3; i++)
        north[i] = s->mean_rates[i] - about * down[i];
    fm_real level = fm_sqrt(fm_dot(north, north));
    for (int i = 0; i < 3; i++)
        north[i] /= level;
    fm_cross(down, north, east);
    for (int i = 0; i < 3; i++)
        R[i] = north[i], R[3 + i] = east[i], R[6 + i] = down[i];
    fm_euler_from_matrix(R, euler);
    fm_quat_from_euler(euler, q);
}

FM_FN void fm_ins_align(const fm_ins_params *p, const fm_ins_truth *truth, fm_ins_state *s)
{
    const fm_mount_pose *at = truth->pose;
    fm_real q[4], tilt[4], velocity[3];
    fm_mask finds = p->gyrocompass > fm_const(0);
    fm_vector_to_world(at->rotation, at->velocity, velocity);
    for (int i = 0; i < 3; i++) {
        s->position[i] = at->position[i] + p->position[i];
        s->velocity[i] = velocity[i] + p->velocity[i];
    }
    for (int i = 0; i < 4; i++)
        q[i] = truth->attitude[i];
    if (fm_any(finds)) {
        fm_real found[4];
        fm_ins_find_attitude(s, found);
        for (int i = 0; i < 4; i++)
            q[i] = fm_select(finds, found[i], q[i]);
    }
    fm_quat_from_euler(p->tilt, tilt);
    fm_quat_mul(q, tilt, s->attitude);
}

/* The rotation of a constant rate over a time, as a quaternion, to third order in the angle. */
FM_FN void fm_ins_turn(const fm_real rates[3], fm_par dt, fm_real q[4])
{
    fm_real t = fm_const(dt);
    fm_real square = (rates[0] * rates[0] + rates[1] * rates[1] + rates[2] * rates[2]) * t * t;
    fm_real half = fm_const(0.5) * t * (fm_const(1) - square / fm_const(24));
    q[0] = fm_const(1) - square / fm_const(8);
    for (int i = 0; i < 3; i++)
        q[1 + i] = half * rates[i];
}

/* What the INS takes its axes to turn by, `ahead` s after its last step, and the acceleration that comes from it: by
 * its own position and velocity, so that an error of them comes back as a tilt (Schuler). */
FM_FN void fm_ins_turning(const fm_ins_params *p, const fm_ins_state *s, fm_par ahead, fm_real rates[3],
                          fm_real acceleration[3])
{
    fm_real velocity[3], up = -s->position[2];
    for (int i = 0; i < 3; i++)
        velocity[i] = s->velocity[i] + fm_const(ahead) * s->force[i];
    fm_earth_turning(fm_earth_latitude(p->latitude, s->position[0], up), up, velocity, rates, acceleration);
}

/* attitude ← turn back by the axes' own turning ⊗ attitude */
FM_FN void fm_ins_turn_axes(const fm_real rates[3], fm_par dt, fm_real attitude[4])
{
    fm_real q[4], back[4];
    fm_ins_turn(rates, dt, q);
    back[0] = q[0];
    for (int i = 1; i < 4; i++)
        back[i] = -q[i];
    fm_quat_mul(back, attitude, attitude);
}

/* (I3) q̇ = ½ q ω, v̇ = R f + g, ẋ = v, by the trapezium rule; over the turning Earth q̇ = ½ (q ω − ω_in q) and
 * v̇ = R f + g − (2 ω_ie + ω_en) × v (I3a). The accelerometers give the mean over the step. */
FM_WHOLE void fm_ins_advance(const fm_ins_params *p, const fm_real rates[3], const fm_real force[3], fm_par dt,
                             fm_ins_state *s)
{
    fm_real mean[3], q[4], R[9], world[3], turning[3], half = fm_const(0.5 * dt);
    fm_real felt[3] = {fm_const(0), fm_const(0), fm_const(0)};
    for (int i = 0; i < 3; i++)
        mean[i] = fm_const(0.5) * (s->rates[i] + rates[i]);
    fm_ins_turn(mean, dt, q);
    fm_quat_mul(s->attitude, q, s->attitude);
    if (p->turning) {
        fm_ins_turning(p, s, (fm_par)0.5 * dt, turning, felt);
        fm_ins_turn_axes(turning, dt, s->attitude);
        fm_ins_turning(p, s, dt, turning, felt);
    }
    fm_quat_normalise(s->attitude);
    fm_quat_matrix(s->attitude, R);
    fm_vector_to_world(R, force, world);
    world[2] += p->gravity;
    for (int i = 0; i < 3; i++) {
        fm_real before = s->velocity[i];
        world[i] -= felt[i];
        s->velocity[i] += half * (s->force[i] + world[i]);
        s->position[i] += half * (before + s->velocity[i]);
    }
    for (int i = 0; i < 3; i++)
        s->force[i] = world[i];
}

/* The first step of the navigation, from the state it is given or has found. */
FM_WHOLE void fm_ins_begin(const fm_ins_params *p, const fm_ins_truth *truth, const fm_real force[3], fm_ins_state *s)
{
    fm_real R[9], turning[3], felt[3];
    fm_ins_align(p, truth, s);
    fm_quat_matrix(s->attitude, R);
    fm_vector_to_world(R, force, s->force);
    s->force[2] += p->gravity;
    if (p->turning) {
        fm_ins_turning(p, s, 0, turning, felt);
        for (int i = 0; i < 3; i++)
            s->force[i] -= felt[i];
    }
    s->started = fm_const(1);
}

/* Takes a sample into the sums; where the gyrocompass has had its time. */
FM_FN fm_mask fm_ins_is_found(const fm_ins_params *p, const fm_real rates[3], const fm_real force[3], fm_par period,
                              fm_mask waits, fm_ins_state *s)
{
    fm_mask finds = waits & (p->gyrocompass > fm_const(0));
    for (int i = 0; i < 3; i++) {
        s->mean_rates[i] = fm_select(finds, s->mean_rates[i] + rates[i], s->mean_rates[i]);
        s->felt[i] = fm_select(finds, s->felt[i] + force[i], s->felt[i]);
    }
    s->samples = fm_select(finds, s->samples + fm_const(1), s->samples);
    return waits & ((finds == 0) | (s->samples * fm_const(period) >= p->gyrocompass));
}

/* All that is kept becomes that of another where `where` holds. */
FM_FN void fm_ins_put(fm_mask where, const fm_ins_state *from, fm_ins_state *s)
{
    const fm_real *numbers = (const fm_real *)from;
    fm_real *to = (fm_real *)s;
    for (int i = 0; i < FM_INS_NUMBERS; i++)
        to[i] = fm_select(where, numbers[i], to[i]);
}

/* One sample of the gyroscopes and accelerometers. Outputs rates relative to the world's axes, which other parts use:
 * without the rotation of the axes themselves. velocity: m/s, instrument axes. */
FM_FN void fm_ins_step(const fm_ins_params *p, const fm_ins_truth *truth, const fm_real rates[3],
                       const fm_real force[3], fm_par period, fm_ins_state *s, fm_real told[3], fm_real velocity[3])
{
    fm_mask on = s->started > fm_const(0.5), found = fm_ins_is_found(p, rates, force, period, on == 0, s);
    fm_real R[9], turning[3], felt[3], own[3];
    fm_ins_state next = *s;
    if (fm_any(on)) {
        fm_ins_advance(p, rates, force, period, &next);
        fm_ins_put(on, &next, s);
    }
    if (fm_any(found)) {
        next = *s;
        fm_ins_begin(p, truth, force, &next);
        fm_ins_put(found, &next, s);
    }
    fm_quat_matrix(s->attitude, R);
    fm_vector_to_body(R, s->velocity, velocity);
    for (int i = 0; i < 3; i++)
        s->rates[i] = told[i] = rates[i];
    if (!p->turning)
        return;
    fm_ins_turning(p, s, 0, turning, felt);
    fm_vector_to_body(R, turning, own);
    for (int i = 0; i < 3; i++)
        told[i] = fm_select(s->started > fm_const(0.5), told[i] - own[i], told[i]);
}

#endif
