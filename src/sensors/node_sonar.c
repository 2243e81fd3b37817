/* <node-sonar>: returns of bottom nodes in the vertical plane ahead, singly or gathered in pixels. docs/theory/remus.md
 * (R9), (R9a), (R12) */
#include "sensors/node_sonar.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "environment/environment.h"
#include "physics/node_look.h"
#include "physics/posture.h"
#include "physics/threat.h"
#include "sensors/pixel_image.h"

enum { NODES, PIXELS };
static const char *const mode_names[] = {"nodes", "pixels", NULL};

typedef struct sonar_config {
    double frame;             /* live: s */
    int64_t occlusion;        /* live */
    double threshold;         /* live: m */
    double range;             /* m */
    double spacing;           /* m; 0: the bottom's own nodes */
    int64_t mode;             /* NODES or PIXELS */
    double bin, beam, sector; /* m, rad, rad: of pixels */
    const char *name;
    fm_mount mount; /* at the origin, looking ahead */
    int64_t nodes;  /* in range at most */
    int64_t room;
    fm_pixel_grid grid;
} sonar_config;

/* State; in mode pixels two grids follow, m of bottom in each pixel: level, then pitching with the vehicle. */
typedef struct sonar_state {
    fm_threat_state held;
    double length[];
} sonar_state;

/* What mode pixels tells of an image, behind the returns. */
typedef struct pixel_values {
    double dtype; /* 0: bytes */
    double beams; /* in a bin */
    double
        image[]; /* nearest return of every beam, beam directions (3 a beam), ranges of the bins, then a byte a pixel */
} pixel_values;

enum { NODES_MOST = 100000, PIXELS_MOST = 1 << 16 };

static const fm_attr attrs[] = {
    FM_REAL_ATTR(sonar_config, frame, "frame", "s", 0, 1e3, "0 s", FM_ATTR_LIVE,
                 "interval between images, each held until the next; 0: continuous"),
    FM_BOOL_ATTR(sonar_config, occlusion, "occlusion", "false", FM_ATTR_LIVE,
                 "nodes behind higher ones return nothing; false: every node returns, as in the paper"),
    FM_REAL_ATTR(sonar_config, threshold, "threshold", "m", 0, 1e3, "0 m", FM_ATTR_LIVE,
                 "a pixel returns where more than this length of the bottom lies in it; 0: one node is enough"),
    FM_REAL_ATTR(sonar_config, range, "range", "m", 0.1, 1e4, NULL, FM_ATTR_REQUIRED, "longest return"),
    FM_REAL_ATTR(sonar_config, spacing, "spacing", "m", 0.01, 100, NULL, FM_ATTR_REQUIRED,
                 "of the nodes along the course; they stand still on the bottom"),
    FM_CHOICE_ATTR(sonar_config, mode, mode_names, "mode", "nodes", 0,
                   "nodes: each is a return of its own; pixels: bins of range by beams of bearing, each with a return "
                   "or none, and the image is told"),
    FM_REAL_ATTR(sonar_config, bin, "bin", "m", 0.01, 1e3, "2 m", 0, "length of a pixel"),
    FM_REAL_ATTR(sonar_config, beam, "beam", "rad", 1e-3, 3.1416, "1 deg", 0,
                 "height of a pixel; taken so that whole beams fill the sector"),
    FM_REAL_ATTR(sonar_config, sector, "sector", "rad", 1e-3, 3.1416, "20 deg", 0,
                 "over which the beams of pixels lie"),
    FM_NAME_ATTR(sonar_config, name, "name", NULL, 0, "of this sensor"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(sonar_config, "node-sonar", attrs, NULL, 0,
                     "Forward-looking sonar in the vertical plane of the vehicle's course: range and bearing of bottom "
                     "nodes at equal distances, or of the pixels that they fall in.");

/* --- at load --- */

static size_t pixel_words(const fm_pixel_grid *g)
{
    return sizeof(pixel_values) / 8 + (size_t)(4 * g->beams + g->bins) + (fm_pixel_count(g) + 7) / 8;
}

static size_t pixel_place(const sonar_config *c)
{
    return sizeof(fm_node_image) + 2 * (size_t)c->room * sizeof(double);
}

/* For other parts: how many ranges and bearings there is room for depends on the range. */
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

/* For all: the level image, in the order of pixel_values. */
static size_t describe_pixels(const sonar_config *c, fm_output *o)
{
    const size_t beams = (size_t)c->grid.beams, bins = (size_t)c->grid.bins, first = pixel_place(c),
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
    if (c->mode == PIXELS)
        count += describe_pixels(c, o + count);
    fm_load_outputs(load, o, count);
    return FM_OK;
}

static fm_status load_pixels(fm_part_load *load, sonar_config *c, fm_error *error)
{
    if (c->range / c->bin * c->sector / c->beam > PIXELS_MOST)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "range over bin and sector over beam give %.0f pixels, accepted "
                            "at most %d",
                            c->range / c->bin * c->sector / c->beam, PIXELS_MOST);
    c->grid = fm_pixel_grid_make(c->range, c->sector, c->bin, c->beam);
    const size_t pixels = fm_pixel_count(&c->grid);
    c->room = 2 * (int64_t)fmin((double)c->nodes, (double)pixels);
    c->mount.height = c->sector;
    fm_load_state_size(load, sizeof(sonar_state) + 2 * pixels * sizeof(double));
    return FM_OK;
}

static fm_status load_sonar(fm_part_load *load, void *memory, fm_error *error)
{
    sonar_config *c = memory;
    const double nodes = floor(c->range / c->spacing) + 2;
    if (nodes > NODES_MOST)
        return fm_load_fail(load, error, FM_ERR_RANGE, "range over spacing gives %g nodes, accepted at most %d", nodes,
                            NODES_MOST);
    c->nodes = c->room = (int64_t)nodes;
    c->mount.farthest = c->range;
    const fm_status status = c->mode == PIXELS ? load_pixels(load, c, error) : FM_OK;
    if (status != FM_OK)
        return status;
    fm_load_output_size(load, pixel_place(c) + (c->mode == PIXELS ? 8 * pixel_words(&c->grid) : 0));
    return describe(load, c, error);
}

/* --- in a step --- */

/* Where an image is taken from, and where its returns go. */
typedef struct sight {
    const sonar_config *config;
    const fm_part_context *context;
    fm_node_image *image;
    double *ranges, *bearings; /* of returns */
    double *level, *own;       /* m of bottom in each pixel */
} sight;

static void take_node(const sight *s, double range, double bearing)
{
    const sonar_config *c = s->config;
    if (c->mode == NODES) {
        s->ranges[s->image->count] = range;
        s->bearings[s->image->count++] = bearing;
        return;
    }
    fm_pixel_add(&c->grid, s->level, range, bearing, c->spacing);
    fm_pixel_add(&c->grid, s->own, range, bearing + s->image->theta, c->spacing);
}

/* (R9) */
static void look_at_nodes(const sight *s, int occlusion, double heading)
{
    const double *at = s->context->vehicle->position;
    const sonar_config *c = s->config;
    const fm_node_line line = fm_node_line_of(at, heading, c->spacing);
    double highest = FM_PI;
    for (int i = 0; i < (int)c->nodes; i++) {
        const double ahead = fm_node_ahead(&line, i, c->spacing);
        const double depth =
            fm_environment_depth(s->context->environment, at[0] + ahead * line.north, at[1] + ahead * line.east);
        const fm_node_return node = fm_node_look(ahead, depth - at[2], c->range, occlusion, &highest);
        if (node.seen)
            take_node(s, node.range, node.bearing);
    }
}

/* (R9a) The returns of both grids, and the level image with the directions of its beams in the vehicle's axes. */
static void write_pixels(const sight *s, double threshold)
{
    const fm_pixel_grid *g = &s->config->grid;
    fm_node_image *image = s->image;
    pixel_values *values = (pixel_values *)(void *)((char *)image + pixel_place(s->config));
    double *directions = values->image + g->beams, *ranges = directions + 3 * g->beams;
    image->count = (int64_t)fm_pixel_list(g, s->level, threshold, 0, s->ranges, s->bearings);
    image->own = (int64_t)fm_pixel_list(g, s->own, threshold, image->theta, s->ranges + image->count,
                                        s->bearings + image->count);
    values->dtype = 0;
    values->beams = (double)g->beams;
    fm_pixel_draw(g, s->level, threshold, (uint8_t *)(ranges + g->bins), values->image);
    for (int64_t k = 0; k < g->beams; k++) {
        const double down = fm_pixel_bearing(g, k) + image->theta;
        directions[3 * k] = fm_cos(down);
        directions[3 * k + 1] = 0;
        directions[3 * k + 2] = fm_sin(down);
    }
    for (int64_t i = 0; i < g->bins; i++)
        ranges[i] = fm_pixel_range(g, i);
}

static void take_image(const fm_part_context *context, const sonar_config *c, const sonar_config *live,
                       sonar_state *state)
{
    fm_node_image *image = context->output;
    double *ranges = (double *)(void *)(image + 1), euler[3];
    const size_t pixels = c->mode == PIXELS ? fm_pixel_count(&c->grid) : 0;
    const sight s = {c, context, image, ranges, ranges + c->room, state->length, state->length + pixels};
    fm_euler_from_matrix(context->vehicle->rotation, euler);
    image->number++;
    image->room = c->room;
    image->spacing = c->mode == PIXELS ? c->grid.bin : c->spacing;
    image->theta = euler[1];
    image->count = image->own = 0;
    memset(state->length, 0, 2 * pixels * sizeof(double));
    look_at_nodes(&s, live->occlusion != 0, euler[2]);
    if (c->mode == PIXELS)
        write_pixels(&s, live->threshold);
}

static void run_sonar(const fm_part_context *context)
{
    const sonar_config *c = context->config, *live = context->live;
    const fm_threat_params p = {.frame = live->frame};
    sonar_state *s = context->state;
    if (fm_threat_due(&p, &s->held, context->period))
        take_image(context, c, live, s);
    fm_threat_hold(&p, &s->held, 0, context->period);
}

const fm_part_class fm_node_sonar_class = {.kind = FM_PART_SENSOR,
                                           .element = &element,
                                           .live_size = offsetof(sonar_config, range),
                                           .mount = FM_MOUNT_AT(sonar_config, mount),
                                           .message = "marine_acoustic_msgs/ProjectedSonarImage",
                                           .counts = FM_COUNTS_SAMPLES,
                                           .state_size = sizeof(sonar_state),
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
    return c->mode == NODES ? NULL : "its <node-sonar> makes pixels";
}
