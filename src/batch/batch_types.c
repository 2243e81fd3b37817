/* The types of a batch in the form that its build reads, and vehicles at their start. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "batch/batch.h"
#include "batch/whole.h"
#include "physics/chain.h"

/* --- parameters: every number of the flat form --- */

typedef void number_visitor(void *user, double *number, int section, uint32_t record, uint32_t k);

static void visit_numbers(fm_flat *flat, number_visitor *visit, void *user)
{
    for (int s = 0; s < FM_FLAT_SECTIONS; s++)
        for (uint32_t i = 0; i < flat->count[s]; i++) {
            char *record = (char *)fm_flat_array(flat, s) + i * fm_flat_record(flat, s);
            double *numbers = (double *)(void *)(record + fm_flat_numbers_at(flat, s));
            for (uint32_t k = 0; k < fm_flat_shape_of(s).numbers; k++)
                visit(user, &numbers[k], s, i, k);
        }
}

typedef struct visit_state {
    fm_batch *batch;
    size_t at, variant;
} visit_state;

static void count_number(void *user, double *number, int section, uint32_t record, uint32_t k)
{
    (void)number, (void)section, (void)record, (void)k;
    ((visit_state *)user)->at++;
}

static void list_number(void *user, double *number, int section, uint32_t record, uint32_t k)
{
    visit_state *v = user;
    fm_batch *b = v->batch;
    b->parameters[v->at * b->type_count + v->variant] = *number;
    if (v->variant == 0) {
        char name[64];
        snprintf(name, sizeof name, "%s/%u/%u", fm_flat_name(section), record, k);
        b->parameter_names[v->at] = fm_arena_text(&b->arena, name);
    }
    v->at++;
}

static void take_number(void *user, double *number, int section, uint32_t record, uint32_t k)
{
    (void)section, (void)record, (void)k;
    visit_state *v = user;
    *number = v->batch->parameters[v->at++ * v->batch->type_count + v->variant];
}

fm_status fm_batch_list_parameters(fm_batch *b, fm_error *error)
{
    visit_state v = {b, 0, 0};
    visit_numbers(b->types[0].flat, count_number, &v);
    b->parameter_count = v.at;
    b->parameters = fm_arena_alloc(&b->arena, v.at * b->type_count * sizeof *b->parameters);
    b->parameter_names = fm_arena_alloc(&b->arena, v.at * sizeof *b->parameter_names);
    if (!b->parameters || !b->parameter_names)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the parameters of %zu variants", b->type_count);
    for (size_t i = 0; i < b->type_count; i++) {
        v = (visit_state){b, 0, i};
        visit_numbers(b->types[i].flat, list_number, &v);
    }
    return FM_OK;
}

void fm_batch_take_parameters(fm_batch *b)
{
    for (size_t i = 0; i < b->type_count; i++) {
        visit_state v = {b, 0, i};
        visit_numbers(b->types[i].flat, take_number, &v);
    }
}

/* --- starts --- */

static void put_number(const fm_batch *b, void *array, size_t i, double value)
{
    if (b->single)
        ((float *)array)[i] = (float)value;
    else
        ((double *)array)[i] = value;
}

static void put_start(const fm_batch *b, const fm_batch_type *type, void *numbers, size_t stride, size_t column)
{
    const fm_placement *p = type->placement;
    double attitude[4] = {p->euler[0], p->euler[1], p->euler[2], 0};
    if (!type->flat->euler)
        fm_quat_from_euler(p->euler, attitude);
    for (size_t i = 0; i < 3; i++) {
        put_number(b, numbers, (b->rows.state + i) * stride + column, p->position[i]);
        put_number(b, numbers, (b->rows.current + i) * stride + column, type->model->settings.current[i]);
    }
    for (size_t i = 0; i < 4; i++)
        put_number(b, numbers, (b->rows.state + 3 + i) * stride + column, attitude[i]);
    for (size_t i = 0; i < 6; i++)
        put_number(b, numbers, (b->rows.state + 7 + i) * stride + column, p->velocity[i]);
}

/* A vehicle whose kind says how it begins. */
static fm_status put_kind_start(const fm_batch *b, const fm_batch_type *type, void *numbers, size_t stride,
                                fm_error *error)
{
    double state[13], words[3];
    fm_status status =
        fm_whole_start(type->model, (size_t)(type->placement - type->model->vehicles), state, words, error);
    for (size_t column = 0; column < stride && status == FM_OK; column++) {
        for (size_t i = 0; i < 13; i++)
            put_number(b, numbers, (b->rows.state + i) * stride + column, state[i]);
        for (size_t i = 0; i < 3; i++)
            put_number(b, numbers, (b->rows.chain + FM_CHAIN_WORDS + i) * stride + column, words[i]);
    }
    return status;
}

/* One group of vehicles of one variant, at their start by the lanes' own kernel; its first column is kept. */
static fm_status begin_variant(const fm_batch *b, const fm_lanes_build *lanes, size_t variant, void *starts,
                               fm_error *error)
{
    const fm_batch_type *type = &b->types[variant];
    size_t size = fm_batch_number_size(b), width = lanes->lanes;
    uint64_t ages[64] = {0};
    fm_flat head;
    lanes->head(type->flat, &head);
    void *numbers = fm_alloc(b->rows.count * width * size + FM_FLAT_ALIGN);
    char *room = fm_alloc(head.bytes + FM_FLAT_ALIGN);
    if (!numbers || !room)
        return fm_free(numbers), fm_free(room), fm_fail(error, FM_ERR_MEMORY, "no memory for a vehicle at its start");
    fm_flat *block = (fm_flat *)(void *)(((uintptr_t)room + FM_FLAT_ALIGN - 1) / FM_FLAT_ALIGN * FM_FLAT_ALIGN);
    *block = head;
    for (size_t i = 0; i < width; i++) {
        put_start(b, type, numbers, width, i);
        lanes->fill(block, (int)i, type->flat);
    }
    fm_status status = b->type->kind->lanes->begins_alone ? put_kind_start(b, type, numbers, width, error) : FM_OK;
    fm_lanes_job job = {.types = block,
                        .numbers = numbers,
                        .stride = width,
                        .rows = b->rows,
                        .seeds = ages,
                        .ages = ages,
                        .walls = b->whole ? fm_whole_table(b->types[0].model) : NULL};
    lanes->begin(&job, 0);
    for (size_t row = 0; row < b->rows.count; row++)
        memcpy((char *)starts + (row * b->type_count + variant) * size, (char *)numbers + row * width * size, size);
    fm_free(numbers);
    fm_free(room);
    return status;
}

static fm_status build_starts(fm_batch *b, fm_error *error)
{
    const fm_lanes_build *lanes = fm_lanes_find(NULL, b->single, 1, fm_batch_kernel(b));
    size_t bytes = b->rows.count * b->type_count * fm_batch_number_size(b);
    void *starts = fm_alloc(bytes);
    fm_status status = starts ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for %zu starts", b->type_count);
    for (size_t i = 0; i < b->type_count && status == FM_OK; i++)
        status = begin_variant(b, lanes, i, starts, error);
    if (status == FM_OK && !b->starts)
        status = fm_batch_allocate(b, &b->starts, bytes, error);
    if (status == FM_OK)
        status = fm_batch_copy(b, b->starts, starts, bytes, error);
    fm_free(starts);
    return status;
}

/* --- blocks --- */

/* One block for all, or one a group of lanes. */
static fm_status build_lanes(fm_batch *b, fm_error *error)
{
    fm_flat head;
    b->lanes->head(b->types[0].flat, &head);
    size_t groups = b->lanes->one_type || b->type_count == 1 ? 1 : b->stride / b->lanes->lanes;
    b->block_bytes = head.bytes;
    if (!b->blocks) {
        fm_status status = fm_batch_allocate(b, &b->blocks, groups * head.bytes, error);
        if (status != FM_OK)
            return status;
    }
    for (size_t g = 0; g < groups; g++) {
        fm_flat *block = (fm_flat *)(void *)((char *)b->blocks + g * head.bytes);
        *block = head;
        for (size_t i = 0; i < b->lanes->lanes; i++) {
            size_t vehicle = g * b->lanes->lanes + i;
            uint32_t variant = groups > 1 && vehicle < b->count ? b->variants[vehicle] : 0;
            b->lanes->fill(block, (int)i, b->types[variant < b->type_count ? variant : 0].flat);
        }
    }
    return FM_OK;
}

/* One block a variant. */
static fm_status build_cuda(fm_batch *b, fm_error *error)
{
    static const char made[] = ", a kernel made for its type";
    fm_flat head;
    b->cuda->head(b->single, b->types[0].flat, &head);
    b->block_bytes = head.bytes;
    char *blocks = fm_alloc(b->type_count * head.bytes);
    if (!blocks)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu types", b->type_count);
    for (size_t i = 0; i < b->type_count; i++) {
        fm_flat *block = (fm_flat *)(void *)(blocks + i * head.bytes);
        *block = head;
        b->cuda->fill(b->single, block, b->types[i].flat);
    }
    fm_status status = b->blocks ? FM_OK : fm_batch_allocate(b, &b->blocks, b->type_count * head.bytes, error);
    if (b->special)
        b->cuda->forget(b->special);
    b->special = b->type_count == 1 ? b->cuda->specialise(b->single, b->types[0].flat) : NULL;
    if (b->special && !strstr(b->text, made))
        snprintf(b->text + strlen(b->text), sizeof b->text - strlen(b->text), "%s", made);
    if (status == FM_OK && !b->rest)
        status = fm_batch_allocate(b, (void **)&b->rest, b->stride * sizeof *b->rest, error);
    if (status == FM_OK)
        status = fm_batch_copy(b, b->blocks, blocks, b->type_count * head.bytes, error);
    fm_free(blocks);
    return status;
}

fm_status fm_batch_build_blocks(fm_batch *b, fm_error *error)
{
    return b->lanes ? build_lanes(b, error) : build_cuda(b, error);
}

fm_status fm_batch_build_types(fm_batch *b, fm_error *error)
{
    fm_status status = fm_batch_build_blocks(b, error);
    return status == FM_OK ? build_starts(b, error) : status;
}
