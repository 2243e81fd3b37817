/* Ultra-short base line: direction of a sound from the phases at an array a few centimetres wide; and, with a query,
 * its range. */
#include <math.h>
#include <string.h>

#include "acoustics/beacons.h"
#include "acoustics/parts.h"
#include "acoustics/transducer.h"
#include "physics/posture.h"

enum { ARRAY_PLANAR, ARRAY_SOLID };
static const char *const arrays[] = {"planar", "solid", NULL};

typedef struct usbl_config {
    fm_health health;
    fm_flaws flaws;   /* of phases, rad */
    fm_flaws ranging; /* of ranges, m */
    fm_instrument instrument;
    fm_listener listener;
    double interval, delay; /* s */
    int64_t address;
    double spacing; /* m */
    int64_t array;
} usbl_config;

typedef struct flaws_alone {
    fm_flaws flaws;
} flaws_alone;
static const fm_attr range_attrs[] = {
    FM_FLAW_ATTRS(flaws_alone, flaws, "m"),
};
static const fm_element ranges_element =
    FM_CHILD_ELEMENT(usbl_config, ranging, fm_flaws, "ranges", range_attrs, NULL, "Errors of the ranges.");
static const fm_element *const children[] = {&ranges_element, NULL};

static const fm_attr attrs[] = {
    FM_ACOUSTIC_ATTRS(usbl_config),
    FM_FLAW_ATTRS(usbl_config, flaws, "rad"),
    FM_LISTENER_ATTRS(usbl_config, listener),
    FM_INT_ATTR(usbl_config, address, "address", 0, 65535, "0", 0, "of whom it listens to; 0: anybody"),
    FM_REAL_ATTR(usbl_config, interval, "interval", "s", 0, 1e5, "0 s", 0,
                 "between queries, whose answers give the range; 0: it only listens, to pings too"),
    FM_REAL_ATTR(usbl_config, delay, "delay", "s", 0, 1e3, "0 s", 0, "of the answers, as known"),
    FM_REAL_ATTR(usbl_config, spacing, "spacing", "m", 0, 10, "0 m", 0,
                 "of the array; 0: half a wavelength of its transducer at 1500 m/s. Wider ones mistake directions"),
    FM_CHOICE_ATTR(usbl_config, array, arrays, "array", "planar", 0,
                   "planar: across the transducer's axis, knows no front from back and takes all for in front; solid: "
                   "along all three axes, hears all round"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(usbl_config, "usbl", attrs, children, 0,
                     "Ultra-short base line: bearing of a beacon or transponder by phases, and range of one that "
                     "answers. Its errors are those of a phase; those of ranges are in <ranges>.");

static fm_status load_usbl(fm_part_load *load, void *config, fm_error *error)
{
    usbl_config *c = config;
    fm_status status = fm_listener_load(load, &c->listener, &c->instrument, 0, error);
    if (status != FM_OK)
        return status;
    const fm_transducer *own = fm_load_part_info(load, (size_t)c->listener.part).config;
    c->spacing = c->spacing > 0 ? c->spacing : 0.5 * 1500 / own->frequency;
    return fm_instrument_load(load, &c->instrument, 4, FM_READING_WORDS(fm_bearing_reading), sizeof(fm_asking), error);
}

/* (A8.6) Δφ = 2π f d (n·e)/c along each axis of the array, as measured; whole wavelengths are lost. Returns the
 * direction in instrument axes. */
static void measure_phases(const fm_part_context *context, const usbl_config *c, const fm_reception *r, double n[3])
{
    const usbl_config *live = context->live;
    double turn = 2 * FM_PI * r->frequency * c->spacing, taken = fm_listener_speed(&c->listener, r), size;
    for (size_t i = c->array == ARRAY_SOLID ? 0 : 1; i < 3; i++) {
        double phase = turn / r->speed * n[i];
        fm_instrument_spoil(context, &live->flaws, i, 1, &phase);
        n[i] = remainder(phase, 2 * FM_PI) * taken / turn;
    }
    if (c->array == ARRAY_PLANAR)
        n[0] = sqrt(fmax(1 - n[1] * n[1] - n[2] * n[2], 0));
    size = sqrt(fm_dot(n, n));
    for (int i = 0; i < 3 && size > 0; i++)
        n[i] /= size;
}

/* The next sound addressed to it. */
static int next_sound(const fm_part_context *context, const usbl_config *c, fm_asking *asking, fm_reception *r)
{
    if (c->interval > 0) {
        while (fm_asking_hear(context, &c->listener, asking, r))
            if ((!c->address || r->from == c->address) && fm_asking_fresh(asking, r))
                return 1;
        return 0;
    }
    while (fm_sound_hear(context, (int)c->listener.part, &asking->seen, r, NULL, 0))
        if ((!c->address || r->from == c->address) && fm_asking_fresh(asking, r))
            return 1;
    return 0;
}

static fm_bearing_reading describe_bearing(const fm_part_context *context, const usbl_config *c,
                                           const fm_asking *asking, const fm_reception *r)
{
    const usbl_config *live = context->live;
    fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    double n[3], v[3], speed = fm_listener_speed(&c->listener, r);
    fm_vector_to_body(at.rotation, r->direction, n);
    measure_phases(context, c, r, n);
    fm_vector_to_world(c->instrument.mount.rotation, n, v); /* to the vehicle's axes */
    double across = c->array == ARRAY_PLANAR ? fmax(n[0], 1e-3) : 1;
    fm_bearing_reading out = {
        .range = NAN,
        .azimuth = fm_atan2(v[1], v[0]),
        .elevation = fm_atan2(v[2], sqrt(v[0] * v[0] + v[1] * v[1])),
        .deviation = {live->flaws.noise * speed / (2 * FM_PI * r->frequency * c->spacing * across),
                      live->ranging.noise},
        .address = (double)r->from,
        .snr = r->snr};
    if (c->interval > 0) {
        out.range = 0.5 * speed * (r->time - asking->asked_at - c->delay);
        fm_instrument_spoil(context, &live->ranging, 3, 1, &out.range);
    }
    for (int i = 0; i < 3; i++)
        out.position[i] = v[i] * (c->interval > 0 ? out.range : 1);
    return out;
}

static void run_usbl(const fm_part_context *context)
{
    const usbl_config *c = context->config, *live = context->live;
    fm_asking *asking = fm_instrument_state(context, &c->instrument);
    fm_reception r;
    ((fm_reading *)context->output)->valid = 0;
    if (next_sound(context, c, asking, &r)) {
        fm_bearing_reading out = describe_bearing(context, c, asking, &r);
        fm_listener_give(context, &c->instrument, &live->health, r.time, &out.range);
    }
    if (c->interval > 0)
        fm_asking_ask(context, &c->listener, asking, c->interval, c->address);
}

const fm_part_class fm_usbl_class = FM_BEARING_CLASS(element, usbl_config, load_usbl, run_usbl);
