#include "world/tether.h"

#include <math.h>
#include <string.h>

#include "world/stream.h"

enum { HEAD_WORDS = 3 }; /* length, tension at the first and at the second end */

typedef struct node {
    double position[3], velocity[3]; /* m, m/s, NED */
} node;

size_t fm_tether_words(const fm_tether *tether)
{
    return HEAD_WORDS + 6 * (size_t)(tether->cable.pieces - 1);
}

/* Where an end is and how it moves, NED. */
static void find_end(const fm_world *world, const fm_tether_end *end, node *out)
{
    memset(out, 0, sizeof *out);
    if (end->vehicle < 0 || world->slots[end->vehicle].vehicle->life == FM_EMPTY) {
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

/* Across the span, as far down as that allows (a cable that floats: up); of a plumb span north. */
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

/* A slack cable hangs: nodes on a straight line, sunk by what is too long, so that no piece is stretched. */
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
    sag_direction(between, span, tether->cable.wet_weight < 0 ? -1 : 1, aside);
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
    node *nodes;        /* pieces + 1 of them, the ends included */
    double piece;       /* m, natural length of a piece */
    double stream[3];   /* water at the middle, m/s */
    double h;           /* s */
    double pulls[2][3]; /* N, sum over the sub-steps at the two ends */
    double yield[2][9]; /* m/s² of an end per N, NED, by row: of its vehicle; 0: it does not yield */
    double fall[2][3];  /* m/s², NED: acceleration of an end without the pull */
} cable_step;

enum { NODES_MOST = 257 };

/* Forces on the inner nodes at one moment; semi-implicit Euler: new velocity, then position with it. */
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
        force[k][2] += 0.5 * c->wet_weight * s->piece;
        force[k + 1][2] += 0.5 * c->wet_weight * s->piece;
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

/* How the vehicle at an end moves there: without a pull, and by a pull of 1 N (J M⁻¹ Jᵀ). Only one that steps with
 * every tick moves in time. */
static void find_yield(const fm_world *world, const fm_tether_end *end, double fall[3], double yield[9])
{
    static const double rest[6];
    memset(fall, 0, 3 * sizeof *fall);
    memset(yield, 0, 9 * sizeof *yield);
    const fm_slot *slot = end->vehicle < 0 ? NULL : &world->slots[end->vehicle];
    if (!slot || slot->vehicle->life != FM_ALIVE || !slot->type->kind->rigid || slot->type->period != 1)
        return;
    const fm_mass *mass = fm_slot_mass(world, end->vehicle);
    const fm_body_state *now = &slot->vehicle->body;
    fm_body_state rate;
    fm_stream room;
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

/* The vehicle is moved over its step by the mean pull, the end moved by each pull in its moment: the difference in
 * place is given to the vehicle, so that a stiff cable finds it where it left it. */
static void settle_end(fm_world *world, const fm_tether_end *end, const cable_step *s, int e, const node *before,
                       double dt)
{
    const double *y = s->yield[e], *pull = s->pulls[e];
    if (y[0] == 0)
        return;
    double *position = world->slots[end->vehicle].vehicle->body.position;
    for (int i = 0; i < 3; i++) {
        double yielded = s->fall[e][i] + y[3 * i] * pull[0] + y[3 * i + 1] * pull[1] + y[3 * i + 2] * pull[2];
        double carried = before->position[i] + dt * before->velocity[i] + 0.5 * dt * dt * yielded;
        position[i] += s->nodes[e * s->cable->pieces].position[i] - carried;
    }
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

static void step_tether(fm_world *world, const fm_tether *tether, double *state)
{
    double dt = world->model->settings.dt;
    int pieces = tether->cable.pieces, count = tether->cable.substeps;
    node all[NODES_MOST];
    pay_out(world, tether, &state[0], dt);
    find_end(world, &tether->ends[0], &all[0]);
    find_end(world, &tether->ends[1], &all[pieces]);
    memcpy(&all[1], state + HEAD_WORDS, (size_t)(pieces - 1) * sizeof *all);
    cable_step s = {.cable = &tether->cable, .nodes = all, .piece = state[0] / pieces, .h = dt / count};
    const node before[2] = {all[0], all[pieces]};
    for (int e = 0; e < 2; e++)
        find_yield(world, &tether->ends[e], s.fall[e], s.yield[e]);
    fm_stream_velocity(world, all[pieces / 2].position, s.stream);
    for (int i = 0; i < count; i++)
        sub_step(&s);
    memcpy(state + HEAD_WORDS, &all[1], (size_t)(pieces - 1) * sizeof *all);
    for (int e = 0; e < 2; e++) {
        for (int i = 0; i < 3; i++)
            s.pulls[e][i] /= count;
        settle_end(world, &tether->ends[e], &s, e, &before[e], dt);
        state[1 + e] = fm_norm(s.pulls[e]);
        pull_vehicle(world, &tether->ends[e], s.pulls[e]);
    }
}

static void pull(fm_world *world, const void *config, double *state)
{
    const fm_tethers *tethers = config;
    for (size_t i = 0; i < tethers->count; i++)
        step_tether(world, &tethers->list[i], state + tethers->list[i].state);
}

const fm_subsystem fm_tethers_subsystem = {.name = "tethers", .start = start, .pull = pull};
