/* A small plane pool for tests of fish behaviour: fish with two boxes each, columns, walls, ray sonars. World x, y as
 * north and east, 0 <= x <= length, 0 <= y <= width; m. */
#ifndef TESTS_FISH_POOL_H
#define TESTS_FISH_POOL_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "fish/anticipate.h"
#include "fish/fish_avoid.h"
#include "fish/preset.h"
#include "fish/servo_table.h"
#include "ocean/waves.h"

enum { POOL_FISH_MAX = 16, POOL_COLUMNS = 2, POOL_CELLS_X = 24, POOL_CELLS_Y = 16 };
static const double POOL_COLUMN[POOL_COLUMNS][3] = {{2.0, 1.4, 0.2}, {4.0, 2.6, 0.2}};

/* A box in the plane: centre, unit vector along it, half length and half width; m. */
typedef struct pool_box {
    double x, y, dx, dy, half_length, half_width;
} pool_box;

typedef struct pool_fish {
    fm_fish_state s;
    double offset[3]; /* by the water noise, within s; m */
    pool_box box[2];
    double reach_x, reach_y; /* centre, for a quick test */
    double turn, turn_left;  /* free swimming: held turn rate, time left */
    fm_fish_avoid_state avoid;
    fm_anticipate_state ahead;
    double range[FM_ANTICIPATE_BEAMS];
    double frequency, deflection;
} pool_fish;

typedef struct pool {
    int fish, anticipate;
    double length, width, time;
    uint64_t random;
    fm_fish_params par;
    fm_water_noise noise;
    fm_servo_table table;
    fm_fish_avoid_params rule;
    fm_anticipate_params sight;
    pool_fish f[POOL_FISH_MAX];
    /* what happened */
    long static_contacts, fish_contacts; /* fish-cycles */
    double clearance, speed_sum;
    long cycles;
    uint8_t seen[POOL_CELLS_X * POOL_CELLS_Y];
} pool;

static double pool_random(pool *p)
{
    p->random ^= p->random << 13;
    p->random ^= p->random >> 7;
    p->random ^= p->random << 17;
    return (double)(p->random >> 11) / 9007199254740992.0;
}

static void pool_shape(pool *p, pool_fish *f)
{
    double angle[4], slope[4], x[5], y[5];
    fm_fish_play(p->table.angle, p->table.rows, p->table.tail.joints, f->s.cycles, angle, slope);
    fm_fish_deflect(p->table.tail.joints, angle, f->deflection);
    fm_fish_chain(&p->table.tail, angle, x, y);
    double c = cos(f->s.heading), s = sin(f->s.heading), half = 0.5 * HEAD_LENGTH;
    double tail[2] = {c * x[4] - s * y[4], s * x[4] + c * y[4]}, length = fmax(hypot(tail[0], tail[1]), 1e-9);
    f->box[0] = (pool_box){f->s.x + half * c, f->s.y + half * s, c, s, half, 0.5 * HEAD_WIDTH};
    f->box[1] = (pool_box){f->s.x + 0.5 * tail[0], f->s.y + 0.5 * tail[1], tail[0] / length,
                           tail[1] / length,       0.5 * length,           0.5 * TAIL_WIDTH};
    f->reach_x = 0.5 * (f->box[0].x + f->box[1].x);
    f->reach_y = 0.5 * (f->box[0].y + f->box[1].y);
}

static int pool_separated(const pool_box *a, const pool_box *b, double ax, double ay)
{
    double ra = a->half_length * fabs(a->dx * ax + a->dy * ay) + a->half_width * fabs(a->dx * ay - a->dy * ax);
    double rb = b->half_length * fabs(b->dx * ax + b->dy * ay) + b->half_width * fabs(b->dx * ay - b->dy * ax);
    return fabs((b->x - a->x) * ax + (b->y - a->y) * ay) > ra + rb;
}

/* Separating axes of two boxes. */
static int pool_boxes_touch(const pool_box *a, const pool_box *b)
{
    return !(pool_separated(a, b, a->dx, a->dy) || pool_separated(a, b, -a->dy, a->dx) ||
             pool_separated(a, b, b->dx, b->dy) || pool_separated(a, b, -b->dy, b->dx));
}

static double pool_box_column(const pool_box *b, const double c[3])
{
    double dx = c[0] - b->x, dy = c[1] - b->y;
    double along = fmax(fabs(dx * b->dx + dy * b->dy) - b->half_length, 0);
    double across = fmax(fabs(dy * b->dx - dx * b->dy) - b->half_width, 0);
    return hypot(along, across) - c[2];
}

static double pool_box_walls(const pool *p, const pool_box *b)
{
    double ex = b->half_length * fabs(b->dx) + b->half_width * fabs(b->dy);
    double ey = b->half_length * fabs(b->dy) + b->half_width * fabs(b->dx);
    return fmin(fmin(b->x - ex, p->length - b->x - ex), fmin(b->y - ey, p->width - b->y - ey));
}

static double pool_static_clearance(const pool *p, const pool_fish *f)
{
    double least = INFINITY;
    for (int b = 0; b < 2; b++) {
        least = fmin(least, pool_box_walls(p, &f->box[b]));
        for (int c = 0; c < POOL_COLUMNS; c++)
            least = fmin(least, pool_box_column(&f->box[b], POOL_COLUMN[c]));
    }
    return least;
}

static int pool_fish_touch(const pool_fish *a, const pool_fish *b)
{
    if (hypot(a->reach_x - b->reach_x, a->reach_y - b->reach_y) > 0.6)
        return 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (pool_boxes_touch(&a->box[i], &b->box[k]))
                return 1;
    return 0;
}

/* Range of a ray to a box, by slabs in the box's frame. */
static double pool_ray_box(const pool_box *b, double ox, double oy, double dx, double dy)
{
    double lx = (ox - b->x) * b->dx + (oy - b->y) * b->dy, ly = (oy - b->y) * b->dx - (ox - b->x) * b->dy;
    double ex = dx * b->dx + dy * b->dy, ey = dy * b->dx - dx * b->dy;
    double ix = 1 / (fabs(ex) > 1e-12 ? ex : 1e-12), iy = 1 / (fabs(ey) > 1e-12 ? ey : 1e-12);
    double ax = (-b->half_length - lx) * ix, bx = (b->half_length - lx) * ix;
    double ay = (-b->half_width - ly) * iy, by = (b->half_width - ly) * iy;
    double in = fmax(fmin(ax, bx), fmin(ay, by)), out = fmin(fmax(ax, bx), fmax(ay, by));
    return out >= fmax(in, 0) ? fmax(in, 0) : INFINITY;
}

static double pool_ray(const pool *p, int self, const int *near, int nears, double ox, double oy, double dx, double dy)
{
    double r = p->sight.range;
    if (dx != 0)
        r = fmin(r, ((dx > 0 ? p->length : 0) - ox) / dx);
    if (dy != 0)
        r = fmin(r, ((dy > 0 ? p->width : 0) - oy) / dy);
    for (int c = 0; c < POOL_COLUMNS; c++) {
        double fx = ox - POOL_COLUMN[c][0], fy = oy - POOL_COLUMN[c][1], b = fx * dx + fy * dy;
        double disc = b * b - (fx * fx + fy * fy - POOL_COLUMN[c][2] * POOL_COLUMN[c][2]);
        if (disc >= 0 && b < 0)
            r = fmin(r, -b - sqrt(disc));
    }
    for (int k = 0; k < nears; k++)
        if (near[k] != self)
            for (int b = 0; b < 2; b++)
                r = fmin(r, pool_ray_box(&p->f[near[k]].box[b], ox, oy, dx, dy));
    return fmax(r, 0);
}

static void pool_sense(pool *p, int i)
{
    pool_fish *f = &p->f[i];
    int near[POOL_FISH_MAX], nears = 0;
    for (int k = 0; k < p->fish; k++)
        if (k != i && hypot(p->f[k].reach_x - f->s.x, p->f[k].reach_y - f->s.y) < p->sight.range + 0.4)
            near[nears++] = k;
    double c = cos(f->s.heading), w = sin(f->s.heading);
    for (int k = 0; k < p->sight.beams; k++) {
        const fm_anticipate_beam *beam = &p->sight.beam[k];
        double ox = f->s.x + c * beam->x - w * beam->y, oy = f->s.y + w * beam->x + c * beam->y;
        f->range[k] =
            pool_ray(p, i, near, nears, ox, oy, c * beam->cosine - w * beam->sine, w * beam->cosine + c * beam->sine);
    }
}

/* Least effective range (B1) on one side. */
static double pool_nearest(const pool *p, const pool_fish *f, int side)
{
    double least = p->sight.range;
    for (int k = 0; k < p->sight.beams; k++)
        if (p->sight.beam[k].side == side)
            least = fmin(least, fm_fish_effective_range(f->range[k], p->sight.beam[k].cosine));
    return least;
}

static void pool_decide(pool *p, pool_fish *f, double dt, double *turn, double *speed)
{
    f->turn_left -= dt;
    if (f->turn_left <= 0) {
        f->turn = 0.35 * (2 * pool_random(p) - 1);
        f->turn_left = 1 + 3 * pool_random(p);
    }
    if (p->anticipate) {
        fm_anticipate_sense(&p->sight, &f->ahead, f->range, dt);
        fm_anticipate_decide(&p->sight, &f->ahead, f->s.speed, f->turn, p->rule.speed, turn, speed);
        return;
    }
    double active, v, u;
    fm_fish_avoid(&p->rule, &f->avoid, pool_nearest(p, f, -1), pool_nearest(p, f, 1), dt, &active, &v, &u);
    *turn = active > 0 ? v : f->turn;
    *speed = active > 0 ? u : p->rule.speed;
}

static void pool_collide(pool *p, const pool_fish *before)
{
    for (int i = 0; i < p->fish; i++) {
        pool_fish *f = &p->f[i];
        double clear = pool_static_clearance(p, f);
        p->clearance = fmin(p->clearance, clear);
        if (clear <= 0) {
            p->static_contacts++;
            f->s.x = before[i].s.x;
            f->s.y = before[i].s.y;
            f->s.heading = before[i].s.heading;
            f->s.speed *= 0.3;
            pool_shape(p, f);
        }
    }
    for (int i = 0; i < p->fish; i++)
        for (int k = i + 1; k < p->fish; k++)
            if (pool_fish_touch(&p->f[i], &p->f[k])) {
                double dx = p->f[k].reach_x - p->f[i].reach_x, dy = p->f[k].reach_y - p->f[i].reach_y;
                double d = fmax(hypot(dx, dy), 1e-6);
                p->fish_contacts += 2;
                p->f[i].s.x -= 0.005 * dx / d;
                p->f[i].s.y -= 0.005 * dy / d;
                p->f[k].s.x += 0.005 * dx / d;
                p->f[k].s.y += 0.005 * dy / d;
                pool_shape(p, &p->f[i]);
                pool_shape(p, &p->f[k]);
            }
}

static void pool_add_noise(const pool *p, pool_fish *f)
{
    double free[3] = {f->s.x - f->offset[0], f->s.y - f->offset[1], 0};
    fm_water_noise_offset(&p->noise, p->time, free, f->offset);
    f->s.x = free[0] + f->offset[0];
    f->s.y = free[1] + f->offset[1];
}

/* One cycle of the paper: sense, decide, expected motion, inverse map, kinematics, noise, collision, joints. */
static void pool_step(pool *p, double dt)
{
    pool_fish before[POOL_FISH_MAX];
    double turn[POOL_FISH_MAX], speed[POOL_FISH_MAX];
    memcpy(before, p->f, (size_t)p->fish * sizeof before[0]);
    for (int i = 0; i < p->fish; i++) {
        pool_sense(p, i);
        pool_decide(p, &p->f[i], dt, &turn[i], &speed[i]);
    }
    p->time += dt;
    for (int i = 0; i < p->fish; i++) {
        pool_fish *f = &p->f[i];
        double a = fm_fish_expected_acceleration(speed[i], f->s.speed);
        fm_fish_inverse(&p->par, a, turn[i], f->s.speed, &f->frequency, &f->deflection);
        fm_fish_step(&p->par, &f->s, f->frequency, f->deflection, dt);
        pool_add_noise(p, f);
        fm_anticipate_move(&f->ahead, f->s.speed, fm_fish_turn_rate(&p->par, f->frequency, f->deflection), dt);
        pool_shape(p, f);
        p->speed_sum += f->s.speed;
        int cx = (int)(f->s.x / 0.25), cy = (int)(f->s.y / 0.25);
        if (cx >= 0 && cx < POOL_CELLS_X && cy >= 0 && cy < POOL_CELLS_Y)
            p->seen[cy * POOL_CELLS_X + cx] = 1;
    }
    p->cycles += p->fish;
    pool_collide(p, before);
}

static int pool_start_is_free(const pool *p, int count)
{
    for (int k = 0; k < count; k++)
        if (hypot(p->f[k].s.x - p->f[count].s.x, p->f[k].s.y - p->f[count].s.y) < 0.8)
            return 0;
    return pool_static_clearance(p, &p->f[count]) > 0.4;
}

static void pool_begin(pool *p, int fish, uint64_t seed, int anticipate)
{
    fm_error error;
    memset(p, 0, sizeof *p);
    p->fish = fish;
    p->anticipate = anticipate;
    p->length = 6;
    p->width = 4;
    p->clearance = INFINITY;
    p->random = seed * 0x9E3779B97F4A7C15u + 0x123456789u;
    p->par = preset_fish();
    p->noise = (fm_water_noise){.amplitude = {0.003, 0.003}, .wavelength = {0.5, 0.5}, .gravity = 9.81};
    p->rule = fm_fish_avoid_preset();
    p->sight = fm_anticipate_preset();
    fm_servo_table_fit(&p->table, &p->par, &preset_tail, SERVO_ROWS, 1, &error);
    for (int side = -1; side <= 1; side += 2)
        fm_anticipate_add(&p->sight, p->sight.nose, 0.02 * side, side * FM_PI / 3, FM_PI / 3, 25, 1.5);
    for (int i = 0; i < 20; i++)
        pool_random(p);
    for (int i = 0; i < fish; i++)
        do {
            p->f[i].s = (fm_fish_state){.x = p->length * pool_random(p),
                                        .y = p->width * pool_random(p),
                                        .heading = 2 * FM_PI * pool_random(p),
                                        .speed = 0.1,
                                        .cycles = pool_random(p)};
            fm_anticipate_begin(&p->f[i].ahead);
            pool_shape(p, &p->f[i]);
        } while (!pool_start_is_free(p, i));
}

static double pool_coverage(const pool *p)
{
    int n = 0;
    for (int i = 0; i < POOL_CELLS_X * POOL_CELLS_Y; i++)
        n += p->seen[i];
    return (double)n / (POOL_CELLS_X * POOL_CELLS_Y);
}

#endif
