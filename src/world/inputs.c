/* Inputs: orders, parameters, spawning and removing. They wait in a queue and are taken at the start of a step. */
#include <fathom/modem.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/admission.h"
#include "world/inputs.h"
#include "world/owners.h"
#include "world/parts.h"
#include "world/world.h"

/* --- making --- */

static fm_status copy_name(char *to, size_t size, const char *from, const char *what, fm_error *error)
{
    if (!from || !*from || strlen(from) >= size)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s '%s': 1 to %zu characters are accepted", what, from ? from : "",
                       size - 1);
    strcpy(to, from);
    return FM_OK;
}

static fm_status name_both(fm_input *input, const char *vehicle, const char *target, const char *what, fm_error *error)
{
    fm_status status = copy_name(input->vehicle, sizeof input->vehicle, vehicle, "vehicle", error);
    return status == FM_OK ? copy_name(input->target, sizeof input->target, target, what, error) : status;
}

/* `target` may be left out: the first of its kind. */
static fm_status name_maybe(fm_input *input, const char *vehicle, const char *target, const char *what, fm_error *error)
{
    if (!target || !*target)
        return copy_name(input->vehicle, sizeof input->vehicle, vehicle, "vehicle", error);
    return name_both(input, vehicle, target, what, error);
}

fm_status fm_input_order(fm_input *input, const char *vehicle, const char *actuator, double value, fm_error *error)
{
    *input = (fm_input){.kind = FM_INPUT_ORDER, .value = value};
    return name_both(input, vehicle, actuator, "actuator", error);
}

fm_status fm_input_parameter(fm_input *input, const char *path, double value, fm_error *error)
{
    *input = (fm_input){.kind = FM_INPUT_PARAMETER, .value = value};
    return copy_name(input->target, sizeof input->target, path, "path", error);
}

fm_status fm_input_spawn(fm_input *input, const char *name, const char *like, const double position[3],
                         const double euler[3], fm_error *error)
{
    *input = (fm_input){.kind = FM_INPUT_SPAWN};
    if (!position || !euler)
        return fm_fail(error, FM_ERR_ARGUMENT, "cannot spawn '%s': it has no pose", name ? name : "");
    memcpy(input->pose, position, 3 * sizeof(double));
    memcpy(input->pose + 3, euler, 3 * sizeof(double));
    return name_both(input, name, like, "like", error);
}

fm_status fm_input_remove(fm_input *input, const char *name, fm_error *error)
{
    *input = (fm_input){.kind = FM_INPUT_REMOVE};
    return copy_name(input->vehicle, sizeof input->vehicle, name, "vehicle", error);
}

fm_status fm_input_desire(fm_input *input, const char *vehicle, const char *what, double value, fm_error *error)
{
    *input = (fm_input){.kind = FM_INPUT_DESIRE, .value = value};
    return name_both(input, vehicle, what, "what is desired", error);
}

fm_status fm_input_steer(fm_input *input, fm_input_kind kind, const char *vehicle, const char *target, fm_error *error)
{
    int controller = kind == FM_INPUT_ENGAGE || kind == FM_INPUT_DISENGAGE;
    *input = (fm_input){.kind = kind};
    return name_maybe(input, vehicle, target, controller ? "controller" : "actuator", error);
}

void fm_input_set_holder(fm_input *input, const char *holder)
{
    memset(input->holder, 0, sizeof input->holder);
    memcpy(input->holder, holder, strnlen(holder, sizeof input->holder - 1));
}

fm_status fm_input_force(fm_input *input, const char *vehicle, const double force[6], fm_error *error)
{
    *input = (fm_input){.kind = FM_INPUT_FORCE};
    if (!force)
        return fm_fail(error, FM_ERR_ARGUMENT, "there is no force for '%s'", vehicle ? vehicle : "");
    memcpy(input->pose, force, sizeof input->pose);
    return copy_name(input->vehicle, sizeof input->vehicle, vehicle, "vehicle", error);
}

fm_status fm_input_sight(fm_input *input, const char *vehicle, const fm_sighting *seen, fm_error *error)
{
    *input = (fm_input){.kind = FM_INPUT_SIGHT};
    if (!seen)
        return fm_fail(error, FM_ERR_ARGUMENT, "there is no sighting of '%s'", vehicle ? vehicle : "");
    input->value = seen->algorithm;
    memcpy(input->pose, seen->position, sizeof seen->position);
    memcpy(input->pose + 3, seen->euler, sizeof seen->euler);
    memcpy(input->motion, seen->velocity, sizeof seen->velocity);
    memcpy(input->motion + 3, seen->acceleration, sizeof seen->acceleration);
    memcpy(input->motion + 6, seen->rates, sizeof seen->rates);
    return copy_name(input->vehicle, sizeof input->vehicle, vehicle, "vehicle", error);
}

fm_status fm_input_sense(fm_input *input, const char *vehicle, const char *what, double value, fm_error *error)
{
    *input = (fm_input){.kind = FM_INPUT_SENSE, .value = value};
    return name_both(input, vehicle, what, "what is sensed", error);
}

fm_status fm_input_waypoint(fm_input *input, fm_input_kind kind, const char *vehicle, const char *list, int place,
                            const fm_waypoint *waypoint, fm_error *error)
{
    *input = (fm_input){.kind = kind, .value = place};
    if (!waypoint && kind != FM_INPUT_WAYPOINT_CLEAR)
        return fm_fail(error, FM_ERR_ARGUMENT, "there is no waypoint");
    if (waypoint) {
        memcpy(input->pose, waypoint->position, sizeof waypoint->position);
        input->pose[3] = waypoint->speed;
        input->pose[4] = waypoint->hold;
    }
    return name_maybe(input, vehicle, list, "list of waypoints", error);
}

static fm_status take_bytes(fm_input *input, const void *data, size_t size, fm_error *error)
{
    if (size > sizeof input->data || (size && !data))
        return fm_fail(error, FM_ERR_RANGE, "a sound of %zu bytes%s: a sound carries at most %zu bytes", size,
                       data ? "" : " from nowhere", sizeof input->data);
    input->size = size;
    if (size)
        memcpy(input->data, data, size);
    return FM_OK;
}

fm_status fm_input_message(fm_input *input, const char *vehicle, const char *modem, int64_t to, const void *data,
                           size_t size, fm_error *error)
{
    *input = (fm_input){.kind = FM_INPUT_MESSAGE, .to = to};
    fm_status status = take_bytes(input, data, size, error);
    return status == FM_OK ? name_maybe(input, vehicle, modem, "modem", error) : status;
}

fm_status fm_input_emission(fm_input *input, const char *vehicle, const char *transducer, const fm_emission *e,
                            fm_error *error)
{
    if (!e)
        return fm_fail(error, FM_ERR_ARGUMENT, "there is nothing to send for '%s'", vehicle ? vehicle : "");
    *input =
        (fm_input){.kind = FM_INPUT_EMISSION,
                   .value = e->time,
                   .pose = {e->frequency, e->level, e->duration, (double)e->kind, (double)e->code, (double)e->answers},
                   .to = e->to};
    fm_status status = take_bytes(input, e->data, e->size, error);
    return status == FM_OK ? name_maybe(input, vehicle, transducer, "transducer", error) : status;
}

/* --- checking --- */

/* '-' and '_' are the same in a path. */
static int same_path(const char *a, const char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char x = a[i] == '-' ? '_' : a[i], y = b[i] == '-' ? '_' : b[i];
        if (x != y)
            return 0;
        if (!x)
            return 1;
    }
    return 1;
}

/* The word that a live path names, with its description; NULL: none. */
static double *find_live(const fm_world *world, const char *path, const fm_attr **attr, int *slot)
{
    *slot = -1;
    for (size_t i = 0; i < world->model->live_count; i++)
        if (same_path(world->model->live[i].path, path, strlen(path) + 1)) {
            *attr = world->model->live[i].attr;
            return world->live + world->model->live[i].offset;
        }
    const char *end = *path == '/' ? strchr(path + 1, '/') : NULL;
    if (!end)
        return NULL;
    for (int k = 0; k < world->slot_count; k++) {
        const fm_slot *s = &world->slots[k];
        size_t length = (size_t)(end - path - 1);
        if (s->vehicle->life == FM_EMPTY || strlen(s->vehicle->name) != length ||
            !same_path(s->vehicle->name, path + 1, length))
            continue;
        for (size_t i = 0; i < s->type->live_count; i++)
            if (same_path(s->type->live[i].path, end + 1, strlen(end + 1) + 1)) {
                *attr = s->type->live[i].attr;
                *slot = k;
                return (double *)(void *)s->vehicle + s->type->live[i].offset;
            }
    }
    return NULL;
}

#define WHOLE_MOST 9007199254740992.0 /* 2⁵³: up to there a double is the number that was meant */

int fm_live_is_whole(const fm_attr *attr)
{
    return attr->type == FM_ATTR_INT || attr->type == FM_ATTR_BOOL || attr->type == FM_ATTR_CHOICE;
}

fm_status fm_live_check(const fm_attr *attr, const char *path, double value, fm_error *error)
{
    double max = attr->max, min = attr->min;
    if (attr->type == FM_ATTR_BOOL)
        min = 0, max = 1;
    if (attr->type == FM_ATTR_CHOICE)
        for (min = 0, max = -1; attr->choices[(int)max + 1]; max++)
            ;
    if (!isfinite(value) || ((min != 0 || max != 0) && (value < min || value > max)) ||
        (fm_live_is_whole(attr) && (value != floor(value) || fabs(value) > WHOLE_MOST)))
        return fm_fail(error, FM_ERR_RANGE, "%s: %g is out of range: must be %s%g to %g %s", path, value,
                       fm_live_is_whole(attr) ? "whole numbers " : "", min, max, attr->unit ? attr->unit : "");
    return FM_OK;
}

/* What is no live parameter may be one that is fixed at load, or unknown. */
static fm_status not_live(const fm_world *world, const char *path, fm_error *error)
{
    for (size_t i = 0; i < world->model->param_count; i++)
        if (same_path(world->model->params[i].path, path, strlen(path) + 1))
            return world->model->params[i].live
                       ? fm_fail(error, FM_ERR_NAME, "'%s' has several numbers: set one of them, '%s/x'", path, path)
                       : fm_fail(error, FM_ERR_NAME,
                                 "'%s' is fixed when the scenario is loaded and cannot change in a run", path);
    return fm_fail(error, FM_ERR_NAME, "no live parameter '%s' in the world", path);
}

static fm_status check_parameter(const fm_world *world, const fm_input *input, fm_error *error)
{
    const fm_attr *attr;
    int slot;
    if (!find_live(world, input->target, &attr, &slot))
        return not_live(world, input->target, error);
    return fm_live_check(attr, input->target, input->value, error);
}

fm_status fm_world_get(const fm_world *world, const char *path, double *value, fm_error *error)
{
    const fm_attr *attr;
    int slot;
    if (!world || !path || !value)
        return fm_fail(error, FM_ERR_ARGUMENT, "there is no world, no path, or no place for the value");
    double *word = find_live(world, path, &attr, &slot);
    if (!word)
        return not_live(world, path, error);
    int64_t whole;
    memcpy(&whole, word, sizeof whole);
    *value = fm_live_is_whole(attr) ? (double)whole : *word;
    return FM_OK;
}

int fm_model_find_type(const fm_model *model, const char *like)
{
    for (size_t i = 0; i < model->vehicle_count; i++)
        if (strcmp(model->vehicles[i].name, like) == 0)
            return model->vehicles[i].type;
    for (size_t i = 0; i < model->type_count; i++)
        if (strcmp(model->types[i].name, like) == 0)
            return (int)i;
    return -1;
}

static int free_slot(const fm_world *world, uint32_t words)
{
    for (int i = 0; i < world->slot_count; i++)
        if (world->slots[i].vehicle->life == FM_EMPTY && world->slots[i].room >= words)
            return i;
    return -1;
}

static fm_status check_remove(const fm_world *world, const fm_input *input, fm_error *error)
{
    if (!fm_world_expects(world, input->vehicle))
        return fm_fail(error, FM_ERR_NAME, "no vehicle '%s' in the world", input->vehicle);
    return FM_OK;
}

/* --- giving --- */

static fm_status check_input(fm_world *world, const fm_input *input, fm_error *error)
{
    switch (input->kind) {
    case FM_INPUT_ORDER:
    case FM_INPUT_FLY:
    case FM_INPUT_TAKE:
    case FM_INPUT_RELEASE:
    case FM_INPUT_ENGAGE:
    case FM_INPUT_DISENGAGE: return fm_owners_check(world, input, error);
    case FM_INPUT_PARAMETER: return check_parameter(world, input, error);
    case FM_INPUT_SPAWN: return fm_world_admit(world, input, error);
    case FM_INPUT_REMOVE: return check_remove(world, input, error);
    case FM_INPUT_DESIRE: return fm_desire_check(world, input, error);
    case FM_INPUT_FORCE: return fm_force_check(world, input, error);
    case FM_INPUT_RESET: return FM_OK;
    case FM_INPUT_SENSE: return fm_sense_check(world, input, error);
    case FM_INPUT_SIGHT: return fm_sighting_check(world, input, error);
    case FM_INPUT_WAYPOINT_ADD:
    case FM_INPUT_WAYPOINT_MOVE:
    case FM_INPUT_WAYPOINT_CLEAR: return fm_waypoint_check(world, input, error);
    case FM_INPUT_MESSAGE: return fm_message_check(world, input, error);
    case FM_INPUT_EMISSION: return fm_emission_check(world, input, error);
    }
    return fm_fail(error, FM_ERR_ARGUMENT, "unknown kind of input %d", (int)input->kind);
}

/* The state of tick 0 is there at once, and what comes behind is checked against it. The step that takes the reset does
 * the same once more: inputs that waited before it, which it also takes, leave nothing. */
static void begin_again(fm_world *world)
{
    world->input_first = world->input_count;
    world->taken_count = world->event_count = 0;
    fm_world_begin(world);
}

/* One that waits for the step and is removed before it never comes: neither input is taken, nor recorded. */
static int call_off(fm_world *world, const char *name)
{
    for (size_t i = world->input_count; i-- > world->input_first;)
        if (world->inputs[i].kind == FM_INPUT_SPAWN && strcmp(world->inputs[i].vehicle, name) == 0) {
            world->input_count--;
            memmove(world->inputs + i, world->inputs + i + 1, (world->input_count - i) * sizeof *world->inputs);
            return 1;
        }
    return 0;
}

/* With zeros behind its end: it is compared, saved and hashed as bytes. */
static void name_holder(fm_input *input)
{
    char holder[FM_HOLDER_SIZE];
    memcpy(holder, input->holder, sizeof holder);
    /* a parameter has no holder: what the scenario changes itself is recorded without one */
    fm_input_set_holder(input, holder[0] || input->kind == FM_INPUT_PARAMETER ? holder : "program");
}

fm_status fm_world_input(fm_world *world, const fm_input *input, fm_error *error)
{
    if (!world || !input)
        return fm_fail(error, FM_ERR_ARGUMENT, "there is no %s", world ? "input" : "world");
    if (!memchr(input->vehicle, 0, sizeof input->vehicle) || !memchr(input->target, 0, sizeof input->target) ||
        !memchr(input->holder, 0, sizeof input->holder))
        return fm_fail(error, FM_ERR_ARGUMENT, "the names of an input do not end");
    if (input->size > sizeof input->data)
        return fm_fail(error, FM_ERR_RANGE, "an input with %llu bytes: must be at most %zu",
                       (unsigned long long)input->size, sizeof input->data);
    fm_input named = *input;
    name_holder(&named);
    fm_status status = check_input(world, &named, error);
    if (status != FM_OK || (input->kind == FM_INPUT_REMOVE && call_off(world, input->vehicle)))
        return status;
    if (world->input_count == world->input_room)
        return fm_fail(error, FM_ERR_FULL, "%zu inputs wait already for the next step; no more are taken before it",
                       world->input_room);
    world->inputs[world->input_count] = named;
    world->inputs[world->input_count++].tick = fm_world_steps(world);
    if (input->kind == FM_INPUT_RESET)
        begin_again(world);
    return FM_OK;
}

static fm_status give(fm_world *world, fm_status made, const fm_input *input, fm_error *error)
{
    return made == FM_OK ? fm_world_input(world, input, error) : made;
}

fm_status fm_world_order(fm_world *world, const char *vehicle, const char *actuator, double value, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_order(&input, vehicle, actuator, value, error), &input, error);
}

fm_status fm_world_set(fm_world *world, const char *path, double value, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_parameter(&input, path, value, error), &input, error);
}

fm_status fm_world_spawn(fm_world *world, const char *name, const char *like, const double position[3],
                         const double euler[3], fm_error *error)
{
    fm_input input;
    return give(world, fm_input_spawn(&input, name, like, position, euler, error), &input, error);
}

fm_status fm_world_spawn_addressed(fm_world *world, const char *name, const char *like, const double position[3],
                                   const double euler[3], int64_t address, fm_error *error)
{
    fm_input input;
    fm_status made = fm_input_spawn(&input, name, like, position, euler, error);
    input.to = address;
    return give(world, made, &input, error);
}

fm_status fm_world_remove(fm_world *world, const char *name, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_remove(&input, name, error), &input, error);
}

fm_status fm_world_reset(fm_world *world, fm_error *error)
{
    return fm_world_input(world, &(fm_input){.kind = FM_INPUT_RESET}, error);
}

fm_status fm_world_sense(fm_world *world, const char *vehicle, const char *what, double value, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_sense(&input, vehicle, what, value, error), &input, error);
}

fm_status fm_world_desire(fm_world *world, const char *vehicle, const char *what, double value, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_desire(&input, vehicle, what, value, error), &input, error);
}

fm_status fm_world_take(fm_world *world, const char *vehicle, const char *actuator, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_steer(&input, FM_INPUT_TAKE, vehicle, actuator, error), &input, error);
}

fm_status fm_world_release(fm_world *world, const char *vehicle, const char *what, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_steer(&input, FM_INPUT_RELEASE, vehicle, what, error), &input, error);
}

fm_status fm_world_engage(fm_world *world, const char *vehicle, const char *controller, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_steer(&input, FM_INPUT_ENGAGE, vehicle, controller, error), &input, error);
}

fm_status fm_world_disengage(fm_world *world, const char *vehicle, const char *controller, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_steer(&input, FM_INPUT_DISENGAGE, vehicle, controller, error), &input, error);
}

fm_status fm_world_force(fm_world *world, const char *vehicle, const double force[6], fm_error *error)
{
    fm_input input;
    return give(world, fm_input_force(&input, vehicle, force, error), &input, error);
}

fm_status fm_world_sight(fm_world *world, const char *vehicle, const fm_sighting *seen, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_sight(&input, vehicle, seen, error), &input, error);
}

fm_status fm_world_waypoint_add(fm_world *world, const char *vehicle, const char *list, int before,
                                const fm_waypoint *waypoint, fm_error *error)
{
    fm_input input;
    fm_status made = fm_input_waypoint(&input, FM_INPUT_WAYPOINT_ADD, vehicle, list, before, waypoint, error);
    return give(world, made, &input, error);
}

fm_status fm_world_waypoint_move(fm_world *world, const char *vehicle, const char *list, int i,
                                 const fm_waypoint *waypoint, fm_error *error)
{
    fm_input input;
    fm_status made = fm_input_waypoint(&input, FM_INPUT_WAYPOINT_MOVE, vehicle, list, i, waypoint, error);
    return give(world, made, &input, error);
}

fm_status fm_world_waypoint_clear(fm_world *world, const char *vehicle, const char *list, fm_error *error)
{
    fm_input input;
    fm_status made = fm_input_waypoint(&input, FM_INPUT_WAYPOINT_CLEAR, vehicle, list, 0, NULL, error);
    return give(world, made, &input, error);
}

fm_status fm_world_modem_send(fm_world *world, const char *vehicle, const char *modem, int64_t to, const void *data,
                              size_t size, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_message(&input, vehicle, modem, to, data, size, error), &input, error);
}

fm_status fm_world_emit(fm_world *world, const char *vehicle, const char *transducer, const fm_emission *emission,
                        fm_error *error)
{
    fm_input input;
    return give(world, fm_input_emission(&input, vehicle, transducer, emission, error), &input, error);
}

size_t fm_world_inputs(const fm_world *world, const fm_input **inputs)
{
    if (inputs)
        *inputs = world ? world->taken : NULL;
    return world ? world->taken_count : 0;
}

/* --- taking --- */

static void take_parameter(const fm_world *world, const fm_input *input)
{
    const fm_attr *attr;
    int slot;
    double *word = find_live(world, input->target, &attr, &slot);
    if (!word)
        return;
    int64_t whole = (int64_t)input->value;
    memcpy(word, fm_live_is_whole(attr) ? (const void *)&whole : (const void *)&input->value, sizeof *word);
    if (slot >= 0)
        world->slots[slot].vehicle->settled = 0; /* it may have been a fault */
}

static void take_spawn(fm_world *world, const fm_input *input)
{
    static const double at_rest[6] = {0};
    int type = fm_model_find_type(world->model, input->target);
    int slot = free_slot(world, world->model->types[type].record_words);
    if (slot < 0)
        return;
    fm_vehicle_start(world, slot, type, input->vehicle, input->pose, input->pose + 3, at_rest, -1);
    fm_address_give(world, slot, input->to);
}

static void take_remove(fm_world *world, const fm_input *input)
{
    int slot = fm_world_find(world, input->vehicle);
    if (slot < 0)
        return;
    memset((void *)world->slots[slot].vehicle, 0, world->slots[slot].room * 8);
    fm_owners_clear(world, slot);
    fm_slot_refresh(world, slot);
}

/* A change that a waiting input makes already (a recorded one, in a replay) is not made twice. */
static int is_waiting(const fm_world *world, const fm_timed_change *change)
{
    for (size_t i = world->input_first; i < world->input_count; i++) {
        const fm_input *input = &world->inputs[i];
        if (input->kind == FM_INPUT_PARAMETER && input->value == change->value &&
            strcmp(input->target, change->path) == 0)
            return 1;
    }
    return 0;
}

/* The scenario's own changes of live parameters become inputs of their tick, and are recorded as such. */
static void take_timed_changes(fm_world *world)
{
    const fm_model *model = world->model;
    while (world->next_change < model->change_count && model->changes[world->next_change].tick < world->head->tick)
        world->next_change++;
    for (; world->next_change < model->change_count && model->changes[world->next_change].tick == world->head->tick;
         world->next_change++) {
        const fm_timed_change *change = &model->changes[world->next_change];
        fm_input input = {.tick = fm_world_steps(world), .kind = FM_INPUT_PARAMETER, .value = change->value};
        const fm_attr *attr;
        int slot;
        strncpy(input.target, change->path, sizeof input.target - 1);
        if (!find_live(world, change->path, &attr, &slot))
            continue; /* of a vehicle that was removed */
        if (!is_waiting(world, change)) {
            take_parameter(world, &input);
            world->taken[world->taken_count++] = input;
        }
        if (slot >= 0)
            fm_event_tell(world, slot, "parameter set", change->value, "%s", change->text);
    }
}

/* Takes the orders that are due; returns the tick of the vehicle's next one. */
static uint64_t take_timed_orders(fm_world *world, int index)
{
    const fm_slot *slot = &world->slots[index];
    fm_vehicle *vehicle = slot->vehicle;
    if (vehicle->life != FM_ALIVE || vehicle->placement < 0)
        return UINT64_MAX;
    const fm_placement *placement = &world->model->vehicles[vehicle->placement];
    while (vehicle->next_order < (int64_t)placement->order_count &&
           placement->orders[vehicle->next_order].tick <= world->head->tick) {
        const fm_timed_order *order = &placement->orders[vehicle->next_order++];
        fm_owners_write(world, index, order->actuator, order->value, -1);
    }
    return vehicle->next_order < (int64_t)placement->order_count ? placement->orders[vehicle->next_order].tick
                                                                 : UINT64_MAX;
}

/* 0: it changed nothing. */
static int take(fm_world *world, const fm_input *input)
{
    switch (input->kind) {
    case FM_INPUT_ORDER:
    case FM_INPUT_FLY:
    case FM_INPUT_TAKE:
    case FM_INPUT_RELEASE:
    case FM_INPUT_ENGAGE:
    case FM_INPUT_DISENGAGE: return fm_owners_take(world, input);
    case FM_INPUT_PARAMETER: take_parameter(world, input); break;
    case FM_INPUT_SPAWN: take_spawn(world, input); break;
    case FM_INPUT_REMOVE: take_remove(world, input); break;
    case FM_INPUT_DESIRE: return fm_desire_take(world, input);
    case FM_INPUT_FORCE: fm_force_take(world, input); break;
    case FM_INPUT_WAYPOINT_ADD:
    case FM_INPUT_WAYPOINT_MOVE:
    case FM_INPUT_WAYPOINT_CLEAR: fm_waypoint_take(world, input); break;
    case FM_INPUT_MESSAGE: fm_message_take(world, input); break;
    case FM_INPUT_EMISSION: fm_emission_take(world, input); break;
    case FM_INPUT_RESET: fm_world_begin(world); break;
    case FM_INPUT_SENSE: fm_sense_take(world, input); break;
    case FM_INPUT_SIGHT: fm_sighting_take(world, input); break;
    }
    return 1;
}

/* Those since the last reset count for the state. */
static size_t count_since_reset(const fm_world *world)
{
    size_t count = 0;
    for (size_t i = 0; i < world->taken_count; i++)
        count = world->taken[i].kind == FM_INPUT_RESET ? 0 : count + 1;
    return count;
}

void fm_stage_deliver(fm_world *world)
{
    world->taken_count = 0;
    for (size_t i = 0; i < world->input_count; i++) {
        fm_input *taken = &world->taken[world->taken_count];
        *taken = world->inputs[i];
        taken->tick = fm_world_steps(world);
        world->taken_count += (size_t)take(world, &world->inputs[i]);
    }
    if (world->next_change < world->model->change_count)
        take_timed_changes(world);
    world->head->inputs_taken += count_since_reset(world);
    world->input_count = world->input_first = 0;
    if (world->head->tick < world->next_order)
        return;
    world->next_order = UINT64_MAX;
    for (int i = 0; i < world->slot_count; i++) {
        uint64_t next = take_timed_orders(world, i);
        world->next_order = next < world->next_order ? next : world->next_order;
    }
}
