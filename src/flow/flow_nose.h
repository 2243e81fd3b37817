/* A round nose that moves through water near planes: where it is, how it moves, what touches what, and the water's
 * velocity past its surface by the models that need no solver (undisturbed, dipole, mirror, wall). Equations of
 * flow/flow_dipole.h and flow/flow_wall.h. */
#ifndef FM_FLOW_FLOW_NOSE_H
#define FM_FLOW_FLOW_NOSE_H

#include "flow/flow_wall.h"

typedef enum fm_flow_model {
    FM_FLOW_UNDISTURBED, /* the hull slips through water that does not notice it */
    FM_FLOW_DIPOLE,      /* isolated sphere (D1) */
    FM_FLOW_MIRROR,      /* and one mirror sphere per obstacle (S6); tangent planes */
    FM_FLOW_WALL,        /* exact sphere at a plane (W1)–(W4); parts of several planes are added */
    FM_FLOW_SOURCES      /* interior sources, everything at once (M1)–(M5) */
} fm_flow_model;

enum { FM_FLOW_PLANES = 12 }; /* nearest tangent planes that are kept */

typedef struct fm_flow_tangent {
    fm_real wall[3]; /* unit, body axes, from the nose's centre to the plane */
    fm_real h;       /* m, from the centre to the plane */
} fm_flow_tangent;

/* Centre of the nose, NED; `centre` in body axes from the origin. */
FM_FN void fm_nose_centre(const fm_real position[3], const fm_real R[9], const fm_real centre[3], fm_real out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = position[k] + R[3 * k] * centre[0] + R[3 * k + 1] * centre[1] + R[3 * k + 2] * centre[2];
}

/* Velocity of the nose through the water, body axes; velocity[6] over ground in body axes, water NED. */
FM_FN void fm_nose_velocity(const fm_real velocity[6], const fm_real R[9], const fm_real water[3],
                            const fm_real centre[3], fm_real out[3])
{
    fm_cross(velocity + 3, centre, out);
    for (int k = 0; k < 3; k++) {
        fm_real stream = R[k] * water[0] + R[3 + k] * water[1] + R[6 + k] * water[2];
        out[k] += velocity[k] - stream;
    }
}

/* Distance [m] from the centre to a plane at `offset` from it with the outward `normal`; wall: unit, towards it. */
FM_FN fm_real fm_nose_plane(const fm_real offset[3], const fm_real normal[3], fm_real wall[3])
{
    for (int k = 0; k < 3; k++)
        wall[k] = -normal[k];
    return offset[0] * wall[0] + offset[1] * wall[1] + offset[2] * wall[2];
}

/* Adds a plane (wall: NED) to `count` that are in order, the nearest first. */
FM_FN void fm_nose_keep(fm_flow_tangent *list, int count, const fm_real wall[3], fm_real h, const fm_real R[9])
{
    list[count].h = h;
    for (int k = 0; k < 3; k++)
        list[count].wall[k] = R[k] * wall[0] + R[3 + k] * wall[1] + R[6 + k] * wall[2];
    for (int at = count; at > 0; at--) {
        fm_flow_tangent a = list[at - 1], b = list[at];
        fm_mask swap = a.h > b.h;
        list[at - 1].h = fm_select(swap, b.h, a.h);
        list[at].h = fm_select(swap, a.h, b.h);
        for (int k = 0; k < 3; k++) {
            list[at - 1].wall[k] = fm_select(swap, b.wall[k], a.wall[k]);
            list[at].wall[k] = fm_select(swap, a.wall[k], b.wall[k]);
        }
    }
}

/* How many planes are within the table's reach; the others add nothing. */
FM_FN fm_real fm_nose_near(const fm_flow_tangent *list, int count, fm_var radius)
{
    fm_real near = fm_const(0), open = fm_const(1);
    for (int k = 0; k < count; k++) {
        open = fm_select(list[k].h < fm_const(FM_WALL_GAP_MAX + 1) * radius, open, fm_const(0));
        near += open;
    }
    return near;
}

/* One plane's part of the velocity at the surface points u (unit), added to v, where there are more than `k` planes. */
FM_FN void fm_nose_add_wall(const fm_wall_table *table, const fm_flow_tangent *plane, fm_mask wanted, fm_var radius,
                            const fm_real velocity[3], int n, const fm_real (*u)[3], fm_real (*v)[3])
{
    fm_wall_series series;
    fm_wall_series_at(table, plane->h / radius - fm_const(1), &series);
    for (int i = 0; i < n; i++) {
        fm_real w[3];
        fm_wall_velocity(&series, u[i], plane->wall, velocity, w);
        for (int j = 0; j < 3; j++)
            v[i][j] = fm_select(wanted, v[i][j] + w[j], v[i][j]);
    }
}

/* The isolated sphere's velocity and what each wall adds to it (W1)–(W4), at n surface points u (unit, body axes). */
FM_FN void fm_nose_sample_walls(const fm_wall_table *table, const fm_flow_tangent *list, int count, fm_var radius,
                                const fm_real velocity[3], int n, const fm_real (*u)[3], fm_real (*v)[3])
{
    fm_real near = fm_nose_near(list, count, radius);
    for (int i = 0; i < n; i++) {
        fm_real dipole[3];
        for (int k = 0; k < 3; k++)
            dipole[k] = fm_const(0);
        fm_flow_dipole_add(u[i], velocity, fm_var_const(1), dipole);
        for (int k = 0; k < 3; k++)
            v[i][k] = (fm_const(1) - near) * dipole[k];
    }
    for (int k = 0; k < count; k++) {
        fm_mask wanted = near > fm_const(k);
        if (fm_any(wanted))
            fm_nose_add_wall(table, &list[k], wanted, radius, velocity, n, u, v);
    }
}

/* Dipole, and with `mirrors` one mirror sphere a plane, at n points r [m from the centre, body axes]; adds to v. */
FM_FN void fm_nose_sample_mirror(const fm_flow_tangent *list, int mirrors, fm_var radius, const fm_real velocity[3],
                                 int n, const fm_real (*r)[3], fm_real (*v)[3])
{
    for (int i = 0; i < n; i++) {
        fm_flow_dipole_add(r[i], velocity, radius, v[i]);
        for (int k = 0; k < mirrors; k++)
            fm_flow_mirror_add(r[i], velocity, list[k].wall, list[k].h, radius, v[i]);
    }
}

#endif
