/* What the step of one vehicle consists of: battery, actuators, mass, integration, and what is kept of the way.
 * physics/advance.h is the step. */
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

/* Power drawn by thrusters (by their tables, or |thrust|^1.5), hotel load and speed, W. */
FM_FN fm_real fm_craft_power(const fm_craft *c, const fm_craft_state *s, const fm_supply *supply)
{
    fm_real power = fm_real_wide(c->battery->hotel), u = fm_abs(s->body->velocity[0]);
    for (int i = 0; i < c->actuator_count; i++) {
        const fm_actuator *a = &c->actuators[i];
        if (a->kind == FM_ACT_THRUST && (a->law == FM_LAW_TABLE || fm_any(fm_real_wide(a->power) > fm_const(0))))
            power += fm_actuator_power(a, supply, s->actuators[i].value, s->actuators[i].force);
    }
    return power + c->battery->drag_factor * u * u * u;
}

/* Discharges the battery over a step; an empty one stops all thrusters. Returns whether it has just become empty. */
FM_FN fm_mask fm_craft_draw(const fm_craft *c, const fm_craft_state *s)
{
    fm_real zero = fm_const(0), before = *s->charge;
    fm_supply supply = fm_craft_supply(c, before, *s->power);
    *s->power = fm_craft_power(c, s, &supply);
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
    fm_supply supply = fm_craft_supply(c, *s->charge, *s->power);
    FM_UNROLL for (int i = 0; i < c->actuator_count; i++)
        fm_actuator_step(&c->actuators[i], &s->faults[i], &supply, c->step_s, &s->actuators[i], s->input);
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

/* --- integration --- */

/* Advances pose and velocity by a step under this mass and input; `thrust` is the part of the input's force that needs
 * water (NULL: all of it). Returns the part of the hull that is under water then, 0 … 1. */
FM_FN fm_real fm_craft_integrate(const fm_craft *c, const fm_mass *mass, const fm_body_input *input,
                                 const fm_real *thrust, const FM_WATER_TYPE *water, fm_body_state *body)
{
    fm_stream_room room;
    fm_body_problem problem = {&c->body, mass, input, water, thrust, &room};
    fm_stream_room_clear(&room);
    enum fm_integrator integrator = (enum fm_integrator)c->integrator;
    return c->tolerance > 0 ? fm_body_step_controlled(integrator, &problem, c->step_s, c->tolerance, body)
                            : fm_body_step_divided(integrator, &problem, c->step_s, c->substeps, body);
}

/* --- what is kept of a trajectory --- */

typedef struct fm_tally {
    fm_real distance;          /* m travelled over ground */
    fm_real max_depth;         /* m */
    fm_real max_speed_squared; /* m²/s² */
    fm_real peak_sine_pitch;   /* largest sin theta: nose up */
} fm_tally;

/* Sine of the pitch angle, positive nose up. */
FM_FN fm_real fm_body_sine_pitch(const fm_body *body, const fm_real attitude[4])
{
    return body->euler ? fm_sin(attitude[1]) : fm_const(2) * (attitude[0] * attitude[2] - attitude[1] * attitude[3]);
}

/* Where Euler angles are not singular: the pitch is a milliradian or more from a right angle. */
FM_FN fm_mask fm_body_posture_sound(const fm_real attitude[4])
{
    fm_real theta = fm_abs(attitude[1]), right = fm_const(FM_PI / 2);
    return ((fm_abs(theta - right) < fm_const(1e-3)) | (theta > right)) == 0;
}

/* Distance and extremes after a step that began at `before`; where the state is finite and within reach of any vehicle.
 */
FM_FN fm_mask fm_tally_add(fm_tally *t, const fm_body *body, const fm_body_state *state, const fm_real before[3])
{
    const fm_real *p = state->position, *v = state->velocity;
    fm_real dx = p[0] - before[0], dy = p[1] - before[1], dz = p[2] - before[2];
    t->distance += fm_sqrt(dx * dx + dy * dy + dz * dz);
    fm_real speed = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    t->max_depth = fm_max(p[2], t->max_depth);
    t->max_speed_squared = fm_max(speed, t->max_speed_squared);
    t->peak_sine_pitch = fm_max(fm_body_sine_pitch(body, state->attitude), t->peak_sine_pitch);
    fm_real turning = v[3] * v[3] + v[4] * v[4] + v[5] * v[5];
    fm_real reach = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    return (speed < fm_const(1e6)) & (turning < fm_const(1e6)) & (reach < fm_const(1e16));
}

#endif
