#include "acoustics/transducer.h"

#include <math.h>

#include "acoustics/parts.h"
#include "physics/posture.h"
#include "physics/real.h"

_Static_assert(sizeof(fm_reception) % 8 == 0 && sizeof(fm_transducer_state) % 8 == 0, "state is made of words");

/* --- its element --- */

static const char *const directivities[] = {"omni", "beam", "cone", "ring", NULL};
static const char *const ping_kinds[] = {"ping", "query", NULL};
static const char *const fault_names[] = {"healthy", "dead", "deaf", "mute", NULL};

static const fm_attr attrs[] = {
    FM_NAME_ATTR(fm_transducer, name, "name", NULL, 0, "of the transducer, where a vehicle has several"),
    FM_MOUNT_ATTRS(fm_transducer, mount, "0 0 0 deg"),
    FM_REAL_ATTR(fm_transducer, frequency, "frequency", "Hz", 1, 1e7, "25 kHz", 0, "of what it sends"),
    FM_VECTOR_ATTR(fm_transducer, band, 2, "band", "Hz", 1, 1e7, NULL, 0,
                   "lowest and highest frequency that it sends and hears; default: half to twice its frequency"),
    FM_REAL_ATTR(fm_transducer, bandwidth, "bandwidth", "Hz", 1, 1e7, "5 kHz", 0, "of the noise that it lets in"),
    FM_REAL_ATTR(fm_transducer, level, "level", "dB", 0, 260, "185 dB", FM_ATTR_LIVE,
                 "source level re 1 uPa at 1 m; it sends nothing louder"),
    FM_REAL_ATTR(fm_transducer, threshold, "threshold", "dB", -200, 260, "0 dB", 0,
                 "level re 1 uPa that a sound must have to be heard"),
    FM_REAL_ATTR(fm_transducer, detection, "detection", "dB", -100, 100, "0 dB", 0,
                 "signal over noise that it takes to be heard"),
    FM_REAL_ATTR(fm_transducer, pulse, "pulse", "s", 0, 100, "10 ms", 0, "length of what it sends"),
    FM_REAL_ATTR(fm_transducer, recharge, "recharge", "s", 0, 1e4, "0 s", 0,
                 "after a pulse: until then it answers busy"),
    FM_CHOICE_ATTR(fm_transducer, directivity, directivities, "directivity", "omni", 0,
                   "omni: all round; beam: a lobe about its axis; cone: the same everywhere inside; ring: a lobe about "
                   "the plane across its axis"),
    FM_REAL_ATTR(fm_transducer, beam_width, "beam-width", "rad", 1e-3, 6.283185307179587, "60 deg", 0,
                 "whole angle between the directions of half the power"),
    FM_REAL_ATTR(fm_transducer, side_level, "side-level", "dB", -120, 0, "-30 dB", 0, "outside of the beam"),
    FM_REAL_ATTR(fm_transducer, gain, "gain", "dB", 0, 60, "0 dB", 0,
                 "directivity index of hearing: what it takes off the noise"),
    FM_REAL_ATTR(fm_transducer, own_noise, "own-noise", "dB", 0, 200, "0 dB", 0,
                 "what 1 W of the vehicle's propulsion makes here, re 1 uPa2/Hz at 1 kHz; 0: none is heard"),
    FM_INT_ATTR(
        fm_transducer, address, "address", 0, 65535, "0", FM_ATTR_LIVE,
        "that what it sends is from; 0: none. A vehicle that joins a running simulation gets a free one, unless it "
        "asks for one"),
    FM_BOOL_ATTR(fm_transducer, replies, "replies", "false", 0, "a transponder: it answers queries to it or to all"),
    FM_REAL_ATTR(fm_transducer, reply_delay, "reply-delay", "s", 0, 1e3, "0 s", 0, "from hearing a query to answering"),
    FM_REAL_ATTR(fm_transducer, reply_frequency, "reply-frequency", "Hz", 0, 1e7, "0 Hz", 0,
                 "of its answers; 0: its frequency"),
    FM_REAL_ATTR(fm_transducer, ping_period, "ping-period", "s", 0, 1e6, "0 s", 0,
                 "a beacon: it pings by itself; 0: it does not"),
    FM_CHOICE_ATTR(fm_transducer, ping_kind, ping_kinds, "ping-kind", "ping", 0,
                   "of what it sends by itself; query: transponders answer"),
    FM_REAL_ATTR(fm_transducer, ping_start, "ping-start", "s", 0, 1e6, "0 s", 0, "of its first ping"),
    FM_BOOL_ATTR(fm_transducer, half_duplex, "half-duplex", "true", 0, "it is deaf while it sends"),
    FM_BOOL_ATTR(fm_transducer, hears_own, "hears-own", "false", 0, "it hears other transducers of its vehicle"),
    FM_INT_ATTR(fm_transducer, inbox, "inbox", 1, 65536, "16", 0, "receptions that are kept for those who read them"),
    FM_INT_ATTR(fm_transducer, payload, "payload", 0, FM_SOUND_BYTES_MOST, "0", 0,
                "bytes of data that it sends and keeps, at most"),
    FM_REAL_ATTR(fm_transducer, health.dropout, "dropout", "", 0, 1, "0", FM_ATTR_LIVE,
                 "probability that a sound is not heard"),
    FM_CHOICE_ATTR(fm_transducer, health.fault, fault_names, "fault", "healthy", FM_ATTR_LIVE,
                   "healthy (0), dead (1): neither sends nor hears, deaf (2), mute (3)"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(fm_transducer, "transducer", attrs, NULL, 0,
                     "Sends and hears sound for the other instruments of its vehicle; by itself a pinger "
                     "(ping-period) or a transponder (replies). It looks along its forward axis. "
                     "Without `position` it is 0.1 m below the bottom of a boat, at the origin of other vehicles.");

/* --- state --- */

size_t fm_transducer_words(const fm_transducer *transducer)
{
    return ((size_t)transducer->payload + 7) / 8;
}

void *fm_transducer_request_data(fm_transducer_state *state)
{
    return state + 1;
}

fm_reception *fm_transducer_inbox(const fm_transducer *transducer, fm_transducer_state *state, int64_t number)
{
    size_t words = fm_transducer_words(transducer), each = sizeof(fm_reception) / 8 + words;
    uint64_t *ring = (uint64_t *)(void *)(state + 1) + words;
    return (fm_reception *)(void *)(ring + (size_t)((number - 1) % transducer->inbox) * each);
}

static fm_status load_transducer(fm_part_load *load, void *config, fm_error *error)
{
    fm_transducer *c = config;
    if (!fm_load_has_attribute(load, "band")) {
        c->band[0] = 0.5 * c->frequency;
        c->band[1] = 2 * c->frequency;
    }
    if (!(c->band[0] < c->band[1]))
        return fm_load_fail(load, error, FM_ERR_RANGE, "band: %g … %g Hz is out of range: must be a rising pair",
                            c->band[0], c->band[1]);
    if (c->frequency < c->band[0] || c->frequency > c->band[1])
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "frequency: %g Hz is out of range: must be in its band %g … %g Hz", c->frequency,
                            c->band[0], c->band[1]);
    if (c->ping_period > 0 && c->ping_period < c->pulse + c->recharge)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "ping-period: %g s is out of range: must be at least pulse plus recharge, %g s",
                            c->ping_period, c->pulse + c->recharge);
    if (!fm_load_has_attribute(load, "position"))
        fm_load_keel(load, c->mount.position);
    c->mount.width = c->mount.height = c->directivity == FM_DIRECTIVITY_OMNI ? 0 : c->beam_width;
    c->band_level = 10 / 2.302585092994045684 * fm_log(c->bandwidth);
    c->beam_factor = -12 / (c->beam_width * c->beam_width);
    size_t words = fm_transducer_words(c);
    fm_load_state_size(load,
                       sizeof(fm_transducer_state) + 8 * words + (size_t)c->inbox * (sizeof(fm_reception) + 8 * words));
    return FM_OK;
}

/* The sound stage does all its work. */
static void run_transducer(const fm_part_context *context)
{
    (void)context;
}

/* --- directivity --- */

/* (A7.1) −3 dB at half the width: a Gaussian lobe, with the side level as its lower limit. */
double fm_transducer_gain(const fm_transducer *t, const double axis[3], const double direction[3])
{
    if (t->directivity == FM_DIRECTIVITY_OMNI)
        return 0;
    double across[3];
    fm_cross(axis, direction, across);
    double along = fm_dot(axis, direction), off = fm_atan2(sqrt(fm_dot(across, across)), along);
    if (t->directivity == FM_DIRECTIVITY_RING)
        off = FM_PI / 2 - off;
    if (t->directivity == FM_DIRECTIVITY_CONE)
        return off <= 0.5 * t->beam_width ? 0 : t->side_level;
    return fmax(t->beam_factor * off * off, t->side_level);
}

/* --- its class --- */

static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(fm_transducer_output, heard.time, "time", "s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_transducer_output, heard.duration, "duration", "s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_transducer_output, heard.frequency, "frequency", "Hz", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_transducer_output, heard.level, "level", "dB", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_transducer_output, heard.noise, "noise", "dB", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_transducer_output, heard.snr, "snr", "dB", FM_QUANTITY_NONE),
    {.field = "signal",
     .unit = "",
     .offset = offsetof(fm_transducer_output, heard.signal),
     .count = 1,
     .type = FM_OUTPUT_INT64},
    {.field = "kind",
     .unit = "",
     .offset = offsetof(fm_transducer_output, heard.kind),
     .count = 1,
     .type = FM_OUTPUT_INT64},
    {.field = "from",
     .unit = "",
     .offset = offsetof(fm_transducer_output, heard.from),
     .count = 1,
     .type = FM_OUTPUT_INT64},
    {.field = "to",
     .unit = "",
     .offset = offsetof(fm_transducer_output, heard.to),
     .count = 1,
     .type = FM_OUTPUT_INT64},
};
const fm_part_class fm_transducer_class = {.kind = FM_PART_SENSOR,
                                           .element = &element,
                                           .live_size = offsetof(fm_transducer, name),
                                           .state_size = sizeof(fm_transducer_state),
                                           .output_size = sizeof(fm_transducer_output),
                                           .outputs = outputs,
                                           .output_count = FM_COUNT(outputs),
                                           .counts = FM_COUNTS_SAMPLES,
                                           .mount = FM_MOUNT_AT(fm_transducer, mount),
                                           .load = load_transducer,
                                           .run = run_transducer};
