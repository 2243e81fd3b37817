/* Propellers between the steps: the shaft under its load, the reported thrust, and delayed orders. */
#include "world/screws.h"

#include <string.h>

#include "world/stream.h"

/* --- propellers --- */

static fm_appendage_flow flow_of(const fm_world *world, int index)
{
    const fm_slot *slot = &world->slots[index];
    const fm_body_state *state = &slot->vehicle->body;
    fm_stream_room room;
    fm_stream_source source;
    fm_body_flow met;
    const fm_stream *water = fm_stream_at(fm_stream_of(world, slot->type, &source), &slot->type->body, 0, state, &room);
    fm_body_meet(&slot->type->body, water, state, &met);
    return fm_body_appendage_flow(water, met.nu, state->position[2], met.R + 6);
}

void fm_screws_turn(fm_world *world, int index)
{
    const fm_type *type = world->slots[index].type;
    fm_vehicle *vehicle = world->slots[index].vehicle;
    const fm_appendages *all = type->body.appendages;
    fm_appendage_flow flow = flow_of(world, index);
    for (int32_t k = 0; k < all->screw_count; k++) {
        const fm_screw *s = &all->screws[k];
        const fm_actuator *a = &type->actuators[s->actuator];
        fm_actuator_state *now = &fm_actuator_states(type, vehicle)[s->actuator];
        const fm_actuator_fault *fault = &fm_actuator_faults(type, vehicle)[s->actuator];
        double inflow;
        if (a->dynamics == FM_DYN_SHAFT && fault->stuck == 0) {
            double load = fm_screw_now(all, s, &flow, vehicle->input.fin, &inflow).torque;
            now->value = fm_screw_turn(s, now->value, fm_actuator_target(a, fault, now->order), load, type->step_s);
        }
    }
}

void fm_screws_report(fm_world *world, int index)
{
    const fm_type *type = world->slots[index].type;
    fm_vehicle *vehicle = world->slots[index].vehicle;
    const fm_appendages *all = type->body.appendages;
    fm_appendage_flow flow = flow_of(world, index);
    for (int32_t k = 0; k < all->screw_count; k++) {
        double inflow;
        fm_actuator_states(type, vehicle)[all->screws[k].actuator].force =
            fm_screw_now(all, &all->screws[k], &flow, vehicle->input.fin, &inflow).thrust;
    }
}

/* --- dead time --- */

/* Exchanges the order of each actuator that has a dead time with the one from that number of steps ago. */
void fm_delays_exchange(const fm_type *type, fm_vehicle *vehicle, uint64_t step, double *given)
{
    double *ring = (double *)(void *)fm_vehicle_words(vehicle, type->delay_block);
    fm_actuator_state *states = fm_actuator_states(type, vehicle);
    for (size_t i = 0; i < type->actuator_count; i++) {
        uint32_t length = type->delays[i];
        given[i] = states[i].order;
        if (!length)
            continue;
        double *entry = &ring[step % length], earlier = *entry;
        *entry = states[i].order;
        states[i].order = earlier;
        ring += length;
    }
}

void fm_delays_restore(const fm_type *type, fm_vehicle *vehicle, const double *given)
{
    fm_actuator_state *states = fm_actuator_states(type, vehicle);
    for (size_t i = 0; i < type->actuator_count; i++)
        states[i].order = given[i];
}
