/* Records made by runs, with noise, and fits of them: what the tests of fits share. */
#ifndef TESTS_BATCH_FITTING_H
#define TESTS_BATCH_FITTING_H

#include "base/random.h"
#include "run/row.h"
#include "studies/fit.h"
#include "support/scenario.h"

enum { CHANNELS_MOST = 8 };

/* A recorded run: its channels at an interval of ticks, with noise. */
typedef struct recording {
    fm_record record;
    fm_record_series series[CHANNELS_MOST];
} recording;

typedef struct quantity {
    const char *ours; /* "body.u" */
    size_t column;    /* of the row */
    double sigma;
} quantity;

/* A force in a world's record of inputs. */
static inline fm_input push(uint64_t tick, const char *vehicle, double sway, double yaw)
{
    fm_input input = {.tick = tick,
                      .command = {.kind = FM_COMMAND_PUSH, .push = {.force = {0, sway}, .moment = {0, 0, yaw}}}};
    snprintf(input.command.push.vehicle, sizeof input.command.push.vehicle, "%s", vehicle);
    return input;
}

static inline recording record_run(const char *text, const char *const *truth, const quantity *what, size_t count,
                                   int every, uint64_t seed, const fm_input *inputs, size_t input_count)
{
    fm_error error = {0};
    fm_world *world = create(load_with(text, truth), 1);
    size_t ticks = (size_t)fm_model_ticks(fm_world_model(world), fm_model_duration(fm_world_model(world)));
    recording r = {.record = {.file = "a run", .count = count}};
    for (size_t c = 0; c < count; c++)
        r.series[c] = (fm_record_series){.name = what[c].ours,
                                         .unit = "",
                                         .t = calloc(ticks + 1, sizeof(double)),
                                         .y = calloc(ticks + 1, sizeof(double))};
    for (size_t i = 0; i <= ticks; i++) {
        double row[FM_ROW_POSE];
        fm_row_read(world, 0, row, FM_ROW_POSE);
        for (size_t c = 0; c < count && i % (size_t)every == 0; c++) {
            fm_record_series *s = &r.series[c];
            s->t[s->count] = row[0];
            s->y[s->count++] =
                row[what[c].column] + what[c].sigma * fm_random_normal((fm_random_key){seed, 7, (uint32_t)c}, i, 0);
        }
        for (size_t k = 0; k < input_count; k++)
            if (inputs[k].tick == i)
                assert_int_equal(fm_world_input(world, &inputs[k], &error), FM_OK);
        if (i < ticks)
            step(world, 1);
    }
    finish(world);
    return r;
}

static inline void forget(recording *r)
{
    for (size_t c = 0; c < r->record.count; c++) {
        free(r->series[c].t);
        free(r->series[c].y);
    }
}

typedef struct request {
    const char *text;              /* scenario */
    const char *const *truth;      /* of the record; NULL behind the last */
    const char *const *parameters; /* that are sought */
    size_t parameter_count;
    const quantity *what;
    size_t count;
    int every;
    uint64_t seed;
    bool given; /* the noise is known */
    double segment, check;
    bool from_record, whole_state;
    const fm_input *inputs;
    size_t input_count;
} request;

/* The fit; free it with `end_fit`. */
typedef struct result {
    fm_fit *fit;
    fm_model *model;
    recording recording;
    fm_fit_link links[CHANNELS_MOST];
    fm_fit_source source;
    fm_load_options load;
} result;

static inline void fit_record(const request *q, result *r)
{
    fm_error error = {0};
    r->recording = record_run(q->text, q->truth, q->what, q->count, q->every, q->seed, q->inputs, q->input_count);
    r->recording.record.series = r->recording.series;
    r->source = (fm_fit_source){
        .record = &r->recording.record, .is_run = true, .inputs = q->inputs, .input_count = q->input_count};
    r->model = load(q->text);
    r->load = tree_options(NULL);
    for (size_t c = 0; c < q->count; c++)
        r->links[c] = (fm_fit_link){.ours = q->what[c].ours,
                                    .theirs = q->what[c].ours,
                                    .factor = 1,
                                    .scaled = true,
                                    .sigma = q->given ? q->what[c].sigma : 0};
    fm_fit_setup options = {.load = &r->load,
                            .parameters = q->parameters,
                            .parameter_count = q->parameter_count,
                            .channels = r->links,
                            .channel_count = q->count,
                            .sources = &r->source,
                            .source_count = 1,
                            .from = NAN,
                            .to = NAN,
                            .segment = q->segment,
                            .from_record = q->from_record,
                            .whole_state = q->whole_state,
                            .check = q->check,
                            .threads = 2};
    if (fm_fit_prepare(r->model, &options, &r->fit, &error) != FM_OK || fm_fit_solve(r->fit, &error) != FM_OK)
        fail_msg("%s", error.text);
    if (!r->fit->converged)
        fail_msg("%s", r->fit->ended);
}

static inline void end_fit(result *r)
{
    fm_fit_free(r->fit);
    fm_model_free(r->model);
    forget(&r->recording);
}

#endif
