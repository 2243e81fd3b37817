/* The rows of environments (envs/env.h), written once for the processor and for a GPU (cuda/env.h): actions become
 * orders, rows end, begin again, and are observed. Functions with "table" in their name work on the table of a batch;
 * the others serve worlds too. All arithmetic is in double. */
#ifndef FM_BATCH_ENV_ROWS_H
#define FM_BATCH_ENV_ROWS_H

#include "base/random.h"
#include "batch/lanes.h"
#include "physics/posture.h"
#include "physics/real.h"

/* fm_env_reason and fm_env_autoreset (fathom/env.h), which the compiler of a GPU does not read. */
enum {
    FM_END_TIME = 1,
    FM_END_DIVERGED,
    FM_END_CONTACT,
    FM_END_DEPTH,
    FM_END_ACTION,
    FM_END_CONDITION,
    FM_AUTORESET_NEXT = 1,
    FM_AUTORESET_SAME = 2
};

/* What a row does in a step. */
enum {
    FM_ROW_STEPS,
    FM_ROW_BEGINS,
    FM_ROW_STANDS,
    FM_ROW_SAVED,
    FM_ROW_NAN = 4 /* with the first: an action is NaN */
};

/* Where a number of the observation comes from, of a batch. */
typedef struct fm_env_source {
    int32_t kind; /* fm_seen */
    uint32_t row; /* of the table; of a quaternion its component */
} fm_env_source;
enum fm_seen { FM_SEEN_ROW, FM_SEEN_TIME, FM_SEEN_SPEED, FM_SEEN_QUATERNION };

/* An action and its limits. */
typedef struct fm_env_order {
    double low, high;
    uint64_t actuator;
} fm_env_order;

enum { FM_ENV_CHANNEL = 0x0e17, FM_ENV_NOISE = 0x0e18 }; /* of random numbers: keys; noise */

/* All pointers are those of the device. */
typedef struct fm_env_job {
    /* --- rows --- */
    uint64_t count;
    int32_t wide; /* arrays of float64 */
    int32_t normalised, autoreset;
    uint32_t observation_count, action_count;
    const fm_env_source *sources;
    const fm_env_order *orders;
    const double *noise;        /* NULL: none */
    double step_s, depth_limit; /* of the vehicle, s; m, 0: none */
    int64_t vehicle_steps;      /* in a step */
    int64_t steps_most;         /* of an episode; 0: none */
    uint64_t seed;
    void *observations, *finals, *actions, *rewards;
    uint8_t *terminated, *truncated, *reasons, *phases;
    uint64_t *keys, *episode_keys;
    int64_t *steps, *episodes;
    /* --- table of the batch --- */
    void *numbers;
    uint64_t stride;
    fm_batch_rows table;
    int32_t single;
    uint64_t *seeds, *ages;
    const void *starts;    /* in the numbers of the table: those of a vehicle next to each other */
    uint64_t start_stride; /* from one row's to the next; 0: all begin alike */
    /* --- of rows with parameters, on a GPU --- */
    uint64_t block_bytes; /* 0: none there */
    uint8_t *pending;     /* what comes into force at the next reset */
    unsigned char *blocks;
    const unsigned char *next_blocks;
    void *own_starts;
    const void *next_starts;
} fm_env_job;

/* What is done with all rows at once (cuda/env.h). */
enum fm_env_work {
    FM_ENV_RESET_ROWS,
    FM_ENV_ACT_ROWS,
    FM_ENV_SETTLE_ROWS,
    FM_ENV_FINISH_ROWS,
    FM_ENV_SAVE_ROWS,
    FM_ENV_RESTORE_ROWS
};

/* Which rows, and where they are saved. */
typedef struct fm_env_move {
    const uint8_t *mask;  /* NULL: all */
    const uint32_t *from; /* of the saved rows, one for each; NULL: the same */
    fm_env_job *saved;    /* phases: FM_ROW_SAVED where there is one */
    unsigned char *flats; /* on a CPU: of rows with parameters */
} fm_env_move;

FM_FN double fm_env_get(const fm_env_job *job, const void *array, uint64_t at)
{
    return job->wide ? ((const double *)array)[at] : (double)((const float *)array)[at];
}

FM_FN void fm_env_put(const fm_env_job *job, void *array, uint64_t at, double value)
{
    if (job->wide)
        ((double *)array)[at] = value;
    else
        ((float *)array)[at] = (float)value;
}

/* --- episodes --- */

FM_FN uint64_t fm_env_key(uint64_t seed, uint64_t row, int64_t episode)
{
    uint32_t bits[4];
    fm_random_key key = {seed, (uint32_t)row, FM_ENV_CHANNEL};
    fm_random_block_at(key, (uint64_t)episode, 0, bits);
    return ((uint64_t)bits[1] << 32) | bits[0];
}

FM_FN void fm_env_begin(const fm_env_job *job, uint64_t i)
{
    job->episodes[i]++;
    job->episode_keys[i] = job->keys[i];
    job->keys[i] = fm_env_key(job->seed, i, job->episodes[i] + 1);
    job->steps[i] = 0;
}

FM_FN void fm_env_clear(const fm_env_job *job, uint64_t i)
{
    job->terminated[i] = job->truncated[i] = job->reasons[i] = 0;
    fm_env_put(job, job->rewards, i, 0);
}

FM_FN void fm_env_see(const fm_env_job *job, uint64_t i, uint32_t k, double value)
{
    if (job->noise && job->noise[k] > 0) {
        fm_random_key key = {job->episode_keys[i], FM_ENV_NOISE, k};
        uint32_t bits[4];
        fm_random_block_at(key, (uint64_t)job->steps[i], 0, bits);
        const double u = fm_random_unit(bits[0], bits[1]), v = fm_random_unit(bits[2], bits[3]);
        value += job->noise[k] * (fm_sqrt(-2 * fm_log(1 - u)) * fm_cos(2 * FM_PI * v));
    }
    fm_env_put(job, job->observations, i * job->observation_count + k, value);
}

/* What a row does in the step that begins. */
FM_FN int fm_env_phase(const fm_env_job *job, uint64_t i)
{
    const int ended = job->terminated[i] || job->truncated[i];
    return !ended || job->autoreset == FM_AUTORESET_SAME ? FM_ROW_STEPS
           : job->autoreset == FM_AUTORESET_NEXT         ? FM_ROW_BEGINS
                                                         : FM_ROW_STANDS;
}

/* The order of action `k`; 0: it is NaN. */
FM_FN int fm_env_take(const fm_env_job *job, uint64_t i, uint32_t k, double *order)
{
    const fm_env_order *o = &job->orders[k];
    double value = fm_env_get(job, job->actions, i * job->action_count + k);
    if (!(value == value))
        return 0;
    if (job->normalised)
        value = o->low + (value + 1) * 0.5 * (o->high - o->low);
    *order = value < o->low ? o->low : value > o->high ? o->high : value;
    return 1;
}

/* After a step: whether it has ended, and why. */
FM_FN void fm_env_judge_row(const fm_env_job *job, uint64_t i, int bad, int touched, int deep)
{
    const int nan = (job->phases[i] & FM_ROW_NAN) != 0;
    job->steps[i]++;
    fm_env_put(job, job->rewards, i, 0);
    const int reason = nan ? FM_END_ACTION : bad ? FM_END_DIVERGED : touched ? FM_END_CONTACT : deep ? FM_END_DEPTH : 0;
    job->terminated[i] = reason != 0;
    job->truncated[i] = !reason && job->steps_most && job->steps[i] >= job->steps_most;
    job->reasons[i] = (uint8_t)(job->truncated[i] ? FM_END_TIME : reason);
}

/* After the judge of the caller: whether it has ended. Its last observations are kept then. */
FM_FN int fm_env_close_row(const fm_env_job *job, uint64_t i)
{
    if ((job->phases[i] & 3) != FM_ROW_STEPS) {
        if (job->phases[i] == FM_ROW_BEGINS)
            job->terminated[i] = 0;
        return 0;
    }
    if (job->terminated[i] && (!job->reasons[i] || job->truncated[i]))
        job->reasons[i] = FM_END_CONDITION;
    if (job->terminated[i])
        job->truncated[i] = 0;
    const int ended = job->terminated[i] || job->truncated[i];
    const uint64_t first = i * job->observation_count;
    for (uint32_t k = 0; ended && k < job->observation_count; k++)
        fm_env_put(job, job->finals, first + k, fm_env_get(job, job->observations, first + k));
    return ended;
}

/* --- of a table --- */

FM_FN double fm_env_table_get(const fm_env_job *job, uint32_t row, uint64_t i)
{
    const uint64_t at = row * job->stride + i;
    return job->single ? (double)((const float *)job->numbers)[at] : ((const double *)job->numbers)[at];
}

FM_FN void fm_env_table_put(const fm_env_job *job, uint32_t row, uint64_t i, double value)
{
    const uint64_t at = row * job->stride + i;
    if (job->single)
        ((float *)job->numbers)[at] = (float)value;
    else
        ((double *)job->numbers)[at] = value;
}

FM_FN double fm_env_table_look(const fm_env_job *job, uint64_t i, fm_env_source source)
{
    const uint32_t velocity = job->table.state + 7;
    if (source.kind == FM_SEEN_ROW)
        return fm_env_table_get(job, source.row, i);
    if (source.kind == FM_SEEN_TIME)
        return (double)(job->steps[i] * job->vehicle_steps) * job->step_s;
    if (source.kind == FM_SEEN_SPEED) {
        const double u = fm_env_table_get(job, velocity, i), v = fm_env_table_get(job, velocity + 1, i),
                     w = fm_env_table_get(job, velocity + 2, i);
        return fm_sqrt(u * u + v * v + w * w);
    }
    double e[3], q[4];
    for (uint32_t k = 0; k < 3; k++)
        e[k] = fm_env_table_get(job, job->table.state + 3 + k, i);
    fm_quat_from_euler(e, q);
    return q[source.row];
}

FM_FN void fm_env_table_observe(const fm_env_job *job, uint64_t i)
{
    for (uint32_t k = 0; k < job->observation_count; k++)
        fm_env_see(job, i, k, fm_env_table_look(job, i, job->sources[k]));
}

/* A new episode: the vehicle at its start. */
FM_FN void fm_env_table_begin(const fm_env_job *job, uint64_t i)
{
    const uint64_t numbers = job->table.count, first = i * job->start_stride;
    if (job->block_bytes && job->pending[i]) {
        for (uint64_t k = 0; k < job->block_bytes / 8; k++)
            ((uint64_t *)(void *)(job->blocks + i * job->block_bytes))[k] =
                ((const uint64_t *)(const void *)(job->next_blocks + i * job->block_bytes))[k];
        for (uint64_t k = 0; k < numbers; k++)
            if (job->single)
                ((float *)job->own_starts)[first + k] = ((const float *)job->next_starts)[first + k];
            else
                ((double *)job->own_starts)[first + k] = ((const double *)job->next_starts)[first + k];
        job->pending[i] = 0;
    }
    fm_env_begin(job, i);
    for (uint32_t row = 0; row < numbers; row++)
        fm_env_table_put(job, row, i,
                         job->single ? (double)((const float *)job->starts)[first + row]
                                     : ((const double *)job->starts)[first + row]);
    job->ages[i] = 0;
    job->seeds[i] = job->episode_keys[i];
}

FM_FN void fm_env_table_reset(const fm_env_job *job, uint64_t i)
{
    fm_env_table_begin(job, i);
    fm_env_clear(job, i);
    fm_env_table_observe(job, i);
}

FM_FN void fm_env_table_act(const fm_env_job *job, uint64_t i)
{
    int phase = fm_env_phase(job, i);
    double order;
    for (uint32_t k = 0; k < job->action_count && phase <= FM_ROW_NAN && phase != FM_ROW_BEGINS; k++) {
        if (phase == FM_ROW_STANDS)
            break;
        if (fm_env_take(job, i, k, &order))
            fm_env_table_put(job, job->table.orders + (uint32_t)job->orders[k].actuator, i, order);
        else
            phase = FM_ROW_NAN;
    }
    job->phases[i] = (uint8_t)phase;
}

FM_FN void fm_env_table_settle(const fm_env_job *job, uint64_t i)
{
    const int phase = job->phases[i] & 3;
    if (phase == FM_ROW_BEGINS)
        fm_env_table_reset(job, i);
    if (phase != FM_ROW_STEPS)
        return;
    const double depth = fm_env_table_get(job, job->table.state + 2, i);
    fm_env_judge_row(job, i, fm_env_table_get(job, job->table.bad, i) != 0, 0,
                     job->depth_limit > 0 && depth > job->depth_limit);
    fm_env_table_observe(job, i);
}

/* All that belongs to row `k` of other environments of the same shape, or of a saved state, becomes that of row `i`. */
FM_FN void fm_env_table_copy(const fm_env_job *to, uint64_t i, const fm_env_job *from, uint64_t k)
{
    const uint32_t seen = to->observation_count, actions = to->action_count;
    for (uint32_t row = 0; row < to->table.count; row++)
        fm_env_table_put(to, row, i, fm_env_table_get(from, row, k));
    for (uint32_t c = 0; c < seen; c++) {
        fm_env_put(to, to->observations, i * seen + c, fm_env_get(from, from->observations, k * seen + c));
        fm_env_put(to, to->finals, i * seen + c, fm_env_get(from, from->finals, k * seen + c));
    }
    for (uint32_t c = 0; c < actions; c++)
        fm_env_put(to, to->actions, i * actions + c, fm_env_get(from, from->actions, k * actions + c));
    fm_env_put(to, to->rewards, i, fm_env_get(from, from->rewards, k));
    to->terminated[i] = from->terminated[k];
    to->truncated[i] = from->truncated[k];
    to->reasons[i] = from->reasons[k];
    to->keys[i] = from->keys[k];
    to->episode_keys[i] = from->episode_keys[k];
    to->steps[i] = from->steps[k];
    to->episodes[i] = from->episodes[k];
    to->seeds[i] = from->seeds[k];
    to->ages[i] = from->ages[k];
    for (uint64_t c = 0; c < to->block_bytes / 8; c++)
        ((uint64_t *)(void *)(to->blocks + i * to->block_bytes))[c] =
            ((const uint64_t *)(const void *)(from->blocks + k * from->block_bytes))[c];
    for (uint64_t c = 0; c < to->start_stride; c++)
        if (to->single)
            ((float *)to->own_starts)[i * to->start_stride + c] =
                ((const float *)from->own_starts)[k * to->start_stride + c];
        else
            ((double *)to->own_starts)[i * to->start_stride + c] =
                ((const double *)from->own_starts)[k * to->start_stride + c];
}

FM_FN void fm_env_table_finish(const fm_env_job *job, uint64_t i)
{
    if (!fm_env_close_row(job, i) || job->autoreset != FM_AUTORESET_SAME)
        return;
    fm_env_table_begin(job, i);
    fm_env_table_observe(job, i);
}

#endif
