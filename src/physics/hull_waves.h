/* Waves along a hull (docs/theory/ocean.md, O5.9 to O5.12): what their sum over the hull is, one component at a time.
 *
 * The hull is a measure along each of its axes: of the volume that is under water at rest, and of its water plane. A
 * component is e^(κ·r) over the hull, a product of one factor an axis; each factor is weighed at eight nodes, which
 * stand at whole multiples of one length, so that powers of one number give all of them. One source for worlds, where
 * the lanes of a vector are components of one sea (ocean/sea_sum.h), and for vehicles in a batch. */
#ifndef FM_PHYSICS_HULL_WAVES_H
#define FM_PHYSICS_HULL_WAVES_H

#include "physics/posture.h"
#include "physics/waves.h"

/* Nodes at ±2, ±7, ±12 and ±15 of a 15.525th of half the extent: near those of Gauss. */
enum { FM_GRID_HALF = 4, FM_GRID_NODES = 2 * FM_GRID_HALF, FM_GRID_ORDER = 4 };
#define FM_GRID_REACH 15.525
#define FM_GRID_FULL 8  /* rad of k times half the extent up to which a wave counts in full */
#define FM_GRID_NONE 12 /* from here on it does not: its sum over the hull is less than a twelfth */

/* Weights are of the nodes above the centre, then of those below; those of the water plane their sums and differences.
 * Functions of x are polynomials that are orthonormal over the measure; the first is 1. */
typedef struct fm_wave_grid {
    fm_var centre[3];                           /* m, body: of the nodes */
    fm_var unit[3], half[3];                    /* m: of the nodes; half the extent */
    fm_var mean[3];                             /* m, body: centre of the volume */
    fm_var spread[3];                           /* m: root of its second moment about that, along each axis */
    fm_var along[FM_GRID_ORDER][FM_GRID_NODES]; /* volume, x */
    fm_var across[2][FM_GRID_NODES];            /* volume, y */
    fm_var through[2][FM_GRID_NODES];           /* volume, z */
    fm_var plane[FM_GRID_ORDER][FM_GRID_NODES]; /* water plane, x */
    fm_var beam[2][FM_GRID_NODES];              /* water plane, y */
    fm_var volume_at[FM_GRID_ORDER][4];         /* the polynomials: factors of 1, x, x², x³, body x in m */
    fm_var plane_at[FM_GRID_ORDER][4];
    fm_var beam_at[2]; /* the second of y: factors of 1 and y */
} fm_wave_grid;
enum { FM_GRID_NUMBERS = 15 + 3 * 2 * FM_GRID_NODES + 2 * FM_GRID_ORDER * FM_GRID_NODES + 8 * FM_GRID_ORDER + 2 };

typedef struct fm_phasor {
    fm_real re, im;
} fm_phasor;

FM_FN fm_phasor fm_phasor_mul(fm_phasor a, fm_phasor b)
{
    fm_phasor c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return c;
}

FM_FN fm_phasor fm_phasor_scale(fm_phasor a, fm_real by)
{
    fm_phasor c = {a.re * by, a.im * by};
    return c;
}

/* --- one axis --- */

/* Σ yⁿ/(2n)! and Σ yⁿ/(2n + 1)!: cosine and sine for y = −x², cosh and sinh for y = x²; |x| ≤ 1, within 1e-11. */
FM_FN fm_real fm_wave_even(fm_real y)
{
    fm_real p = fm_const(1.0 / 479001600);
    const double factors[6] = {1.0 / 3628800, 1.0 / 40320, 1.0 / 720, 1.0 / 24, 0.5, 1};
    for (int i = 0; i < 6; i++)
        p = p * y + fm_const(factors[i]);
    return p;
}

FM_FN fm_real fm_wave_odd(fm_real y)
{
    fm_real p = fm_const(1.0 / 6227020800);
    const double factors[6] = {1.0 / 39916800, 1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6, 1};
    for (int i = 0; i < 6; i++)
        p = p * y + fm_const(factors[i]);
    return p;
}

/* e^(κ x) at the nodes of an axis: as phase, and how it falls off at those above the centre and those below it. */
typedef struct fm_wave_axis {
    fm_phasor turn[FM_GRID_HALF];
    fm_real above[FM_GRID_HALF], below[FM_GRID_HALF];
} fm_wave_axis;

/* The powers 2, 7, 12 and 15. */
FM_FN void fm_wave_powers(fm_real one, fm_real out[FM_GRID_HALF])
{
    fm_real two = one * one, three = two * one, five = three * two;
    out[0] = two, out[1] = five * two, out[2] = out[1] * five, out[3] = out[2] * three;
}

/* `phase` and `fall`: of κ times the unit. */
FM_FN void fm_wave_axis_at(fm_real phase, fm_real fall, fm_wave_axis *out)
{
    fm_phasor one = {fm_wave_even(-(phase * phase)), phase * fm_wave_odd(-(phase * phase))};
    fm_phasor two = fm_phasor_mul(one, one), three = fm_phasor_mul(two, one), five = fm_phasor_mul(three, two);
    out->turn[0] = two;
    out->turn[1] = fm_phasor_mul(five, two);
    out->turn[2] = fm_phasor_mul(out->turn[1], five);
    out->turn[3] = fm_phasor_mul(out->turn[2], three);
    fm_real even = fm_wave_even(fall * fall), odd = fall * fm_wave_odd(fall * fall);
    fm_wave_powers(even + odd, out->above);
    fm_wave_powers(even - odd, out->below);
}

/* Sum over the nodes of the volume. */
FM_FN fm_phasor fm_wave_weigh(const fm_wave_axis *axis, const fm_real above[FM_GRID_HALF],
                              const fm_real below[FM_GRID_HALF], const fm_var weights[FM_GRID_NODES])
{
    fm_phasor sum = {fm_const(0), fm_const(0)};
    for (int i = 0; i < FM_GRID_HALF; i++) {
        fm_real a = weights[i] * above[i], b = weights[FM_GRID_HALF + i] * below[i];
        sum.re += axis->turn[i].re * (a + b);
        sum.im += axis->turn[i].im * (a - b);
    }
    return sum;
}

/* Sum over the nodes of the water plane. */
FM_FN fm_phasor fm_wave_weigh_plane(const fm_wave_axis *axis, const fm_var weights[FM_GRID_NODES])
{
    fm_phasor sum = {fm_const(0), fm_const(0)};
    for (int i = 0; i < FM_GRID_HALF; i++) {
        sum.re += axis->turn[i].re * weights[i];
        sum.im += axis->turn[i].im * weights[FM_GRID_HALF + i];
    }
    return sum;
}

/* --- where the hull is --- */

/* All of it fm_real, so that worlds can hand it on as numbers. */
typedef struct fm_wave_pose {
    fm_real time;      /* s */
    fm_real centre[3]; /* m, NED, of the nodes; the depth is at least `tall` */
    fm_real R[9];      /* body → NED */
    fm_real motion[3]; /* m/s, NED, of the centre; down 0 where the depth is held */
    fm_real tall;      /* m: how much higher than the centre the hull comes */
} fm_wave_pose;
enum { FM_WAVE_POSE_NUMBERS = 17 };

/* Of a hull at `position` that moves with `velocity` (body axes). No part of it is taken above the mean surface or, by
 * its centre, below the bottom. */
FM_FN void fm_wave_pose_at(const fm_wave_grid *grid, int deep, fm_real depth, const fm_real position[3],
                           const fm_real R[9], const fm_real velocity[6], fm_wave_pose *out)
{
    fm_real arm[3], turned[3], moved[3], point[3];
    for (int i = 0; i < 3; i++)
        arm[i] = fm_real_wide(grid->centre[i]);
    fm_cross(velocity + 3, arm, turned);
    for (int i = 0; i < 3; i++)
        moved[i] = velocity[i] + turned[i];
    fm_vector_to_world(R, arm, point);
    fm_vector_to_world(R, moved, out->motion);
    out->tall = fm_const(0);
    for (int i = 0; i < 3; i++) {
        out->centre[i] = position[i] + point[i];
        out->tall += fm_abs(R[6 + i]) * grid->half[i];
    }
    for (int i = 0; i < 9; i++)
        out->R[i] = R[i];
    fm_real z = deep ? out->centre[2] : fm_min(out->centre[2], depth);
    z = fm_max(z, out->tall);
    out->motion[2] = fm_select(z == out->centre[2], out->motion[2], fm_const(0));
    out->centre[2] = z;
}

/* --- one component --- */

/* Sums over the hull, means by volume: of f φ_p(x) for p = 0 … 3, of f ψ(y), of f χ(z), where ψ and χ are y and z from
 * the centre of the volume by their spread. */
enum { FM_HULL_FORMS = 6, FM_HULL_FORCES = 4, FM_HULL_RISES = 6 };
typedef struct fm_hull_sums {
    fm_real velocity[FM_HULL_FORMS][3];      /* m/s, NED */
    fm_real acceleration[FM_HULL_FORCES][3]; /* m/s², NED, local: of forms 0, 1, 4 and 5 */
    fm_real rise[FM_HULL_RISES];             /* m, up: φ_0 … φ_3, then y and x y */
    fm_real gradient[FM_WAVE_GRADIENT];      /* 1/s, of the mean velocity */
    fm_real steepness[FM_WAVE_GRADIENT];     /* 1/s², of the mean acceleration */
    fm_real curve[2][3];                     /* second derivatives by time of the mean velocity and acceleration */
} fm_hull_sums;
enum { FM_HULL_SUMS = 3 * FM_HULL_FORMS + 3 * FM_HULL_FORCES + FM_HULL_RISES + 2 * FM_WAVE_GRADIENT + 6 };

FM_FN void fm_hull_sums_clear(fm_hull_sums *sums)
{
    fm_real *all = sums->velocity[0];
    for (int i = 0; i < FM_HULL_SUMS; i++)
        all[i] = fm_const(0);
}

FM_FN void fm_hull_sums_add(const fm_hull_sums *more, fm_hull_sums *sums)
{
    const fm_real *from = more->velocity[0];
    fm_real *all = sums->velocity[0];
    for (int i = 0; i < FM_HULL_SUMS; i++)
        all[i] += from[i];
}

typedef struct fm_hull_forms {
    fm_phasor of[FM_HULL_FORMS];
} fm_hull_forms;

/* (O5.11) e^(κ·r) over the volume, times `base`; `far`: of what comes back from the bottom, which falls off upwards. */
FM_FN void fm_hull_form(const fm_wave_grid *grid, const fm_wave_axis axis[3], int far, fm_phasor base,
                        fm_hull_forms *out)
{
    const fm_real *above[3], *below[3];
    fm_phasor x[FM_GRID_ORDER], y[2], z[2];
    for (int i = 0; i < 3; i++) {
        above[i] = far ? axis[i].below : axis[i].above;
        below[i] = far ? axis[i].above : axis[i].below;
    }
    for (int i = 0; i < FM_GRID_ORDER; i++)
        x[i] = fm_wave_weigh(&axis[0], above[0], below[0], grid->along[i]);
    for (int i = 0; i < 2; i++) {
        y[i] = fm_wave_weigh(&axis[1], above[1], below[1], grid->across[i]);
        z[i] = fm_wave_weigh(&axis[2], above[2], below[2], grid->through[i]);
    }
    fm_phasor begun = fm_phasor_mul(base, x[0]), upright = fm_phasor_mul(fm_phasor_mul(y[0], z[0]), base);
    for (int i = 0; i < FM_GRID_ORDER; i++)
        out->of[i] = fm_phasor_mul(upright, x[i]);
    out->of[4] = fm_phasor_mul(begun, fm_phasor_mul(y[1], z[0]));
    out->of[5] = fm_phasor_mul(begun, fm_phasor_mul(y[0], z[1]));
}

/* (O5.3), (O5.4) Velocity and acceleration from the forms of what is level and of what is upright. Adds. */
FM_FN void fm_hull_emit(const fm_wave_component *w, fm_real speed, const fm_hull_forms *level,
                        const fm_hull_forms *upright, fm_hull_sums *out)
{
    fm_real gain = speed * w->frequency;
    for (int i = 0; i < FM_HULL_FORMS; i++) {
        fm_real ahead = speed * level->of[i].re;
        out->velocity[i][0] += ahead * w->north;
        out->velocity[i][1] += ahead * w->east;
        out->velocity[i][2] -= speed * upright->of[i].im;
    }
    for (int i = 0; i < FM_HULL_FORCES; i++) {
        int form = i < 2 ? i : i + 2;
        fm_real faster = gain * level->of[form].im;
        out->acceleration[i][0] += faster * w->north;
        out->acceleration[i][1] += faster * w->east;
        out->acceleration[i][2] += gain * upright->of[form].re;
    }
}

/* (O5.8) The gradient of the mean. */
FM_FN void fm_hull_emit_gradient(const fm_wave_component *w, fm_real speed, fm_phasor level, fm_phasor upright,
                                 fm_real gradient[FM_WAVE_GRADIENT])
{
    fm_real bend = speed * w->number * level.im, shear = -(speed * w->number * upright.re);
    gradient[0] -= bend * w->north * w->north, gradient[1] -= bend * w->north * w->east;
    gradient[2] += shear * w->north, gradient[3] -= bend * w->east * w->east;
    gradient[4] += shear * w->east, gradient[5] += bend;
}

/* Elevation over the water plane, at the height of the highest nodes; `rate`: 1/s, of the phase. */
FM_FN void fm_hull_emit_rise(const fm_wave_grid *grid, const fm_wave_axis axis[3], fm_real height, fm_phasor phase,
                             fm_real rate, fm_real value[FM_HULL_RISES], fm_real change[FM_HULL_RISES])
{
    fm_phasor x[FM_GRID_ORDER], y[2], top = {axis[2].turn[3].re, -axis[2].turn[3].im};
    fm_phasor base = fm_phasor_scale(fm_phasor_mul(phase, top), height);
    for (int i = 0; i < FM_GRID_ORDER; i++)
        x[i] = fm_wave_weigh_plane(&axis[0], grid->plane[i]);
    for (int i = 0; i < 2; i++)
        y[i] = fm_phasor_mul(base, fm_wave_weigh_plane(&axis[1], grid->beam[i]));
    for (int i = 0; i < FM_HULL_RISES; i++) {
        fm_phasor here = fm_phasor_mul(x[i < 4 ? i : i - 4], y[i < 4 ? 0 : 1]);
        value[i] += here.re;
        change[i] -= rate * here.im;
    }
}

/* Change by the second: of the phase, and with the depth, where what is level and what is upright change places. */
FM_FN void fm_hull_forms_turn(fm_phasor rate, const fm_hull_forms *forms, const fm_hull_forms *others,
                              fm_hull_forms *out)
{
    for (int i = 0; i < FM_HULL_FORMS; i++) {
        out->of[i].re = rate.re * others->of[i].re - rate.im * forms->of[i].im;
        out->of[i].im = rate.re * others->of[i].im + rate.im * forms->of[i].re;
    }
}

/* Adds what comes back from the bottom to the forms of deep water. */
FM_FN void fm_hull_forms_meet(const fm_hull_forms *back, fm_real echo, fm_hull_forms *level, fm_hull_forms *upright)
{
    fm_real scale = fm_const(1) / (fm_const(1) - echo);
    for (int i = 0; i < FM_HULL_FORMS; i++) {
        fm_phasor near = level->of[i], far = back->of[i];
        level->of[i].re = (near.re + far.re) * scale, level->of[i].im = (near.im + far.im) * scale;
        upright->of[i].re = (near.re - far.re) * scale, upright->of[i].im = (near.im - far.im) * scale;
    }
}

/* The axes of a component over the hull; returns what is left of a wave that is short against it (O5.12). `soft`: the
 * wave number by which it falls off within the hull. */
FM_FN fm_real fm_hull_axes(const fm_wave_grid *grid, const fm_wave_component *w, const fm_wave_pose *pose, fm_real soft,
                           fm_wave_axis axis[3])
{
    fm_real left = fm_const(1), one = fm_const(1);
    for (int i = 0; i < 3; i++) {
        fm_real turn = w->number * (w->north * pose->R[i] + w->east * pose->R[3 + i]);
        fm_real over =
            (fm_const(FM_GRID_NONE) - fm_abs(turn) * grid->half[i]) * fm_const(1.0 / (FM_GRID_NONE - FM_GRID_FULL));
        left *= fm_clamp(over, fm_const(0), one);
        fm_wave_axis_at(fm_clamp(turn * grid->unit[i], -one, one), -(soft * pose->R[6 + i] * grid->unit[i]), &axis[i]);
    }
    return left;
}

/* Second derivatives from the rates of change. */
FM_FN void fm_hull_emit_curve(const fm_wave_component *w, fm_real speed, fm_phasor grows, fm_phasor level,
                              fm_phasor upright, fm_real curve[2][3])
{
    fm_phasor ahead = {grows.re * upright.re - grows.im * level.im, grows.re * upright.im + grows.im * level.re};
    fm_phasor down = {grows.re * level.re - grows.im * upright.im, grows.re * level.im + grows.im * upright.re};
    fm_real along = speed * ahead.re, gain = speed * w->frequency, faster = gain * ahead.im;
    curve[0][0] += along * w->north, curve[0][1] += along * w->east;
    curve[0][2] -= speed * down.im;
    curve[1][0] += faster * w->north, curve[1][1] += faster * w->east;
    curve[1][2] += gain * down.re;
}

/* Adds what one component does to the hull, and how that changes by the second as the hull goes on; rises only where
 * some hull is `near` the surface. */
FM_FN void fm_hull_wave(const fm_wave_grid *grid, const fm_wave_component *w, int deep, fm_real depth, int near,
                        const fm_wave_pose *pose, fm_hull_sums *value, fm_hull_sums *rate)
{
    fm_wave_axis axis[3];
    fm_hull_forms level, upright, far, level_rate, upright_rate;
    const fm_hull_forms *sinks = deep ? &level : &upright, *sinks_rate = deep ? &level_rate : &upright_rate;
    fm_real zero = fm_const(0), z = pose->centre[2], k = w->number, clear = k * (z - pose->tall);
    fm_real soft = fm_min(k, fm_const(FM_GRID_FULL) / (pose->tall + fm_const(FM_TINY)));
    fm_real height = w->amplitude * fm_hull_axes(grid, w, pose, soft, axis), share = soft / k;
    fm_real angle = fm_wave_angle(w, pose->time, pose->centre[0], pose->centre[1]);
    fm_phasor phase = {fm_cos(angle), fm_sin(angle)};
    fm_real speed = fm_select(clear < fm_const(FM_WAVE_FELT), height * w->frequency, zero);
    fm_phasor grows = {-(k * pose->motion[2]),
                       k * (w->north * pose->motion[0] + w->east * pose->motion[1]) - w->frequency};
    fm_hull_form(grid, axis, 0, fm_phasor_scale(phase, share * fm_exp(-clear - soft * pose->tall)), &level);
    if (!deep) {
        fm_hull_form(grid, axis, 1, fm_phasor_scale(phase, share * fm_exp(-(k * (fm_const(2) * depth - z)))), &far);
        fm_hull_forms_meet(&far, w->echo, &level, &upright);
        fm_hull_forms_turn(grows, &upright, &level, &upright_rate);
    }
    fm_hull_forms_turn(grows, &level, sinks, &level_rate);
    fm_hull_emit(w, speed, &level, sinks, value);
    fm_hull_emit(w, speed, &level_rate, sinks_rate, rate);
    fm_hull_emit_gradient(w, speed, level.of[0], sinks->of[0], value->gradient);
    fm_hull_emit_gradient(w, speed, level_rate.of[0], sinks_rate->of[0], rate->gradient);
    fm_hull_emit_curve(w, speed, grows, level_rate.of[0], sinks_rate->of[0], value->curve);
    fm_phasor ahead = {w->frequency * level.of[0].im, -(w->frequency * level.of[0].re)};
    fm_phasor down = {w->frequency * sinks->of[0].im, -(w->frequency * sinks->of[0].re)};
    fm_hull_emit_gradient(w, speed, ahead, down, value->steepness);
    if (near)
        fm_hull_emit_rise(grid, axis, height, phase, grows.im, value->rise, rate->rise);
}

/* --- the sum --- */

/* What differs along the hull, at one moment. */
typedef struct fm_hull_water {
    fm_real spin[3], swing[3];         /* turning of the water as one, rad/s, and its rate, rad/s²; body axes */
    fm_real rise[FM_HULL_RISES - 1];   /* of the surface from that at the origin, up: factors of x, x², x³, y, x y */
    fm_real profile[3][FM_GRID_ORDER]; /* m/s, body axes: motion of the water from that as one; of 1, x, x², x³ */
} fm_hull_water;

/* The water as the hull meets it. */
typedef struct fm_hull_state {
    fm_real velocity[3], acceleration[3]; /* of the water as one, at the origin, NED; local acceleration */
    fm_real surface;                      /* m, up, at the origin */
    fm_hull_water along;
} fm_hull_state;
enum { FM_HULL_NUMBERS_OF_STATE = 7 + 6 + FM_HULL_RISES - 1 + 3 * FM_GRID_ORDER };

/* Kept over a step: at its middle, and by how much it changes a second. */
typedef struct fm_hull_hold {
    int32_t waves, near; /* not 0: there are waves; and the surface may be at the hull */
    fm_par middle;       /* s after the start of the step */
    fm_hull_state value, rate;
    fm_real position[3], motion[3];        /* m, m/s, NED: of the origin in the middle, by which it was found */
    fm_real gradient[2][FM_WAVE_GRADIENT]; /* 1/s, and its rate */
    fm_real steepness[FM_WAVE_GRADIENT];   /* 1/s² */
    fm_real curve[2][3];                   /* m/s³, m/s⁴ */
    fm_hull_water now;                     /* at the moment that was asked for last */
} fm_hull_hold;

/* (O5.10) The motion as one that is nearest to that of the water, from its mean and its moments along the axes: `at` at
 * the origin (NED), `spin` in body axes. */
FM_FN void fm_hull_fit(const fm_wave_grid *grid, const fm_real R[9], const fm_real mean[3], const fm_real x[3],
                       const fm_real y[3], const fm_real z[3], fm_real at[3], fm_real spin[3])
{
    fm_real mx[3], my[3], mz[3], arm[3], back[3], ground[3], square[3];
    fm_vector_to_body(R, x, mx);
    fm_vector_to_body(R, y, my);
    fm_vector_to_body(R, z, mz);
    for (int i = 0; i < 3; i++) {
        mx[i] *= grid->spread[0], my[i] *= grid->spread[1], mz[i] *= grid->spread[2];
        arm[i] = fm_real_wide(grid->mean[i]);
        square[i] = fm_real_wide(grid->spread[i] * grid->spread[i]);
    }
    spin[0] = (my[2] - mz[1]) / (square[1] + square[2] + fm_const(FM_TINY));
    spin[1] = (mz[0] - mx[2]) / (square[0] + square[2] + fm_const(FM_TINY));
    spin[2] = (mx[1] - my[0]) / (square[0] + square[1] + fm_const(FM_TINY));
    fm_cross(spin, arm, back);
    fm_vector_to_world(R, back, ground);
    for (int i = 0; i < 3; i++)
        at[i] = mean[i] - ground[i];
}

/* The motion along x beyond that as one. */
FM_FN void fm_hull_profile(const fm_wave_grid *grid, const fm_real R[9], const fm_hull_sums *sums,
                           const fm_real spin[3], fm_real out[3][FM_GRID_ORDER])
{
    for (int axis = 0; axis < 3; axis++)
        for (int power = 0; power < FM_GRID_ORDER; power++)
            out[axis][power] = fm_const(0);
    for (int p = 1; p < FM_GRID_ORDER; p++) {
        fm_real here[3];
        fm_vector_to_body(R, sums->velocity[p], here);
        for (int axis = 0; axis < 3; axis++)
            for (int power = 0; power < FM_GRID_ORDER; power++)
                out[axis][power] += here[axis] * grid->volume_at[p][power];
    }
    out[1][1] -= spin[2], out[1][0] += spin[2] * grid->mean[0];
    out[2][1] += spin[1], out[2][0] -= spin[1] * grid->mean[0];
}

/* (O5.9) The surface as a polynomial. */
FM_FN void fm_hull_rise(const fm_wave_grid *grid, const fm_real rise[FM_HULL_RISES], fm_real *at,
                        fm_real out[FM_HULL_RISES - 1])
{
    fm_real x[4], y[2];
    for (int power = 0; power < 4; power++) {
        x[power] = fm_const(0);
        for (int p = 0; p < FM_GRID_ORDER; p++)
            x[power] += rise[p] * grid->plane_at[p][power];
    }
    y[0] = rise[4] * grid->plane_at[0][0] + rise[5] * grid->plane_at[1][0];
    y[1] = rise[5] * grid->plane_at[1][1];
    *at = x[0] + y[0] * grid->beam_at[0];
    out[0] = x[1] + y[1] * grid->beam_at[0];
    out[1] = x[2], out[2] = x[3];
    out[3] = y[0] * grid->beam_at[1], out[4] = y[1] * grid->beam_at[1];
}

FM_FN void fm_hull_settle_one(const fm_wave_grid *grid, const fm_real R[9], const fm_hull_sums *sums,
                              fm_hull_state *out)
{
    fm_hull_fit(grid, R, sums->velocity[0], sums->velocity[1], sums->velocity[4], sums->velocity[5], out->velocity,
                out->along.spin);
    fm_hull_fit(grid, R, sums->acceleration[0], sums->acceleration[1], sums->acceleration[2], sums->acceleration[3],
                out->acceleration, out->along.swing);
    fm_hull_profile(grid, R, sums, out->along.spin, out->along.profile);
    fm_hull_rise(grid, sums->rise, &out->surface, out->along.rise);
}

/* What is kept, from the sums over all components. */
FM_FN void fm_hull_settle(const fm_wave_grid *grid, const fm_wave_pose *pose, const fm_hull_sums *value,
                          const fm_hull_sums *rate, fm_hull_hold *held)
{
    fm_hull_settle_one(grid, pose->R, value, &held->value);
    fm_hull_settle_one(grid, pose->R, rate, &held->rate);
    for (int i = 0; i < FM_WAVE_GRADIENT; i++) {
        held->gradient[0][i] = value->gradient[i];
        held->gradient[1][i] = rate->gradient[i];
        held->steepness[i] = value->steepness[i];
        held->curve[i / 3][i % 3] = value->curve[i / 3][i % 3];
    }
}

/* Keeps where the origin was taken to be: there, and with this velocity (body axes). */
FM_FN void fm_hull_place(const fm_wave_pose *pose, const fm_real position[3], const fm_real velocity[3],
                         fm_hull_hold *held)
{
    fm_vector_to_world(pose->R, velocity, held->motion);
    for (int i = 0; i < 3; i++)
        held->position[i] = position[i];
}

/* Adds what the mean motion does beyond its rate of change, where the body is at `position`; sets the gradient there.
 */
FM_FN void fm_hull_shift(const fm_hull_hold *held, fm_par ahead, const fm_real position[3], fm_real velocity[3],
                         fm_real acceleration[3], fm_real gradient[9])
{
    const int entry[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    const fm_par since = ahead - held->middle, half = since * since / 2;
    fm_real off[3];
    for (int i = 0; i < 3; i++)
        off[i] = position[i] - held->position[i] - since * held->motion[i];
    for (int i = 0; i < 9; i++)
        gradient[i] = held->gradient[0][entry[i]] + since * held->gradient[1][entry[i]];
    for (int i = 0; i < 3; i++) {
        velocity[i] += half * held->curve[0][i];
        acceleration[i] += half * held->curve[1][i];
        for (int k = 0; k < 3; k++) {
            velocity[i] += gradient[3 * i + k] * off[k];
            acceleration[i] += held->steepness[entry[3 * i + k]] * off[k];
        }
    }
}

/* The state `ahead` seconds after the start of the step. */
FM_FN void fm_hull_hold_at(const fm_hull_hold *held, fm_par ahead, fm_hull_state *out)
{
    const fm_real *value = held->value.velocity, *rate = held->rate.velocity;
    const fm_par since = ahead - held->middle;
    fm_real *to = out->velocity;
    for (int i = 0; i < FM_HULL_NUMBERS_OF_STATE; i++)
        to[i] = value[i] + since * rate[i];
}

/* Motion of the water at x beyond that as one, m/s, body axes. */
FM_FN fm_real fm_hull_profile_at(const fm_real profile[FM_GRID_ORDER], fm_real x)
{
    return profile[0] + x * (profile[1] + x * (profile[2] + x * profile[3]));
}

#endif
