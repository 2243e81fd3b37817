/* <bottom-following>: altitude or depth control with the stern planes in sliding mode; gains are placed at load.
 * docs/theory/remus.md (R4)-(R8), (R13) */
#include <math.h>
#include <string.h>

#include "control/facts.h"
#include "control/guidance_part.h"
#include "control/navigation_part.h"
#include "control/parts.h"
#include "control/pole_place.h"
#include "physics/posture.h"

enum { FINS_MOST = FM_FOLLOWER_FINS, GUIDES_MOST = 8 };

typedef struct following_config {
    double altitude;              /* live: m */
    double late, reversal;        /* s, rad: of the measures */
    double poles[3], rate, layer; /* 1/s, m/s, m */
    int64_t trim;
    double speed; /* m/s, for a 6-DOF body */
    const char *planes, *name;
    double period;
    fm_sliding_params gains;
    int fins[FINS_MOST];
    size_t fin_count;
    int guides[GUIDES_MOST];
    size_t guide_count;
    int64_t navigation;
    int64_t lowest, reversals, late_pitch, late_altitude; /* metrics */
} following_config;

static const fm_attr attrs[] = {
    FM_REAL_ATTR(
        following_config, altitude, "altitude", "m", 0, 1e4, NULL, FM_ATTR_LIVE,
        "height above the bottom to keep; not needed where a guidance before it orders an altitude or a depth"),
    FM_VECTOR_ATTR(following_config, poles, 3, "poles", "1/s", -100, -1e-3, NULL, FM_ATTR_REQUIRED,
                   "of the motion on the sliding surface; they must differ"),
    FM_REAL_ATTR(following_config, rate, "sliding-rate", "m/s", 1e-3, 100, NULL, FM_ATTR_REQUIRED,
                 "greatest speed towards the sliding surface"),
    FM_REAL_ATTR(following_config, layer, "boundary-layer", "m", 1e-3, 100, NULL, FM_ATTR_REQUIRED,
                 "thickness of the layer about the surface in which the switching is smooth"),
    FM_BOOL_ATTR(following_config, trim, "trim", "true", 0, "feeds the planes' angle of level flight forward"),
    FM_REAL_ATTR(
        following_config, speed, "speed", "m/s", 0.01, 100, NULL, 0,
        "through the water, for which the gains of a 6-DOF vehicle are placed; one of kind diving has its own"),
    FM_NAME_ATTR(following_config, planes, "planes", "stern-planes", 0, "fin or group of fins to use"),
    FM_REAL_ATTR(following_config, late, "late", "s", 0, 1e9, "0 s", 0,
                 "after this time late_pitch_pp and late_altitude are measured"),
    FM_REAL_ATTR(following_config, reversal, "reversal", "rad", 0, 3, "0 deg", 0,
                 "smaller swings of the pitch are not counted as reversals"),
    FM_NAME_ATTR(following_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(following_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two decisions; 0: every step"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(following_config, "bottom-following", attrs, NULL, 0,
                     "Holds a height above the bottom, or a depth, with the stern planes: sliding-mode control whose "
                     "gains are computed at load from the vehicle's own model by pole placement.");

/* --- load --- */

/* The planes and the smallest of their limits [rad]. */
static fm_status take_planes(fm_part_load *load, following_config *c, double *limit, fm_error *error)
{
    c->fin_count = fm_load_actuators(load, c->planes, c->fins, FINS_MOST);
    if (!c->fin_count || c->fin_count > FINS_MOST)
        return fm_load_fail(load, error, FM_ERR_NAME, "planes: %zu actuators named '%s': must be 1 to %d", c->fin_count,
                            c->planes, FINS_MOST);
    *limit = HUGE_VAL;
    for (size_t i = 0; i < c->fin_count; i++) {
        fm_actuator_info info = fm_load_actuator_info(load, (size_t)c->fins[i]);
        if (!info.fin)
            return fm_load_fail(load, error, FM_ERR_MODEL, "planes: '%s' is not a fin", info.name);
        *limit = fmin(*limit, fmin(info.high, -info.low));
    }
    return FM_OK;
}

static void take_guides(fm_part_load *load, following_config *c)
{
    for (size_t i = 0; i < fm_load_part_count(load) && c->guide_count < GUIDES_MOST; i++) {
        fm_part_info part = fm_load_part_info(load, i);
        if (fm_guidance_is(&part))
            c->guides[c->guide_count++] = (int)i;
    }
}

static fm_status place_gains(fm_part_load *load, following_config *c, double limit, fm_error *error)
{
    if (!(fm_load_own_speed(load) > 0) && !fm_load_has_attribute(load, "speed"))
        return fm_load_fail(load, error, FM_ERR_MODEL,
                            "a 6-DOF vehicle needs the speed for which the gains are placed");
    fm_diving_model model;
    fm_status status = fm_load_diving_model(load, c->speed, c->fins, c->fin_count, &model, error);
    if (status != FM_OK)
        return status;
    fm_sliding_design design = {.rate = c->rate, .phi = c->layer, .limit = limit, .trimmed = (int)c->trim};
    memcpy(design.poles, c->poles, sizeof design.poles);
    fm_error reason = {0};
    status = fm_sliding_gains(&model, &design, &c->gains, &reason);
    return status == FM_OK ? FM_OK : fm_load_fail(load, error, status, "no gains: %s", reason.text);
}

static fm_status load_following(fm_part_load *load, void *memory, fm_error *error)
{
    following_config *c = memory;
    double limit = 0;
    fm_status status = take_planes(load, c, &limit, error);
    if (status == FM_OK)
        status = place_gains(load, c, limit, error);
    if (status != FM_OK)
        return status;
    take_guides(load, c);
    if (!c->guide_count && !fm_load_has_attribute(load, "altitude"))
        return fm_load_fail(load, error, FM_ERR_MODEL,
                            "altitude is missing: must be a height above the bottom, or a guidance before this part");
    c->navigation = fm_load_navigation(load);
    c->lowest = fm_load_metric(load, "min_altitude", "m", "least height above the bottom", FM_METRIC_MIN);
    c->reversals = fm_load_metric(load, "pitch_reversals", "", "turning points of the pitch", FM_METRIC_LAST);
    c->late_pitch =
        fm_load_metric(load, "late_pitch_pp", "rad", "highest less lowest pitch, late in the run", FM_METRIC_LAST);
    c->late_altitude =
        fm_load_metric(load, "late_altitude", "m", "mean height above the bottom, late in the run", FM_METRIC_LAST);
    return FM_OK;
}

/* --- step --- */

static void measure(const fm_part_context *context, const following_config *c)
{
    const double h = context->vehicle->depth_below;
    double euler[3];
    fm_euler_from_matrix(context->vehicle->rotation, euler);
    const fm_bottom_follow_told told =
        fm_bottom_follow_measure(c->reversal, c->late, context->time, h, euler[1], context->state);
    if (told.above)
        fm_metric_note(context, (int)c->lowest, h);
    fm_metric_note(context, (int)c->reversals, told.reversals);
    if (told.late)
        fm_metric_note(context, (int)c->late_pitch, told.pitch);
    if (told.late && told.above)
        fm_metric_note(context, (int)c->late_altitude, told.altitude);
}

static void run_following(const fm_part_context *context)
{
    const following_config *c = context->config, *live = context->live;
    const fm_estimate n = fm_navigation_known(context, (int)c->navigation);
    const fm_guidance *guides[GUIDES_MOST];
    for (size_t i = 0; i < c->guide_count; i++)
        guides[i] = fm_sensor_output(context, c->guides[i]);
    const double delta = fm_bottom_follow_order(&c->gains, live->altitude, guides, (int)c->guide_count, &n);
    for (size_t i = 0; i < c->fin_count; i++)
        fm_actuator_order(context, c->fins[i], delta);
    measure(context, c);
}

static const fm_setpoint set_points[] = {
    {FM_SETPOINT_ROW(following_config, altitude, "altitude", "m", 0, 1e4, "height above the bottom to keep")},
};
const fm_part_class fm_bottom_following_class = {.kind = FM_PART_CONTROLLER,
                                                 .element = &element,
                                                 .live_size = offsetof(following_config, late),
                                                 .state_size = sizeof(fm_remus_metrics),
                                                 .load = load_following,
                                                 .run = run_following,
                                                 .setpoints = set_points,
                                                 .setpoint_count = FM_COUNT(set_points),
                                                 .lanes = &fm_bottom_following_lanes};

const char *fm_bottom_following_describe(const void *config, fm_follower *p)
{
    const following_config *c = config;
    p->gains = c->gains;
    p->keeps = c->altitude;
    p->late = c->late;
    p->reversal = c->reversal;
    p->fins = (int32_t)c->fin_count;
    for (size_t i = 0; i < c->fin_count; i++)
        p->fin[i] = c->fins[i];
    return c->navigation >= 0 ? "its <bottom-following> believes a <navigation>" : NULL;
}
