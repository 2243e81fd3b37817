/* The types of a batch in the form of its build, and initial states. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "batch/batch.h"
#include "batch/scenario_run.h"
#include "control/chain.h"

/* --- types --- */

fm_status fm_batch_make_type(const fm_batch *b, fm_batch_type *type, const fm_model *model, const char *vehicle,
                             fm_error *error)
{
    int at = model ? fm_batch_find_vehicle(model, vehicle) : -1;
    if (at < 0)
        return fm_fail(error, model ? FM_ERR_NAME : FM_ERR_ARGUMENT,
                       model ? "the scenario has no vehicle '%s'" : "model must not be NULL", vehicle ? vehicle : "");
    fm_status status = fm_batch_accept(model, at, b->whole, error);
    if (status != FM_OK)
        return status;
    type->model = model;
    type->placement = &model->vehicles[at];
    type->flat = b->whole ? fm_batch_run_flatten(model, 0, error)
                          : fm_body_flatten(model, &model->types[type->placement->type], error);
    return type->flat ? FM_OK : error ? error->status : FM_ERR_MODEL;
}

void fm_batch_free_type(fm_batch_type *type)
{
    fm_free(type->flat);
    fm_free(type->start);
    fm_free(type->values);
    *type = (fm_batch_type){0};
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

/* A vehicle whose kind defines its initial state. */
static fm_status put_kind_start(const fm_batch *b, const fm_batch_type *type, void *numbers, size_t stride,
                                fm_error *error)
{
    double state[13], words[3];
    fm_status status =
        fm_batch_run_start(type->model, (size_t)(type->placement - type->model->vehicles), state, words, error);
    for (size_t column = 0; column < stride && status == FM_OK; column++) {
        for (size_t i = 0; i < 13; i++)
            put_number(b, numbers, (b->rows.state + i) * stride + column, state[i]);
        for (size_t i = 0; i < 3; i++)
            put_number(b, numbers, (b->rows.chain + FM_CHAIN_WORDS + i) * stride + column, words[i]);
    }
    return status;
}

/* One group of vehicles of one type, at their start, computed by the lanes' own kernel; its first column is kept. */
fm_status fm_batch_begin_type(const fm_batch *b, fm_batch_type *type, fm_error *error)
{
    const fm_lanes_build *lanes = fm_lanes_find(NULL, b->single, 1, fm_batch_kernel(b));
    size_t size = fm_batch_number_size(b), width = lanes->lanes;
    uint64_t ages[64] = {0};
    fm_flat head;
    lanes->head(type->flat, &head);
    void *numbers = fm_alloc(b->rows.count * width * size + FM_FLAT_ALIGN);
    char *room = fm_alloc(head.bytes + FM_FLAT_ALIGN);
    type->start = fm_alloc(b->rows.count * size);
    if (!numbers || !room || !type->start)
        return fm_free(numbers), fm_free(room), fm_fail(error, FM_ERR_MEMORY, "no memory for a vehicle at its start");
    fm_flat *block = (fm_flat *)(void *)(((uintptr_t)room + FM_FLAT_ALIGN - 1) / FM_FLAT_ALIGN * FM_FLAT_ALIGN);
    *block = head;
    for (size_t i = 0; i < width; i++) {
        put_start(b, type, numbers, width, i);
        lanes->fill(block, (int)i, type->flat);
    }
    fm_status status = type->model->types[type->placement->type].kind->lanes->begins_alone
                           ? put_kind_start(b, type, numbers, width, error)
                           : FM_OK;
    fm_lanes_job job = {.types = block,
                        .numbers = numbers,
                        .stride = width,
                        .rows = b->rows,
                        .seeds = ages,
                        .ages = ages,
                        .walls = b->whole ? fm_batch_run_table(b->types[0].model) : NULL};
    lanes->begin(&job, 0);
    for (size_t row = 0; row < b->rows.count; row++)
        memcpy((char *)type->start + row * size, (char *)numbers + row * width * size, size);
    fm_free(numbers);
    fm_free(room);
    return status;
}

/* Size of the starts of a number of types in bytes. */
static size_t start_bytes(const fm_batch *b, size_t types)
{
    return b->rows.count * types * fm_batch_number_size(b);
}

static fm_status build_starts(fm_batch *b, fm_error *error)
{
    size_t size = fm_batch_number_size(b), bytes = start_bytes(b, b->type_count);
    char *starts = b->lanes ? b->starts : fm_alloc(bytes);
    if (!starts)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu starts", b->type_count);
    for (size_t i = 0; i < b->type_count; i++)
        for (size_t row = 0; row < b->rows.count; row++)
            memcpy(starts + (row * b->type_count + i) * size, (char *)b->types[i].start + row * size, size);
    if (b->lanes)
        return FM_OK;
    fm_status status = fm_batch_copy(b, b->starts, starts, bytes, error);
    fm_free(starts);
    return status;
}

/* --- blocks --- */

/* One block for all, or one per group of lanes; on a GPU one per type. */
static size_t count_blocks(const fm_batch *b, size_t types)
{
    return !b->lanes ? types : b->lanes->one_type ? 1 : b->stride / b->lanes->lanes;
}

static fm_flat block_head(const fm_batch *b)
{
    fm_flat head;
    if (b->lanes)
        b->lanes->head(b->types[0].flat, &head);
    else
        b->cuda->head(b->single, b->types[0].flat, &head);
    return head;
}

static fm_status build_lanes(fm_batch *b)
{
    fm_flat head = block_head(b);
    size_t groups = count_blocks(b, b->type_count);
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

static fm_status build_cuda(fm_batch *b, fm_error *error)
{
    static const char made[] = ", a kernel made for its type";
    fm_flat head = block_head(b);
    char *blocks = fm_alloc(b->type_count * head.bytes);
    if (!blocks)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu types", b->type_count);
    for (size_t i = 0; i < b->type_count; i++) {
        fm_flat *block = (fm_flat *)(void *)(blocks + i * head.bytes);
        *block = head;
        b->cuda->fill(b->single, block, b->types[i].flat);
    }
    fm_status status = FM_OK;
    if (b->special)
        b->cuda->forget(b->special);
    b->special = b->type_count == 1 && !b->parameters.count && !b->varied
                     ? b->cuda->specialise(b->single, b->types[0].flat)
                     : NULL;
    if (b->special && !strstr(b->text, made))
        snprintf(b->text + strlen(b->text), sizeof b->text - strlen(b->text), "%s", made);
    if (status == FM_OK && !b->rest)
        status = fm_batch_allocate(b, (void **)&b->rest, b->stride * sizeof *b->rest, error);
    if (status == FM_OK)
        status = fm_batch_copy(b, b->blocks, blocks, b->type_count * head.bytes, error);
    fm_free(blocks);
    return status;
}

fm_status fm_batch_separate(fm_batch *b, fm_error *error)
{
    enum { AT_ONCE = 1024 };
    const fm_flat head = block_head(b);
    char *some = fm_alloc(AT_ONCE * (size_t)head.bytes);
    uint32_t *variants = fm_alloc(b->stride * sizeof *variants);
    void *blocks = NULL;
    fm_status status = some && variants ? fm_batch_allocate(b, &blocks, b->stride * (size_t)head.bytes, error)
                                        : fm_fail(error, FM_ERR_MEMORY, "no memory for %zu variants", b->count);
    for (size_t i = 0; i < AT_ONCE && status == FM_OK; i++) {
        fm_flat *block = (fm_flat *)(void *)(some + i * head.bytes);
        *block = head;
        b->cuda->fill(b->single, block, b->types[0].flat);
    }
    for (size_t i = 0; i < b->stride && status == FM_OK; i += AT_ONCE) {
        const size_t count = b->stride - i < AT_ONCE ? b->stride - i : AT_ONCE;
        status = fm_batch_copy(b, (char *)blocks + i * head.bytes, some, count * head.bytes, error);
    }
    for (size_t i = 0; variants && i < b->stride; i++)
        variants[i] = (uint32_t)(i < b->count ? i : 0);
    if (status == FM_OK)
        status = fm_batch_copy(b, b->variants, variants, b->stride * sizeof *variants, error);
    fm_free(some);
    fm_free(variants);
    fm_batch_release(b, status == FM_OK ? b->blocks : blocks);
    if (status != FM_OK)
        return status;
    b->blocks = blocks;
    b->block_bytes = head.bytes;
    b->separate = 1;
    return FM_OK;
}

fm_status fm_batch_build_blocks(fm_batch *b, fm_error *error)
{
    return b->lanes ? build_lanes(b) : build_cuda(b, error);
}

fm_status fm_batch_reserve_types(fm_batch *b, size_t types, fm_error *error)
{
    void *starts = NULL, *blocks = NULL;
    const uint32_t block = block_head(b).bytes;
    fm_status status = fm_batch_allocate(b, &starts, start_bytes(b, types), error);
    if (status == FM_OK)
        status = fm_batch_allocate(b, &blocks, count_blocks(b, types) * block, error);
    fm_batch_release(b, status == FM_OK ? b->starts : starts);
    if (status != FM_OK)
        return status;
    fm_batch_release(b, b->blocks);
    b->starts = starts;
    b->blocks = blocks;
    b->block_bytes = block;
    return FM_OK;
}

fm_status fm_batch_build_types(fm_batch *b, fm_error *error)
{
    fm_status status = fm_batch_build_blocks(b, error);
    return status == FM_OK ? build_starts(b, error) : status;
}
