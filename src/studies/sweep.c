#include "studies/sweep.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "batch/scenario_run.h"
#include "run/row.h"
#include "scenario/load.h"
#include "studies/lane_runs.h"
#include "studies/parameter.h"
#include "world/model.h"

/* --- models --- */

/* Words may name other models, which only the loader lays under vehicles. */
static bool varies_numbers(const fm_sweep_plan *plan)
{
    for (size_t i = 0; i < plan->axis_count; i++)
        if (plan->axes[i].kind == FM_AXIS_WORDS)
            return false;
    return true;
}

fm_model *fm_sweep_load(fm_sweep *sweep, const double *values, fm_error *error)
{
    const fm_sweep_plan *plan = sweep->plan;
    const fm_load_options *given = sweep->options.load;
    char sets[FM_AXES_MOST][2 * FM_AXIS_PATH], value[FM_AXIS_PATH];
    const char *all[FM_AXES_MOST + 256];
    size_t count = 0;
    for (size_t i = 0; given && i < given->set_count && count < 256; i++)
        all[count++] = given->set[i];
    const size_t own = count;
    for (size_t i = 0; i < plan->axis_count; i++) {
        if (plan->axes[i].seed)
            continue;
        snprintf(sets[i], sizeof sets[i], "%s=%s", plan->axes[i].path,
                 fm_axis_write(&plan->axes[i], values[i], value, sizeof value));
        all[count++] = sets[i];
    }
    fm_load_options options = given ? *given : (fm_load_options){0};
    options.set = all;
    options.set_count = count;
    options.report = options.warn = NULL;
    fm_file_info file = fm_model_file(sweep->model, 0);
    if (sweep->loads_alone)
        pthread_mutex_lock(&sweep->loading);
    fm_model *model = varies_numbers(plan) ? fm_model_vary(sweep->model, all + own, count - own, NULL) : NULL;
    if (!model)
        model = fm_model_load_memory(file.data, file.size, file.path, &options, error);
    if (sweep->loads_alone)
        pthread_mutex_unlock(&sweep->loading);
    return model;
}

/* --- columns --- */

static void find_metric(const fm_world *world, int slot, size_t i, fm_sweep_column *column)
{
    size_t metrics = fm_world_metric_count(world, slot);
    column->pose = i >= metrics;
    column->index = column->pose ? 1 + i - metrics : i;
    char text[sizeof column->text];
    const char *unit, *name;
    if (column->pose) {
        name = fm_row_name(world, slot, column->index);
        unit = fm_row_unit(world, slot, column->index);
        snprintf(text, sizeof text, "%s at the end of the run", name);
    } else {
        fm_metric_info info = fm_world_metric(world, slot, i);
        name = info.name, unit = info.unit;
        snprintf(text, sizeof text, "%s", info.text ? info.text : "");
    }
    snprintf(column->vehicle, sizeof column->vehicle, "%s", fm_world_name(world, slot));
    snprintf(column->metric, sizeof column->metric, "%s", name);
    snprintf(column->name, sizeof column->name, "%s.%s", column->vehicle, column->metric);
    snprintf(column->unit, sizeof column->unit, "%s", unit);
    snprintf(column->text, sizeof column->text, "%s", text);
}

/* By its name: another model may have it at another index. */
static double read_column(const fm_world *world, const fm_sweep_column *column)
{
    int slot = fm_world_find(world, column->vehicle);
    if (slot < 0)
        return NAN;
    if (column->pose) {
        double row[FM_ROW_POSE];
        fm_row_read(world, slot, row, FM_ROW_POSE);
        return row[column->index];
    }
    size_t count = fm_world_metric_count(world, slot);
    for (size_t i = 0; i < count; i++) {
        fm_metric_info info = fm_world_metric(world, slot, (column->index + i) % count);
        if (!strcmp(info.name, column->metric))
            return info.value;
    }
    return NAN;
}

void fm_sweep_read(const fm_sweep *s, const fm_world *world, fm_ask_panel *panel, double *row)
{
    if (panel)
        fm_ask_panel_note(panel, world);
    for (size_t i = 0; i < s->column_count; i++)
        row[i] =
            s->columns[i].asked ? fm_ask_panel_value(panel, s->columns[i].index) : read_column(world, &s->columns[i]);
}

/* --- expressions --- */

fm_status fm_sweep_ask(const fm_sweep *s, const fm_model *model, fm_ask_panel **panel, fm_error *error)
{
    *panel = s->asked_count ? fm_ask_panel_create(model, s->asked, s->asked_count, error) : NULL;
    return s->asked_count && !*panel ? FM_ERR_MODEL : FM_OK;
}

/* The metrics that the expressions read, and whether they look at every step. */
static fm_status note_needs(fm_sweep *s, const fm_ask_panel *panel, fm_error *error)
{
    size_t count = 0, most = 0;
    char why[160];
    for (size_t i = 0; i < s->asked_count; i++)
        most += fm_ask_input_count(fm_ask_probe_ask(fm_ask_panel_probe(panel, i)));
    if (!(s->read = fm_arena_alloc(&s->arena, (most + 1) * sizeof *s->read)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for expressions");
    for (size_t i = 0; i < s->asked_count; i++) {
        const fm_ask_probe *probe = fm_ask_panel_probe(panel, i);
        s->asks_steps |= !fm_ask_probe_ends(probe, why, sizeof why);
        for (size_t k = 0; k < fm_ask_input_count(fm_ask_probe_ask(probe)); k++) {
            int vehicle;
            const char *metric = fm_ask_probe_metric(probe, k, &vehicle);
            if (metric && !(s->read[count++] = fm_arena_text(&s->arena, metric)))
                return fm_fail(error, FM_ERR_MEMORY, "no memory for expressions");
        }
    }
    return FM_OK;
}

static fm_status list_asked(fm_sweep *s, const fm_model *model, fm_error *error)
{
    const fm_sweep_options *o = &s->options;
    if (!(s->asked = fm_arena_alloc(&s->arena, (o->metric_count + 1) * sizeof *s->asked)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for expressions");
    for (size_t k = 0; k < o->metric_count; k++)
        if (fm_ask_is_expression(o->metrics[k]) &&
            !(s->asked[s->asked_count++] = fm_arena_text(&s->arena, o->metrics[k])))
            return fm_fail(error, FM_ERR_MEMORY, "no memory for expressions");
    fm_ask_panel *panel;
    fm_status status = fm_sweep_ask(s, model, &panel, error);
    if (status != FM_OK || !panel)
        return status;
    for (size_t i = 0; i < s->asked_count; i++) {
        const fm_ask *ask = fm_ask_probe_ask(fm_ask_panel_probe(panel, i));
        fm_sweep_column *column = &s->columns[s->column_count++];
        *column = (fm_sweep_column){.index = i, .asked = s->asked[i]};
        snprintf(column->name, sizeof column->name, "%s", fm_ask_panel_name(panel, i));
        snprintf(column->unit, sizeof column->unit, "%s", fm_ask_unit(ask));
        fm_text_print(column->text, sizeof column->text, "%s", fm_ask_text(ask));
    }
    status = note_needs(s, panel, error);
    fm_ask_panel_free(panel);
    return status;
}

/* Whether it was requested: by its name, by a pattern, or as one of all metrics. Counts the matches of each. */
static bool is_wanted(const fm_sweep_options *o, const char *name, bool pose, size_t *found)
{
    bool wanted = o->metric_count == 0 && !pose;
    for (size_t k = 0; k < o->metric_count; k++)
        if (!strcmp(o->metrics[k], name) || (strpbrk(o->metrics[k], "*?[") && fnmatch(o->metrics[k], name, 0) == 0)) {
            found[k]++;
            wanted = true;
        }
    return wanted;
}

/* Lists the choices: all metrics of the first vehicle, as many as fit. */
static fm_status tell_unknown(const char *wanted, const fm_nearest *nearest, const fm_world *world, fm_error *error)
{
    char hint[200], all[280];
    fm_sweep_column column = {0};
    size_t used = 0, count = 0;
    int slot = 0;
    while (slot + 1 < fm_world_slots(world) && !fm_world_name(world, slot))
        slot++;
    count = fm_world_name(world, slot) ? fm_world_metric_count(world, slot) : 0;
    all[0] = 0;
    for (size_t i = 0; i < count; i++) {
        find_metric(world, slot, i, &column);
        if (used + strlen(column.metric) + 8 < sizeof all)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s, ", column.metric);
        else if (i + 1 == count)
            snprintf(all + used, sizeof all - used, "…, ");
    }
    return fm_fail(error, FM_ERR_NAME,
                   "no vehicle of the scenario ends with a metric '%.80s'%s: must be VEHICLE.NAME or patterns of it; "
                   "'%s' has %sand, at the end, x, y, z, phi, theta, psi, u, v, w, p, q, r",
                   wanted, fm_nearest_write(nearest, hint, sizeof hint), column.vehicle, all);
}

static fm_status find_columns(fm_sweep *s, const fm_world *world, fm_error *error)
{
    size_t room = s->options.metric_count, found[256] = {0};
    fm_sweep_options *o = &s->options;
    for (int slot = 0; slot < fm_world_slots(world); slot++)
        room += fm_world_metric_count(world, slot) + FM_ROW_POSE;
    s->columns = fm_arena_alloc(&s->arena, (room + 1) * sizeof *s->columns);
    fm_nearest *near = fm_arena_alloc(&s->arena, (o->metric_count + 1) * sizeof *near);
    if (!s->columns || !near)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the metrics");
    for (size_t k = 0; k < o->metric_count; k++)
        near[k].wanted = o->metrics[k];
    for (int slot = 0; slot < fm_world_slots(world); slot++) {
        size_t metrics = fm_world_name(world, slot) ? fm_world_metric_count(world, slot) : 0;
        for (size_t i = 0; metrics && i < metrics + FM_ROW_POSE - 1; i++) {
            fm_sweep_column *column = &s->columns[s->column_count];
            find_metric(world, slot, i, column);
            for (size_t k = 0; k < o->metric_count; k++)
                fm_nearest_offer(&near[k], fm_arena_text(&s->arena, column->name));
            s->column_count += is_wanted(o, column->name, column->pose, found);
        }
    }
    for (size_t k = 0; k < o->metric_count; k++)
        if (!found[k] && !fm_ask_is_expression(o->metrics[k]))
            return tell_unknown(o->metrics[k], &near[k], world, error);
    return FM_OK;
}

/* --- axes --- */

static fm_status check_seeds(const fm_sweep_axis *axis, fm_error *error)
{
    bool fine = axis->kind == FM_AXIS_NUMBERS && !axis->unit[0];
    for (size_t i = 0; fine && i < axis->count; i++)
        fine =
            axis->values[i] >= 0 && floor(axis->values[i]) == axis->values[i] && axis->values[i] <= 9007199254740992.0;
    return fine ? FM_OK
                : fm_fail(error, FM_ERR_RANGE, "'%s': seeds are whole numbers from 0 to 2^53, listed or as a range",
                          axis->path);
}

/* The type of the parameter, and whether the numbers suit it. Loading refuses an unknown path. */
static fm_status describe_axis(fm_sweep *s, fm_sweep_axis *axis, const fm_model *model, fm_error *error)
{
    fm_parameter p;
    fm_unit unit, own;
    char text[512];
    if (!fm_parameter_find(model, axis->path, &p))
        return FM_OK;
    const char *part = p.number >= 0 ? strrchr(axis->path, '/') + 1 : NULL;
    snprintf(text, sizeof text, "%s%s%s", p.info.text ? p.info.text : "", part ? ": " : "", part ? part : "");
    axis->text = fm_arena_text(&s->arena, text);
    axis->vector = part ? fm_arena_text(&s->arena, p.info.path) : NULL;
    if (!axis->text || (part && !axis->vector))
        return fm_fail(error, FM_ERR_MEMORY, "no memory");
    if (axis->kind != FM_AXIS_WORDS && axis->unit[0] && fm_unit_parse(axis->unit, &unit, error) == FM_OK &&
        fm_unit_parse(p.info.unit, &own, error) == FM_OK && !fm_unit_compatible(&unit, &own))
        return fm_fail(error, FM_ERR_UNIT, "'%s' is in %s, not in %s", axis->path, p.info.unit, axis->unit);
    return FM_OK;
}

/* A vector and one of its numbers: the first would have no effect. */
static fm_status check_overlap(const fm_sweep_plan *plan, fm_error *error)
{
    for (size_t i = 0; i < plan->axis_count; i++)
        for (size_t k = 0; plan->axes[i].vector && k < plan->axis_count; k++)
            if (fm_text_name_equal(plan->axes[i].vector, plan->axes[k].path))
                return fm_fail(error, FM_ERR_NAME, "'%.160s' and '%.160s' vary the same number", plan->axes[k].path,
                               plan->axes[i].path);
    return FM_OK;
}

/* An expression may be called like a metric. */
static fm_status check_names(const fm_sweep *s, fm_error *error)
{
    for (size_t i = 0; i < s->column_count; i++)
        for (size_t k = 0; s->columns[i].asked && k < i; k++)
            if (!strcmp(s->columns[i].name, s->columns[k].name))
                return fm_fail(error, FM_ERR_NAME, "two columns are called '%s': give the expression another name",
                               s->columns[i].name);
    return FM_OK;
}

/* Loads the scenario with the values of the first run, and finds the columns. */
static fm_status try_first(fm_sweep *s, fm_error *error)
{
    double values[FM_AXES_MOST];
    fm_status status = FM_OK;
    for (size_t i = 0; i < s->plan->axis_count && status == FM_OK; i++)
        if (s->plan->axes[i].seed)
            status = check_seeds(&s->plan->axes[i], error);
    if (status != FM_OK)
        return status;
    fm_plan_values(s->plan, 0, values);
    fm_model *model = fm_sweep_load(s, values, error);
    if (!model)
        return error ? error->status : FM_ERR_MODEL;
    for (size_t i = 0; i < s->plan->axis_count && status == FM_OK; i++)
        status = describe_axis(s, &s->plan->axes[i], model, error);
    if (status == FM_OK)
        status = check_overlap(s->plan, error);
    fm_world *world = status == FM_OK ? fm_world_create(model, NULL, error) : NULL;
    if (status == FM_OK)
        status = world ? find_columns(s, world, error) : FM_ERR_MEMORY;
    if (status == FM_OK)
        status = list_asked(s, model, error);
    if (status == FM_OK)
        status = check_names(s, error);
    if (status == FM_OK)
        (void)fm_batch_accept_run(model, s, &s->refused);
    if (status == FM_OK)
        status = fm_sweep_list_series(s, model, error);
    fm_world_free(world);
    fm_model_free(model);
    return status;
}

/* --- identity --- */

static void hash_bytes(uint64_t *hash, const void *bytes, size_t size)
{
    for (const unsigned char *b = bytes; size-- > 0; b++)
        *hash = (*hash ^ *b) * 0x100000001b3u;
}

static void hash_text(uint64_t *hash, const char *text)
{
    hash_bytes(hash, text, strlen(text) + 1);
}

/* A data file, which a model does not store. */
static fm_status hash_file(uint64_t *hash, const char *path, fm_error *error)
{
    char bytes[65536];
    FILE *file = fopen(path, "rb");
    size_t size = 0;
    while (file && (size = fread(bytes, 1, sizeof bytes, file)) > 0)
        hash_bytes(hash, bytes, size);
    bool failed = !file || ferror(file);
    if (file)
        fclose(file);
    return failed ? fm_fail(error, FM_ERR_FILE, "%s: cannot be read: %s", path, strerror(errno)) : FM_OK;
}

static fm_status identify(fm_sweep *s, fm_error *error)
{
    uint64_t hash = 0xcbf29ce484222325u;
    char *plan = fm_plan_write(s->plan);
    if (!plan)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the plan");
    hash_text(&hash, FATHOM_VERSION);
    hash_text(&hash, plan);
    fm_free(plan);
    for (size_t i = 0; i < fm_model_file_count(s->model); i++) {
        fm_file_info file = fm_model_file(s->model, i);
        if (file.data)
            hash_bytes(&hash, file.data, file.size);
        else if (hash_file(&hash, file.path, error) != FM_OK)
            return FM_ERR_FILE;
    }
    for (size_t i = 0; i < s->model->plugin_count; i++)
        hash_bytes(&hash, &s->model->plugins[i].hash, sizeof s->model->plugins[i].hash);
    for (size_t i = 0; s->options.load && i < s->options.load->set_count; i++)
        hash_text(&hash, s->options.load->set[i]);
    for (size_t i = 0; i < s->column_count; i++)
        hash_text(&hash, s->columns[i].asked ? s->columns[i].asked : s->columns[i].name);
    for (size_t i = 0; i < s->series_count; i++)
        hash_text(&hash, s->courses[i]);
    if (s->series_count)
        hash_bytes(&hash, &s->options.every, sizeof s->options.every);
    hash_bytes(&hash, &s->options.duration, sizeof s->options.duration);
    if (s->options.single || s->options.backend == FM_SWEEP_CUDA) /* other bits than those of worlds */
        hash_text(&hash, s->options.backend == FM_SWEEP_CUDA ? (s->options.single ? "cuda float" : "cuda") : "float");
    s->identity = hash;
    return FM_OK;
}

/* --- create and free --- */

static fm_status make_table(fm_sweep *s, fm_error *error)
{
    size_t cells;
    if (__builtin_mul_overflow(s->plan->total, s->width, &cells) ||
        !(s->values = fm_alloc((cells + 1) * sizeof *s->values)) || !(s->outcomes = fm_alloc(s->plan->total + 1)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the results of %zu runs", s->plan->total);
    for (size_t i = 0; i < cells; i++)
        s->values[i] = NAN;
    return FM_OK;
}

/* NetCDF's library supports one thread at a time. */
static int reads_netcdf(const fm_model *model)
{
    for (size_t i = 0; i < fm_model_file_count(model); i++) {
        const char *path = fm_model_file(model, i).path;
        size_t length = path ? strlen(path) : 0;
        if (length > 3 && !strcmp(path + length - 3, ".nc"))
            return 1;
    }
    return 0;
}

fm_status fm_sweep_create(fm_sweep_plan *plan, const fm_model *model, const fm_sweep_options *options, fm_sweep **sweep,
                          fm_error *error)
{
    fm_sweep *s = *sweep = fm_alloc(sizeof *s);
    if (!s)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a sweep");
    s->plan = plan;
    s->model = model;
    s->options = *options;
    s->loads_alone = reads_netcdf(model);
    pthread_mutex_init(&s->loading, NULL);
    pthread_mutex_init(&s->lock, NULL);
    fm_status status = fm_plan_close(plan, error);
    if (status == FM_OK)
        status = try_first(s, error);
    if (status == FM_OK)
        status = make_table(s, error);
    return status == FM_OK ? identify(s, error) : status;
}

void fm_sweep_free(fm_sweep *sweep)
{
    if (!sweep)
        return;
    pthread_mutex_destroy(&sweep->loading);
    pthread_mutex_destroy(&sweep->lock);
    fm_free(sweep->values);
    fm_free(sweep->outcomes);
    fm_arena_free(&sweep->arena);
    fm_free(sweep);
}

/* --- run --- */

size_t fm_sweep_portion(size_t left, size_t workers, size_t least, size_t most)
{
    size_t part = workers > 1 ? left / (2 * workers) : left;
    part = part < least ? least : part > most ? most : part;
    return part < left ? part : left;
}

bool fm_sweep_next(fm_sweep *s, size_t workers, size_t least, size_t most, size_t *first, size_t *end)
{
    if (atomic_load_explicit(&s->stop, memory_order_relaxed))
        return false;
    if (s->source)
        return s->source->take(s->source->user, least, most, first, end);
    pthread_mutex_lock(&s->lock);
    *first = s->handed;
    *end = s->handed += fm_sweep_portion(s->plan->total - s->handed, workers, least, most);
    pthread_mutex_unlock(&s->lock);
    return *first < *end;
}

void fm_sweep_note(fm_sweep *s, size_t run, fm_outcome outcome, const double *values, const fm_error *failure)
{
    pthread_mutex_lock(&s->lock);
    memcpy(s->values + run * s->width, values, s->width * sizeof *values);
    s->outcomes[run] = (uint8_t)outcome;
    s->failed += outcome == FM_OUTCOME_FAILED;
    atomic_fetch_add(&s->made, 1);
    if (s->options.done)
        s->options.done(s->options.user, s, run, failure);
    pthread_mutex_unlock(&s->lock);
}

fm_status fm_sweep_run(fm_sweep *sweep, fm_error *error)
{
    const fm_sweep_options *o = &sweep->options;
    int by_worlds = o->backend == FM_SWEEP_WORLDS || (o->backend == FM_SWEEP_AUTO && sweep->refused.status != FM_OK);
    if (by_worlds && o->single)
        return fm_fail(error, FM_ERR_ARGUMENT, "worlds do not support precision float%s%s",
                       sweep->refused.status != FM_OK ? "; " : "", sweep->refused.text);
    if (!by_worlds && sweep->refused.status != FM_OK) {
        if (error)
            *error = sweep->refused;
        return sweep->refused.status;
    }
    if (!by_worlds)
        return fm_sweep_run_lanes(sweep, o->backend == FM_SWEEP_CUDA ? FM_BATCH_CUDA : FM_BATCH_SIMD, o->single, error);
    snprintf(sweep->engine, sizeof sweep->engine, "worlds");
    return fm_sweep_run_worlds(sweep, error);
}
