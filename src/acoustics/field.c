#include "acoustics/field.h"

#include <math.h>

#include "acoustics/field_waves.h"
#include "acoustics/loss.h"
#include "physics/real.h"

static const double pi = 3.14159265358979323846;

typedef struct field {
    const fm_waveguide *guide;
    fm_field_options o;
    double step;     /* rad between rays */
    double *re, *im; /* pressures, or intensities in re */
} field;

/* A beam at its crossing of a column of cells. */
typedef struct beam {
    double depth, cosine, sine; /* m; of its ray */
    double width;               /* m, standard deviation across the ray */
    double amplitude, power;    /* of pressure and of intensity on its axis */
    double time_phase;          /* rad on its axis */
    double number;              /* rad/m, of the wave */
    double curve;               /* rad/m², of the wave front */
} beam;

/* exp(a + b k + c k²) for complex a, b, c over k = 0, 1, … costs two products per step. */
static void add_pressure(const field *f, const beam *w, size_t column, size_t first, size_t last)
{
    double cell = f->o.depth / (double)f->o.rows, below = ((double)first + 0.5) * cell - w->depth;
    double n = below * w->cosine, dn = cell * w->cosine, narrow = -0.5 / (w->width * w->width);
    double tilt = w->number * w->sine;
    double a_re = narrow * n * n, a_im = w->time_phase + tilt * below + w->curve * n * n;
    double b_re = narrow * dn * (2 * n + dn), b_im = tilt * cell + w->curve * dn * (2 * n + dn);
    double c_re = fm_exp(2 * narrow * dn * dn), c_im = 2 * w->curve * dn * dn;
    double v = w->amplitude * fm_exp(a_re), v_re = v * fm_cos(a_im), v_im = v * fm_sin(a_im);
    double g = fm_exp(b_re), g_re = g * fm_cos(b_im), g_im = g * fm_sin(b_im);
    double turn_re = c_re * fm_cos(c_im), turn_im = c_re * fm_sin(c_im);
    for (size_t row = first; row <= last; row++) {
        size_t at = row * f->o.columns + column;
        f->re[at] += v_re;
        f->im[at] += v_im;
        double next = v_re * g_re - v_im * g_im;
        v_im = v_re * g_im + v_im * g_re;
        v_re = next;
        next = g_re * turn_re - g_im * turn_im;
        g_im = g_re * turn_im + g_im * turn_re;
        g_re = next;
    }
}

static void add_intensity(const field *f, const beam *w, size_t column, size_t first, size_t last)
{
    double cell = f->o.depth / (double)f->o.rows;
    for (size_t row = first; row <= last; row++) {
        double x = (((double)row + 0.5) * cell - w->depth) * w->cosine / w->width;
        f->re[row * f->o.columns + column] += w->power * fm_exp(-0.5 * x * x);
    }
}

static void add_bell(const field *f, const beam *w, size_t column)
{
    double cell = f->o.depth / (double)f->o.rows, reach = 4 * w->width / w->cosine;
    double first = fmax(ceil((w->depth - reach) / cell - 0.5), 0);
    double last = fmin(floor((w->depth + reach) / cell - 0.5), (double)f->o.rows - 1);
    if (!(first <= last))
        return;
    if (f->o.incoherent)
        add_intensity(f, w, column, (size_t)first, (size_t)last);
    else
        add_pressure(f, w, column, (size_t)first, (size_t)last);
}

/* The part of a beam beyond a boundary is reflected: as if from its ray in a mirror. */
static void add_mirrored(const field *f, const beam *w, const fm_ray *ray, size_t column)
{
    double reach = 4 * w->width / w->cosine, slope, bottom = fm_waveguide_bottom(f->guide, ray->range, &slope);
    beam other = *w;
    other.sine = -w->sine;
    if (w->depth < reach) {
        other.depth = -w->depth;
        other.time_phase = w->time_phase + pi;
        add_bell(f, &other, column);
    }
    if (bottom - w->depth < reach) {
        double turn, level = fm_bottom_loss(&f->guide->seabed, ray->speed, fabs(ray->sine), &turn);
        double kept = fm_exp(level * 0.11512925464970229);
        other.depth = 2 * bottom - w->depth;
        other.time_phase = w->time_phase + turn;
        other.amplitude *= kept;
        other.power *= kept * kept;
        add_bell(f, &other, column);
    }
}

/* Contribution of one beam to the cells of a column, at the present position of its ray. A beam is a Gaussian about its
 * ray, as wide as the spacing of the rays. Where rays have met or are about to, it is not narrower than π wavelengths
 * (or a fifth of its path), the width of a caustic of a wave. (A4.8) */
static void add_beam(const field *f, const fm_ray *ray, size_t column)
{
    double wave = ray->speed / f->o.frequency, apart = fabs(ray->q) * f->step;
    int meeting = ray->caustics > 0 || ray->p * ray->q < 0;
    double width = meeting ? fmax(apart, fmin(0.2 * ray->length, pi * wave)) : apart;
    double kept = fm_exp((ray->level - f->o.absorption * ray->length) * 0.11512925464970229);
    double share = f->step / (sqrt(2 * pi) * width);
    double spread = ray->speed * ray->launch_cosine / (ray->launch_speed * ray->range);
    beam w = {.depth = ray->depth, .cosine = ray->cosine, .sine = ray->sine, .width = width};
    w.amplitude = sqrt(spread * fabs(ray->q)) * share * kept;
    w.power = spread * share * kept * kept;
    w.number = 2 * pi / wave;
    w.time_phase = 2 * pi * f->o.frequency * ray->time + ray->phase;
    w.curve = apart < width ? 0 : pi * f->o.frequency * ray->p / ray->q; /* near a caustic, as wide as the beam */
    add_bell(f, &w, column);
    add_mirrored(f, &w, ray, column);
}

static void add_ray(const field *f, double source, double angle)
{
    fm_ray ray = fm_ray_launch(f->guide, source, angle);
    for (size_t i = 0; i < f->o.columns; i++) {
        double range = f->o.range * ((double)i + 0.5) / (double)f->o.columns;
        fm_ray_advance(f->guide, &ray, range, f->o.reflections < 0 ? 0 : f->o.reflections, f->o.frequency, NULL, NULL);
        if (ray.lost)
            return;
        add_beam(f, &ray, i);
    }
}

fm_status fm_field_compute(const fm_waveguide *guide, double source_depth, const fm_field_options *options,
                           double *loss, fm_error *error)
{
    field f = {.guide = guide, .o = *options};
    size_t cells = options->columns * options->rows;
    if (!(options->frequency > 0) || !(options->range > 0) || !(options->depth > 0) || !cells)
        return fm_fail(error, FM_ERR_RANGE, "a field of sound needs a frequency, a range, a depth and cells");
    int beams = options->lowest != 0 || options->highest != 0 || options->rays || options->reflections;
    if (!beams && !options->incoherent && fm_field_waves_hold(guide, options))
        return fm_field_waves(guide, source_depth, options, loss, error);
    if (options->lowest == 0 && options->highest == 0)
        f.o.lowest = -pi / 3, f.o.highest = pi / 3;
    if (!f.o.rays)
        f.o.rays = (int)fmin(8000, fmax(2000, 1.2 * options->range * options->frequency / 1500));
    f.o.reflections = options->reflections ? options->reflections : 100;
    f.step = (f.o.highest - f.o.lowest) / f.o.rays;
    f.re = fm_alloc(2 * cells * sizeof *f.re);
    if (!f.re)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory");
    f.im = f.re + cells;
    for (int i = 0; i < f.o.rays; i++)
        add_ray(&f, source_depth, f.o.lowest + (i + 0.5) * f.step);
    for (size_t i = 0; i < cells; i++) {
        double intensity = f.o.incoherent ? f.re[i] : f.re[i] * f.re[i] + f.im[i] * f.im[i];
        loss[i] = fmin(300, -10 * fm_log(fmax(intensity, 1e-40)) / 2.302585092994045684);
    }
    fm_free(f.re);
    return FM_OK;
}
