/* The stages actuate, forces and integrate: motion of vehicles in one step. */
#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "world/energy.h"
#include "world/parts.h"
#include "world/runaway.h"
#include "world/screws.h"
#include "world/stream.h"
#include "world/surface.h"
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

double fm_sine_pitch(const fm_type *type, const fm_body_state *body)
{
    return fm_body_sine_pitch(&type->body, body->attitude);
}

/* --- at the surface --- */

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

/* --- the step of one vehicle: the policy of physics/advance.h --- */

typedef struct mover {
    fm_world *world;
    int index;
    fm_slot *slot;
    const fm_type *type;
    fm_vehicle *vehicle;
    fm_body_state before;
    double given[FM_ACTUATORS_DELAYED]; /* orders that are on their way */
} mover;

static const fm_craft *move_craft(const mover *m)
{
    return &m->type->craft;
}

static fm_craft_state move_view(const mover *m)
{
    return state_of(m->type, m->vehicle);
}

static void move_emptied(mover *m, int empty)
{
    if (!empty)
        return;
    m->vehicle->settled = 0;
    fm_event_add(m->world, m->index, "battery empty", (double)m->world->head->tick * m->world->model->settings.dt);
}

static int move_rests(const mover *m)
{
    return m->vehicle->settled != 0;
}

static int has_screws(const fm_type *type)
{
    return type->body.appendages && type->body.appendages->screw_count;
}

static void move_order(mover *m)
{
    if (m->type->delays)
        fm_delays_exchange(m->type, m->vehicle, m->world->head->tick / m->type->period, m->given);
    if (has_screws(m->type))
        fm_screws_turn(m->world, m->index);
}

static void move_actuated(mover *m)
{
    if (has_screws(m->type))
        fm_screws_report(m->world, m->index);
    if (m->type->delays)
        fm_delays_restore(m->type, m->vehicle, m->given);
    m->vehicle->settled = !m->type->craft.has_dynamics;
}

static const fm_mass *move_weigh(const mover *m)
{
    return fm_slot_mass(m->world, m->index);
}

static int move_layered(const mover *m)
{
    (void)m;
    return 1;
}

static double move_density(const mover *m)
{
    return fm_environment_density(m->world->environment, m->before.position);
}

static double move_nominal(const mover *m)
{
    return m->world->model->settings.density;
}

static double move_temperature(const mover *m)
{
    const double *at = m->before.position;
    return fm_water_column_temperature(&m->world->environment->column, at[0], at[1], at[2]);
}

static int move_pushed(const mover *m)
{
    return m->type->force_count || m->world->any_pulls || m->vehicle->pushed;
}

static void move_push(mover *m, double density, double force[6], double air[6])
{
    (void)density;
    fm_parts_add_forces(m->world, m->index, force, air);
}

/* Of subsystems, and from outside. */
static void move_pull(const mover *m, double force[6])
{
    for (int i = 0; i < 6; i++) {
        force[i] += m->slot->external[i];
        if (m->vehicle->pushed)
            force[i] += m->vehicle->outside[i];
    }
}

/* By the kind, under the input's forces. */
static double move_integrate(mover *m, const fm_mass *mass, const double *thrust)
{
    fm_energy_moment moment;
    fm_stream_source room;
    const double *wetted = thrust ? thrust : m->vehicle->input.force;
    fm_energy_before_step(m->world, m->index, mass, wetted, &moment);
    const double wet = m->type->kind->step(m->world->environment, m->type, m->vehicle,
                                           fm_stream_of(m->world, m->type, &room), mass, wetted, m->type->step_s);
    fm_energy_after_step(m->world, m->index, mass, &moment);
    return wet;
}

static fm_tally move_tally(const mover *m)
{
    const fm_vehicle *v = m->vehicle;
    return (fm_tally){v->distance, v->max_depth, v->max_speed_squared, v->peak_sine_pitch};
}

/* What came of a state that is not sound is no place that the vehicle has been at. */
static void move_conclude(mover *m, double wet, int sound, const fm_tally *tally)
{
    fm_vehicle *v = m->vehicle;
    if (wet < 1 || v->passed & (FM_PASSED_SURFACE | FM_PASSED_AIR | FM_PASSED_BROACH))
        note_surface(m->world, m->index, wet);
    for (int i = 0; i < 6; i++)
        v->acceleration[i] = (v->body.velocity[i] - m->before.velocity[i]) / m->type->step_s;
    if (!sound) {
        fm_runaway_meet(m->world, m->index, &m->before);
        return;
    }
    v->distance = tally->distance;
    v->max_depth = tally->max_depth;
    v->max_speed_squared = tally->max_speed_squared;
    v->peak_sine_pitch = tally->peak_sine_pitch;
}

#define FM_POLICY_TYPE mover
#define FM_POLICY(name) move_##name
#include "physics/advance.h"

static void move_one(fm_world *world, int index)
{
    fm_slot *slot = &world->slots[index];
    const fm_type *type = slot->type;
    if (slot->vehicle->life != FM_ALIVE || (type->period > 1 && (world->head->tick + 1) % type->period != 0))
        return;
    mover m;
    m.world = world, m.index = index;
    m.slot = slot, m.type = type, m.vehicle = slot->vehicle;
    m.before = slot->vehicle->body;
    fm_mover_advance(&m);
}

void fm_stage_move(fm_world *world)
{
    fm_world_for_slots(world, move_one);
}
