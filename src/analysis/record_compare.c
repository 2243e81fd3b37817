/* Two series over one time: resampling, errors, and the offset at which they agree best. */
#include <math.h>
#include <string.h>

#include "analysis/record.h"
#include "base/error.h"
#include "base/units.h"
#include "physics/real.h"

enum { GRID_MOST = 20000, LAGS_MOST = 4000 };

/* A full turn in a unit of angle; 0: another unit. */
static double turn_in(const fm_unit *unit)
{
    fm_unit radian;
    fm_error none = {0};
    return fm_unit_parse("rad", &radian, &none) == FM_OK && fm_unit_compatible(unit, &radian)
               ? fm_unit_convert(2 * FM_PI, &radian, unit)
               : 0;
}

fm_status fm_record_pair_make(const fm_record_series *ours, const fm_record_series *theirs, fm_record_pair *pair,
                              fm_error *error)
{
    fm_unit own, other;
    fm_error unknown = {0};
    *pair = (fm_record_pair){ours, theirs, 1, 0, 0};
    int known = ours->unit[0] && fm_unit_parse(ours->unit, &own, &unknown) == FM_OK;
    if (known)
        pair->turn = turn_in(&own);
    if (!known || !theirs->unit[0] || fm_unit_parse(theirs->unit, &other, &unknown) != FM_OK)
        return FM_OK;
    if (!fm_unit_compatible(&own, &other))
        return fm_fail(error, FM_ERR_UNIT, "%s is in %s, %s in %s, which is another kind of quantity", ours->name,
                       ours->unit, theirs->name, theirs->unit);
    pair->shift = fm_unit_convert(0, &other, &own);
    pair->factor = fm_unit_convert(1, &other, &own) - pair->shift;
    return FM_OK;
}

/* To the nearest full turn; `turn` 0: unchanged. */
static double short_way(double difference, double turn)
{
    return turn > 0 ? difference - turn * floor(difference / turn + 0.5) : difference;
}

/* --- values at any time --- */

/* A series with its own offset in time and its own scale. */
typedef struct view {
    const fm_record_series *series;
    double offset, factor, shift, turn;
    size_t at; /* where the last answer was found */
} view;

static double value_at(const view *v, size_t i)
{
    return v->series->y[i] * v->factor + v->shift;
}

/* The next sample with a value from i on in a direction; count: none. */
static size_t next_value(const fm_record_series *s, size_t i, int step)
{
    while (i < s->count && !isfinite(s->y[i]))
        i += (size_t)step;
    return i < s->count ? i : s->count;
}

/* Linear between samples, for angles the shorter way; NaN outside. Times must be queried in order. */
static double look_up(view *v, double t)
{
    const fm_record_series *s = v->series;
    t -= v->offset;
    while (v->at + 1 < s->count && s->t[v->at + 1] <= t)
        v->at++;
    while (v->at > 0 && s->t[v->at] > t)
        v->at--;
    if (!s->count || s->t[v->at] > t)
        return NAN;
    size_t low = next_value(s, v->at, -1), high = next_value(s, v->at + 1, 1);
    if (low < s->count && s->t[low] == t)
        return value_at(v, low);
    if (low == s->count || high == s->count)
        return NAN;
    double a = value_at(v, low), part = (t - s->t[low]) / (s->t[high] - s->t[low]);
    return a + short_way(value_at(v, high) - a, v->turn) * part;
}

static view view_ours(const fm_record_pair *p)
{
    return (view){p->ours, 0, 1, 0, p->turn, 0};
}

static view view_theirs(const fm_record_pair *p, double offset)
{
    return (view){p->theirs, offset, p->factor, p->shift, p->turn, 0};
}

/* --- errors --- */

static double first_time(const view *v)
{
    return v->series->count ? v->series->t[0] + v->offset : NAN;
}

static double last_time(const view *v)
{
    return v->series->count ? v->series->t[v->series->count - 1] + v->offset : NAN;
}

/* The common time span within the requested one; 0: none. */
static int overlap(const fm_record_window *w, const view *a, const view *b, double span[2])
{
    span[0] = fmax(first_time(a), first_time(b));
    span[1] = fmin(last_time(a), last_time(b));
    span[0] = w->from > span[0] ? w->from : span[0];
    span[1] = w->to > 0 && w->to < span[1] ? w->to : span[1];
    return span[1] >= span[0];
}

static size_t samples_within(const view *v, const double span[2])
{
    size_t count = 0;
    for (size_t i = 0; i < v->series->count; i++) {
        double t = v->series->t[i] + v->offset;
        count += t >= span[0] && t <= span[1] && isfinite(v->series->y[i]);
    }
    return count;
}

/* The series whose times are compared; NULL: a grid of the rate. */
static const view *choose_times(const fm_record_window *w, const view *a, const view *b, const double span[2])
{
    if (w->rate > 0)
        return NULL;
    return samples_within(a, span) <= samples_within(b, span) ? a : b;
}

static void add_sample(fm_record_error *e, double turn, double t, double ours, double theirs)
{
    double difference = short_way(ours - theirs, turn);
    if (!isfinite(difference))
        return;
    size_t i = e->samples++;
    e->t[i] = t;
    e->ours[i] = ours;
    e->theirs[i] = ours - difference;
    if (!(fabs(difference) <= fabs(e->largest))) {
        e->largest = difference;
        e->largest_at = t;
    }
}

/* Smallest and largest of the values where both have one, and whether they vary by more than rounding. */
static int varies(const double *a, const double *b, size_t count, double range[2])
{
    range[0] = HUGE_VAL, range[1] = -HUGE_VAL;
    for (size_t i = 0; i < count; i++)
        if (isfinite(a[i]) && isfinite(b[i])) {
            range[0] = fmin(range[0], a[i]);
            range[1] = fmax(range[1], a[i]);
        }
    return range[1] - range[0] > 1e-12 * fmax(fabs(range[0]), fabs(range[1]));
}

/* NaN if one of them is constant. */
static double correlation_of(const double *a, const double *b, size_t count)
{
    double n = 0, ma = 0, mb = 0, aa = 0, bb = 0, ab = 0, range[2];
    if (!varies(a, b, count, range) || !varies(b, a, count, range))
        return NAN;
    for (size_t i = 0; i < count; i++)
        if (isfinite(a[i]) && isfinite(b[i]))
            n++, ma += a[i], mb += b[i];
    for (size_t i = 0; i < count; i++)
        if (isfinite(a[i]) && isfinite(b[i])) {
            double x = a[i] - ma / n, y = b[i] - mb / n;
            aa += x * x, bb += y * y, ab += x * y;
        }
    return ab / sqrt(aa * bb);
}

static void sum_up(fm_record_error *e)
{
    double sum = 0, square = 0, n = (double)e->samples;
    for (size_t i = 0; i < e->samples; i++) {
        double d = e->ours[i] - e->theirs[i];
        sum += d;
        square += d * d;
    }
    e->first = e->t[0];
    e->last = e->t[e->samples - 1];
    e->bias = sum / n;
    e->rms = sqrt(square / n);
    e->correlation = correlation_of(e->ours, e->theirs, e->samples);
}

static void compare_at(const fm_record_pair *pair, view *a, view *b, const view *times, const double span[2],
                       double rate, size_t count, fm_record_error *e)
{
    for (size_t i = 0; i < count; i++) {
        double t = times ? times->series->t[i] + times->offset : span[0] + (double)i / rate;
        if (t < span[0] || t > span[1])
            continue;
        int own = times == a, other = times == b; /* their own samples are used unchanged */
        double ours = own ? value_at(a, i) : look_up(a, t), theirs = other ? value_at(b, i) : look_up(b, t);
        add_sample(e, pair->turn, t, ours, theirs);
    }
}

fm_status fm_record_compare(const fm_record_pair *pair, const fm_record_window *window, fm_arena *arena,
                            fm_record_error *e, fm_error *error)
{
    view a = view_ours(pair), b = view_theirs(pair, window->offset);
    double span[2];
    *e = (fm_record_error){0};
    if (!overlap(window, &a, &b, span))
        return fm_fail(error, FM_ERR_RANGE,
                       "%s (%g … %g s) and %s (%g … %g s with its offset) have no time in common%s", pair->ours->name,
                       first_time(&a), last_time(&a), pair->theirs->name, first_time(&b), last_time(&b),
                       window->from > 0 || window->to > 0 ? " within what is asked for" : "");
    const view *times = choose_times(window, &a, &b, span);
    double steps = floor((span[1] - span[0]) * window->rate + 1e-9) + 1;
    if (!times && steps > 1e8)
        return fm_fail(error, FM_ERR_RANGE, "%g samples at %g Hz are too many: must be at most 1e8", steps,
                       window->rate);
    size_t count = times ? times->series->count : (size_t)steps;
    e->t = fm_arena_alloc(arena, count * sizeof *e->t);
    e->ours = fm_arena_alloc(arena, count * sizeof *e->ours);
    e->theirs = fm_arena_alloc(arena, count * sizeof *e->theirs);
    if (!e->t || !e->ours || !e->theirs)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for %zu samples", count);
    compare_at(pair, &a, &b, times, span, window->rate, count, e);
    if (!e->samples)
        return fm_fail(error, FM_ERR_RANGE, "%s and %s have no values at the same time", pair->ours->name,
                       pair->theirs->name);
    sum_up(e);
    return FM_OK;
}

/* --- the best offset --- */

static double mean_step(const fm_record_series *s)
{
    return s->count > 1 ? (s->t[s->count - 1] - s->t[0]) / (double)(s->count - 1) : 1;
}

/* A series on the grid begin + i·step; angles are unwrapped. */
static void fill_grid(view *v, double begin, double step, size_t count, double *out)
{
    double before = NAN;
    for (size_t i = 0; i < count; i++) {
        double y = look_up(v, begin + (double)i * step);
        out[i] = isfinite(before) && isfinite(y) ? before + short_way(y - before, v->turn) : y;
        before = isfinite(out[i]) ? out[i] : before;
    }
}

/* The correlation of a[i] with b[i − lag], if at least `least` pairs have values; otherwise NaN. */
static double lagged(const double *a, size_t na, const double *b, size_t nb, long lag, size_t least)
{
    size_t first = lag > 0 ? (size_t)lag : 0, end = na;
    if (first >= na || (long)nb + lag <= 0)
        return NAN;
    end = (size_t)((long)nb + lag) < end ? (size_t)((long)nb + lag) : end;
    if (end <= first || end - first < least)
        return NAN;
    return correlation_of(a + first, b + ((long)first - lag), end - first);
}

/* The lag of the highest correlation, between grid points from the parabola through it and its neighbours. */
static double best_lag(const double *c, long reach, double *highest)
{
    long best = -reach - 1;
    for (long k = -reach; k <= reach; k++)
        if (isfinite(c[k + reach]) && (best < -reach || c[k + reach] > c[best + reach]))
            best = k;
    if (best < -reach)
        return NAN;
    *highest = c[best + reach];
    if (best == -reach || best == reach)
        return (double)best;
    double low = c[best + reach - 1], high = c[best + reach + 1], bend = low - 2 * *highest + high;
    return (double)best + (isfinite(bend) && bend < 0 ? 0.5 * (low - high) / bend : 0);
}

typedef struct grids {
    double begin, step;
    size_t count[2];
    long lead; /* steps by which theirs begins after ours */
    double *values[2], *correlations;
} grids;

static int make_grids(const fm_record_pair *pair, double offset, double reach, fm_arena *arena, grids *g)
{
    view v[2] = {view_ours(pair), view_theirs(pair, offset)};
    double whole = fmax(last_time(&v[0]) - first_time(&v[0]), last_time(&v[1]) - first_time(&v[1]));
    g->step = fmax(mean_step(pair->ours), mean_step(pair->theirs));
    g->step = fmax(fmax(g->step, whole / GRID_MOST), reach / LAGS_MOST);
    g->begin = first_time(&v[0]);
    g->lead = (long)floor((first_time(&v[1]) - g->begin) / g->step + 0.5);
    g->correlations = fm_arena_alloc(arena, (2 * (size_t)LAGS_MOST + 3) * sizeof *g->correlations);
    for (int i = 0; i < 2; i++) {
        g->count[i] = (size_t)((last_time(&v[i]) - first_time(&v[i])) / g->step) + 1;
        if (!(g->values[i] = fm_arena_alloc(arena, (g->count[i] + 1) * sizeof(double))))
            return 0;
        fill_grid(&v[i], g->begin + (i ? (double)g->lead * g->step : 0), g->step, g->count[i], g->values[i]);
    }
    return g->correlations != NULL;
}

/* A constant agrees with itself at any offset. */
static fm_status check_varies(const fm_record_series *series, const double *values, size_t count, fm_error *error)
{
    double range[2];
    if (varies(values, values, count, range) || range[0] > range[1])
        return FM_OK;
    return fm_fail(error, FM_ERR_RANGE,
                   "%s is constant (%.6g%s%s) and agrees equally well at every offset: align by a signal that varies",
                   series->name, range[0], series->unit[0] ? " " : "", series->unit);
}

fm_status fm_record_align(const fm_record_pair *pair, const fm_record_window *window, double reach, double *offset,
                          double *correlation, fm_error *error)
{
    fm_arena arena = {0};
    grids g = {0};
    if (pair->ours->count < 3 || pair->theirs->count < 3)
        return fm_fail(error, FM_ERR_RANGE, "%s and %s have %zu and %zu samples: must be at least 3 to align by",
                       pair->ours->name, pair->theirs->name, pair->ours->count, pair->theirs->count);
    if (!make_grids(pair, window->offset, reach, &arena, &g)) {
        fm_arena_free(&arena);
        return fm_fail(error, FM_ERR_MEMORY, "out of memory");
    }
    fm_status status = check_varies(pair->ours, g.values[0], g.count[0], error);
    if (status == FM_OK)
        status = check_varies(pair->theirs, g.values[1], g.count[1], error);
    if (status != FM_OK) {
        fm_arena_free(&arena);
        return status;
    }
    long lags = (long)floor(reach / g.step + 0.5);
    lags = lags < LAGS_MOST ? lags : LAGS_MOST;
    size_t least = (g.count[0] < g.count[1] ? g.count[0] : g.count[1]) / 2;
    for (long k = -lags; k <= lags; k++)
        g.correlations[k + lags] =
            lagged(g.values[0], g.count[0], g.values[1], g.count[1], g.lead + k, least > 3 ? least : 3);
    double lag = best_lag(g.correlations, lags, correlation);
    *offset = window->offset + lag * g.step;
    fm_arena_free(&arena);
    return isfinite(lag) ? FM_OK
                         : fm_fail(error, FM_ERR_RANGE,
                                   "%s and %s cannot be aligned within %g s: one is constant where they overlap, or "
                                   "less than half of the shorter one is covered by the other",
                                   pair->ours->name, pair->theirs->name, reach);
}
