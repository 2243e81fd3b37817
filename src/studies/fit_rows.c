/* The rows of a fit: recorded values of the compared quantities, in the order of the run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "run/row.h"
#include "studies/fit.h"
#include "studies/loss.h"

static fm_status find_series(const fm_record *record, const char *name, const fm_record_series **found, fm_error *error)
{
    char near[400];
    *found = fm_record_find(record, name);
    if (!*found) {
        fm_nearest nearest = {.wanted = name};
        for (size_t i = 0; i < record->count; i++)
            fm_nearest_offer(&nearest, record->series[i].name);
        return fm_fail(error, FM_ERR_NAME, "%s: unknown field or column '%s'%s", record->file, name,
                       fm_nearest_write(&nearest, near, sizeof near));
    }
    if ((*found)->text_line)
        return fm_fail(error, FM_ERR_SYNTAX, "%s:%d: column '%s' is not a number", record->file, (*found)->text_line,
                       name);
    return FM_OK;
}

/* The time of the record at which its run begins. */
static double origin_of(const fm_fit *f, size_t s)
{
    const fm_record *r = f->options.sources[s].record;
    double first = HUGE_VAL;
    if (f->options.sources[s].is_run)
        return 0;
    for (size_t i = 0; i < r->count; i++)
        if (r->series[i].count)
            first = fmin(first, r->series[i].t[0]);
    return isnan(f->options.from) ? first : f->options.from;
}

/* The last value of a series up to a time; NaN: none. */
static double last_value(const fm_record_series *s, double t)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->t[middle] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? s->y[low - 1] : NAN;
}

static bool is_wanted(const fm_fit *f, const fm_record *record, double t)
{
    const fm_fit_setup *o = &f->options;
    if (t < o->from || t > o->to) /* not where they are NaN */
        return false;
    for (size_t i = 0; i < o->skip_count; i++)
        if (t >= o->skips[i][0] && t <= o->skips[i][1])
            return false;
    for (size_t i = 0; i < o->gate_count; i++) {
        double value = last_value(fm_record_find(record, o->gates[i].theirs), t);
        if (!(value >= o->gates[i].low && value <= o->gates[i].high))
            return false;
    }
    return true;
}

/* Factor and shift to the unit of ours. */
static fm_status scale_of(const fm_fit_link *link, const char *unit, const fm_record_series *series, double *factor,
                          double *shift, fm_error *error)
{
    fm_record_pair pair;
    fm_record_series ours = {.name = link->ours, .unit = unit};
    *factor = link->factor;
    *shift = link->shift;
    if (link->scaled)
        return FM_OK;
    fm_status status = fm_record_pair_make(&ours, series, &pair, error);
    *factor = pair.factor;
    *shift = pair.shift;
    return status;
}

static fm_status gather_channel(fm_fit *f, size_t s, size_t c, fm_error *error)
{
    const fm_record *record = f->options.sources[s].record;
    const fm_record_series *series = NULL;
    const fm_fit_channel *channel = &f->channels[c];
    double factor, shift, origin = origin_of(f, s);
    fm_fit_block *block = &f->blocks[s * f->options.channel_count + c];
    fm_status status = find_series(record, channel->link.theirs, &series, error);
    if (status == FM_OK)
        status = scale_of(&channel->link, channel->unit, series, &factor, &shift, error);
    block->first = f->rows;
    for (size_t i = 0; status == FM_OK && i < series->count; i++) {
        double t = series->t[i] - origin;
        if (isnan(series->y[i]) || t < 0 || !is_wanted(f, record, series->t[i]))
            continue;
        f->t[f->rows] = t;
        f->y[f->rows++] = series->y[i] * factor + shift;
        f->ends[s] = fmax(f->ends[s], t);
    }
    block->count = f->rows - block->first;
    return status;
}

static fm_status gather_input(fm_fit *f, size_t s, size_t i, const char *unit, fm_error *error)
{
    const fm_record_series *series = NULL;
    const fm_fit_link *link = &f->options.inputs[i];
    fm_fit_steer *to = &f->steers[s * f->options.input_count + i];
    double factor, shift, origin = origin_of(f, s);
    fm_status status = find_series(f->options.sources[s].record, link->theirs, &series, error);
    if (status == FM_OK)
        status = scale_of(link, unit, series, &factor, &shift, error);
    if (status != FM_OK)
        return status;
    to->t = fm_arena_alloc(&f->arena, (series->count + 1) * sizeof *to->t);
    to->y = fm_arena_alloc(&f->arena, (series->count + 1) * sizeof *to->y);
    if (!to->t || !to->y)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for '%s'", link->theirs);
    for (size_t k = 0; k < series->count; k++)
        if (!isnan(series->y[k])) {
            to->t[to->count] = series->t[k] - origin;
            to->y[to->count++] = series->y[k] * factor + shift;
        }
    return to->count ? FM_OK : fm_fail(error, FM_ERR_RANGE, "'%s' has no value", link->theirs);
}

static fm_status make_room(fm_fit *f, fm_error *error)
{
    const fm_fit_setup *o = &f->options;
    size_t room = 1;
    for (size_t s = 0; s < o->source_count; s++)
        for (size_t c = 0; c < o->channel_count; c++) {
            const fm_record_series *series = fm_record_find(o->sources[s].record, o->channels[c].theirs);
            room += series ? series->count : 0;
        }
    f->blocks = fm_arena_alloc(&f->arena, (o->source_count * o->channel_count + 1) * sizeof *f->blocks);
    f->steers = fm_arena_alloc(&f->arena, (o->source_count * o->input_count + 1) * sizeof *f->steers);
    f->ends = fm_arena_alloc(&f->arena, (o->source_count + 1) * sizeof *f->ends);
    f->first_group = fm_arena_alloc(&f->arena, (o->source_count + 1) * sizeof *f->first_group);
    f->split = fm_arena_alloc(&f->arena, (o->source_count + 1) * sizeof *f->split);
    f->t = fm_arena_alloc(&f->arena, room * sizeof *f->t);
    f->y = fm_arena_alloc(&f->arena, room * sizeof *f->y);
    f->said = fm_arena_alloc(&f->arena, room * sizeof *f->said);
    f->kept = fm_arena_alloc(&f->arena, room);
    f->weight = fm_arena_alloc(&f->arena, room * sizeof *f->weight);
    for (size_t i = 0; f->weight && i < room; i++)
        f->weight[i] = 1;
    f->group = fm_arena_alloc(&f->arena, room * sizeof *f->group);
    return f->blocks && f->steers && f->ends && f->first_group && f->split && f->t && f->y && f->said && f->kept &&
                   f->weight && f->group
               ? FM_OK
               : fm_fail(error, FM_ERR_MEMORY, "no memory for %zu rows", room);
}

/* Whether the block has a row near a time, within `reach`. */
static bool is_near(const fm_fit *f, const fm_fit_block *b, double time, double reach)
{
    size_t low = b->first, high = b->first + b->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (f->t[middle] < time - reach)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->first + b->count && f->t[low] <= time + reach;
}

bool fm_fit_is_recorded(const fm_fit *f, size_t source, size_t start, double time)
{
    double period = (double)f->segment_ticks * fm_model_dt(f->model);
    size_t channel = f->starts[start].channel;
    if (channel == FM_FIT_LINKS)
        return false;
    return period <= 0 || is_near(f, &f->blocks[source * f->options.channel_count + channel], time, 0.1 * period);
}

/* Segments without recorded values at their start (gaps) are left out. */
static void drop_segments(fm_fit *f, size_t s)
{
    double period = (double)f->segment_ticks * fm_model_dt(f->model);
    size_t to = f->blocks[s * f->options.channel_count].first;
    fm_fit_block old[FM_FIT_LINKS], *blocks = &f->blocks[s * f->options.channel_count];
    uint8_t *wanted = f->kept; /* of each row; set again later */
    if (period <= 0 || !f->start_count)
        return;
    memcpy(old, blocks, f->options.channel_count * sizeof *old);
    for (size_t i = to; i < f->rows; i++) {
        double start = period * floor((f->t[i] + 1e-9) / period);
        wanted[i] = start <= 0 && !f->options.from_record;
        for (size_t k = 0; k < f->start_count && !wanted[i]; k++)
            wanted[i] = fm_fit_is_recorded(f, s, k, start);
    }
    for (size_t c = 0; c < f->options.channel_count; c++) {
        blocks[c].first = to;
        for (size_t i = old[c].first; i < old[c].first + old[c].count; i++)
            if (wanted[i]) {
                f->t[to] = f->t[i];
                f->y[to++] = f->y[i];
            }
        blocks[c].count = to - blocks[c].first;
    }
    f->rows = to;
}

/* Which rows are kept for checking, and the segment of each row. */
static void sort_rows(fm_fit *f, size_t s)
{
    const fm_fit_setup *o = &f->options;
    const fm_fit_block *blocks = &f->blocks[s * o->channel_count];
    double first = HUGE_VAL, period = (double)f->segment_ticks * fm_model_dt(f->model);
    for (size_t c = 0; c < o->channel_count; c++)
        if (blocks[c].count)
            first = fmin(first, f->t[blocks[c].first]);
    double split = f->ends[s] - o->check * (f->ends[s] - first);
    if (period > 0 && o->check > 0)
        split = period * ceil(split / period);
    f->split[s] = o->check > 0 ? split : HUGE_VAL;
    size_t base = f->groups;
    f->first_group[s] = (uint32_t)base;
    for (size_t c = 0; c < o->channel_count; c++)
        for (size_t i = blocks[c].first; i < blocks[c].first + blocks[c].count; i++) {
            f->kept[i] = f->t[i] >= f->split[s] - 1e-9;
            f->group[i] = (uint32_t)(base + (period > 0 ? (size_t)((f->t[i] + 1e-9) / period) : 0));
            f->channels[c].count[f->kept[i]]++;
            f->groups = f->groups > f->group[i] + 1 ? f->groups : f->group[i] + 1;
        }
}

double fm_fit_difference(const fm_fit_channel *channel, double ours, double theirs)
{
    return channel->turn > 0 ? remainder(ours - theirs, channel->turn) : ours - theirs;
}

/* The mean square of second differences, from the median of their size; they are normal without outliers. */
static double square_of_median(const fm_fit *f, size_t c, size_t count)
{
    double *sizes = fm_alloc((count + 1) * sizeof *sizes), root;
    size_t n = 0;
    for (size_t s = 0; s < f->options.source_count && sizes; s++) {
        const fm_fit_block *b = &f->blocks[s * f->options.channel_count + c];
        const double *y = &f->y[b->first];
        for (size_t i = 1; i + 1 < b->count; i++)
            sizes[n++] = fabs(fm_fit_difference(&f->channels[c], y[i + 1], y[i]) -
                              fm_fit_difference(&f->channels[c], y[i], y[i - 1]));
    }
    root = sizes ? fm_loss_median(sizes, n) / FM_NORMAL_MEDIAN : 0;
    fm_free(sizes);
    return root * root;
}

/* The noise of a record: the part of its second differences that a smooth curve does not have, (Q3); and its
 * variation. */
static void find_noise(fm_fit *f, size_t c)
{
    fm_fit_channel *channel = &f->channels[c];
    double sum = 0, size = 0, mean = 0;
    size_t count = 0, all = 0;
    for (size_t s = 0; s < f->options.source_count; s++) {
        const fm_fit_block *b = &f->blocks[s * f->options.channel_count + c];
        const double *y = &f->y[b->first];
        for (size_t i = 0; i < b->count; i++, all++) {
            double off = y[i] - mean;
            size += (y[i] - y[0]) * (y[i] - y[0]);
            mean += off / (double)(all + 1);
            channel->spread += off * (y[i] - mean);
        }
        for (size_t i = 1; i + 1 < b->count; i++, count++) {
            double d = fm_fit_difference(channel, y[i + 1], y[i]) - fm_fit_difference(channel, y[i], y[i - 1]);
            sum += d * d;
        }
    }
    channel->spread = all && channel->turn == 0 ? sqrt(channel->spread / (double)all) : 0;
    channel->floor = fmax(all ? 1e-9 * sqrt(size / (double)all) : 0, 1e-12);
    if (f->options.loss != FM_FIT_SQUARE && count) /* outliers hardly move the median */
        sum = (double)count * square_of_median(f, c, count);
    channel->noise = fmax(count ? sqrt(sum / (6 * (double)count)) : 0, channel->floor);
}

fm_status fm_fit_gather(fm_fit *f, const char *const *units, fm_error *error)
{
    const fm_fit_setup *o = &f->options;
    fm_status status = make_room(f, error);
    for (size_t s = 0; s < o->source_count && status == FM_OK; s++) {
        for (size_t i = 0; i < o->gate_count && status == FM_OK; i++) {
            const fm_record_series *gate;
            status = find_series(o->sources[s].record, o->gates[i].theirs, &gate, error);
        }
        for (size_t c = 0; c < o->channel_count && status == FM_OK; c++)
            status = gather_channel(f, s, c, error);
        for (size_t i = 0; i < o->input_count && status == FM_OK; i++)
            status = gather_input(f, s, i, units[i], error);
        if (status == FM_OK) {
            drop_segments(f, s);
            sort_rows(f, s);
        }
    }
    f->moves = fm_arena_alloc(&f->arena, (f->groups * f->start_count + 1) * sizeof *f->moves);
    f->carried = fm_arena_alloc(&f->arena, (f->groups * f->start_count + 1) * sizeof *f->carried);
    f->empty = fm_arena_alloc(&f->arena, f->groups + 1);
    if (status == FM_OK && (!f->moves || !f->carried || !f->empty))
        status = fm_fail(error, FM_ERR_MEMORY, "no memory for %zu segments", f->groups);
    if (status != FM_OK)
        return status;
    memset(f->empty, 1, f->groups);
    for (size_t i = 0; i < f->rows; i++)
        f->empty[f->group[i]] = 0;
    size_t fitted = 0;
    for (size_t c = 0; c < o->channel_count && status == FM_OK; c++) {
        fitted += f->channels[c].count[0];
        find_noise(f, c);
        if (f->channels[c].sigma <= 0)
            f->channels[c].sigma = f->channels[c].noise; /* a first guess */
        if (!f->channels[c].count[0])
            return fm_fail(error, FM_ERR_RANGE, "'%s' has no value in the time that is fitted", o->channels[c].theirs);
    }
    if (status == FM_OK && fitted <= f->count + f->start_count * f->groups)
        return fm_fail(error, FM_ERR_RANGE, "%zu values are too few for %zu parameters and %zu starts", fitted,
                       f->count, f->start_count * f->groups);
    return status;
}
