/* Flat blocks in one precision: cmake/Cuda.cmake compiles this file twice and defines FM_CUDA_BLOCKS, and FM_FLOAT. */
#include "batch/cuda/blocks.h"

#include <stdio.h>
#include <stdlib.h>

#include "control/chain.h"

static void make_head(const fm_flat *doubles, fm_flat *head)
{
    *head = fm_flat_head(doubles);
}

static void fill_block(fm_flat *block, const fm_flat *doubles)
{
    fm_flat_fill(block, 0, doubles);
}

/* --- a type as source --- */

static void add_number(FILE *text, double value)
{
    fprintf(text, sizeof(fm_real) == 4 ? "%af," : "%a,", sizeof(fm_real) == 4 ? (double)(float)value : value);
}

/* Of a body; the sections after these belong to chains, which use the general form. */
static const char *const record_types[FM_FLAT_FEELER] = {
    "fm_mass", "fm_weights", "fm_real", "fm_actuator_fault", "fm_battery",  "fm_var",        "fm_term",
    "fm_var",  "fm_var",     "fm_var",  "fm_column_element", "fm_actuator", "fm_moving_mass"};

/* An array of one section: integers and numbers in the order of the structs. */
static void add_section(FILE *text, const fm_flat *flat, int s)
{
    fprintf(text, "__device__ constexpr %s fm_baked_%d[] = {", s < FM_FLAT_FEELER ? record_types[s] : "fm_par", s);
    fm_flat_shape shape = fm_flat_shape_of(s);
    for (uint32_t i = 0; i < flat->count[s]; i++) {
        const char *record = (const char *)fm_flat_array(flat, s) + i * fm_flat_record(flat, s);
        const double *numbers = (const double *)(const void *)(record + fm_flat_numbers_at(flat, s));
        for (uint32_t k = 0; k < shape.integers; k++)
            fprintf(text, "%d,", ((const int32_t *)(const void *)record)[k]);
        for (uint32_t k = 0; k < shape.numbers; k++)
            add_number(text, numbers[k]);
    }
    fputs(flat->count[s] ? "};\n" : "{}};\n", text);
}

static void add_counts(FILE *text, const fm_flat *flat)
{
    const struct {
        const char *name;
        int64_t value;
    } all[] = {{"body.hydro.term_count", flat->count[FM_FLAT_TERMS]},
               {"body.hydro.uses_across", flat->uses_across},
               {"body.hydro.fin_terms", flat->fin_terms},
               {"body.hydro.strip_count", flat->count[FM_FLAT_STRIP_X]},
               {"body.hull.count", flat->count[FM_FLAT_COLUMNS]},
               {"body.hull.bears", flat->bears},
               {"body.hull.substeps", flat->surface_substeps},
               {"body.euler", flat->euler},
               {"body.full_coriolis", flat->full_coriolis},
               {"full_coriolis", flat->full_coriolis},
               {"table_numbers", flat->count[FM_FLAT_TABLES]},
               {"actuator_count", flat->count[FM_FLAT_ACTUATORS]},
               {"has_battery", flat->has_battery},
               {"has_dynamics", flat->has_dynamics},
               {"integrator", flat->integrator}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        fprintf(text, "c.%s = %lld;\n", all[i].name, (long long)all[i].value);
}

/* The craft of physics/flat.h, fm_flat_open, with constants instead of the block. */
static void add_craft(FILE *text, const fm_flat *flat)
{
    fputs("static __device__ __forceinline__ fm_craft fm_baked_craft()\n{\nfm_craft c;\n"
          "c.body.hydro.terms = fm_baked_6;\nc.body.hydro.strip_x = fm_baked_7;\nc.body.hydro.strip_h = fm_baked_8;\n"
          "c.body.hydro.strip_b = fm_baked_9;\nc.body.hull.columns = fm_baked_10;\nc.body.hull.spare = 0;\n"
          "c.body.hull.weight_density = fm_baked_5[0];\nc.body.hull.volume = fm_baked_5[1];\n"
          "for (int i = 0; i < 3; i++) c.body.hull.moment[i] = fm_baked_5[2 + i];\n"
          "c.body.hull.holds = fm_baked_5[5];\nc.body.hull.reach = fm_baked_5[6];\n"
          "c.body.hull.flooded = fm_baked_5[7];\nc.body.hull.gravity = fm_baked_5[8];\n"
          "c.body.grid = NULL;\nc.body.added_mass = fm_baked_1->added_mass;\nc.body.fading_mass = fm_baked_2;\n"
          "c.mass = fm_baked_0;\nc.weights = fm_baked_1;\nc.moving = fm_baked_12;\nc.actuators = fm_baked_11;\n"
          "c.faults = fm_baked_3;\nc.battery = fm_baked_4;\nc.moving_count = 0;\nc.substeps = 1;\nc.tolerance = 0;\n",
          text);
    fprintf(text, "c.tables = fm_baked_%d;\n", FM_FLAT_TABLES);
    add_counts(text, flat);
    fprintf(text, "c.step_s = (fm_par)%a;\nreturn c;\n}\n", flat->step_s);
}

static char *bake(const fm_flat *flat)
{
    char *made = NULL;
    size_t size = 0;
    if (flat->count[FM_FLAT_FEELER] || fm_flat_has_own(flat) || fm_flat_needs_chain(flat) ||
        flat->count[FM_FLAT_MOVING] || flat->substeps != 1 || flat->tolerance > 0)
        return NULL;
    FILE *text = open_memstream(&made, &size);
    if (!text)
        return NULL;
    for (int s = 0; s < FM_FLAT_SECTIONS; s++)
        if (s < FM_FLAT_FEELER || s == FM_FLAT_TABLES)
            add_section(text, flat, s);
    fprintf(text, "#define FM_BAKED_ACTUATORS %u\n", flat->count[FM_FLAT_ACTUATORS]);
    fprintf(text, "#define FM_BAKED_INTEGRATOR %d\n", flat->integrator);
    add_craft(text, flat);
    return fclose(text) == 0 ? made : (free(made), NULL);
}

const fm_cuda_blocks FM_CUDA_BLOCKS = {make_head, fill_block, bake};
