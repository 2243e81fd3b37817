/* Elements and attributes of <navigation>, its outputs, and the search for its instruments. */
#include <stdio.h>
#include <string.h>

#include "control/navigation_internal.h"
#include "environment/environment.h"

typedef fm_navigation_config navigation_config;
typedef fm_navigation_source source;

static const fm_attr attrs[] = {
    FM_TEXT_ATTR(navigation_config, names[FM_NAVIGATES_ATTITUDE], "attitude", NULL, 0,
                 "roll, pitch and rates of turn: names of instruments that give orientation and rates, as <imu> and "
                 "<ins> do; the first that works is used; without it the true ones"),
    FM_TEXT_ATTR(navigation_config, names[FM_NAVIGATES_HEADING], "heading", NULL, 0,
                 "names of instruments that give heading or orientation: <compass>, <imu>, <ins>; without it that of "
                 "the attitude"),
    FM_TEXT_ATTR(navigation_config, names[FM_NAVIGATES_DEPTH], "depth", NULL, 0,
                 "names of instruments that give depth or position: <depth>, <ins>; without it the true one"),
    FM_TEXT_ATTR(
        navigation_config, names[FM_NAVIGATES_VELOCITY], "velocity", NULL, 0,
        "names of instruments that give velocity or speed: <dvl>, <speed-log>, <ins>; without it the true one"),
    FM_TEXT_ATTR(navigation_config, names[FM_NAVIGATES_POSITION], "position", NULL, 0,
                 "names of instruments that give position or latitude and longitude: <gps>, <ins>; without it the "
                 "place is reckoned from the velocity, if that is measured"),
    FM_TEXT_ATTR(navigation_config, names[FM_NAVIGATES_ALTITUDE], "altitude", NULL, 0,
                 "names of instruments that give altitude, or a range and look down: <dvl>, <echosounder>; without it "
                 "the true one"),
    FM_TEXT_ATTR(navigation_config, names[FM_NAVIGATES_RANGES], "ranges", NULL, 0,
                 "names of instruments that give ranges from known places; only a <filter> can use them"),
    FM_VECTOR_ATTR(navigation_config, current, 3, "current", "m/s", -10, 10, "0 0 0 m/s", 0,
                   "what the navigator takes the current for: north, east, down; between speeds over ground and "
                   "through the water"),
    FM_REAL_ATTR(navigation_config, patience, "patience", "s", 0, 1e4, "1 s", 0,
                 "an instrument without a sample for so long is lost"),
    FM_NAME_ATTR(navigation_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(navigation_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two estimates; 0: every step"),
};
static const fm_attr filter_attrs[] = {
    FM_REAL_ATTR(fm_fusion_config, initial, "initial", "m", 1e-6, 1e5, "0.1 m", 0,
                 "of each axis of the place at the start; the vehicle begins with an error of that size"),
    FM_REAL_ATTR(fm_fusion_config, heading_noise, "heading-noise", "rad", 0, 1, "1 deg", 0,
                 "of a sample of the heading"),
    FM_REAL_ATTR(
        fm_fusion_config, heading_bias, "heading-bias", "rad", 0, 1, "0 deg", 0,
        "of the bias of the heading at the start, which the filter then finds; 0 and no walk: none is looked for"),
    FM_REAL_ATTR(fm_fusion_config, heading_walk, "heading-walk", "rad", 0, 1, "0 deg", 0,
                 "that the bias of the heading gains in the square root of a second"),
    FM_VECTOR_ATTR(fm_fusion_config, velocity_noise, 3, "velocity-noise", "m/s", 0, 100, "0.02 0.02 0.01 m/s", 0,
                   "of a sample of the velocity: ahead, starboard, down"),
    FM_REAL_ATTR(fm_fusion_config, velocity_bias, "velocity-bias", "m/s", 0, 100, "0 m/s", 0,
                 "of the bias of the velocity at the start, ahead and starboard, which the filter then finds"),
    FM_REAL_ATTR(fm_fusion_config, velocity_walk, "velocity-walk", "m/s", 0, 100, "0 m/s", 0,
                 "that this bias gains in the square root of a second"),
    FM_REAL_ATTR(fm_fusion_config, current_error, "current-error", "m/s", 0, 10, "0 m/s", 0,
                 "of each component of `current` at the start; acts while the velocity is one through the water"),
    FM_REAL_ATTR(fm_fusion_config, current_walk, "current-walk", "m/s", 0, 10, "0 m/s", 0,
                 "that the current changes by in the square root of a second"),
    FM_REAL_ATTR(fm_fusion_config, depth_noise, "depth-noise", "m", 1e-6, 1e4, "0.1 m", 0, "of a sample of the depth"),
    FM_REAL_ATTR(fm_fusion_config, position_noise, "position-noise", "m", 1e-6, 1e5, "1 m", 0,
                 "of each axis of a fix whose instrument does not tell it"),
    FM_REAL_ATTR(fm_fusion_config, range_noise, "range-noise", "m", 1e-6, 1e5, "1 m", 0,
                 "of a range whose instrument does not tell it"),
    FM_REAL_ATTR(fm_fusion_config, gate, "gate", "", 0.1, 1e6, "4", 0,
                 "fixes and ranges that differ from the prediction by more than this number of standard deviations are "
                 "rejected"),
    FM_INT_ATTR(fm_fusion_config, give_up, "give-up", 1, 1000000, "10", 0,
                "after this number of consecutive rejections the filter doubts its own position instead"),
};
static const fm_element filter_element =
    FM_CHILD_ELEMENT(navigation_config, filter, fm_fusion_config, "filter", filter_attrs, NULL,
                     "Error-state Kalman filter: dead reckoning by velocity and heading is corrected by depth, by "
                     "every fix of `position` and by "
                     "every range of `ranges`, each by its weight. Its attributes are standard deviations that it "
                     "takes its instruments to have.");
static const fm_element *const children[] = {&filter_element, NULL};
const fm_element fm_navigation_element = FM_TABLE_ELEMENT(
    navigation_config, "navigation", attrs, children, 0,
    "What guidance and autopilot that stand after it believe of the vehicle's motion, from instruments by "
    "name: attitude, heading, depth, velocity, place by dead reckoning or fixes. A lost instrument is "
    "replaced by the next one named, or its last value holds. Without a <navigation> they know the truth.");

/* --- outputs --- */

const fm_output fm_navigation_outputs[FM_NAVIGATION_OUTPUTS_FUSED] = {
    FM_OUTPUT_NUMBER(fm_navigation, believed.position[0], "position.north", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, believed.position[1], "position.east", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, believed.position[2], "position.depth", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, believed.euler[0], "attitude.roll", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, believed.euler[1], "attitude.pitch", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, believed.euler[2], "attitude.heading", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, believed.velocity[0], "velocity.ahead", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, believed.velocity[1], "velocity.starboard", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, believed.velocity[2], "velocity.down", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, believed.altitude, "altitude", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, error, "error", "m", FM_QUANTITY_NONE),
    /* of a filter */
    FM_OUTPUT_NUMBER(fm_navigation, covariance[0], "covariance.north", "m2", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, covariance[1], "covariance.north_east", "m2", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, covariance[2], "covariance.east", "m2", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, covariance[3], "covariance.depth", "m2", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, heading_bias, "bias.heading", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, velocity_bias[0], "bias.ahead", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, velocity_bias[1], "bias.starboard", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, current[0], "current.north", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, current[1], "current.east", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, nees, "nees", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, fixes_taken, "fixes.taken", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_navigation, fixes_refused, "fixes.refused", "", FM_QUANTITY_NONE),
};

/* --- load --- */

/* The outputs of an instrument that can provide a quantity, best first, with those that must or may accompany it. */
typedef struct offer {
    fm_quantity given, with;
    int alone; /* 1: also without the second */
} offer;
static const offer accepted[FM_NAVIGATES_QUANTITIES][3] = {
    [FM_NAVIGATES_ATTITUDE] = {{FM_QUANTITY_ORIENTATION, FM_QUANTITY_RATES, 0},
                               {FM_QUANTITY_EULER, FM_QUANTITY_RATES, 0}},
    [FM_NAVIGATES_HEADING] = {{FM_QUANTITY_HEADING, FM_QUANTITY_NONE, 1},
                              {FM_QUANTITY_ORIENTATION, FM_QUANTITY_NONE, 1},
                              {FM_QUANTITY_EULER, FM_QUANTITY_NONE, 1}},
    [FM_NAVIGATES_DEPTH] = {{FM_QUANTITY_DEPTH, FM_QUANTITY_NONE, 1}, {FM_QUANTITY_POSITION, FM_QUANTITY_NONE, 1}},
    [FM_NAVIGATES_VELOCITY] = {{FM_QUANTITY_VELOCITY, FM_QUANTITY_VELOCITY_MODE, 1},
                               {FM_QUANTITY_WATER_SPEED, FM_QUANTITY_NONE, 1},
                               {FM_QUANTITY_FORWARD_SPEED, FM_QUANTITY_NONE, 1}},
    [FM_NAVIGATES_POSITION] = {{FM_QUANTITY_POSITION, FM_QUANTITY_NONE, 1},
                               {FM_QUANTITY_LATITUDE, FM_QUANTITY_LONGITUDE, 0}},
    [FM_NAVIGATES_ALTITUDE] = {{FM_QUANTITY_ALTITUDE, FM_QUANTITY_NONE, 1}, {FM_QUANTITY_RANGE, FM_QUANTITY_NONE, 1}},
    [FM_NAVIGATES_RANGES] = {{FM_QUANTITY_BEACON_RANGE, FM_QUANTITY_BEACON_POSITION, 0}}};
static const char *const attribute_names[FM_NAVIGATES_QUANTITIES] = {"attitude", "heading",  "depth", "velocity",
                                                                     "position", "altitude", "ranges"};

/* Whether a sensor can provide the quantity. */
static int find_source(fm_part_load *load, size_t sensor, int quantity, source *s)
{
    for (int i = 0; i < 3 && accepted[quantity][i].given; i++) {
        const offer *o = &accepted[quantity][i];
        *s = (source){.given = o->given};
        if (fm_load_quantity(load, sensor, o->given, &s->view) &&
            (fm_load_quantity(load, sensor, o->with, &s->with) || o->alone))
            return 1;
    }
    return 0;
}

static fm_status add_source(fm_part_load *load, navigation_config *c, int quantity, const char *name, fm_error *error)
{
    const int sensor = fm_load_sensor(load, name, error);
    source s;
    if (sensor < 0)
        return error->status;
    if (!find_source(load, (size_t)sensor, quantity, &s))
        return fm_load_fail(load, error, FM_ERR_MODEL, "%s: '%s' is a <%s>, which does not measure it: must be %s",
                            attribute_names[quantity], name,
                            fm_load_part_info(load, (size_t)sensor).part_class->element->name, attrs[quantity].text);
    if (s.given == FM_QUANTITY_RANGE && !(s.view.mount->rotation[6] > 0))
        return fm_load_fail(
            load, error, FM_ERR_MODEL,
            "altitude: '%s' does not look down: must be an attitude with its forward axis below the horizontal", name);
    if (c->count[quantity] == FM_NAVIGATION_SOURCES)
        return fm_load_fail(load, error, FM_ERR_RANGE, "%s: more than %d instruments given: must be at most that many",
                            attribute_names[quantity], FM_NAVIGATION_SOURCES);
    if (quantity == FM_NAVIGATES_POSITION || quantity == FM_NAVIGATES_RANGES)
        (void)fm_load_quantity(load, (size_t)sensor,
                               quantity == FM_NAVIGATES_POSITION ? FM_QUANTITY_POSITION_COVARIANCE
                                                                 : FM_QUANTITY_BEACON_DEVIATION,
                               &s.variance);
    snprintf(s.name, sizeof s.name, "%.*s", (int)sizeof s.name - 1, name);
    c->sources[quantity][c->count[quantity]++] = s;
    return FM_OK;
}

static fm_status take_sources(fm_part_load *load, navigation_config *c, int quantity, fm_error *error)
{
    char name[64];
    for (const char *at = c->names[quantity]; at && *at;) {
        const size_t length = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        const fm_status status = length ? add_source(load, c, quantity, name, error) : FM_OK;
        if (status != FM_OK)
            return status;
        at += length;
        at += strspn(at, " ");
    }
    return FM_OK;
}

/* A filter reckons, so it must measure the inputs of the reckoning; its own diagnostics are in separate outputs. */
static fm_status load_filter(fm_part_load *load, navigation_config *c, fm_error *error)
{
    static const int needed[] = {FM_NAVIGATES_HEADING, FM_NAVIGATES_VELOCITY, FM_NAVIGATES_DEPTH};
    for (size_t i = 0; i < FM_COUNT(needed); i++)
        if (!c->count[needed[i]] && !(needed[i] == FM_NAVIGATES_HEADING && c->count[FM_NAVIGATES_ATTITUDE]))
            return fm_load_fail_at(load, "filter", 0, NULL, error, FM_ERR_MODEL,
                                   "a filter needs instruments of heading, velocity and depth; %s names none",
                                   attribute_names[needed[i]]);
    fm_load_outputs(load, fm_navigation_outputs, FM_NAVIGATION_OUTPUTS_FUSED);
    c->nees_metric = fm_load_metric(load, "nees", "",
                                    "mean of the squared error of the estimated place over its covariance; 3 if the "
                                    "filter is right about itself",
                                    FM_METRIC_MEAN);
    c->taken_metric = fm_load_metric(load, "fixes_taken", "", "fixes and ranges that the filter used", FM_METRIC_LAST);
    c->refused_metric =
        fm_load_metric(load, "fixes_refused", "", "fixes and ranges outside the filter's gate", FM_METRIC_LAST);
    return FM_OK;
}

fm_status fm_navigation_load(fm_part_load *load, void *memory, fm_error *error)
{
    navigation_config *c = memory;
    const fm_environment *e = fm_load_environment(load);
    for (int quantity = 0; quantity < FM_NAVIGATES_QUANTITIES; quantity++) {
        const fm_status status = take_sources(load, c, quantity, error);
        if (status != FM_OK)
            return status;
    }
    c->fuses = fm_load_has_child(load, "filter");
    if (c->count[FM_NAVIGATES_RANGES] && !c->fuses)
        return fm_load_fail(load, error, FM_ERR_MODEL, "ranges: only a <filter> can use them, and there is none");
    c->origin = (fm_geodetic){e->latitude, e->longitude, 0};
    c->error_metric = fm_load_metric(load, "navigation_error_max", "m",
                                     "greatest distance of the estimated from the true place", FM_METRIC_MAX);
    c->final_metric = fm_load_metric(load, "navigation_error", "m",
                                     "distance of the estimated from the true place at the end", FM_METRIC_LAST);
    c->lost_metric =
        fm_load_metric(load, "sensors_lost", "", "how often a quantity was left without an instrument", FM_METRIC_SUM);
    c->rms_metric = fm_load_metric(load, "position_error_rms", "m",
                                   "distance of the estimated from the true place, root mean square", FM_METRIC_RMS);
    return c->fuses ? load_filter(load, c, error) : FM_OK;
}
