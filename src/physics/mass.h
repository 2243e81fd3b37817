/* Virtual mass from mass properties and added mass, also in a step, when ballast or a moving mass shifts.
 *
 * Our own factorisation, not LAPACK's: the same bits anywhere, and in every lane. Matrices 6×6 by column. */
#ifndef FM_PHYSICS_MASS_H
#define FM_PHYSICS_MASS_H

#include "physics/actuator.h"
#include "physics/rigid_body.h"

/* Rigid-body mass properties before added mass; what (6.55)–(6.60) sum to. */
typedef struct fm_mass_properties {
    fm_real mass;       /* kg */
    fm_real centre[3];  /* m, body */
    fm_real inertia[9]; /* kg·m² about the body origin, by row */
} fm_mass_properties;

/* Inputs of the mass in force. */
typedef struct fm_weights {
    fm_mass_properties properties; /* with every moving mass at its place at value 0, and no ballast */
    fm_real added_mass[36];
    fm_real gravity; /* m/s² */
} fm_weights;

/* A moving or changeable mass: adds value × unit to the mass (ballast, kg) or moves a fixed mass along an axis (m). */
typedef struct fm_moving_mass {
    int32_t actuator;
    int32_t moves;      /* 1: `mass` moves along `axis` by the value; 0: the value is a mass at `position` */
    fm_var mass;        /* kg */
    fm_var position[3]; /* m, body, at value 0 */
    fm_var axis[3];     /* unit vector */
} fm_moving_mass;

FM_FN void fm_mass_add_point(fm_mass_properties *p, fm_real mass, const fm_real r[3])
{
    fm_real zero = fm_const(0), total = p->mass + mass, rr = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            p->inertia[3 * i + k] += mass * ((i == k ? rr : zero) - r[i] * r[k]);
        p->centre[i] = fm_select(total > zero, (p->mass * p->centre[i] + mass * r[i]) / total, zero);
    }
    p->mass = total;
}

/* Rigid-body mass matrix (6.54) without added mass. */
FM_FN void fm_mass_rigid_matrix(const fm_mass_properties *p, fm_real m[36])
{
    const fm_real *c = p->centre, zero = fm_const(0);
    fm_real s[9] = {zero, -c[2], c[1], c[2], zero, -c[0], -c[1], c[0], zero}; /* s v = c × v, by row */
    for (int i = 0; i < 36; i++)
        m[i] = zero;
    for (int i = 0; i < 3; i++) {
        m[7 * i] = p->mass;
        for (int k = 0; k < 3; k++) {
            m[6 * (3 + k) + i] = -p->mass * s[3 * i + k]; /* force from turning */
            m[6 * k + 3 + i] = p->mass * s[3 * i + k];    /* moment from moving */
            m[6 * (3 + k) + 3 + i] = p->inertia[3 * i + k];
        }
    }
}

/* Inverse from the factor. */
FM_FN void fm_mass_invert(const fm_real l[36], fm_real inverse[36])
{
    for (int c = 0; c < 6; c++) {
        fm_real *x = inverse + 6 * c;
        for (int r = 0; r < 6; r++)
            x[r] = fm_const(r == c);
        fm_matrix6_solve(l, x);
    }
}

/* Virtual mass, its inverse, the momentum matrix and the centre of gravity; the rest of `mass` stays. Returns as
 * fm_matrix6_factor does. */
FM_FN fm_real fm_mass_assemble(const fm_mass_properties *properties, const fm_real added[36], int full_coriolis,
                               fm_mass *mass)
{
    fm_real l[36];
    fm_mass_rigid_matrix(properties, mass->momentum);
    for (int i = 0; i < 36; i++)
        mass->virtual_mass[i] = mass->momentum[i] + added[i];
    fm_real bad = fm_matrix6_factor(mass->virtual_mass, l);
    fm_mass_invert(l, mass->inverse);
    for (int i = 0; i < 36 && full_coriolis; i++)
        mass->momentum[i] = mass->virtual_mass[i];
    for (int i = 0; i < 3; i++)
        mass->gravity_centre[i] = properties->centre[i];
    return bad;
}

/* The properties with ballast and moving masses where their actuators hold them now. */
FM_FN fm_mass_properties fm_mass_moved(const fm_weights *weights, const fm_moving_mass *moving, int count,
                                       const fm_actuator_state *states)
{
    fm_mass_properties now = weights->properties;
    for (int i = 0; i < count; i++) {
        const fm_moving_mass *m = &moving[i];
        fm_real value = states[m->actuator].value, rest[3], point[3];
        for (int k = 0; k < 3; k++) {
            rest[k] = fm_real_wide(m->position[k]);
            point[k] = m->position[k] + value * m->axis[k];
        }
        if (m->moves) {
            fm_mass_add_point(&now, fm_real_wide(-m->mass), rest);
            fm_mass_add_point(&now, fm_real_wide(m->mass), point);
        } else {
            fm_mass_add_point(&now, value, rest);
        }
    }
    return now;
}

#endif
