#include "fish/anticipate.h"

#include <string.h>

enum { STEPS = 14, LONG_STEPS = 4, POINTS = FM_ANTICIPATE_TRACKS * 3 + FM_ANTICIPATE_FRAMES * FM_ANTICIPATE_BEAMS };

/* Half the width of the path that must be free for full speed, m. Objects beside it do not slow the fish: along a wall
 * a slow fish could not swing its tail clear of it. */
static const double CORRIDOR = 0.12;

/* Hysteresis: costs of a way at which it counts as blocked and as free again; s for which it must have been free; by
 * how much another turn must be better than the present one. */
static const double BLOCKED = 0.02, FREE = 0.01, CALM = 0.8, BETTER = 0.02;

/* One object to keep clear of, in the present frame of the fish. */
typedef struct hazard {
    double x, y, vx, vy;   /* m, m/s */
    double radius, growth; /* m, m/s */
    double margin;         /* m */
    double weight;         /* 1; less for what is only remembered */
} hazard;

fm_anticipate_params fm_anticipate_preset(void)
{
    return (fm_anticipate_params){.nose = 0.16,
                                  .bow = 30 * FM_PI / 180,
                                  .tail = 0.24,
                                  .bend = 0.65,
                                  .body_radius = 0.03,
                                  .turn_max = 1.8,
                                  .horizon = 4,
                                  .foresight = 2.9,
                                  .margin = 0.34,
                                  .margin_moving = 0.42,
                                  .growth = 0.04,
                                  .memory = 2.5,
                                  .close = 0.28,
                                  .widest = 1};
}

/* Beams stay in the order of their bearings; of equal ones the earlier comes first. */
static void add_beam(fm_anticipate_params *p, const fm_anticipate_beam *beam)
{
    int at = p->beams++;
    for (; at > 0 && p->beam[at - 1].bearing > beam->bearing; at--)
        p->beam[at] = p->beam[at - 1];
    p->beam[at] = *beam;
}

int fm_anticipate_add(fm_anticipate_params *p, double x, double y, double axis, double half_angle, int rays,
                      double range)
{
    if (p->beams + rays > FM_ANTICIPATE_BEAMS)
        return 0;
    for (int i = 0; i < rays; i++) {
        double across = rays > 1 ? half_angle * (2.0 * i / (rays - 1) - 1) : 0, bearing = axis + across;
        int side = y != 0 ? (y < 0 ? -1 : 1) : (bearing < 0 ? -1 : 1);
        add_beam(p, &(fm_anticipate_beam){.x = x,
                                          .y = y,
                                          .bearing = bearing,
                                          .cosine = fm_cos(bearing),
                                          .sine = fm_sin(bearing),
                                          .side = side,
                                          .sensor = p->sensors,
                                          .item = i});
    }
    p->sensors++;
    p->range = fm_max(p->range, range);
    p->widest = fm_min(p->widest, fm_cos(fm_clamp(fm_abs(axis) + half_angle - 0.15, 0, FM_PI)));
    return 1;
}

void fm_anticipate_begin(fm_anticipate_state *s)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < FM_ANTICIPATE_TRACKS; i++)
        s->track[i].age = -1;
}

void fm_anticipate_move(fm_anticipate_state *s, double speed, double turn_rate, double dt)
{
    s->heading += turn_rate * dt;
    s->x += speed * dt * fm_cos(s->heading);
    s->y += speed * dt * fm_sin(s->heading);
    s->clock += dt;
}

/* An echo in the odometer's frame; `range` of the ray it came with. */
typedef struct echo {
    double x, y, range;
} echo;

static double distance(double dx, double dy)
{
    return fm_sqrt(dx * dx + dy * dy);
}

/* The first of FM_ANTICIPATE_TRACKS within reach of (x, y), else a free or the longest unseen slot (*fresh = 1). */
static fm_anticipate_track *find_track(fm_anticipate_state *s, double x, double y, double reach, int *fresh)
{
    fm_anticipate_track *best = NULL, *spare = &s->track[0];
    for (int i = 0; i < FM_ANTICIPATE_TRACKS; i++) {
        fm_anticipate_track *t = &s->track[i];
        if (t->age < 0) {
            if (spare->age >= 0)
                spare = t;
            continue;
        }
        if (spare->age >= 0 && t->unseen > spare->unseen)
            spare = t;
        double d = distance(t->x - x, t->y - y);
        if (t->unseen > 0 && d < reach + 0.1 * fm_min(t->unseen, 2)) {
            reach = d;
            best = t;
        }
    }
    *fresh = best == NULL;
    return best ? best : spare;
}

/* The visible part of a column slides round it as the fish passes; anything slower than this counts as resting. */
static int moves(const fm_anticipate_track *t)
{
    return distance(t->vx, t->vy) > 0.11;
}

/* (B6): alpha-beta filter of a thing's middle; the speed of a fish bounds that of a thing. */
static const fm_anticipate_track *update_track(fm_anticipate_state *s, double x, double y, double extent, double dt)
{
    int fresh;
    fm_anticipate_track *t = find_track(s, x, y, 0.25, &fresh);
    if (fresh) {
        *t = (fm_anticipate_track){.x = x, .y = y, .extent = extent};
        return t;
    }
    double rx = x - t->x, ry = y - t->y, beta = 0.05 / dt;
    t->x += 0.4 * rx;
    t->y += 0.4 * ry;
    t->vx += beta * rx;
    t->vy += beta * ry;
    double v = distance(t->vx, t->vy);
    if (v > 0.35) {
        t->vx *= 0.35 / v;
        t->vy *= 0.35 / v;
    }
    t->extent += 0.3 * (extent - t->extent);
    t->unseen = 0;
    return t;
}

static void advance_tracks(const fm_anticipate_params *p, fm_anticipate_state *s, double dt)
{
    for (int i = 0; i < FM_ANTICIPATE_TRACKS; i++) {
        fm_anticipate_track *t = &s->track[i];
        if (t->age < 0)
            continue;
        t->age += dt;
        t->unseen += dt;
        if (t->unseen > 0.2) { /* a fish out of sight will have turned: its last course counts less and less */
            t->vx -= t->vx * dt / 1.5;
            t->vy -= t->vy * dt / 1.5;
        }
        t->x += t->vx * dt;
        t->y += t->vy * dt;
        if (t->unseen > p->memory || (t->age < 0.5 && t->unseen > 0.5))
            t->age = -1;
    }
}

/* All present echoes count as they are; only those of resting objects are remembered. */
static void keep_echoes(fm_anticipate_state *s, const echo *e, int count, int resting)
{
    for (int i = 0; i < count; i++) {
        int n = s->echoes[0]++;
        s->echo_x[0][n] = e[i].x;
        s->echo_y[0][n] = e[i].y;
        s->echo_rests[n] = resting;
    }
}

/* Distance of c from the line through a and b. */
static double off_line(const echo *a, const echo *b, const echo *c)
{
    double dx = b->x - a->x, dy = b->y - a->y, length = fm_max(distance(dx, dy), 1e-6);
    return fm_abs(dx * (c->y - a->y) - dy * (c->x - a->x)) / length;
}

/* Whether echoes i and i+1 belong to one surface: near each other, or in line with their neighbours. */
static int joined(const echo *e, int i, int total, double range)
{
    double gap = distance(e[i + 1].x - e[i].x, e[i + 1].y - e[i].y), r = fm_min(e[i].range, e[i + 1].range);
    if (gap < 0.10 + 0.12 * r)
        return 1;
    int before = i > 0 && e[i - 1].range < range && off_line(&e[i - 1], &e[i], &e[i + 1]) < 0.03 + 0.05 * gap;
    int after = i + 2 < total && e[i + 2].range < range && off_line(&e[i + 2], &e[i + 1], &e[i]) < 0.03 + 0.05 * gap;
    return before || after;
}

/* (B5): a group of echoes is a free-standing object if it is small and has no neighbour. */
static void take_group(fm_anticipate_state *s, const echo *e, int first, int end, int total, double range, double dt)
{
    double extent = 0.5 * distance(e[end - 1].x - e[first].x, e[end - 1].y - e[first].y);
    int nearer_before = first > 0 && e[first - 1].range < e[first].range && e[first - 1].range < range;
    int nearer_after = end < total && e[end].range < e[end - 1].range && e[end].range < range;
    int hidden = nearer_before || nearer_after; /* partly hidden by another object: its centre is unknown */
    if (extent > 0.26 || (hidden && extent > 0.1)) {
        keep_echoes(s, e + first, end - first, 1);
        return;
    }
    double x = 0, y = 0;
    for (int i = first; i < end; i++) {
        x += e[i].x / (end - first);
        y += e[i].y / (end - first);
    }
    const fm_anticipate_track *t = update_track(s, x, y, fm_max(extent, 0.03), dt);
    keep_echoes(s, e + first, end - first, t->age > 0.6 && !moves(t));
}

static void remember_frame(fm_anticipate_state *s, double dt)
{
    s->frame_clock += dt;
    if (s->frame_clock >= 0.5) {
        s->frame_clock = 0;
        s->frame = s->frame % (FM_ANTICIPATE_FRAMES - 1) + 1;
        int n = 0;
        for (int i = 0; i < s->echoes[0]; i++)
            if (s->echo_rests[i]) {
                s->echo_x[s->frame][n] = s->echo_x[0][i];
                s->echo_y[s->frame][n++] = s->echo_y[0][i];
            }
        s->echoes[s->frame] = n;
    }
    s->echoes[0] = 0;
}

/* Least ranges ahead and about the bow, on the side of the beam's instrument. */
static void note_ahead(const fm_anticipate_params *p, fm_anticipate_state *s, const fm_anticipate_beam *beam,
                       double range)
{
    double bearing = fm_abs(beam->bearing);
    double *side = beam->side < 0 ? &s->port : &s->starboard;
    double *wide = beam->side < 0 ? &s->port_wide : &s->starboard_wide;
    if (bearing < p->bow)
        *side = fm_min(*side, range);
    if (bearing < 2 * p->bow)
        *wide = fm_min(*wide, range);
    double ahead = beam->x + range * beam->cosine - p->nose, aside = beam->y + range * beam->sine;
    if (range < p->range && ahead > 0 && fm_abs(aside) < CORRIDOR)
        s->clear = fm_min(s->clear, ahead);
}

void fm_anticipate_sense(const fm_anticipate_params *p, fm_anticipate_state *s, const double *range, double dt)
{
    echo e[FM_ANTICIPATE_BEAMS];
    double c = fm_cos(s->heading), w = fm_sin(s->heading);
    for (int i = 0; i < p->beams; i++) {
        const fm_anticipate_beam *b = &p->beam[i];
        double r = range[i], x = b->x + r * b->cosine, y = b->y + r * b->sine;
        e[i] = (echo){s->x + c * x - w * y, s->y + w * x + c * y, r};
    }
    remember_frame(s, dt);
    advance_tracks(p, s, dt);
    int first = 0;
    s->port = s->starboard = s->port_wide = s->starboard_wide = s->clear = p->range;
    for (int i = 0; i < p->beams; i++) {
        note_ahead(p, s, &p->beam[i], e[i].range);
        int silent = e[i].range >= p->range, last = i + 1 == p->beams;
        if (silent) {
            first = i + 1;
            continue;
        }
        if (last || e[i + 1].range >= p->range || !joined(e, i, p->beams, p->range)) {
            take_group(s, e, first, i + 1, p->beams, p->range, dt);
            first = i + 1;
        }
    }
}

static int add_hazard(const fm_anticipate_state *s, hazard *h, int n, double x, double y, hazard kind)
{
    double c = fm_cos(s->heading), w = fm_sin(s->heading), dx = x - s->x, dy = y - s->y;
    kind.x = c * dx + w * dy;
    kind.y = c * dy - w * dx;
    double vx = kind.vx, vy = kind.vy;
    kind.vx = c * vx + w * vy;
    kind.vy = c * vy - w * vx;
    h[n] = kind;
    return n + 1;
}

/* A moving track becomes three discs along its course: only one side of a fish was seen. A resting one in sight is
 * already present as echoes. */
static int add_track(const fm_anticipate_params *p, const fm_anticipate_state *s, const fm_anticipate_track *t,
                     hazard *h, int n)
{
    double v = distance(t->vx, t->vy), lost = p->growth * fm_min(t->unseen, 3);
    hazard kind = {.vx = t->vx,
                   .vy = t->vy,
                   .radius = 0.06 + lost,
                   .growth = p->growth,
                   .margin = p->margin_moving,
                   .weight = fm_clamp(1.1 - t->unseen / p->memory, 0.1, 1)};
    if (moves(t) && t->age > 0.4) {
        for (int k = -1; k <= 1; k++)
            n = add_hazard(s, h, n, t->x + 0.14 * k * t->vx / v, t->y + 0.14 * k * t->vy / v, kind);
    } else if (t->unseen > 0 && t->age > 0.4) {
        kind.vx = kind.vy = 0;
        kind.margin = p->margin;
        n = add_hazard(s, h, n, t->x, t->y, kind);
    }
    return n;
}

/* Whether a place in the fish's frame is outside all beams: only there the memory of resting objects counts. */
static int out_of_sight(const fm_anticipate_params *p, const hazard *h)
{
    double dx = h->x - p->nose, r = distance(dx, h->y);
    return dx < p->widest * r;
}

static int gather(const fm_anticipate_params *p, const fm_anticipate_state *s, double own_speed, hazard *h)
{
    int n = 0;
    double near = 0.5 + own_speed * p->horizon, far = near + 0.35 * p->horizon;
    for (int i = 0; i < FM_ANTICIPATE_TRACKS; i++) {
        const fm_anticipate_track *t = &s->track[i];
        if (t->age >= 0 && distance(t->x - s->x, t->y - s->y) < far)
            n = add_track(p, s, t, h, n);
    }
    const hazard kind = {.margin = p->margin, .weight = 1};
    for (int f = 0; f < FM_ANTICIPATE_FRAMES; f++) {
        double x = 1e9, y = 1e9; /* the last one used: those within 50 mm of it add no information */
        for (int i = 0; i < s->echoes[f]; i++) {
            if (distance(s->echo_x[f][i] - s->x, s->echo_y[f][i] - s->y) > near ||
                distance(s->echo_x[f][i] - x, s->echo_y[f][i] - y) < 0.05)
                continue;
            x = s->echo_x[f][i];
            y = s->echo_y[f][i];
            n = add_hazard(s, h, n, x, y, kind);
            if (f > 0 && !out_of_sight(p, &h[n - 1]))
                n--;
        }
    }
    return n;
}

/* The bent fish at a moment of its path: joint 1, heading and direction of the tail, seen from the present pose. */
typedef struct posture {
    double t, x, y, hx, hy, tx, ty;
} posture;

/* Squared distance of (dx, dy) from a segment of this length along (ux, uy) from the origin. */
static double segment_distance2(double dx, double dy, double ux, double uy, double length)
{
    double along = fm_clamp(dx * ux + dy * uy, 0, length), ex = dx - along * ux, ey = dy - along * uy;
    return ex * ex + ey * ey;
}

/* Penalty of one hazard: 0 beyond the margin, 1 at touch and steeply more inside. */
static double penalty(const fm_anticipate_params *p, const hazard *h, const posture *q)
{
    double dx = h->x + h->vx * q->t - q->x, dy = h->y + h->vy * q->t - q->y;
    double keep = p->body_radius + h->radius + h->growth * q->t, reach = keep + h->margin, far = reach + p->tail;
    if (dx * dx + dy * dy >= far * far)
        return 0;
    double d2 =
        fm_min(segment_distance2(dx, dy, q->hx, q->hy, p->nose), segment_distance2(dx, dy, q->tx, q->ty, p->tail));
    if (d2 >= reach * reach)
        return 0;
    double room = (fm_sqrt(d2) - keep) / h->margin, in = 1 - room;
    if (room > 0)
        return in * in + (room < 0.25 ? 48 * (0.25 - room) * (0.25 - room) : 0);
    return 4 + 8 * in * in;
}

/* (B7): cost of swimming on with this turn rate; sooner counts more. The tail bends into the turn. */
static double path_cost(const fm_anticipate_params *p, const hazard *h, int n, double speed, double turn)
{
    double cost = 0, bend = p->bend * turn / p->turn_max;
    double cb = fm_cos(bend), sb = fm_sin(bend);
    posture q = {0};
    for (int k = 1; k <= STEPS; k++) {
        double dt = (k > STEPS - LONG_STEPS ? 2.5 : 1) * p->horizon / (STEPS + 1.5 * LONG_STEPS), worst = 0;
        q.t += dt;
        double heading = fm_clamp(turn * q.t, -2.6, 2.6);
        q.hx = fm_cos(heading);
        q.hy = fm_sin(heading);
        q.tx = -q.hx * cb - q.hy * sb; /* aft, turned towards the side of the turn */
        q.ty = -q.hy * cb + q.hx * sb;
        q.x += speed * dt * q.hx;
        q.y += speed * dt * q.hy;
        for (int i = 0; i < n; i++)
            if (h[i].growth == 0 || q.t <= p->foresight) /* later, the position of a moving object is uncertain */
                worst = fm_max(worst, h[i].weight * penalty(p, &h[i], &q));
        cost += dt * worst / (0.4 + q.t);
    }
    return cost;
}

/* (B8): an object close ahead: turn hard, to the side first chosen, until it is off the bow. */
static double last_resort(const fm_anticipate_params *p, fm_anticipate_state *s, double turn)
{
    double beside = s->hard > 0 ? s->port_wide : s->starboard_wide;
    if (s->hard == 0 ? s->clear > p->close : s->clear > 1.5 * p->close && beside > p->close) {
        s->hard = 0;
        return turn;
    }
    if (s->hard == 0)
        s->hard = fm_abs(turn) > 0.5 && fm_abs(s->port - s->starboard) < 0.15 ? fm_sign(turn)
                  : s->port < s->starboard                                    ? 1
                                                                              : -1;
    return s->hard * p->turn_max;
}

/* (B9): whether to leave the path of the task, which has this cost: at once if it is blocked, and until it has been
 * clearly free for CALM s. */
static int departs(fm_anticipate_state *s, double cost, double task_turn)
{
    if (cost >= (s->avoids > 0 ? FREE : BLOCKED))
        s->alarm = s->clock;
    int calm = s->avoids > 0 ? s->clock - s->alarm >= CALM - 1e-9 && fm_abs(s->turn - task_turn) < 0.8 : cost < BLOCKED;
    s->avoids = !(calm && s->hard == 0);
    return s->avoids > 0;
}

/* Cost of a turn rate: its path, its distance from what the task wants and from the last choice, and to which side. */
static double turn_cost(const fm_anticipate_state *s, double path, double turn, double task_turn)
{
    return path + 0.02 * (turn - task_turn) * (turn - task_turn) + 0.05 * (turn - s->turn) * (turn - s->turn) +
           (turn < 0 ? 0.02 : 0);
}

int fm_anticipate_decide(const fm_anticipate_params *p, fm_anticipate_state *s, double own_speed, double task_turn,
                         double task_speed, double *turn_rate, double *speed)
{
    static const double share[] = {0, 0.06, -0.06, 0.12, -0.12, 0.3, -0.3, 0.5, -0.5, 0.75, -0.75, 1, -1};
    hazard h[POINTS];
    double pace = fm_max(own_speed, 0.05), turn = task_turn;
    int n = gather(p, s, own_speed, h);
    double best = path_cost(p, h, n, pace, task_turn);
    if (!departs(s, best, task_turn)) {
        s->turn = *turn_rate = task_turn;
        *speed = task_speed;
        return 0;
    }
    best += 0.05 * (task_turn - s->turn) * (task_turn - s->turn);
    for (size_t i = 0; i < sizeof share / sizeof share[0]; i++) {
        double v = share[i] * p->turn_max, cost = turn_cost(s, path_cost(p, h, n, pace, v), v, task_turn);
        if (cost < best) {
            best = cost;
            turn = v;
        }
    }
    if (s->alarm == s->clock && turn_cost(s, path_cost(p, h, n, pace, s->turn), s->turn, task_turn) < best + BETTER)
        turn = s->turn; /* (B10) */
    s->turn = *turn_rate = last_resort(p, s, turn);
    *speed = task_speed * fm_clamp((s->clear - 0.1) / 0.5, 0.3, 1);
    return 1;
}
