/* Imaging sonars: forward-looking multibeam, scanning head, side-scan. */
#include "physics/posture.h"
#include "sensors/echo_image.h"
#include "sensors/parts.h"

/* --- multibeam --- */

static const fm_attr multibeam_attrs[] = {
    FM_ECHO_ATTRS("40 m", "90 deg", "20 deg", "0 deg", "128", "256", "16"),
};
static const fm_element multibeam_element = FM_TABLE_ELEMENT(
    fm_echo_config, "multibeam", multibeam_attrs, NULL, 0,
    "Forward-looking multibeam sonar: an image in bins of range and bearing every period (its frame interval).");

static fm_status load_multibeam(fm_part_load *load, void *config, fm_error *error)
{
    return fm_echo_load(load, config, 0, error);
}

static void run_multibeam(const fm_part_context *context)
{
    fm_echo_run(context, 0);
}

#define ECHO_CLASS(its_element, its_load, its_run)                                                                     \
    {                                                                                                                  \
        .kind = FM_PART_SENSOR, .element = &its_element, .live_size = FM_ECHO_LIVE,                                    \
        .mount = FM_MOUNT_AT(fm_echo_config, instrument.mount), .message = "marine_acoustic_msgs/ProjectedSonarImage", \
        .counts = FM_COUNTS_READING, .load = its_load, .run = its_run                                                  \
    }
const fm_part_class fm_multibeam_class = ECHO_CLASS(multibeam_element, load_multibeam, run_multibeam);

/* --- scanning sonar: one beam on a turning head --- */

typedef struct scanning_config {
    fm_echo_config echo;
    double scan, step; /* rad: sector of the head, step per ping; a sector of 2π rotates continuously */
} scanning_config;

static const fm_attr scanning_attrs[] = {
    FM_ECHO_ATTRS("50 m", "2 deg", "30 deg", "0 deg", "1", "256", "16"),
    FM_REAL_ATTR(scanning_config, scan, "scan", "rad", 0, 6.2832, "360 deg", 0,
                 "sector through which the head turns; less than 360 deg: to and fro"),
    FM_REAL_ATTR(scanning_config, step, "step", "rad", 1e-4, 3.2, "1.8 deg", 0, "of the head with each ping"),
};
static const fm_element scanning_element =
    FM_TABLE_ELEMENT(scanning_config, "scanning-sonar", scanning_attrs, NULL, 0,
                     "Mechanically scanning sonar: one ping per period, then its head turns one step.");

static fm_status load_scanning(fm_part_load *load, void *config, fm_error *error)
{
    return fm_echo_load(load, config, sizeof(int64_t), error);
}

/* Direction of the head at ping number n: rotating, or sweeping to and fro. */
static double head_at(const scanning_config *c, int64_t n)
{
    int64_t steps = (int64_t)(c->scan / c->step + 1e-9);
    if (steps < 1)
        return 0;
    if (c->scan > 2 * FM_PI - 1e-3)
        return (double)(n % steps) * c->step;
    int64_t k = n % (2 * steps);
    return (double)(k <= steps ? k : 2 * steps - k) * c->step - 0.5 * (double)steps * c->step;
}

static void run_scanning(const fm_part_context *context)
{
    const scanning_config *c = context->config;
    int64_t *ping = fm_instrument_state(context, &c->echo.instrument);
    fm_echo_run(context, head_at(c, (*ping)++));
}
const fm_part_class fm_scanning_sonar_class = ECHO_CLASS(scanning_element, load_scanning, run_scanning);

/* --- side-scan: two beams, across the track --- */

static const fm_attr side_attrs[] = {
    FM_ECHO_ATTRS("50 m", "180 deg", "80 deg", "45 deg", "2", "512", "256"),
};
static const fm_element side_element = FM_TABLE_ELEMENT(
    fm_echo_config, "side-scan", side_attrs, NULL, 0,
    "Side-scan sonar: a line to port and one to starboard each period; the beams reach down from the horizontal.");

static fm_status load_side(fm_part_load *load, void *config, fm_error *error)
{
    fm_echo_config *c = config;
    if (c->beams != 2)
        return fm_load_fail(load, error, FM_ERR_RANGE, "beams: %lld is out of range: must be 2 for a side-scan",
                            (long long)c->beams);
    return fm_echo_load(load, c, 0, error);
}
const fm_part_class fm_side_scan_class = ECHO_CLASS(side_element, load_side, run_multibeam);
