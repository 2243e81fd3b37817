/* Imperfections of an instrument: the errors of a value, and the effect of its health on a sample. One source for
 * worlds (sensors/imperfect.h) and batches (control/sensor_suite.h). See (I1) of docs/theory/instruments.md */
#ifndef FM_SENSORS_FLAWS_H
#define FM_SENSORS_FLAWS_H

#include "base/random.h"

enum fm_fault { FM_FAULT_HEALTHY, FM_FAULT_DEAD, FM_FAULT_STUCK, FM_FAULT_EXTERNAL };

/* How white noise is distributed; its standard deviation is the same for all. */
enum fm_distribution {
    FM_DISTRIBUTION_NORMAL,
    FM_DISTRIBUTION_UNIFORM,    /* within √3 deviations */
    FM_DISTRIBUTION_TRIANGULAR, /* within √6 */
    FM_DISTRIBUTION_LAPLACE     /* long tails: two exponentials back to back */
};

/* Indices of random numbers of one sample, apart from each other for each use; a component adds its number. What is
 * drawn once a run has the tick 0. */
enum {
    FM_DRAW_NOISE = 0,
    FM_DRAW_WALK = 1 << 23,
    FM_DRAW_DROPOUT = 1 << 24,
    FM_DRAW_DRIFT = FM_DRAW_DROPOUT + (1 << 20),
    FM_DRAW_OUTLIER = FM_DRAW_DROPOUT + (2 << 20),
    FM_DRAW_OUTLIER_SIZE = FM_DRAW_DROPOUT + (3 << 20),
    FM_DRAW_START = FM_DRAW_DROPOUT + (4 << 20)
};

/* The errors of one quantity (up to three components), in its unit: a record of physics/flat.h. Fields as in fm_flaws
 * (sensors/imperfect.h). */
typedef struct fm_flaw_params {
    int32_t distribution; /* enum fm_distribution */
    fm_var noise, bias[3], bias_walk, quantum, minimum, maximum, scale[3], bias_spread, scale_spread, drift, drift_time,
        outliers, outlier_size;
} fm_flaw_params;
enum { FM_FLAW_INTEGERS = 1, FM_FLAW_NUMBERS = 17 };

/* What is kept of one component. */
typedef struct fm_wander {
    fm_real walk;  /* in the unit of the quantity */
    fm_real drift; /* in standard deviations; 0: none was drawn yet */
} fm_wander;

/* Whose numbers are drawn, for what, and when. */
typedef struct fm_dice {
    const uint64_t *seeds; /* a lane each; one where there are none */
    uint32_t entity, channel;
    uint64_t tick;
} fm_dice;

/* A sample under way. */
typedef struct fm_flaw_draws {
    fm_dice dice;
    fm_par period;      /* s between samples */
    fm_wander *wanders; /* a component each */
} fm_flaw_draws;

/* The greatest whole number that is not above. */
#if defined(FM_LANES) && !defined(__CUDACC__)
FM_FN fm_real fm_real_whole(fm_real a)
{
    for (int i = 0; i < FM_LANES; i++)
        a[i] = FM_BUILTIN(floor)(a[i]);
    return a;
}
#elif defined(__CUDACC__)
FM_FN fm_real fm_real_whole(fm_real a)
{
    return floor(a);
}
#else
FM_FN fm_real fm_real_whole(fm_real a)
{
    return FM_BUILTIN(floor)(a);
}
#endif

FM_FN fm_mask fm_real_is_finite(fm_real a)
{
    return a - a == fm_const(0);
}

/* --- random numbers --- */

#if defined(FM_LANES) && !defined(__CUDACC__)
FM_FN fm_real fm_dice_uniform(const fm_dice *d, uint64_t tick, uint32_t index)
{
    fm_random_key keys[FM_LANES];
    for (int i = 0; i < FM_LANES; i++)
        keys[i] = (fm_random_key){d->seeds[i], d->entity, d->channel};
    return fm_random_uniform_lanes(keys, tick, index);
}

FM_FN fm_real fm_dice_normal(const fm_dice *d, uint32_t index)
{
    fm_random_key keys[FM_LANES];
    for (int i = 0; i < FM_LANES; i++)
        keys[i] = (fm_random_key){d->seeds[i], d->entity, d->channel};
    return fm_random_normal_lanes(keys, d->tick, index);
}
#else
FM_FN fm_real fm_dice_uniform(const fm_dice *d, uint64_t tick, uint32_t index)
{
    fm_random_key key = {d->seeds[0], d->entity, d->channel};
    return (fm_real)fm_random_uniform(key, tick, index);
}

FM_FN fm_real fm_dice_normal(const fm_dice *d, uint32_t index)
{
    fm_random_key key = {d->seeds[0], d->entity, d->channel};
    return fm_random_normal(key, d->tick, index);
}
#endif

/* (I1a) A number of mean 0 and standard deviation 1; those that are not normal by the inverse of their distribution. */
FM_FN fm_real fm_flaw_draw(int32_t distribution, const fm_dice *d, uint32_t index)
{
    fm_real one = fm_const(1), two = fm_const(2), half = fm_const(0.5);
    if (distribution == FM_DISTRIBUTION_NORMAL)
        return fm_dice_normal(d, index);
    fm_real u = fm_dice_uniform(d, d->tick, index);
    fm_real side = fm_select(u < half, fm_const(-1), one), rest = fm_select(u < half, u, one - u);
    if (distribution == FM_DISTRIBUTION_UNIFORM)
        return fm_sqrt(fm_const(3)) * (two * u - one);
    if (distribution == FM_DISTRIBUTION_TRIANGULAR)
        return side * fm_sqrt(fm_const(6)) * (one - fm_sqrt(two * rest));
    return -side * fm_log(fm_max(two * rest, fm_const(1e-16))) / fm_sqrt(two);
}

/* Drawn once a run, between −1 and 1; `which`: 0 bias, 1 scale. */
FM_FN fm_real fm_flaw_at_start(const fm_dice *d, uint32_t index, uint32_t which)
{
    return fm_const(2) * fm_dice_uniform(d, 0, FM_DRAW_START + 2 * index + which) - fm_const(1);
}

/* --- errors --- */

/* (I1b) The next value of the drift, in standard deviations: g ← g e^(−T/τ) + √(1 − e^(−2T/τ)) n; the first is n. */
FM_FN fm_real fm_flaw_drift(const fm_flaw_draws *now, uint32_t index, fm_real time, fm_real g)
{
    fm_real one = fm_const(1), zero = fm_const(0);
    fm_real keeps = fm_select(g != zero, fm_exp(-fm_const(now->period) / time), zero);
    return keeps * g + fm_sqrt(one - keeps * keeps) * fm_dice_normal(&now->dice, FM_DRAW_DRIFT + index);
}

/* Where anything of fm_flaw_rare is set for a component. */
FM_FN fm_mask fm_flaw_is_rare(const fm_flaw_params *f)
{
    fm_real zero = fm_const(0);
    return (fm_real_wide(f->scale[0]) != zero) | (fm_real_wide(f->scale[1]) != zero) |
           (fm_real_wide(f->scale[2]) != zero) | (fm_real_wide(f->bias_spread) > zero) |
           (fm_real_wide(f->scale_spread) > zero) | (fm_real_wide(f->drift) > zero) |
           (fm_real_wide(f->outliers) > zero);
}

/* What few instruments have, of component i of the quantity, number `index` of the instrument. */
FM_WHOLE fm_real fm_flaw_rare(const fm_flaw_params *f, int i, uint32_t index, const fm_flaw_draws *now, fm_real truth)
{
    const fm_dice *d = &now->dice;
    fm_real zero = fm_const(0), scale = fm_real_wide(f->scale[i]), scale_spread = fm_real_wide(f->scale_spread),
            bias_spread = fm_real_wide(f->bias_spread), drift = fm_real_wide(f->drift),
            outliers = fm_real_wide(f->outliers);
    fm_real error = fm_select(scale != zero, scale * truth, zero); /* a range may be infinite */
    if (fm_any(scale_spread > zero))
        error = fm_select(scale_spread > zero, error + scale_spread * fm_flaw_at_start(d, index, 1) * truth, error);
    if (fm_any(bias_spread > zero))
        error = fm_select(bias_spread > zero, error + bias_spread * fm_flaw_at_start(d, index, 0), error);
    if (fm_any(drift > zero)) {
        fm_real *g = &now->wanders[index].drift;
        *g = fm_select(drift > zero, fm_flaw_drift(now, index, fm_real_wide(f->drift_time), *g), *g);
        error = fm_select(drift > zero, error + drift * *g, error);
    }
    if (fm_any(outliers > zero)) {
        fm_mask out = (outliers > zero) & (fm_dice_uniform(d, d->tick, FM_DRAW_OUTLIER + index) < outliers);
        if (fm_any(out))
            error = fm_select(out, error + f->outlier_size * fm_dice_normal(d, FM_DRAW_OUTLIER_SIZE + index), error);
    }
    return error;
}

FM_FN fm_real fm_flaw_limit(const fm_flaw_params *f, fm_real value)
{
    fm_real zero = fm_const(0), low = fm_real_wide(f->minimum), high = fm_real_wide(f->maximum),
            quantum = fm_real_wide(f->quantum);
    value = fm_select((low != zero) | (high != zero), fm_min(fm_max(value, low), high), value);
    return fm_any(quantum > zero)
               ? fm_select(quantum > zero, fm_real_whole(value / quantum + fm_const(0.5)) * quantum, value)
               : value;
}

/* (I1) The imperfect value of component i of a quantity, number `index` of the instrument: the place of its walk and
 * drift and the stream of its random numbers. */
FM_WHOLE fm_real fm_flaw_spoil(const fm_flaw_params *f, int i, uint32_t index, const fm_flaw_draws *now, fm_real truth)
{
    fm_real zero = fm_const(0), walks = fm_real_wide(f->bias_walk), noise = fm_real_wide(f->noise);
    fm_wander *w = &now->wanders[index];
    fm_mask rare = fm_flaw_is_rare(f);
    if (fm_any(walks > zero))
        w->walk = fm_select(walks > zero,
                            w->walk + walks * fm_sqrt(fm_const(now->period)) *
                                          fm_dice_normal(&now->dice, FM_DRAW_WALK + index),
                            w->walk);
    fm_real value = truth + f->bias[i] + w->walk;
    if (fm_any(rare))
        value = fm_select(rare, value + fm_flaw_rare(f, i, index, now, truth), value);
    if (fm_any(noise > zero))
        value = fm_select(noise > zero,
                          value + noise * fm_flaw_draw(f->distribution, &now->dice, FM_DRAW_NOISE + index), value);
    return fm_flaw_limit(f, value);
}

/* --- health --- */

/* The head of what an instrument gives out. */
typedef struct fm_kept_reading {
    fm_real count; /* of samples given out */
    fm_real valid; /* 1: the last period brought one */
    fm_real time;  /* s: when it was taken */
} fm_kept_reading;

/* Where a sample is lost by chance. */
FM_FN fm_mask fm_reading_is_dropped(fm_real dropout, const fm_dice *d)
{
    fm_mask on = dropout > fm_const(0);
    return fm_any(on) ? on & (fm_dice_uniform(d, d->tick, FM_DRAW_DROPOUT) < dropout) : on;
}

/* Notes whether a period brought a sample: a healthy instrument's, `given` and taken at `time`, or the last one of an
 * instrument that is stuck, as of now. The head of one that shows values from outside is not ours. */
FM_FN void fm_reading_note(fm_real fault, fm_mask given, fm_real time, fm_real now, fm_kept_reading *head)
{
    fm_real one = fm_const(1), zero = fm_const(0);
    fm_mask healthy = fault == fm_const(FM_FAULT_HEALTHY), ours = fault != fm_const(FM_FAULT_EXTERNAL);
    fm_mask stuck = (fault == fm_const(FM_FAULT_STUCK)) & (head->count > zero);
    fm_mask brought = (healthy & given) | stuck;
    head->valid = fm_select(ours, fm_select(brought, one, zero), head->valid);
    head->count = fm_select(brought, head->count + one, head->count);
    head->time = fm_select(brought, fm_select(healthy, time, now), head->time);
}

#endif
