#include "world/tether.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "environment/environment.h"
#include "physics/posture.h"
#include "world/energy.h"
#include "world/stream.h"

enum { HEAD_WORDS = 3 }; /* length (0: parted), tension at the first and at the second end */
enum { LATE_WORDS = 9 }; /* of an end whose vehicle has a step of more than a tick */

typedef struct node {
    double position[3], velocity[3]; /* m, m/s, NED */
} node;

size_t fm_tether_words(const fm_tether *tether)
{
    size_t late = (size_t)(tether->ends[0].period > 1) + (size_t)(tether->ends[1].period > 1);
    return HEAD_WORDS + 6 * (size_t)(tether->cable.pieces - 1) + LATE_WORDS * late;
}

/* An end within the step of a vehicle that takes more than a tick. */
typedef struct late_end {
    node at;        /* moved by each tick's pulls */
    double pull[3]; /* N, sum over the ticks of the step */
} late_end;
_Static_assert(sizeof(late_end) == LATE_WORDS * sizeof(double), "words of a late end");

/* Whether the vehicle of the scenario at an end is still in the world; a fixed point always is. */
static int is_there(const fm_world *world, const fm_tether_end *end)
{
    const fm_vehicle *vehicle = end->vehicle < 0 ? NULL : world->slots[end->vehicle].vehicle;
    return !vehicle ||
           (vehicle->life != FM_EMPTY && vehicle->placement == end->vehicle && !(vehicle->passed & FM_PASSED_RUNAWAY));
}

/* Where an end is and how it moves, NED. */
static void find_end(const fm_world *world, const fm_tether_end *end, node *out)
{
    memset(out, 0, sizeof *out);
    if (end->vehicle < 0) {
        memcpy(out->position, end->point, sizeof out->position);
        return;
    }
    const fm_slot *slot = &world->slots[end->vehicle];
    double R[9], arm[3], turned[3], v[3];
    fm_body_matrix(&slot->type->body, slot->vehicle->body.attitude, R);
    fm_vector_to_world(R, end->point, arm);
    fm_cross(slot->vehicle->body.velocity + 3, end->point, turned);
    for (int i = 0; i < 3; i++) {
        out->position[i] = slot->vehicle->body.position[i] + arm[i];
        v[i] = slot->vehicle->body.velocity[i] + turned[i];
    }
    fm_vector_to_world(R, v, out->velocity);
}

/* Sag in the plane of the span, down (a cable that floats: up); for a vertical span towards north. */
static void sag_direction(const double span[3], double length, double down, double out[3])
{
    double along = length > 0 ? down * span[2] / length : 0, size = 0;
    for (int i = 0; i < 3; i++) {
        out[i] = (i == 2 ? down : 0) - (length > 0 ? along * span[i] / length : 0);
        size += out[i] * out[i];
    }
    size = sqrt(size);
    for (int i = 0; i < 3; i++)
        out[i] = size > 1e-6 ? out[i] / size : i == 0;
}

/* A slack cable hangs: nodes on a straight line, lowered by the excess length, so that no segment is stretched. */
static void lay_out(const fm_world *world, const fm_tether *tether, double *state)
{
    node a, b, *nodes = (node *)(void *)(state + HEAD_WORDS);
    int pieces = tether->cable.pieces;
    find_end(world, &tether->ends[0], &a);
    find_end(world, &tether->ends[1], &b);
    state[0] = tether->length;
    double between[3], aside[3];
    for (int i = 0; i < 3; i++)
        between[i] = b.position[i] - a.position[i];
    double span = sqrt(fm_dot(between, between));
    double sag = tether->length > span ? 0.5 * sqrt(tether->length * tether->length - span * span) : 0;
    sag_direction(between, span, tether->cable.wet_mass < 0 ? -1 : 1, aside);
    for (int k = 1; k < pieces; k++) {
        double part = (double)k / pieces;
        for (int i = 0; i < 3; i++) {
            nodes[k - 1].position[i] = a.position[i] + part * between[i] + sag * (1 - fabs(2 * part - 1)) * aside[i];
            nodes[k - 1].velocity[i] = 0;
        }
    }
}

static void start(fm_world *world, const void *config, double *state)
{
    const fm_tethers *tethers = config;
    for (size_t i = 0; i < tethers->count; i++)
        lay_out(world, &tethers->list[i], state + tethers->list[i].state);
}

static void pay_out(const fm_world *world, const fm_tether *tether, double *length, double dt)
{
    double change = world->live[tether->live] - *length, most = tether->rate * dt;
    *length += fmin(fmax(change, -most), most);
}

typedef struct cable_step {
    const fm_cable *cable;
    node *nodes;        /* segments + 1, including the ends */
    double wet_weight;  /* N/m in water, down positive (T2) */
    double piece;       /* m, natural length of a piece */
    double stream[3];   /* water at the middle, m/s */
    double h;           /* s */
    double pulls[2][3]; /* N, sum over the sub-steps at the two ends */
    double yield[2][9]; /* m/s² of an end per N, NED, by row: of its vehicle; 0: fixed */
    double fall[2][3];  /* m/s², NED: acceleration of an end without the pull */
} cable_step;

enum { NODES_MOST = 257 };

/* Forces on the inner nodes at one time; semi-implicit Euler: new velocity, then position from it. */
static void sub_step(cable_step *s)
{
    double force[NODES_MOST][3] = {{0}};
    const fm_cable *c = s->cable;
    for (int k = 0; k < c->pieces; k++) {
        node *a = &s->nodes[k], *b = &s->nodes[k + 1];
        double pull[3], drag[3], through[3];
        fm_cable_pull(c, s->piece, a->position, b->position, a->velocity, b->velocity, pull);
        for (int i = 0; i < 3; i++)
            through[i] = 0.5 * (a->velocity[i] + b->velocity[i]) - s->stream[i];
        fm_cable_drag(c, a->position, b->position, through, drag);
        for (int i = 0; i < 3; i++) {
            force[k][i] += pull[i] + 0.5 * drag[i];
            force[k + 1][i] += -pull[i] + 0.5 * drag[i];
        }
        force[k][2] += 0.5 * s->wet_weight * s->piece;
        force[k + 1][2] += 0.5 * s->wet_weight * s->piece;
    }
    double added = c->water_density * FM_PI / 4 * c->diameter * c->diameter;
    double mass = (c->mass + added) * s->piece;
    for (int k = 1; k < c->pieces; k++)
        for (int i = 0; i < 3; i++) {
            s->nodes[k].velocity[i] += s->h * force[k][i] / mass;
            s->nodes[k].position[i] += s->h * s->nodes[k].velocity[i];
        }
    for (int e = 0; e < 2; e++) {
        node *end = &s->nodes[e * c->pieces];
        const double *f = force[e * c->pieces], *y = s->yield[e];
        for (int i = 0; i < 3; i++) {
            s->pulls[e][i] += f[i];
            end->velocity[i] += s->h * (s->fall[e][i] + y[3 * i] * f[0] + y[3 * i + 1] * f[1] + y[3 * i + 2] * f[2]);
            end->position[i] += s->h * end->velocity[i];
        }
    }
}

/* Acceleration of the point r of a body, NED, from the rate of its velocity (body axes). */
static void point_acceleration(const double R[9], const double velocity[6], const double rate[6], const double r[3],
                               double out[3])
{
    double v[3], turned[3], along[3], a[3];
    fm_cross(velocity + 3, r, v);
    for (int i = 0; i < 3; i++)
        v[i] += velocity[i];
    fm_cross(velocity + 3, v, turned);
    fm_cross(rate + 3, r, along);
    for (int i = 0; i < 3; i++)
        a[i] = rate[i] + along[i] + turned[i];
    fm_vector_to_world(R, a, out);
}

/* Motion of the vehicle at an end: without a pull, and from a pull of 1 N (J M⁻¹ Jᵀ). */
static void find_yield(const fm_world *world, const fm_tether_end *end, double fall[3], double yield[9])
{
    static const double rest[6];
    memset(fall, 0, 3 * sizeof *fall);
    memset(yield, 0, 9 * sizeof *yield);
    const fm_slot *slot = end->vehicle < 0 ? NULL : &world->slots[end->vehicle];
    if (!slot || slot->vehicle->life != FM_ALIVE || !slot->type->kind->rigid || slot->type->period != end->period)
        return;
    const fm_mass *mass = fm_slot_mass(world, end->vehicle);
    const fm_body_state *now = &slot->vehicle->body;
    fm_body_state rate;
    fm_stream_room room;
    double R[9];
    fm_body_matrix(&slot->type->body, now->attitude, R);
    fm_body_rate(&slot->type->body, mass, &slot->vehicle->input,
                 fm_stream_at(&world->stream, &slot->type->body, 0, now, &room), now, &rate);
    point_acceleration(R, now->velocity, rate.velocity, end->point, fall);
    for (int k = 0; k < 3; k++) {
        double pull[3] = {k == 0, k == 1, k == 2}, f[6], a[6], v[3];
        fm_vector_to_body(R, pull, f);
        fm_cross(end->point, f, f + 3);
        fm_matrix6_mul(mass->inverse, f, a);
        point_acceleration(R, rest, a, end->point, v);
        for (int i = 0; i < 3; i++)
            yield[3 * i + k] = v[i];
    }
}

/* The mean pull moves the vehicle over its step, each pull moves the end at its own time: the difference in position is
 * added to the vehicle, so that a stiff cable finds it where it left it. */
static void settle_end(fm_world *world, const fm_tether_end *end, const cable_step *s, int e, const node *before,
                       const double pull[3])
{
    const double *y = s->yield[e], dt = (double)end->period * world->model->settings.dt;
    if (y[0] == 0)
        return;
    double *position = world->slots[end->vehicle].vehicle->body.position, energy = fm_energy_now(world, end->vehicle);
    for (int i = 0; i < 3; i++) {
        double yielded = s->fall[e][i] + y[3 * i] * pull[0] + y[3 * i + 1] * pull[1] + y[3 * i + 2] * pull[2];
        double carried = before->position[i] + dt * before->velocity[i] + 0.5 * dt * dt * yielded;
        position[i] += s->nodes[e * s->cable->pieces].position[i] - carried;
    }
    fm_energy_add(world, end->vehicle, fm_energy_now(world, end->vehicle) - energy);
}

/* Pull (N, NED) at an end, into the vehicle's external force. */
static void pull_vehicle(fm_world *world, const fm_tether_end *end, const double pull[3])
{
    if (end->vehicle < 0 || world->slots[end->vehicle].vehicle->life != FM_ALIVE)
        return;
    fm_slot *slot = &world->slots[end->vehicle];
    double R[9], f[3], m[3];
    fm_body_matrix(&slot->type->body, slot->vehicle->body.attitude, R);
    fm_vector_to_body(R, pull, f);
    fm_cross(end->point, f, m);
    for (int i = 0; i < 3; i++) {
        slot->external[i] += f[i];
        slot->external[3 + i] += m[i];
    }
}

/* --- ends of vehicles with steps of more than a tick --- */

/* NULL: the vehicle at this end steps with every tick, or the one that did not has left. */
static late_end *find_late(const fm_world *world, const fm_tether *tether, double *state, int e)
{
    const fm_tether_end *end = &tether->ends[e];
    if (end->period == 1)
        return NULL;
    const fm_slot *slot = &world->slots[end->vehicle];
    late_end *late = (late_end *)(void *)(state + HEAD_WORDS + 6 * (size_t)(tether->cable.pieces - 1));
    return slot->vehicle->life == FM_ALIVE && slot->type->period == end->period
               ? late + (e == 1 && tether->ends[0].period > 1)
               : NULL;
}

/* Position of an end: as its vehicle has it, `before`; within the step of a vehicle that takes several ticks, as
 * advanced by the ticks before this one. */
static void take_end(const fm_world *world, const fm_tether *tether, double *state, int e, node *before, node *now)
{
    const late_end *late = find_late(world, tether, state, e);
    find_end(world, &tether->ends[e], before);
    *now = late && world->head->tick % tether->ends[e].period ? late->at : *before;
}

/* Whether the vehicle moves in this tick; in that case `pull` becomes the mean over its step. */
static int leave_end(const fm_world *world, const fm_tether *tether, double *state, int e, const node *now,
                     double pull[3])
{
    late_end *late = find_late(world, tether, state, e);
    uint64_t period = tether->ends[e].period, phase = world->head->tick % period;
    if (!late)
        return 1;
    late->at = *now;
    for (int i = 0; i < 3; i++) {
        late->pull[i] = phase ? late->pull[i] + pull[i] : pull[i];
        if (phase == period - 1)
            pull[i] = late->pull[i] / (double)period;
    }
    return phase == period - 1;
}

/* --- energy --- */

/* Kinetic and elastic, and potential energy (including the half segments at the ends), J. */
static void cable_energy(const cable_step *s, double piece, double *moving, double *potential)
{
    const fm_cable *c = s->cable;
    const node *nodes = s->nodes;
    double mass = (c->mass + c->water_density * FM_PI / 4 * c->diameter * c->diameter) * piece;
    *moving = *potential = 0;
    for (int k = 0; k < c->pieces; k++) {
        const double *a = nodes[k].position, *b = nodes[k + 1].position, *v = nodes[k].velocity;
        double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, stretch = fmax(fm_norm(d) - piece, 0);
        *moving += 0.5 * c->stiffness / piece * stretch * stretch + (k > 0 ? 0.5 * mass * fm_dot(v, v) : 0);
        *potential -= 0.5 * s->wet_weight * piece * (a[2] + b[2]);
    }
}

/* Power supplied by the water to the cable that it carries along, W. */
static double cable_power(const cable_step *s)
{
    double power = 0;
    for (int k = 0; k < s->cable->pieces; k++) {
        const node *a = &s->nodes[k], *b = &s->nodes[k + 1];
        double v[3], through[3], drag[3];
        for (int i = 0; i < 3; i++) {
            v[i] = 0.5 * (a->velocity[i] + b->velocity[i]);
            through[i] = v[i] - s->stream[i];
        }
        fm_cable_drag(s->cable, a->position, b->position, through, drag);
        power += fmax(fm_dot(drag, v), 0);
    }
    return power;
}

/* `hauled`: J from the winch by changing the length. */
static void note_energy(fm_world *world, const fm_tether *tether, const cable_step *s, double hauled, double dt)
{
    double moving, potential;
    if (!world->energy)
        return;
    cable_energy(s, s->piece, &moving, &potential);
    fm_energy_note_tether(world, (size_t)(tether - world->energy->tethers->list), moving, potential,
                          fmax(hauled, 0) + dt * cable_power(s));
}

static double energy_by_length(const cable_step *s, double from, double to)
{
    double moving[2], potential[2];
    cable_energy(s, from / s->cable->pieces, &moving[0], &potential[0]);
    cable_energy(s, to / s->cable->pieces, &moving[1], &potential[1]);
    return moving[1] + potential[1] - moving[0] - potential[0];
}

/* --- parting --- */

/* It pulls no more, and stays where it is. */
static void part(const fm_tether *tether, double *state)
{
    node *nodes = (node *)(void *)(state + HEAD_WORDS);
    state[0] = state[1] = state[2] = 0;
    for (int k = 0; k + 1 < tether->cable.pieces; k++)
        for (int i = 0; i < 3; i++) {
            nodes[k].velocity[i] = 0;
            if (!(fabs(nodes[k].position[i]) < 1e8))
                nodes[k].position[i] = 0;
        }
}

static double greatest_speed(const node *nodes, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++) {
        double square = fm_dot(nodes[k].velocity, nodes[k].velocity);
        if (!(square <= most))
            most = square;
    }
    return sqrt(most);
}

double fm_tether_start_span(const fm_model *model, const fm_tether *tether)
{
    double at[2][3], R[9], q[4], arm[3];
    for (int e = 0; e < 2; e++) {
        const fm_tether_end *end = &tether->ends[e];
        memcpy(at[e], end->point, sizeof at[e]);
        if (end->vehicle < 0)
            continue;
        const fm_placement *p = &model->vehicles[end->vehicle];
        fm_quat_from_euler(p->euler, q);
        fm_quat_matrix(q, R);
        fm_vector_to_world(R, end->point, arm);
        for (int i = 0; i < 3; i++)
            at[e][i] = p->position[i] + arm[i];
    }
    double d[3] = {at[1][0] - at[0][0], at[1][1] - at[0][1], at[1][2] - at[0][2]};
    return fm_norm(d);
}

void fm_tether_explain(const fm_world *world, const fm_tether *tether, char *text, size_t size)
{
    double span = fm_tether_start_span(world->model, tether), length = world->live[tether->live];
    if (span > tether->length)
        snprintf(text, size,
                 "it began stretched, %.3g m between its ends for a length of %.3g m; place them nearer to each other, "
                 "or make it longer",
                 span, tether->length);
    else if (length < 0.9 * tether->length)
        snprintf(text, size, "it was hauled in to %.3g m; leave it longer, or make it softer", length);
    else
        snprintf(text, size,
                 "its stiffness of %.3g N is too much for its mass of %.3g kg/m, its vehicles and a step of %g s; make "
                 "it softer or the step shorter",
                 tether->cable.stiffness, tether->cable.mass, world->model->settings.dt);
}

/* A cable that is stretched too far or moves too fast: the run ends, or the tether parts. */
static void meet_runaway(fm_world *world, const fm_tether *tether, double *state, double speed)
{
    const fm_tethers *all = fm_subsystem_config(world->model, FM_SUBSYSTEM_TETHERS);
    int slot = tether->ends[0].vehicle >= 0 ? tether->ends[0].vehicle : tether->ends[1].vehicle;
    const char *why = fm_tether_start_span(world->model, tether) > tether->length ? "it began stretched"
                                                                                  : "it is too stiff or too short";
    if (world->on_runaway != FM_RUNAWAY_REMOVE) {
        world->bad_tether = (int)(tether - all->list);
        return;
    }
    if (speed > 0)
        fm_event_tell(world, slot, "tether parted", speed, "tether '%.40s' parted at %.3g m/s: %s", tether->name, speed,
                      why);
    else
        fm_event_tell(world, slot, "tether parted", speed, "tether '%.40s' parted, stretched too far: %s", tether->name,
                      why);
    part(tether, state);
}

static double distance_between(const node *a, const node *b)
{
    double d[3] = {b->position[0] - a->position[0], b->position[1] - a->position[1], b->position[2] - a->position[2]};
    return fm_norm(d);
}

static int is_too_long(const fm_tether *tether, const double *state, double span)
{
    return !(span <= (1 + tether->elongation) * state[0]);
}

static void step_tether(fm_world *world, const fm_tether *tether, double *state)
{
    if (state[0] == 0)
        return;
    if (!is_there(world, &tether->ends[0]) || !is_there(world, &tether->ends[1])) {
        part(tether, state); /* it goes with its vehicle */
        return;
    }
    double dt = world->model->settings.dt;
    int pieces = tether->cable.pieces, count = tether->cable.substeps;
    node all[NODES_MOST], before[2];
    double before_length = state[0];
    pay_out(world, tether, &state[0], dt);
    for (int e = 0; e < 2; e++)
        take_end(world, tether, state, e, &before[e], &all[e * pieces]);
    memcpy(&all[1], state + HEAD_WORDS, (size_t)(pieces - 1) * sizeof *all);
    if (is_too_long(tether, state, distance_between(&all[0], &all[pieces]))) {
        meet_runaway(world, tether, state, 0);
        return;
    }
    cable_step s = {.cable = &tether->cable,
                    .nodes = all,
                    .wet_weight = tether->cable.wet_mass * world->environment->gravity,
                    .piece = state[0] / pieces,
                    .h = dt / count};
    for (int e = 0; e < 2; e++)
        find_yield(world, &tether->ends[e], s.fall[e], s.yield[e]);
    fm_stream_velocity(world, all[pieces / 2].position, s.stream);
    double hauled = world->energy ? energy_by_length(&s, before_length, state[0]) : 0;
    for (int i = 0; i < count && !fm_world_is_cancelled(world); i++)
        sub_step(&s);
    double speed = greatest_speed(all, pieces + 1);
    if (!(speed < FM_TETHER_FASTEST)) {
        memcpy(state + HEAD_WORDS, &all[1], (size_t)(pieces - 1) * sizeof *all);
        meet_runaway(world, tether, state, speed);
        return;
    }
    note_energy(world, tether, &s, hauled, dt);
    memcpy(state + HEAD_WORDS, &all[1], (size_t)(pieces - 1) * sizeof *all);
    for (int e = 0; e < 2; e++) {
        for (int i = 0; i < 3; i++)
            s.pulls[e][i] /= count;
        state[1 + e] = fm_norm(s.pulls[e]);
        if (!leave_end(world, tether, state, e, &all[e * pieces], s.pulls[e]))
            continue;
        settle_end(world, &tether->ends[e], &s, e, &before[e], s.pulls[e]);
        pull_vehicle(world, &tether->ends[e], s.pulls[e]);
    }
}

static void pull(fm_world *world, const void *config, double *state)
{
    const fm_tethers *tethers = config;
    for (size_t i = 0; i < tethers->count && !fm_world_is_cancelled(world); i++) {
        const fm_tether *tether = &tethers->list[i];
        fm_world_work_on(world, tether->ends[tether->ends[0].vehicle < 0].vehicle);
        step_tether(world, tether, state + tether->state);
    }
}

static const double *state_of(const fm_world *world, const fm_tether *tether)
{
    return fm_subsystem_state(world, FM_SUBSYSTEM_TETHERS) + tether->state;
}

void fm_tether_points(const fm_world *world, const fm_tether *tether, double (*out)[3])
{
    const node *inner = (const node *)(const void *)(state_of(world, tether) + HEAD_WORDS);
    int pieces = tether->cable.pieces;
    for (int k = 1; k < pieces; k++)
        memcpy(out[k], inner[k - 1].position, sizeof *out);
    for (int e = 0; e < 2; e++) {
        node end = inner[e ? pieces - 2 : 0]; /* of one that has parted: its remains */
        if (is_there(world, &tether->ends[e]) && state_of(world, tether)[0] > 0)
            find_end(world, &tether->ends[e], &end);
        memcpy(out[e * pieces], end.position, sizeof *out);
    }
}

const fm_tether *fm_tether_pulling(const fm_world *world, int slot)
{
    const fm_tethers *tethers = fm_subsystem_config(world->model, FM_SUBSYSTEM_TETHERS);
    const fm_tether *best = NULL;
    for (size_t i = 0; tethers && i < tethers->count; i++) {
        const fm_tether *t = &tethers->list[i];
        int mine = t->ends[0].vehicle == slot || t->ends[1].vehicle == slot;
        if (mine && state_of(world, t)[0] > 0 &&
            (!best || !(fm_tether_tension(world, t) <= fm_tether_tension(world, best))))
            best = t;
    }
    return best;
}

/* FM_ERR_STATE, with the tether's name and the cause. */
static fm_status report(const fm_world *world, const fm_tether *tether, fm_error *error)
{
    const double *state = state_of(world, tether);
    node ends[2];
    char why[300];
    for (int e = 0; e < 2; e++)
        find_end(world, &tether->ends[e], &ends[e]);
    double span = distance_between(&ends[0], &ends[1]), t = (double)(world->head->tick + 1) * world->model->settings.dt;
    double speed = greatest_speed((const node *)(const void *)(state + HEAD_WORDS), tether->cable.pieces - 1);
    unsigned long long tick = (unsigned long long)world->head->tick;
    fm_tether_explain(world, tether, why, sizeof why);
    if (!(speed < FM_TETHER_FASTEST))
        return fm_fail(error, FM_ERR_STATE,
                       "tether '%s' moves at %.3g m/s after tick %llu (t = %g s), out of range: must be below %g m/s. "
                       "Its motion has diverged: %s",
                       tether->name, speed, tick, t, FM_TETHER_FASTEST, why);
    return fm_fail(
        error, FM_ERR_STATE,
        "tether '%s' is stretched from %.4g m to %.4g m at tick %llu (t = %g s), out of range: must be below "
        "%.4g m (elongation %g). %c%s",
        tether->name, state[0], span, tick, t, (1 + tether->elongation) * state[0], tether->elongation,
        why[0] - 'a' + 'A', why + 1);
}

double fm_tether_length(const fm_world *world, const fm_tether *tether)
{
    return state_of(world, tether)[0];
}

double fm_tether_tension(const fm_world *world, const fm_tether *tether)
{
    return fmax(state_of(world, tether)[1], state_of(world, tether)[2]);
}

static fm_status check(fm_world *world, const void *config, double *state, fm_error *error)
{
    (void)state;
    const fm_tethers *tethers = config;
    return world->bad_tether < 0 ? FM_OK : report(world, &tethers->list[world->bad_tether], error);
}

const fm_subsystem fm_tethers_subsystem = {
    .id = FM_SUBSYSTEM_TETHERS, .name = "tethers", .start = start, .pull = pull, .check = check};
