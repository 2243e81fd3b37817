#include "plot/track.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "run/row.h"

typedef struct metric {
    const char *name;
    double value;
} metric;

struct fm_track {
    fm_arena arena; /* of all tracks of a run; of the first alone */
    const char *name;
    fm_track *next;
    int slot;
    size_t rows, capacity, stride; /* stride in ticks */
    size_t columns;
    const char **names; /* [columns] */
    double **values;    /* [columns][capacity] */
    double *row;        /* [columns], in the making */
    metric *metrics;
    size_t metric_count;
};

static bool find_scenario(const fm_run_folders *folders, const char *name, char *path, size_t size)
{
    for (size_t i = 0; i < folders->scenario_dir_count; i++) {
        snprintf(path, size, "%s/%s.xml", folders->scenario_dirs[i], name);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

fm_model *fm_run_request_load(const fm_run_folders *folders, const fm_run_request *request, fm_error *error)
{
    fm_load_options options = {
        .set = request->sets, .model_dirs = folders->model_dirs, .model_dir_count = folders->model_dir_count};
    while (request->sets && request->sets[options.set_count])
        options.set_count++;
    if (request->text)
        return fm_model_load_memory(request->text, strlen(request->text), "figure.xml", &options, error);
    char path[4096];
    if (!find_scenario(folders, request->scenario, path, sizeof path)) {
        fm_fail(error, FM_ERR_FILE, "the scenario '%s.xml' is in none of the %zu scenario folders", request->scenario,
                folders->scenario_dir_count);
        return NULL;
    }
    return fm_model_load(path, &options, error);
}

static fm_track *create_track(const fm_world *world, int slot, const fm_run_request *request, fm_arena *arena,
                              double duration)
{
    fm_track *track = fm_arena_alloc(arena, sizeof *track);
    if (!track)
        return NULL;
    const fm_model *model = fm_world_model(world);
    track->slot = slot;
    track->name = fm_arena_text(arena, fm_world_name(world, slot));
    track->stride = (size_t)fm_world_period(world, slot);
    if (request->every > 0 && request->every > fm_model_dt(model) * (double)track->stride)
        track->stride = (size_t)fm_model_ticks(model, request->every);
    if (request->no_rows)
        return track;
    track->capacity = (size_t)fm_model_ticks(model, duration) / track->stride + 2;
    track->columns = fm_row_count(world, slot);
    track->names = fm_arena_alloc(arena, track->columns * sizeof *track->names);
    track->values = fm_arena_alloc(arena, track->columns * sizeof *track->values);
    track->row = fm_arena_alloc(arena, track->columns * sizeof *track->row);
    for (size_t i = 0; track->names && track->values && i < track->columns; i++) {
        track->names[i] = fm_arena_text(arena, fm_row_name(world, slot, i));
        track->values[i] = fm_arena_alloc(arena, track->capacity * sizeof **track->values);
        if (!track->names[i] || !track->values[i])
            return NULL;
    }
    return track->names && track->values && track->row ? track : NULL;
}

static void keep_row(fm_track *track, const fm_world *world)
{
    if (track->rows == track->capacity || fm_world_tick(world) % track->stride)
        return;
    fm_row_read(world, track->slot, track->row, track->columns);
    for (size_t i = 0; i < track->columns; i++)
        track->values[i][track->rows] = track->row[i];
    track->rows++;
}

static bool keep_metrics(fm_track *track, const fm_world *world, fm_arena *arena)
{
    track->metric_count = fm_world_metric_count(world, track->slot);
    track->metrics = fm_arena_alloc(arena, (track->metric_count + 1) * sizeof *track->metrics);
    for (size_t i = 0; track->metrics && i < track->metric_count; i++) {
        fm_metric_info info = fm_world_metric(world, track->slot, i);
        track->metrics[i] = (metric){fm_arena_text(arena, info.name), info.value};
    }
    return track->metrics;
}

/* Tracks of the vehicles asked for, in the order of their slots. */
static fm_track *create_tracks(const fm_world *world, const fm_run_request *request, fm_arena *arena, double duration,
                               fm_error *error)
{
    fm_track *first = NULL, **end = &first;
    fm_nearest nearest = {.wanted = request->vehicle};
    for (int slot = 0; slot < fm_world_slots(world); slot++) {
        const char *name = fm_world_name(world, slot);
        if (!name || (request->vehicle && !request->all && strcmp(name, request->vehicle) != 0)) {
            if (name)
                fm_nearest_offer(&nearest, name);
            continue;
        }
        *end = create_track(world, slot, request, arena, duration);
        if (!*end)
            return fm_fail(error, FM_ERR_MEMORY, "out of memory for the track of %s", name), NULL;
        end = &(*end)->next;
        if (!request->all)
            break;
    }
    char near[256];
    if (!first)
        fm_fail(error, FM_ERR_NAME, "the scenario has no vehicle '%s'%s", request->vehicle ? request->vehicle : "",
                request->vehicle ? fm_nearest_write(&nearest, near, sizeof near) : "");
    return first;
}

/* Tracks are a sink of the run. */
typedef struct keeper {
    const fm_run_request *request;
    fm_arena arena;
    fm_track *tracks;
} keeper;

static fm_status keep_step(void *user, fm_sink *sink, fm_error *error)
{
    (void)error;
    const keeper *k = user;
    fm_world *world = fm_run_world(fm_sink_run(sink));
    for (fm_track *track = k->tracks; track && !k->request->no_rows; track = track->next)
        keep_row(track, world);
    if (k->request->watch)
        k->request->watch(k->request->user, world);
    return FM_OK;
}

static bool run_to_end(fm_run *run, keeper *k, fm_error *error)
{
    if (fm_run_attach(run, &(fm_sink_config){.step = keep_step, .user = k}, NULL, error) != FM_OK ||
        fm_run_go(run, NULL, error) != FM_OK || fm_run_finish(run, error) != FM_OK)
        return false;
    for (fm_track *track = k->tracks; track; track = track->next)
        if (!keep_metrics(track, fm_run_world(run), &k->arena)) {
            fm_fail(error, FM_ERR_MEMORY, "out of memory for metrics");
            return false;
        }
    return true;
}

fm_track *fm_track_run(const fm_run_folders *folders, const fm_run_request *request, fm_error *error)
{
    fm_model *model = fm_run_request_load(folders, request, error);
    if (!model)
        return NULL;
    const fm_world_options seed = {.seeded = request->seeded, .seed = request->seed};
    fm_run_options options = {.world = &seed, .duration = request->duration, .inputs = 1};
    fm_run *run = fm_run_create(model, &options, error);
    keeper k = {.request = request};
    if (run)
        k.tracks = create_tracks(fm_run_world(run), request, &k.arena, fm_run_end(run), error);
    bool made = k.tracks && run_to_end(run, &k, error);
    fm_run_free(run);
    fm_model_free(model);
    if (!made) {
        fm_arena_free(&k.arena);
        return NULL;
    }
    k.tracks->arena = k.arena;
    return k.tracks;
}

void fm_track_free(fm_track *first)
{
    if (!first)
        return;
    fm_arena arena = first->arena; /* the track itself lies in it */
    fm_arena_free(&arena);
}

const char *fm_track_name(const fm_track *track)
{
    return track->name;
}
fm_track *fm_track_next(const fm_track *track)
{
    return track->next;
}
size_t fm_track_rows(const fm_track *track)
{
    return track->rows;
}

const double *fm_track_column(const fm_track *track, const char *name)
{
    for (size_t i = 0; i < track->columns; i++)
        if (strcmp(track->names[i], name) == 0)
            return track->values[i];
    return NULL;
}

double fm_track_metric(const fm_track *track, const char *name)
{
    for (size_t i = 0; i < track->metric_count; i++)
        if (strcmp(track->metrics[i].name, name) == 0)
            return track->metrics[i].value;
    return NAN;
}

double fm_track_at(const fm_track *track, const char *name, double t)
{
    const double *x = fm_track_column(track, name), *time = track->rows ? track->values[0] : NULL;
    if (!x || !time || t < time[0] || t > time[track->rows - 1] + 1e-9)
        return NAN;
    for (size_t i = 1; i < track->rows; i++)
        if (time[i] >= t)
            return x[i - 1] + (x[i] - x[i - 1]) * (t - time[i - 1]) / (time[i] - time[i - 1]);
    return x[track->rows - 1];
}
