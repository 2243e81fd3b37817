/* The searches of a fit: from its start, from other starts if the result is in doubt, and an assessment of the
 * intervals. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "physics/real.h"
#include "studies/fit_solver.h"
#include "studies/loss.h"

enum { RESTARTS = 4 };

/* --- before the first search --- */

static void *room(fm_fit_solver *s, size_t bytes)
{
    void *memory = fm_arena_alloc(&s->arena, bytes + 8);
    if (!memory)
        fm_fail(&s->error, FM_ERR_MEMORY, "no memory for %zu rows", s->n);
    return memory;
}

/* Fitted rows, grouped by segment and within it by channel and time. */
static void list_rows(fm_fit_solver *s)
{
    const fm_fit *f = s->fit;
    size_t n = 0;
    for (size_t k = 0; k < f->options.source_count * f->options.channel_count; k++)
        for (size_t i = f->blocks[k].first; i < f->blocks[k].first + f->blocks[k].count; i++)
            s->channel[i] = k % f->options.channel_count;
    for (uint32_t g = 0; g < f->groups; g++)
        for (size_t i = 0; i < f->rows; i++)
            if (f->group[i] == g && !f->kept[i])
                s->index[n++] = i;
}

static fm_status prepare(fm_fit_solver *s)
{
    fm_fit *f = s->fit;
    size_t trials = 2 + f->start_count + 2 * f->count;
    s->p = f->count;
    s->m = f->start_count;
    for (size_t i = 0; i < f->rows; i++)
        s->n += !f->kept[i];
    for (size_t k = 0; k < s->p; k++)
        if (!isnan(f->parameters[k].prior))
            s->known[s->q++] = k;
    s->index = room(s, s->n * sizeof *s->index);
    s->channel = room(s, f->rows * sizeof *s->channel);
    s->trials = room(s, trials * sizeof *s->trials);
    s->nudged = room(s, s->m * s->n * sizeof *s->nudged);
    s->residual = room(s, s->n * sizeof *s->residual);
    s->jacobian = room(s, s->p * s->n * sizeof *s->jacobian);
    s->other = room(s, (s->p + 1) * s->n * sizeof *s->other);
    fm_fit_fine_steps(s);
    for (size_t i = 0; s->trials && i < trials; i++)
        s->trials[i].said = room(s, f->rows * sizeof(double));
    if (s->error.status == FM_OK)
        list_rows(s);
    return s->error.status;
}

/* Two runs that differ only in their seed must have equal outputs: otherwise noise of the model would be fitted. */
static fm_status check_noise(fm_fit_solver *s)
{
    fm_fit *f = s->fit;
    fm_fit_trial *other = &s->trials[1 + s->m];
    memcpy(other->values, s->trials[0].values, sizeof other->values);
    other->nudged = -1;
    other->seed = 1;
    fm_status status = fm_fit_try(s, 1 + s->m, 1);
    other->seed = 0;
    for (size_t i = 0; i < s->n && status == FM_OK && other->failure.status == FM_OK; i++) {
        size_t row = s->index[i];
        const fm_fit_channel *c = &f->channels[s->channel[row]];
        if (fabs(fm_fit_difference(c, other->said[row], s->trials[0].said[row])) > 1e-9 * c->sigma)
            return fm_fail(&s->error, FM_ERR_MODEL,
                           "'%s' of a run depends on its seed: the model's own noise cannot be fitted. Compare with "
                           "the pose (%s.z, %s.u …), or switch the "
                           "noise off (--set /%s/…/noise=0)",
                           c->link.ours, c->vehicle, c->vehicle, c->vehicle);
    }
    return status;
}

static fm_status check_effects(fm_fit_solver *s, const double *x)
{
    fm_status status = fm_fit_find_jacobian(s, x);
    for (size_t k = 0; k < s->p && status == FM_OK; k++) {
        const double *column = s->jacobian + k * s->n;
        if (!(fm_fit_product(column, column, s->n) > 0))
            return fm_fail(&s->error, FM_ERR_MODEL, "%s has no effect on what is compared", s->fit->parameters[k].path);
    }
    return status;
}

/* --- one search, and its result --- */

/* Where a search ended. */
typedef struct found {
    double values[FM_FIT_PARAMETERS], half[FM_FIT_PARAMETERS]; /* half: of the intervals */
    double sigma[FM_FIT_LINKS], *moves, *carried, *weight;
    double unlikely; /* (Q10) */
    unsigned doubts;
    bool stairs, converged;
    const char *ended;
} found;

/* Deviance of the result, divided by two, without its constant. (Q10) */
static double unlikeliness(const fm_fit_solver *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += 0.5 * fm_loss_of(s->fit->options.loss, s->residual[i] / s->fit->weight[s->index[i]]);
    for (size_t k = 0; k < s->p; k++) {
        const double off = fm_fit_prior_residual(s->fit, k, s->fit->parameters[k].value);
        sum += 0.5 * off * off;
    }
    for (size_t c = 0; c < s->fit->options.channel_count; c++)
        sum += (double)s->fit->channels[c].count[0] * fm_log(s->fit->channels[c].sigma);
    return sum;
}

/* Residuals that are not noise: far above that of the record, and half of its variation, or correlated in runs with
 * switching. */
static bool is_systematic(const fm_fit *f, const fm_fit_channel *c)
{
    const double rms = fm_fit_typical(f, c);
    bool above = rms > 3 * c->noise && c->noise > 10 * c->floor;
    return above && ((c->spread > 0 && rms > 0.5 * c->spread) || (f->stairs && c->memory > 0));
}

/* Derivatives that depend on every step size, and a misfit that does not rise as they predict at a checked end. */
static bool is_rough(const fm_fit_parameter *p)
{
    bool off = false;
    for (int i = 0; i < 2; i++)
        off |= p->rise[i] < 0.5 || p->rise[i] > 2;
    return p->rough_wide > 0.5 && off;
}

static unsigned find_doubts(const fm_fit *f, bool better)
{
    unsigned doubts = better ? FM_DOUBT_BETTER : 0;
    for (size_t k = 0; k < f->count; k++) {
        doubts |= is_rough(&f->parameters[k]) ? FM_DOUBT_ROUGH : 0;
        doubts |= f->parameters[k].open ? FM_DOUBT_OPEN : 0;
    }
    for (size_t i = 0; i < f->options.channel_count; i++) {
        const fm_fit_channel *c = &f->channels[i];
        const double rms = fm_fit_typical(f, c);
        doubts |= is_systematic(f, c) ? FM_DOUBT_RESIDUALS : 0;
        doubts |= rms > c->constant[0] && rms > 3 * c->noise ? FM_DOUBT_USELESS : 0;
        doubts |= c->count[1] && c->rms[1] > c->constant[1] && c->rms[1] > 2 * rms && c->rms[1] > 3 * c->noise
                      ? FM_DOUBT_FORECAST
                      : 0;
        doubts |= c->link.sigma > 0 && rms > 2 * c->link.sigma ? FM_DOUBT_NOISE : 0;
    }
    return doubts;
}

/* Intervals at the result, with runs at their ends. */
static fm_status measure(fm_fit_solver *s, bool *better)
{
    fm_fit *f = s->fit;
    for (size_t k = 0; k < s->p; k++) {
        fm_fit_parameter *q = &f->parameters[k];
        q->by_runs = q->open = false;
        q->rise[0] = q->rise[1] = NAN;
    }
    fm_fit_keep_run(s);
    fm_fit_find_intervals(s);
    fm_status status = fm_fit_widen_over_stairs(s);
    return status == FM_OK ? fm_fit_check_ends(s, better) : status;
}

/* One run that records the initial values of segments that are not in the record. */
static fm_status carry(fm_fit_solver *s)
{
    fm_fit_trial *trial = &s->trials[0];
    if (!s->fit->options.whole_state)
        return FM_OK;
    for (size_t k = 0; k < s->p; k++)
        trial->values[k] = s->fit->parameters[k].value;
    s->has_x = s->has_jacobian = false;
    trial->nudged = -1;
    trial->carries = true;
    fm_status status = fm_fit_try(s, 0, 1);
    trial->carries = false;
    return status;
}

/* At first only recorded starts: the run then gives better guesses of the others. The corrections of the recorded ones
 * are kept. */
static fm_status descend_by_recorded(fm_fit_solver *s)
{
    fm_fit *f = s->fit;
    const size_t all = f->start_count;
    size_t recorded = 0;
    while (recorded < all && f->starts[recorded].channel < FM_FIT_LINKS)
        recorded++;
    memset(f->moves, 0, f->groups * all * sizeof *f->moves);
    f->start_count = s->m = recorded;
    s->has_x = s->has_jacobian = false;
    fm_status status = fm_fit_descend(s);
    f->start_count = s->m = all;
    for (size_t g = f->groups; g-- > 0;)
        for (size_t k = all; k-- > 0;)
            f->moves[g * all + k] = k < recorded ? f->moves[g * recorded + k] : 0;
    return status == FM_OK ? carry(s) : status;
}

/* Descends from the values of the parameters, and again if a run at an end of an interval is better. */
static fm_status search(fm_fit_solver *s)
{
    fm_fit *f = s->fit;
    bool better = true;
    fm_status status = f->options.whole_state ? descend_by_recorded(s) : FM_OK;
    for (int i = 0; i < RESTARTS && better && status == FM_OK; i++) {
        status = fm_fit_descend(s);
        if (status == FM_OK)
            status = measure(s, &better);
    }
    f->doubts = find_doubts(f, better);
    return status;
}

static void remember(const fm_fit_solver *s, found *to)
{
    const fm_fit *f = s->fit;
    for (size_t k = 0; k < s->p; k++) {
        to->values[k] = f->parameters[k].value;
        to->half[k] = 0.5 * (f->parameters[k].most - f->parameters[k].least);
    }
    for (size_t c = 0; c < f->options.channel_count; c++)
        to->sigma[c] = f->channels[c].sigma;
    memcpy(to->moves, f->moves, f->groups * f->start_count * sizeof *to->moves);
    memcpy(to->carried, f->carried, f->groups * f->start_count * sizeof *to->carried);
    memcpy(to->weight, f->weight, f->rows * sizeof *to->weight);
    to->unlikely = unlikeliness(s);
    to->doubts = f->doubts;
    to->stairs = f->stairs, to->converged = f->converged, to->ended = f->ended;
}

static void recall(fm_fit_solver *s, const found *from)
{
    fm_fit *f = s->fit;
    for (size_t k = 0; k < s->p; k++)
        f->parameters[k].value = from->values[k];
    for (size_t c = 0; c < f->options.channel_count; c++)
        f->channels[c].sigma = from->sigma[c];
    memcpy(f->moves, from->moves, f->groups * f->start_count * sizeof *from->moves);
    memcpy(f->carried, from->carried, f->groups * f->start_count * sizeof *from->carried);
    memcpy(f->weight, from->weight, f->rows * sizeof *from->weight);
    f->doubts = from->doubts;
    f->stairs = from->stairs, f->converged = from->converged, f->ended = from->ended;
    s->has_x = s->has_jacobian = false;
}

/* --- several searches --- */

/* Start of search i of `count`: a Latin hypercube over the bounds, without bounds from a quarter of the start to four
 * times it. */
static double place(const fm_fit_parameter *p, size_t k, int i, int count)
{
    int order[FM_FIT_SEARCHES_MOST];
    for (int j = 0; j < count; j++)
        order[j] = j;
    for (int j = count - 1; j > 0; j--) {
        int other = (int)(fm_random_uniform((fm_random_key){1, 81, (uint32_t)k}, (uint64_t)j, 0) * (j + 1)),
            held = order[j];
        order[j] = order[other];
        order[other] = held;
    }
    double u = (order[i] + 0.5) / count;
    if (!isnan(p->low))
        return p->low + u * (p->high - p->low);
    return p->start != 0 ? p->start * fm_exp((2 * u - 1) * fm_log(4)) : 4 * p->scale * (2 * u - 1);
}

/* The same minimum: each value within the interval of the better one, or 1 % of its size. */
static bool agrees(const fm_fit_solver *s, const found *a, const found *best)
{
    for (size_t k = 0; k < s->p; k++) {
        const fm_fit_parameter *p = &s->fit->parameters[k];
        double reach = fmax(isnan(best->half[k]) ? 0 : best->half[k], 0.01 * fmax(fabs(best->values[k]), p->scale));
        if (!(fabs(a->values[k] - best->values[k]) <= reach))
            return false;
    }
    return true;
}

static fm_status search_from(fm_fit_solver *s, const found *blank, int i, int count)
{
    recall(s, blank);
    for (size_t k = 0; k < s->p; k++)
        s->fit->parameters[k].value = place(&s->fit->parameters[k], k, i, count);
    return search(s);
}

/* Further searches; all[0] is the first. A start from which no run succeeds is skipped and counted. */
static fm_status search_elsewhere(fm_fit_solver *s, const found *blank, found *all, int count)
{
    fm_fit *f = s->fit;
    int best = 0;
    f->tried = 1;
    for (int i = 1; i < count; i++) {
        fm_status status = search_from(s, blank, i - 1, count - 1);
        if (atomic_load(&f->stop))
            return status;
        f->failed += status != FM_OK;
        s->error = (fm_error){0};
        if (status != FM_OK)
            continue;
        remember(s, &all[f->tried]);
        if (all[f->tried].unlikely < all[best].unlikely)
            best = f->tried;
        f->tried++;
    }
    for (int i = 0; i < f->tried; i++)
        f->agreed += agrees(s, &all[i], &all[best]);
    bool others = false;
    for (int i = 0; i < f->tried; i++)
        others |= !agrees(s, &all[i], &all[best]) && all[i].unlikely < all[best].unlikely + 2;
    recall(s, &all[best]);
    bool better = false;
    fm_status status = fm_fit_choose_steps(s, all[best].values);
    if (status == FM_OK)
        status = fm_fit_find_jacobian(s, all[best].values);
    if (status == FM_OK)
        status = measure(s, &better);
    f->doubts = all[best].doubts | (others ? FM_DOUBT_OTHERS : 0);
    return status;
}

static found *make_founds(fm_fit_solver *s, int count)
{
    const fm_fit *f = s->fit;
    found *all = room(s, (size_t)count * sizeof *all);
    for (int i = 0; i < count && s->error.status == FM_OK; i++) {
        all[i].moves = room(s, f->groups * f->start_count * sizeof *all[i].moves);
        all[i].weight = room(s, f->rows * sizeof *all[i].weight);
        all[i].carried = room(s, f->groups * f->start_count * sizeof *all[i].carried);
    }
    return all;
}

static fm_status search_all(fm_fit_solver *s)
{
    fm_fit *f = s->fit;
    int asked = f->options.searches, most = asked > 0 ? asked : FM_FIT_SEARCHES;
    double x[FM_FIT_PARAMETERS];
    found *all = make_founds(s, most + 1);
    if (s->error.status != FM_OK)
        return s->error.status;
    for (size_t k = 0; k < s->p; k++)
        x[k] = f->parameters[k].value;
    fm_status status = carry(s);
    if (status == FM_OK)
        status = fm_fit_evaluate(s, x);
    if (status == FM_OK && (status = check_noise(s)) == FM_OK && (status = fm_fit_choose_steps(s, x)) == FM_OK)
        status = check_effects(s, x);
    if (status == FM_OK)
        fm_fit_find_residuals(s), remember(s, &all[most]);
    if (status == FM_OK)
        status = search(s);
    f->tried = f->agreed = 1;
    if (status != FM_OK || (asked > 0 ? asked == 1 : !f->doubts))
        return status;
    f->agreed = 0;
    remember(s, &all[0]);
    return search_elsewhere(s, &all[most], all, most);
}

fm_status fm_fit_search(fm_fit *fit, fm_error *error)
{
    fm_fit_solver s = {.fit = fit};
    fm_status status = fm_fit_can_descend(&s.error);
    if (status == FM_OK)
        status = prepare(&s);
    if (status == FM_OK)
        status = search_all(&s);
    if (status != FM_OK && error)
        *error = s.error;
    fm_arena_free(&s.arena);
    return status;
}
