#include "figures/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

enum { POSE_COLUMNS = 13 };

typedef struct metric {
    const char *name;
    double value;
} metric;

struct fm_track {
    const char *name;
    fm_track *next;
    int slot;
    size_t rows, capacity, stride; /* stride in ticks */
    size_t columns;
    const char **names; /* [columns] */
    double **values;    /* [columns][capacity] */
    metric *metrics;
    size_t metric_count;
};

static const char *const pose_names[POSE_COLUMNS] = {"t", "x", "y", "z", "phi", "theta", "psi",
                                                     "u", "v", "w", "p", "q",   "r"};

static bool find_scenario(const fm_run_places *places, const char *name, char *path, size_t size)
{
    for (size_t i = 0; i < places->scenario_dir_count; i++) {
        snprintf(path, size, "%s/%s.xml", places->scenario_dirs[i], name);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static fm_model *load_model(const fm_run_places *places, const fm_run_request *request, fm_error *error)
{
    fm_load_options options = {
        .set = request->sets, .model_dirs = places->model_dirs, .model_dir_count = places->model_dir_count};
    while (request->sets && request->sets[options.set_count])
        options.set_count++;
    if (request->text)
        return fm_model_load_memory(request->text, strlen(request->text), "figure.xml", &options, error);
    char path[4096];
    if (!find_scenario(places, request->scenario, path, sizeof path)) {
        fm_fail(error, FM_ERR_FILE, "the scenario '%s.xml' is in none of the %zu scenario folders", request->scenario,
                places->scenario_dir_count);
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
    double dt = fm_model_dt(fm_world_model(world));
    track->slot = slot;
    track->name = fm_arena_text(arena, fm_world_name(world, slot));
    track->stride = (size_t)fm_world_period(world, slot);
    if (request->every > 0 && request->every > dt * (double)track->stride)
        track->stride = (size_t)floor(request->every / dt + 0.5);
    if (request->no_rows)
        return track;
    track->capacity = (size_t)floor(duration / dt + 0.5) / track->stride + 2;
    track->columns = POSE_COLUMNS + fm_world_column_count(world, slot);
    track->names = fm_arena_alloc(arena, track->columns * sizeof *track->names);
    track->values = fm_arena_alloc(arena, track->columns * sizeof *track->values);
    for (size_t i = 0; track->names && track->values && i < track->columns; i++) {
        track->names[i] = i < POSE_COLUMNS ? pose_names[i]
                                           : fm_arena_text(arena, fm_world_column_name(world, slot, i - POSE_COLUMNS));
        track->values[i] = fm_arena_alloc(arena, track->capacity * sizeof **track->values);
        if (!track->names[i] || !track->values[i])
            return NULL;
    }
    return track->names && track->values ? track : NULL;
}

static void keep_row(fm_track *track, const fm_world *world)
{
    if (track->rows == track->capacity || fm_world_tick(world) % track->stride)
        return;
    fm_pose pose = {0};
    fm_world_pose(world, track->slot, &pose);
    size_t row = track->rows++;
    track->values[0][row] = fm_world_time(world);
    for (size_t i = 0; i < 3; i++) {
        track->values[1 + i][row] = pose.position[i];
        track->values[4 + i][row] = pose.euler[i];
    }
    for (size_t i = 0; i < 6; i++)
        track->values[7 + i][row] = pose.velocity[i];
    for (size_t i = POSE_COLUMNS; i < track->columns; i++)
        track->values[i][row] = fm_world_column(world, track->slot, i - POSE_COLUMNS);
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

static fm_status run_world(fm_world *world, const fm_run_request *request, fm_track *tracks, double duration,
                           fm_error *error)
{
    double last = floor(duration / fm_model_dt(fm_world_model(world)) + 0.5);
    for (;;) {
        for (fm_track *track = tracks; track && !request->no_rows; track = track->next)
            keep_row(track, world);
        if (request->watch)
            request->watch(request->user, world);
        if ((double)fm_world_tick(world) >= last)
            return FM_OK;
        fm_status status = fm_world_step(world, error);
        if (status != FM_OK)
            return status;
    }
}

fm_track *fm_figures_run_scenario(const fm_run_places *places, const fm_run_request *request, fm_arena *arena,
                                  fm_error *error)
{
    fm_model *model = load_model(places, request, error);
    if (!model)
        return NULL;
    fm_world_options options = {.seeded = request->seeded, .seed = request->seed};
    fm_world *world = fm_world_create(model, &options, error);
    double duration = request->duration > 0 ? request->duration : fm_model_duration(model);
    fm_track *tracks = world ? create_tracks(world, request, arena, duration, error) : NULL;
    if (tracks && run_world(world, request, tracks, duration, error) != FM_OK)
        tracks = NULL;
    for (fm_track *track = tracks; track; track = track->next)
        if (!keep_metrics(track, world, arena)) {
            fm_fail(error, FM_ERR_MEMORY, "out of memory for metrics");
            tracks = NULL;
            break;
        }
    fm_world_free(world);
    fm_model_free(model);
    return tracks;
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
