/* The step of one vehicle: battery, actuators, mass, integration. One source for the live engine (world/motion.c), for
 * vehicles in lanes and for vehicles in CUDA threads. */
#ifndef FM_PHYSICS_VEHICLE_H
#define FM_PHYSICS_VEHICLE_H

#include "physics/craft.h"
#include "physics/integrate.h"

/* Actuators at rest with order 0, faults of the type, a full battery; pose and velocity are the caller's. */
FM_FN void fm_craft_begin(const fm_craft *c, const fm_craft_state *s)
{
    fm_real zero = fm_const(0);
    for (int i = 0; i < c->actuator_count; i++) {
        fm_actuator_state *a = &s->actuators[i];
        a->order = a->value = a->rate = a->force = zero;
        s->faults[i] = c->faults[i];
    }
    for (int i = 0; i < 6; i++)
        s->input->force[i] = zero;
    for (int i = 1; i <= 2 * FM_FINS; i++)
        s->input->fin[i] = zero;
    s->input->fin[0] = fm_const(1);
    s->input->density_ratio = fm_const(1);
    *s->charge = fm_real_wide(c->battery->capacity);
    *s->power = zero;
}

/* --- battery --- */

/* Power drawn by thrusters (|thrust|^1.5), hotel load and speed, W. */
FM_FN fm_real fm_craft_power(const fm_craft *c, const fm_craft_state *s)
{
    fm_real power = fm_real_wide(c->battery->hotel), u = fm_abs(s->body->velocity[0]);
    for (int i = 0; i < c->actuator_count; i++)
        if (c->actuators[i].kind == FM_ACT_THRUST && fm_any(fm_real_wide(c->actuators[i].power) > fm_const(0))) {
            fm_real force = fm_abs(s->actuators[i].force);
            power += c->actuators[i].power * force * fm_sqrt(force);
        }
    return power + c->battery->drag_factor * u * u * u;
}

/* Discharges the battery over a step; an empty one stops all thrusters. Says where it has become empty just now. */
FM_FN fm_mask fm_craft_draw(const fm_craft *c, const fm_craft_state *s)
{
    fm_real zero = fm_const(0), before = *s->charge;
    *s->power = fm_craft_power(c, s);
    *s->charge = fm_max(before - *s->power * c->step_s, zero);
    fm_mask empty = *s->charge == zero;
    if (fm_any(empty))
        for (int i = 0; i < c->actuator_count; i++)
            if (c->actuators[i].kind == FM_ACT_THRUST)
                s->actuators[i].order = fm_select(empty, zero, s->actuators[i].order);
    return (before > zero) & empty;
}

/* --- actuators --- */

/* Advances all actuators by a step; their forces and deflections become the input. */
FM_FN void fm_craft_actuate(const fm_craft *c, const fm_craft_state *s)
{
    for (int i = 0; i < 6; i++)
        s->input->force[i] = fm_const(0);
    for (int i = 0; i < c->actuator_count; i++)
        fm_actuator_step(&c->actuators[i], &s->faults[i], c->step_s, &s->actuators[i], s->input);
}

/* --- mass --- */

/* The mass with ballast and moving masses where they are now; where it would not be one (virtual mass not positive
 * definite) `mass` stays as it was. Flooded water weighs nothing. */
FM_FN void fm_craft_weigh(const fm_craft *c, const fm_actuator_state *states, fm_mass *mass)
{
    fm_mass next = *c->mass;
    fm_mass_properties now = fm_mass_moved(c->weights, c->moving, c->moving_count, states);
    fm_mask sound = fm_mass_assemble(&now, c->weights->added_mass, c->full_coriolis, &next) == fm_const(0);
    next.weight += (now.mass - c->weights->properties.mass) * c->weights->gravity;
    for (int i = 0; i < 36; i++) {
        mass->virtual_mass[i] = fm_select(sound, next.virtual_mass[i], mass->virtual_mass[i]);
        mass->inverse[i] = fm_select(sound, next.inverse[i], mass->inverse[i]);
        mass->momentum[i] = fm_select(sound, next.momentum[i], mass->momentum[i]);
    }
    for (int i = 0; i < 3; i++)
        mass->gravity_centre[i] = fm_select(sound, next.gravity_centre[i], mass->gravity_centre[i]);
    mass->weight = fm_select(sound, next.weight, mass->weight);
}

/* --- integration and the whole --- */

/* Advances pose and velocity by a step under this mass and input; `thrust` is the part of the input's force that needs
 * water (NULL: all of it). Returns the part of the hull that is under water then, 0 … 1. */
FM_FN fm_real fm_craft_integrate(const fm_craft *c, const fm_mass *mass, const fm_body_input *input,
                                 const fm_real *thrust, const FM_WATER_TYPE *water, fm_body_state *body)
{
    fm_body_problem problem = {&c->body, mass, input, water, thrust};
    enum fm_integrator integrator = (enum fm_integrator)c->integrator;
    return c->tolerance > 0 ? fm_body_step_controlled(integrator, &problem, c->step_s, c->tolerance, body)
                            : fm_body_step_divided(integrator, &problem, c->step_s, c->substeps, body);
}

/* One step without forces from outside: what `own_mass` holds is this vehicle's mass where something moves in it.
 * Returns as fm_craft_integrate. */
FM_FN fm_real fm_craft_step(const fm_craft *c, const fm_craft_state *s, const FM_WATER_TYPE *water, fm_mass *own_mass)
{
    if (c->has_battery)
        (void)fm_craft_draw(c, s);
    fm_craft_actuate(c, s);
    if (c->moving_count)
        fm_craft_weigh(c, s->actuators, own_mass);
    return fm_craft_integrate(c, c->moving_count ? own_mass : c->mass, s->input, NULL, water, s->body);
}

#endif
