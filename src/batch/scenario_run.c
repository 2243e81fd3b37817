/* Whole runs of a scenario in a batch: the supported ones, and their types with everything that steers them. */
#include "batch/scenario_run.h"

#include <string.h>

#include "ask/end.h"
#include "base/error.h"
#include "batch/batch.h"
#include "batch/changes.h"
#include "batch/ground.h"
#include "batch/links.h"
#include "batch/surroundings.h"
#include "environment/environment.h"
#include "world/contact_internal.h"
#include "world/flatten.h"
#include "world/world.h"

/* Whether the water moves uniformly, or a change of the scenario may set it in motion. */
static int flows(const fm_model *model)
{
    const double *current = model->settings.current;
    int found = current[0] != 0 || current[1] != 0 || current[2] != 0;
    for (size_t i = 0; i < model->change_count; i++)
        found |= !strncmp(model->changes[i].path, "/current/", 9);
    return found;
}

fm_lane_vehicle fm_lane_view(const fm_model *model, const fm_type *type, int whole)
{
    return (fm_lane_vehicle){.parts = type->parts,
                             .part_count = type->part_count,
                             .sea = model->environment,
                             .faults = type->faults,
                             .whole = whole,
                             .rigid = type->kind->rigid,
                             .flows = flows(model)};
}

static const fm_lane_part *lanes_of(const fm_type *type, size_t part)
{
    return type->parts[part].part_class->lanes;
}

/* --- whole runs --- */

static fm_status refuse(const fm_model *model, const char *why, const char *what, fm_error *error)
{
    return fm_fail(error, FM_ERR_MODEL, "a batch cannot make a run of '%s': %s%s%s", model->vehicles[0].name,
                   what ? "<" : "", what ? what : "", why);
}

static const char *foreign_world(const fm_model *model, const fm_type *type)
{
    if (model->vehicle_count != 1 || model->settings.capacity > 1)
        return "the scenario has more than one vehicle";
    if (fm_ask_end_of(model))
        return "the condition of <end> is evaluated at every step, by worlds alone";
    for (size_t i = 0; i < model->subsystem_count; i++)
        if (model->subsystems[i].words && model->subsystems[i].subsystem->id != FM_SUBSYSTEM_CURRENTS)
            return "tethers, sound or an energy check act in the scenario";
    return type->period != 1 ? "its step is not the world's tick" : NULL;
}

/* Whether a part of the type computes this metric in lanes. */
static int keeps(const fm_type *type, const char *metric)
{
    int found = 0;
    for (size_t i = 0; i < type->part_count; i++) {
        const fm_lane_part *lanes = lanes_of(type, i);
        for (size_t k = 0; lanes && k < lanes->metric_count; k++)
            found |= !strcmp(lanes->metrics[k].name, metric);
        for (size_t k = 0; lanes && lanes->law && k < lanes->law->row_count; k++)
            found |= !strcmp(lanes->law->rows[k].name, metric);
    }
    return found;
}

/* Whether the batch does not compute a metric. */
static int is_foreign(const fm_model *model, const fm_type *type, const char *name)
{
    int of_part = 0;
    for (size_t k = 0; k < type->metric_count; k++)
        of_part |= !strcmp(type->metrics[k].name, name);
    return (of_part && !keeps(type, name)) ||
           (type->contact.clearance && !fm_ground_clears(model, type) && !strcmp(name, "min_clearance"));
}

/* A metric that the batch does not compute, of a column or read by an expression; NULL: none. */
static const char *foreign_metric(const fm_model *model, const fm_type *type, const fm_sweep *sweep)
{
    for (size_t i = 0; i < sweep->column_count; i++)
        if (!sweep->columns[i].pose && is_foreign(model, type, sweep->columns[i].metric))
            return sweep->columns[i].metric;
    for (const char *const *read = sweep->read; read && *read; read++)
        if (is_foreign(model, type, *read))
            return *read;
    return NULL;
}

/* Lanes have the end of a run: expressions about anything else are evaluated by worlds. */
static fm_status accept_asked(const fm_model *model, const fm_sweep *sweep, fm_error *error)
{
    fm_ask_panel *panel;
    char why[200];
    fm_status status = fm_sweep_ask(sweep, model, &panel, error);
    for (size_t i = 0; i < sweep->asked_count && status == FM_OK; i++)
        if (!fm_ask_probe_ends(fm_ask_panel_probe(panel, i), why, sizeof why))
            status = fm_fail(error, FM_ERR_MODEL, "%s: it is evaluated by worlds alone", why);
    fm_ask_panel_free(panel);
    return status;
}

/* What steers the vehicle, part by part in file order, and its environment. */
static fm_status accept_type(const fm_model *model, const fm_type *type, fm_error *error)
{
    const fm_lane_vehicle v = fm_lane_view(model, type, 1);
    const char *why = NULL;
    for (size_t i = type->sensor_count; i < type->sensor_count + type->controller_count; i++)
        if (!lanes_of(type, i))
            return refuse(model, "> is run by worlds alone", type->parts[i].part_class->element->name, error);
    for (size_t i = type->sensor_count; i < type->sensor_count + type->controller_count && !why; i++)
        if (lanes_of(type, i)->verdict)
            why = lanes_of(type, i)->verdict(&v, &type->parts[i]);
    if (!why)
        why = fm_links_foreign(&v);
    if (!why)
        why = fm_ground_foreign(model, type);
    return why ? refuse(model, why, NULL, error) : FM_OK;
}

/* The type after the first `count` changes: one that the kernel runs, which differs only in its numbers. */
static fm_status accept_change(const fm_model *model, size_t count, fm_error *error)
{
    fm_arena arena = {0};
    fm_type type;
    fm_status status = fm_type_change(model, count, &arena, &type, error);
    if (status == FM_OK)
        status = accept_type(model, &type, error);
    fm_flat *first = status == FM_OK ? fm_batch_run_flatten(model, 0, error) : NULL,
            *then = first ? fm_batch_run_flatten(model, count, error) : NULL;
    if (status == FM_OK && !then)
        status = error ? error->status : FM_ERR_MEMORY;
    if (status == FM_OK && !fm_flat_alike(first, then))
        status = fm_fail(error, FM_ERR_MODEL, "a batch cannot change '%s' on the way (<faults>)",
                         model->changes[count - 1].path);
    fm_free(first);
    fm_free(then);
    fm_arena_free(&arena);
    return status;
}

static fm_status accept_changes(const fm_model *model, const fm_type *type, fm_error *error)
{
    fm_status status = FM_OK;
    uint32_t row;
    for (size_t i = 0; i < model->change_count && status == FM_OK; i++) {
        if (fm_change_row(model, NULL, model->changes[i].path, &row))
            continue;
        status =
            fm_change_is_of_part(type, model->changes[i].path) || fm_change_is_of_waters(model, model->changes[i].path)
                ? accept_change(model, i + 1, error)
                : fm_fail(error, FM_ERR_MODEL, "a batch cannot change '%s' on the way (<faults>)",
                          model->changes[i].path);
    }
    return status;
}

fm_status fm_batch_accept_run(const fm_model *model, const fm_sweep *sweep, fm_error *error)
{
    const fm_type *type = model->vehicle_count ? &model->types[model->vehicles[0].type] : NULL;
    if (!type)
        return fm_fail(error, FM_ERR_MODEL, "the scenario has no vehicle");
    const char *why = foreign_world(model, type);
    fm_status status = why ? refuse(model, why, NULL, error) : fm_batch_accept(model, 0, 1, error);
    if (status == FM_OK)
        status = accept_type(model, type, error);
    if (status == FM_OK)
        status = accept_changes(model, type, error);
    if (status != FM_OK)
        return status;
    const char *metric = foreign_metric(model, type, sweep);
    if (metric)
        return fm_fail(error, FM_ERR_MODEL, "the metric '%s' is measured by worlds alone; --metric chooses others",
                       metric);
    return accept_asked(model, sweep, error);
}

/* --- the flat form --- */

/* Parts of a whole run; for a body alone the block contains only what acts on it (forces/surroundings.h). */
static size_t lane_parts(const fm_type *type, int whole)
{
    return whole ? type->part_count : 0;
}

static void count_all(const fm_model *model, const fm_type *type, int whole, fm_flat *head)
{
    const fm_lane_vehicle v = fm_lane_view(model, type, whole);
    int feels = 0;
    fm_surroundings_count(model, type, head);
    if (type->kind->lanes->count)
        type->kind->lanes->count(type, head);
    for (size_t i = 0; i < lane_parts(type, whole); i++) {
        if (lanes_of(type, i) && lanes_of(type, i)->count)
            lanes_of(type, i)->count(&v, &type->parts[i], head);
        feels |= lanes_of(type, i) && lanes_of(type, i)->feels;
    }
    if (!whole)
        return;
    fm_links_count(type, head);
    fm_ground_count(model, type, feels, head);
}

static void describe_all(const fm_model *model, const fm_type *type, int whole, fm_flat *flat)
{
    const fm_lane_vehicle v = fm_lane_view(model, type, whole);
    fm_surroundings_describe(model, type, flat);
    if (type->kind->lanes->describe)
        type->kind->lanes->describe(model->environment, type, flat);
    for (size_t i = 0; i < lane_parts(type, whole); i++)
        if (lanes_of(type, i) && lanes_of(type, i)->describe)
            lanes_of(type, i)->describe(&v, &type->parts[i], flat);
    if (whole)
        fm_links_describe(type, flat);
    fm_ground_describe(model, type, flat);
}

/* The flat form of a type with space for more records; those of the type itself are filled in. */
static fm_flat *widen(const fm_type *type, const fm_flat *plain, fm_flat *head, fm_error *error)
{
    fm_flat_lay_out(head);
    fm_flat *flat = fm_alloc(head->bytes);
    if (!flat) {
        fm_fail(error, FM_ERR_MEMORY, "no memory for the flat form of type '%s'", type->name);
        return NULL;
    }
    *flat = *head;
    for (int s = 0; s < FM_FLAT_SECTIONS; s++)
        if (plain->count[s])
            memcpy(fm_flat_array(flat, s), fm_flat_array(plain, s), plain->count[s] * fm_flat_record(plain, s));
    return flat;
}

static fm_flat *flatten(const fm_model *model, const fm_type *type, int whole, fm_error *error)
{
    fm_flat *plain = fm_type_flatten(type, error);
    if (!plain)
        return NULL;
    fm_flat head = *plain;
    count_all(model, type, whole, &head);
    fm_flat *flat = widen(type, plain, &head, error);
    if (flat)
        describe_all(model, type, whole, flat);
    fm_free(plain);
    return flat;
}

fm_flat *fm_body_flatten(const fm_model *model, const fm_type *type, fm_error *error)
{
    return flatten(model, type, 0, error);
}

fm_flat *fm_batch_run_flatten(const fm_model *model, size_t changes, fm_error *error)
{
    fm_arena arena = {0};
    fm_type type;
    fm_flat *flat = NULL;
    fm_model then = *model;
    fm_world *sea = NULL;
    for (size_t i = 0; i < changes && !sea; i++) {
        if (!fm_change_is_of_waters(model, model->changes[i].path))
            continue;
        if (!(sea = fm_waters_change(model, changes, error)))
            return NULL;
        then.environment = sea->environment;
    }
    if (fm_type_change(model, changes, &arena, &type, error) == FM_OK)
        flat = flatten(&then, &type, 1, error);
    fm_arena_free(&arena);
    fm_world_free(sea);
    return flat;
}

/* Force terms, which come last, before what steers. */
const struct fm_wall_table *fm_batch_run_table(const fm_model *model)
{
    const fm_type *type = &model->types[model->vehicles[0].type];
    const fm_lane_vehicle v = fm_lane_view(model, type, 1);
    for (size_t i = type->part_count; i-- > 0;)
        if (lanes_of(type, i) && lanes_of(type, i)->walls)
            return lanes_of(type, i)->walls(&v, &type->parts[i]);
    return NULL;
}

fm_status fm_batch_run_start(const fm_model *model, size_t vehicle, double state[13], double words[3], fm_error *error)
{
    fm_world *world = fm_world_create(model, NULL, error);
    if (!world)
        return error ? error->status : FM_ERR_MEMORY;
    const fm_slot *slot = &world->slots[vehicle];
    memcpy(state, slot->vehicle->body.position, 13 * sizeof *state);
    memcpy(words, fm_vehicle_words(slot->vehicle, slot->type->kind_block), 3 * sizeof *words);
    fm_world_free(world);
    return FM_OK;
}
