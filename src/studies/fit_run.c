/* The runs of a fit: a world for each set of parameters and each record, with the inputs of the record. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/threads.h"
#include "physics/posture.h"
#include "run/row.h"
#include "studies/fit.h"

typedef struct flight {
    const fm_fit *fit;
    const fm_fit_trial *trial;
    size_t source;
    fm_world *world;
    double bias[FM_FIT_LINKS], delay[FM_FIT_LINKS]; /* of each channel; s */
    double *row;                                    /* of a vehicle */
    double now[FM_FIT_LINKS], before[FM_FIT_LINKS]; /* channels, at the last two ticks */
    double then;                                    /* s, of `before` */
    size_t next[FM_FIT_LINKS];                      /* next row to fill of each channel */
    size_t given[FM_FIT_LINKS];                     /* samples of each input already applied */
    fm_pose first[FM_FIT_LINKS];                    /* of the vehicles of the starts, at the start of the run */
    double due;                                     /* s, of the next row */
    size_t logged;                                  /* inputs of the log that were given */
} flight;

/* --- outputs of the run --- */

static void read_channels(flight *f)
{
    const fm_fit *fit = f->fit;
    memcpy(f->before, f->now, sizeof f->before);
    for (size_t c = 0; c < fit->options.channel_count; c++) {
        const fm_fit_channel *channel = &fit->channels[c];
        int slot = fm_world_find(f->world, channel->vehicle);
        f->now[c] = NAN;
        if (slot < 0)
            continue;
        if (channel->column >= FM_ROW_POSE) {
            f->now[c] = fm_world_column(f->world, slot, channel->column - FM_ROW_POSE);
        } else {
            fm_row_read(f->world, slot, f->row, FM_ROW_POSE);
            f->now[c] = f->row[channel->column];
        }
    }
}

/* Fills the rows up to now: those before the tick by linear interpolation, those at it with its value. */
static void fill_rows(flight *f, double now, bool at_tick)
{
    const fm_fit *fit = f->fit;
    for (size_t c = 0; c < fit->options.channel_count; c++) {
        const fm_fit_block *block = &fit->blocks[f->source * fit->options.channel_count + c];
        while (f->next[c] < block->count) {
            size_t i = block->first + f->next[c];
            const double t = fit->t[i] - f->delay[c];
            if (at_tick ? t > now + 1e-9 : t >= now - 1e-9)
                break;
            double part = at_tick || now <= f->then ? 1 : (t - f->then) / (now - f->then);
            f->trial->said[i] =
                f->bias[c] + f->now[c] - (1 - part) * fm_fit_difference(&fit->channels[c], f->now[c], f->before[c]);
            f->next[c]++;
        }
    }
}

/* The time of the next row; HUGE_VAL: all are filled. */
static double next_due(const flight *f)
{
    const fm_fit *fit = f->fit;
    double due = HUGE_VAL;
    for (size_t c = 0; c < fit->options.channel_count; c++) {
        const fm_fit_block *block = &fit->blocks[f->source * fit->options.channel_count + c];
        if (f->next[c] < block->count)
            due = fmin(due, fit->t[block->first + f->next[c]] - f->delay[c]);
    }
    return due;
}

/* --- placing a vehicle --- */

/* Numbers 1 … 12 of a row into a pose; NaN: unchanged. */
static void change_pose(fm_pose *pose, const double *numbers)
{
    for (int i = 0; i < 3; i++) {
        pose->position[i] = isnan(numbers[1 + i]) ? pose->position[i] : numbers[1 + i];
        pose->euler[i] = isnan(numbers[4 + i]) ? pose->euler[i] : numbers[4 + i];
        pose->velocity[i] = isnan(numbers[7 + i]) ? pose->velocity[i] : numbers[7 + i];
        pose->velocity[3 + i] = isnan(numbers[10 + i]) ? pose->velocity[3 + i] : numbers[10 + i];
    }
    fm_quat_from_euler(pose->euler, pose->attitude);
}

/* The value of a series of times and values at a time, linear; angles the shorter way round. */
static double value_at(const double *t, const double *y, size_t count, double time, double turn, double *slope)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (t[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    if (slope)
        *slope = 0;
    if (low == 0 || low == count)
        return count ? y[low ? count - 1 : 0] : NAN;
    double span = y[low] - y[low - 1], length = t[low] - t[low - 1];
    span = turn > 0 ? remainder(span, turn) : span;
    if (slope)
        *slope = span / length;
    return y[low - 1] + span * (time - t[low - 1]) / length;
}

/* Initial value of a start: the record, or if not recorded the value of the first run; NaN: it continues. */
static double begin_at(const flight *f, size_t group, size_t k, double now, const fm_pose *pose)
{
    const fm_fit *fit = f->fit;
    const fm_fit_origin *start = &fit->starts[k];
    double *carried = &fit->carried[group * fit->start_count + k];
    if (fm_fit_is_recorded(fit, f->source, k, now)) {
        const fm_fit_block *b = &fit->blocks[f->source * fit->options.channel_count + start->channel];
        return value_at(&fit->t[b->first], &fit->y[b->first], b->count, now + f->delay[start->channel],
                        fit->channels[start->channel].turn, NULL) -
               f->bias[start->channel];
    }
    if (start->channel < FM_FIT_LINKS)
        return NAN;
    if (f->trial->carries) {
        const double *numbers[] = {pose->position, pose->euler, pose->velocity, pose->velocity + 3};
        *carried = numbers[(start->column - 1) / 3][(start->column - 1) % 3];
    }
    return *carried;
}

/* Recorded numbers of a vehicle start a segment; others continue, except after a gap, in which the run may have gone
 * anywhere: then velocities are those of the scenario. */
static fm_status begin_segment(flight *f, double now, fm_error *error)
{
    const fm_fit *fit = f->fit;
    fm_status status = FM_OK;
    size_t group =
        fit->first_group[f->source] + (fit->segment_ticks ? fm_world_tick(f->world) / fit->segment_ticks : 0);
    bool after_gap = group > fit->first_group[f->source] && fit->empty[group - 1];
    for (size_t k = 0; k < fit->start_count && status == FM_OK && group < fit->groups; k++) {
        const fm_fit_origin *start = &fit->starts[k];
        double numbers[FM_ROW_POSE];
        fm_pose pose;
        if (fm_world_pose(f->world, fm_world_find(f->world, start->vehicle), &pose) != FM_OK)
            continue;
        double begins = begin_at(f, group, k, now, &pose);
        if (isnan(begins))
            continue;
        for (size_t i = 0; i < FM_ROW_POSE; i++)
            numbers[i] = NAN;
        numbers[start->column] =
            begins + fit->moves[group * fit->start_count + k] + (f->trial->nudged == (int)k ? FM_FIT_NUDGE : 0);
        for (size_t i = 0; i < 6 && after_gap && start->channel < FM_FIT_LINKS; i++)
            numbers[7 + i] = isnan(numbers[7 + i]) ? f->first[k].velocity[i] : numbers[7 + i];
        change_pose(&pose, numbers);
        status = fm_world_place(f->world, start->vehicle, &pose, error);
    }
    return status;
}

/* A vehicle is held at the recorded numbers of its pose; rates follow the held angles. */
static fm_status hold_pose(flight *f, const char *vehicle, double now, fm_error *error)
{
    const fm_fit *fit = f->fit;
    double numbers[FM_ROW_POSE], body[6], world[6];
    fm_pose pose;
    if (fm_world_pose(f->world, fm_world_find(f->world, vehicle), &pose) != FM_OK)
        return FM_OK;
    for (size_t i = 0; i < FM_ROW_POSE; i++)
        numbers[i] = NAN;
    memcpy(body, pose.velocity, sizeof body);
    fm_velocity_to_world(pose.euler, body, world);
    for (size_t i = 0; i < fit->options.input_count; i++) {
        const fm_fit_input *in = &fit->inputs[i];
        const fm_fit_steer *s = &fit->steers[f->source * fit->options.input_count + i];
        double slope;
        if (in->kind != FM_FIT_HOLD || strcmp(in->vehicle, vehicle) != 0)
            continue;
        numbers[in->column] = value_at(s->t, s->y, s->count, now, in->turn, &slope);
        if (in->turn > 0)
            world[in->column - 1] = slope;
    }
    change_pose(&pose, numbers);
    fm_velocity_to_body(pose.euler, world, body);
    for (int i = 0; i < 3; i++)
        pose.velocity[3 + i] = isnan(numbers[10 + i]) ? body[3 + i] : numbers[10 + i];
    return fm_world_place(f->world, vehicle, &pose, error);
}

static fm_status hold_all(flight *f, double now, fm_error *error)
{
    const fm_fit *fit = f->fit;
    fm_status status = FM_OK;
    for (size_t i = 0; i < fit->options.input_count && status == FM_OK; i++) {
        bool first = fit->inputs[i].kind == FM_FIT_HOLD;
        for (size_t k = 0; k < i && first; k++)
            first = fit->inputs[k].kind != FM_FIT_HOLD || strcmp(fit->inputs[k].vehicle, fit->inputs[i].vehicle) != 0;
        if (first)
            status = hold_pose(f, fit->inputs[i].vehicle, now, error);
    }
    return status;
}

/* --- inputs --- */

/* The last sample up to now, held until the next one. */
static fm_status give_input(flight *f, size_t i, double now, fm_error *error)
{
    const fm_fit_input *in = &f->fit->inputs[i];
    const fm_fit_steer *s = &f->fit->steers[f->source * f->fit->options.input_count + i];
    size_t before = f->given[i];
    while (f->given[i] < s->count && s->t[f->given[i]] <= now + 1e-9)
        f->given[i]++;
    if (f->given[i] == before)
        return FM_OK;
    double value = s->y[f->given[i] - 1];
    return in->kind == FM_FIT_ORDER ? fm_world_order(f->world, in->vehicle, in->target, value, error)
                                    : fm_world_desire(f->world, in->vehicle, in->target, value, error);
}

static fm_status give_inputs(flight *f, double now, fm_error *error)
{
    const fm_fit_source *source = &f->fit->options.sources[f->source];
    fm_status status = FM_OK;
    for (; f->logged < source->input_count && status == FM_OK &&
           source->inputs[f->logged].tick <= fm_world_steps(f->world);
         f->logged++)
        status = fm_world_input(f->world, &source->inputs[f->logged], error);
    for (size_t i = 0; i < f->fit->options.input_count && status == FM_OK; i++)
        if (f->fit->inputs[i].kind != FM_FIT_HOLD)
            status = give_input(f, i, now, error);
    return status;
}

/* --- the run --- */

static bool begins_segment(const fm_fit *fit, uint64_t tick)
{
    if (tick == 0)
        return fit->options.from_record;
    return fit->segment_ticks && tick % fit->segment_ticks == 0;
}

/* At a tick: rows up to it, then corrections of the vehicle from the record, then rows at it. */
static fm_status visit_tick(flight *f, double now, fm_error *error)
{
    const fm_fit *fit = f->fit;
    bool looks = f->due <= now + fm_model_dt(fit->model) + 1e-9; /* a row before the next tick */
    fm_status status = FM_OK;
    if (looks && fm_world_tick(f->world)) {
        read_channels(f);
        fill_rows(f, now, false);
    }
    if (begins_segment(fit, fm_world_tick(f->world)))
        status = begin_segment(f, now, error);
    if (status == FM_OK)
        status = hold_all(f, now, error);
    if (looks) {
        read_channels(f);
        fill_rows(f, now, true);
        f->due = next_due(f);
    }
    f->then = now;
    return status;
}

static fm_status fly(flight *f, fm_error *error)
{
    const fm_fit *fit = f->fit;
    fm_status status = FM_OK;
    for (size_t k = 0; k < fit->start_count; k++)
        fm_world_pose(f->world, fm_world_find(f->world, fit->starts[k].vehicle), &f->first[k]);
    for (size_t c = 0; c < fit->options.channel_count; c++) {
        f->bias[c] = fm_fit_bias(fit, f->trial->values, c);
        f->delay[c] = fm_fit_delay(fit, f->trial->values, f->source, c);
    }
    for (f->due = next_due(f); status == FM_OK;) {
        double now = fm_world_time(f->world);
        status = visit_tick(f, now, error);
        if (status != FM_OK || f->due == HUGE_VAL)
            break;
        if (atomic_load_explicit(&fit->stop, memory_order_relaxed))
            return fm_fail(error, FM_ERR_CANCELLED, "interrupted");
        status = give_inputs(f, now, error);
        if (status == FM_OK)
            status = fm_world_step(f->world, error);
    }
    return status;
}

typedef struct batch_of_runs {
    fm_fit *fit;
    fm_fit_trial *trials;
    fm_model **models;
    size_t count;
    bool *known;        /* [trial]: of an earlier session */
    fm_error *failures; /* [trial][source] */
} batch_of_runs;

static bool same_values(const fm_fit *fit, const fm_fit_trial *a, const fm_fit_trial *b)
{
    return memcmp(a->values, b->values, fit->plan.axis_count * sizeof *a->values) == 0;
}

static void load_model(void *user, size_t i)
{
    batch_of_runs *b = user;
    if (i == 0 || (!b->known[i] && !same_values(b->fit, &b->trials[0], &b->trials[i])))
        b->models[i] = fm_sweep_load(b->fit->sweep, b->trials[i].values, &b->trials[i].failure);
}

static void make_run(void *user, size_t job)
{
    batch_of_runs *b = user;
    size_t sources = b->fit->options.source_count, i = job / sources;
    fm_fit_trial *trial = &b->trials[i];
    fm_model *model = i && same_values(b->fit, &b->trials[0], trial) ? b->models[0] : b->models[i];
    fm_error *error = &b->failures[job];
    if (!model || b->known[i])
        return;
    double row[FM_ROW_POSE];
    flight f = {.fit = b->fit, .trial = trial, .source = job % sources, .row = row};
    f.world = fm_world_create(
        model, &(fm_world_options){.seeded = 1, .seed = fm_model_seed(model) + trial->seed, .threads = 1}, error);
    if (f.world)
        fly(&f, error);
    fm_world_free(f.world);
}

/* A run of an earlier session. One that fills fm_fit.carried is made again. */
static bool recall(fm_fit *fit, fm_fit_trial *trial, size_t i)
{
    trial->failure = (fm_error){0};
    if (!fit->journal.count || trial->carries)
        return false;
    double *row = fm_alloc((1 + fit->rows) * sizeof *row);
    const bool found = row && fm_rows_find(&fit->journal, fit->ticket, i, row);
    if (found && row[0] != 0)
        (void)fm_fail(&trial->failure, (fm_status)row[0], "a run failed before the fit was interrupted");
    if (found)
        memcpy(trial->said, row + 1, fit->rows * sizeof *row);
    fm_free(row);
    return found;
}

static void record(fm_fit *fit, const fm_fit_trial *trial, size_t i)
{
    if (fit->journal.file < 0 || trial->carries)
        return;
    double *row = fm_alloc((1 + fit->rows) * sizeof *row);
    if (!row)
        return; /* the run is made again */
    row[0] = trial->failure.status;
    memcpy(row + 1, trial->said, fit->rows * sizeof *row);
    fm_rows_add(&fit->journal, fit->ticket, i, row);
    fm_free(row);
}

fm_status fm_fit_fly(fm_fit *fit, fm_fit_trial *trials, size_t count, fm_error *error)
{
    size_t sources = fit->options.source_count;
    batch_of_runs b = {.fit = fit, .trials = trials, .count = count};
    b.models = fm_alloc((count + 1) * sizeof(fm_model *));
    b.known = fm_alloc((count + 1) * sizeof *b.known);
    b.failures = fm_alloc((count * sources + 1) * sizeof *b.failures);
    fm_status status =
        b.models && b.failures && b.known ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for %zu runs", count);
    if (status == FM_OK) {
        size_t known = 0;
        for (size_t i = 0; i < count; i++)
            known += b.known[i] = recall(fit, &trials[i], i);
        if (known < count) {
            fm_threads_share(fit->pool, count, load_model, &b);
            fm_threads_share(fit->pool, count * sources, make_run, &b);
        }
        fit->runs += count * sources;
    }
    for (size_t i = 0; status == FM_OK && i < count; i++) {
        if (b.known[i])
            continue;
        if (i && !b.models[i] && same_values(fit, &trials[0], &trials[i]))
            trials[i].failure = trials[0].failure;
        for (size_t s = 0; s < sources && trials[i].failure.status == FM_OK; s++)
            trials[i].failure = b.failures[i * sources + s];
        if (!atomic_load(&fit->stop))
            record(fit, &trials[i], i);
    }
    fit->ticket++;
    if (status == FM_OK && fit->journal.failed.status != FM_OK)
        status = fm_fail(error, fit->journal.failed.status, "%s", fit->journal.failed.text);
    for (size_t i = 0; b.models && i < count; i++)
        fm_model_free(b.models[i]);
    fm_free(b.models);
    fm_free(b.known);
    fm_free(b.failures);
    return status;
}
