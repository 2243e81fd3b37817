#include "batch/surroundings.h"

#include <string.h>

#include "base/error.h"
#include "batch/changes.h"
#include "batch/scenario_run.h"
#include "environment/environment.h"
#include "forces/surroundings.h"

static const fm_part *force_of(const fm_type *type, size_t i)
{
    return &type->parts[type->force_first + i];
}

/* --- what there is --- */

static const char *foreign_current(const fm_current *current)
{
    int drifts = 0;
    for (size_t i = 0; i < current->count; i++) {
        if (current->components[i].kind == FM_CURRENT_GRID)
            return "the current is that of a file's grid";
        drifts += current->components[i].kind == FM_CURRENT_GAUSS_MARKOV;
    }
    return drifts > FM_SURROUNDINGS_DRIFTS ? "the current has more than 8 random components" : NULL;
}

static const char *foreign_forces(const fm_model *model, const fm_type *type, int whole)
{
    const fm_lane_vehicle v = fm_lane_view(model, type, whole);
    const char *why = NULL;
    for (size_t i = 0; i < type->force_count && !why; i++) {
        const fm_lane_part *lanes = force_of(type, i)->part_class->lanes;
        if (!lanes || !lanes->term)
            return "it has a force term that only a world has (of a plugin)";
        why = lanes->verdict ? lanes->verdict(&v, force_of(type, i)) : NULL;
    }
    return why;
}

/* Why only a world supports these waves: initial states in them differ in each run. */
static const char *foreign_waves(const fm_environment *e, const fm_type *type, int whole)
{
    if (!e->sea.count)
        return NULL;
    if (!whole)
        return "the sea has waves, and a batch knows them in whole runs alone";
    if (!type->kind->rigid)
        return "its kind is not a rigid body, and the sea has waves";
    return type->period > 1 ? "its step is not the world's tick, and the sea has waves" : NULL;
}

const char *fm_surroundings_foreign(const fm_model *model, const fm_type *type, int whole)
{
    const fm_environment *e = model->environment;
    const char *why = foreign_forces(model, type, whole);
    if (!why)
        why = foreign_waves(e, type, whole);
    if (!why)
        why = foreign_current(&e->current);
    if (why)
        return why;
    if (e->stratified && e->column.density == 0 && e->column.conductivity_mode != FM_CONDUCTIVITY_PHYSICAL)
        return "the water's density follows from its conductivity";
    if (e->current.count && type->period > 1)
        return "its step is not the world's tick, and the current changes";
    return NULL;
}

/* --- the flat form --- */

static void count_currents(const fm_current *current, fm_flat *head)
{
    head->count[FM_FLAT_CURRENTS] = (uint32_t)current->count;
    for (size_t i = 0; i < current->count; i++) {
        const fm_current_component *c = &current->components[i];
        head->count[FM_FLAT_VORTICES] += c->kind == FM_CURRENT_VORTEX;
        head->count[FM_FLAT_JETS] += c->kind == FM_CURRENT_JET;
        head->count[FM_FLAT_STREETS] += c->kind == FM_CURRENT_STREET;
        if (c->kind == FM_CURRENT_TIDE)
            head->count[FM_FLAT_TIDES] += (uint32_t)c->tide.count;
        if (c->kind == FM_CURRENT_PROFILE)
            head->count[FM_FLAT_LEVELS] += 4 * (uint32_t)c->profile.count;
    }
}

/* Whether temperature and salinity of the water affect vehicles of this type. */
static bool has_column(const fm_environment *e, const fm_type *type)
{
    return e->stratified || type->mass.expansion != 0;
}

static void count_water(const fm_environment *e, const fm_type *type, fm_flat *head)
{
    head->count[FM_FLAT_WATER] = 1;
    if (!has_column(e, type))
        return;
    head->count[FM_FLAT_SPOTS] = (uint32_t)(e->column.temperature.spot_count + e->column.salinity.spot_count);
    if (e->column.profile)
        head->count[FM_FLAT_LEVELS] += 3 * (uint32_t)e->column.profile->count;
}

void fm_surroundings_count(const fm_model *model, const fm_type *type, fm_flat *head)
{
    const fm_environment *e = model->environment;
    fm_force_term term;
    count_currents(&e->current, head);
    head->count[FM_FLAT_SEA] = e->sea.count > 0;
    head->count[FM_FLAT_GRID] = e->sea.count > 0 && type->body.grid;
    if (has_column(e, type) || type->force_count || fm_change_has_density(model))
        count_water(e, type, head);
    head->count[FM_FLAT_FORCE_TERMS] = (uint32_t)type->force_count;
    for (size_t i = 0; i < type->force_count; i++) {
        term = (fm_force_term){0};
        force_of(type, i)->part_class->lanes->term(force_of(type, i)->config, e->wind, &term, NULL, 0);
        head->count[FM_FLAT_LEVELS] += 3 * (uint32_t)term.count;
        head->nears |= term.kind == FM_FORCE_NEAR_WALL;
    }
}

/* Index of the next record of each section. */
typedef struct cursor {
    int32_t tides, vortices, jets, streets, levels;
} cursor;

static void describe_profile(const fm_current_profile *p, fm_current_part *part, double *levels, cursor *next)
{
    part->first = next->levels;
    part->count = (int32_t)p->count;
    memcpy(levels + part->first, p->depth, p->count * sizeof *levels);
    memcpy(levels + part->first + part->count, p->velocity, 3 * p->count * sizeof *levels);
    next->levels += 4 * part->count;
}

static void describe_current(const fm_current_component *c, fm_flat *flat, fm_current_part *part, cursor *next)
{
    part->kind = (int32_t)c->kind;
    switch (c->kind) {
    case FM_CURRENT_UNIFORM: memcpy(part->uniform, c->uniform, sizeof part->uniform); break;
    case FM_CURRENT_GAUSS_MARKOV: part->gauss_markov = c->gauss_markov; break;
    case FM_CURRENT_PROFILE: describe_profile(&c->profile, part, fm_flat_array(flat, FM_FLAT_LEVELS), next); break;
    case FM_CURRENT_TIDE:
        part->first = next->tides;
        part->count = (int32_t)c->tide.count;
        next->tides += part->count;
        memcpy((fm_tide_constituent *)fm_flat_array(flat, FM_FLAT_TIDES) + part->first, c->tide.constituents,
               c->tide.count * sizeof *c->tide.constituents);
        break;
    case FM_CURRENT_VORTEX:
        part->first = next->vortices++;
        ((fm_current_vortex *)fm_flat_array(flat, FM_FLAT_VORTICES))[part->first] = c->vortex;
        break;
    case FM_CURRENT_JET:
        part->first = next->jets++;
        ((fm_current_jet *)fm_flat_array(flat, FM_FLAT_JETS))[part->first] = c->jet;
        break;
    case FM_CURRENT_STREET:
        part->first = next->streets++;
        ((fm_vortex_street *)fm_flat_array(flat, FM_FLAT_STREETS))[part->first] = c->street;
        break;
    case FM_CURRENT_GRID: break; /* refused */
    }
}

static void copy_spots(const fm_water_field *field, fm_spot *to)
{
    if (field->spot_count)
        memcpy(to, field->spots, field->spot_count * sizeof *to);
}

static void describe_water(const fm_model *model, const fm_type *type, fm_flat *flat, cursor *next)
{
    const fm_environment *e = model->environment;
    fm_batch_water *w = fm_flat_array(flat, FM_FLAT_WATER);
    w->nominal = model->settings.density;
    w->everywhere = e->stratified ? e->column.density : e->density;
    if (!has_column(e, type))
        return;
    w->temperature = e->column.temperature.profile;
    w->salinity = e->column.salinity.profile;
    memcpy(w->pressure, e->column.pressure, sizeof w->pressure);
    w->temperature_spot_count = (int32_t)e->column.temperature.spot_count;
    w->salinity_spot_count = (int32_t)e->column.salinity.spot_count;
    fm_spot *spots = fm_flat_array(flat, FM_FLAT_SPOTS);
    copy_spots(&e->column.temperature, spots);
    copy_spots(&e->column.salinity, spots + w->temperature_spot_count);
    if (!e->column.profile)
        return;
    const fm_profile *p = e->column.profile;
    double *levels = (double *)fm_flat_array(flat, FM_FLAT_LEVELS) + next->levels;
    w->first = next->levels;
    w->count = (int32_t)p->count;
    memcpy(levels, p->depth, p->count * sizeof *levels);
    memcpy(levels + p->count, p->temperature, p->count * sizeof *levels);
    memcpy(levels + 2 * p->count, p->salinity, p->count * sizeof *levels);
    next->levels += 3 * w->count;
}

/* A screw and a rudder belong to the hull and the screw before them. */
static void describe_forces(const fm_model *model, const fm_type *type, fm_flat *flat, cursor *next)
{
    fm_force_term *terms = fm_flat_array(flat, FM_FLAT_FORCE_TERMS);
    int32_t hull = 0, propeller = 0;
    for (size_t i = 0; i < type->force_count; i++) {
        terms[i] = (fm_force_term){0};
        force_of(type, i)->part_class->lanes->term(force_of(type, i)->config, model->environment->wind, &terms[i],
                                                   fm_flat_array(flat, FM_FLAT_LEVELS), next->levels);
        hull = terms[i].kind == FM_FORCE_HULL ? (int32_t)i : hull;
        propeller = terms[i].kind == FM_FORCE_PROPELLER ? (int32_t)i : propeller;
        terms[i].hull = hull;
        terms[i].propeller = propeller;
        next->levels += 3 * terms[i].count;
    }
}

void fm_surroundings_describe(const fm_model *model, const fm_type *type, fm_flat *flat)
{
    const fm_environment *e = model->environment;
    fm_current_part *parts = fm_flat_array(flat, FM_FLAT_CURRENTS);
    cursor next = {0};
    for (size_t i = 0; i < e->current.count; i++)
        describe_current(&e->current.components[i], flat, &parts[i], &next);
    if (flat->count[FM_FLAT_SEA])
        *(fm_batch_sea *)fm_flat_array(flat, FM_FLAT_SEA) =
            (fm_batch_sea){(int32_t)e->sea.count, e->sea.depth <= 0, e->sea.depth};
    if (flat->count[FM_FLAT_GRID])
        *(fm_wave_grid *)fm_flat_array(flat, FM_FLAT_GRID) = *type->body.grid;
    if (flat->count[FM_FLAT_WATER])
        describe_water(model, type, flat, &next);
    describe_forces(model, type, flat, &next);
}

/* --- the waves of each run --- */

/* Those of the run with this seed: FM_WAVE_NUMBERS of each, with a stride of `step`. */
static void draw_sea(const fm_environment *e, uint64_t seed, fm_wave *waves, double *numbers, size_t step)
{
    memcpy(waves, e->sea.waves, e->sea.count * sizeof *waves);
    fm_sea_draw(&e->sea, e->drawn, e->drawn_count, seed, waves);
    for (size_t i = 0; i < e->sea.count; i++) {
        const fm_wave *w = &waves[i];
        const double row[FM_WAVE_NUMBERS] = {w->amplitude, w->frequency, w->number, w->travel[0],
                                             w->travel[1], w->phase,     w->echo};
        for (size_t k = 0; k < FM_WAVE_NUMBERS; k++)
            numbers[(FM_WAVE_NUMBERS * i + k) * step] = row[k];
    }
}

fm_status fm_surroundings_draw_waves(fm_batch *b, const uint64_t *seeds, const double *variants, fm_error *error)
{
    const uint32_t rows = fm_flat_wave_rows(b->types[0].flat);
    if (!rows)
        return FM_OK;
    fm_wave *waves = fm_alloc((rows / FM_WAVE_NUMBERS + 1) * sizeof *waves);
    double *numbers = fm_alloc((rows * b->count + 1) * sizeof *numbers);
    fm_status status =
        waves && numbers ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for the waves of %zu runs", b->count);
    for (size_t i = 0; i < b->count && status == FM_OK; i++)
        draw_sea(b->types[(size_t)variants[i]].model->environment, seeds[i], waves, numbers + i, b->count);
    for (uint32_t row = 0; row < rows && status == FM_OK; row++)
        status = fm_batch_put_row(b, b->rows.waves + row, numbers + row * b->count, error);
    fm_free(waves);
    fm_free(numbers);
    return status;
}
