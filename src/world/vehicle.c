/* One vehicle in its slot: initialisation, derived data, and queries of callers. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/admission.h"
#include "world/contact.h"
#include "world/owners.h"
#include "world/parts.h"
#include "world/stream.h"
#include "world/surface.h"
#include "world/vehicle_names.h"
#include "world/world.h"

/* --- birth --- */

static void start_live_parameters(const fm_type *type, fm_vehicle *vehicle)
{
    for (size_t i = 0; i < type->part_count; i++) {
        const fm_part *part = &type->parts[i];
        if (part->live.words)
            memcpy(fm_vehicle_words(vehicle, part->live), part->config, (size_t)part->live.words * 8);
    }
}

void fm_vehicle_start(fm_world *world, int index, int type_index, const char *name, const double position[3],
                      const double euler[3], const double velocity[6], int64_t placement)
{
    fm_slot *slot = &world->slots[index];
    const fm_type *type = &world->types[type_index];
    fm_vehicle *vehicle = slot->vehicle;
    memset((void *)vehicle, 0, (size_t)slot->room * 8);
    fm_owners_clear(world, index);
    memcpy(vehicle->name, name, strnlen(name, FM_NAME_SIZE - 1));
    vehicle->life = FM_ALIVE;
    vehicle->type = type_index;
    vehicle->placement = placement;
    vehicle->born = (int64_t)world->head->tick;
    memcpy(vehicle->body.position, position, sizeof vehicle->body.position);
    memcpy(vehicle->body.velocity, velocity, sizeof vehicle->body.velocity);
    if (type->body.euler)
        memcpy(vehicle->body.attitude, euler, 3 * sizeof(double));
    else
        fm_quat_from_euler(euler, vehicle->body.attitude);
    fm_vehicle_begin(type, vehicle);
    vehicle->max_depth = position[2];
    vehicle->min_clearance = HUGE_VAL;
    vehicle->min_separation = HUGE_VAL;
    fm_stream_velocity(world, position, vehicle->water);
    start_live_parameters(type, vehicle);
    fm_slot_refresh(world, index);
    if (type->kind->start)
        type->kind->start(world->model, type, vehicle);
    vehicle->passed = fm_slot_wet(world, index) < FM_WHOLLY_WET ? FM_PASSED_SURFACE : 0;
    vehicle->peak_sine_pitch = fm_sine_pitch(type, &vehicle->body);
    fm_parts_start(world, index);
}

static int all_finite(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return 0;
    return 1;
}

fm_status fm_world_place(fm_world *world, const char *name, const fm_pose *pose, fm_error *error)
{
    int index = fm_world_find(world, name);
    if (!pose)
        return fm_fail(error, FM_ERR_ARGUMENT, "pose must not be NULL");
    if (index < 0)
        return fm_fail(error, FM_ERR_NAME, "unknown vehicle '%s' to place", name ? name : "");
    fm_slot *slot = &world->slots[index];
    const double *q = pose->attitude;
    double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!slot->type->kind->rigid)
        return fm_fail(error, FM_ERR_ARGUMENT,
                       "'%s' is of kind '%s', which has more state than pose and velocity: must be a rigid body", name,
                       slot->type->kind->name);
    if (!all_finite(pose->position, 3) || !all_finite(pose->velocity, 6) || !(fabs(size - 1) < 1e-3))
        return fm_fail(error, FM_ERR_RANGE,
                       "the pose for '%s' needs finite numbers and a quaternion of length 1, found length %g", name,
                       size);
    for (int i = 0; i < 3; i++)
        if (!(fabs(pose->position[i]) <= FM_ADMIT_POSITION))
            return fm_fail(error, FM_ERR_RANGE, "position: %g m is out of range: must be %g … %g m", pose->position[i],
                           -FM_ADMIT_POSITION, FM_ADMIT_POSITION);
    fm_body_state *body = &slot->vehicle->body;
    memcpy(body->position, pose->position, sizeof body->position);
    memcpy(body->velocity, pose->velocity, sizeof body->velocity);
    double unit[4], rotation[9];
    for (int i = 0; i < 4; i++)
        unit[i] = q[i] / size;
    fm_quat_matrix(unit, rotation);
    if (slot->type->body.euler)
        fm_euler_from_matrix(rotation, body->attitude);
    else
        memcpy(body->attitude, unit, sizeof unit);
    fm_slot_refresh(world, index);
    return FM_OK;
}

/* --- derived data --- */

void fm_slot_weigh(fm_world *world, int index)
{
    fm_slot *slot = &world->slots[index];
    slot->type = slot->vehicle->life == FM_EMPTY ? NULL : &world->types[slot->vehicle->type];
    slot->own_mass_key = 0;
    fm_contact_forget(world, index);
    if (slot->type && slot->own_mass)
        *slot->own_mass = slot->type->mass;
}

void fm_slot_refresh(fm_world *world, int index)
{
    fm_slot *slot = &world->slots[index];
    world->next_order = 0;
    slot->rotation_tick = slot->water_round = 0;
    slot->event_count = 0;
    world->any_runaway |= (slot->vehicle->passed & FM_PASSED_RUNAWAY) != 0;
    fm_vehicle_names_note(world, index);
    fm_slot_weigh(world, index);
}

const double *fm_slot_rotation(const fm_world *world, int index)
{
    fm_slot *slot = &world->slots[index];
    if (slot->rotation_tick != world->head->tick + 1) {
        fm_body_matrix(&slot->type->body, slot->vehicle->body.attitude, slot->rotation);
        if (slot->type->body.euler)
            fm_quat_from_euler(slot->vehicle->body.attitude, slot->quaternion);
        else
            memcpy(slot->quaternion, slot->vehicle->body.attitude, sizeof slot->quaternion);
        slot->rotation_tick = world->head->tick + 1;
    }
    return slot->rotation;
}

/* --- questions --- */

double fm_world_time(const fm_world *world)
{
    return world ? (double)world->head->tick * world->model->settings.dt : 0;
}

uint64_t fm_world_tick(const fm_world *world)
{
    return world ? world->head->tick : 0;
}

const fm_model *fm_world_model(const fm_world *world)
{
    return world ? world->model : NULL;
}

int fm_world_slots(const fm_world *world)
{
    return world ? world->slot_count : 0;
}

int fm_world_find(const fm_world *world, const char *name)
{
    return world && name ? fm_vehicle_names_find(world, name) : -1;
}

const fm_slot *fm_slot_occupied(const fm_world *world, int slot)
{
    if (!world || slot < 0 || slot >= world->slot_count || world->slots[slot].vehicle->life == FM_EMPTY)
        return NULL;
    return &world->slots[slot];
}

const char *fm_world_name(const fm_world *world, int slot)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    return s ? s->vehicle->name : NULL;
}

const double *fm_world_motion(const fm_world *world, int slot)
{
    _Static_assert(sizeof(fm_body_state) == 13 * sizeof(double), "13 numbers without a gap");
    return world && slot >= 0 && slot < world->slot_count ? world->slots[slot].vehicle->body.position : NULL;
}

fm_status fm_world_pose(const fm_world *world, int slot, fm_pose *pose)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    if (!s || !pose)
        return FM_ERR_ARGUMENT;
    double R[9];
    memcpy(pose->position, s->vehicle->body.position, sizeof pose->position);
    memcpy(pose->velocity, s->vehicle->body.velocity, sizeof pose->velocity);
    fm_body_matrix(&s->type->body, s->vehicle->body.attitude, R);
    if (s->type->body.euler)
        fm_quat_from_euler(s->vehicle->body.attitude, pose->attitude);
    else
        memcpy(pose->attitude, s->vehicle->body.attitude, sizeof pose->attitude);
    fm_euler_from_matrix(R, pose->euler);
    return FM_OK;
}

uint64_t fm_world_period(const fm_world *world, int slot)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    return s ? s->type->period : 0;
}

size_t fm_world_bytes_per_vehicle(const fm_world *world, int slot)
{
    if (!world || slot < 0 || slot >= world->slot_count)
        return 0;
    const fm_slot *s = &world->slots[slot];
    return (size_t)s->room * 8 + sizeof *s + (s->own_mass ? sizeof *s->own_mass : 0) +
           FM_EVENTS_PER_VEHICLE * sizeof(fm_event) + sizeof *world->owners + world->writer_room +
           fm_contact_bytes(world, slot);
}

/* --- metrics: the common ones, then those of the parts --- */

enum { COMMON_METRICS = 10 };

static fm_metric_info common_metric(const fm_type *type, const fm_vehicle *v, size_t i)
{
    switch (i) {
    case 0: return (fm_metric_info){"distance", "m", "path travelled over ground", v->distance};
    case 1: return (fm_metric_info){"max_depth", "m", "greatest depth", v->max_depth};
    case 2: return (fm_metric_info){"max_speed", "m/s", "greatest speed over ground", sqrt(v->max_speed_squared)};
    case 3:
        return (fm_metric_info){"peak_pitch", "rad", "greatest pitch angle, nose up positive",
                                fm_asin(fmax(-1, fmin(v->peak_sine_pitch, 1)))};
    case 4:
        return (fm_metric_info){"battery", "", "part of the charge left",
                                type->battery.capacity > 0 ? v->charge / type->battery.capacity : NAN};
    case 6: return (fm_metric_info){"contacts", "", "onsets of contact with obstacles and bottom", (double)v->contacts};
    case 7:
        return (fm_metric_info){"vehicle_contacts", "", "onsets of contact with other vehicles",
                                (double)v->vehicle_contacts};
    case 8:
        return (fm_metric_info){"min_clearance", "m", "least distance of the hull to obstacles and bottom",
                                isfinite(v->min_clearance) ? v->min_clearance : NAN};
    case 9:
        return (fm_metric_info){"min_separation", "m", "least distance of the hull to the hulls of other vehicles",
                                isfinite(v->min_separation) ? v->min_separation : NAN};
    default:
        return (fm_metric_info){"power", "W", "power drawn at the end", type->battery.capacity > 0 ? v->power : NAN};
    }
}

fm_metric_info fm_type_metric(const fm_type *type, size_t i)
{
    static const fm_vehicle none;
    if (i < COMMON_METRICS)
        return common_metric(type, &none, i);
    i -= COMMON_METRICS;
    return i < type->metric_count
               ? (fm_metric_info){type->metrics[i].name, type->metrics[i].unit, type->metrics[i].text, NAN}
               : (fm_metric_info){.unit = "", .text = ""};
}

size_t fm_world_metric_count(const fm_world *world, int slot)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    return s ? COMMON_METRICS + s->type->metric_count : 0;
}

fm_metric_info fm_world_metric(const fm_world *world, int slot, size_t i)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    if (i >= fm_world_metric_count(world, slot))
        return (fm_metric_info){"", "", "", NAN};
    if (i < COMMON_METRICS)
        return common_metric(s->type, s->vehicle, i);
    const fm_metric_def *def = &s->type->metrics[i - COMMON_METRICS];
    double value = fm_metric_value(def, &fm_metric_states(s->type, s->vehicle)[i - COMMON_METRICS]);
    return (fm_metric_info){def->name, def->unit, def->text, value};
}

/* --- columns: actuators, then the outputs of sensors --- */

size_t fm_world_column_count(const fm_world *world, int slot)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    return s ? s->type->column_count : 0;
}

const char *fm_world_column_name(const fm_world *world, int slot, size_t i)
{
    return i < fm_world_column_count(world, slot) ? world->slots[slot].type->columns[i] : NULL;
}

const char *fm_world_column_unit(const fm_world *world, int slot, size_t i)
{
    return i < fm_world_column_count(world, slot) ? world->slots[slot].type->column_units[i] : "";
}

double fm_world_column(const fm_world *world, int slot, size_t i)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    if (!s || i >= s->type->column_count)
        return NAN;
    if (i < s->type->actuator_count)
        return fm_actuator_states(s->type, s->vehicle)[i].value;
    return ((const double *)(const void *)s->vehicle)[s->type->column_words[i]];
}

/* --- joints --- */

size_t fm_world_joint_count(const fm_world *world, int slot)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    return s ? s->type->joint_count : 0;
}

const char *fm_world_joint_name(const fm_world *world, int slot, size_t i)
{
    return i < fm_world_joint_count(world, slot) ? world->slots[slot].type->kind->joint_names[i] : NULL;
}

void fm_world_joints(const fm_world *world, int slot, double *angle, double *rate)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    if (s && angle && rate && s->type->kind->joints)
        s->type->kind->joints(s->type, s->vehicle, angle, rate);
}

int fm_actuator_is_shaft(const fm_type *type, size_t actuator)
{
    return type->actuators[actuator].kind == FM_ACT_THRUST && strcmp(type->actuator_units[actuator], "rad/s") == 0;
}
