/* <avoid>: the altitude to keep, raised by the threat in the sonar image ahead. docs/theory/remus.md (R10), (R11) */
#include <math.h>

#include "control/guidance_part.h"
#include "control/parts.h"
#include "control/threat.h"
#include "physics/angle.h"
#include "physics/posture.h"

typedef struct avoid_config {
    double gain;                                         /* live: m per unit of threat */
    int64_t stabilised;                                  /* live */
    double altitude;                                     /* live: m */
    double zone, weight, end, sector, reference_spacing; /* live: m, -, -, rad, m */
    int64_t edge;                                        /* live: the bearing weight at the edge of the sector */
    const char *sonar, *name;
    double period;
    int64_t metric;
    fm_quantity_view ranges;                           /* m: of the returns, or of the bins of a fan */
    fm_quantity_view returns, bearings, spacing, tilt; /* for a sonar with returns; bearings.count 0: it has none */
    fm_quantity_view own_returns;                      /* gathered in the vehicle's axes; count 0: the sonar has none */
    fm_quantity_view beams, echoes;                    /* of a vertical fan: unit vectors, intensities */
} avoid_config;

typedef struct avoid_state {
    int64_t image; /* number of the image used for `threat` */
    double threat;
} avoid_state;

/* Follows an fm_guidance. */
typedef struct avoid_output {
    fm_guidance guidance;
    double threat;
} avoid_output;

static const char *const edge_names[] = {"half", "zero", NULL};
static const fm_attr attrs[] = {
    FM_REAL_ATTR(avoid_config, gain, "gain", "", 0, 1e3, "0", FM_ATTR_LIVE,
                 "a: metres of altitude per unit of threat; 0: no look-ahead"),
    FM_BOOL_ATTR(avoid_config, stabilised, "stabilised", "true", FM_ATTR_LIVE,
                 "bearings count from the horizontal; false: from the pitched body"),
    FM_REAL_ATTR(avoid_config, altitude, "altitude", "m", 0, 1e4, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "to keep without a threat"),
    FM_REAL_ATTR(avoid_config, zone, "zone", "m", 0.1, 1e4, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "beyond which a return has no weight"),
    FM_REAL_ATTR(avoid_config, weight, "weight", "", 0, 1e3, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "weight of a return at range zero"),
    FM_REAL_ATTR(avoid_config, end, "end-weight", "", 0, 1e3, "0", FM_ATTR_LIVE,
                 "weight of a return at the end of the zone; between it and range zero the weight is linear"),
    FM_REAL_ATTR(avoid_config, sector, "sector", "rad", 1e-3, 3.1, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "vertical field of view; returns outside have no weight"),
    FM_REAL_ATTR(avoid_config, reference_spacing, "reference-spacing", "m", 1e-3, 100, NULL,
                 FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "spacing of nodes, or length of range bins, for which the weights hold"),
    FM_CHOICE_ATTR(avoid_config, edge, edge_names, "edge", "half", FM_ATTR_LIVE,
                   "bearing weight at the edge of the sector: half, from where it jumps to zero, or zero"),
    FM_NAME_ATTR(
        avoid_config, sonar, "sonar", NULL, 0,
        "name of a sonar that gives returns with their bearings, as <node-sonar> does, or echoes of beams in a fan "
        "that stands upright: a <multibeam> with attitude=\"90 0 0 deg\"; default: the first sensor that gives ranges"),
    FM_NAME_ATTR(avoid_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(avoid_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two decisions; 0: every step"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(avoid_config, "avoid", attrs, NULL, 0,
                     "Guidance: orders an altitude that grows with the threat of what the sonar sees ahead, for the "
                     "<bottom-following> or <autopilot> after it.");

static fm_status check_fan(fm_part_load *load, const avoid_config *c, const char *name, fm_error *error)
{
    const size_t beams = c->beams.count / 3;
    if (beams < 2 || fabs(c->ranges.mount->rotation[4]) > 0.1)
        return fm_load_fail(
            load, error, FM_ERR_MODEL,
            "the fan of '%s' must have two or more beams and be upright: use about attitude=\"90 0 0 deg\"", name);
    if (c->echoes.count != beams * c->ranges.count)
        return fm_load_fail(load, error, FM_ERR_MODEL, "'%s' gives %zu echoes: must be %zu: one per beam and range",
                            name, c->echoes.count, beams * c->ranges.count);
    return FM_OK;
}

static fm_status load_avoid(fm_part_load *load, void *memory, fm_error *error)
{
    avoid_config *c = memory;
    const int sonar = fm_load_find_quantity(load, FM_QUANTITY_RANGES, c->sonar, &c->ranges, error);
    if (sonar < 0)
        return error->status;
    const size_t i = (size_t)sonar;
    const fm_part_info info = fm_load_part_info(load, i);
    c->metric = fm_load_metric(load, "threat_peak", "", "greatest threat", FM_METRIC_MAX);
    if (fm_load_quantity(load, i, FM_QUANTITY_BEARINGS, &c->bearings) &&
        fm_load_quantity(load, i, FM_QUANTITY_RETURNS, &c->returns) &&
        fm_load_quantity(load, i, FM_QUANTITY_SPACING, &c->spacing) &&
        fm_load_quantity(load, i, FM_QUANTITY_PITCH, &c->tilt)) {
        if (!fm_load_quantity(load, i, FM_QUANTITY_OWN_RETURNS, &c->own_returns))
            c->own_returns.count = 0;
        return FM_OK;
    }
    c->bearings.count = 0;
    if (fm_load_quantity(load, i, FM_QUANTITY_DIRECTIONS, &c->beams) &&
        fm_load_quantity(load, i, FM_QUANTITY_ECHOES, &c->echoes))
        return check_fan(load, c, info.name, error);
    return fm_load_fail(load, error, FM_ERR_MODEL,
                        "'%s' is a <%s>: must be a sonar that gives returns with bearings, as <node-sonar> does, or "
                        "echoes of beams, as <multibeam> does",
                        info.name, info.part_class->element->name);
}

/* (R10) as it is set now. */
static fm_threat_params weights_of(const avoid_config *live)
{
    return (fm_threat_params){.zone = live->zone,
                              .weight = live->weight,
                              .end = live->end,
                              .half_sector = live->sector / 2,
                              .fades = (int)live->edge};
}

double fm_avoid_weight(const void *live, double range, double bearing)
{
    const fm_threat_params p = weights_of(live);
    return fm_threat_weight(&p, range, bearing);
}

/* (R10), (R11) of a whole image. */
static double threat_of_returns(const fm_part_context *context, const avoid_config *c)
{
    const avoid_config *live = context->live;
    const fm_threat_params p = weights_of(live);
    const void *ranges = fm_quantity_data(context, &c->ranges), *bearings = fm_quantity_data(context, &c->bearings);
    const double tilt = live->stabilised ? 0 : fm_quantity_value(context, &c->tilt, 0),
                 scale = fm_quantity_value(context, &c->spacing, 0) / live->reference_spacing;
    double first = 0, end = fm_quantity_value(context, &c->returns, 0), threat = 0;
    if (!live->stabilised && c->own_returns.count) {
        first = end;
        end += fm_quantity_value(context, &c->own_returns, 0);
    }
    for (size_t i = (size_t)first; (double)i < fmin(end, (double)c->ranges.count); i++) {
        const double r = fm_quantity_at(&c->ranges, ranges, i);
        if (r < live->zone)
            threat += fm_threat_weight(&p, r, fm_quantity_at(&c->bearings, bearings, i) + tilt) * scale;
    }
    return threat;
}

/* --- a fan of rays --- */

/* The nearest echo of a beam, m; infinite: none. */
static double first_echo(const fm_part_context *context, const avoid_config *c, size_t beam)
{
    const size_t beams = c->beams.count / 3;
    const void *echoes = fm_quantity_data(context, &c->echoes);
    for (size_t k = 0; k < c->ranges.count; k++)
        if (fm_quantity_at(&c->echoes, echoes, k * beams + beam) != 0)
            return fm_quantity_value(context, &c->ranges, k);
    return HUGE_VAL;
}

/* (R11a) The threat of the profile measured by a fan of rays: each echo represents the segment up to the echo of the
 * next beam, at most two reference spacings if something hides the part between. */
static double threat_of_fan(const fm_part_context *context, const avoid_config *c)
{
    const avoid_config *live = context->live;
    const fm_threat_params p = weights_of(live);
    double before[2] = {HUGE_VAL, HUGE_VAL}, threat = 0;
    const void *beams = fm_quantity_data(context, &c->beams);
    for (size_t i = 0; i < c->beams.count / 3; i++) {
        double own[3], body[3], world[3];
        const double r = first_echo(context, c, i);
        for (size_t k = 0; k < 3; k++)
            own[k] = fm_quantity_at(&c->beams, beams, 3 * i + k);
        fm_vector_to_world(c->beams.mount->rotation, own, body);
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
            threat += fm_threat_weight(&p, r, b) * fmin(apart, 2 * live->reference_spacing) / live->reference_spacing;
        before[0] = at[0];
        before[1] = at[1];
    }
    return threat;
}

/* The threat of the latest image, computed once. */
static void update_threat(const fm_part_context *context, const avoid_config *c, avoid_state *s)
{
    const int64_t number = fm_sensor_reading(context, (int)c->ranges.part).count;
    if (number == s->image)
        return;
    s->image = number;
    s->threat = c->bearings.count ? threat_of_returns(context, c) : threat_of_fan(context, c);
}

static void run_avoid(const fm_part_context *context)
{
    const avoid_config *c = context->config, *live = context->live;
    avoid_state *s = context->state;
    avoid_output *out = context->output;
    update_threat(context, c, s);
    const fm_threat_params p = {.gain = live->gain, .altitude = live->altitude};
    out->guidance = (fm_guidance){.rises = 1, .altitude = fm_threat_altitude(&p, s->threat)};
    out->threat = s->threat;
    fm_metric_note(context, (int)c->metric, s->threat);
}

static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(avoid_output, guidance.altitude, "altitude", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(avoid_output, threat, "threat", "", FM_QUANTITY_NONE),
};

const fm_part_class fm_avoid_class = {.kind = FM_PART_CONTROLLER,
                                      .element = &element,
                                      .live_size = offsetof(avoid_config, sonar),
                                      .state_size = sizeof(avoid_state),
                                      .output_size = sizeof(avoid_output),
                                      .outputs = outputs,
                                      .output_count = FM_COUNT(outputs),
                                      .load = load_avoid,
                                      .run = run_avoid,
                                      .lanes = &fm_avoid_lanes};

const char *fm_avoid_describe(const void *config, int sonar, fm_follower *p)
{
    const avoid_config *c = config;
    const double reach = floor((c->zone + (p->traces ? p->bin : 0)) / p->spacing) + (p->traces ? 3 : 2);
    p->avoids = 1;
    p->stabilised = c->stabilised != 0;
    p->fades = (int32_t)c->edge;
    p->gain = c->gain;
    p->altitude = c->altitude;
    p->zone = c->zone;
    p->weight = c->weight;
    p->end = c->end;
    p->half_sector = weights_of(c).half_sector;
    p->reference = c->reference_spacing;
    p->nodes = (int32_t)fmin((double)p->nodes, reach); /* those farther away add nothing */
    if (p->traces && p->nodes > FM_FOLLOWER_NODES)
        return "its <node-sonar> has more nodes in the zone than a batch takes";
    return (int)c->ranges.part == sonar ? NULL : "its <avoid> looks by another sonar than <node-sonar>";
}
