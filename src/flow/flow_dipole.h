/* Water velocity around a moving sphere: the dipole of an isolated sphere and the single mirror sphere of the paper.
 *
 * All vectors are in one Cartesian frame of the caller's choice (world or body, any handedness for what is here except
 * the cross product of the hull's rotation). r: position relative to the sphere's centre [m]. */
#ifndef FM_FLOW_FLOW_DIPOLE_H
#define FM_FLOW_FLOW_DIPOLE_H

#include "physics/vector.h"

/* Adds the velocity [m/s] at r of a sphere of radius a [m] that moves with V [m/s]:
 *   v = a³ / (2 |r|⁵) [3 (V·r) r − |r|² V]          (D1)
 * Inside the sphere the value at its surface in the direction of r is given, so the result is finite everywhere. */
FM_FN void fm_flow_dipole_add(const fm_real r[3], const fm_real velocity[3], fm_var a, fm_real v[3])
{
    fm_real r2 = fm_dot(r, r);
    fm_real inside = fm_max(r2, fm_real_wide(a * a));
    fm_real scale = (fm_const(0.5) * a * a * a) / (inside * fm_sqrt(inside));
    fm_real along = fm_const(3) * fm_dot(velocity, r) / fm_max(r2, fm_const(FM_TINY));
    for (int k = 0; k < 3; k++)
        v[k] += scale * (along * r[k] - velocity[k]);
}

/* Adds the velocity at r of the mirror sphere on the far side of a wall (S6), second term: relative position r + 2D
 * with D = −h·wall, velocity V' = V − 2 wall (wall·V). wall: unit vector from the centre to the wall; h: distance from
 * the centre to the wall [m], at least a. */
FM_FN void fm_flow_mirror_add(const fm_real r[3], const fm_real velocity[3], const fm_real wall[3], fm_real h, fm_var a,
                              fm_real v[3])
{
    fm_real distance = fm_max(h, fm_real_wide(a));
    fm_real normal = fm_const(2) * fm_dot(wall, velocity);
    fm_real relative[3], mirrored[3];
    for (int k = 0; k < 3; k++) {
        relative[k] = r[k] - fm_const(2) * distance * wall[k];
        mirrored[k] = velocity[k] - normal * wall[k];
    }
    fm_flow_dipole_add(relative, mirrored, a, v);
}

/* The plane that touches a cylinder (axis: unit vector) where it is nearest to a sphere; the paper's stand-in for the
 * cylinder. offset: from the sphere's centre to any point of the axis [m]. Out: wall (unit, towards the cylinder) and
 * the distance from centre to plane [m] (negative with the centre inside). On the axis itself wall is zero. */
FM_FN fm_real fm_flow_cylinder_plane(const fm_real offset[3], const fm_real axis[3], fm_var radius, fm_real wall[3])
{
    fm_real along = fm_dot(offset, axis);
    for (int k = 0; k < 3; k++)
        wall[k] = offset[k] - along * axis[k];
    fm_real distance = fm_sqrt(fm_dot(wall, wall));
    fm_real scale = fm_const(1) / fm_max(distance, fm_const(FM_TINY));
    for (int k = 0; k < 3; k++)
        wall[k] = wall[k] * scale;
    return distance - fm_real_wide(radius);
}

/* The same for a sphere; offset: from the moving sphere's centre to that of the obstacle [m]. */
FM_FN fm_real fm_flow_sphere_plane(const fm_real offset[3], fm_var radius, fm_real wall[3])
{
    fm_real distance = fm_sqrt(fm_dot(offset, offset));
    fm_real scale = fm_const(1) / fm_max(distance, fm_const(FM_TINY));
    for (int k = 0; k < 3; k++)
        wall[k] = offset[k] * scale;
    return distance - fm_real_wide(radius);
}

/* From the water's velocity v [m/s] takes that of the hull under it: what a sensor feels along its direction
 * (S7). The hull at r (from the centre) moves with V + Ω × r (right-handed frame); the turning of a sphere
 * about its centre itself moves no ideal water. */
FM_FN void fm_flow_from_hull(const fm_real velocity[3], const fm_real turning[3], const fm_real r[3], fm_real v[3])
{
    fm_real turned[3];
    fm_cross(turning, r, turned);
    for (int k = 0; k < 3; k++)
        v[k] -= velocity[k] + turned[k];
}

#endif
