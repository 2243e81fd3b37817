/* Short base line: position of a transponder from the times at which several transducers of a vehicle receive its
 * answer. */
#include <math.h>
#include <string.h>

#include "acoustics/beacons.h"
#include "acoustics/parts.h"
#include "base/dense.h"
#include "physics/posture.h"

enum { RECEIVERS_MOST = 16 };

typedef struct sbl_config {
    fm_health health;
    fm_flaws flaws; /* of the path from the query to the answer, m */
    fm_instrument instrument;
    fm_listener listener;
    double interval, window, delay; /* s */
    int64_t address;
    size_t receiver_count;
    int64_t receivers[RECEIVERS_MOST]; /* parts */
    double point[RECEIVERS_MOST][3];   /* m, on the vehicle */
} sbl_config;

typedef struct receiver_config {
    const char *transducer;
} receiver_config;
static const fm_attr receiver_attrs[] = {
    FM_NAME_ATTR(receiver_config, transducer, "transducer", NULL, FM_ATTR_REQUIRED, "of the vehicle, before this part"),
};
static const fm_element receiver_element =
    FM_TABLE_ELEMENT(receiver_config, "receiver", receiver_attrs, NULL, 0, "A transducer that hears the answer.");
static const fm_element *const children[] = {&receiver_element, NULL};

static const fm_attr attrs[] = {
    FM_ACOUSTIC_ATTRS(sbl_config),
    FM_FLAW_ATTRS(sbl_config, flaws, "m"),
    FM_LISTENER_ATTRS(sbl_config, listener),
    FM_INT_ATTR(sbl_config, address, "address", 1, 65535, NULL, FM_ATTR_REQUIRED, "of the transponder"),
    FM_REAL_ATTR(sbl_config, interval, "interval", "s", 1e-3, 1e5, "2 s", 0, "between queries"),
    FM_REAL_ATTR(sbl_config, window, "window", "s", 0, 1e5, "0 s", 0,
                 "that the receivers are waited for; 0: nine tenths of the interval"),
    FM_REAL_ATTR(sbl_config, delay, "delay", "s", 0, 1e3, "0 s", 0, "of the answer, as known"),
};
static const fm_element element = FM_TABLE_ELEMENT(
    sbl_config, "sbl", attrs, children, 0,
    "Short base line: interrogates a transponder and computes its position from the times of arrival at three or more "
    "transducers of the vehicle; below the vehicle if ambiguous. Its errors are those of the two-way travel.");

typedef struct sbl_state {
    fm_asking asking;
    int64_t open;
    int64_t seen[RECEIVERS_MOST];
    double way[RECEIVERS_MOST]; /* m, there and back; 0: not heard */
    double last, snr;           /* s, of the last answer; dB */
} sbl_state;

static fm_status read_receiver(fm_part_load *load, sbl_config *c, size_t i, fm_error *error)
{
    receiver_config receiver;
    fm_status status = fm_load_child(load, "receiver", i, &receiver, error);
    if (status != FM_OK)
        return status;
    int part = fm_load_transducer(load, receiver.transducer, error);
    if (part < 0)
        return error->status;
    fm_part_info info = fm_load_part_info(load, (size_t)part);
    const fm_mount *mount = (const fm_mount *)(const void *)((const char *)info.config + info.part_class->mount - 1);
    c->receivers[i] = part;
    memcpy(c->point[i], mount->position, sizeof c->point[i]);
    return FM_OK;
}

static fm_status load_sbl(fm_part_load *load, void *config, fm_error *error)
{
    sbl_config *c = config;
    fm_status status = fm_listener_load(load, &c->listener, &c->instrument, 0, error);
    c->receiver_count = fm_load_child_count(load, "receiver");
    if (status == FM_OK && (c->receiver_count < 3 || c->receiver_count > RECEIVERS_MOST))
        return fm_load_fail(load, error, FM_ERR_RANGE, "%zu receivers given: must be 3 … %d", c->receiver_count,
                            RECEIVERS_MOST);
    for (size_t i = 0; status == FM_OK && i < c->receiver_count; i++)
        status = read_receiver(load, c, i, error);
    c->window = c->window > 0 ? c->window : 0.9 * c->interval;
    return status == FM_OK ? fm_instrument_load(load, &c->instrument, RECEIVERS_MOST,
                                                FM_READING_WORDS(fm_bearing_reading), sizeof(sbl_state), error)
                           : status;
}

/* --- the place --- */

static double direction_from(const double at[3], const double p[3], double unit[3])
{
    double d[3] = {p[0] - at[0], p[1] - at[1], p[2] - at[2]}, r = sqrt(fm_dot(d, d));
    for (int i = 0; i < 3; i++)
        unit[i] = r > 0 ? d[i] / r : 0;
    return r;
}

/* The normal equations at p for |p − e| + |p − r_i| = s_i. */
static void gather_ways(const sbl_config *c, const sbl_state *s, const double p[3], double normal[9],
                        double gradient[3])
{
    double out[3], back[3];
    memset(normal, 0, 9 * sizeof *normal);
    memset(gradient, 0, 3 * sizeof *gradient);
    for (size_t i = 0; i < c->receiver_count; i++) {
        if (!(s->way[i] > 0))
            continue;
        double miss =
            s->way[i] - direction_from(c->instrument.mount.position, p, out) - direction_from(c->point[i], p, back);
        for (int a = 0; a < 3; a++) {
            gradient[a] += (out[a] + back[a]) * miss;
            for (int b = 0; b < 3; b++)
                normal[3 * a + b] += (out[a] + back[a]) * (out[b] + back[b]);
        }
    }
    for (int a = 0; a < 3; a++)
        normal[4 * a] += 1e-12;
}

/* The largest diagonal element of the inverse; −1: singular. */
static double greatest_variance(const double normal[9])
{
    double most = 0;
    for (int a = 0; a < 3; a++) {
        double held[9], unit[3] = {a == 0, a == 1, a == 2};
        memcpy(held, normal, sizeof held);
        if (fm_dense_solve_positive(3, held, unit) != 0)
            return -1;
        most = fmax(most, unit[a]);
    }
    return most;
}

/* (A8.7) Gauss–Newton with steps of at most half the path. Returns the largest variance of a coordinate for paths of
 * deviation 1, or −1. */
static double solve_position(const sbl_config *c, const sbl_state *s, double p[3])
{
    double normal[9], gradient[3], held[9];
    for (int turn = 0; turn < 60; turn++) {
        gather_ways(c, s, p, normal, gradient);
        memcpy(held, normal, sizeof held);
        if (fm_dense_solve_positive(3, held, gradient) != 0)
            return -1;
        double reach = sqrt(fm_dot(p, p)), step = sqrt(fm_dot(gradient, gradient)), most = 0.5 * reach + 1;
        for (int a = 0; a < 3; a++)
            p[a] += gradient[a] * (step > most ? most / step : 1);
        if (step < 1e-9 * (1 + reach))
            break;
    }
    return greatest_variance(normal);
}

/* --- a cycle --- */

static void hear_answers(const fm_part_context *context, const sbl_config *c, sbl_state *s)
{
    const sbl_config *live = context->live;
    fm_reception r;
    for (size_t i = 0; i < c->receiver_count; i++)
        while (fm_sound_hear(context, (int)c->receivers[i], &s->seen[i], &r, NULL, 0)) {
            if (r.kind != FM_SOUND_REPLY || r.code != s->asking.asked || r.from != c->address || !s->open ||
                s->way[i] > 0)
                continue;
            s->way[i] = fm_listener_speed(&c->listener, &r) * (r.time - s->asking.asked_at - c->delay);
            fm_instrument_spoil(context, &live->flaws, i, 1, &s->way[i]);
            s->last = r.time;
            s->snr = r.snr;
        }
}

static void give_position(const fm_part_context *context, const sbl_config *c, sbl_state *s)
{
    const sbl_config *live = context->live;
    double mean = 0, p[3], heard = 0;
    for (size_t i = 0; i < c->receiver_count; i++) {
        mean += s->way[i];
        heard += s->way[i] > 0;
    }
    s->open = 0;
    p[0] = p[1] = 0.1;
    p[2] = heard > 0 ? 0.5 * mean / heard : 0;
    double spread = heard >= 3 ? solve_position(c, s, p) : -1;
    if (!(spread >= 0))
        return;
    fm_bearing_reading out = {.range = sqrt(fm_dot(p, p)),
                              .azimuth = fm_atan2(p[1], p[0]),
                              .elevation = fm_atan2(p[2], sqrt(p[0] * p[0] + p[1] * p[1])),
                              .position = {p[0], p[1], p[2]},
                              .address = (double)c->address,
                              .snr = s->snr};
    out.deviation[1] = live->flaws.noise * sqrt(spread);
    out.deviation[0] = out.deviation[1] / fmax(out.range, 1e-3);
    fm_listener_give(context, &c->instrument, &live->health, 0.5 * (s->asking.asked_at + s->last), &out.range);
}

static void run_sbl(const fm_part_context *context)
{
    const sbl_config *c = context->config;
    sbl_state *s = fm_instrument_state(context, &c->instrument);
    int all = 1;
    ((fm_reading *)context->output)->valid = 0;
    hear_answers(context, c, s);
    for (size_t i = 0; i < c->receiver_count; i++)
        all = all && s->way[i] > 0;
    if (s->open && (all || context->time >= s->asking.asked_at + c->window))
        give_position(context, c, s);
    if (!fm_asking_ask(context, &c->listener, &s->asking, c->interval, c->address))
        return;
    s->open = 1;
    memset(s->way, 0, sizeof s->way);
}

const fm_part_class fm_sbl_class = FM_BEARING_CLASS(element, sbl_config, load_sbl, run_sbl);
