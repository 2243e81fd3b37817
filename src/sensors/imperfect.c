#include "sensors/imperfect.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "physics/mount.h"

const char *const fm_fault_names[] = {"healthy", "dead", "stuck", "external", NULL};
const char *const fm_distribution_names[] = {"normal", "uniform", "triangular", "laplace", NULL};

/* Indices of random numbers of one sample, apart from each other for each use; a component adds its number. What is
 * drawn once a run has the tick 0. */
enum {
    NOISE_AT = 0,
    WALK_AT = 1 << 23,
    DROPOUT_AT = 1 << 24,
    DRIFT_AT = DROPOUT_AT + (1 << 20),
    OUTLIER_AT = DROPOUT_AT + (2 << 20),
    OUTLIER_SIZE_AT = DROPOUT_AT + (3 << 20),
    START_AT = DROPOUT_AT + (4 << 20)
};

/* A place in the delay line. */
typedef struct delayed {
    int64_t seen;
    double time;
    /* instrument->words values follow */
} delayed;
enum { DELAYED_WORDS = sizeof(delayed) / 8 };

/* State: number of samples taken, a walk and a drift for each component, delay line, the instrument's own. */
typedef struct wander {
    double walk;  /* in the unit of the quantity */
    double drift; /* in standard deviations; 0: none was drawn yet */
} wander;
enum { WANDER_WORDS = sizeof(wander) / 8 };

static wander *wander_state(const fm_part_context *context)
{
    return (wander *)(void *)((uint64_t *)context->state + 1);
}

static uint64_t *delay_line(const fm_part_context *context, const fm_instrument *instrument)
{
    return (uint64_t *)context->state + 1 + WANDER_WORDS * instrument->walks;
}

static size_t delay_words(const fm_instrument *instrument)
{
    return (size_t)instrument->delay * (instrument->words + DELAYED_WORDS);
}

void *fm_instrument_state(const fm_part_context *context, const fm_instrument *instrument)
{
    return delay_line(context, instrument) + delay_words(instrument);
}

fm_status fm_instrument_load(fm_part_load *load, fm_instrument *instrument, size_t walks, size_t words, size_t own,
                             fm_error *error)
{
    double period = fm_load_period(load), delay = floor(instrument->latency / period + 0.5);
    if (fabs(instrument->latency - delay * period) > 1e-9 * period + 1e-12)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "latency: found %g s, accepted whole multiples of the instrument's period of %g s",
                            instrument->latency, period);
    instrument->delay = (int64_t)delay;
    instrument->walks = walks;
    instrument->words = words;
    if ((double)delay_words(instrument) > 1e9)
        return fm_load_fail(load, error, FM_ERR_RANGE, "latency: %g periods of %zu values are too many to hold", delay,
                            words);
    fm_load_state_size(load, 8 * (1 + WANDER_WORDS * walks + delay_words(instrument)) + own);
    fm_load_output_size(load, sizeof(fm_reading) + 8 * words);
    return FM_OK;
}

_Static_assert(sizeof(fm_instrument_place) == sizeof(fm_mount_place), "the same numbers in the same order");

fm_instrument_place fm_instrument_where(const fm_part_context *context, const fm_mount *mount)
{
    const fm_vehicle_view *v = context->vehicle;
    fm_mount_place found = fm_mount_where(mount->position, mount->rotation, v->position, v->rotation, v->velocity);
    fm_instrument_place s;
    memcpy(&s, &found, sizeof s);
    return s;
}

static fm_random_key key_of(const fm_part_context *context)
{
    return (fm_random_key){context->seed, context->entity, context->channel};
}

static double limit_and_round(const fm_flaws *flaws, double value)
{
    if (flaws->minimum != 0 || flaws->maximum != 0)
        value = fmin(fmax(value, flaws->minimum), flaws->maximum);
    return flaws->quantum > 0 ? floor(value / flaws->quantum + 0.5) * flaws->quantum : value;
}

/* (I1a) A number of mean 0 and standard deviation 1; those that are not normal by the inverse of their distribution. */
static double draw(int64_t distribution, fm_random_key key, uint64_t tick, uint32_t index)
{
    if (distribution == FM_DISTRIBUTION_NORMAL)
        return fm_random_normal(key, tick, index);
    double u = fm_random_uniform(key, tick, index), side = u < 0.5 ? -1 : 1, rest = u < 0.5 ? u : 1 - u;
    switch (distribution) {
    case FM_DISTRIBUTION_UNIFORM: return sqrt(3.0) * (2 * u - 1);
    case FM_DISTRIBUTION_TRIANGULAR: return side * sqrt(6.0) * (1 - sqrt(2 * rest));
    default: return -side * fm_log(fmax(2 * rest, 1e-16)) / sqrt(2.0);
    }
}

/* Drawn once a run, between −1 and 1; `which`: 0 bias, 1 scale. */
static double draw_at_start(fm_random_key key, uint32_t index, uint32_t which)
{
    return 2 * fm_random_uniform(key, 0, START_AT + 2 * index + which) - 1;
}

/* (I1b) The next value of the drift, in standard deviations: g ← g e^(−T/τ) + √(1 − e^(−2T/τ)) n; the first is n. */
static double wander_on(const fm_part_context *context, fm_random_key key, double time, uint32_t index, double *g)
{
    double keeps = *g != 0 ? fm_exp(-context->period / time) : 0;
    *g = keeps * *g + sqrt(1 - keeps * keeps) * fm_random_normal(key, context->tick, DRIFT_AT + index);
    return *g;
}

/* Whether anything of `rare_error` is set. */
static int has_rare(const fm_flaws *f)
{
    return (f->scale[0] != 0) | (f->scale[1] != 0) | (f->scale[2] != 0) | (f->bias_spread > 0) | (f->scale_spread > 0) |
           (f->drift > 0) | (f->outliers > 0);
}

/* What few instruments have, of component i of the quantity, number `index` of the instrument. */
static double rare_error(const fm_part_context *context, const fm_flaws *f, size_t i, uint32_t index, double truth)
{
    fm_random_key key = key_of(context);
    double error = f->scale[i] != 0 ? f->scale[i] * truth : 0; /* a range may be infinite */
    if (f->scale_spread > 0)
        error += f->scale_spread * draw_at_start(key, index, 1) * truth;
    if (f->bias_spread > 0)
        error += f->bias_spread * draw_at_start(key, index, 0);
    if (f->drift > 0)
        error += f->drift * wander_on(context, key, f->drift_time, index, &wander_state(context)[index].drift);
    if (f->outliers > 0 && fm_random_uniform(key, context->tick, OUTLIER_AT + index) < f->outliers)
        error += f->outlier_size * fm_random_normal(key, context->tick, OUTLIER_SIZE_AT + index);
    return error;
}

void fm_instrument_spoil(const fm_part_context *context, const fm_flaws *flaws, size_t first, size_t count,
                         double *values)
{
    wander *wanders = wander_state(context) + first;
    fm_random_key key = key_of(context);
    int rare = has_rare(flaws);
    for (size_t i = 0; i < count; i++) {
        uint32_t index = (uint32_t)(first + i);
        if (flaws->bias_walk > 0)
            wanders[i].walk +=
                flaws->bias_walk * sqrt(context->period) * fm_random_normal(key, context->tick, WALK_AT + index);
        double value = values[i] + flaws->bias[i] + wanders[i].walk;
        if (rare)
            value += rare_error(context, flaws, i, index, values[i]);
        if (flaws->noise > 0)
            value += flaws->noise * draw(flaws->distribution, key, context->tick, NOISE_AT + index);
        values[i] = limit_and_round(flaws, value);
    }
}

void fm_instrument_spoil_row(const fm_part_context *context, const fm_flaws *flaws, size_t first, size_t count,
                             double *values)
{
    fm_random_key key = key_of(context);
    double scale = flaws->scale[0], bias = flaws->bias[0];
    if (flaws->scale_spread > 0)
        scale += flaws->scale_spread * draw_at_start(key, 0, 1);
    if (flaws->bias_spread > 0)
        bias += flaws->bias_spread * draw_at_start(key, 0, 0);
    for (size_t i = 0; i < count; i++) {
        double value = values[i] + bias + scale * values[i];
        if (flaws->noise > 0)
            value += flaws->noise * draw(flaws->distribution, key, context->tick, NOISE_AT + (uint32_t)(first + i));
        values[i] = limit_and_round(flaws, value);
    }
}

/* Takes the sample that is due out of the delay line, a ring, into the output; its place is free for the new one.
 * Returns whether the old one was seen. */
static int pass_delay(const fm_part_context *context, const fm_instrument *instrument, int seen, void **place,
                      double *time)
{
    fm_reading *out = context->output;
    uint64_t *taken = context->state;
    uint64_t *at = delay_line(context, instrument) +
                   ((*taken)++ % (uint64_t)instrument->delay) * (instrument->words + DELAYED_WORDS);
    delayed old, fresh = {seen, context->time};
    memcpy(&old, at, sizeof old);
    if (old.seen)
        memcpy(out + 1, at + DELAYED_WORDS, 8 * instrument->words);
    memcpy(at, &fresh, sizeof fresh);
    *place = at + DELAYED_WORDS;
    *time = old.time;
    return (int)old.seen;
}

void *fm_instrument_room(const fm_part_context *context, const fm_instrument *instrument, const fm_health *health,
                         int seen)
{
    fm_reading *out = context->output;
    double time = context->time;
    void *place = out + 1;
    if (health->fault == FM_FAULT_EXTERNAL)
        return NULL; /* the output is not ours */
    if (health->fault != FM_FAULT_HEALTHY) {
        out->valid = health->fault == FM_FAULT_STUCK && out->count > 0;
        out->count += out->valid;
        out->time = out->valid ? time : out->time;
        return NULL;
    }
    if (health->dropout > 0 && fm_random_uniform(key_of(context), context->tick, DROPOUT_AT) < health->dropout)
        seen = 0;
    int given = instrument->delay ? pass_delay(context, instrument, seen, &place, &time) : seen;
    out->valid = given;
    if (given) {
        out->count++;
        out->time = time;
    }
    return seen ? place : NULL;
}

void fm_instrument_give(const fm_part_context *context, const fm_instrument *instrument, const fm_health *health,
                        int seen, const void *values)
{
    void *place = fm_instrument_room(context, instrument, health, seen);
    if (place)
        memcpy(place, values, 8 * instrument->words);
}
