/* What own motion does to the voltages of a lateral line in open water (L7).
 *
 * While the vehicle changes its speed on an order, the slow mean of each sensor follows the voltage that the change
 * explains; only the remainder counts as a signal. A virtual bead accompanies each true one: it starts at the true
 * one's temperature, in the flow v0 that would hold it there, and then feels
 *   v = v0 ± (k (u − u0) + l (r − r0)),   k = −f x̂·s,   l = −f (ẑ × c)·s − (ẑ × ρ)·s,
 * with the forward speed u and the rate of turn r of the IMU record; the sign is that of k u0. c: centre of the
 * nose,
 * ρ: the sensor from there, s: its direction; f = 3/2 on a sphere, 1 where the water does not notice the hull. v0
 * comes
 * from the voltages, so that a current along the hull does not matter. */
#ifndef FM_CONTROL_LATERAL_OWN_H
#define FM_CONTROL_LATERAL_OWN_H

#include "control/lateral_sense.h"
#include "sensors/thermistor.h"

typedef struct fm_lateral_own_params {
    fm_var surge[FM_LATERAL_SENSORS]; /* k */
    fm_var yaw[FM_LATERAL_SENSORS];   /* l, m */
} fm_lateral_own_params;

typedef struct fm_lateral_own {
    fm_real temperature[FM_LATERAL_SENSORS]; /* K */
    fm_real speed[FM_LATERAL_SENSORS];       /* m/s, v0, with its sign */
    fm_real felt[FM_LATERAL_SENSORS];        /* m/s, v of the last step */
    fm_real forward, yaw_rate;               /* m/s, rad/s: u0, r0 */
} fm_lateral_own;

/* k and l of one sensor; centre, offset and direction in body axes, amplified: f. */
FM_FN void fm_lateral_own_sensor(const fm_var centre[3], const fm_var offset[3], const fm_var direction[3],
                                 fm_var amplified, fm_var *surge, fm_var *yaw)
{
    *surge = -amplified * direction[0];
    *yaw = -amplified * (centre[0] * direction[1] - centre[1] * direction[0]) -
           (offset[0] * direction[1] - offset[1] * direction[0]);
}

/* Initialises from voltages u [V]; forward [m/s] and yaw rate [rad/s] as measured now. */
FM_FN void fm_lateral_own_begin(const fm_lateral_own_params *p, const fm_thermistor *bead, int count, const fm_real *u,
                                fm_real forward, fm_real yaw_rate, fm_lateral_own *own)
{
    own->forward = forward, own->yaw_rate = yaw_rate;
    for (int i = 0; i < count; i++) {
        fm_real t = fm_thermistor_temperature(bead, u[i]), speed = fm_thermistor_speed(bead, t);
        own->temperature[i] = t;
        own->speed[i] = own->felt[i] = fm_select(p->surge[i] * forward < fm_const(0), -speed, speed);
    }
}

/* One step of dt [s]: carries the slow means of the line along. */
FM_FN void fm_lateral_own_step(const fm_lateral_own_params *p, const fm_thermistor *bead, int count, fm_real forward,
                               fm_real yaw_rate, fm_par dt, fm_lateral_own *own, fm_lateral_state *line)
{
    for (int i = 0; i < count; i++) {
        fm_real before = fm_thermistor_voltage(bead, own->temperature[i]);
        fm_real v = own->speed[i] + p->surge[i] * (forward - own->forward) + p->yaw[i] * (yaw_rate - own->yaw_rate);
        fm_real mean = fm_const(0.5) * (fm_abs(own->felt[i]) + fm_abs(v));
        own->temperature[i] = fm_thermistor_step(bead, own->temperature[i], mean, dt);
        own->felt[i] = v;
        line->low[i] = line->low[i] + (fm_thermistor_voltage(bead, own->temperature[i]) - before);
    }
}

#endif
