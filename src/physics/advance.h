/* One step of a vehicle, written once for all engines: battery, actuators, mass, water, forces, integration, and what
 * is kept of the way. Where numbers are and how water is sampled is a policy of the engine. Before it includes this
 * header, it defines FM_POLICY_TYPE, what one pass moves, and FM_POLICY(name), the prefix of these functions of its
 * own:
 *
 *   craft(m), view(m)           what the step reads, and where the numbers of the vehicle are
 *   emptied(m, where)           the battery has just become empty there
 *   rests(m)                    1: the actuators are at rest, and the input still holds
 *   order(m), actuated(m)       before and after actuators advance
 *   weigh(m)                    the mass now, where something moves in the vehicle
 *   layered(m)                  1: density differs from place to place; then
 *   density(m), nominal(m), temperature(m)   there, kg/m³, °C; and that of the model, kg/m³
 *   pushed(m)                   1: force terms or pulls act; then
 *   push(m, density, force, air), pull(m, force)   adds those of the water, those of the air, and those from outside
 *   integrate(m, mass, thrust)  pose and velocity a step later; thrust: the part of the force that needs water, NULL:
 *                               all of it. Returns the part of the hull that is under water then
 *   tally(m)                    what is kept of the way so far
 *   conclude(m, wet, sound, tally)   takes that after the step; sound: where the state is one of a vehicle */
#ifndef FM_PHYSICS_ADVANCE_H
#define FM_PHYSICS_ADVANCE_H

#include "physics/vehicle.h"

/* Under force terms and pulls. What is not of the water does not fade out of it; the input holds actuators alone. */
FM_FN fm_real fm_mover_integrate_pushed(FM_POLICY_TYPE *m, const fm_mass *mass, fm_body_input *input, fm_real density)
{
    const fm_body_input held = *input;
    fm_real air[6], thrust[6];
    for (int i = 0; i < 6; i++)
        air[i] = fm_const(0);
    FM_POLICY(push)(m, density, input->force, air);
    for (int i = 0; i < 6; i++) {
        thrust[i] = input->force[i];
        input->force[i] = fm_select(air[i] != fm_const(0), input->force[i] + air[i], input->force[i]);
    }
    FM_POLICY(pull)(m, input->force);
    const fm_real wet = FM_POLICY(integrate)(m, mass, thrust);
    *input = held;
    return wet;
}

/* What a step knows before its integration. */
typedef struct fm_mover_begun {
    const fm_mass *mass;
    fm_real density;   /* kg/m³, where it differs from place to place */
    fm_real before[3]; /* m, NED */
} fm_mover_begun;

/* Battery, actuators, mass and water. */
FM_FN void fm_mover_begin_step(FM_POLICY_TYPE *m, fm_mover_begun *begun)
{
    const fm_craft *c = FM_POLICY(craft)(m);
    const fm_craft_state s = FM_POLICY(view)(m);
    for (int i = 0; i < 3; i++)
        begun->before[i] = s.body->position[i];
    begun->density = fm_const(0);
    if (c->has_battery)
        FM_POLICY(emptied)(m, fm_craft_draw(c, &s));
    if (!FM_POLICY(rests)(m)) {
        FM_POLICY(order)(m);
        fm_craft_actuate(c, &s);
        FM_POLICY(actuated)(m);
    }
    begun->mass = c->moving_count ? FM_POLICY(weigh)(m) : c->mass;
    if (FM_POLICY(layered)(m)) {
        begun->density = FM_POLICY(density)(m);
        s.input->density_ratio = begun->density / FM_POLICY(nominal)(m);
        if (fm_any(begun->mass->expansion != fm_const(0))) /* (V7) */
            s.input->density_ratio = fm_buoyancy_ratio(begun->mass, s.input->density_ratio, FM_POLICY(temperature)(m));
    }
}

/* Integration, and what is kept of the way. */
FM_FN void fm_mover_end_step(FM_POLICY_TYPE *m, const fm_mover_begun *begun)
{
    const fm_craft *c = FM_POLICY(craft)(m);
    const fm_craft_state s = FM_POLICY(view)(m);
    const fm_real wet = FM_POLICY(pushed)(m) ? fm_mover_integrate_pushed(m, begun->mass, s.input, begun->density)
                                             : FM_POLICY(integrate)(m, begun->mass, NULL);
    fm_tally tally = FM_POLICY(tally)(m);
    const fm_mask sound = fm_tally_add(&tally, &c->body, s.body, begun->before);
    FM_POLICY(conclude)(m, wet, sound, &tally);
}

FM_FN void fm_mover_advance(FM_POLICY_TYPE *m)
{
    fm_mover_begun begun;
    fm_mover_begin_step(m, &begun);
    fm_mover_end_step(m, &begun);
}

#endif
