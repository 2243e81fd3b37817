/* What can be written of an <autopilot>, and what is derived from it at load. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "control/autopilot_part.h"
#include "control/guidance_part.h"
#include "control/navigation_part.h"

/* --- tables --- */

#define LOOP(field)                                                                                                    \
    .type = FM_ATTR_REAL, .offset = offsetof(fm_loop, field), .flags = FM_ATTR_LIVE, .min = -1e9, .max = 1e9
#define FIN_GAINS(p, i, d)                                                                                             \
    {.name = "kp", LOOP(kp), .unit = p, .fallback = "0 " p, .text = "proportional gain of the fins"},                  \
        {.name = "ki", LOOP(ki), .unit = i, .fallback = "0 " i, .text = "integral gain of the fins"},                  \
    {                                                                                                                  \
        .name = "kd", LOOP(kd), .unit = d, .fallback = "0 " d, .text = "gain on the rate of the measurement, fins"     \
    }
#define THRUST_GAINS(prefix, p, i, d, f)                                                                               \
    {.name = prefix "kp",                                                                                              \
     LOOP(thrust_kp),                                                                                                  \
     .unit = p,                                                                                                        \
     .fallback = "0 " p,                                                                                               \
     .text = "proportional gain of the thrusters"},                                                                    \
        {.name = prefix "ki",                                                                                          \
         LOOP(thrust_ki),                                                                                              \
         .unit = i,                                                                                                    \
         .fallback = "0 " i,                                                                                           \
         .text = "integral gain of the thrusters"},                                                                    \
        {.name = prefix "kd",                                                                                          \
         LOOP(thrust_kd),                                                                                              \
         .unit = d,                                                                                                    \
         .fallback = "0 " d,                                                                                           \
         .text = "gain on the rate of the measurement, thrusters"},                                                    \
    {                                                                                                                  \
        .name = prefix "limit", .type = FM_ATTR_REAL, .offset = offsetof(fm_loop, thrust_limit),                       \
        .flags = FM_ATTR_LIVE, .min = 0, .max = 1e9, .unit = f, .fallback = "0 " f,                                    \
        .text = "greatest order to the thrusters; 0: what they can give"                                               \
    }
#define FIN_LIMIT(its_fallback, its_text)                                                                              \
    {                                                                                                                  \
        .name = "limit", .type = FM_ATTR_REAL, .offset = offsetof(fm_loop, limit), .flags = FM_ATTR_LIVE, .min = 0,    \
        .max = 1.6, .unit = "rad", .fallback = its_fallback, .text = its_text                                          \
    }

static const fm_attr depth_attrs[] = {
    {.name = "order", LOOP(order), .unit = "m", .fallback = "0 m", .text = "depth to hold"},
    FIN_GAINS("rad/m", "rad/m/s", "rad*s/m"),
    FIN_LIMIT("20 deg", "greatest dive and climb angle"),
    THRUST_GAINS("thrust-", "N/m", "N/m/s", "N*s/m", "N")};
#define ANGLE_LOOP(its_text, fin_text)                                                                                 \
    {.name = "order", LOOP(order), .unit = "rad", .fallback = "0 deg", .text = its_text},                              \
        {.name = "kp", LOOP(kp), .unit = "", .fallback = "0", .text = "proportional gain of the fins, rad per rad"},   \
        {.name = "ki", LOOP(ki), .unit = "1/s", .fallback = "0 1/s", .text = "integral gain of the fins"},             \
        {.name = "kd", LOOP(kd), .unit = "s", .fallback = "0 s", .text = "gain on the rate of turn, fins"},            \
        FIN_LIMIT("20 deg", fin_text), THRUST_GAINS("thrust-", "N*m/rad", "N*m/rad/s", "N*m*s/rad", "N*m")
static const fm_attr heading_attrs[] = {ANGLE_LOOP("heading to steer", "greatest rudder order")};
static const fm_attr pitch_attrs[] = {
    ANGLE_LOOP("pitch to hold, nose up; the depth loop adds to it", "greatest elevator order")};
static const fm_attr roll_attrs[] = {ANGLE_LOOP("roll to hold, to starboard", "greatest aileron order")};
static const fm_attr speed_attrs[] = {
    {.name = "order", LOOP(order), .unit = "m/s", .fallback = "0 m/s", .text = "speed through the water, ahead"},
    THRUST_GAINS("", "N*s/m", "N/m", "kg", "N"),
    {.name = "feed",
     .type = FM_ATTR_REAL,
     .flags = FM_ATTR_LIVE,
     .min = 0,
     .max = 1e9,
     .offset = sizeof(fm_loop),
     .unit = "kg/m",
     .fallback = "0 kg/m",
     .text = "feed-forward: thrust per squared order, the drag of the vehicle"}};
static const fm_attr sway_attrs[] = {{.name = "order",
                                      LOOP(order),
                                      .unit = "m/s",
                                      .fallback = "0 m/s",
                                      .text = "speed through the water, to starboard (thrusters)"},
                                     THRUST_GAINS("", "N*s/m", "N/m", "kg", "N")};
static const fm_attr altitude_attrs[] = {
    {.name = "order",
     .type = FM_ATTR_REAL,
     .offset = 0,
     .flags = FM_ATTR_LIVE,
     .unit = "m",
     .min = 0,
     .max = 1e4,
     .fallback = "0 m",
     .text = "height above the bottom to hold by the gains of <depth> (C11), in place of a depth; 0: off"}};
#define HOVER(i) .type = FM_ATTR_REAL, .offset = 8 * (i), .flags = FM_ATTR_LIVE, .min = 0, .max = 1e9
static const fm_attr hover_attrs[] = {
    {.name = "kp", HOVER(0), .unit = "N/m", .fallback = "0 N/m", .text = "force per distance from the place"},
    {.name = "ki", HOVER(1), .unit = "N/m/s", .fallback = "0 N/m/s", .text = "integral gain, against a current"},
    {.name = "kd", HOVER(2), .unit = "N*s/m", .fallback = "0 N*s/m", .text = "force against the speed over ground"},
    {.name = "limit",
     HOVER(3),
     .unit = "N",
     .fallback = "0 N",
     .text = "greatest horizontal force; 0: what the thrusters can give"}};

#define CHILD(its_name, field, its_attrs, size, its_text)                                                              \
    {                                                                                                                  \
        .name = its_name, .text = its_text, .attrs = its_attrs, .attr_count = FM_COUNT(its_attrs),                     \
        .config_size = size, .parent_offset = offsetof(fm_autopilot_config, field), .flags = FM_ELEMENT_ONCE           \
    }
static const fm_element depth_element =
    CHILD("depth", depth, depth_attrs, sizeof(fm_loop),
          "Depth: by fins through a dive angle that the pitch loop holds, by thrusters through a vertical force.");
static const fm_element heading_element = CHILD("heading", heading, heading_attrs, sizeof(fm_loop), "Heading.");
static const fm_element pitch_element = CHILD("pitch", pitch, pitch_attrs, sizeof(fm_loop), "Pitch.");
static const fm_element roll_element =
    CHILD("roll", roll, roll_attrs, sizeof(fm_loop), "Roll, by planes ordered apart.");
static const fm_element speed_element =
    CHILD("speed", speed, speed_attrs, sizeof(fm_loop) + sizeof(double), "Speed ahead through the water.");
_Static_assert(offsetof(fm_autopilot_config, speed_feed) == offsetof(fm_autopilot_config, speed) + sizeof(fm_loop),
               "feed follows the speed loop");
static const fm_element sway_element =
    CHILD("sway", sway, sway_attrs, sizeof(fm_loop), "Speed to starboard through the water.");
static const fm_element altitude_element =
    CHILD("altitude", altitude, altitude_attrs, sizeof(double), "Height above the bottom.");
static const fm_element hover_element = CHILD("hover", hover, hover_attrs, 4 * sizeof(double),
                                              "Keeping a place that a guidance orders, by horizontal forces (C10).");
static const fm_element *const children[] = {&heading_element,  &depth_element, &pitch_element,
                                             &roll_element,     &speed_element, &sway_element,
                                             &altitude_element, &hover_element, NULL};

static const char *const steering_names[] = {"fins", "thrusters", "hybrid", NULL};
#define PILOT(field) .offset = offsetof(fm_autopilot_config, field)
static const fm_attr attrs[] = {
    {.name = "steering",
     .type = FM_ATTR_CHOICE,
     .choices = steering_names,
     PILOT(steering),
     .flags = FM_ATTR_REQUIRED,
     .text = "by fins and propellers, by thrusters, or hybrid: thrusters when slow, fins when fast"},
    {.name = "fins",
     .type = FM_ATTR_TEXT,
     PILOT(fins),
     .fallback = "all",
     .text = "fins to use: names or groups with spaces between, or all; how each one turns the vehicle is known from "
             "its coefficients"},
    {.name = "thrusters",
     .type = FM_ATTR_TEXT,
     PILOT(thrusters),
     .fallback = "all",
     .text = "thrusters and propellers to share out forces to: names or groups with spaces between, or all"},
    {.name = "thrusters-alone",
     .type = FM_ATTR_REAL,
     PILOT(thrusters_alone),
     .unit = "m/s",
     .min = 0,
     .max = 100,
     .fallback = "0.2 m/s",
     .flags = FM_ATTR_LIVE,
     .text = "hybrid: below this speed through the water fins have no part"},
    {.name = "fins-alone",
     .type = FM_ATTR_REAL,
     PILOT(fins_alone),
     .unit = "m/s",
     .min = 1e-3,
     .max = 100,
     .fallback = "0.5 m/s",
     .flags = FM_ATTR_LIVE,
     .text = "hybrid: above this speed thrusters have no part in steering"},
    {.name = "design-speed",
     .type = FM_ATTR_REAL,
     PILOT(design_speed),
     .unit = "m/s",
     .min = 1e-3,
     .max = 100,
     .fallback = "1 m/s",
     .flags = FM_ATTR_LIVE,
     .text = "speed for which the gains of the fins hold; they go with its inverse square (C12)"},
    {.name = "least-speed",
     .type = FM_ATTR_REAL,
     PILOT(least_speed),
     .unit = "m/s",
     .min = 1e-3,
     .max = 100,
     .fallback = "0.3 m/s",
     .flags = FM_ATTR_LIVE,
     .text = "below it the gains of the fins rise no further"},
    {.name = "enabled",
     .type = FM_ATTR_REAL,
     PILOT(enabled),
     .unit = "",
     .min = 0,
     .max = 1,
     .fallback = "1",
     .flags = FM_ATTR_LIVE,
     .text = "0: leaves the actuators alone"},
    {.name = "anti-windup",
     .type = FM_ATTR_BOOL,
     PILOT(anti_windup),
     .fallback = "true",
     .flags = FM_ATTR_LIVE,
     .text = "integrals rest while the output of their loop is limited; false: they wind up"},
    {.name = "fault-aware",
     .type = FM_ATTR_BOOL,
     PILOT(fault_aware),
     .fallback = "false",
     .flags = FM_ATTR_LIVE,
     .text = "the allocation knows the efficiency of every thruster, as after a fault is detected, and leaves dead "
             "ones out"},
    {.name = "name", .type = FM_ATTR_NAME, PILOT(name), .text = "of this part"},
    {.name = "period",
     .type = FM_ATTR_REAL,
     PILOT(period),
     .unit = "s",
     .min = 0,
     .max = 1e3,
     .fallback = "0 s",
     .text = "between two decisions; 0: every step"}};

const fm_element fm_autopilot_element = {.name = "autopilot",
                                         .text = "Holds depth or altitude, heading, pitch, roll, speed and place with "
                                                 "the vehicle's fins and thrusters. Set points are its "
                                                 "orders, unless a guidance (waypoints, station, mission) that stands "
                                                 "before it orders otherwise. It knows the true state "
                                                 "(perfect navigation), unless a <navigation> stands before it.",
                                         .attrs = attrs,
                                         .attr_count = FM_COUNT(attrs),
                                         .children = children,
                                         .config_size = sizeof(fm_autopilot_config)};

/* --- actuators --- */

/* Whether an actuator is among the names. */
static int is_named(const char *names, const fm_actuator_info *info)
{
    if (strcmp(names, "all") == 0)
        return 1;
    for (const char *at = names; *at;) {
        size_t length = strcspn(at, " ");
        const char *own[2] = {info->name, info->group};
        for (int k = 0; k < 2; k++)
            if (own[k] && strlen(own[k]) == length && strncmp(own[k], at, length) == 0)
                return 1;
        at += length;
        at += strspn(at, " ");
    }
    return 0;
}

/* Every name must be that of an actuator or a group. */
static fm_status check_names(fm_part_load *load, const char *attribute, const char *names, fm_error *error)
{
    char name[64];
    for (const char *at = names; strcmp(names, "all") != 0 && *at;) {
        size_t length = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (length && !fm_load_actuators(load, name, NULL, 0))
            return fm_load_fail(load, error, FM_ERR_NAME, "%s: the vehicle has no actuator or group '%s'", attribute,
                                name);
        at += length;
        at += strspn(at, " ");
    }
    return FM_OK;
}

static fm_status take_fins(fm_part_load *load, fm_autopilot_config *c, fm_error *error)
{
    double most[3] = {0}; /* greatest roll, pitch and yaw moment of a fin */
    for (size_t i = 0; i < fm_load_actuator_count(load); i++) {
        fm_actuator_info info = fm_load_actuator_info(load, i);
        if (!info.fin || !is_named(c->fins, &info))
            continue;
        if (c->fin_count == FM_AUTOPILOT_FINS)
            return fm_load_fail(load, error, FM_ERR_RANGE, "found more than %d fins, accepted at most that many",
                                FM_AUTOPILOT_FINS);
        c->fin[c->fin_count++] = (fm_piloted_fin){(int64_t)i,
                                                  {.roll = info.column[3],
                                                   .pitch = info.column[4],
                                                   .yaw = info.column[5],
                                                   .limit = fmin(info.high, -info.low)}};
        for (int k = 0; k < 3; k++)
            most[k] = fmax(most[k], fabs(info.column[3 + k]));
    }
    for (size_t i = 0; i < c->fin_count; i++) {
        fm_fin_mix_params *mix = &c->fin[i].mix;
        mix->roll = most[0] > 0 ? mix->roll / most[0] : 0;
        mix->pitch = most[1] > 0 ? mix->pitch / most[1] : 0;
        mix->yaw = most[2] > 0 ? mix->yaw / most[2] : 0;
    }
    const double wanted[3] = {c->roll.kp, c->depth.kp != 0 ? c->depth.kp : c->pitch.kp, c->heading.kp};
    static const char *const axes[3] = {"roll", "pitch", "yaw"};
    for (int k = 0; k < 3; k++)
        if (wanted[k] != 0 && most[k] == 0)
            return fm_load_fail(load, error, FM_ERR_MODEL,
                                "there are gains for fins, but no fin of '%s' turns the vehicle in %s", c->fins,
                                axes[k]);
    return FM_OK;
}

/* Thrust at an order, N. */
static double thrust_at(const fm_actuator_info *info, double order)
{
    return (order < 0 ? info->gain_reverse : info->gain) * (info->square ? order * fabs(order) : order);
}

static fm_status take_thrusters(fm_part_load *load, fm_autopilot_config *c, fm_error *error)
{
    double effect[6 * FM_ALLOCATION_MAX], low[FM_ALLOCATION_MAX], high[FM_ALLOCATION_MAX],
        columns[FM_ALLOCATION_MAX][6];
    size_t count = 0;
    for (size_t i = 0; i < fm_load_actuator_count(load); i++) {
        fm_actuator_info info = fm_load_actuator_info(load, i);
        if (!info.thruster || !is_named(c->thrusters, &info))
            continue;
        if (count == FM_ALLOCATION_MAX)
            return fm_load_fail(load, error, FM_ERR_RANGE, "found more than %d thrusters, accepted at most that many",
                                FM_ALLOCATION_MAX);
        low[count] = thrust_at(&info, info.low);
        high[count] = thrust_at(&info, info.high);
        memcpy(columns[count], info.column, sizeof columns[count]);
        for (int r = 0; r < 6; r++)
            c->reach[r] += fabs(info.column[r]) * fmax(high[count], -low[count]);
        c->thruster[count++] = (fm_piloted_thruster){(int64_t)i, info.square, info.gain, info.gain_reverse};
    }
    if (!count)
        return FM_OK;
    for (int r = 0; r < 6; r++)
        for (size_t i = 0; i < count; i++)
            effect[(size_t)r * count + i] = columns[i][r];
    if (!(c->allocation = fm_load_alloc(load, sizeof *c->allocation)))
        return FM_ERR_MEMORY;
    return fm_allocation_build(c->allocation, count, effect, NULL, low, high, 1, error);
}

/* --- guidance --- */

static fm_status take_guides(fm_part_load *load, fm_autopilot_config *c, fm_error *error)
{
    for (size_t i = 0; i < fm_load_part_count(load); i++) {
        fm_part_info part = fm_load_part_info(load, i);
        if (!fm_guidance_is(&part))
            continue;
        if (c->guide_count == FM_AUTOPILOT_GUIDES)
            return fm_load_fail(load, error, FM_ERR_RANGE,
                                "found more than %d guidances before it, accepted at most that many",
                                FM_AUTOPILOT_GUIDES);
        if (c->steering == FM_STEER_FINS && fm_guidance_hovers(&part))
            return fm_load_fail(
                load, error, FM_ERR_MODEL,
                "'%s' orders a place to keep, but steering=\"fins\" cannot hover; accepted thrusters or hybrid",
                part.name);
        c->guide[c->guide_count++] = (int64_t)i;
    }
    return FM_OK;
}

fm_status fm_autopilot_load(fm_part_load *load, void *memory, fm_error *error)
{
    fm_autopilot_config *c = memory;
    fm_status status = check_names(load, "fins", c->fins, error);
    if (status == FM_OK)
        status = check_names(load, "thrusters", c->thrusters, error);
    if (status == FM_OK && c->steering != FM_STEER_THRUSTERS)
        status = take_fins(load, c, error);
    if (status == FM_OK)
        status = take_thrusters(load, c, error);
    if (status == FM_OK)
        status = take_guides(load, c, error);
    if (status != FM_OK)
        return status;
    if (c->steering != FM_STEER_THRUSTERS && !c->fin_count)
        return fm_load_fail(load, error, FM_ERR_MODEL, "steering=\"%s\" needs fins, and the vehicle has none of '%s'",
                            steering_names[c->steering], c->fins);
    if (c->steering != FM_STEER_FINS && !c->allocation)
        return fm_load_fail(load, error, FM_ERR_MODEL,
                            "steering=\"%s\" needs thrusters, and the vehicle has none of '%s'",
                            steering_names[c->steering], c->thrusters);
    if (c->fins_alone <= c->thrusters_alone)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "fins-alone is %g m/s, accepted more than thrusters-alone, %g m/s", c->fins_alone,
                            c->thrusters_alone);
    c->navigation = fm_load_navigation(load);
    c->depth_metric =
        fm_load_metric(load, "depth_error_rms", "m", "ordered less true depth, root mean square", FM_METRIC_RMS);
    c->heading_metric =
        fm_load_metric(load, "heading_error_rms", "rad", "ordered less true heading, root mean square", FM_METRIC_RMS);
    return FM_OK;
}
