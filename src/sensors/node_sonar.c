/* <node-sonar>: a forward-looking sonar in the vertical plane ahead. Its rays meet the bottom, obstacles and vehicles,
 * and fill pixels of range by bearing; or, in mode nodes, each node of the bottom is a return of its own.
 * docs/theory/remus.md (R9), (R9a), (R12) */
#include "sensors/node_sonar.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "control/threat.h"
#include "environment/bodies.h"
#include "environment/sight.h"
#include "physics/posture.h"
#include "sensors/fan_rays.h"

enum { RAYS, NODES };
static const char *const mode_names[] = {"rays", "nodes", NULL};

typedef struct sonar_config {
    double frame;             /* live: s */
    int64_t occlusion;        /* live */
    double threshold;         /* live: share of a beam's rays */
    double range;             /* m */
    double spacing;           /* m */
    int64_t mode;             /* RAYS or NODES */
    double bin, beam, sector; /* m, rad, rad: of pixels */
    int64_t rays;             /* of a beam */
    const char *name;
    fm_mount mount; /* at the origin, looking ahead */
    int64_t nodes;  /* in range at most */
    int64_t room;
    int64_t beams, bins;
} sonar_config;

/* The data of an image that mode rays publishes, after the returns. */
typedef struct pixel_values {
    double dtype;   /* 0: bytes */
    double beams;   /* in a bin */
    double image[]; /* nearest return of every beam, beam directions (3 per beam), ranges of the bins, then one byte per
                     * pixel */
} pixel_values;

enum { NODES_MOST = 100000, TRACED_MOST = 1024, PIXELS_MOST = 1 << 16 };

static const fm_attr attrs[] = {
    FM_REAL_ATTR(sonar_config, frame, "frame", "s", 0, 1e3, "0 s", FM_ATTR_LIVE,
                 "interval between images, each held until the next; 0: continuous"),
    FM_BOOL_ATTR(sonar_config, occlusion, "occlusion", "false", FM_ATTR_LIVE,
                 "mode nodes: nodes hidden by higher ones return nothing; false: every node returns"),
    FM_REAL_ATTR(sonar_config, threshold, "threshold", "", 0, 1, "0", FM_ATTR_LIVE,
                 "mode rays: a pixel returns where more than this share of its beam's rays end; 0: one ray is enough"),
    FM_REAL_ATTR(sonar_config, range, "range", "m", 0.1, 1e4, NULL, FM_ATTR_REQUIRED, "longest return"),
    FM_REAL_ATTR(sonar_config, spacing, "spacing", "m", 0.01, 100, NULL, FM_ATTR_REQUIRED,
                 "of the nodes of the bottom along the course; rays meet the straight lines between them"),
    FM_CHOICE_ATTR(sonar_config, mode, mode_names, "mode", "rays", 0,
                   "rays: traced to what they meet first, and gathered in pixels of range by bearing, each with a "
                   "return or none; nodes: each node of the bottom is a return of its own"),
    FM_REAL_ATTR(sonar_config, bin, "bin", "m", 0.01, 1e3, "1 m", 0, "length of a pixel"),
    FM_REAL_ATTR(sonar_config, beam, "beam", "rad", 1e-3, 3.1416, "1 deg", 0,
                 "height of a pixel; taken so that whole beams fill the sector"),
    FM_REAL_ATTR(sonar_config, sector, "sector", "rad", 1e-3, 3.1416, "20 deg", 0, "over which the beams lie"),
    FM_INT_ATTR(sonar_config, rays, "rays", 1, FM_FAN_RAYS, "8", 0, "of a beam, evenly over its height"),
    FM_NAME_ATTR(sonar_config, name, "name", NULL, 0, "of this sensor"),
};
static const fm_element element = FM_TABLE_ELEMENT(
    sonar_config, "node-sonar", attrs, NULL, 0,
    "Forward-looking sonar in the vertical plane of the vehicle's course: rays that end where they first meet bottom, "
    "obstacle or vehicle, gathered in pixels of range by bearing; or range and bearing of bottom nodes.");

/* --- at load --- */

static size_t pixel_words(const sonar_config *c)
{
    return sizeof(pixel_values) / 8 + (size_t)(4 * c->beams + c->bins) + (size_t)(c->beams * c->bins + 7) / 8;
}

static size_t pixel_index(const sonar_config *c)
{
    return sizeof(fm_node_image) + 2 * (size_t)c->room * sizeof(double);
}

/* For other parts: the space for ranges and bearings depends on the range. */
static size_t describe_returns(const sonar_config *c, fm_output *o)
{
    static const fm_output head[] = {
        FM_OUTPUT_NUMBER(fm_node_image, count, "count", "", FM_QUANTITY_RETURNS),
        FM_OUTPUT_NUMBER(fm_node_image, own, "own", "", FM_QUANTITY_OWN_RETURNS),
        FM_OUTPUT_NUMBER(fm_node_image, spacing, "spacing", "m", FM_QUANTITY_SPACING),
        FM_OUTPUT_NUMBER(fm_node_image, theta, "theta", "rad", FM_QUANTITY_PITCH),
    };
    enum { HEAD = FM_COUNT(head) };
    const size_t room = (size_t)c->room, ranges = sizeof(fm_node_image), bearings = ranges + room * sizeof(double);
    memcpy(o, head, sizeof head);
    o[0].type = o[1].type = FM_OUTPUT_INT64;
    if (c->mode == NODES)
        o[1].quantity = FM_QUANTITY_NONE;
    o[HEAD] = (fm_output){"return_ranges", "m", ranges, room, .quantity = FM_QUANTITY_RANGES};
    o[HEAD + 1] = (fm_output){"bearings", "rad", bearings, room, .quantity = FM_QUANTITY_BEARINGS};
    for (size_t i = 0; i < HEAD + 2; i++)
        o[i].reach = FM_OUTPUT_INNER;
    return HEAD + 2;
}

/* Outputs of both modes: the level image, in the order of pixel_values. */
static size_t describe_pixels(const sonar_config *c, fm_output *o)
{
    const size_t beams = (size_t)c->beams, bins = (size_t)c->bins, first = pixel_index(c),
                 image = first + sizeof(pixel_values);
    o[0] = (fm_output){.field = "image.dtype", .unit = "", .offset = first, .count = 1};
    o[1] = (fm_output){.field = "image.beam_count", .unit = "", .offset = first + 8, .count = 1};
    o[2] = (fm_output){.field = "nearest", .unit = "m", .offset = image, .count = beams, .reach = FM_OUTPUT_LOCAL};
    o[3] = (fm_output){.field = "beam_directions",
                       .unit = "",
                       .offset = image + 8 * beams,
                       .count = 3 * beams,
                       .frame = FM_OUTPUT_BODY};
    o[4] = (fm_output){.field = "ranges", .unit = "m", .offset = image + 32 * beams, .count = bins};
    o[5] = (fm_output){.field = "image.data",
                       .unit = "",
                       .offset = image + 32 * beams + 8 * bins,
                       .count = beams * bins,
                       .type = FM_OUTPUT_UINT8};
    return 6;
}

static fm_status describe(fm_part_load *load, const sonar_config *c, fm_error *error)
{
    fm_output *o = fm_load_alloc(load, 16 * sizeof *o);
    if (!o)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the sonar");
    size_t count = describe_returns(c, o);
    if (c->mode == RAYS)
        count += describe_pixels(c, o + count);
    fm_load_outputs(load, o, count);
    return FM_OK;
}

static fm_status load_rays(fm_part_load *load, sonar_config *c, fm_error *error)
{
    const double pixels = c->range / c->bin * c->sector / c->beam;
    if (pixels > PIXELS_MOST)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "range over bin and sector over beam give %.0f pixels: must be at most %d", pixels,
                            PIXELS_MOST);
    if (c->nodes > TRACED_MOST)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "range over spacing gives %lld nodes: rays take at most %d, mode=\"nodes\" %d",
                            (long long)c->nodes, TRACED_MOST, NODES_MOST);
    c->beams = (int64_t)fmax(1, floor(c->sector / c->beam + 0.5));
    c->beam = c->sector / (double)c->beams;
    c->bins = (int64_t)ceil(c->range / c->bin - 1e-9);
    c->room = 2 * c->beams * c->rays;
    c->mount.height = c->sector;
    return FM_OK;
}

static fm_status load_sonar(fm_part_load *load, void *memory, fm_error *error)
{
    sonar_config *c = memory;
    const double nodes = floor(c->range / c->spacing) + 3;
    if (nodes > NODES_MOST)
        return fm_load_fail(load, error, FM_ERR_RANGE, "range over spacing gives %g nodes: must be at most %d", nodes,
                            NODES_MOST);
    c->nodes = c->room = (int64_t)nodes;
    c->mount.farthest = c->range;
    const fm_status status = c->mode == RAYS ? load_rays(load, c, error) : FM_OK;
    if (status != FM_OK)
        return status;
    fm_load_output_size(load, pixel_index(c) + (c->mode == RAYS ? 8 * pixel_words(c) : 0));
    return describe(load, c, error);
}

/* --- in a step --- */

/* The pose of an image, and the destination of its returns. */
typedef struct sight {
    const sonar_config *config;
    const fm_part_context *context;
    fm_node_image *image;
    double *ranges, *bearings; /* of returns */
    fm_node_line line;
} sight;

static double depth_of_node(const sight *s, int i, double *ahead)
{
    const double *at = s->context->vehicle->position;
    *ahead = fm_node_ahead(&s->line, i, s->config->spacing);
    return fm_environment_depth(s->context->environment, at[0] + *ahead * s->line.north, at[1] + *ahead * s->line.east);
}

static void add_return(const sight *s, int64_t number, double range, double bearing)
{
    s->ranges[number] = range;
    s->bearings[number] = bearing;
}

/* (R9) */
static void scan_nodes(const sight *s, int occlusion)
{
    const sonar_config *c = s->config;
    double highest = FM_PI, ahead;
    for (int i = 0; i < (int)c->nodes; i++) {
        const double depth = depth_of_node(s, i, &ahead);
        const fm_node_return node =
            fm_node_search(ahead, depth - s->context->vehicle->position[2], c->range, occlusion, &highest);
        if (node.seen)
            add_return(s, s->image->count++, node.range, node.bearing);
    }
}

/* --- rays --- */

static fm_fan fan_of(const sonar_config *c, double threshold)
{
    return (fm_fan){.beams = (int)c->beams,
                    .rays = (int)c->rays,
                    .range = c->range,
                    .bin = c->bin,
                    .beam = c->beam,
                    .half = c->sector / 2,
                    .threshold = threshold};
}

/* Whether there is more to meet than the bottom. */
static int has_others(const fm_part_context *context)
{
    return context->environment->obstacle_count || fm_bodies_others(context->bodies, context->slot);
}

/* Shortens the rays of a beam, of these bearings, to the first hit before the bottom. */
static void meet_others(const sight *s, int rays, double bearing[][2], double range[])
{
    const fm_part_context *context = s->context;
    double origin[FM_FAN_RAYS][3], direction[FM_FAN_RAYS][3];
    fm_ray_hit hits[FM_FAN_RAYS];
    for (int j = 0; j < rays; j++) {
        memcpy(origin[j], context->vehicle->position, sizeof origin[j]);
        direction[j][0] = bearing[j][0] * s->line.north;
        direction[j][1] = bearing[j][0] * s->line.east;
        direction[j][2] = bearing[j][1];
    }
    fm_sight_cast_solids(context, (size_t)rays, (const double(*)[3])origin, (const double(*)[3])direction,
                         s->config->range, hits);
    for (int j = 0; j < rays; j++)
        range[j] = fmin(range[j], hits[j].distance);
}

/* (R9a) The bins in which the rays of beam k end, the fan tilted up by `tilt`. */
static void trace_beam(const sight *s, const fm_fan *fan, const fm_fan_profile *profile, int others, int k, double tilt,
                       double bins[])
{
    double way[FM_FAN_RAYS][2], range[FM_FAN_RAYS];
    for (int j = 0; j < fan->rays; j++) {
        const double bearing = fm_fan_ray(fan, k, j) - tilt;
        way[j][0] = fm_cos(bearing);
        way[j][1] = fm_sin(bearing);
        range[j] = fm_fan_meet(profile, way[j][0], way[j][1]);
    }
    if (others)
        meet_others(s, fan->rays, way, range);
    for (int j = 0; j < fan->rays; j++)
        bins[j] = fm_fan_bin(fan, range[j]);
}

/* Adds the returns of a whole fan from number `first` on; returns their number. bytes, nearest: the image, NULL:
 * none. */
static int64_t trace_fan(const sight *s, const fm_fan *fan, const fm_fan_profile *profile, double tilt, int64_t first,
                         uint8_t *bytes, double *nearest)
{
    const int others = has_others(s->context);
    int64_t count = 0;
    double bins[FM_FAN_RAYS];
    for (int k = 0; k < fan->beams; k++) {
        trace_beam(s, fan, profile, others, k, tilt, bins);
        for (int j = 0; j < fan->rays; j++) {
            if (!fm_fan_returns(fan, bins, j))
                continue;
            const double range = fm_fan_range(fan, bins[j]);
            add_return(s, first + count++, range, fm_fan_bearing(fan, k) - tilt);
            if (bytes) {
                bytes[(int64_t)bins[j] * fan->beams + k] = 255;
                nearest[k] = fmin(nearest[k], range);
            }
        }
    }
    return count;
}

/* Ranges of bins, and directions of the beams of the level image in the vehicle's axes. */
static void write_axes(const fm_fan *fan, int64_t bins, double theta, double *directions, double *ranges)
{
    for (int k = 0; k < fan->beams; k++) {
        const double down = fm_fan_bearing(fan, k) + theta;
        directions[3 * k] = fm_cos(down);
        directions[3 * k + 1] = 0;
        directions[3 * k + 2] = fm_sin(down);
    }
    for (int64_t i = 0; i < bins; i++)
        ranges[i] = fm_fan_range(fan, (double)i);
}

/* (R9a) The returns of the level fan and of the one that pitches with the vehicle, and the level image. */
static void trace_rays(const sight *s, double threshold)
{
    const sonar_config *c = s->config;
    const fm_fan fan = fan_of(c, threshold);
    fm_node_image *image = s->image;
    pixel_values *values = (pixel_values *)(void *)((char *)image + pixel_index(c));
    double *directions = values->image + c->beams, *ranges = directions + 3 * c->beams, below[TRACED_MOST], ahead;
    uint8_t *bytes = (uint8_t *)(ranges + c->bins);
    for (int i = 0; i < (int)c->nodes; i++)
        below[i] = fm_fan_below(depth_of_node(s, i, &ahead), s->context->vehicle->position[2]);
    const fm_fan_profile profile = {&s->line, below, (int)c->nodes, c->spacing};
    values->dtype = 0;
    values->beams = (double)c->beams;
    memset(bytes, 0, (size_t)(c->beams * c->bins));
    for (int64_t k = 0; k < c->beams; k++)
        values->image[k] = HUGE_VAL;
    image->count = trace_fan(s, &fan, &profile, 0, 0, bytes, values->image);
    image->own = trace_fan(s, &fan, &profile, image->theta, image->count, NULL, NULL);
    write_axes(&fan, c->bins, image->theta, directions, ranges);
}

static void take_image(const fm_part_context *context, const sonar_config *c, const sonar_config *live)
{
    fm_node_image *image = context->output;
    double *ranges = (double *)(void *)(image + 1), euler[3];
    fm_euler_from_matrix(context->vehicle->rotation, euler);
    const sight s = {c,      context,          image,
                     ranges, ranges + c->room, fm_node_line_of(context->vehicle->position, euler[2], c->spacing)};
    image->number++;
    image->room = c->room;
    image->spacing = c->mode == RAYS ? c->bin : c->spacing;
    image->theta = euler[1];
    image->count = image->own = 0;
    if (c->mode == RAYS)
        trace_rays(&s, live->threshold);
    else
        scan_nodes(&s, live->occlusion != 0);
}

static void run_sonar(const fm_part_context *context)
{
    const sonar_config *c = context->config, *live = context->live;
    const fm_threat_params p = {.frame = live->frame};
    fm_threat_state *held = context->state;
    if (fm_threat_due(&p, held, context->period))
        take_image(context, c, live);
    fm_threat_hold(&p, held, 0, context->period);
}

const fm_part_class fm_node_sonar_class = {.kind = FM_PART_SENSOR,
                                           .element = &element,
                                           .live_size = offsetof(sonar_config, range),
                                           .mount = FM_MOUNT_AT(sonar_config, mount),
                                           .message = "marine_acoustic_msgs/ProjectedSonarImage",
                                           .counts = FM_COUNTS_SAMPLES,
                                           .state_size = sizeof(fm_threat_state),
                                           .load = load_sonar,
                                           .run = run_sonar};

const char *fm_node_sonar_describe(const void *config, fm_follower *p)
{
    const sonar_config *c = config;
    p->nodes = (int32_t)c->nodes;
    p->occlusion = c->occlusion != 0;
    p->frame = c->frame;
    p->range = c->range;
    p->spacing = c->spacing;
    p->traces = c->mode == RAYS;
    p->beams = (int32_t)c->beams;
    p->rays = (int32_t)c->rays;
    p->bin = c->bin;
    p->beam = c->beam;
    p->half = c->sector / 2;
    p->threshold = c->threshold;
    return NULL;
}
