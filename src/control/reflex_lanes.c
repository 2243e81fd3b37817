/* <reflex> with <hover-pd>, <avoidance-record> and the instruments that they read, in lanes and on a GPU
 * (control/feeler.h). */
#include <string.h>

#include "base/lane_part.h"
#include "control/link.h"
#include "control/reflex_part.h"
#include "environment/environment.h"
#include "flow/flow_part.h"
#include "sensors/imu_record.h"
#include "sensors/lateral_line.h"

typedef struct chain {
    const fm_part *flow, *line, *imu, *reflex, *hover, *record;
} chain;

static int number_of(const fm_lane_vehicle *v, const fm_part *part)
{
    return part ? (int)(part - v->parts) : -1;
}

static chain find_chain(const fm_lane_vehicle *v)
{
    return (chain){fm_lane_find_element(v, "flow"),       fm_lane_find_element(v, "lateral-line"),
                   fm_lane_find_element(v, "imu-record"), fm_lane_find_element(v, "reflex"),
                   fm_lane_find_element(v, "hover-pd"),   fm_lane_find_element(v, "avoidance-record")};
}

static const char *foreign_flaws(const fm_flaws *f)
{
    if (f->quantum > 0 || f->minimum != 0 || f->maximum != 0)
        return "limits or steps of its values";
    if (f->bias_spread > 0 || f->scale_spread > 0 || f->drift > 0 || f->outliers > 0 || f->bias_walk > 0)
        return "errors that wander or are drawn once a run";
    return f->noise > 0 && f->distribution != FM_DISTRIBUTION_NORMAL ? "noise that is not normal" : NULL;
}

/* Whether obstacles may move through the water near the nose, or vortices, which <flow> measures. */
static int stirs(const fm_lane_vehicle *v)
{
    const fm_environment *e = v->sea;
    const int flows = e->current.count || v->flows;
    int moves = 0;
    for (size_t i = 0; i < e->obstacle_count; i++)
        moves |= e->obstacles[i].shape.kind != FM_SHAPE_PLANE && (flows || e->obstacles[i].track_count);
    return moves || fm_current_has_vortices(&e->current);
}

/* The reason if the kernel does not support the flow around an obstacle; NULL: it does. */
static const char *foreign_flow(const fm_lane_vehicle *v)
{
    const fm_environment *e = v->sea;
    size_t columns = 0;
    for (size_t i = 0; i < e->obstacle_count; i++) {
        const fm_shape_kind kind = e->obstacles[i].shape.kind;
        columns += kind == FM_SHAPE_CYLINDER;
        if (kind != FM_SHAPE_PLANE && kind != FM_SHAPE_SPHERE && kind != FM_SHAPE_CYLINDER)
            return "<flow> meets more than walls, columns and spheres";
    }
    return stirs(v) && columns > FM_FLOW_CYLINDERS ? "<flow> meets more than eight columns in a current" : NULL;
}

static const char *foreign_line(const fm_lateral_config *line)
{
    if (line->health.dropout > 0 || line->health.fault != FM_FAULT_HEALTHY || line->instrument.delay ||
        line->scheme != 0)
        return "<lateral-line> has faults, latency or scheme=\"euler\"";
    return foreign_flaws(&line->flaws) ? "<lateral-line> has errors beyond noise, bias and scale" : NULL;
}

/* The reason if the parts are linked differently from the kernel; NULL: they are not. */
static const char *foreign_links(const fm_lane_vehicle *v, const chain *c)
{
    const fm_reflex_links links = fm_reflex_linked(c->reflex->config);
    if (links.line != number_of(v, c->line) || links.motion != number_of(v, c->imu) ||
        (links.hover >= 0 && links.hover != number_of(v, c->hover)))
        return "its <reflex> reads other instruments than <lateral-line> and <imu-record>";
    if (!fm_hover_pd_follows(c->hover->config, number_of(v, c->imu), number_of(v, c->reflex)))
        return "its <hover-pd> follows others than <imu-record> and <reflex>";
    return NULL;
}

static const char *verdict(const fm_lane_vehicle *v, const fm_part *part)
{
    const chain c = find_chain(v);
    const char *why;
    (void)part;
    if (!c.hover)
        return "its <reflex> is followed by no <hover-pd>";
    if (!v->rigid)
        return "it feels walls and is not a rigid body";
    if (!c.flow || !c.line || !c.imu)
        return "its <reflex> reads other instruments than <lateral-line> and <imu-record>";
    if (((const fm_flow_config *)c.flow->config)->model == FM_FLOW_SOURCES)
        return "<flow model=\"sources\"> is solved by worlds alone";
    if ((why = foreign_flow(v)))
        return why;
    const fm_lateral_config *line = c.line->config;
    if (v->sea->obstacle_count > FM_FLOW_PLANES || line->count > FM_FEELER_SENSORS)
        return "it has more walls or sensors than a batch takes";
    if (c.flow->period != 1 || c.line->period != 1 || c.imu->period != 1)
        return "<lateral-line> or <imu-record> has a period of its own";
    if ((why = foreign_line(line)))
        return why;
    if (!fm_imu_record_is_plain(c.imu->config))
        return "<imu-record> has errors";
    if ((why = foreign_links(v, &c)))
        return why;
    return v->sea->sea.count ? "it feels walls, and the sea has waves" : NULL;
}

/* --- the flat form --- */

static void describe_line(const fm_part *part, const fm_flow_config *flow, fm_feeler *p, fm_feeler_sensor *sensors)
{
    const fm_lateral_config *line = part->config;
    p->sensors = line->count;
    p->channel = (int32_t)part->channel;
    p->noisy = line->flaws.noise > 0;
    p->noise = line->flaws.noise;
    p->bias = line->flaws.bias[0];
    p->scale = line->flaws.scale[0];
    p->bead = line->thermistor;
    for (int i = 0; i < line->count; i++) {
        double length = 0;
        for (int k = 0; k < 3; k++) {
            sensors[i].from[k] = line->position[i][k] - flow->centre[k];
            sensors[i].offset[k] = line->offset[i][k];
            sensors[i].direction[k] = line->direction[i][k];
        }
        length = fm_sqrt(fm_dot(sensors[i].from, sensors[i].from));
        for (int k = 0; k < 3; k++)
            sensors[i].unit[k] = sensors[i].from[k] / fm_max(length, 1e-12);
    }
}

static void describe_forms(const fm_environment *e, fm_flow_form *forms)
{
    int longest;
    for (size_t i = 0; i < e->obstacle_count; i++)
        forms[i] = fm_flow_shape_form(&e->obstacles[i].shape, &longest);
}

static void describe_chain(const chain *c, fm_feeler *p, fm_feeler_sensor *sensors, fm_hover_motor *motors)
{
    const fm_flow_config *flow = c->flow->config;
    p->model = (int32_t)flow->model;
    p->radius = flow->radius;
    memcpy(p->centre, flow->centre, sizeof p->centre);
    describe_line(c->line, flow, p, sensors);
    fm_imu_record_describe(c->imu->config, p);
    fm_reflex_describe(c->reflex->config, p, sensors);
    fm_hover_pd_describe(c->hover->config, p, motors);
    p->follows = fm_reflex_linked(c->reflex->config).hover >= 0;
    p->reflex_period = (int32_t)c->reflex->period;
    p->hover_period = (int32_t)c->hover->period;
    p->record_period = c->record ? (int32_t)c->record->period : 0;
}

static void count(const fm_lane_vehicle *v, const fm_part *part, fm_flat *head)
{
    const chain c = find_chain(v);
    (void)part;
    head->count[FM_FLAT_FEELER] = 1;
    head->count[FM_FLAT_SENSORS] = (uint32_t)((const fm_lateral_config *)c.line->config)->count;
    head->count[FM_FLAT_MOTORS] = (uint32_t)fm_hover_pd_motors(c.hover->config);
    head->count[FM_FLAT_FORMS] = stirs(v) ? (uint32_t)v->sea->obstacle_count : 0;
}

static void describe(const fm_lane_vehicle *v, const fm_part *part, fm_flat *flat)
{
    const chain c = find_chain(v);
    fm_feeler *p = fm_flat_array(flat, FM_FLAT_FEELER);
    (void)part;
    p->motors = (int32_t)flat->count[FM_FLAT_MOTORS];
    p->stirs = stirs(v);
    if (p->stirs)
        describe_forms(v->sea, fm_flat_array(flat, FM_FLAT_FORMS));
    describe_chain(&c, p, fm_flat_array(flat, FM_FLAT_SENSORS), fm_flat_array(flat, FM_FLAT_MOTORS));
}

static const fm_wall_table *walls(const fm_lane_vehicle *v, const fm_part *part)
{
    (void)part;
    return ((const fm_flow_config *)find_chain(v).flow->config)->table;
}

const fm_lane_part fm_reflex_lanes = {.role = FM_LANE_FEELER,
                                      .link = FM_LINK_REFLEX,
                                      .feels = 1,
                                      .verdict = verdict,
                                      .count = count,
                                      .describe = describe,
                                      .walls = walls};

/* --- what follows the reflex --- */

static const char *verdict_beside(const fm_lane_vehicle *v, const fm_part *part)
{
    const chain c = find_chain(v);
    (void)part;
    return c.reflex && c.hover ? NULL : "its <hover-pd> or <avoidance-record> follows no <reflex>";
}

const fm_lane_part fm_hover_pd_lanes = {.role = FM_LANE_FEELER, .link = FM_LINK_HOVER_PD, .verdict = verdict_beside};

static const fm_lane_metric metrics[] = {
    FM_LANE_KEEPS("detections", FM_LANE_FELT, fm_feeler_state, detections),
    FM_LANE_KEEPS("detection_gap", FM_LANE_FELT, fm_feeler_state, gap),
    FM_LANE_KEEPS("wall_angle_error", FM_LANE_FELT, fm_feeler_state, angle),
    FM_LANE_KEEPS("stop_distance", FM_LANE_FELT, fm_feeler_state, stop),
    FM_LANE_KEEPS("braking_distance", FM_LANE_FELT, fm_feeler_state, braking),
};
const fm_lane_part fm_avoidance_record_lanes = {.role = FM_LANE_FEELER,
                                                .link = FM_LINK_AVOIDANCE_RECORD,
                                                .verdict = verdict_beside,
                                                .metrics = metrics,
                                                .metric_count = FM_COUNT(metrics)};
