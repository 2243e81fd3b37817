/* Inputs that steer: overriding set points of an autopilot, external forces, changes of waypoints. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "world/inputs.h"
#include "world/vehicle_names.h"
#include "world/world.h"

static fm_status find_vehicle(const fm_world *world, const char *name, const fm_slot **slot, fm_error *error)
{
    int index = fm_world_find(world, name);
    if (index < 0)
        return fm_world_no_vehicle(world, name, error);
    *slot = &world->slots[index];
    return FM_OK;
}

/* --- set points --- */

/* The addressed set point: its part and its row. */
typedef struct set_point {
    const fm_part *part;
    const fm_setpoint *row;
} set_point;

size_t fm_type_setpoint_count(const fm_type *type)
{
    size_t count = 0;
    for (size_t i = 0; i < type->controller_count; i++)
        count += type->parts[type->sensor_count + i].part_class->setpoint_count;
    return count;
}

/* In the order of the file. */
static set_point set_point_at(const fm_type *type, size_t at)
{
    const fm_part *part = &type->parts[type->sensor_count];
    for (; at >= part->part_class->setpoint_count; part++)
        at -= part->part_class->setpoint_count;
    return (set_point){part, &part->part_class->setpoints[at]};
}

const fm_setpoint *fm_type_setpoint(const fm_type *type, size_t i, const fm_part **part)
{
    const set_point p = set_point_at(type, i);
    *part = p.part;
    return p.row;
}

static int is_named(const set_point *p, const char *what)
{
    size_t length = strlen(p->part->name);
    if (strncmp(what, p->part->name, length) == 0 && what[length] == '/')
        what += length + 1;
    return strcmp(what, p->row->name) == 0 || (p->row->also && strcmp(what, p->row->also) == 0);
}

/* By NAME or PART/NAME; among several the last in the file, which the others guide. */
static int find_set_point(const fm_type *type, const char *what, set_point *found)
{
    for (size_t i = fm_type_setpoint_count(type); i-- > 0;) {
        *found = set_point_at(type, i);
        if (is_named(found, what))
            return 1;
    }
    return 0;
}

static void *set_point_word(const fm_slot *slot, const set_point *p, size_t offset)
{
    return (char *)fm_vehicle_words(slot->vehicle, p->part->live) + offset;
}

static int64_t read_flag(const void *word)
{
    int64_t flag;
    memcpy(&flag, word, sizeof flag);
    return flag;
}

/* NaN: not set. */
static double read_set_point(const fm_slot *slot, const set_point *p)
{
    if (p->row->flag && !read_flag(set_point_word(slot, p, p->row->flag - 1)))
        return NAN;
    return *(const double *)set_point_word(slot, p, p->row->offset);
}

static int put_word(void *word, const void *value)
{
    int changed = memcmp(word, value, 8) != 0;
    memcpy(word, value, 8);
    return changed;
}

static int write_set_point(const fm_slot *slot, const set_point *p, double value)
{
    int64_t flag = !isnan(value);
    int changed = 0;
    if (flag || !p->row->flag)
        changed = put_word(set_point_word(slot, p, p->row->offset), &value);
    if (p->row->flag)
        changed |= put_word(set_point_word(slot, p, p->row->flag - 1), &flag);
    return changed;
}

/* As it was loaded. */
static int reset_set_point(const fm_slot *slot, const set_point *p)
{
    const char *config = p->part->config;
    int changed = put_word(set_point_word(slot, p, p->row->offset), config + p->row->offset);
    if (p->row->flag)
        changed |= put_word(set_point_word(slot, p, p->row->flag - 1), config + p->row->flag - 1);
    return changed;
}

/* "heading, depth, speed" */
static void list_set_points(const fm_type *type, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < fm_type_setpoint_count(type) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", set_point_at(type, i).row->name);
}

static fm_status no_set_point(const fm_type *type, const char *vehicle, const char *what, fm_error *error)
{
    char names[160];
    list_set_points(type, names, sizeof names);
    return names[0]
               ? fm_fail(error, FM_ERR_NAME, "'%s' has no set point '%s'; it has %s", vehicle, what, names)
               : fm_fail(error, FM_ERR_NAME, "'%s' has no set point '%s': none of its parts holds one", vehicle, what);
}

/* For a desire, and for a release that names neither an actuator nor a group. */
fm_status fm_desire_check(fm_world *world, const fm_input *input, fm_error *error)
{
    const char *vehicle = fm_command_vehicle(&input->command), *what = fm_command_target(&input->command);
    const double value = fm_command_value(&input->command);
    set_point p;
    const fm_slot *slot = NULL;
    fm_status status = find_vehicle(world, vehicle, &slot, error);
    if (status != FM_OK)
        return status;
    if (!find_set_point(slot->type, what, &p))
        return no_set_point(slot->type, vehicle, what, error);
    int optional = p.row->flag || p.row->optional, limited = p.row->min != 0 || p.row->max != 0;
    if (input->command.kind == FM_COMMAND_RELEASE || (isnan(value) && optional))
        return FM_OK;
    if (!isfinite(value) || (limited && (value < p.row->min || value > p.row->max)))
        return fm_fail(error, FM_ERR_RANGE, "%s of '%s' is %g: must be between %g and %g %s", p.row->name, vehicle,
                       value, p.row->min, p.row->max, p.row->unit);
    return FM_OK;
}

int fm_desire_take(fm_world *world, const fm_input *input)
{
    const fm_command_desire *desire = &input->command.desire;
    set_point p;
    const fm_slot *slot = NULL;
    if (find_vehicle(world, desire->vehicle, &slot, NULL) != FM_OK || !find_set_point(slot->type, desire->what, &p))
        return 1; /* removed by an earlier input */
    return write_set_point(slot, &p, desire->value);
}

int fm_desire_known(const fm_world *world, int slot, const char *what)
{
    set_point p;
    return find_set_point(world->slots[slot].type, what, &p);
}

int fm_desire_release(fm_world *world, int index, const char *what)
{
    const fm_slot *slot = &world->slots[index];
    set_point p;
    int changed = 0;
    if (what[0])
        return find_set_point(slot->type, what, &p) && reset_set_point(slot, &p);
    for (size_t i = 0; i < fm_type_setpoint_count(slot->type); i++) {
        p = set_point_at(slot->type, i);
        changed |= reset_set_point(slot, &p);
    }
    return changed;
}

size_t fm_world_setpoint_count(const fm_world *world, int slot)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    return s ? fm_type_setpoint_count(s->type) : 0;
}

fm_setpoint_info fm_world_setpoint(const fm_world *world, int slot, size_t i)
{
    if (i >= fm_world_setpoint_count(world, slot))
        return (fm_setpoint_info){.part = "", .name = "", .unit = "", .text = "", .value = NAN};
    const set_point p = set_point_at(world->slots[slot].type, i);
    return (fm_setpoint_info){.part = p.part->name,
                              .name = p.row->name,
                              .unit = p.row->unit,
                              .text = p.row->text,
                              .min = p.row->min,
                              .max = p.row->max,
                              .value = read_set_point(&world->slots[slot], &p),
                              .optional = p.row->flag || p.row->optional};
}

/* --- forces from outside --- */

fm_status fm_force_check(fm_world *world, const fm_input *input, fm_error *error)
{
    const fm_slot *slot = NULL;
    fm_status status = find_vehicle(world, input->command.push.vehicle, &slot, error);
    if (status != FM_OK || slot->type->kind->rigid)
        return status;
    return fm_fail(error, FM_ERR_ARGUMENT,
                   "'%s' is of kind '%s', which accepts no external force: must be a rigid body",
                   input->command.push.vehicle, slot->type->kind->name);
}

int fm_force_take(fm_world *world, const fm_input *input)
{
    const fm_command_push *push = &input->command.push;
    const fm_slot *slot = NULL;
    if (find_vehicle(world, push->vehicle, &slot, NULL) != FM_OK)
        return 1; /* removed by an earlier input */
    fm_vehicle *vehicle = slot->vehicle;
    memcpy(vehicle->outside, push->force, sizeof push->force);
    memcpy(vehicle->outside + 3, push->moment, sizeof push->moment);
    vehicle->pushed = 0;
    for (int i = 0; i < 6; i++)
        vehicle->pushed |= vehicle->outside[i] != 0;
    return 1;
}

/* --- vehicles that another simulator moves --- */

fm_status fm_sighting_check(fm_world *world, const fm_input *input, fm_error *error)
{
    const fm_slot *slot = NULL;
    fm_status status = find_vehicle(world, input->command.sight.vehicle, &slot, error);
    if (status != FM_OK || slot->type->kind->sight)
        return status;
    return fm_fail(error, FM_ERR_ARGUMENT, "'%s' is of kind '%s', which moves by itself: must be of kind foreign",
                   input->command.sight.vehicle, slot->type->kind->name);
}

int fm_sighting_take(fm_world *world, const fm_input *input)
{
    const fm_command_sight *sight = &input->command.sight;
    const fm_slot *slot = NULL;
    fm_sighting seen = {.algorithm = (int)sight->algorithm};
    if (find_vehicle(world, sight->vehicle, &slot, NULL) != FM_OK || !slot->type->kind->sight)
        return 1; /* removed by an earlier input */
    memcpy(seen.position, sight->position, sizeof seen.position);
    memcpy(seen.euler, sight->euler, sizeof seen.euler);
    memcpy(seen.velocity, sight->velocity, sizeof seen.velocity);
    memcpy(seen.acceleration, sight->acceleration, sizeof seen.acceleration);
    memcpy(seen.rates, sight->rates, sizeof seen.rates);
    slot->type->kind->sight(slot->type, slot->vehicle, &seen);
    fm_slot_refresh(world, (int)(slot - world->slots));
    return 1;
}

/* --- waypoints --- */

/* The addressed list: a part of the vehicle, and a context for its calls. */
typedef struct waypoint_list {
    const fm_waypoint_calls *calls;
    const char *name;
    fm_part_context context;
} waypoint_list;

static fm_part_context context_of(const fm_world *world, int index, const fm_part *part)
{
    const fm_slot *slot = &world->slots[index];
    return (fm_part_context){.tick = world->head->tick,
                             .time = fm_world_time(world),
                             .config = part->config,
                             .live = fm_vehicle_words(slot->vehicle, part->live),
                             .state = fm_vehicle_words(slot->vehicle, part->state),
                             .output = fm_vehicle_words(slot->vehicle, part->output),
                             .slot = index};
}

static int find_list(const fm_world *world, const char *vehicle, const char *name, waypoint_list *list)
{
    int index = vehicle ? fm_world_find(world, vehicle) : -1;
    const fm_slot *slot = index >= 0 ? &world->slots[index] : NULL;
    for (size_t i = 0; slot && i < slot->type->part_count; i++) {
        const fm_part *part = &slot->type->parts[i];
        if (!part->part_class->waypoints || (name && *name && strcmp(part->name, name) != 0))
            continue;
        list->calls = part->part_class->waypoints;
        list->name = part->name;
        list->context = context_of(world, index, part);
        return 1;
    }
    return 0;
}

fm_route_counts fm_world_routes(const fm_world *world)
{
    fm_route_counts found = {0};
    for (int k = 0; k < world->slot_count; k++) {
        const fm_slot *slot = &world->slots[k];
        for (size_t i = 0; slot->vehicle->life == FM_ALIVE && i < slot->type->part_count; i++) {
            const fm_part *part = &slot->type->parts[i];
            if (!part->part_class->waypoints || !part->part_class->waypoints->course)
                continue;
            const fm_part_context context = context_of(world, k, part);
            const unsigned progress = (unsigned)part->part_class->waypoints->course(&context);
            const unsigned marked = progress >= FM_ROUTE_MARKED, at = progress % FM_ROUTE_MARKED;
            found.lists += at != FM_ROUTE_ENDLESS;
            found.done += at == FM_ROUTE_DONE;
            found.marked += marked;
            found.marked_done += marked && at == FM_ROUTE_DONE;
        }
    }
    return found;
}

/* The waypoint of a command, and its position in the list; none for a command that clears the list. */
static fm_waypoint waypoint_of(const fm_command *command, int64_t *index)
{
    const fm_command_waypoint *add = &command->waypoint;
    const fm_command_waypoint_move *move = &command->waypoint_move;
    const int moves = command->kind == FM_COMMAND_WAYPOINT_MOVE;
    fm_waypoint waypoint = {.speed = moves ? move->speed : add->speed, .hold = moves ? move->hold : add->hold};
    memcpy(waypoint.position, moves ? move->position : add->position, sizeof waypoint.position);
    *index = moves ? move->index : add->index;
    return waypoint;
}

/* The number of waypoints after the waiting inputs are applied. */
static size_t count_after(const fm_world *world, const char *vehicle, const waypoint_list *list)
{
    size_t count = list->calls->count(&list->context);
    for (size_t i = world->input_first; i < world->input_count; i++) {
        const fm_command *command = &world->inputs[i].command;
        const char *target = fm_command_target(command);
        if (strcmp(fm_command_vehicle(command), vehicle) != 0 || (target[0] && strcmp(target, list->name) != 0))
            continue;
        if (command->kind == FM_COMMAND_WAYPOINT)
            count++;
        else if (command->kind == FM_COMMAND_WAYPOINTS_CLEAR)
            count = 0;
    }
    return count;
}

static fm_status check_waypoint(const waypoint_list *list, const fm_command *command, size_t count, fm_error *error)
{
    int64_t index;
    fm_waypoint waypoint = waypoint_of(command, &index);
    const int adds = command->kind == FM_COMMAND_WAYPOINT;
    const int64_t most = (int64_t)count - !adds, least = adds ? -1 : 0;
    if (index < least || index > most)
        return fm_fail(error, FM_ERR_RANGE, "waypoint %lld of '%s' is out of range: must be %lld to %lld",
                       (long long)index, fm_command_vehicle(command), (long long)least, (long long)most);
    return list->calls->check(&list->context, &waypoint, count + (size_t)adds, error);
}

fm_status fm_waypoint_check(fm_world *world, const fm_input *input, fm_error *error)
{
    const char *vehicle = fm_command_vehicle(&input->command), *name = fm_command_target(&input->command);
    waypoint_list list;
    const fm_slot *slot = NULL;
    fm_status status = find_vehicle(world, vehicle, &slot, error);
    if (status != FM_OK)
        return status;
    if (!find_list(world, vehicle, name, &list))
        return fm_fail(error, FM_ERR_NAME, "'%s' has no list of waypoints%s%s%s", vehicle, name[0] ? " '" : "", name,
                       name[0] ? "'" : "");
    if (input->command.kind == FM_COMMAND_WAYPOINTS_CLEAR)
        return FM_OK;
    return check_waypoint(&list, &input->command, count_after(world, vehicle, &list), error);
}

int fm_waypoint_take(fm_world *world, const fm_input *input)
{
    const fm_command *command = &input->command;
    waypoint_list list;
    if (!find_list(world, fm_command_vehicle(command), fm_command_target(command), &list))
        return 1; /* removed by an earlier input */
    if (command->kind == FM_COMMAND_WAYPOINTS_CLEAR)
        return list.calls->clear(&list.context), 1;
    int64_t index;
    fm_waypoint waypoint = waypoint_of(command, &index);
    size_t count = list.calls->count(&list.context), at = index < 0 ? count : (size_t)index;
    if (command->kind == FM_COMMAND_WAYPOINT && at <= count)
        list.calls->add(&list.context, at, &waypoint);
    else if (command->kind == FM_COMMAND_WAYPOINT_MOVE && at < count)
        list.calls->move(&list.context, at, &waypoint);
    return 1;
}

const char *fm_world_waypoint_list(const fm_world *world, const char *vehicle, const char *name)
{
    waypoint_list list;
    return find_list(world, vehicle, name, &list) ? list.name : NULL;
}

size_t fm_world_waypoints(const fm_world *world, const char *vehicle, const char *name, fm_waypoint *waypoints,
                          size_t room)
{
    waypoint_list list;
    if (!world || !find_list(world, vehicle, name, &list))
        return 0;
    size_t count = list.calls->count(&list.context);
    for (size_t i = 0; waypoints && i < room && i < count; i++)
        list.calls->get(&list.context, i, &waypoints[i]);
    return count;
}
