/* The stages actuate, forces and integrate: motion of vehicles in one step. */
#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "world/afloat.h"
#include "world/energy.h"
#include "world/parts.h"
#include "world/runaway.h"
#include "world/screws.h"
#include "world/stream.h"
#include "world/world.h"

/* --- the kernel's view --- */

static fm_craft_state state_of(const fm_type *type, fm_vehicle *vehicle)
{
    return (fm_craft_state){.body = &vehicle->body,
                            .input = &vehicle->input,
                            .actuators = fm_actuator_states(type, vehicle),
                            .faults = fm_actuator_faults(type, vehicle),
                            .charge = &vehicle->charge,
                            .power = &vehicle->power};
}

void fm_vehicle_begin(const fm_type *type, fm_vehicle *vehicle)
{
    fm_craft_state now = state_of(type, vehicle);
    fm_craft_begin(&type->craft, &now);
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

/* The mass in force: the type's, or this vehicle's own if it has moving masses. */
const fm_mass *fm_slot_mass(const fm_world *world, int index)
{
    fm_slot *slot = &world->slots[index];
    if (!slot->type->moving_count)
        return &slot->type->mass;
    uint64_t key = mass_key(slot->type, slot->vehicle);
    if (key != slot->own_mass_key)
        fm_craft_weigh(&slot->type->craft, fm_actuator_states(slot->type, slot->vehicle), slot->own_mass);
    slot->own_mass_key = key;
    return slot->own_mass;
}

/* --- the step of one vehicle --- */

/* Battery and actuators; actuators at rest are skipped. */
static void actuate(fm_world *world, int index)
{
    fm_vehicle *vehicle = world->slots[index].vehicle;
    const fm_craft *craft = &world->slots[index].type->craft;
    fm_craft_state now = state_of(world->slots[index].type, vehicle);
    if (craft->has_battery && fm_craft_draw(craft, &now)) {
        vehicle->settled = 0;
        fm_event_add(world, index, "battery empty", (double)world->head->tick * world->model->settings.dt);
    }
    if (vehicle->settled)
        return;
    const fm_type *type = world->slots[index].type;
    int screws = type->body.appendages && type->body.appendages->screw_count;
    double given[FM_ACTUATORS_DELAYED];
    if (type->delays)
        fm_delays_exchange(type, vehicle, world->head->tick / type->period, given);
    if (screws)
        fm_screws_turn(world, index);
    fm_craft_actuate(craft, &now);
    if (screws)
        fm_screws_report(world, index);
    if (type->delays)
        fm_delays_restore(type, vehicle, given);
    vehicle->settled = !craft->has_dynamics;
}

double fm_sine_pitch(const fm_type *type, const fm_body_state *body)
{
    return fm_body_sine_pitch(&type->body, body->attitude);
}

/* Updates distance and extremes, and checks that the state is finite and in range. */
static int keep_count(const fm_type *type, fm_vehicle *vehicle, const double before[3])
{
    fm_tally t = {vehicle->distance, vehicle->max_depth, vehicle->max_speed_squared, vehicle->peak_sine_pitch};
    int sound = fm_tally_add(&t, &type->body, &vehicle->body, before);
    if (!sound) /* the result is not a valid position */
        return 0;
    vehicle->distance = t.distance;
    vehicle->max_depth = t.max_depth;
    vehicle->max_speed_squared = t.max_speed_squared;
    vehicle->peak_sine_pitch = t.peak_sine_pitch;
    return 1;
}

/* Calls the kind's step with the input's forces; `thrust` is the part of them that needs water. */
static double step_watched(fm_world *world, int index, const fm_mass *mass, const double thrust[6])
{
    const fm_slot *slot = &world->slots[index];
    fm_energy_moment moment;
    fm_stream_source room;
    fm_energy_before_step(world, index, mass, thrust, &moment);
    double wet = slot->type->kind->step(world->environment, slot->type, slot->vehicle,
                                        fm_stream_of(world, slot->type, &room), mass, thrust, slot->type->step_s);
    fm_energy_after_step(world, index, mass, &moment);
    return wet;
}

/* With the forces of parts and the pulls of subsystems; forces that do not come from the water do not fade out of
 * it. */
static double step_with_forces(fm_world *world, int index, const fm_mass *mass)
{
    fm_slot *slot = &world->slots[index];
    fm_body_input *input = &slot->vehicle->input, held = *input;
    double air[6] = {0}, thrust[6];
    fm_parts_add_forces(world, index, input->force, air);
    memcpy(thrust, input->force, sizeof thrust);
    for (int i = 0; i < 6; i++) {
        if (air[i] != 0)
            input->force[i] += air[i];
        input->force[i] += slot->external[i];
        if (slot->vehicle->pushed)
            input->force[i] += slot->vehicle->outside[i];
    }
    double wet = step_watched(world, index, mass, thrust);
    *input = held;
    return wet;
}

/* Records whether the hull is at the surface, and emits an event when it leaves the water and returns; `wet`: the
 * fraction that is under water. Only a diver broaches. */
static void note_surface(fm_world *world, int index, double wet)
{
    fm_vehicle *vehicle = world->slots[index].vehicle;
    double depth = vehicle->body.position[2];
    int64_t before = vehicle->passed;
    if (wet <= 0)
        vehicle->passed |= FM_PASSED_AIR | FM_PASSED_BROACH;
    else
        vehicle->passed &= ~(int64_t)FM_PASSED_AIR;
    if (wet < FM_HULL_DIVES && !fm_type_floats(world->slots[index].type))
        vehicle->passed |= FM_PASSED_BROACH;
    if (wet >= 1)
        vehicle->passed &= ~(int64_t)FM_PASSED_BROACH;
    vehicle->passed = (vehicle->passed & ~(int64_t)FM_PASSED_SURFACE) | (wet < FM_WHOLLY_WET ? FM_PASSED_SURFACE : 0);
    int64_t news = vehicle->passed & ~before;
    if (news & FM_PASSED_BROACH && wet > 0)
        fm_event_measure(world, index, "broached", depth, "m");
    if (news & FM_PASSED_AIR)
        fm_event_measure(world, index, "out of the water", depth, "m");
    if (before & ~vehicle->passed & FM_PASSED_AIR)
        fm_event_measure(world, index, "back in the water", depth, "m");
}

static void move_one(fm_world *world, int index)
{
    fm_slot *slot = &world->slots[index];
    fm_vehicle *vehicle = slot->vehicle;
    const fm_type *type = slot->type;
    if (vehicle->life != FM_ALIVE || (type->period > 1 && (world->head->tick + 1) % type->period != 0))
        return;
    double dt = type->step_s;
    const fm_body_state before = vehicle->body;
    actuate(world, index);
    const fm_mass *mass = fm_slot_mass(world, index);
    vehicle->input.density_ratio =
        fm_environment_density(world->environment, before.position) / world->model->settings.density;
    if (mass->expansion != 0)
        vehicle->input.density_ratio =
            fm_buoyancy_ratio(mass, vehicle->input.density_ratio,
                              fm_water_column_temperature(&world->environment->column, before.position[0],
                                                          before.position[1], before.position[2]));
    double wet = type->force_count || world->any_pulls || vehicle->pushed
                     ? step_with_forces(world, index, mass)
                     : step_watched(world, index, mass, vehicle->input.force);
    if (wet < 1 || vehicle->passed & (FM_PASSED_SURFACE | FM_PASSED_AIR | FM_PASSED_BROACH))
        note_surface(world, index, wet);
    for (int i = 0; i < 6; i++)
        vehicle->acceleration[i] = (vehicle->body.velocity[i] - before.velocity[i]) / dt;
    if (!keep_count(type, vehicle, before.position))
        fm_runaway_meet(world, index, &before);
}

void fm_stage_move(fm_world *world)
{
    fm_world_for_slots(world, move_one);
}
