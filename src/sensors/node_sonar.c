/* <node-sonar>: returns of bottom nodes in the vertical plane ahead. docs/theory/remus.md (R9), (R12) */
#include "sensors/node_sonar.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "environment/environment.h"
#include "physics/posture.h"
#include "physics/threat.h"

typedef struct sonar_config {
    double frame;      /* live: s */
    int64_t occlusion; /* live */
    double range;      /* m */
    double spacing;    /* m; 0: the bottom's own nodes */
    const char *name;
    fm_mount mount; /* at the origin, looking ahead */
    int64_t room;
} sonar_config;

enum { NODES_MOST = 100000 };

static const fm_attr attrs[] = {
    FM_REAL_ATTR(sonar_config, frame, "frame", "s", 0, 1e3, "0 s", FM_ATTR_LIVE,
                 "interval between images, each held until the next; 0: continuous"),
    FM_BOOL_ATTR(sonar_config, occlusion, "occlusion", "false", FM_ATTR_LIVE,
                 "nodes behind higher ones return nothing; false: every node returns, as in the paper"),
    FM_REAL_ATTR(sonar_config, range, "range", "m", 0.1, 1e4, NULL, FM_ATTR_REQUIRED, "longest return"),
    FM_REAL_ATTR(sonar_config, spacing, "spacing", "m", 0.01, 100, NULL, FM_ATTR_REQUIRED,
                 "of the nodes along the course; they stand still on the bottom"),
    FM_NAME_ATTR(sonar_config, name, "name", NULL, 0, "of this sensor"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(sonar_config, "node-sonar", attrs, NULL, 0,
                     "Forward-looking sonar in the vertical plane of the vehicle's course: "
                     "range and bearing of bottom nodes at equal distances.");

/* For other parts: how many ranges and bearings there is room for depends on the range. */
static fm_status describe(fm_part_load *load, size_t room, fm_error *error)
{
    static const fm_output head[] = {
        FM_OUTPUT_NUMBER(fm_node_image, count, "count", "", FM_QUANTITY_RETURNS),
        FM_OUTPUT_NUMBER(fm_node_image, spacing, "spacing", "m", FM_QUANTITY_SPACING),
        FM_OUTPUT_NUMBER(fm_node_image, theta, "theta", "rad", FM_QUANTITY_PITCH),
    };
    enum { HEAD = FM_COUNT(head) };
    const size_t ranges = sizeof(fm_node_image), bearings = ranges + room * sizeof(double);
    fm_output *o = fm_load_alloc(load, (HEAD + 2) * sizeof *o);
    if (!o)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the sonar");
    memcpy(o, head, sizeof head);
    o[0].type = FM_OUTPUT_INT64;
    o[HEAD] = (fm_output){"ranges", "m", ranges, room, .quantity = FM_QUANTITY_RANGES};
    o[HEAD + 1] = (fm_output){"bearings", "rad", bearings, room, .quantity = FM_QUANTITY_BEARINGS};
    for (size_t i = 0; i < HEAD + 2; i++)
        o[i].reach = FM_OUTPUT_INNER;
    fm_load_outputs(load, o, HEAD + 2);
    return FM_OK;
}

static fm_status load_sonar(fm_part_load *load, void *memory, fm_error *error)
{
    sonar_config *c = memory;
    double nodes = floor(c->range / c->spacing) + 2;
    if (nodes > NODES_MOST)
        return fm_load_fail(load, error, FM_ERR_RANGE, "range over spacing gives %g nodes, accepted at most %d", nodes,
                            NODES_MOST);
    c->room = (int64_t)nodes;
    c->mount.farthest = c->range;
    fm_load_output_size(load, sizeof(fm_node_image) + 2 * (size_t)c->room * sizeof(double));
    return describe(load, (size_t)c->room, error);
}

/* (R9) Nodes stand at whole multiples of the spacing along the course, counted from the origin. */
static void take_image(const fm_part_context *context, const sonar_config *c, int occlusion, fm_node_image *image)
{
    const fm_vehicle_view *v = context->vehicle;
    double *ranges = (double *)(void *)(image + 1), *bearings = ranges + c->room, euler[3], highest = FM_PI;
    fm_euler_from_matrix(v->rotation, euler);
    const double north = fm_cos(euler[2]), east = fm_sin(euler[2]);
    const double along = north * v->position[0] + east * v->position[1], first = floor(along / c->spacing);
    image->number++;
    image->room = c->room;
    image->spacing = c->spacing;
    image->theta = euler[1];
    image->count = 0;
    for (int64_t i = 0; i < c->room; i++) {
        const double ahead = (first + (double)i) * c->spacing - along;
        const double below =
            fm_environment_depth(context->environment, v->position[0] + ahead * north, v->position[1] + ahead * east) -
            v->position[2];
        const double r = sqrt(ahead * ahead + below * below);
        if (!(ahead > 0) || !(r < c->range))
            continue;
        const double bearing = fm_asin(fmax(-1, fmin(1, below / r)));
        if (occlusion && bearing > highest)
            continue;
        highest = fmin(highest, bearing);
        ranges[image->count] = r;
        bearings[image->count++] = bearing;
    }
}

static void run_sonar(const fm_part_context *context)
{
    const sonar_config *c = context->config, *live = context->live;
    const fm_threat_params p = {.frame = live->frame};
    fm_threat_state *s = context->state;
    if (fm_threat_due(&p, s, context->period))
        take_image(context, c, live->occlusion != 0, context->output);
    fm_threat_hold(&p, s, 0, context->period);
}

const fm_part_class fm_node_sonar_class = {.kind = FM_PART_SENSOR,
                                           .element = &element,
                                           .live_size = offsetof(sonar_config, range),
                                           .mount = FM_MOUNT_AT(sonar_config, mount),
                                           .counts = FM_COUNTS_SAMPLES,
                                           .state_size = sizeof(fm_threat_state),
                                           .load = load_sonar,
                                           .run = run_sonar};
