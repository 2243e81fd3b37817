#include "acoustics/loss.h"

#include <math.h>

#include "physics/real.h"

static double log10_of(double x)
{
    return fm_log(x) / 2.302585092994045684;
}

static double ten_to(double x)
{
    return fm_exp(x * 2.302585092994045684);
}

/* --- absorption --- */

double fm_absorption_thorp(double frequency)
{
    double ff = frequency * frequency * 1e-6;
    return 1e-3 * (0.11 * ff / (1 + ff) + 44 * ff / (4100 + ff) + 2.75e-4 * ff + 0.003);
}

double fm_absorption_francois_garrison(double frequency, const fm_sound_water *w)
{
    double f = frequency * 1e-3, ff = f * f, t = w->temperature, s = w->salinity, z = w->depth;
    double c = 1412 + 3.21 * t + 1.19 * s + 0.0167 * z;
    double boric = 8.86 / c * ten_to(0.78 * w->acidity - 5), f1 = 2.8 * sqrt(s / 35) * ten_to(4 - 1245 / (t + 273));
    double magnesium = 21.44 * (s / c) * (1 + 0.025 * t), p2 = 1 - 1.37e-4 * z + 6.2e-9 * z * z;
    double f2 = 8.17 * ten_to(8 - 1990 / (t + 273)) / (1 + 0.0018 * (s - 35));
    double p3 = 1 - 3.83e-5 * z + 4.9e-10 * z * z;
    double water = t <= 20 ? 4.937e-4 + t * (-2.59e-5 + t * (9.11e-7 - 1.50e-8 * t))
                           : 3.964e-4 + t * (-1.146e-5 + t * (1.45e-7 - 6.5e-10 * t));
    double sum = magnesium * p2 * f2 * ff / (f2 * f2 + ff) + water * p3 * ff;
    if (f1 > 0)
        sum += boric * f1 * ff / (f1 * f1 + ff);
    return 1e-3 * sum;
}

double fm_absorption_ainslie_mccolm(double frequency, const fm_sound_water *w)
{
    double f = frequency * 1e-3, ff = f * f, t = w->temperature, s = w->salinity, z = 1e-3 * w->depth;
    double f1 = 0.78 * sqrt(s / 35) * fm_exp(t / 26), f2 = 42 * fm_exp(t / 17);
    double sum = 0.52 * (1 + t / 43) * (s / 35) * f2 * ff / (ff + f2 * f2) * fm_exp(-z / 6) +
                 4.9e-4 * ff * fm_exp(-(t / 27 + z / 17));
    if (f1 > 0)
        sum += 0.106 * f1 * ff / (ff + f1 * f1) * fm_exp((w->acidity - 8) / 0.56);
    return 1e-3 * sum;
}

double fm_level_wavesim(double level, double distance)
{
    double r = distance > 1 ? distance : 1;
    return level - 20 * log10_of(r) - 0.005 * r;
}

/* --- noise --- */

double fm_level_sum(double a, double b)
{
    return 10 * log10_of(ten_to(0.1 * a) + ten_to(0.1 * b));
}

double fm_ambient_noise(double frequency, double shipping, double wind)
{
    double f = frequency * 1e-3, lf = log10_of(f);
    double turbulence = 17 - 30 * lf, thermal = -15 + 20 * lf;
    double ships = 40 + 20 * (shipping - 0.5) + 26 * lf - 60 * log10_of(f + 0.03);
    double waves = 50 + 7.5 * sqrt(wind) + 20 * lf - 40 * log10_of(f + 0.4);
    return 10 * log10_of(ten_to(0.1 * turbulence) + ten_to(0.1 * ships) + ten_to(0.1 * waves) + ten_to(0.1 * thermal));
}

/* --- reflections --- */

double fm_surface_loss(double roughness, double frequency, double speed, double grazing)
{
    double wave_number = 2 * 3.14159265358979323846 * frequency / speed, x = wave_number * roughness * grazing;
    return -2 * x * x * 20 / 2.302585092994045684; /* |R| = exp(−2 (kσ sinγ)²) */
}

static double solid_loss(const fm_seabed *seabed, double speed, double grazing, double *turn)
{
    double along = sqrt(fmax(1 - grazing * grazing, 0)) / speed;
    double complex r = fm_seabed_reflection(seabed, along, grazing / speed);
    *turn = fm_atan2(cimag(r), creal(r));
    return 10 * log10_of(fmax(creal(r) * creal(r) + cimag(r) * cimag(r), 1e-30));
}

/* R = (ρ sinγ − √(n² − cos²γ)) / (ρ sinγ + √(…)), n = (c1/c2)(1 + iα/54.58). */
double fm_bottom_loss(const fm_seabed *seabed, double speed, double grazing, double *turn)
{
    *turn = 0;
    if (!(seabed->density > 0))
        return 0;
    if (seabed->shear > 0)
        return solid_loss(seabed, speed, grazing, turn);
    double ratio = speed / seabed->speed, loss = seabed->attenuation / 54.58;
    double re = ratio * ratio * (1 - loss * loss) - (1 - grazing * grazing), im = ratio * ratio * 2 * loss;
    double size = sqrt(re * re + im * im), root_re = sqrt(fmax(0.5 * (size + re), 0)),
           root_im = sqrt(fmax(0.5 * (size - re), 0));
    double a = seabed->density * grazing;
    double above_re = a - root_re, above_im = -root_im, below_re = a + root_re, below_im = root_im;
    double below = below_re * below_re + below_im * below_im;
    if (!(below > 0)) {
        *turn = 3.14159265358979323846;
        return 0;
    }
    double r_re = (above_re * below_re + above_im * below_im) / below,
           r_im = (above_im * below_re - above_re * below_im) / below;
    *turn = fm_atan2(r_im, r_re);
    return 10 * log10_of(fmax(r_re * r_re + r_im * r_im, 1e-30));
}

/* --- links --- */

double fm_doppler_shift(double frequency, double sound, double receiver, double source)
{
    return frequency * (sound + receiver) / (sound - source);
}

/* Complementary error function from its continued fraction and series; relative error below 1e-13 where it is not
 * negligible. */
static double erfc_of(double x)
{
    if (x < 2.5) {
        double term = x, sum = x;
        for (int n = 1; n < 80 && fabs(term) > 1e-17 * fabs(sum); n++) {
            term *= -x * x / n;
            sum += term / (2 * n + 1);
        }
        return 1 - 2 / sqrt(3.14159265358979323846) * sum;
    }
    double fraction = 0;
    for (int n = 60; n > 0; n--)
        fraction = 0.5 * n / (x + fraction);
    return fm_exp(-x * x) / (sqrt(3.14159265358979323846) * (x + fraction));
}

double fm_bit_error_bpsk(double ratio)
{
    return 0.5 * erfc_of(sqrt(fmax(ratio, 0)));
}

double fm_bit_error_bfsk(double ratio)
{
    return 0.5 * fm_exp(-0.5 * fmax(ratio, 0));
}

/* 1 − (1 − b)ⁿ without loss of digits. */
double fm_frame_error(double bit_error, int bits)
{
    double b = fmin(fmax(bit_error, 0), 1), log_kept;
    if (b >= 1)
        return 1;
    if (b < 1e-3) /* ln(1 − b) to b⁵ */
        log_kept = -b * (1 + b * (0.5 + b * (1.0 / 3 + b * (0.25 + b * 0.2))));
    else
        log_kept = fm_log(1 - b);
    return -fm_expm1(bits * log_kept);
}
