/* Elements and attributes of <autopilot>, and the values derived from them at load. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "control/autopilot_part.h"
#include "control/guidance_part.h"
#include "control/navigation_part.h"

/* --- tables --- */

/* <speed> fills its loop and the feed-forward that follows it. */
typedef struct speed_config {
    fm_loop loop;
    double feed;
} speed_config;
typedef struct altitude_config {
    double order;
} altitude_config;
typedef struct hover_config {
    double kp, ki, kd, limit;
} hover_config;

#define FIN_GAINS(p, i, d)                                                                                             \
    FM_REAL_ATTR(fm_loop, kp, "kp", p, -1e9, 1e9, "0 " p, FM_ATTR_LIVE, "proportional gain of the fins"),              \
        FM_REAL_ATTR(fm_loop, ki, "ki", i, -1e9, 1e9, "0 " i, FM_ATTR_LIVE, "integral gain of the fins"),              \
        FM_REAL_ATTR(fm_loop, kd, "kd", d, -1e9, 1e9, "0 " d, FM_ATTR_LIVE,                                            \
                     "gain on the rate of the measurement, fins")
#define THRUST_GAINS(prefix, p, i, d, f)                                                                               \
    FM_REAL_ATTR(fm_loop, thrust_kp, prefix "kp", p, -1e9, 1e9, "0 " p, FM_ATTR_LIVE,                                  \
                 "proportional gain of the thrusters"),                                                                \
        FM_REAL_ATTR(fm_loop, thrust_ki, prefix "ki", i, -1e9, 1e9, "0 " i, FM_ATTR_LIVE,                              \
                     "integral gain of the thrusters"),                                                                \
        FM_REAL_ATTR(fm_loop, thrust_kd, prefix "kd", d, -1e9, 1e9, "0 " d, FM_ATTR_LIVE,                              \
                     "gain on the rate of the measurement, thrusters"),                                                \
        FM_REAL_ATTR(fm_loop, thrust_limit, prefix "limit", f, 0, 1e9, "0 " f, FM_ATTR_LIVE,                           \
                     "greatest order to the thrusters; 0: what they can give")

#define OVERRIDE                                                                                                       \
    FM_BOOL_ATTR(fm_loop, override, "override", "false", FM_ATTR_LIVE,                                                 \
                 "true: the order holds though a guidance orders otherwise")

static const fm_attr depth_attrs[] = {
    FM_REAL_ATTR(fm_loop, order, "order", "m", -1e9, 1e9, "0 m", FM_ATTR_LIVE, "depth to hold"),
    OVERRIDE,
    FIN_GAINS("rad/m", "rad/m/s", "rad*s/m"),
    FM_REAL_ATTR(fm_loop, limit, "limit", "rad", 0, 1.6, "20 deg", FM_ATTR_LIVE, "greatest dive and climb angle"),
    THRUST_GAINS("thrust-", "N/m", "N/m/s", "N*s/m", "N"),
};
#define ANGLE_LOOP(its_text, fin_text)                                                                                 \
    FM_REAL_ATTR(fm_loop, order, "order", "rad", -1e9, 1e9, "0 deg", FM_ATTR_LIVE, its_text),                          \
        FM_REAL_ATTR(fm_loop, kp, "kp", "", -1e9, 1e9, "0", FM_ATTR_LIVE,                                              \
                     "proportional gain of the fins, rad per rad"),                                                    \
        FM_REAL_ATTR(fm_loop, ki, "ki", "1/s", -1e9, 1e9, "0 1/s", FM_ATTR_LIVE, "integral gain of the fins"),         \
        FM_REAL_ATTR(fm_loop, kd, "kd", "s", -1e9, 1e9, "0 s", FM_ATTR_LIVE, "gain on the rate of turn, fins"),        \
        FM_REAL_ATTR(fm_loop, limit, "limit", "rad", 0, 1.6, "20 deg", FM_ATTR_LIVE, fin_text),                        \
        THRUST_GAINS("thrust-", "N*m/rad", "N*m/rad/s", "N*m*s/rad", "N*m")
static const fm_attr heading_attrs[] = {
    ANGLE_LOOP("heading to steer", "greatest rudder order"),
    OVERRIDE,
};
static const fm_attr pitch_attrs[] = {
    ANGLE_LOOP("pitch to hold, nose up; the depth loop adds to it", "greatest elevator order"),
};
static const fm_attr roll_attrs[] = {
    ANGLE_LOOP("roll to hold, to starboard", "greatest aileron order"),
};
static const fm_attr speed_attrs[] = {
    FM_REAL_ATTR(fm_loop, order, "order", "m/s", -1e9, 1e9, "0 m/s", FM_ATTR_LIVE, "speed through the water, ahead"),
    OVERRIDE,
    THRUST_GAINS("", "N*s/m", "N/m", "kg", "N"),
    FM_REAL_ATTR(speed_config, feed, "feed", "kg/m", 0, 1e9, "0 kg/m", FM_ATTR_LIVE,
                 "feed-forward: thrust per squared order, the drag of the vehicle"),
};
static const fm_attr sway_attrs[] = {
    FM_REAL_ATTR(fm_loop, order, "order", "m/s", -1e9, 1e9, "0 m/s", FM_ATTR_LIVE,
                 "speed through the water, to starboard (thrusters)"),
    THRUST_GAINS("", "N*s/m", "N/m", "kg", "N"),
};
static const fm_attr altitude_attrs[] = {
    FM_REAL_ATTR(altitude_config, order, "order", "m", 0, 1e4, "0 m", FM_ATTR_LIVE,
                 "height above the bottom to hold by the gains of <depth> (C11), in place of a depth; 0: off"),
};
static const fm_attr hover_attrs[] = {
    FM_REAL_ATTR(hover_config, kp, "kp", "N/m", 0, 1e9, "0 N/m", FM_ATTR_LIVE, "force per distance from the place"),
    FM_REAL_ATTR(hover_config, ki, "ki", "N/m/s", 0, 1e9, "0 N/m/s", FM_ATTR_LIVE, "integral gain, against a current"),
    FM_REAL_ATTR(hover_config, kd, "kd", "N*s/m", 0, 1e9, "0 N*s/m", FM_ATTR_LIVE,
                 "force against the speed over ground"),
    FM_REAL_ATTR(hover_config, limit, "limit", "N", 0, 1e9, "0 N", FM_ATTR_LIVE,
                 "greatest horizontal force; 0: what the thrusters can give"),
};

static const fm_element depth_element = FM_CHILD_ELEMENT(
    fm_autopilot_config, depth, fm_loop, "depth", depth_attrs, NULL,
    "Depth: by fins through a dive angle that the pitch loop holds, by thrusters through a vertical force.");
static const fm_element heading_element =
    FM_CHILD_ELEMENT(fm_autopilot_config, heading, fm_loop, "heading", heading_attrs, NULL, "Heading.");
static const fm_element pitch_element =
    FM_CHILD_ELEMENT(fm_autopilot_config, pitch, fm_loop, "pitch", pitch_attrs, NULL, "Pitch.");
static const fm_element roll_element =
    FM_CHILD_ELEMENT(fm_autopilot_config, roll, fm_loop, "roll", roll_attrs, NULL, "Roll, by planes ordered apart.");
static const fm_element speed_element = FM_CHILD_ELEMENT(fm_autopilot_config, speed, speed_config, "speed", speed_attrs,
                                                         NULL, "Speed ahead through the water.");
_Static_assert(offsetof(fm_autopilot_config, speed_feed) == offsetof(fm_autopilot_config, speed) + sizeof(fm_loop),
               "feed follows the speed loop");
static const fm_element sway_element = FM_CHILD_ELEMENT(fm_autopilot_config, sway, fm_loop, "sway", sway_attrs, NULL,
                                                        "Speed to starboard through the water.");
static const fm_element altitude_element = FM_CHILD_ELEMENT(fm_autopilot_config, altitude, altitude_config, "altitude",
                                                            altitude_attrs, NULL, "Height above the bottom.");
static const fm_element hover_element =
    FM_CHILD_ELEMENT(fm_autopilot_config, hover, hover_config, "hover", hover_attrs, NULL,
                     "Holding a position ordered by a guidance, with horizontal forces (C10).");
static const fm_element *const children[] = {&heading_element,  &depth_element, &pitch_element,
                                             &roll_element,     &speed_element, &sway_element,
                                             &altitude_element, &hover_element, NULL};

static const char *const steering_names[] = {"fins", "thrusters", "hybrid", NULL};
static const fm_attr attrs[] = {
    FM_CHOICE_ATTR(fm_autopilot_config, steering, steering_names, "steering", NULL, FM_ATTR_REQUIRED,
                   "by fins and propellers, by thrusters, or hybrid: thrusters when slow, fins when fast"),
    FM_TEXT_ATTR(fm_autopilot_config, fins, "fins", "all", 0,
                 "fins to use: names or groups with spaces between, or all; how each one turns the vehicle is known "
                 "from its coefficients"),
    FM_TEXT_ATTR(fm_autopilot_config, thrusters, "thrusters", "all", 0,
                 "thrusters and propellers to share out forces to: names or groups with spaces between, or all"),
    FM_REAL_ATTR(fm_autopilot_config, thrusters_alone, "thrusters-alone", "m/s", 0, 100, "0.2 m/s", FM_ATTR_LIVE,
                 "hybrid: below this speed through the water fins have no part"),
    FM_REAL_ATTR(fm_autopilot_config, fins_alone, "fins-alone", "m/s", 1e-3, 100, "0.5 m/s", FM_ATTR_LIVE,
                 "hybrid: above this speed thrusters have no part in steering"),
    FM_REAL_ATTR(fm_autopilot_config, design_speed, "design-speed", "m/s", 1e-3, 100, "1 m/s", FM_ATTR_LIVE,
                 "speed for which the gains of the fins hold; they go with its inverse square (C12)"),
    FM_REAL_ATTR(fm_autopilot_config, least_speed, "least-speed", "m/s", 1e-3, 100, "0.3 m/s", FM_ATTR_LIVE,
                 "below it the gains of the fins rise no further"),
    FM_REAL_ATTR(fm_autopilot_config, enabled, "enabled", "", 0, 1, "1", FM_ATTR_LIVE, "0: leaves the actuators alone"),
    FM_BOOL_ATTR(fm_autopilot_config, anti_windup, "anti-windup", "true", FM_ATTR_LIVE,
                 "integrals rest while the output of their loop is limited; false: they wind up"),
    FM_BOOL_ATTR(fm_autopilot_config, fault_aware, "fault-aware", "false", FM_ATTR_LIVE,
                 "the allocation knows when the efficiency of a thruster changes in the run, as after a fault is "
                 "detected; false: it knows the efficiencies at the start. Dead thrusters are left out"),
    FM_NAME_ATTR(fm_autopilot_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(fm_autopilot_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two decisions; 0: every step"),
};

const fm_element fm_autopilot_element =
    FM_TABLE_ELEMENT(fm_autopilot_config, "autopilot", attrs, children, 0,
                     "Holds depth or altitude, heading, pitch, roll, speed and place with the vehicle's fins and "
                     "thrusters. It follows its own setpoints, unless preceded by a guidance (waypoints, station, "
                     "mission). It uses the true state (perfect navigation), unless preceded by a <navigation>.");

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

/* Every name must be an actuator or a group. */
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
    double most[3] = {0}; /* largest roll, pitch and yaw moment of a fin */
    for (size_t i = 0; i < fm_load_actuator_count(load); i++) {
        fm_actuator_info info = fm_load_actuator_info(load, i);
        if (!info.fin || !is_named(c->fins, &info))
            continue;
        if (c->fin_count == FM_AUTOPILOT_FINS)
            return fm_load_fail(load, error, FM_ERR_RANGE, "more than %d fins given: must be at most that many",
                                FM_AUTOPILOT_FINS);
        c->fin[c->fin_count++] = (fm_piloted_fin){(int32_t)i,
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
        efficiency[FM_ALLOCATION_MAX], columns[FM_ALLOCATION_MAX][6];
    size_t count = 0;
    for (size_t i = 0; i < fm_load_actuator_count(load); i++) {
        fm_actuator_info info = fm_load_actuator_info(load, i);
        if (!info.thruster || !is_named(c->thrusters, &info))
            continue;
        if (count == FM_ALLOCATION_MAX)
            return fm_load_fail(load, error, FM_ERR_RANGE, "more than %d thrusters given: must be at most that many",
                                FM_ALLOCATION_MAX);
        low[count] = thrust_at(&info, info.low);
        high[count] = thrust_at(&info, info.high);
        efficiency[count] = fm_load_actuator_efficiency(load, i);
        memcpy(columns[count], info.column, sizeof columns[count]);
        for (int r = 0; r < 6; r++)
            c->reach[r] += fabs(info.column[r]) * fmax(high[count], -low[count]) * efficiency[count];
        c->thruster[count++] = (fm_piloted_thruster){.efficiency = 1,
                                                     .actuator = (int32_t)i,
                                                     .square = info.square,
                                                     .gain = info.gain,
                                                     .gain_reverse = info.gain_reverse};
    }
    if (!count)
        return FM_OK;
    for (int r = 0; r < 6; r++)
        for (size_t i = 0; i < count; i++)
            effect[(size_t)r * count + i] = columns[i][r];
    fm_allocation allocation;
    const fm_status status = fm_allocation_build(&allocation, count, effect, NULL, low, high, 1, error);
    if (status != FM_OK)
        return status;
    fm_autopilot_take_allocation(&allocation, c->thruster);
    c->thruster_count = count;
    fm_autopilot_remaining(c, efficiency, c->at_start);
    return FM_OK;
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
                                "more than %d guidances given before it: must be at most that many",
                                FM_AUTOPILOT_GUIDES);
        if (c->steering == FM_STEER_FINS && fm_guidance_hovers(&part))
            return fm_load_fail(
                load, error, FM_ERR_MODEL,
                "'%s' orders a place to keep, but steering=\"fins\" cannot hover: must be thrusters or hybrid",
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
    if (c->steering != FM_STEER_FINS && !c->thruster_count)
        return fm_load_fail(load, error, FM_ERR_MODEL,
                            "steering=\"%s\" needs thrusters, and the vehicle has none of '%s'",
                            steering_names[c->steering], c->thrusters);
    if (c->fins_alone <= c->thrusters_alone)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "fins-alone is %g m/s: must be more than thrusters-alone, %g m/s", c->fins_alone,
                            c->thrusters_alone);
    c->navigation = fm_load_navigation(load);
    c->depth_metric =
        fm_load_metric(load, "depth_error_rms", "m", "ordered less true depth, root mean square", FM_METRIC_RMS);
    c->heading_metric =
        fm_load_metric(load, "heading_error_rms", "rad", "ordered less true heading, root mean square", FM_METRIC_RMS);
    return fm_autopilot_outputs_load(load, c, error);
}
