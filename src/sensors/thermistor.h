/* A hot thermistor in moving water: the velocity sensor of the artificial lateral line (S1)–(S5).
 *
 *   C dT/dt = I² R(T) − G(v) (T − T∞)          (S2),(S3)
 *   G(v)    = A + B |v|^n                      (S1); |v|: the bead does not know the direction
 *   R(T)    = R0 exp(beta (1/T − 1/T0))        (S4), beta = +3090 K is the printed −3090 K with (1/T0 − 1/T)
 *   U       = I R                              (S5), printed as R/I
 *
 * The slope of G is infinite at v = 0 (n < 1); G itself is finite and continuous there. */
#ifndef FM_SENSORS_THERMISTOR_H
#define FM_SENSORS_THERMISTOR_H

#include "physics/real.h"

typedef struct fm_thermistor {
    fm_var a;     /* W/K, heat loss in still water */
    fm_var b;     /* W/(K (m/s)^n) */
    fm_var n;     /* exponent, 0 < n */
    fm_var c;     /* J/K, heat capacity */
    fm_var r0;    /* ohm, resistance at t0 */
    fm_var t0;    /* K */
    fm_var beta;  /* K, positive for an NTC thermistor */
    fm_var i;     /* A, constant heating current */
    fm_var t_inf; /* K, water temperature */
} fm_thermistor;

/* Temperatures outside this range [K] are clamped: only an explicit step far beyond its stability limit gets there. */
#define FM_THERMISTOR_COLDEST 150.0
#define FM_THERMISTOR_HOTTEST 1500.0

/* The printed constants; water at 20 °C. They give 97.45 °C at rest, not the printed 70 °C. */
FM_FN fm_thermistor fm_thermistor_printed(void)
{
    fm_thermistor p;
    p.a = fm_var_const(1.03e-3), p.b = fm_var_const(0.74e-3), p.n = fm_var_const(0.34), p.c = fm_var_const(9e-5);
    p.r0 = fm_var_const(2000), p.t0 = fm_var_const(293.15), p.beta = fm_var_const(3090);
    p.i = fm_var_const(19e-3), p.t_inf = fm_var_const(293.15);
    return p;
}

/* The same bead with the current that really gives 70 °C in still water of 20 °C. */
FM_FN fm_thermistor fm_thermistor_70_degrees(void)
{
    fm_thermistor p = fm_thermistor_printed();
    p.i = fm_var_const(10.937010909303142e-3);
    return p;
}

/* [ohm] at temperature t [K] */
FM_FN fm_real fm_thermistor_resistance(const fm_thermistor *p, fm_real t)
{
    return p->r0 * fm_exp(p->beta * (fm_const(1) / t - fm_const(1) / p->t0));
}

/* [V] at temperature t [K] */
FM_FN fm_real fm_thermistor_voltage(const fm_thermistor *p, fm_real t)
{
    return p->i * fm_thermistor_resistance(p, t);
}

/* The inverse: temperature [K] at which the voltage is u [V]. */
FM_FN fm_real fm_thermistor_temperature(const fm_thermistor *p, fm_real u)
{
    fm_real ratio = fm_max(u / (p->i * p->r0), fm_const(FM_TINY));
    return fm_const(1) / (fm_const(1) / fm_real_wide(p->t0) + fm_log(ratio) / p->beta);
}

/* Heat loss [W/K] at water velocity v [m/s], any sign. */
FM_FN fm_real fm_thermistor_loss(const fm_thermistor *p, fm_real v)
{
    fm_real speed = fm_abs(v);
    fm_real power = fm_pow(fm_max(speed, fm_const(FM_TINY)), fm_real_wide(p->n));
    return p->a + p->b * fm_select(speed > fm_const(0), power, fm_const(0));
}

/* dT/dt [K/s] and its derivative with respect to T [1/s], which is always negative. */
FM_FN fm_real fm_thermistor_rate(const fm_thermistor *p, fm_real t, fm_real loss, fm_real *jacobian)
{
    fm_real heating = p->i * p->i * fm_thermistor_resistance(p, t);
    *jacobian = -(heating * p->beta / (t * t) + loss) / p->c;
    return (heating - loss * (t - p->t_inf)) / p->c;
}

FM_FN fm_real fm_thermistor_bound(fm_real t)
{
    return fm_clamp(t, fm_const(FM_THERMISTOR_COLDEST), fm_const(FM_THERMISTOR_HOTTEST));
}

/* Temperature [K] after a long time at velocity v [m/s]. Newton's rule on a concave decreasing function: from
 * T∞ + 70 K it converges for every current between 0 and 1 A; twelve rounds reach machine precision. */
FM_FN fm_real fm_thermistor_steady(const fm_thermistor *p, fm_real v)
{
    fm_real loss = fm_thermistor_loss(p, v);
    fm_real t = p->t_inf + fm_const(70);
    for (int k = 0; k < 12; k++) {
        fm_real slope;
        fm_real rate = fm_thermistor_rate(p, t, loss, &slope);
        t = fm_thermistor_bound(t - rate / slope);
    }
    return t;
}

/* The water's speed [m/s] that holds a bead at t [K]: the inverse of the steady state; 0 where it is hotter than in
 * still water. */
FM_FN fm_real fm_thermistor_speed(const fm_thermistor *p, fm_real t)
{
    fm_real excess = fm_max(t - p->t_inf, fm_const(FM_TINY));
    fm_real loss = p->i * p->i * fm_thermistor_resistance(p, t) / excess;
    fm_real base = fm_max((loss - p->a) / p->b, fm_const(FM_TINY));
    return fm_select(loss > fm_real_wide(p->a), fm_pow(base, fm_const(1) / fm_real_wide(p->n)), fm_const(0));
}

/* [V per m/s] by which the steady voltage rises with the water's speed v [m/s] > 0. */
FM_FN fm_real fm_thermistor_sensitivity(const fm_thermistor *p, fm_real v)
{
    fm_real t = fm_thermistor_steady(p, v), jacobian, loss = fm_thermistor_loss(p, v);
    fm_thermistor_rate(p, t, loss, &jacobian);
    fm_real cooling = (loss - p->a) * p->n / v * (t - p->t_inf) / (jacobian * p->c);
    return -fm_thermistor_voltage(p, t) * p->beta / (t * t) * cooling;
}

/* One step h [s] with the exponential Rosenbrock–Euler rule (X1): second order, stable for every h.
 * v: the mean of the velocities at both ends of the step [m/s]. */
FM_FN fm_real fm_thermistor_step(const fm_thermistor *p, fm_real t, fm_real v, fm_par h)
{
    fm_real slope;
    fm_real rate = fm_thermistor_rate(p, t, fm_thermistor_loss(p, v), &slope);
    fm_real z = h * slope;
    fm_real safe = fm_select(fm_abs(z) < fm_const(1e-8), fm_const(-1), z);
    fm_real factor = fm_select(fm_abs(z) < fm_const(1e-8), fm_const(1), fm_expm1(safe) / safe);
    return fm_thermistor_bound(t + h * rate * factor);
}

/* The paper's explicit Euler rule; made for steps of 0.01 ms. v: velocity at the start of the step [m/s]. */
FM_FN fm_real fm_thermistor_euler_step(const fm_thermistor *p, fm_real t, fm_real v, fm_par h)
{
    fm_real slope;
    fm_real rate = fm_thermistor_rate(p, t, fm_thermistor_loss(p, v), &slope);
    return fm_thermistor_bound(t + h * rate);
}

#endif
