/* True values that instruments of a vehicle's own motion measure, before their errors. One source for instruments in a
 * world (sensors/) and in a batch (control/sensor_suite.h). docs/theory/instruments.md */
#ifndef FM_SENSORS_INSTRUMENTS_H
#define FM_SENSORS_INSTRUMENTS_H

#include <math.h>

#include "physics/water.h"
#include "sensors/flaws.h"
#include "sensors/mount.h"

/* --- compass --- */

/* rad, to [0, 2π) */
FM_FN fm_real fm_compass_wrap(fm_real angle)
{
    angle -= fm_const(2 * FM_PI) * fm_real_whole(angle / fm_const(2 * FM_PI));
    return fm_select(angle < fm_const(2 * FM_PI), angle, fm_const(0));
}

/* Heading (rad) of the forward axis of an instrument that is turned so (instrument → world), off by the declination and
 * by A sin h + B cos h of the iron aboard. */
FM_FN fm_real fm_compass_heading(const fm_real rotation[9], fm_real declination, const fm_real deviation[2])
{
    fm_real heading = fm_atan2(rotation[3], rotation[0]) - declination, shown = heading;
    fm_mask iron = (deviation[0] != fm_const(0)) | (deviation[1] != fm_const(0));
    if (fm_any(iron))
        shown = fm_select(iron, heading + (deviation[0] * fm_sin(heading) + deviation[1] * fm_cos(heading)), heading);
    return fm_compass_wrap(shown);
}

/* --- depth gauge --- */

/* (I4) z of P0 + P1 z + P2 z² = pressure, in the form that does not cancel. */
FM_FN fm_real fm_gauge_depth(const fm_real p[3], fm_real pressure)
{
    fm_real above = pressure - p[0];
    fm_real root = fm_sqrt(fm_max(p[1] * p[1] + fm_const(4) * p[2] * above, fm_const(0)));
    return fm_const(2) * above / (p[1] + root);
}

/* --- water-speed log --- */

/* m/s through the water along the forward axis; water: m/s, NED. */
FM_FN fm_real fm_log_speed(const fm_mount_pose *at, const fm_real water[3])
{
    fm_real flow[3];
    fm_vector_to_body(at->rotation, water, flow);
    return at->velocity[0] - flow[0];
}

/* --- inertial measurement unit --- */

/* Attitude of an instrument (w x y z, → world) with an output error of a small rotation `tilt` (rad: roll, pitch,
 * yaw). */
FM_FN void fm_inertial_attitude(const fm_real body[4], const fm_real mount[4], const fm_real tilt[3], fm_real out[4])
{
    fm_real q[4], turn[4] = {fm_const(1), fm_const(0), fm_const(0), fm_const(0)};
    fm_quat_mul(body, mount, q);
    if (fm_any((tilt[0] != fm_const(0)) | (tilt[1] != fm_const(0)) | (tilt[2] != fm_const(0))))
        fm_quat_from_euler(tilt, turn);
    fm_quat_mul(q, turn, out);
}

/* --- Doppler velocity log --- */

enum { FM_BEAMS = 4 };

/* (I7) Solves Σ b bᵀ v = Σ b u over the beams (unit vectors) with a finite velocity u along them, by Cramer's rule.
 * Returns where they leave nothing open; elsewhere v is not a number to rely on. */
FM_FN fm_mask fm_beams_solve(const fm_real beams[FM_BEAMS][3], const fm_real u[FM_BEAMS], fm_real v[3])
{
    fm_real zero = fm_const(0), m[3][3], y[3], minor[3][3];
    for (int a = 0; a < 3; a++) {
        y[a] = zero;
        for (int b = 0; b < 3; b++)
            m[a][b] = zero;
    }
    for (int i = 0; i < FM_BEAMS; i++) {
        fm_mask seen = fm_real_is_finite(u[i]);
        for (int a = 0; a < 3; a++) {
            y[a] = fm_select(seen, y[a] + beams[i][a] * u[i], y[a]);
            for (int b = 0; b < 3; b++)
                m[a][b] = fm_select(seen, m[a][b] + beams[i][a] * beams[i][b], m[a][b]);
        }
    }
    for (int a = 0; a < 3; a++)
        fm_cross(m[(a + 1) % 3], m[(a + 2) % 3], minor[a]);
    fm_real det = fm_dot(m[0], minor[0]);
    for (int a = 0; a < 3; a++)
        v[a] = (minor[0][a] * y[0] + minor[1][a] * y[1] + minor[2][a] * y[2]) / det;
    return fm_abs(det) > fm_const(1e-9);
}

/* What it is. */
typedef struct fm_dvl_params {
    fm_real beams[FM_BEAMS][3];          /* unit vectors, instrument axes */
    fm_real farthest, nearest;           /* m, of a beam */
    int water_track;                     /* without the bottom it gives the velocity through the water */
    const fm_flaw_params *speed, *range; /* errors of each beam's velocity and range */
} fm_dvl_params;

/* What it sees. */
typedef struct fm_dvl_sight {
    fm_real mode;                                     /* 1: over ground, 2: through the water */
    fm_real range[FM_BEAMS], beam_velocity[FM_BEAMS]; /* m, m/s; NaN: lost */
    fm_real velocity[3];                              /* m/s, instrument axes; NaN: too few beams */
    fm_real altitude; /* m: mean height of the good beams' feet below the instrument; NaN: none */
    fm_real good;     /* beams that have the bottom */
    fm_mask solved;   /* the velocity is known */
} fm_dvl_sight;

/* `hit` (m along each beam to what it meets) and `down` (of its direction, world axes). Each value has a walk of its
 * own but shares the scalar bias. */
FM_FN void fm_dvl_range(const fm_dvl_params *p, const fm_real hit[FM_BEAMS], const fm_real down[FM_BEAMS],
                        const fm_flaw_draws *now, fm_dvl_sight *s)
{
    fm_real sum = fm_const(0), lost = fm_const((fm_par)NAN);
    s->good = fm_const(0);
    for (uint32_t i = 0; i < FM_BEAMS; i++) {
        fm_real range = fm_flaw_spoil(p->range, 0, FM_BEAMS + i, now, hit[i]);
        fm_mask has = (hit[i] <= p->farthest) & (range <= p->farthest) & (range >= p->nearest);
        s->range[i] = fm_select(has, range, lost);
        sum = fm_select(has, sum + range * down[i], sum);
        s->good = fm_select(has, s->good + fm_const(1), s->good);
    }
    s->altitude = fm_select(s->good > fm_const(0), sum / s->good, lost);
}

/* Velocity from the beams that are left; water: m/s, NED. */
FM_FN void fm_dvl_speed(const fm_dvl_params *p, const fm_mount_pose *at, const fm_real water[3],
                        const fm_flaw_draws *now, fm_dvl_sight *s)
{
    fm_real v[3], flow[3], lost = fm_const((fm_par)NAN);
    fm_mask tracked = s->good >= fm_const(3),
            through = (tracked == 0) & (fm_const((fm_par)p->water_track) > fm_const(0));
    fm_vector_to_body(at->rotation, water, flow);
    for (int k = 0; k < 3; k++)
        v[k] = fm_select(through, at->velocity[k] - flow[k], at->velocity[k]);
    s->mode = fm_select(through, fm_const(2), fm_const(1));
    for (uint32_t i = 0; i < FM_BEAMS; i++) {
        fm_real along = fm_select(fm_real_is_finite(s->range[i]) | through, fm_dot(p->beams[i], v), lost);
        s->beam_velocity[i] = fm_flaw_spoil(p->speed, 0, i, now, along);
    }
    s->solved = fm_beams_solve(p->beams, s->beam_velocity, s->velocity) & (tracked | through);
    for (int k = 0; k < 3; k++)
        s->velocity[k] = fm_select(s->solved, s->velocity[k], lost);
}

#endif
