/* Distributions that values of an axis are drawn from. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "physics/real.h"
#include "studies/plan.h"

#define ROOT_2_PI 2.5066282746310002

/* --- the normal distribution --- */

/* The part above x ≥ 0: a series for the middle (Marsaglia 2004), a continued fraction for the tail. */
static double part_above(double x)
{
    const double density = fm_exp(-0.5 * x * x) / ROOT_2_PI;
    if (x < 2.5) {
        double sum = x, term = x;
        for (int i = 3; i < 100 && term > 1e-18 * sum; i += 2)
            sum += term *= x * x / i;
        return 0.5 - density * sum;
    }
    double fraction = x;
    for (int i = 160; i > 0; i--)
        fraction = x + i / fraction;
    return density / fraction;
}

double fm_normal_part(double x)
{
    return x < 0 ? part_above(-x) : 1 - part_above(x);
}

/* --- quantiles; g: the given numbers --- */

static double take_normal(const double *g, double part)
{
    return g[0] + g[1] * fm_normal_quantile(part);
}

/* Bounds above the mean are those below it on the other side: small parts are exact, large ones are not. */
static double take_truncated(const double *g, double part)
{
    double low = (g[2] - g[0]) / g[1], high = (g[3] - g[0]) / g[1];
    const bool other = low > 0;
    if (other) {
        const double swap = -low;
        low = -high, high = swap, part = 1 - part;
    }
    const double below = fm_normal_part(low), within = fm_normal_part(high) - below;
    const double x = fm_normal_quantile(fmin(fmax(below + part * within, 1e-300), 1 - 1e-16));
    return fmin(fmax(g[0] + g[1] * (other ? -x : x), g[2]), g[3]);
}

/* Mean and deviation of the value itself, not of its logarithm. */
static double take_lognormal(const double *g, double part)
{
    const double variance = fm_log(1 + (g[1] / g[0]) * (g[1] / g[0]));
    return g[0] * fm_exp(sqrt(variance) * fm_normal_quantile(part) - 0.5 * variance);
}

static double take_uniform(const double *g, double part)
{
    return g[0] + (g[1] - g[0]) * part;
}

static double take_triangular(const double *g, double part)
{
    const double width = g[2] - g[0], left = g[1] - g[0];
    if (!(width > 0))
        return g[0];
    return part * width < left ? g[0] + sqrt(part * width * left) : g[2] - sqrt((1 - part) * width * (g[2] - g[1]));
}

/* --- what is accepted; NULL: fine --- */

static const char *check_normal(const double *g)
{
    return g[1] >= 0 ? NULL : "a standard deviation is not negative";
}

static const char *check_truncated(const double *g)
{
    if (!(g[1] > 0))
        return "the standard deviation of a truncated normal distribution is above 0";
    if (!(g[2] < g[3]))
        return "the lower bound must be less than the upper one";
    return (g[2] - g[0]) / g[1] < 30 && (g[3] - g[0]) / g[1] > -30
               ? NULL
               : "the bounds must not be more than 30 standard deviations away from the mean";
}

static const char *check_lognormal(const double *g)
{
    return g[0] > 0 && g[1] >= 0 ? NULL : "a log-normal distribution has a mean above 0 and a deviation of 0 or more";
}

static const char *check_uniform(const double *g)
{
    return g[1] >= g[0] ? NULL : "the first number must not be greater than the second";
}

static const char *check_triangular(const double *g)
{
    return g[0] <= g[1] && g[1] <= g[2] ? NULL : "the numbers of a triangular distribution must not decrease";
}

/* --- the table --- */

static const struct {
    const char *name, *sampling; /* as it is written; for CF */
    size_t count;                /* of the given numbers */
    const char *(*check)(const double *given);
    double (*take)(const double *given, double part);
} known[FM_AXIS_KINDS] = {
    [FM_AXIS_NORMAL] = {"normal", "normal", 2, check_normal, take_normal},
    [FM_AXIS_TRUNCATED] = {"normal", "truncated_normal", 4, check_truncated, take_truncated},
    [FM_AXIS_LOGNORMAL] = {"lognormal", "lognormal", 2, check_lognormal, take_lognormal},
    [FM_AXIS_UNIFORM] = {"uniform", "uniform", 2, check_uniform, take_uniform},
    [FM_AXIS_TRIANGULAR] = {"triangular", "triangular", 3, check_triangular, take_triangular},
};

const char *fm_distribution_name(fm_axis_kind kind, size_t *count)
{
    *count = known[kind].count;
    return known[kind].name;
}

const char *fm_distribution_sampling(fm_axis_kind kind)
{
    return known[kind].sampling ? known[kind].sampling : "listed";
}

double fm_distribution_quantile(const fm_sweep_axis *axis, double part)
{
    return known[axis->kind].take(axis->given, part);
}

/* --- reading --- */

/* "A,B" with a unit within or after the brackets: a bracket is a separator. */
static const char *read_given(fm_sweep_axis *axis, const char *at, size_t *count,
                              bool (*take)(const char **, const char *, double *, fm_sweep_axis *))
{
    char inside[256];
    const char *end = strchr(at, ')');
    if (!end || (size_t)(end - at) + strlen(end) >= sizeof inside)
        return "the ')' is missing";
    fm_text_print(inside, sizeof inside, "%.*s %s", (int)(end - at), at, end + 1);
    at = inside;
    for (*count = 0; *count < FM_AXIS_GIVEN; at++) {
        if (!take(&at, ",", &axis->given[*count], axis))
            return "a distribution has 2 to 4 numbers, and one unit";
        ++*count;
        if (*at != ',')
            break;
    }
    return *at ? "a distribution has at most 4 numbers" : NULL;
}

const char *fm_distribution_read(fm_sweep_axis *axis, const char *text,
                                 bool (*take)(const char **at, const char *ends, double *number, fm_sweep_axis *axis))
{
    const size_t length = strcspn(text, "(");
    size_t count = 0;
    bool named = false;
    if (!text[length])
        return "the '(' is missing";
    const char *fault = read_given(axis, text + length + 1, &count, take);
    for (int kind = FM_AXIS_NORMAL; kind < FM_AXIS_KINDS; kind++) {
        const bool same = strlen(known[kind].name) == length && !strncmp(text, known[kind].name, length);
        named |= same;
        if (!same || fault || known[kind].count != count)
            continue;
        axis->kind = (fm_axis_kind)kind;
        return known[kind].check(axis->given);
    }
    return !named ? "that is no distribution" : fault ? fault : "this distribution has another number of values";
}
