/* Inputs that steer: set points of an autopilot taken over, forces from outside, waypoints changed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "world/inputs.h"
#include "world/world.h"

#define FORCE_MOST 1e12 /* N, N·m: what is more is a mistake */

static fm_status find_vehicle(const fm_world *world, const char *name, const fm_slot **slot, fm_error *error)
{
    int index = fm_world_find(world, name);
    if (index < 0)
        return fm_fail(error, FM_ERR_NAME, "no vehicle '%s' in the world", name);
    *slot = &world->slots[index];
    return FM_OK;
}

/* --- set points --- */

/* One that is meant: its part and its row. */
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

/* By NAME or PART/NAME; of several the last in the file, which the others guide. */
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

static fm_status no_set_point(const fm_type *type, const fm_input *input, fm_error *error)
{
    char names[160];
    list_set_points(type, names, sizeof names);
    return names[0] ? fm_fail(error, FM_ERR_NAME, "'%s' has no set point '%s'; it has %s", input->vehicle,
                              input->target, names)
                    : fm_fail(error, FM_ERR_NAME, "'%s' has no set point '%s': none of its parts holds one",
                              input->vehicle, input->target);
}

fm_status fm_desire_check(const fm_world *world, const fm_input *input, fm_error *error)
{
    set_point p;
    const fm_slot *slot = NULL;
    fm_status status = find_vehicle(world, input->vehicle, &slot, error);
    if (status != FM_OK)
        return status;
    if (!find_set_point(slot->type, input->target, &p))
        return no_set_point(slot->type, input, error);
    int optional = p.row->flag || p.row->optional, limited = p.row->min != 0 || p.row->max != 0;
    if (input->kind == FM_INPUT_RELEASE || (isnan(input->value) && optional))
        return FM_OK;
    if (!isfinite(input->value) || (limited && (input->value < p.row->min || input->value > p.row->max)))
        return fm_fail(error, FM_ERR_RANGE, "%s of '%s' is %g: must be between %g and %g %s", p.row->name,
                       input->vehicle, input->value, p.row->min, p.row->max, p.row->unit);
    return FM_OK;
}

int fm_desire_take(fm_world *world, const fm_input *input)
{
    set_point p;
    const fm_slot *slot = NULL;
    if (find_vehicle(world, input->vehicle, &slot, NULL) != FM_OK || !find_set_point(slot->type, input->target, &p))
        return 1; /* removed by an input before this one */
    return write_set_point(slot, &p, input->value);
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

fm_status fm_force_check(const fm_world *world, const fm_input *input, fm_error *error)
{
    const fm_slot *slot = NULL;
    fm_status status = find_vehicle(world, input->vehicle, &slot, error);
    if (status != FM_OK)
        return status;
    if (!slot->type->kind->rigid)
        return fm_fail(error, FM_ERR_ARGUMENT,
                       "'%s' is of kind '%s', which accepts no external force: must be a rigid body", input->vehicle,
                       slot->type->kind->name);
    for (int i = 0; i < 6; i++)
        if (!(fabs(input->pose[i]) <= FORCE_MOST))
            return fm_fail(error, FM_ERR_RANGE, "a force for '%s' with %g: must be numbers up to %g N or N·m",
                           input->vehicle, input->pose[i], FORCE_MOST);
    return FM_OK;
}

void fm_force_take(fm_world *world, const fm_input *input)
{
    const fm_slot *slot = NULL;
    if (find_vehicle(world, input->vehicle, &slot, NULL) != FM_OK)
        return; /* removed by an input before this one */
    fm_vehicle *vehicle = slot->vehicle;
    memcpy(vehicle->outside, input->pose, sizeof vehicle->outside);
    vehicle->pushed = 0;
    for (int i = 0; i < 6; i++)
        vehicle->pushed |= vehicle->outside[i] != 0;
}

/* --- vehicles that another simulator moves --- */

#define SIGHTING_MOST 1e7 /* m, m/s, m/s², rad/s: what is more is a mistake */

fm_status fm_sighting_check(const fm_world *world, const fm_input *input, fm_error *error)
{
    const fm_slot *slot = NULL;
    fm_status status = find_vehicle(world, input->vehicle, &slot, error);
    if (status != FM_OK)
        return status;
    if (!slot->type->kind->sight)
        return fm_fail(error, FM_ERR_ARGUMENT, "'%s' is of kind '%s', which moves by itself: must be of kind foreign",
                       input->vehicle, slot->type->kind->name);
    if (!(input->value >= 1 && input->value <= 9) || input->value != floor(input->value))
        return fm_fail(error, FM_ERR_RANGE, "dead-reckoning algorithm %g for '%s': must be 1 … 9", input->value,
                       input->vehicle);
    for (int i = 0; i < 15; i++) {
        double number = i < 6 ? input->pose[i] : input->motion[i - 6];
        if (!(fabs(number) <= SIGHTING_MOST))
            return fm_fail(error, FM_ERR_RANGE, "a sighting of '%s' with %g: must be numbers up to %g", input->vehicle,
                           number, SIGHTING_MOST);
    }
    return FM_OK;
}

void fm_sighting_take(fm_world *world, const fm_input *input)
{
    const fm_slot *slot = NULL;
    fm_sighting seen = {.algorithm = (int)input->value};
    if (find_vehicle(world, input->vehicle, &slot, NULL) != FM_OK || !slot->type->kind->sight)
        return; /* removed by an input before this one */
    memcpy(seen.position, input->pose, sizeof seen.position);
    memcpy(seen.euler, input->pose + 3, sizeof seen.euler);
    memcpy(seen.velocity, input->motion, sizeof seen.velocity);
    memcpy(seen.acceleration, input->motion + 3, sizeof seen.acceleration);
    memcpy(seen.rates, input->motion + 6, sizeof seen.rates);
    slot->type->kind->sight(slot->type, slot->vehicle, &seen);
    fm_slot_refresh(world, (int)(slot - world->slots));
}

/* --- waypoints --- */

/* The list that is meant: a part of the vehicle, and a context to ask it. */
typedef struct waypoint_list {
    const fm_waypoint_calls *calls;
    const char *name;
    fm_part_context context;
} waypoint_list;

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
        list->context = (fm_part_context){.tick = world->head->tick,
                                          .time = fm_world_time(world),
                                          .config = part->config,
                                          .live = fm_vehicle_words(slot->vehicle, part->live),
                                          .state = fm_vehicle_words(slot->vehicle, part->state),
                                          .output = fm_vehicle_words(slot->vehicle, part->output),
                                          .slot = index};
        return 1;
    }
    return 0;
}

static fm_waypoint waypoint_of(const fm_input *input)
{
    const double *p = input->pose;
    return (fm_waypoint){.position = {p[0], p[1], p[2]}, .speed = p[3], .hold = p[4]};
}

/* How many there will be when the inputs that wait are taken. */
static size_t count_after(const fm_world *world, const fm_input *of, const waypoint_list *list)
{
    size_t count = list->calls->count(&list->context);
    for (size_t i = world->input_first; i < world->input_count; i++) {
        const fm_input *input = &world->inputs[i];
        if (strcmp(input->vehicle, of->vehicle) != 0 || (input->target[0] && strcmp(input->target, list->name) != 0))
            continue;
        if (input->kind == FM_INPUT_WAYPOINT_ADD)
            count++;
        else if (input->kind == FM_INPUT_WAYPOINT_CLEAR)
            count = 0;
    }
    return count;
}

static fm_status check_waypoint(const waypoint_list *list, const fm_input *input, size_t count, fm_error *error)
{
    int adds = input->kind == FM_INPUT_WAYPOINT_ADD;
    double most = (double)count - !adds, least = adds ? -1 : 0;
    for (int i = 0; i < 5; i++)
        if (!(fabs(input->pose[i]) <= 1e9))
            return fm_fail(error, FM_ERR_RANGE, "a waypoint for '%s' with %g: must be numbers up to 1e9",
                           input->vehicle, input->pose[i]);
    if (!(input->value >= least && input->value <= most) || input->value != floor(input->value))
        return fm_fail(error, FM_ERR_RANGE, "waypoint %g of '%s' is out of range: must be %g to %g", input->value,
                       input->vehicle, least, most);
    fm_waypoint waypoint = waypoint_of(input);
    return list->calls->check(&list->context, &waypoint, count + (size_t)adds, error);
}

fm_status fm_waypoint_check(const fm_world *world, const fm_input *input, fm_error *error)
{
    waypoint_list list;
    const fm_slot *slot = NULL;
    fm_status status = find_vehicle(world, input->vehicle, &slot, error);
    if (status != FM_OK)
        return status;
    if (!find_list(world, input->vehicle, input->target, &list))
        return fm_fail(error, FM_ERR_NAME, "'%s' has no list of waypoints%s%s%s", input->vehicle,
                       input->target[0] ? " '" : "", input->target, input->target[0] ? "'" : "");
    if (input->kind == FM_INPUT_WAYPOINT_CLEAR)
        return FM_OK;
    return check_waypoint(&list, input, count_after(world, input, &list), error);
}

void fm_waypoint_take(fm_world *world, const fm_input *input)
{
    waypoint_list list;
    if (!find_list(world, input->vehicle, input->target, &list))
        return; /* removed by an input before this one */
    fm_waypoint waypoint = waypoint_of(input);
    size_t count = list.calls->count(&list.context), place = input->value < 0 ? count : (size_t)input->value;
    if (input->kind == FM_INPUT_WAYPOINT_CLEAR)
        list.calls->clear(&list.context);
    else if (input->kind == FM_INPUT_WAYPOINT_ADD && place <= count)
        list.calls->add(&list.context, place, &waypoint);
    else if (input->kind == FM_INPUT_WAYPOINT_MOVE && place < count)
        list.calls->move(&list.context, place, &waypoint);
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
