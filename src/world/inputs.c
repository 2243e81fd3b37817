/* Inputs: orders, parameters, spawning and removing. They wait in a queue and are applied at the start of a step. */
#include <fathom/modem.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "world/admission.h"
#include "world/inputs.h"
#include "world/owners.h"
#include "world/parts.h"
#include "world/vehicle_names.h"
#include "world/world.h"

/* --- making --- */

static fm_status write_name(fm_command *command, fm_argument_role role, const char *name, fm_error *error)
{
    const fm_argument *a = fm_command_argument(fm_command_row_of(command->kind), role);
    return a ? fm_argument_write_name(a, command, name, error) : FM_OK;
}

fm_status fm_input_begin(fm_input *input, fm_command_kind kind, const char *vehicle, const char *target,
                         fm_error *error)
{
    *input = (fm_input){0};
    fm_status status = fm_command_begin(&input->command, kind, error);
    if (status == FM_OK)
        status = write_name(&input->command, FM_ARGUMENT_VEHICLE, vehicle, error);
    if (status == FM_OK)
        status = write_name(&input->command, FM_ARGUMENT_PATH, target, error);
    return status == FM_OK ? write_name(&input->command, FM_ARGUMENT_PLAIN, target, error) : status;
}

fm_status fm_input_value(fm_input *input, fm_command_kind kind, const char *vehicle, const char *target, double value,
                         fm_error *error)
{
    fm_status status = fm_input_begin(input, kind, vehicle, target, error);
    const fm_command_row *row = fm_command_row_of(kind);
    const fm_argument *last = row && row->argument_count ? &row->arguments[row->argument_count - 1] : NULL;
    return status == FM_OK && last ? fm_argument_write(last, &input->command, &value, error) : status;
}

fm_status fm_input_spawn(fm_input *input, const char *name, const char *like, const double position[3],
                         const double euler[3], fm_error *error)
{
    fm_status status = fm_input_begin(input, FM_COMMAND_SPAWN, name, like, error);
    if (!position || !euler)
        return fm_fail(error, FM_ERR_ARGUMENT, "cannot spawn '%s': it has no pose", name ? name : "");
    memcpy(input->command.spawn.position, position, sizeof input->command.spawn.position);
    memcpy(input->command.spawn.euler, euler, sizeof input->command.spawn.euler);
    return status;
}

void fm_input_set_holder(fm_input *input, const char *holder)
{
    memset(input->holder, 0, sizeof input->holder);
    memcpy(input->holder, holder, strnlen(holder, sizeof input->holder - 1));
}

fm_status fm_input_force(fm_input *input, const char *vehicle, const double force[6], fm_error *error)
{
    fm_status status = fm_input_begin(input, FM_COMMAND_PUSH, vehicle, NULL, error);
    if (!force)
        return fm_fail(error, FM_ERR_ARGUMENT, "no force for '%s'", vehicle ? vehicle : "");
    memcpy(input->command.push.force, force, sizeof input->command.push.force);
    memcpy(input->command.push.moment, force + 3, sizeof input->command.push.moment);
    return status;
}

fm_status fm_input_sight(fm_input *input, const char *vehicle, const fm_sighting *seen, fm_error *error)
{
    fm_status status = fm_input_begin(input, FM_COMMAND_SIGHT, vehicle, NULL, error);
    fm_command_sight *sight = &input->command.sight;
    if (!seen)
        return fm_fail(error, FM_ERR_ARGUMENT, "no sighting of '%s'", vehicle ? vehicle : "");
    sight->algorithm = seen->algorithm;
    memcpy(sight->position, seen->position, sizeof seen->position);
    memcpy(sight->euler, seen->euler, sizeof seen->euler);
    memcpy(sight->velocity, seen->velocity, sizeof seen->velocity);
    memcpy(sight->acceleration, seen->acceleration, sizeof seen->acceleration);
    memcpy(sight->rates, seen->rates, sizeof seen->rates);
    return status;
}

fm_status fm_input_waypoint(fm_input *input, const char *vehicle, const char *list, int before,
                            const fm_waypoint *waypoint, fm_error *error)
{
    fm_status status = fm_input_begin(input, FM_COMMAND_WAYPOINT, vehicle, list, error);
    fm_command_waypoint *add = &input->command.waypoint;
    if (!waypoint)
        return fm_fail(error, FM_ERR_ARGUMENT, "waypoint must not be NULL");
    memcpy(add->position, waypoint->position, sizeof add->position);
    add->speed = waypoint->speed;
    add->hold = waypoint->hold;
    add->index = before;
    return status;
}

fm_status fm_input_waypoint_move(fm_input *input, const char *vehicle, const char *list, int i,
                                 const fm_waypoint *waypoint, fm_error *error)
{
    fm_status status = fm_input_begin(input, FM_COMMAND_WAYPOINT_MOVE, vehicle, list, error);
    fm_command_waypoint_move *move = &input->command.waypoint_move;
    if (!waypoint)
        return fm_fail(error, FM_ERR_ARGUMENT, "waypoint must not be NULL");
    memcpy(move->position, waypoint->position, sizeof move->position);
    move->speed = waypoint->speed;
    move->hold = waypoint->hold;
    move->index = i;
    return status;
}

static fm_status take_bytes(fm_command_bytes *to, const void *data, size_t size, fm_error *error)
{
    if (size > sizeof to->items || (size && !data))
        return fm_fail(error, FM_ERR_RANGE, "a sound of %zu bytes%s: a sound carries at most %zu bytes", size,
                       data ? "" : " from nowhere", sizeof to->items);
    to->size = size;
    if (size)
        memcpy(to->items, data, size);
    return FM_OK;
}

fm_status fm_input_message(fm_input *input, const char *vehicle, const char *modem, int64_t to, const void *data,
                           size_t size, fm_error *error)
{
    fm_status status = fm_input_begin(input, FM_COMMAND_MESSAGE, vehicle, modem, error);
    input->command.message.to = to;
    return status == FM_OK ? take_bytes(&input->command.message.data, data, size, error) : status;
}

fm_status fm_input_emission(fm_input *input, const char *vehicle, const char *transducer, const fm_emission *e,
                            fm_error *error)
{
    fm_status status = fm_input_begin(input, FM_COMMAND_EMISSION, vehicle, transducer, error);
    fm_command_emission *to = &input->command.emission;
    if (!e)
        return fm_fail(error, FM_ERR_ARGUMENT, "there is nothing to send for '%s'", vehicle ? vehicle : "");
    to->time = e->time;
    to->frequency = e->frequency;
    to->level = e->level;
    to->duration = e->duration;
    to->kind = e->kind;
    to->to = e->to;
    to->code = e->code;
    to->answers = e->answers;
    return status == FM_OK ? take_bytes(&to->data, e->data, e->size, error) : status;
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

/* The word at a live path, with its description; NULL: none. */
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

#define WHOLE_MOST 9007199254740992.0 /* 2⁵³: up to there a double holds every whole number exactly */

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

enum { LIVE_PATH = 256 }; /* bytes of a path that is offered */

/* The most similar paths; one more text than there are, for the one to be offered. */
typedef struct similar_paths {
    fm_nearest nearest;
    char texts[FM_NEAREST + 1][LIVE_PATH];
} similar_paths;

static void offer_path(similar_paths *s, const char *vehicle, const char *path)
{
    int used[FM_NEAREST + 1] = {0}, room = 0;
    for (size_t i = 0; i < s->nearest.count; i++)
        for (int k = 0; k <= FM_NEAREST; k++)
            used[k] |= s->nearest.names[i] == s->texts[k];
    while (used[room])
        room++;
    snprintf(s->texts[room], LIVE_PATH, "%s%s%s%s", *vehicle ? "/" : "", vehicle, *vehicle ? "/" : "", path);
    fm_nearest_offer(&s->nearest, s->texts[room]);
}

/* A path that is not a live parameter may be one that is fixed at load, or unknown. */
static fm_status not_live(const fm_world *world, const char *path, fm_error *error)
{
    const fm_param_info *info = fm_model_find_param(world->model, path);
    if (info)
        return info->live ? fm_fail(error, FM_ERR_NAME, "'%s' has several numbers: set one of them, '%s/x'", path, path)
                          : fm_fail(error, FM_ERR_NAME,
                                    "'%s' is fixed when the scenario is loaded and cannot change in a run", path);
    similar_paths similar = {.nearest = {.wanted = path}};
    char near[300];
    for (size_t i = 0; i < world->model->live_count; i++)
        offer_path(&similar, "", world->model->live[i].path);
    for (int k = 0; k < world->slot_count; k++)
        for (size_t i = 0; world->slots[k].vehicle->life != FM_EMPTY && i < world->slots[k].type->live_count; i++)
            offer_path(&similar, world->slots[k].vehicle->name, world->slots[k].type->live[i].path);
    return fm_fail(error, FM_ERR_NAME, "no live parameter '%s'%s", path,
                   fm_nearest_write(&similar.nearest, near, sizeof near));
}

fm_status fm_parameter_check(fm_world *world, const fm_input *input, fm_error *error)
{
    const fm_command_set *set = &input->command.set;
    const fm_attr *attr;
    int slot;
    if (!find_live(world, set->path, &attr, &slot))
        return not_live(world, set->path, error);
    return fm_live_check(attr, set->path, set->value, error);
}

fm_status fm_world_get(const fm_world *world, const char *path, double *value, fm_error *error)
{
    const fm_attr *attr;
    int slot;
    if (!world || !path || !value)
        return fm_fail(error, FM_ERR_ARGUMENT, "world, path and value must not be NULL");
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

/* The live parameter that a fault sets. */
static fm_status set_of_fault(const fm_command_fault *fault, fm_input *set, fm_error *error)
{
    char path[sizeof *fault];
    snprintf(path, sizeof path, "/%s/%s/%s", fault->vehicle, fault->part, fault->kind);
    return fm_input_value(set, FM_COMMAND_SET, NULL, path, fault->value, error);
}

fm_status fm_fault_check(fm_world *world, const fm_input *input, fm_error *error)
{
    fm_input set;
    fm_status status = set_of_fault(&input->command.fault, &set, error);
    return status == FM_OK ? fm_parameter_check(world, &set, error) : status;
}

fm_status fm_remove_check(fm_world *world, const fm_input *input, fm_error *error)
{
    const char *name = input->command.remove.name;
    return fm_world_expects(world, name) ? FM_OK : fm_world_no_vehicle(world, name, error);
}

fm_status fm_reset_check(fm_world *world, const fm_input *input, fm_error *error)
{
    (void)world;
    (void)input;
    (void)error;
    return FM_OK;
}

fm_status fm_elsewhere_check(fm_world *world, const fm_input *input, fm_error *error)
{
    (void)world;
    return fm_fail(error, FM_ERR_ARGUMENT, "'%s' is a command to a run, not to its world",
                   fm_command_row_of(input->command.kind)->word);
}

/* --- giving --- */

/* Executes a command in the world. */
typedef struct carrier {
    fm_status (*check)(fm_world *world, const fm_input *input, fm_error *error);
    int (*take)(fm_world *world, const fm_input *input);
} carrier;

static const carrier carriers[FM_COMMAND_KINDS] = {
#define FM_COMMAND_WITH(name, NAME, number, word, Title, thread, who, by, ...)                                         \
    [FM_COMMAND_##NAME] = {fm_##by##_check, fm_##by##_take},
#include <fathom/command_table.h>
};

/* The state of tick 0 is restored at once, and later inputs are checked against it. The step that applies the reset
 * restores it again, so that earlier waiting inputs, which it also applies, have no effect. */
static void begin_again(fm_world *world)
{
    world->input_first = world->input_count;
    world->taken_count = world->event_count = 0;
    fm_world_begin(world);
}

/* A vehicle that waits for the step and is removed before it never appears: neither input is applied or recorded. */
static int call_off(fm_world *world, const char *name)
{
    for (size_t i = world->input_count; i-- > world->input_first;)
        if (world->inputs[i].command.kind == FM_COMMAND_SPAWN &&
            strcmp(world->inputs[i].command.spawn.name, name) == 0) {
            world->input_count--;
            memmove(world->inputs + i, world->inputs + i + 1, (world->input_count - i) * sizeof *world->inputs);
            return 1;
        }
    return 0;
}

/* With zeros in unused places: inputs are compared, saved and hashed as bytes. */
static fm_input named_input(const fm_input *given)
{
    fm_input input = {.tag = given->tag};
    fm_command_copy(&input.command, &given->command);
    /* a parameter has no holder: changes by the scenario itself are recorded without one */
    fm_input_set_holder(&input, given->holder[0] || given->command.kind == FM_COMMAND_SET ? given->holder : "program");
    return input;
}

fm_status fm_world_input(fm_world *world, const fm_input *input, fm_error *error)
{
    if (!world || !input)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s must not be NULL", world ? "input" : "world");
    if (!memchr(input->holder, 0, sizeof input->holder))
        return fm_fail(error, FM_ERR_ARGUMENT, "the holder of an input has more than %d characters",
                       FM_HOLDER_SIZE - 1);
    fm_status status = fm_command_check(&input->command, error);
    if (status != FM_OK)
        return status;
    const fm_command_kind kind = input->command.kind;
    const fm_input named = named_input(input);
    status = carriers[kind].check(world, &named, error);
    if (status != FM_OK || (kind == FM_COMMAND_REMOVE && call_off(world, named.command.remove.name)))
        return status;
    if (world->input_count == world->input_room)
        return fm_fail(error, FM_ERR_FULL, "%zu inputs wait already for the next step; no more are taken before it",
                       world->input_room);
    world->inputs[world->input_count] = named;
    world->inputs[world->input_count++].tick = fm_world_steps(world);
    if (kind == FM_COMMAND_RESET)
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
    return give(world, fm_input_value(&input, FM_COMMAND_ORDER, vehicle, actuator, value, error), &input, error);
}

fm_status fm_world_set(fm_world *world, const char *path, double value, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_value(&input, FM_COMMAND_SET, NULL, path, value, error), &input, error);
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
    input.command.spawn.address = address;
    return give(world, made, &input, error);
}

fm_status fm_world_remove(fm_world *world, const char *name, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_begin(&input, FM_COMMAND_REMOVE, name, NULL, error), &input, error);
}

fm_status fm_world_reset(fm_world *world, fm_error *error)
{
    return fm_world_input(world, &(fm_input){.command.kind = FM_COMMAND_RESET}, error);
}

fm_status fm_world_sense(fm_world *world, const char *vehicle, const char *what, double value, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_value(&input, FM_COMMAND_SENSE, vehicle, what, value, error), &input, error);
}

fm_status fm_world_desire(fm_world *world, const char *vehicle, const char *what, double value, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_value(&input, FM_COMMAND_DESIRE, vehicle, what, value, error), &input, error);
}

fm_status fm_world_take(fm_world *world, const char *vehicle, const char *actuator, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_begin(&input, FM_COMMAND_TAKE, vehicle, actuator, error), &input, error);
}

fm_status fm_world_release(fm_world *world, const char *vehicle, const char *what, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_begin(&input, FM_COMMAND_RELEASE, vehicle, what, error), &input, error);
}

fm_status fm_world_engage(fm_world *world, const char *vehicle, const char *controller, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_begin(&input, FM_COMMAND_ENGAGE, vehicle, controller, error), &input, error);
}

fm_status fm_world_disengage(fm_world *world, const char *vehicle, const char *controller, fm_error *error)
{
    fm_input input;
    return give(world, fm_input_begin(&input, FM_COMMAND_DISENGAGE, vehicle, controller, error), &input, error);
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
    fm_status made = fm_input_waypoint(&input, vehicle, list, before, waypoint, error);
    return give(world, made, &input, error);
}

fm_status fm_world_waypoint_move(fm_world *world, const char *vehicle, const char *list, int i,
                                 const fm_waypoint *waypoint, fm_error *error)
{
    fm_input input;
    fm_status made = fm_input_waypoint_move(&input, vehicle, list, i, waypoint, error);
    return give(world, made, &input, error);
}

fm_status fm_world_waypoint_clear(fm_world *world, const char *vehicle, const char *list, fm_error *error)
{
    fm_input input;
    fm_status made = fm_input_begin(&input, FM_COMMAND_WAYPOINTS_CLEAR, vehicle, list, error);
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

int fm_parameter_take(fm_world *world, const fm_input *input)
{
    const fm_command_set *set = &input->command.set;
    const fm_attr *attr;
    int slot;
    double *word = find_live(world, set->path, &attr, &slot);
    if (!word)
        return 1;
    int64_t whole = (int64_t)set->value;
    memcpy(word, fm_live_is_whole(attr) ? (const void *)&whole : (const void *)&set->value, sizeof *word);
    if (slot >= 0)
        world->slots[slot].vehicle->settled = 0; /* it may have been a fault */
    else
        world->live_written = 1;
    return 1;
}

int fm_fault_take(fm_world *world, const fm_input *input)
{
    fm_input set;
    return set_of_fault(&input->command.fault, &set, NULL) == FM_OK ? fm_parameter_take(world, &set) : 0;
}

int fm_spawn_take(fm_world *world, const fm_input *input)
{
    static const double at_rest[6] = {0};
    const fm_command_spawn *spawn = &input->command.spawn;
    int type = fm_model_find_type(world->model, spawn->like);
    int slot = free_slot(world, world->model->types[type].record_words);
    if (slot < 0)
        return 1;
    fm_vehicle_start(world, slot, type, spawn->name, spawn->position, spawn->euler, at_rest, -1);
    fm_address_give(world, slot, spawn->address);
    return 1;
}

int fm_remove_take(fm_world *world, const fm_input *input)
{
    int slot = fm_world_find(world, input->command.remove.name);
    if (slot < 0)
        return 1;
    memset((void *)world->slots[slot].vehicle, 0, world->slots[slot].room * 8);
    fm_owners_clear(world, slot);
    fm_slot_refresh(world, slot);
    return 1;
}

int fm_reset_take(fm_world *world, const fm_input *input)
{
    (void)input;
    fm_world_begin(world);
    return 1;
}

int fm_elsewhere_take(fm_world *world, const fm_input *input)
{
    (void)world;
    (void)input;
    return 0;
}

/* A change that a waiting input already makes (a recorded one, in a replay) is not made twice. */
static int is_waiting(const fm_world *world, const fm_timed_change *change)
{
    for (size_t i = world->input_first; i < world->input_count; i++) {
        const fm_command *command = &world->inputs[i].command;
        if (command->kind == FM_COMMAND_SET && command->set.value == change->value &&
            strcmp(command->set.path, change->path) == 0)
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
        const fm_attr *attr;
        fm_input input;
        int slot;
        if (!find_live(world, change->path, &attr, &slot))
            continue; /* of a vehicle that was removed */
        if (!is_waiting(world, change) &&
            fm_input_value(&input, FM_COMMAND_SET, NULL, change->path, change->value, NULL) == FM_OK) {
            input.tick = fm_world_steps(world);
            fm_parameter_take(world, &input);
            world->taken[world->taken_count++] = input;
        }
        if (slot >= 0)
            fm_event_tell(world, slot, "parameter set", change->value, "%s", change->text);
    }
}

/* Applies the due orders; returns the tick of the vehicle's next one. */
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

/* Only those since the last reset belong to the state. */
static size_t count_since_reset(const fm_world *world)
{
    size_t count = 0;
    for (size_t i = 0; i < world->taken_count; i++)
        count = world->taken[i].command.kind == FM_COMMAND_RESET ? 0 : count + 1;
    return count;
}

void fm_stage_deliver(fm_world *world)
{
    world->taken_count = 0;
    for (size_t i = 0; i < world->input_count; i++) {
        fm_input *taken = &world->taken[world->taken_count];
        *taken = world->inputs[i];
        taken->tick = fm_world_steps(world);
        world->taken_count += (size_t)carriers[taken->command.kind].take(world, &world->inputs[i]);
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
