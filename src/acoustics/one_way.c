/* Ranges from beacons at known places by listening only: from the arrival time of a ping with synchronised clocks, and
 * from its Doppler shift. */
#include <math.h>

#include "acoustics/beacons.h"
#include "acoustics/parts.h"
#include "acoustics/transducer.h"
#include "base/random.h"

/* --- one-way ranging --- */

typedef struct clock_flaws {
    double offset; /* s, ahead of the beacons' */
    double drift;  /* s/s */
    double walk;   /* s/√s */
} clock_flaws;

typedef struct one_way_config {
    fm_health health;
    fm_flaws flaws; /* of ranges, m */
    clock_flaws clock;
    fm_instrument instrument;
    fm_listener listener;
    double deviation;
} one_way_config;

static const fm_attr one_way_attrs[] = {
    FM_ACOUSTIC_ATTRS(one_way_config),
    FM_FLAW_ATTRS(one_way_config, flaws, "m"),
    FM_LISTENER_ATTRS(one_way_config, listener),
    FM_REAL_ATTR(one_way_config, clock.offset, "clock-offset", "s", -1e3, 1e3, "0 s", FM_ATTR_LIVE,
                 "of its own clock at the start, ahead of the beacons'"),
    FM_REAL_ATTR(one_way_config, clock.drift, "clock-drift", "", -1e-2, 1e-2, "0", FM_ATTR_LIVE,
                 "of its own clock: s per s"),
    FM_REAL_ATTR(one_way_config, clock.walk, "clock-walk", "", 0, 1, "0", FM_ATTR_LIVE,
                 "standard deviation that its clock gains in the square root of a second, s"),
    FM_REAL_ATTR(one_way_config, deviation, "deviation", "m", 0, 1e4, "0 m", 0,
                 "that it gives its ranges; 0: its noise"),
};
static const fm_element *const children[] = {&fm_beacon_element, NULL};
static const fm_element one_way_element =
    FM_TABLE_ELEMENT(one_way_config, "one-way-ranging", one_way_attrs, children, 0,
                     "Range from beacons that ping at known times, with its own clock: one reading per ping.");

/* Receptions read so far, and the last ping of each beacon. */
typedef struct ping_ear {
    int64_t seen;
    int64_t last[FM_BEACONS_MOST]; /* signals */
} ping_ear;

typedef struct one_way_state {
    ping_ear ear;
    double wander; /* s: the walk of the clock so far */
} one_way_state;

static fm_status load_one_way(fm_part_load *load, void *config, fm_error *error)
{
    one_way_config *c = config;
    fm_status status = fm_listener_load(load, &c->listener, &c->instrument, 1, error);
    return status == FM_OK ? fm_instrument_load(load, &c->instrument, 1, FM_READING_WORDS(fm_beacon_reading),
                                                sizeof(one_way_state), error)
                           : status;
}

/* The next ping of a known beacon, by its first arrival; others are skipped. */
static const fm_beacon *next_ping(const fm_part_context *context, const fm_listener *listener, ping_ear *ear,
                                  fm_reception *r)
{
    while (fm_sound_hear(context, (int)listener->part, &ear->seen, r, NULL, 0)) {
        const fm_beacon *beacon = fm_listener_beacon(listener, r->from);
        if (!beacon || r->kind != FM_SOUND_PING || ear->last[beacon - listener->beacons] == r->signal)
            continue;
        ear->last[beacon - listener->beacons] = r->signal;
        return beacon;
    }
    return NULL;
}

/* s that its clock is ahead at a given time. */
static double clock_error(const fm_part_context *context, const clock_flaws *clock, one_way_state *s, double moment)
{
    enum { CLOCK_AT = 1 << 22 };
    fm_random_key key = {context->seed, context->entity, context->channel};
    if (clock->walk > 0)
        s->wander += clock->walk * sqrt(context->period) * fm_random_normal(key, context->tick, CLOCK_AT);
    return clock->offset + clock->drift * moment + s->wander;
}

/* (A8.4) R = c (t + clock error − sent). */
static void run_one_way(const fm_part_context *context)
{
    const one_way_config *c = context->config, *live = context->live;
    one_way_state *s = fm_instrument_state(context, &c->instrument);
    fm_reception r;
    ((fm_reading *)context->output)->valid = 0;
    const fm_beacon *beacon = next_ping(context, &c->listener, &s->ear, &r);
    double ahead = clock_error(context, &live->clock, s, beacon ? r.time : context->time);
    if (!beacon)
        return;
    fm_beacon_reading out = {.range = fm_listener_speed(&c->listener, &r) * (r.time + ahead - r.sent),
                             .rate = NAN,
                             .deviation = c->deviation > 0 ? c->deviation : live->flaws.noise,
                             .position = {beacon->position[0], beacon->position[1], beacon->position[2]},
                             .address = (double)r.from,
                             .snr = r.snr};
    fm_instrument_spoil(context, &live->flaws, 0, 1, &out.range);
    fm_listener_give(context, &c->instrument, &live->health, r.time, &out.range);
}

static const fm_output beacon_outputs[] = {
    FM_OUTPUT_NUMBER(fm_beacon_reading, range, "range", "m", FM_QUANTITY_BEACON_RANGE),
    FM_OUTPUT_NUMBER(fm_beacon_reading, rate, "rate", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_beacon_reading, deviation, "deviation", "m", FM_QUANTITY_BEACON_DEVIATION),
    FM_OUTPUT_FIELD(fm_beacon_reading, position, "position", "m", 3, FM_OUTPUT_WORLD, FM_QUANTITY_BEACON_POSITION),
    FM_OUTPUT_NUMBER(fm_beacon_reading, address, "address", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_beacon_reading, snr, "snr", "dB", FM_QUANTITY_NONE),
};
const fm_part_class fm_one_way_ranging_class = {.kind = FM_PART_SENSOR,
                                                .element = &one_way_element,
                                                .live_size = offsetof(one_way_config, instrument),
                                                .mount = FM_MOUNT_AT(one_way_config, instrument.mount),
                                                .message = "fathom_msgs/BeaconRange",
                                                .outputs = beacon_outputs,
                                                .output_count = FM_COUNT(beacon_outputs),
                                                .counts = FM_COUNTS_READING,
                                                .load = load_one_way,
                                                .run = run_one_way};

/* --- Doppler --- */

typedef struct doppler_config {
    fm_health health;
    fm_flaws flaws; /* of frequencies, Hz */
    fm_instrument instrument;
    fm_listener listener;
} doppler_config;

static const fm_attr doppler_attrs[] = {
    FM_ACOUSTIC_ATTRS(doppler_config),
    FM_FLAW_ATTRS(doppler_config, flaws, "Hz"),
    FM_LISTENER_ATTRS(doppler_config, listener),
};
static const fm_element doppler_element =
    FM_TABLE_ELEMENT(doppler_config, "doppler-ranging", doppler_attrs, children, 0,
                     "Rate of the range from pinging beacons, by the Doppler shift of their known frequencies, and its "
                     "sum since the first "
                     "ping of each: the difference of its range. Its errors are those of a frequency.");

typedef struct doppler_state {
    ping_ear ear;
    struct {
        int64_t heard;
        double time, rate, sum; /* s, m/s, m */
    } beacon[FM_BEACONS_MOST];
} doppler_state;

static fm_status load_doppler(fm_part_load *load, void *config, fm_error *error)
{
    doppler_config *c = config;
    fm_status status = fm_listener_load(load, &c->listener, &c->instrument, 1, error);
    if (status != FM_OK)
        return status;
    const fm_transducer *own = fm_load_part_info(load, (size_t)c->listener.part).config;
    fm_beacon *beacons = (fm_beacon *)(uintptr_t)c->listener.beacons;
    for (size_t i = 0; i < c->listener.beacon_count; i++)
        beacons[i].frequency = beacons[i].frequency > 0 ? beacons[i].frequency : own->frequency;
    return fm_instrument_load(load, &c->instrument, 1, FM_READING_WORDS(fm_beacon_reading), sizeof(doppler_state),
                              error);
}

/* (A8.5) Ṙ = c (1 − f'/f), and its integral by the trapezoidal rule. */
static void run_doppler(const fm_part_context *context)
{
    const doppler_config *c = context->config, *live = context->live;
    doppler_state *s = fm_instrument_state(context, &c->instrument);
    fm_reception r;
    ((fm_reading *)context->output)->valid = 0;
    const fm_beacon *beacon = next_ping(context, &c->listener, &s->ear, &r);
    if (!beacon)
        return;
    size_t number = (size_t)(beacon - c->listener.beacons);
    fm_instrument_spoil(context, &live->flaws, 0, 1, &r.frequency);
    double speed = fm_listener_speed(&c->listener, &r);
    double rate = speed * (1 - r.frequency / beacon->frequency);
    if (s->beacon[number].heard)
        s->beacon[number].sum += 0.5 * (rate + s->beacon[number].rate) * (r.time - s->beacon[number].time);
    s->beacon[number].heard++;
    s->beacon[number].time = r.time;
    s->beacon[number].rate = rate;
    fm_beacon_reading out = {.range = s->beacon[number].sum,
                             .rate = rate,
                             .deviation = NAN,
                             .position = {beacon->position[0], beacon->position[1], beacon->position[2]},
                             .address = (double)r.from,
                             .snr = r.snr};
    fm_listener_give(context, &c->instrument, &live->health, r.time, &out.range);
}

/* A difference of ranges is not a range: it must not be used as one. */
static const fm_output difference_outputs[] = {
    FM_OUTPUT_NUMBER(fm_beacon_reading, range, "range", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_beacon_reading, rate, "rate", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_beacon_reading, deviation, "deviation", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_FIELD(fm_beacon_reading, position, "position", "m", 3, FM_OUTPUT_WORLD, FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_beacon_reading, address, "address", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_beacon_reading, snr, "snr", "dB", FM_QUANTITY_NONE),
};
const fm_part_class fm_doppler_ranging_class = {.kind = FM_PART_SENSOR,
                                                .element = &doppler_element,
                                                .live_size = offsetof(doppler_config, instrument),
                                                .mount = FM_MOUNT_AT(doppler_config, instrument.mount),
                                                .message = "fathom_msgs/BeaconRange",
                                                .outputs = difference_outputs,
                                                .output_count = FM_COUNT(difference_outputs),
                                                .counts = FM_COUNTS_READING,
                                                .load = load_doppler,
                                                .run = run_doppler};
