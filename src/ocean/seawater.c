#include "ocean/seawater.h"

#include <stddef.h>

#include "physics/real.h"

static double t68(double temperature)
{
    return FM_T68_PER_T90 * temperature;
}

/* c[0] + c[1] x + … */
static double polynomial(const double *c, size_t count, double x)
{
    double sum = 0;
    for (size_t i = count; i-- > 0;)
        sum = sum * x + c[i];
    return sum;
}
#define POLY(x, ...)                                                                                                   \
    polynomial((const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double), x)

/* ---- practical salinity ---- */

/* (T − 15)/(1 + k (T − 15)) */
static double temperature_term(double t)
{
    return (t - 15) / (1 + 0.0162 * (t - 15));
}

/* PSS-78 as a function of x = √Rt, and its derivative by x. */
static double salinity_of_root(double x, double t, double *slope)
{
    static const double a[6] = {0.0080, -0.1692, 25.3851, 14.0941, -7.0261, 2.7081};
    static const double b[6] = {0.0005, -0.0056, -0.0066, -0.0375, 0.0636, -0.0144};
    double f = temperature_term(t), s = 0, ds = 0;
    for (size_t i = 6; i-- > 0;) {
        ds = ds * x + s;
        s = s * x + a[i] + f * b[i];
    }
    if (slope)
        *slope = ds;
    return s;
}

/* What Hill et al. take off PSS-78 in nearly fresh water; at Rt = 0 all of it. */
static double hill_correction(double x, double t)
{
    double r = x * x, y = 10 * x;
    return 0.0080 / (1 + 400 * r * (1.5 + 400 * r)) + 0.0005 * temperature_term(t) / (1 + y * (1 + y * (1 + y)));
}

/* √Rt of PSS-78 salinity 2 … 42 and beyond, without Hill's correction. */
static double root_of_salinity(double salinity, double t)
{
    double x = fm_sqrt(salinity / 35);
    for (int i = 0; i < 8; i++) {
        double slope, s = salinity_of_root(x, t, &slope);
        x = fm_max(x - (s - salinity) / slope, 1e-6);
    }
    return x;
}

/* The factor that joins Hill's extension to PSS-78 at S = 2. */
static double hill_ratio(double t)
{
    return 2 / (2 - hill_correction(root_of_salinity(2, t), t));
}

static double fresh_salinity(double x, double t, double ratio)
{
    return ratio * (salinity_of_root(x, t, NULL) - hill_correction(x, t));
}

/* √Rt of a salinity below 2: the extension rises monotonically from 0, so halve the interval. */
static double root_of_fresh_salinity(double salinity, double t)
{
    double low = 0, high = root_of_salinity(2, t), ratio = hill_ratio(t);
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (fresh_salinity(middle, t, ratio) < salinity)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static double conductivity_ratio_of_temperature(double t)
{
    return POLY(t, 0.6766097, 2.00564e-2, 1.104259e-4, -6.9698e-7, 1.0031e-9);
}

/* Rp = 1 + top/(base + per_ratio R) */
typedef struct pressure_effect {
    double top, base, per_ratio;
} pressure_effect;

static pressure_effect pressure_effect_of(double t, double p)
{
    return (pressure_effect){p * POLY(p, 2.070e-5, -6.370e-10, 3.989e-15), POLY(t, 1, 3.426e-2, 4.464e-4),
                             0.4215 - 3.107e-3 * t};
}

double fm_salinity_from_conductivity(double conductivity, double temperature, double pressure)
{
    double t = t68(temperature), r = conductivity / FM_CONDUCTIVITY_STANDARD;
    pressure_effect e = pressure_effect_of(t, pressure);
    double rp = 1 + e.top / (e.base + e.per_ratio * r);
    double x = fm_sqrt(fm_max(r, 0) / (rp * conductivity_ratio_of_temperature(t)));
    double s = salinity_of_root(x, t, NULL);
    return s < 2 ? fresh_salinity(x, t, hill_ratio(t)) : s;
}

double fm_conductivity_from_salinity(double salinity, double temperature, double pressure)
{
    if (!(salinity > 0))
        return 0;
    double t = t68(temperature);
    double x = salinity < 2 ? root_of_fresh_salinity(salinity, t) : root_of_salinity(salinity, t);
    double surface = x * x * conductivity_ratio_of_temperature(t); /* R at surface pressure */
    pressure_effect e = pressure_effect_of(t, pressure);
    /* R = surface Rp(R) is a quadratic in R */
    double half = 0.5 * (e.base - e.per_ratio * surface);
    double c = surface * (e.base + e.top);
    return FM_CONDUCTIVITY_STANDARD * c / (half + fm_sqrt(half * half + e.per_ratio * c));
}

/* ---- equation of state ---- */

/* ---- depth and pressure ---- */

static double sine_squared(double latitude)
{
    double s = fm_sin(latitude);
    return s * s;
}

double fm_gravity_at_latitude(double latitude)
{
    double x = sine_squared(latitude);
    return 9.780318 * (1 + (5.2788e-3 + 2.36e-5 * x) * x);
}

double fm_seawater_depth(double pressure, double latitude)
{
    double gravity = fm_gravity_at_latitude(latitude) + 1.092e-6 * pressure;
    return POLY(pressure, 0, 9.72659, -2.2512e-5, 2.279e-10, -1.82e-15) / gravity;
}

double fm_pressure_from_depth(double depth, double latitude)
{
    double c = 1 - (5.92 + 5.25 * sine_squared(latitude)) * 1e-3;
    return (c - fm_sqrt(c * c - 8.84e-6 * depth)) / 4.42e-6;
}

/* ---- heat ---- */

double fm_freezing_point(double salinity, double pressure)
{
    double t = (-0.0575 + 1.710523e-3 * fm_sqrt(salinity) - 2.154996e-4 * salinity) * salinity - 7.53e-4 * pressure;
    return t / FM_T68_PER_T90;
}

double fm_specific_heat(double salinity, double temperature, double pressure)
{
    double t = t68(temperature), p = pressure / 10, s = salinity, root = fm_sqrt(s);
    double surface =
        POLY(t, 4217.4, -3.720283, 0.1412855, -2.654387e-3, 2.093236e-5) +
        s * (POLY(t, -7.643575, 0.1072763, -1.38385e-3) + root * POLY(t, 0.1770383, -4.07718e-3, 5.148e-5));
    double fresh = POLY(p, 0, POLY(t, -0.49592, 1.45747e-2, -3.13885e-4, 2.0357e-6, 1.7168e-8),
                        POLY(t, 2.4931e-4, -1.08645e-5, 2.87533e-7, -4.0027e-9, 2.2956e-11),
                        POLY(t, -5.422e-8, 2.6380e-9, -6.5637e-11, 6.136e-13));
    double salt = s * POLY(p, 0,
                           POLY(t, 4.9247e-3, -1.28315e-4, 9.802e-7, 2.5941e-8, -2.9179e-10) +
                               root * POLY(t, -1.2331e-4, -1.517e-6, 3.122e-8),
                           POLY(t, -2.9558e-6, 1.17054e-7, -2.3905e-9, 1.8448e-11) + 9.971e-8 * root,
                           POLY(t, 5.540e-10, -1.7682e-11, 3.513e-13) - 1.4300e-12 * t * root);
    return surface + fresh + salt;
}

/* (O2.7) Adiabatic lapse rate, K/dbar, with both temperatures on IPTS-68. */
static double lapse68(double s, double t, double p)
{
    double ds = s - 35;
    double order0 = POLY(t, 3.5803e-5, 8.5258e-6, -6.836e-8, 6.6228e-10) + ds * (1.8932e-6 - 4.2393e-8 * t);
    double order1 = POLY(t, 1.8741e-8, -6.7795e-10, 8.733e-12, -5.4481e-14) + ds * (-1.1351e-10 + 2.7759e-12 * t);
    double order2 = POLY(t, -4.6206e-13, 1.8676e-14, -2.1687e-16);
    return order0 + p * (order1 + p * order2);
}

/* One Runge–Kutta–Gill step over the whole way, as the report prescribes. */
double fm_potential_temperature(double salinity, double temperature, double pressure, double reference)
{
    double t = t68(temperature), h = reference - pressure, p = pressure;
    double k = h * lapse68(salinity, t, p), q = k;
    t += 0.5 * k;
    p += 0.5 * h;
    k = h * lapse68(salinity, t, p);
    t += 0.29289322 * (k - q);
    q = 0.58578644 * k + 0.121320344 * q;
    k = h * lapse68(salinity, t, p);
    t += 1.707106781 * (k - q);
    q = 3.414213562 * k - 4.121320344 * q;
    p += 0.5 * h;
    k = h * lapse68(salinity, t, p);
    return (t + (k - 2 * q) / 6) / FM_T68_PER_T90;
}

/* ---- sound ---- */

double fm_sound_speed_mackenzie(double salinity, double temperature, double depth)
{
    double t = t68(temperature), ds = salinity - 35, d = depth;
    return POLY(t, 1448.96, 4.591, -5.304e-2, 2.374e-4) + ds * (1.340 - 1.025e-2 * t) +
           d * (1.630e-2 + d * (1.675e-7 - 7.139e-13 * t * d));
}

double fm_sound_speed_chen_millero(double salinity, double temperature, double pressure)
{
    double t = t68(temperature), p = pressure / 10, s = salinity, root = fm_sqrt(s);
    double water = POLY(p, POLY(t, 1402.388, 5.03711, -5.80852e-2, 3.3420e-4, -1.47800e-6, 3.1464e-9),
                        POLY(t, 0.153563, 6.8982e-4, -8.1788e-6, 1.3621e-7, -6.1185e-10),
                        POLY(t, 3.1260e-5, -1.7107e-6, 2.5974e-8, -2.5335e-10, 1.0405e-12),
                        POLY(t, -9.7729e-9, 3.8504e-10, -2.3643e-12));
    double a = POLY(p, POLY(t, 1.389, -1.262e-2, 7.164e-5, 2.006e-6, -3.21e-8),
                    POLY(t, 9.4742e-5, -1.2580e-5, -6.4885e-8, 1.0507e-8, -2.0122e-10),
                    POLY(t, -3.9064e-7, 9.1041e-9, -1.6002e-10, 7.988e-12), POLY(t, 1.100e-10, 6.649e-12, -3.389e-13));
    double b = -1.922e-2 - 4.42e-5 * t + (7.3637e-5 + 1.7945e-7 * t) * p;
    double d = 1.727e-3 - 7.9836e-6 * p;
    return water + s * (a + b * root + d * s);
}

double fm_sound_speed_del_grosso(double salinity, double temperature, double pressure)
{
    double t = t68(temperature), s = salinity, p = 0.1019716 * pressure; /* kg/cm² */
    double by_t = POLY(t, 0, 5.01109398873, -0.0550946843172, 2.2153596924e-4);
    double by_s = s * (1.32952290781 + 1.28955756844e-4 * s);
    double by_p = POLY(p, 0, 0.156059257041, 2.44998688441e-5, -8.83392332513e-9);
    double mixed = t * s * (-0.0127562783426 + 9.6840315641e-5 * t) +
                   t * p * (6.35191613389e-3 - 4.38031096213e-7 * t * t) +
                   t * p * p * (-1.59349479045e-6 + 2.65484716608e-8 * t + 5.22116437235e-10 * p) -
                   1.61674495909e-9 * s * s * p * p + s * t * p * (4.85639620015e-6 * s - 3.40597039004e-4);
    return 1402.392 + by_t + by_s + by_p + mixed;
}
