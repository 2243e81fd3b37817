/* Echoes of a fan of rays, sorted into bins of range: shared by imaging sonars. */
#ifndef FM_SENSORS_ECHO_IMAGE_H
#define FM_SENSORS_ECHO_IMAGE_H

#include "geometry/ray_fan.h"
#include "sensors/imperfect.h"

/* The head of their configs. */
typedef struct fm_echo_config {
    fm_health health;
    fm_flaws flaws;   /* of a bin's intensity, 0 … 1 */
    double threshold; /* live: intensities below it are returned as 0 */
    double gain;      /* live: of the intensities */
    fm_instrument instrument;
    double range, nearest;     /* m */
    int64_t beams, bins, rays; /* beams side by side, bins of range, rays in a beam from top to bottom */
    double sector;             /* rad: over which the beams lie */
    double beam_height;        /* rad: vertical angle covered by the rays of a beam */
    double tilt;               /* rad: of the centre of a beam, downwards */
    double spreading;          /* exponent of the loss (reference / range)^exponent; 0: compensated */
    double frequency;          /* Hz, published with the image */
    double (*directions)[3];   /* derived: of all rays, beam by beam, instrument axes */
    double *axes[3];           /* derived: the same by axis, with FM_FAN_BLOCK more of the last; NULL: not there */
} fm_echo_config;

enum { FM_ECHO_BINS_MOST = 4096, FM_ECHO_RAYS_MOST = 1 << 20 };

typedef struct fm_echo_values {
    double frequency;   /* Hz */
    double sound_speed; /* m/s */
    double dtype;       /* 0: bytes */
    double beams;
    double heading; /* rad: where a turning head looks */
    double image[]; /* beam directions (3 doubles a beam), ranges (1 double a bin), then bins × beams bytes, beam
                       fastest */
} fm_echo_values;

typedef struct fm_echo_reading {
    fm_reading head;
    fm_echo_values values;
} fm_echo_reading;

#define FM_ECHO_ATTRS(far, wide, high, down, many_beams, many_bins, many_rays)                                         \
    FM_INSTRUMENT_ATTRS(fm_echo_config), FM_FLAW_ATTRS_ROW(fm_echo_config, flaws, ""),                                 \
        FM_REAL_ATTR(fm_echo_config, threshold, "threshold", "", 0, 1, "0", FM_ATTR_LIVE,                              \
                     "intensities below it are given out as 0"),                                                       \
        FM_REAL_ATTR(fm_echo_config, gain, "gain", "", 0, 1e6, "1", FM_ATTR_LIVE, "of the intensities"),               \
        FM_REAL_ATTR(fm_echo_config, range, "range", "m", 0.01, 10000, far, 0, "the farthest bin ends here"),          \
        FM_REAL_ATTR(fm_echo_config, nearest, "nearest", "m", 0, 1000, "0 m", 0, "the nearest bin begins here"),       \
        FM_REAL_ATTR(fm_echo_config, sector, "sector", "rad", 0, 6.2832, wide, 0, "over which the beams lie"),         \
        FM_REAL_ATTR(fm_echo_config, beam_height, "beam-height", "rad", 0, 3.1416, high, 0,                            \
                     "of each beam, from top to bottom"),                                                              \
        FM_REAL_ATTR(fm_echo_config, tilt, "tilt", "rad", -1.5708, 1.5708, down, 0,                                    \
                     "of the beams' middle, downwards"),                                                               \
        FM_INT_ATTR(fm_echo_config, beams, "beams", 1, 4096, many_beams, 0, "side by side"),                           \
        FM_INT_ATTR(fm_echo_config, bins, "bins", 1, FM_ECHO_BINS_MOST, many_bins, 0, "of range"),                     \
        FM_INT_ATTR(fm_echo_config, rays, "rays", 1, 4096, many_rays, 0, "in each beam, from top to bottom"),          \
        FM_REAL_ATTR(fm_echo_config, spreading, "spreading", "", 0, 10, "0", 0,                                        \
                     "exponent of the loss with range, (1 m / range)^n; 0: compensated"),                              \
        FM_REAL_ATTR(fm_echo_config, frequency, "frequency", "Hz", 0, 1e9, "900 kHz", 0, "reported with the image")
#define FM_ECHO_LIVE offsetof(fm_echo_config, instrument)

/* Checks, sizes and outputs; `own` bytes of state for the instrument. */
fm_status fm_echo_load(fm_part_load *load, fm_echo_config *config, size_t own, fm_error *error);
/* Casts all beams, the whole fan rotated by `turn` (rad, to starboard), and outputs the image. */
void fm_echo_run(const fm_part_context *context, double turn);
/* Fills directions (space for beams × rays). */
void fm_echo_aim(fm_echo_config *config);
/* (I8) Casts all rays from a station and writes the image: bins × beams bytes. The intensity of a bin is the sum
 * over the beam's rays of gain × reflectivity × cosine of incidence × spreading, divided by their number. */
void fm_echo_cast(const fm_part_context *context, const fm_instrument_pose *at, uint8_t *bytes);
/* (I8) The intensities in the `bins` of a single beam rotated by `turn`, without errors and limits: for what asks the
 * sea outside a step, such as a bridge. */
void fm_echo_beam(const fm_part_context *context, double turn, double *echo);

#endif
