#include "sensors/imperfect.h"

#include <math.h>
#include <string.h>

const char *const fm_fault_names[] = {"healthy", "dead", "stuck", "external", NULL};
const char *const fm_distribution_names[] = {"normal", "uniform", "triangular", "laplace", NULL};

/* A place in the delay line. */
typedef struct delayed {
    int64_t seen;
    double time;
    /* instrument->words values follow */
} delayed;
enum { DELAYED_WORDS = sizeof(delayed) / 8 };

/* State: number of samples taken, a walk and a drift for each component, delay line, the instrument's own. */
enum { WANDER_WORDS = sizeof(fm_wander) / 8 };

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
                            "latency: %g s is out of range: must be whole multiples of the instrument's period of %g s",
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

fm_instrument_pose fm_instrument_where(const fm_part_context *context, const fm_mount *mount)
{
    const fm_vehicle_view *v = context->vehicle;
    return fm_mount_where(mount->position, mount->rotation, v->position, v->rotation, v->velocity);
}

fm_flaw_draws fm_instrument_flaw_draws(const fm_part_context *context)
{
    return (fm_flaw_draws){.dice = {&context->seed, context->entity, context->channel, context->tick},
                           .period = context->period,
                           .wanders = (fm_wander *)(void *)((uint64_t *)context->state + 1)};
}

fm_flaw_params fm_flaws_kernel(const fm_flaws *f)
{
    return (fm_flaw_params){.distribution = (int32_t)f->distribution,
                            .noise = f->noise,
                            .bias = {f->bias[0], f->bias[1], f->bias[2]},
                            .bias_walk = f->bias_walk,
                            .quantum = f->quantum,
                            .minimum = f->minimum,
                            .maximum = f->maximum,
                            .scale = {f->scale[0], f->scale[1], f->scale[2]},
                            .bias_spread = f->bias_spread,
                            .scale_spread = f->scale_spread,
                            .drift = f->drift,
                            .drift_time = f->drift_time,
                            .outliers = f->outliers,
                            .outlier_size = f->outlier_size};
}

/* Neither drawn, scaled, limited nor rounded: a bias at most, and the walk of an earlier time. */
static int is_steady(const fm_flaws *f)
{
    return !(f->noise > 0) && !(f->bias_walk > 0) && f->scale[0] == 0 && f->scale[1] == 0 && f->scale[2] == 0 &&
           !(f->bias_spread > 0) && !(f->scale_spread > 0) && !(f->drift > 0) && !(f->outliers > 0) &&
           !(f->quantum > 0) && f->minimum == 0 && f->maximum == 0;
}

void fm_instrument_spoil(const fm_part_context *context, const fm_flaws *flaws, size_t first, size_t count,
                         double *values)
{
    const fm_flaw_draws now = fm_instrument_flaw_draws(context);
    if (is_steady(flaws)) { /* fm_flaw_spoil of such flaws */
        for (size_t i = 0; i < count; i++)
            values[i] = values[i] + flaws->bias[i] + now.wanders[first + i].walk;
        return;
    }
    const fm_flaw_params f = fm_flaws_kernel(flaws);
    for (size_t i = 0; i < count; i++)
        values[i] = fm_flaw_spoil(&f, (int)i, (uint32_t)(first + i), &now, values[i]);
}

void fm_instrument_spoil_row(const fm_part_context *context, const fm_flaws *flaws, size_t first, size_t count,
                             double *values)
{
    const fm_dice dice = fm_instrument_flaw_draws(context).dice;
    const fm_flaw_params f = fm_flaws_kernel(flaws);
    double scale = flaws->scale[0], bias = flaws->bias[0];
    if (flaws->scale_spread > 0)
        scale += flaws->scale_spread * fm_flaw_at_start(&dice, 0, 1);
    if (flaws->bias_spread > 0)
        bias += flaws->bias_spread * fm_flaw_at_start(&dice, 0, 0);
    for (size_t i = 0; i < count; i++) {
        double value = values[i] + bias + scale * values[i];
        if (flaws->noise > 0)
            value += flaws->noise * fm_flaw_draw(f.distribution, &dice, FM_DRAW_NOISE + (uint32_t)(first + i));
        values[i] = fm_flaw_limit(&f, value);
    }
}

/* Moves the due sample from the delay line, a ring, to the output; its entry is free for the new one. Returns whether
 * the old sample was valid. */
static int pass_delay(const fm_part_context *context, const fm_instrument *instrument, int seen, void **slot,
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
    *slot = at + DELAYED_WORDS;
    *time = old.time;
    return (int)old.seen;
}

void *fm_instrument_room(const fm_part_context *context, const fm_instrument *instrument, const fm_health *health,
                         int seen)
{
    fm_reading *out = context->output;
    const fm_dice dice = fm_instrument_flaw_draws(context).dice;
    const int healthy = health->fault == FM_FAULT_HEALTHY;
    double time = context->time;
    void *slot = out + 1;
    if (healthy && fm_reading_is_dropped(health->dropout, &dice))
        seen = 0;
    const int given = healthy && instrument->delay ? pass_delay(context, instrument, seen, &slot, &time) : seen;
    fm_kept_reading head = {(double)out->count, (double)out->valid, out->time};
    fm_reading_note((double)health->fault, given, time, context->time, &head);
    *out = (fm_reading){.count = (int64_t)head.count, .valid = (int64_t)head.valid, .time = head.time};
    return healthy && seen ? slot : NULL;
}

void fm_instrument_give(const fm_part_context *context, const fm_instrument *instrument, const fm_health *health,
                        int seen, const void *values)
{
    void *slot = fm_instrument_room(context, instrument, health, seen);
    if (slot)
        memcpy(slot, values, 8 * instrument->words);
}

const char *fm_instrument_describe(const fm_instrument *instrument, const fm_health *health, fm_suite_instrument *p)
{
    const fm_mount *m = &instrument->mount;
    memcpy(p->position, m->position, sizeof p->position);
    memcpy(p->rotation, m->rotation, sizeof p->rotation);
    memcpy(p->quaternion, m->quaternion, sizeof p->quaternion);
    p->dropout = health->dropout;
    p->fault = (double)health->fault;
    return instrument->delay ? "an instrument of its <navigation> has a latency" : NULL;
}
