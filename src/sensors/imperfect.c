#include "sensors/imperfect.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "physics/posture.h"

const char *const fm_fault_names[] = {"healthy", "dead", "stuck", NULL};

/* Indices of random numbers of one sample: apart from each other for each use. */
enum { NOISE_AT = 0, WALK_AT = 1 << 23, DROPOUT_AT = 1 << 24 };

/* A place in the delay line. */
typedef struct delayed {
    int64_t seen;
    double time;
    /* instrument->words values follow */
} delayed;
enum { DELAYED_WORDS = sizeof(delayed) / 8 };

/* State: number of samples taken, bias walks, delay line, the instrument's own. */
static double *walk_state(const fm_part_context *context)
{
    return (double *)context->state + 1;
}

static uint64_t *delay_line(const fm_part_context *context, const fm_instrument *instrument)
{
    return (uint64_t *)context->state + 1 + instrument->walks;
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
    fm_load_state_size(load, 8 * (1 + walks + delay_words(instrument)) + own);
    fm_load_output_size(load, sizeof(fm_reading) + 8 * words);
    return FM_OK;
}

static void multiply(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out[3 * i + k] = a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
}

fm_instrument_place fm_instrument_where(const fm_part_context *context, const fm_mount *mount)
{
    const fm_vehicle_view *v = context->vehicle;
    fm_instrument_place s;
    double lever[3], turning[3], velocity[3];
    fm_vector_to_world(v->rotation, mount->position, lever);
    fm_cross(v->velocity + 3, mount->position, turning);
    for (int i = 0; i < 3; i++) {
        s.position[i] = v->position[i] + lever[i];
        velocity[i] = v->velocity[i] + turning[i];
    }
    multiply(v->rotation, mount->rotation, s.rotation);
    fm_vector_to_body(mount->rotation, velocity, s.velocity);
    fm_vector_to_body(mount->rotation, v->velocity + 3, s.rates);
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

void fm_instrument_spoil(const fm_part_context *context, const fm_flaws *flaws, size_t first, size_t count,
                         double *values)
{
    double *walk = walk_state(context) + first;
    fm_random_key key = key_of(context);
    for (size_t i = 0; i < count; i++) {
        uint32_t index = (uint32_t)(first + i);
        if (flaws->bias_walk > 0)
            walk[i] += flaws->bias_walk * sqrt(context->period) * fm_random_normal(key, context->tick, WALK_AT + index);
        double value = values[i] + flaws->bias[i] + walk[i];
        if (flaws->noise > 0)
            value += flaws->noise * fm_random_normal(key, context->tick, NOISE_AT + index);
        values[i] = limit_and_round(flaws, value);
    }
}

void fm_instrument_spoil_row(const fm_part_context *context, const fm_flaws *flaws, size_t first, size_t count,
                             double *values)
{
    fm_random_key key = key_of(context);
    for (size_t i = 0; i < count; i++) {
        double value = values[i] + flaws->bias[0];
        if (flaws->noise > 0)
            value += flaws->noise * fm_random_normal(key, context->tick, NOISE_AT + (uint32_t)(first + i));
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
