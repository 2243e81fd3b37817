/* Force terms of a vehicle of a batch, in what is around it (physics/surroundings_water.h). */
#ifndef FM_FORCES_SURROUNDINGS_H
#define FM_FORCES_SURROUNDINGS_H

#include "control/feeler_sense.h"
#include "forces/force_terms.h"
#include "physics/surroundings_water.h"

/* --- force terms --- */

FM_FN fm_mmg_actuator fm_surroundings_actuator(const fm_craft_state *s, int32_t number)
{
    fm_mmg_actuator a;
    a.value = s->actuators[number].value;
    a.efficiency = s->faults[number].efficiency;
    return a;
}

/* A nose near walls: the plane that touches what is nearest, in the order of the solids. */
FM_WHOLE void fm_surroundings_add_nose(const fm_surroundings *h, const fm_near_wall *p, const fm_craft_state *s,
                                       const fm_force_moment *now, fm_real force[6])
{
    const int solids = h->ground.p ? h->ground.p->solids : 0;
    fm_real centre[3], at[3], nose[3], nearest[3];
    fm_flow_tangent found[1];
    fm_mask lost = fm_const(0) > fm_const(0);
    for (int k = 0; k < 3; k++)
        centre[k] = fm_real_wide(p->centre[k]), nearest[k] = fm_const(0);
    found[0].h = fm_const(FM_HUGE);
    fm_nose_centre(s->body->position, now->R, centre, at);
    fm_nose_velocity(now->velocity, now->R, now->water, centre, nose);
    for (int i = 0; i < solids; i++) {
        fm_real point[3], wall[3];
        fm_solid_where(&h->ground.solids[i], h->ground.tracks, h->moment, point);
        fm_real far = fm_feeler_plane(&h->ground.solids[i], point, at, wall, &lost);
        fm_mask nearer = far < found[0].h;
        for (int k = 0; k < 3; k++)
            nearest[k] = fm_select(nearer, wall[k], nearest[k]);
        found[0].h = fm_select(nearer, far, found[0].h);
    }
    h->gained[6] = fm_select(lost, fm_const(1), h->gained[6]);
    if (!solids)
        return;
    fm_nose_keep(found, 0, nearest, found[0].h, now->R);
    fm_near_wall_force(p, h->walls, found, nose, now, force);
}

FM_WHOLE void fm_surroundings_add_force(const fm_surroundings *h, const fm_force_term *p, const fm_craft_state *s,
                                        const fm_force_moment *now, fm_real force[6], fm_real air_force[6])
{
    const fm_force_term *screw = &h->terms[p->propeller];
    const fm_mmg_hull *ship = &h->terms[p->hull].ship;
    fm_reynolds_rows rows;
    switch (p->kind) {
    case FM_FORCE_REYNOLDS:
        rows.reynolds = h->levels + p->first;
        rows.log_re = rows.reynolds + p->count;
        rows.cd = rows.log_re + p->count;
        rows.count = p->count;
        fm_reynolds_force(&p->reynolds, p->actuator, &rows, now, force);
        break;
    case FM_FORCE_WIND: fm_wind_add(&p->wind, now, air_force); break;
    case FM_FORCE_HULL: fm_mmg_load_hull(&p->ship, now, force); break;
    case FM_FORCE_PROPELLER:
        fm_mmg_load_propeller(&p->screw, ship, fm_surroundings_actuator(s, p->actuator), now, force);
        break;
    case FM_FORCE_RUDDER:
        fm_mmg_load_rudder(&p->rudder, &screw->screw, ship, fm_surroundings_actuator(s, screw->actuator),
                           fm_surroundings_actuator(s, p->actuator), now, force);
        break;
    case FM_FORCE_NEAR_WALL:
        if (p->actuator)
            fm_surroundings_add_nose(h, &p->near_wall, s, now, force);
        break;
    default: break;
    }
}

/* Adds all force terms: those of the water to `force`, those of the air to `air`. */
FM_FN void fm_surroundings_add_forces(const fm_surroundings *h, const fm_craft *c, const fm_craft_state *s,
                                      fm_real density, fm_real force[6], fm_real air[6])
{
    fm_real R[9], water[3];
    fm_force_moment now;
    fm_body_matrix(&c->body, s->body->attitude, R);
    fm_surroundings_water(h, s->body->position, water);
    now.depth = s->body->position[2];
    now.R = R;
    now.velocity = s->body->velocity;
    now.water = water;
    now.density = density;
    now.gained = h->gained;
    for (int i = 0; i < h->term_count; i++)
        fm_surroundings_add_force(h, &h->terms[i], s, &now, force, air);
}

/* (V7) °C */
FM_FN fm_real fm_surroundings_temperature(const fm_surroundings *h, const fm_real position[3])
{
    fm_real temperature, salinity;
    fm_batch_water_at(h->water, h->spots, h->levels, position, &temperature, &salinity);
    return temperature;
}

#endif
