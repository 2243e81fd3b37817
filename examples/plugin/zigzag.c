/* A controller of one's own, as a plugin: the zigzag manoeuvre of ship trials.
 *
 *     cc -shared -fPIC zigzag.c -o libzigzag.so $(pkg-config --cflags fathom)
 *
 *     <vehicle name="phoenix" model="nps-auv-ii">
 *       <controller plugin="./libzigzag.so" angle="20 deg" heading="20 deg" rudder="bow-rudder"
 * counter="stern-rudder"/>
 *     </vehicle>
 *
 * The rudder is put over by `angle`; when the heading has changed by `heading`, it is put over to the other side. */
#include <fathom/fathom.h>
#include <math.h>

typedef struct zigzag_config {
    double angle;   /* rad; live: it stands at the head of the config */
    double heading; /* rad; live */
    const char *rudder, *counter;
    int64_t rudder_index, counter_index; /* found at load time */
} zigzag_config;

typedef struct zigzag_state {
    double side;  /* +1: starboard, -1: port, 0: not started */
    double start; /* heading at the start, rad */
    double turns; /* how often the rudder was reversed */
} zigzag_state;

static const fm_attr attrs[] = {
    FM_REAL_ATTR(zigzag_config, angle, "angle", "rad", 0, 0.8, "20 deg", FM_ATTR_LIVE, "rudder angle"),
    FM_REAL_ATTR(zigzag_config, heading, "heading", "rad", 0, 1.5, "20 deg", FM_ATTR_LIVE,
                 "change of heading at which the rudder is reversed"),
    FM_NAME_ATTR(zigzag_config, rudder, "rudder", NULL, FM_ATTR_REQUIRED, "fin to order"),
    FM_NAME_ATTR(zigzag_config, counter, "counter", NULL, 0, "fin to order the other way"),
};

static const fm_element element = FM_TABLE_ELEMENT(zigzag_config, "controller", attrs, NULL, 0, "Zigzag manoeuvre.");

static fm_status load(fm_part_load *part, void *memory, fm_error *error)
{
    zigzag_config *config = (zigzag_config *)memory;
    config->rudder_index = fm_load_actuator(part, config->rudder, error);
    config->counter_index = config->counter ? fm_load_actuator(part, config->counter, error) : -1;
    return config->rudder_index < 0 || (config->counter && config->counter_index < 0) ? FM_ERR_NAME : FM_OK;
}

static double heading_of(const fm_part_context *context)
{
    const double *R = context->vehicle->rotation;
    return atan2(R[3], R[0]);
}

static void run(const fm_part_context *context)
{
    const zigzag_config *config = (const zigzag_config *)context->config;
    const zigzag_config *live = (const zigzag_config *)context->live; /* only its head counts */
    zigzag_state *state = (zigzag_state *)context->state;
    if (state->side == 0) {
        state->side = 1;
        state->start = heading_of(context);
    }
    double turned = remainder(heading_of(context) - state->start, 2 * 3.14159265358979323846);
    if (state->side * turned > live->heading) {
        state->side = -state->side;
        state->turns += 1;
        fm_event_emit(context, "rudder reversed", state->turns);
    }
    fm_actuator_order(context, (int)config->rudder_index, state->side * live->angle);
    if (config->counter_index >= 0)
        fm_actuator_order(context, (int)config->counter_index, -state->side * live->angle);
}

static const fm_part_class zigzag = {.kind = FM_PART_CONTROLLER,
                                     .element = &element,
                                     .live_size = 2 * sizeof(double),
                                     .state_size = sizeof(zigzag_state),
                                     .load = load,
                                     .run = run};
static const fm_part_class *const classes[] = {&zigzag};
const fm_plugin fm_plugin_v1 = {.abi = FM_PLUGIN_ABI, .class_count = 1, .classes = classes};
