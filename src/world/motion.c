/* The stages actuate, forces and integrate: motion of vehicles in one step. */
#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "world/energy.h"
#include "world/formation.h"
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
    return fm_tally_of(m->vehicle);
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
    fm_tally_put(tally, v);
}

#define FM_POLICY_TYPE mover
#define FM_POLICY(name) move_##name
#include "physics/advance.h"

static int moves_now(const fm_world *world, int index)
{
    const fm_slot *slot = &world->slots[index];
    return slot->vehicle->life == FM_ALIVE &&
           (slot->type->period <= 1 || (world->head->tick + 1) % slot->type->period == 0);
}

static void take(fm_world *world, int index, mover *m)
{
    fm_slot *slot = &world->slots[index];
    m->world = world, m->index = index;
    m->slot = slot, m->type = slot->type, m->vehicle = slot->vehicle;
    m->before = slot->vehicle->body;
}

static void move_one(fm_world *world, int index)
{
    mover m;
    if (!moves_now(world, index))
        return;
    take(world, index, &m);
    fm_mover_advance(&m);
}

/* --- several in lanes --- */

static int can_move_in_lanes(const fm_world *world, int index)
{
    const fm_slot *slot = &world->slots[index];
    return moves_now(world, index) && fm_formation_takes(world, slot->type) && !world->any_pulls &&
           !slot->type->force_count && !slot->vehicle->pushed;
}

static void conclude_in_lane(mover *m, const fm_glided *out)
{
    fm_tally tally;
    memcpy(&m->vehicle->body, out->body, sizeof out->body);
    memcpy(&tally, out->tally, sizeof tally);
    move_conclude(m, 1, 1, &tally);
}

/* One by one where the surface is near one of them, or its state diverges. */
static void move_several(fm_world *world, const int *slots, int count)
{
    mover movers[FM_GLIDE_WIDEST];
    fm_mover_begun begun[FM_GLIDE_WIDEST];
    fm_glided out[FM_GLIDE_WIDEST];
    fm_glide_job job = {.ticks = 1, .count = count, .deepest = HUGE_VAL};
    for (int i = 0; i < count; i++) {
        take(world, slots[i], &movers[i]);
        fm_mover_begin_step(&movers[i], &begun[i]);
        job.glider[i] = fm_formation_glider(movers[i].vehicle, &out[i]);
    }
    uint64_t made = fm_formation_move(world, world->slots[slots[0]].type, &job);
    for (int i = 0; i < count; i++) {
        if (made)
            conclude_in_lane(&movers[i], &out[i]);
        else
            fm_mover_end_step(&movers[i], &begun[i]);
    }
}

void fm_stage_move(fm_world *world)
{
    static const fm_formation_work work = {can_move_in_lanes, move_one, move_several};
    fm_formation_for_slots(world, &work);
}
