/* Bumper: a feeler sphere (for example at the nose) that detects touch. */
#include <math.h>

#include "environment/bodies.h"
#include "environment/solids.h"
#include "sensors/imperfect.h"
#include "sensors/parts.h"
#include "sensors/value.h"

typedef struct bumper_config {
    fm_health health;
    fm_instrument instrument;
    double radius; /* m */
} bumper_config;

static const fm_attr bumper_attrs[] = {
    FM_INSTRUMENT_ATTRS(bumper_config),
    FM_REAL_ATTR(bumper_config, radius, "radius", "m", 1e-4, 100, "0.015 m", 0, "of the feeler"),
};
static const fm_element bumper_element = FM_TABLE_ELEMENT(
    bumper_config, "bumper", bumper_attrs, NULL, 0,
    "Touch: 1 while its feeler, a sphere around its position, meets an obstacle, the bottom or another vehicle.");

static fm_status load_bumper(fm_part_load *load, void *config, fm_error *error)
{
    return fm_instrument_load(load, &((bumper_config *)config)->instrument, 0, FM_READING_WORDS(fm_value_reading), 0,
                              error);
}

static int touches_standing(const fm_environment *e, const fm_shape *feeler)
{
    fm_separation separation;
    uint32_t body;
    return fm_solids_nearest(e, feeler, 0, &separation, &body);
}

typedef struct feeling {
    const fm_part_context *context;
    const fm_shape *feeler;
    int touches;
} feeling;

static void feel_body(void *user, const fm_ray_body *other)
{
    feeling *f = user;
    double reach = fm_shape_bounding_radius(&other->shape) + f->feeler->size[0], square = 0;
    for (int k = 0; k < 3; k++)
        square +=
            (other->shape.position[k] - f->feeler->position[k]) * (other->shape.position[k] - f->feeler->position[k]);
    f->touches |= other->body != (uint32_t)f->context->slot && square <= reach * reach &&
                  fm_shape_distance(f->feeler, &other->shape) <= 0;
}

static int touches_bodies(const fm_part_context *context, const fm_shape *feeler)
{
    feeling f = {context, feeler, 0};
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = feeler->position[k] - feeler->size[0];
        high[k] = feeler->position[k] + feeler->size[0];
    }
    fm_bodies_visit_box(context->bodies, low, high, feel_body, &f);
    return f.touches;
}

static void run_bumper(const fm_part_context *context)
{
    const bumper_config *c = context->config, *live = context->live;
    fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    static const double level[4] = {1, 0, 0, 0};
    fm_shape feeler = fm_shape_sphere(c->radius);
    fm_shape_place(&feeler, at.position, level);
    fm_value_reading r = {.value = touches_standing(context->environment, &feeler) || touches_bodies(context, &feeler)};
    fm_instrument_give(context, &c->instrument, &live->health, 1, &r.value);
}

static const fm_output bumper_outputs[] = {FM_MEASUREMENT_OUTPUTS("contact", "", FM_QUANTITY_CONTACT)};
const fm_part_class fm_bumper_class = {.kind = FM_PART_SENSOR,
                                       .element = &bumper_element,
                                       .live_size = offsetof(bumper_config, instrument),
                                       .mount = FM_MOUNT_AT(bumper_config, instrument.mount),
                                       .message = "fathom_msgs/Measurement",
                                       .outputs = bumper_outputs,
                                       .output_count = FM_COUNT(bumper_outputs),
                                       .counts = FM_COUNTS_READING,
                                       .load = load_bumper,
                                       .run = run_bumper};
