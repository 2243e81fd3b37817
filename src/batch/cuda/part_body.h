/* The host's side of one precision. */
#include "batch/cuda/kernel.h"

#include <cstdio>
#include <string>

#include "batch/cuda/part.h"

static void make_head(const fm_flat *doubles, fm_flat *head)
{
    *head = fm_flat_head(doubles);
}

static void fill_block(fm_flat *block, const fm_flat *doubles)
{
    fm_flat_fill(block, 0, doubles);
}

/* Steps of vehicles with a chain, and of robotic fish (chain_body.h). */
void FM_CUDA_CHAIN(const fm_lanes_job *job, const uint32_t *variants);
void FM_CUDA_FISH(const fm_lanes_job *job, const uint32_t *variants);

static unsigned blocks_for(size_t count)
{
    return (unsigned)((count + 127) / 128);
}

static void reset_all(const fm_lanes_job *job, const uint32_t *variants, const unsigned char *mask, const void *starts,
                      size_t variant_count, int whole)
{
    fm_cuda_begin<<<blocks_for(job->stride), 128>>>(*job, variants, mask, (const fm_real *)starts, variant_count,
                                                    job->stride, whole);
}

static void step_all(const fm_lanes_job *job, const uint32_t *variants, const uint32_t *rest)
{
    if (job->kernel == FM_LANES_FISH)
        FM_CUDA_FISH(job, variants);
    else if (job->kernel == FM_LANES_CHAIN)
        FM_CUDA_CHAIN(job, variants);
    else if (job->rows.chain > job->rows.feeler)
        fm_cuda_feel<<<blocks_for(job->stride), 128>>>(*job, variants, job->stride);
    else
        fm_cuda_any<<<blocks_for(job->stride), 128>>>(*job, variants, job->stride, rest);
    fm_cuda_observe<<<blocks_for(job->stride), 128>>>(*job, variants, job->stride);
}

/* --- a type as source --- */

static void add(std::string *text, const char *format, double value)
{
    char piece[64];
    std::snprintf(piece, sizeof piece, format, value);
    *text += piece;
}

static void add_number(std::string *text, double value)
{
    add(text, sizeof(fm_real) == 4 ? "%af," : "%a,", sizeof(fm_real) == 4 ? (double)(float)value : value);
}

/* Of a body; those behind it belong to chains, which are taken as any. */
static const char *const record_types[FM_FLAT_FEELER] = {
    "fm_mass", "fm_weights", "fm_real", "fm_actuator_fault", "fm_battery",  "fm_var",        "fm_term",
    "fm_var",  "fm_var",     "fm_var",  "fm_column_element", "fm_actuator", "fm_moving_mass"};

/* An array of one section: integers and numbers one after the other, as the structs have them. */
static void add_section(std::string *text, const fm_flat *flat, int s)
{
    char name[96];
    std::snprintf(name, sizeof name, "__device__ constexpr %s fm_baked_%d[] = {",
                  s < FM_FLAT_FEELER ? record_types[s] : "fm_par", s);
    *text += name;
    fm_flat_shape shape = fm_flat_shape_of(s);
    for (uint32_t i = 0; i < flat->count[s]; i++) {
        const char *record = (const char *)fm_flat_array(flat, s) + i * fm_flat_record(flat, s);
        const double *numbers = (const double *)(const void *)(record + fm_flat_numbers_at(flat, s));
        for (uint32_t k = 0; k < shape.integers; k++)
            add(text, "%.0f,", (double)((const int32_t *)(const void *)record)[k]);
        for (uint32_t k = 0; k < shape.numbers; k++)
            add_number(text, numbers[k]);
    }
    *text += flat->count[s] ? "};\n" : "{}};\n";
}

static void add_field(std::string *text, const char *name, double value)
{
    *text += name;
    add(text, " = %.0f;\n", value);
}

static const char *bake(const fm_flat *flat)
{
    static thread_local std::string text;
    text.clear();
    if (flat->count[FM_FLAT_FEELER] || flat->count[FM_FLAT_FISH] || fm_flat_needs_chain(flat) ||
        flat->count[FM_FLAT_MOVING] || flat->substeps != 1 || flat->tolerance > 0)
        return "";
    for (int s = 0; s < FM_FLAT_SECTIONS; s++)
        if (s < FM_FLAT_FEELER || s == FM_FLAT_TABLES)
            add_section(&text, flat, s);
    add(&text, "#define FM_BAKED_ACTUATORS %.0f\n", flat->count[FM_FLAT_ACTUATORS]);
    add(&text, "#define FM_BAKED_INTEGRATOR %.0f\n", flat->integrator);
    text += "static __device__ __forceinline__ fm_craft fm_baked_craft()\n{\nfm_craft c;\n"
            "c.body.hydro.terms = fm_baked_6;\nc.body.hydro.strip_x = fm_baked_7;\nc.body.hydro.strip_h = fm_baked_8;\n"
            "c.body.hydro.strip_b = fm_baked_9;\nc.body.hull.columns = fm_baked_10;\nc.body.hull.spare = 0;\n"
            "c.body.hull.weight_density = fm_baked_5[0];\nc.body.hull.volume = fm_baked_5[1];\n"
            "for (int i = 0; i < 3; i++) c.body.hull.moment[i] = fm_baked_5[2 + i];\n"
            "c.body.hull.holds = fm_baked_5[5];\nc.body.hull.reach = fm_baked_5[6];\n"
            "c.body.hull.flooded = fm_baked_5[7];\nc.body.hull.gravity = fm_baked_5[8];\n"
            "c.body.grid = NULL;\nc.body.added_mass = fm_baked_1->added_mass;\nc.body.fading_mass = "
            "fm_baked_2;\nc.mass = fm_baked_0;\n"
            "c.weights = fm_baked_1;\nc.moving = fm_baked_12;\nc.actuators = fm_baked_11;\nc.faults = fm_baked_3;\n"
            "c.battery = fm_baked_4;\nc.moving_count = 0;\nc.substeps = 1;\nc.tolerance = 0;\n";
    add(&text, "c.tables = fm_baked_%.0f;\n", FM_FLAT_TABLES);
    add_field(&text, "c.body.hydro.term_count", flat->count[FM_FLAT_TERMS]);
    add_field(&text, "c.body.hydro.uses_across", flat->uses_across);
    add_field(&text, "c.body.hydro.fin_terms", flat->fin_terms);
    add_field(&text, "c.body.hydro.strip_count", flat->count[FM_FLAT_STRIP_X]);
    add_field(&text, "c.body.hull.count", flat->count[FM_FLAT_COLUMNS]);
    add_field(&text, "c.body.hull.bears", flat->bears);
    add_field(&text, "c.body.hull.substeps", flat->surface_substeps);
    add_field(&text, "c.body.euler", flat->euler);
    add_field(&text, "c.body.full_coriolis", flat->full_coriolis);
    add_field(&text, "c.full_coriolis", flat->full_coriolis);
    add_field(&text, "c.table_numbers", flat->count[FM_FLAT_TABLES]);
    add_field(&text, "c.actuator_count", flat->count[FM_FLAT_ACTUATORS]);
    add_field(&text, "c.has_battery", flat->has_battery);
    add_field(&text, "c.has_dynamics", flat->has_dynamics);
    add_field(&text, "c.integrator", flat->integrator);
    add(&text, "c.step_s = (fm_par)%a;\nreturn c;\n}\n", flat->step_s);
    return text.c_str();
}

extern const fm_cuda_part FM_CUDA_PART;
const fm_cuda_part FM_CUDA_PART = {make_head, fill_block, reset_all, step_all, bake};
