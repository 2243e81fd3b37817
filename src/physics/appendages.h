/* Fins given by size and propellers on one hull, each in its own inflow. One vehicle at a time: batches leave vehicles
 * that have some to worlds (batch/accept.c). */
#ifndef FM_PHYSICS_APPENDAGES_H
#define FM_PHYSICS_APPENDAGES_H

#include "physics/foil.h"
#include "physics/hull_waves.h"
#include "physics/screw.h"
#include "physics/terms.h"

typedef struct fm_appendages {
    const fm_foil *foils;
    const fm_screw *screws;
    const fm_par *tables; /* open-water tables */
    int32_t foil_count, screw_count;
} fm_appendages;

/* What all of them meet at one moment. */
typedef struct fm_appendage_flow {
    fm_real nu[6];   /* motion through the water, body axes, with the turning of the water taken off the rates */
    fm_real depth;   /* of the body origin below the surface, m */
    fm_real down[3]; /* body axes */
    const fm_hull_water *waves; /* differences along the hull; NULL: none */
} fm_appendage_flow;

/* Motion of a point of the hull through the water, m/s. */
FM_FN void fm_appendage_motion(const fm_appendage_flow *flow, const fm_var at[3], fm_real v[3])
{
    const fm_real *nu = flow->nu;
    v[0] = nu[0] + nu[4] * at[2] - nu[5] * at[1];
    v[1] = nu[1] + nu[5] * at[0] - nu[3] * at[2];
    v[2] = nu[2] + nu[3] * at[1] - nu[4] * at[0];
    for (int i = 0; i < 3 && flow->waves; i++)
        v[i] -= fm_hull_profile_at(flow->waves->profile[i], at[0]);
}

/* Depth of a point of the hull below the surface there, m. */
FM_FN fm_real fm_appendage_depth(const fm_appendage_flow *flow, const fm_var at[3])
{
    fm_real depth = flow->depth;
    for (int i = 0; i < 3; i++)
        depth += flow->down[i] * at[i];
    if (!flow->waves)
        return depth;
    const fm_real *rise = flow->waves->rise;
    return depth + at[0] * (rise[0] + at[0] * (rise[1] + at[0] * rise[2])) + at[1] * (rise[3] + at[0] * rise[4]);
}

/* Speed of the water through a propeller, m/s; `across` is that past the ends of a tunnel. */
FM_FN fm_real fm_screw_inflow(const fm_screw *s, const fm_appendage_flow *flow, fm_real *across)
{
    fm_real v[3];
    fm_appendage_motion(flow, s->position, v);
    fm_real along = s->direction[0] * v[0] + s->direction[1] * v[1] + s->direction[2] * v[2];
    *across = fm_sqrt(fm_max(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - along * along, fm_const(0)));
    return s->through * along;
}

/* Fraction of its thrust that remains near the surface. */
FM_FN fm_real fm_screw_wetness(const fm_screw *s, const fm_appendage_flow *flow)
{
    return fm_screw_wet(fm_const(2) * fm_appendage_depth(flow, s->position) / s->diameter);
}

/* Thrust and torque; also outputs the inflow. */
FM_FN fm_screw_force fm_screw_now(const fm_appendages *all, const fm_screw *s, const fm_appendage_flow *flow,
                                  const fm_real *fin, fm_real *inflow)
{
    fm_real across;
    *inflow = fm_screw_inflow(s, flow, &across);
    return fm_screw_at(s, all->tables, fin[s->input], fin[FM_FINS + s->input],
                       s->rows == FM_SCREW_TUNNEL ? across : *inflow, fm_screw_wetness(s, flow));
}

/* Forces of all propellers; adds to f. */
FM_FN void fm_appendages_add_screws(const fm_appendages *all, const fm_appendage_flow *flow, const fm_real *fin,
                                    fm_real f[6])
{
    for (int32_t k = 0; k < all->screw_count; k++) {
        const fm_screw *s = &all->screws[k];
        fm_real inflow;
        fm_screw_force now = fm_screw_now(all, s, flow, fin, &inflow);
        for (int i = 0; i < 3; i++) {
            f[i] += s->direction[i] * now.thrust;
            f[3 + i] += s->moment[i] * now.thrust + s->reaction * s->direction[i] * now.torque;
        }
    }
}

/* Forces of all fins; adds to f. */
FM_FN void fm_appendages_add_foils(const fm_appendages *all, const fm_appendage_flow *flow, const fm_real *fin,
                                   fm_real f[6])
{
    for (int32_t k = 0; k < all->foil_count; k++) {
        const fm_foil *foil = &all->foils[k];
        fm_real v[3];
        fm_appendage_motion(flow, foil->position, v);
        if (foil->screw) {
            const fm_screw *s = &all->screws[foil->screw - 1];
            fm_real inflow, thrust = fm_screw_now(all, s, flow, fin, &inflow).thrust;
            fm_real faster = foil->covered * fm_screw_slipstream(s, thrust, inflow);
            for (int i = 0; i < 3; i++)
                v[i] += faster * s->direction[i];
        }
        fm_foil_add(foil, v, fin[foil->input], fm_const(1) - fin[FM_FINS + foil->input], f);
    }
}

#endif
