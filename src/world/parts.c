/* The stages sense and decide, force terms, and the calls of parts into the world. */
#include "world/parts.h"

#include <math.h>
#include <string.h>

#include "acoustics/sound.h"
#include "base/error.h"
#include "environment/environment.h"
#include "physics/craft.h"
#include "world/contact.h"
#include "world/owners.h"
#include "world/stream.h"

/* The vehicle as its parts see it, in water of this velocity (m/s, NED). */
static fm_vehicle_view make_view(const fm_world *world, int index, const double *water)
{
    const fm_slot *slot = &world->slots[index];
    const fm_vehicle *vehicle = slot->vehicle;
    const fm_environment *environment = world->environment;
    const double *position = vehicle->body.position;
    return (fm_vehicle_view){.position = position,
                             .rotation = fm_slot_rotation(world, index),
                             .attitude = slot->quaternion,
                             .velocity = vehicle->body.velocity,
                             .acceleration = vehicle->acceleration,
                             .water = water,
                             .depth_below = fm_environment_depth(environment, position[0], position[1]) - position[2],
                             .gravity = world->environment->gravity,
                             .density = fm_environment_density(environment, position),
                             .charge = vehicle->charge,
                             .capacity = slot->type->battery.capacity,
                             .power = vehicle->power,
                             .hotel = slot->type->battery.hotel};
}

/* The water where the vehicle is, in its record: sampled once per step, for sensors, controllers and forces. */
static const double *meet_water(fm_world *world, int index)
{
    fm_slot *slot = &world->slots[index];
    if (slot->water_round != world->water_round + 1) {
        fm_stream_velocity(world, slot->vehicle->body.position, slot->vehicle->water);
        slot->water_round = world->water_round + 1;
    }
    return slot->vehicle->water;
}

static fm_part_context make_context(fm_world *world, int index, const fm_vehicle_view *view)
{
    const fm_slot *slot = &world->slots[index];
    return (fm_part_context){.tick = world->head->tick,
                             .time = (double)world->head->tick * world->model->settings.dt,
                             .seed = world->head->seed,
                             .entity = (uint32_t)index,
                             .vehicle = view,
                             .environment = world->environment,
                             .bodies = fm_world_bodies(world),
                             .kind_state = fm_vehicle_words(slot->vehicle, slot->type->kind_block),
                             .world = world,
                             .slot = index};
}

static void aim_at_part(fm_part_context *context, fm_vehicle *vehicle, const fm_part *part, double dt)
{
    context->channel = part->channel;
    context->period = (double)part->period * dt;
    context->config = part->config;
    context->live = fm_vehicle_words(vehicle, part->live);
    context->state = fm_vehicle_words(vehicle, part->state);
    context->output = fm_vehicle_words(vehicle, part->output);
}

/* --- what is due --- */

enum { FETCHED_MOST = 1024 /* words of a record */ };

fm_status fm_parts_create(fm_world *world, fm_error *error)
{
    const fm_model *model = world->model;
    size_t parts = 0;
    for (size_t i = 0; i < model->type_count; i++)
        parts += model->types[i].sensor_count + model->types[i].controller_count;
    world->due = fm_alloc(model->type_count * sizeof *world->due + (parts + 1) * sizeof(uint32_t));
    if (!world->due)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the parts of a world");
    uint32_t *at = (uint32_t *)(void *)(world->due + model->type_count);
    for (size_t i = 0; i < model->type_count; i++) {
        world->due[i].parts = at;
        at += model->types[i].sensor_count + model->types[i].controller_count;
    }
    return FM_OK;
}

void fm_parts_list_due(fm_world *world)
{
    const uint64_t tick = world->head->tick;
    world->any_due = 0;
    world->water_round++; /* currents may have changed since parts started */
    for (size_t i = 0; i < world->model->type_count; i++) {
        const fm_type *type = &world->model->types[i];
        uint32_t *at = world->due[i].parts, *begin = at;
        for (size_t k = 0; k < type->sensor_count + type->controller_count; k++) {
            if (k == type->sensor_count)
                begin = at;
            if (type->parts[k].period <= 1 || tick % type->parts[k].period == 0)
                *at++ = (uint32_t)k;
            world->due[i].count[k >= type->sensor_count] = (uint32_t)(at - begin);
        }
        world->any_due |= at != world->due[i].parts;
    }
}

uint64_t fm_parts_pause(const fm_world *world)
{
    const uint64_t tick = world->head->tick;
    uint64_t pause = UINT64_MAX;
    for (size_t i = 0; i < world->model->type_count && pause; i++) {
        const fm_type *type = &world->model->types[i];
        for (size_t k = 0; k < type->sensor_count + type->controller_count && pause; k++) {
            uint64_t period = type->parts[k].period > 1 ? type->parts[k].period : 1,
                     wait = (period - tick % period) % period;
            pause = wait < pause ? wait : pause;
        }
    }
    return pause;
}

/* Fetches what the parts of another vehicle will ask for: the records of a fleet are larger than any cache. */
static void fetch_ahead(const fm_world *world, int index)
{
    enum { LINE = 8 /* words */, FEWEST = 256 };
    if (world->slot_count < FEWEST || index >= world->slot_count || !world->slots[index].type)
        return;
    const fm_slot *slot = &world->slots[index];
    const fm_type *type = slot->type;
    const uint64_t *record = (const uint64_t *)(const void *)slot->vehicle;
    const size_t end = type->record_words < FETCHED_MOST ? type->record_words : FETCHED_MOST;
    for (size_t i = 0; i < sizeof(fm_vehicle) / 8; i += LINE)
        __builtin_prefetch(record + i, 1);
    for (size_t i = type->part_count ? type->parts[0].live.offset : end; i < end; i += LINE)
        __builtin_prefetch(record + i, 1);
}

/* Runs the sensors of a vehicle that are due, or its controllers; where it has some of them, the water in its record is
 * that of this tick. */
static void run_due(fm_world *world, int index, int controllers)
{
    fm_slot *slot = &world->slots[index];
    if (slot->vehicle->life != FM_ALIVE || !(controllers ? slot->type->controller_count : slot->type->sensor_count))
        return;
    const fm_due *due = &world->due[slot->vehicle->type];
    const uint32_t *parts = due->parts + (controllers ? due->count[0] : 0), count = due->count[controllers];
    const double *water = meet_water(world, index);
    if (!count)
        return;
    fetch_ahead(world, index + 1);
    fm_vehicle_view view = make_view(world, index, water);
    fm_part_context context = make_context(world, index, &view);
    for (uint32_t i = 0; i < count; i++) {
        const fm_part *part = &slot->type->parts[parts[i]];
        aim_at_part(&context, slot->vehicle, part, world->model->settings.dt);
        part->part_class->run(&context);
    }
}

static void sense_one(fm_world *world, int index)
{
    run_due(world, index, 0);
}

static void decide_one(fm_world *world, int index)
{
    run_due(world, index, 1);
}

/* Is there anything to do for parts in this tick? In water that moves differently from tick to tick, its velocity. */
static int is_eventful(const fm_world *world)
{
    return world->any_due || world->stream.fields || world->water_changed;
}

void fm_stage_sense(fm_world *world)
{
    if (world->any_sensors && is_eventful(world))
        fm_world_for_slots(world, sense_one);
}

void fm_stage_decide(fm_world *world)
{
    if (world->any_controllers && is_eventful(world))
        fm_world_for_slots(world, decide_one);
}

void fm_parts_add_forces(fm_world *world, int index, double *force, double *air_force)
{
    fm_slot *slot = &world->slots[index];
    fm_vehicle_view view = make_view(world, index, meet_water(world, index));
    fm_part_context context = make_context(world, index, &view);
    context.force = force;
    context.air_force = air_force;
    for (size_t i = 0; i < slot->type->force_count; i++) {
        const fm_part *part = &slot->type->parts[slot->type->force_first + i];
        aim_at_part(&context, slot->vehicle, part, world->model->settings.dt);
        part->part_class->run(&context);
    }
}

/* Other hulls are not placed yet when a vehicle starts: the list is that of the step before, and refers to slots that
 * may now be empty or have another vehicle. Parts see them from their first run on. */
void fm_parts_start(fm_world *world, int index)
{
    fm_slot *slot = &world->slots[index];
    fm_vehicle_view view = make_view(world, index, meet_water(world, index));
    fm_part_context context = make_context(world, index, &view);
    context.bodies = fm_world_no_bodies();
    for (size_t i = 0; i < slot->type->part_count; i++) {
        const fm_part *part = &slot->type->parts[i];
        aim_at_part(&context, slot->vehicle, part, world->model->settings.dt);
        if (part->part_class->start)
            part->part_class->start(&context);
    }
    fm_sound_notice(world, index);
}

/* --- verdicts --- */

void fm_world_verdict(const fm_world *world, int index, char *text, size_t size)
{
    fm_world *w = (fm_world *)(uintptr_t)world; /* contexts are made for stepping; a verdict only reads (part.h) */
    const fm_slot *slot = fm_slot_occupied(world, index);
    if (text && size)
        text[0] = 0;
    if (!text || !size || !slot)
        return;
    fm_vehicle_history history = {.contacts = slot->vehicle->contacts,
                                  .distance = slot->vehicle->distance,
                                  .min_clearance =
                                      isfinite(slot->vehicle->min_clearance) ? slot->vehicle->min_clearance : NAN};
    double water[3]; /* not the vehicle's own, which belongs to the state */
    fm_stream_velocity(world, slot->vehicle->body.position, water);
    fm_vehicle_view view = make_view(world, index, water);
    fm_part_context context = make_context(w, index, &view);
    for (size_t i = 0, used = 0; i < slot->type->part_count && used + 1 < size; i++) {
        const fm_part *part = &slot->type->parts[i];
        if (!part->part_class->verdict)
            continue;
        aim_at_part(&context, slot->vehicle, part, world->model->settings.dt);
        if (used && used + 3 < size) {
            memcpy(text + used, "; ", 3);
            used += 2;
        }
        part->part_class->verdict(&context, &history, text + used, size - used);
        used += strlen(text + used);
    }
}

/* --- calls of parts during a step --- */

/* The slot of the vehicle of a part; NULL: no context, or one without a world. */
static const fm_slot *slot_of(const fm_part_context *context)
{
    return context && context->world ? &context->world->slots[context->slot] : NULL;
}

/* State of an actuator; NULL: the vehicle has none with that number. */
static fm_actuator_state *actuator_of(const fm_part_context *context, int actuator)
{
    const fm_slot *slot = slot_of(context);
    if (!slot || actuator < 0 || (size_t)actuator >= slot->type->actuator_count)
        return NULL;
    return &fm_actuator_states(slot->type, slot->vehicle)[actuator];
}

/* The number of the part among the controllers of its vehicle; -1: not a controller. */
static int controller_of(const fm_part_context *context)
{
    const fm_type *type = slot_of(context)->type;
    for (size_t i = 0; i < type->controller_count; i++)
        if (type->parts[type->sensor_count + i].channel == context->channel)
            return (int)i;
    return -1;
}

void fm_actuator_order(const fm_part_context *context, int actuator, double value)
{
    if (actuator_of(context, actuator))
        fm_owners_write(context->world, context->slot, actuator, value, controller_of(context));
}

double fm_actuator_value(const fm_part_context *context, int actuator)
{
    const fm_actuator_state *state = actuator_of(context, actuator);
    return state ? state->value : 0;
}

double fm_actuator_force(const fm_part_context *context, int actuator)
{
    const fm_actuator_state *state = actuator_of(context, actuator);
    return state ? state->force : 0;
}

double fm_actuator_shaft(const fm_part_context *context, int actuator)
{
    const fm_actuator_state *state = actuator_of(context, actuator);
    const fm_slot *slot = slot_of(context);
    if (!state || slot->type->actuators[actuator].law != FM_LAW_TABLE)
        return state ? state->value : 0;
    fm_supply supply = fm_craft_supply(&slot->type->craft, slot->vehicle->charge, slot->vehicle->power);
    return fm_table_quantity_at(&slot->type->actuators[actuator].table, &supply, FM_TABLE_SHAFT, state->value);
}

double fm_actuator_efficiency(const fm_part_context *context, int actuator)
{
    const fm_slot *slot = slot_of(context);
    return actuator_of(context, actuator) ? fm_actuator_faults(slot->type, slot->vehicle)[actuator].efficiency : 0;
}

const void *fm_sensor_output(const fm_part_context *context, int sensor)
{
    const fm_slot *slot = slot_of(context);
    if (!slot || sensor < 0 || (size_t)sensor >= slot->type->part_count)
        return NULL;
    return fm_vehicle_words(slot->vehicle, slot->type->parts[sensor].output);
}

/* A sensor without a counter samples at whole multiples of its period, first at tick 0. */
fm_reading fm_sensor_reading(const fm_part_context *context, int sensor)
{
    const fm_reading *head = fm_sensor_output(context, sensor);
    if (!head)
        return (fm_reading){.time = NAN};
    const fm_part *part = &context->world->slots[context->slot].type->parts[sensor];
    const uint64_t period = part->period ? part->period : 1, samples = context->tick / period;
    if (part->part_class->counts >= FM_COUNTS_READING)
        return *head;
    fm_reading r = {.count = (int64_t)samples + 1,
                    .valid = 1,
                    .time = (double)(samples * period) * context->world->model->settings.dt};
    if (part->part_class->counts == FM_COUNTS_SAMPLES) {
        r.count = head->count;
        r.valid = r.count > 0;
    }
    return r;
}

const void *fm_quantity_data(const fm_part_context *context, const fm_quantity_view *view)
{
    const char *output = view ? fm_sensor_output(context, (int)view->part) : NULL;
    return output ? output + view->offset : NULL;
}

double fm_quantity_value(const fm_part_context *context, const fm_quantity_view *view, size_t i)
{
    const void *data = fm_quantity_data(context, view);
    return data && i < view->count ? fm_quantity_at(view, data, i) : NAN;
}

void fm_quantity_values(const fm_part_context *context, const fm_quantity_view *view, size_t count, double *values)
{
    const void *data = fm_quantity_data(context, view);
    for (size_t i = 0; data && values && i < count && i < view->count; i++)
        values[i] = fm_quantity_at(view, data, i);
}

void fm_event_emit(const fm_part_context *context, const char *kind, double value)
{
    if (slot_of(context) && kind)
        fm_event_add(context->world, context->slot, kind, value);
}

void fm_event_emit_text(const fm_part_context *context, const char *kind, double value, const char *text)
{
    if (slot_of(context) && kind)
        fm_event_tell(context->world, context->slot, kind, value, "%s", text ? text : kind);
}

/* --- metrics --- */

void fm_metric_note(const fm_part_context *context, int metric, double value)
{
    const fm_slot *slot = slot_of(context);
    if (!slot || metric < 0 || (size_t)metric >= slot->type->metric_count)
        return;
    fm_metric_state *state = &fm_metric_states(slot->type, slot->vehicle)[metric];
    int first = state->weight == 0;
    switch (slot->type->metrics[metric].kind) {
    case FM_METRIC_MIN: state->value = first || value < state->value ? value : state->value; break;
    case FM_METRIC_MAX: state->value = first || value > state->value ? value : state->value; break;
    case FM_METRIC_SUM:
    case FM_METRIC_MEAN: state->value += value; break;
    case FM_METRIC_RMS: state->value += value * value; break;
    case FM_METRIC_LAST: state->value = value; break;
    case FM_METRIC_FIRST: state->value = first ? value : state->value; break;
    }
    state->weight += 1;
}

double fm_metric_value(const fm_metric_def *def, const fm_metric_state *state)
{
    if (def->kind == FM_METRIC_SUM)
        return state->value;
    if (state->weight == 0)
        return NAN;
    if (def->kind == FM_METRIC_RMS)
        return sqrt(state->value / state->weight);
    return def->kind == FM_METRIC_MEAN ? state->value / state->weight : state->value;
}
