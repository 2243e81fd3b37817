#include "ocean/waves.h"

#include <math.h>

#include "base/random.h"
#include "ocean/sea_sum.h"
#include "physics/hull_waves.h"
#include "physics/real.h"

enum { CHANNEL = 0x0cea1000 }; /* random-number channel of sea states */

/* ---- components ---- */

double fm_wave_number(double frequency, double depth, double gravity)
{
    double deep = frequency * frequency / gravity;
    if (depth <= 0 || frequency == 0)
        return deep;
    double a = deep * depth, y = a / fm_sqrt(fm_tanh(a)); /* Eckart's guess of k depth, within 5 % */
    for (int i = 0; i < 6; i++) {
        double th = fm_tanh(y);
        y -= (y * th - a) / (th + y * (1 - th * th));
    }
    return y / depth;
}

fm_wave fm_wave_make(double amplitude, double frequency, double direction, double phase, double depth, double gravity)
{
    fm_wave w = {.amplitude = amplitude,
                 .frequency = frequency,
                 .travel = {fm_cos(direction), fm_sin(direction)},
                 .phase = phase};
    fm_wave_measure(&w, depth, gravity);
    return w;
}

void fm_wave_measure(fm_wave *wave, double depth, double gravity)
{
    wave->number = fm_wave_number(wave->frequency, depth, gravity);
    wave->echo = depth > 0 ? fm_exp(-2 * wave->number * depth) : 0;
}

/* Where the motion is evaluated: not above the mean surface, not below the bottom. */
static double clamp_depth(const fm_sea *sea, double z)
{
    z = fm_max(z, 0);
    return sea->depth > 0 ? fm_min(z, sea->depth) : z;
}

static void add_up(const fm_sea *sea, double t, const double position[3], int wants, fm_sea_sample *out)
{
    double z = clamp_depth(sea, position[2]);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        fm_sea_sum_widest(sea, t, position, z, wants, out);
    else if (__builtin_cpu_supports("avx2"))
        fm_sea_sum_wide(sea, t, position, z, wants, out);
    else
#endif
        fm_sea_sum_narrow(sea, t, position, z, wants, out);
}

fm_sea_sample fm_sea_at(const fm_sea *sea, double t, const double position[3])
{
    fm_sea_sample out = {0};
    add_up(sea, t, position, FM_SEA_ELEVATION | FM_SEA_PRESSURE, &out);
    return out;
}

fm_sea_sample fm_sea_below(const fm_sea *sea, double t, const double position[3])
{
    fm_sea_sample out = {0};
    add_up(sea, t, position, FM_SEA_PRESSURE, &out);
    return out;
}

double fm_sea_elevation(const fm_sea *sea, double t, double x, double y)
{
    fm_sea_sample out = {0};
    add_up(sea, t, (double[3]){x, y, 0}, FM_SEA_ELEVATION, &out);
    return out.elevation;
}

void fm_sea_add_velocity(const fm_sea *sea, double t, const double position[3], double out[3])
{
    fm_sea_sample sum;
    add_up(sea, t, position, FM_SEA_VELOCITY, &sum);
    for (int i = 0; i < 3; i++)
        out[i] += sum.velocity[i];
}

void fm_sea_add_up_hull(const fm_sea *sea, const fm_wave_grid *grid, int near, const fm_wave_pose *pose,
                        fm_hull_sums *value, fm_hull_sums *rate)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        fm_sea_sum_hull_wide(sea, grid, near, &pose->time, value->velocity[0], rate->velocity[0]);
    else
#endif
        fm_sea_sum_hull_narrow(sea, grid, near, &pose->time, value->velocity[0], rate->velocity[0]);
}

fm_status fm_wave_check(const fm_wave *wave, fm_error *error)
{
    const double steepness = fabs(wave->amplitude) * wave->number;
    return steepness <= 0.45 /* Stokes' limit H/λ = 0.142 */
               ? FM_OK
               : fm_fail(error, FM_ERR_MODEL,
                         "a wave of %g m is %.3g m long: it breaks above an amplitude of %.3g m (0.45 over its wave "
                         "number)",
                         wave->amplitude, 2 * FM_PI / wave->number, 0.45 / wave->number);
}

/* ---- JONSWAP ---- */

#define HIGHEST 5.0 /* frequencies up to 5 ω_p carry all but 0.1 % of the energy */

enum { CELLS = 400 }; /* ω = ω_p, where the width changes, lies between two cells */

/* Spectrum over x = ω/ω_p, without scale. */
static double shape(double x, double peakedness)
{
    if (x < 0.2) /* exp(−1.25/0.2⁴) is 1e-339 */
        return 0;
    double width = x <= 1 ? 0.07 : 0.09, d = (x - 1) / width, x2 = x * x;
    return fm_exp(-1.25 / (x2 * x2)) / (x2 * x2 * x) * fm_pow(peakedness, fm_exp(-0.5 * d * d));
}

/* ∫ shape from x to x + h by Simpson's rule. */
static double cell(double x, double h, double peakedness)
{
    return h / 6 * (shape(x, peakedness) + 4 * shape(x + 0.5 * h, peakedness) + shape(x + h, peakedness));
}

/* Angle from the mean direction at which the spreading function has passed on a share u of its energy. */
static double spread_angle(double u, double spreading)
{
    enum { STEPS = 720 };
    double h = 2 * FM_PI / STEPS, total = 0, sum = 0;
    for (int i = 0; i < STEPS; i++)
        total += fm_pow(fm_cos(0.5 * (-FM_PI + h * (i + 0.5))), 2 * spreading);
    for (int i = 0; i < STEPS; i++) {
        double part = fm_pow(fm_cos(0.5 * (-FM_PI + h * (i + 0.5))), 2 * spreading) / total;
        if (sum + part > u)
            return -FM_PI + h * (i + (u - sum) / part);
        sum += part;
    }
    return FM_PI;
}

void fm_jonswap_waves(const fm_jonswap *sea, double depth, double gravity, uint64_t seed, uint32_t entity,
                      fm_wave *waves, size_t count)
{
    fm_random_key key = {seed, entity, CHANNEL};
    double peak = 2 * FM_PI / sea->peak_period, h = HIGHEST / CELLS, total = 0, passed = 0;
    double amplitude = sea->significant_height / 4 * fm_sqrt(2 / (double)count);
    for (int i = 0; i < CELLS; i++)
        total += cell(h * i, h, sea->peakedness);
    int at = 0;
    double here = cell(0, h, sea->peakedness);
    for (size_t i = 0; i < count; i++) {
        uint32_t draw = (uint32_t)(3 * i);
        double share = ((double)i + fm_random_uniform(key, 0, draw)) / (double)count * total;
        while (at < CELLS - 1 && passed + here < share) {
            passed += here;
            at++;
            here = cell(h * at, h, sea->peakedness);
        }
        double frequency = peak * h * (at + fm_clamp((share - passed) / here, 0, 1));
        double direction = sea->direction;
        if (sea->spreading > 0)
            direction += spread_angle(fm_random_uniform(key, 0, draw + 1), sea->spreading);
        waves[i] = fm_wave_make(amplitude, frequency, direction, 2 * FM_PI * fm_random_uniform(key, 0, draw + 2), depth,
                                gravity);
    }
}

fm_status fm_jonswap_check(const fm_jonswap *sea, fm_error *error)
{
    if (!(sea->significant_height >= 0 && sea->significant_height <= 30))
        return fm_fail(error, FM_ERR_RANGE, "significant wave height is %g m: must be 0 … 30 m",
                       sea->significant_height);
    if (!(sea->peak_period >= 0.5 && sea->peak_period <= 60))
        return fm_fail(error, FM_ERR_RANGE, "peak period is %g s: must be 0.5 … 60 s", sea->peak_period);
    if (!(sea->peakedness >= 1 && sea->peakedness <= 10))
        return fm_fail(error, FM_ERR_RANGE, "peakedness is %g: must be 1 … 10", sea->peakedness);
    if (!(sea->spreading >= 0 && sea->spreading <= 200) || !isfinite(sea->direction))
        return fm_fail(error, FM_ERR_RANGE, "spreading is %g, direction %g rad: must be 0 … 200 and a finite direction",
                       sea->spreading, sea->direction);
    return FM_OK;
}

void fm_sea_draw(const fm_sea *sea, const fm_drawn_waves *drawn, size_t drawn_count, uint64_t seed, fm_wave *waves)
{
    for (size_t i = 0; i < drawn_count; i++) {
        const fm_drawn_waves *d = &drawn[i];
        fm_jonswap_waves(&d->spectrum, sea->depth, sea->gravity, seed, (uint32_t)d->first, waves + d->first, d->count);
    }
}
