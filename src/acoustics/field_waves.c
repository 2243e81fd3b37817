#include "acoustics/field_waves.h"

#include <math.h>

#include "acoustics/loss.h"
#include "physics/real.h"

enum { NUMBERS_MOST = 1 << 18, BLOCK_BYTES = 1 << 26 };

static const double pi = 3.14159265358979323846;
static const double nepers = 8.685889638065037; /* dB of a factor e */
static const double windows = 4;                /* number of ranges after which the integral repeats itself … */
static const double damped = 6.9;               /* … and the repetition is smaller by exp(−damped) */
static const double gone = 50;                  /* waves that decay by exp(−gone) over the depth are ignored */

typedef struct waves {
    const fm_waveguide *guide;
    fm_field_options o;
    double source, depth, cell, down; /* m: source, bottom, steps of range and depth of the grid */
    double omega;                     /* rad/s */
    double complex number;            /* rad/m, of the wave in water */
    size_t count, per;                /* wave numbers, a power of 2; steps of the transform in a cell, even */
    double near;                      /* m: range up to which wave fronts are not yet cylindrical */
    double step, offset;              /* rad/m, between wave numbers; their offset below the real axis */
    double complex surface, bottom;   /* coefficients of waves that decay away from the boundary */
    double complex *turns;            /* exp(2πi j/count), count/2 of them */
    double complex *scratch;          /* count of them */
} waves;

/* exp(i x) */
static double complex wave(double complex x)
{
    double size = fm_exp(-cimag(x));
    return fm_complex_make(size * fm_cos(creal(x)), size * fm_sin(creal(x)));
}

/* --- plan --- */

static double highest_number(const fm_waveguide *g, const fm_field_options *o)
{
    double omega = 2 * pi * o->frequency, k = omega / g->speed[0], more = 20 / g->depth[g->layers];
    double top = sqrt(k * k + more * more);
    return g->seabed.shear > 0 ? fmax(top, 1.3 * omega / g->seabed.shear) : top; /* waves along the bottom */
}

/* 0: too many wave numbers would be needed. */
static int plan(waves *w)
{
    double top = highest_number(w->guide, &w->o), k = w->omega / w->guide->speed[0];
    w->cell = w->o.range / (double)w->o.columns;
    w->down = w->o.depth / (double)w->o.rows;
    double halves = ceil(w->cell * top / (4 * pi));
    if (!(2 * windows * halves * (double)w->o.columns <= NUMBERS_MOST))
        return 0;
    w->per = 2 * (size_t)halves;
    for (w->count = 2; (double)w->count < windows * (double)(w->per * w->o.columns);)
        w->count *= 2;
    double window = (double)w->count * w->cell / (double)w->per;
    w->step = 2 * pi / window;
    w->offset = damped / window;
    w->near = fmax(fmin(w->depth, sqrt(100 * w->depth / k)), 2 * pi / k);
    return 1;
}

static waves begin(const fm_waveguide *guide, double source_depth, const fm_field_options *options)
{
    waves w = {.guide = guide, .o = *options, .source = source_depth, .depth = guide->bottom_depth[0]};
    w.omega = 2 * pi * options->frequency;
    w.number = fm_complex_make(w.omega / guide->speed[0], options->absorption / nepers);
    return w;
}

int fm_field_waves_hold(const fm_waveguide *guide, const fm_field_options *options)
{
    for (size_t i = 0; i < guide->layers; i++)
        if (guide->gradient[i] != 0)
            return 0;
    waves w = begin(guide, 0, options);
    return guide->bottom_count == 1 && plan(&w);
}

/* --- the integrand --- */

static double complex number_at(const waves *w, size_t number)
{
    return fm_complex_make(((double)number + 0.5) * w->step, -w->offset);
}

static double complex surface_of(const waves *w, double complex kz)
{
    if (!(w->guide->roughness > 0))
        return -1;
    double speed = w->guide->speed[0], sine = creal(kz) * speed / w->omega;
    return -fm_exp(fm_surface_loss(w->guide->roughness, w->o.frequency, speed, sine) / nepers);
}

static double complex bottom_of(const waves *w, double complex kr, double complex kz)
{
    return fm_seabed_reflection(&w->guide->seabed, kr / w->omega, kz / w->omega);
}

/* The remainder of one wave number after the direct path and the two images of one reflection, with their coefficients
 * of decaying waves, are subtracted: these are added in closed form. Depths z of rows first … first + rows − 1. */
static void integrand(const waves *w, size_t number, size_t first, size_t rows, double complex *out)
{
    double complex kr = number_at(w, number);
    double complex kz = fm_root_decaying(w->number * w->number - kr * kr), weight = I / kz * w->step;
    double complex rs = surface_of(w, kz), rb = bottom_of(w, kr, kz);
    double z = ((double)first + 0.5) * w->down;
    if (cimag(kz) * w->depth > gone) {
        for (size_t i = 0; i < rows; i++, z += w->down)
            out[i * w->count + number] = weight * (rb - w->bottom) * wave(kz * (2 * w->depth - z - w->source));
        return;
    }
    double complex a = wave(kz * z), up = wave(-kz * z), on = wave(kz * w->down), back = wave(-kz * w->down);
    double complex s = wave(kz * w->source), t = wave(-kz * w->source), round = wave(2 * kz * w->depth);
    double complex whole = 1 / (1 - rs * rb * round);
    for (size_t i = 0; i < rows; i++, z += w->down, a *= on, up *= back) {
        double complex direct = z >= w->source ? a * t : up * s, beyond = z >= w->source ? up * s : a * t;
        double complex above = a * s, below = round * up * t;
        double complex sum = rs * above + rb * below + rs * rb * round * (direct + beyond);
        out[i * w->count + number] = weight * (sum * whole - w->surface * above - w->bottom * below);
    }
}

/* --- the transform --- */

static void swap_bits(double complex *x, size_t count)
{
    for (size_t i = 1, j = 0; i < count; i++) {
        size_t bit = count >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex kept = x[i];
            x[i] = x[j];
            x[j] = kept;
        }
    }
}

/* x[j] = Σ x[n] exp(2πi nj/count) */
static void transform(const waves *w, double complex *x)
{
    swap_bits(x, w->count);
    for (size_t half = 1; half < w->count; half *= 2)
        for (size_t start = 0; start < w->count; start += 2 * half)
            for (size_t j = 0; j < half; j++) {
                double complex turn = w->turns[j * (w->count / (2 * half))], *low = &x[start + j], *high = low + half;
                double re = creal(*high) * creal(turn) - cimag(*high) * cimag(turn);
                double im = creal(*high) * cimag(turn) + cimag(*high) * creal(turn);
                *high = fm_complex_make(creal(*low) - re, cimag(*low) - im);
                *low = fm_complex_make(creal(*low) + re, cimag(*low) + im);
            }
}

/* --- pressure --- */

static double complex from_point(const waves *w, double range, double rise)
{
    double length = sqrt(range * range + rise * rise);
    return wave(w->number * length) / length;
}

/* J0, from its series and Hankel's expansion. */
static double complex bessel(double complex x)
{
    double complex square = x * x, sum = 1, term = 1, odd = 0;
    if (creal(square) < 144) {
        for (int n = 1; n < 60; n++)
            sum += term *= square / (-4.0 * n * n);
        return sum;
    }
    for (int n = 0; n < 16; n += 2) { /* pairs of terms change their sign */
        double a = 2 * n + 1, b = 2 * n + 3;
        double complex next = term * (-a * a / (8 * (n + 1))) / x;
        sum = n ? sum + term : term;
        odd += next;
        term = next * (b * b / (8 * (n + 2))) / x;
    }
    double complex out = wave(x - pi / 4), in = 1 / out;
    return fm_root_decaying(2 / (pi * x)) * (0.5 * sum * (out + in) - odd * (out - in) / (2 * I));
}

/* Σ g J0(kr r) kr, where wave fronts are not yet cylindrical. */
static double complex from_sum(const waves *w, const double complex *line, const double complex *turns)
{
    double complex sum = 0;
    for (size_t n = 0; n < w->count; n++)
        sum += line[n] * turns[n];
    return sum;
}

/* Tapers waves within 3° of the vertical: an abrupt end of the integral at wave number 0 would cause artefacts at all
 * ranges. */
static void prepare(const waves *w, double complex *line)
{
    for (size_t n = 0; n < w->count; n++) {
        double complex kr = number_at(w, n);
        double t = fmin(creal(kr) / (0.05 * creal(w->number)), 1);
        line[n] *= -fm_root_decaying(kr) * (t * t * t * (10 + t * (6 * t - 15))); /* the root that goes forward */
    }
}

/* J0 as the outgoing wave, √(1/2πx) exp(i(x − π/4)). */
static double complex from_transform(const waves *w, const double complex *line, size_t column, double range)
{
    double complex turn = wave(fm_complex_make(0.5 * w->step * range - pi / 4, -w->offset * range));
    return sqrt(1 / (2 * pi * range)) * line[w->per * column + w->per / 2] * turn;
}

static void tell(const waves *w, double complex rest, size_t column, size_t row, double *loss)
{
    double range = ((double)column + 0.5) * w->cell, z = ((double)row + 0.5) * w->down;
    double complex p = rest + from_point(w, range, z - w->source) + w->surface * from_point(w, range, z + w->source) +
                       w->bottom * from_point(w, range, 2 * w->depth - z - w->source);
    double intensity = z <= w->depth ? creal(p) * creal(p) + cimag(p) * cimag(p) : 0;
    loss[row * w->o.columns + column] = fmin(300, -10 * fm_log(fmax(intensity, 1e-40)) / 2.302585092994045684);
}

static void do_rows(const waves *w, double complex *block, size_t first, size_t rows, double *loss)
{
    for (size_t n = 0; n < w->count; n++)
        integrand(w, n, first, rows, block);
    size_t column = 0;
    for (; column < w->o.columns && ((double)column + 0.5) * w->cell < w->near; column++) {
        for (size_t n = 0; n < w->count; n++)
            w->scratch[n] = number_at(w, n) * bessel(number_at(w, n) * ((double)column + 0.5) * w->cell);
        for (size_t i = 0; i < rows; i++)
            tell(w, from_sum(w, block + i * w->count, w->scratch), column, first + i, loss);
    }
    for (size_t i = 0; i < rows; i++) {
        double complex *line = block + i * w->count;
        prepare(w, line);
        transform(w, line);
        for (size_t k = column; k < w->o.columns; k++)
            tell(w, from_transform(w, line, k, ((double)k + 0.5) * w->cell), k, first + i, loss);
    }
}

fm_status fm_field_waves(const fm_waveguide *guide, double source_depth, const fm_field_options *options, double *loss,
                         fm_error *error)
{
    waves w = begin(guide, source_depth, options);
    if (!plan(&w))
        return fm_fail(
            error, FM_ERR_RANGE,
            "a field of sound at %g Hz over %g m takes too many wave numbers: must be a lower frequency or range",
            options->frequency, options->range);
    double complex far = 1e3 * highest_number(guide, options),
                   decays = fm_root_decaying(w.number * w.number - far * far);
    w.surface = -1;
    w.bottom = bottom_of(&w, far, decays);
    size_t rows = BLOCK_BYTES / (w.count * sizeof *w.turns);
    rows = rows < 1 ? 1 : rows > options->rows ? options->rows : rows;
    w.turns = fm_alloc(w.count / 2 * sizeof *w.turns);
    w.scratch = fm_alloc(w.count * sizeof *w.scratch);
    double complex *block = fm_alloc(rows * w.count * sizeof *block);
    if (w.turns && w.scratch && block) {
        for (size_t j = 0; j < w.count / 2; j++)
            w.turns[j] = wave(2 * pi * (double)j / (double)w.count);
        for (size_t first = 0; first < options->rows; first += rows)
            do_rows(&w, block, first, rows < options->rows - first ? rows : options->rows - first, loss);
    }
    fm_status status =
        w.turns && w.scratch && block ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "out of memory for a field of sound");
    fm_free(w.turns);
    fm_free(w.scratch);
    fm_free(block);
    return status;
}
