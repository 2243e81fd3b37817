/* Guidance: line of sight along straight segments, waypoint lists, station keeping. World frame North-East-Down, depth
 * down. docs/theory/control.md (C6)-(C10) */
#ifndef FM_CONTROL_GUIDANCE_H
#define FM_CONTROL_GUIDANCE_H

#include "physics/angle.h"
#include "physics/real.h"

/* ---- line of sight ------------------------------------------------------------------------------------------------
 */

typedef struct fm_los_params {
    fm_var lookahead; /* m, > 0 */
    fm_var radius;    /* m, horizontal distance at which a waypoint is reached */
    fm_var height;    /* m, depth difference allowed at a waypoint; 0: depth does not matter */
    fm_var integral;  /* 1/s, kappa: integral action against current; 0: none */
    int pass;         /* 1: a waypoint is also reached by passing abeam of it; 0: a missed one is turned back for */
} fm_los_params;

typedef struct fm_los {
    fm_real course;    /* rad, heading to steer */
    fm_real track;     /* rad, direction of the segment */
    fm_real cross;     /* m, cross-track error, > 0 to starboard of the track */
    fm_real along;     /* m, distance made good along the segment */
    fm_real remaining; /* m, along the segment to its end; < 0 beyond */
    fm_real depth;     /* m, of the segment beside the vehicle */
    fm_real slope;     /* rad, of the segment, > 0 upwards */
    fm_real arrived;   /* 1 when the end is reached, else 0 */
} fm_los;

/* (C6) Where a vehicle at `at` stands on the segment, without course. */
FM_FN fm_los fm_los_project(const fm_real from[3], const fm_real to[3], const fm_real at[3])
{
    const fm_real dx = to[0] - from[0], dy = to[1] - from[1], dz = to[2] - from[2];
    const fm_real length = fm_sqrt(dx * dx + dy * dy);
    const fm_mask point = length < fm_const(1e-9); /* straight up or down: steer for the place itself */
    const fm_real bx = fm_select(point, to[0] - at[0], dx), by = fm_select(point, to[1] - at[1], dy);
    const fm_real norm = fm_sqrt(bx * bx + by * by), safe = fm_select(norm < fm_const(1e-9), fm_const(1), norm);
    const fm_real c = fm_select(norm < fm_const(1e-9), fm_const(1), bx / safe), s = by / safe;
    const fm_real ax = at[0] - from[0], ay = at[1] - from[1];
    const fm_real part_length = fm_select(point, fm_const(1), length);
    fm_los r;
    r.track = fm_atan2(s, c);
    r.along = fm_select(point, fm_const(0), c * ax + s * ay);
    r.cross = fm_select(point, fm_const(0), c * ay - s * ax);
    r.remaining = fm_select(point, norm, length - r.along);
    const fm_real part = fm_select(point, fm_const(1), fm_clamp(r.along / part_length, fm_const(0), fm_const(1)));
    r.depth = from[2] + part * dz;
    r.slope = fm_atan2(-dz, length);
    r.course = r.track;
    r.arrived = fm_const(0);
    return r;
}

/* (C7), (C8) Course for the segment; `integral` [m] is the state of the integral action (NULL without). */
FM_FN fm_los fm_los_step(const fm_los_params *p, const fm_real from[3], const fm_real to[3], const fm_real at[3],
                         fm_real *integral, fm_par dt)
{
    fm_los r = fm_los_project(from, to, at);
    fm_real offset = r.cross;
    const fm_mask integrates = fm_real_wide(p->integral) > fm_const(0);
    if (integral && fm_any(integrates)) {
        offset = fm_select(integrates, r.cross + p->integral * *integral, offset);
        const fm_real growth = dt * p->lookahead * r.cross / (p->lookahead * p->lookahead + offset * offset);
        *integral = *integral + fm_select(integrates, growth, fm_const(0));
    }
    r.course = fm_angle_wrap_pi(r.track - fm_atan2(offset, fm_real_wide(p->lookahead)));
    const fm_real ex = to[0] - at[0], ey = to[1] - at[1];
    fm_mask reached = ex * ex + ey * ey <= fm_real_wide(p->radius * p->radius);
    if (p->pass)
        reached = reached | (r.remaining <= fm_const(0));
    else /* missed: turn back for the point itself, do not follow the line beyond it */
        r.course = fm_select(r.remaining < fm_const(0), fm_atan2(ey, ex), r.course);
    const fm_real height = fm_real_wide(p->height);
    reached = reached & ((height <= fm_const(0)) | (fm_abs(to[2] - at[2]) <= height));
    r.arrived = fm_select(reached, fm_const(1), fm_const(0));
    return r;
}

/* ---- waypoint list ------------------------------------------------------------------------------------------------
 */

typedef struct fm_waypoints {
    const fm_var (*points)[3]; /* m: North, East, depth */
    size_t count;
    int loop; /* 1: after the last comes the first again */
} fm_waypoints;

/* Zeroed = not started: the first segment then begins where the vehicle is. */
typedef struct fm_waypoints_state {
    fm_real from[3];  /* m, where the present segment begins */
    fm_real target;   /* index of the waypoint ahead */
    fm_real integral; /* m, of the integral action */
    fm_real started;  /* 0 or 1 */
    fm_real done;     /* 1 once the last waypoint is reached */
    fm_real reached;  /* waypoints reached so far */
} fm_waypoints_state;

/* The point with a (whole) index, lane by lane. */
FM_FN void fm_waypoints_get(const fm_waypoints *w, fm_real index, fm_real point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = fm_const(0);
    for (size_t i = 0; i < w->count; i++) {
        const fm_mask mine = fm_abs(index - fm_const((fm_par)i)) < fm_const(0.5);
        for (int k = 0; k < 3; k++)
            point[k] = fm_select(mine, fm_real_wide(w->points[i][k]), point[k]);
    }
}

/* Moves on to the next waypoint where r->arrived (C9). */
FM_FN void fm_waypoints_advance(const fm_waypoints *w, fm_waypoints_state *s, const fm_los *r, const fm_real to[3])
{
    const fm_mask arrived = (r->arrived > fm_const(0.5)) & (s->done < fm_const(0.5));
    const fm_mask last = s->target > fm_const((fm_par)w->count - 1.5);
    const fm_mask ends = arrived & last;
    for (int k = 0; k < 3; k++) {
        const fm_real keep = w->loop ? to[k] : fm_select(last, s->from[k], to[k]);
        s->from[k] = fm_select(arrived, keep, s->from[k]);
    }
    const fm_real next = fm_select(last, w->loop ? fm_const(0) : s->target, s->target + fm_const(1));
    s->target = fm_select(arrived, next, s->target);
    s->integral = fm_select(arrived, fm_const(0), s->integral);
    s->reached = s->reached + fm_select(arrived, fm_const(1), fm_const(0));
    if (!w->loop)
        s->done = fm_select(ends, fm_const(1), s->done);
}

/* One step along the list: the course for the present segment; arriving switches for the next step. count >= 1. */
FM_FN fm_los fm_waypoints_step(const fm_waypoints *w, const fm_los_params *p, fm_waypoints_state *s,
                               const fm_real at[3], fm_par dt)
{
    fm_real to[3];
    for (int k = 0; k < 3; k++)
        s->from[k] = fm_select(s->started < fm_const(0.5), at[k], s->from[k]);
    s->started = fm_const(1);
    fm_waypoints_get(w, s->target, to);
    const fm_los r = fm_los_step(p, s->from, to, at, &s->integral, dt);
    fm_waypoints_advance(w, s, &r, to);
    return r;
}

/* ---- station keeping ----------------------------------------------------------------------------------------------
 */

typedef struct fm_station_params {
    fm_var kp[2], ki[2], kd[2]; /* N/m, N/(m s), N s/m: horizontal, vertical */
    fm_var limit[2];            /* N, largest force: horizontal, vertical */
} fm_station_params;

typedef struct fm_station_state {
    fm_real integral[3]; /* N: North, East, Down */
} fm_station_state;

/* (C10) Forces [N] along forward, starboard and down of a level body with heading psi [rad]: `error` [m] is place to
 * keep minus place, North, East, Down; `velocity` [m/s] is over ground, forward, starboard, down. The horizontal force
 * keeps its direction when limited; the integral rests while it is. */
FM_FN void fm_station_step(const fm_station_params *p, fm_station_state *s, const fm_real error[3],
                           const fm_real velocity[3], fm_real psi, fm_par dt, fm_real force[3])
{
    const fm_real c = fm_cos(psi), n = fm_sin(psi);
    const fm_real north = p->kp[0] * error[0] + s->integral[0], east = p->kp[0] * error[1] + s->integral[1];
    const fm_real x = c * north + n * east - p->kd[0] * velocity[0], y = c * east - n * north - p->kd[0] * velocity[1];
    const fm_real size = fm_sqrt(x * x + y * y);
    const fm_real scale =
        fm_select(size > fm_real_wide(p->limit[0]), p->limit[0] / fm_max(size, fm_const(FM_TINY)), fm_const(1));
    const fm_real z = p->kp[1] * error[2] + s->integral[2] - p->kd[1] * velocity[2];
    force[0] = scale * x;
    force[1] = scale * y;
    force[2] = fm_clamp(z, fm_real_wide(-p->limit[1]), fm_real_wide(p->limit[1]));
    const fm_real level = fm_select(size > fm_real_wide(p->limit[0]), fm_const(0), fm_real_wide(p->ki[0] * dt));
    const fm_real vertical = fm_select(fm_abs(z) > fm_real_wide(p->limit[1]), fm_const(0), fm_real_wide(p->ki[1] * dt));
    s->integral[0] = s->integral[0] + level * error[0];
    s->integral[1] = s->integral[1] + level * error[1];
    s->integral[2] = s->integral[2] + vertical * error[2];
}

#endif
