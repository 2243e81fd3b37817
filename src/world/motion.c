/* Stages actuate, forces and integrate: how vehicles move in one step. */
#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "world/parts.h"
#include "world/world.h"

/* --- actuators --- */

/* Power drawn by thrusters (|thrust|^1.5), hotel load and speed, W. */
static double power_drawn(const fm_type *type, fm_vehicle *vehicle)
{
    const fm_actuator_state *states = fm_actuator_states(type, vehicle);
    double power = type->battery.hotel;
    for (size_t i = 0; i < type->actuator_count; i++)
        if (type->actuators[i].kind == FM_ACT_THRUST && type->actuators[i].power > 0)
            power += type->actuators[i].power * fabs(states[i].force) * sqrt(fabs(states[i].force));
    double u = fabs(vehicle->body.velocity[0]);
    return power + type->battery.drag_factor * u * u * u;
}

/* Discharges the battery; an empty one stops all thrusters. */
static void draw_power(fm_world *world, int slot, double dt)
{
    fm_vehicle *vehicle = world->slots[slot].vehicle;
    const fm_type *type = world->slots[slot].type;
    vehicle->power = power_drawn(type, vehicle);
    double before = vehicle->charge;
    vehicle->charge = fmax(before - vehicle->power * dt, 0);
    if (before > 0 && vehicle->charge == 0) {
        vehicle->settled = 0;
        fm_event_add(world, slot, "battery empty", (double)world->head->tick * world->model->settings.dt);
    }
}

static void stop_thrusters(const fm_type *type, fm_vehicle *vehicle)
{
    fm_actuator_state *states = fm_actuator_states(type, vehicle);
    for (size_t i = 0; i < type->actuator_count; i++)
        if (type->actuators[i].kind == FM_ACT_THRUST)
            states[i].order = 0;
}

static void actuate(const fm_type *type, fm_vehicle *vehicle, double dt)
{
    fm_actuator_state *states = fm_actuator_states(type, vehicle);
    const fm_actuator_fault *faults = fm_actuator_faults(type, vehicle);
    memset(vehicle->input.force, 0, sizeof vehicle->input.force);
    for (size_t i = 0; i < type->actuator_count; i++)
        fm_actuator_step(&type->actuators[i], &faults[i], dt, &states[i], &vehicle->input);
    vehicle->settled = !type->has_dynamics;
}

/* --- moving masses --- */

/* A number that changes whenever a moving mass moves: a hash of the bits of their values, never 0. */
static uint64_t mass_key(const fm_type *type, fm_vehicle *vehicle)
{
    const fm_actuator_state *states = fm_actuator_states(type, vehicle);
    uint64_t key = 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < type->moving_count; i++) {
        uint64_t bits;
        memcpy(&bits, &states[type->moving[i].actuator].value, sizeof bits);
        key = (key ^ bits) * 0xff51afd7ed558ccdu;
        key ^= key >> 32;
    }
    return key | 1;
}

static void add_point_mass(fm_mass_properties *p, double mass, const double r[3])
{
    double total = p->mass + mass, rr = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            p->inertia[3 * i + k] += mass * ((i == k ? rr : 0) - r[i] * r[k]);
        p->centre[i] = total > 0 ? (p->mass * p->centre[i] + mass * r[i]) / total : 0;
    }
    p->mass = total;
}

/* The mass in force: the type's, or this vehicle's own where masses move. */
static const fm_mass *present_mass(const fm_world *world, fm_slot *slot)
{
    const fm_type *type = slot->type;
    if (!type->moving_count)
        return &type->mass;
    uint64_t key = mass_key(type, slot->vehicle);
    if (key == slot->own_mass_key)
        return slot->own_mass;
    const fm_actuator_state *states = fm_actuator_states(type, slot->vehicle);
    fm_mass_properties now = type->properties;
    for (size_t i = 0; i < type->moving_count; i++) {
        const fm_moving_mass *moving = &type->moving[i];
        double value = states[moving->actuator].value, place[3];
        if (moving->moves) {
            for (int k = 0; k < 3; k++)
                place[k] = moving->position[k] + value * moving->axis[k];
            add_point_mass(&now, -moving->mass, moving->position);
            add_point_mass(&now, moving->mass, place);
        } else {
            add_point_mass(&now, value, moving->position);
        }
    }
    fm_mass next = type->mass;
    if (fm_mass_derive(&now, type->added_mass, type->full_coriolis, &next, NULL) == FM_OK) {
        next.weight +=
            (now.mass - type->properties.mass) * world->model->settings.gravity; /* flooded water weighs nothing */
        *slot->own_mass = next;
    }
    slot->own_mass_key = key;
    return slot->own_mass;
}

const fm_mass *fm_slot_mass(const fm_world *world, int slot)
{
    return present_mass(world, &world->slots[slot]);
}

/* --- the step of one vehicle --- */

double fm_sine_pitch(const fm_type *type, const fm_body_state *body)
{
    const double *a = body->attitude;
    return type->body.euler ? fm_sin(a[1]) : 2 * (a[0] * a[2] - a[1] * a[3]);
}

/* Distance, extremes and the check that the state is finite and within reach of any vehicle. */
static int keep_count(const fm_type *type, fm_vehicle *vehicle, const double before[3])
{
    const double *p = vehicle->body.position, *v = vehicle->body.velocity;
    double dx = p[0] - before[0], dy = p[1] - before[1], dz = p[2] - before[2];
    vehicle->distance += sqrt(dx * dx + dy * dy + dz * dz);
    double speed = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], sine = fm_sine_pitch(type, &vehicle->body);
    if (p[2] > vehicle->max_depth)
        vehicle->max_depth = p[2];
    if (speed > vehicle->max_speed_squared)
        vehicle->max_speed_squared = speed;
    if (sine > vehicle->peak_sine_pitch)
        vehicle->peak_sine_pitch = sine;
    double turning = v[3] * v[3] + v[4] * v[4] + v[5] * v[5];
    double reach = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    return speed < 1e6 && turning < 1e6 && reach < 1e16;
}

static void move_one(fm_world *world, int index)
{
    fm_slot *slot = &world->slots[index];
    fm_vehicle *vehicle = slot->vehicle;
    const fm_type *type = slot->type;
    if (vehicle->life != FM_ALIVE || (type->period > 1 && (world->head->tick + 1) % type->period != 0))
        return;
    double dt = type->step_s, before[9];
    memcpy(before, vehicle->body.position, 3 * sizeof *before);
    memcpy(before + 3, vehicle->body.velocity, 6 * sizeof *before);
    if (type->battery.capacity > 0) {
        draw_power(world, index, dt);
        if (vehicle->charge == 0)
            stop_thrusters(type, vehicle);
    }
    if (!vehicle->settled)
        actuate(type, vehicle, dt);
    const fm_mass *mass = present_mass(world, slot);
    if (world->model->environment->stratified)
        vehicle->input.density_ratio =
            fm_environment_density(world->model->environment, before) / world->model->settings.density;
    if (type->force_count || world->any_pulls) {
        fm_body_input held = vehicle->input;
        fm_parts_add_forces(world, index, vehicle->input.force);
        for (int i = 0; i < 6; i++)
            vehicle->input.force[i] += slot->external[i];
        type->kind->step(world->model, type, vehicle, &world->stream, mass, dt);
        vehicle->input = held;
    } else {
        type->kind->step(world->model, type, vehicle, &world->stream, mass, dt);
    }
    for (int i = 0; i < 6; i++)
        vehicle->acceleration[i] = (vehicle->body.velocity[i] - before[3 + i]) / dt;
    if (!keep_count(type, vehicle, before))
        fm_world_mark_bad(world, index);
}

void fm_stage_move(fm_world *world)
{
    fm_world_for_slots(world, move_one);
}
