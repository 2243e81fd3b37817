/* Whole runs of a scenario in a batch: which there are, and their types with what steers them. */
#include "batch/whole.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "batch/around.h"
#include "batch/batch.h"
#include "batch/changing.h"
#include "batch/followed.h"
#include "batch/habitat.h"
#include "batch/navigated.h"
#include "batch/steered.h"
#include "control/parts.h"
#include "control/reflex_part.h"
#include "environment/environment.h"
#include "flow/flow_part.h"
#include "forces/forces.h"
#include "sensors/imu_record.h"
#include "sensors/lateral_line.h"
#include "sensors/parts.h"
#include "world/contact_internal.h"
#include "world/flatten.h"
#include "world/stream.h"
#include "world/world.h"

/* --- the chain of a vehicle that feels walls --- */

typedef struct chain {
    const fm_part *flow, *line, *imu, *reflex, *hover, *record;
} chain;

static int number_of(const fm_type *type, const fm_part *part)
{
    return part ? (int)(part - type->parts) : -1;
}

static chain find_chain(const fm_type *type)
{
    chain c = {0};
    for (size_t i = 0; i < type->part_count; i++) {
        const fm_part *part = &type->parts[i];
        const struct {
            const fm_part_class *is;
            const fm_part **place;
        } all[] = {{&fm_flow_class, &c.flow},      {&fm_lateral_line_class, &c.line},
                   {&fm_imu_record_class, &c.imu}, {&fm_reflex_class, &c.reflex},
                   {&fm_hover_pd_class, &c.hover}, {&fm_avoidance_record_class, &c.record}};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            if (part->part_class == all[k].is)
                *all[k].place = part;
    }
    return c;
}

static int has_chain(const chain *c)
{
    return c->reflex && c->hover;
}

static int is_in_chain(const chain *c, const fm_part *part)
{
    return has_chain(c) && (part == c->reflex || part == c->hover || part == c->record);
}

/* Parts that measure and order nothing. */
static int only_measures(const fm_part *part)
{
    return part->part_class == &fm_turning_circle_class || part->part_class == &fm_obstacle_map_class;
}

/* The <turning-circle> that is measured; NULL: none. */
static const fm_part *find_turn(const fm_type *type)
{
    const fm_part *found = NULL;
    for (size_t i = 0; i < type->part_count; i++)
        if (type->parts[i].part_class == &fm_turning_circle_class)
            found = found ? found : &type->parts[i];
    return found;
}

static const char *foreign_flaws(const fm_flaws *f)
{
    if (f->quantum > 0 || f->minimum != 0 || f->maximum != 0)
        return "limits or steps of its values";
    if (f->bias_spread > 0 || f->scale_spread > 0 || f->drift > 0 || f->outliers > 0 || f->bias_walk > 0)
        return "errors that wander or are drawn once a run";
    return f->noise > 0 && f->distribution != FM_DISTRIBUTION_NORMAL ? "noise that is not normal" : NULL;
}

/* Whether obstacles may move through the water near the nose, or vortices: what <flow> feels of them. */
static int stirs(const fm_model *model)
{
    const fm_environment *e = model->environment;
    const double *current = model->settings.current;
    int flows = e->current.count || current[0] != 0 || current[1] != 0 || current[2] != 0, moves = 0;
    for (size_t i = 0; i < model->change_count; i++)
        flows |= !strncmp(model->changes[i].path, "/current/", 9);
    for (size_t i = 0; i < e->obstacle_count; i++)
        moves |= e->obstacles[i].shape.kind != FM_SHAPE_PLANE && (flows || e->obstacles[i].track_count);
    return moves || fm_current_has_vortices(&e->current);
}

/* Why the kernel does not know the water at what stands around; NULL: it does. */
static const char *foreign_flow(const fm_model *model)
{
    const fm_environment *e = model->environment;
    size_t columns = 0;
    for (size_t i = 0; i < e->obstacle_count; i++) {
        const fm_shape_kind kind = e->obstacles[i].shape.kind;
        columns += kind == FM_SHAPE_CYLINDER;
        if (kind != FM_SHAPE_PLANE && kind != FM_SHAPE_SPHERE && kind != FM_SHAPE_CYLINDER)
            return "<flow> meets more than walls, columns and spheres";
    }
    return stirs(model) && columns > FM_FLOW_CYLINDERS ? "<flow> meets more than eight columns in a current" : NULL;
}

/* What else only vehicles have that feel no walls. */
static const char *foreign_beside(const fm_type *type)
{
    for (size_t i = 0; i < type->part_count; i++)
        if (fm_steered_has(type, &type->parts[i]) || fm_followed_has(type, &type->parts[i]) ||
            fm_navigated_has(&type->parts[i]) || &type->parts[i] == find_turn(type))
            return "it feels walls and has an <autopilot>, <bottom-following>, a <navigation> or a <turning-circle>";
    return NULL;
}

/* Why the kernel of physics/feeler.h does not run this chain; NULL: it does. */
static const char *foreign_chain(const fm_model *model, const fm_type *type, const chain *c)
{
    const fm_environment *e = model->environment;
    if (!type->kind->rigid)
        return "it feels walls and is not a rigid body";
    if (!c->flow || !c->line || !c->imu)
        return "its <reflex> reads other instruments than <lateral-line> and <imu-record>";
    const fm_flow_config *flow = c->flow->config;
    const fm_lateral_config *line = c->line->config;
    if (foreign_beside(type))
        return foreign_beside(type);
    if (flow->model == FM_FLOW_SOURCES)
        return "<flow model=\"sources\"> is solved by worlds alone";
    if (foreign_flow(model))
        return foreign_flow(model);
    if (e->obstacle_count > FM_FLOW_PLANES || line->count > FM_FEELER_SENSORS)
        return "it has more walls or sensors than a batch takes";
    if (c->flow->period != 1 || c->line->period != 1 || c->imu->period != 1)
        return "<lateral-line> or <imu-record> has a period of its own";
    if (line->health.dropout > 0 || line->health.fault != FM_FAULT_HEALTHY || line->instrument.delay ||
        line->scheme != 0)
        return "<lateral-line> has faults, latency or scheme=\"euler\"";
    if (foreign_flaws(&line->flaws))
        return "<lateral-line> has errors beyond noise, bias and scale";
    if (!fm_imu_record_is_plain(c->imu->config))
        return "<imu-record> has errors";
    fm_reflex_links links = fm_reflex_linked(c->reflex->config);
    if (links.line != number_of(type, c->line) || links.motion != number_of(type, c->imu) ||
        (links.hover >= 0 && links.hover != number_of(type, c->hover)))
        return "its <reflex> reads other instruments than <lateral-line> and <imu-record>";
    if (!fm_hover_pd_follows(c->hover->config, number_of(type, c->imu), number_of(type, c->reflex)))
        return "its <hover-pd> follows others than <imu-record> and <reflex>";
    return NULL;
}

/* --- whole runs --- */

static fm_status refuse(const fm_model *model, const char *why, const char *what, fm_error *error)
{
    return fm_fail(error, FM_ERR_MODEL, "a batch cannot make a run of '%s': %s%s%s", model->vehicles[0].name,
                   what ? "<" : "", what ? what : "", why);
}

static const char *foreign_world(const fm_model *model, const fm_type *type)
{
    if (model->vehicle_count != 1 || model->settings.capacity > 1)
        return "the scenario has more than one vehicle";
    for (size_t i = 0; i < model->subsystem_count; i++)
        if (model->subsystems[i].words && model->subsystems[i].subsystem->id != FM_SUBSYSTEM_CURRENTS)
            return "tethers, sound or an energy check act in the scenario";
    return type->period != 1 ? "its step is not the world's tick" : NULL;
}

/* A metric of a part that the batch does not keep. */
static const char *foreign_metric(const fm_model *model, const fm_type *type, const chain *c, const fm_sweep *sweep)
{
    static const char *const kept[] = {"detections", "detection_gap", "wall_angle_error", "stop_distance",
                                       "braking_distance"};
    static const char *const turn[] = {"turn_radius", "advance", "transfer", "tactical_diameter"};
    for (size_t i = 0; i < sweep->column_count; i++) {
        const char *name = sweep->columns[i].metric;
        int ours = 0, theirs = 0;
        for (size_t k = 0; k < type->metric_count; k++)
            theirs |= !sweep->columns[i].pose && !strcmp(type->metrics[k].name, name);
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
            ours |= has_chain(c) && c->record && !strcmp(kept[k], name);
        for (size_t k = 0; k < sizeof turn / sizeof *turn; k++)
            ours |= find_turn(type) && !strcmp(turn[k], name);
        ours |= fm_steered_keeps(type, name) || fm_followed_keeps(type, name) || fm_navigated_keeps(type, name);
        if (theirs && !ours)
            return name;
        if (type->contact.clearance && !fm_around_clears(model, type) && !sweep->columns[i].pose &&
            !strcmp(name, "min_clearance"))
            return name;
    }
    return NULL;
}

/* What starts by the water around it would start otherwise in the waves of each run. */
static const char *foreign_start(const fm_model *model, const fm_type *type, const chain *c)
{
    if (!model->environment->sea.count)
        return NULL;
    if (has_chain(c))
        return "it feels walls, and the sea has waves";
    for (size_t i = 0; i < type->part_count; i++)
        if (fm_navigated_has(&type->parts[i]))
            return "it has a <navigation>, and the sea has waves";
    return NULL;
}

/* What steers the vehicle and what is around it. */
static fm_status accept_type(const fm_model *model, const fm_type *type, fm_error *error)
{
    const chain c = find_chain(type);
    for (size_t i = 0; i < type->controller_count; i++) {
        const fm_part *part = &type->parts[type->sensor_count + i];
        if (!is_in_chain(&c, part) && !fm_steered_has(type, part) && !fm_followed_has(type, part) &&
            !fm_navigated_has(part) && !only_measures(part))
            return refuse(model, "> is run by worlds alone", part->part_class->element->name, error);
    }
    const char *why = has_chain(&c) ? foreign_chain(model, type, &c) : NULL;
    if (!why)
        why = foreign_start(model, type, &c);
    if (!why)
        why = fm_around_foreign(model, type);
    if (!why)
        why = fm_steered_foreign(type);
    if (!why)
        why = fm_followed_foreign(model, type);
    if (!why)
        why = fm_navigated_foreign(model, type);
    return why ? refuse(model, why, NULL, error) : FM_OK;
}

/* The type after the first `count` changes: one that the kernel runs, and alike but for its numbers. */
static fm_status accept_change(const fm_model *model, size_t count, fm_error *error)
{
    fm_arena arena = {0};
    fm_type type;
    fm_status status = fm_type_change(model, count, &arena, &type, error);
    if (status == FM_OK)
        status = accept_type(model, &type, error);
    fm_flat *first = status == FM_OK ? fm_whole_flatten(model, 0, error) : NULL,
            *then = first ? fm_whole_flatten(model, count, error) : NULL;
    if (status == FM_OK && !then)
        status = error ? error->status : FM_ERR_MEMORY;
    if (status == FM_OK && !fm_flat_alike(first, then))
        status = fm_fail(error, FM_ERR_MODEL, "a batch cannot change '%s' on the way (<faults>)",
                         model->changes[count - 1].path);
    fm_free(first);
    fm_free(then);
    fm_arena_free(&arena);
    return status;
}

static fm_status accept_changes(const fm_model *model, const fm_type *type, fm_error *error)
{
    fm_status status = FM_OK;
    uint32_t row;
    for (size_t i = 0; i < model->change_count && status == FM_OK; i++) {
        if (fm_change_row(model, NULL, model->changes[i].path, &row))
            continue;
        status =
            fm_change_is_of_part(type, model->changes[i].path) || fm_change_is_of_waters(model, model->changes[i].path)
                ? accept_change(model, i + 1, error)
                : fm_fail(error, FM_ERR_MODEL, "a batch cannot change '%s' on the way (<faults>)",
                          model->changes[i].path);
    }
    return status;
}

fm_status fm_batch_accept_run(const fm_model *model, const fm_sweep *sweep, fm_error *error)
{
    const fm_type *type = model->vehicle_count ? &model->types[model->vehicles[0].type] : NULL;
    if (!type)
        return fm_fail(error, FM_ERR_MODEL, "the scenario has no vehicle");
    const char *why = foreign_world(model, type);
    fm_status status = why ? refuse(model, why, NULL, error) : fm_batch_accept(model, 0, 1, error);
    if (status == FM_OK)
        status = accept_type(model, type, error);
    if (status == FM_OK)
        status = accept_changes(model, type, error);
    if (status != FM_OK)
        return status;
    const chain c = find_chain(type);
    const char *metric = foreign_metric(model, type, &c, sweep);
    if (metric)
        return fm_fail(error, FM_ERR_MODEL, "the metric '%s' is measured by worlds alone; --metric chooses others",
                       metric);
    return FM_OK;
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

static void count_chain(const fm_model *model, const fm_type *type, const chain *c, fm_flat *head)
{
    fm_habitat_count(model, type, head);
    if (fm_batch_swims(type))
        type->kind->count_flat(type, head);
    if (has_chain(c)) {
        head->count[FM_FLAT_FEELER] = 1;
        head->count[FM_FLAT_SENSORS] = (uint32_t)((const fm_lateral_config *)c->line->config)->count;
        head->count[FM_FLAT_MOTORS] = (uint32_t)fm_hover_pd_motors(c->hover->config);
        head->count[FM_FLAT_FORMS] = stirs(model) ? (uint32_t)model->environment->obstacle_count : 0;
    }
    fm_around_count(model, type, has_chain(c) || fm_habitat_near_wall(type), head);
    fm_steered_count(type, head);
    fm_followed_count(type, head);
    fm_navigated_count(type, head);
    head->count[FM_FLAT_TURN] = find_turn(type) != NULL;
}

static void describe_all(const fm_model *model, const fm_type *type, const chain *c, fm_flat *flat)
{
    fm_feeler *p = fm_flat_array(flat, FM_FLAT_FEELER);
    fm_habitat_describe(model, type, flat);
    if (fm_batch_swims(type))
        type->kind->describe_flat(model->environment, type, flat);
    if (has_chain(c)) {
        p->motors = (int32_t)flat->count[FM_FLAT_MOTORS];
        p->stirs = stirs(model);
        if (p->stirs)
            describe_forms(model->environment, fm_flat_array(flat, FM_FLAT_FORMS));
        describe_chain(c, p, fm_flat_array(flat, FM_FLAT_SENSORS), fm_flat_array(flat, FM_FLAT_MOTORS));
    }
    fm_steered_describe(type, flat);
    fm_followed_describe(type, flat);
    fm_navigated_describe(model, type, flat);
    fm_around_describe(model, type, flat);
    const fm_part *turn = find_turn(type);
    if (turn) {
        fm_turn_record *record = fm_flat_array(flat, FM_FLAT_TURN);
        *record = *fm_turning_describe(turn->config);
        record->period = (int32_t)turn->period;
    }
}

/* The flat form of a type with room for more records; those of the type itself are filled in. */
static fm_flat *widen(const fm_type *type, const fm_flat *plain, fm_flat *head, fm_error *error)
{
    fm_flat_lay_out(head);
    fm_flat *flat = fm_alloc(head->bytes);
    if (!flat) {
        fm_fail(error, FM_ERR_MEMORY, "no memory for the flat form of type '%s'", type->name);
        return NULL;
    }
    *flat = *head;
    for (int s = 0; s < FM_FLAT_SECTIONS; s++)
        if (plain->count[s])
            memcpy(fm_flat_array(flat, s), fm_flat_array(plain, s), plain->count[s] * fm_flat_record(plain, s));
    return flat;
}

static fm_flat *flatten(const fm_model *model, const fm_type *type, fm_error *error)
{
    fm_flat *plain = fm_type_flatten(type, error);
    chain c = find_chain(type);
    if (!plain)
        return NULL;
    fm_flat head = *plain;
    count_chain(model, type, &c, &head);
    fm_flat *flat = widen(type, plain, &head, error);
    if (flat)
        describe_all(model, type, &c, flat);
    fm_free(plain);
    return flat;
}

fm_flat *fm_body_flatten(const fm_model *model, const fm_type *type, fm_error *error)
{
    fm_flat *plain = fm_type_flatten(type, error);
    if (!plain)
        return NULL;
    fm_flat head = *plain;
    fm_habitat_count(model, type, &head);
    fm_diver_count(type, &head);
    if (fm_batch_swims(type))
        type->kind->count_flat(type, &head);
    fm_flat *flat = widen(type, plain, &head, error);
    if (flat) {
        fm_habitat_describe(model, type, flat);
        fm_diver_describe(type, flat);
    }
    if (flat && fm_batch_swims(type))
        type->kind->describe_flat(model->environment, type, flat);
    fm_free(plain);
    return flat;
}

fm_flat *fm_whole_flatten(const fm_model *model, size_t changes, fm_error *error)
{
    fm_arena arena = {0};
    fm_type type;
    fm_flat *flat = NULL;
    fm_model then = *model;
    fm_world *sea = NULL;
    for (size_t i = 0; i < changes && !sea; i++) {
        if (!fm_change_is_of_waters(model, model->changes[i].path))
            continue;
        if (!(sea = fm_waters_change(model, changes, error)))
            return NULL;
        then.environment = sea->environment;
    }
    if (fm_type_change(model, changes, &arena, &type, error) == FM_OK)
        flat = flatten(&then, &type, error);
    fm_arena_free(&arena);
    fm_world_free(sea);
    return flat;
}

const fm_wall_table *fm_whole_table(const fm_model *model)
{
    const fm_type *type = &model->types[model->vehicles[0].type];
    const fm_part *near = fm_habitat_near_wall(type);
    chain c = find_chain(type);
    fm_push unused;
    if (near)
        return fm_near_wall_describe(near->config, &unused);
    return has_chain(&c) && c.flow ? ((const fm_flow_config *)c.flow->config)->table : NULL;
}

fm_status fm_diver_start(const fm_model *model, size_t vehicle, double state[13], double words[3], fm_error *error)
{
    fm_world *world = fm_world_create(model, NULL, error);
    if (!world)
        return error ? error->status : FM_ERR_MEMORY;
    const fm_slot *slot = &world->slots[vehicle];
    memcpy(state, slot->vehicle->body.position, 13 * sizeof *state);
    memcpy(words, fm_vehicle_words(slot->vehicle, slot->type->kind_block), 3 * sizeof *words);
    fm_world_free(world);
    return FM_OK;
}
