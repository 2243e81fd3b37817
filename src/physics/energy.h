/* Mechanical energy of a body in water and the power of all forces except weight and buoyancy.
 * docs/theory/rigid-body.md, "Energy".
 *
 *     T = ½ ν_rᵀ M ν_r,   V = −W z_G + b (d v + down·m),   Ė = ν_r·(f − f_g) − f_g·c + ∂V/∂t   (J1)
 *
 * ν_r through the water, M with the added mass of what is wet; W weight, z_G depth of the centre of gravity; b
 * buoyancy of a unit of volume, v and m the submerged volume and its moment about the origin, d depth of the origin
 * below the surface; f all forces, f_g weight and buoyancy, c the velocity of the water. */
#ifndef FM_PHYSICS_ENERGY_H
#define FM_PHYSICS_ENERGY_H

#include "physics/body.h"

/* Energy at one moment, and what of it changes by itself. */
typedef struct fm_energy {
    fm_real kinetic, potential; /* J */
    fm_real power;              /* W: of all but weight and buoyancy that stand */
    fm_real surface;            /* m, depth of the surface */
    fm_real weight, arm;        /* N; m, depth of the centre of gravity */
    fm_real lift, sunk;         /* N of a unit of volume; its energy for a lift of 1 */
    fm_real volume, off;        /* as fm_submersion; m: how much deeper its centre is than the columns have it */
    fm_real momentum[3];        /* N s, NED, through the water */
    fm_real stream[3];          /* m/s, NED, of the water */
    fm_real pushed[3];          /* m/s², NED: its acceleration as the body's motion knows it */
} fm_energy;

FM_FN fm_submersion fm_energy_submersion(const fm_body *body, const fm_stream *water, fm_real z, const fm_real down[3])
{
    return body->hull.count && fm_any(fm_body_may_cut(body, water, z)) ? fm_body_submerged(body, water, z, down)
                                                                       : fm_submersion_whole(&body->hull);
}

/* Weight and buoyancy: potential energy, and their force and moment f (body axes). Where waves lift the hull (`lifted`)
 * buoyancy has no potential energy: it is a source. */
FM_FN void fm_energy_restore(const fm_body *body, const fm_mass *mass, fm_real density_ratio, fm_real z, int lifted,
                             const fm_real down[3], const fm_submersion *cut, fm_energy *e, fm_real f[6])
{
    const fm_floating_hull *hull = &body->hull;
    fm_submersion s = *cut;
    fm_real shift = fm_const(0), moment = fm_const(0), depth = z - e->surface;
    e->arm = z;
    for (int i = 0; i < 3; i++) {
        fm_real away = hull->bears ? fm_const(0) : mass->buoyancy_centre[i] - hull->moment[i];
        shift += down[i] * away;
        s.moment[i] += s.volume * away;
        moment += down[i] * s.moment[i];
        e->arm += down[i] * mass->gravity_centre[i];
    }
    e->off = shift;
    e->volume = s.volume;
    e->lift = lifted ? fm_const(0) : fm_floating_lift(hull, mass, z, density_ratio);
    e->sunk = depth * s.volume + moment;
    e->weight = mass->weight + (fm_const(1) - fm_submersion_part(hull, cut)) * hull->flooded;
    e->potential = e->lift * e->sunk - e->weight * e->arm;
    for (int i = 0; i < 6; i++)
        f[i] = fm_const(0);
    fm_floating_restore(mass, e->weight, e->lift, &s, down, f);
}

/* Of a body in this state, in this water, that moves with this rate. */
FM_FN void fm_energy_of(const fm_body *body, const fm_mass *mass, const fm_body_input *input, const fm_stream *water,
                        const fm_body_state *state, const fm_body_state *rate, fm_energy *e)
{
    fm_body_flow flow;
    fm_real m[36], p[6], f[6], turned[3];
    fm_body_meet(body, water, state, &flow);
    e->surface = water->surface;
    fm_submersion cut = fm_energy_submersion(body, water, state->position[2], flow.R + 6);
    fm_energy_restore(body, mass, input->density_ratio, state->position[2], water->along && water->near, flow.R + 6,
                      &cut, e, f);
    fm_body_wet_mass(body, mass, fm_submersion_part(&body->hull, &cut), m);
    fm_matrix6_mul(m, flow.nu, p);
    fm_cross(flow.nu + 3, flow.stream, turned);
    fm_vector_to_world(flow.R, p, e->momentum);
    for (int i = 0; i < 3; i++) {
        e->stream[i] = water->velocity[i];
        e->pushed[i] = water->acceleration[i];
    }
    e->kinetic = e->power = fm_const(0);
    for (int i = 0; i < 6; i++) {
        fm_real gained = i < 3 ? rate->velocity[i] - flow.pushed[i] + turned[i] : rate->velocity[i];
        e->kinetic += fm_const(0.5) * p[i] * flow.nu[i];
        e->power += p[i] * gained - f[i] * (i < 3 ? state->velocity[i] : flow.nu[i]);
    }
}

/* Energy that came in from outside between two moments h seconds apart, J: by the greater of the two powers, by what
 * changed the potential energy (the surface, the density, how much of the hull is wet), and by water that goes
 * otherwise than its acceleration says, where the body moves through a field (J1). */
FM_FN fm_real fm_energy_given(const fm_energy *a, const fm_energy *b, fm_par h)
{
    fm_real half = fm_const(0.5), zero = fm_const(0);
    fm_real lift = half * (a->lift + b->lift), volume = half * (a->volume + b->volume);
    fm_real changed = (b->lift - a->lift) * half * (a->sunk + b->sunk) - lift * volume * (b->surface - a->surface) +
                      lift * half * (a->off + b->off) * (b->volume - a->volume) -
                      half * (a->arm + b->arm) * (b->weight - a->weight);
    for (int i = 0; i < 3; i++)
        changed -= half * (a->momentum[i] + b->momentum[i]) *
                   (b->stream[i] - a->stream[i] - h * half * (a->pushed[i] + b->pushed[i]));
    return h * fm_max(fm_max(a->power, b->power), zero) + fm_max(changed, zero);
}

#endif
