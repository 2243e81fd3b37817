/* Shared by all instruments: mounting, clock and errors.
 *
 * Processing of a sample: true values → scale error, bias, bias walk, drift, white noise, outliers → saturation →
 * quantisation (fm_instrument_spoil, per quantity) → drop-out → delay line → fault (fm_instrument_give) → output. All
 * errors are zero by default, and an error of zero draws no random numbers. Equations: docs/theory/instruments.md.
 *
 * The config of an instrument begins with its live part: fm_health, then one fm_flaws per quantity; then
 * fm_instrument. Its output begins with fm_reading (readings.h). */
#ifndef FM_SENSORS_IMPERFECT_H
#define FM_SENSORS_IMPERFECT_H

#include <fathom/part.h>

#include "control/sensor_suite.h"
#include "sensors/flaws.h"
#include "sensors/mount.h"
#include "sensors/readings.h"

/* Live, of the instrument as a whole. */
typedef struct fm_health {
    double dropout; /* probability that a sample is lost */
    int64_t fault;  /* enum fm_fault */
} fm_health;

/* Live, of one quantity (up to three components), in its unit. */
typedef struct fm_flaws {
    double noise;         /* standard deviation of white noise, each sample */
    int64_t distribution; /* enum fm_distribution, of that noise */
    double bias[3];
    double bias_walk;        /* growth of the bias's standard deviation in √s, unit/√s */
    double quantum;          /* resolution of the values; 0: continuous */
    double minimum, maximum; /* saturation; both 0: none */
    double scale[3];         /* relative error of each component: 0.05 means 5 % too large */
    double bias_spread;      /* a bias drawn once per run, uniformly from −spread to spread */
    double scale_spread;     /* a relative error drawn so */
    double drift;            /* standard deviation of a slowly varying error with zero mean */
    double drift_time;       /* s: time constant of it */
    double outliers;         /* probability that a value is an outlier */
    double outlier_size;     /* standard deviation of how much */
} fm_flaws;

/* Mounting and sample times. The last line is derived at load. */
typedef struct fm_instrument {
    const char *name;
    double period, latency; /* s */
    fm_mount mount;
    int64_t delay;       /* periods of latency */
    size_t walks, words; /* components that may walk and drift, and words of the values of a sample */
} fm_instrument;

/* Sizes state (a walk and a drift for each of `walks` components, delay line, then `own` bytes for the instrument) and
 * output (fm_reading and `words` values). */
fm_status fm_instrument_load(fm_part_load *load, fm_instrument *instrument, size_t walks, size_t words, size_t own,
                             fm_error *error);
/* The instrument's own state, after the shared one. */
void *fm_instrument_state(const fm_part_context *context, const fm_instrument *instrument);

/* The instrument in the world. */
typedef fm_mount_pose fm_instrument_pose;
fm_instrument_pose fm_instrument_where(const fm_part_context *context, const fm_mount *mount);

/* The errors as kernels take them. */
fm_flaw_params fm_flaws_kernel(const fm_flaws *flaws);
/* The sample in progress of this instrument. */
fm_flaw_draws fm_instrument_flaw_draws(const fm_part_context *context);
/* (I1) Adds the errors to `count` values of one quantity. `first` numbers its first component among those of the
 * instrument: the index of its walk and drift and the stream of its random numbers. */
void fm_instrument_spoil(const fm_part_context *context, const fm_flaws *flaws, size_t first, size_t count,
                         double *values);
/* The same for long rows of values: white noise, and one bias and one scale error for all. */
void fm_instrument_spoil_row(const fm_part_context *context, const fm_flaws *flaws, size_t first, size_t count,
                             double *values);

/* Passes a sample to the output: lost, delayed or falsified as health says. `seen` 0: the instrument has no value (a
 * GPS under water). */
void fm_instrument_give(const fm_part_context *context, const fm_instrument *instrument, const fm_health *health,
                        int seen, const void *values);
/* The same for long samples, before they are computed: where to write the values (all of them, now), or NULL if they
 * will not be visible. */
void *fm_instrument_room(const fm_part_context *context, const fm_instrument *instrument, const fm_health *health,
                         int seen);

/* Mounting and health for kernels; the reason if kernels cannot take them, or NULL. */
const char *fm_instrument_describe(const fm_instrument *instrument, const fm_health *health, fm_suite_instrument *p);

/* --- attribute tables --- */

extern const char *const fm_fault_names[], *const fm_distribution_names[];

/* For a config with members `health` and `instrument`. */
#define FM_INSTRUMENT_CLOCK_ATTRS(its_type)                                                                            \
    FM_NAME_ATTR(its_type, instrument.name, "name", NULL, 0,                                                           \
                 "of the instrument, where a vehicle has several of its kind"),                                        \
        FM_REAL_ATTR(its_type, instrument.period, "period", "s", 0, 1e5, "0 s", 0,                                     \
                     "between samples; 0: the vehicle's step"),                                                        \
        FM_REAL_ATTR(its_type, instrument.latency, "latency", "s", 0, 1e4, "0 s", 0,                                   \
                     "from sampling to output, a whole number of periods")
#define FM_HEALTH_ATTRS(its_type)                                                                                      \
    FM_REAL_ATTR(its_type, health.dropout, "dropout", "", 0, 1, "0", FM_ATTR_LIVE,                                     \
                 "probability that a sample is lost"),                                                                 \
        FM_CHOICE_ATTR(its_type, health.fault, fm_fault_names, "fault", "healthy", FM_ATTR_LIVE,                       \
                       "healthy (0), dead (1): gives nothing, stuck (2): repeats its last value, external (3): shows " \
                       "what comes from outside")
#define FM_INSTRUMENT_ATTRS_AIMED(its_type, looks)                                                                     \
    FM_INSTRUMENT_CLOCK_ATTRS(its_type), FM_MOUNT_ATTRS(its_type, instrument.mount, looks), FM_HEALTH_ATTRS(its_type)
#define FM_INSTRUMENT_ATTRS(its_type) FM_INSTRUMENT_ATTRS_AIMED(its_type, "0 0 0 deg")

/* For a member of type fm_flaws. */
#define FM_FLAW_NOISE(its_type, member, its_unit)                                                                      \
    FM_REAL_ATTR(its_type, member.noise, "noise", its_unit, 0, 1e12, "0 " its_unit, FM_ATTR_LIVE,                      \
                 "standard deviation of white noise"),                                                                 \
        FM_CHOICE_ATTR(its_type, member.distribution, fm_distribution_names, "distribution", "normal", FM_ATTR_LIVE,   \
                       "of the noise, with that deviation: normal (0), uniform (1), triangular (2), laplace (3)"),     \
        FM_REAL_ATTR(its_type, member.bias_spread, "bias-spread", its_unit, 0, 1e12, "0 " its_unit, FM_ATTR_LIVE,      \
                     "a constant error drawn once a run, evenly from minus this to this")
#define FM_FLAW_QUANTUM(its_type, member, its_unit)                                                                    \
    FM_REAL_ATTR(its_type, member.quantum, "quantum", its_unit, 0, 1e12, "0 " its_unit, FM_ATTR_LIVE,                  \
                 "step of the values given out")
#define FM_FLAW_COMMON(its_type, member, its_unit)                                                                     \
    FM_FLAW_NOISE(its_type, member, its_unit),                                                                         \
        FM_REAL_ATTR(its_type, member.bias_walk, "bias-walk", "", 0, 1e12, "0", FM_ATTR_LIVE,                          \
                     "standard deviation that the bias gains in the square root of a second, in the unit of noise"),   \
        FM_REAL_ATTR(its_type, member.drift, "drift", its_unit, 0, 1e12, "0 " its_unit, FM_ATTR_LIVE,                  \
                     "standard deviation of an error that wanders about zero (first-order Gauss-Markov)"),             \
        FM_REAL_ATTR(its_type, member.drift_time, "drift-time", "s", 1e-3, 1e9, "100 s", FM_ATTR_LIVE,                 \
                     "time constant of the drift"),                                                                    \
        FM_REAL_ATTR(its_type, member.outliers, "outliers", "", 0, 1, "0", FM_ATTR_LIVE,                               \
                     "probability that a value is grossly wrong"),                                                     \
        FM_REAL_ATTR(its_type, member.outlier_size, "outlier-size", its_unit, 0, 1e12, "0 " its_unit, FM_ATTR_LIVE,    \
                     "standard deviation of the error of such a value"),                                               \
        FM_FLAW_QUANTUM(its_type, member, its_unit)
#define FM_FLAW_LIMITS(its_type, member, its_unit)                                                                     \
    FM_REAL_ATTR(its_type, member.minimum, "minimum", its_unit, -1e12, 1e12, "0 " its_unit, FM_ATTR_LIVE,              \
                 "least value given out; with maximum 0 too: no limits"),                                              \
        FM_REAL_ATTR(its_type, member.maximum, "maximum", its_unit, -1e12, 1e12, "0 " its_unit, FM_ATTR_LIVE,          \
                     "largest value given out")
#define FM_FLAW_BIAS(its_type, member, its_unit)                                                                       \
    FM_REAL_ATTR(its_type, member.bias[0], "bias", its_unit, -1e12, 1e12, "0 " its_unit, FM_ATTR_LIVE, "constant error")
#define FM_FLAW_SPREAD(its_type, member)                                                                               \
    FM_REAL_ATTR(its_type, member.scale_spread, "scale-spread", "", 0, 1e3, "0", FM_ATTR_LIVE,                         \
                 "a relative error drawn once a run, evenly from minus this to this")
#define FM_FLAW_SCALE(its_type, member)                                                                                \
    FM_REAL_ATTR(its_type, member.scale[0], "scale-error", "", -1e3, 1e3, "0", FM_ATTR_LIVE,                           \
                 "relative error: 0.05 reads 5 % too high"),                                                           \
        FM_FLAW_SPREAD(its_type, member)
#define FM_FLAW_SCALE_3(its_type, member)                                                                              \
    FM_VECTOR_ATTR(its_type, member.scale, 3, "scale-error", "", -1e3, 1e3, "0 0 0", FM_ATTR_LIVE,                     \
                   "relative error of each component: 0.05 reads 5 % too high"),                                       \
        FM_FLAW_SPREAD(its_type, member)
/* Of a place, which has no scale. */
#define FM_FLAW_ATTRS_POSITION(its_type, member, its_unit)                                                             \
    FM_FLAW_COMMON(its_type, member, its_unit), FM_FLAW_BIAS(its_type, member, its_unit)
#define FM_FLAW_ATTRS(its_type, member, its_unit)                                                                      \
    FM_FLAW_ATTRS_POSITION(its_type, member, its_unit), FM_FLAW_SCALE(its_type, member)
/* Of a row of values, whose bias neither walks nor drifts (fm_instrument_spoil_row). */
#define FM_FLAW_ATTRS_ROW(its_type, member, its_unit)                                                                  \
    FM_FLAW_NOISE(its_type, member, its_unit), FM_FLAW_QUANTUM(its_type, member, its_unit),                            \
        FM_FLAW_BIAS(its_type, member, its_unit), FM_FLAW_SCALE(its_type, member)
/* Of three components; without scale, since small rotations and positions have none. */
#define FM_FLAW_ATTRS_3(its_type, member, its_unit)                                                                    \
    FM_FLAW_COMMON(its_type, member, its_unit),                                                                        \
        FM_VECTOR_ATTR(its_type, member.bias, 3, "bias", its_unit, -1e12, 1e12, "0 0 0 " its_unit, FM_ATTR_LIVE,       \
                       "constant error of each component")

/* Words of values after the head of a reading. */
#define FM_READING_WORDS(reading) ((sizeof(reading) - sizeof(fm_reading)) / 8)

#endif
