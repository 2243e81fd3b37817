/* GPS: a fix while the antenna is above the water, none below. */
#include <fathom/frames.h>
#include <math.h>

#include "environment/environment.h"
#include "physics/real.h"
#include "sensors/imperfect.h"
#include "sensors/parts.h"

typedef struct gps_config {
    fm_health health;
    fm_flaws horizontal, vertical;
    fm_instrument instrument;
    double washed; /* m: the antenna works down to this depth */
} gps_config;
typedef struct flaws_alone {
    fm_flaws flaws;
} flaws_alone;

static const fm_attr vertical_attrs[] = {
    FM_FLAW_ATTRS_POSITION(flaws_alone, flaws, "m"),
};
static const fm_element vertical_element =
    FM_CHILD_ELEMENT(gps_config, vertical, fm_flaws, "vertical", vertical_attrs, NULL, "Errors of the altitude.");
static const fm_element *const children[] = {&vertical_element, NULL};
static const fm_attr gps_attrs[] = {
    FM_INSTRUMENT_ATTRS(gps_config),
    FM_FLAW_ATTRS_3(gps_config, horizontal, "m"),
    FM_REAL_ATTR(gps_config, washed, "antenna-depth", "m", 0, 10, "0 m", 0,
                 "the antenna still receives down to this depth below the surface"),
};
static const fm_element gps_element =
    FM_TABLE_ELEMENT(gps_config, "gps", gps_attrs, children, 0,
                     "Position by satellites, while its antenna is above the water; its own errors are horizontal. "
                     "Without `position` the antenna is 0.2 m above the top of the hull.");

static fm_status load_gps(fm_part_load *load, void *config, fm_error *error)
{
    gps_config *c = config;
    if (!fm_load_has_attribute(load, "position"))
        fm_load_antenna(load, c->instrument.mount.position);
    return fm_instrument_load(load, &c->instrument, 3, FM_READING_WORDS(fm_gps_reading), 0, error);
}

double fm_gps_antenna_depth(const void *config)
{
    return ((const gps_config *)config)->washed;
}

/* No fix yet. */
static void start_gps(const fm_part_context *context)
{
    fm_gps_reading *r = context->output;
    r->latitude = r->longitude = r->altitude = NAN;
    r->status = -1;
}

static void run_gps(const fm_part_context *context)
{
    const gps_config *c = context->config, *live = context->live;
    const fm_environment *e = context->environment;
    fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    double surface = fm_environment_surface(e, context->time, at.position[0], at.position[1]);
    int seen = at.position[2] - surface <= c->washed;
    double level[2] = {at.position[0], at.position[1]}, up = -at.position[2];
    fm_instrument_spoil(context, &live->horizontal, 0, 2, level);
    fm_instrument_spoil(context, &live->vertical, 2, 1, &up);
    double h = live->horizontal.noise * live->horizontal.noise, v = live->vertical.noise * live->vertical.noise;
    const fm_geodetic origin = {e->latitude, e->longitude, 0};
    fm_geodetic geodetic = seen ? fm_geodetic_from_chart(&origin, level[0], level[1]) : origin;
    fm_gps_reading r = {.latitude = geodetic.latitude * 180 / FM_PI,
                        .longitude = geodetic.longitude * 180 / FM_PI,
                        .altitude = up,
                        .status = 0,
                        .service = 1,
                        .covariance = {h, 0, 0, 0, h, 0, 0, 0, v},
                        .covariance_type = 2};
    fm_instrument_give(context, &c->instrument, &live->health, seen, &r.latitude);
}

static const fm_output gps_outputs[] = {
    FM_OUTPUT_NUMBER(fm_gps_reading, latitude, "latitude", "deg", FM_QUANTITY_LATITUDE),
    FM_OUTPUT_NUMBER(fm_gps_reading, longitude, "longitude", "deg", FM_QUANTITY_LONGITUDE),
    FM_OUTPUT_NUMBER(fm_gps_reading, altitude, "altitude", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_gps_reading, status, "status.status", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_gps_reading, service, "status.service", "", FM_QUANTITY_NONE),
    FM_OUTPUT_FIELD(fm_gps_reading, covariance, "position_covariance", "m2", 9, FM_OUTPUT_PLAIN,
                    FM_QUANTITY_POSITION_COVARIANCE),
    FM_OUTPUT_NUMBER(fm_gps_reading, covariance_type, "position_covariance_type", "", FM_QUANTITY_NONE),
};
const fm_part_class fm_gps_class = {.kind = FM_PART_SENSOR,
                                    .element = &gps_element,
                                    .live_size = offsetof(gps_config, instrument),
                                    .mount = FM_MOUNT_AT(gps_config, instrument.mount),
                                    .message = "sensor_msgs/NavSatFix",
                                    .outputs = gps_outputs,
                                    .output_count = FM_COUNT(gps_outputs),
                                    .counts = FM_COUNTS_READING,
                                    .load = load_gps,
                                    .start = start_gps,
                                    .run = run_gps};
