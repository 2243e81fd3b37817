/* Queries of callers to a model, its destruction, and the layout of a vehicle's record. Scenarios are read in
 * src/scenario. */
#include "world/model.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/part_class.h"
#include "base/text.h"
#include "environment/environment.h"
#include "world/world.h"

void fm_model_free(fm_model *model)
{
    if (!model)
        return;
    for (const fm_release *r = model->releases; r; r = r->next)
        r->release(r->thing);
    if (model->free_source)
        model->free_source(model->source);
    for (size_t i = 0; i < model->param_range_count; i++)
        fm_free(model->params[i].described);
    if (!model->environment_shared)
        fm_environment_free((fm_environment *)(uintptr_t)model->environment);
    fm_arena_free(&model->arena);
    fm_free(model);
}

/* --- where it came from --- */

const char *fm_model_title(const fm_model *model)
{
    return model ? model->title : "";
}

size_t fm_model_file_count(const fm_model *model)
{
    return model ? model->file_count : 0;
}

fm_file_info fm_model_file(const fm_model *model, size_t i)
{
    return i < fm_model_file_count(model) ? model->files[i] : (fm_file_info){0};
}

/* --- what is in it --- */

fm_part_role fm_part_role_of(const fm_part_class *part_class)
{
    static const char *const names[] = {[FM_ROLE_GPS] = "gps",
                                        [FM_ROLE_LATERAL_LINE] = "lateral-line",
                                        [FM_ROLE_MODEM] = "modem",
                                        [FM_ROLE_TRANSDUCER] = "transducer"};
    for (size_t i = 1; i < FM_COUNT(names); i++)
        if (fm_class_is(part_class, names[i]))
            return (fm_part_role)i;
    return FM_ROLE_NONE;
}

int fm_type_find_part(const fm_type *type, fm_part_role role, const char *name)
{
    for (size_t i = 0; i < type->part_count; i++)
        if (type->parts[i].role == role && (!name || !*name || strcmp(type->parts[i].name, name) == 0))
            return (int)i;
    return -1;
}

double fm_model_dt(const fm_model *model)
{
    return model ? model->settings.dt : 0;
}

uint64_t fm_model_ticks(const fm_model *model, double seconds)
{
    double ticks = model ? floor(seconds / model->settings.dt + 0.5) : 0;
    if (!(ticks > 0))
        return 0;
    return ticks < 1e18 ? (uint64_t)ticks : UINT64_MAX;
}

double fm_model_duration(const fm_model *model)
{
    return model ? model->settings.duration : 0;
}

uint64_t fm_model_seed(const fm_model *model)
{
    return model ? model->settings.seed : 0;
}

size_t fm_model_vehicle_count(const fm_model *model)
{
    return model ? model->vehicle_count : 0;
}

size_t fm_model_param_count(const fm_model *model)
{
    return model ? model->param_count : 0;
}

/* Threads that ask at once describe the range each for itself; the first is kept. */
const fm_param_info *fm_model_infos(const fm_model *model, fm_param_range *range)
{
    fm_param_info *there = atomic_load_explicit(&range->described, memory_order_acquire);
    if ((!range->path && !range->renewal) || there)
        return there ? there : range->infos;
    fm_param_info *made = model->describe_params(range);
    if (made && !atomic_compare_exchange_strong(&range->described, &there, made)) {
        fm_free(made);
        made = there;
    }
    return made;
}

fm_param_info fm_model_param(const fm_model *model, size_t i)
{
    size_t low = 0, high = model ? model->param_range_count : 0;
    if (i >= fm_model_param_count(model))
        return (fm_param_info){0};
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (model->params[middle].first <= i)
            low = middle;
        else
            high = middle;
    }
    const fm_param_info *infos = fm_model_infos(model, &model->params[low]);
    return infos ? infos[i - model->params[low].first]
                 : (fm_param_info){.path = "", .unit = "", .text = "", .value = "", .fallback = "", .written = ""};
}

const fm_param_info *fm_model_find_param(const fm_model *model, const char *path)
{
    for (size_t r = 0; r < model->param_range_count; r++) {
        fm_param_range *range = &model->params[r];
        if (range->path && !fm_text_name_begins(path, range->path))
            continue;
        const fm_param_info *infos = fm_model_infos(model, range);
        for (size_t i = 0; infos && i < range->count; i++)
            if (fm_text_name_equal(infos[i].path, path))
                return &infos[i];
    }
    return NULL;
}

/* --- the record of a vehicle --- */

static fm_block take(uint32_t *at, size_t words)
{
    fm_block block = {*at, (uint32_t)words};
    *at += (uint32_t)words;
    return block;
}

static void make_craft(fm_type *type)
{
    type->body.full_coriolis = type->full_coriolis;
    type->body.added_mass = type->weights.added_mass;
    if (!type->body.hull.count)
        type->body.hull.reach = -FM_HUGE;
    type->craft = (fm_craft){.body = type->body,
                             .mass = &type->mass,
                             .weights = &type->weights,
                             .moving = type->moving,
                             .actuators = type->actuators,
                             .faults = type->faults,
                             .battery = &type->battery,
                             .tables = type->tables,
                             .table_numbers = (int32_t)type->table_numbers,
                             .moving_count = (int32_t)type->moving_count,
                             .actuator_count = (int32_t)type->actuator_count,
                             .has_battery = type->battery.capacity > 0,
                             .has_dynamics = type->has_dynamics,
                             .full_coriolis = type->full_coriolis,
                             .integrator = (int32_t)type->integrator,
                             .substeps = type->substeps,
                             .tolerance = type->tolerance,
                             .step_s = type->step_s};
}

void fm_type_lay_out(fm_type *type)
{
    make_craft(type);
    uint32_t at = (uint32_t)(sizeof(fm_vehicle) / 8);
    type->actuator_block = take(&at, type->actuator_count * sizeof(fm_actuator_state) / 8);
    type->fault_block = take(&at, type->actuator_count * sizeof(fm_actuator_fault) / 8);
    type->metric_block = take(&at, type->metric_count * sizeof(fm_metric_state) / 8);
    type->kind_block = take(&at, type->kind_block.words);
    type->touch_block = take(&at, type->touch_block.words);
    type->partner_block = take(&at, type->partner_block.words);
    for (size_t i = 0; i < type->part_count; i++) {
        fm_part *part = &type->parts[i];
        part->live = take(&at, part->live.words);
        part->state = take(&at, part->state.words);
        part->output = take(&at, part->output.words);
    }
    type->delay_block = take(&at, type->delay_block.words);
    type->record_words = at;
}

void fm_type_weigh(const fm_type *loaded, double ratio, void *config, fm_type *out)
{
    const fm_kind *kind = loaded->kind;
    *out = *loaded;
    if (kind->config_size)
        out->kind_config = memcpy(config, loaded->kind_config, kind->config_size);
    if (kind->weigh)
        kind->weigh(out, ratio);
    make_craft(out);
}
