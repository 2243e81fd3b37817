/* Force terms of a vehicle besides its body: drag by Reynolds number, wind, ships by the MMG model, and a nose near a
 * wall. Each is evaluated at the start of a step and held over it. One source for the parts of src/forces and for
 * vehicles in a batch. */
#ifndef FM_FORCES_FORCE_TERMS_H
#define FM_FORCES_FORCE_TERMS_H

#include <assert.h>

#include "flow/flow_nose.h"
#include "forces/mmg.h"
#include "forces/wind.h"
#include "physics/vector.h"

/* The vehicle at the start of the step. */
typedef struct fm_force_moment {
    fm_real depth;           /* m */
    const fm_real *R;        /* [9], body to world */
    const fm_real *velocity; /* [6] over ground, body axes: m/s, rad/s */
    const fm_real *water;    /* [3] m/s, NED */
    fm_real density;         /* of the water there, kg/m³ */
    const fm_real *gained;   /* [6] acceleration over the last step, body axes: m/s², rad/s²; NULL: not needed */
} fm_force_moment;

/* --- drag whose coefficient is a table over Reynolds number ---
 *
 *     Re = |V| length / viscosity,   F = −½ ρ area cd(Re) |V| V
 *
 * V is the velocity relative to the water (m/s, body axes), or one component of it. Between two rows cd is linear in
 * log Re; outside the table its end rows hold. */
typedef struct fm_reynolds_drag {
    fm_var length;    /* m */
    fm_var area;      /* m² */
    fm_var viscosity; /* m²/s, kinematic */
    fm_var centre[3]; /* m, where the force acts, body axes */
} fm_reynolds_drag;

enum { FM_FORCE_ALONG_ALL = 3 }; /* else the axis, 0 … 2 */

/* The table: Reynolds numbers, increasing, their logarithms, and the coefficients. */
typedef struct fm_reynolds_rows {
    const fm_par *reynolds, *log_re, *cd;
    int32_t count; /* at least 1 */
} fm_reynolds_rows;

FM_FN fm_real fm_reynolds_coefficient(const fm_reynolds_rows *rows, fm_real reynolds)
{
    int32_t last = rows->count - 1;
    fm_real at = fm_const(0), found = fm_const(rows->cd[0]);
    if (last < 1)
        return found;
    for (int32_t k = 1; k < last && fm_any(reynolds > fm_const(rows->reynolds[k])); k++)
        at = fm_select(reynolds > fm_const(rows->reynolds[k]), fm_const(k), at);
    fm_real low = fm_table_entry(rows->log_re, at), from = fm_table_entry(rows->cd, at);
    fm_real t = (fm_log(reynolds) - low) / (fm_table_entry(rows->log_re + 1, at) - low);
    fm_real between = from + t * (fm_table_entry(rows->cd + 1, at) - from);
    between = fm_select(reynolds >= fm_const(rows->reynolds[last]), fm_const(rows->cd[last]), between);
    return fm_select(reynolds > fm_const(rows->reynolds[0]), between, found);
}

/* Velocity of a point relative to the water, body axes, m/s. */
FM_FN void fm_force_relative(const fm_force_moment *now, const fm_var point[3], fm_real out[3])
{
    const fm_real *R = now->R, *v = now->velocity, *w = now->velocity + 3;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        fm_real water = R[i] * now->water[0] + R[3 + i] * now->water[1] + R[6 + i] * now->water[2];
        out[i] = v[i] - water + w[j] * point[k] - w[k] * point[j];
    }
}

FM_FN void fm_reynolds_force(const fm_reynolds_drag *p, int32_t axis, const fm_reynolds_rows *rows,
                             const fm_force_moment *now, fm_real force[6])
{
    fm_real v[3], f[3];
    fm_force_relative(now, p->centre, v);
    for (int i = 0; i < 3; i++)
        if (axis != FM_FORCE_ALONG_ALL && axis != i)
            v[i] = fm_const(0);
    fm_real speed = fm_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    fm_real factor = fm_const(-0.5) * now->density * p->area * speed *
                     fm_reynolds_coefficient(rows, speed * p->length / p->viscosity);
    for (int i = 0; i < 3; i++)
        f[i] = factor * v[i];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        force[i] += f[i];
        force[3 + i] += p->centre[j] * f[k] - p->centre[k] * f[j];
    }
}

/* --- wind on what stands out of the water (O6.1)(O6.2) --- */

typedef struct fm_wind_term {
    fm_wind_area area;
    fm_wind wind;
} fm_wind_term;

/* Nothing acts when the areas' centre is under water. */
FM_FN void fm_wind_add(const fm_wind_term *p, const fm_force_moment *now, fm_real air_force[6])
{
    const fm_real *R = now->R;
    fm_real zero = fm_const(0), height = fm_real_wide(p->area.height), air[2], relative[2], load[3];
    fm_mask blows = (fm_real_wide(p->wind.velocity[0]) != zero) | (fm_real_wide(p->wind.velocity[1]) != zero);
    blows = blows & (now->depth < height);
    if (!fm_any(blows))
        return;
    fm_wind_at(&p->wind, height, air);
    for (int i = 0; i < 2; i++)
        relative[i] = now->velocity[i] - (R[i] * air[0] + R[3 + i] * air[1]);
    fm_wind_load(&p->area, fm_real_wide(p->wind.density), relative, load);
    for (int i = 0; i < 3; i++)
        load[i] = fm_select(blows, load[i], zero);
    fm_real arm = -(height + now->depth); /* body z of the centre of the areas, craft nearly level */
    air_force[0] += load[0];
    air_force[1] += load[1];
    air_force[3] -= arm * load[1];
    air_force[4] += arm * load[0];
    air_force[5] += load[2];
}

/* --- ships (V2)-(V5) --- */

FM_FN fm_mmg_motion fm_mmg_motion_now(const fm_force_moment *now, fm_real length)
{
    const fm_real *R = now->R, *v = now->velocity;
    fm_real water[2];
    for (int i = 0; i < 2; i++)
        water[i] = R[i] * now->water[0] + R[3 + i] * now->water[1] + R[6 + i] * now->water[2];
    return fm_mmg_motion_of(v[0] - water[0], v[1] - water[1], v[5], length);
}

/* Surge, sway and yaw into a force on the body. */
FM_FN void fm_mmg_give(const fm_real f[3], fm_real force[6])
{
    force[0] += f[0];
    force[1] += f[1];
    force[5] += f[2];
}

FM_FN void fm_mmg_load_hull(const fm_mmg_hull *hull, const fm_force_moment *now, fm_real force[6])
{
    const fm_mmg_motion m = fm_mmg_motion_now(now, fm_real_wide(hull->length));
    fm_real f[3];
    f[0] = f[1] = f[2] = fm_const(0);
    fm_mmg_add_hull(hull, now->density, &m, f);
    fm_mmg_give(f, force);
}

/* State of an actuator of a ship: speed of the shaft (rad/s) or angle of the rudder (rad), and the fraction of its
 * effect that a fault leaves. */
typedef struct fm_mmg_actuator {
    fm_real value, efficiency;
} fm_mmg_actuator;

/* Thrust, N, and the speed of the water through the screw, m/s. */
FM_FN fm_real fm_mmg_thrust_now(const fm_mmg_propeller *p, fm_real density, fm_mmg_actuator shaft,
                                const fm_mmg_motion *m, fm_real *inflow)
{
    *inflow = fm_mmg_inflow(p, m);
    return fm_mmg_thrust(p, density, shaft.value / fm_const(2 * FM_PI), *inflow) * shaft.efficiency;
}

FM_FN void fm_mmg_load_propeller(const fm_mmg_propeller *p, const fm_mmg_hull *hull, fm_mmg_actuator shaft,
                                 const fm_force_moment *now, fm_real force[6])
{
    const fm_mmg_motion m = fm_mmg_motion_now(now, fm_real_wide(hull->length));
    fm_real inflow;
    force[0] += (fm_const(1) - p->deduction) * fm_mmg_thrust_now(p, now->density, shaft, &m, &inflow);
}

FM_FN void fm_mmg_load_rudder(const fm_mmg_rudder *rudder, const fm_mmg_propeller *p, const fm_mmg_hull *hull,
                              fm_mmg_actuator shaft, fm_mmg_actuator stock, const fm_force_moment *now,
                              fm_real force[6])
{
    const fm_mmg_motion m = fm_mmg_motion_now(now, fm_real_wide(hull->length));
    fm_real inflow, f[3], thrust = fm_mmg_thrust_now(p, now->density, shaft, &m, &inflow);
    f[0] = f[1] = f[2] = fm_const(0);
    fm_mmg_add_rudder(rudder, hull, p, now->density, &m, thrust, inflow, stock.value * stock.efficiency, f);
    fm_mmg_give(f, force);
}

/* --- a nose near a wall (W4), (W5) ---
 *
 * The hull's own added mass is that of open water; here stands what the nearest wall adds to the nose's share of it,
 *   F = −m (k_n − ½) Vdot_n − m (k_t − ½) Vdot_t + gradient force, m = 4/3 π ρ a³,
 * with the acceleration of the last step (the added part is at most 0.3 m, far below the vehicle's mass, so the lag of
 * one step does no harm). The rest of the hull is taken as in open water. */
typedef struct fm_near_wall {
    fm_var radius, centre[3]; /* m, of the nose, body axes */
} fm_near_wall;

/* nearest: the plane that touches what is nearest; nose: its velocity through the water, body axes, m/s. */
FM_FN void fm_near_wall_force(const fm_near_wall *p, const fm_wall_table *table, const fm_flow_tangent *nearest,
                              const fm_real nose[3], const fm_force_moment *now, fm_real force[6])
{
    const fm_real *wall = nearest->wall, half = fm_const(0.5);
    fm_real centre[3], lever[3], turned[3], rate[3], f[3], moment[3];
    fm_real mass = fm_const(4.0 / 3 * FM_PI) * now->density * p->radius * p->radius * p->radius;
    fm_wall_mass k = fm_wall_added_mass(table, (nearest->h - p->radius) / p->radius);
    for (int i = 0; i < 3; i++)
        centre[i] = fm_real_wide(p->centre[i]);
    fm_wall_force(&k, wall, nose, mass, p->radius, f);
    fm_cross(now->gained + 3, centre, lever);
    fm_cross(now->velocity + 3, nose, turned);
    for (int i = 0; i < 3; i++)
        rate[i] = now->gained[i] + lever[i] + turned[i];
    fm_real normal = fm_dot(rate, wall);
    for (int i = 0; i < 3; i++)
        f[i] -= mass * ((k.normal - half) * normal * wall[i] + (k.parallel - half) * (rate[i] - normal * wall[i]));
    fm_cross(centre, f, moment);
    for (int i = 0; i < 3; i++) {
        force[i] += f[i];
        force[3 + i] += moment[i];
    }
}

/* --- in a batch --- */

enum fm_force_kind {
    FM_FORCE_REYNOLDS,
    FM_FORCE_WIND,
    FM_FORCE_HULL,
    FM_FORCE_PROPELLER,
    FM_FORCE_RUDDER,
    FM_FORCE_NEAR_WALL
};
enum { FM_FORCE_INTEGERS = 6, FM_FORCE_NUMBERS = 19 };

/* A record of physics/flat.h: one force term. */
typedef struct fm_force_term {
    int32_t kind;
    int32_t actuator;        /* of a propeller or rudder; the axis of a drag; 0: no force near walls */
    int32_t hull, propeller; /* numbers of the records that a propeller and a rudder belong to */
    int32_t first, count;    /* rows of a table: where in the levels, and how many */
    union {
        fm_reynolds_drag reynolds;
        fm_wind_term wind;
        fm_mmg_hull ship;
        fm_mmg_propeller screw;
        fm_mmg_rudder rudder;
        fm_near_wall near_wall;
        fm_var numbers[FM_FORCE_NUMBERS];
    };
} fm_force_term;

static_assert(FM_FORCE_INTEGERS == 6 && FM_FORCE_NUMBERS == 19 &&
                  offsetof(fm_force_term, numbers) + FM_FORCE_NUMBERS * sizeof(fm_var) == sizeof(fm_force_term) &&
                  sizeof(fm_mmg_hull) == FM_FORCE_NUMBERS * sizeof(fm_var),
              "a record of physics/flat.h: integers first, numbers next to each other");

#endif
