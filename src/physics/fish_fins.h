/* Pectoral fins: depth, pitch and roll of the fish by a simple lift model (F1)-(F4). A step beyond the paper,
 * which leaves up-down motion to later work.
 *
 * Each fin gives L = rho/2 C_La alpha S U^2 with alpha = fin angle + w/U (small angles; w down meets it from below).
 * Common fin angle pitches the fish, the fish's speed then carries it up or down; the difference of the angles rolls
 * it. The fish is neutrally buoyant with its weight below its buoyancy, so pitch and roll right themselves. Body frame
 * FRD: pitch is positive nose up, roll positive starboard down, w positive down; lift is counted upwards. A fish at
 * rest has no authority over depth, as a real one with fins alone. */
#ifndef FM_PHYSICS_FISH_FINS_H
#define FM_PHYSICS_FISH_FINS_H

#include "physics/real.h"

typedef struct fm_fish_fins_params {
    fm_var density;                     /* kg/m3 */
    fm_var area;                        /* of one fin, m2 */
    fm_var lift_slope;                  /* C_La, 1/rad */
    fm_var arm_forward;                 /* of the fins ahead of the centre of mass, m */
    fm_var arm_side;                    /* of each fin's centre from the middle, m */
    fm_var mass_heave;                  /* mass with added mass in heave, kg */
    fm_var inertia_pitch;               /* with added inertia, kg m2 */
    fm_var inertia_roll;                /* kg m2 */
    fm_var righting;                    /* weight times height of buoyancy over weight, N m/rad */
    fm_var damping_pitch;               /* N m s */
    fm_var damping_roll;                /* N m s */
    fm_var drag_heave;                  /* rho/2 C_D A across the body, kg/m */
    fm_var angle_max;                   /* of a fin, rad */
    fm_var pitch_max;                   /* asked for by the depth law, rad */
    fm_var gain_depth, gain_heave;      /* pitch asked for per metre and per m/s, rad/m, rad s/m */
    fm_var gain_pitch, gain_pitch_rate; /* fin angle per rad and per rad/s, 1, s */
    fm_var gain_roll, gain_roll_rate;   /* 1, s */
} fm_fish_fins_params;

typedef struct fm_fish_fins_state {
    fm_real depth;             /* of joint 1, m */
    fm_real heave;             /* w, m/s down the body's z axis */
    fm_real pitch, pitch_rate; /* rad, rad/s */
    fm_real roll, roll_rate;   /* rad, rad/s */
} fm_fish_fins_state;

/* Lift slope of a small wing of aspect ratio b^2/S (lifting line): 2 pi A/(A + 2), 1/rad. */
FM_FN fm_var fm_fish_fin_lift_slope(fm_var aspect)
{
    return (fm_par)(2 * FM_PI) * aspect / (aspect + (fm_par)2);
}

FM_FN fm_fish_fins_params fm_fish_fins_preset(void)
{
    fm_fish_fins_params p;
    p.density = fm_var_const(1000);
    p.area = fm_var_const(0.0010);
    p.lift_slope = fm_fish_fin_lift_slope(fm_var_const(1.5));
    p.arm_forward = fm_var_const(0.06);
    p.arm_side = fm_var_const(0.045);
    p.mass_heave = fm_var_const(1.3);
    p.inertia_pitch = fm_var_const(0.010);
    p.inertia_roll = fm_var_const(0.0006);
    p.righting = fm_var_const(0.010);
    p.damping_pitch = fm_var_const(0.008);
    p.damping_roll = fm_var_const(0.0008);
    p.drag_heave = fm_var_const(10);
    p.angle_max = fm_var_const(0.5);
    p.pitch_max = fm_var_const(0.35);
    p.gain_depth = fm_var_const(1.0);
    p.gain_heave = fm_var_const(1.5);
    p.gain_pitch = fm_var_const(3.0);
    p.gain_pitch_rate = fm_var_const(1.5);
    p.gain_roll = fm_var_const(1.0);
    p.gain_roll_rate = fm_var_const(0.3);
    return p;
}

/* (F1): lift of one fin, N upwards; alpha in rad, speed in m/s. */
FM_FN fm_real fm_fish_fin_lift(const fm_fish_fins_params *p, fm_real alpha, fm_real speed)
{
    return fm_const(0.5) * p->density * p->lift_slope * p->area * alpha * speed * speed;
}

/* (F3), (F4): fin angles (rad, leading edge up) that bring the fish to the wanted depth and level. The righting
 * moment that holds the fish level is fed forward, otherwise the pitch asked for would not be reached. */
FM_FN void fm_fish_fins_control(const fm_fish_fins_params *p, const fm_fish_fins_state *s, fm_real wanted_depth,
                                fm_real speed, fm_real *starboard, fm_real *port)
{
    fm_real sinking = s->heave - speed * s->pitch; /* rate of depth for small angles, m/s */
    fm_real limit = fm_real_wide(p->pitch_max), most = fm_real_wide(p->angle_max);
    fm_real pitch = fm_clamp(
        fm_real_wide(p->gain_depth) * (s->depth - wanted_depth) + fm_real_wide(p->gain_heave) * sinking, -limit, limit);
    fm_real per_angle = fm_max(fm_const(2) * p->arm_forward * fm_fish_fin_lift(p, fm_const(1), speed), fm_const(1e-4));
    fm_real hold = fm_real_wide(p->righting) * pitch / per_angle;
    fm_real common =
        hold + fm_real_wide(p->gain_pitch) * (pitch - s->pitch) - fm_real_wide(p->gain_pitch_rate) * s->pitch_rate;
    fm_real differ = fm_real_wide(p->gain_roll) * s->roll + fm_real_wide(p->gain_roll_rate) * s->roll_rate;
    *starboard = fm_clamp(common + differ, -most, most);
    *port = fm_clamp(common - differ, -most, most);
}

/* (F2): one step of heave, pitch, roll and depth; semi-implicit Euler, dt in s. */
FM_FN void fm_fish_fins_step(const fm_fish_fins_params *p, fm_fish_fins_state *s, fm_real starboard, fm_real port,
                             fm_real speed, fm_par dt)
{
    fm_real h = fm_const(dt), flow = s->heave / fm_max(speed, fm_const(1e-3));
    fm_real wash = fm_clamp(flow, fm_const(-0.5), fm_const(0.5)); /* the fin stalls beyond */
    fm_real right = fm_fish_fin_lift(p, starboard + wash, speed), left = fm_fish_fin_lift(p, port + wash, speed);
    fm_real force = -(right + left) - fm_real_wide(p->drag_heave) * s->heave * fm_abs(s->heave);
    fm_real pitching = fm_real_wide(p->arm_forward) * (right + left) - fm_real_wide(p->righting) * fm_sin(s->pitch) -
                       fm_real_wide(p->damping_pitch) * s->pitch_rate;
    fm_real rolling = fm_real_wide(p->arm_side) * (left - right) - fm_real_wide(p->righting) * fm_sin(s->roll) -
                      fm_real_wide(p->damping_roll) * s->roll_rate;
    s->heave = s->heave + h * force / fm_real_wide(p->mass_heave);
    s->pitch_rate = s->pitch_rate + h * pitching / fm_real_wide(p->inertia_pitch);
    s->roll_rate = s->roll_rate + h * rolling / fm_real_wide(p->inertia_roll);
    s->pitch = s->pitch + h * s->pitch_rate;
    s->roll = s->roll + h * s->roll_rate;
    s->depth = s->depth + h * (s->heave * fm_cos(s->pitch) - speed * fm_sin(s->pitch));
}

#endif
