/* Currents: the velocity that each kind of them gives the undisturbed water at a place and a time.
 *
 * World frame: x north, y east, z down; positions in m, velocities in m/s, times in s since the start of the run.
 * Equation ids refer to docs/theory/ocean.md. Each law adds to out[3]. */
#ifndef FM_PHYSICS_CURRENT_H
#define FM_PHYSICS_CURRENT_H

#include "base/random.h"
#include "physics/axis.h"

typedef enum fm_current_kind {
    FM_CURRENT_UNIFORM,
    FM_CURRENT_PROFILE,
    FM_CURRENT_GAUSS_MARKOV,
    FM_CURRENT_TIDE,
    FM_CURRENT_VORTEX,
    FM_CURRENT_JET,
    FM_CURRENT_GRID,
    FM_CURRENT_STREET
} fm_current_kind;

FM_FN void fm_current_add_scaled(fm_real factor, const fm_real v[3], fm_real out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] += factor * v[i];
}

/* --- profiles --- */

/* (O4.1) Linear between nodes, constant beyond them. depth: m, increasing. */
FM_FN void fm_current_add_profile(const fm_par *depth, const fm_par (*velocity)[3], int32_t count, fm_real z,
                                  fm_real out[3])
{
    fm_axis_cell cell = fm_axis_find(depth, count, z);
    fm_real three = fm_const(3), rest = fm_const(1) - cell.fraction;
    for (int i = 0; i < 3; i++)
        out[i] += rest * fm_table_entry(&velocity[0][i], three * cell.low);
    for (int i = 0; i < 3; i++)
        out[i] += cell.fraction * fm_table_entry(&velocity[0][i], three * cell.high);
}

/* --- tides --- */

/* (O4.3) One harmonic constituent: the tip of the velocity runs round an ellipse. */
typedef struct fm_tide_constituent {
    fm_var speed;     /* rad/s */
    fm_var major;     /* m/s, along `direction` */
    fm_var minor;     /* m/s, 90° clockwise (seen from above) of it; its sign is the sense of rotation */
    fm_var direction; /* rad from north over east */
    fm_var phase;     /* rad: the major component peaks when speed · t = phase */
} fm_tide_constituent;

FM_FN void fm_current_add_tide(const fm_tide_constituent *c, fm_real t, fm_real out[3])
{
    fm_real angle = c->speed * t - c->phase;
    fm_real along = c->major * fm_cos(angle), across = c->minor * fm_sin(angle);
    fm_real cosine = fm_cos(fm_real_wide(c->direction)), sine = fm_sin(fm_real_wide(c->direction));
    out[0] += along * cosine - across * sine;
    out[1] += along * sine + across * cosine;
}

/* --- vortices --- */

typedef enum fm_vortex_model { FM_VORTEX_LAMB_OSEEN, FM_VORTEX_RANKINE } fm_vortex_model;

/* (O4.4) Vertical vortex. */
typedef struct fm_current_vortex {
    int32_t model;      /* fm_vortex_model */
    fm_var centre[2];   /* m, at t = 0 */
    fm_var drift[2];    /* m/s, of the centre */
    fm_var circulation; /* m²/s, positive turns clockwise seen from above (north to east) */
    fm_var core;        /* m, core radius at t = 0 */
    fm_var viscosity;   /* m²/s, Lamb–Oseen core growth core² + 4 ν t; 0: none */
} fm_current_vortex;

/* Swirl velocity per radius, 1/s, at squared radius r². */
FM_FN fm_real fm_vortex_swirl(const fm_current_vortex *v, fm_real t, fm_real r2)
{
    fm_real factor = fm_real_wide(v->circulation) / fm_const(2 * FM_PI), core = fm_real_wide(v->core);
    if (v->model == FM_VORTEX_RANKINE)
        return factor / fm_max(r2, core * core);
    fm_real core2 = core * core + fm_const(4) * v->viscosity * fm_max(t, fm_const(0)), q = r2 / core2;
    /* −expm1(−q)/q → 1 */
    return fm_select(q < fm_const(1e-12), factor / core2, factor * -fm_expm1(-q) / r2);
}

FM_FN void fm_current_add_vortex(const fm_current_vortex *v, fm_real t, const fm_real position[3], fm_real out[3])
{
    fm_real dx = position[0] - v->centre[0] - v->drift[0] * t, dy = position[1] - v->centre[1] - v->drift[1] * t;
    fm_real rate = fm_vortex_swirl(v, t, dx * dx + dy * dy);
    out[0] -= rate * dy;
    out[1] += rate * dx;
}

/* --- jets --- */

/* (O4.5) Bickley jet: speed sech²(n/width) exp(−((z − depth)/height)²) along `direction`, n the distance across.
 */
typedef struct fm_current_jet {
    fm_var point[2];  /* m, a point of the axis */
    fm_var direction; /* rad from north over east */
    fm_var speed;     /* m/s on the axis */
    fm_var width;     /* m */
    fm_var depth;     /* m, of the core */
    fm_var height;    /* m; 0: the same at all depths */
} fm_current_jet;

FM_FN void fm_current_add_jet(const fm_current_jet *jet, const fm_real position[3], fm_real out[3])
{
    fm_real one = fm_const(1), zero = fm_const(0), height = fm_real_wide(jet->height);
    fm_real cosine = fm_cos(fm_real_wide(jet->direction)), sine = fm_sin(fm_real_wide(jet->direction));
    fm_real across = cosine * (position[1] - jet->point[1]) - sine * (position[0] - jet->point[0]);
    fm_real th = fm_tanh(across / jet->width), speed = jet->speed * (one - th * th);
    fm_mask bounded = height > zero;
    if (fm_any(bounded)) {
        fm_real d = (position[2] - jet->depth) / height, square = d * d;
        fm_real part = fm_select(square < fm_const(700), fm_exp(-square), zero);
        speed = speed * fm_select(bounded, part, one);
    }
    out[0] += speed * cosine;
    out[1] += speed * sine;
}

/* --- the wake of a cylinder in a stream: Kármán's street of vortices (O4.7), (O4.8) ---
 *
 * Two rows of upright vortices drift downstream, alternately shed: one row at −h/2 and one at +h/2 across, each with
 * spacing l, staggered by l/2.
 *   f = St U/D,  l = U_c/f,  h = 0.281 l (the spacing that is neutrally stable),
 *   Γ = 2 l (U − U_c)/tanh(π h/l): the rows move each other against the stream by U − U_c.
 * A vortex is born at `formation` behind the axis, grows to its strength over one spacing and fades over the last one
 * of `length`. Lamb–Oseen cores. */
typedef struct fm_vortex_street {
    fm_var point[2];  /* m, north and east, of the cylinder's axis */
    fm_var diameter;  /* m, D */
    fm_var stream[2]; /* m/s, north and east: U */
    fm_var strouhal;  /* St */
    fm_var ratio;     /* h/l */
    fm_var drift;     /* U_c/U, below 1 */
    fm_var formation; /* m behind the axis */
    fm_var length;    /* m behind the axis, at which the wake ends */
    fm_var core;      /* m, radius of a vortex's core */
    fm_var phase;     /* of a period, at t = 0 */
} fm_vortex_street;

enum { FM_STREET_MOST = 64 }; /* vortices in a row */

FM_FN fm_real fm_vortex_street_speed(const fm_vortex_street *s) /* m/s, U */
{
    return fm_sqrt(fm_real_wide(s->stream[0]) * s->stream[0] + fm_real_wide(s->stream[1]) * s->stream[1]);
}

FM_FN fm_real fm_vortex_street_frequency(const fm_vortex_street *s) /* Hz, f */
{
    return s->strouhal * fm_vortex_street_speed(s) / s->diameter;
}

FM_FN fm_real fm_vortex_street_spacing(const fm_vortex_street *s) /* m, l */
{
    return fm_real_wide(s->drift) * s->diameter / s->strouhal;
}

FM_FN fm_real fm_vortex_street_circulation(const fm_vortex_street *s) /* m²/s, Γ */
{
    fm_real lag = fm_const(1) - s->drift;
    return fm_const(2) * fm_vortex_street_spacing(s) * lag * fm_vortex_street_speed(s) /
           fm_tanh(fm_const(FM_PI) * s->ratio);
}

FM_FN fm_real fm_street_ramp(fm_real x)
{
    fm_real t = fm_clamp(x, fm_const(0), fm_const(1));
    return t * t * (fm_const(3) - fm_const(2) * t);
}

/* Part of its strength at `way` metres behind the axis. */
FM_FN fm_real fm_street_grown(const fm_vortex_street *s, fm_real spacing, fm_real way)
{
    return fm_street_ramp((way - s->formation) / spacing) * fm_street_ramp((s->length - way) / spacing);
}

/* One vortex seen from (x, y) beside it, along and across the stream, where it is `there`; circulation positive from
 * along to across. */
FM_FN void fm_street_add_swirl(fm_mask there, fm_real circulation, fm_real core, fm_real x, fm_real y, fm_real v[2])
{
    fm_real one = fm_const(1), r2 = x * x + y * y, q = r2 / (core * core), rate = circulation / fm_const(2 * FM_PI);
    fm_real far = fm_select(q > fm_const(40), one / r2, -fm_expm1(-q) / r2);
    rate = rate * fm_select(q < fm_const(1e-12), one / (core * core), far);
    v[0] = fm_select(there, v[0] - rate * y, v[0]);
    v[1] = fm_select(there, v[1] + rate * x, v[1]);
}

/* The row at −h/2 (0) or +h/2 (1), `turns` periods after the start: the velocity along and across the stream. */
FM_FN void fm_street_add_row(const fm_vortex_street *s, int row, fm_real turns, fm_real along, fm_real across,
                             fm_real v[2])
{
    fm_real spacing = fm_vortex_street_spacing(s), gamma = fm_vortex_street_circulation(s);
    fm_real shift = turns + fm_const(0.5 * row), side = fm_const(row ? 0.5 : -0.5), sign = fm_const(row ? -1 : 1);
    fm_real whole = fm_real_floor(shift); /* towards 0 */
    shift = shift - (whole - fm_select(whole > shift, fm_const(1), fm_const(0)));
    for (int k = 0; k < FM_STREET_MOST; k++) {
        fm_real way = s->formation + spacing * (shift + fm_const(k)), strength = fm_street_grown(s, spacing, way);
        fm_mask there = way < fm_real_wide(s->length);
        if (!fm_any(there))
            break;
        fm_street_add_swirl(there, sign * gamma * strength, fm_real_wide(s->core), along - way,
                            across - side * s->ratio * spacing, v);
    }
}

/* Adds the velocity of its vortices to that of the stream. */
FM_FN void fm_vortex_street_add(const fm_vortex_street *s, fm_real t, const fm_real position[3], fm_real out[3])
{
    fm_real speed = fm_vortex_street_speed(s), turns = fm_vortex_street_frequency(s) * t + s->phase;
    fm_mask flows = speed > fm_const(0);
    if (!fm_any(flows))
        return;
    fm_real c = s->stream[0] / speed, n = s->stream[1] / speed, v[2];
    fm_real dx = position[0] - s->point[0], dy = position[1] - s->point[1];
    fm_real along = dx * c + dy * n, across = dy * c - dx * n;
    v[0] = v[1] = fm_const(0);
    for (int row = 0; row < 2; row++)
        fm_street_add_row(s, row, turns, along, across, v);
    out[0] = fm_select(flows, out[0] + (v[0] * c - v[1] * n), out[0]);
    out[1] = fm_select(flows, out[1] + (v[0] * n + v[1] * c), out[1]);
}

/* --- what is random --- */

/* (O4.2) First-order Gauss–Markov process about zero on each axis, the same everywhere. */
typedef struct fm_current_gauss_markov {
    fm_var deviation[3]; /* m/s, stationary standard deviation north, east, down */
    fm_var time;         /* s, correlation time */
} fm_current_gauss_markov;

/* Random-number channels of the ocean lie above those of sensors; the entity is apart from those of vehicles. */
#define FM_CURRENT_CHANNEL 0x0cea0000u
#define FM_CURRENT_ENTITY 0xfffffff0u

/* Numbers that are kept of each: its velocity at the tick, and the acceleration that brings it to that of the next. */
enum { FM_DRIFT_NUMBERS = 6 };

/* Velocity `age` seconds after the tick: between ticks it changes evenly. */
FM_FN void fm_current_add_drift(const fm_real kept[FM_DRIFT_NUMBERS], fm_real age, fm_real out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] += kept[axis] + kept[3 + axis] * age;
}

/* The first velocity, of a normal number for each axis. */
FM_FN void fm_gauss_markov_begin(const fm_current_gauss_markov *p, const fm_real normal[3], fm_real state[3])
{
    for (int axis = 0; axis < 3; axis++)
        state[axis] = p->deviation[axis] * normal[axis];
}

/* v' = φ v + σ √(1 − φ²) n with φ = exp(−dt/τ): exact for any dt. */
FM_FN void fm_gauss_markov_advance(const fm_current_gauss_markov *p, fm_par dt, const fm_real normal[3],
                                   fm_real state[3])
{
    fm_real time = fm_real_wide(p->time);
    fm_real keep = fm_exp(fm_const(-dt) / time), fresh = fm_sqrt(-fm_expm1(fm_const(-2 * dt) / time));
    for (int axis = 0; axis < 3; axis++)
        state[axis] = keep * state[axis] + fresh * p->deviation[axis] * normal[axis];
}

/* The acceleration until the next tick, dt away, of the normal numbers that belong to that one. */
FM_FN void fm_gauss_markov_lead(const fm_current_gauss_markov *p, fm_par dt, const fm_real normal[3],
                                fm_real kept[FM_DRIFT_NUMBERS])
{
    fm_real next[3] = {kept[0], kept[1], kept[2]};
    fm_gauss_markov_advance(p, dt, normal, next);
    for (int axis = 0; axis < 3; axis++)
        kept[3 + axis] = (next[axis] - kept[axis]) / fm_const(dt);
}

#endif
