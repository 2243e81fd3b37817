#include "ocean/vortex_street.h"

#include <math.h>

#include "physics/real.h"

static double stream_speed(const fm_vortex_street *s)
{
    return sqrt(s->stream[0] * s->stream[0] + s->stream[1] * s->stream[1]);
}

double fm_vortex_street_frequency(const fm_vortex_street *s)
{
    return s->strouhal * stream_speed(s) / s->diameter;
}

double fm_vortex_street_spacing(const fm_vortex_street *s)
{
    return s->drift * s->diameter / s->strouhal;
}

double fm_vortex_street_circulation(const fm_vortex_street *s)
{
    return 2 * fm_vortex_street_spacing(s) * (1 - s->drift) * stream_speed(s) / fm_tanh(FM_PI * s->ratio);
}

static double ramp(double x)
{
    double t = fmin(fmax(x, 0), 1);
    return t * t * (3 - 2 * t);
}

/* Part of its strength at `way` metres behind the axis. */
static double grown(const fm_vortex_street *s, double spacing, double way)
{
    return ramp((way - s->formation) / spacing) * ramp((s->length - way) / spacing);
}

/* One vortex seen from (x, y) beside it, along and across the stream; circulation positive from along to across. */
static void add_swirl(double circulation, double core, double x, double y, double v[2])
{
    double r2 = x * x + y * y, q = r2 / (core * core), rate = circulation / (2 * FM_PI);
    rate *= q < 1e-12 ? 1 / (core * core) : q > 40 ? 1 / r2 : -fm_expm1(-q) / r2;
    v[0] -= rate * y;
    v[1] += rate * x;
}

void fm_vortex_street_add(const fm_vortex_street *s, double t, const double position[3], double out[3])
{
    double speed = stream_speed(s), spacing = fm_vortex_street_spacing(s);
    double gamma = fm_vortex_street_circulation(s), turns = fm_vortex_street_frequency(s) * t + s->phase;
    if (!(speed > 0))
        return;
    double c = s->stream[0] / speed, n = s->stream[1] / speed, v[2] = {0};
    double dx = position[0] - s->point[0], dy = position[1] - s->point[1];
    double along = dx * c + dy * n, across = dy * c - dx * n;
    for (int row = 0; row < 2; row++) {
        double shift = turns + 0.5 * row, side = row ? 0.5 : -0.5, sign = row ? -1 : 1;
        shift -= floor(shift);
        for (int k = 0; k < FM_STREET_MOST; k++) {
            double way = s->formation + spacing * (shift + k), strength = grown(s, spacing, way);
            if (way >= s->length)
                break;
            add_swirl(sign * gamma * strength, s->core, along - way, across - side * s->ratio * spacing, v);
        }
    }
    out[0] += v[0] * c - v[1] * n;
    out[1] += v[0] * n + v[1] * c;
}
