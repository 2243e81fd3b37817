/* Numbers that fill a cube: random, one in each row and column, or low-discrepancy. */
#include "base/error.h"
#include "base/random.h"
#include "studies/plan.h"
#include "studies/sobol_rows.h"

/* --- Sobol --- */

static void sobol_directions(size_t axis, uint32_t v[32])
{
    if (axis == 0) {
        for (uint32_t k = 0; k < 32; k++)
            v[k] = 1u << (31 - k);
        return;
    }
    const fm_sobol_row *row = &fm_sobol_rows[axis - 1];
    uint32_t s = row->degree;
    for (uint32_t k = 0; k < s; k++)
        v[k] = row->first[k] << (31 - k);
    for (uint32_t k = s; k < 32; k++) {
        v[k] = v[k - s] ^ (v[k - s] >> s);
        for (uint32_t j = 1; j < s; j++)
            if (row->coefficients >> (s - 1 - j) & 1)
                v[k] ^= v[k - j];
    }
}

uint32_t fm_sobol_point(size_t axis, uint32_t i)
{
    uint32_t v[32], gray = i ^ (i >> 1), x = 0;
    sobol_directions(axis, v);
    for (int k = 0; k < 32; k++)
        if (gray >> k & 1)
            x ^= v[k];
    return x;
}

/* --- the normal distribution: Wichura (1988), algorithm AS 241, PPND16; to 1e-16 of its value --- */

static double ratio(const double a[8], const double b[8], double x)
{
    double above = a[7], below = b[7];
    for (int i = 6; i >= 0; i--) {
        above = above * x + a[i];
        below = below * x + b[i];
    }
    return above / below;
}

double fm_normal_quantile(double part)
{
    static const double a[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                3.3430575583588128105e+4, 2.5090809287301226727e+3};
    static const double b[8] = {1.0,
                                4.2313330701600911252e+1,
                                6.8718700749205790830e+2,
                                5.3941960214247511077e+3,
                                2.1213794301586595867e+4,
                                3.9307895800092710610e+4,
                                2.8729085735721942674e+4,
                                5.2264952788528545610e+3};
    static const double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static const double d[8] = {1.0,
                                2.05319162663775882187e0,
                                1.67638483018380384940e0,
                                6.89767334985100004550e-1,
                                1.48103976427480074590e-1,
                                1.51986665636164571966e-2,
                                5.47593808499534494600e-4,
                                1.05075007164441684324e-9};
    static const double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static const double f[8] = {1.0,
                                5.99832206555887937690e-1,
                                1.36929880922735805310e-1,
                                1.48753612908506148525e-2,
                                7.86869131145613259100e-4,
                                1.84631831751005468180e-5,
                                1.42151175831644588870e-7,
                                2.04426310338993978564e-15};
    double q = part - 0.5;
    if (q >= -0.425 && q <= 0.425)
        return q * ratio(a, b, 0.180625 - q * q);
    double r = fm_sqrt(-fm_log(q < 0 ? part : 1 - part));
    double x = r <= 5 ? ratio(c, d, r - 1.6) : ratio(e, f, r - 5);
    return q < 0 ? -x : x;
}

/* --- draws --- */

enum { DRAW = 0x62617463u, SHIFT, SHUFFLE, ORDER }; /* entities: uses of random numbers */

static double draw_uniform(const fm_sweep_plan *plan, uint32_t entity, size_t axis, uint64_t i)
{
    return fm_random_uniform((fm_random_key){plan->seed, entity, (uint32_t)axis}, i, 0);
}

/* Fisher–Yates shuffle; separate for each axis. */
fm_status fm_plan_shuffle(fm_sweep_plan *plan, fm_error *error)
{
    plan->order = fm_arena_alloc(&plan->arena, (plan->axis_count + 1) * sizeof *plan->order);
    for (size_t k = 0; plan->order && k < plan->axis_count; k++) {
        uint32_t *order = plan->order[k] = fm_arena_alloc(&plan->arena, (plan->total + 1) * sizeof *order);
        if (!order)
            return fm_fail(error, FM_ERR_MEMORY, "no memory for a Latin hypercube of %zu runs", plan->total);
        for (size_t i = 0; i < plan->total; i++) {
            size_t j = (size_t)(draw_uniform(plan, SHUFFLE, k, i) * (double)(i + 1));
            order[i] = order[j];
            order[j] = (uint32_t)i;
        }
    }
    return plan->order ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for a Latin hypercube");
}

fm_status fm_plan_factorise(fm_sweep_plan *plan, fm_error *error)
{
    const size_t row = FM_AXES_MOST;
    double *l = plan->factor = fm_arena_alloc(&plan->arena, row * row * sizeof *l);
    if (!l)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for correlations");
    for (size_t i = 0; i < plan->axis_count; i++)
        for (size_t k = 0; k <= i; k++) {
            double sum = plan->correlation[i * row + k];
            for (size_t j = 0; j < k; j++)
                sum -= l[i * row + j] * l[k * row + j];
            if (i == k && !(sum > 1e-12))
                return fm_fail(error, FM_ERR_RANGE,
                               "the correlations of '%s' contradict those of the parameters before it: their matrix "
                               "must be positive definite",
                               plan->axes[i].path);
            l[i * row + k] = i == k ? sqrt(sum) : sum / l[k * row + k];
        }
    return FM_OK;
}

/* A coordinate of the Sobol sequence, XORed with bits of the seed that are the dimension's own. */
static double draw_sobol(const fm_sweep_plan *plan, size_t dimension, size_t i)
{
    uint32_t shift = (uint32_t)(draw_uniform(plan, SHIFT, dimension, 0) * 4294967296.0);
    return ((double)(fm_sobol_point(dimension, (uint32_t)i) ^ shift) + 0.5) / 4294967296.0;
}

/* Of each pair of points: the first, the second, then for each axis the first with that number of the second. */
static double draw_saltelli(const fm_sweep_plan *plan, size_t axis, size_t run)
{
    const size_t pair = run / fm_plan_group(plan), which = run % fm_plan_group(plan);
    const bool second = which == 1 || which == axis + 2;
    return draw_sobol(plan, second ? plan->axis_count + axis : axis, pair);
}

/* Levels 0, 1/3, 2/3 and 1: a path starts at any of them, and moves along each axis once, in an order of its own.
 * Distributions without ends are cut to the middle 95 %. */
static double draw_morris(const fm_sweep_plan *plan, size_t axis, size_t run)
{
    const size_t path = run / fm_plan_group(plan), step = run % fm_plan_group(plan);
    const fm_axis_kind kind = plan->axes[axis].kind;
    const double own = draw_uniform(plan, ORDER, axis, path), start = floor(4 * draw_uniform(plan, DRAW, axis, path));
    size_t before = 0;
    for (size_t i = 0; i < plan->axis_count; i++)
        before += draw_uniform(plan, ORDER, i, path) < own;
    const double level = start / 3, moved = start < 2 ? level + FM_MORRIS_STEP : level - FM_MORRIS_STEP;
    const double u = fmin(fmax(before < step ? moved : level, 0), 1);
    return kind == FM_AXIS_NORMAL || kind == FM_AXIS_LOGNORMAL ? 0.025 + 0.95 * u : u;
}

static double draw_one(const fm_sweep_plan *plan, size_t axis, size_t run)
{
    double u;
    switch (plan->design) {
    case FM_DESIGN_SALTELLI: return draw_saltelli(plan, axis, run);
    case FM_DESIGN_MORRIS: return draw_morris(plan, axis, run);
    case FM_DESIGN_SOBOL: return fmax(draw_sobol(plan, axis, run), 1e-17); /* not 0 */
    default: break;
    }
    u = draw_uniform(plan, DRAW, axis, run);
    if (plan->design == FM_DESIGN_LATIN)
        u = ((double)plan->order[axis][run] + u) / (double)plan->total;
    return fmax(u, 1e-17);
}

double fm_plan_draw(const fm_sweep_plan *plan, size_t axis, size_t run)
{
    double sum = 0;
    if (!plan->factor || !fm_axis_drawn(&plan->axes[axis]))
        return draw_one(plan, axis, run);
    const double *row = plan->factor + axis * FM_AXES_MOST;
    bool alone = true;
    for (size_t i = 0; i < axis; i++)
        if (row[i] != 0) {
            sum += row[i] * fm_normal_quantile(draw_one(plan, i, run));
            alone = false;
        }
    if (alone)
        return draw_one(plan, axis, run);
    return fmin(fmax(fm_normal_part(sum + row[axis] * fm_normal_quantile(draw_one(plan, axis, run))), 1e-300),
                1 - 1e-16);
}
