/* The step of a robotic fish: tail, swimming, depth, pose. One source for the live engine (kinds/fish.c), for fish in
 * lanes and on a GPU. Its laws stand in physics/fish.h (H1)-(H9), fish_elongated.h (E1)-(E7) and fish_fins.h (F1)-(F4);
 * theory: docs/theory/fish.md. */
#ifndef FM_PHYSICS_FISH_BODY_H
#define FM_PHYSICS_FISH_BODY_H

#include "physics/actuator.h"
#include "physics/fish_elongated.h"
#include "physics/fish_fins.h"
#include "physics/posture.h"
#include "physics/water_noise.h"

/* Actuators that every fish has, in this order before those of the file. */
enum { FM_FISH_FREQUENCY, FM_FISH_DEFLECTION, FM_FISH_DEPTH, FM_FISH_ORDERS };

enum { FM_FISH_STEPS_PER_BEAT = 200, FM_FISH_STEPS_LEAST = 4 }; /* of the elongated body */

/* All of a fish that its step reads. */
typedef struct fm_fish_craft {
    const fm_fish_params *par; /* with the wave as it was loaded */
    const fm_fish_tail *tail;
    const fm_var *table;                    /* of the servos: rows × joints, rad */
    const fm_fish_elongated_params *theory; /* NULL: thrust and drag are the paper's */
    const fm_fish_fins_params *fins;        /* NULL: depth follows its order at depth_rate */
    const fm_water_noise *noise;            /* NULL: none */
    const fm_var *start;                    /* orders at birth: Hz, rad, m */
    int rows;
    int table_given;   /* a live wave changes speed only */
    int turns_by_tail; /* yaw by the force of the deflected tail; else (H9) */
    int depth_given;   /* else it keeps the depth at which it begins */
    int substeps;      /* of the paper's laws */
    fm_var limit;      /* of a joint's angle, rad */
    fm_var servo_rate; /* of a joint, rad/s: no servo turns faster */
    fm_var depth_rate; /* m/s */
} fm_fish_craft;

/* State of a fish from step to step: only numbers. Position, attitude and velocity are in fm_body_state. */
typedef struct fm_fish_words {
    fm_real c1, c2, k;       /* live: the wave in force (1, 1/m, rad/m) */
    fm_real time;            /* s since the world's start */
    fm_real speed;           /* through the water along the heading, m/s */
    fm_real cycles;          /* phase of the beat, [0, 1) */
    fm_real turn_rate;       /* rad/s of the last step */
    fm_real noise[3];        /* displacement by water noise that is in the position, m, NED */
    fm_real noise_before[3]; /* the same at the start of the step, for a restored pose */
    fm_real angle[FM_FISH_JOINTS_MOST], rate[FM_FISH_JOINTS_MOST]; /* joints with deflection: rad, rad/s */
    fm_real tip[2];                                                /* of the tail in body axes, m */
    fm_real deflection;                                            /* that the tail has, rad */
    fm_real heave, pitch, pitch_rate, roll, roll_rate;             /* with pectoral fins: m/s, rad, rad/s */
    fm_real fin_starboard, fin_port;                               /* fin angles, rad */
    fm_real momentum[2], spin;    /* elongated body: kg m/s in world axes, kg m²/s about joint 1 */
    fm_real tail_force;           /* N forward: of the trailing edge, or thrust (H7) along the heading */
    fm_real drag;                 /* N */
    fm_fish_beat beat;            /* elongated body: means over the last full beat */
    fm_real efficiency, strouhal; /* of the last full beat, 1; strouhal fA/U in both models */
} fm_fish_words;
enum { FM_FISH_WORDS = 13 + 2 * FM_FISH_JOINTS_MOST + 3 + 7 + 5 + 8 + 2 };

/* Heading of an attitude (quaternion, body → world), rad in (-π, π]. */
FM_FN fm_real fm_fish_heading(const fm_real q[4])
{
    return fm_atan2(fm_const(2) * (q[0] * q[3] + q[1] * q[2]), fm_const(1) - fm_const(2) * (q[2] * q[2] + q[3] * q[3]));
}

/* The parameters in force: those of the type with the live wave. */
FM_FN fm_fish_params fm_fish_params_now(const fm_fish_params *loaded, const fm_fish_words *words)
{
    fm_fish_params par = *loaded;
    par.c1 = words->c1;
    par.c2 = words->c2;
    par.k = words->k;
    return par;
}

/* --- joints --- */

/* Angles (rad) and slopes (rad/cycle) of the undeflected tail at this phase: the table, or the wave itself where a live
 * parameter has changed it. A wave that a link cannot follow leaves the table in force. */
FM_FN void fm_fish_tail_posture(const fm_fish_craft *c, const fm_fish_params *par, fm_real cycles, fm_real *angle,
                                fm_real *slope)
{
    fm_mask changed = ((par->c1 == c->par->c1) & (par->c2 == c->par->c2) & (par->k == c->par->k)) == 0;
    fm_fish_play(c->table, c->rows, c->tail->joints, cycles, angle, slope);
    if (c->table_given || !fm_any(changed))
        return;
    fm_real now[FM_FISH_JOINTS_MOST], after[FM_FISH_JOINTS_MOST], step = fm_const(1.0 / 256);
    fm_real most = fm_real_wide(c->limit), least = -most;
    changed = changed & fm_fish_fit(par, c->tail, cycles, now);
    changed = changed & fm_fish_fit(par, c->tail, cycles + step, after);
    for (int j = 0; j < c->tail->joints; j++) {
        angle[j] = fm_select(changed, fm_clamp(now[j], least, most), angle[j]);
        slope[j] = fm_select(changed, (after[j] - now[j]) / step, slope[j]);
    }
}

/* The same of a tail at work, deflected by (H3): angles in rad, rates in rad/s; `bending` is the deflection's rate. */
FM_FN void fm_fish_posture(const fm_fish_craft *c, const fm_fish_params *par, fm_real cycles, fm_real frequency,
                           fm_real deflection, fm_real bending, fm_real *angle, fm_real *rate)
{
    const int joints = c->tail->joints, bent = fm_fish_deflected(joints);
    fm_fish_tail_posture(c, par, cycles, angle, rate);
    for (int j = 0; j < joints; j++)
        rate[j] = rate[j] * frequency - (j < bent ? bending / fm_const(bent) : fm_const(0));
    fm_fish_deflect(joints, angle, deflection);
}

/* --- servos: none turns faster than servo_rate --- */

/* A posture that is wanted (rad, rad/s) becomes what servos that were at `before` reach within dt. */
FM_FN void fm_fish_turn_servos(const fm_fish_craft *c, const fm_real *before, fm_real dt, fm_real *angle, fm_real *rate)
{
    const fm_real fastest = fm_real_wide(c->servo_rate), most = fastest * dt;
    for (int j = 0; j < c->tail->joints; j++) {
        fm_real reached = fm_clamp(angle[j], before[j] - most, before[j] + most);
        rate[j] = fm_select(reached == angle[j], fm_clamp(rate[j], -fastest, fastest), (reached - before[j]) / dt);
        angle[j] = reached;
    }
}

/* The deflection (rad) at the end of a step: the wanted one, or as near to it as the bent joints come while they follow
 * the beat. A joint that is late for the beat has nothing left for the deflection. */
FM_FN fm_real fm_fish_bend(const fm_fish_craft *c, const fm_fish_params *par, fm_real frequency, fm_real wanted,
                           fm_par dt, const fm_fish_words *words)
{
    if (!fm_any(wanted != words->deflection))
        return wanted;
    const int bent = fm_fish_deflected(c->tail->joints);
    const fm_real share = fm_const(bent), most = fm_real_wide(c->servo_rate) * fm_const(dt), none = fm_const(0);
    fm_real angle[FM_FISH_JOINTS_MOST], slope[FM_FISH_JOINTS_MOST], low = fm_const(-1e9), high = fm_const(1e9);
    fm_fish_tail_posture(c, par, words->cycles + frequency * fm_const(dt), angle, slope);
    for (int j = 0; j < bent; j++) {
        fm_real beat = share * (angle[j] - words->angle[j]) - words->deflection;
        low = fm_max(low, beat - share * most);
        high = fm_min(high, beat + share * most);
    }
    return fm_clamp(wanted, words->deflection + fm_min(low, none), words->deflection + fm_max(high, none));
}

/* --- the last step of the cycle: joints with deflection, and where the tip is --- */

FM_FN void fm_fish_place_tip(const fm_fish_craft *c, fm_fish_words *words)
{
    fm_real x[FM_FISH_JOINTS_MOST + 1], y[FM_FISH_JOINTS_MOST + 1];
    fm_fish_chain(c->tail, words->angle, x, y);
    words->tip[0] = x[c->tail->joints];
    words->tip[1] = y[c->tail->joints];
}

FM_FN void fm_fish_update_joints(const fm_fish_craft *c, const fm_fish_params *par, fm_real frequency,
                                 fm_real deflection, fm_par dt, fm_fish_words *words)
{
    const fm_real bending = (deflection - words->deflection) / fm_const(dt);
    fm_real before[FM_FISH_JOINTS_MOST];
    for (int j = 0; j < c->tail->joints; j++)
        before[j] = words->angle[j];
    fm_fish_posture(c, par, words->cycles, frequency, deflection, bending, words->angle, words->rate);
    fm_fish_turn_servos(c, before, fm_const(dt), words->angle, words->rate);
    fm_fish_place_tip(c, words);
    words->deflection = deflection;
}

/* --- pose --- */

/* Attitude, and velocity over ground in water that moves at `water` (m/s, NED). */
FM_FN void fm_fish_pose(const fm_fish_words *words, fm_real heading, fm_real sideways, const fm_real water[3],
                        fm_body_state *body)
{
    fm_real euler[3] = {words->roll, words->pitch, heading}, R[9], stream[3];
    fm_quat_from_euler(euler, body->attitude);
    fm_quat_matrix(body->attitude, R);
    fm_vector_to_body(R, water, stream);
    body->velocity[0] = words->speed + stream[0];
    body->velocity[1] = sideways + stream[1];
    body->velocity[2] = words->heave + stream[2];
    body->velocity[3] = words->roll_rate;
    body->velocity[4] = words->pitch_rate;
    body->velocity[5] = words->turn_rate;
}

/* --- the start --- */

/* At the pose and the speed ahead (m/s, through the water) in `body`, with the orders of its birth. The words are 0 but
 * for the time. */
FM_FN void fm_fish_begin(const fm_fish_craft *c, const fm_real water[3], fm_actuator_state *states,
                         fm_fish_words *words, fm_body_state *body)
{
    const fm_real zero = fm_const(0), heading = fm_fish_heading(body->attitude);
    const fm_real frequency = fm_real_wide(c->start[FM_FISH_FREQUENCY]),
                  deflection = fm_real_wide(c->start[FM_FISH_DEFLECTION]);
    states[FM_FISH_FREQUENCY].order = states[FM_FISH_FREQUENCY].value = frequency;
    states[FM_FISH_DEFLECTION].order = states[FM_FISH_DEFLECTION].value = deflection;
    states[FM_FISH_DEPTH].order = c->depth_given ? fm_real_wide(c->start[FM_FISH_DEPTH]) : body->position[2];
    states[FM_FISH_DEPTH].value = states[FM_FISH_DEPTH].order;
    words->c1 = fm_real_wide(c->par->c1);
    words->c2 = fm_real_wide(c->par->c2);
    words->k = fm_real_wide(c->par->k);
    words->speed = body->velocity[0];
    fm_fish_posture(c, c->par, words->cycles, frequency, deflection, zero, words->angle, words->rate);
    fm_fish_place_tip(c, words);
    words->deflection = deflection;
    if (c->theory) {
        fm_real angle[FM_FISH_JOINTS_MOST], rate[FM_FISH_JOINTS_MOST], v[3] = {words->speed, zero, zero};
        fm_fish_elongated_state s = {zero, zero, heading, zero, zero, zero};
        fm_fish_posture(c, c->par, words->cycles, frequency, c->turns_by_tail ? deflection : zero, zero, angle, rate);
        fm_fish_elongated_start(c->theory, &s, angle, rate, v);
        words->momentum[0] = s.momentum_x;
        words->momentum[1] = s.momentum_y;
        words->spin = s.spin;
    }
    fm_fish_pose(words, heading, zero, water, body);
}

/* --- swimming: steps (H4)-(H9) of the paper, or the elongated-body theory for surge with (H9) for yaw, or for all ---
 */

/* Through the water from the step's start. */
typedef struct fm_fish_way {
    fm_real x, y, heading; /* m, rad */
    fm_real sideways;      /* m/s */
} fm_fish_way;

FM_FN void fm_fish_swim_paper(const fm_fish_craft *c, const fm_fish_params *par, fm_real frequency, fm_real deflection,
                              fm_par dt, fm_fish_words *words, fm_fish_way *way)
{
    const fm_real zero = fm_const(0);
    fm_fish_state s = {zero, zero, way->heading, words->speed, words->cycles};
    for (int i = 0; i < c->substeps; i++)
        fm_fish_step(par, &s, frequency, deflection, dt / (fm_par)c->substeps);
    words->speed = s.speed;
    words->cycles = s.cycles;
    words->turn_rate = fm_fish_turn_rate(par, frequency, deflection);
    words->tail_force = fm_fish_thrust(par, frequency) * fm_cos(deflection);
    words->drag = fm_fish_drag(par, s.speed);
    words->strouhal = frequency * fm_real_wide(fm_fish_beat_width(par)) / fm_max(s.speed, fm_const(1e-6));
    way->x = s.x, way->y = s.y, way->heading = s.heading, way->sideways = zero;
}

/* How many sub-steps of the elongated body a step of dt takes; the greatest number of all lanes; and where the one with
 * number i is still to be made. */
#if defined(FM_LANES) && !defined(__CUDACC__)
FM_FN fm_real fm_fish_substeps(fm_real frequency, fm_par dt)
{
    fm_real steps = fm_const(dt) * frequency * fm_const(FM_FISH_STEPS_PER_BEAT);
    for (int lane = 0; lane < FM_LANES; lane++)
        steps[lane] = (fm_par)__builtin_ceil(steps[lane]);
    return fm_max(steps, fm_const(FM_FISH_STEPS_LEAST));
}
FM_FN int fm_fish_substeps_most(fm_real steps)
{
    int most = 0;
    for (int lane = 0; lane < FM_LANES; lane++)
        most = (int)steps[lane] > most ? (int)steps[lane] : most;
    return most;
}
FM_FN fm_mask fm_fish_substep_due(fm_real steps, int i)
{
    return fm_const(i) < steps;
}
#else
FM_FN fm_real fm_fish_substeps(fm_real frequency, fm_par dt)
{
    fm_real steps = dt * frequency * (fm_real)FM_FISH_STEPS_PER_BEAT;
#ifdef __CUDACC__
    return fm_max(ceil(steps), (fm_real)FM_FISH_STEPS_LEAST);
#else
    return fm_max((fm_real)__builtin_ceil(steps), (fm_real)FM_FISH_STEPS_LEAST);
#endif
}
FM_FN int fm_fish_substeps_most(fm_real steps)
{
    return (int)steps;
}
FM_FN fm_mask fm_fish_substep_due(fm_real steps, int i)
{
    (void)steps, (void)i;
    return 1;
}
#endif

/* What the sub-steps of a step change and add up. */
typedef struct fm_fish_stroke {
    fm_fish_elongated_state s;
    fm_fish_beat beat;
    fm_real cycles, force, drag, sideways, forward; /* N, N, m/s, m/s: means so far */
    fm_real angle[FM_FISH_JOINTS_MOST];             /* rad: where the servos are, as the theory counts them */
} fm_fish_stroke;

/* How a step is divided. */
typedef struct fm_fish_pace {
    fm_real steps, h;            /* sub-steps, and s of each */
    fm_real turn, part, bending; /* rad/s by (H9), share of the tail's force, rad/s of the deflection */
} fm_fish_pace;

/* The servos at the start of a step. Where the deflection turns the fish by (H9), the theory has a tail without it. */
FM_FN void fm_fish_stroke_begin(const fm_fish_craft *c, const fm_fish_words *words, fm_fish_stroke *t)
{
    const int bent = c->turns_by_tail ? 0 : fm_fish_deflected(c->tail->joints);
    for (int j = 0; j < c->tail->joints; j++)
        t->angle[j] = words->angle[j] + (j < bent ? words->deflection / fm_const(bent) : fm_const(0));
}

FM_FN void fm_fish_stroke_step(const fm_fish_craft *c, const fm_fish_params *par, fm_real frequency, fm_real from,
                               const fm_fish_pace *p, int i, fm_fish_stroke *t)
{
    fm_real angle[FM_FISH_JOINTS_MOST], rate[FM_FISH_JOINTS_MOST], before = t->cycles, zero = fm_const(0);
    fm_fish_elongated_out out;
    if (c->turns_by_tail)
        fm_fish_posture(c, par, t->cycles, frequency, from + p->bending * p->h * fm_const(i), p->bending, angle, rate);
    else
        fm_fish_posture(c, par, t->cycles, frequency, zero, zero, angle, rate);
    fm_fish_turn_servos(c, t->angle, p->h, angle, rate);
    for (int j = 0; j < c->tail->joints; j++)
        t->angle[j] = angle[j];
    fm_fish_elongated_step(c->theory, &t->s, angle, rate, p->part, p->h, &out);
    fm_fish_elongated_steer(&t->s, p->turn * p->h);
    t->cycles = t->cycles + frequency * p->h;
    t->cycles = t->cycles - fm_select(t->cycles >= fm_const(1), fm_const(1), zero);
    fm_fish_beat_add(&t->beat, &out, frequency, fm_fish_beat_width(par), t->cycles < before, p->h);
    t->force = t->force + out.thrust / p->steps;
    t->drag = t->drag - out.drag / p->steps;
    t->sideways = t->sideways + out.sideways / p->steps;
    t->forward = t->forward + out.forward / p->steps;
}

/* Lanes that have made all of theirs keep what they have. */
FM_FN void fm_fish_stroke_keep(fm_mask due, const fm_fish_stroke *kept, fm_fish_stroke *t)
{
    const fm_real *from = (const fm_real *)(const void *)kept;
    fm_real *to = (fm_real *)(void *)t;
    for (size_t i = 0; i < sizeof *t / sizeof(fm_real); i++)
        to[i] = fm_select(due, to[i], from[i]);
}

FM_FN void fm_fish_swim_elongated(const fm_fish_craft *c, const fm_fish_params *par, fm_real frequency,
                                  fm_real deflection, fm_par dt, fm_fish_words *words, fm_fish_way *way)
{
    const fm_real zero = fm_const(0), one = fm_const(1), first = way->heading;
    fm_fish_pace p;
    p.steps = fm_fish_substeps(frequency, dt);
    p.h = fm_const(dt) / p.steps;
    p.turn = c->turns_by_tail ? zero : fm_fish_turn_rate(par, frequency, deflection);
    p.part = c->turns_by_tail ? one : fm_cos(deflection);
    p.bending = (deflection - words->deflection) / fm_const(dt);
    fm_fish_stroke t = {{zero, zero, first, words->momentum[0], words->momentum[1], words->spin},
                        words->beat,
                        words->cycles,
                        zero,
                        zero,
                        zero,
                        zero,
                        {zero}};
    fm_fish_stroke_begin(c, words, &t);
    const int most = fm_fish_substeps_most(p.steps);
    for (int i = 0; i < most; i++) {
        const fm_fish_stroke kept = t;
        fm_fish_stroke_step(c, par, frequency, words->deflection, &p, i, &t);
        fm_fish_stroke_keep(fm_fish_substep_due(p.steps, i), &kept, &t);
    }
    words->beat = t.beat;
    words->cycles = t.cycles;
    words->momentum[0] = t.s.momentum_x;
    words->momentum[1] = t.s.momentum_y;
    words->spin = t.s.spin;
    words->speed = t.forward;
    words->turn_rate = (t.s.heading - first) / fm_const(dt);
    words->tail_force = t.force;
    words->drag = t.drag;
    words->efficiency = t.beat.efficiency;
    words->strouhal = t.beat.strouhal;
    way->x = t.s.x, way->y = t.s.y, way->heading = t.s.heading, way->sideways = t.sideways;
}

/* Depth (m) after a step: by the pectoral fins, or straight towards the order at depth_rate. */
FM_FN fm_real fm_fish_change_depth(const fm_fish_craft *c, fm_real depth, fm_real wanted, fm_par dt,
                                   fm_fish_words *words)
{
    const fm_real most = fm_real_wide(c->depth_rate) * fm_const(dt);
    if (!c->fins)
        return depth + fm_clamp(wanted - depth, -most, most);
    fm_fish_fins_state s = {depth, words->heave, words->pitch, words->pitch_rate, words->roll, words->roll_rate};
    fm_fish_fins_control(c->fins, &s, wanted, words->speed, &words->fin_starboard, &words->fin_port);
    fm_fish_fins_step(c->fins, &s, words->fin_starboard, words->fin_port, words->speed, dt);
    words->heave = s.heave;
    words->pitch = s.pitch;
    words->pitch_rate = s.pitch_rate;
    words->roll = s.roll;
    words->roll_rate = s.roll_rate;
    return s.depth;
}

/* Water noise (H1): P += E_new − E_old, `free` is the position without it. */
FM_FN void fm_fish_displace(const fm_fish_craft *c, const fm_real free[3], fm_fish_words *words, fm_real position[3])
{
    for (int i = 0; i < 3; i++)
        words->noise_before[i] = words->noise[i];
    if (c->noise)
        fm_water_noise_offset(c->noise, words->time, free, words->noise);
    for (int i = 0; i < 3; i++)
        position[i] = free[i] + words->noise[i];
}

/* --- the whole --- */

/* A step of dt with the actuators where they are, in water that moves at `water` (m/s, NED). */
FM_FN void fm_fish_move(const fm_fish_craft *c, const fm_actuator_state *states, const fm_actuator_fault *faults,
                        const fm_real water[3], fm_par dt, fm_fish_words *words, fm_body_state *body)
{
    const fm_fish_params par = fm_fish_params_now(c->par, words);
    const fm_real frequency = states[FM_FISH_FREQUENCY].value * faults[FM_FISH_FREQUENCY].efficiency;
    const fm_real ordered = states[FM_FISH_DEFLECTION].value * faults[FM_FISH_DEFLECTION].efficiency;
    const fm_real deflection = fm_fish_bend(c, &par, frequency, ordered, dt, words);
    fm_fish_way way;
    fm_real free[3];
    way.heading = fm_fish_heading(body->attitude);
    if (c->theory)
        fm_fish_swim_elongated(c, &par, frequency, deflection, dt, words, &way);
    else
        fm_fish_swim_paper(c, &par, frequency, deflection, dt, words, &way);
    words->time = words->time + fm_const(dt);
    const fm_real level = fm_cos(words->pitch);
    for (int i = 0; i < 3; i++)
        free[i] = body->position[i] - words->noise[i] + water[i] * fm_const(dt);
    free[0] = free[0] + level * way.x;
    free[1] = free[1] + level * way.y;
    free[2] = fm_fish_change_depth(c, free[2], states[FM_FISH_DEPTH].value, dt, words);
    fm_fish_displace(c, free, words, body->position);
    fm_fish_update_joints(c, &par, frequency, deflection, dt, words);
    fm_fish_pose(words, way.heading, way.sideways, water, body);
}

#endif
