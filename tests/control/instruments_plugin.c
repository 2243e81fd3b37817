/* Instruments of a stranger, as a shared object: a depth gauge that counts in feet and a sonar over a flat bottom. They
 * tell by the contract of parts alone what they give. */
#include <math.h>
#include <stddef.h>

#include <fathom/part.h>

/* --- <sounding-line> --- */

typedef struct line_config {
    double error; /* live: m */
    fm_mount mount;
} line_config;

typedef struct line_output {
    double spare, feet;
} line_output;

static const fm_attr line_attrs[] = {
    FM_REAL_ATTR(line_config, error, "error", "m", -10, 10, "0 m", FM_ATTR_LIVE, "added to the depth"),
    FM_MOUNT_ATTRS(line_config, mount, "0 0 0 deg"),
};
static const fm_element line_element = FM_TABLE_ELEMENT(line_config, "sounding-line", line_attrs, NULL, 0, "Depth.");

static void run_line(const fm_part_context *context)
{
    const line_config *c = context->config, *live = context->live;
    const double *R = context->vehicle->rotation, *r = c->mount.position;
    line_output *out = context->output;
    const double depth = context->vehicle->position[2] + R[6] * r[0] + R[7] * r[1] + R[8] * r[2];
    out->feet = (depth + live->error) / 0.3048;
}

static const fm_output line_outputs[] = {
    FM_OUTPUT_NUMBER(line_output, feet, "feet", "ft", FM_QUANTITY_DEPTH),
};
static const fm_part_class line_class = {.kind = FM_PART_SENSOR,
                                         .element = &line_element,
                                         .live_size = offsetof(line_config, mount),
                                         .output_size = sizeof(line_output),
                                         .outputs = line_outputs,
                                         .output_count = FM_COUNT(line_outputs),
                                         .mount = FM_MOUNT_AT(line_config, mount),
                                         .start = run_line,
                                         .run = run_line};

/* --- <bottom-sonar>: nodes of a flat bottom every half metre ahead, up to 40 m --- */

enum { NODES = 82 };

typedef struct sonar_config {
    const char *name;
} sonar_config;

typedef struct sonar_output {
    int64_t number, count;
    double spacing, pitch, range[NODES], bearing[NODES];
} sonar_output;

static const fm_attr sonar_attrs[] = {FM_NAME_ATTR(sonar_config, name, "name", NULL, 0, "of the sonar")};
static const fm_element sonar_element =
    FM_TABLE_ELEMENT(sonar_config, "bottom-sonar", sonar_attrs, NULL, 0, "Returns of a flat bottom.");

static void run_sonar(const fm_part_context *context)
{
    const double *R = context->vehicle->rotation, below = context->vehicle->depth_below;
    sonar_output *out = context->output;
    const double along = context->vehicle->position[0], first = floor(along / 0.5);
    out->number++;
    out->spacing = 0.5;
    out->pitch = asin(-R[6]);
    out->count = 0;
    for (int i = 0; i < NODES; i++) {
        const double ahead = (first + i) * 0.5 - along, r = sqrt(ahead * ahead + below * below);
        if (!(ahead > 0) || !(r < 40))
            continue;
        out->range[out->count] = r;
        out->bearing[out->count++] = asin(below / r);
    }
}

static const fm_output sonar_outputs[] = {
    {"count", "", offsetof(sonar_output, count), 1, .type = FM_OUTPUT_INT64, .quantity = FM_QUANTITY_RETURNS},
    FM_OUTPUT_NUMBER(sonar_output, spacing, "spacing", "m", FM_QUANTITY_SPACING),
    FM_OUTPUT_NUMBER(sonar_output, pitch, "pitch", "rad", FM_QUANTITY_PITCH),
    FM_OUTPUT_FIELD(sonar_output, range, "range", "m", NODES, FM_OUTPUT_PLAIN, FM_QUANTITY_RANGES),
    FM_OUTPUT_FIELD(sonar_output, bearing, "bearing", "rad", NODES, FM_OUTPUT_PLAIN, FM_QUANTITY_BEARINGS),
};
static const fm_part_class sonar_class = {.kind = FM_PART_SENSOR,
                                          .element = &sonar_element,
                                          .output_size = sizeof(sonar_output),
                                          .outputs = sonar_outputs,
                                          .output_count = FM_COUNT(sonar_outputs),
                                          .counts = FM_COUNTS_SAMPLES,
                                          .run = run_sonar};

/* --- <false-gauge>: says that a depth is in kilograms --- */

static const fm_output false_outputs[] = {
    FM_OUTPUT_NUMBER(line_output, feet, "depth", "kg", FM_QUANTITY_DEPTH),
};
static const fm_element false_element = FM_TABLE_ELEMENT(line_config, "false-gauge", line_attrs, NULL, 0, "Wrong.");
static const fm_part_class false_class = {.kind = FM_PART_SENSOR,
                                          .element = &false_element,
                                          .live_size = offsetof(line_config, mount),
                                          .output_size = sizeof(line_output),
                                          .outputs = false_outputs,
                                          .output_count = FM_COUNT(false_outputs),
                                          .run = run_line};

static const fm_part_class *const classes[] = {&line_class, &sonar_class, &false_class};
const fm_plugin fm_plugin_v1 = {.abi = FM_PLUGIN_ABI, .class_count = FM_COUNT(classes), .classes = classes};
