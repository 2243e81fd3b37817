/* The avoidance reflex: CRUISE → REVERSE → BRAKE → TURN → RESUME → CRUISE (section VI of Snookie's paper).
 *
 * Input is only what the vehicle itself has: the lateral line's feeling and the IMU record (yaw, yaw rate, and our
 * addition, forward velocity). Output is what its controllers get: desired speed and yaw, or "all motors full reverse".
 *
 *   CRUISE   go on; a detection stores the mirrored velocity V − 2 D̂ (D̂·V) as the new course       (L5)
 *   REVERSE  all forward motors full reverse until the forward velocity is ≤ −back_speed
 *   BRAKE    stand still on the old course, until |V1| < brake_speed
 *   TURN     stand still and turn until on the new course
 *   RESUME   go; the filter stays blind until the voltages are calm (or a time has passed), then CRUISE
 *
 * printed = 1 is the paper to the letter: the turn starts at once (no BRAKE), nothing asks whether the wall is ahead
 * (no D_est·V > 0), and cruising starts with the new course (no RESUME). Side slip then gives false alarms, and the
 * vehicle touches the wall. BRAKE, the gate and RESUME are ours. */
#ifndef FM_CONTROL_REFLEX_H
#define FM_CONTROL_REFLEX_H

#include "control/lateral_sense.h"

typedef enum fm_reflex_mode {
    FM_REFLEX_CRUISE,
    FM_REFLEX_REVERSE,
    FM_REFLEX_BRAKE,
    FM_REFLEX_TURN,
    FM_REFLEX_RESUME
} fm_reflex_mode;

typedef struct fm_reflex_params {
    int printed;            /* 1: the paper's rule */
    fm_var cruise_speed;    /* m/s */
    fm_var back_speed;      /* m/s, backwards, positive */
    fm_var brake_speed;     /* m/s */
    fm_var turn_error;      /* rad, yaw error at which the turn is complete */
    fm_var turn_rate;       /* rad/s, yaw rate below which it is */
    fm_var calm;            /* V, unrest below which the sensors count as calm */
    fm_var calm_time;       /* s, for this long */
    fm_var resume_timeout;  /* s, longest RESUME */
    fm_var reverse_timeout; /* s, longest REVERSE, BRAKE and TURN: a vehicle that is held fast goes on all the same */
    fm_var brake_timeout;   /* s */
    fm_var turn_timeout;    /* s */
} fm_reflex_params;

typedef struct fm_reflex_state {
    fm_real mode;         /* fm_reflex_mode as a number */
    fm_real since;        /* s in this mode */
    fm_real calm_for;     /* s of calm within RESUME */
    fm_real course;       /* rad, desired yaw */
    fm_real new_course;   /* rad, remembered at the detection */
    fm_real direction[3]; /* V m, D_est of the last detection, body frame at that time */
    fm_real detections;   /* so far */
    fm_real rejected;     /* steps in which only the direction gate prevented a detection */
} fm_reflex_state;

typedef struct fm_reflex_input {
    fm_real yaw;      /* rad */
    fm_real yaw_rate; /* rad/s */
    fm_real forward;  /* m/s, V1 */
} fm_reflex_input;

typedef struct fm_reflex_output {
    fm_real speed;    /* m/s, desired forward velocity */
    fm_real yaw;      /* rad, desired, −π … π */
    fm_real reverse;  /* 1: all forward motors full reverse, whatever the speed controller says */
    fm_real detected; /* 1 in the step of a detection */
} fm_reflex_output;

FM_FN fm_reflex_state fm_reflex_start(fm_real yaw)
{
    fm_reflex_state s;
    s.mode = s.since = s.calm_for = s.detections = s.rejected = fm_const(0);
    s.course = s.new_course = yaw;
    for (int k = 0; k < 3; k++)
        s.direction[k] = fm_const(0);
    return s;
}

/* An angle brought into −π … π, for |angle| < 1e9. */
FM_FN fm_real fm_reflex_wrap(fm_real angle)
{
    return fm_atan2(fm_sin(angle), fm_cos(angle));
}

/* The mode of a vehicle that goes on (CRUISE, RESUME) becomes this one. */
FM_FN void fm_reflex_interrupt(fm_reflex_state *s, fm_reflex_mode mode)
{
    fm_mask going = (s->mode == fm_const(FM_REFLEX_CRUISE)) | (s->mode == fm_const(FM_REFLEX_RESUME));
    s->mode = fm_select(going, fm_const(mode), s->mode);
    s->since = fm_select(going, fm_const(0), s->since);
    s->calm_for = fm_select(going, fm_const(0), s->calm_for);
}

/* Orders from outside (ours). Turning and rolling move the hull in ways that the IMU record does not tell, and feel
 * like walls. A new course [rad]: stand still, turn to it, go on, as after a wall; a vehicle that is about to turn away
 * turns to it instead. */
FM_FN void fm_reflex_order_course(fm_reflex_state *s, fm_real yaw)
{
    fm_reflex_interrupt(s, FM_REFLEX_BRAKE);
    s->new_course = fm_reflex_wrap(yaw);
}

/* A new pitch or roll: go on blind until the voltages are calm, as in RESUME. */
FM_FN void fm_reflex_order_angles(fm_reflex_state *s)
{
    fm_mask cruising = s->mode == fm_const(FM_REFLEX_CRUISE);
    s->new_course = fm_select(cruising, s->course, s->new_course);
    fm_reflex_interrupt(s, FM_REFLEX_RESUME);
}

/* 1 while the slow mean of the lateral line must follow the voltages (see fm_lateral_step). */
FM_FN fm_real fm_reflex_blind(const fm_reflex_params *p, const fm_reflex_state *s)
{
    return p->printed ? fm_const(0) : fm_select(s->mode == fm_const(FM_REFLEX_RESUME), fm_const(1), fm_const(0));
}

/* Yaw [rad] of the forward velocity mirrored at the plane across D_est (body frame). */
FM_FN fm_real fm_reflex_mirror_course(const fm_real d[3], fm_real forward, fm_real yaw)
{
    fm_real square = fm_max(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], fm_const(FM_TINY));
    fm_real twice = fm_const(2) * d[0] * forward / square;
    return fm_reflex_wrap(yaw + fm_atan2(-twice * d[1], forward - twice * d[0]));
}

FM_FN void fm_reflex_detect(const fm_reflex_params *p, const fm_lateral_feel *feel, const fm_reflex_input *in,
                            fm_reflex_state *s, fm_reflex_output *out)
{
    fm_mask cruising = s->mode == fm_const(FM_REFLEX_CRUISE);
    fm_mask alarm = cruising & (feel->exceeds > fm_const(0.5));
    fm_mask ahead = feel->direction[0] * in->forward > fm_const(0);
    fm_mask found = p->printed ? alarm : (alarm & ahead);
    fm_real one = fm_const(1), zero = fm_const(0);
    out->detected = fm_select(found, one, zero);
    s->detections = s->detections + out->detected;
    s->rejected = s->rejected + (fm_select(alarm, one, zero) - out->detected);
    fm_real course = fm_reflex_mirror_course(feel->direction, in->forward, in->yaw);
    s->new_course = fm_select(found, course, s->new_course);
    for (int k = 0; k < 3; k++)
        s->direction[k] = fm_select(found, feel->direction[k], s->direction[k]);
}

/* The mode that follows; equal to the present one while its end is not reached. */
FM_FN fm_real fm_reflex_next(const fm_reflex_params *p, const fm_reflex_input *in, const fm_reflex_state *s,
                             fm_real detected)
{
    fm_real mode = s->mode, t = s->since, next = mode;
    fm_mask backing = (in->forward <= fm_real_wide(-p->back_speed)) | (t >= fm_real_wide(p->reverse_timeout));
    fm_mask still = (fm_abs(in->forward) < fm_real_wide(p->brake_speed)) | (t >= fm_real_wide(p->brake_timeout));
    fm_real error = fm_abs(fm_reflex_wrap(in->yaw - s->new_course));
    fm_mask turned = ((error < fm_real_wide(p->turn_error)) & (fm_abs(in->yaw_rate) < fm_real_wide(p->turn_rate))) |
                     (t >= fm_real_wide(p->turn_timeout));
    fm_mask calm = (s->calm_for >= fm_real_wide(p->calm_time)) | (t >= fm_real_wide(p->resume_timeout));
    fm_real after_reverse = fm_const(p->printed ? FM_REFLEX_TURN : FM_REFLEX_BRAKE);
    fm_real after_turn = fm_const(p->printed ? FM_REFLEX_CRUISE : FM_REFLEX_RESUME);
    next =
        fm_select((mode == fm_const(FM_REFLEX_CRUISE)) & (detected > fm_const(0.5)), fm_const(FM_REFLEX_REVERSE), next);
    next = fm_select((mode == fm_const(FM_REFLEX_REVERSE)) & backing, after_reverse, next);
    next = fm_select((mode == fm_const(FM_REFLEX_BRAKE)) & still, fm_const(FM_REFLEX_TURN), next);
    next = fm_select((mode == fm_const(FM_REFLEX_TURN)) & turned, after_turn, next);
    return fm_select((mode == fm_const(FM_REFLEX_RESUME)) & calm, fm_const(FM_REFLEX_CRUISE), next);
}

/* One step of dt [s]: feeling and IMU record in, orders for the controllers out. */
FM_FN void fm_reflex_step(const fm_reflex_params *p, const fm_lateral_feel *feel, const fm_reflex_input *in, fm_par dt,
                          fm_reflex_state *s, fm_reflex_output *out)
{
    fm_reflex_detect(p, feel, in, s, out);
    fm_mask quiet = feel->unrest < fm_real_wide(p->calm);
    s->since = s->since + dt;
    s->calm_for = fm_select(quiet & (s->mode == fm_const(FM_REFLEX_RESUME)), s->calm_for + dt, fm_const(0));
    fm_real next = fm_reflex_next(p, in, s, out->detected);
    s->since = fm_select(next == s->mode, s->since, fm_const(0));
    s->calm_for = fm_select(next == s->mode, s->calm_for, fm_const(0));
    s->mode = next;
    fm_mask turning = (next == fm_const(FM_REFLEX_TURN)) | (next == fm_const(FM_REFLEX_RESUME));
    s->course = fm_select(turning, s->new_course, s->course);
    fm_mask going = (next == fm_const(FM_REFLEX_CRUISE)) | (next == fm_const(FM_REFLEX_RESUME));
    out->speed = fm_select(going, fm_real_wide(p->cruise_speed), fm_const(0));
    out->yaw = s->course;
    out->reverse = fm_select(next == fm_const(FM_REFLEX_REVERSE), fm_const(1), fm_const(0));
}

#endif
