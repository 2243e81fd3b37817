/* A sound ray through a waveguide in closed form: circular arcs in layers of constant gradient, with travel time,
 * spreading and phase integrated along it (dynamic ray tracing). docs/theory/acoustics.md (A4.2)–(A4.7) */
#ifndef FM_ACOUSTICS_RAY_H
#define FM_ACOUSTICS_RAY_H

#include "acoustics/waveguide.h"

typedef struct fm_ray {
    double range, depth;  /* m */
    double cosine, sine;  /* of its angle, downwards positive */
    double speed;         /* m/s, of sound here */
    double time;          /* s since it left */
    double length;        /* m of the way */
    double launch_cosine; /* at the source */
    double launch_speed;  /* m/s, at the source */
    double q, p;          /* width of the tube per launch angle (m/rad), and its growth (s/m·1/rad): q' = c p */
    double level;         /* dB lost at reflections, 0 or less */
    double phase;         /* rad, of reflections and caustics, not of time */
    size_t layer;
    int surface, bottom, caustics, turns;
    int lost; /* it turned back in range, or cannot continue */
} fm_ray;

/* A ray at range 0. Angle in rad; almost vertical ones are tilted to 1e-9 rad. */
fm_ray fm_ray_launch(const fm_waveguide *guide, double depth, double angle);

/* Called for every point of a path: ends of arcs and reflections. */
typedef void fm_ray_visit(void *user, const fm_ray *ray);

/* Traces the ray to a range, with up to `reflections` of surface and bottom together; visit may be NULL. `frequency`
 * (Hz) is for the loss at a rough surface; 0: none. */
void fm_ray_advance(const fm_waveguide *guide, fm_ray *ray, double range, int reflections, double frequency,
                    fm_ray_visit *visit, void *user);

double fm_ray_angle(const fm_ray *ray); /* rad, downwards positive */
/* Two rays launched `apart` (rad) above and below another, at the same range. */
typedef struct fm_ray_pair {
    fm_ray above, below;
    double apart;
} fm_ray_pair;
/* Loss from spreading and reflections relative to 1 m from the source, dB, for a wave of `frequency` (Hz), whose level
 * at a caustic is limited to that of Airy's function, half of it from each of the two rays that meet there. `beside`
 * may be NULL, and is not used if its rays reflect differently. At least 10 log r − 10. (A4.10) */
double fm_ray_loss_capped(const fm_ray *ray, const fm_ray_pair *beside, double frequency);
/* Whether its tube is narrower than that of a straight ray: a caustic may be near. */
int fm_ray_is_focused(const fm_ray *ray);
/* Derivative of its depth at this range by its launch angle, m/rad. */
double fm_ray_sensitivity(const fm_ray *ray);

#endif
