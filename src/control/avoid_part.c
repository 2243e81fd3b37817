/* <avoid>: the altitude to keep, raised by the threat that the sonar sees ahead. docs/theory/remus.md (R10), (R11) */
#include <math.h>

#include "control/guidance_part.h"
#include "control/parts.h"
#include "physics/angle.h"
#include "physics/posture.h"
#include "physics/threat.h"
#include "sensors/echo_image.h"
#include "sensors/node_sonar.h"
#include "sensors/parts.h"

typedef struct avoid_config {
    double gain;                                    /* live: m per unit of threat */
    int64_t stabilised;                             /* live */
    double altitude;                                /* live: m */
    double zone, weight, sector, reference_spacing; /* live: m, -, rad, m */
    const char *sonar, *name;
    double period;
    int64_t sensor, metric;
    const fm_echo_config *fan; /* of a <multibeam>; NULL: the sonar gives nodes */
} avoid_config;

typedef struct avoid_state {
    int64_t image; /* number of the image that `threat` belongs to */
    double threat;
} avoid_state;

/* What an fm_guidance is followed by. */
typedef struct avoid_output {
    fm_guidance guidance;
    double threat;
} avoid_output;

static const fm_attr attrs[] = {
    FM_REAL_ATTR(avoid_config, gain, "gain", "", 0, 1e3, "3", FM_ATTR_LIVE,
                 "a: metres of altitude per unit of threat; 0: no look-ahead"),
    FM_BOOL_ATTR(avoid_config, stabilised, "stabilised", "true", FM_ATTR_LIVE,
                 "bearings count from the horizontal; false: from the pitched body"),
    FM_REAL_ATTR(avoid_config, altitude, "altitude", "m", 0, 1e4, "3 m", FM_ATTR_LIVE, "to keep without a threat"),
    FM_REAL_ATTR(avoid_config, zone, "zone", "m", 0.1, 1e4, "20 m", FM_ATTR_LIVE,
                 "range at which the weight of a return reaches zero"),
    FM_REAL_ATTR(avoid_config, weight, "weight", "", 0, 1e3, "1.3", FM_ATTR_LIVE, "weight of a return at range zero"),
    FM_REAL_ATTR(avoid_config, sector, "sector", "rad", 1e-3, 3.1, "20 deg", FM_ATTR_LIVE,
                 "vertical field of view; returns outside have no weight"),
    FM_REAL_ATTR(avoid_config, reference_spacing, "reference-spacing", "m", 1e-3, 100, "0.5 m", FM_ATTR_LIVE,
                 "spacing of nodes for which the weights hold"),
    FM_NAME_ATTR(avoid_config, sonar, "sonar", "sonar", 0,
                 "name of the <node-sonar>, or of a <multibeam> whose fan stands upright: attitude=\"90 0 0 deg\""),
    FM_NAME_ATTR(avoid_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(avoid_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two decisions; 0: every step"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(avoid_config, "avoid", attrs, NULL, 0,
                     "Guidance: orders an altitude that grows with the threat of what the sonar sees ahead, for the "
                     "<bottom-following> or <autopilot> that stands after it.");

static fm_status load_avoid(fm_part_load *load, void *memory, fm_error *error)
{
    avoid_config *c = memory;
    c->sensor = fm_load_sensor(load, c->sonar, error);
    if (c->sensor < 0)
        return error->status;
    fm_part_info sonar = fm_load_part_info(load, (size_t)c->sensor);
    if (sonar.part_class == &fm_multibeam_class)
        c->fan = sonar.config;
    else if (sonar.part_class != &fm_node_sonar_class)
        return fm_load_fail(load, error, FM_ERR_MODEL, "'%s' is a <%s>, accepted a <node-sonar> or a <multibeam>",
                            c->sonar, sonar.part_class->element->name);
    if (c->fan && (c->fan->beams < 2 || fabs(c->fan->mount.rotation[4]) > 0.1))
        return fm_load_fail(
            load, error, FM_ERR_MODEL,
            "the fan of '%s' must have two or more beams and stand upright, accepted attitude=\"90 0 0 deg\" about",
            c->sonar);
    c->metric = fm_load_metric(load, "threat_peak", "", "greatest threat", FM_METRIC_MAX);
    return FM_OK;
}

/* (R10), (R11) of a whole image. */
static double threat_of(const avoid_config *live, const fm_node_image *image)
{
    const fm_threat_params p = {.zone = live->zone, .weight = live->weight, .half_sector = live->sector / 2};
    const double *ranges = fm_node_ranges(image), *bearings = fm_node_bearings(image);
    const double tilt = live->stabilised ? 0 : image->theta, scale = image->spacing / live->reference_spacing;
    double threat = 0;
    for (int64_t i = 0; i < image->count; i++)
        if (ranges[i] < live->zone)
            threat += fm_threat_range_weight(&p, ranges[i]) * fm_threat_bearing_weight(&p, bearings[i] + tilt) * scale;
    return threat;
}

/* --- a fan of rays --- */

/* The nearest echo of a beam, m; infinite: none. */
static double first_echo(const fm_echo_config *fan, const fm_echo_values *v, int64_t beam)
{
    const double *ranges = v->image + 3 * fan->beams;
    const unsigned char *bytes = (const unsigned char *)(const void *)(ranges + fan->bins);
    for (int64_t k = 0; k < fan->bins; k++)
        if (bytes[k * fan->beams + beam])
            return ranges[k];
    return HUGE_VAL;
}

/* (R11a) The threat of the profile that a fan of rays sees: each echo stands for the piece of it up to the echo of the
 * next beam, at most two reference spacings, where something hides what is between. */
static double threat_of_fan(const fm_part_context *context, const avoid_config *c, const fm_echo_values *v)
{
    const avoid_config *live = context->live;
    const fm_threat_params p = {.zone = live->zone, .weight = live->weight, .half_sector = live->sector / 2};
    double before[2] = {HUGE_VAL, HUGE_VAL}, threat = 0;
    for (int64_t i = 0; i < c->fan->beams; i++) {
        double body[3], world[3];
        const double r = first_echo(c->fan, v, i);
        fm_vector_to_world(c->fan->mount.rotation, v->image + 3 * i, body);
        fm_vector_to_world(context->vehicle->rotation, body, world);
        const double *way = live->stabilised ? world : body;
        const double b = fm_asin(fmax(-1, fmin(1, way[2])));
        if (!(r < HUGE_VAL)) {
            before[0] = before[1] = HUGE_VAL;
            continue;
        }
        const double at[2] = {r * sqrt(world[0] * world[0] + world[1] * world[1]), r * world[2]};
        const double dx = at[0] - before[0], dz = at[1] - before[1], apart = sqrt(dx * dx + dz * dz);
        if (r < live->zone)
            threat += fm_threat_range_weight(&p, r) * fm_threat_bearing_weight(&p, b) *
                      fmin(apart, 2 * live->reference_spacing) / live->reference_spacing;
        before[0] = at[0];
        before[1] = at[1];
    }
    return threat;
}

/* The threat of the latest image, worked out once. */
static void update_threat(const fm_part_context *context, const avoid_config *c, avoid_state *s)
{
    const void *output = fm_sensor_output(context, (int)c->sensor);
    const fm_node_image *nodes = output;
    const fm_echo_reading *echoes = output;
    const int64_t number = c->fan ? echoes->head.count : nodes->number;
    if (number == s->image)
        return;
    s->image = number;
    s->threat = c->fan ? threat_of_fan(context, c, &echoes->values) : threat_of(context->live, nodes);
}

static void run_avoid(const fm_part_context *context)
{
    const avoid_config *c = context->config, *live = context->live;
    avoid_state *s = context->state;
    avoid_output *out = context->output;
    update_threat(context, c, s);
    const fm_threat_params p = {.gain = live->gain, .altitude = live->altitude};
    out->guidance = (fm_guidance){.orders = FM_GUIDES_ALTITUDE, .altitude = fm_threat_altitude(&p, s->threat)};
    out->threat = s->threat;
    fm_metric_note(context, (int)c->metric, s->threat);
}

static const fm_output outputs[] = {
    {.field = "altitude",
     .unit = "m",
     .offset = offsetof(avoid_output, guidance) + offsetof(fm_guidance, altitude),
     .count = 1},
    {.field = "threat", .unit = "", .offset = offsetof(avoid_output, threat), .count = 1}};

const fm_part_class fm_avoid_class = {.kind = FM_PART_CONTROLLER,
                                      .element = &element,
                                      .live_size = offsetof(avoid_config, sonar),
                                      .state_size = sizeof(avoid_state),
                                      .output_size = sizeof(avoid_output),
                                      .outputs = outputs,
                                      .output_count = FM_COUNT(outputs),
                                      .load = load_avoid,
                                      .run = run_avoid};
