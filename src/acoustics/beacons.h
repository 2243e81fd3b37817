/* Shared by acoustic instruments: beacons at known places, the assumed speed of sound, and queries to transponders. */
#ifndef FM_ACOUSTICS_BEACONS_H
#define FM_ACOUSTICS_BEACONS_H

#include <fathom/sound.h>

#include "sensors/acoustic_readings.h"
#include "sensors/imperfect.h"

/* A child <beacon> of an instrument. */
typedef struct fm_beacon {
    int64_t address;
    double position[3]; /* m, NED, as surveyed */
    double delay;       /* s: of its answers, as known */
    double frequency;   /* Hz of its signal; 0: that of the instrument's transducer */
} fm_beacon;
extern const fm_element fm_beacon_element;

enum { FM_BEACONS_MOST = 32 };

/* Follows the fm_instrument of a config. */
typedef struct fm_listener {
    const char *transducer; /* name; NULL: the first */
    double sound_speed;     /* m/s, assumed; 0: that of the water at the instrument */
    int64_t part;           /* derived: number of the transducer */
    const fm_beacon *beacons;
    size_t beacon_count;
} fm_listener;

#define FM_LISTENER_ATTRS(its_type, member)                                                                            \
    FM_NAME_ATTR(its_type, member.transducer, "transducer", NULL, 0,                                                   \
                 "that it uses, a part before it; left out: the first of the vehicle"),                                \
        FM_REAL_ATTR(its_type, member.sound_speed, "sound-speed", "m/s", 0, 6000, "0 m/s", 0,                          \
                     "that it takes for true; 0: that of the water at the transducer")

/* Like FM_INSTRUMENT_ATTRS, for instruments mounted at their transducer. */
#define FM_ACOUSTIC_ATTRS(its_type)                                                                                    \
    FM_NAME_ATTR(its_type, instrument.name, "name", NULL, 0,                                                           \
                 "of the instrument, where a vehicle has several of its kind"),                                        \
        FM_REAL_ATTR(its_type, instrument.period, "period", "s", 0, 1e5, "0 s", 0,                                     \
                     "between looks at the transducer; 0: the vehicle's step"),                                        \
        FM_REAL_ATTR(its_type, instrument.latency, "latency", "s", 0, 1e4, "0 s", 0,                                   \
                     "from sampling to output, a whole number of periods"),                                            \
        FM_REAL_ATTR(its_type, health.dropout, "dropout", "", 0, 1, "0", FM_ATTR_LIVE,                                 \
                     "probability that a sample is lost"),                                                             \
        FM_CHOICE_ATTR(its_type, health.fault, fm_fault_names, "fault", "healthy", FM_ATTR_LIVE,                       \
                       "healthy (0), dead (1): gives nothing, stuck (2): repeats its last value")

/* Finds the transducer, copies its mount, and reads the beacons (at least `least`). */
fm_status fm_listener_load(fm_part_load *load, fm_listener *listener, fm_instrument *instrument, size_t least,
                           fm_error *error);
/* The beacon of an address; NULL: unknown. */
const fm_beacon *fm_listener_beacon(const fm_listener *listener, int64_t address);
/* m/s, assumed speed for a received sound. */
static inline double fm_listener_speed(const fm_listener *listener, const fm_reception *reception)
{
    return listener->sound_speed > 0 ? listener->sound_speed : reception->speed;
}
/* Like fm_instrument_give, for a reading that is valid at `moment` (s) instead of now. */
void fm_listener_give(const fm_part_context *context, const fm_instrument *instrument, const fm_health *health,
                      double moment, const void *values);

/* Outputs and class of instruments that publish an fm_bearing_reading. */
enum { FM_BEARING_OUTPUTS = 8 };
extern const fm_output fm_bearing_outputs[FM_BEARING_OUTPUTS];
#define FM_BEARING_CLASS(its_element, its_config, its_load, its_run)                                                   \
    {                                                                                                                  \
        .kind = FM_PART_SENSOR, .element = &its_element, .live_size = offsetof(its_config, instrument),                \
        .mount = FM_MOUNT_AT(its_config, instrument.mount), .message = "fathom_msgs/Bearing",                          \
        .outputs = fm_bearing_outputs, .output_count = FM_BEARING_OUTPUTS, .counts = FM_COUNTS_READING,                \
        .load = its_load, .run = its_run                                                                               \
    }

/* Periodic queries to transponders. Words of the instrument's own state. */
typedef struct fm_asking {
    int64_t seen;    /* receptions that were read */
    int64_t asked;   /* queries so far, the code of the last one */
    double asked_at; /* s */
    double next;     /* s */
    int64_t last[8]; /* by address: signal that was heard last, or answered: what comes of it again is an echo, or the
                            answer to one */
} fm_asking;
/* Whether a reception is the first arrival of its signal, and the first answer to its query. */
int fm_asking_fresh(fm_asking *asking, const fm_reception *reception);
/* Sends a query if one is due: 1: it was just sent. */
int fm_asking_ask(const fm_part_context *context, const fm_listener *listener, fm_asking *asking, double interval,
                  int64_t to);
/* The next answer to the last query: 1 and *reception. */
int fm_asking_hear(const fm_part_context *context, const fm_listener *listener, fm_asking *asking,
                   fm_reception *reception);

#endif
