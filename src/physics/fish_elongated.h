/* Large-amplitude elongated-body theory of a jointed fish in momentum form, with recoil (E1)-(E7).
 *
 * The body is a row of elements on the head and the links. Each carries body mass and, across it, added mass of
 * water per length m_a = rho pi H^2/4. Momentum and angular momentum of fish and water are linear in the head's
 * velocity, P = A(q) V + b(q, q'), so a 3 x 3 solve gives the recoil; only drag and what the trailing edge sheds
 * change them. Planar, frames as in physics/fish.h; momentum in world axes, angular momentum about joint 1, so that
 * nothing depends on where in the world the fish is. */
#ifndef FM_PHYSICS_FISH_ELONGATED_H
#define FM_PHYSICS_FISH_ELONGATED_H

#include "physics/fish.h"

enum { FM_FISH_ELEMENTS_MAX = 96 };

/* One element, on body 0 (head) or one of the links from 1. */
typedef struct fm_fish_element {
    int link;
    fm_var along;      /* head: distance ahead of joint 1; link: behind its own joint; m */
    fm_var body_mass;  /* kg */
    fm_var added_mass; /* of water across the element, kg */
    fm_var skin;       /* wetted area, m2 */
    fm_var side;       /* projected side area, m2 */
} fm_fish_element;

typedef struct fm_fish_elongated_params {
    int count;
    int recoil;   /* 0: the head is held on its course and moves ahead only (a check, not a fish) */
    int shedding; /* 0: the trailing edge sheds nothing (a check of conservation) */
    fm_fish_tail tail;
    fm_var tail_added; /* m_a at the trailing edge, kg/m */
    fm_var density;    /* kg/m3 */
    fm_var viscosity;  /* m2/s */
    fm_var length;     /* body length in the Reynolds number, m */
    fm_var cross_drag; /* C_D of flow across the body, 1 */
    fm_var skin_drag;  /* factor on the friction drag, 1 */
    const fm_fish_element *element;
} fm_fish_elongated_params;

typedef struct fm_fish_elongated_state {
    fm_real x, y, heading;          /* joint 1 in the world, m, rad */
    fm_real momentum_x, momentum_y; /* world axes, kg m/s */
    fm_real spin;                   /* angular momentum about joint 1, kg m2/s */
} fm_fish_elongated_state;

/* What a step found; forces in body axes. */
typedef struct fm_fish_elongated_out {
    fm_real forward, sideways, yaw_rate; /* velocity of joint 1, m/s, and rad/s */
    fm_real thrust, side_force;          /* of the trailing edge along and across the heading, N */
    fm_real wake_power;                  /* kinetic energy left in the wake, W */
    fm_real drag;                        /* along the heading, N (negative when it brakes) */
} fm_fish_elongated_out;

/* Posture of one body of the chain in body axes: position of its front end, tangent towards the head, and rates. */
typedef struct fm_fish_segment {
    fm_real x, y, tx, ty; /* m, unit vector */
    fm_real vx, vy, turn; /* velocity of the front end relative to the head, m/s; own turn rate, rad/s */
} fm_fish_segment;

/* Head and links, joints + 1 of them. */
FM_FN void fm_fish_segments(const fm_fish_tail *tail, const fm_real *angle, const fm_real *rate, fm_fish_segment *out)
{
    fm_real zero = fm_const(0), psi = zero;
    const fm_fish_segment first = {zero, zero, fm_const(1), zero, zero, zero, zero};
    out[0] = first;
    for (int j = 0; j < tail->joints; j++) {
        const fm_fish_segment *b = &out[j];
        fm_real l =
            j == 0 ? zero : fm_real_wide(tail->link[j - 1]); /* the front of link j+1 is the rear end of link j */
        psi = psi + angle[j];
        out[j + 1].x = b->x - l * b->tx;
        out[j + 1].y = b->y - l * b->ty;
        out[j + 1].vx = b->vx + l * b->turn * b->ty;
        out[j + 1].vy = b->vy - l * b->turn * b->tx;
        out[j + 1].tx = fm_cos(psi);
        out[j + 1].ty = fm_sin(psi);
        out[j + 1].turn = b->turn + rate[j];
    }
}

/* A point of the body at `along` (m towards the head from the segment's front end): position and own velocity. */
typedef struct fm_fish_point {
    fm_real x, y, vx, vy;
} fm_fish_point;

FM_FN fm_fish_point fm_fish_point_on(const fm_fish_segment *s, fm_real along)
{
    const fm_fish_point point = {s->x + along * s->tx, s->y + along * s->ty, s->vx - along * s->turn * s->ty,
                                 s->vy + along * s->turn * s->tx};
    return point;
}

FM_FN fm_real fm_fish_element_offset(const fm_fish_element *e)
{
    return fm_real_wide(e->link == 0 ? e->along : -e->along);
}

/* P = A V + b in body axes: a holds the upper triangle xx xy xw yy yw ww, b the part of the body's own motion. */
FM_FN void fm_fish_momentum_matrix(const fm_fish_elongated_params *p, const fm_fish_segment *seg, fm_real a[6],
                                   fm_real b[3])
{
    for (int i = 0; i < 6; i++)
        a[i] = fm_const(0);
    for (int i = 0; i < 3; i++)
        b[i] = fm_const(0);
    for (int i = 0; i < p->count; i++) {
        const fm_fish_element *e = &p->element[i];
        const fm_fish_segment *s = &seg[e->link];
        fm_fish_point r = fm_fish_point_on(s, fm_fish_element_offset(e));
        fm_real nx = -s->ty, ny = s->tx;
        fm_real mxx = fm_real_wide(e->body_mass) + fm_real_wide(e->added_mass) * nx * nx;
        fm_real mxy = fm_real_wide(e->added_mass) * nx * ny;
        fm_real myy = fm_real_wide(e->body_mass) + fm_real_wide(e->added_mass) * ny * ny;
        fm_real mxw = mxy * r.x - mxx * r.y, myw = myy * r.x - mxy * r.y;
        fm_real px = mxx * r.vx + mxy * r.vy, py = mxy * r.vx + myy * r.vy;
        a[0] = a[0] + mxx;
        a[1] = a[1] + mxy;
        a[2] = a[2] + mxw;
        a[3] = a[3] + myy;
        a[4] = a[4] + myw;
        a[5] = a[5] + r.x * myw - r.y * mxw;
        b[0] = b[0] + px;
        b[1] = b[1] + py;
        b[2] = b[2] + r.x * py - r.y * px;
    }
}

/* Symmetric 3 x 3 system by elimination; A is a mass matrix, so no pivot vanishes. */
FM_FN void fm_fish_solve3(const fm_real a[6], const fm_real r[3], fm_real v[3])
{
    fm_real l1 = a[1] / a[0], l2 = a[2] / a[0];
    fm_real d = a[3] - l1 * a[1], e = a[4] - l1 * a[2], f = a[5] - l2 * a[2];
    fm_real r1 = r[1] - l1 * r[0], l3 = e / d;
    v[2] = (r[2] - l2 * r[0] - l3 * r1) / (f - l3 * e);
    v[1] = (r1 - e * v[2]) / d;
    v[0] = (r[0] - a[1] * v[1] - a[2] * v[2]) / a[0];
}

/* Velocity of the head in body axes from momentum; without recoil only the forward part is free. */
FM_FN void fm_fish_head_velocity(const fm_fish_elongated_params *p, const fm_fish_elongated_state *s,
                                 const fm_fish_segment *seg, fm_real v[3])
{
    fm_real a[6], b[3], r[3], c = fm_cos(s->heading), w = fm_sin(s->heading);
    fm_fish_momentum_matrix(p, seg, a, b);
    r[0] = c * s->momentum_x + w * s->momentum_y - b[0];
    r[1] = c * s->momentum_y - w * s->momentum_x - b[1];
    r[2] = s->spin - b[2];
    if (p->recoil) {
        fm_fish_solve3(a, r, v);
    } else {
        v[0] = r[0] / a[0];
        v[1] = v[2] = fm_const(0);
    }
}

/* Velocity of a point along (u) and across (w) its segment. */
FM_FN void fm_fish_point_speed(const fm_fish_point *r, const fm_fish_segment *s, const fm_real v[3], fm_real *u,
                               fm_real *w)
{
    fm_real vx = v[0] - v[2] * r->y + r->vx, vy = v[1] + v[2] * r->x + r->vy;
    *u = vx * s->tx + vy * s->ty;
    *w = vy * s->tx - vx * s->ty;
}

/* Friction along and resistance across every element: force and moment about joint 1 in body axes. */
FM_FN void fm_fish_body_drag(const fm_fish_elongated_params *p, const fm_fish_segment *seg, const fm_real v[3],
                             fm_real force[3])
{
    fm_real cf = fm_fish_friction(p->length, p->viscosity, v[0]);
    force[0] = force[1] = force[2] = fm_const(0);
    for (int i = 0; i < p->count; i++) {
        const fm_fish_element *e = &p->element[i];
        const fm_fish_segment *s = &seg[e->link];
        fm_fish_point r = fm_fish_point_on(s, fm_fish_element_offset(e));
        fm_real u, w;
        fm_fish_point_speed(&r, s, v, &u, &w);
        fm_real along = fm_const(-0.5) * p->density * p->skin_drag * e->skin * cf * u * fm_abs(u);
        fm_real across = fm_const(-0.5) * p->density * p->cross_drag * e->side * w * fm_abs(w);
        fm_real fx = along * s->tx - across * s->ty, fy = along * s->ty + across * s->tx;
        force[0] = force[0] + fx;
        force[1] = force[1] + fy;
        force[2] = force[2] + r.x * fy - r.y * fx;
    }
}

/* (E4): G = m (-u w n + w^2 t/2) at the trailing edge, with its moment; the wake takes m u w^2/2. */
FM_FN void fm_fish_tail_force(const fm_fish_elongated_params *p, const fm_fish_segment *last, const fm_real v[3],
                              fm_real force[3], fm_real *wake_power)
{
    fm_fish_point r = fm_fish_point_on(last, fm_real_wide(-p->tail.link[p->tail.joints - 1]));
    fm_real u, w, m = p->shedding ? fm_real_wide(p->tail_added) : fm_const(0);
    fm_fish_point_speed(&r, last, v, &u, &w);
    fm_real t = fm_const(0.5) * m * w * w, n = -m * u * w;
    force[0] = t * last->tx - n * last->ty;
    force[1] = t * last->ty + n * last->tx;
    force[2] = r.x * force[1] - r.y * force[0];
    *wake_power = t * u;
}

/* One step of h s with the posture of the moment; `thrust_factor` scales the tail's force (1; cos theta_d where (H9)
 * steers the fish in place of the theory, see fm_fish_elongated_steer). Order: solve, position, momentum. */
FM_FN void fm_fish_elongated_step(const fm_fish_elongated_params *p, fm_fish_elongated_state *s, const fm_real *angle,
                                  const fm_real *rate, fm_real thrust_factor, fm_real h, fm_fish_elongated_out *out)
{
    fm_fish_segment seg[FM_FISH_JOINTS_MOST + 1];
    fm_real v[3], tail[3], drag[3], c = fm_cos(s->heading), w = fm_sin(s->heading);
    fm_fish_segments(&p->tail, angle, rate, seg);
    fm_fish_head_velocity(p, s, seg, v);
    fm_fish_tail_force(p, &seg[p->tail.joints], v, tail, &out->wake_power);
    fm_fish_body_drag(p, seg, v, drag);
    out->forward = v[0];
    out->sideways = v[1];
    out->yaw_rate = v[2];
    out->thrust = tail[0] * thrust_factor;
    out->side_force = tail[1] * thrust_factor;
    out->drag = drag[0];
    fm_real fx = out->thrust + drag[0], fy = out->side_force + drag[1];
    fm_real moment = tail[2] * thrust_factor + drag[2];
    fm_real px = s->momentum_x + h * (c * fx - w * fy), py = s->momentum_y + h * (w * fx + c * fy);
    fm_real dx = h * (c * v[0] - w * v[1]), dy = h * (w * v[0] + c * v[1]);
    s->spin = s->spin + h * moment - (dx * py - dy * px);
    s->momentum_x = px;
    s->momentum_y = py;
    s->x = s->x + dx;
    s->y = s->y + dy;
    s->heading = s->heading + h * v[2];
}

/* Sets the momentum that belongs to a given velocity (body axes) and posture. */
FM_FN void fm_fish_elongated_start(const fm_fish_elongated_params *p, fm_fish_elongated_state *s, const fm_real *angle,
                                   const fm_real *rate, const fm_real v[3])
{
    fm_fish_segment seg[FM_FISH_JOINTS_MOST + 1];
    fm_real a[6], b[3], c = fm_cos(s->heading), w = fm_sin(s->heading);
    fm_fish_segments(&p->tail, angle, rate, seg);
    fm_fish_momentum_matrix(p, seg, a, b);
    fm_real px = a[0] * v[0] + a[1] * v[1] + a[2] * v[2] + b[0];
    fm_real py = a[1] * v[0] + a[3] * v[1] + a[4] * v[2] + b[1];
    s->spin = a[2] * v[0] + a[4] * v[1] + a[5] * v[2] + b[2];
    s->momentum_x = c * px - w * py;
    s->momentum_y = w * px + c * py;
}

/* Turns fish and momentum together by `turn` rad: how (H9) steers a fish whose surge is this theory's. */
FM_FN void fm_fish_elongated_steer(fm_fish_elongated_state *s, fm_real turn)
{
    fm_real c = fm_cos(turn), w = fm_sin(turn), px = s->momentum_x;
    s->heading = s->heading + turn;
    s->momentum_x = c * px - w * s->momentum_y;
    s->momentum_y = w * px + c * s->momentum_y;
}

/* Running mean over the last beat, for efficiency and Strouhal number. Sums restart when the phase wraps. */
typedef struct fm_fish_beat {
    fm_real time, path, impulse, wake;           /* of the beat under way: s, m, N s, J */
    fm_real speed, thrust, efficiency, strouhal; /* of the last full beat: m/s, N, 1, 1 */
} fm_fish_beat;

/* After a step of h s; `wrapped`: a new beat begins. Froude efficiency T U/(T U + wake power); St = f A/U with the
 * wave's A. */
FM_FN void fm_fish_beat_add(fm_fish_beat *b, const fm_fish_elongated_out *o, fm_real frequency, fm_var beat_width,
                            fm_mask wrapped, fm_real h)
{
    fm_real tiny = fm_const(1e-12), zero = fm_const(0);
    fm_real time = fm_max(b->time, tiny), speed = b->path / time, mean = b->impulse / time;
    fm_real useful = mean * speed, all = useful + b->wake / time;
    b->speed = fm_select(wrapped, speed, b->speed);
    b->thrust = fm_select(wrapped, mean, b->thrust);
    b->efficiency = fm_select(wrapped, fm_select(all > tiny, useful / fm_max(all, tiny), zero), b->efficiency);
    b->strouhal = fm_select(wrapped, fm_real_wide(beat_width) * frequency / fm_max(speed, fm_const(1e-6)), b->strouhal);
    b->time = fm_select(wrapped, zero, b->time) + h;
    b->path = fm_select(wrapped, zero, b->path) + h * o->forward;
    b->impulse = fm_select(wrapped, zero, b->impulse) + h * o->thrust;
    b->wake = fm_select(wrapped, zero, b->wake) + h * o->wake_power;
}

#endif
