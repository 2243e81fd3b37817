#include "world/flatten.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "world/model.h"

static fm_flat head_of(const fm_type *type)
{
    const fm_craft *c = &type->craft;
    const fm_hydro *hydro = &c->body.hydro;
    uint32_t strips = (uint32_t)hydro->strip_count, actuators = (uint32_t)c->actuator_count;
    fm_flat head = {.real_bytes = sizeof(double),
                    .var_bytes = sizeof(double),
                    .par_bytes = sizeof(double),
                    .count = {[FM_FLAT_MASS] = 1,
                              [FM_FLAT_WEIGHTS] = 1,
                              [FM_FLAT_FAULTS] = actuators,
                              [FM_FLAT_BATTERY] = 1,
                              [FM_FLAT_FADING] = 1,
                              [FM_FLAT_HULL] = 1,
                              [FM_FLAT_TERMS] = (uint32_t)hydro->term_count,
                              [FM_FLAT_STRIP_X] = strips,
                              [FM_FLAT_STRIP_H] = strips,
                              [FM_FLAT_STRIP_B] = strips,
                              [FM_FLAT_COLUMNS] = (uint32_t)c->body.hull.count,
                              [FM_FLAT_ACTUATORS] = actuators,
                              [FM_FLAT_MOVING] = (uint32_t)c->moving_count,
                              [FM_FLAT_TABLES] = (uint32_t)c->table_numbers},
                    .euler = c->body.euler,
                    .uses_across = hydro->uses_across,
                    .fin_terms = hydro->fin_terms,
                    .bears = c->body.hull.bears,
                    .surface_substeps = c->body.hull.substeps,
                    .has_battery = c->has_battery,
                    .has_dynamics = c->has_dynamics,
                    .full_coriolis = c->full_coriolis,
                    .integrator = c->integrator,
                    .substeps = c->substeps,
                    .step_s = c->step_s,
                    .tolerance = c->tolerance};
    fm_flat_lay_out(&head);
    return head;
}

static void copy_sections(const fm_craft *c, fm_flat *flat)
{
    const fm_hydro *hydro = &c->body.hydro;
    const void *const from[FM_FLAT_SECTIONS] = {[FM_FLAT_MASS] = c->mass,
                                                [FM_FLAT_WEIGHTS] = c->weights,
                                                [FM_FLAT_FAULTS] = c->faults,
                                                [FM_FLAT_BATTERY] = c->battery,
                                                [FM_FLAT_FADING] = c->body.fading_mass,
                                                [FM_FLAT_HULL] = &c->body.hull.weight_density,
                                                [FM_FLAT_TERMS] = hydro->terms,
                                                [FM_FLAT_STRIP_X] = hydro->strip_x,
                                                [FM_FLAT_STRIP_H] = hydro->strip_h,
                                                [FM_FLAT_STRIP_B] = hydro->strip_b,
                                                [FM_FLAT_COLUMNS] = c->body.hull.columns,
                                                [FM_FLAT_ACTUATORS] = c->actuators,
                                                [FM_FLAT_MOVING] = c->moving,
                                                [FM_FLAT_TABLES] = c->tables};
    for (int s = 0; s < FM_FLAT_SECTIONS; s++)
        if (flat->count[s] && from[s])
            memcpy(fm_flat_array(flat, s), from[s], flat->count[s] * fm_flat_record(flat, s));
}

fm_flat *fm_type_flatten(const fm_type *type, fm_error *error)
{
    fm_flat head = head_of(type), *flat = fm_alloc(head.bytes);
    if (!flat) {
        fm_fail(error, FM_ERR_MEMORY, "no memory for the flat form of type '%s'", type->name);
        return NULL;
    }
    *flat = head;
    copy_sections(&type->craft, flat);
    return flat;
}
