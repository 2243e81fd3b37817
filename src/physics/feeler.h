/* A vehicle that feels walls, as one kernel: water past the nose, lateral line, IMU record, reflex, hover controller
 * and what is measured of it; the chain <flow>, <lateral-line>, <imu-record>, <reflex>, <hover-pd>, <avoidance-record>
 * in the order in which a world runs it. For engines that take whole runs (batch/); each law stands in its own header.
 */
#ifndef FM_PHYSICS_FEELER_H
#define FM_PHYSICS_FEELER_H

#include "base/random.h"
#include "physics/actuator.h"
#include "physics/flow_nose.h"
#include "physics/hover_pd.h"
#include "physics/mount.h"
#include "physics/reflex_orders.h"

#define FM_FEELER_EVEN 1e-12     /* m: distances that differ by less are the same to a world, or the other way round */
enum { FM_FEELER_SENSORS = 16 }; /* of one vehicle at most, here */

/* The parameters, a record of physics/flat.h: integers, then numbers. */
typedef struct fm_feeler {
    int32_t sensors, walls, motors;                     /* how many */
    int32_t model;                                      /* fm_flow_model */
    int32_t printed;                                    /* the reflex by the paper's rule */
    int32_t reflex_period, hover_period, record_period; /* steps */
    int32_t channel;                                    /* of the lateral line's noise */
    int32_t noisy;                                      /* it has any */
    int32_t follows;                                    /* a reflex that is told the orders of <hover-pd> */
    int32_t ends;                                       /* a contact ends the run */
    int32_t clearance;                                  /* min_clearance is wanted */
    fm_var radius, centre[3];                           /* m, of the nose, body axes */
    fm_thermistor bead;
    fm_var noise, bias, scale;       /* V, V, of the voltages */
    fm_var mount[3], turned[9];      /* of the IMU record: m, and its rotation into body axes */
    fm_var forward_scale, yaw_drift; /* , rad/s */
    fm_var spread, norm;             /* V */
    fm_var high_pass, fast;          /* s */
    fm_var cruise;                   /* m/s; 0: the speed at the start */
    fm_var back_speed, brake_speed, turn_error, turn_rate, calm, calm_time, resume_timeout, reverse_timeout,
        brake_timeout, turn_timeout;           /* of fm_reflex_params */
    fm_var speed, depth, bearing, pitch, roll; /* ordered; NaN: the first three are not */
    fm_hover_gains gains;
    fm_var hull[3];              /* m, half axis of the capsule, body axes, from its centre */
    fm_var middle[3], thickness; /* m, centre of it and its radius */
    fm_var touch, reach;         /* m: nearer is a contact; from the body's origin to the end of the hull */
} fm_feeler;
enum { FM_FEELER_INTEGERS = 13, FM_FEELER_NUMBERS = 4 + 9 + 3 + 12 + 2 + 2 + 2 + 1 + 10 + 5 + 11 + 9 };

typedef struct fm_feeler_sensor {
    fm_var from[3], unit[3]; /* m from the centre of the nose, and of length 1: body axes */
    fm_var offset[3];        /* m, likewise, as the reflex knows it */
    fm_var direction[3];     /* unit, along the surface */
    fm_var surge, yaw;       /* of fm_lateral_own_params */
} fm_feeler_sensor;

typedef struct fm_feeler_wall {
    fm_var position[3], normal[3]; /* m, NED; outward */
} fm_feeler_wall;

/* All of it as a step reads it. */
typedef struct fm_feeler_craft {
    const fm_feeler *p;
    const fm_feeler_sensor *sensors;
    const fm_feeler_wall *walls;
    const fm_hover_motor *motors;
    const fm_wall_table *table; /* of FM_FLOW_WALL */
    fm_lateral_params lateral;
    fm_lateral_own_params own;
    fm_par dt; /* s of a step */
} fm_feeler_craft;

/* What is kept from step to step. */
typedef struct fm_feeler_state {
    fm_real temperature[FM_LATERAL_SENSORS], velocity[FM_LATERAL_SENSORS]; /* K, m/s: of the beads */
    fm_lateral_state line;
    fm_lateral_own own;
    fm_reflex_calm calm;
    fm_reflex_state mind;
    fm_reflex_known known;
    fm_reflex_output order;                                       /* the last */
    fm_real ordered_speed;                                        /* m/s; NaN: none. As the hover controller told */
    fm_reflex_wish wish;                                          /* likewise */
    fm_real start_speed;                                          /* m/s */
    fm_real drift;                                                /* rad, of the yaw that is told */
    fm_real hold_depth, hold_yaw, last_depth, last_speed;         /* of the hover controller */
    fm_real path, alarm, stopped, closest;                        /* m: of the avoidance record */
    fm_real detections[2], gap[2], angle[2], stop[2], braking[2]; /* metrics: value and how often */
    fm_real contacts, over, doubt; /* onsets; 1: the run has ended; 1: only a world can tell how it goes on */
    fm_real clearance, tied;       /* m, least so far; 1: at several places, but for rounding */
    fm_real closest_pose[7];       /* where that was: position, attitude */
} fm_feeler_state;

/* Applies MOVE to every number that is kept, in one order. */
#define FM_FEELER_EACH(s, n, MOVE)                                                                                     \
    do {                                                                                                               \
        for (int each = 0; each < (n); each++) {                                                                       \
            MOVE((s)->temperature[each]);                                                                              \
            MOVE((s)->velocity[each]);                                                                                 \
            MOVE((s)->line.low[each]);                                                                                 \
            MOVE((s)->line.fast[each]);                                                                                \
            MOVE((s)->own.temperature[each]);                                                                          \
            MOVE((s)->own.speed[each]);                                                                                \
            MOVE((s)->own.felt[each]);                                                                                 \
        }                                                                                                              \
        MOVE((s)->own.forward);                                                                                        \
        MOVE((s)->own.yaw_rate);                                                                                       \
        MOVE((s)->calm.changing);                                                                                      \
        MOVE((s)->calm.calm_for);                                                                                      \
        MOVE((s)->mind.mode);                                                                                          \
        MOVE((s)->mind.since);                                                                                         \
        MOVE((s)->mind.calm_for);                                                                                      \
        MOVE((s)->mind.course);                                                                                        \
        MOVE((s)->mind.new_course);                                                                                    \
        MOVE((s)->mind.detections);                                                                                    \
        MOVE((s)->mind.rejected);                                                                                      \
        MOVE((s)->known.speed);                                                                                        \
        MOVE((s)->known.bearing);                                                                                      \
        MOVE((s)->known.depth);                                                                                        \
        MOVE((s)->known.pitch);                                                                                        \
        MOVE((s)->known.roll);                                                                                         \
        MOVE((s)->known.seen);                                                                                         \
        MOVE((s)->order.speed);                                                                                        \
        MOVE((s)->order.yaw);                                                                                          \
        MOVE((s)->order.reverse);                                                                                      \
        MOVE((s)->order.detected);                                                                                     \
        MOVE((s)->ordered_speed);                                                                                      \
        MOVE((s)->wish.bearing);                                                                                       \
        MOVE((s)->wish.depth);                                                                                         \
        MOVE((s)->wish.pitch);                                                                                         \
        MOVE((s)->wish.roll);                                                                                          \
        MOVE((s)->start_speed);                                                                                        \
        MOVE((s)->drift);                                                                                              \
        MOVE((s)->hold_depth);                                                                                         \
        MOVE((s)->hold_yaw);                                                                                           \
        MOVE((s)->last_depth);                                                                                         \
        MOVE((s)->last_speed);                                                                                         \
        MOVE((s)->path);                                                                                               \
        MOVE((s)->alarm);                                                                                              \
        MOVE((s)->stopped);                                                                                            \
        MOVE((s)->closest);                                                                                            \
        MOVE((s)->contacts);                                                                                           \
        MOVE((s)->over);                                                                                               \
        MOVE((s)->doubt);                                                                                              \
        MOVE((s)->clearance);                                                                                          \
        MOVE((s)->tied);                                                                                               \
        for (int each = 0; each < 3; each++)                                                                           \
            MOVE((s)->mind.direction[each]);                                                                           \
        for (int each = 0; each < 2; each++) {                                                                         \
            MOVE((s)->detections[each]);                                                                               \
            MOVE((s)->gap[each]);                                                                                      \
            MOVE((s)->angle[each]);                                                                                    \
            MOVE((s)->stop[each]);                                                                                     \
            MOVE((s)->braking[each]);                                                                                  \
        }                                                                                                              \
        for (int each = 0; each < 7; each++)                                                                           \
            MOVE((s)->closest_pose[each]);                                                                             \
    } while (0)

enum { FM_FEELER_NUMBERS_MOST = 7 * FM_FEELER_SENSORS + 67 };

FM_FN int fm_feeler_rows(int sensors)
{
    return 7 * sensors + 47 + 3 + 10 + 7;
}

/* Whose noise is drawn, and when. */
typedef struct fm_feeler_moment {
    const uint64_t *seeds, *ages; /* a vehicle each: of the lanes, or of the thread */
    uint64_t tick;                /* for periods: all vehicles of a group are at one */
} fm_feeler_moment;

/* What a vehicle finds around it at one moment. */
typedef struct fm_feeler_view {
    fm_real R[9];
    fm_real centre[3], velocity[3], turning[3]; /* of the nose: m, NED; m/s through the water; rad/s */
    fm_flow_tangent tangents[FM_FLOW_PLANES];
    fm_real gap, bearing; /* m, rad */
    fm_motion_record told;
    fm_real voltages[FM_FEELER_SENSORS];
} fm_feeler_view;

FM_FN void fm_feeler_wide(const fm_var *from, int count, fm_real *to)
{
    for (int i = 0; i < count; i++)
        to[i] = fm_real_wide(from[i]);
}

/* --- around the nose --- */

FM_FN void fm_feeler_look(const fm_feeler_craft *f, const fm_body *body, const fm_body_state *state,
                          const fm_real water[3], fm_feeler_view *v)
{
    const fm_feeler *p = f->p;
    fm_real centre[3];
    fm_feeler_wide(p->centre, 3, centre);
    fm_body_matrix(body, state->attitude, v->R);
    fm_nose_centre(state->position, v->R, centre, v->centre);
    fm_nose_velocity(state->velocity, v->R, water, centre, v->velocity);
    for (int k = 0; k < 3; k++)
        v->turning[k] = state->velocity[3 + k];
    for (int i = 0; i < p->walls; i++) {
        fm_real offset[3], normal[3], wall[3];
        fm_feeler_wide(f->walls[i].normal, 3, normal);
        for (int k = 0; k < 3; k++)
            offset[k] = f->walls[i].position[k] - v->centre[k];
        fm_real h = fm_nose_plane(offset, normal, wall);
        fm_nose_keep(v->tangents, i, wall, h, v->R);
    }
    v->gap = p->walls ? v->tangents[0].h - p->radius : fm_const(FM_HUGE);
    v->bearing = p->walls ? fm_atan2(v->tangents[0].wall[1], v->tangents[0].wall[0]) : fm_const(0);
}

/* Water past each sensor [m/s]. */
FM_FN void fm_feeler_feel(const fm_feeler_craft *f, const fm_feeler_view *v, fm_real *speed)
{
    const fm_feeler *p = f->p;
    fm_real from[FM_FEELER_SENSORS][3], unit[FM_FEELER_SENSORS][3], w[FM_FEELER_SENSORS][3];
    for (int i = 0; i < p->sensors; i++) {
        fm_feeler_wide(f->sensors[i].from, 3, from[i]);
        fm_feeler_wide(f->sensors[i].unit, 3, unit[i]);
        for (int k = 0; k < 3; k++)
            w[i][k] = fm_const(0);
    }
    if (p->model == FM_FLOW_DIPOLE || p->model == FM_FLOW_MIRROR)
        fm_nose_sample_mirror(v->tangents, p->model == FM_FLOW_MIRROR ? p->walls : 0, p->radius, v->velocity,
                              p->sensors, (const fm_real(*)[3])from, w);
    if (p->model == FM_FLOW_WALL)
        fm_nose_sample_walls(f->table, v->tangents, p->walls, p->radius, v->velocity, p->sensors,
                             (const fm_real(*)[3])unit, w);
    for (int i = 0; i < p->sensors; i++) {
        fm_real direction[3];
        fm_feeler_wide(f->sensors[i].direction, 3, direction);
        fm_flow_from_hull(v->velocity, v->turning, from[i], w[i]);
        speed[i] = fm_dot(w[i], direction);
    }
}

/* --- sensors --- */

/* Two normal numbers: those with the indices 2 pair and 2 pair + 1. */
FM_FN void fm_feeler_draw(const fm_feeler_moment *now, uint32_t channel, uint32_t pair, fm_real out[2])
{
    fm_real u = fm_const(0), v = fm_const(0);
#if defined(FM_LANES) && !defined(__CUDACC__)
    for (int i = 0; i < FM_LANES; i++) {
        fm_random_key key = {now->seeds[i], 0, channel};
        uint32_t bits[4];
        fm_random_block_at(key, now->ages[i], pair, bits);
        u[i] = fm_random_part(bits[0], bits[1]);
        v[i] = fm_random_part(bits[2], bits[3]);
    }
#else
    fm_random_key key = {now->seeds[0], 0, channel};
    uint32_t bits[4];
    fm_random_block_at(key, now->ages[0], pair, bits);
    u = fm_random_part(bits[0], bits[1]);
    v = fm_random_part(bits[2], bits[3]);
#endif
    out[0] = fm_random_normal_of(u, v, 0);
    out[1] = fm_random_normal_of(u, v, 1);
}

FM_WHOLE void fm_feeler_measure(const fm_feeler_craft *f, const fm_feeler_moment *now, fm_feeler_state *s,
                                fm_feeler_view *v)
{
    const fm_feeler *p = f->p;
    fm_real speed[FM_FEELER_SENSORS], noise[2];
    fm_feeler_feel(f, v, speed);
    for (int i = 0; i < p->sensors; i++) {
        fm_real mean = fm_const(0.5) * (fm_abs(s->velocity[i]) + fm_abs(speed[i]));
        s->temperature[i] = fm_thermistor_step(&p->bead, s->temperature[i], mean, f->dt);
        s->velocity[i] = speed[i];
        fm_real u = fm_thermistor_voltage(&p->bead, s->temperature[i]);
        u = u + p->bias + p->scale * u;
        if (p->noisy) {
            if (i % 2 == 0)
                fm_feeler_draw(now, (uint32_t)p->channel, (uint32_t)i / 2, noise);
            u += p->noise * noise[i % 2];
        }
        v->voltages[i] = u;
    }
}

/* The IMU record. */
FM_FN void fm_feeler_tell(const fm_feeler_craft *f, const fm_body_state *state, fm_feeler_state *s, fm_feeler_view *v)
{
    const fm_feeler *p = f->p;
    fm_real at[3], turned[9];
    fm_feeler_wide(p->mount, 3, at);
    fm_feeler_wide(p->turned, 9, turned);
    fm_mount_place place = fm_mount_where(at, turned, state->position, v->R, state->velocity);
    v->told.depth = place.position[2];
    fm_mount_euler(place.rotation, v->told.euler);
    v->told.euler[2] += s->drift;
    s->drift += p->yaw_drift * f->dt;
    for (int k = 0; k < 3; k++)
        v->told.rates[k] = place.rates[k];
    v->told.forward = p->forward_scale * place.velocity[0];
}

/* --- control --- */

/* What is ordered, or where that is not a number, what was found. */
FM_FN fm_real fm_feeler_or_else(fm_real ordered, fm_real otherwise)
{
    return fm_select(ordered == ordered, ordered, otherwise);
}

FM_FN fm_real fm_feeler_cruise(const fm_feeler *p, const fm_feeler_state *s)
{
    fm_real own = fm_select(fm_real_wide(p->cruise) > fm_const(0), fm_real_wide(p->cruise), s->start_speed);
    return p->follows ? fm_feeler_or_else(s->ordered_speed, own) : own;
}

FM_FN fm_reflex_params fm_feeler_reflex(const fm_feeler *p, fm_real cruise)
{
    fm_reflex_params r;
    r.printed = p->printed;
    r.cruise_speed = fm_var_of(cruise);
    r.back_speed = p->back_speed, r.brake_speed = p->brake_speed;
    r.turn_error = p->turn_error, r.turn_rate = p->turn_rate;
    r.calm = p->calm, r.calm_time = p->calm_time;
    r.resume_timeout = p->resume_timeout, r.reverse_timeout = p->reverse_timeout;
    r.brake_timeout = p->brake_timeout, r.turn_timeout = p->turn_timeout;
    return r;
}

/* The hover controller's record: what it is ordered. The reflex reads it in the next step. */
FM_FN void fm_feeler_tell_orders(const fm_feeler *p, fm_feeler_state *s)
{
    s->ordered_speed = fm_real_wide(p->speed);
    s->wish.bearing = fm_real_wide(p->bearing);
    s->wish.depth = fm_feeler_or_else(fm_real_wide(p->depth), s->hold_depth);
    s->wish.pitch = fm_real_wide(p->pitch);
    s->wish.roll = fm_real_wide(p->roll);
}

FM_WHOLE void fm_feeler_react(const fm_feeler_craft *f, const fm_feeler_view *v, fm_feeler_state *s)
{
    const fm_feeler *p = f->p;
    fm_par dt = (fm_par)p->reflex_period * f->dt;
    fm_real cruise = fm_feeler_cruise(p, s);
    fm_reflex_params par = fm_feeler_reflex(p, cruise);
    fm_lateral_feel feel;
    fm_mask changed = fm_reflex_take_orders(&s->known, cruise, p->follows ? &s->wish : NULL, &s->mind);
    fm_reflex_follow_own(&f->own, &p->bead, p->sensors, changed, v->told.forward, v->told.rates[2], v->voltages, dt,
                         &s->own, &s->calm, &s->line);
    fm_lateral_step(&f->lateral, v->voltages, fm_reflex_blind(&par, &s->mind), &s->line, &feel);
    fm_reflex_wait_for_calm(p->calm, p->calm_time, feel.unrest, dt, &s->calm);
    feel.exceeds = fm_select(cruise == fm_const(0), fm_const(0), feel.exceeds);
    fm_reflex_input in;
    in.yaw = v->told.euler[2], in.yaw_rate = v->told.rates[2], in.forward = v->told.forward;
    fm_reflex_step(&par, &feel, &in, dt, &s->mind, &s->order);
}

FM_FN void fm_feeler_hover(const fm_feeler_craft *f, const fm_feeler_view *v, fm_feeler_state *s,
                           fm_actuator_state *actuators)
{
    const fm_feeler *p = f->p;
    fm_real wrench[6];
    fm_hover_want want;
    fm_feeler_tell_orders(p, s);
    want.depth = s->wish.depth;
    want.bearing = s->order.yaw;
    want.speed = s->order.speed;
    want.pitch = s->wish.pitch;
    want.roll = s->wish.roll;
    fm_hover_wrench(&p->gains, &v->told, s->last_depth, s->last_speed, &want, (fm_par)p->hover_period * f->dt, wrench);
    s->last_depth = v->told.depth;
    s->last_speed = v->told.forward;
    for (int i = 0; i < p->motors; i++)
        actuators[f->motors[i].actuator].order = fm_hover_order(&f->motors[i], wrench, s->order.reverse);
}

/* --- what is measured --- */

/* A metric that keeps its first value. */
FM_FN void fm_feeler_note(fm_real metric[2], fm_mask wanted, fm_real value)
{
    fm_mask first = wanted & (metric[1] == fm_const(0));
    metric[0] = fm_select(first, value, metric[0]);
    metric[1] = fm_select(wanted, metric[1] + fm_const(1), metric[1]);
}

FM_FN void fm_feeler_record(const fm_feeler_craft *f, const fm_feeler_view *v, fm_real forward, fm_feeler_state *s)
{
    fm_real zero = fm_const(0), one = fm_const(1);
    fm_mask stops = (s->stopped < zero) & (forward <= zero);
    s->stopped = fm_select(stops, s->path, s->stopped);
    fm_feeler_note(s->stop, stops, s->path);
    fm_feeler_note(s->braking, stops & (s->alarm >= zero), s->path - s->alarm);
    fm_mask found = s->order.detected > fm_const(0.5);
    s->detections[0] = fm_select(found, s->detections[0] + one, s->detections[0]);
    s->detections[1] = fm_select(found, s->detections[1] + one, s->detections[1]);
    s->alarm = fm_select(found & (s->alarm < zero), s->path, s->alarm);
    if (f->p->walls && fm_any(found)) {
        fm_real bearing = fm_atan2(s->mind.direction[1], s->mind.direction[0]);
        fm_feeler_note(s->gap, found, v->gap);
        fm_feeler_note(s->angle, found, fm_reflex_wrap(bearing - v->bearing));
    }
    s->closest = fm_min(s->closest, v->gap);
    s->path = s->path + forward * ((fm_par)f->p->record_period * f->dt);
}

/* --- a step --- */

/* Senses and decides, before the body moves; orders of the motors become those of the actuators. */
FM_FN void fm_feeler_step(const fm_feeler_craft *f, const fm_body *body, const fm_body_state *state,
                          const fm_real water[3], const fm_feeler_moment *now, fm_feeler_state *s,
                          fm_actuator_state *actuators)
{
    const fm_feeler *p = f->p;
    fm_feeler_view v;
    fm_feeler_look(f, body, state, water, &v);
    fm_feeler_measure(f, now, s, &v);
    fm_feeler_tell(f, state, s, &v);
    if (p->reflex_period == 1 || now->tick % (uint64_t)p->reflex_period == 0)
        fm_feeler_react(f, &v, s);
    if (p->hover_period == 1 || now->tick % (uint64_t)p->hover_period == 0)
        fm_feeler_hover(f, &v, s, actuators);
    if (p->record_period && (p->record_period == 1 || now->tick % (uint64_t)p->record_period == 0))
        fm_feeler_record(f, &v, state->velocity[0], s);
}

/* Distance [m] of the hull to the nearest wall; the hull is a capsule. */
FM_FN fm_real fm_feeler_distance(const fm_feeler_craft *f, const fm_real position[3], const fm_real R[9])
{
    const fm_feeler *p = f->p;
    fm_real least = fm_const(FM_HUGE);
    for (int i = 0; i < p->walls; i++) {
        fm_real height = fm_const(0), reach = fm_const(0);
        for (int k = 0; k < 3; k++) {
            fm_real middle = R[3 * k] * p->middle[0] + R[3 * k + 1] * p->middle[1] + R[3 * k + 2] * p->middle[2];
            fm_real axis = R[3 * k] * p->hull[0] + R[3 * k + 1] * p->hull[1] + R[3 * k + 2] * p->hull[2];
            height += f->walls[i].normal[k] * (position[k] + middle - f->walls[i].position[k]);
            reach += f->walls[i].normal[k] * axis;
        }
        least = fm_min(least, height - fm_abs(reach) - p->thickness);
    }
    return least;
}

/* After the body has moved: clearance and contact. What a touch does to a hull only a world knows, unless it ends the
 * run; so does how near a hull that turns came within a step. */
FM_FN void fm_feeler_touch(const fm_feeler_craft *f, const fm_body *body, const fm_body_state *state,
                           fm_feeler_state *s)
{
    const fm_feeler *p = f->p;
    fm_real R[9], one = fm_const(1);
    if (!p->walls)
        return;
    fm_body_matrix(body, state->attitude, R);
    fm_real d = fm_feeler_distance(f, state->position, R);
    fm_mask nearer = d < s->clearance;
    fm_real even = fm_select(fm_abs(d - s->clearance) < fm_const(FM_FEELER_EVEN), one, fm_const(0));
    s->tied = fm_select(nearer, even, fm_max(s->tied, even));
    s->clearance = fm_select(nearer, d, s->clearance);
    for (int k = 0; k < 3; k++)
        s->closest_pose[k] = fm_select(nearer, state->position[k], s->closest_pose[k]);
    for (int k = 0; k < 4; k++)
        s->closest_pose[3 + k] = fm_select(nearer, state->attitude[k], s->closest_pose[3 + k]);
    fm_real turn = fm_norm(state->velocity + 3) * f->dt;
    fm_mask touched = d < fm_real_wide(p->touch);
    fm_mask close = d < p->touch + turn * turn * p->reach + fm_const(1e-6);
    s->doubt = fm_select(p->ends ? close & (touched == 0) : close, one, s->doubt);
    s->contacts = fm_select(touched, one, s->contacts);
    if (p->ends)
        s->over = fm_select(touched, one, s->over);
}

/* --- the start --- */

FM_FN fm_feeler_craft fm_feeler_open(const fm_feeler *p, const fm_feeler_sensor *sensors, const fm_feeler_wall *walls,
                                     const fm_hover_motor *motors, const fm_wall_table *table, fm_par dt)
{
    fm_feeler_craft f;
    f.p = p, f.sensors = sensors, f.walls = walls, f.motors = motors, f.table = table, f.dt = dt;
    f.lateral.count = p->sensors;
    f.lateral.spread = p->spread, f.lateral.norm = p->norm;
    fm_lateral_set_step(&f.lateral, (fm_par)p->reflex_period * dt, p->high_pass, p->fast);
    for (int i = 0; i < p->sensors; i++) {
        f.own.surge[i] = sensors[i].surge;
        f.own.yaw[i] = sensors[i].yaw;
        for (int k = 0; k < 3; k++)
            f.lateral.position[i][k] = sensors[i].offset[k];
    }
    return f;
}

/* As the parts start: beads steady, filters at the present voltages, cruising. */
FM_FN void fm_feeler_begin(const fm_feeler_craft *f, const fm_body *body, const fm_body_state *state,
                           const fm_real water[3], fm_feeler_state *s)
{
    const fm_feeler *p = f->p;
    fm_real zero = fm_const(0);
    fm_feeler_view v;
#define FM_FEELER_CLEAR(x) (x) = zero
    FM_FEELER_EACH(s, p->sensors, FM_FEELER_CLEAR);
#undef FM_FEELER_CLEAR
    fm_feeler_look(f, body, state, water, &v);
    fm_feeler_feel(f, &v, s->velocity);
    for (int i = 0; i < p->sensors; i++) {
        s->temperature[i] = fm_thermistor_steady(&p->bead, s->velocity[i]);
        v.voltages[i] = fm_thermistor_voltage(&p->bead, s->temperature[i]);
    }
    fm_feeler_tell(f, state, s, &v);
    s->start_speed = v.told.forward;
    s->mind = fm_reflex_start(v.told.euler[2]);
    fm_lateral_reset(&f->lateral, v.voltages, &s->line);
    s->known.speed = v.told.forward;
    s->known.bearing = zero / zero;
    s->order.yaw = v.told.euler[2];
    s->order.speed = fm_select(fm_real_wide(p->cruise) > zero, fm_real_wide(p->cruise), s->start_speed);
    s->hold_depth = s->last_depth = v.told.depth;
    s->hold_yaw = v.told.euler[2];
    s->last_speed = v.told.forward;
    fm_feeler_tell_orders(p, s);
    s->alarm = s->stopped = fm_const(-1);
    s->closest = s->clearance = fm_const(FM_HUGE);
}

#endif
