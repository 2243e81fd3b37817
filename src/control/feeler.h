/* A vehicle that detects walls, as one kernel: water past the nose, lateral line, IMU record, reflex, hover controller
 * and its metrics; the chain <flow>, <lateral-line>, <imu-record>, <reflex>, <hover-pd>, <avoidance-record> in the
 * order in which a world runs it. For engines that make whole runs (batch/); each law is in its own header. */
#ifndef FM_CONTROL_FEELER_H
#define FM_CONTROL_FEELER_H

#include "control/feeler_sense.h"
#include "control/link.h"
#include "physics/actuator.h"

/* --- control --- */

/* The order, or if that is not a number, the present value. */
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

/* The hover controller's record: its orders. The reflex reads it in the next step. */
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
    if (f->walls && fm_any(found)) {
        fm_real bearing = fm_atan2(s->mind.direction[1], s->mind.direction[0]);
        fm_feeler_note(s->gap, found, v->gap);
        fm_feeler_note(s->angle, found, fm_reflex_wrap(bearing - v->bearing));
    }
    s->closest = fm_min(s->closest, v->gap);
    s->path = s->path + forward * ((fm_par)f->p->record_period * f->dt);
}

/* --- a step --- */

/* A link of such a vehicle, which is due; 0: it is another's. */
FM_FN int fm_feeler_run(const fm_feeler_craft *f, const fm_link *link, const fm_body_state *state, fm_feeler_view *v,
                        fm_feeler_state *s, fm_actuator_state *actuators)
{
    switch (link->id) {
    case FM_LINK_REFLEX: fm_feeler_react(f, v, s); return 1;
    case FM_LINK_HOVER_PD: fm_feeler_hover(f, v, s, actuators); return 1;
    case FM_LINK_AVOIDANCE_RECORD: fm_feeler_record(f, v, state->velocity[0], s); return 1;
    default: return 0;
    }
}

/* What sensors feel before anything decides, in water that moves everywhere alike and among things at rest in it.
 * `doubt` becomes 1 where only a world can tell. */
FM_FN void fm_feeler_sense(const fm_feeler_craft *f, const fm_body *body, const fm_body_state *state,
                           const fm_real water[3], const fm_step_moment *now, fm_feeler_state *s, fm_real *doubt,
                           fm_feeler_view *v)
{
    fm_feeler_observe(f, body, state, water, 0, v);
    *doubt = fm_select(v->lost, fm_const(1), *doubt);
    fm_feeler_measure(f, now, s, v);
    fm_feeler_tell(f, state, s, v);
}

/* --- the start --- */

FM_FN fm_feeler_craft fm_feeler_open(const fm_feeler *p, const fm_feeler_sensor *sensors, const fm_hover_motor *motors,
                                     fm_ground_craft ground, const fm_wall_table *table, fm_par dt)
{
    fm_feeler_craft f;
    f.p = p, f.sensors = sensors, f.motors = motors, f.ground = ground, f.table = table, f.dt = dt;
    f.walls = ground.p ? ground.p->solids : 0;
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

FM_FN void fm_feeler_clear(const fm_feeler_craft *f, fm_feeler_state *s)
{
#define FM_FEELER_ZERO(x) (x) = fm_const(0)
    FM_FEELER_EACH(s, f->p->sensors, FM_FEELER_ZERO);
#undef FM_FEELER_ZERO
}

/* As the parts start, of what is seen, and with the water past the sensors in s->velocity: beads steady, filters at the
 * present voltages, cruising. */
FM_FN void fm_feeler_settle(const fm_feeler_craft *f, const fm_body_state *state, fm_feeler_view *v, fm_feeler_state *s)
{
    const fm_feeler *p = f->p;
    fm_real zero = fm_const(0);
    for (int i = 0; i < p->sensors; i++) {
        s->temperature[i] = fm_thermistor_steady(&p->bead, s->velocity[i]);
        v->voltages[i] = fm_thermistor_voltage(&p->bead, s->temperature[i]);
    }
    fm_feeler_tell(f, state, s, v);
    s->start_speed = v->told.forward;
    s->mind = fm_reflex_start(v->told.euler[2]);
    fm_lateral_reset(&f->lateral, v->voltages, &s->line);
    s->known.speed = v->told.forward;
    s->known.bearing = zero / zero;
    s->order.yaw = v->told.euler[2];
    s->order.speed = fm_select(fm_real_wide(p->cruise) > zero, fm_real_wide(p->cruise), s->start_speed);
    s->hold_depth = s->last_depth = v->told.depth;
    s->hold_yaw = v->told.euler[2];
    s->last_speed = v->told.forward;
    fm_feeler_tell_orders(p, s);
    s->alarm = s->stopped = fm_const(-1);
    s->closest = fm_const(FM_HUGE);
}

FM_FN void fm_feeler_begin(const fm_feeler_craft *f, const fm_body *body, const fm_body_state *state,
                           const fm_real water[3], fm_feeler_state *s)
{
    fm_feeler_view v;
    fm_feeler_clear(f, s);
    fm_feeler_observe(f, body, state, water, 0, &v);
    fm_feeler_feel(f, &v, s->velocity);
    fm_feeler_settle(f, state, &v, s);
}

static_assert(FM_FEELER_INTEGERS == 11 && FM_FEELER_NUMBERS == 61 &&
                  offsetof(fm_feeler, radius) + FM_FEELER_NUMBERS * sizeof(fm_var) == sizeof(fm_feeler) &&
                  sizeof(fm_feeler_sensor) == 14 * sizeof(fm_var) &&
                  offsetof(fm_hover_motor, low) + 10 * sizeof(fm_var) == sizeof(fm_hover_motor),
              "records of physics/flat.h: integers first, numbers next to each other");

/* What feels walls in a block of this build, where its count of FM_FLAT_FEELER is 1. */
FM_FN fm_feeler_craft fm_flat_feeler(const fm_flat *flat, const fm_wall_table *table)
{
    const char *block = (const char *)flat;
    return fm_feeler_open((const fm_feeler *)(const void *)(block + flat->at[FM_FLAT_FEELER]),
                          (const fm_feeler_sensor *)(const void *)(block + flat->at[FM_FLAT_SENSORS]),
                          (const fm_hover_motor *)(const void *)(block + flat->at[FM_FLAT_MOTORS]),
                          fm_flat_ground(flat), table, (fm_par)flat->step_s);
}

/* Whether it feels walls where things move through the water, or vortices. */
static inline int fm_flat_stirs(const fm_flat *flat)
{
    return flat->count[FM_FLAT_FEELER] && ((const fm_feeler *)fm_flat_array(flat, FM_FLAT_FEELER))->stirs;
}

#endif
