/* A vehicle that measures its own motion, as one kernel: <imu>, <ins>, <compass>, <depth>, <speed-log> and <dvl> with
 * their errors, health and periods, and a <navigation> that reckons from them, in the order in which a world runs them.
 * For engines that make whole runs (batch/); each law is in its own header. */
#ifndef FM_CONTROL_SENSOR_SUITE_H
#define FM_CONTROL_SENSOR_SUITE_H

#include "control/due.h"
#include "control/navigator.h"
#include "physics/body.h"
#include "physics/solid.h"
#include "sensors/inertial.h"
#include "sensors/instruments.h"

enum {
    FM_SENSES_IMU,
    FM_SENSES_INS,
    FM_SENSES_HEADING,
    FM_SENSES_DEPTH,
    FM_SENSES_SPEED,
    FM_SENSES_GROUND
}; /* instruments */
enum {
    FM_SUITE_INSTRUMENTS = 8,
    FM_SUITE_TELLERS = 12,
    FM_SENSED_VALUES = 13,
    FM_SENSED_WANDERS = 9,
    FM_SUITE_INS = 2
};
/* Places of the values of a sample; of those that tell one number it is the first. */
enum {
    FM_VALUE_RATES = 0,
    FM_VALUE_ORIENTATION = 3,
    FM_VALUE_VELOCITY = 7,
    FM_VALUE_MODE = 10,
    FM_VALUE_ALTITUDE = 11,
    FM_VALUE_POSITION = 10 /* of an INS, which has no mode */
};

/* An instrument that is a source of a quantity: only integers. */
typedef struct fm_teller {
    int32_t quantity, given; /* FM_NAVIGATES_…, FM_TELLS_… */
    int32_t instrument;      /* which */
    int32_t values, with;    /* places of its values; -1: nothing goes with them */
} fm_teller;

/* A <navigation>, a record of physics/flat.h: integers, then numbers. */
typedef struct fm_suite {
    int32_t period;                            /* steps */
    int32_t instruments, tellers;              /* how many */
    int32_t measured[FM_NAVIGATES_QUANTITIES]; /* 1: by some instrument, whether it works or not */
    fm_teller teller[FM_SUITE_TELLERS];        /* of a quantity next to each other, the preferred one first */
    fm_var current[3];                         /* m/s, NED: current assumed by the navigator */
    fm_var patience;                           /* s */
} fm_suite;
enum { FM_SUITE_INTEGERS = 3 + FM_NAVIGATES_QUANTITIES + 5 * FM_SUITE_TELLERS, FM_SUITE_NUMBERS = 4 };

/* An instrument, a record of physics/flat.h: integers, then numbers. */
typedef struct fm_suite_instrument {
    int32_t kind;        /* FM_SENSES_… */
    int32_t channel;     /* of its random numbers */
    int32_t period;      /* steps */
    int32_t flaws;       /* its first record of errors: the value's; rates and orientation; speed and range */
    int32_t water_track; /* a DVL that goes by the water without the bottom */
    int32_t turning;     /* it feels the turning Earth */
    int32_t ins;         /* which of the inertial systems it is */
    int32_t floor;       /* it sees: 0 no bottom, 1 a plane and nothing else, 2 one that is nowhere below the plane */
    fm_var position[3], rotation[9], quaternion[4]; /* mounting: m, into body axes */
    fm_var dropout, fault;                          /* probability; enum fm_fault */
    fm_var declination, deviation[2];               /* rad, of a compass */
    fm_var column[3];                               /* Pa, Pa/m, Pa/m²: P0, P1, P2 of the water */
    fm_var farthest, nearest, beams[FM_BEAMS][3];   /* of a DVL: m, unit vectors */
    fm_var plane[3];                                /* m, , : depth and slopes */
    fm_var gravity, latitude;                       /* m/s²; rad, of the world's origin */
    fm_var gyrocompass, tilt[3], off[3], drift[3];  /* of an INS: s; errors at its start: rad, m, m/s */
} fm_suite_instrument;
enum { FM_INSTRUMENT_INTEGERS = 8, FM_INSTRUMENT_NUMBERS = 16 + 2 + 3 + 3 + 2 + 3 * FM_BEAMS + 3 + 2 + 10 };

/* All of it as a step reads it. */
typedef struct fm_suite_craft {
    const fm_suite *p;
    const fm_suite_instrument *instruments;
    const fm_flaw_params *flaws;
    fm_par dt; /* s of a step */
} fm_suite_craft;

/* State of an instrument: only numbers. */
typedef struct fm_sensed {
    fm_kept_reading head;
    fm_real values[FM_SENSED_VALUES];
    fm_wander wanders[FM_SENSED_WANDERS];
} fm_sensed;
enum { FM_SENSED_NUMBERS = 3 + FM_SENSED_VALUES + 2 * FM_SENSED_WANDERS };

/* State from step to step: only numbers, those of the instruments at the end. */
typedef struct fm_suite_kept {
    fm_estimate estimate;
    fm_real used[FM_NAVIGATES_QUANTITIES];           /* 1 + place of the source in use; 0: none is left */
    fm_real worst[2], last[2], square[2], losses[2]; /* metrics: value and how often */
    fm_real before[6];                               /* m/s, rad/s: velocity a step ago */
    fm_ins_state ins[FM_SUITE_INS];
    fm_sensed sensed[FM_SUITE_INSTRUMENTS];
} fm_suite_kept;
enum { FM_SUITE_HEAD = FM_ESTIMATE_NUMBERS + FM_NAVIGATES_QUANTITIES + 8 + 6 + FM_SUITE_INS * FM_INS_NUMBERS };

/* Count of stored numbers for this number of instruments. */
FM_FN uint32_t fm_suite_rows(uint32_t instruments)
{
    return FM_SUITE_HEAD + instruments * FM_SENSED_NUMBERS;
}

/* The vehicle at the moment. */
typedef struct fm_suite_view {
    const uint64_t *seeds; /* a lane each */
    uint64_t tick;
    fm_real position[3], R[9], attitude[4], velocity[6]; /* m; body → world; w x y z; m/s, rad/s */
    fm_real acceleration[6];                             /* rate of that, over the last step */
    fm_real water[3];                                    /* m/s, NED */
    fm_estimate truth;
    fm_mask doubt; /* where only a world can tell what an instrument sees */
} fm_suite_view;

FM_FN void fm_suite_observe(const fm_body *body, const fm_body_state *state, const fm_real water[3], fm_real altitude,
                            fm_suite_view *v)
{
    fm_body_matrix(body, state->attitude, v->R);
    if (body->euler)
        fm_quat_from_euler(state->attitude, v->attitude);
    for (int k = 0; k < 4 && !body->euler; k++)
        v->attitude[k] = state->attitude[k];
    for (int k = 0; k < 3; k++) {
        v->position[k] = state->position[k];
        v->water[k] = water[k];
    }
    for (int k = 0; k < 6; k++)
        v->velocity[k] = state->velocity[k];
    v->truth = fm_estimate_true(v->position, v->R, v->velocity, v->water, altitude);
    v->doubt = fm_mask_none();
}

/* --- instruments --- */

/* Hands a sample to the output: lost or falsified as the health says. */
FM_FN void fm_sensed_give(const fm_suite_instrument *p, const fm_flaw_draws *now, fm_real time, fm_mask given,
                          const fm_real *values, fm_sensed *s)
{
    fm_mask healthy = fm_real_wide(p->fault) == fm_const(FM_FAULT_HEALTHY);
    fm_mask seen = healthy & given & (fm_reading_is_dropped(fm_real_wide(p->dropout), &now->dice) == 0);
    fm_reading_note(fm_real_wide(p->fault), seen, time, time, &s->head);
    for (int i = 0; i < FM_SENSED_VALUES; i++)
        s->values[i] = fm_select(seen, values[i], s->values[i]);
}

FM_FN void fm_sense_imu(const fm_suite_instrument *p, const fm_flaw_params *flaws, const fm_suite_view *v,
                        const fm_flaw_draws *now, fm_real rates[3], fm_real *values)
{
    fm_real tilt[3], mount[4];
    fm_told_widen(p->quaternion, 4, mount);
    for (int i = 0; i < 3; i++) {
        values[FM_VALUE_RATES + i] = fm_flaw_spoil(&flaws[0], i, (uint32_t)i, now, rates[i]);
        tilt[i] = fm_flaw_spoil(&flaws[1], i, 6 + (uint32_t)i, now, fm_const(0));
    }
    fm_inertial_attitude(v->attitude, mount, tilt, values + FM_VALUE_ORIENTATION);
}

FM_FN fm_mask fm_sense_ins(const fm_suite_instrument *p, const fm_flaw_params *flaws, const fm_suite_view *v,
                           const fm_mount_pose *at, const fm_flaw_draws *now, fm_real rates[3], fm_real force[3],
                           fm_ins_state *s, fm_real *values)
{
    fm_ins_params ins;
    fm_ins_truth truth;
    fm_real mount[4];
    ins.turning = p->turning;
    ins.gravity = fm_real_wide(p->gravity), ins.latitude = fm_real_wide(p->latitude);
    ins.gyrocompass = fm_real_wide(p->gyrocompass);
    fm_told_widen(p->tilt, 3, ins.tilt);
    fm_told_widen(p->off, 3, ins.position);
    fm_told_widen(p->drift, 3, ins.velocity);
    fm_told_widen(p->quaternion, 4, mount);
    truth.pose = at;
    fm_quat_mul(v->attitude, mount, truth.attitude);
    for (int i = 0; i < 3; i++) {
        rates[i] = fm_flaw_spoil(&flaws[0], i, (uint32_t)i, now, rates[i]);
        force[i] = fm_flaw_spoil(&flaws[1], i, 3 + (uint32_t)i, now, force[i]);
    }
    fm_ins_step(&ins, &truth, rates, force, now->period, s, values + FM_VALUE_RATES, values + FM_VALUE_VELOCITY);
    for (int i = 0; i < 4; i++)
        values[FM_VALUE_ORIENTATION + i] = s->attitude[i];
    for (int i = 0; i < 3; i++)
        values[FM_VALUE_POSITION + i] = s->position[i];
    return s->started > fm_const(0.5);
}

/* Input of its gyroscopes and accelerometers, and the result; only for inertial instruments. */
FM_WHOLE fm_mask fm_sense_inertial(const fm_suite_instrument *p, const fm_flaw_params *flaws, const fm_suite_view *v,
                                   const fm_mount_pose *at, const fm_flaw_draws *now, fm_ins_state *ins,
                                   fm_real *values)
{
    fm_inertial_motion m;
    fm_real where[3], turned[9], rates[3], force[3];
    fm_told_widen(p->position, 3, where);
    fm_told_widen(p->rotation, 9, turned);
    m.R = v->R, m.velocity = v->velocity, m.acceleration = v->acceleration;
    m.gravity = fm_real_wide(p->gravity), m.latitude = fm_real_wide(p->latitude);
    m.turning = p->turning;
    fm_inertial_feel(&m, where, turned, at, rates, force);
    if (p->kind == FM_SENSES_INS)
        return fm_sense_ins(p, flaws, v, at, now, rates, force, &ins[p->ins], values);
    fm_sense_imu(p, flaws, v, now, rates, values);
    return fm_const(0) == fm_const(0);
}

/* m along a beam to the plane, as far as it is the bottom. */
FM_FN fm_real fm_sense_floor(const fm_suite_instrument *p, const fm_real from[3], const fm_real along[3])
{
    fm_real zero = fm_const(0), depth = p->plane[0] + p->plane[1] * from[0] + p->plane[2] * from[1];
    fm_real height = depth - from[2], nearing = along[2] - p->plane[1] * along[0] - p->plane[2] * along[1];
    fm_mask above = fm_select(depth < zero, zero, depth) - from[2] > zero;
    return fm_select(above, fm_plane_reach(height, nearing), zero);
}

/* If bottom and obstacles are more than a plane, a certain result is enough: the bottom is within reach in any case, so
 * that a beam meets it or something before it. Otherwise a world must decide. */
FM_FN void fm_sense_ground(const fm_suite_instrument *p, const fm_flaw_params *flaws, fm_suite_view *v,
                           const fm_mount_pose *at, const fm_flaw_draws *now, fm_real *values)
{
    fm_dvl_params d;
    fm_dvl_sight s;
    fm_real hit[FM_BEAMS], down[FM_BEAMS], along[3];
    d.farthest = fm_real_wide(p->farthest), d.nearest = fm_real_wide(p->nearest);
    d.water_track = p->water_track;
    d.speed = &flaws[0], d.range = &flaws[1];
    for (int i = 0; i < FM_BEAMS; i++) {
        fm_told_widen(p->beams[i], 3, d.beams[i]);
        fm_vector_to_world(at->rotation, d.beams[i], along);
        hit[i] = p->floor ? fm_sense_floor(p, at->position, along) : fm_const((fm_par)HUGE_VAL);
        down[i] = along[2];
        if (p->floor == 2)
            v->doubt = v->doubt | (hit[i] + fm_const(1e-6) > d.farthest);
    }
    fm_dvl_range(&d, hit, down, now, &s);
    fm_dvl_speed(&d, at, v->water, now, &s);
    for (int i = 0; i < 3; i++)
        values[FM_VALUE_VELOCITY + i] = s.velocity[i];
    values[FM_VALUE_MODE] = s.mode;
    values[FM_VALUE_ALTITUDE] = s.altitude;
}

FM_WHOLE void fm_suite_sense(const fm_suite_craft *c, int which, fm_suite_view *v, fm_suite_kept *k)
{
    fm_sensed *s = &k->sensed[which];
    const fm_suite_instrument *p = &c->instruments[which];
    const fm_flaw_params *flaws = &c->flaws[p->flaws];
    fm_flaw_draws now = {{v->seeds, 0, (uint32_t)p->channel, v->tick}, (fm_par)p->period * c->dt, s->wanders};
    fm_real values[FM_SENSED_VALUES], where[3], turned[9], own[3];
    fm_mask given = fm_const(0) == fm_const(0);
    for (int i = 0; i < FM_SENSED_VALUES; i++)
        values[i] = fm_const(0);
    fm_told_widen(p->position, 3, where);
    fm_told_widen(p->rotation, 9, turned);
    const fm_mount_pose at = fm_mount_where(where, turned, v->position, v->R, v->velocity);
    if (p->kind == FM_SENSES_IMU || p->kind == FM_SENSES_INS) {
        given = fm_sense_inertial(p, flaws, v, &at, &now, k->ins, values);
    } else if (p->kind == FM_SENSES_GROUND) {
        fm_sense_ground(p, flaws, v, &at, &now, values);
    } else if (p->kind == FM_SENSES_HEADING) {
        fm_told_widen(p->deviation, 2, own);
        values[0] = fm_compass_heading(at.rotation, fm_real_wide(p->declination), own);
        values[0] = fm_compass_wrap(fm_flaw_spoil(flaws, 0, 0, &now, values[0]));
    } else if (p->kind == FM_SENSES_DEPTH) {
        fm_told_widen(p->column, 3, own);
        values[0] = fm_gauge_depth(own, fm_gauge_pressure(own, at.position[2]));
        values[0] = fm_flaw_spoil(flaws, 0, 0, &now, values[0]);
    } else {
        values[0] = fm_flaw_spoil(flaws, 0, 0, &now, fm_log_speed(&at, v->water));
    }
    fm_sensed_give(p, &now, fm_const((fm_par)v->tick * c->dt), given, values, s);
}

/* --- navigation --- */

FM_FN int fm_teller_values(const fm_teller *t)
{
    return t->given == FM_TELLS_ORIENTATION ? 4
           : t->given == FM_TELLS_VELOCITY  ? 3
           : t->given == FM_TELLS_POSITION  ? 2
                                            : 1;
}

/* The output of one instrument, and whether it works. */
FM_FN fm_mask fm_suite_hear(const fm_suite_craft *c, const fm_teller *t, const fm_sensed *s, fm_real now, fm_told *told)
{
    const fm_suite_instrument *p = &c->instruments[t->instrument];
    fm_mask works = fm_told_is_fresh(s->head.count, s->head.valid, s->head.time, now, fm_real_wide(c->p->patience));
    told->quantity = t->quantity, told->given = t->given, told->accompanied = t->with >= 0;
    told->at = p->position, told->turned = p->rotation, told->attitude = p->quaternion;
    for (int i = 0; i < 4; i++)
        told->value[i] = i < fm_teller_values(t) ? s->values[t->values + i] : fm_const(0);
    for (int i = 0; i < 3; i++)
        told->with[i] = t->with >= 0 ? s->values[t->with + i] : fm_const(0);
    for (int i = 0; i < fm_teller_values(t); i++)
        works = works & fm_real_is_finite(told->value[i]);
    return works;
}

/* The first source of each quantity that works; a quantity that loses its last one is counted. */
FM_FN void fm_suite_choose(const fm_suite_craft *c, const fm_suite_view *v, fm_suite_kept *k, fm_told *told)
{
    fm_real used[FM_NAVIGATES_QUANTITIES], zero = fm_const(0), one = fm_const(1);
    fm_real now = fm_const((fm_par)v->tick * c->dt);
    for (int q = 0; q < FM_NAVIGATES_QUANTITIES; q++)
        used[q] = zero;
    for (int i = 0, rank = 0; i < c->p->tellers; i++) {
        const fm_teller *t = &c->p->teller[i];
        fm_mask works = fm_suite_hear(c, t, &k->sensed[t->instrument], now, &told[i]);
        rank = i && c->p->teller[i - 1].quantity == t->quantity ? rank + 1 : 1;
        told[i].taken = works & (used[t->quantity] == zero);
        used[t->quantity] = fm_select(told[i].taken, fm_const((fm_par)rank), used[t->quantity]);
    }
    for (int q = 0; q < FM_NAVIGATES_QUANTITIES; q++) {
        fm_mask lost = (used[q] == zero) & (k->used[q] != zero);
        k->losses[0] = fm_select(lost, k->losses[0] + one, k->losses[0]);
        k->losses[1] = fm_select(lost, k->losses[1] + one, k->losses[1]);
        k->used[q] = used[q];
    }
}

FM_FN void fm_suite_measure(fm_real error, fm_suite_kept *k)
{
    fm_real one = fm_const(1);
    fm_mask first = k->worst[1] == fm_const(0);
    k->worst[0] = fm_select(first | (error > k->worst[0]), error, k->worst[0]);
    k->last[0] = error;
    k->square[0] += error * error;
    k->worst[1] += one;
    k->last[1] += one;
    k->square[1] += one;
}

FM_WHOLE void fm_suite_reckon(const fm_suite_craft *c, const fm_suite_view *v, fm_suite_kept *k)
{
    fm_told told[FM_SUITE_TELLERS];
    fm_hearing h;
    fm_found found;
    fm_real R[9], through = fm_const(0);
    fm_par period = (fm_par)c->p->period * c->dt;
    h.told = told, h.count = c->p->tellers;
    for (int q = 0; q < FM_NAVIGATES_QUANTITIES; q++)
        h.measured[q] = c->p->measured[q];
    found.heading_bias = found.velocity_bias[0] = found.velocity_bias[1] = fm_const(0);
    for (int i = 0; i < 3; i++)
        found.current[i] = fm_real_wide(c->p->current[i]);
    fm_suite_choose(c, v, k, told);
    fm_navigator_attitude(&h, &found, &v->truth, period, &k->estimate);
    fm_euler_matrix(k->estimate.euler, R);
    fm_navigator_velocity(&h, &found, &v->truth, R, &through, &k->estimate);
    fm_navigator_fix(&h, &v->truth, R, period, &k->estimate);
    fm_navigator_altitude(&h, &v->truth, R, &k->estimate);
    fm_suite_measure(fm_estimate_error(&k->estimate, &v->truth), k);
}

/* --- a step --- */

/* The instruments that are due measure, before anything decides. */
FM_FN void fm_suite_feel(const fm_suite_craft *c, fm_suite_view *v, fm_suite_kept *k)
{
    for (int i = 0; i < 6; i++) { /* at rest in its axes before the first step */
        v->acceleration[i] = v->tick ? (v->velocity[i] - k->before[i]) / fm_const(c->dt) : fm_const(0);
        k->before[i] = v->velocity[i];
    }
    for (int i = 0; i < c->p->instruments; i++)
        if (fm_part_is_due(c->instruments[i].period, v->tick))
            fm_suite_sense(c, i, v, k);
}

FM_FN void fm_suite_begin(const fm_suite_craft *c, const fm_body *body, const fm_body_state *state,
                          const fm_real water[3], fm_suite_kept *k)
{
    fm_real *numbers = (fm_real *)k;
    fm_suite_view v;
    for (uint32_t i = 0; i < fm_suite_rows(FM_SUITE_INSTRUMENTS); i++)
        numbers[i] = fm_const(0);
    fm_suite_observe(body, state, water, fm_const(0), &v);
    fm_estimate_begin(&v.truth, v.R, (fm_par)c->p->period * c->dt, &k->estimate);
    for (int q = 0; q < FM_NAVIGATES_QUANTITIES; q++)
        k->used[q] = fm_const(c->p->measured[q] ? 1 : 0);
}

#endif
