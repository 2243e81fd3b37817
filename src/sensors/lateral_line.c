/* The part <lateral-line>: hot thermistors on the nose that measure the speed of the water past them (S1)–(S5),
 * (S7). */
#include "sensors/lateral_line.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/part_class.h"
#include "flow/flow_part.h"
#include "physics/real.h"

typedef struct bead_states {
    double temperatures[FM_LATERAL_SENSORS], velocities[FM_LATERAL_SENSORS]; /* K, m/s */
} bead_states;

enum { EXPONENTIAL, EULER };
static const char *const scheme_names[] = {"exponential", "euler", NULL};
static const fm_attr attrs[] = {
    FM_INSTRUMENT_CLOCK_ATTRS(fm_lateral_config),
    FM_HEALTH_ATTRS(fm_lateral_config),
    FM_FLAW_ATTRS_ROW(fm_lateral_config, flaws, "V"),
    FM_FLAW_LIMITS(fm_lateral_config, flaws, "V"),
    FM_LIST_ATTR(fm_lateral_config, angles, FM_LATERAL_SENSORS, "angles", "rad", -3.2, 3.2, 0,
                 "sensors on the nose's horizontal great circle, from straight ahead, starboard positive; instead of "
                 "or beside <sensor>s"),
    FM_REAL_ATTR(fm_lateral_config, thermistor.i, "current", "A", 0, 0.1, NULL, FM_ATTR_REQUIRED, "heating current I"),
    FM_REAL_ATTR(fm_lateral_config, thermistor.r0, "resistance", "ohm", 1, 1e6, NULL, FM_ATTR_REQUIRED,
                 "R0 at the reference temperature"),
    FM_REAL_ATTR(fm_lateral_config, thermistor.t0, "reference-temperature", "K", 200, 400, "293.15 K", 0,
                 "T0 of the resistance"),
    FM_REAL_ATTR(fm_lateral_config, thermistor.beta, "beta", "K", 1, 1e5, NULL, FM_ATTR_REQUIRED,
                 "of the resistance R0 exp(beta (1/T - 1/T0))"),
    FM_REAL_ATTR(fm_lateral_config, thermistor.a, "heat-loss", "W/K", 1e-9, 1, NULL, FM_ATTR_REQUIRED,
                 "A: in still water"),
    FM_REAL_ATTR(fm_lateral_config, thermistor.b, "flow-loss", "", 0, 1, NULL, FM_ATTR_REQUIRED,
                 "B of A + B |v|^n: added by water that passes, W/K at 1 m/s"),
    FM_REAL_ATTR(fm_lateral_config, thermistor.n, "loss-exponent", "", 0.01, 2, NULL, FM_ATTR_REQUIRED,
                 "n of the same"),
    FM_REAL_ATTR(fm_lateral_config, thermistor.c, "heat-capacity", "J/K", 1e-9, 1, NULL, FM_ATTR_REQUIRED,
                 "C of the bead"),
    FM_REAL_ATTR(fm_lateral_config, thermistor.t_inf, "water-temperature", "K", 271, 320, "293.15 K", 0,
                 "around the bead"),
    FM_CHOICE_ATTR(fm_lateral_config, scheme, scheme_names, "scheme", "exponential", 0,
                   "exponential: one step of second order a sample; euler: steps of 0.01 ms, as in the paper"),
};

typedef struct sensor_config {
    double position[3], direction[3];
} sensor_config;
static const fm_attr sensor_attrs[] = {
    FM_VECTOR_ATTR(sensor_config, position, 3, "position", "m", -100, 100, NULL, FM_ATTR_REQUIRED,
                   "on the nose, from the body origin"),
    FM_VECTOR_ATTR(sensor_config, direction, 3, "direction", "", -1, 1, NULL, FM_ATTR_REQUIRED,
                   "along which it feels; its part along the surface counts"),
};
static const fm_element sensor_element =
    FM_TABLE_ELEMENT(sensor_config, "sensor", sensor_attrs, NULL, 0, "One sensor at any point of the nose.");
static const fm_element *const children[] = {&sensor_element, NULL};
static const fm_element element =
    FM_TABLE_ELEMENT(fm_lateral_config, "lateral-line", attrs, children, FM_ELEMENT_ONCE,
                     "Hot thermistors on the nose: their voltages depend on the speed of the water.");

/* As many as there are sensors; describe_outputs sets the count. */
static const fm_output outputs[] = {
    FM_OUTPUT_FIELD(fm_lateral_record, voltages, "voltages", "V", 8, FM_OUTPUT_PLAIN, FM_QUANTITY_NONE),
    FM_OUTPUT_FIELD(fm_lateral_record, temperatures, "temperatures", "K", 8, FM_OUTPUT_PLAIN, FM_QUANTITY_NONE),
    FM_OUTPUT_FIELD(fm_lateral_record, velocities, "velocities", "m/s", 8, FM_OUTPUT_PLAIN, FM_QUANTITY_NONE),
};

/* --- at load --- */

static fm_status add_sensor(fm_part_load *load, fm_lateral_config *c, const fm_flow_config *flow,
                            const double position[3], const double direction[3], fm_error *error)
{
    if (c->count == FM_LATERAL_SENSORS)
        return fm_load_fail(load, error, FM_ERR_RANGE, "more than %d sensors given: must be at most %d",
                            FM_LATERAL_SENSORS, FM_LATERAL_SENSORS);
    double *r = c->offset[c->count], *s = c->direction[c->count], n[3];
    for (int k = 0; k < 3; k++)
        r[k] = position[k] - flow->centre[k];
    double distance = sqrt(fm_dot(r, r));
    if (!(distance >= flow->radius * (1 - 1e-6)) || distance > 1.05 * flow->radius)
        return fm_load_fail(load, error, FM_ERR_MODEL,
                            "sensor %d at %g %g %g m is %s: %.6g m from the centre of the nose: must be %.6g to %.6g m",
                            c->count + 1, position[0], position[1], position[2],
                            distance < flow->radius ? "inside the hull" : "off the hull", distance, flow->radius,
                            1.05 * flow->radius);
    for (int k = 0; k < 3; k++)
        n[k] = r[k] / distance;
    double normal = fm_dot(direction, n);
    for (int k = 0; k < 3; k++)
        s[k] = direction[k] - normal * n[k];
    double length = sqrt(fm_dot(s, s));
    if (!(length > 1e-6))
        return fm_load_fail(
            load, error, FM_ERR_MODEL,
            "the direction of sensor %d is perpendicular to the hull: must have a part along the surface",
            c->count + 1);
    for (int k = 0; k < 3; k++) {
        s[k] /= length;
        c->position[c->count][k] = position[k];
    }
    c->count++;
    return FM_OK;
}

static fm_status place_sensors(fm_part_load *load, fm_lateral_config *c, const fm_flow_config *flow, fm_error *error)
{
    fm_status status = FM_OK;
    for (size_t i = 0; status == FM_OK && i < c->angles.count; i++) {
        double sine = fm_sin(c->angles.values[i]), cosine = fm_cos(c->angles.values[i]), s[3] = {-sine, cosine, 0};
        double at[3] = {flow->centre[0] + flow->radius * cosine, flow->centre[1] + flow->radius * sine,
                        flow->centre[2]};
        status = add_sensor(load, c, flow, at, s, error);
    }
    for (size_t i = 0; status == FM_OK && i < fm_load_child_count(load, "sensor"); i++) {
        sensor_config s;
        memset(&s, 0, sizeof s);
        status = fm_load_child(load, "sensor", i, &s, error);
        if (status == FM_OK)
            status = add_sensor(load, c, flow, s.position, s.direction, error);
    }
    if (status == FM_OK && c->count == 0)
        return fm_load_fail(load, error, FM_ERR_MODEL, "no sensors: give angles or <sensor>s");
    return status;
}

/* The outputs of as many sensors as there are. */
static fm_status describe_outputs(fm_part_load *load, const fm_lateral_config *c, fm_error *error)
{
    const size_t n = (size_t)c->count;
    fm_output *kept = fm_load_alloc(load, sizeof outputs);
    if (!kept)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the lateral line");
    memcpy(kept, outputs, sizeof outputs);
    for (size_t i = 0; i < FM_COUNT(outputs); i++)
        kept[i].count = n;
    fm_load_outputs(load, kept, FM_COUNT(outputs));
    return FM_OK;
}

static fm_status load_line(fm_part_load *load, void *config, fm_error *error)
{
    fm_lateral_config *c = config;
    const fm_flow_config *flow = NULL;
    c->flow_part = fm_flow_find(load, &flow, error);
    if (c->flow_part < 0)
        return FM_ERR_NAME;
    c->flow_config = flow;
    fm_status status =
        fm_instrument_load(load, &c->instrument, 0, FM_READING_WORDS(fm_lateral_record), sizeof(bead_states), error);
    if (status == FM_OK)
        status = place_sensors(load, c, flow, error);
    return status == FM_OK ? describe_outputs(load, c, error) : status;
}

int fm_lateral_find(fm_part_load *load, const fm_lateral_config **line, fm_error *error)
{
    for (size_t i = 0; i < fm_load_part_count(load); i++) {
        fm_part_info info = fm_load_part_info(load, i);
        if (fm_class_is(info.part_class, "lateral-line")) {
            *line = info.config;
            return (int)i;
        }
    }
    fm_load_fail(load, error, FM_ERR_NAME, "the vehicle has no <lateral-line>");
    return -1;
}

/* --- in a step --- */

static void feel(const fm_part_context *context, const fm_lateral_config *c, double speed[FM_LATERAL_SENSORS])
{
    double v[FM_LATERAL_SENSORS][3];
    fm_flow_sample(context, c->flow_config, c->flow_part, (size_t)c->count, (const double(*)[3])c->position, v);
    for (int i = 0; i < c->count; i++)
        speed[i] = fm_dot(v[i], c->direction[i]);
}

/* The paper's rule: Euler with steps of 0.01 ms, the speed linear between two samples. */
static double step_by_euler(const fm_thermistor *p, double t, double before, double now, double period)
{
    int64_t steps = (int64_t)(period / 1e-5 + 0.5);
    if (steps < 1)
        steps = 1;
    double h = period / (double)steps;
    for (int64_t k = 0; k < steps; k++)
        t = fm_thermistor_euler_step(p, t, before + (now - before) * (double)k / (double)steps, h);
    return t;
}

/* The true beads, without output errors: the instrument's own state. */
static bead_states *beads_of(const fm_part_context *context)
{
    return fm_instrument_state(context, &((const fm_lateral_config *)context->config)->instrument);
}

static void warm_beads(const fm_lateral_config *c, const double *speed, double period, bead_states *beads)
{
    for (int i = 0; i < c->count; i++) {
        double before = fabs(beads->velocities[i]), now = fabs(speed[i]), t = beads->temperatures[i];
        beads->temperatures[i] = c->scheme == EULER
                                     ? step_by_euler(&c->thermistor, t, before, now, period)
                                     : fm_thermistor_step(&c->thermistor, t, 0.5 * (before + now), period);
        beads->velocities[i] = speed[i];
    }
}

static fm_lateral_record measure(const fm_lateral_config *c, const bead_states *beads)
{
    fm_lateral_record r = {0};
    for (int i = 0; i < c->count; i++) {
        r.voltages[i] = fm_thermistor_voltage(&c->thermistor, beads->temperatures[i]);
        r.temperatures[i] = beads->temperatures[i];
        r.velocities[i] = beads->velocities[i];
    }
    return r;
}

static void run_line(const fm_part_context *context)
{
    const fm_lateral_config *c = context->config, *live = context->live;
    bead_states *beads = beads_of(context);
    double speed[FM_LATERAL_SENSORS];
    feel(context, c, speed);
    warm_beads(c, speed, context->period, beads);
    fm_lateral_record record = measure(c, beads);
    fm_instrument_spoil_row(context, &live->flaws, 0, (size_t)c->count, record.voltages);
    fm_instrument_give(context, &c->instrument, &live->health, 1, record.voltages);
}

/* Steady from the first step; before the first sample the voltages are those at launch. */
static void start_line(const fm_part_context *context)
{
    const fm_lateral_config *c = context->config;
    bead_states *beads = beads_of(context);
    feel(context, c, beads->velocities);
    for (int i = 0; i < c->count; i++)
        beads->temperatures[i] = fm_thermistor_steady(&c->thermistor, beads->velocities[i]);
    *(fm_lateral_record *)context->output = measure(c, beads);
}

const fm_part_class fm_lateral_line_class = {.kind = FM_PART_SENSOR,
                                             .element = &element,
                                             .live_size = offsetof(fm_lateral_config, instrument),
                                             .message = "fathom_msgs/FlowSensors",
                                             .outputs = outputs,
                                             .output_count = FM_COUNT(outputs),
                                             .counts = FM_COUNTS_READING,
                                             .load = load_line,
                                             .start = start_line,
                                             .run = run_line};
