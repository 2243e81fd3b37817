#include "acoustics/seabed.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Jensen, Kuperman, Porter & Schmidt, Computational Ocean Acoustics, table 1.3: density relative to water, speed and
 * attenuation of compressional waves, then of shear waves. Shear waves in silt, sand and gravel are slow (110 m/s at 1
 * m in sand) and become faster with depth; these materials and clay are treated as fluids. */
static const struct {
    const char *name;
    fm_seabed seabed;
} seabeds[] = {
    {"rigid", {0, 0, 0, 0, 0}},
    {"clay", {1.5, 1500, 0.2, 0, 0}},
    {"silt", {1.7, 1575, 1.0, 0, 0}},
    {"sand", {1.9, 1650, 0.8, 0, 0}},
    {"gravel", {2.0, 1800, 0.6, 0, 0}},
    {"moraine", {2.1, 1950, 0.4, 600, 1.0}},
    {"chalk", {2.2, 2400, 0.2, 1000, 0.5}},
    {"limestone", {2.4, 3000, 0.1, 1500, 0.2}},
    {"basalt", {2.7, 5250, 0.1, 2500, 0.2}},
};
const char *const fm_seabed_names[] = {"rigid",   "clay",  "silt",      "sand",   "gravel",
                                       "moraine", "chalk", "limestone", "basalt", NULL};

int fm_seabed_find(const char *name, fm_seabed *seabed)
{
    for (size_t i = 0; i < sizeof seabeds / sizeof *seabeds; i++)
        if (!strcmp(name, seabeds[i].name)) {
            *seabed = seabeds[i].seabed;
            return 1;
        }
    return 0;
}

/* A solid resists compression: K = ρ (cp² − 4/3 cs²) > 0. The last bound keeps shear from returning energy if both
 * attenuations are given: the imaginary part of K must not be negative. */
const char *fm_seabed_fault(const fm_seabed *s)
{
    if (!(s->density > 0))
        return NULL;
    if (!(s->speed > 0))
        return "it has a density but no speed of sound";
    if (!(s->speed * s->speed > 4.0 / 3 * s->shear * s->shear))
        return "its shear waves are faster than 0.866 of its compressional waves, which no solid has";
    if (3 * s->attenuation * s->speed * s->speed < 4 * s->shear_attenuation * s->shear * s->shear)
        return "its shear waves lose more than its compressional waves allow: the attenuation of compressional waves "
               "must be at least 4/3 (shear speed/speed)² of that of shear waves";
    return NULL;
}

double complex fm_root_decaying(double complex square)
{
    double re = creal(square), im = cimag(square), size = sqrt(re * re + im * im);
    double up = sqrt(fmax(0.5 * (size - re), 0)), along = sqrt(fmax(0.5 * (size + re), 0));
    return fm_complex_make(im < 0 ? -along : along, up);
}

static double complex slowness_squared(double speed, double attenuation)
{
    double complex s = fm_complex_make(1, attenuation / 54.58) / speed;
    return s * s;
}

/* R = (N s − s_p)/(N s + s_p), where s and s_p are slownesses towards the bottom in the water and of compressional
 * waves in the bottom; for a fluid N = ρ, for a solid ρ [(1 − 2 c_s² a²)² + 4 c_s⁴ a² s_s s_p]. */
double complex fm_seabed_reflection(const fm_seabed *seabed, double complex along, double complex down)
{
    if (!(seabed->density > 0))
        return 1;
    double complex a2 = along * along, n = seabed->density;
    double complex p = fm_root_decaying(slowness_squared(seabed->speed, seabed->attenuation) - a2);
    if (seabed->shear > 0) {
        double complex k2 = slowness_squared(seabed->shear, seabed->shear_attenuation), c2 = 1 / k2;
        double complex s = fm_root_decaying(k2 - a2), w = 1 - 2 * c2 * a2;
        n = seabed->density * (w * w + 4 * c2 * c2 * a2 * s * p);
    }
    double complex below = n * down + p;
    return below == 0 ? -1 : (n * down - p) / below;
}
