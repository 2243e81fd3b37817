/* Instruments with one range: sonar and infrared (a wedge of rays, the shortest counts), echosounder. Sonar and
 * infrared can also output the shortest range at each bearing. */
#include <math.h>
#include <string.h>

#include "environment/sight.h"
#include "physics/posture.h"
#include "sensors/imperfect.h"
#include "sensors/parts.h"

enum { RAYS_MOST = 4096, BLOCK = 256, BEARINGS_MOST = 1024 };
enum { MODE_RAY, MODE_FORMULA };

typedef struct range_config {
    fm_health health;
    fm_flaws flaws;
    fm_instrument instrument;
    double range, nearest; /* m */
    double half_angle[2];  /* rad: to both sides in its horizontal plane, up and down */
    int64_t rays[2];       /* across and up */
    double least_cosine;   /* of incidence: echoes at a flatter angle are lost */
    int64_t mode;
    int64_t by_bearing;      /* 1: the ranges at its bearings follow the reading */
    double infrared;         /* 1, 0 */
    double (*directions)[3]; /* derived: unit vectors, instrument axes */
    int64_t count;
} range_config;

#define COMMON(looks, far)                                                                                             \
    FM_INSTRUMENT_ATTRS_AIMED(range_config, looks), FM_FLAW_ATTRS(range_config, flaws, "m"),                           \
        FM_REAL_ATTR(range_config, range, "range", "m", 1e-3, 12000, far, 0, "the farthest it measures"),              \
        FM_REAL_ATTR(range_config, nearest, "nearest", "m", 0, 1000, "0 m", 0, "the nearest it measures")
#define WEDGE(wide, many)                                                                                              \
    FM_REAL_ATTR(range_config, half_angle[0], "half-angle", "rad", 0, 3.1416, wide, 0, "of the wedge, to both sides"), \
        FM_REAL_ATTR(range_config, half_angle[1], "vertical-half-angle", "rad", 0, 1.5708, "0 deg", 0,                 \
                     "of the wedge, up and down"),                                                                     \
        FM_INT_ATTR(range_config, rays[0], "rays", 1, 1024, many, 0, "evenly spaced across the wedge"),                \
        FM_INT_ATTR(range_config, rays[1], "vertical-rays", 1, 1024, "1", 0, "evenly spaced from top to bottom"),      \
        FM_REAL_ATTR(range_config, least_cosine, "least-cosine", "", 0, 1, "0", 0,                                     \
                     "of incidence: flatter echoes do not come back")
#define BY_BEARING                                                                                                     \
    FM_BOOL_ATTR(range_config, by_bearing, "by-bearing", "false", 0,                                                   \
                 "also gives decision makers the shortest range at each of its bearings, each with its own noise")

static const fm_attr sonar_attrs[] = {
    COMMON("0 0 0 deg", "50 m"),
    WEDGE("15 deg", "13"),
    BY_BEARING,
};
static const fm_element sonar_element =
    FM_TABLE_ELEMENT(range_config, "sonar", sonar_attrs, NULL, 0,
                     "Range sonar: a wedge of rays around its forward axis, which reports the shortest range.");
static const fm_attr infrared_attrs[] = {
    COMMON("0 0 0 deg", "0.8 m"),
    WEDGE("4 deg", "3"),
    BY_BEARING,
};
static const fm_element infrared_element = FM_TABLE_ELEMENT(
    range_config, "infrared", infrared_attrs, NULL, 0,
    "Infrared range finder: a narrow wedge of rays around its forward axis, which reports the shortest range.");
static const char *const modes[] = {"ray", "formula", NULL};
static const fm_attr echosounder_attrs[] = {
    COMMON("0 -90 0 deg", "200 m"),
    WEDGE("0 deg", "1"),
    FM_CHOICE_ATTR(range_config, mode, modes, "mode", "ray", 0,
                   "ray: the way along its axis, slanted when the vehicle tilts; formula: water depth less own depth"),
};
static const fm_element echosounder_element =
    FM_TABLE_ELEMENT(range_config, "echosounder", echosounder_attrs, NULL, 0, "Echosounder; by default it looks down.");

static double spread(double half, int64_t i, int64_t count)
{
    return count > 1 ? half * (2 * (double)i / (double)(count - 1) - 1) : 0;
}

static const fm_output range_outputs[] = {
    FM_OUTPUT_NUMBER(fm_range_reading, range, "range", "m", FM_QUANTITY_RANGE),
    FM_OUTPUT_NUMBER(fm_range_reading, radiation, "radiation_type", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_range_reading, field_of_view, "field_of_view", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_range_reading, min_range, "min_range", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_range_reading, max_range, "max_range", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_range_reading, variance, "variance", "m2", FM_QUANTITY_NONE),
};

/* The ranges at the bearings follow the reading, for other parts of the vehicle. */
static fm_status describe_bearings(fm_part_load *load, const range_config *c)
{
    fm_output *o = fm_load_alloc(load, sizeof range_outputs + sizeof *o);
    if (!o)
        return FM_ERR_MEMORY;
    memcpy(o, range_outputs, sizeof range_outputs);
    o[FM_COUNT(range_outputs)] = (fm_output){.field = "ranges",
                                             .unit = "m",
                                             .offset = sizeof(fm_range_reading),
                                             .count = (size_t)c->rays[0],
                                             .reach = FM_OUTPUT_INNER,
                                             .quantity = FM_QUANTITY_FAN};
    fm_load_outputs(load, o, FM_COUNT(range_outputs) + 1);
    return FM_OK;
}

static fm_status check_range(fm_part_load *load, const range_config *c, fm_error *error)
{
    if (c->count > RAYS_MOST)
        return fm_load_fail(load, error, FM_ERR_RANGE, "%lld rays given: must be at most %d", (long long)c->count,
                            RAYS_MOST);
    if (c->nearest >= c->range)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "nearest: %g m is out of range: must be less than the range of %g m", c->nearest, c->range);
    return FM_OK;
}

static fm_status load_range(fm_part_load *load, void *config, fm_error *error)
{
    range_config *c = config;
    c->count = c->rays[0] * c->rays[1];
    const fm_status status = check_range(load, c, error);
    if (status != FM_OK)
        return status;
    if (!(c->directions = fm_load_alloc(load, (size_t)c->count * sizeof *c->directions)))
        return FM_ERR_MEMORY;
    for (int64_t k = 0; k < c->rays[1]; k++)
        for (int64_t i = 0; i < c->rays[0]; i++)
            fm_sight_direction(spread(c->half_angle[0], i, c->rays[0]), spread(c->half_angle[1], k, c->rays[1]),
                               c->directions[k * c->rays[0] + i]);
    c->instrument.mount.nearest = c->nearest;
    c->instrument.mount.farthest = c->range;
    c->instrument.mount.width = 2 * c->half_angle[0];
    c->instrument.mount.height = 2 * c->half_angle[1];
    if (c->by_bearing && describe_bearings(load, c) != FM_OK)
        return FM_ERR_MEMORY;
    const size_t bearings = c->by_bearing ? (size_t)c->rays[0] : 0;
    return fm_instrument_load(load, &c->instrument, 1, FM_READING_WORDS(fm_range_reading) + bearings, 0, error);
}

static fm_status load_infrared(fm_part_load *load, void *config, fm_error *error)
{
    ((range_config *)config)->infrared = 1;
    return load_range(load, config, error);
}

/* The shortest of the rays at each bearing, m; infinite: no hit. */
static void measure_bearings(const fm_part_context *context, const range_config *c, double *shortest)
{
    fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    double origin[BLOCK][3], direction[BLOCK][3];
    fm_ray_hit hits[BLOCK];
    for (int64_t i = 0; i < c->rays[0]; i++)
        shortest[i] = HUGE_VAL;
    for (int64_t first = 0; first < c->count; first += BLOCK) {
        size_t count = (size_t)(c->count - first < BLOCK ? c->count - first : BLOCK);
        for (size_t i = 0; i < count; i++) {
            for (int k = 0; k < 3; k++)
                origin[i][k] = at.position[k];
            fm_vector_to_world(at.rotation, c->directions[first + (int64_t)i], direction[i]);
        }
        fm_sight_cast(context, count, (const double(*)[3])origin, (const double(*)[3])direction, c->range, hits);
        for (size_t i = 0; i < count; i++)
            if (hits[i].cosine >= c->least_cosine) {
                double *best = &shortest[(first + (int64_t)i) % c->rays[0]];
                *best = fmin(*best, hits[i].distance);
            }
    }
}

static double least_of(const double *values, int64_t count)
{
    double best = HUGE_VAL;
    for (int64_t i = 0; i < count; i++)
        best = fmin(best, values[i]);
    return best;
}

/* (I6) D(x, y) − z. */
static double formula(const fm_part_context *context, const range_config *c)
{
    fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    return fmax(fm_environment_depth(context->environment, at.position[0], at.position[1]) - at.position[2], 0);
}

/* The output for a measured range; `met`: there was an echo. */
static double told(const range_config *c, int met, double range)
{
    return !met || range > c->range ? HUGE_VAL : range < c->nearest ? -HUGE_VAL : range;
}

/* One range: the shortest of all. */
static double give_shortest(const fm_part_context *context, const range_config *c, const range_config *live,
                            const double *measured)
{
    double range = c->mode == MODE_FORMULA ? formula(context, c) : measured ? least_of(measured, c->rays[0]) : HUGE_VAL;
    int met = range <= c->range;
    fm_instrument_spoil(context, &live->flaws, 0, 1, &range);
    return told(c, met, range);
}

/* A range at each bearing with independent noise; bias, walk, drift and outliers are shared. Returns the shortest
 * output. */
static double give_bearings(const fm_part_context *context, const range_config *c, const range_config *live,
                            double *ranges)
{
    const fm_flaws shared = {.bias = {live->flaws.bias[0]},
                             .bias_walk = live->flaws.bias_walk,
                             .drift = live->flaws.drift,
                             .drift_time = live->flaws.drift_time,
                             .outliers = live->flaws.outliers,
                             .outlier_size = live->flaws.outlier_size};
    fm_flaws flaws = live->flaws;
    flaws.bias[0] = 0;
    fm_instrument_spoil(context, &shared, 0, 1, &flaws.bias[0]);
    double best = HUGE_VAL;
    for (int64_t i = 0; i < c->rays[0]; i++) {
        int met = ranges[i] <= c->range;
        if (met)
            fm_instrument_spoil_row(context, &flaws, (size_t)(1 + i), 1, &ranges[i]);
        ranges[i] = told(c, met, ranges[i]);
        best = fmin(best, ranges[i]);
    }
    return best;
}

static void run_range(const fm_part_context *context)
{
    const range_config *c = context->config, *live = context->live;
    struct {
        fm_range_reading head;
        double ranges[BEARINGS_MOST];
    } r;
    r.head = (fm_range_reading){.radiation = c->infrared,
                                .field_of_view = 2 * c->half_angle[0],
                                .min_range = c->nearest,
                                .max_range = c->range,
                                .variance = live->flaws.noise * live->flaws.noise};
    int works = live->health.fault == FM_FAULT_HEALTHY; /* otherwise the measurement would not be visible */
    if (c->mode != MODE_FORMULA && works)
        measure_bearings(context, c, r.ranges);
    if (c->by_bearing && works)
        r.head.range = give_bearings(context, c, live, r.ranges);
    else
        r.head.range = give_shortest(context, c, live, works ? r.ranges : NULL);
    fm_instrument_give(context, &c->instrument, &live->health, 1, &r.head.range);
}

#define RANGE_CLASS(its_element, its_load)                                                                             \
    {                                                                                                                  \
        .kind = FM_PART_SENSOR, .element = &its_element, .live_size = offsetof(range_config, instrument),              \
        .mount = FM_MOUNT_AT(range_config, instrument.mount), .message = "sensor_msgs/Range",                          \
        .outputs = range_outputs, .output_count = FM_COUNT(range_outputs), .counts = FM_COUNTS_READING,                \
        .load = its_load, .run = run_range                                                                             \
    }
const fm_part_class fm_sonar_class = RANGE_CLASS(sonar_element, load_range);
const fm_part_class fm_infrared_class = RANGE_CLASS(infrared_element, load_infrared);
const fm_part_class fm_echosounder_class = RANGE_CLASS(echosounder_element, load_range);
